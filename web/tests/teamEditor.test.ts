import { describe, expect, test, vi } from "vitest";
import { TeamEditor } from "../src/features/teams/teamEditor.svelte";
import type { CardWithDie } from "../src/features/cards/cardCatalog";

const card = (key: string, kind: CardWithDie["kind"] = "character", max = 4): CardWithDie =>
  ({ key, kind, max, title: key }) as CardWithDie;

describe("the team editor", () => {
  test("adds cards and dice up to the card's limit", () => {
    const editor = new TeamEditor();
    editor.add(card("a"));
    for (let n = 0; n < 5; n++) editor.add(card("a"));
    editor.add(card("b", "character", 1));
    expect(editor.cards).toEqual([
      { key: "a", dice: 4 },
      { key: "b", dice: 1 },
    ]);
    expect(editor.dice).toBe(5);
  });

  test("undoes the removal of a card and earlier changes", () => {
    const editor = new TeamEditor();
    editor.add(card("a"));
    editor.add(card("x", "basic"));
    editor.remove("a", "A");
    expect(editor.lastRemoved).toBe("A");
    editor.add(card("x", "basic")); // adding a basic action again removes it
    expect(editor.basics).toEqual([]);
    editor.undo();
    editor.undo();
    expect([editor.cards, editor.basics, editor.lastRemoved]).toEqual([[{ key: "a", dice: 2 }], ["x"], ""]);
    editor.undo();
    editor.undo();
    editor.undo();
    expect(editor.cards).toEqual([]);
    expect(editor.canUndo).toBe(false);
  });

  test("removes a card with its last die, and moves cards", () => {
    const editor = new TeamEditor();
    for (const key of ["a", "b", "c"]) editor.add(card(key));
    editor.move("c", "a");
    editor.removeDie("b", "B");
    editor.removeDie("b", "B");
    expect(editor.cards.map((one) => one.key)).toEqual(["c", "a"]);
    editor.move("c", "");
    expect(editor.text).toBe("format: tournament\n2x a\n2x c\n");
  });

  test("saves a team only after a change", () => {
    const storage = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
    });
    const editor = new TeamEditor();
    editor.load({ name: "Ready", about: "", format: "short", cards: [{ key: "a", dice: 1 }], basics: [] });
    editor.save("dm1");
    expect(storage.size).toBe(0);
    editor.add(card("b"));
    editor.save("dm1");
    editor.save("dm2");
    const found = JSON.parse(storage.get("dicemasters teams")!) as { code: string; format: string }[];
    expect(found.map((team) => [team.code, team.format])).toEqual([["dm2", "short"]]);
  });
});
