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

const select = (d: DecisionData, ...dice: number[]): Selection =>
  dice.reduce((p, i) => toggle(d, p, i), EMPTY_SELECTION);

describe("selecting several dice", () => {
  const question = decision("many", [option([1, 2]), option([3])], { min: 1, max: 2 });

  test("lights all dice of an option", () => {
    expect([...selectableDice(question, EMPTY_SELECTION)]).toEqual([1, 2, 3]);
  });

  test("deselects a die on a second click", () => {
    expect(select(question, 1, 3, 1).dice).toEqual([3]);
  });

  test("lights only selected dice once the maximum is reached, and accepts no more", () => {
    const picks = select(question, 1, 2);
    expect([...selectableDice(question, picks)]).toEqual([1, 2]);
    expect(toggle(question, picks, 3)).toEqual(picks);
  });

  test("replaces the selection if only one die is wanted", () => {
    expect(select(decision("many", question.options, { max: 1 }), 1, 3).dice).toEqual([3]);
  });

  test("can be confirmed once enough dice are selected", () => {
    expect(isComplete(question, EMPTY_SELECTION)).toBe(false);
    expect(isComplete(question, select(question, 2))).toBe(true);
    expect(toChoice(question, select(question, 2, 3))).toEqual({ dice: [2, 3] });
  });

  test("offers alternatives as buttons without lighting their dice", () => {
    const instead = decision("many", [option([1]), option([4], { what: "use", number: 7 })]);
    expect([...selectableDice(instead, EMPTY_SELECTION)]).toEqual([1]);
    expect(buttonOptions(instead).map((o) => o.number)).toEqual([7]);
  });
});

describe("blocking", () => {
  const question = decision("blocks", [option([1, 2], { to: 8, attackers: [8, 9] }), option([3], { to: 8 })], {
    kind: "block",
  });

  test("lights the attackers that the pending blocker may block", () => {
    const picks = select(question, 1);
    expect(picks.pendingBlocker).toBe(1);
    expect([...selectableDice(question, picks)]).toEqual([1, 8, 9]);
    expect(isComplete(question, picks)).toBe(false);
  });

  test("adds a block by clicking the attacker and removes it by clicking the blocker", () => {
    const picks = select(question, 1, 9);
    expect(toChoice(question, picks)).toEqual({ blocks: [[1, 9]] });
    expect(toggle(question, picks, 1).blocks).toEqual([]);
  });

  test("blocks immediately if there is only one possible attacker", () => {
    expect(select(question, 3).blocks).toEqual([[3, 8]]);
  });

  test("assigns several attackers one by one to a die that may block several, then clears them", () => {
    const wide = decision("blocks", [option([1], { to: 8, attackers: [8, 9], several: true })], { kind: "block" });
    const both = select(wide, 1, 8, 1, 9);
    expect(both.blocks).toEqual([
      [1, 8],
      [1, 9],
    ]);
    expect(toggle(wide, both, 1)).toEqual(EMPTY_SELECTION);
    expect(select(wide, 1, 8, 1, 1)).toEqual(EMPTY_SELECTION);
  });

  test("deselects the pending blocker on a second click", () => {
    expect(select(question, 1, 1)).toEqual(EMPTY_SELECTION);
  });

  test("previews the block before it is confirmed", () => {
    const shown = preview(view(1, { decision: question, dice: [die(1, { zone: "field" })] }), select(question, 1, 9));
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
  const question = decision("spend", options, { total: 2, kind: "pay" });
  const dice = [die(1), die(2, { face: 1 }), die(3, { face: 2 })];

  test("spends as much of a die as fits, then less, then nothing", () => {
    expect(select(question, 2).amounts).toEqual([[2, 2]]);
    expect(select(question, 2, 2).amounts).toEqual([[2, 1]]);
    expect(select(question, 2, 2, 2).amounts).toEqual([]);
    expect(select(question, 1, 2).amounts).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test("can be confirmed once the sum is right", () => {
    expect(isComplete(question, select(question, 1))).toBe(false);
    expect(toChoice(question, select(question, 1, 3))).toEqual({
      spend: [
        [1, 1],
        [3, 1],
      ],
    });
  });

  test("suggests a payment that adds up and keeps wild energy", () => {
    const proposed = suggestSelection(question, view(1, { decision: question, dice }), [card(0)]);
    expect(proposed.amounts).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test("suggests a payment with the card's energy type, wild if necessary", () => {
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

  test("replaces a die of a complete payment, and keeps all dice lit", () => {
    const proposed = suggestSelection(question, view(1, { decision: question, dice }), [card(0)]);
    expect([...selectableDice(question, proposed)]).toEqual([1, 2, 3]);
    const other = replacePayment(question, view(1, { decision: question, dice }), [card(0)], proposed, 3);
    expect(totalAmount(other)).toBe(2);
    expect(other.amounts.map(([d]) => d)).toContain(3);
    expect(isComplete(question, other)).toBe(true);
  });

  test("keeps the die that a purchase requires when another is chosen", () => {
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

  test("suggests nothing if the energy does not suffice", () => {
    const much = { ...question, total: 9 };
    expect(suggestSelection(much, view(1, { decision: much, dice }), [card(0)])).toEqual(EMPTY_SELECTION);
  });
});

describe("splitting damage", () => {
  const question = decision("split", [option([1], { amount: 2 }), option([2], { amount: 3 })], { total: 6 });

  test("suggests KOs one after the other and assigns all damage", () => {
    expect(suggestSelection(question, view(1, { decision: question }), []).amounts).toEqual([
      [1, 3],
      [2, 3],
    ]);
  });

  test("requires all damage to be assigned, unless Overcrush sends the rest to the player", () => {
    expect(isComplete(question, select(question, 1))).toBe(false);
    const over = { ...question, over: true };
    expect(isComplete(over, select(over, 1))).toBe(true);
    expect(suggestSelection(over, view(1, { decision: over }), []).amounts).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  test("assigns one more damage per click until none is left", () => {
    expect(select(question, 1, 1, 2).amounts).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(select(question, 1, 1, 1, 1, 1, 1, 2).amounts).toEqual([[1, 6]]);
  });
});

test("cards are lit only if a single option is wanted", () => {
  expect([...selectableCards(decision("one", [option([], { card: 4 })]))]).toEqual([4]);
  expect([...selectableCards(decision("many", [option([], { card: 4 })]))]).toEqual([]);
});

test("attackers are previewed before the attack is confirmed", () => {
  const question = decision("many", [option([1])], { kind: "attack" });
  const shown = preview(
    view(1, { decision: question, dice: [die(1, { zone: "field" }), die(2, { zone: "field" })] }),
    select(question, 1),
  );
  expect(shown.dice.map((d) => d.attacking)).toEqual([true, undefined]);
});
