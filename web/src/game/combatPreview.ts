/** The attack zone as lanes, and the expected outcome of the fight. */

import type { DecisionData, DieData, Seat, View } from "../api/protocol";
import type { Selection } from "./selection";

export interface Lane {
  attacker: DieData | null;
  blockers: DieData[];
}

/** Whether a die is in the attack zone. */
export function isInCombat(die: DieData): boolean {
  return die.zone === "field" && (die.attacking === true || (die.blocks?.length ?? 0) > 0);
}

/** List the lanes of the fight. A die that blocks several attackers is in the lane of the first. */
export function combatLanes(view: View): Lane[] {
  const attackers = view.dice
    .filter((d) => d.zone === "field" && d.attacking)
    .sort((x, y) => x.card - y.card || x.id - y.id);
  const lanes: Lane[] = attackers.map((attacker) => ({ attacker, blockers: [] }));
  for (const die of view.dice) {
    if (die.zone !== "field" || !die.blocks?.length) continue;
    const lane = lanes.find((l) => l.attacker?.id === die.blocks![0]);
    if (lane) lane.blockers.push(die);
    else lanes.push({ attacker: null, blockers: [die] });
  }
  return lanes;
}

/** The outcome of the fight if nothing else happens. */
export interface Forecast {
  damage: Map<number, number>;
  doomed: Set<number>;
  /** the life that each player would lose */
  life: Map<Seat, number>;
}

export const EMPTY_FORECAST: Forecast = { damage: new Map(), doomed: new Set(), life: new Map() };

/**
 * Compute the damage of the fight from attack and defence alone. A damage split in progress counts as it stands.
 * Abilities can still change the outcome.
 */
export function forecast(view: View, decision: DecisionData | null, selection: Selection): Forecast {
  const lanes = combatLanes(view);
  if (view.step !== "attack" || !lanes.length) return EMPTY_FORECAST;
  const damage = new Map<number, number>();
  const life = new Map<Seat, number>();
  const addDamage = (die: DieData, n: number): void =>
    void (n > 0 && damage.set(die.id, (damage.get(die.id) ?? 0) + n));
  const split = decision?.mode === "split" ? new Map(selection.amounts) : null;
  const needs = (die: DieData): number => Math.max(0, (die.d ?? 0) - (die.damage ?? 0));
  for (const { attacker, blockers } of lanes) {
    if (!attacker) continue;
    const strength = attacker.a ?? 0;
    if (!blockers.length) {
      const rival = (["A", "B", "C", "D"] as Seat[]).find(
        (s) =>
          s in view.life &&
          (s < "C" ? s : s === "C" ? "A" : "B") !==
            (attacker.seat! < "C" ? attacker.seat : attacker.seat === "C" ? "A" : "B"),
      );
      if (!attacker.blocked && rival) life.set(rival, (life.get(rival) ?? 0) + strength);
      continue;
    }
    const isSplit = split && blockers.some((b) => split.has(b.id));
    let remaining = strength;
    blockers.forEach((blocker, n) => {
      const share = isSplit
        ? (split.get(blocker.id) ?? 0)
        : n === blockers.length - 1
          ? remaining
          : Math.min(remaining, needs(blocker));
      remaining -= share;
      addDamage(blocker, share);
      addDamage(attacker, blocker.a ?? 0);
    });
  }
  const doomed = new Set(
    view.dice.filter((d) => damage.has(d.id) && (damage.get(d.id) ?? 0) >= needs(d)).map((d) => d.id),
  );
  return { damage, doomed, life };
}

/** Part of a view, shown for some time before the next part. */
export interface ViewFrame extends View {
  /** the outcome of the fight */
  combatResult: Forecast;
  /** the display time in milliseconds */
  duration: number;
}

/**
 * Split a view that ends a fight into the hits, the dice that leave, and everything after. Return other views whole.
 */
export function splitIntoFrames(before: View, view: View): View[] {
  const after = view.news.findIndex((line) => line.kind === "turn");
  const news = after < 0 ? view.news : view.news.slice(0, after);
  const rest = view.news.slice(news.length);
  const attackerIds = new Set(news.filter((line) => / attacks$/.test(line.text)).flatMap((line) => line.dice));
  const fought = {
    ...before,
    dice: before.dice.map((die) => (attackerIds.has(die.id) ? { ...die, attacking: true } : die)),
  };
  const isOver =
    combatLanes(fought).length > 0 && !combatLanes(view).length && news.some((line) => line.kind === "damage");
  if (!isOver || rest.some((line) => line.seat !== null && (line.kind === "damage" || line.kind === "life")))
    return [view];
  const hurt = new Map<number, number>();
  for (const line of news)
    if (line.kind === "damage" && line.seat === null)
      hurt.set(line.dice.at(-1)!, (hurt.get(line.dice.at(-1)!) ?? 0) + line.amount);
  const doomed = new Set(news.filter((line) => line.kind === "ko").flatMap((line) => line.dice));
  const now = new Map(view.dice.map((die) => [die.id, die]));
  const home = (die: DieData): DieData => {
    const at = now.get(die.id) ?? die;
    return at.zone === "field" || at.face === null ? at : { ...at, zone: "prep", face: null }; // it has been rolled since
  };
  const { move, life, why } = view;
  const hits: ViewFrame = {
    ...fought,
    version: view.version - 0.6,
    ...{ move, life, why, news, decision: null, duration: 1200 },
    combatResult: { ...EMPTY_FORECAST, doomed },
    dice: fought.dice.map((die) => ({ ...die, damage: (die.damage ?? 0) + (hurt.get(die.id) ?? 0) })),
  };
  const leaving: ViewFrame = {
    ...hits,
    version: view.version - 0.3,
    ...{ why: null, news: [], duration: 400, combatResult: EMPTY_FORECAST },
    dice: before.dice.map((die) =>
      attackerIds.has(die.id) || isInCombat(die) || doomed.has(die.id) ? home(die) : die,
    ),
  };
  return [hits, leaving, { ...view, why: null, news: rest }];
}
