/** The table as one person sees it: what is shown, what is lit, what pointing does, what would come of it. */

import type {
  CardData,
  Choice,
  CoachRemarkData,
  DecisionData,
  DieData,
  Meta,
  LogEntryData,
  OptionData,
  Explanation,
  Seat,
  TableData,
  GlossaryEntryData,
  ClientMessage,
  View,
  Zone,
} from "../api/protocol";
import { getTerms } from "../api/client";
import { forecast, EMPTY_FORECAST, type Forecast, type ViewFrame } from "./combatPreview";
import { gameText } from "../i18n";
import {
  EMPTY_SELECTION,
  toChoice,
  isComplete,
  selectableCards,
  selectableDice,
  optionsAtCard,
  optionsAtDie,
  replacePayment,
  toggle,
  preview,
  suggestSelection,
  totalAmount,
  type Selection,
} from "./selection";
import { defaultSeatName } from "./seatNames";
import { resultText, sideText, personalize, type LogEntry, type Listener } from "./narration";

export type BoardTarget = { die: number } | { card: number };

/** What pointing at one thing could mean: it stands on the stage until one of them is chosen. */
export interface ContextMenu {
  target: BoardTarget;
  options: OptionData[];
  focusAfter: string;
}

/** A pile that lies open on the stage. */
export interface OpenPile {
  seat: Seat;
  zone: Zone;
}

const LINGER_MS = 150; // milliseconds that a question stays in view while its answer is on its way
const OPTIONAL_KINDS = new Set(["main", "fight", "respond"]); // one may also do nothing: what is not lit is not dimmed

export class Board {
  /** tells the server something; null where nothing can be played */
  send: ((message: ClientMessage) => boolean) | null = $state.raw(null);
  table: TableData = $state.raw(null!);
  view: View = $state.raw(null!);
  meta: Meta | null = $state.raw(null);
  you: Seat[] = $state.raw([]);
  /** the seat at the bottom of the screen */
  near: Seat = $state("A");
  selection: Selection = $state.raw(EMPTY_SELECTION);
  /** what stands in the inspector */
  inspected: BoardTarget | null = $state.raw(null);
  /** the inspector lies over the table, where there is no room beside it */
  isInspectorOpen = $state(false);
  /** what a mouse or the focus is on: the bar says what choosing it would do */
  hovered: (BoardTarget & { option?: OptionData }) | null = $state.raw(null);
  menu: ContextMenu | null = $state.raw(null);
  openPile: OpenPile | null = $state.raw(null);
  log: LogEntry[] = $state.raw([]);
  /** a sentence for the person with the rule behind it, and a count so that the same sentence can be said twice */
  note: { text: string; rule: string; n: number } = $state.raw({ text: "", rule: "", n: 0 });
  /** a choice is on its way to the server */
  isWaiting = $state(false);
  /** the view whose question stays in view meanwhile, so that an answer that comes soon changes the table once and not twice */
  #lingeringView: View | null = $state.raw(null);
  #lingerTimer = 0;
  /** nothing newer waits to be shown */
  isCaughtUp = $state(true);
  terms: GlossaryEntryData[] = $state.raw([]);
  /** questions answered with no for the rest of the turn */
  declinedQuestions: Set<string> = new Set();
  /** why a die's A and D are what they are, as the server says it, for this version */
  statReasons: { key: string; lines: Explanation[] } = $state.raw({ key: "", lines: [] });
  /** dice that roll: the face each shows on its way to its own */
  rollingFaces: Map<number, number> = $state.raw(new Map());
  #rollTimer = 0;
  /** shows at once what waits to be shown one after the other; null where nothing waits */
  skipAhead: (() => void) | null = null;
  /** what the coach says to the view of that version */
  coachRemarks: { version: number; remarks: CoachRemarkData[] } = $state.raw({ version: -1, remarks: [] });
  #coachRequestedAt = -1; // the version the coach was asked about last
  /** the turn ended by itself: what had happened in it, and how one goes on */
  notice: { deeds: string[]; goOn: () => void } | null = $state.raw(null);
  /** the kind of the last question that was answered here, "" if the answer itself went on */
  #lastAnsweredKind = "";
  /** the turn in which its player wants to end it, without an attack */
  #turnToEnd = -1;

