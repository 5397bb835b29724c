/** What the server sends and takes (docs/table.md). */

export type Seat = "A" | "B" | "C" | "D";

export interface Face {
  kind: "energy" | "character" | "action";
  energy: string;
  generic: number;
  level: number;
  cost: number;
  a: number;
  d: number;
  burst: number;
}

export interface Global {
  ability: number;
  text: string;
  cost: string;
}

export interface Card {
  c: number;
  key: string;
  set: string;
  title: string;
  subtitle: string;
  kind: "character" | "action" | "basic" | "sidekick" | "token";
  cost: number;
  energy: string;
  affiliations: string[];
  max: number;
  owner: Seat | null;
  text: string[];
  globals: Global[];
  die: { base: string; ink: string; faces: Face[] };
}

/** A setting of the rules: what it is called, and one sentence. */
export interface Setting {
  words: string;
  about: string;
}

export interface EditionShown {
  key: string;
  name: string;
  /** the key and the house rules, as positions name them */
  text: string;
  house: Setting[];
}

export interface Table {
  edition: EditionShown;
  format: string | { key: string; name: string } | null;
  life: number;
  seats: Seat[];
  cards: Card[];
  scripted: Seat | null;
  /** how the open points of the script are read, where not as usual */
  readings: Setting[];
}

export type Zone = "card" | "bag" | "prep" | "reserve" | "field" | "used" | "out" | "hand" | "held" | "gone";

export interface Die {
  i: number;
  c: number;
  z: Zone;
  s: Seat | null;
  f: number | null;
  a?: number;
  d?: number;
  pa?: number;
  pd?: number;
  dmg?: number;
  at?: boolean;
  bl?: number[];
  blk?: boolean;
  by?: number | null;
  cost?: number;
  tags?: string[];
  o?: Seat;
  held?: "capture" | "aside" | "control" | "attach";
  with?: number;
}

export interface Effect {
  text: string;
  dice: number[];
  from: number | null;
  until: string;
  rule: string;
}

/** Something that was said, and the number of the rule it stands on. */
export interface Said {
  text: string;
  rule: string;
}

export interface Option {
  /** the engine's number; null for a part it offers only after another part */
  i: number | null;
  text: string;
  what: string;
  dice: number[];
  to: number | null;
  card: number | null;
  hint: string;
  /** all alike attackers a block may go to */
  tos?: number[];
  /** the die may block more than one attacker */
  several?: boolean;
  /** how much of a die is spent; of damage: what KOs it */
  amount?: number;
  /** energy that belongs to no die */
  leftover?: boolean;
  /** a player instead of a die: the number to send, and whose seat it is */
  player?: number;
  seat?: Seat;
  ability?: number;
}

export type Mode = "one" | "many" | "blocks" | "spend" | "split";

export interface Decision {
  seat: Seat;
  kind: string;
  mode: Mode;
  question: string;
  about: string;
  min: number;
  max: number | null;
  total: number | null;
  options: Option[];
  confirm: string;
  none: string;
  /** passing now can be followed by a last word, if the other adds nothing */
  hold?: boolean;
  /** of damage: some may be held back for the player behind (Overcrush) */
  over?: boolean;
  /** the card whose text asks, or that is paid for */
  card?: number | null;
}

export interface News {
  text: string;
  kind: "move" | "pay" | "happening" | "toss" | "roll" | "draw" | "damage" | "ko" | "life" | "step" | "turn";
  dice: number[];
  seat: Seat | null;
  amount?: number;
}

export interface View {
  version: number;
  move: number;
  turn: number;
  active: Seat;
  step: string;
  stage: string;
  title: string;
  life: Partial<Record<Seat, number>>;
  energy: Partial<Record<Seat, number>>;
  dice: Die[];
  effects: Effect[];
  decision: Decision | null;
  news: News[];
  why: { rule: string; text: string } | null;
  /** with fair dice: whose parts the dice of the latest choice came from */
  throw?: Thrown | null;
  result: { winner: string; text: string } | null;
}

