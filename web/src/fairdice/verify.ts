/** Working out fair dice again from everybody's parts, as docs/fair-dice.md says it. */

import type { CardData } from "../api/protocol";
import type { Chain, Drawn, FairFacts, Made, Step, Throw } from "./types";
import { fromHex, hex, hmac, sha256 } from "./sha256.ts";
import { fairWords } from "../i18n/en/fairDice.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Take a number below `of` from a state: the number and the next state (PCG32). */
export function below(state: bigint, of: number): [number, bigint] {
  const next = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  const mixed = Number((((state >> 18n) ^ state) >> 27n) & 0xffffffffn);
  const turn = Number(state >> 59n); // shifts count modulo 32, so 0 is right too
  return [Number((BigInt(((mixed >>> turn) | (mixed << (32 - turn))) >>> 0) * BigInt(of)) >> 32n), next];
}

export const keyOf = (table: string, parts: string[]): Uint8Array => hmac(fromHex(table), bytes(parts.join("\n")));
export const stateOf = (key: Uint8Array, n: number): bigint => BigInt(`0x${hex(hmac(key, bytes(`${n}`)).slice(0, 8))}`);

/** Give every link that follows from the last one told, the anchor first; they must lead to it. */
function opened(whose: string, anchor: string | null, at: number, link: string): string[] {
  const links = [link];
  while (links.length <= at) links.push(hex(sha256(fromHex(links.at(-1)!))));
  must(links.at(-1) === anchor, fairWords.not.anchor(whose));
  return links.reverse();
}

function must(fits: boolean, otherwise: string): asserts fits {
  if (!fits) throw new Error(otherwise);
}

/** Work out every throw of a game; an Error says what does not fit. */
export function workOut(facts: FairFacts, cards: readonly CardData[]): Made[] {
  must(facts.way === "chains", fairWords.not.chains);
  const table = opened(fairWords.not.table, facts.commitment, facts.at, facts.link);
  const links = Object.fromEntries(facts.chains.map((c) => [c.name, opened(c.name, c.anchor, c.at, c.link)]));
  const used = Object.fromEntries(facts.chains.map((c) => [c.name, 0]));
  const made: Made[] = [];
  const texts: string[] = [];
  const before = new Map<string, number>(); // the throw of each choice, also of one taken back
  let [serving, chooser] = [0, ""]; // the throw that also serves for what follows of itself, and who last chose

  function take(t: Throw, actors: string[]): void {
    must(t.number === made.length + 1 && t.number <= facts.at, fairWords.not.throwPlace(t.number));
    const ofSeat = (s: string): Chain | undefined => facts.chains.findLast((c) => c.seats.includes(s) && c.since <= t.number);
    const own = t.word ? ofSeat(t.word.seat) : undefined;
    must(actors.some((s) => (ofSeat(s) ? s : "") === (t.word?.seat ?? "")), fairWords.not.word(t.number));
    const all = new Set(facts.chains.flatMap((c) => [...c.seats]).map(ofSeat));
    const needed = [...all].filter((c) => c !== undefined && c !== own) as Chain[];
    const missing = needed.filter((c) => [...c.seats].every((s) => t.without.includes(s)));
    const there = needed.filter((c) => !missing.includes(c)).map((c) => c.name).sort();
    must([...t.without].sort().join() === missing.flatMap((c) => [...c.seats]).sort().join(), fairWords.not.nobody(t.number));
    must(t.links.map(([name]) => name).join() === there.join(), fairWords.not.parts(t.number));
    for (const [name, at] of t.links) must(at === ++used[name]! && at < links[name]!.length, fairWords.not.link(t.number, name));
    const given = t.links.map(([name, at]) => `${name}.${at} ${links[name]![at]!}`);
    const key = keyOf(table[t.number]!, t.word ? [`${t.word.seat} ${t.word.text}`, ...given] : given);
    made.push({ throw: t, key, links: Object.fromEntries(t.links.map(([name, at]) => [name, links[name]![at]!])), texts: texts.slice(), dice: [] });
  }

  function make(step: Step, opens: boolean): void {
    if (!opens) texts.push(step.text);
    must(step.n === texts.length, fairWords.not.choicePlace(step.n));
    if (!step.forced) [serving, chooser] = [0, step.by];
    const path = texts.join("\n");
    const again = before.get(path);
    const t = step.throw;
    if (t && again === undefined && t.number !== serving) take(t, [chooser, step.by]);
    must(!t || (JSON.stringify(t) === JSON.stringify(made[t.number - 1]?.throw) && (again ?? t.number) === t.number), fairWords.not.otherThrow(step.n));
    let state = t ? stateOf(made[t.number - 1]!.key, step.n) : 0n;
    for (const drawn of step.chance) {
      let value = 0;
      if (drawn.of > 1) [value, state] = below(state, drawn.of);
      must(drawn.of === 1 || t !== undefined, fairWords.not.noThrow(step.n));
      must(value === drawn.value && fits(drawn, cards), fairWords.not.follow(step.n, drawn.what));
      if (t && again === undefined) made[t.number - 1]!.dice.push(drawn);
    }
    if (t) before.set(path, (serving = t.number));
  }

  for (const [i, step] of facts.steps.entries()) {
    if ("undo" in step) serving = 0;
    if ("undo" in step) must(step.undo >= 1 && texts.splice(-step.undo).length === step.undo, fairWords.not.back);
    else make(step, i === 0);
  }
  must(made.length > 0, fairWords.not.nothing);
  must(made.length === facts.at && facts.chains.every((c) => used[c.name] === c.at), fairWords.not.tooMuch);
  return made;
}

/** Tell whether a number decided what is listed. */
function fits(drawn: Drawn, cards: readonly CardData[]): boolean {
  if (drawn.what === "toss") return drawn.of === 2 && drawn.seat === (drawn.value ? "B" : "A");
  if (drawn.what === "draw") return drawn.bag?.length === drawn.of && drawn.bag[drawn.value] === drawn.c;
  if (drawn.f === drawn.value) return drawn.of === 6;
  const faces = cards[drawn.c ?? -1]?.die.faces;
  const print = (n: number | undefined): string => JSON.stringify(faces?.[n ?? -1] ?? null);
  return drawn.of === 6 && !!faces && (drawn.f ?? 9) < drawn.value && print(drawn.f) === print(drawn.value);
}
