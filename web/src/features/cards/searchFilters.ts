/** Filters are words of the search: clicking one writes it into the text, and the text tells which are on. */

/** Terms of one kind, of which a card must fit any: `energy:fist`, `energy:bolt`. */
export interface Filter {
  /** what it is called in the page's words */
  name: string;
  terms: readonly string[];
}

/** Cut a query into its outermost pieces: words, quoted and in brackets. */
export function pieces(query: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let quote = "";
  let now = "";
  for (const sign of query) {
    if (quote) quote = sign === quote ? "" : quote;
    else if (sign === '"') quote = sign;
    else if (sign === "/" && (now === "" || now.endsWith(":"))) quote = sign;
    else if (sign === "(") depth++;
    else if (sign === ")") depth--;
    if (/\s/.test(sign) && !quote && depth <= 0) {
      if (now) found.push(now);
      now = "";
    } else now += sign;
  }
  if (now) found.push(now);
  return found;
}

/** Give the terms of a filter that a query asks for. */
export function chosen(query: string, filter: Filter): string[] {
  return pieces(query).flatMap((piece) => termsOf(piece, filter) ?? []);
}

/** Give the query with a term of a filter put in, or taken out if it is there. */
export function toggle(query: string, filter: Filter, term: string): string {
  const before = chosen(query, filter);
  return withTerms(query, filter, before.includes(term) ? before.filter((one) => one !== term) : [...before, term]);
}

/** Give the query with exactly these terms of a filter. */
export function withTerms(query: string, filter: Filter, terms: readonly string[]): string {
  const written = terms.length > 1 ? `(${terms.join(" or ")})` : (terms[0] ?? "");
  const all = pieces(query);
  const at = all.findIndex((piece) => termsOf(piece, filter) !== null);
  const others = all.filter((piece) => termsOf(piece, filter) === null);
  others.splice(at < 0 ? others.length : at, 0, written);
  return others.filter(Boolean).join(" ");
}

/** Give the terms a piece consists of, if all are of the filter. */
function termsOf(piece: string, filter: Filter): string[] | null {
  const inside = piece.startsWith("(") && piece.endsWith(")") ? piece.slice(1, -1) : piece;
  const terms = pieces(inside).filter((word) => word.toLowerCase() !== "or");
  const known = terms.map((term) => filter.terms.find((one) => one.toLowerCase() === term.toLowerCase()));
  return terms.length && known.every((one) => one !== undefined) ? (known as string[]) : null;
}

/** Write a field with a value, in quotation marks where it has spaces. */
export const term = (field: string, value: string): string => `${field}:${/\s/.test(value) ? `"${value.toLowerCase()}"` : value.toLowerCase()}`;
