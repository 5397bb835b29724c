/**
 * Search in the rules, with the same results in the same order as `dicemasters rules`
 * (src/dicemasters/rules/search.py).
 */

import type { RuleData } from "../../api/protocol";
import { IRREGULAR, QUESTION_WORDS, STOP_WORDS, SYNONYMS } from "../../i18n/en/searchSynonyms";
import { ruleSection } from "./ruleParser";

type Phrase = readonly string[];

const SOLITAIRE = "8"; // the section with the script's rules
// points of a term: in the rule, as a synonym in the rule, in a heading above
const [WORD_POINTS, SYNONYM_POINTS, HEADING_POINTS] = [4, 3, 2];
// extra points per weight: if the rule defines the term, if it has all terms
const [DEFINITION_BONUS, ALL_TERMS_BONUS] = [4, 2];
const MAX_WORD_GAP = 4; // largest distance, in words, that counts as near
const NUMBER = /^(?:\d+(?:\.\d+(?:[a-z](?:\d+[a-z]?)?)?)?|[SE]\d+|#\d+)$/;

/** A rule, prepared for the search. */
interface IndexEntry {
  rule: RuleData;
  words: Phrase;
  title: Phrase;
  /** the subjects that its title lists */
  names: Phrase[];
  /** the words of the headings above it */
  headings: Phrase;
  definedTerms: Phrase[];
  section: string;
  isScriptRule: boolean;
}

/** A term of a query: its forms in the rules, and its synonyms there. */
interface QueryTerm {
  forms: Phrase;
  synonyms: Phrase[];
  isQuestionWord: boolean;
  /** part of a defined term */
  isTerm: boolean;
  /** rarer terms weigh more */
  weight: number;
}

/** An index of all rules that have a number. */
interface RulesIndex {
  rules: readonly RuleData[];
  entries: IndexEntry[];
  sections: Map<string, IndexEntry[]>;
  entryCounts: Map<string, number>;
  termWords: Set<string>;
  singleWordTerms: Set<string>;
}

/** Return the rule whose number is the query, or the rules about its words: definitions first, then the best matches. */
export function searchRules(rules: readonly RuleData[], query: string): RuleData[] {
  const words = query.trim().replace(/^rules? +/, "");
  const number = words.replace(/\s+|[.)]+$/g, "");
  const exact = number ? ruleSection(rules, number) : [];
  if (exact.length || NUMBER.test(number)) return exact;
  const index = indexFor(rules);
  const terms = parseQuery(index, words);
  const definitions = findDefinitions(index, words, terms);
  const matches = bestMatches(index, terms);
  const isInMainRules = [...definitions, ...matches].some((entry) => !entry.isScriptRule && hasAll(entry, terms));
  const unnumbered = isInMainRules ? [] : unnumberedMatches(rules, stems(words));
  return [
    ...new Set([...definitions.map((entry) => entry.rule), ...unnumbered, ...matches.map((entry) => entry.rule)]),
  ];
}

// --- words -----------------------------------------------------------------------------------------------------------

/** Return a function that caches its results. */
function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key)!;
  };
}

