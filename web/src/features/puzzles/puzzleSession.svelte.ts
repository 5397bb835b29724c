/** A puzzle in progress: the board, the attempt and its result, hints, and the solution move by move. */

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

/** open: being tried; asking: whether to show the solution; shown: stepping through the solution. */
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
  /** number of messages, so that the same text can be announced again */
  messageCount = $state(0);
  problem = $state("");
  /** number of attempts, including this one */
  tries = $state(1);
  hints = $state(0);
  measured: BuyEstimate[] = $state.raw([]);
  steps: SolutionStep[] = $state.raw([]);
  /** number of moves of the solution that are shown */
  solutionStep = $state(0);
  isDaily = $state(false);
  /** whether solving it counts, because its solution was not seen before */
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

  /** Start the puzzle over. */
  restart(): void {
    if (!this.puzzle) return;
    if (this.stage === "failed") this.tries += 1;
    this.#choices = [];
    this.#checkpoints = [];
    this.#restoreCheckpoint({ view: this.puzzle.view, log: [] });
    this.#setText(puzzlesText.tasks[this.puzzle.goal]!);
  }

  /** Take back the last choice. */
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

  /** Show the solution, after a confirmation if seeing it has a cost. */
  requestSolution(): void {
    if (loadProgress().states[this.number]) return void this.showSolution();
    this.stage = "asking";
    this.#setText(puzzlesText.notCounted);
  }

  /** Return from the confirmation to the attempt. */
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
      this.#choices = []; // an attempt still being checked is ignored
      this.board!.send = null;
      this.goTo(0);
    });
  }

  /** Show the board after this many moves of the solution. */
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

  /** Explain why something cannot be chosen. If no rule forbids it, it is just not the answer to this puzzle. */
  async #whyNot(thing: TargetRef): Promise<void> {
    const choices = this.#choices;
    const explanation = await whyNot(this.number, choices, thing);
    if (this.#closed || this.#choices !== choices || this.stage !== "open") return;
    this.board!.showNote(
      explanation.text
        ? this.#personalize(explanation.text)
        : this.puzzle!.goal === "buy"
          ? puzzlesText.onlyBuys
          : puzzlesText.cannot,
      explanation.rule,
    );
  }

  async #attempt(choice: Choice): Promise<void> {
    const board = this.board!;
    const checkpoint: Checkpoint = { view: board.view, log: board.log };
    let choices = this.#choices;
    const text =
      "option" in choice ? (board.view.decision?.options.find((one) => one.number === choice.option)?.text ?? "") : "";
    try {
      const result = await tryPuzzle(this.number, [...this.#choices, choice]);
      if (this.#closed || this.#choices !== choices) return; // restarted meanwhile
      this.#choices = choices = [...choices, choice];
      this.#checkpoints = [...this.#checkpoints, checkpoint];
      for (const [n, view] of result.views.entries()) {
        if (n) await this.#pause(result.views[n - 1]!);
        if (this.#closed || this.#choices !== choices) return;
        board.log = [...board.log, ...logEntries(view, board.view.life)];
        board.view = view;
      }
      if (result.outcome === "open") {
        this.choiceCount = this.#choices.length;
        board.isWaiting = false;
        board.menu = null;
        board.resetSelection();
        board.autoAnswer();
        return;
      }
      board.send = null; // the attempt is over
      board.isWaiting = false;
      if (result.outcome === "failed") {
        this.stage = "failed";
        saveFailed(this.number, this.tries);
        const buy = result.measured.find((one) => one.text === text);
        return this.#setText(
          buy
            ? puzzlesText.buyWrong(this.#personalize(buy.text), buy.share)
            : result.said.map((one) => this.#personalize(one)).join(" ") || puzzlesText.cannot,
        );
      }
      await this.#pause(board.view);
      if (this.#closed || this.#choices !== choices) return;
      this.measured = result.measured;
      saveSolved(this.number, this.isDaily ? today() : null);
      this.stage = "solved";
      this.#setText(result.said.join(" "));
    } catch (e) {
      board.isWaiting = false;
      board.resetSelection();
      board.showNote(e instanceof ApiError ? e.message : pagesText.noAnswer);
    }
  }

  /** Wait as long as it takes to follow a view. */
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
