/** Filters are part of the query: clicking one writes it into the text, and the text says which ones are on. */

/** Terms of one kind, of which a card must match any: `energy:fist`, `energy:bolt`. */
export interface Filter {
  /** the label shown to the player */
  name: string;
  terms: readonly string[];
}

/** Split a query into its top-level pieces: words, quotations, brackets. */
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

/** Return the terms of a filter that are in the query. */
export function activeTerms(query: string, filter: Filter): string[] {
  return splitQuery(query).flatMap((piece) => matchTerms(piece, filter) ?? []);
}

/** Return the query with a filter's term added, or removed if it is there. */
export function toggleTerm(query: string, filter: Filter, fieldTerm: string): string {
  const before = activeTerms(query, filter);
  return setTerms(
    query,
    filter,
    before.includes(fieldTerm) ? before.filter((one) => one !== fieldTerm) : [...before, fieldTerm],
  );
}

/** Return the query with exactly these terms of a filter. */
export function setTerms(query: string, filter: Filter, terms: readonly string[]): string {
  const written = terms.length > 1 ? `(${terms.join(" or ")})` : (terms[0] ?? "");
  const all = splitQuery(query);
  const at = all.findIndex((piece) => matchTerms(piece, filter) !== null);
  const others = all.filter((piece) => matchTerms(piece, filter) === null);
  others.splice(at < 0 ? others.length : at, 0, written);
  return others.filter(Boolean).join(" ");
}

/** Return the terms of a piece if all of them belong to the filter, or null. */
function matchTerms(piece: string, filter: Filter): string[] | null {
  const inside = piece.startsWith("(") && piece.endsWith(")") ? piece.slice(1, -1) : piece;
  const terms = splitQuery(inside).filter((word) => word.toLowerCase() !== "or");
  const known = terms.map((term) => filter.terms.find((one) => one.toLowerCase() === term.toLowerCase()));
  return terms.length && known.every((one) => one !== undefined) ? (known as string[]) : null;
}

/** Return a field with a value, in quotation marks if it has spaces. */
export const term = (field: string, value: string): string =>
  `${field}:${/\s/.test(value) ? `"${value.toLowerCase()}"` : value.toLowerCase()}`;
