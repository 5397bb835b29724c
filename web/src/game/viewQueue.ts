/** Queue of views to be shown, so that the viewer can follow instant moves. */

import type { View } from "../api/protocol";
import type { ViewFrame } from "./combatPreview";

export type Speed = "slow" | "normal" | "fast" | "at once";

const SPEED_FACTOR: Record<Speed, number> = { slow: 2, normal: 1, fast: 0.4, "at once": 0 };

/** Return how long a view is shown before the next one, in milliseconds. */
export function displayTime(view: View, speed: Speed): number {
  const { duration } = view as Partial<ViewFrame>;
  if (duration) return duration * SPEED_FACTOR[speed];
  let longest = 120; // nothing to see
  for (const news of view.news) {
    const needs = {
      toss: 700,
      roll: 1100,
      damage: 900,
      ko: 900,
      life: 900,
      turn: 700,
      draw: 500,
      step: 250,
      move: 500,
      pay: 200,
      happening: 600,
    };
    longest = Math.max(longest, /: (pass|keep all|no block|no attack)$/.test(news.text) ? 250 : needs[news.kind]);
  }
  return longest * SPEED_FACTOR[speed];
}

/** Keeps views in order, drops duplicates, and skips ahead when too many are waiting. */
export class ViewQueue {
  #waiting: View[] = [];
  #lastVersion = -1;

  constructor(private readonly maxLength = 40) {}

  /** Add a view. Return false if it is not newer than the last one. */
  push(view: View): boolean {
    if (view.version <= this.#lastVersion) return false;
    this.#lastVersion = view.version;
    this.#waiting.push(view);
    return true;
  }

  /** Put views back at the front of the queue. */
  putBack(views: View[]): void {
    this.#waiting.unshift(...views);
  }

  /** Start over from a view that is shown at once. */
  reset(view: View): void {
    this.#waiting = [];
    this.#lastVersion = view.version;
  }

  /** Return the views to show next: one, or all of them if too many are waiting. */
  take(everything = false): View[] {
    if (everything || this.#waiting.length > this.maxLength) return this.#waiting.splice(0);
    return this.#waiting.splice(0, 1);
  }

  get length(): number {
    return this.#waiting.length;
  }
}
