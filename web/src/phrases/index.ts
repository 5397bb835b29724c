/** All words of the page, in this folder and nowhere else, so that another language needs no other file. */

export { aloneWords } from "./alone";
export { back } from "./back";
export { boxes } from "./boxes";
export { draftWords } from "./drafts";
export { fairWords } from "./fair";
export { howto } from "./howto";
export { phrases } from "./table";
export { puzzleWords } from "./puzzles";
export { said } from "./pages";
export { shelfWords } from "./shelf";
export { telling } from "./telling";
export { workshop } from "./workshop";
