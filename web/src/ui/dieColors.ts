/** The colours of a die, as custom properties: shades of its body and its ink. */

import { dieBodyColor, mix, ensureContrast } from "./color";

const styleCache = new Map<string, string>();

/** Return the style of a die or its card: body, ink, title ink, light, shade and edge. */
export function dieStyle(base: string, ink: string): string {
  const known = styleCache.get(base + ink);
  if (known) return known;
  const body = dieBodyColor(base);
  const print = ensureContrast(body, ink);
  const style =
    `--b:${body};--k:${print};--kt:${ensureContrast(body, ink, 7)};--kd:${mix(print, body, 0.28)};` +
    `--hi:${mix(body, "#ffffff", 0.34)};--lo:${mix(body, "#000000", 0.32)};--edge:${mix(body, "#000000", 0.55)}`;
  styleCache.set(base + ink, style);
  return style;
}
