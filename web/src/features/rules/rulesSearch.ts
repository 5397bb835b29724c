/** Looking rules up by words: the same rules in the same order as `dicemasters rules` (src/dicemasters/rules/search.py). */

import type { RuleData } from "../../api/protocol";
import { IRREGULAR, QUESTION_WORDS, STOP_WORDS, SYNONYMS } from "../../i18n/en/searchSynonyms";
import { ruleSection } from "./ruleParser";

type Phrase = readonly string[];

const SOLITAIRE = "8"; // the section on the script
const [SAID, MEANT, ABOVE] = [4, 3, 2]; // what a word counts: in the rule, there in other words, in a title above
const [EXPLAINED, WHOLE] = [4, 2]; // what it counts besides: if the rule explains it, if no other is missing
const NEAR = 4; // words apart
const NUMBER = /^(?:\d+(?:\.\d+(?:[a-z](?:\d+[a-z]?)?)?)?|[SE]\d+|#\d+)$/;

/** A rule as it is searched. */
interface Entry {
  rule: RuleData;
  words: Phrase;
  title: Phrase;
  /** the things its title names */
  names: Phrase[];
  /** the titles it stands below */
  above: Phrase;
  explains: Phrase[];
  section: string;
  scripted: boolean;
}

/** A word that is looked for, as the rules write it and by what else they say for it. */
interface Wanted {
  forms: Phrase;
  also: Phrase[];
  asks: boolean;
  /** of a title, or explained */
  isTerm: boolean;
  /** the fewer rules have it, the more */
  weight: number;
}

/** The rules that have a number, and their words. */
interface Index {
  rules: readonly RuleData[];
  entries: Entry[];
  sections: Map<string, Entry[]>;
  counts: Map<string, number>;
  terms: Set<string>;
  alone: Set<string>;
}

/** Give what stands under a number, or the rules on some words: who explains them, then by how well they fit. */
export function searchRules(rules: readonly RuleData[], asked: string): RuleData[] {
  const words = asked.trim().replace(/^rules? +/, "");
  const number = words.replace(/\s+|[.)]+$/g, "");
  const exact = number ? ruleSection(rules, number) : [];
  if (exact.length || NUMBER.test(number)) return exact;
  const index = indexOf(rules);
  const wanted = wantedIn(index, words);
  const explained = explainedBy(index, words, wanted);
  const found = fitting(index, wanted);
  const isOurs = [...explained, ...found].some((e) => !e.scripted && hasAll(e, wanted));
  const introducing = isOurs ? [] : introduced(rules, stems(words));
  return [...new Set([...explained.map((e) => e.rule), ...introducing, ...found.map((e) => e.rule)])];
}

// --- words -----------------------------------------------------------------------------------------------------------

/** Give a function that works out each answer once. */
function remembering<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, work(key));
    return known.get(key)!;
  };
}

/** Give a word without its ending: block, blocks and blocking are one. */
const stem = remembering((said: string): string => {
  let word = said.toLowerCase().replace(/['’](?:s|d|ed)?$/, "");
  word = IRREGULAR[word] ?? word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 6) word = word.replace(/ly$/, "");
  if (word.length > 3 && /[^s]s$/.test(word)) word = word.slice(0, -1);
  word = word.replace(/^(.{3,})(?:ing|ed)$/, "$1");
  if (word.length > 2) word = word.replace(/e$/, "");
  return word.length > 2 && word.at(-1) === word.at(-2) ? word.slice(0, -1) : word;
});

/** Give the words in small letters; small words are left out beside others. */
function large(text: string): string[] {
  const whole = text
    .replace(/(?<=[a-z,] )A(?![\p{L}\p{N}_])/gu, "attack")
    .replace(/(?<![\p{L}\p{N}_])D(?![\p{L}\p{N}_])/gu, "defence");
  const words = (whole.match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? []).map((word) =>
    word.toLowerCase().replaceAll("’", "'"),
  );
  const found = words.filter((word) => !STOP_WORDS.has(word));
  return found.length ? found : words;
}

const stems = (text: string): string[] => large(text).map(stem);

const SAYINGS = Object.entries(SYNONYMS).map(([said, meant]) => ({
  said: stems(said),
  meant: meant.split(", ").map(stems),
}));

const isSame = (one: Phrase, other: Phrase): boolean =>
  one.length === other.length && one.every((word, n) => word === other[n]);

/** Give all places where some words stand one behind the other. */
function positions(words: Phrase, wanted: Phrase): number[] {
  const found: number[] = [];
  for (let i = 0; i + wanted.length <= words.length; i++)
    if (wanted.every((word, n) => words[i + n] === word)) found.push(i);
  return found;
}

const has = (words: Phrase, wanted: Phrase): boolean => positions(words, wanted).length > 0;

/** Count the letters to be put in, left out or changed, or neighbours exchanged, to make one word of the other. */
function distance(one: string, other: string): number {
  let [before, row] = [[] as number[], Array.from({ length: other.length + 1 }, (_, i) => i)];
  for (let i = 0; i < one.length; i++) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const changed = above[j]! + Number(one[i] !== other[j]);
      const exchanged = i && j && one[i] === other[j - 1] && one[i - 1] === other[j] ? before[j - 1]! + 1 : Infinity;
      row.push(Math.min(changed, above[j + 1]! + 1, row[j]! + 1, exchanged));
    }
    before = above;
  }
  return row.at(-1)!;
}

