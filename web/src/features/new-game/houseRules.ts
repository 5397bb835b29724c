import type { EditionData, HouseRuleGroup, HouseRuleData, RuleSetting } from "../../api/protocol";
import { boxes } from "../../i18n";

/** Settings somebody wants, by the switch's name; what an edition has anyway is no house rule. */
export type Changed = Record<string, boolean>;

/** Give the setting of a switch that is a house rule in an edition. */
export const other = (one: HouseRuleData, edition: string): RuleSetting => (one.editions[edition] ? one.off : one.on);

/** Give the setting an edition has of its own. */
export const own = (one: HouseRuleData, edition: string): RuleSetting => (one.editions[edition] ? one.on : one.off);

/** Tell whether a switch is wanted otherwise than the edition has it. */
export const isChanged = (one: HouseRuleData, edition: string, wanted: Changed): boolean =>
  one.name in wanted && wanted[one.name] !== one.editions[edition];

/** Give the settings after a house rule was taken up or dropped. */
export function withRule(wanted: Changed, one: HouseRuleData, edition: string, on: boolean): Changed {
  const { [one.name]: _, ...rest } = wanted;
  return on ? { ...rest, [one.name]: !one.editions[edition] } : rest;
}

/** Give the words of the house rules that are wanted, in the order they are offered. */
export function changes(groups: HouseRuleGroup[], edition: string, wanted: Changed): string[] {
  return groups.flatMap((g) => g.switches.filter((one) => isChanged(one, edition, wanted)).map((one) => other(one, edition).words));
}

/** Give the edition with its house rules, as the server reads it. */
export const editionText = (groups: HouseRuleGroup[], edition: string, wanted: Changed): string =>
  [edition, ...changes(groups, edition, wanted)].join(", ");

/** Say how many house rules there are, or nothing. */
export const count = (n: number): string => boxes.rules.houseRules(n);

/** Say by which rules a game is played. */
export const rulesOf = (edition: EditionData): string =>
  [edition.name, count(edition.house.length)].filter(Boolean).join(boxes.rules.withHouse);

/** Take up a reading of the script or drop it; of two about one point the later one counts. */
export function withReading(chosen: string[], offered: { words: string; point: string }[], words: string, on: boolean): string[] {
  const point = offered.find((r) => r.words === words)?.point;
  const rest = chosen.filter((w) => w !== words && offered.find((r) => r.words === w)?.point !== point);
  return on ? [...rest, words] : rest;
}
