import { describe, expect, test } from "vitest";
import type { HouseRuleGroup, HouseRuleData } from "../src/api/protocol";
import {
  houseRuleTexts,
  countText,
  editionText,
  isChanged,
  houseSetting,
  editionSetting,
  rulesText,
  withVariant,
  withHouseRule,
} from "../src/features/new-game/houseRules";

const one = (name: string, avx: boolean, ai: boolean): HouseRuleData => ({
  name,
  rule: "3",
  on: { words: `${name} yes`, about: "On." },
  off: { words: `${name} no`, about: "Off." },
  editions: { avx, ai },
});
const TIES = one("ties", false, true);
const STAY = one("stay", false, false);
const GROUPS: HouseRuleGroup[] = [
  { subject: "End", switches: [TIES] },
  { subject: "Attack", switches: [STAY] },
];

describe("house rules", () => {
  test("the house setting is the opposite of the edition's", () => {
    expect([houseSetting(TIES, "avx").words, editionSetting(TIES, "avx").words]).toEqual(["ties yes", "ties no"]);
    expect([houseSetting(TIES, "ai").words, editionSetting(TIES, "ai").words]).toEqual(["ties no", "ties yes"]);
  });

  test("only differences from the edition are sent, in the order of the list", () => {
    const both = withHouseRule(withHouseRule({}, STAY, "avx", true), TIES, "avx", true);
    expect(editionText(GROUPS, "avx", both)).toBe("avx, ties yes, stay yes");
    expect(editionText(GROUPS, "avx", withHouseRule(both, TIES, "avx", false))).toBe("avx, stay yes");
    expect(editionText(GROUPS, "avx", {})).toBe("avx");
  });

  test("switching the edition keeps the rules that still differ", () => {
    const both = withHouseRule(withHouseRule({}, STAY, "avx", true), TIES, "avx", true);
    expect(houseRuleTexts(GROUPS, "ai", both)).toEqual(["stay yes"]);
    expect(isChanged(TIES, "ai", both)).toBe(false);
    expect(editionText(GROUPS, "avx", both)).toBe("avx, ties yes, stay yes");
  });

  test("are counted beside the edition's name", () => {
    const edition = { key: "avx", name: "Avengers vs. X-Men", text: "avx", house: [] };
    expect(rulesText(edition)).toBe("Avengers vs. X-Men");
    expect(rulesText({ ...edition, house: [STAY.on] })).toBe("Avengers vs. X-Men with 1 house rule");
    expect(countText(2)).toBe("2 house rules");
  });
});

test("of two script variants for one point the later one counts", () => {
  const offered = [
    { words: "basics mixed", point: "basics" },
    { words: "basics never", point: "basics" },
    { words: "every act", point: "every_act" },
  ];
  const both = withVariant(withVariant([], offered, "basics mixed", true), offered, "every act", true);
  expect(both).toEqual(["basics mixed", "every act"]);
  expect(withVariant(both, offered, "basics never", true)).toEqual(["every act", "basics never"]);
  expect(withVariant(both, offered, "every act", false)).toEqual(["basics mixed"]);
});
