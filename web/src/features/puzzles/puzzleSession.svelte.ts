/** Being at a puzzle: the table, what was tried, what came of it, hints, and the solution move by move. */

import { ApiError } from "../../api/client";
import { Board, logEntries } from "../../game/board.svelte";
import type {
  BuyEstimate,
  Choice,
  PuzzleDetails,
  SolutionStep,
  TargetRef,
  ClientMessage,
  View,
} from "../../api/protocol";
import { soloMeta } from "../lessons/lessonSession.svelte";
import { puzzlesText, pagesText } from "../../i18n";
import {
  getDay,
  getHint,
  getPuzzle,
  getSolution,
  saveFailed,
  saveSolutionSeen,
  saveSolved,
  loadProgress,
  today,
  tryPuzzle,
  whyNot,
} from "./puzzleProgress";
import { displayTime } from "../../game/viewQueue";
import { settings } from "../../app/settings.svelte";
import { personalize, type LogEntry } from "../../game/narration";

/** open: it is being tried; asking: whether to look at the solution; shown: the solution is gone through. */
export type PuzzleStage = "open" | "failed" | "solved" | "asking" | "shown";

interface Checkpoint {
  view: View;
  log: LogEntry[];
}

export class PuzzleSession {
  board: Board | null = $state.raw(null);
  puzzle: PuzzleDetails | null = $state.raw(null);
  stage: PuzzleStage = $state("open");
  text = $state("");
  /** how often something was said, so that the same words can be said twice */
  messageCount = $state(0);
  problem = $state("");
  /** tries so far, this one included */
  tries = $state(1);
  hints = $state(0);
  measured: BuyEstimate[] = $state.raw([]);
  steps: SolutionStep[] = $state.raw([]);
  /** how many moves of the solution are shown */
  solutionStep = $state(0);
  isDaily = $state(false);
  /** whether it counts: its solution was not seen before */
  counts = $state(true);
  choiceCount: number = $state(0);
  #solutionTexts: string[] = [];
  #choices: Choice[] = [];
  #checkpoints: Checkpoint[] = [];
  #timer = 0;
  #closed = false;

  constructor(readonly number: number) {
    const { states, failed } = loadProgress();
    this.counts = states[number] !== "seen";
    this.tries = 1 + (failed[number] ?? 0);
    void this.#load();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #load(): Promise<void> {
    try {
      const posed = await getPuzzle(this.number);
      if (this.#closed) return;
      const board = new Board(posed.table, posed.view);
      board.meta = soloMeta(posed.seat, puzzlesText.opponent);
      board.you = [posed.seat];
      board.near = posed.seat;
      this.puzzle = posed;
      this.board = board;
      this.restart();
      this.isDaily = (await getDay(today())) === this.number;
    } catch (e) {
      this.problem = e instanceof ApiError ? e.message : pagesText.noAnswer;
    }
  }

  /** Begin the puzzle anew. */
  restart(): void {
    if (!this.puzzle) return;
    if (this.stage === "failed") this.tries += 1;
    this.#choices = [];
    this.#checkpoints = [];
    this.#restoreCheckpoint({ view: this.puzzle.view, log: [] });
    this.#setText(puzzlesText.tasks[this.puzzle.goal]!);
  }

  /** Take the last choice back. */
  undo(): void {
    const last = this.#checkpoints.pop();
    if (!last) return;
    if (this.stage === "failed") this.tries += 1;
    this.#choices = this.#choices.slice(0, -1);
    this.#restoreCheckpoint(last);
    this.#setText(puzzlesText.tasks[this.puzzle!.goal]!);
  }

  #restoreCheckpoint({ view, log }: Checkpoint): void {
    const board = this.board!;
    this.stage = "open";
    this.choiceCount = this.#choices.length;
    this.measured = [];
    board.send = (message) => this.#handleMessage(message);
    board.isWaiting = false;
    board.log = log;
    board.view = view;
    board.menu = null;
    board.openPile = null;
    board.resetSelection();
  }