// --- the rules -------------------------------------------------------------------------------------------------------

const indexes = new WeakMap<readonly RuleData[], Index>();

function indexOf(rules: readonly RuleData[]): Index {
  if (!indexes.has(rules)) indexes.set(rules, newIndex(rules));
  return indexes.get(rules)!;
}

function newIndex(rules: readonly RuleData[]): Index {
  const entries = entriesOf(rules);
  const counts = new Map<string, number>();
  for (const e of entries)
    for (const word of new Set([...e.words, ...e.above])) counts.set(word, (counts.get(word) ?? 0) + 1);
  const explained = entries.flatMap((e) => e.explains);
  const alone = explained.filter((phrase) => phrase.length === 1).flat();
  const sections = new Map<string, Entry[]>();
  for (const e of entries) sections.set(e.section, [...(sections.get(e.section) ?? []), e]);
  return { rules, entries, sections, counts, terms: new Set(explained.flat()), alone: new Set(alone) };
}

/** Give the rules that have a number, with the titles above each. */
function entriesOf(rules: readonly RuleData[]): Entry[] {
  const script = new Set(ruleSection(rules, SOLITAIRE));
  const found: Entry[] = [];
  let titles: RuleData[] = [];
  for (const rule of rules) {
    if (rule.level) titles = titles.filter((r) => r.level > 1 && r.level < rule.level);
    const above = titles.flatMap((r) => stems(r.title));
    const section = titles.at(-1)?.number ?? "";
    const said = {
      words: stems(`${rule.title}\n${rule.text}`),
      title: stems(rule.title),
      names: rule.title.split(/, | and /).map(stems),
    };
    if (rule.number)
      found.push({ rule, ...said, above, explains: rule.defines.map(stems), section, scripted: script.has(rule) });
    if (rule.level) titles.push(rule);
  }
  return found;
}

/** Give what has no number and the words, without the paragraphs that do not have them. */
function introduced(rules: readonly RuleData[], wanted: Phrase): RuleData[] {
  return rules.flatMap((rule) => {
    const fits =
      wanted.length && !rule.number ? rule.text.split("\n\n").filter((text) => has(stems(text), wanted)) : [];
    return fits.length ? [{ ...rule, text: fits.join("\n\n") }] : [];
  });
}

// --- what is wanted --------------------------------------------------------------------------------------------------

/** Give where it is said, or where something else is said for it. */
function places(one: Wanted, words: Phrase): number[] {
  const said = words.flatMap((word, i) => (one.forms.includes(word) ? [i] : []));
  return said.length ? said : one.also.flatMap((phrase) => positions(words, phrase));
}

/** Say how well a rule has it. */
function points(one: Wanted, e: Entry): number {
  if (one.forms.some((form) => e.words.includes(form))) return SAID;
  if (places(one, e.words).length) return MEANT;
  return places(one, e.above).length ? ABOVE : 0;
}

/** Give the words that the rules know; nothing if they do not know most of them. */
function wantedIn(index: Index, words: string): Wanted[] {
  const said = large(words);
  const found = said.map(stem);
  const also = meantBy(index, found);
  const every = found.map((word, n) =>
    weighed(index, formsOf(index, word, also[n]!.length > 0), also[n]!, QUESTION_WORDS.has(said[n]!)),
  );
  const first = every.filter(
    (one, n) => one.weight && every.findIndex((x) => x.weight && isSame(x.forms, one.forms)) === n,
  );
  if (every.every((one) => one.asks)) return first.map((one) => ({ ...one, asks: false }));
  const unknown = every.filter((one) => !one.asks && !one.weight);
  return unknown.length <= first.filter((one) => !one.asks).length ? first : [];
}