  readonly shown = $derived(preview(this.view, this.selection));
  readonly decision: DecisionData | null = $derived(
    this.send &&
      this.isCaughtUp &&
      (!this.isWaiting || this.#lingeringView === this.view) &&
      this.view.decision &&
      this.you.includes(this.view.decision.seat)
      ? this.view.decision
      : null,
  );
  readonly selectableDice: Set<number> = $derived(
    this.decision ? selectableDice(this.decision, this.selection) : new Set(),
  );
  readonly selectableCards: Set<number> = $derived(this.decision ? selectableCards(this.decision) : new Set());
  readonly diceById: Map<number, DieData> = $derived(new Map(this.shown.dice.map((d) => [d.id, d])));
  /** what has come of the fight, at its end */
  readonly combatResult: Forecast | undefined = $derived((this.view as Partial<ViewFrame>).combatResult);
  /** what the fight would do as things stand */
  readonly forecast: Forecast = $derived(
    this.combatResult ?? (this.view.result ? EMPTY_FORECAST : forecast(this.shown, this.decision, this.selection)),
  );
  /** one thing is asked for: what is no part of it steps back */
  readonly dimsUnrelated: boolean = $derived(
    this.decision !== null && !OPTIONAL_KINDS.has(this.decision.kind) && this.decision.kind !== "reroll",
  );
  /** whose dice lie on the stage to be rolled again */
  readonly rerollingSeat: Seat | null = $derived(
    this.view.decision?.kind === "reroll" ? this.view.decision.seat : null,
  );
  readonly listener: Listener = $derived.by(() => {
    const known = this.diceById;
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
    this.inspected = first ? { card: first.id } : null;
    void getTerms().then((terms) => (this.terms = terms));
  }

  card(id: number): CardData {
    return this.table.cards[id]!;
  }

  /** Name a seat: what its player is called; whoever has not come yet is the partner or a rival. */
  name(seat: Seat | ""): string {
    if (!seat || !this.meta) return seat;
    return this.meta.names[seat] || defaultSeatName(seat, this.you, this.table.seats);
  }

  /** Name a seat to the one who looks: "You" where only one seat is theirs. */
  displayName(seat: Seat): string {
    return this.isYou(seat) ? gameText.you : this.name(seat);
  }

  isYou(seat: Seat): boolean {
    return this.you.length === 1 && this.you[0] === seat;
  }

  /** Tell whether this is a game of two against two. */
  get isDoubles(): boolean {
    return this.table.seats.length > 2;
  }

  /** List who plays with a seat, itself included. */
  side(seat: Seat): Seat[] {
    const parity = (one: Seat): number => this.table.seats.indexOf(one) & 1;
    return this.table.seats.filter((one) => parity(one) === parity(seat));
  }

  /** Give the seat that stands for a side: its life is told of that one. */
  leadSeat(seat: Seat): Seat {
    return this.side(seat)[0] ?? seat;
  }

  /** Tell whether the one who looks plays on this seat's side, and on no other. */
  isYourSide(seat: Seat): boolean {
    return this.you.length > 0 && this.you.every((one) => this.side(seat).includes(one));
  }

  /** Name everybody on a seat's side to the one who looks: "You and Mira". */
  sideName(seat: Seat): string {
    const said = sideText(seat, this.listener);
    return said.charAt(0).toUpperCase() + said.slice(1);
  }

  /** Say what a seat is to the one who looks: partner or rival; to who only watches, with whom it plays. */
  relation(seat: Seat): string {
    const partner = this.side(seat).find((one) => one !== seat) ?? seat;
    if (this.isYou(seat)) return gameText.itsYou;
    const takesSide = this.you.length > 0 && this.you.every((one) => this.side(one).includes(this.you[0]!));
    if (this.meta && !this.meta.names[seat] && takesSide && !this.you.includes(seat)) return ""; // what it is called says it
    if (this.isYourSide(seat) && this.you.length === 1) return gameText.partner;
    return takesSide && !this.isYourSide(seat) ? gameText.rival : gameText.with(this.name(partner));
  }

  /** Say a text of the server to the one who looks. */
  personalize(text: string): string {
    return personalize(text, this.listener);
  }

  /** Say how the game ended, to the one who looks; "" while it goes on. */
  get ending(): string {
    return this.view.result ? resultText(this.view.result.text, this.listener) : "";
  }

  /** Say where in the game this is, to the one who looks. */
  get title(): string {
    if (this.view.result) return gameText.over;
    if (!this.view.turn) return gameText.beforeFirst;
    if (this.isDoubles)
      return this.isYourSide(this.view.active)
        ? gameText.sidesTurn(this.view.turn)
        : gameText.turn(this.sideName(this.view.active), this.view.turn);
    return this.isYou(this.view.active)
      ? gameText.yourTurn(this.view.turn)
      : gameText.turn(this.name(this.view.active), this.view.turn);
  }

  showNote(text: string, rule = ""): void {
    this.note = { text, rule, n: this.note.n + 1 };
  }

  /** Show another view; picks belong to the decision they were made for. */
  showView(view: View, before: View["life"] = this.view.life): void {
    this.view = view;
    this.resetSelection();
    this.openPile = null;
    this.appendLog(view, before);
    this.autoAnswer();
  }

  /** Take a view's news into the log; of what was taken back nothing is told any more. */
  appendLog(view: View, before: View["life"]): void {
    const kept = this.log.filter((line) => (line.move ?? 0) <= view.move);
    this.log = [...kept, ...logEntries(view, before)].slice(-1500);
  }

  /** Let dice show other faces while they roll. */
  animateRoll(dice: readonly number[], ms: number): void {
    this.stopRolling();
    const end = performance.now() + ms;
    const turn = (): void => {
      if (performance.now() >= end) return this.stopRolling();
      this.rollingFaces = new Map(dice.map((id, n) => [id, this.#nextFace(id, n)]));
    };
    this.#rollTimer = window.setInterval(turn, 85);
    requestAnimationFrame(() => setTimeout(turn)); // once the view itself is drawn, which is enough for one frame
  }

  /** Let every die that rolls lie on its own face. */
  stopRolling(): void {
    clearInterval(this.#rollTimer);
    if (this.rollingFaces.size) this.rollingFaces = new Map();
  }

  #nextFace(id: number, n: number): number {
    const die = this.diceById.get(id);
    const faces = die ? this.card(die.card).die.faces.length : 1;
    return ((this.rollingFaces.get(id) ?? n) + 1 + Math.floor(Math.random() * (faces - 1))) % faces;
  }

  /** Pick on the table; what is on its way to the server stays as it was sent. */
  select(picks: Selection): void {
    if (!this.isWaiting) this.selection = picks;
  }

  /** Start the choice anew, with what is likely to be picked. */
  resetSelection(): void {
    const asked = this.view.decision;
    this.selection =
      asked && this.you.includes(asked.seat) ? suggestSelection(asked, this.view, this.table.cards) : EMPTY_SELECTION;
    this.menu = null;
  }

  /** Answer what was answered in advance: a question that shall not come again, the attack of a turn that is to end. */
  autoAnswer(): void {
    const asked = this.view.decision;
    if (!asked || !this.you.includes(asked.seat)) return;
    const no = this.declinedQuestions.has(this.questionKey(asked)) && asked.options.find((o) => o.what === "no");
    const ends = !no && this.#turnToEnd === this.view.turn;
    if (ends) this.#turnToEnd = -1; // whatever else is asked: the plan is off
    if (no) this.choose(no);
    else if (ends && asked.kind === "attack" && asked.min === 0) this.#sendChoice({ dice: [] });
    else return;
    this.#lingeringView = null; // nobody is asked: it is not shown
  }

  questionKey(decision: DecisionData): string {
    return `${this.view.turn} ${decision.seat} ${decision.kind} ${decision.about}`;
  }

  /** Tell whether this question may come again and again, so that one may ask to be left alone. */
  canAutoDecline(decision: DecisionData): boolean {
    return (
      decision.mode === "one" &&
      decision.about !== "" &&
      decision.options.some((o) => o.what === "no") &&
      decision.options.length <= 3
    );
  }

  autoDecline(decision: DecisionData): void {
    if (this.isWaiting) return;
    this.declinedQuestions.add(this.questionKey(decision));
    const no = decision.options.find((o) => o.what === "no");
    if (no) this.choose(no);
  }

  choose(option: OptionData): void {
    if (option.number !== null) this.#sendChoice({ option: option.number });
  }

  /** Confirm what was picked on the table. */
  confirm(): void {
    if (this.decision && isComplete(this.decision, this.selection))
      this.#sendChoice(toChoice(this.decision, this.selection));
  }

  /** Pick nothing of what may be picked: keep all dice, do not attack, do not block. */
  decline(): void {
    if (!this.decision || this.decision.min > 0) return;
    this.#sendChoice(toChoice(this.decision, EMPTY_SELECTION));
  }

  /** Pass, and be asked once more if the opponent adds nothing. */
  passAndHold(option: OptionData): void {
    if (option.number !== null) this.#sendChoice({ option: option.number }, true);
  }

  /** End the turn: go on, and attack with nobody. */
  endTurn(option: OptionData): void {
    if (this.isWaiting) return;
    this.#turnToEnd = this.view.turn;
    this.choose(option);
  }

  /** Give what is paid for in all: a part that had no alternative may be paid already. */
  get totalPrice(): number {
    return this.decision?.price ?? 0;
  }

  /** Take back what is being paid for: nothing has come of it yet, so nobody is asked. */
  cancel(): void {
    if (this.decision?.cancel && !this.isWaiting && this.send?.({ type: "undo" })) this.#awaitAnswer();
  }

  /** Tell whether one's turn would end in this view though one has not ended it oneself. */
  isAutomaticTurnEnd(view: View): boolean {
    const ended = this.view.turn > 0 && view.turn > this.view.turn && this.isYou(this.view.active) && !view.result;
    return ended && this.#lastAnsweredKind !== "" && !["attack", "fight", "split"].includes(this.#lastAnsweredKind);
  }

  #sendChoice(choice: Choice, hold = false): void {
    if (!this.send || this.isWaiting) return;
    const asked = this.view.decision;
    const option = "option" in choice ? asked?.options.find((o) => o.number === choice.option) : undefined;
    this.#lastAnsweredKind = option?.what === "pass" || !asked ? "" : asked.kind;
    const message: ClientMessage = { type: "play", version: this.view.version, choice };
    if (this.send(hold ? { ...message, hold } : message)) this.#awaitAnswer();
    else this.showNote(gameText.noConnection);
  }

  /** Ask again: what was sent is not to be. */
  onRejected(reason: string): void {
    this.isWaiting = false;
    this.menu = null;
    this.#turnToEnd = -1;
    this.showNote(reason);
  }

  #awaitAnswer(): void {
    this.isWaiting = true;
    this.#lingeringView = this.view;
    clearTimeout(this.#lingerTimer);
    this.#lingerTimer = window.setTimeout(() => {
      this.#lingeringView = null;
      if (!this.decision) this.menu = null;
    }, LINGER_MS);
  }

  // --- pointing ------------------------------------------------------------------------------------------------------

  isSelected(die: number): boolean {
    const { dice, blocks, pendingBlocker: holding, amounts } = this.selection;
    return dice.includes(die) || holding === die || blocks.some(([b]) => b === die) || amounts.some(([d]) => d === die);
  }

  /** List what choosing a thing could mean now. */
  optionsAt(at: BoardTarget): OptionData[] {
    if (this.decision?.mode !== "one") return [];
    return "die" in at ? optionsAtDie(this.decision, at.die) : optionsAtCard(this.decision, at.card, this.view);
  }

  /** Tell whether the question on the stage is about this card. */
  isDecisionSubject(at: { card: number }): boolean {
    if (this.menu && "card" in this.menu.target && this.menu.target.card === at.card) return true;
    return this.decision?.kind === "pay" && this.decision.card === at.card;
  }

  /** Show what a mouse rests on, or what has the focus. */
  hover(at: BoardTarget): void {
    this.inspected = at;
    this.hovered = at;
  }

  /** Read a thing, and do nothing else. */
  inspect(at: BoardTarget): void {
    this.inspected = at;
    this.isInspectorOpen = true;
  }

  /** Point at a die: choose it, pick it, or ask why it cannot be chosen. By touch, what would act is first shown on the stage. */
  clickDie(die: number, touch = false): void {
    this.inspected = { die };
    const decision = this.decision;
    this.isInspectorOpen = !decision || !this.selectableDice.has(die);
    if (this.isWaiting) return;
    if (!decision || !this.selectableDice.has(die)) return this.whyNot({ die });
    if (decision.mode === "one") this.#openMenu({ die }, touch);
    else if (decision.mode === "spend" && totalAmount(this.selection) >= decision.total && !this.isSelected(die))
      this.selection = replacePayment(decision, this.view, this.table.cards, this.selection, die);
    else this.selection = toggle(decision, this.selection, die);
  }

  clickCard(card: number, touch = false): void {
    this.inspected = { card };
    const decision = this.decision;
    const onCard = this.selectableDiceOn(card);
    this.isInspectorOpen = !onCard.length && !this.optionsAt({ card }).length;
    if (this.isWaiting) return;
    if (decision && decision.mode !== "one" && onCard.length) {
      this.selection = toggle(decision, this.selection, onCard.find((d) => !this.isSelected(d)) ?? onCard[0]!);
    } else if (this.optionsAt({ card }).length) this.#openMenu({ card }, touch);
    else this.whyNot({ card });
  }

  /** List the dice on a card that may be pointed at now. */
  selectableDiceOn(card: number): number[] {
    return this.shown.dice
      .filter((d) => d.card === card && d.zone === "card" && this.selectableDice.has(d.id))
      .map((d) => d.id);
  }

  clickPlayer(option: OptionData): void {
    if (!this.decision || this.isWaiting) return;
    if (this.decision.mode === "one") this.choose(option);
    else if (option.player !== undefined) this.selection = toggle(this.decision, this.selection, option.player);
  }

  #openMenu(at: BoardTarget, touch: boolean): void {
    const options = this.optionsAt(at);
    if (options.length === 1 && !touch && options[0]!.what !== "global") return this.choose(options[0]!);
    this.openPile = null;
    this.menu = { target: at, options, focusAfter: "die" in at ? `die${at.die}` : `card${at.card}` };
  }

  /** Ask the coach about this view, once. */
  requestCoach(): void {
    if (this.#coachRequestedAt === this.view.version || !this.send) return;
    this.#coachRequestedAt = this.view.version;
    this.send({ type: "coach" });
  }

  /** Ask the server why this die's numbers are what they are. */
  requestStatReasons(die: number): void {
    const key = `${this.view.version} ${die}`;
    if (this.statReasons.key === key || !this.send) return;
    this.statReasons = { key, lines: [] };
    this.send({ type: "look", die });
  }

  /** Ask why something cannot be done now. */
  whyNot(thing: BoardTarget | { ability: number }): void {
    if (!this.send || !this.you.length || this.view.result) return;
    const asked = this.view.decision;
    if (!this.isCaughtUp || this.isWaiting) return;
    if (asked && !this.you.includes(asked.seat)) return this.showNote(`${gameText.decidesNow(this.name(asked.seat))}.`);
    this.send({ type: "why not", thing, want: "" });
  }
}

/** Give what a view tells, each line with the choices that were made by then. */
export const stampMoves = (view: View): LogEntry[] => view.news.map((line) => ({ ...line, move: view.move }));

/** Give what a view tells, with the life before and after each change, and the rule a scripted player followed. */
export function logEntries(view: View, before: View["life"] = {}): LogEntry[] {
  const change = (line: LogEntryData): number =>
    line.kind === "life" ? line.amount : line.kind === "damage" ? -line.amount : 0;
  const left = { ...view.life };
  for (const seat of Object.keys(left) as Seat[]) {
    // less than 0 counts as 0: how much there was, only the life before tells
    const under =
      (before[seat] ?? 0) + view.news.filter((line) => line.seat === seat).reduce((sum, line) => sum + change(line), 0);
    if (left[seat] === 0 && before[seat] && under < 0) left[seat] = under;
  }
  const news: LogEntry[] = stampMoves(view)
    .toReversed()
    .map((line) => {
      if (!line.seat || !change(line)) return line;
      const now = left[line.seat] ?? 0;
      left[line.seat] = now - change(line);
      return { ...line, lifeBefore: Math.max(0, now - change(line)), lifeAfter: Math.max(0, now) };
    })
    .toReversed();
  if (!view.why) return news;
  const after = news.findIndex((line) => line.kind === "move") + 1;
  const reason: LogEntry = {
    text: view.why.text,
    rule: view.why.rule,
    kind: "happening" as LogEntryData["kind"],
    dice: [],
    seat: null,
    amount: 0,
    move: view.move,
  };
  return [...news.slice(0, after), reason, ...news.slice(after)];
}
