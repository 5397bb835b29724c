/** Arrow keys between the things on the mat: one tab stop, then the nearest thing in that direction. */

const SPOTS = "[data-spot]";
const isSeen = (e: HTMLElement): boolean => e.checkVisibility();

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
export interface Rover {
  /** find the thing that is reached with Tab; what is given back makes it so */
  look(): () => void;
  destroy(): void;
}

/** Set the tab stops of several parts: first all are looked at, then all are changed, so that the browser reckons once. */
export function refresh(parts: readonly Rover[]): void {
  for (const change of parts.map((one) => one.look())) change();
}

/** Make a part of the page one tab stop whose things are reached with the arrow keys. */
export function roving(mat: HTMLElement): Rover {
  let current = "";
  const spots = (): HTMLElement[] => [...mat.querySelectorAll<HTMLElement>(SPOTS)].filter(isSeen);
  const look = (): (() => void) => {
    const all = [...mat.querySelectorAll<HTMLElement>(SPOTS)];
    const find = (isIt: (e: HTMLElement) => boolean): HTMLElement | undefined => all.find((e) => isIt(e) && isSeen(e));
    const keep = find((e) => e.dataset["spot"] === current) ?? find((e) => e.dataset["lit"] !== undefined) ?? find(() => true);
    const others = all.filter((e) => e.tabIndex !== (e === keep ? 0 : -1));
    return () => others.forEach((e) => (e.tabIndex = e === keep ? 0 : -1));
  };
  const onfocus = (event: FocusEvent): void => {
    const spot = (event.target as HTMLElement).closest<HTMLElement>(SPOTS);
    if (!spot) return;
    current = spot.dataset["spot"] ?? "";
    look()();
  };
  const onkey = (event: KeyboardEvent): void => {
    const spot = (event.target as HTMLElement).closest<HTMLElement>(SPOTS);
    if (!spot || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = spots();
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
  mat.addEventListener("focusin", onfocus);
  mat.addEventListener("keydown", onkey);
  look()();
  return {
    look,
    destroy() {
      mat.removeEventListener("focusin", onfocus);
      mat.removeEventListener("keydown", onkey);
    },
  };
}

/** Focus the next thing that may be chosen. */
export function focusNextLit(mat: HTMLElement): void {
  const lit = [...mat.querySelectorAll<HTMLElement>(`${SPOTS}[data-lit]`)].filter(isSeen);
  if (!lit.length) return;
  const at = lit.indexOf(document.activeElement as HTMLElement);
  lit[(at + 1) % lit.length]?.focus();
}