/** Return the stem of a word: block, blocks and blocking have the same. */
const stem = memoize((text: string): string => {
  let word = text.toLowerCase().replace(/['’](?:s|d|ed)?$/, "");
  word = IRREGULAR[word] ?? word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 6) word = word.replace(/ly$/, "");
  if (word.length > 3 && /[^s]s$/.test(word)) word = word.slice(0, -1);
  word = word.replace(/^(.{3,})(?:ing|ed)$/, "$1");
  if (word.length > 2) word = word.replace(/e$/, "");
  return word.length > 2 && word.at(-1) === word.at(-2) ? word.slice(0, -1) : word;
});

/** Return the words in lower case, without stop words unless there are no others. */
function contentWords(text: string): string[] {
  const expanded = text
    .replace(/(?<=[a-z,] )A(?![\p{L}\p{N}_])/gu, "attack")
    .replace(/(?<![\p{L}\p{N}_])D(?![\p{L}\p{N}_])/gu, "defence");
  const words = (expanded.match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? []).map((word) =>
    word.toLowerCase().replaceAll("’", "'"),
  );
  const kept = words.filter((word) => !STOP_WORDS.has(word));
  return kept.length ? kept : words;
}

const stems = (text: string): string[] => contentWords(text).map(stem);

const SYNONYM_PHRASES = Object.entries(SYNONYMS).map(([key, replacements]) => ({
  key: stems(key),
  replacements: replacements.split(", ").map(stems),
}));

const isSame = (a: Phrase, b: Phrase): boolean => a.length === b.length && a.every((word, n) => word === b[n]);

/** Return all positions of a phrase among the words. */
function phrasePositions(words: Phrase, phrase: Phrase): number[] {
  const found: number[] = [];
  for (let i = 0; i + phrase.length <= words.length; i++)
    if (phrase.every((word, n) => words[i + n] === word)) found.push(i);
  return found;
}

const hasPhrase = (words: Phrase, phrase: Phrase): boolean => phrasePositions(words, phrase).length > 0;

/** Return the edit distance of two words: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let [previous, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 0; i < a.length; i++) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const substituted = above[j]! + Number(a[i] !== b[j]);
      const transposed = i && j && a[i] === b[j - 1] && a[i - 1] === b[j] ? previous[j - 1]! + 1 : Infinity;
      row.push(Math.min(substituted, above[j + 1]! + 1, row[j]! + 1, transposed));
    }
    previous = above;
  }
  return row.at(-1)!;
}

// --- the rules -------------------------------------------------------------------------------------------------------

const indexes = new WeakMap<readonly RuleData[], RulesIndex>();

function indexFor(rules: readonly RuleData[]): RulesIndex {
  if (!indexes.has(rules)) indexes.set(rules, buildIndex(rules));
  return indexes.get(rules)!;
}

function buildIndex(rules: readonly RuleData[]): RulesIndex {
  const entries = indexEntries(rules);
  const entryCounts = new Map<string, number>();
  for (const entry of entries)
    for (const word of new Set([...entry.words, ...entry.headings]))
      entryCounts.set(word, (entryCounts.get(word) ?? 0) + 1);
  const phrases = entries.flatMap((entry) => entry.definedTerms);
  const singleWordTerms = phrases.filter((phrase) => phrase.length === 1).flat();
  const sections = new Map<string, IndexEntry[]>();
  for (const entry of entries) sections.set(entry.section, [...(sections.get(entry.section) ?? []), entry]);
  return {
    rules,
    entries,
    sections,
    entryCounts,
    termWords: new Set(phrases.flat()),
    singleWordTerms: new Set(singleWordTerms),
  };
}

/** Return the rules that have a number, each with the headings above it. */
function indexEntries(rules: readonly RuleData[]): IndexEntry[] {
  const script = new Set(ruleSection(rules, SOLITAIRE));
  const entries: IndexEntry[] = [];
  let openHeadings: RuleData[] = [];
  for (const rule of rules) {
    if (rule.level) openHeadings = openHeadings.filter((r) => r.level > 1 && r.level < rule.level);
    const headings = openHeadings.flatMap((r) => stems(r.title));
    const section = openHeadings.at(-1)?.number ?? "";
    const texts = {
      words: stems(`${rule.title}\n${rule.text}`),
      title: stems(rule.title),
      names: rule.title.split(/, | and /).map(stems),
    };
    if (rule.number)
      entries.push({
        rule,
        ...texts,
        headings,
        definedTerms: rule.defines.map(stems),
        section,
        isScriptRule: script.has(rule),
      });
    if (rule.level) openHeadings.push(rule);
  }
  return entries;
}

/** Return the items without a number that contain the phrase, reduced to the paragraphs with it. */
function unnumberedMatches(rules: readonly RuleData[], phrase: Phrase): RuleData[] {
  return rules.flatMap((rule) => {
    const paragraphs =
      phrase.length && !rule.number ? rule.text.split("\n\n").filter((text) => hasPhrase(stems(text), phrase)) : [];
    return paragraphs.length ? [{ ...rule, text: paragraphs.join("\n\n") }] : [];
  });
}

// --- parsing the query -----------------------------------------------------------------------------------------------

/** Return the positions of a term among the words, or of its synonyms if it does not occur. */
function termPositions(term: QueryTerm, words: Phrase): number[] {
  const matches = words.flatMap((word, i) => (term.forms.includes(word) ? [i] : []));
  return matches.length ? matches : term.synonyms.flatMap((phrase) => phrasePositions(words, phrase));
}

/** Return the points that a rule gets for a term. */
function points(term: QueryTerm, entry: IndexEntry): number {
  if (term.forms.some((form) => entry.words.includes(form))) return WORD_POINTS;
  if (termPositions(term, entry.words).length) return SYNONYM_POINTS;
  return termPositions(term, entry.headings).length ? HEADING_POINTS : 0;
}

/** Return the terms of a query that the rules know; nothing if they do not know most of its words. */
function parseQuery(index: RulesIndex, words: string): QueryTerm[] {
  const queryWords = contentWords(words);
  const queryStems = queryWords.map(stem);
  const synonyms = findSynonyms(index, queryStems);
  const terms = queryStems.map((word, n) =>
    withWeight(
      index,
      matchingForms(index, word, synonyms[n]!.length > 0),
      synonyms[n]!,
      QUESTION_WORDS.has(queryWords[n]!),
    ),
  );
  const known = terms.filter(
    (term, n) => term.weight && terms.findIndex((other) => other.weight && isSame(other.forms, term.forms)) === n,
  );
  if (terms.every((term) => term.isQuestionWord)) return known.map((term) => ({ ...term, isQuestionWord: false }));
  const unknown = terms.filter((term) => !term.isQuestionWord && !term.weight);
  return unknown.length <= known.filter((term) => !term.isQuestionWord).length ? known : [];
}

/** Return what the rules may say instead of each word: entries of `SYNONYMS`, and attackers for attack. */
function findSynonyms(index: RulesIndex, words: Phrase): Phrase[][] {
  const synonyms: Phrase[][] = words.map(() => []);
  for (const { key, replacements } of SYNONYM_PHRASES)
    for (const at of phrasePositions(words, key))
      for (const phrases of synonyms.slice(at, at + key.length)) phrases.push(...replacements);
  words.forEach((word, n) =>
    synonyms[n]!.push(
      ...[`${word}er`, word.replace(/er$/, "")]
        .filter((variant) => variant !== word && index.singleWordTerms.has(variant))
        .map((variant) => [variant]),
    ),
  );
  return synonyms;
}

/** Return the words of the rules that a word can stand for: itself, its completions, or the nearest spelling. */
function matchingForms(index: RulesIndex, word: string, hasSynonyms: boolean): Phrase {
  if (hasSynonyms || index.entryCounts.has(word)) return [word];
  const forms = [...index.entryCounts.keys()];
  const completions = forms.filter((form) => form.startsWith(word)).sort();
  if (completions.length && word.length > 1) return completions;
  const maxDistance = Math.min(Math.floor(word.length / 4), 2);
  const candidates = forms
    .filter((form) => form[0] === word[0])
    .map((form) => ({ form, distance: editDistance(form, word), count: index.entryCounts.get(form)! }));
  candidates.sort((a, b) => a.distance - b.distance || b.count - a.count || (a.form < b.form ? -1 : 1));
  return candidates
    .slice(0, 1)
    .filter(({ distance }) => distance <= maxDistance)
    .map(({ form }) => form);
}

/** Return a term with its weight: more for rarer terms, little for question words, nothing for unknown words. */
function withWeight(index: RulesIndex, forms: Phrase, synonyms: Phrase[], isQuestionWord: boolean): QueryTerm {
  const term = { forms, synonyms, isQuestionWord, isTerm: forms.some((form) => index.termWords.has(form)), weight: 0 };
  const matching = index.entries.filter((entry) => points(term, entry) >= SYNONYM_POINTS).length;
  const rarity = matching ? 32 - Math.clz32(Math.floor(index.entries.length / matching) ** 2) : 0;
  return { ...term, weight: isQuestionWord ? rarity : term.isTerm ? rarity * 3 : rarity * 2 };
}

// --- definitions -----------------------------------------------------------------------------------------------------

/** Return the rules that define the query, its words without question words, or what the rules say instead. */
function findDefinitions(index: RulesIndex, query: string, terms: readonly QueryTerm[]): IndexEntry[] {
  const content = terms.filter((term) => !term.isQuestionWord).map((term) => term.forms[0]!);
  if (!content.length) return [];
  const results = [stems(query), content, replaceSynonyms(content)].map((phrase) =>
    entriesDefining(index, phrase, stems(query)),
  );
  const mainRules = results.map((entries) => entries.filter((entry) => !entry.isScriptRule));
  return [...mainRules, ...results].find((entries) => entries.length) ?? [];
}

/** Return the words with synonyms replaced by what the rules say. */
function replaceSynonyms(content: Phrase): Phrase {
  return SYNONYM_PHRASES.reduce((words, { key, replacements }) => {
    const at = phrasePositions(words, key)[0];
    return at === undefined ? words : [...words.slice(0, at), ...replacements[0]!, ...words.slice(at + key.length)];
  }, content);
}

/** Return the rules that define a term, with their subrules: literal matches of the query first, then by level. */
function entriesDefining(index: RulesIndex, term: Phrase, query: Phrase): IndexEntry[] {
  const level = ({ rule, title }: IndexEntry): number => (rule.level > 1 && isSameTerm(title, term) ? rule.level : 99);
  const isNotLiteral = (entry: IndexEntry): number => Number(query.length > 1 && !hasPhrase(entry.words, query));
  const defining = index.entries.filter((entry) => entry.definedTerms.some((phrase) => isSameTerm(phrase, term)));
  defining.sort((a, b) => isNotLiteral(a) - isNotLiteral(b) || level(a) - level(b));
  const listing = index.entries.filter((entry) => entry.rule.level > 2 && isAmong(entry, term));
  return [...defining, ...listing].flatMap((entry) => withSubrules(index, entry));
}

/** Return a rule, or a section with everything below it. */
function withSubrules(index: RulesIndex, entry: IndexEntry): IndexEntry[] {
  const section = new Set(entry.rule.level ? ruleSection(index.rules, entry.rule.number) : [entry.rule]);
  return index.entries.filter((other) => section.has(other.rule));
}

/** Whether a title or a defined phrase is the term. Attack step and Attackers are both about attack. */
function isSameTerm(phrase: Phrase, term: Phrase): boolean {
  const [words, termWords] = [withoutStep(phrase), withoutStep(term)];
  return (
    isSame(words, termWords) ||
    isSame(
      words.map((word) => stem(word.replace(/er$/, ""))),
      termWords,
    )
  );
}

const withoutStep = (words: Phrase): Phrase =>
  words.length > 1 && words.at(-1) === "step" ? words.slice(0, -1) : words;

/** Whether a title lists the term among others, contains it, or completes it with the headings above. */
function isAmong({ title, names, headings }: IndexEntry, term: Phrase): boolean {
  if (names.some((name) => isSameTerm(name, term))) return names.length > 1;
  if (term.length < 2) return false;
  const isBelow =
    title.every((word) => term.includes(word)) && term.every((word) => title.includes(word) || headings.includes(word));
  return isBelow || hasPhrase(title, term);
}

// --- ranking ---------------------------------------------------------------------------------------------------------

const total = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);
const baseScore = (entry: IndexEntry, terms: readonly QueryTerm[]): number =>
  total(terms.map((term) => points(term, entry) * term.weight));
