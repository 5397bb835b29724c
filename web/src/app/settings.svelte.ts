/** How this browser likes the table; kept on this device only. */

import type { Speed } from "../game/viewQueue";
import { loadLocal, saveLocal } from "./localStore";

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

const DEFAULTS: Settings = {
  theme: "dark",
  speed: "normal",
  motion: "auto",
  turn: true,
  name: "",
  hurry: false,
  coach: false,
  sound: false,
};

export const settings: Settings = $state({ ...DEFAULTS, ...loadLocal<Partial<Settings>>("settings", {}) });

export function saveSettings(): void {
  saveLocal("settings", $state.snapshot(settings));
  applyTheme();
}

/** Put the chosen theme on the page. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = settings.theme;
  document.documentElement.dataset["calm"] = prefersReducedMotion() ? "yes" : "no";
}

/** Tell whether things should move as little as possible. */
export function prefersReducedMotion(): boolean {
  return (
    settings.motion === "less" || settings.speed === "at once" || matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}
