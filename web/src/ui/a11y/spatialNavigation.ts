/** Arrow keys between the things on the mat: one tab stop, then the nearest thing in that direction. */

const FOCUSABLE = "[data-spot]";
const isVisible = (e: HTMLElement): boolean => e.checkVisibility();

/** Give the thing nearest in the direction of an arrow key, or null. */
export function nearest(from: DOMRect, key: string, others: readonly DOMRect[]): number | null {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  if (!dx && !dy) return null;
  let best: number | null = null;
  let least = Infinity;
  const x0 = from.x + from.width / 2;
  const y0 = from.y + from.height / 2;
  others.forEach((to, i) => {
    const x = to.x + to.width / 2 - x0;
    const y = to.y + to.height / 2 - y0;
    const along = x * dx! + y * dy!;
    if (along < 4) return;
    const across = Math.abs(x * dy! - y * dx!);
    const far = along + across * 2.5;
    if (far < least) {
      least = far;
      best = i;
    }
  });
  return best;
}

/** A part of the page that is one tab stop. */
export interface FocusZone {
  /** find the thing that is reached with Tab; what is given back makes it so */
  findTabStop(): () => void;
  destroy(): void;
}

/** Set the tab stops of several parts: first all are looked at, then all are changed, so that the browser reckons once. */
export function updateTabStops(parts: readonly FocusZone[]): void {
  for (const change of parts.map((one) => one.findTabStop())) change();
}

/** Make a part of the page one tab stop whose things are reached with the arrow keys. */
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
  const onfocus = (event: FocusEvent): void => {
    const spot = (event.target as HTMLElement).closest<HTMLElement>(FOCUSABLE);
    if (!spot) return;
    current = spot.dataset["spot"] ?? "";
    findTabStop()();
  };
  const onkey = (event: KeyboardEvent): void => {
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
  root.addEventListener("focusin", onfocus);
  root.addEventListener("keydown", onkey);
  findTabStop()();
  return {
    findTabStop,
    destroy() {
      root.removeEventListener("focusin", onfocus);
      root.removeEventListener("keydown", onkey);
    },
  };
}

/** Focus the next thing that may be chosen. */
export function focusNextSelectable(root: HTMLElement): void {
  const lit = [...root.querySelectorAll<HTMLElement>(`${FOCUSABLE}[data-lit]`)].filter(isVisible);
  if (!lit.length) return;
  const at = lit.indexOf(document.activeElement as HTMLElement);
  lit[(at + 1) % lit.length]?.focus();
}
