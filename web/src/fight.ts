/** The attack zone as lanes: each attacker with the dice that block it. */

import type { Die, View } from "./contract";

export interface Lane {
  attacker: Die | null;
  blockers: Die[];
}

/** Tell whether a die stands in the attack zone. */
export function isInFight(die: Die): boolean {
  return die.z === "field" && (die.at === true || (die.bl?.length ?? 0) > 0);
}

/** List the lanes of the fight; a die that blocks several attackers stands in the lane of the first. */
export function lanes(view: View): Lane[] {
  const attackers = view.dice.filter((d) => d.z === "field" && d.at).sort((x, y) => x.c - y.c || x.i - y.i);
  const made: Lane[] = attackers.map((attacker) => ({ attacker, blockers: [] }));
  for (const die of view.dice) {
    if (die.z !== "field" || !die.bl?.length) continue;
    const lane = made.find((l) => l.attacker?.i === die.bl![0]);
    if (lane) lane.blockers.push(die);
    else made.push({ attacker: null, blockers: [die] });
  }
  return made;
}
