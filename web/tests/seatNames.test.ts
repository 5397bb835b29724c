import { describe, expect, test } from "vitest";
import type { Seat } from "../src/api/protocol";
import { defaultSeatName } from "../src/game/seatNames";

const TWO: Seat[] = ["A", "B"];
const FOUR: Seat[] = ["A", "B", "C", "D"];

describe("a player without a name", () => {
  test("is the rival in a game of two", () => {
    expect(defaultSeatName("B", ["A"], TWO)).toBe("Rival");
    expect(defaultSeatName("A", ["B"], TWO)).toBe("Rival");
  });

  test("is the partner or a numbered rival in doubles", () => {
    expect(FOUR.map((seat) => defaultSeatName(seat, ["A"], FOUR))).toEqual([
      "Player 1",
      "Rival 1",
      "Partner",
      "Rival 2",
    ]);
    expect(FOUR.map((seat) => defaultSeatName(seat, ["D"], FOUR))).toEqual([
      "Rival 1",
      "Partner",
      "Rival 2",
      "Player 4",
    ]);
    expect(defaultSeatName("D", ["A", "C"], FOUR)).toBe("Rival 2");
  });

  test("is numbered by seat for watchers and for someone who plays both sides", () => {
    expect(defaultSeatName("B", [], FOUR)).toBe("Player 2");
    expect(defaultSeatName("C", ["A", "B"], FOUR)).toBe("Player 3");
  });
});
