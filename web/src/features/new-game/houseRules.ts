import type { EditionData, HouseRuleGroup, HouseRuleData, RuleSetting } from "../../api/protocol";
import { dialogsText } from "../../i18n";

/** Chosen settings by switch name. A setting that the edition has anyway is not a house rule. */
export type HouseChoices = Record<string, boolean>;

/** Return the setting of a switch that is a house rule in an edition. */
export const houseSetting = (one: HouseRuleData, edition: string): RuleSetting =>
  one.editions[edition] ? one.off : one.on;

/** Return the setting that an edition has itself. */
export const editionSetting = (one: HouseRuleData, edition: string): RuleSetting =>
  one.editions[edition] ? one.on : one.off;

/** Whether a switch is set differently from the edition. */
export const isChanged = (one: HouseRuleData, edition: string, wanted: HouseChoices): boolean =>
  one.name in wanted && wanted[one.name] !== one.editions[edition];

/** Return the settings after a house rule was added or removed. */
export function withHouseRule(wanted: HouseChoices, one: HouseRuleData, edition: string, on: boolean): HouseChoices {
  const { [one.name]: _, ...rest } = wanted;
  return on ? { ...rest, [one.name]: !one.editions[edition] } : rest;
}

/** Return the texts of the chosen house rules, in the order they are offered. */
export function houseRuleTexts(groups: HouseRuleGroup[], edition: string, wanted: HouseChoices): string[] {
  return groups.flatMap((g) =>
    g.switches.filter((one) => isChanged(one, edition, wanted)).map((one) => houseSetting(one, edition).words),
  );
}

/** Return the edition with its house rules, in the server's text format. */
export const editionText = (groups: HouseRuleGroup[], edition: string, wanted: HouseChoices): string =>
  [edition, ...houseRuleTexts(groups, edition, wanted)].join(", ");

/** Return the number of house rules in words, or "" if there are none. */
export const countText = (n: number): string => dialogsText.rules.houseRules(n);

/** Describe the rules of a game. */
export const rulesText = (edition: EditionData): string =>
  [edition.name, countText(edition.house.length)].filter(Boolean).join(dialogsText.rules.withHouse);

/** Add or remove a reading of the script. Of two readings of one point, the later one counts. */
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
