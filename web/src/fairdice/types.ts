/** What the server tells of a game's fair dice (docs/fair-dice.md), and what this browser keeps of them. */

import type { Seat } from "../api/protocol";

/** A number that was taken, and what it decided. */
export interface DrawnNumber {
  of: number;
  value: number;
  what: "toss" | "draw" | "roll";
  seat?: Seat;
  c?: number;
  f?: number;
  bag?: number[];
}

export interface ThrowFacts {
  number: number;
  word: { seat: Seat; text: string } | null;
  links: [string, number][];
  without: string;
}

export interface StepFacts {
  n: number;
  by: string;
  text: string;
  /** nobody had anything to decide */
  forced?: boolean;
  throw?: ThrowFacts;
  chance: DrawnNumber[];
}

export interface ChainFacts {
  name: string;
  seats: string;
  /** the throw from which on it counts */
  since: number;
  anchor: string;
  at: number;
  link: string;
}

export interface FairDiceFacts {
  way: "chains" | null;
  commitment: string | null;
  at: number;
  link: string;
  chains: ChainFacts[];
  bots: Partial<Record<Seat, string>>;
  steps: (StepFacts | { undo: number })[];
}

/** A throw as this browser was shown it: everybody's parts, what was chosen, each die as [what, card or winner, face]. */
export interface ObservedThrow {
  word: string;
  links: Record<string, string>;
  without: string;
  texts: string[];
  dice: [string, number | string | null, number | null][];
}

/** A throw that was worked out: its key, the links in it, the choices up to its dice, and the dice. */
export interface VerifiedThrow {
  throw: ThrowFacts;
  key: Uint8Array;
  links: Record<string, string>;
  texts: string[];
  dice: DrawnNumber[];
}