export interface Meta {
  names: Partial<Record<Seat, string>>;
  kinds: Partial<Record<Seat, string>>;
  present: Seat[];
  /** seats whose persons have not come yet; the game begins when there are none */
  waiting?: Seat[];
  watchers: number;
  offer: { what: string; by: Seat } | null;
  undo: "free" | "ask" | "none";
  rematch: string | null;
  commitment: string | null;
  /** with fair dice: whose chain is which, who is away, and what is waited for */
  dice?: { chains: Partial<Record<Seat, { name: string; anchor: string; at: number }>>; away: Seat[]; throw: Asked | null } | null;
  created: string;
  /** somebody claims the win because the other is not there, who has so many seconds to come back */
  claim?: { by: Seat; seconds: number } | null;
  clock?: ClockFace | null;
}

/** A throw that has been made: who acted and with which word, the links of the others, and who is missing. */
export interface Thrown {
  number: number;
  by: Seat | "";
  word: string;
  texts: string[];
  links: Record<string, string>;
  without: string;
}

/** A throw that waits: who acts, what was chosen, and which link of which chain is needed. */
export interface Asked {
  number: number;
  by: Seat | null;
  word: string;
  texts: string[];
  /** by the chain's name its anchor, and the number of the link */
  links: Record<string, [string, number]>;
  without: string;
}

/** What the clocks show: seconds left for the game, whose clock runs, and how long that one has for this choice. */
export interface ClockFace {
  left: Partial<Record<Seat, number>>;
  running: Seat | null;
  seconds: number | null;
}

export type Choice =
  | { option: number }
  | { dice: number[] }
  | { blocks: [number, number][] }
  | { spend: [number, number][] }
  | { split: [number, number][] };

export type ToServer =
  | { type: "hello"; secrets: string[]; have: number }
  | { type: "sit"; anchor: string }
  | { type: "play"; version: number; choice: Choice; hold?: boolean; word?: string; without?: Seat[] }
  | { type: "part"; number: number; chain: string; link: string }
  | { type: "without" }
  | { type: "why not"; x: { die: number } | { card: number }; want: string }
  | { type: "look"; die: number }
  | { type: "undo" }
  | { type: "answer"; yes: boolean }
  | { type: "concede"; seat: Seat }
  | { type: "claim" }
  | { type: "rematch" }
  | { type: "name"; seat: Seat; name: string }
  | { type: "ping" };

export type FromServer =
  | { type: "welcome"; you: Seat[]; game: string; table: Table; meta: Meta; view: View }
  | { type: "view"; view: View }
  | { type: "meta"; meta: Meta }
  | ({ type: "throw" } & Asked)
  | { type: "refused"; reason: string; version: number }
  | ({ type: "why not" } & Said)
  | { type: "look"; die: number; lines: Said[] }
  | { type: "pong" }
  | { type: "bye"; reason: string };

export interface Named {
  key: string;
  name: string;
  about?: string;
}

/** A difference between the editions, or between ways to play; the other setting of an edition is a house rule. */
export interface HouseSwitch {
  name: string;
  rule: string;
  on: Setting;
  off: Setting;
  editions: Record<string, boolean>;
}

export interface HouseGroup {
  subject: string;
  switches: HouseSwitch[];
}

export interface StartOffers {
  editions: Named[];
  formats: (Named & { life: number; seats?: number })[];
  casts: (Named & { edition: string })[];
  teams: (Named & { format: string })[];
  players: Named[];
  /** how hard the Scripted Opponent may be made, how its script may be read, and the edition it usually plays */
  solitaire?: { difficulties: string[]; readings: (Setting & { rule: string; point: string })[]; edition: string };
  house_rules: HouseGroup[];
  default_edition: string;
}

export interface SeatRequest {
  kind: "person" | "player";
  player?: string;
  name?: string;
}

export interface GameRequest {
  /** with house rules: "avx, unblocked stay until cleanup" */
  edition: string;
  format?: string | null;
  cast?: string | null;
  teams?: string[] | null;
  life?: number | null;
  first?: Seat | null;
  seats: SeatRequest[];
  solitaire?: { difficulty: string; readings: string[] };
  position?: string | null;
  seed?: number | null;
}

export interface Created {
  game: string;
  seats: Partial<Record<Seat, string>>;
}

/** A rule, or the heading of several, in Markdown. */
export interface Rule {
  number: string;
  title: string;
  /** of a heading; 0 is a rule */
  level: number;
  text: string;
  defines: string[];
  editions: string[];
  shown: string[];
}

export interface Term {
  term: string;
  /** the number of the rule that explains it; "" where the program has the word */
  rule: string;
  text: string;
  /** other forms of the word */
  also?: string[];
}
