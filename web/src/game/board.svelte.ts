/** The board as one player or spectator sees it: what is shown, selected and selectable, and the effect of clicks. */

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

/** The options of a die or card that was clicked, shown on the stage until the player chooses one. */
export interface ContextMenu {
  target: BoardTarget;
  options: OptionData[];
  focusAfter: string;
}

/** A pile whose dice are shown on the stage. */
export interface OpenPile {
  seat: Seat;
  zone: Zone;
}

const LINGER_MS = 150; // how long a question stays visible after its answer was sent, in milliseconds
const OPTIONAL_KINDS = new Set(["main", "fight", "respond"]); // doing nothing is possible too, so nothing is dimmed

export class Board {
  /** sends a message to the server; null if the board is read-only */
  send: ((message: ClientMessage) => boolean) | null = $state.raw(null);
  table: TableData = $state.raw(null!);
  view: View = $state.raw(null!);
  meta: Meta | null = $state.raw(null);
  you: Seat[] = $state.raw([]);
  /** the seat at the bottom of the screen */
  near: Seat = $state("A");
  selection: Selection = $state.raw(EMPTY_SELECTION);
  /** the die or card shown in the inspector */
  inspected: BoardTarget | null = $state.raw(null);
  /** whether the inspector covers the board, on screens without room beside it */
  isInspectorOpen = $state(false);
  /** the target under the mouse or with the focus; the action bar describes what choosing it does */
  hovered: (BoardTarget & { option?: OptionData }) | null = $state.raw(null);
  menu: ContextMenu | null = $state.raw(null);
  openPile: OpenPile | null = $state.raw(null);
  log: LogEntry[] = $state.raw([]);
  /** a message for the player, the rule behind it, and a counter so that the same text can be announced again */
  note: { text: string; rule: string; n: number } = $state.raw({ text: "", rule: "", n: 0 });
  /** whether a choice has been sent and not answered yet */
  isWaiting = $state(false);
  /** the view whose question stays visible while waiting, so that a quick answer changes the board once, not twice */
  #lingeringView: View | null = $state.raw(null);
  #lingerTimer = 0;
  /** whether no newer view is waiting to be shown */
  isCaughtUp = $state(true);
  terms: GlossaryEntryData[] = $state.raw([]);
  /** questions the player declines automatically for the rest of the turn */
  declinedQuestions: Set<string> = new Set();
  /** the server's explanation of a die's A and D; the key is made of version and die */
  statReasons: { key: string; lines: Explanation[] } = $state.raw({ key: "", lines: [] });
  /** rolling dice, and the face each shows before its final one */
  rollingFaces: Map<number, number> = $state.raw(new Map());
  #rollTimer = 0;
  /** shows all queued views at once; null if there is no queue */
  skipAhead: (() => void) | null = null;
  /** the coach's remarks on the view of this version */
  coachRemarks: { version: number; remarks: CoachRemarkData[] } = $state.raw({ version: -1, remarks: [] });
  #coachRequestedAt = -1; // the version for which the coach was asked last
  /** set while the end of an automatically ended turn is shown: what happened in it, and how to continue */
  notice: { events: string[]; resume: () => void } | null = $state.raw(null);
  /** the kind of the last decision answered here, "" after a pass */
  #lastAnsweredKind = "";
  /** the turn that its player wants to end without attacking; -1 if there is none */
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
  /** the outcome of a fight, while its end is shown */
  readonly combatResult: Forecast | undefined = $derived((this.view as Partial<ViewFrame>).combatResult);
  /** the expected outcome of the fight as things stand */
  readonly forecast: Forecast = $derived(
    this.combatResult ?? (this.view.result ? EMPTY_FORECAST : forecast(this.shown, this.decision, this.selection)),
  );
  /** whether everything unrelated to the decision is dimmed, because it asks for something specific */
  readonly dimsUnrelated: boolean = $derived(
    this.decision !== null && !OPTIONAL_KINDS.has(this.decision.kind) && this.decision.kind !== "reroll",
  );
  /** the player whose dice are on the stage to be rerolled */
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

  /** Return a player's name. Players who have not joined yet are named by their relation to the viewer. */
  name(seat: Seat | ""): string {
    if (!seat || !this.meta) return seat;
    return this.meta.names[seat] || defaultSeatName(seat, this.you, this.table.seats);
  }

  /** Return a player's name as the viewer reads it: "You" if the seat is the viewer's only one. */
  displayName(seat: Seat): string {
    return this.isYou(seat) ? gameText.you : this.name(seat);
  }

  isYou(seat: Seat): boolean {
    return this.you.length === 1 && this.you[0] === seat;
  }

  /** Whether this is a game of two against two. */
  get isDoubles(): boolean {
    return this.table.seats.length > 2;
  }

  /** List the seats on a seat's side, including itself. */
  side(seat: Seat): Seat[] {
    const parity = (one: Seat): number => this.table.seats.indexOf(one) & 1;
    return this.table.seats.filter((one) => parity(one) === parity(seat));
  }

