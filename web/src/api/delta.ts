/** Applies the view deltas that the server sends (docs/http-api.md). */

import type { DeltaMessage, View } from "./protocol";

/** Return the view after a change, or null if the change belongs to another view. */
export function applyDelta(view: View | null, change: DeltaMessage): View | null {
  if (!view || view.version !== change.since) return null;
  const dice = new Map(view.dice.map((die) => [die.id, die]));
  for (const die of change.view.dice ?? []) dice.set(die.id, die);
  for (const id of change.gone) dice.delete(id);
  return { ...view, ...change.view, dice: [...dice.values()].sort((x, y) => x.id - y.id) };
}
