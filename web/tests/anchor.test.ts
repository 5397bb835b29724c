import { expect, test } from "vitest";
import { placeBeside } from "../src/features/coach/anchor";

const SCREEN = { w: 1280, h: 720 };
const BUBBLE = { w: 430, h: 180 };

test("the bubble is directly above its target", () => {
  expect(placeBeside(BUBBLE, [{ x: 600, y: 500, w: 80, h: 80 }], SCREEN)).toEqual({ x: 425, y: 302 });
});

test("without room beside its target, the bubble stays near and covers nothing", () => {
  const bar = { x: 318, y: 640, w: 668, h: 80 };
  const field = { x: 310, y: 440, w: 560, h: 140 };
  const at = placeBeside(BUBBLE, [bar, field], SCREEN);
  expect(at.y + BUBBLE.h).toBeLessThanOrEqual(field.y);
  expect(at.y).toBeGreaterThan(200); // not in a distant corner
  expect(Math.abs(at.x + BUBBLE.w / 2 - (bar.x + bar.w / 2))).toBeLessThan(150);
});

test("the bubble covers optional areas rather than its target", () => {
  const left = { x: 0, y: 0, w: 640, h: 720 };
  const right = { ...left, x: 640 };
  expect(placeBeside(BUBBLE, [left], SCREEN, [right]).x).toBeGreaterThanOrEqual(640);
  expect(placeBeside(BUBBLE, [right], SCREEN, [left]).x + BUBBLE.w).toBeLessThanOrEqual(640);
});
