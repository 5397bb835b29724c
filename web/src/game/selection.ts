/** Selections for choices with several parts, and the single message sent for them. */

import type { CardData, Choice, DecisionData, DieData, OptionData, View } from "../api/protocol";

export interface Selection {
  /** dice, and the numbers that represent players */
  dice: number[];
  blocks: [number, number][];
  /** the blocker whose attacker has not been chosen yet */
  pendingBlocker: number | null;
  /** energy spent or damage dealt per die */
  amounts: [number, number][];
}

export const EMPTY_SELECTION: Selection = { dice: [], blocks: [], pendingBlocker: null, amounts: [] };

export const LEFT_OVER = -1; // represents energy that belongs to no die

/** Whether an option is part of the selection, not an alternative to it. */
function isSelectable(decision: DecisionData, option: OptionData): boolean {
  return decision.mode !== "many" || (option.what !== "use" && option.what !== "lift");
}

/** List the options that a click on this die could mean. */
export function optionsAtDie(decision: DecisionData, die: number): OptionData[] {
  return decision.options.filter((o) => o.dice.includes(die));
}

/** List the options that a click on this card could mean: its own, and those about dice on it. */
export function optionsAtCard(decision: DecisionData, card: number, view: View): OptionData[] {
  const onCard = new Set(view.dice.filter((d) => d.card === card && d.zone === "card").map((d) => d.id));
  return decision.options.filter((o) => (o.dice.length ? o.dice.some((d) => onCard.has(d)) : o.card === card));
}

/** List the options that need a button because no die or card represents them. */
export function buttonOptions(decision: DecisionData): OptionData[] {
  if (decision.mode !== "one") return decision.options.filter((o) => !isSelectable(decision, o) && o.number !== null);
  return decision.options.filter((o) => !o.dice.length && o.card === null);
}

/** Return the dice that can be selected now. */
export function selectableDice(decision: DecisionData, selection: Selection): Set<number> {
  const all = new Set(decision.options.filter((o) => isSelectable(decision, o)).flatMap((o) => o.dice));
  if (decision.mode === "many" && decision.max > 1 && selection.dice.length >= decision.max)
    return new Set(selection.dice);
  if (decision.mode === "blocks") {
    if (selection.pendingBlocker === null) return all;
    return new Set([selection.pendingBlocker, ...availableAttackers(decision, selection, selection.pendingBlocker)]);
  }
  if (decision.mode === "split" && totalAmount(selection) >= decision.total)
    return new Set(selection.amounts.map(([d]) => d));
  return all;
}

/** Return the cards that can be selected now. */
export function selectableCards(decision: DecisionData): Set<number> {
  if (decision.mode !== "one") return new Set();
  return new Set(decision.options.flatMap((o) => (o.card !== null && !o.dice.length ? [o.card] : [])));
}

/** List the attackers that a die can block. */
export function attackersFor(decision: DecisionData, blocker: number): number[] {
  const found = decision.options
    .filter((o) => o.dice.includes(blocker))
    .flatMap((o) => o.attackers ?? (o.to === null ? [] : [o.to]));
  return [...new Set(found)];
}

/** Return the selection after a click on a die or player. */
export function toggle(decision: DecisionData, selection: Selection, die: number): Selection {
  switch (decision.mode) {
    case "many":
      return toggleDie(decision, selection, die);
    case "blocks":
      return toggleBlock(decision, selection, die);
    case "spend":
      return { ...selection, amounts: cycleAmount(decision, selection, die) };
    case "split":
      return changeAmount(decision, selection, die, 1);
    default:
      return selection;
  }
}

function toggleDie(decision: DecisionData, selection: Selection, die: number): Selection {
  if (selection.dice.includes(die)) return { ...selection, dice: selection.dice.filter((d) => d !== die) };
  if (decision.max === 1) return { ...selection, dice: [die] };
  if (selection.dice.length >= decision.max) return selection;
  return { ...selection, dice: [...selection.dice, die] };
}

/** List the attackers that a die can block besides those already assigned to it. */
function availableAttackers(decision: DecisionData, selection: Selection, blocker: number): number[] {
  const mine = selection.blocks.filter(([b]) => b === blocker).map(([, a]) => a);
  if (mine.length && !optionsAtDie(decision, blocker).some((o) => o.several)) return [];
  return attackersFor(decision, blocker).filter((a) => !mine.includes(a));
}

