/** How this browser likes the table, and the games it holds seats in; kept on this device only. */

import type { Seat } from "../api/protocol";
import type { Speed } from "../game/viewQueue";

export interface Settings {
  theme: "auto" | "dark" | "light";
  speed: Speed;
  motion: "auto" | "less";
  /** two at one screen: turn the table to whoever decides */
  turn: boolean;
  name: string;
  /** do not stop where a turn goes on by itself */
  hurry: boolean;
  /** a coach beside the table */
  coach: boolean;
  /** sounds, and a phone that shakes at the big moments */
  sound: boolean;
}

const STANDARD: Settings = { theme: "dark", speed: "normal", motion: "auto", turn: true, name: "", hurry: false, coach: false, sound: false };

export const settings: Settings = $state({ ...STANDARD, ...kept<Partial<Settings>>("settings", {}) });

export function keepSettings(): void {
  keep("settings", $state.snapshot(settings));
  applyTheme();
}

/** Put the chosen theme on the page. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = settings.theme;
  document.documentElement.dataset["calm"] = isCalm() ? "yes" : "no";
}

/** Tell whether things should move as little as possible. */
export function isCalm(): boolean {
  return settings.motion === "less" || settings.speed === "at once" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export interface MyGame {
  game: string;
  secrets: Partial<Record<Seat, string>>;
  /** the other seats' secrets, to be sent to friends */
  friends?: Partial<Record<Seat, string>>;
  what: string;
  when: number;
  over?: boolean;
}

/** List the games this browser has a seat in, the latest first. */
export function myGames(): MyGame[] {
  return kept<MyGame[]>("games", []).sort((x, y) => y.when - x.when);
}

/** Remember a game and the seats held in it. */
export function keepGame(game: MyGame): void {
  const old = myGames();
  const before = old.find((g) => g.game === game.game);
  const merged = { ...before, ...game, secrets: { ...before?.secrets, ...game.secrets } };
  keep("games", [merged, ...old.filter((g) => g.game !== game.game)].slice(0, 30));
}

export function forgetGame(game: string): void {
  keep(
    "games",
    myGames().filter((g) => g.game !== game),
  );
}

/** Give what this device has kept under a name. */
export function kept<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`dicemasters ${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise; // storage switched off, or written by something else
  }
}

/** Keep something on this device. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(`dicemasters ${key}`, JSON.stringify(value));
  } catch {
    // storage switched off or full: the link still holds the seat
  }
}
