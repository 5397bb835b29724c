import { describe, expect, test } from "vitest";
import { clockReadings } from "../src/game/clocks.svelte";

describe("clocks", () => {
  test("only the one that runs goes on, and none goes below nothing", () => {
    const face = { left: { A: 60, B: 2 }, running: "B", seconds: 2 } as const;
    expect(clockReadings(face, 1.5)).toEqual([
      { seat: "A", seconds: 60, runs: false },
      { seat: "B", seconds: 0.5, runs: true },
    ]);
    expect(clockReadings(face, 9)[1]!.seconds).toBe(0);
  });

  test("where only choices are timed, the one who decides has a clock", () => {
    expect(clockReadings({ left: {}, running: "A", seconds: 30 }, 10)).toEqual([
      { seat: "A", seconds: 20, runs: true },
    ]);
    expect(clockReadings({ left: {}, running: null, seconds: null }, 10)).toEqual([]);
    expect(clockReadings(null, 0)).toEqual([]);
  });
});