function toggleBlock(decision: DecisionData, selection: Selection, die: number): Selection {
  const blocks = selection.blocks;
  const without: Selection = { ...selection, pendingBlocker: null, blocks: blocks.filter(([b]) => b !== die) };
  if (
    selection.pendingBlocker !== null &&
    availableAttackers(decision, selection, selection.pendingBlocker).includes(die)
  )
    return { ...selection, pendingBlocker: null, blocks: [...blocks, [selection.pendingBlocker, die]] };
  if (selection.pendingBlocker === die) return without;
  const attackers = availableAttackers(decision, selection, die);
  if (!attackers.length) return without;
  if (blocks.length > without.blocks.length) return { ...selection, pendingBlocker: die }; // it can block another attacker too
  if (attackers.length === 1) return { ...selection, pendingBlocker: null, blocks: [...blocks, [die, attackers[0]!]] };
  return { ...selection, pendingBlocker: die };
}

/** Spend as much of a die as fits. Further clicks spend less of it, and finally nothing. */
function cycleAmount(decision: DecisionData, selection: Selection, die: number): [number, number][] {
  const amounts = possibleAmounts(decision, die);
  const now = amountAt(selection, die);
  const others = selection.amounts.filter(([d]) => d !== die);
  const room = remainingFor(decision, selection, die);
  const next = amounts.find((n) => n <= room && (now === 0 || n < now));
  return next ? [...others, [die, next]] : others;
}

/** List the amounts of a die that can be spent, largest first. */
function possibleAmounts(decision: DecisionData, die: number): number[] {
  const found = optionsAtDie(decision, die).map((o) => o.amount ?? 1);
  return [...new Set(found)].sort((x, y) => y - x);
}

function remainingFor(decision: DecisionData, selection: Selection, die: number): number {
  return decision.total - totalAmount(selection) + amountAt(selection, die);
}

/** Return the amount assigned to a die. */
export function amountAt(selection: Selection, die: number): number {
  return selection.amounts.find(([d]) => d === die)?.[1] ?? 0;
}

/** Change the amount assigned to a die. */
export function changeAmount(decision: DecisionData, selection: Selection, die: number, by: number): Selection {
  const others = selection.amounts.filter(([d]) => d !== die);
  const next = Math.max(0, Math.min(remainingFor(decision, selection, die), amountAt(selection, die) + by));
  return { ...selection, amounts: next ? [...others, [die, next]] : others };
}

/** Return the total spent or assigned so far. */
export function totalAmount(selection: Selection): number {
  return selection.amounts.reduce((n, [, m]) => n + m, 0);
}

/** Whether the selection can be confirmed. */
export function isComplete(decision: DecisionData, selection: Selection): boolean {
  switch (decision.mode) {
    case "many":
      return selection.dice.length >= decision.min && selection.dice.length <= decision.max;
    case "blocks":
      return selection.pendingBlocker === null;
    case "spend":
      return totalAmount(selection) === decision.total;
    case "split":
      return decision.over ? totalAmount(selection) <= decision.total : totalAmount(selection) === decision.total;
    default:
      return false;
  }
}

/** Whether nothing has been selected yet. */
export function isEmpty(selection: Selection): boolean {
  return (
    !selection.dice.length && !selection.blocks.length && !selection.amounts.length && selection.pendingBlocker === null
  );
}

/** Return the message for a choice with several parts. */
export function toChoice(decision: DecisionData, selection: Selection): Choice {
  switch (decision.mode) {
    case "blocks":
      return { blocks: selection.blocks };
    case "spend":
      return { spend: selection.amounts };
    case "split":
      return { split: selection.amounts };
    default:
      return { dice: selection.dice };
  }
}

/** Suggest a selection: a payment that keeps wild energy, or damage that KOs one blocker after the other. */
export function suggestSelection(decision: DecisionData, view: View, cards: readonly CardData[]): Selection {
  const total = decision.total;
  if (decision.mode === "split") {
    let remaining = total;
    const amounts: [number, number][] = [];
    for (const o of decision.options) {
      const die = o.dice[0] ?? o.player;
      const n = Math.min(remaining, o.amount ?? 0);
      if (die === undefined || n < 1) continue;
      amounts.push([die, n]);
      remaining -= n;
    }
    const last = amounts[0];
    if (remaining && last && !decision.over) last[1] += remaining; // Overcrush deals the rest to the player
    return { ...EMPTY_SELECTION, amounts };
  }
  return decision.mode === "spend" ? suggestPayment(decision, view, cards) : EMPTY_SELECTION;
}

