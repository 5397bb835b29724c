/** Puzzles of this browser: which are solved, the day's, days in a row; kept on this device only. */

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
const DAY = 86_400_000; // milliseconds
const FIRST_DAY = 719_163; // the day on which the clocks of computers begin, counted from the first of the year 1

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

/** What this browser knows: how each puzzle ended, how often it was tried, and on which days the day's was solved. */
export interface SavedProgress {
  states: Record<number, PuzzleState>;
  /** tries that came to nothing */
  failed: Record<number, number>;
  days: number[];
}

/** Give the number of a day, as the server counts them: everybody's day is that of UTC. */
export const dayNumber = (ms: number): number => Math.floor(ms / DAY) + FIRST_DAY;
export const today = (): number => dayNumber(Date.now());

/** Give the moment at which a day begins. */
export const dayStart = (day: number): Date => new Date((day - FIRST_DAY) * DAY);

export function loadProgress(): SavedProgress {
  const { states, failed, days } = loadLocal<Partial<SavedProgress>>(KEY, {});
  return { states: states ?? {}, failed: failed ?? {}, days: Array.isArray(days) ? days : [] };
}

/** Count the days in a row on which the day's puzzle was solved, up to this day or the one before. */
export function dailyStreak(days: readonly number[], day: number): number {
  const solved = new Set(days);
  let at = solved.has(day) ? day : day - 1;
  let n = 0;
  for (; solved.has(at); at -= 1) n += 1;
  return n;
}

/** Give the longest row of days there was. */
export const longestStreak = (days: readonly number[]): number =>
  Math.max(0, ...days.map((day) => dailyStreak(days, day)));

/** Note that a puzzle was solved; one whose solution was seen before stays that. A day's puzzle counts for its day. */
export function saveSolved(number: number, day: number | null): SavedProgress {
  const now = loadProgress();
  if (now.states[number] === "seen") return now;
  now.states[number] = "solved";
  if (day !== null && !now.days.includes(day)) now.days.push(day);
  saveLocal(KEY, now);
  return now;
}

/** Note how many tries at a puzzle have come to nothing. */
export function saveFailed(number: number, tries: number): void {
  const now = loadProgress();
  now.failed[number] = tries;
  saveLocal(KEY, now);
}

/** Note that somebody looked at the solution of a puzzle they have not solved. */
export function saveSolutionSeen(number: number): void {
  const now = loadProgress();
  now.states[number] ??= "seen";
  saveLocal(KEY, now);
}

/** Find what to solve next: the same kind, as hard or else harder, from this number on; what is left when all is done. */
export function nextPuzzle(all: readonly PuzzleInfo[], at: PuzzleInfo, states: SavedProgress["states"]): number {
  const others = all.filter((one) => one.number !== at.number);
  const open = others.filter((one) => !states[one.number]);
  const far = (one: PuzzleInfo): number[] => [
    Number(one.goal !== at.goal),
    one.grade < at.grade ? 10 - one.grade : one.grade,
    Number(one.number < at.number),
    one.number,
  ];
  const from = open.length ? open : others;
  return from.toSorted((x, y) => order(far(x), far(y)))[0]?.number ?? at.number;
}

function order(x: readonly number[], y: readonly number[]): number {
  const n = x.findIndex((value, i) => value !== y[i]);
  return n < 0 ? 0 : x[n]! - y[n]!;
}
