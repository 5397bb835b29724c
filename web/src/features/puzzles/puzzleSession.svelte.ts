/** Being at a puzzle: the table, what was tried, what came of it, hints, and the solution move by move. */

import { Problem } from "../../api/client";
import { Board, newsOf } from "../../game/board.svelte";
import type { BuyEstimate, Choice, PuzzleDetails, SolutionStep, TargetRef, ClientMessage, View } from "../../api/protocol";
import { metaWith } from "../lessons/lessonSession.svelte";
import { puzzleWords, said } from "../../i18n";
import { getDay, getHint, getPuzzle, getSolution, keepFailed, keepSeen, keepSolved, known, today, tryPuzzle, whyNot } from "./puzzleProgress";
import { stay } from "../../game/viewQueue";
import { settings } from "../../app/settings.svelte";
import { voiced, type Happened } from "../../game/narration";

/** open: it is being tried; asking: whether to look at the solution; shown: the solution is gone through. */
export type Stage = "open" | "failed" | "solved" | "asking" | "shown";

interface Before {
  view: View;
  log: Happened[];
}

export class Solving {
  board: Board | null = $state.raw(null);
  posed: PuzzleDetails | null = $state.raw(null);
  stage: Stage = $state("open");
  text = $state("");
  /** how often something was said, so that the same words can be said twice */
  spoken = $state(0);
  problem = $state("");
  /** tries so far, this one included */
  tries = $state(1);
  hints = $state(0);
  measured: BuyEstimate[] = $state.raw([]);
  steps: SolutionStep[] = $state.raw([]);
  /** how many moves of the solution are shown */
  at = $state(0);
  isDaily = $state(false);
  /** whether it counts: its solution was not seen before */
  counts = $state(true);
  made: number = $state(0);
  private way: string[] = [];
  private choices: Choice[] = [];
  private before: Before[] = [];
  private timer = 0;
  private closed = false;

