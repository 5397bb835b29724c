/** The table as one person sees it: what is shown, what is lit, what pointing does, what would come of it. */

import type { CardData, Choice, CoachRemarkData, DecisionData, DieData, Meta, LogEntryData, OptionData, Explanation, Seat, TableData, GlossaryEntryData, ClientMessage, View, Zone } from "../api/protocol";
import { getTerms } from "../api/client";
import { forecast, NOTHING_COMES, type Forecast, type Moment } from "./combatPreview";
import { phrases } from "../i18n";
import { NOTHING, choiceOf, isReady, litCards, litDice, optionsAtCard, optionsAtDie, payInstead, point, preview, suggest, sum, type Picks } from "./selection";
import { nameless } from "./seatNames";
import { ending, sideOf, voiced, type Happened, type Hearing } from "./narration";

export type Looking = { die: number } | { card: number };

/** What pointing at one thing could mean: it stands on the stage until one of them is chosen. */
export interface Menu {
  at: Looking;
  options: OptionData[];
  back: string;
}

/** A pile that lies open on the stage. */
export interface Pile {
  seat: Seat;
  zone: Zone;
}

const MOMENT = 150; // milliseconds that a question stays in view while its answer is on its way
const IN_PASSING = new Set(["main", "fight", "respond"]); // one may also do nothing: what is not lit is not dimmed

export class Board {
  /** tells the server something; null where nothing can be played */
  send: ((message: ClientMessage) => boolean) | null = $state.raw(null);
  table: TableData = $state.raw(null!);
  view: View = $state.raw(null!);
  meta: Meta | null = $state.raw(null);
  you: Seat[] = $state.raw([]);
  /** the seat at the bottom of the screen */
  near: Seat = $state("A");
  picks: Picks = $state.raw(NOTHING);
  /** what stands in the inspector */
  looking: Looking | null = $state.raw(null);
  /** the inspector lies over the table, where there is no room beside it */
  reading = $state(false);
  /** what a mouse or the focus is on: the bar says what choosing it would do */
  over: (Looking & { option?: OptionData }) | null = $state.raw(null);
  menu: Menu | null = $state.raw(null);
  pile: Pile | null = $state.raw(null);
  log: Happened[] = $state.raw([]);
  /** a sentence for the person with the rule behind it, and a count so that the same sentence can be said twice */
  note: { text: string; rule: string; n: number } = $state.raw({ text: "", rule: "", n: 0 });
  /** a choice is on its way to the server */
  waiting = $state(false);
  /** the view whose question stays in view meanwhile, so that an answer that comes soon changes the table once and not twice */
  private standing: View | null = $state.raw(null);
  private patience = 0;
  /** nothing newer waits to be shown */
  settled = $state(true);
  terms: GlossaryEntryData[] = $state.raw([]);
  /** questions answered with no for the rest of the turn */
  quiet: Set<string> = new Set();
  /** why a die's A and D are what they are, as the server says it, for this version */
  reasons: { key: string; lines: Explanation[] } = $state.raw({ key: "", lines: [] });
  /** dice that roll: the face each shows on its way to its own */
  tumbling: Map<number, number> = $state.raw(new Map());
  private tumble = 0;
  /** shows at once what waits to be shown one after the other; null where nothing waits */
  hasten: (() => void) | null = null;
  /** what the coach says to the view of that version */
  coached: { version: number; remarks: CoachRemarkData[] } = $state.raw({ version: -1, remarks: [] });
  private asked = -1; // the version the coach was asked about last
  /** the turn ended by itself: what had happened in it, and how one goes on */
  notice: { deeds: string[]; goOn: () => void } | null = $state.raw(null);
  /** the kind of the last question that was answered here, "" if the answer itself went on */
  private answered = "";
  /** the turn in which its player wants to end it, without an attack */
  private endsTurn = -1;

