/** The attack zone as lanes: each attacker with the dice that block it. */

import type { Die, View } from "./contract";

export interface Lane {
  attacker: Die | null;
  blockers: Die[];
}

/** Tell whether a die stands in the attack zone. */
export function isInFight(die: Die): boolean {
  return die.zone === "field" && (die.attacking === true || (die.blocks?.length ?? 0) > 0);
}

/** List the lanes of the fight; a die that blocks several attackers stands in the lane of the first. */
export function lanes(view: View): Lane[] {
  const attackers = view.dice.filter((d) => d.zone === "field" && d.attacking).sort((x, y) => x.card - y.card || x.id - y.id);
  const made: Lane[] = attackers.map((attacker) => ({ attacker, blockers: [] }));
  for (const die of view.dice) {
    if (die.zone !== "field" || !die.blocks?.length) continue;
    const lane = made.find((l) => l.attacker?.id === die.blocks![0]);
    if (lane) lane.blockers.push(die);
    else made.push({ attacker: null, blockers: [die] });
  }
  return made;
}
