import { describe, expect, test } from "vitest";
import { contrast, ensureContrast } from "../src/ui/color";
import { dieText, faceText, monogram } from "../src/game/describe";
import { tokenize } from "../src/ui/richText";
import { card, die, view } from "./sampleViews";

describe("texts", () => {
  test("symbols become separate tokens", () => {
    expect(tokenize("Pay [M]: spin to [2]. ★ Instead")).toEqual([
      { kind: "text", text: "Pay " },
      { kind: "symbol", symbol: "M" },
      { kind: "text", text: ": spin to " },
      { kind: "symbol", symbol: "2" },
      { kind: "text", text: ". " },
      { kind: "symbol", symbol: "★" },
      { kind: "text", text: " Instead" },
    ]);
  });

  test("terms match whole words in any case, longest first", () => {
    const terms = [
      { term: "Prep", rule: "1.1a", text: "", also: [] },
      { term: "Prep Area", rule: "1.1a", text: "", also: [] },
      { term: "KO", rule: "1.1a", text: "", also: ["KO'd"] },
    ];
    expect(tokenize("A ko, a hit", [...terms, { term: "A", rule: "1.1a", text: "", also: [] }])).toEqual([
      { kind: "text", text: "A ko, a hit" },
    ]);
    expect(tokenize("is KO'd", terms)).toMatchObject([{ text: "is " }, { text: "KO'd", term: terms[2] }]);
    const found = tokenize("Into the prep area, not prepared", terms).filter((p) => p.kind === "term");
    expect(found).toMatchObject([{ text: "prep area", term: terms[1] }]);
  });
});

test("monograms are short and distinguish heroes", () => {
  expect(["Hulk", "Iron Man", "Spider-Man", "X-23", "Sidekick", "Mister Fantastic"].map(monogram)).toEqual([
    "HU",
    "IM",
    "SM",
    "X2",
    "SK",
    "MF",
  ]);
});

test("faces are described in words", () => {
  const faces = card(0).die.faces;
  expect(faces.map(faceText)).toEqual([
    "1 fist energy",
    "2 fist energy",
    "1 wild energy",
    "2 generic energy",
    "level 1, 3 attack, 4 defence, fielding cost 1",
    "action, 1 burst",
  ]);
});

test("a die is described with its current stats, damage and the attacker it blocks", () => {
  const blocker = die(1, { zone: "field", face: 4, a: 5, d: 4, printed_a: 3, printed_d: 4, damage: 2, blocks: [2] });
  const shown = view(1, { dice: [blocker, die(2, { card: 1, zone: "field", face: 4, attacking: true })] });
  expect(dieText(blocker, card(0), shown, [card(0), card(1, { title: "Thor" })])).toBe(
    "Hulk, level 1, 5 attack, 4 defence, 2 damage, blocking Thor",
  );
});

test("unreadable ink on a die becomes black or white", () => {
  expect(ensureContrast("#111111", "#ffffff")).toBe("#ffffff");
  expect(contrast("#b2dde8", ensureContrast("#b2dde8", "#eafbfd"))).toBeGreaterThanOrEqual(4.5);
  expect(contrast("#191414", ensureContrast("#191414", "#222222", 7))).toBeGreaterThanOrEqual(7);
});