const hasAll = (entry: IndexEntry, terms: readonly QueryTerm[]): boolean =>
  terms.every((term) => term.isQuestionWord || points(term, entry));

/** Return the rules that score at least two fifths of the best score, best first. */
function bestMatches(index: RulesIndex, terms: readonly QueryTerm[]): IndexEntry[] {
  const content = terms.filter((term) => !term.isQuestionWord);
  const candidates = index.entries
    .filter((entry) => entry.rule.text && content.some((term) => points(term, entry) >= SYNONYM_POINTS))
    .map((entry) => ({ entry, sum: baseScore(entry, content) }));
  const bestScore = Math.max(0, ...candidates.map(({ sum }) => sum));
  const scoreOfSection = memoize((section: string) => sectionScore(index.sections.get(section)!, content));
  const matches = candidates
    .filter(({ sum }) => sum * 5 > bestScore * 2)
    .map((candidate) => ({
      ...candidate,
      score: candidate.sum + bonus(candidate.entry, terms) + scoreOfSection(candidate.entry.section),
    }));
  const bestMainScore = Math.max(0, ...matches.filter(({ entry }) => !entry.isScriptRule).map(({ sum }) => sum));
  const isScriptLast = bestMainScore * 3 >= bestScore * 2;
  const isLater = (entry: IndexEntry): number => Number(entry.isScriptRule === isScriptLast);
  const sorted = matches
    .sort((a, b) => isLater(a.entry) - isLater(b.entry) || b.score - a.score)
    .map(({ entry }) => entry);
  return [...coveringEntries(sorted, content), ...sorted];
}

