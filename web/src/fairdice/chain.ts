/** This browser's part in fair dice: its chain, its words, and what it remembers of every throw (docs/fair-dice.md). */

import type { ThrowRequest, Meta, Seat, ClientMessage, View } from "../api/protocol";
import type { Seen } from "./types";
import { hex, fromHex, sha256 } from "./sha256";
import { fairWords } from "../i18n";

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

/** Give what a view shows of a throw, if its news are of one. */
export function seenOf(view: View): { number: number; seen: Seen } | null {
  if (!view.throw) return null;
  const { number, word, links, without, texts } = view.throw;
  const last = new Map<number, number>(); // the latest news about each die
  view.news.forEach((news, at) => news.dice.forEach((i) => last.set(i, at)));
  const dice: Seen["dice"] = [];
  for (const [at, news] of view.news.entries()) {
    const die = view.dice.find((d) => d.id === news.dice[0]);
    if (news.kind === "toss") dice.push(["toss", news.seat, null]);
    if (news.kind === "draw" && news.dice.length) dice.push(["draw", die?.card ?? null, null]);
    if (news.kind === "roll") dice.push(["roll", die?.card ?? null, last.get(news.dice[0]!) === at ? (die?.face ?? null) : null]);
  }
  return { number, seen: { word, links, without, texts, dice } };
}

/** Give the links of a chain, the anchor first. */
export function chainOf(seed: string, length = LINKS): string[] {
  let link = fromHex(seed);
  const links = [seed];
  for (let n = 0; n < length; n++) links.push(hex((link = sha256(link))));
  return links.reverse();
}

type Play = Extract<ClientMessage, { type: "play" }>;

export class FairPart {
  kept: Kept = { seed: "", anchor: "", sat: false, commitment: "", gave: {}, seen: {}, alarms: [] };
  private links: string[] = [];
  private you: Seat[] = [];
  private meta: Meta | null = null;
  private word = "";

  constructor(
    private readonly shelf: Shelf,
    private readonly send: (message: ClientMessage) => boolean,
    private readonly alarm: (text: string) => void,
  ) {
    this.load();
  }

  /** Sit down, once the table's commitment is known: with the chain this browser has here, or with a new one. */
  welcome(you: Seat[], meta: Meta, over: boolean): void {
    this.load();
    [this.you, this.meta] = [you, meta];
    if (!meta.commitment) return;
    if (!this.kept.commitment) this.kept.commitment = meta.commitment;
    else if (this.kept.commitment !== meta.commitment) this.wrong(fairWords.saw.print);
    const sits = you.every((seat) => meta.dice?.chains[seat]?.anchor === this.kept.anchor);
    const wanted = meta.dice || you.some((seat) => meta.waiting?.includes(seat));
    if (you.length && !over && wanted && (!sits || this.isLeftOut(meta))) this.sit();
    this.save();
  }

  /** Take in who is there; a browser that was left out comes back with a new chain, as a link of the old one may be out. */
  hear(meta: Meta): void {
    this.meta = meta;
    if (this.isLeftOut(meta) && this.you.some((seat) => meta.dice?.chains[seat]?.anchor === this.kept.anchor)) this.sit();
  }

  private isLeftOut(meta: Meta): boolean {
    return !!meta.dice?.away.some((seat) => this.you.includes(seat));
  }

  private sit(): void {
    if (!this.kept.seed || this.kept.sat) {
      this.kept.seed = random(32);
      this.links = chainOf(this.kept.seed);
      this.kept.anchor = this.links[0]!;
      this.kept.gave = {};
    }
    this.kept.sat = true;
    this.save(true);
    this.send({ type: "sit", anchor: this.kept.anchor });
  }

  /** Give a choice with this player's part in its dice. */
  withWord(message: Play): Play {
    if (!this.meta?.dice) return message;
    this.word = random(16);
    return { ...message, word: this.word, without: this.meta.dice.away.filter((seat) => !this.you.includes(seat)) };
  }

  /** Give this browser's part in the dice of somebody else's choice: the next link, and only for one choice. */
  asked(asked: ThrowRequest): void {
    this.load();
    for (const [name, { anchor, at }] of Object.entries(asked.links)) {
      if (anchor !== this.kept.anchor) {
        const alone = Object.values(this.meta?.kinds ?? {}).filter((kind) => kind === "person").length === 1;
        if (alone && this.you.length) this.send({ type: "without" }); // another browser of this person's had the chain
        continue;
      }
      const what = JSON.stringify([asked.number, asked.by, asked.word, asked.texts]);
      const last = Math.max(0, ...Object.keys(this.kept.gave).map(Number));
      if (at === last + 1) {
        this.kept.gave[at] = what;
        this.save();
      }
      if (this.kept.gave[at] !== what) {
        this.wrong(fairWords.saw.early(asked.number));
        continue;
      }
      if (this.links[0] !== anchor) this.links = chainOf(this.kept.seed);
      const link = this.links[at];
      if (link !== undefined) this.send({ type: "part", number: asked.number, chain: name, link });
    }
  }

  /** Remember what a view shows of a throw, and compare it with what this browser gave. */
  shown(view: View): void {
    const found = seenOf(view);
    const word = this.word;
    this.word = "";
    if (!found) {
      const fell = view.news.some((news) => news.kind === "roll" || news.kind === "toss");
      if (fell && this.meta?.dice) this.wrong(fairWords.saw.noThrow);
      return;
    }
    const { number, seen } = found;
    for (const what of Object.values(this.kept.gave)) {
      const [asked, , said, texts] = JSON.parse(what) as [number, Seat | null, string, string[]];
      const other = said !== seen.word || (texts.length > 0 && texts.join("\n") !== seen.texts.join("\n"));
      if (asked === number && other) this.wrong(fairWords.saw.otherChoice(number));
    }
    const again = this.kept.seen[number];
    const acted = word && !again && this.you.includes(view.throw?.by as Seat);
    if (acted && seen.word !== word) this.wrong(fairWords.saw.noWord(number));
    const same = (x: Seen): string => JSON.stringify([x.word, x.links, x.without, x.texts]);
    if (again && same(again) !== same(seen)) this.wrong(fairWords.saw.before(number));
    if (!again && [...seen.without].some((seat) => this.you.includes(seat as Seat))) this.alarm(fairWords.saw.withoutYou);
    this.kept.seen[number] ??= seen;
    this.save();
  }

  private wrong(text: string): void {
    if (!this.kept.alarms.includes(text)) this.kept.alarms.push(text);
    this.alarm(text);
    this.save();
  }

  /** Take in what another tab of this browser has kept of the game: the chain on the shelf is the one that counts. */
  private load(): void {
    const stored = this.shelf.read();
    if (!stored) return;
    const gave = stored.seed === this.kept.seed ? { ...stored.gave, ...this.kept.gave } : stored.gave;
    const alarms = [...new Set([...stored.alarms, ...this.kept.alarms])];
    this.kept = { ...stored, commitment: stored.commitment || this.kept.commitment, gave, alarms, seen: { ...stored.seen, ...this.kept.seen } };
  }

  private save(taken = false): void {
    if (!taken) this.load();
    this.shelf.write(this.kept);
  }
}
