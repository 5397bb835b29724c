/** Stacks of dice: indistinguishable dice are drawn once, with a count. */

import type { DieData } from "../api/protocol";

/** Group dice that look the same and can be selected in the same way. The order is kept. */
export function stackDice(
  dice: readonly DieData[],
  isSelectable: (id: number) => boolean,
  isSelected: (id: number) => boolean,
): DieData[][] {
  const found = new Map<string, DieData[]>();
  for (const die of dice) {
    const key = [
      die.card,
      die.face,
      die.a,
      die.d,
      die.damage,
      die.owner,
      die.cost,
      die.tags?.join(),
      die.attacking,
      die.blocks?.join(),
      isSelectable(die.id),
      isSelected(die.id),
    ].join(" ");
    const stack = found.get(key);
    if (stack) stack.push(die);
    else found.set(key, [die]);
  }
  return [...found.values()];
}

/** Return each die as a stack of one. */
export const unstacked = (dice: readonly DieData[]): DieData[][] => dice.map((die) => [die]);
