/** Views made from what has changed, as the server sends it (docs/http-api.md). */

import type { DeltaMessage, View } from "./protocol";

/** Give the view after a change, or null if the change is one of another view than this. */
export function applyDelta(view: View | null, change: DeltaMessage): View | null {
  if (!view || view.version !== change.since) return null;
  const dice = new Map(view.dice.map((die) => [die.id, die]));
  for (const die of change.view.dice ?? []) dice.set(die.id, die);
  for (const id of change.gone) dice.delete(id);
  return { ...view, ...change.view, dice: [...dice.values()].sort((x, y) => x.id - y.id) };
}
