/** The attack zone as lanes, and what would come of it as things stand. */

import type { DecisionData, DieData, Seat, View } from "../api/protocol";
import type { Picks } from "./selection";

export interface Lane {
  attacker: DieData | null;
  blockers: DieData[];
}

/** Tell whether a die stands in the attack zone. */
export function isInFight(die: DieData): boolean {
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
export function forecast(view: View, decision: DecisionData | null, picks: Picks): Forecast {
  const all = lanes(view);
  if (view.step !== "attack" || !all.length) return NOTHING_COMES;
  const damage = new Map<number, number>();
  const life = new Map<Seat, number>();
  const hurt = (die: DieData, n: number): void => void (n > 0 && damage.set(die.id, (damage.get(die.id) ?? 0) + n));
  const split = decision?.mode === "split" ? new Map(picks.amounts) : null;
  const needs = (die: DieData): number => Math.max(0, (die.d ?? 0) - (die.damage ?? 0));
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

/** A part of a view, shown for some time before the next. */
export interface Moment extends View {
  /** what has come of the fight */
  came: Forecast;
  /** milliseconds it stays */
  stays: number;
}

/** Give a view in parts if it tells the end of a fight and what comes after it: the hits, who leaves, all the rest. */
export function inMoments(before: View, view: View): View[] {
  const after = view.news.findIndex((line) => line.kind === "turn");
  const news = after < 0 ? view.news : view.news.slice(0, after);
  const rest = view.news.slice(news.length);
  const forward = new Set(news.filter((line) => / attacks$/.test(line.text)).flatMap((line) => line.dice));
  const fought = { ...before, dice: before.dice.map((die) => (forward.has(die.id) ? { ...die, attacking: true } : die)) };
  const isOver = lanes(fought).length > 0 && !lanes(view).length && news.some((line) => line.kind === "damage");
  if (!isOver || rest.some((line) => line.seat !== null && (line.kind === "damage" || line.kind === "life"))) return [view];
  const hurt = new Map<number, number>();
  for (const line of news) if (line.kind === "damage" && line.seat === null) hurt.set(line.dice.at(-1)!, (hurt.get(line.dice.at(-1)!) ?? 0) + line.amount);
  const doomed = new Set(news.filter((line) => line.kind === "ko").flatMap((line) => line.dice));
  const now = new Map(view.dice.map((die) => [die.id, die]));
  const home = (die: DieData): DieData => {
    const at = now.get(die.id) ?? die;
    return at.zone === "field" || at.face === null ? at : { ...at, zone: "prep", face: null }; // rolled again since
  };
  const { move, life, why } = view;
  const hits: Moment = {
    ...fought,
    version: view.version - 0.6,
    ...{ move, life, why, news, decision: null, stays: 1200 },
    came: { ...NOTHING_COMES, doomed },
    dice: fought.dice.map((die) => ({ ...die, damage: (die.damage ?? 0) + (hurt.get(die.id) ?? 0) })),
  };
  const leave: Moment = {
    ...hits,
    version: view.version - 0.3,
    ...{ why: null, news: [], stays: 400, came: NOTHING_COMES },
    dice: before.dice.map((die) => (forward.has(die.id) || isInFight(die) || doomed.has(die.id) ? home(die) : die)),
  };
  return [hits, leave, { ...view, why: null, news: rest }];
}
