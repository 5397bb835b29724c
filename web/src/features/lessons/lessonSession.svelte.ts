/** A lesson in progress: the board at one of its moments, the coach's text, and the result of a choice. */

import { ApiError, getLessonMoment, tryLessonChoice } from "../../api/client";
import { Board, logEntries } from "../../game/board.svelte";
import type { Choice, LessonMomentData, Meta, Seat, ClientMessage, View } from "../../api/protocol";
import { pagesText } from "../../i18n";
import { saveStep } from "./lessonProgress";
import { displayTime } from "../../game/viewQueue";
import { replaceHash } from "../../app/router.svelte";
import { settings } from "../../app/settings.svelte";

/** say: what to do; wrong: why a choice is not right; praise: the step is done. */
export type Tone = "say" | "wrong" | "praise";

export class LessonSession {
  board: Board | null = $state.raw(null);
  moment: LessonMomentData | null = $state.raw(null);
  tone: Tone = $state("say");
  text = $state("");
  /** number of messages of the coach, so that the same text can be announced again */
  messageCount = $state(0);
  problem = $state("");
  isOver = $state(false);
  /** whether the result of a choice is being shown, while the coach waits */
  isShowing = $state(false);
  #nextStep = 0;
  #timer = 0;
  #closed = false;

  constructor(
    readonly lesson: string,
    step: number,
  ) {
    void this.goTo(step);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Go to the start of a step, counted from 0. A step after the last one leads to the first. */
  async goTo(step: number): Promise<void> {
    try {
      let moment: LessonMomentData;
      try {
        moment = await getLessonMoment(this.lesson, step, 0);
      } catch (e) {
        if (!step) throw e;
        moment = await getLessonMoment(this.lesson, 0, 0); // an outdated URL
      }
      if (this.#closed) return;
      this.isOver = false;
      this.moment = moment;
      const board = this.board ?? new Board(moment.table, moment.view);
      board.table = moment.table;
      board.meta = soloMeta("A", moment.rival);
      board.you = ["A"];
      board.near = "A";
      board.log = [];
      board.send = (message) => this.#handleMessage(message);
      board.isWaiting = false;
      board.showView(moment.view);
      this.board = board;
      this.#speak("say", moment.say);
      saveStep(this.lesson, moment.step);
      replaceHash(`/learn/${this.lesson}#${moment.step + 1}`);
    } catch (e) {
      this.problem = e instanceof ApiError ? e.message : pagesText.noAnswer;
    }
  }

  /** Continue after a step that was read or done. */
  advance(): void {
    const moment = this.moment;
    if (!moment) return;
    if (this.tone === "praise" && this.#nextStep < 0) return this.#complete();
    const step = this.tone === "praise" ? this.#nextStep : moment.step + 1;
    if (step >= moment.steps) this.#complete();
    else void this.goTo(step);
  }

  /** Make the expected choice for the learner. */
  demonstrate(): void {
    const answer = this.moment?.answer;
    if (!answer || !this.board || this.board.isWaiting || this.tone === "praise") return;
    this.board.isWaiting = true;
    void this.#attempt(answer);
  }

  #handleMessage(message: ClientMessage): boolean {
    if (message.type === "play") void this.#attempt(message.choice);
    else if (message.type === "why not") this.#speak("wrong", this.moment?.say ?? "");
    else return false;
    return true;
  }

  async #attempt(choice: Choice): Promise<void> {
    const { board, moment } = this;
    if (!board || !moment) return;
    const isLeft = (): boolean =>
      this.#closed || this.moment!.step !== moment.step || this.moment!.done !== moment.done;
    try {
      const answer = await tryLessonChoice(this.lesson, moment.step, moment.done, choice);
      if (isLeft()) return; // the learner left the step meanwhile
      if (!answer.right) {
        board.isWaiting = false;
        board.resetSelection();
        return this.#speak("wrong", answer.reason);
      }
      this.isShowing = true;
      for (const view of answer.views) {
        await this.#show(view);
        if (isLeft()) return;
      }
      if (answer.next && answer.next.step === moment.step) {
        this.moment = await getLessonMoment(this.lesson, answer.next.step, answer.next.done);
        board.view = this.moment.view;
        board.isWaiting = false;
        board.resetSelection();
        return this.#speak("say", this.moment.say);
      }
      this.#nextStep = answer.next?.step ?? -1;
      board.send = null; // the step is done
      if (moment.praise) this.#speak("praise", moment.praise);
      else if (answer.next) await this.goTo(answer.next.step);
      else this.#complete();
    } catch (e) {
      board.isWaiting = false;
      this.#speak("wrong", e instanceof ApiError ? e.message : pagesText.noAnswer);
    }
  }

  /** Show a view for as long as it takes to follow it. */
  #show(view: View): Promise<void> {
    const board = this.board!;
    board.log = [...board.log, ...logEntries(view, board.view.life)];
    board.view = view;
    return new Promise((done) => (this.#timer = window.setTimeout(done, displayTime(view, settings.speed))));
  }

  #speak(mood: Tone, text: string): void {
    this.isShowing = false;
    this.tone = mood;
    this.text = text;
    this.messageCount += 1;
  }

  #complete(): void {
    this.isShowing = false;
    this.isOver = true;
    saveStep(this.lesson, 0, true);
  }
}

/** Return the metadata of a board with one person: the player, and an opponent that only answers. */
export const soloMeta = (you: Seat, rival: string): Meta => ({
  names: you === "A" ? { A: settings.name, B: rival } : { A: rival, B: settings.name },
  kinds: you === "A" ? { A: "person", B: "player" } : { A: "player", B: "person" },
  present: ["A", "B"],
  waiting: [],
  watchers: 0,
  offer: null,
  giving_up: null,
  undo: "none",
  rematch: null,
  commitment: null,
  dice: null,
  created: "",
  claim: null,
  clock: null,
});
