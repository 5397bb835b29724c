/** This browser's part in fair dice: its hash chain, its words, and its memory of every throw (docs/fair-dice.md). */

import type { ThrowRequest, Meta, Seat, ClientMessage, View } from "../api/protocol";
import type { ObservedThrow } from "./types";
import { hex, fromHex, sha256 } from "./sha256";
import { fairDiceText } from "../i18n";

export const CHAIN_LENGTH = 2048;

/** What is stored about a game between visits. */
export interface StoredChain {
  seed: string;
  anchor: string;
  /** whether the anchor has been sent; a new start needs another chain */
  sat: boolean;
  commitment: string;
  /** what each link was given for, by number */
  gave: Record<number, string>;
  seen: Record<number, ObservedThrow>;
  /** mismatches seen during the game */
  alarms: string[];
}

export interface ChainStore {
  read(): StoredChain | null;
  write(kept: StoredChain): void;
}

const randomHex = (n: number): string => hex(crypto.getRandomValues(new Uint8Array(n)));

/** Return what a view shows of a throw, or null if its news are not about one. */
export function observedThrow(view: View): { number: number; seen: ObservedThrow } | null {
  if (!view.throw) return null;
  const { number, word, links, without, texts } = view.throw;
  const last = new Map<number, number>(); // the latest news about each die
  view.news.forEach((news, at) => news.dice.forEach((i) => last.set(i, at)));
  const dice: ObservedThrow["dice"] = [];
  for (const [at, news] of view.news.entries()) {
    const die = view.dice.find((d) => d.id === news.dice[0]);
    if (news.kind === "toss") dice.push(["toss", news.seat, null]);
    if (news.kind === "draw" && news.dice.length) dice.push(["draw", die?.card ?? null, null]);
    if (news.kind === "roll")
      dice.push(["roll", die?.card ?? null, last.get(news.dice[0]!) === at ? (die?.face ?? null) : null]);
  }
  return { number, seen: { word, links, without, texts, dice } };
}

/** Return the links of a chain, anchor first. */
export function hashChain(seed: string, length = CHAIN_LENGTH): string[] {
  let link = fromHex(seed);
  const links = [seed];
  for (let n = 0; n < length; n++) links.push(hex((link = sha256(link))));
  return links.reverse();
}

type PlayMessage = Extract<ClientMessage, { type: "play" }>;

export class DiceChain {
  stored: StoredChain = { seed: "", anchor: "", sat: false, commitment: "", gave: {}, seen: {}, alarms: [] };
  #links: string[] = [];
  #you: Seat[] = [];
  #meta: Meta | null = null;
  #word = "";

  constructor(
    private readonly store: ChainStore,
    private readonly send: (message: ClientMessage) => boolean,
    private readonly alarm: (text: string) => void,
  ) {
    this.#load();
  }

