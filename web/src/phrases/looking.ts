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
  purchase: "buy",
  "not blocked": "unblocked",
  stat: "attack defence",
  "split damage": "divided among",
  "assign damage": "divided among",
  "double energy": "two symbols",
  discount: "lower price",
  cheaper: "lower price",
  "captured die": "captured",
  "pay half a die": "half spent",
  "half a die": "half spent",
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
/** Of a question: passed over where no rule has them all. */
export const ASKING = new Set("i me my mine you your it its they them can could may must do does did be has have will would how what when where which who whose why if with this that these those there then for from at as so many much happen happens go goes get gets work works mean means than into again same some any".split(" "));
