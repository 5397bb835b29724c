/** All texts of the page are in this folder and nowhere else, so that a translation needs no other file. */

export { offlineText } from "./en/offline";
export { reviewText } from "./en/review";
export { dialogsText } from "./en/dialogs";
export { draftsText } from "./en/drafts";
export { fairDiceText } from "./en/fairDice";
export { howToPlayText } from "./en/howToPlay";
export { gameText } from "./en/game";
export { puzzlesText } from "./en/puzzles";
export { pagesText } from "./en/pages";
export { cardsText } from "./en/cards";
export { narrationText } from "./en/narration";
export { teamsText } from "./en/teams";