/** Return extra points if a rule has all terms, has them close together, defines them, or begins with one. */
function bonus(entry: IndexEntry, terms: readonly QueryTerm[]): number {
  const content = terms.filter((term) => !term.isQuestionWord);
  const questionScore = baseScore(
    entry,
    terms.filter((term) => term.isQuestionWord),
  );
  const completenessScore = hasAll(entry, terms) ? ALL_TERMS_BONUS * total(content.map((term) => term.weight)) : 0;
  const beginningScore = total(
    content.filter((term) => term.forms.includes(entry.words[0]!)).map((term) => term.weight),
  );
  return (
    questionScore +
    completenessScore +
    beginningScore +
    proximityScore(entry, terms, content) +
    definitionScore(entry, content)
  );
}

/** Return points for terms that are adjacent as in the query, or near each other. */
function proximityScore(entry: IndexEntry, terms: readonly QueryTerm[], content: readonly QueryTerm[]): number {
  const positions = new Map(terms.map((term) => [term, termPositions(term, entry.words)]));
  const adjacent = terms.slice(1).map((b, n) => [terms[n]!, b] as const);
  const adjacentContent = content.slice(1).map((b, n) => [content[n]!, b] as const);
  const pairs = [...adjacent, ...adjacentContent.filter(([a, b]) => terms[terms.indexOf(a) + 1] !== b)];
  return total(
    pairs.map(([a, b]) => {
      const gaps = positions.get(a)!.flatMap((i) => positions.get(b)!.map((j) => j - i));
      const closeness = gaps.includes(1) ? 2 : Number(gaps.some((gap) => Math.abs(gap) <= MAX_WORD_GAP));
      return closeness * (a.weight + b.weight);
    }),
  );
}

