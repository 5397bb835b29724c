/** This browser's part in fair dice: its chain, its words, and what it remembers of every throw (docs/fair-dice.md). */

import type { Asked, Meta, Seat, ToServer, View } from "./contract";
import { seenOf } from "./fairCheck";
import type { Seen } from "./fairFacts";
import { hex, fromHex, sha256 } from "./sha256";

export const LINKS = 2048;

/** What is kept of a game between visits. */
export interface Kept {
  seed: string;
  anchor: string;
  /** the anchor has been sent, so it is not for another time */
  sat: boolean;
  commitment: string;
  /** what each link was given for, by its number */
  gave: Record<number, string>;
  seen: Record<number, Seen>;
  /** what was seen to be wrong while the game went on */
  alarms: string[];
}

export interface Shelf {
  read(): Kept | null;
  write(kept: Kept): void;
}

const random = (n: number): string => hex(crypto.getRandomValues(new Uint8Array(n)));

/** Give the links of a chain, the anchor first. */
export function chainOf(seed: string, length = LINKS): string[] {
  let link = fromHex(seed);
  const links = [seed];
  for (let n = 0; n < length; n++) links.push(hex((link = sha256(link))));
  return links.reverse();
}

export class FairPart {
  readonly kept: Kept;
  private links: string[] | null = null;
  private you: Seat[] = [];
  private meta: Meta | null = null;
  private word = "";

  constructor(
    private readonly shelf: Shelf,
    private readonly send: (message: ToServer) => boolean,
    private readonly alarm: (text: string) => void,
  ) {
    this.kept = shelf.read() ?? { seed: "", anchor: "", sat: false, commitment: "", gave: {}, seen: {}, alarms: [] };
  }

  /** Sit down, once the table's commitment is known: with the chain this browser has here, or with a new one. */
  welcome(you: Seat[], meta: Meta, over: boolean): void {
    [this.you, this.meta] = [you, meta];
    if (!meta.commitment) return;
    if (!this.kept.commitment) this.kept.commitment = meta.commitment;
    else if (this.kept.commitment !== meta.commitment) this.wrong("The table has changed the fingerprint it had published.");
    const sits = you.length > 0 && you.every((seat) => meta.dice?.chains[seat]?.anchor === this.kept.anchor);
    const waits = meta.dice || you.some((seat) => meta.waiting?.includes(seat));
    if (you.length && !sits && waits && !over) {
      if (!this.kept.seed || this.kept.sat) this.take();
      this.kept.sat = true;
      this.save();
      this.send({ type: "sit", anchor: this.kept.anchor });
    } else this.save();
  }

  hear(meta: Meta): void {
    this.meta = meta;
  }

  /** Give a choice with this player's part in its dice. */
  withWord<T extends Extract<ToServer, { type: "play" }>>(message: T): T {
    if (!this.meta?.dice) return message;
    this.word = random(16);
    return { ...message, word: this.word, without: this.meta.dice.away.filter((seat) => !this.you.includes(seat)) };
  }

  /** Give this browser's part in the dice of somebody else's choice: one link for one choice, never for another. */
  asked(asked: Asked): void {
    for (const [name, [anchor, at]] of Object.entries(asked.links)) {
      if (anchor !== this.kept.anchor) {
        const alone = Object.values(this.meta?.kinds ?? {}).filter((kind) => kind === "person").length === 1;
        if (alone && this.you.length) this.send({ type: "without" }); // another browser of this person's had the chain
        continue;
      }
      const what = JSON.stringify([asked.number, asked.by, asked.word, asked.texts]);
      const before = this.kept.gave[at];
      if (before !== undefined && before !== what) {
        this.wrong(`The table asked twice for one part, for different choices (throw ${asked.number}).`);
        continue;
      }
      this.kept.gave[at] = what;
      this.save();
      this.links ??= chainOf(this.kept.seed);
      const link = this.links[at];
      if (link !== undefined) this.send({ type: "part", number: asked.number, chain: name, link });
    }
  }

  /** Remember what a view shows of a throw, and compare it with what this browser gave. */
  shown(view: View): void {
    const found = seenOf(view);
    const word = this.word;
    this.word = "";
    if (!found) return;
    const { number, seen } = found;
    for (const what of Object.values(this.kept.gave)) {
      const [asked, , word, texts] = JSON.parse(what) as [number, Seat | null, string, string[]];
      if (asked !== number) continue;
      if (word !== seen.word || (texts.length && texts.join("\n") !== seen.texts.join("\n"))) this.wrong(`Throw ${number} is for another choice than this browser gave its part for.`);
    }
    const again = this.kept.seen[number];
    if (word && !again && this.you.includes(view.throw?.by as Seat) && seen.word !== word) this.wrong(`Throw ${number} is without the word this browser gave.`);
    if (seen.without && [...seen.without].some((s) => this.you.includes(s as Seat))) this.alarm("The dice fell without your browser's part.");
    if (again && JSON.stringify([again.word, again.links, again.texts]) !== JSON.stringify([seen.word, seen.links, seen.texts])) this.wrong(`Throw ${number} was shown differently before.`);
    this.kept.seen[number] ??= seen;
    this.save();
  }

  private take(): void {
    this.kept.seed = random(32);
    this.links = chainOf(this.kept.seed);
    this.kept.anchor = this.links[0]!;
    this.kept.gave = {};
  }

  private wrong(text: string): void {
    if (!this.kept.alarms.includes(text)) this.kept.alarms.push(text);
    this.alarm(text);
    this.save();
  }

  private save(): void {
    this.shelf.write(this.kept);
  }
}