  readonly shown = $derived(preview(this.view, this.picks));
  readonly decision: DecisionData | null = $derived(
    this.send && this.settled && (!this.waiting || this.standing === this.view) && this.view.decision && this.you.includes(this.view.decision.seat)
      ? this.view.decision
      : null,
  );
  readonly dice: Set<number> = $derived(this.decision ? litDice(this.decision, this.picks) : new Set());
  readonly cards: Set<number> = $derived(this.decision ? litCards(this.decision) : new Set());
  readonly byId: Map<number, DieData> = $derived(new Map(this.shown.dice.map((d) => [d.id, d])));
  /** what has come of the fight, at its end */
  readonly came: Forecast | undefined = $derived((this.view as Partial<Moment>).came);
  /** what the fight would do as things stand */
  readonly ahead: Forecast = $derived(this.came ?? (this.view.result ? NOTHING_COMES : forecast(this.shown, this.decision, this.picks)));
  /** one thing is asked for: what is no part of it steps back */
  readonly isNarrow: boolean = $derived(this.decision !== null && !IN_PASSING.has(this.decision.kind) && this.decision.kind !== "reroll");
  /** whose dice lie on the stage to be rolled again */
  readonly rolling: Seat | null = $derived(this.view.decision?.kind === "reroll" ? this.view.decision.seat : null);
  readonly hearing: Hearing = $derived.by(() => {
    const known = this.byId;
    return {
      name: (seat: Seat) => this.name(seat),
      isYou: (seat: Seat) => this.isYou(seat),
      side: (seat: Seat) => this.side(seat),
      cards: this.table.cards,
      die: (id: number) => known.get(id),
    };
  });

  constructor(table: TableData, view: View, send: ((message: ClientMessage) => boolean) | null = null) {
    this.table = table;
    this.view = view;
    this.send = send;
    const first = table.cards.find((c) => c.kind === "character");
    this.looking = first ? { card: first.id } : null;
    void getTerms().then((terms) => (this.terms = terms));
  }

  card(id: number): CardData {
    return this.table.cards[id]!;
  }

  /** Name a seat: what its player is called; whoever has not come yet is the partner or a rival. */
  name(seat: Seat | ""): string {
    if (!seat || !this.meta) return seat;
    return this.meta.names[seat] || nameless(seat, this.you, this.table.seats);
  }

  /** Name a seat to the one who looks: "You" where only one seat is theirs. */
  who(seat: Seat): string {
    return this.isYou(seat) ? phrases.you : this.name(seat);
  }

  isYou(seat: Seat): boolean {
    return this.you.length === 1 && this.you[0] === seat;
  }

  /** Tell whether this is a game of two against two. */
  get isFour(): boolean {
    return this.table.seats.length > 2;
  }

  /** List who plays with a seat, itself included. */
  side(seat: Seat): Seat[] {
    const parity = (one: Seat): number => this.table.seats.indexOf(one) & 1;
    return this.table.seats.filter((one) => parity(one) === parity(seat));
  }

  /** Give the seat that stands for a side: its life is told of that one. */
  lead(seat: Seat): Seat {
    return this.side(seat)[0] ?? seat;
  }

  /** Tell whether the one who looks plays on this seat's side, and on no other. */
  isYours(seat: Seat): boolean {
    return this.you.length > 0 && this.you.every((one) => this.side(seat).includes(one));
  }

  /** Name everybody on a seat's side to the one who looks: "You and Mira". */
  whoAll(seat: Seat): string {
    const said = sideOf(seat, this.hearing);
    return said.charAt(0).toUpperCase() + said.slice(1);
  }

  /** Say what a seat is to the one who looks: partner or rival; to who only watches, with whom it plays. */
  relation(seat: Seat): string {
    const partner = this.side(seat).find((one) => one !== seat) ?? seat;
    if (this.isYou(seat)) return phrases.itsYou;
    const takesSide = this.you.length > 0 && this.you.every((one) => this.side(one).includes(this.you[0]!));
    if (this.meta && !this.meta.names[seat] && takesSide && !this.you.includes(seat)) return ""; // what it is called says it
    if (this.isYours(seat) && this.you.length === 1) return phrases.partner;
    return takesSide && !this.isYours(seat) ? phrases.rival : phrases.with(this.name(partner));
  }