/** Return points for terms that the rule defines, alone or with other terms of the query, or by a synonym. */
function definitionScore(entry: IndexEntry, content: readonly QueryTerm[]): number {
  const weights = new Map(content.flatMap((term) => term.forms.map((form) => [form, term.weight] as const)));
  const defined = new Set(entry.definedTerms.filter((phrase) => phrase.every((word) => weights.has(word))).flat());
  const synonymous = content.filter((term) =>
    term.synonyms.some((phrase) => entry.definedTerms.some((other) => isSame(phrase, other))),
  );
  return (
    DEFINITION_BONUS *
    (total([...defined].map((word) => weights.get(word)!)) + total(synonymous.map((term) => term.weight)))
  );
}

/** Return points for the terms that at least a third of a section's rules have. */
function sectionScore(section: readonly IndexEntry[], content: readonly QueryTerm[]): number {
  const matching = (term: QueryTerm): number => section.filter((entry) => points(term, entry) >= SYNONYM_POINTS).length;
  return total(
    content.filter((term) => matching(term) > 1 && matching(term) * 3 >= section.length).map((term) => term.weight),
  );
}

/** Return the best match and, while defined terms are missing, the next matches that have them. */
function coveringEntries(matches: readonly IndexEntry[], content: readonly QueryTerm[]): IndexEntry[] {
  const leading = matches.slice(0, 1);
  let missing = content.filter((term) => term.isTerm);
  for (const entry of matches) {
    const stillMissing = missing.filter((term) => !points(term, entry));
    if (stillMissing.length < missing.length) leading.push(entry);
    missing = stillMissing;
  }
  return leading;
}