  /** Return the seat that represents a side, for example for its life total. */
  leadSeat(seat: Seat): Seat {
    return this.side(seat)[0] ?? seat;
  }

  /** Whether the viewer plays only on this seat's side. */
  isYourSide(seat: Seat): boolean {
    return this.you.length > 0 && this.you.every((one) => this.side(seat).includes(one));
  }

  /** Return the names of everyone on a seat's side as the viewer reads them: "You and Mira". */
  sideName(seat: Seat): string {
    const names = sideText(seat, this.listener);
    return names.charAt(0).toUpperCase() + names.slice(1);
  }

  /** Describe a seat's relation to the viewer: partner or rival. For spectators, name the seat's partner. */
  relation(seat: Seat): string {
    const partner = this.side(seat).find((one) => one !== seat) ?? seat;
    if (this.isYou(seat)) return gameText.itsYou;
    const takesSide = this.you.length > 0 && this.you.every((one) => this.side(one).includes(this.you[0]!));
    if (this.meta && !this.meta.names[seat] && takesSide && !this.you.includes(seat)) return ""; // the default name says it
    if (this.isYourSide(seat) && this.you.length === 1) return gameText.partner;
    return takesSide && !this.isYourSide(seat) ? gameText.rival : gameText.with(this.name(partner));
  }

  /** Rewrite a text of the server for the viewer. */
  personalize(text: string): string {
    return personalize(text, this.listener);
  }

  /** How the game ended, for the viewer; "" if it is not over. */
  get ending(): string {
    return this.view.result ? resultText(this.view.result.text, this.listener) : "";
  }

  /** The heading for the viewer: whose turn it is, and which. */
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

  /** Show another view. The selection starts over, because it belongs to the previous decision. */
  showView(view: View, before: View["life"] = this.view.life): void {
    this.view = view;
    this.resetSelection();
    this.openPile = null;
    this.appendLog(view, before);
    this.autoAnswer();
  }

  /** Add a view's news to the log and drop the entries of choices that were undone. */
  appendLog(view: View, before: View["life"]): void {
    const kept = this.log.filter((line) => (line.move ?? 0) <= view.move);
    this.log = [...kept, ...logEntries(view, before)].slice(-1500);
  }

