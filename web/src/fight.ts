/** The attack zone as lanes, and what would come of it as things stand. */

import type { Decision, Die, Seat, View } from "./contract";
import type { Picks } from "./picks";

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

/** What the fight would do if nobody did anything else. */
export interface Forecast {
  damage: Map<number, number>;
  doomed: Set<number>;
  /** life each player would lose */
  life: Map<Seat, number>;
}

export const NOTHING_COMES: Forecast = { damage: new Map(), doomed: new Set(), life: new Map() };

/**
 * Reckon the damage of the fight from attack and defence alone; a split that is being made counts as it stands.
 * Abilities may still change it: this is a look ahead, not a promise.
 */
export function forecast(view: View, decision: Decision | null, picks: Picks): Forecast {
  const all = lanes(view);
  if (view.step !== "attack" || !all.length) return NOTHING_COMES;
  const damage = new Map<number, number>();
  const life = new Map<Seat, number>();
  const hurt = (die: Die, n: number): void => void (n > 0 && damage.set(die.id, (damage.get(die.id) ?? 0) + n));
  const split = decision?.mode === "split" ? new Map(picks.amounts) : null;
  const needs = (die: Die): number => Math.max(0, (die.d ?? 0) - (die.damage ?? 0));
  for (const { attacker, blockers } of all) {
    if (!attacker) continue;
    const strength = attacker.a ?? 0;
    if (!blockers.length) {
      const rival = (["A", "B", "C", "D"] as Seat[]).find((s) => s in view.life && (s < "C" ? s : s === "C" ? "A" : "B") !== (attacker.seat! < "C" ? attacker.seat : attacker.seat === "C" ? "A" : "B"));
      if (!attacker.blocked && rival) life.set(rival, (life.get(rival) ?? 0) + strength);
      continue;
    }
    const given = split && blockers.some((b) => split.has(b.id));
    let left = strength;
    blockers.forEach((blocker, n) => {
      const share = given ? (split.get(blocker.id) ?? 0) : n === blockers.length - 1 ? left : Math.min(left, needs(blocker));
      left -= share;
      hurt(blocker, share);
      hurt(attacker, blocker.a ?? 0);
    });
  }
  const doomed = new Set(view.dice.filter((d) => damage.has(d.id) && (damage.get(d.id) ?? 0) >= needs(d)).map((d) => d.id));
  return { damage, doomed, life };
}
