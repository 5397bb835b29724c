/** Texts of game reviews and hints. */

import { gameText } from "./game";

const you = (who: string): string => (who === gameText.you ? "you" : who);
const your = (who: string): string => (who === gameText.you ? "your" : gameText.whose(who));
const percent = (chance: number): string => `${Math.round(chance * 100)} %`;

export const reviewText = {
  title: "Looking back",
  open: "Look back",
  about: "How the chance to win went, and where it turned.",
  percent,
  chance: (who: string): string => (who === gameText.you ? "Your chance to win" : `${who}: chance to win`),
  rating: (done: number, all: number): string => `Thinking about step ${done} of ${all} …`,
  waiting: "The table has much to think about; this goes on by itself in a moment.",
  chart: (who: string, list: string): string => `Chance of ${you(who)} to win, from step to step: ${list}.`,
  turning: (who: string): string => `Turning points, by ${your(who)} chance`,
  noTurning: "Nobody gave much away in this game, and the dice were even.",
  step: (n: number): string => `Step ${n}`,
  inTurn: (n: number, who: string): string => `Turn ${n}, ${you(who)}`,
  change: (by: number): string => `${by > 0 ? "+" : "−"}${Math.abs(Math.round(by * 100))} %`,
  changed: (by: number, who: string): string => `${reviewText.change(by)} for ${you(who)}`,
  luck: "The dice decided here.",
  better: (what: string): string => `Better: ${what}.`,
  else: (who: string): string =>
    who ? `What else ${you(who)} could do, by ${your(who)} chance` : "What else could be done",
  thinking: "Thinking …",
  noChoice: "Nobody had a choice at this step.",
  best: "best",
  taken: "played",
  why: "Why",
  line: "How it might go on",
  more: (n: number): string => `and ${n} more`,
  meaning: "A chance is what a player of level 5 expects at the end of the turn, over many tries with dice of its own.",
  playOn: "Play on from here",
  against: "against level 5",
  noPlayOn: "A game cannot be opened from here.",
  hint: "Hint",
  hintTitle: "What a strong player would do",
  noHint: "There is no hint just now.",
  problem: "This cannot be worked out just now.",
};
