/** The settings of this browser, stored only on this device. */

import type { Speed } from "../game/viewQueue";
import { loadLocal, saveLocal } from "./localStore";

export interface Settings {
  theme: "auto" | "dark" | "light";
  speed: Speed;
  motion: "auto" | "less";
  /** with two players at one screen: turn the board towards the player who decides */
  turn: boolean;
  name: string;
  /** do not pause when a turn ends automatically */
  hurry: boolean;
  /** show the coach beside the board */
  coach: boolean;
  /** sounds, and vibration of phones at important moments */
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

/** Apply the theme and motion settings to the page. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = settings.theme;
  document.documentElement.dataset["calm"] = prefersReducedMotion() ? "yes" : "no";
}

/** Whether to keep animations to a minimum. */
export function prefersReducedMotion(): boolean {
  return (
    settings.motion === "less" || settings.speed === "at once" || matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}
