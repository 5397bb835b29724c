/** Dice, cards and texts in words and in parts that can be drawn. */

import type { CardData, DieData, FaceData, GlossaryEntryData, View } from "../api/protocol";
import { telling } from "../i18n";

export const ENERGY_WORDS = telling.energy;

export type Part =
  | { kind: "text"; text: string }
  | { kind: "symbol"; symbol: string }
  | { kind: "term"; text: string; term: GlossaryEntryData };

const SYMBOL = /\[([FBMS?]|\d+)\]|(★+)/g;

/** Cut a text into plain words, symbols and terms that can be explained. */
export function parts(text: string, terms: readonly GlossaryEntryData[] = []): Part[] {
  const out: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(SYMBOL)) {
    out.push(...withTerms(text.slice(end, found.index), terms));
    for (const symbol of found[2] ? [...found[2]] : [found[1] ?? ""]) out.push({ kind: "symbol", symbol });
    end = found.index + found[0].length;
  }
  out.push(...withTerms(text.slice(end), terms));
  return out;
}

function withTerms(text: string, terms: readonly GlossaryEntryData[]): Part[] {
  if (!text) return [];
  if (!terms.length) return [{ kind: "text", text }];
  const known = formsOf(terms);
  const out: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(known.pattern)) {
    const term = known.forms.get(found[0]) ?? (found[0].length > SHORT ? known.forms.get(found[0].toLowerCase()) : undefined);
    if (!term) continue;
    if (found.index > end) out.push({ kind: "text", text: text.slice(end, found.index) });
    out.push({ kind: "term", text: found[0], term });
    end = found.index + found[0].length;
  }
  if (end < text.length) out.push({ kind: "text", text: text.slice(end) });
  return out;
}

const SHORT = 3; // as short as KO, a word counts only as it is written; a single letter is an article

interface Forms {
  forms: Map<string, GlossaryEntryData>;
  pattern: RegExp;
}

const made = new WeakMap<readonly GlossaryEntryData[], Forms>();

/** Give all forms of the terms and a pattern that finds them, the longest first. */
function formsOf(terms: readonly GlossaryEntryData[]): Forms {
  let known = made.get(terms);
  if (!known) {
    const all = terms.flatMap((t) => [t.term, ...(t.also ?? [])].filter((form) => form.length > 1).map((form) => [form, t] as const));
    const forms = new Map(all.map(([form, t]) => [form.length > SHORT ? form.toLowerCase() : form, t]));
    const words = [...forms.keys()].sort((x, y) => y.length - x.length).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    known = { forms, pattern: new RegExp(`\\b(${words.join("|")})(?!\\w)`, "gi") };
    made.set(terms, known);
  }
  return known;
}

/** Say what a symbol is to somebody who cannot see it. */
export function symbolWords(symbol: string): string {
  if (symbol === "★") return telling.burst;
  return ENERGY_WORDS[symbol] ?? telling.energies(symbol);
}

/** Shorten a title to the two letters a die shows. */
export function monogram(title: string): string {
  if (title === telling.sidekick) return telling.sidekickShort;
  const words = title.split(/[^\p{L}\p{N}']+/u).filter(Boolean);
  const letters = words.length > 1 ? words[0]![0]! + words[1]![0]! : (words[0] ?? title).slice(0, 2);
  return letters.toUpperCase();
}

/** Give the text of a Global without what is said beside it anyway: that it is one, and its cost. */
export function globalText(text: string): string {
  const deed = text.replace(/^Global: (?:Pay (?:\[[FBMS?\d]\]\s*)+[.,:]?\s*)?/, "");
  return deed.charAt(0).toUpperCase() + deed.slice(1);
}

/** Say energy as it is drawn: F, ??, FB. */
export function energyWords(symbols: string): string {
  const kinds = [...new Set(symbols)].map((e) => ENERGY_WORDS[e] ?? e);
  if (kinds.length > 1) return kinds.join(telling.and);
  return symbols.length > 1 ? `${symbols.length} ${kinds[0]}` : kinds[0]!;
}

/** Say one face of a die: "2 fist energy", "level 2, 4 attack, 5 defence, fielding cost 1". */
export function faceWords(face: FaceData): string {
  const bursts = face.burst ? telling.bursts(face.burst) : "";
  if (face.kind === "character")
    return [telling.level(face.level), telling.attack(face.a), telling.defence(face.d), telling.cost(face.cost)].join(", ") + bursts;
  if (face.kind === "action") return telling.action + bursts;
  if (face.generic) return telling.generic(face.generic);
  const kinds = [...new Set(face.energy)].map((e) => ENERGY_WORDS[e] ?? e).join(telling.and);
  return telling.ofKind(face.energy.length, kinds);
}

/** Say a die as it lies, for a screen reader. */
export function dieWords(die: DieData, card: CardData, view: View, cards: readonly CardData[]): string {
  const said: string[] = [card.title];
  const face = die.face === null ? undefined : card.die.faces[die.face];
  if (face) {
    if (face.kind === "character") {
      said.push(telling.level(face.level), telling.attack(die.a ?? face.a), telling.defence(die.d ?? face.d));
      if (die.zone !== "field") said.push(telling.cost(die.cost ?? face.cost));
      if (face.burst) said.push(telling.oneBurst(face.burst));
    } else said.push(faceWords(face));
  }
  if (die.damage) said.push(telling.damage(die.damage));
  if (die.attacking) said.push(die.blocked ? telling.attackingBlocked : telling.attacking);
  for (const i of die.blocks ?? []) {
    const attacker = view.dice.find((x) => x.id === i);
    if (attacker) said.push(telling.blocking(cards[attacker.card]?.title ?? telling.anAttacker));
  }
  said.push(...(die.tags ?? []));
  return said.join(", ");
}
