import { beforeEach, describe, expect, test, vi } from "vitest";
import type { PuzzleInfo } from "../src/api/protocol";
import {
  dayStart,
  dayNumber,
  saveFailed,
  saveSolutionSeen,
  saveSolved,
  loadProgress,
  longestStreak,
  nextPuzzle,
  dailyStreak,
} from "../src/features/puzzles/puzzleProgress";

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
});

const puzzle = (number: number, goal: PuzzleInfo["goal"], grade: number): PuzzleInfo => ({ number, goal, grade });

describe("days", () => {
  test("are UTC days, numbered as on the server", () => {
    expect(dayNumber(Date.UTC(2026, 10, 16, 0, 0))).toBe(739_936);
    expect(dayNumber(Date.UTC(2026, 10, 16, 23, 59))).toBe(739_936);
    expect(dayStart(739_936).toISOString()).toBe("2026-11-16T00:00:00.000Z");
  });

  test("form a streak that ends today or yesterday", () => {
    expect(dailyStreak([], 10)).toBe(0);
    expect(dailyStreak([10], 10)).toBe(1);
    expect(dailyStreak([8, 9], 10)).toBe(2);
    expect(dailyStreak([10, 8, 9], 10)).toBe(3);
    expect(dailyStreak([7, 8], 10)).toBe(0);
    expect(dailyStreak([6, 7, 9], 10)).toBe(1);
    expect(longestStreak([1, 2, 3, 9, 10])).toBe(3);
    expect(longestStreak([])).toBe(0);
  });
});

describe("saved progress", () => {
  test("contains solved puzzles and days", () => {
    saveSolved(7, null);
    saveSolved(8, 100);
    saveSolved(8, 100);
    expect(loadProgress()).toEqual({ states: { 7: "solved", 8: "solved" }, failed: {}, days: [100] });
  });

  test("counts failed attempts", () => {
    saveFailed(7, 1);
    saveFailed(7, 2);
    saveSolved(7, null);
    expect(loadProgress()).toEqual({ states: { 7: "solved" }, failed: { 7: 2 }, days: [] });
  });

  test("ignores a solve after the solution was seen, and keeps an earlier one", () => {
    saveSolutionSeen(7);
    saveSolved(7, 100);
    saveSolved(8, null);
    saveSolutionSeen(8);
    expect(loadProgress()).toEqual({ states: { 7: "seen", 8: "solved" }, failed: {}, days: [] });
  });

  test("ignores invalid stored data", () => {
    storage.set("dicemasters puzzles", '{"days": 5}');
    expect(loadProgress()).toEqual({ states: {}, failed: {}, days: [] });
    storage.set("dicemasters puzzles", "no JSON");
    expect(loadProgress()).toEqual({ states: {}, failed: {}, days: [] });
  });
});

test("the next puzzle is equally hard, then harder, then easier, then of another kind", () => {
  const all = [puzzle(1, "win", 1), puzzle(2, "win", 2), puzzle(3, "buy", 2), puzzle(4, "win", 2), puzzle(5, "win", 3)];
  const order: number[] = [];
  const states: Record<number, "solved"> = { 2: "solved" };
  for (let n = 0; n < 4; n++) {
    const next = nextPuzzle(all, all[1]!, states);
    order.push(next);
    states[next] = "solved";
  }
  expect(order).toEqual([4, 5, 1, 3]);
  expect(nextPuzzle(all, all[1]!, states)).toBe(4); // all are solved
  expect(nextPuzzle([all[0]!], all[0]!, {})).toBe(1);
});
