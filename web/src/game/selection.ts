/** Choices made in several parts on the table, and the one message they become. */

import type { CardData, Choice, DecisionData, DieData, OptionData, View } from "../api/protocol";

export interface Picks {
  /** dice, and the numbers that stand for players */
  dice: number[];
  blocks: [number, number][];
  /** the blocker in hand, waiting for the attacker it shall block */
  holding: number | null;
  /** energy spent or damage dealt, die by die */
  amounts: [number, number][];
}

export const NOTHING: Picks = { dice: [], blocks: [], holding: null, amounts: [] };

export const LEFT_OVER = -1; // stands for energy that belongs to no die

/** Tell whether an option is a part of the choice, not something else that may be done instead. */
function isPart(decision: DecisionData, option: OptionData): boolean {
  return decision.mode !== "many" || (option.what !== "use" && option.what !== "lift");
}

/** List the options that pointing at this die could mean. */
export function optionsAtDie(decision: DecisionData, die: number): OptionData[] {
  return decision.options.filter((o) => o.dice.includes(die));
}

/** List the options that pointing at this card could mean: its own, and those about dice that lie on it. */
export function optionsAtCard(decision: DecisionData, card: number, view: View): OptionData[] {
  const onCard = new Set(view.dice.filter((d) => d.card === card && d.zone === "card").map((d) => d.id));
  return decision.options.filter((o) => (o.dice.length ? o.dice.some((d) => onCard.has(d)) : o.card === card));
}

/** List the options that cannot be pointed at on the table and need a button. */
export function optionsInWords(decision: DecisionData): OptionData[] {
  if (decision.mode !== "one") return decision.options.filter((o) => !isPart(decision, o) && o.number !== null);
  return decision.options.filter((o) => !o.dice.length && o.card === null);
}

/** Give the dice that may be pointed at now. */
export function litDice(decision: DecisionData, picks: Picks): Set<number> {
  const all = new Set(decision.options.filter((o) => isPart(decision, o)).flatMap((o) => o.dice));
  if (decision.mode === "many" && decision.max > 1 && picks.dice.length >= decision.max)
    return new Set(picks.dice);
  if (decision.mode === "blocks") {
    if (picks.holding === null) return all;
    return new Set([picks.holding, ...openAttackers(decision, picks, picks.holding)]);
  }
  if (decision.mode === "split" && sum(picks) >= decision.total) return new Set(picks.amounts.map(([d]) => d));
  return all;
}

/** Give the cards that may be pointed at now. */
export function litCards(decision: DecisionData): Set<number> {
  if (decision.mode !== "one") return new Set();
  return new Set(decision.options.flatMap((o) => (o.card !== null && !o.dice.length ? [o.card] : [])));
}

/** List the attackers this die may be declared to block. */
export function attackersFor(decision: DecisionData, blocker: number): number[] {
  const found = decision.options.filter((o) => o.dice.includes(blocker)).flatMap((o) => o.attackers ?? (o.to === null ? [] : [o.to]));
  return [...new Set(found)];
}

/** Give the picks after pointing at a die, or a player, in a choice of several parts. */
export function point(decision: DecisionData, picks: Picks, die: number): Picks {
  switch (decision.mode) {
    case "many":
      return pointMany(decision, picks, die);
    case "blocks":
      return pointBlock(decision, picks, die);
    case "spend":
      return { ...picks, amounts: nextAmount(decision, picks, die) };
    case "split":
      return add(decision, picks, die, 1);
    default:
      return picks;
  }
}

function pointMany(decision: DecisionData, picks: Picks, die: number): Picks {
  if (picks.dice.includes(die)) return { ...picks, dice: picks.dice.filter((d) => d !== die) };
  if (decision.max === 1) return { ...picks, dice: [die] };
  if (picks.dice.length >= decision.max) return picks;
  return { ...picks, dice: [...picks.dice, die] };
}

/** List the attackers a die may block besides those it has been given. */
function openAttackers(decision: DecisionData, picks: Picks, blocker: number): number[] {
  const mine = picks.blocks.filter(([b]) => b === blocker).map(([, a]) => a);
  if (mine.length && !optionsAtDie(decision, blocker).some((o) => o.several)) return [];
  return attackersFor(decision, blocker).filter((a) => !mine.includes(a));
}