/** Give what the rules may say for each word: by our list, and attackers for attack. */
function meantBy(index: Index, words: Phrase): Phrase[][] {
  const also: Phrase[][] = words.map(() => []);
  for (const { said, meant } of SAYINGS)
    for (const at of positions(words, said))
      for (const phrases of also.slice(at, at + said.length)) phrases.push(...meant);
  words.forEach((word, n) =>
    also[n]!.push(
      ...[`${word}er`, word.replace(/er$/, "")]
        .filter((one) => one !== word && index.alone.has(one))
        .map((one) => [one]),
    ),
  );
  return also;
}

/** Give the words of the rules that are meant: this, what begins so while it is typed, or what has nearly its letters. */
function formsOf(index: Index, word: string, isKnown: boolean): Phrase {
  if (isKnown || index.counts.has(word)) return [word];
  const all = [...index.counts.keys()];
  const begun = all.filter((one) => one.startsWith(word)).sort();
  if (begun.length && word.length > 1) return begun;
  const wrong = Math.min(Math.floor(word.length / 4), 2);
  const near = all
    .filter((one) => one[0] === word[0])
    .map((one) => ({ one, letters: distance(one, word), count: index.counts.get(one)! }));
  near.sort((a, b) => a.letters - b.letters || b.count - a.count || (a.one < b.one ? -1 : 1));
  return near
    .slice(0, 1)
    .filter(({ letters }) => letters <= wrong)
    .map(({ one }) => one);
}

/** Let it weigh the more, the fewer rules have it; a word that only asks weighs little, an unknown one nothing. */
function weighed(index: Index, forms: Phrase, also: Phrase[], asks: boolean): Wanted {
  const one = { forms, also, asks, isTerm: forms.some((form) => index.terms.has(form)), weight: 0 };
  const having = index.entries.filter((e) => points(one, e) >= MEANT).length;
  const rarity = having ? 32 - Math.clz32(Math.floor(index.entries.length / having) ** 2) : 0;
  return { ...one, weight: asks ? rarity : one.isTerm ? rarity * 3 : rarity * 2 };
}

// --- who explains it -------------------------------------------------------------------------------------------------

/** Give what explains just these words, or those that do not only ask, or what the rules say for them. */
function explainedBy(index: Index, words: string, wanted: readonly Wanted[]): Entry[] {
  const content = wanted.filter((one) => !one.asks).map((one) => one.forms[0]!);
  if (!content.length) return [];
  const ways = [stems(words), content, replaced(content)].map((ask) => explaining(index, ask, stems(words)));
  const ours = ways.map((way) => way.filter((e) => !e.scripted));
  return [...ours, ...ways].find((way) => way.length) ?? [];
}

/** Give the words with what the rules say for them in their place. */
function replaced(content: Phrase): Phrase {
  return SAYINGS.reduce((words, { said, meant }) => {
    const at = positions(words, said)[0];
    return at === undefined ? words : [...words.slice(0, at), ...meant[0]!, ...words.slice(at + said.length)];
  }, content);
}

/** List who explains the words, with what stands below: who says them just as they were said, then large sections. */
function explaining(index: Index, wanted: Phrase, said: Phrase): Entry[] {
  const level = ({ rule, title }: Entry): number => (rule.level > 1 && means(title, wanted) ? rule.level : 99);
  const isElse = (e: Entry): number => Number(said.length > 1 && !has(e.words, said));
  const whole = index.entries.filter((e) => e.explains.some((phrase) => means(phrase, wanted)));
  whole.sort((a, b) => isElse(a) - isElse(b) || level(a) - level(b));
  const among = index.entries.filter((e) => e.rule.level > 2 && isAmong(e, wanted));
  return [...whole, ...among].flatMap((e) => partOf(index, e));
}

/** Give a rule, or a section with what stands in it. */
function partOf(index: Index, e: Entry): Entry[] {
  const below = new Set(e.rule.level ? ruleSection(index.rules, e.rule.number) : [e.rule]);
  return index.entries.filter((one) => below.has(one.rule));
}

/** Tell whether a title or an explained word is the wanted one: Attack step and Attackers are on attack. */
function means(title: Phrase, asked: Phrase): boolean {
  const [words, wanted] = [withoutStep(title), withoutStep(asked)];
  return (
    isSame(words, wanted) ||
    isSame(
      words.map((word) => stem(word.replace(/er$/, ""))),
      wanted,
    )
  );
}

const withoutStep = (words: Phrase): Phrase =>
  words.length > 1 && words.at(-1) === "step" ? words.slice(0, -1) : words;

