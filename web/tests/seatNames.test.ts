import { describe, expect, test } from "vitest";
import type { Seat } from "../src/api/protocol";
import { defaultSeatName } from "../src/game/seatNames";

const TWO: Seat[] = ["A", "B"];
const FOUR: Seat[] = ["A", "B", "C", "D"];

describe("who has said no name", () => {
  test("in a game of two it is the rival", () => {
    expect(defaultSeatName("B", ["A"], TWO)).toBe("Rival");
    expect(defaultSeatName("A", ["B"], TWO)).toBe("Rival");
  });

  test("in a game of four the partner and two rivals are told apart", () => {
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

  test("to who watches or plays both sides a seat is its number", () => {
    expect(defaultSeatName("B", [], FOUR)).toBe("Player 2");
    expect(defaultSeatName("C", ["A", "B"], FOUR)).toBe("Player 3");
  });
});
