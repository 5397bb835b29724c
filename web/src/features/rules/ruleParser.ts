/** Rules as the server sends them: finding a section, and splitting a text into tokens. */

import type { RuleData } from "../../api/protocol";

export type RuleToken =
  | { kind: "plain" | "bold" | "italic" | "code"; text: string }
  | { kind: "rule"; text: string; number: string }
  | { kind: "ours" };

const MARKED = /`?\[(ours)\]`?|`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]+\)/g;
const NUMBER = /(?<![\w.#])(?:\d+\.\d+(?:[a-z](?:\d+[a-z]?)?)?|[SE]\d+|#\d+)(?!\w)/g;

/** Split a rule's text into tokens. Numbers of existing rules become links. */
export function inlineTokens(text: string, numbers: ReadonlySet<string>): RuleToken[] {
  const out: RuleToken[] = [];
  let end = 0;
  for (const found of text.matchAll(MARKED)) {
    out.push(...linkNumbers(text.slice(end, found.index), numbers));
    const [, ours, code, bold, italic, words] = found;
    if (ours) out.push({ kind: "ours" });
    else if (code) out.push({ kind: "code", text: code });
    else if (bold) out.push({ kind: "bold", text: bold });
    else if (italic) out.push({ kind: "italic", text: italic });
    else out.push({ kind: "plain", text: words ?? "" });
    end = found.index + found[0].length;
  }
  out.push(...linkNumbers(text.slice(end), numbers));
  return out;
}

function linkNumbers(text: string, numbers: ReadonlySet<string>): RuleToken[] {
  const out: RuleToken[] = [];
  let end = 0;
  for (const found of text.matchAll(NUMBER)) {
    if (!numbers.has(found[0])) continue;
    if (found.index > end) out.push({ kind: "plain", text: text.slice(end, found.index) });
    out.push({ kind: "rule", text: found[0], number: found[0] });
    end = found.index + found[0].length;
  }
  if (end < text.length) out.push({ kind: "plain", text: text.slice(end) });
  return out;
}

/** Remove what only the program needs: the name of a switch at the end of a line, and the folder of scenarios. */
export const stripInternalNotes = (text: string): string =>
  text.replace(/ \(`\w+`\)$/, "").replace(" under `tests/scenarios`", "");

/** Return the titles of a line's scenarios, without their file names. */
export const exampleTitles = (line: string): string[] => line.split(" | ").map((one) => one.replace(/^`[^`]+`: /, ""));

/** Return the rule with this number and everything below it. */
export function ruleSection(rules: readonly RuleData[], number: string): RuleData[] {
  const at = rules.findIndex((r) => r.number.toLowerCase() === number.toLowerCase());
  if (at < 0) return [];
  const level = rules[at]!.level;
  let end = at + 1;
  while (level && end < rules.length && !(rules[end]!.level > 0 && rules[end]!.level <= level)) end++;
  return rules.slice(at, end);
}

/** Return the path of a rule. */
export const rulePath = (number: string): string => `/rules#${number}`;
