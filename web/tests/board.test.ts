import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Board } from "../src/board.svelte";
import type { Table, ToServer } from "../src/contract";
import { card, decision, die, option, view } from "./sample";

const TABLE = { seats: ["A", "B"], cards: [card(0)], edition: "avx" } as unknown as Table;
const ASKED = view(1, { dice: [die(7)], decision: decision("one", [option([7])]) });

function sit(): { board: Board; sent: ToServer[] } {
  const sent: ToServer[] = [];
  const board = new Board(TABLE, ASKED, (message) => sent.push(message) > 0);
  board.you = ["A"];
  board.begin();
  return { board, sent };
}

describe("a choice on its way", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
  });
  afterEach(() => vi.useRealTimers());

  test("leaves its question in view for a moment, and takes no other", () => {
    const { board, sent } = sit();
    board.pointDie(7);
    board.pointDie(7);
    expect(sent).toHaveLength(1);
    expect(board.waiting).toBe(true);
    expect(board.decision).toBe(ASKED.decision);
    vi.advanceTimersByTime(1000);
    expect(board.decision).toBe(null);
    board.waiting = false;
    expect(board.decision).toBe(ASKED.decision);
  });

  test("says nothing of another view's question", () => {
    const { board } = sit();
    board.pointDie(7);
    board.view = view(2, { decision: decision("one", [option([7])]) });
    expect(board.decision).toBe(null);
  });

  test("leaves what it was chosen from on the stage as long", () => {
    const { board } = sit();
    board.pointDie(7, true);
    board.choose(board.menu!.options[0]!);
    expect(board.menu).not.toBe(null);
    vi.advanceTimersByTime(1000);
    expect(board.menu).toBe(null);
  });
});
