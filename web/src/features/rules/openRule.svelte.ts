/** The rule that is being read in a box over the table; "" is none. */

export const openRule: { number: string } = $state({ number: "" });

/** Let a link open its rule in a box, so that the game is not left; with a key held down it opens a page as any link. */
export function openRuleDialog(event: MouseEvent, number: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  event.stopPropagation();
  openRule.number = number;
}
