/** What people say, and what the rules say; `dicemasters rules` has the same lists (src/dicemasters/rules/words.py). */
export const SYNONYMS: Readonly<Record<string, string>> = {
  "knock out": "KO",
  knockout: "KO",
  kill: "KO",
  destroy: "KO",
  "hit point": "life",
  health: "life",
  "discard pile": "Used Pile",
  defense: "defence",
  "set up": "before the first turn",
  setup: "before the first turn",
  "clean up": "cleanup",
  "can't": "cannot",
  cant: "cannot",
  "life total": "life",
  "gain life": "the most life",
  heal: "the most life",
};
/** Forms that no ending explains. */
export const IRREGULAR: Readonly<Record<string, string>> = {
  bought: "buy",
  chosen: "choose",
  dealt: "deal",
  dice: "die",
  drawn: "draw",
  drew: "draw",
  given: "give",
  lives: "life",
  lost: "lose",
  paid: "pay",
  spent: "spend",
  spun: "spin",
  taken: "take",
  won: "win",
};
/** Passed over beside other words. */
export const SMALL = new Set("a an the of to is are by in on and or".split(" "));