  async hint(): Promise<void> {
    await this.#runRequest(async () => {
      const n = Math.min(this.hints + 1, this.puzzle!.hints);
      const text = await getHint(this.number, n);
      this.hints = n;
      this.#setText(this.#personalize(text));
    });
  }

  /** Ask whether to look at the solution, where that would cost something; else show it. */
  requestSolution(): void {
    if (loadProgress().states[this.number]) return void this.showSolution();
    this.stage = "asking";
    this.#setText(puzzlesText.notCounted);
  }

  /** Go back from the question to the try. */
  cancelSolution(): void {
    this.stage = "open";
    this.#setText(puzzlesText.tasks[this.puzzle!.goal]!);
  }

  async showSolution(): Promise<void> {
    await this.#runRequest(async () => {
      const { steps, way, measured } = await getSolution(this.number);
      saveSolutionSeen(this.number);
      this.counts = loadProgress().states[this.number] !== "seen";
      this.steps = steps;
      this.#solutionTexts = way;
      this.measured = measured;
      this.stage = "shown";
      this.#choices = []; // nothing comes of a try on its way
      this.board!.send = null;
      this.goTo(0);
    });
  }

  /** Show the table after so many moves of the solution. */
  goTo(n: number): void {
    const board = this.board!;
    this.solutionStep = Math.max(0, Math.min(n, this.steps.length));
    board.log = this.steps.slice(0, this.solutionStep).flatMap((step) => logEntries(step.view));
    board.view = this.solutionStep ? this.steps[this.solutionStep - 1]!.view : this.puzzle!.view;
    board.resetSelection();
    const step = this.steps[this.solutionStep - 1];
    if (step) this.#setText(puzzlesText.move(board.displayName(step.seat), this.#personalize(step.text)));
    else this.#setText(puzzlesText.wayIs(this.#solutionTexts.map((one) => this.#personalize(one)).join("; ")));
  }

  #handleMessage(message: ClientMessage): boolean {
    if (message.type === "play") void this.#attempt(message.choice);
    else if (message.type === "undo") setTimeout(() => this.undo());
    else if (message.type === "why not") void this.#runRequest(() => this.#whyNot(message.thing));
    else return false;
    return true;
  }

  /** Say why a thing cannot be chosen; what no rule forbids is no answer to this puzzle. */
  async #whyNot(thing: TargetRef): Promise<void> {
    const made = this.#choices;
    const said = await whyNot(this.number, made, thing);
    if (this.#closed || this.#choices !== made || this.stage !== "open") return;
    this.board!.showNote(
      said.text
        ? this.#personalize(said.text)
        : this.puzzle!.goal === "buy"
          ? puzzlesText.onlyBuys
          : puzzlesText.cannot,
      said.rule,
    );
  }

  async #attempt(choice: Choice): Promise<void> {
    const board = this.board!;
    const asked: Checkpoint = { view: board.view, log: board.log };
    let made = this.#choices;
    const text =
      "option" in choice ? (board.view.decision?.options.find((one) => one.number === choice.option)?.text ?? "") : "";
    try {
      const tried = await tryPuzzle(this.number, [...this.#choices, choice]);
      if (this.#closed || this.#choices !== made) return; // it was begun anew meanwhile
      this.#choices = made = [...made, choice];
      this.#checkpoints = [...this.#checkpoints, asked];
      for (const [n, view] of tried.views.entries()) {
        if (n) await this.#pause(tried.views[n - 1]!);
        if (this.#closed || this.#choices !== made) return;
        board.log = [...board.log, ...logEntries(view, board.view.life)];
        board.view = view;
      }
      if (tried.outcome === "open") {
        this.choiceCount = this.#choices.length;
        board.isWaiting = false;
        board.menu = null;
        board.resetSelection();
        board.autoAnswer();
        return;
      }
      board.send = null; // the try is over
      board.isWaiting = false;
      if (tried.outcome === "failed") {
        this.stage = "failed";
        saveFailed(this.number, this.tries);
        const buy = tried.measured.find((one) => one.text === text);
        return this.#setText(
          buy
            ? puzzlesText.buyWrong(this.#personalize(buy.text), buy.share)
            : tried.said.map((one) => this.#personalize(one)).join(" ") || puzzlesText.cannot,
        );
      }
      await this.#pause(board.view);
      if (this.#closed || this.#choices !== made) return;
      this.measured = tried.measured;
      saveSolved(this.number, this.isDaily ? today() : null);
      this.stage = "solved";
      this.#setText(tried.said.join(" "));
    } catch (e) {
      board.isWaiting = false;
      board.resetSelection();
      board.showNote(e instanceof ApiError ? e.message : pagesText.noAnswer);
    }
  }

  /** Let a view be seen for as long as it takes to follow it. */
  #pause(view: View): Promise<void> {
    return new Promise((done) => (this.#timer = window.setTimeout(done, displayTime(view, settings.speed))));
  }

  async #runRequest(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (e) {
      this.board?.showNote(e instanceof ApiError ? e.message : pagesText.noAnswer);
    }
  }

  #personalize(text: string): string {
    const heard = personalize(text, this.board!.listener);
    return heard.charAt(0).toUpperCase() + heard.slice(1);
  }

  #setText(text: string): void {
    this.text = text;
    this.messageCount += 1;
  }
}
