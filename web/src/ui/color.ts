/** Colours of dice: contrast, lighter and darker shades. */

/** Return the relative luminance of a colour, from 0 to 1. */
export function luminance(color: string): number {
  const [r, g, b] = channels(color).map((v) => {
    const part = v / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Return the contrast ratio of two colours, from 1 to 21. */
export function contrast(one: string, two: string): number {
  const [light, dark] = [luminance(one), luminance(two)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Return a mix of two colours; `ratio` is the share of the second. */
export function mix(from: string, to: string, ratio: number): string {
  const end = channels(to);
  return (
    "#" +
    channels(from)
      .map((v, i) =>
        Math.round(v + (end[i]! - v) * ratio)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")
  );
}

/** Shift an ink towards black or white until it is readable on a body. The hue is kept as long as possible. */
export function ensureContrast(body: string, ink: string, minimum = 4.5): string {
  const end = contrast(body, "#ffffff") > contrast(body, "#000000") ? "#ffffff" : "#000000";
  for (let part = 0; part < 1; part += 0.1) {
    const candidate = mix(ink, end, part);
    if (contrast(body, candidate) >= minimum) return candidate;
  }
  return end;
}

/** Return the body colour of a die as drawn. Black is lightened a little, so that the edges are visible. */
export function dieBodyColor(base: string): string {
  const full = base.length === 4 ? base.replace(/[0-9a-f]/gi, "$&$&") : base;
  return luminance(full) < 0.012 ? mix(full, "#34343f", 0.55) : full;
}

function channels(color: string): number[] {
  const full = color.length === 4 ? color.replace(/[0-9a-f]/gi, "$&$&") : color;
  return [1, 3, 5].map((at) => parseInt(full.slice(at, at + 2), 16));
}
