/** Labels of options: the action and its price. */

import type { Board } from "./board.svelte";
import type { DecisionData, OptionData } from "../api/protocol";
import { gameText, narrationText } from "../i18n";

/** Return the label of an option's own button. */
export function buttonLabel(board: Board, decision: DecisionData, option: OptionData): string {
  switch (option.what) {
    case "buy":
      return gameText.buyFor(optionPrice(board, option));
    case "field":
      return gameText.fieldFor(optionPrice(board, option));
    case "use":
    case "ability":
      return gameText.use;
    case "global":
      return gameText.useGlobal(globalCost(board, option));
    case "pass":
      return passLabel(decision);
  }
  const text = board.personalize(option.text).replace(/^(choose|resolve) /, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Describe in one line what a click on the option's die or card does. */
export function actionLabel(board: Board, decision: DecisionData, option: OptionData): string {
  const card = option.card !== null ? board.card(option.card).title : dieTitle(board, option);
  switch (option.what) {
    case "buy":
      return narrationText.buy(card, optionPrice(board, option));
    case "field":
      return narrationText.field(card, optionPrice(board, option));
    case "use":
      return narrationText.use(card);
    case "ability":
      return narrationText.useAbility(gameText.whose(card));
    case "global":
      return narrationText.useGlobal(gameText.whose(card));
  }
  return buttonLabel(board, decision, option);
}

const dieTitle = (board: Board, option: OptionData): string => {
  const die = option.dice[0] === undefined ? undefined : board.diceById.get(option.dice[0]);
  return die ? board.card(die.card).title : board.personalize(option.text);
};

/** Return the current price of buying or fielding, taken from the server's hint. */
export function optionPrice(board: Board, option: OptionData): number {
  const found = option.what === "buy" ? /^(\d+)/.exec(option.hint) : /costs (\d+)/.exec(option.hint);
  if (found) return Number(found[1]);
  return option.what === "buy" && option.card !== null ? board.card(option.card).cost : 0;
}

function globalCost(board: Board, option: OptionData): string {
  const global =
    option.card === null ? undefined : board.card(option.card).globals.find((g) => g.ability === option.ability);
  return global?.cost ?? "";
}

function passLabel(decision: DecisionData): string {
  if (decision.kind === "main") return gameText.attack;
  if (decision.kind === "fight") return gameText.dealDamage;
  return decision.kind === "respond" ? gameText.doNothing : gameText.goOn;
}