  /** Show changing faces on dice while they roll. */
  animateRoll(dice: readonly number[], ms: number): void {
    this.stopRolling();
    const end = performance.now() + ms;
    const nextFrame = (): void => {
      if (performance.now() >= end) return this.stopRolling();
      this.rollingFaces = new Map(dice.map((id, n) => [id, this.#nextFace(id, n)]));
    };
    this.#rollTimer = window.setInterval(nextFrame, 85);
    requestAnimationFrame(() => setTimeout(nextFrame)); // not before the view is painted, which is enough work for one frame
  }

  /** Show the final face of every rolling die. */
  stopRolling(): void {
    clearInterval(this.#rollTimer);
    if (this.rollingFaces.size) this.rollingFaces = new Map();
  }

  #nextFace(id: number, n: number): number {
    const die = this.diceById.get(id);
    const faces = die ? this.card(die.card).die.faces.length : 1;
    return ((this.rollingFaces.get(id) ?? n) + 1 + Math.floor(Math.random() * (faces - 1))) % faces;
  }

  /** Replace the selection, unless it has already been sent. */
  select(selection: Selection): void {
    if (!this.isWaiting) this.selection = selection;
  }

  /** Start the selection over, from a suggestion if there is one. */
  resetSelection(): void {
    const decision = this.view.decision;
    this.selection =
      decision && this.you.includes(decision.seat)
        ? suggestSelection(decision, this.view, this.table.cards)
        : EMPTY_SELECTION;
    this.menu = null;
  }

  /**
   * Send the answers that the player gave in advance: no to a question declined for this turn, no attack in a turn to
   * be ended.
   */
  autoAnswer(): void {
    const decision = this.view.decision;
    if (!decision || !this.you.includes(decision.seat)) return;
    const no = this.declinedQuestions.has(this.questionKey(decision)) && decision.options.find((o) => o.what === "no");
    const endsTurn = !no && this.#turnToEnd === this.view.turn;
    if (endsTurn) this.#turnToEnd = -1; // even if the decision is another one: the plan is off
    if (no) this.choose(no);
    else if (endsTurn && decision.kind === "attack" && decision.min === 0) this.#sendChoice({ dice: [] });
    else return;
    this.#lingeringView = null; // the player does not see the question
  }

  questionKey(decision: DecisionData): string {
    return `${this.view.turn} ${decision.seat} ${decision.kind} ${decision.about}`;
  }

  /** Whether a question may come up repeatedly, so that the player can decline it for the rest of the turn. */
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

  /** Send the selection made on the board. */
  confirm(): void {
    if (this.decision && isComplete(this.decision, this.selection))
      this.#sendChoice(toChoice(this.decision, this.selection));
  }

  /** Select nothing: keep all dice, do not attack, do not block. */
  decline(): void {
    if (!this.decision || this.decision.min > 0) return;
    this.#sendChoice(toChoice(this.decision, EMPTY_SELECTION));
  }

  /** Pass, but be asked again if the opponent adds nothing. */
  passAndHold(option: OptionData): void {
    if (option.number !== null) this.#sendChoice({ option: option.number }, true);
  }

  /** End the turn: pass, and declare no attackers. */
  endTurn(option: OptionData): void {
    if (this.isWaiting) return;
    this.#turnToEnd = this.view.turn;
    this.choose(option);
  }

  /** The full price. Parts without an alternative may already be paid. */
  get totalPrice(): number {
    return this.decision?.price ?? 0;
  }

  /** Take back the payment in progress. It has had no effect yet, so nobody has to agree. */
  cancel(): void {
    if (this.decision?.cancel && !this.isWaiting && this.send?.({ type: "undo" })) this.#awaitAnswer();
  }

  /** Whether your turn ends in this view without your own decision to end it. */
  isAutomaticTurnEnd(view: View): boolean {
    const ended = this.view.turn > 0 && view.turn > this.view.turn && this.isYou(this.view.active) && !view.result;
    return ended && this.#lastAnsweredKind !== "" && !["attack", "fight", "split"].includes(this.#lastAnsweredKind);
  }

  #sendChoice(choice: Choice, hold = false): void {
    if (!this.send || this.isWaiting) return;
    const decision = this.view.decision;
    const option = "option" in choice ? decision?.options.find((o) => o.number === choice.option) : undefined;
    this.#lastAnsweredKind = option?.what === "pass" || !decision ? "" : decision.kind;
    const message: ClientMessage = { type: "play", version: this.view.version, choice };
    if (this.send(hold ? { ...message, hold } : message)) this.#awaitAnswer();
    else this.showNote(gameText.noConnection);
  }

  /** Show why the server refused a choice; the decision is open again. */
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

  // --- clicks and hovering ------------------------------------------------------------------------------------------

  isSelected(die: number): boolean {
    const { dice, blocks, pendingBlocker, amounts } = this.selection;
    return (
      dice.includes(die) ||
      pendingBlocker === die ||
      blocks.some(([b]) => b === die) ||
      amounts.some(([d]) => d === die)
    );
  }

  /** List the options that choosing this die or card could mean. */
  optionsAt(at: BoardTarget): OptionData[] {
    if (this.decision?.mode !== "one") return [];
    return "die" in at ? optionsAtDie(this.decision, at.die) : optionsAtCard(this.decision, at.card, this.view);
  }

  /** Whether the question on the stage is about this card. */
  isDecisionSubject(at: { card: number }): boolean {
    if (this.menu && "card" in this.menu.target && this.menu.target.card === at.card) return true;
    return this.decision?.kind === "pay" && this.decision.card === at.card;
  }

  /** Show what is under the mouse or has the focus. */
  hover(at: BoardTarget): void {
    this.inspected = at;
    this.hovered = at;
  }

  /** Show a die or card in the inspector, with no other effect. */
  inspect(at: BoardTarget): void {
    this.inspected = at;
    this.isInspectorOpen = true;
  }

  /**
   * Handle a click on a die: choose or select it, or ask why it cannot be chosen. By touch, an action is shown on the
   * stage first.
   */
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

  /** List the dice on a card that can be selected now. */
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

  /** Ask the server why this die's A and D are what they are. */
  requestStatReasons(die: number): void {
    const key = `${this.view.version} ${die}`;
    if (this.statReasons.key === key || !this.send) return;
    this.statReasons = { key, lines: [] };
    this.send({ type: "look", die });
  }

  /** Ask the server why something is not possible now. */
  whyNot(thing: BoardTarget | { ability: number }): void {
    if (!this.send || !this.you.length || this.view.result) return;
    const decision = this.view.decision;
    if (!this.isCaughtUp || this.isWaiting) return;
    if (decision && !this.you.includes(decision.seat))
      return this.showNote(`${gameText.decidesNow(this.name(decision.seat))}.`);
    this.send({ type: "why not", thing, want: "" });
  }
}

/** Return a view's log entries, each with the number of choices made by then. */
export const stampMoves = (view: View): LogEntry[] => view.news.map((line) => ({ ...line, move: view.move }));

/** Return a view's log entries with the life before and after each change and the rule a scripted player followed. */
export function logEntries(view: View, before: View["life"] = {}): LogEntry[] {
  const change = (line: LogEntryData): number =>
    line.kind === "life" ? line.amount : line.kind === "damage" ? -line.amount : 0;
  const left = { ...view.life };
  for (const seat of Object.keys(left) as Seat[]) {
    // The view reports life below 0 as 0; the life before it tells the true total.
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