function pointBlock(decision: DecisionData, picks: Picks, die: number): Picks {
  const blocks = picks.blocks;
  const without: Picks = { ...picks, holding: null, blocks: blocks.filter(([b]) => b !== die) };
  if (picks.holding !== null && openAttackers(decision, picks, picks.holding).includes(die))
    return { ...picks, holding: null, blocks: [...blocks, [picks.holding, die]] };
  if (picks.holding === die) return without;
  const attackers = openAttackers(decision, picks, die);
  if (!attackers.length) return without;
  if (blocks.length > without.blocks.length) return { ...picks, holding: die }; // it may block another one too
  if (attackers.length === 1) return { ...picks, holding: null, blocks: [...blocks, [die, attackers[0]!]] };
  return { ...picks, holding: die };
}

/** Spend all of a die that fits; pointing again spends less of it, and at last nothing. */
function nextAmount(decision: DecisionData, picks: Picks, die: number): [number, number][] {
  const amounts = amountsOf(decision, die);
  const now = amountOn(picks, die);
  const others = picks.amounts.filter(([d]) => d !== die);
  const room = roomFor(decision, picks, die);
  const next = amounts.find((n) => n <= room && (now === 0 || n < now));
  return next ? [...others, [die, next]] : others;
}

/** List how much of a die may be spent, the most first. */
function amountsOf(decision: DecisionData, die: number): number[] {
  const found = optionsAtDie(decision, die).map((o) => o.amount ?? 1);
  return [...new Set(found)].sort((x, y) => y - x);
}

function roomFor(decision: DecisionData, picks: Picks, die: number): number {
  return decision.total - sum(picks) + amountOn(picks, die);
}

/** Give how much of the total lies on this die. */
export function amountOn(picks: Picks, die: number): number {
  return picks.amounts.find(([d]) => d === die)?.[1] ?? 0;
}

/** Put more, or less, of a total on one die. */
export function add(decision: DecisionData, picks: Picks, die: number, by: number): Picks {
  const others = picks.amounts.filter(([d]) => d !== die);
  const next = Math.max(0, Math.min(roomFor(decision, picks, die), amountOn(picks, die) + by));
  return { ...picks, amounts: next ? [...others, [die, next]] : others };
}

/** Add up what has been spent or dealt out so far. */
export function sum(picks: Picks): number {
  return picks.amounts.reduce((n, [, m]) => n + m, 0);
}

/** Tell whether the choice can be confirmed as it stands. */
export function isReady(decision: DecisionData, picks: Picks): boolean {
  switch (decision.mode) {
    case "many":
      return picks.dice.length >= decision.min && picks.dice.length <= decision.max;
    case "blocks":
      return picks.holding === null;
    case "spend":
      return sum(picks) === decision.total;
    case "split":
      return decision.over ? sum(picks) <= decision.total : sum(picks) === decision.total;
    default:
      return false;
  }
}

/** Tell whether nothing has been picked yet. */
export function isEmpty(picks: Picks): boolean {
  return !picks.dice.length && !picks.blocks.length && !picks.amounts.length && picks.holding === null;
}

/** Make the message of a choice in several parts. */
export function choiceOf(decision: DecisionData, picks: Picks): Choice {
  switch (decision.mode) {
    case "blocks":
      return { blocks: picks.blocks };
    case "spend":
      return { spend: picks.amounts };
    case "split":
      return { split: picks.amounts };
    default:
      return { dice: picks.dice };
  }
}

/** Pick something sensible to begin with: a payment that keeps wild energy, damage that KOs one blocker after the other. */
export function suggest(decision: DecisionData, view: View, cards: readonly CardData[]): Picks {
  const total = decision.total;
  if (decision.mode === "split") {
    let left = total;
    const amounts: [number, number][] = [];
    for (const o of decision.options) {
      const die = o.dice[0] ?? o.player;
      const n = Math.min(left, o.amount ?? 0);
      if (die === undefined || n < 1) continue;
      amounts.push([die, n]);
      left -= n;
    }
    const last = amounts[0];
    if (left && last && !decision.over) last[1] += left; // Overcrush sends the rest to the player
    return { ...NOTHING, amounts };
  }
  return decision.mode === "spend" ? suggestPayment(decision, view, cards) : NOTHING;
}

