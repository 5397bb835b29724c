import { describe, expect, test } from "vitest";
import type { Seat } from "../src/api/protocol";
import { nameless } from "../src/game/seatNames";

const TWO: Seat[] = ["A", "B"];
const FOUR: Seat[] = ["A", "B", "C", "D"];

describe("who has said no name", () => {
  test("in a game of two it is the rival", () => {
    expect(nameless("B", ["A"], TWO)).toBe("Rival");
    expect(nameless("A", ["B"], TWO)).toBe("Rival");
  });

  test("in a game of four the partner and two rivals are told apart", () => {
    expect(FOUR.map((seat) => nameless(seat, ["A"], FOUR))).toEqual(["Player 1", "Rival 1", "Partner", "Rival 2"]);
    expect(FOUR.map((seat) => nameless(seat, ["D"], FOUR))).toEqual(["Rival 1", "Partner", "Rival 2", "Player 4"]);
    expect(nameless("D", ["A", "C"], FOUR)).toBe("Rival 2");
  });

  test("to who watches or plays both sides a seat is its number", () => {
    expect(nameless("B", [], FOUR)).toBe("Player 2");
    expect(nameless("C", ["A", "B"], FOUR)).toBe("Player 3");
  });
});
