import { describe, expect, test } from "vitest";
import type { DecisionData } from "../src/api/protocol";
import {
  EMPTY_SELECTION,
  toChoice,
  isComplete,
  selectableCards,
  selectableDice,
  buttonOptions,
  replacePayment,
  toggle,
  preview,
  suggestSelection,
  totalAmount,
  type Selection,
} from "../src/game/selection";
import { card, decision, die, option, view } from "./sampleViews";

const pointed = (d: DecisionData, ...dice: number[]): Selection =>
  dice.reduce((p, i) => toggle(d, p, i), EMPTY_SELECTION);

describe("picking many", () => {
  const asked = decision("many", [option([1, 2]), option([3])], { min: 1, max: 2 });

  test("all dice an option stands for are lit", () => {
    expect([...selectableDice(asked, EMPTY_SELECTION)]).toEqual([1, 2, 3]);
  });

  test("pointing again puts a die back", () => {
    expect(pointed(asked, 1, 3, 1).dice).toEqual([3]);
  });

  test("when the most are picked only those stay lit, and no more can be added", () => {
    const picks = pointed(asked, 1, 2);
    expect([...selectableDice(asked, picks)]).toEqual([1, 2]);
    expect(toggle(asked, picks, 3)).toEqual(picks);
  });

  test("where one is wanted, another takes its place", () => {
    expect(pointed(decision("many", asked.options, { max: 1 }), 1, 3).dice).toEqual([3]);
  });

  test("it can be confirmed when enough are picked", () => {
    expect(isComplete(asked, EMPTY_SELECTION)).toBe(false);
    expect(isComplete(asked, pointed(asked, 2))).toBe(true);
    expect(toChoice(asked, pointed(asked, 2, 3))).toEqual({ dice: [2, 3] });
  });

  test("what may be done instead of picking gets a button and does not light its die", () => {
    const instead = decision("many", [option([1]), option([4], { what: "use", number: 7 })]);
    expect([...selectableDice(instead, EMPTY_SELECTION)]).toEqual([1]);
    expect(buttonOptions(instead).map((o) => o.number)).toEqual([7]);
  });
});

describe("blocking", () => {
  const asked = decision("blocks", [option([1, 2], { to: 8, attackers: [8, 9] }), option([3], { to: 8 })], {
    kind: "block",
  });

  test("a blocker in hand lights the attackers it may block", () => {
    const picks = pointed(asked, 1);
    expect(picks.pendingBlocker).toBe(1);
    expect([...selectableDice(asked, picks)]).toEqual([1, 8, 9]);
    expect(isComplete(asked, picks)).toBe(false);
  });

  test("pointing at the attacker makes the block, pointing at the blocker again takes it back", () => {
    const picks = pointed(asked, 1, 9);
    expect(toChoice(asked, picks)).toEqual({ blocks: [[1, 9]] });
    expect(toggle(asked, picks, 1).blocks).toEqual([]);
  });

  test("a die with one possible attacker blocks it at once", () => {
    expect(pointed(asked, 3).blocks).toEqual([[3, 8]]);
  });

  test("a die that may block several is given one attacker after the other, and at last lets go of all", () => {
    const wide = decision("blocks", [option([1], { to: 8, attackers: [8, 9], several: true })], { kind: "block" });
    const both = pointed(wide, 1, 8, 1, 9);
    expect(both.blocks).toEqual([
      [1, 8],
      [1, 9],
    ]);
    expect(toggle(wide, both, 1)).toEqual(EMPTY_SELECTION);
    expect(pointed(wide, 1, 8, 1, 1)).toEqual(EMPTY_SELECTION);
  });

  test("pointing at the blocker in hand lets go of it", () => {
    expect(pointed(asked, 1, 1)).toEqual(EMPTY_SELECTION);
  });

  test("the mat shows the blocker facing its attacker before it is confirmed", () => {
    const shown = preview(view(1, { decision: asked, dice: [die(1, { zone: "field" })] }), pointed(asked, 1, 9));
    expect(shown.dice[0]!.blocks).toEqual([9]);
  });
});

