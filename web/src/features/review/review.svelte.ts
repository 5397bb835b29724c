/** Review of a game: loads its ratings part by part, and finds the turning points. */

import { ApiError, getReview } from "../../api/client";
import type { Seat, RatedStep } from "../../api/protocol";

export interface TurningPoint {
  step: number;
  turn: number;
  seat: Seat;
  change: number; // change of A's chance to win between this step and the next
  better: string;
}

const MAX_POINTS = 5;
const MIN_CHANGE = 0.05;

/** Return the steps at which A's chance changed most, in the order of the game. */
export function turningPoints(steps: readonly RatedStep[]): TurningPoint[] {
  const found = steps.slice(0, -1).map((one, n): TurningPoint => {
    const change = steps[n + 1]!.best - one.best;
    return { step: one.step, turn: one.turn, seat: one.seat, change, better: one.better };
  });
  return found
    .filter((one) => one.turn > 0 && Math.abs(one.change) >= MIN_CHANGE) // choosing the starting player does not count
    .sort((x, y) => Math.abs(y.change) - Math.abs(x.change) || x.step - y.step)
    .slice(0, MAX_POINTS)
    .sort((x, y) => x.step - y.step);
}

export class GameReview {
  steps: RatedStep[] = $state.raw([]);
  next: number | null = $state(0); // the step to load next; null when everything is loaded
  problem = $state("");
  isWaiting = $state(false);
  readonly turningPoints: TurningPoint[] = $derived(turningPoints(this.steps));
  #isClosed = false;
  #timer = 0;

  constructor(private readonly game: string) {
    void this.#load();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Return A's chance to win at a step: the latest rating up to it. */
  chanceAt(step: number): number | null {
    let found: number | null = null;
    for (const one of this.steps) {
      if (one.step > step) break;
      found = one.best;
    }
    return found;
  }

  async #load(): Promise<void> {
    while (!this.#isClosed && this.next !== null) {
      try {
        const part = await getReview(this.game, this.next);
        this.steps = [...this.steps, ...part.steps];
        this.next = part.next;
        this.isWaiting = false;
      } catch (e) {
        if (!(e instanceof ApiError && e.isBusy)) {
          this.problem = e instanceof ApiError ? e.message : String(e);
          return;
        }
        this.isWaiting = true; // too many requests: the rest is loaded later
        await new Promise((on) => (this.#timer = window.setTimeout(on, 2500)));
      }
    }
  }
}
