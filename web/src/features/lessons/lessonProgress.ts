/** How far this browser has come in each lesson; kept on this device only. */

const KEY = "dicemasters lessons";

type Progress = Record<string, { step: number; done: boolean }>;

function read(): Progress {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Progress;
  } catch {
    return {}; // storage switched off, or written by something else
  }
}

/** Give the step to go on with, from 0; 0 too where the lesson has not been begun. */
export const lessonStep = (lesson: string): number => read()[lesson]?.step ?? 0;

/** Tell whether the lesson has been gone through to its end. */
export const lessonDone = (lesson: string): boolean => read()[lesson]?.done ?? false;

/** Keep the step somebody is at; at the end it begins anew next time. */
export function saveStep(lesson: string, step: number, over = false): void {
  const known = read();
  known[lesson] = { step: over ? 0 : step, done: over || (known[lesson]?.done ?? false) };
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // storage switched off or full: the address still says the step
  }
}