  constructor(readonly number: number) {
    const { states, failed } = known();
    this.counts = states[number] !== "seen";
    this.tries = 1 + (failed[number] ?? 0);
    void this.begin();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private async begin(): Promise<void> {
    try {
      const posed = await getPuzzle(this.number);
      if (this.closed) return;
      const board = new Board(posed.table, posed.view);
      board.meta = metaWith(posed.seat, puzzleWords.opponent);
      board.you = [posed.seat];
      board.near = posed.seat;
      this.posed = posed;
      this.board = board;
      this.again();
      this.isDaily = (await getDay(today())) === this.number;
    } catch (e) {
      this.problem = e instanceof Problem ? e.message : said.noAnswer;
    }
  }

  /** Begin the puzzle anew. */
  again(): void {
    if (!this.posed) return;
    if (this.stage === "failed") this.tries += 1;
    this.choices = [];
    this.before = [];
    this.open({ view: this.posed.view, log: [] });
    this.say(puzzleWords.tasks[this.posed.goal]!);
  }

  /** Take the last choice back. */
  takeBack(): void {
    const last = this.before.pop();
    if (!last) return;
    if (this.stage === "failed") this.tries += 1;
    this.choices = this.choices.slice(0, -1);
    this.open(last);
    this.say(puzzleWords.tasks[this.posed!.goal]!);
  }

  private open({ view, log }: Before): void {
    const board = this.board!;
    this.stage = "open";
    this.made = this.choices.length;
    this.measured = [];
    board.send = (message) => this.hear(message);
    board.waiting = false;
    board.log = log;
    board.view = view;
    board.menu = null;
    board.pile = null;
    board.begin();
  }

  async hint(): Promise<void> {
    await this.asking(async () => {
      const n = Math.min(this.hints + 1, this.posed!.hints);
      const text = await getHint(this.number, n);
      this.hints = n;
      this.say(this.voiced(text));
    });
  }

  /** Ask whether to look at the solution, where that would cost something; else show it. */
  askSolution(): void {
    if (known().states[this.number]) return void this.showSolution();
    this.stage = "asking";
    this.say(puzzleWords.notCounted);
  }

  /** Go back from the question to the try. */
  notYet(): void {
    this.stage = "open";
    this.say(puzzleWords.tasks[this.posed!.goal]!);
  }

  async showSolution(): Promise<void> {
    await this.asking(async () => {
      const { steps, way, measured } = await getSolution(this.number);
      keepSeen(this.number);
      this.counts = known().states[this.number] !== "seen";
      this.steps = steps;
      this.way = way;
      this.measured = measured;
      this.stage = "shown";
      this.choices = []; // nothing comes of a try on its way
      this.board!.send = null;
      this.goTo(0);
    });
  }

  /** Show the table after so many moves of the solution. */
  goTo(n: number): void {
    const board = this.board!;
    this.at = Math.max(0, Math.min(n, this.steps.length));
    board.log = this.steps.slice(0, this.at).flatMap((step) => newsOf(step.view));
    board.view = this.at ? this.steps[this.at - 1]!.view : this.posed!.view;
    board.begin();
    const step = this.steps[this.at - 1];
    if (step) this.say(puzzleWords.move(board.who(step.seat), this.voiced(step.text)));
    else this.say(puzzleWords.wayIs(this.way.map((one) => this.voiced(one)).join("; ")));
  }

  private hear(message: ClientMessage): boolean {
    if (message.type === "play") void this.attempt(message.choice);
    else if (message.type === "undo") setTimeout(() => this.takeBack());
    else if (message.type === "why not") void this.asking(() => this.whyNot(message.thing));
    else return false;
    return true;
  }

  /** Say why a thing cannot be chosen; what no rule forbids is no answer to this puzzle. */
  private async whyNot(thing: TargetRef): Promise<void> {
    const made = this.choices;
    const said = await whyNot(this.number, made, thing);
    if (this.closed || this.choices !== made || this.stage !== "open") return;
    this.board!.say(said.text ? this.voiced(said.text) : this.posed!.goal === "buy" ? puzzleWords.onlyBuys : puzzleWords.cannot, said.rule);
  }

  private async attempt(choice: Choice): Promise<void> {
    const board = this.board!;
    const asked: Before = { view: board.view, log: board.log };
    let made = this.choices;
    const text = "option" in choice ? (board.view.decision?.options.find((one) => one.number === choice.option)?.text ?? "") : "";
    try {
      const tried = await tryPuzzle(this.number, [...this.choices, choice]);
      if (this.closed || this.choices !== made) return; // it was begun anew meanwhile
      this.choices = made = [...made, choice];
      this.before = [...this.before, asked];
      for (const [n, view] of tried.views.entries()) {
        if (n) await this.stay(tried.views[n - 1]!);
        if (this.closed || this.choices !== made) return;
        board.log = [...board.log, ...newsOf(view, board.view.life)];
        board.view = view;
      }
      if (tried.outcome === "open") {
        this.made = this.choices.length;
        board.waiting = false;
        board.menu = null;
        board.begin();
        board.settle();
        return;
      }
      board.send = null; // the try is over
      board.waiting = false;
      if (tried.outcome === "failed") {
        this.stage = "failed";
        keepFailed(this.number, this.tries);
        const buy = tried.measured.find((one) => one.text === text);
        return this.say(buy ? puzzleWords.buyWrong(this.voiced(buy.text), buy.share) : tried.said.map((one) => this.voiced(one)).join(" ") || puzzleWords.cannot);
      }
      await this.stay(board.view);
      if (this.closed || this.choices !== made) return;
      this.measured = tried.measured;
      keepSolved(this.number, this.isDaily ? today() : null);
      this.stage = "solved";
      this.say(tried.said.join(" "));
    } catch (e) {
      board.waiting = false;
      board.begin();
      board.say(e instanceof Problem ? e.message : said.noAnswer);
    }
  }

  /** Let a view be seen for as long as it takes to follow it. */
  private stay(view: View): Promise<void> {
    return new Promise((done) => (this.timer = window.setTimeout(done, stay(view, settings.speed))));
  }

  private async asking(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (e) {
      this.board?.say(e instanceof Problem ? e.message : said.noAnswer);
    }
  }

  private voiced(text: string): string {
    const heard = voiced(text, this.board!.hearing);
    return heard.charAt(0).toUpperCase() + heard.slice(1);
  }

  private say(text: string): void {
    this.text = text;
    this.spoken += 1;
  }
}
