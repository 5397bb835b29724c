import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Board, logEntries } from "../src/game/board.svelte";
import type { LogEntryData, TableData, ClientMessage } from "../src/api/protocol";
import { EMPTY_SELECTION } from "../src/game/selection";
import { card, decision, die, option, view } from "./sampleViews";

const TABLE = { seats: ["A", "B"], cards: [card(0)], edition: "avx" } as unknown as TableData;
const VIEW = view(1, { dice: [die(7)], decision: decision("one", [option([7])]) });

function createBoard(): { board: Board; sent: ClientMessage[] } {
  const sent: ClientMessage[] = [];
  const board = new Board(TABLE, VIEW, (message) => sent.push(message) > 0);
  board.you = ["A"];
  board.resetSelection();
  return { board, sent };
}

test("undo removes log lines, including those from before joining", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const news = (text: string): LogEntryData[] => [
    { text, kind: "happening", dice: [], seat: null, amount: 0 } as LogEntryData,
  ];
  const { board } = createBoard();
  board.log = [
    ...logEntries(view(1, { move: 1, news: news("before") })),
    ...logEntries(view(4, { move: 4, news: news("later") })),
  ];
  board.showView(view(5, { move: 5, news: news("now") }));
  expect(board.log.map((line) => line.text)).toEqual(["before", "later", "now"]);
  board.showView(view(6, { move: 2 }));
  expect(board.log.map((line) => line.text)).toEqual(["before"]);
});

describe("a pending choice", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
  });
  afterEach(() => vi.useRealTimers());

  test("keeps its question visible for a moment and accepts no other choice", () => {
    const { board, sent } = createBoard();
    board.clickDie(7);
    board.clickDie(7);
    expect(sent).toHaveLength(1);
    expect(board.isWaiting).toBe(true);
    expect(board.decision).toBe(VIEW.decision);
    vi.advanceTimersByTime(1000);
    expect(board.decision).toBe(null);
    board.isWaiting = false;
    expect(board.decision).toBe(VIEW.decision);
  });

  test("hides the question of another view", () => {
    const { board } = createBoard();
    board.clickDie(7);
    board.view = view(2, { decision: decision("one", [option([7])]) });
    expect(board.decision).toBe(null);
  });

  test("blocks selecting and planning", () => {
    const { board, sent } = createBoard();
    const [pass, no] = [option([], { number: 3, what: "pass" }), option([], { number: 4, what: "no" })];
    board.showView(view(2, { decision: decision("one", [pass, no], { about: "Again?" }) }));
    board.choose(pass);
    board.endTurn(pass);
    board.autoDecline(board.decision!);
    board.select({ ...EMPTY_SELECTION, dice: [7] });
    expect(board.selection).toBe(EMPTY_SELECTION);
    for (const question of [
      decision("many", [], { kind: "attack" }),
      decision("one", [pass, no], { about: "Again?" }),
    ]) {
      board.isWaiting = false;
      board.showView(view(3, { decision: question }));
      expect(board.isWaiting).toBe(false);
    }
    expect(sent).toHaveLength(1);
  });

  test("hides a question that was answered in advance", () => {
    const { board, sent } = createBoard();
    board.endTurn(VIEW.decision!.options[0]!);
    board.isWaiting = false;
    board.showView(view(2, { decision: decision("many", [], { kind: "attack" }) }));
    expect(sent).toHaveLength(2);
    expect(board.decision).toBe(null);
  });

  test("drops the plan for the turn once it is refused", () => {
    const { board, sent } = createBoard();
    board.endTurn(VIEW.decision!.options[0]!);
    board.onRejected("Not now.");
    expect(board.decision).toBe(VIEW.decision);
    board.choose(VIEW.decision!.options[0]!);
    board.isWaiting = false;
    board.showView(view(2, { decision: decision("many", [], { kind: "attack" }) }));
    expect(sent).toHaveLength(2);
  });

  test("closes the menu if nothing can be chosen afterwards", () => {
    const { board } = createBoard();
    board.clickDie(7, true);
    board.choose(board.menu!.options[0]!);
    board.isWaiting = false;
    board.send = null;
    vi.advanceTimersByTime(1000);
    expect(board.menu).toBe(null);
  });

  test("keeps its menu open for a moment", () => {
    const { board } = createBoard();
    board.clickDie(7, true);
    board.choose(board.menu!.options[0]!);
    expect(board.menu).not.toBe(null);
    vi.advanceTimersByTime(1000);
    expect(board.menu).toBe(null);
  });
});
