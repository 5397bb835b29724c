import { describe, expect, test } from "vitest";
import { applyDelta } from "../src/api/delta";
import { die, view } from "./sampleViews";

const before = view(4, { dice: [die(1), die(2), die(3)], title: "Turn 1", turn: 1 });

describe("what has changed", () => {
  test("parts and dice that are said are new, the others stay", () => {
    const after = applyDelta(before, {
      type: "change",
      since: 4,
      view: { version: 5, news: [], turn: 2, dice: [die(2, { zone: "used" })] },
      gone: [],
    });
    expect(after).toEqual({ ...before, version: 5, turn: 2, dice: [die(1), die(2, { zone: "used" }), die(3)] });
    expect(after!.dice[0]).toBe(before.dice[0]); // what has not changed is not drawn anew
  });

  test("dice that are gone or new are so, in order", () => {
    const after = applyDelta(before, {
      type: "change",
      since: 4,
      view: { version: 5, news: [], dice: [die(4), die(0)] },
      gone: [2],
    });
    expect(after!.dice.map((d) => d.id)).toEqual([0, 1, 3, 4]);
  });

  test("a change of another version, or of nothing, fits no view", () => {
    const gap = { type: "change", since: 5, view: { version: 6, news: [] }, gone: [] } as const;
    expect(applyDelta(before, { ...gap, gone: [], view: { ...gap.view, news: [] } })).toBeNull();
    expect(applyDelta(null, { ...gap, gone: [], view: { ...gap.view, news: [] } })).toBeNull();
  });
});
