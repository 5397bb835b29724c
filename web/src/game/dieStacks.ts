/** Dice that lie as one: what cannot be told apart is drawn once, with a count. */

import type { DieData } from "../api/protocol";

/** Put dice together that look alike and would be chosen alike; the order stays. */
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

/** Leave each die for itself. */
export const unstacked = (dice: readonly DieData[]): DieData[][] => dice.map((die) => [die]);