  /** Take part with the stored chain or a new one, once the server's commitment is known. */
  onWelcome(you: Seat[], meta: Meta, over: boolean): void {
    this.#load();
    [this.#you, this.#meta] = [you, meta];
    if (!meta.commitment) return;
    if (!this.stored.commitment) this.stored.commitment = meta.commitment;
    else if (this.stored.commitment !== meta.commitment) this.#reportMismatch(fairDiceText.saw.print);
    const sits = you.every((seat) => meta.dice?.chains[seat]?.anchor === this.stored.anchor);
    const wanted = meta.dice || you.some((seat) => meta.waiting?.includes(seat));
    if (you.length && !over && wanted && (!sits || this.#isLeftOut(meta))) this.#announceChain();
    this.#save();
  }

  /**
   * Update who is connected. A browser that was left out comes back with a new chain, because a link of the old chain
   * may have been revealed.
   */
  onMeta(meta: Meta): void {
    this.#meta = meta;
    if (this.#isLeftOut(meta) && this.#you.some((seat) => meta.dice?.chains[seat]?.anchor === this.stored.anchor))
      this.#announceChain();
  }

  #isLeftOut(meta: Meta): boolean {
    return !!meta.dice?.away.some((seat) => this.#you.includes(seat));
  }

  #announceChain(): void {
    if (!this.stored.seed || this.stored.sat) {
      this.stored.seed = randomHex(32);
      this.#links = hashChain(this.stored.seed);
      this.stored.anchor = this.#links[0]!;
      this.stored.gave = {};
    }
    this.stored.sat = true;
    this.#save(true);
    this.send({ type: "sit", anchor: this.stored.anchor });
  }

  /** Add this player's contribution to a choice. */
  withContribution(message: PlayMessage): PlayMessage {
    if (!this.#meta?.dice) return message;
    this.#word = randomHex(16);
    return { ...message, word: this.#word, without: this.#meta.dice.away.filter((seat) => !this.#you.includes(seat)) };
  }

  /** Contribute to the dice of another player's choice: the next link, and each link for only one choice. */
  contribute(request: ThrowRequest): void {
    this.#load();
    for (const [name, { anchor, at }] of Object.entries(request.links)) {
      if (anchor !== this.stored.anchor) {
        const alone = Object.values(this.#meta?.kinds ?? {}).filter((kind) => kind === "person").length === 1;
        // another browser of this person had the chain
        if (alone && this.#you.length) this.send({ type: "without" });
        continue;
      }
      const context = JSON.stringify([request.number, request.by, request.word, request.texts]);
      const last = Math.max(0, ...Object.keys(this.stored.gave).map(Number));
      if (at === last + 1) {
        this.stored.gave[at] = context;
        this.#save();
      }
      if (this.stored.gave[at] !== context) {
        this.#reportMismatch(fairDiceText.saw.early(request.number));
        continue;
      }
      if (this.#links[0] !== anchor) this.#links = hashChain(this.stored.seed);
      const link = this.#links[at];
      if (link !== undefined) this.send({ type: "part", number: request.number, chain: name, link });
    }
  }

  /** Remember what a view shows of a throw, and compare it with what this browser contributed. */
  verifyView(view: View): void {
    const found = observedThrow(view);
    const word = this.#word;
    this.#word = "";
    if (!found) {
      const fell = view.news.some((news) => news.kind === "roll" || news.kind === "toss");
      if (fell && this.#meta?.dice) this.#reportMismatch(fairDiceText.saw.noThrow);
      return;
    }
    const { number, seen } = found;
    for (const what of Object.values(this.stored.gave)) {
      const [throwNumber, , givenWord, texts] = JSON.parse(what) as [number, Seat | null, string, string[]];
      const other = givenWord !== seen.word || (texts.length > 0 && texts.join("\n") !== seen.texts.join("\n"));
      if (throwNumber === number && other) this.#reportMismatch(fairDiceText.saw.otherChoice(number));
    }
    const earlier = this.stored.seen[number];
    const acted = word && !earlier && this.#you.includes(view.throw?.by as Seat);
    if (acted && seen.word !== word) this.#reportMismatch(fairDiceText.saw.noWord(number));
    const same = (x: ObservedThrow): string => JSON.stringify([x.word, x.links, x.without, x.texts]);
    if (earlier && same(earlier) !== same(seen)) this.#reportMismatch(fairDiceText.saw.before(number));
    if (!earlier && [...seen.without].some((seat) => this.#you.includes(seat as Seat)))
      this.alarm(fairDiceText.saw.withoutYou);
    this.stored.seen[number] ??= seen;
    this.#save();
  }

  #reportMismatch(text: string): void {
    if (!this.stored.alarms.includes(text)) this.stored.alarms.push(text);
    this.alarm(text);
    this.#save();
  }

  /** Merge what another tab of this browser has stored. The stored chain is the one that counts. */
  #load(): void {
    const stored = this.store.read();
    if (!stored) return;
    const gave = stored.seed === this.stored.seed ? { ...stored.gave, ...this.stored.gave } : stored.gave;
    const alarms = [...new Set([...stored.alarms, ...this.stored.alarms])];
    this.stored = {
      ...stored,
      commitment: stored.commitment || this.stored.commitment,
      gave,
      alarms,
      seen: { ...stored.seen, ...this.stored.seen },
    };
  }

  #save(taken = false): void {
    if (!taken) this.#load();
    this.store.write(this.stored);
  }
}
