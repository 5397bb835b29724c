import type { EditionData, HouseRuleGroup, HouseRuleData, RuleSetting } from "../../api/protocol";
import { dialogsText } from "../../i18n";

/** Settings somebody wants, by the switch's name; what an edition has anyway is no house rule. */
export type HouseChoices = Record<string, boolean>;

/** Give the setting of a switch that is a house rule in an edition. */
export const houseSetting = (one: HouseRuleData, edition: string): RuleSetting =>
  one.editions[edition] ? one.off : one.on;

/** Give the setting an edition has of its own. */
export const editionSetting = (one: HouseRuleData, edition: string): RuleSetting =>
  one.editions[edition] ? one.on : one.off;

/** Tell whether a switch is wanted otherwise than the edition has it. */
export const isChanged = (one: HouseRuleData, edition: string, wanted: HouseChoices): boolean =>
  one.name in wanted && wanted[one.name] !== one.editions[edition];

/** Give the settings after a house rule was taken up or dropped. */
export function withHouseRule(wanted: HouseChoices, one: HouseRuleData, edition: string, on: boolean): HouseChoices {
  const { [one.name]: _, ...rest } = wanted;
  return on ? { ...rest, [one.name]: !one.editions[edition] } : rest;
}

/** Give the words of the house rules that are wanted, in the order they are offered. */
export function houseRuleTexts(groups: HouseRuleGroup[], edition: string, wanted: HouseChoices): string[] {
  return groups.flatMap((g) =>
    g.switches.filter((one) => isChanged(one, edition, wanted)).map((one) => houseSetting(one, edition).words),
  );
}

/** Give the edition with its house rules, as the server reads it. */
export const editionText = (groups: HouseRuleGroup[], edition: string, wanted: HouseChoices): string =>
  [edition, ...houseRuleTexts(groups, edition, wanted)].join(", ");

/** Say how many house rules there are, or nothing. */
export const countText = (n: number): string => dialogsText.rules.houseRules(n);

/** Say by which rules a game is played. */
export const rulesText = (edition: EditionData): string =>
  [edition.name, countText(edition.house.length)].filter(Boolean).join(dialogsText.rules.withHouse);

/** Take up a reading of the script or drop it; of two about one point the later one counts. */
export function withVariant(
  chosen: string[],
  offered: { words: string; point: string }[],
  words: string,
  on: boolean,
): string[] {
  const point = offered.find((r) => r.words === words)?.point;
  const rest = chosen.filter((w) => w !== words && offered.find((r) => r.words === w)?.point !== point);
  return on ? [...rest, words] : rest;
}
