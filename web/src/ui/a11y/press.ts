/** Pointing at a thing: a click chooses it, a long touch only reads it, a mouse that rests on it glances at it. */

const LONG_PRESS = 420; // milliseconds until a touch means reading
export const HOVER_DELAY = 150; // until a mouse means what it is on: on its way to a word of the inspector it passes other things

export interface PressHandlers {
  /** chosen, by a finger or otherwise */
  activate(touch: boolean): void;
  /** to be read, and nothing else */
  inspect(): void;
  /** a mouse has come to it */
  enter(): void;
  /** a mouse rests on it, or it has the focus */
  hover(): void;
}

/** Let an element be pressed; a touch that was long enough to read does nothing when it ends. */
export function press(
  element: HTMLElement,
  given: PressHandlers,
): { update(next: PressHandlers): void; destroy(): void } {
  let what = given;
  let timer = 0;
  let wasRead = false;
  const stop = (): void => clearTimeout(timer);
  const on: [string, (event: Event) => void][] = [
    [
      "pointerdown",
      (event) => {
        wasRead = false;
        if ((event as PointerEvent).pointerType === "mouse") return;
        stop();
        timer = window.setTimeout(() => {
          wasRead = true;
          what.inspect();
        }, LONG_PRESS);
      },
    ],
    ["pointerup", stop],
    ["pointercancel", stop],
    ["pointerleave", stop],
    ["contextmenu", (event) => wasRead && event.preventDefault()],
    [
      "click",
      (event) => {
        stop();
        event.stopPropagation();
        if (wasRead) wasRead = false;
        else what.activate((event as PointerEvent).pointerType === "touch");
      },
    ],
    [
      "pointerenter",
      (event) => {
        if ((event as PointerEvent).pointerType !== "mouse") return;
        what.enter();
        timer = window.setTimeout(() => what.hover(), HOVER_DELAY);
      },
    ],
    ["focus", () => element.matches(":focus-visible") && what.hover()],
  ];
  for (const [name, hear] of on) element.addEventListener(name, hear);
  return {
    update: (next) => void (what = next),
    destroy: () => {
      stop();
      for (const [name, hear] of on) element.removeEventListener(name, hear);
    },
  };
}
