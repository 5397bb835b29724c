/** Clocks that run on between two words of the server. */

import type { ClockData, Seat } from "../api/protocol";

/** One clock: whose it is, the seconds it shows, and whether it runs. */
export interface ClockReading {
  seat: Seat;
  seconds: number;
  runs: boolean;
}

/** Give what the clocks show so many seconds after the server has told. */
export function clockReadings(face: ClockData | null, elapsed: number): ClockReading[] {
  if (!face) return [];
  const left = (Object.entries(face.left) as [Seat, number][]).map(([seat, seconds]) =>
    clockReading(seat, seconds, seat === face.running, elapsed),
  );
  if (left.length || !face.running || face.seconds === null) return left;
  return [clockReading(face.running, face.seconds, true, elapsed)]; // only the choice is timed
}

function clockReading(seat: Seat, seconds: number, runs: boolean, elapsed: number): ClockReading {
  return { seat, seconds: Math.max(0, runs ? seconds - elapsed : seconds), runs };
}

export class Clocks {
  #face = $state.raw<ClockData | null>(null);
  #elapsed = $state(0);
  #receivedAt = 0;
  #timer = 0;

  readonly readings: ClockReading[] = $derived(clockReadings(this.#face, this.#elapsed));

  /** Show what the server has just told, and count on from there. */
  show(face: ClockData | null): void {
    this.stop();
    this.#face = face;
    this.#receivedAt = performance.now();
    this.#elapsed = 0;
    if (face?.running)
      this.#timer = window.setInterval(() => (this.#elapsed = (performance.now() - this.#receivedAt) / 1000), 500);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
