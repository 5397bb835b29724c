/** Puzzles of this browser: which are solved, the day's, days in a row; kept on this device only. */

import { json } from "../../api/client";
import type { Choice, PuzzleHint, PuzzleList, PuzzleOfDay, PuzzleInfo, PuzzleDetails, PuzzleSolution, PuzzleProgress, Explanation, TargetRef } from "../../api/protocol";
import { keep, kept } from "../../app/localStore";

const KEY = "puzzles";
const DAY = 86_400_000; // milliseconds
const FIRST_DAY = 719_163; // the day on which the clocks of computers begin, counted from the first of the year 1

export const getPuzzles = async (): Promise<PuzzleInfo[]> => (await json<PuzzleList>("/puzzles")).puzzles;
export const getDay = async (day: number): Promise<number> => (await json<PuzzleOfDay>(`/puzzles/days/${day}`)).number;
export const getPuzzle = (number: number): Promise<PuzzleDetails> => json(`/puzzles/${number}`);
export const tryPuzzle = (number: number, choices: readonly Choice[]): Promise<PuzzleProgress> => json(`/puzzles/${number}`, { choices });
export const whyNot = (number: number, choices: readonly Choice[], thing: TargetRef): Promise<Explanation> => json(`/puzzles/${number}/why`, { choices, thing });
export const getHint = async (number: number, n: number): Promise<string> => (await json<PuzzleHint>(`/puzzles/${number}/hints/${n}`)).text;
export const getSolution = (number: number): Promise<PuzzleSolution> => json(`/puzzles/${number}/solution`);

export type State = "solved" | "seen";

/** What this browser knows: how each puzzle ended, how often it was tried, and on which days the day's was solved. */
export interface Known {
  states: Record<number, State>;
  /** tries that came to nothing */
  failed: Record<number, number>;
  days: number[];
}

/** Give the number of a day, as the server counts them: everybody's day is that of UTC. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY) + FIRST_DAY;
export const today = (): number => dayOf(Date.now());

/** Give the moment at which a day begins. */
export const beginOf = (day: number): Date => new Date((day - FIRST_DAY) * DAY);

export function known(): Known {
  const { states, failed, days } = kept<Partial<Known>>(KEY, {});
  return { states: states ?? {}, failed: failed ?? {}, days: Array.isArray(days) ? days : [] };
}

/** Count the days in a row on which the day's puzzle was solved, up to this day or the one before. */
export function streak(days: readonly number[], day: number): number {
  const solved = new Set(days);
  let at = solved.has(day) ? day : day - 1;
  let n = 0;
  for (; solved.has(at); at -= 1) n += 1;
  return n;
}

/** Give the longest row of days there was. */
export const longest = (days: readonly number[]): number => Math.max(0, ...days.map((day) => streak(days, day)));

/** Note that a puzzle was solved; one whose solution was seen before stays that. A day's puzzle counts for its day. */
export function keepSolved(number: number, day: number | null): Known {
  const now = known();
  if (now.states[number] === "seen") return now;
  now.states[number] = "solved";
  if (day !== null && !now.days.includes(day)) now.days.push(day);
  keep(KEY, now);
  return now;
}

/** Note how many tries at a puzzle have come to nothing. */
export function keepFailed(number: number, tries: number): void {
  const now = known();
  now.failed[number] = tries;
  keep(KEY, now);
}

/** Note that somebody looked at the solution of a puzzle they have not solved. */
export function keepSeen(number: number): void {
  const now = known();
  now.states[number] ??= "seen";
  keep(KEY, now);
}

/** Find what to solve next: the same kind, as hard or else harder, from this number on; what is left when all is done. */
export function nextOf(all: readonly PuzzleInfo[], at: PuzzleInfo, states: Known["states"]): number {
  const others = all.filter((one) => one.number !== at.number);
  const open = others.filter((one) => !states[one.number]);
  const far = (one: PuzzleInfo): number[] => [Number(one.goal !== at.goal), one.grade < at.grade ? 10 - one.grade : one.grade, Number(one.number < at.number), one.number];
  const from = open.length ? open : others;
  return from.toSorted((x, y) => order(far(x), far(y)))[0]?.number ?? at.number;
}

function order(x: readonly number[], y: readonly number[]): number {
  const n = x.findIndex((value, i) => value !== y[i]);
  return n < 0 ? 0 : x[n]! - y[n]!;
}
