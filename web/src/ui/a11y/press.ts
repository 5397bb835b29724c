/**
 * Pointer and focus handling: a click activates, a long touch inspects, a resting mouse or the focus shows a preview.
 */

const LONG_PRESS = 420; // touch duration that counts as inspecting, in milliseconds
// time the mouse must rest, in milliseconds: on its way to the inspector it crosses other elements
export const HOVER_DELAY = 150;

export interface PressHandlers {
  /** clicked or tapped, or activated by a key */
  activate(touch: boolean): void;
  /** inspected by a long touch, with no other effect */
  inspect(): void;
  /** entered by the mouse */
  enter(): void;
  /** the mouse rests on the element, or it has the focus */
  hover(): void;
}

/**
 * Svelte action that adds the handlers to an element. A touch long enough to inspect does nothing else when it ends.
 */
export function press(
  element: HTMLElement,
  initial: PressHandlers,
): { update(next: PressHandlers): void; destroy(): void } {
  let handlers = initial;
  let timer = 0;
  let wasInspected = false;
  const stop = (): void => clearTimeout(timer);
  const listeners: [string, (event: Event) => void][] = [
    [
      "pointerdown",
      (event) => {
        wasInspected = false;
        if ((event as PointerEvent).pointerType === "mouse") return;
        stop();
        timer = window.setTimeout(() => {
          wasInspected = true;
          handlers.inspect();
        }, LONG_PRESS);
      },
    ],
    ["pointerup", stop],
    ["pointercancel", stop],
    ["pointerleave", stop],
    ["contextmenu", (event) => wasInspected && event.preventDefault()],
    [
      "click",
      (event) => {
        stop();
        event.stopPropagation();
        if (wasInspected) wasInspected = false;
        else handlers.activate((event as PointerEvent).pointerType === "touch");
      },
    ],
    [
      "pointerenter",
      (event) => {
        if ((event as PointerEvent).pointerType !== "mouse") return;
        handlers.enter();
        timer = window.setTimeout(() => handlers.hover(), HOVER_DELAY);
      },
    ],
    ["focus", () => element.matches(":focus-visible") && handlers.hover()],
  ];
  for (const [name, listener] of listeners) element.addEventListener(name, listener);
  return {
    update: (next) => void (handlers = next),
    destroy: () => {
      stop();
      for (const [name, listener] of listeners) element.removeEventListener(name, listener);
    },
  };
}
