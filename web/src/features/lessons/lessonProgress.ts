/** Progress in each lesson, stored only on this device. */

const KEY = "dicemasters lessons";

type Progress = Record<string, { step: number; done: boolean }>;

function read(): Progress {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Progress;
  } catch {
    return {}; // storage disabled, or written by other code
  }
}

/** Return the step to continue with, from 0; also 0 if the lesson has not been started. */
export const lessonStep = (lesson: string): number => read()[lesson]?.step ?? 0;

/** Whether the lesson has been completed. */
export const lessonDone = (lesson: string): boolean => read()[lesson]?.done ?? false;

/** Store the current step. A completed lesson starts over the next time. */
export function saveStep(lesson: string, step: number, over = false): void {
  const known = read();
  known[lesson] = { step: over ? 0 : step, done: over || (known[lesson]?.done ?? false) };
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // storage disabled or full: the URL still has the step
  }
}
