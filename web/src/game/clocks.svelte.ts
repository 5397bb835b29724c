/** Clocks that keep running between messages of the server. */

import type { ClockData, Seat } from "../api/protocol";

/** One clock: its player, the seconds it shows, and whether it runs. */
export interface ClockReading {
  seat: Seat;
  seconds: number;
  runs: boolean;
}

/** Return what the clocks show so many seconds after the server's message. */
export function clockReadings(clock: ClockData | null, elapsed: number): ClockReading[] {
  if (!clock) return [];
  const left = (Object.entries(clock.left) as [Seat, number][]).map(([seat, seconds]) =>
    clockReading(seat, seconds, seat === clock.running, elapsed),
  );
  if (left.length || !clock.running || clock.seconds === null) return left;
  return [clockReading(clock.running, clock.seconds, true, elapsed)]; // only the current choice is timed
}

function clockReading(seat: Seat, seconds: number, runs: boolean, elapsed: number): ClockReading {
  return { seat, seconds: Math.max(0, runs ? seconds - elapsed : seconds), runs };
}

export class Clocks {
  #clock = $state.raw<ClockData | null>(null);
  #elapsed = $state(0);
  #receivedAt = 0;
  #timer = 0;

  readonly readings: ClockReading[] = $derived(clockReadings(this.#clock, this.#elapsed));

  /** Show clock data just received, and count on from there. */
  show(clock: ClockData | null): void {
    this.stop();
    this.#clock = clock;
    this.#receivedAt = performance.now();
    this.#elapsed = 0;
    if (clock?.running)
      this.#timer = window.setInterval(() => (this.#elapsed = (performance.now() - this.#receivedAt) / 1000), 500);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
