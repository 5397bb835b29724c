import { describe, expect, test } from "vitest";
import { clockReadings } from "../src/game/clocks.svelte";

describe("clocks", () => {
  test("only the running clock advances, and none goes below zero", () => {
    const face = { left: { A: 60, B: 2 }, running: "B", seconds: 2 } as const;
    expect(clockReadings(face, 1.5)).toEqual([
      { seat: "A", seconds: 60, runs: false },
      { seat: "B", seconds: 0.5, runs: true },
    ]);
    expect(clockReadings(face, 9)[1]!.seconds).toBe(0);
  });

  test("with a limit per choice only, the deciding player has a clock", () => {
    expect(clockReadings({ left: {}, running: "A", seconds: 30 }, 10)).toEqual([
      { seat: "A", seconds: 20, runs: true },
    ]);
    expect(clockReadings({ left: {}, running: null, seconds: null }, 10)).toEqual([]);
    expect(clockReadings(null, 0)).toEqual([]);
  });
});
