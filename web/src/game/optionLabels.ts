/** What buttons say: the deed and its price. */

import type { Board } from "./board.svelte";
import type { DecisionData, OptionData } from "../api/protocol";
import { phrases, telling } from "../i18n";

/** Say what an option does, on a button of its own. */
export function labelOf(board: Board, decision: DecisionData, option: OptionData): string {
  switch (option.what) {
    case "buy":
      return phrases.buyFor(priceOf(board, option));
    case "field":
      return phrases.fieldFor(priceOf(board, option));
    case "use":
    case "ability":
      return phrases.use;
    case "global":
      return phrases.useGlobal(globalCost(board, option));
    case "pass":
      return passing(decision);
  }
  const text = board.voiced(option.text).replace(/^(choose|resolve) /, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Say what a click on the thing would do, in one line. */
export function deedOf(board: Board, decision: DecisionData, option: OptionData): string {
  const card = option.card !== null ? board.card(option.card).title : titleOf(board, option);
  switch (option.what) {
    case "buy":
      return telling.buy(card, priceOf(board, option));
    case "field":
      return telling.field(card, priceOf(board, option));
    case "use":
      return telling.use(card);
    case "ability":
      return telling.useAbility(phrases.whose(card));
    case "global":
      return telling.useGlobal(phrases.whose(card));
  }
  return labelOf(board, decision, option);
}

const titleOf = (board: Board, option: OptionData): string => {
  const die = option.dice[0] === undefined ? undefined : board.byId.get(option.dice[0]);
  return die ? board.card(die.card).title : board.voiced(option.text);
};

/** Give what buying or fielding costs now, as the server has said in its hint. */
export function priceOf(board: Board, option: OptionData): number {
  const found = option.what === "buy" ? /^(\d+)/.exec(option.hint) : /costs (\d+)/.exec(option.hint);
  if (found) return Number(found[1]);
  return option.what === "buy" && option.card !== null ? board.card(option.card).cost : 0;
}

function globalCost(board: Board, option: OptionData): string {
  const global = option.card === null ? undefined : board.card(option.card).globals.find((g) => g.ability === option.ability);
  return global?.cost ?? "";
}

function passing(decision: DecisionData): string {
  if (decision.kind === "main") return phrases.attack;
  if (decision.kind === "fight") return phrases.dealDamage;
  return decision.kind === "respond" ? phrases.doNothing : phrases.goOn;
}
