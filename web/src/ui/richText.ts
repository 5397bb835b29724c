/** Card texts as tokens: plain text, energy symbols, glossary terms. */

import type { GlossaryEntryData } from "../api/protocol";
import { narrationText } from "../i18n";

export const ENERGY_NAMES = narrationText.energy;

export type TextToken =
  | { kind: "text"; text: string }
  | { kind: "symbol"; symbol: string }
  | { kind: "term"; text: string; term: GlossaryEntryData };

const SYMBOL = /\[([FBMS?]|\d+)\]|(★+)/g;

/** Split a text into plain text, symbols and glossary terms. */
export function tokenize(text: string, terms: readonly GlossaryEntryData[] = []): TextToken[] {
  const tokens: TextToken[] = [];
  let end = 0;
  for (const found of text.matchAll(SYMBOL)) {
    tokens.push(...tokenizeTerms(text.slice(end, found.index), terms));
    for (const symbol of found[2] ? [...found[2]] : [found[1] ?? ""]) tokens.push({ kind: "symbol", symbol });
    end = found.index + found[0].length;
  }
  tokens.push(...tokenizeTerms(text.slice(end), terms));
  return tokens;
}

function tokenizeTerms(text: string, terms: readonly GlossaryEntryData[]): TextToken[] {
  if (!text) return [];
  if (!terms.length) return [{ kind: "text", text }];
  const known = termIndex(terms);
  const tokens: TextToken[] = [];
  let end = 0;
  for (const found of text.matchAll(known.pattern)) {
    const term =
      known.forms.get(found[0]) ??
      (found[0].length > CASE_SENSITIVE_LENGTH ? known.forms.get(found[0].toLowerCase()) : undefined);
    if (!term) continue;
    if (found.index > end) tokens.push({ kind: "text", text: text.slice(end, found.index) });
    tokens.push({ kind: "term", text: found[0], term });
    end = found.index + found[0].length;
  }
  if (end < text.length) tokens.push({ kind: "text", text: text.slice(end) });
  return tokens;
}

const CASE_SENSITIVE_LENGTH = 3; // terms as short as KO must match case; a single letter is an article

interface TermIndex {
  forms: Map<string, GlossaryEntryData>;
  pattern: RegExp;
}

const termIndexes = new WeakMap<readonly GlossaryEntryData[], TermIndex>();

/** Return all forms of the terms, and a pattern that finds them, longest first. */
function termIndex(terms: readonly GlossaryEntryData[]): TermIndex {
  let known = termIndexes.get(terms);
  if (!known) {
    const all = terms.flatMap((t) =>
      [t.term, ...(t.also ?? [])].filter((form) => form.length > 1).map((form) => [form, t] as const),
    );
    const forms = new Map(all.map(([form, t]) => [form.length > CASE_SENSITIVE_LENGTH ? form.toLowerCase() : form, t]));
    const words = [...forms.keys()]
      .sort((x, y) => y.length - x.length)
      .map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    known = { forms, pattern: new RegExp(`\\b(${words.join("|")})(?!\\w)`, "gi") };
    termIndexes.set(terms, known);
  }
  return known;
}

/** Return the name of a symbol for screen readers. */
export function symbolText(symbol: string): string {
  if (symbol === "★") return narrationText.burst;
  return ENERGY_NAMES[symbol] ?? narrationText.energies(symbol);
}
