/**
 * Arrow keys on the board: each zone is one tab stop, and arrow keys move to the nearest element in their direction.
 */

const FOCUSABLE = "[data-spot]";
const isVisible = (e: HTMLElement): boolean => e.checkVisibility();

/** Return the index of the nearest element in the direction of an arrow key, or null. */
export function nearest(from: DOMRect, key: string, others: readonly DOMRect[]): number | null {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  if (!dx && !dy) return null;
  let best: number | null = null;
  let bestScore = Infinity;
  const x0 = from.x + from.width / 2;
  const y0 = from.y + from.height / 2;
  others.forEach((to, i) => {
    const x = to.x + to.width / 2 - x0;
    const y = to.y + to.height / 2 - y0;
    const along = x * dx! + y * dy!;
    if (along < 4) return;
    const across = Math.abs(x * dy! - y * dx!);
    const score = along + across * 2.5;
    if (score < bestScore) {
      bestScore = score;
      best = i;
    }
  });
  return best;
}

/** A part of the page that is one tab stop. */
export interface FocusZone {
  /** find the element that Tab should reach, and return a function that makes it the tab stop */
  findTabStop(): () => void;
  destroy(): void;
}

/**
 * Update the tab stops of several zones: read everything first, then write, so that the browser computes the layout
 * once.
 */
export function updateTabStops(zones: readonly FocusZone[]): void {
  for (const change of zones.map((zone) => zone.findTabStop())) change();
}

/** Make a part of the page one tab stop, with arrow keys to reach its elements. */
export function createFocusZone(root: HTMLElement): FocusZone {
  let current = "";
  const visibleElements = (): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isVisible);
  const findTabStop = (): (() => void) => {
    const all = [...root.querySelectorAll<HTMLElement>(FOCUSABLE)];
    const find = (isIt: (e: HTMLElement) => boolean): HTMLElement | undefined =>
      all.find((e) => isIt(e) && isVisible(e));
    const keep =
      find((e) => e.dataset["spot"] === current) ?? find((e) => e.dataset["lit"] !== undefined) ?? find(() => true);
    const others = all.filter((e) => e.tabIndex !== (e === keep ? 0 : -1));
    return () => others.forEach((e) => (e.tabIndex = e === keep ? 0 : -1));
  };
  const onFocus = (event: FocusEvent): void => {
    const spot = (event.target as HTMLElement).closest<HTMLElement>(FOCUSABLE);
    if (!spot) return;
    current = spot.dataset["spot"] ?? "";
    findTabStop()();
  };
  const onKeydown = (event: KeyboardEvent): void => {
    const spot = (event.target as HTMLElement).closest<HTMLElement>(FOCUSABLE);
    if (!spot || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = visibleElements();
    let next: HTMLElement | undefined;
    if (event.key === "Home") next = all[0];
    else if (event.key === "End") next = all.at(-1);
    else {
      const others = all.filter((e) => e !== spot);
      const found = nearest(
        spot.getBoundingClientRect(),
        event.key,
        others.map((e) => e.getBoundingClientRect()),
      );
      if (found === null) return;
      next = others[found];
    }
    event.preventDefault();
    next?.focus();
  };
  root.addEventListener("focusin", onFocus);
  root.addEventListener("keydown", onKeydown);
  findTabStop()();
  return {
    findTabStop,
    destroy() {
      root.removeEventListener("focusin", onFocus);
      root.removeEventListener("keydown", onKeydown);
    },
  };
}

/** Focus the next element that can be selected. */
export function focusNextSelectable(root: HTMLElement): void {
  const lit = [...root.querySelectorAll<HTMLElement>(`${FOCUSABLE}[data-lit]`)].filter(isVisible);
  if (!lit.length) return;
  const at = lit.indexOf(document.activeElement as HTMLElement);
  lit[(at + 1) % lit.length]?.focus();
}
