/** The table as one person sees it: what is shown, what is lit, what pointing does. */

import type { Card, Choice, Decision, Die, Meta, News, Option, Said, Seat, Table, Term, ToServer, View } from "./contract";
import { getTerms } from "./api";
import { NOTHING, choiceOf, isReady, litCards, litDice, optionsAtCard, optionsAtDie, point, preview, suggest, type Picks } from "./picks";

export type Looking = { die: number } | { card: number };

export interface Menu {
  options: Option[];
  x: number;
  y: number;
  back: HTMLElement | null;
}

export class Board {
  /** tells the server something; null where nothing can be played */
  send: ((message: ToServer) => boolean) | null = $state.raw(null);
  table: Table = $state.raw(null!);
  view: View = $state.raw(null!);
  meta: Meta | null = $state.raw(null);
  you: Seat[] = $state.raw([]);
  /** the seat at the bottom of the screen */
  near: Seat = $state("A");
  picks: Picks = $state.raw(NOTHING);
  looking: Looking | null = $state.raw(null);
  menu: Menu | null = $state.raw(null);
  log: News[] = $state.raw([]);
  /** a sentence for the person with the rule behind it, and a count so that the same sentence can be said twice */
  note: { text: string; rule: string; n: number } = $state.raw({ text: "", rule: "", n: 0 });
  /** a choice is on its way to the server */
  waiting = $state(false);
  /** nothing newer waits to be shown */
  settled = $state(true);
  terms: Term[] = $state.raw([]);
  /** questions answered with no for the rest of the turn */
  quiet: Set<string> = new Set();
  /** why a die's A and D are what they are, as the server says it, for this version */
  reasons: { key: string; lines: Said[] } = $state.raw({ key: "", lines: [] });
  /** on a small screen: point to look, not to choose */
  inspecting = $state(false);

  readonly shown = $derived(preview(this.view, this.picks));
  readonly decision: Decision | null = $derived(
    this.send && this.settled && !this.waiting && this.view.decision && this.you.includes(this.view.decision.seat)
      ? this.view.decision
      : null,
  );
  readonly dice: Set<number> = $derived(this.decision ? litDice(this.decision, this.picks) : new Set());
  readonly cards: Set<number> = $derived(this.decision ? litCards(this.decision) : new Set());
  readonly byIndex: Map<number, Die> = $derived(new Map(this.shown.dice.map((d) => [d.id, d])));

  constructor(table: Table, view: View, send: ((message: ToServer) => boolean) | null = null) {
    this.table = table;
    this.view = view;
    this.send = send;
    void getTerms().then((terms) => (this.terms = terms));
  }

  card(c: number): Card {
    return this.table.cards[c]!;
  }

  /** Name a seat: what its player is called, or its letter. */
  name(seat: Seat | ""): string {
    return (seat && this.meta?.names[seat]) || seat;
  }

  /** Name a seat to the one who looks: "You" where only one seat is theirs. */
  who(seat: Seat): string {
    return this.you.length === 1 && this.you[0] === seat ? "You" : this.name(seat);
  }

  /** Say where in the game this is, to the one who looks. */
  get title(): string {
    return this.view.title.replace(/· ([A-D]) ·/, (_, s: Seat) => `· ${this.who(s) === "You" ? "your turn" : this.name(s)} ·`);
  }

  say(text: string, rule = ""): void {
    this.note = { text, rule, n: this.note.n + 1 };
  }

  /** Show another view; picks belong to the decision they were made for. */
  show(view: View): void {
    this.view = view;
    this.begin();
    this.menu = null;
    this.log = [...this.log, ...newsOf(view)].slice(-1500);
    this.settle();
  }

  /** Start the choice anew, with what is likely to be picked. */
  begin(): void {
    const asked = this.view.decision;
    this.picks = asked && this.you.includes(asked.seat) ? suggest(asked, this.view, this.table.cards) : NOTHING;
  }

  settle(): void {
    const asked = this.view.decision;
    if (asked && this.quiet.has(this.quietKey(asked)) && this.you.includes(asked.seat)) {
      const no = asked.options.find((o) => o.what === "no");
      if (no) this.choose(no);
    }
  }

  quietKey(decision: Decision): string {
    return `${this.view.turn} ${decision.seat} ${decision.kind} ${decision.about}`;
  }