/** Add a die to a complete payment, in place of the one that is needed least. */
export function replacePayment(
  decision: DecisionData,
  view: View,
  cards: readonly CardData[],
  selection: Selection,
  die: number,
): Selection {
  const proposed = suggestPayment(decision, view, cards, [die, ...selection.amounts.map(([d]) => d)]);
  if (amountAt(proposed, die)) return proposed;
  const most = possibleAmounts(decision, die).find((n) => n <= decision.total);
  return most ? { ...selection, amounts: [[die, most]] } : selection;
}

/** Propose a payment: the first preferred die, then the required types, then other dice, preferred ones first. */
function suggestPayment(
  decision: DecisionData,
  view: View,
  cards: readonly CardData[],
  preferred: readonly number[] = [],
): Selection {
  const total = decision.total;
  const energyOn = (i: number): string => {
    const die = view.dice.find((d) => d.id === i);
    const face = die && die.face !== null ? cards[die.card]?.die.faces[die.face] : undefined;
    return face ? face.energy || "1" : "1";
  };
  const dice = [...new Set(decision.options.flatMap((o) => o.dice))];
  const leftOver = decision.options.filter((o) => o.leftover).length > 0;
  const taken = new Map<number, number>();
  let remaining = total;
  const take = (die: number, n: number): void => {
    taken.set(die, (taken.get(die) ?? 0) + n);
    remaining -= n;
  };
  const preference = (d: number): number => (preferred.includes(d) ? 0 : 1);
  const chosen = preferred[0];
  const share = chosen === undefined ? undefined : possibleAmounts(decision, chosen).find((n) => n <= remaining);
  if (chosen !== undefined && share) take(chosen, share);
  const types = requiredEnergy(decision, cards);
  const paidType = chosen === undefined ? -1 : types.findIndex((type) => energyOn(chosen)[0] === type);
  for (const type of types.filter((_, n) => n !== paidType)) {
    const fits = dice
      .filter((d) => !taken.has(d) && remaining > 0 && energyOn(d)[0] === type)
      .sort((x, y) => preference(x) - preference(y) || energyOn(x).length - energyOn(y).length);
    const die = fits[0] ?? dice.find((d) => !taken.has(d) && energyOn(d)[0] === "?");
    const most = die === undefined ? undefined : possibleAmounts(decision, die).find((n) => n <= remaining);
    if (die !== undefined && most) take(die, most);
  }
  if (leftOver && remaining > 0) take(LEFT_OVER, Math.min(remaining, leftOverEnergy(decision, view)));
  const rank = (d: number): number =>
    energyOn(d)[0] === "?" ? 3 : energyOn(d) === "1" ? 0 : energyOn(d).length === 1 ? 1 : 2;
  for (const die of [...dice].sort((x, y) => preference(x) - preference(y) || rank(x) - rank(y))) {
    if (remaining < 1 || taken.has(die)) continue;
    const n = possibleAmounts(decision, die).find((m) => m <= remaining);
    if (n) take(die, n);
  }
  return remaining === 0 ? { ...EMPTY_SELECTION, amounts: [...taken] } : EMPTY_SELECTION;
}

function leftOverEnergy(decision: DecisionData, view: View): number {
  return view.energy[decision.seat] ?? 0;
}

function requiredEnergy(decision: DecisionData, cards: readonly CardData[]): string[] {
  const card = decision.card == null ? undefined : cards[decision.card];
  if (!card) return [];
  if (/^to buy /.test(decision.about)) return [...card.energy];
  if (/^to Global /.test(decision.about)) return [...(card.globals[0]?.cost.match(/[FBMS]/g) ?? [])];
  return [];
}

/** Return the view as it would look with the selection: attackers step forward, blockers face their attackers. */
export function preview(view: View, selection: Selection): View {
  const decision = view.decision;
  if (!decision || isEmpty(selection)) return view;
  let change: ((die: DieData) => DieData) | null = null;
  if (decision.kind === "attack" && decision.mode === "many")
    change = (die) => (selection.dice.includes(die.id) ? { ...die, attacking: true } : die);
  if (decision.mode === "blocks")
    change = (die) => {
      const mine = selection.blocks.filter(([b]) => b === die.id).map(([, a]) => a);
      return mine.length ? { ...die, blocks: [...(die.blocks ?? []), ...mine] } : die;
    };
  return change ? { ...view, dice: view.dice.map(change) } : view;
}
