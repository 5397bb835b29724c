/** The rule shown in a dialog over the board; "" if there is none. */

export const openRule: { number: string } = $state({ number: "" });

/** Open a link's rule in a dialog, without leaving the game. With a modifier key it opens a page, like any link. */
export function openRuleDialog(event: MouseEvent, number: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  event.stopPropagation();
  openRule.number = number;
}
