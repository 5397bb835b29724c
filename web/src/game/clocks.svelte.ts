/** Clocks that run on between two words of the server. */

import type { ClockData, Seat } from "../api/protocol";

/** One clock: whose it is, the seconds it shows, and whether it runs. */
export interface Hand {
  seat: Seat;
  seconds: number;
  runs: boolean;
}

/** Give what the clocks show so many seconds after the server has told. */
export function hands(face: ClockData | null, passed: number): Hand[] {
  if (!face) return [];
  const left = (Object.entries(face.left) as [Seat, number][]).map(([seat, seconds]) => hand(seat, seconds, seat === face.running, passed));
  if (left.length || !face.running || face.seconds === null) return left;
  return [hand(face.running, face.seconds, true, passed)]; // only the choice is timed
}

function hand(seat: Seat, seconds: number, runs: boolean, passed: number): Hand {
  return { seat, seconds: Math.max(0, runs ? seconds - passed : seconds), runs };
}

export class Clocks {
  private face = $state.raw<ClockData | null>(null);
  private passed = $state(0);
  private told = 0;
  private timer = 0;

  readonly hands: Hand[] = $derived(hands(this.face, this.passed));

  /** Show what the server has just told, and count on from there. */
  show(face: ClockData | null): void {
    this.stop();
    this.face = face;
    this.told = performance.now();
    this.passed = 0;
    if (face?.running) this.timer = window.setInterval(() => (this.passed = (performance.now() - this.told) / 1000), 500);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