  /** Say a text of the server to the one who looks. */
  voiced(text: string): string {
    return voiced(text, this.hearing);
  }

  /** Say how the game ended, to the one who looks; "" while it goes on. */
  get ending(): string {
    return this.view.result ? ending(this.view.result.text, this.hearing) : "";
  }

  /** Say where in the game this is, to the one who looks. */
  get title(): string {
    if (this.view.result) return phrases.over;
    if (!this.view.turn) return phrases.beforeFirst;
    if (this.isFour) return this.isYours(this.view.active) ? phrases.sidesTurn(this.view.turn) : phrases.turn(this.whoAll(this.view.active), this.view.turn);
    return this.isYou(this.view.active) ? phrases.yourTurn(this.view.turn) : phrases.turn(this.name(this.view.active), this.view.turn);
  }

  say(text: string, rule = ""): void {
    this.note = { text, rule, n: this.note.n + 1 };
  }

  /** Show another view; picks belong to the decision they were made for. */
  show(view: View, before: View["life"] = this.view.life): void {
    this.view = view;
    this.begin();
    this.pile = null;
    this.hear(view, before);
    this.settle();
  }

  /** Take a view's news into the log; of what was taken back nothing is told any more. */
  hear(view: View, before: View["life"]): void {
    const kept = this.log.filter((line) => (line.move ?? 0) <= view.move);
    this.log = [...kept, ...newsOf(view, before)].slice(-1500);
  }

  /** Let dice show other faces while they roll. */
  roll(dice: readonly number[], ms: number): void {
    this.comeToRest();
    const end = performance.now() + ms;
    const turn = (): void => {
      if (performance.now() >= end) return this.comeToRest();
      this.tumbling = new Map(dice.map((id, n) => [id, this.otherFace(id, n)]));
    };
    this.tumble = window.setInterval(turn, 85);
    requestAnimationFrame(() => setTimeout(turn)); // once the view itself is drawn, which is enough for one frame
  }

  /** Let every die that rolls lie on its own face. */
  comeToRest(): void {
    clearInterval(this.tumble);
    if (this.tumbling.size) this.tumbling = new Map();
  }

  private otherFace(id: number, n: number): number {
    const die = this.byId.get(id);
    const faces = die ? this.card(die.card).die.faces.length : 1;
    return ((this.tumbling.get(id) ?? n) + 1 + Math.floor(Math.random() * (faces - 1))) % faces;
  }

  /** Pick on the table; what is on its way to the server stays as it was sent. */
  pick(picks: Picks): void {
    if (!this.waiting) this.picks = picks;
  }

  /** Start the choice anew, with what is likely to be picked. */
  begin(): void {
    const asked = this.view.decision;
    this.picks = asked && this.you.includes(asked.seat) ? suggest(asked, this.view, this.table.cards) : NOTHING;
    this.menu = null;
  }

  /** Answer what was answered in advance: a question that shall not come again, the attack of a turn that is to end. */
  settle(): void {
    const asked = this.view.decision;
    if (!asked || !this.you.includes(asked.seat)) return;
    const no = this.quiet.has(this.quietKey(asked)) && asked.options.find((o) => o.what === "no");
    const ends = !no && this.endsTurn === this.view.turn;
    if (ends) this.endsTurn = -1; // whatever else is asked: the plan is off
    if (no) this.choose(no);
    else if (ends && asked.kind === "attack" && asked.min === 0) this.play({ dice: [] });
    else return;
    this.standing = null; // nobody is asked: it is not shown
  }

  quietKey(decision: DecisionData): string {
    return `${this.view.turn} ${decision.seat} ${decision.kind} ${decision.about}`;
  }

  /** Tell whether this question may come again and again, so that one may ask to be left alone. */
  canBeQuiet(decision: DecisionData): boolean {
    return decision.mode === "one" && decision.about !== "" && decision.options.some((o) => o.what === "no") && decision.options.length <= 3;
  }

  beQuiet(decision: DecisionData): void {
    if (this.waiting) return;
    this.quiet.add(this.quietKey(decision));
    const no = decision.options.find((o) => o.what === "no");
    if (no) this.choose(no);
  }

