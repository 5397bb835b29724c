/** Where the coach's highlights are on the board, and where there is room for the bubble beside them. */

import type { Board } from "../../game/board.svelte";
import type { Choice, HighlightData } from "../../api/protocol";

const TABS = ["mine", "basics", "globals", "rival", "log"]; // in their order on a phone (board/BoardLayout)

/** Return the elements of some highlights. */
export function highlightedElements(root: ParentNode, board: Board, pointed: readonly HighlightData[]): Element[] {
  const isSeen = (e: Element): boolean => e.getClientRects().length > 0;
  const found = pointed.flatMap((one) => {
    const all = [...root.querySelectorAll(selectorOf(board, one))];
    const seen = all.filter(isSeen);
    if (seen.length) return seen;
    // on a phone the zone is behind a tab
    const tab = TABS.indexOf(all[0]?.closest<HTMLElement>("[data-zone]")?.dataset["zone"] ?? "");
    return [...root.querySelectorAll(`.table .tabs${tab < 0 ? "" : ` > :nth-child(${tab + 1})`}`)].filter(isSeen);
  });
  return [...new Set(found)];
}

function selectorOf(board: Board, one: HighlightData): string {
  if (one.dice.length) return one.dice.map((id) => dieOf(board, id)).join(", ");
  if (one.card !== null) return `[data-spot="card${one.card}"]`;
  const near = one.seat === board.near;
  if (one.zone === "life") return near ? ".side.near .life" : ".side.far .life";
  if (one.zone === "cards") return near ? '[data-zone="mine"]' : '[data-zone="rival"]';
  if (one.zone === "reserve" && board.rerollingSeat === one.seat) return ".stage"; // dice just rolled are there
  if (one.seat !== null) return `[data-pile="${one.zone}${one.seat}"]`;
  return one.zone === "basics" ? '[data-zone="basics"]' : `.${one.zone}`;
}

/** Return the selector of a die, or of its pile if the die is part of a stack. */
function dieOf(board: Board, id: number): string {
  if (document.querySelector(`[data-die="${id}"]`)) return `[data-die="${id}"]`;
  const die = board.diceById.get(id);
  return die ? `[data-pile="${die.zone}${die.seat}"]` : `[data-die="${id}"]`;
}

/** Return highlights for what a choice is about. */
export function highlightsOf(board: Board, choice: Choice | null): HighlightData[] {
  const dice = (ids: number[]): HighlightData => ({ dice: ids, card: null, zone: "", seat: null });
  if (!choice) return [];
  if ("option" in choice) {
    const option = board.view.decision?.options.find((o) => o.number === choice.option);
    if (option?.what === "global") return [{ dice: [], card: null, zone: "globals", seat: null }];
    if (option?.seat && option.player !== undefined) return [{ dice: [], card: null, zone: "life", seat: option.seat }];
    if (option?.dice.length && option.what !== "buy") return [dice(option.dice.slice(0, 1))];
    return option?.card != null
      ? [{ dice: [], card: option.card, zone: "", seat: null }]
      : [{ dice: [], card: null, zone: "bar", seat: null }];
  }
  if ("dice" in choice) return [dice(choice.dice)];
  if ("blocks" in choice) return [dice(choice.blocks.flat())];
  return [dice(("spend" in choice ? choice.spend : choice.split).map(([id]) => id).filter((id) => id >= 0))];
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export const boundingBox = (e: Element, more = 0): Box => {
  const r = e.getBoundingClientRect();
  return { x: r.x - more, y: r.y - more, w: r.width + 2 * more, h: r.height + 2 * more };
};

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

interface Size {
  w: number;
  h: number;
}

/**
 * Return a position beside the first box that covers as little of the boxes as possible. `preferredFree` is covered
 * rather than `targets`.
 */
export function placeBeside(
  size: Size,
  targets: readonly Box[],
  screen: Size,
  preferredFree: readonly Box[] = [],
): { x: number; y: number } {
  const GAP = 18;
  const EDGE = 8;
  const WEIGHT = 9; // how much more targets count
  const keep = [...targets, ...preferredFree];
  const at = keep[0] ?? { x: screen.w / 2, y: screen.h / 2, w: 0, h: 0 };
  const middle = { x: at.x + at.w / 2 - size.w / 2, y: at.y + at.h / 2 - size.h / 2 };
  const tries = [
    { x: middle.x, y: at.y - GAP - size.h },
    { x: middle.x, y: at.y + at.h + GAP },
    { x: at.x - GAP - size.w, y: middle.y },
    { x: at.x + at.w + GAP, y: middle.y },
    ...keep.map((box) => ({ x: box.x + box.w / 2 - size.w / 2, y: box.y + box.h / 2 - size.h / 2 })),
    ...keep.slice(1, 4).map((box) => ({ x: box.x + box.w / 2 - size.w / 2, y: box.y - GAP - size.h })),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((fx) =>
      [0, 0.25, 0.5, 0.75, 1].map((fy) => ({ x: fx * (screen.w - size.w), y: fy * (screen.h - size.h) })),
    ),
  ].map(({ x, y }) => ({
    x: Math.max(EDGE, Math.min(x, screen.w - size.w - EDGE)),
    y: Math.max(EDGE, Math.min(y, screen.h - size.h - EDGE)),
  }));
  const covered = (p: { x: number; y: number }, boxes: readonly Box[]): number =>
    boxes.reduce((sum, box) => sum + overlap({ ...p, ...size }, box), 0);
  const cost = (p: { x: number; y: number }, n: number): number =>
    WEIGHT * covered(p, targets) +
    covered(p, preferredFree) +
    Math.min(n, 4) +
    Math.hypot(p.x - middle.x, p.y - middle.y) / 100;
  return tries.map((p, n) => ({ p, c: cost(p, n) })).sort((a, b) => a.c - b.c)[0]!.p;
}
