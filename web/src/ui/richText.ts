/** Texts of cards as tokens that can be drawn: plain text, energy symbols, terms of the glossary. */

import type { GlossaryEntryData } from "../api/protocol";
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

 // as short as KO, a word counts only as it is written; a single letter is an article

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
