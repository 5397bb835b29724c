/** Filters are words of the search: clicking one writes it into the text, and the text tells which are on. */

/** Terms of one kind, of which a card must fit any: `energy:fist`, `energy:bolt`. */
export interface Filter {
  /** what it is called in the page's words */
  name: string;
  terms: readonly string[];
}

/** Cut a query into its outermost pieces: words, quoted and in brackets. */
export function splitQuery(query: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let current = "";
  for (const sign of query) {
    if (quote) quote = sign === quote ? "" : quote;
    else if (sign === '"') quote = sign;
    else if (sign === "/" && (current === "" || current.endsWith(":"))) quote = sign;
    else if (sign === "(") depth++;
    else if (sign === ")") depth--;
    if (/\s/.test(sign) && !quote && depth <= 0) {
      if (current) parts.push(current);
      current = "";
    } else current += sign;
  }
  if (current) parts.push(current);
  return parts;
}

/** Give the terms of a filter that a query asks for. */
export function activeTerms(query: string, filter: Filter): string[] {
  return splitQuery(query).flatMap((piece) => matchTerms(piece, filter) ?? []);
}

/** Give the query with a term of a filter put in, or taken out if it is there. */
export function toggleTerm(query: string, filter: Filter, fieldTerm: string): string {
  const before = activeTerms(query, filter);
  return setTerms(
    query,
    filter,
    before.includes(fieldTerm) ? before.filter((one) => one !== fieldTerm) : [...before, fieldTerm],
  );
}

/** Give the query with exactly these terms of a filter. */
export function setTerms(query: string, filter: Filter, terms: readonly string[]): string {
  const written = terms.length > 1 ? `(${terms.join(" or ")})` : (terms[0] ?? "");
  const all = splitQuery(query);
  const at = all.findIndex((piece) => matchTerms(piece, filter) !== null);
  const others = all.filter((piece) => matchTerms(piece, filter) === null);
  others.splice(at < 0 ? others.length : at, 0, written);
  return others.filter(Boolean).join(" ");
}

/** Give the terms a piece consists of, if all are of the filter. */
function matchTerms(piece: string, filter: Filter): string[] | null {
  const inside = piece.startsWith("(") && piece.endsWith(")") ? piece.slice(1, -1) : piece;
  const terms = splitQuery(inside).filter((word) => word.toLowerCase() !== "or");
  const known = terms.map((term) => filter.terms.find((one) => one.toLowerCase() === term.toLowerCase()));
  return terms.length && known.every((one) => one !== undefined) ? (known as string[]) : null;
}

/** Write a field with a value, in quotation marks where it has spaces. */
export const term = (field: string, value: string): string =>
  `${field}:${/\s/.test(value) ? `"${value.toLowerCase()}"` : value.toLowerCase()}`;