  choose(option: OptionData): void {
    if (option.number !== null) this.play({ option: option.number });
  }

  /** Confirm what was picked on the table. */
  confirm(): void {
    if (this.decision && isReady(this.decision, this.picks)) this.play(choiceOf(this.decision, this.picks));
  }

  /** Pick nothing of what may be picked: keep all dice, do not attack, do not block. */
  decline(): void {
    if (!this.decision || this.decision.min > 0) return;
    this.play(choiceOf(this.decision, NOTHING));
  }

  /** Pass, and be asked once more if the opponent adds nothing. */
  hold(option: OptionData): void {
    if (option.number !== null) this.play({ option: option.number }, true);
  }

  /** End the turn: go on, and attack with nobody. */
  endTurn(option: OptionData): void {
    if (this.waiting) return;
    this.endsTurn = this.view.turn;
    this.choose(option);
  }

  /** Give what is paid for in all: a part that had no alternative may be paid already. */
  get wholePrice(): number {
    return this.decision?.price ?? 0;
  }

  /** Take back what is being paid for: nothing has come of it yet, so nobody is asked. */
  cancel(): void {
    if (this.decision?.cancel && !this.waiting && this.send?.({ type: "undo" })) this.awaitAnswer();
  }

  /** Tell whether one's turn would end in this view though one has not ended it oneself. */
  endsUnseen(view: View): boolean {
    const ended = this.view.turn > 0 && view.turn > this.view.turn && this.isYou(this.view.active) && !view.result;
    return ended && this.answered !== "" && !["attack", "fight", "split"].includes(this.answered);
  }

  private play(choice: Choice, hold = false): void {
    if (!this.send || this.waiting) return;
    const asked = this.view.decision;
    const option = "option" in choice ? asked?.options.find((o) => o.number === choice.option) : undefined;
    this.answered = option?.what === "pass" || !asked ? "" : asked.kind;
    const message: ClientMessage = { type: "play", version: this.view.version, choice };
    if (this.send(hold ? { ...message, hold } : message)) this.awaitAnswer();
    else this.say(phrases.noConnection);
  }

  /** Ask again: what was sent is not to be. */
  refuse(reason: string): void {
    this.waiting = false;
    this.menu = null;
    this.endsTurn = -1;
    this.say(reason);
  }

  private awaitAnswer(): void {
    this.waiting = true;
    this.standing = this.view;
    clearTimeout(this.patience);
    this.patience = window.setTimeout(() => {
      this.standing = null;
      if (!this.decision) this.menu = null;
    }, MOMENT);
  }

  // --- pointing ------------------------------------------------------------------------------------------------------

  isPicked(die: number): boolean {
    const { dice, blocks, holding, amounts } = this.picks;
    return dice.includes(die) || holding === die || blocks.some(([b]) => b === die) || amounts.some(([d]) => d === die);
  }

  /** List what choosing a thing could mean now. */
  optionsAt(at: Looking): OptionData[] {
    if (this.decision?.mode !== "one") return [];
    return "die" in at ? optionsAtDie(this.decision, at.die) : optionsAtCard(this.decision, at.card, this.view);
  }

  /** Tell whether the question on the stage is about this card. */
  isAsked(at: { card: number }): boolean {
    if (this.menu && "card" in this.menu.at && this.menu.at.card === at.card) return true;
    return this.decision?.kind === "pay" && this.decision.card === at.card;
  }

  /** Show what a mouse rests on, or what has the focus. */
  glance(at: Looking): void {
    this.looking = at;
    this.over = at;
  }

  /** Read a thing, and do nothing else. */
  read(at: Looking): void {
    this.looking = at;
    this.reading = true;
  }

  /** Point at a die: choose it, pick it, or ask why it cannot be chosen. By touch, what would act is first shown on the stage. */
  pointDie(die: number, touch = false): void {
    this.looking = { die };
    const decision = this.decision;
    this.reading = !decision || !this.dice.has(die);
    if (this.waiting) return;
    if (!decision || !this.dice.has(die)) return this.whyNot({ die });
    if (decision.mode === "one") this.offer({ die }, touch);
    else if (decision.mode === "spend" && sum(this.picks) >= decision.total && !this.isPicked(die))
      this.picks = payInstead(decision, this.view, this.table.cards, this.picks, die);
    else this.picks = point(decision, this.picks, die);
  }