  /** Tell whether this question may come again and again, so that one may ask to be left alone. */
  canBeQuiet(decision: Decision): boolean {
    return decision.mode === "one" && decision.about !== "" && decision.options.some((o) => o.what === "no") && decision.options.length <= 3;
  }

  beQuiet(decision: Decision): void {
    this.quiet.add(this.quietKey(decision));
    const no = decision.options.find((o) => o.what === "no");
    if (no) this.choose(no);
  }

  choose(option: Option): void {
    if (option.number !== null) this.play({ option: option.number });
  }

  /** Confirm what was picked on the table. */
  confirm(): void {
    if (this.decision && isReady(this.decision, this.picks)) this.play(choiceOf(this.decision, this.picks));
  }

  /** Pass, and be asked once more if the opponent adds nothing. */
  hold(option: Option): void {
    if (option.number !== null) this.play({ option: option.number }, true);
  }

  private play(choice: Choice, hold = false): void {
    if (!this.send || this.waiting) return;
    this.menu = null;
    const message: ToServer = { type: "play", version: this.view.version, choice };
    if (this.send(hold ? { ...message, hold } : message)) this.waiting = true;
    else this.say("There is no connection just now; your choice was not sent.");
  }

  /** Point at a die: choose it, pick it, or ask why it cannot be chosen. */
  pointDie(die: number, at: HTMLElement): void {
    this.looking = { die };
    if (this.inspecting) return;
    const decision = this.decision;
    if (!decision) return this.whyNot({ die });
    if (!this.dice.has(die)) {
      const on = this.byIndex.get(die);
      if (on?.zone === "card" && this.cards.has(on.card)) return this.pointCard(on.card, at);
      return this.whyNot({ die });
    }
    if (decision.mode === "one") this.offer(optionsAtDie(decision, die), at);
    else this.picks = point(decision, this.picks, die);
  }

  pointCard(card: number, at: HTMLElement): void {
    this.looking = { card };
    if (this.inspecting) return;
    if (!this.decision || !this.cards.has(card)) return this.whyNot({ card });
    this.offer(optionsAtCard(this.decision, card), at);
  }

  pointPlayer(option: Option): void {
    if (!this.decision) return;
    if (this.decision.mode === "one") this.choose(option);
    else if (option.player !== undefined) this.picks = point(this.decision, this.picks, option.player);
  }

  private offer(options: Option[], at: HTMLElement): void {
    if (options.length === 1) return this.choose(options[0]!);
    const rect = at.getBoundingClientRect();
    this.menu = { options, x: rect.x + rect.width / 2, y: rect.bottom, back: at };
  }

  /** Ask the server why this die's numbers are what they are. */
  askReasons(die: number): void {
    const key = `${this.view.version} ${die}`;
    if (this.reasons.key === key || !this.send) return;
    this.reasons = { key, lines: [] };
    this.send({ type: "look", die });
  }

  private whyNot(thing: Looking): void {
    if (!this.send || !this.you.length || this.view.result) return;
    const asked = this.view.decision;
    if (!this.settled || this.waiting) return;
    if (asked && !this.you.includes(asked.seat)) return this.say(`${this.name(asked.seat)} decides now.`);
    this.send({ type: "why not", thing, want: "" });
  }
}

/** Give what a view tells, and the rule a scripted player followed. */
export function newsOf(view: View): News[] {
  if (!view.why) return view.news;
  const after = view.news.findIndex((line) => line.kind === "move") + 1;
  const reason: News = { text: `rule ${view.why.rule}: ${view.why.text}`, kind: "happening", dice: [], seat: null, amount: 0 };
  return [...view.news.slice(0, after), reason, ...view.news.slice(after)];
}

/** Put players' names into a line of news, which calls them by their letters. */
export function named(text: string, names: Partial<Record<Seat, string>>): string {
  const name = (letter: string): string => names[letter as Seat] || letter;
  return text
    .replace(/^([A-D])(?=:|'s | (?!tie))/, (_, s: string) => name(s))
    .replace(/\bplayer ([A-D])\b/g, (whole, s: string) => names[s as Seat] || whole)
    .replace(/(: )([A-D])(?= was )/, (_, t: string, s: string) => t + name(s))
    .replace(/^(Turn \d+: )([A-D])$/, (_, t: string, s: string) => t + name(s));
}
