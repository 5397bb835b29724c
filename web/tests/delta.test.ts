import { describe, expect, test } from "vitest";
import { applyDelta } from "../src/api/delta";
import { die, view } from "./sampleViews";

const before = view(4, { dice: [die(1), die(2), die(3)], title: "Turn 1", turn: 1 });

describe("a delta", () => {
  test("replaces the listed parts and dice and keeps the others", () => {
    const after = applyDelta(before, {
      type: "change",
      since: 4,
      view: { version: 5, news: [], turn: 2, dice: [die(2, { zone: "used" })] },
      gone: [],
    });
    expect(after).toEqual({ ...before, version: 5, turn: 2, dice: [die(1), die(2, { zone: "used" }), die(3)] });
    expect(after!.dice[0]).toBe(before.dice[0]); // unchanged dice keep their identity, so they are not redrawn
  });

  test("removes and adds dice in order", () => {
    const after = applyDelta(before, {
      type: "change",
      since: 4,
      view: { version: 5, news: [], dice: [die(4), die(0)] },
      gone: [2],
    });
    expect(after!.dice.map((d) => d.id)).toEqual([0, 1, 3, 4]);
  });

  test("for another version, or without a view, is rejected", () => {
    const gap = { type: "change", since: 5, view: { version: 6, news: [] }, gone: [] } as const;
    expect(applyDelta(before, { ...gap, gone: [], view: { ...gap.view, news: [] } })).toBeNull();
    expect(applyDelta(null, { ...gap, gone: [], view: { ...gap.view, news: [] } })).toBeNull();
  });
});
