/** Recomputes fair dice from all contributions, as described in docs/fair-dice.md. */

import type { CardData } from "../api/protocol";
import type { ChainFacts, DrawnNumber, FairDiceFacts, VerifiedThrow, StepFacts, ThrowFacts } from "./types";
import { fromHex, hex, hmac, sha256 } from "./sha256.ts";
import { fairDiceText } from "../i18n/en/fairDice.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Return a number below `of` and the next state (PCG32). */
export function randomBelow(state: bigint, of: number): [number, bigint] {
  const next = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  const mixed = Number((((state >> 18n) ^ state) >> 27n) & 0xffffffffn);
  const rotation = Number(state >> 59n); // shifts count modulo 32, so 0 works too
  return [Number((BigInt(((mixed >>> rotation) | (mixed << (32 - rotation))) >>> 0) * BigInt(of)) >> 32n), next];
}

export const throwKey = (table: string, parts: string[]): Uint8Array => hmac(fromHex(table), utf8(parts.join("\n")));
export const generatorState = (key: Uint8Array, n: number): bigint =>
  BigInt(`0x${hex(hmac(key, utf8(`${n}`)).slice(0, 8))}`);

/** Return all links that follow from the last one revealed, anchor first. They must lead to the anchor. */
function expandChain(whose: string, anchor: string | null, at: number, link: string): string[] {
  const links = [link];
  while (links.length <= at) links.push(hex(sha256(fromHex(links.at(-1)!))));
  assertThat(links.at(-1) === anchor, fairDiceText.not.anchor(whose));
  return links.reverse();
}

function assertThat(fits: boolean, otherwise: string): asserts fits {
  if (!fits) throw new Error(otherwise);
}

/** Recompute every throw of a game. Throw an error that describes the first mismatch. */
export function verifyThrows(facts: FairDiceFacts, cards: readonly CardData[]): VerifiedThrow[] {
  assertThat(facts.way === "chains", fairDiceText.not.chains);
  const table = expandChain(fairDiceText.not.table, facts.commitment, facts.at, facts.link);
  const links = Object.fromEntries(facts.chains.map((c) => [c.name, expandChain(c.name, c.anchor, c.at, c.link)]));
  const used = Object.fromEntries(facts.chains.map((c) => [c.name, 0]));
  const verified: VerifiedThrow[] = [];
  const texts: string[] = [];
  const throwByPath = new Map<string, number>(); // the throw of each choice, including undone ones
  let [currentThrow, chooser] = [0, ""]; // the throw that also covers the forced steps after a choice, and the last chooser

  function verifyThrow(t: ThrowFacts, actors: string[]): void {
    assertThat(t.number === verified.length + 1 && t.number <= facts.at, fairDiceText.not.throwPlace(t.number));
    const ofSeat = (s: string): ChainFacts | undefined =>
      facts.chains.findLast((c) => c.seats.includes(s) && c.since <= t.number);
    const own = t.word ? ofSeat(t.word.seat) : undefined;
    assertThat(
      actors.some((s) => (ofSeat(s) ? s : "") === (t.word?.seat ?? "")),
      fairDiceText.not.word(t.number),
    );
    const all = new Set(facts.chains.flatMap((c) => [...c.seats]).map(ofSeat));
    const needed = [...all].filter((c) => c !== undefined && c !== own) as ChainFacts[];
    const missing = needed.filter((c) => [...c.seats].every((s) => t.without.includes(s)));
    const present = needed
      .filter((c) => !missing.includes(c))
      .map((c) => c.name)
      .sort();
    assertThat(
      [...t.without].sort().join() ===
        missing
          .flatMap((c) => [...c.seats])
          .sort()
          .join(),
      fairDiceText.not.nobody(t.number),
    );
    assertThat(t.links.map(([name]) => name).join() === present.join(), fairDiceText.not.parts(t.number));
    for (const [name, at] of t.links)
      assertThat(at === ++used[name]! && at < links[name]!.length, fairDiceText.not.link(t.number, name));
    const given = t.links.map(([name, at]) => `${name}.${at} ${links[name]![at]!}`);
    const key = throwKey(table[t.number]!, t.word ? [`${t.word.seat} ${t.word.text}`, ...given] : given);
    verified.push({
      throw: t,
      key,
      links: Object.fromEntries(t.links.map(([name, at]) => [name, links[name]![at]!])),
      texts: texts.slice(),
      dice: [],
    });
  }

  function verifyStep(step: StepFacts, opens: boolean): void {
    if (!opens) texts.push(step.text);
    assertThat(step.n === texts.length, fairDiceText.not.choicePlace(step.n));
    if (!step.forced) [currentThrow, chooser] = [0, step.by];
    const path = texts.join("\n");
    const again = throwByPath.get(path);
    const t = step.throw;
    if (t && again === undefined && t.number !== currentThrow) verifyThrow(t, [chooser, step.by]);
    assertThat(
      !t || (JSON.stringify(t) === JSON.stringify(verified[t.number - 1]?.throw) && (again ?? t.number) === t.number),
      fairDiceText.not.otherThrow(step.n),
    );
    let state = t ? generatorState(verified[t.number - 1]!.key, step.n) : 0n;
    for (const drawn of step.chance) {
      let value = 0;
      if (drawn.of > 1) [value, state] = randomBelow(state, drawn.of);
      assertThat(drawn.of === 1 || t !== undefined, fairDiceText.not.noThrow(step.n));
      assertThat(value === drawn.value && matchesOutcome(drawn, cards), fairDiceText.not.follow(step.n, drawn.what));
      if (t && again === undefined) verified[t.number - 1]!.dice.push(drawn);
    }
    if (t) throwByPath.set(path, (currentThrow = t.number));
  }

  for (const [i, step] of facts.steps.entries()) {
    if ("undo" in step) currentThrow = 0;
    if ("undo" in step)
      assertThat(step.undo >= 1 && texts.splice(-step.undo).length === step.undo, fairDiceText.not.back);
    else verifyStep(step, i === 0);
  }
  assertThat(verified.length > 0, fairDiceText.not.nothing);
  assertThat(
    verified.length === facts.at && facts.chains.every((c) => used[c.name] === c.at),
    fairDiceText.not.tooMuch,
  );
  return verified;
}

/** Whether a number leads to the recorded outcome. */
function matchesOutcome(drawn: DrawnNumber, cards: readonly CardData[]): boolean {
  if (drawn.what === "toss") return drawn.of === 2 && drawn.seat === (drawn.value ? "B" : "A");
  if (drawn.what === "draw") return drawn.bag?.length === drawn.of && drawn.bag[drawn.value] === drawn.c;
  if (drawn.f === drawn.value) return drawn.of === 6;
  const faces = cards[drawn.c ?? -1]?.die.faces;
  const print = (n: number | undefined): string => JSON.stringify(faces?.[n ?? -1] ?? null);
  return drawn.of === 6 && !!faces && (drawn.f ?? 9) < drawn.value && print(drawn.f) === print(drawn.value);
}
