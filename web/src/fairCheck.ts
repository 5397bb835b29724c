/** What the check of fair dice says to a person: do they follow from the parts, are they what was shown, whose parts are they. */

import type { Card, View } from "./contract";
import { workOut } from "./fair";
import type { FairFacts, Made, Seen } from "./fairFacts";

export interface Verdict {
  good: boolean;
  /** good is null for what is only told */
  lines: { good: boolean | null; text: string }[];
}

/** Give what a view shows of a throw, if its news are of one. */
export function seenOf(view: View): { number: number; seen: Seen } | null {
  if (!view.throw) return null;
  const { number, word, links, without, texts } = view.throw;
  const last = new Map<number, number>(); // the latest news about each die
  view.news.forEach((news, at) => news.dice.forEach((i) => last.set(i, at)));
  const dice: Seen["dice"] = [];
  for (const [at, news] of view.news.entries()) {
    const die = view.dice.find((d) => d.id === news.dice[0]);
    if (news.kind === "toss") dice.push(["toss", news.seat, null]);
    if (news.kind === "draw" && news.dice.length) dice.push(["draw", die?.card ?? null, null]);
    if (news.kind === "roll") dice.push(["roll", die?.card ?? null, last.get(news.dice[0]!) === at ? (die?.face ?? null) : null]);
  }
  return { number, seen: { word, links, without, texts, dice } };
}

/** Tell whether a throw is what was shown of it. */
function isSame(seen: Seen, made: Made | undefined): boolean {
  if (!made || made.throw.without !== seen.without || (made.throw.word?.text ?? "") !== seen.word) return false;
  if (JSON.stringify(made.links) !== JSON.stringify(seen.links) || made.dice.length < seen.dice.length) return false;
  if (seen.texts.length && made.texts.slice(-seen.texts.length).join("\n") !== seen.texts.join("\n")) return false;
  return seen.dice.every(([what, whose, face], i) => {
    const drawn = made.dice[i]!;
    const is = what === "toss" ? drawn.seat : drawn.c;
    return drawn.what === what && (whose === null || whose === is) && (face === null || face === drawn.f);
  });
}

/** Check a game's dice. `promised` is the commitment seen before this browser gave anything, `seen` what it was shown. */
export function check(facts: FairFacts, cards: readonly Card[], promised: string, seen: Record<number, Seen> = {}): Verdict {
  const lines: Verdict["lines"] = [{ good: facts.commitment === promised, text: "The table's fingerprint is the one this page saw at first." }];
  try {
    const made = workOut(facts, cards);
    const numbers = made.reduce((sum, m) => sum + m.dice.length, 0);
    lines.push({ good: true, text: `All ${numbers} tosses, draws and rolls of ${made.length} throws follow from the parts given to them.` });
    const shown = Object.keys(seen).map(Number);
    const other = shown.find((n) => !isSame(seen[n]!, made[n - 1]));
    if (other !== undefined) lines.push({ good: false, text: `Throw ${other} is not what this browser was shown.` });
    else if (shown.length) lines.push({ good: true, text: `${shown.length} of the ${made.length} throws were shown to this browser, and they are the same.` });
    else lines.push({ good: null, text: "This browser saw none of them being thrown; whether they are the ones that were shown, only one that was there can say." });
    lines.push(...whose(facts, made).map((text) => ({ good: null, text })));
  } catch (e) {
    lines.push({ good: false, text: `Something is wrong: ${e instanceof Error ? e.message : "it cannot be read"}.` });
  }
  return { good: lines.every((l) => l.good !== false), lines };
}

/** Say whose parts they are. */
function whose(facts: FairFacts, made: readonly Made[]): string[] {
  const lines = facts.chains.map((chain, n) =>
    facts.chains.slice(0, n).some((c) => [...c.seats].some((s) => chain.seats.includes(s)))
      ? `From throw ${chain.since} on ${[...chain.seats].join(" and ")} had a new chain: another device, or the old one was lost.`
      : `${[...chain.seats].join(" and ")} had a part of ${chain.seats.length > 1 ? "their" : "its"} own, from one browser.`,
  );
  for (const [seat, player] of Object.entries(facts.bots)) lines.push(`${seat} was the table's player '${player}': what it did is the table's part.`);
  if (!facts.chains.length) lines.push("Nobody but the table had a part, so the table could foresee every throw.");
  for (const seat of new Set(made.flatMap((m) => [...m.throw.without]))) {
    const missing = made.filter((m) => m.throw.without.includes(seat)).map((m) => m.throw.number);
    lines.push(`${seat}'s part is missing in ${missing.length} throws: ${missing.join(", ")}.`);
  }
  const undone = facts.steps.reduce((sum, step) => sum + ("undo" in step ? step.undo : 0), 0);
  if (undone) lines.push(`${undone} choices were taken back; the list has them too.`);
  return lines;
}
