/** The server's facts about a game's fair dice (docs/fair-dice.md), and what this browser remembers of them. */

import type { Seat } from "../api/protocol";

/** A random number and what it decided. */
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
  /** whether there was nothing to decide */
  forced?: boolean;
  throw?: ThrowFacts;
  chance: DrawnNumber[];
}

export interface ChainFacts {
  name: string;
  seats: string;
  /** the first throw that it counts for */
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

/** A throw as this browser saw it: all contributions, the choices, and each die as [what, card or winner, face]. */
export interface ObservedThrow {
  word: string;
  links: Record<string, string>;
  without: string;
  texts: string[];
  dice: [string, number | string | null, number | null][];
}

/** A recomputed throw: its key, its links, the choices up to its dice, and the dice. */
export interface VerifiedThrow {
  throw: ThrowFacts;
  key: Uint8Array;
  links: Record<string, string>;
  texts: string[];
  dice: DrawnNumber[];
}
