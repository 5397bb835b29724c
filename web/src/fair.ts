/** Checking that every draw and roll follows from the committed secret (docs/fair-dice.md). */

import type { Card, Seat } from "./contract";
import { fromHex, hex, hmac, sha256 } from "./sha256";

export interface Nonce {
  seat: Seat;
  move: number;
  text: string;
}

export interface Drawn {
  of: number;
  value: number;
  what: "toss" | "draw" | "roll";
  seat?: Seat;
  c?: number;
  f?: number;
  bag?: number[];
}

export interface FairFacts {
  commitment: string | null;
  nonces: Nonce[];
  secret: string | null;
  chance: Drawn[][];
}

export interface Verdict {
  good: boolean;
  lines: { good: boolean; text: string }[];
}

const MASK64 = (1n << 64n) - 1n;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Give the state of the generator with which a choice begins. */
export function stateOf(secret: Uint8Array, nonces: readonly Nonce[], choice: number): bigint {
  const message = nonces
    .filter((n) => n.move <= choice)
    .map((n) => `${n.seat}:${n.text}`)
    .join("\n");
  const key = hmac(secret, bytes(message));
  return BigInt(`0x${hex(hmac(key, bytes(String(choice))).slice(0, 8))}`);
}

/** Take a number below `of` from a state: the number and the next state (PCG32). */
export function below(state: bigint, of: number): [number, bigint] {
  const next = (state * 6364136223846793005n + 1442695040888963407n) & MASK64;
  const mixed = Number((((state >> 18n) ^ state) >> 27n) & 0xffffffffn);
  const turn = Number(state >> 59n);
  const out = ((mixed >>> turn) | (mixed << (32 - turn))) >>> 0; // shifts count modulo 32, so turn 0 is right too
  return [Number((BigInt(out) * BigInt(of)) >> 32n), next];
}

/** Work out every number again. `promised` is the commitment seen before the end, `mine` this browser's own nonce. */
export function check(facts: FairFacts, cards: readonly Card[], promised: string, mine: string): Verdict {
  const lines: Verdict["lines"] = [];
  const say = (good: boolean, text: string): void => void lines.push({ good, text });
  if (!facts.secret) {
    say(false, "The secret has not been told yet.");
    return { good: false, lines };
  }
  const secret = fromHex(facts.secret);
  const commitment = hex(sha256(secret));
  say(commitment === promised && commitment === facts.commitment, "The secret has the fingerprint that was published.");
  if (mine) say(facts.nonces.some((n) => n.text === mine), "The number this browser added is among those used.");
  let numbers = 0;
  let wrong = "";
  facts.chance.forEach((list, choice) => {
    let state = stateOf(secret, facts.nonces, choice);
    for (const drawn of list) {
      let value = 0;
      if (drawn.of > 1) [value, state] = below(state, drawn.of);
      numbers++;
      if (!wrong && (value !== drawn.value || !fits(drawn, cards))) wrong = `choice ${choice}, ${drawn.what}`;
    }
  });
  say(!wrong, wrong ? `A number does not follow from the secret: ${wrong}.` : `All ${numbers} tosses, draws and rolls follow from it.`);
  return { good: lines.every((l) => l.good), lines };
}

function fits(drawn: Drawn, cards: readonly Card[]): boolean {
  if (drawn.what === "toss") return drawn.seat === (drawn.value ? "B" : "A");
  if (drawn.what === "draw") return drawn.bag === undefined || drawn.bag[drawn.value] === drawn.c;
  if (drawn.f === drawn.value) return true;
  const faces = drawn.c === undefined ? undefined : cards[drawn.c]?.die.faces;
  const print = (n: number | undefined): string => JSON.stringify(n === undefined ? null : faces?.[n]);
  return !!faces && (drawn.f ?? 9) < drawn.value && print(drawn.f) === print(drawn.value);
}
