/** Progress in puzzles: solved ones, the puzzle of the day, streaks. Stored only on this device. */

import { requestJson } from "../../api/client";
import type {
  Choice,
  PuzzleHint,
  PuzzleList,
  PuzzleOfDay,
  PuzzleInfo,
  PuzzleDetails,
  PuzzleSolution,
  PuzzleProgress,
  Explanation,
  TargetRef,
} from "../../api/protocol";
import { saveLocal, loadLocal } from "../../app/localStore";

const KEY = "puzzles";
const DAY = 86_400_000; // in milliseconds
const FIRST_DAY = 719_163; // 1 January 1970, as the server numbers days: from 1 for the first day of the year 1

export const getPuzzles = async (): Promise<PuzzleInfo[]> => (await requestJson<PuzzleList>("/puzzles")).puzzles;
export const getDay = async (day: number): Promise<number> =>
  (await requestJson<PuzzleOfDay>(`/puzzles/days/${day}`)).number;
export const getPuzzle = (number: number): Promise<PuzzleDetails> => requestJson(`/puzzles/${number}`);
export const tryPuzzle = (number: number, choices: readonly Choice[]): Promise<PuzzleProgress> =>
  requestJson(`/puzzles/${number}`, { choices });
export const whyNot = (number: number, choices: readonly Choice[], thing: TargetRef): Promise<Explanation> =>
  requestJson(`/puzzles/${number}/why`, { choices, thing });
export const getHint = async (number: number, n: number): Promise<string> =>
  (await requestJson<PuzzleHint>(`/puzzles/${number}/hints/${n}`)).text;
export const getSolution = (number: number): Promise<PuzzleSolution> => requestJson(`/puzzles/${number}/solution`);

export type PuzzleState = "solved" | "seen";

/**
 * What this browser knows: the state of each puzzle, failed attempts, and days on which the day's puzzle was solved.
 */
export interface SavedProgress {
  states: Record<number, PuzzleState>;
  /** number of failed attempts per puzzle */
  failed: Record<number, number>;
  days: number[];
}

/** Return the number of a UTC day, as the server counts days. */
export const dayNumber = (ms: number): number => Math.floor(ms / DAY) + FIRST_DAY;
export const today = (): number => dayNumber(Date.now());

/** Return the time at which a day begins. */
export const dayStart = (day: number): Date => new Date((day - FIRST_DAY) * DAY);

export function loadProgress(): SavedProgress {
  const { states, failed, days } = loadLocal<Partial<SavedProgress>>(KEY, {});
  return { states: states ?? {}, failed: failed ?? {}, days: Array.isArray(days) ? days : [] };
}

/** Return the length of the streak of solved daily puzzles that ends on this day or the day before. */
export function dailyStreak(days: readonly number[], day: number): number {
  const solved = new Set(days);
  let at = solved.has(day) ? day : day - 1;
  let n = 0;
  for (; solved.has(at); at -= 1) n += 1;
  return n;
}

/** Return the length of the longest streak. */
export const longestStreak = (days: readonly number[]): number =>
  Math.max(0, ...days.map((day) => dailyStreak(days, day)));

/** Record that a puzzle was solved, unless its solution was seen before. A daily puzzle counts for its day. */
export function saveSolved(number: number, day: number | null): SavedProgress {
  const now = loadProgress();
  if (now.states[number] === "seen") return now;
  now.states[number] = "solved";
  if (day !== null && !now.days.includes(day)) now.days.push(day);
  saveLocal(KEY, now);
  return now;
}

/** Record the number of failed attempts at a puzzle. */
export function saveFailed(number: number, tries: number): void {
  const now = loadProgress();
  now.failed[number] = tries;
  saveLocal(KEY, now);
}

/** Record that the solution of a puzzle was seen before it was solved. */
export function saveSolutionSeen(number: number): void {
  const now = loadProgress();
  now.states[number] ??= "seen";
  saveLocal(KEY, now);
}

/**
 * Return the number of the puzzle to solve next: preferably unsolved, of the same kind, as hard or harder, with a higher
 * number.
 */
export function nextPuzzle(all: readonly PuzzleInfo[], at: PuzzleInfo, states: SavedProgress["states"]): number {
  const others = all.filter((one) => one.number !== at.number);
  const open = others.filter((one) => !states[one.number]);
  const rank = (one: PuzzleInfo): number[] => [
    Number(one.goal !== at.goal),
    one.grade < at.grade ? 10 - one.grade : one.grade,
    Number(one.number < at.number),
    one.number,
  ];
  const from = open.length ? open : others;
  return from.toSorted((x, y) => order(rank(x), rank(y)))[0]?.number ?? at.number;
}

function order(x: readonly number[], y: readonly number[]): number {
  const n = x.findIndex((value, i) => value !== y[i]);
  return n < 0 ? 0 : x[n]! - y[n]!;
}
