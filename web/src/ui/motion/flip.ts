/** Animation of moving dice with FLIP: their positions before a change, and the way to their positions after it. */

interface DiePosition {
  rect: DOMRect;
  face: string;
  element: HTMLElement;
  pile: Element | null;
}

export type DiePositions = Map<string, DiePosition>;

const ANIMATION_ID = "flight";
// more dice than this making room within their pile are not animated, because each animated die is painted separately
const MAX_SHIFTS = 6;
const ROLL_FACTOR = 2.6; // how much longer a roll takes than a move

/** Return the duration of a roll, given the duration of a move. */
export const rollDuration = (ms: number): number => ms * ROLL_FACTOR;

/** Finish all running animations. Return whether there were any. */
export function finishAll(): boolean {
  const moves = document.getAnimations().filter((move) => move.id === ANIMATION_ID);
  for (const move of moves) move.finish();
  return moves.length > 0;
}

const isHidden = (rect: DOMRect): boolean => rect.width === 0;

/** Return the positions of all dice on the board. */
export function measure(root: HTMLElement): DiePositions {
  const positions: DiePositions = new Map();
  for (const element of root.querySelectorAll<HTMLElement>("[data-die]")) {
    const rect = element.getBoundingClientRect();
    if (!isHidden(rect))
      positions.set(element.dataset["die"]!, {
        rect,
        face: element.dataset["face"] ?? "",
        element,
        pile: element.closest("[data-pile]"),
      });
  }
  return positions;
}

/** Animate dice from their old to their new positions. Dice that appear or disappear move from and to their piles. */
export function playFlip(
  root: HTMLElement,
  before: DiePositions,
  pileOf: (die: string) => string,
  rolled: Set<string>,
  knockedOut: Set<string>,
  ms: number,
): void {
  const pile = (key: string): DOMRect | null => {
    const found = root.querySelector<HTMLElement>(`[data-pile="${key}"]`)?.getBoundingClientRect();
    return found && !isHidden(found) ? found : null;
  };
  const after = measure(root);
  const shifts: (() => void)[] = [];
  const animations: (() => void)[] = []; // started after everything has been measured, so that the layout is computed once
  let order = 0;
  for (const [die, now] of after) {
    const from = before.get(die)?.rect ?? pile(pileOf(die));
    const rolls = rolled.has(die);
    if (!from && !rolls) continue;
    const dx = from ? from.x + from.width / 2 - (now.rect.x + now.rect.width / 2) : 0;
    const dy = from ? from.y + from.height / 2 - (now.rect.y + now.rect.height / 2) : 0;
    const scale = from ? Math.min(from.width, from.height) / now.rect.width : 1;
    if (!rolls && Math.hypot(dx, dy) < 2 && Math.abs(scale - 1) < 0.05) continue;
    const delay = rolls ? 45 * order++ : 0;
    const start = `translate(${dx}px, ${dy}px) scale(${Math.min(scale, 1.6)})`;
    const frames: Keyframe[] = rolls
      ? [
          { transform: `${start} rotate(0deg)` },
          { transform: `translate(${dx / 3}px, ${dy / 3 - 26}px) rotate(-200deg) scale(1.08)`, offset: 0.45 },
          { transform: "translate(0, 4px) rotate(-330deg)", offset: 0.8 },
          { transform: "translate(0, 0) rotate(-360deg)" },
        ]
      : [{ transform: start }, { transform: "none" }];
    const isShift = !rolls && now.pile !== null && before.get(die)?.pile === now.pile;
    (isShift ? shifts : animations).push(() =>
      now.element.animate(frames, {
        id: ANIMATION_ID,
        duration: rolls ? ms * ROLL_FACTOR : ms,
        delay,
        easing: rolls ? "cubic-bezier(.3,.7,.3,1)" : "cubic-bezier(.2,.9,.25,1.15)",
        fill: "backwards",
      }),
    );
  }
  for (const [die, was] of before) {
    if (after.has(die)) continue;
    const to = pile(pileOf(die));
    if (to) animations.push(() => animateRemoval(was, to, ms, knockedOut.has(die)));
  }
  if (shifts.length <= MAX_SHIFTS) animations.push(...shifts);
  for (const start of animations) start();
}

/** Animate a die to a place where it is not drawn. A KO'd die is stamped first. */
function animateRemoval(was: DiePosition, to: DOMRect, ms: number, isKO: boolean): void {
  const ghost = was.element.cloneNode(true) as HTMLElement;
  ghost.removeAttribute("data-die");
  ghost.setAttribute("aria-hidden", "true");
  ghost.classList.add("ghost");
  ghost.style.left = `${was.rect.x}px`;
  ghost.style.top = `${was.rect.y}px`;
  ghost.style.width = `${was.rect.width}px`;
  ghost.style.height = `${was.rect.height}px`;
  const die = ghost.querySelector<HTMLElement>(".die") ?? ghost;
  die.style.setProperty("--s", `${was.rect.width}px`);
  if (isKO) die.classList.add("ko");
  document.body.append(ghost);
  const dx = to.x + to.width / 2 - (was.rect.x + was.rect.width / 2);
  const dy = to.y + to.height / 2 - (was.rect.y + was.rect.height / 2);
  const move = ghost.animate(
    isKO
      ? [
          { transform: "scale(1.25) rotate(-4deg)", opacity: 1 },
          { transform: "none", opacity: 1, offset: 0.18 },
          { transform: "none", opacity: 1, offset: 0.5 },
          { transform: `translate(${dx}px, ${dy}px) scale(.4)`, opacity: 0.2 },
        ]
      : [
          { transform: "none", opacity: 1 },
          { transform: `translate(${dx}px, ${dy}px) scale(.4)`, opacity: 0.2 },
        ],
    { id: ANIMATION_ID, duration: isKO ? ms * ROLL_FACTOR : ms, easing: "ease-in" },
  );
  move.onfinish = () => ghost.remove();
  move.oncancel = () => ghost.remove();
}
