/** All words of the page, in this folder and nowhere else, so that another language needs no other file. */

export { aloneWords } from "./en/offline";
export { back } from "./en/review";
export { boxes } from "./en/dialogs";
export { draftWords } from "./en/drafts";
export { fairWords } from "./en/fairDice";
export { howto } from "./en/howToPlay";
export { phrases } from "./en/game";
export { puzzleWords } from "./en/puzzles";
export { said } from "./en/pages";
export { shelfWords } from "./en/cards";
export { telling } from "./en/narration";
export { workshop } from "./en/teams";
