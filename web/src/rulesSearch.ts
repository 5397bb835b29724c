/** Looking rules up by words, as `dicemasters rules` does (src/dicemasters/rules/words.py). */

import type { Rule } from "./contract";
import { ASKING, IRREGULAR, SMALL, SYNONYMS } from "./phrases/looking";
import { part } from "./rules";

const SOLITAIRE = "8"; // the section on the script

/** Give a word without its ending: block, blocks and blocking are one. */
function stem(said: string): string {
  let word = said.toLowerCase().replace(/['’](?:s|d|ed)?$/, "");
  word = IRREGULAR[word] ?? word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && /[^s]s$/.test(word)) word = word.slice(0, -1);
  word = word.replace(/^(.{3,})(?:ing|ed)$/, "$1");
  if (word.length > 2 && word.at(-1) === word.at(-2)) return word.slice(0, -1);
  return word.length > 2 ? word.replace(/e$/, "") : word;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? [];

/** Give a question without the words that only ask; all of them where there are no others. */
function withoutAsking(text: string): string {
  return wordsOf(text).filter((word) => !ASKING.has(word.toLowerCase()) && !SMALL.has(word.toLowerCase())).join(" ") || text;
}

/** Give the words of a text without their endings; small words are left out beside others. */
function stems(text: string): string[] {
  const words = wordsOf(text);
  const large = words.filter((word) => !SMALL.has(word.toLowerCase()));
  return (large.length ? large : words).map(stem);
}

/** Give where some words stand one behind the other; -1 if nowhere. */
const position = (words: readonly string[], wanted: readonly string[]): number => words.findIndex((_, i) => wanted.every((w, n) => words[i + n] === w));

function wantedStems(text: string): string[] {
  let found = stems(text);
  for (const [said, meant] of Object.entries(SYNONYMS)) {
    const at = position(found, stems(said));
    if (at >= 0) found = [...found.slice(0, at), ...stems(meant), ...found.slice(at + stems(said).length)];
  }
  return found;
}

/** Tell whether a title or an explained word is the wanted one: Attack step and Attackers are on attack. */
function means(title: string, wanted: readonly string[]): boolean {
  let words = stems(title);
  if (words.length > 1 && words.at(-1) === "step" && wanted.at(-1) !== "step") words = words.slice(0, -1);
  const same = (one: readonly string[]): boolean => one.join(" ") === wanted.join(" ");
  return same(words) || same(words.map((word) => stem(word.replace(/er$/, ""))));
}

/** Give the rules on some words, on those of a question that do not only ask, or those that have most of them. */
export function search(rules: readonly Rule[], words: string): Rule[] {
  const number = words.replace(/\s+|[.)]+$/g, "");
  const exact = number ? part(rules, number) : [];
  if (exact.length) return exact;
  const asked = wantedStems(withoutAsking(words));
  const ways = [() => on(rules, wantedStems(words)), () => on(rules, asked), () => nearly(rules, asked)];
  return ways.reduce<Rule[]>((found, way) => (found.length ? found : way()), []);
}

/** Give the rules that have most of several words, or explain one of them, if the rules know all. */
function nearly(rules: readonly Rule[], asked: readonly string[]): Rule[] {
  const wanted = [...new Set(asked)];
  const script = new Set(part(rules, SOLITAIRE));
  const ours = rules.filter((r) => r.number && !script.has(r));
  const has = ours.map((r) => new Set(stems(`${r.title}\n${r.text}`)));
  if (!wanted.every((word) => has.some((words) => words.has(word)))) return [];
  const counts = has.map((words) => wanted.filter((word) => words.has(word)).length);
  const most = Math.max(0, ...counts);
  if (most > 1 && most > wanted.length / 2) return ours.filter((_, n) => counts[n] === most);
  return [...new Set(wanted.flatMap((word) => explaining(rules, ours, [word])))];
}

/** Give the rules in which all the words stand, those that explain the first, and what is only about the script last. */
function on(rules: readonly Rule[], wanted: readonly string[]): Rule[] {
  if (!wanted.length) return [];
  const script = new Set(part(rules, SOLITAIRE));
  const ours = rules.filter((r) => r.number && !script.has(r));
  const theirs = [...script].filter((r) => r.number);
  const explained = explaining(rules, ours, wanted);
  const first = explained.length ? explained : explaining(rules, theirs, wanted);
  return [...new Set([...first, ...mentioning(rules, ours, wanted), ...explaining(rules, theirs, wanted), ...mentioning(rules, theirs, wanted)])];
}

/** List those that explain the words, with what stands below them; who explains nothing else comes first. */
function explaining(rules: readonly Rule[], among: readonly Rule[], wanted: readonly string[]): Rule[] {
  const level = (r: Rule): number => (r.level > 1 && means(r.title, wanted) ? r.level : 99); // a section on it before all else
  const whole = among.filter((r) => r.defines.some((word) => means(word, wanted))).sort((a, b) => level(a) - level(b));
  const several = (title: string): string[] => (/, | and /.test(title) ? title.split(/, | and /) : []);
  const one = among.filter((r) => r.level > 2 && several(r.title).some((word) => means(word, wanted)));
  return [...whole, ...one].flatMap((r) => (r.level ? part(rules, r.number) : [r]));
}

/** List those that have all the words, or what begins so: first where they stand together, or in a section on one of them. */
function mentioning(rules: readonly Rule[], among: readonly Rule[], wanted: readonly string[]): Rule[] {
  const said = (r: Rule): string[] => stems(`${r.title}\n${r.text}`);
  const found = among.map((r) => ({ rule: r, words: said(r) })).filter(({ words }) => wanted.every((w) => words.some((x) => x.startsWith(w))));
  const near = new Set(wanted.length > 1 && found.length ? wanted.flatMap((word) => explaining(rules, among, [word])) : []);
  const rank = ({ rule, words }: { rule: Rule; words: string[] }): number => Number(near.has(rule)) + Number(position(words, wanted) >= 0);
  return found.sort((a, b) => rank(b) - rank(a)).map(({ rule }) => rule);
}
