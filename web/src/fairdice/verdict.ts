/** What the check of fair dice says to a person: do they follow from the parts, are they what was shown, whose parts are they. */

import type { CardData } from "../api/protocol";
import { workOut } from "./verify";
import type { FairFacts, Made, Seen } from "./types";
import { fairWords } from "../i18n";

export interface Verdict {
  good: boolean;
  /** good is null for what is only told */
  lines: { good: boolean | null; text: string }[];
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
export function check(facts: FairFacts, cards: readonly CardData[], promised: string, seen: Record<number, Seen> = {}): Verdict {
  const lines: Verdict["lines"] = [{ good: facts.commitment === promised, text: fairWords.samePrint }];
  try {
    const made = workOut(facts, cards);
    const numbers = made.reduce((sum, m) => sum + m.dice.length, 0);
    lines.push({ good: true, text: fairWords.follow(numbers, made.length) });
    const shown = Object.keys(seen).map(Number);
    const other = shown.find((n) => !isSame(seen[n]!, made[n - 1]));
    if (other !== undefined) lines.push({ good: false, text: fairWords.other(other) });
    else if (shown.length) lines.push({ good: true, text: fairWords.same(shown.length, made.length) });
    else lines.push({ good: null, text: fairWords.sawNone });
    lines.push(...whose(facts, made).map((text) => ({ good: null, text })));
  } catch (e) {
    lines.push({ good: false, text: fairWords.isWrong(e instanceof Error ? e.message : fairWords.unreadable) });
  }
  return { good: lines.every((l) => l.good !== false), lines };
}

/** Say whose parts they are. */
function whose(facts: FairFacts, made: readonly Made[]): string[] {
  const lines = facts.chains.map((chain, n) =>
    facts.chains.slice(0, n).some((c) => [...c.seats].some((s) => chain.seats.includes(s)))
      ? fairWords.newChain(chain.since, [...chain.seats])
      : fairWords.ownPart([...chain.seats]),
  );
  for (const [seat, player] of Object.entries(facts.bots)) lines.push(fairWords.bot(seat, player));
  if (!facts.chains.length) lines.push(fairWords.alone);
  for (const seat of new Set(made.flatMap((m) => [...m.throw.without]))) {
    const missing = made.filter((m) => m.throw.without.includes(seat)).map((m) => m.throw.number);
    lines.push(fairWords.missing(seat, missing));
  }
  const undone = facts.steps.reduce((sum, step) => sum + ("undo" in step ? step.undo : 0), 0);
  if (undone) lines.push(fairWords.undone(undone));
  return lines;
}