describe("paying", () => {
  const options = [
    option([1], { amount: 1 }),
    option([2], { amount: 2 }),
    option([2], { amount: 1 }),
    option([3], { amount: 1 }),
  ];
  const asked = decision("spend", options, { total: 2, kind: "pay" });
  const dice = [die(1), die(2, { face: 1 }), die(3, { face: 2 })];

  test("pointing spends all of a die that fits, then less, then nothing", () => {
    expect(pointed(asked, 2).amounts).toEqual([[2, 2]]);
    expect(pointed(asked, 2, 2).amounts).toEqual([[2, 1]]);
    expect(pointed(asked, 2, 2, 2).amounts).toEqual([]);
    expect(pointed(asked, 1, 2).amounts).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test("it can be confirmed when the sum is right", () => {
    expect(isComplete(asked, pointed(asked, 1))).toBe(false);
    expect(toChoice(asked, pointed(asked, 1, 3))).toEqual({
      spend: [
        [1, 1],
        [3, 1],
      ],
    });
  });

  test("the payment proposed keeps wild energy and adds up", () => {
    const proposed = suggestSelection(asked, view(1, { decision: asked, dice }), [card(0)]);
    expect(proposed.amounts).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test("the payment proposed for a purchase has the card's type in it, wild if need be", () => {
    const bolts = card(0, {
      die: { ...card(0).die, faces: [{ ...card(0).die.faces[0]!, energy: "B" }, ...card(0).die.faces.slice(1)] },
    });
    const buy = decision(
      "spend",
      [option([1], { amount: 1 }), option([4], { amount: 1 }), option([3], { amount: 1 })],
      {
        total: 2,
        kind: "pay",
        about: "to buy Hulk",
        card: 1,
      },
    );
    const proposed = suggestSelection(buy, view(1, { decision: buy, dice: [die(1), die(4), die(3, { face: 2 })] }), [
      bolts,
      card(1),
    ]);
    expect(new Map(proposed.amounts).get(3)).toBe(1);
  });

  test("when all is paid another die takes the place of one, and all of them stay lit", () => {
    const proposed = suggestSelection(asked, view(1, { decision: asked, dice }), [card(0)]);
    expect([...selectableDice(asked, proposed)]).toEqual([1, 2, 3]);
    const other = replacePayment(asked, view(1, { decision: asked, dice }), [card(0)], proposed, 3);
    expect(totalAmount(other)).toBe(2);
    expect(other.amounts.map(([d]) => d)).toContain(3);
    expect(isComplete(asked, other)).toBe(true);
  });

  test("the die that a purchase needs stays, whatever else is chosen", () => {
    const bolts = card(0, {
      die: { ...card(0).die, faces: [{ ...card(0).die.faces[0]!, energy: "B" }, ...card(0).die.faces.slice(1)] },
    });
    const buy = decision(
      "spend",
      [option([1], { amount: 1 }), option([4], { amount: 1 }), option([3], { amount: 1 })],
      {
        total: 2,
        kind: "pay",
        about: "to buy Hulk",
        card: 1,
      },
    );
    const shown = view(1, { decision: buy, dice: [die(1), die(4), die(3, { face: 2 })] });
    const proposed = suggestSelection(buy, shown, [bolts, card(1)]);
    const other = [1, 4].find((d) => !proposed.amounts.some(([x]) => x === d))!;
    expect(new Map(replacePayment(buy, shown, [bolts, card(1)], proposed, other).amounts)).toEqual(
      new Map([
        [other, 1],
        [3, 1],
      ]),
    );
  });

  test("nothing is proposed where it would not add up", () => {
    const much = { ...asked, total: 9 };
    expect(suggestSelection(much, view(1, { decision: much, dice }), [card(0)])).toEqual(EMPTY_SELECTION);
  });
});

describe("splitting damage", () => {
  const asked = decision("split", [option([1], { amount: 2 }), option([2], { amount: 3 })], { total: 6 });

  test("the split proposed KOs one after the other and gives out all", () => {
    expect(suggestSelection(asked, view(1, { decision: asked }), []).amounts).toEqual([
      [1, 3],
      [2, 3],
    ]);
  });

  test("all must be given out, unless Overcrush may hold the rest for the player", () => {
    expect(isComplete(asked, pointed(asked, 1))).toBe(false);
    const over = { ...asked, over: true };
    expect(isComplete(over, pointed(over, 1))).toBe(true);
    expect(suggestSelection(over, view(1, { decision: over }), []).amounts).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  test("pointing gives one more until all is given out", () => {
    expect(pointed(asked, 1, 1, 2).amounts).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(pointed(asked, 1, 1, 1, 1, 1, 1, 2).amounts).toEqual([[1, 6]]);
  });
});

test("cards are lit only where one option is wanted", () => {
  expect([...selectableCards(decision("one", [option([], { card: 4 })]))]).toEqual([4]);
  expect([...selectableCards(decision("many", [option([], { card: 4 })]))]).toEqual([]);
});

test("attackers step forward before the attack is confirmed", () => {
  const asked = decision("many", [option([1])], { kind: "attack" });
  const shown = preview(
    view(1, { decision: asked, dice: [die(1, { zone: "field" }), die(2, { zone: "field" })] }),
    pointed(asked, 1),
  );
  expect(shown.dice.map((d) => d.attacking)).toEqual([true, undefined]);
});