  pointCard(card: number, touch = false): void {
    this.looking = { card };
    const decision = this.decision;
    const lies = this.litOn(card);
    this.reading = !lies.length && !this.optionsAt({ card }).length;
    if (this.waiting) return;
    if (decision && decision.mode !== "one" && lies.length) {
      this.picks = point(decision, this.picks, lies.find((d) => !this.isPicked(d)) ?? lies[0]!);
    } else if (this.optionsAt({ card }).length) this.offer({ card }, touch);
    else this.whyNot({ card });
  }

  /** List the dice on a card that may be pointed at now. */
  litOn(card: number): number[] {
    return this.shown.dice.filter((d) => d.card === card && d.zone === "card" && this.dice.has(d.id)).map((d) => d.id);
  }

  pointPlayer(option: OptionData): void {
    if (!this.decision || this.waiting) return;
    if (this.decision.mode === "one") this.choose(option);
    else if (option.player !== undefined) this.picks = point(this.decision, this.picks, option.player);
  }

  private offer(at: Looking, touch: boolean): void {
    const options = this.optionsAt(at);
    if (options.length === 1 && !touch && options[0]!.what !== "global") return this.choose(options[0]!);
    this.pile = null;
    this.menu = { at, options, back: "die" in at ? `die${at.die}` : `card${at.card}` };
  }

  /** Ask the coach about this view, once. */
  askCoach(): void {
    if (this.asked === this.view.version || !this.send) return;
    this.asked = this.view.version;
    this.send({ type: "coach" });
  }

  /** Ask the server why this die's numbers are what they are. */
  askReasons(die: number): void {
    const key = `${this.view.version} ${die}`;
    if (this.reasons.key === key || !this.send) return;
    this.reasons = { key, lines: [] };
    this.send({ type: "look", die });
  }

  /** Ask why something cannot be done now. */
  whyNot(thing: Looking | { ability: number }): void {
    if (!this.send || !this.you.length || this.view.result) return;
    const asked = this.view.decision;
    if (!this.settled || this.waiting) return;
    if (asked && !this.you.includes(asked.seat)) return this.say(`${phrases.decidesNow(this.name(asked.seat))}.`);
    this.send({ type: "why not", thing, want: "" });
  }
}

/** Give what a view tells, each line with the choices that were made by then. */
export const dated = (view: View): Happened[] => view.news.map((line) => ({ ...line, move: view.move }));

/** Give what a view tells, with the life before and after each change, and the rule a scripted player followed. */
export function newsOf(view: View, before: View["life"] = {}): Happened[] {
  const change = (line: LogEntryData): number => (line.kind === "life" ? line.amount : line.kind === "damage" ? -line.amount : 0);
  const left = { ...view.life };
  for (const seat of Object.keys(left) as Seat[]) {
    // less than 0 counts as 0: how much there was, only the life before tells
    const under = (before[seat] ?? 0) + view.news.filter((line) => line.seat === seat).reduce((sum, line) => sum + change(line), 0);
    if (left[seat] === 0 && before[seat] && under < 0) left[seat] = under;
  }
  const news: Happened[] = dated(view).toReversed().map((line) => {
    if (!line.seat || !change(line)) return line;
    const now = left[line.seat] ?? 0;
    left[line.seat] = now - change(line);
    return { ...line, was: Math.max(0, now - change(line)), left: Math.max(0, now) };
  }).toReversed();
  if (!view.why) return news;
  const after = news.findIndex((line) => line.kind === "move") + 1;
  const reason: Happened = { text: view.why.text, rule: view.why.rule, kind: "happening" as LogEntryData["kind"], dice: [], seat: null, amount: 0, move: view.move };
  return [...news.slice(0, after), reason, ...news.slice(after)];
}
