import { describe, expect, test } from "vitest";
import { isInCombat, combatLanes } from "../src/game/combatPreview";
import { backoff } from "../src/api/gameSocket";
import { compressText, decompressText } from "../src/util/compressText";
import { ViewQueue, displayTime } from "../src/game/viewQueue";
import { nearest } from "../src/ui/a11y/spatialNavigation";
import { die, view } from "./sampleViews";

describe("the view queue", () => {
  test("returns views one by one in order and drops duplicates", () => {
    const queue = new ViewQueue();
    expect([1, 2, 2, 1, 3].map((n) => queue.push(view(n)))).toEqual([true, true, false, false, true]);
    expect(queue.take().map((v) => v.version)).toEqual([1]);
    expect(queue.length).toBe(2);
  });

  test("returns all views if it is too far behind, or on request", () => {
    const queue = new ViewQueue(2);
    for (const n of [1, 2, 3]) queue.push(view(n));
    expect(queue.take()).toHaveLength(3);
    for (const n of [4, 5]) queue.push(view(n));
    expect(queue.take(true)).toHaveLength(2);
  });

  test("accepts only newer views after a reset", () => {
    const queue = new ViewQueue();
    queue.push(view(5));
    queue.reset(view(9));
    expect(queue.length).toBe(0);
    expect(queue.push(view(9))).toBe(false);
    expect(queue.push(view(10))).toBe(true);
  });

  test("shows a roll longer than a pass, and nothing at full speed", () => {
    const roll = view(1, { news: [{ text: "Hulk shows @1", kind: "roll", dice: [], seat: null, amount: 0 }] });
    const pass = view(2, { news: [{ text: "A: pass", kind: "move", dice: [], seat: "A", amount: 0 }] });
    expect(displayTime(roll, "normal")).toBeGreaterThan(displayTime(pass, "normal"));
    expect(displayTime(roll, "slow")).toBeGreaterThan(displayTime(roll, "fast"));
    expect(displayTime(roll, "at once")).toBe(0);
  });
});

test("reconnect delays grow up to a maximum", () => {
  expect(backoff(0, 0)).toBeLessThan(backoff(3, 0));
  expect(backoff(50, 1)).toBeLessThanOrEqual(15_000);
});

describe("the attack zone", () => {
  test("has a lane for each attacker and its blockers", () => {
    const dice = [
      die(1, { zone: "field", attacking: true }),
      die(2, { zone: "field", blocks: [1] }),
      die(3, { zone: "field", blocks: [1] }),
      die(4, { zone: "field" }),
    ];
    const made = combatLanes(view(1, { dice }));
    expect(made.map((l) => [l.attacker?.id, l.blockers.map((b) => b.id)])).toEqual([[1, [2, 3]]]);
    expect(dice.map(isInCombat)).toEqual([true, true, true, false]);
  });

  test("keeps a lane for a blocker whose attacker is gone", () => {
    const made = combatLanes(view(1, { dice: [die(2, { zone: "field", blocks: [1] })] }));
    expect(made).toMatchObject([{ attacker: null, blockers: [{ id: 2 }] }]);
  });
});

test("a position round-trips through a compressed link", async () => {
  const text = "edition: ai\nA field: Hulk@1* (3 damage), Sidekick\n".repeat(20) + "Señor ★";
  const packed = await compressText(text);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(packed.length).toBeLessThan(text.length / 2);
  expect(await decompressText(packed)).toBe(text);
  await expect(decompressText("rubbish!")).rejects.toThrow();
});

test("an arrow key finds the nearest element in its direction, aligned ones first", () => {
  const at = (x: number, y: number): DOMRect => ({ x, y, width: 10, height: 10 }) as DOMRect;
  const others = [at(100, 0), at(40, 80), at(0, 60), at(-50, 0)];
  expect(nearest(at(0, 0), "ArrowRight", others)).toBe(0);
  expect(nearest(at(0, 0), "ArrowDown", others)).toBe(2);
  expect(nearest(at(0, 0), "ArrowLeft", others)).toBe(3);
  expect(nearest(at(0, 0), "ArrowUp", others)).toBe(null);
  expect(nearest(at(0, 0), "x", others)).toBe(null);
});