/** Pay with another die when all is paid: it takes the place of one that is needed least. */
export function payInstead(decision: DecisionData, view: View, cards: readonly CardData[], picks: Picks, die: number): Picks {
  const proposed = suggestPayment(decision, view, cards, [die, ...picks.amounts.map(([d]) => d)]);
  if (amountOn(proposed, die)) return proposed;
  const most = amountsOf(decision, die).find((n) => n <= decision.total);
  return most ? { ...picks, amounts: [[die, most]] } : picks;
}

/** Propose a payment: with the first of those that are preferred, then what is needed, then the others that are preferred. */
function suggestPayment(decision: DecisionData, view: View, cards: readonly CardData[], preferred: readonly number[] = []): Picks {
  const total = decision.total;
  const shows = (i: number): string => {
    const die = view.dice.find((d) => d.id === i);
    const face = die && die.face !== null ? cards[die.card]?.die.faces[die.face] : undefined;
    return face ? face.energy || "1" : "1";
  };
  const dice = [...new Set(decision.options.flatMap((o) => o.dice))];
  const leftOver = decision.options.filter((o) => o.leftover).length > 0;
  const taken = new Map<number, number>();
  let left = total;
  const take = (die: number, n: number): void => {
    taken.set(die, (taken.get(die) ?? 0) + n);
    left -= n;
  };
  const wish = (d: number): number => (preferred.includes(d) ? 0 : 1);
  const chosen = preferred[0];
  const share = chosen === undefined ? undefined : amountsOf(decision, chosen).find((n) => n <= left);
  if (chosen !== undefined && share) take(chosen, share);
  const types = needed(decision, cards);
  const met = chosen === undefined ? -1 : types.findIndex((type) => shows(chosen)[0] === type);
  for (const type of types.filter((_, n) => n !== met)) {
    const fits = dice.filter((d) => !taken.has(d) && left > 0 && shows(d)[0] === type).sort((x, y) => wish(x) - wish(y) || shows(x).length - shows(y).length);
    const die = fits[0] ?? dice.find((d) => !taken.has(d) && shows(d)[0] === "?");
    const most = die === undefined ? undefined : amountsOf(decision, die).find((n) => n <= left);
    if (die !== undefined && most) take(die, most);
  }
  if (leftOver && left > 0) take(LEFT_OVER, Math.min(left, leftOverOf(decision, view)));
  const rank = (d: number): number => (shows(d)[0] === "?" ? 3 : shows(d) === "1" ? 0 : shows(d).length === 1 ? 1 : 2);
  for (const die of [...dice].sort((x, y) => wish(x) - wish(y) || rank(x) - rank(y))) {
    if (left < 1 || taken.has(die)) continue;
    const n = amountsOf(decision, die).find((m) => m <= left);
    if (n) take(die, n);
  }
  return left === 0 ? { ...NOTHING, amounts: [...taken] } : NOTHING;
}

function leftOverOf(decision: DecisionData, view: View): number {
  return view.energy[decision.seat] ?? 0;
}

function needed(decision: DecisionData, cards: readonly CardData[]): string[] {
  const card = decision.card == null ? undefined : cards[decision.card];
  if (!card) return [];
  if (/^to buy /.test(decision.about)) return [...card.energy];
  if (/^to Global /.test(decision.about)) return [...(card.globals[0]?.cost.match(/[FBMS]/g) ?? [])];
  return [];
}

/** Give the view as it would look with the picks made: attackers step forward, blockers face what they block. */
export function preview(view: View, picks: Picks): View {
  const decision = view.decision;
  if (!decision || isEmpty(picks)) return view;
  let change: ((die: DieData) => DieData) | null = null;
  if (decision.kind === "attack" && decision.mode === "many")
    change = (die) => (picks.dice.includes(die.id) ? { ...die, attacking: true } : die);
  if (decision.mode === "blocks")
    change = (die) => {
      const mine = picks.blocks.filter(([b]) => b === die.id).map(([, a]) => a);
      return mine.length ? { ...die, blocks: [...(die.blocks ?? []), ...mine] } : die;
    };
  return change ? { ...view, dice: view.dice.map(change) } : view;
}
