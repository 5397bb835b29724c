/** The drawn symbols, as paths in a 24 by 24 box. */

export const SYMBOL_PATHS: Record<string, string> = {
  F:
    "M3.5 8.2a2 2 0 0 1 4 0V12h-4zM8.2 6.4a2 2 0 0 1 4 0V12h-4zM12.9 6.8a2 2 0 0 1 4 0V12h-4zM17.6 8.6a1.6 1.6 0 0 1 3.2 0V12h-3.2z" +
    "M3.5 12.9h8.2c1 0 1.6.7 1.6 1.5s-.6 1.5-1.6 1.5H8.6v1h3.5c1.6 0 2.7-1.1 2.7-2.5 0-.6-.2-1.1-.5-1.5h6.5v3.2c0 3-2 5.4-5.3 5.4H9.2c-3.4 0-5.7-2.3-5.7-5.4z",
  B: "M14.2 1.8 4.8 13.9h6L9 22.2l10.3-12.7h-6.5z",
  M: "M1.8 8.3C4.6 6.4 8 6.3 12 8c4-1.7 7.4-1.6 10.2.3.4 5.3-2 9-5.6 9-2.4 0-3.2-2.1-4.6-2.1s-2.2 2.1-4.6 2.1c-3.6 0-6-3.7-5.6-9zM5 11.2c.6 1.9 3.6 2.4 5 .9-1.2-1.5-3.3-1.9-5-.9zm14 0c-1.7-1-3.8-.6-5 .9 1.4 1.5 4.4 1 5-.9z",
  S: "M12 1.8 20.4 5v6.2c0 5.3-3.4 9-8.4 11-5-2-8.4-5.7-8.4-11V5z",
  "?": "M7 8.4C7 5.3 9.3 3.2 12.2 3.2c3 0 5.2 1.9 5.2 4.7 0 2.2-1.1 3.4-2.6 4.4-1 .7-1.3 1.2-1.3 2.3v.7h-3v-1.1c0-2 .9-3 2.2-3.9 1.1-.8 1.6-1.3 1.6-2.2 0-1.2-.9-2-2.1-2-1.3 0-2.2.9-2.2 2.3zM10.2 17.4h3.4v3.4h-3.4z",
  "★": star(8, 11, 5),
  action: star(13, 12, 8.8),
};

/** Return the id under which SvgDefs.svelte defines a symbol. */
export const symbolId = (symbol: string): string => ({ "?": "W", "★": "burst" })[symbol] ?? symbol;

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: 2 * points }, (_, i) => {
    const r = i % 2 ? inner : outer;
    const angle = (Math.PI * i) / points - Math.PI / 2;
    return `${(12 + r * Math.cos(angle)).toFixed(2)} ${(12 + r * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}
