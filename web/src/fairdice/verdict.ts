/**
 * The result of checking fair dice: whether they follow from the contributions, whether they match what was shown, and
 * whose contributions they are.
 */

import type { CardData } from "../api/protocol";
import { verifyThrows } from "./verify";
import type { FairDiceFacts, VerifiedThrow, ObservedThrow } from "./types";
import { fairDiceText } from "../i18n";

export interface Verdict {
  isGood: boolean;
  /** good is null for mere information */
  lines: { good: boolean | null; text: string }[];
}

/** Whether a throw matches what was seen of it. */
function matchesObserved(seen: ObservedThrow, verified: VerifiedThrow | undefined): boolean {
  if (!verified || verified.throw.without !== seen.without || (verified.throw.word?.text ?? "") !== seen.word)
    return false;
  if (JSON.stringify(verified.links) !== JSON.stringify(seen.links) || verified.dice.length < seen.dice.length)
    return false;
  if (seen.texts.length && verified.texts.slice(-seen.texts.length).join("\n") !== seen.texts.join("\n")) return false;
  return seen.dice.every(([what, whose, face], i) => {
    const drawn = verified.dice[i]!;
    const is = what === "toss" ? drawn.seat : drawn.c;
    return drawn.what === what && (whose === null || whose === is) && (face === null || face === drawn.f);
  });
}

/** Check a game's dice against the commitment seen before this browser contributed, and the throws it was shown. */
export function checkFairDice(
  facts: FairDiceFacts,
  cards: readonly CardData[],
  commitmentSeen: string,
  observed: Record<number, ObservedThrow> = {},
): Verdict {
  const lines: Verdict["lines"] = [{ good: facts.commitment === commitmentSeen, text: fairDiceText.samePrint }];
  try {
    const verified = verifyThrows(facts, cards);
    const numbers = verified.reduce((sum, m) => sum + m.dice.length, 0);
    lines.push({ good: true, text: fairDiceText.follow(numbers, verified.length) });
    const shown = Object.keys(observed).map(Number);
    const other = shown.find((n) => !matchesObserved(observed[n]!, verified[n - 1]));
    if (other !== undefined) lines.push({ good: false, text: fairDiceText.other(other) });
    else if (shown.length) lines.push({ good: true, text: fairDiceText.same(shown.length, verified.length) });
    else lines.push({ good: null, text: fairDiceText.sawNone });
    lines.push(...contributorLines(facts, verified).map((text) => ({ good: null, text })));
  } catch (e) {
    lines.push({ good: false, text: fairDiceText.isWrong(e instanceof Error ? e.message : fairDiceText.unreadable) });
  }
  return { isGood: lines.every((l) => l.good !== false), lines };
}

/** Describe whose contributions the dice follow from. */
function contributorLines(facts: FairDiceFacts, verified: readonly VerifiedThrow[]): string[] {
  const lines = facts.chains.map((chain, n) =>
    facts.chains.slice(0, n).some((c) => [...c.seats].some((s) => chain.seats.includes(s)))
      ? fairDiceText.newChain(chain.since, [...chain.seats])
      : fairDiceText.ownPart([...chain.seats]),
  );
  for (const [seat, player] of Object.entries(facts.bots)) lines.push(fairDiceText.bot(seat, player));
  if (!facts.chains.length) lines.push(fairDiceText.alone);
  for (const seat of new Set(verified.flatMap((m) => [...m.throw.without]))) {
    const missing = verified.filter((m) => m.throw.without.includes(seat)).map((m) => m.throw.number);
    lines.push(fairDiceText.missing(seat, missing));
  }
  const undone = facts.steps.reduce((sum, step) => sum + ("undo" in step ? step.undo : 0), 0);
  if (undone) lines.push(fairDiceText.undone(undone));
  return lines;
}