/** Tell whether a title names it among others, or has several words of it and more, or the rest is in those above. */
function isAmong({ title, names, above }: Entry, wanted: Phrase): boolean {
  if (names.some((one) => means(one, wanted))) return names.length > 1;
  if (wanted.length < 2) return false;
  const isBelow =
    title.every((word) => wanted.includes(word)) &&
    wanted.every((word) => title.includes(word) || above.includes(word));
  return isBelow || has(title, wanted);
}

// --- who fits best ---------------------------------------------------------------------------------------------------

const total = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);
const sumOf = (e: Entry, wanted: readonly Wanted[]): number => total(wanted.map((one) => points(one, e) * one.weight));
const hasAll = (e: Entry, wanted: readonly Wanted[]): boolean => wanted.every((one) => one.asks || points(one, e));

/** Give the rules that have nearly half of what the best has, the best first. */
function fitting(index: Index, wanted: readonly Wanted[]): Entry[] {
  const content = wanted.filter((one) => !one.asks);
  const says = index.entries
    .filter((e) => e.rule.text && content.some((one) => points(one, e) >= MEANT))
    .map((entry) => ({ entry, sum: sumOf(entry, content) }));
  const most = Math.max(0, ...says.map(({ sum }) => sum));
  const around = remembering((section: string) => company(index.sections.get(section)!, content));
  const found = says
    .filter(({ sum }) => sum * 5 > most * 2)
    .map((one) => ({ ...one, score: one.sum + extra(one.entry, wanted) + around(one.entry.section) }));
  const ours = Math.max(0, ...found.filter(({ entry }) => !entry.scripted).map(({ sum }) => sum));
  const isScriptLast = ours * 3 >= most * 2;
  const isLater = (e: Entry): number => Number(e.scripted === isScriptLast);
  const sorted = found
    .sort((a, b) => isLater(a.entry) - isLater(b.entry) || b.score - a.score)
    .map(({ entry }) => entry);
  return [...leading(sorted, content), ...sorted];
}

/** Count what lets a rule fit better: all words are there, together, explained, at its beginning. */
function extra(e: Entry, wanted: readonly Wanted[]): number {
  const content = wanted.filter((one) => !one.asks);
  const asks = sumOf(
    e,
    wanted.filter((one) => one.asks),
  );
  const whole = hasAll(e, wanted) ? WHOLE * total(content.map((one) => one.weight)) : 0;
  const begins = total(content.filter((one) => one.forms.includes(e.words[0]!)).map((one) => one.weight));
  return asks + whole + begins + closeness(e, wanted, content) + explanation(e, content);
}

/** Count words that stand side by side as they were asked for, or near each other. */
function closeness(e: Entry, wanted: readonly Wanted[], content: readonly Wanted[]): number {
  const at = new Map(wanted.map((one) => [one, places(one, e.words)]));
  const beside = wanted.slice(1).map((b, n) => [wanted[n]!, b] as const);
  const next = content.slice(1).map((b, n) => [content[n]!, b] as const);
  const pairs = [...beside, ...next.filter(([a, b]) => wanted[wanted.indexOf(a) + 1] !== b)];
  return total(
    pairs.map(([a, b]) => {
      const apart = at.get(a)!.flatMap((i) => at.get(b)!.map((j) => j - i));
      const near = apart.includes(1) ? 2 : Number(apart.some((gap) => Math.abs(gap) <= NEAR));
      return near * (a.weight + b.weight);
    }),
  );
}

/** Count the words that the rule explains, alone or with others that are wanted, or by what it says for them. */
function explanation(e: Entry, content: readonly Wanted[]): number {
  const weights = new Map(content.flatMap((one) => one.forms.map((form) => [form, one.weight] as const)));
  const explained = new Set(e.explains.filter((phrase) => phrase.every((word) => weights.has(word))).flat());
  const meant = content.filter((one) => one.also.some((phrase) => e.explains.some((other) => isSame(phrase, other))));
  return EXPLAINED * (total([...explained].map((word) => weights.get(word)!)) + total(meant.map((one) => one.weight)));
}

/** Count the words that a good part of a section has. */
function company(section: readonly Entry[], content: readonly Wanted[]): number {
  const having = (one: Wanted): number => section.filter((e) => points(one, e) >= MEANT).length;
  return total(content.filter((one) => having(one) > 1 && having(one) * 3 >= section.length).map((one) => one.weight));
}

/** Give the first rule, and if terms are missing there, the first that has them, until none is missing. */
function leading(found: readonly Entry[], content: readonly Wanted[]): Entry[] {
  const first = found.slice(0, 1);
  let missing = content.filter((one) => one.isTerm);
  for (const e of found) {
    const lacks = missing.filter((one) => !points(one, e));
    if (lacks.length < missing.length) first.push(e);
    missing = lacks;
  }
  return first;
}
