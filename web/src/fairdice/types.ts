/** What the server tells of a game's fair dice (docs/fair-dice.md), and what this browser keeps of them. */

import type { Seat } from "../api/protocol";

/** A number that was taken, and what it decided. */
export interface Drawn {
  of: number;
  value: number;
  what: "toss" | "draw" | "roll";
  seat?: Seat;
  c?: number;
  f?: number;
  bag?: number[];
}

export interface Throw {
  number: number;
  word: { seat: Seat; text: string } | null;
  links: [string, number][];
  without: string;
}

export interface Step {
  n: number;
  by: string;
  text: string;
  /** nobody had anything to decide */
  forced?: boolean;
  throw?: Throw;
  chance: Drawn[];
}

export interface Chain {
  name: string;
  seats: string;
  /** the throw from which on it counts */
  since: number;
  anchor: string;
  at: number;
  link: string;
}

export interface FairFacts {
  way: "chains" | null;
  commitment: string | null;
  at: number;
  link: string;
  chains: Chain[];
  bots: Partial<Record<Seat, string>>;
  steps: (Step | { undo: number })[];
}

/** A throw as this browser was shown it: everybody's parts, what was chosen, each die as [what, card or winner, face]. */
export interface Seen {
  word: string;
  links: Record<string, string>;
  without: string;
  texts: string[];
  dice: [string, number | string | null, number | null][];
}

/** A throw that was worked out: its key, the links in it, the choices up to its dice, and the dice. */
export interface Made {
  throw: Throw;
  key: Uint8Array;
  links: Record<string, string>;
  texts: string[];
  dice: Drawn[];
}
