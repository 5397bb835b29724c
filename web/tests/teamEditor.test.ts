import { describe, expect, test, vi } from "vitest";
import { TeamEditor } from "../src/features/teams/teamEditor.svelte";
import type { CardWithDie } from "../src/features/cards/cardCatalog";

const card = (key: string, kind: CardWithDie["kind"] = "character", max = 4): CardWithDie =>
  ({ key, kind, max, title: key }) as CardWithDie;

describe("the bench", () => {
  test("takes cards in with their dice, up to their limit", () => {
    const bench = new TeamEditor();
    bench.add(card("a"));
    for (let n = 0; n < 5; n++) bench.add(card("a"));
    bench.add(card("b", "character", 1));
    expect(bench.cards).toEqual([
      { key: "a", dice: 4 },
      { key: "b", dice: 1 },
    ]);
    expect(bench.dice).toBe(5);
  });

  test("gives back what was taken out, and every change before", () => {
    const bench = new TeamEditor();
    bench.add(card("a"));
    bench.add(card("x", "basic"));
    bench.remove("a", "A");
    expect(bench.lastRemoved).toBe("A");
    bench.add(card("x", "basic")); // once more is out
    expect(bench.basics).toEqual([]);
    bench.undo();
    bench.undo();
    expect([bench.cards, bench.basics, bench.lastRemoved]).toEqual([[{ key: "a", dice: 2 }], ["x"], ""]);
    bench.undo();
    bench.undo();
    bench.undo();
    expect(bench.cards).toEqual([]);
    expect(bench.canUndo).toBe(false);
  });

  test("takes a card out with its last die, and puts one at another place", () => {
    const bench = new TeamEditor();
    for (const key of ["a", "b", "c"]) bench.add(card(key));
    bench.move("c", "a");
    bench.removeDie("b", "B");
    bench.removeDie("b", "B");
    expect(bench.cards.map((one) => one.key)).toEqual(["c", "a"]);
    bench.move("c", "");
    expect(bench.text).toBe("format: tournament\n2x a\n2x c\n");
  });

  test("keeps a team only once it was changed", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
    const bench = new TeamEditor();
    bench.load({ name: "Ready", about: "", format: "short", cards: [{ key: "a", dice: 1 }], basics: [] });
    bench.save("dm1");
    expect(kept.size).toBe(0);
    bench.add(card("b"));
    bench.save("dm1");
    bench.save("dm2");
    const found = JSON.parse(kept.get("dicemasters teams")!) as { code: string; format: string }[];
    expect(found.map((team) => [team.code, team.format])).toEqual([["dm2", "short"]]);
  });
});
