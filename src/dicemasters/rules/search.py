"""Search in the rules, best matches first; the browser finds the same (web/src/features/rules/rulesSearch.ts)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from dicemasters.rules.stemming import (
    QUESTION_WORDS,
    SYNONYMS,
    content_words,
    edit_distance,
    phrase_position,
    phrase_positions,
    stem,
    stems,
)

if TYPE_CHECKING:
    from dicemasters.rules.document import RuleItem, RulesDocument

Phrase = tuple[str, ...]

SOLITAIRE = "8"  # the section with the script's rules
# points for a term: in the rule, as a synonym in the rule, in a heading above it
WORD_POINTS, SYNONYM_POINTS, HEADING_POINTS = 4, 3, 2
DEFINITION_BONUS, ALL_TERMS_BONUS = 4, 2  # extra points per weight: the rule defines the term; the rule has all terms
MAX_WORD_GAP = 4  # largest distance, in words, that counts as near


@dataclass(frozen=True, slots=True, eq=False)
class IndexEntry:
    """A rule, prepared for the search."""

    item: RuleItem
    words: Phrase
    title: Phrase
    names: tuple[Phrase, ...]  # subjects listed in its title
    headings: Phrase  # words of the headings above it
    defined_terms: tuple[Phrase, ...]
    section: str
    is_script_rule: bool


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term of a query: its forms in the rules, and its synonyms there."""

    forms: Phrase
    synonyms: tuple[Phrase, ...]
    is_question_word: bool
    is_term: bool = False  # whether it is part of a defined term
    weight: int = 0  # rarer terms weigh more

    def positions(self, words: Phrase) -> list[int]:
        """Return the positions of the term among the words, or of its synonyms if it does not occur."""
        matches = [i for i, word in enumerate(words) if word in self.forms]
        return matches or [i for phrase in self.synonyms for i in phrase_positions(words, phrase)]

    def points(self, entry: IndexEntry) -> int:
        """Return the points that a rule gets for the term."""
        if any(form in entry.words for form in self.forms):
            return WORD_POINTS
        if self.positions(entry.words):
            return SYNONYM_POINTS
        return HEADING_POINTS if self.positions(entry.headings) else 0


class RulesIndex:
    """An index of all rules that have a number."""

    def __init__(self, document: RulesDocument) -> None:
        self.document = document
        self.entries = _entries(document)
        self.sections: dict[str, list[IndexEntry]] = {}
        for entry in self.entries:
            self.sections.setdefault(entry.section, []).append(entry)
        self.entry_counts = Counter(word for entry in self.entries for word in {*entry.words, *entry.headings})
        phrases = [phrase for entry in self.entries for phrase in entry.defined_terms]
        self.term_words = {word for phrase in phrases for word in phrase}
        self.single_word_terms = {phrase for phrase in phrases if len(phrase) == 1}

    def with_subrules(self, entry: IndexEntry) -> list[IndexEntry]:
        """Return the rule alone or, for a section, everything in it."""
        items = self.document.part(entry.item.number) if entry.item.level else ()
        start = self.entries.index(entry)
        return self.entries[start : start + max(1, sum(item.number != "" for item in items))]


def search_rules(document: RulesDocument, query: str) -> tuple[RuleItem, ...]:
    """Return the rules about some words: those that define them, with their subrules, then the best matches.

    The script of the solitaire game comes last, unless it matches clearly better.
    """
    index = _index(document)
    terms = _parse_query(index, query)
    definitions = _find_definitions(index, query, terms)
    matches = _best_matches(index, terms)
    is_in_main_rules = any(_has_all(entry, terms) and not entry.is_script_rule for entry in (*definitions, *matches))
    unnumbered = [] if is_in_main_rules else _unnumbered_matches(document, stems(query))
    results = (*(entry.item for entry in definitions), *unnumbered, *(entry.item for entry in matches))
    return tuple(dict.fromkeys(results))


def unknown_words(document: RulesDocument, query: str) -> list[str]:
    """Return the words that do not occur in the rules, even if a few letters are wrong."""
    index = _index(document)
    return [word for word in content_words(query) if word not in QUESTION_WORDS and not _parse_query(index, word)]


@lru_cache(maxsize=4)
def _index(document: RulesDocument) -> RulesIndex:
    return RulesIndex(document)


def _entries(document: RulesDocument) -> list[IndexEntry]:
    """Return the rules that have a number, each with the headings above it."""
    entries: list[IndexEntry] = []
    headings: list[RuleItem] = []
    script = document.part(SOLITAIRE)
    for item in document.items:
        if item.level:
            headings = [heading for heading in headings if 1 < heading.level < item.level]
        if item.number:
            entries.append(_entry(item, headings, scripted=item in script))
        if item.level:
            headings.append(item)
    return entries


def _entry(item: RuleItem, headings: list[RuleItem], *, scripted: bool) -> IndexEntry:
    return IndexEntry(
        item,
        words=stems(f"{item.title}\n{item.text}"),
        title=stems(item.title),
        names=tuple(map(stems, re.split(r", | and ", item.title))),
        headings=tuple(word for heading in headings for word in stems(heading.title)),
        defined_terms=tuple(map(stems, item.defines)),
        section=headings[-1].number if headings else "",
        is_script_rule=scripted,
    )


def _unnumbered_matches(document: RulesDocument, phrase: Phrase) -> list[RuleItem]:
    """Return the items without a number that contain the phrase, reduced to the paragraphs with it."""
    matches: list[RuleItem] = []
    for item in document.items if phrase else ():
        paragraphs = [
            paragraph for paragraph in item.text.split("\n\n") if phrase_position(stems(paragraph), phrase) >= 0
        ]
        matches += [replace(item, text="\n\n".join(paragraphs))] if paragraphs and not item.number else []
    return matches


# --- parsing the query ---------------------------------------------------------------------------------------------


def _parse_query(index: RulesIndex, query: str) -> list[QueryTerm]:
    """Return the terms of a query that the rules know; empty if they do not know most of its words."""
    query_words = content_words(query)
    query_stems = tuple(map(stem, query_words))
    terms = [
        _with_weight(
            index, QueryTerm(_forms(index, word_stem, has_synonyms=bool(synonyms)), synonyms, word in QUESTION_WORDS)
        )
        for word, word_stem, synonyms in zip(query_words, query_stems, _find_synonyms(index, query_stems), strict=True)
    ]
    known: dict[Phrase, QueryTerm] = {}
    for term in terms:
        if term.weight:
            known.setdefault(term.forms, term)
    if all(term.is_question_word for term in terms):
        return [replace(term, is_question_word=False) for term in known.values()]
    content = [term for term in known.values() if not term.is_question_word]
    unknown = [term for term in terms if not term.is_question_word and not term.weight]
    return list(known.values()) if len(unknown) <= len(content) else []


def _find_synonyms(index: RulesIndex, query_stems: Phrase) -> list[tuple[Phrase, ...]]:
    """Return the rules' words for each query word: entries of `SYNONYMS`, and attackers for attack."""
    synonyms: list[list[Phrase]] = [[] for _ in query_stems]
    for key, replacements in SYNONYMS.items():
        key_stems = stems(key)
        for start in phrase_positions(query_stems, key_stems):
            for phrases in synonyms[start : start + len(key_stems)]:
                phrases += map(stems, replacements.split(", "))
    for word, phrases in zip(query_stems, synonyms, strict=True):
        phrases += [
            (variant,)
            for variant in (f"{word}er", word.removesuffix("er"))
            if variant != word and (variant,) in index.single_word_terms
        ]
    return list(map(tuple, synonyms))


def _forms(index: RulesIndex, word: str, *, has_synonyms: bool) -> Phrase:
    """Return the words of the rules that a word can stand for: itself, its completions, or the nearest spelling."""
    if has_synonyms or word in index.entry_counts:
        return (word,)
    completions = sorted(form for form in index.entry_counts if form.startswith(word))
    if completions and len(word) > 1:
        return tuple(completions)
    max_distance = min(len(word) // 4, 2)
    candidates = [
        (edit_distance(form, word), -count, form) for form, count in index.entry_counts.items() if form[0] == word[0]
    ]
    return tuple(form for distance, _, form in sorted(candidates)[:1] if distance <= max_distance)


def _with_weight(index: RulesIndex, term: QueryTerm) -> QueryTerm:
    """Return the term with its weight: more for rarer terms, little for question words, and none for unknown words."""
    matching = sum(term.points(entry) >= SYNONYM_POINTS for entry in index.entries)
    rarity = ((len(index.entries) // matching) ** 2).bit_length() if matching else 0
    is_term = not index.term_words.isdisjoint(term.forms)
    return replace(
        term, is_term=is_term, weight=rarity if term.is_question_word else rarity * 3 if is_term else rarity * 2
    )


# --- definitions ---------------------------------------------------------------------------------------------------


def _find_definitions(index: RulesIndex, query: str, terms: list[QueryTerm]) -> list[IndexEntry]:
    """Return the rules that define the query, its words without question words, or their synonyms in the rules."""
    content = tuple(term.forms[0] for term in terms if not term.is_question_word)
    results = [
        _entries_defining(index, phrase, stems(query))
        for phrase in (stems(query), content, _replace_synonyms(content))
        if content
    ]
    main_rules = [[entry for entry in entries if not entry.is_script_rule] for entries in results]
    return next((entries for entries in (*main_rules, *results) if entries), [])


def _replace_synonyms(content: Phrase) -> Phrase:
    """Return the words with synonyms replaced by the rules' own words."""
    for key, replacements in SYNONYMS.items():
        key_stems = stems(key)
        start = phrase_position(content, key_stems)
        if start >= 0:
            content = (*content[:start], *stems(replacements.split(", ")[0]), *content[start + len(key_stems) :])
    return content


def _entries_defining(index: RulesIndex, term: Phrase, query: Phrase) -> list[IndexEntry]:
    """Return the rules that define a term, with their subrules: literal matches of the query first, then by level."""
    defining = [entry for entry in index.entries if any(_is_same_term(phrase, term) for phrase in entry.defined_terms)]
    defining.sort(
        key=lambda entry: entry.item.level if entry.item.level > 1 and _is_same_term(entry.title, term) else 99
    )
    defining.sort(key=lambda entry: len(query) > 1 and phrase_position(entry.words, query) < 0)
    listing = [entry for entry in index.entries if entry.item.level > 2 and _is_among(entry, term)]
    return [subrule for entry in (*defining, *listing) for subrule in index.with_subrules(entry)]


def _is_same_term(phrase: Phrase, term: Phrase) -> bool:
    """Return True if a title or a defined phrase is the term; Attack step and Attackers are both about attack."""
    phrase, term = _without_step(phrase), _without_step(term)
    return phrase == term or tuple(stem(word.removesuffix("er")) for word in phrase) == term


def _without_step(phrase: Phrase) -> Phrase:
    return phrase[:-1] if len(phrase) > 1 and phrase[-1] == "step" else phrase


def _is_among(entry: IndexEntry, term: Phrase) -> bool:
    """Return True if a title lists the term among others, contains it, or completes it with the headings above."""
    if any(_is_same_term(name, term) for name in entry.names):
        return len(entry.names) > 1
    is_below = set(entry.title) <= set(term) <= {*entry.title, *entry.headings}
    return len(term) > 1 and (is_below or phrase_position(entry.title, term) >= 0)


# --- ranking -------------------------------------------------------------------------------------------------------


def _best_matches(index: RulesIndex, terms: list[QueryTerm]) -> list[IndexEntry]:
    """Return the rules that score at least two fifths of the best score, best first."""
    content = [term for term in terms if not term.is_question_word]
    candidates = [
        entry
        for entry in index.entries
        if entry.item.text and any(term.points(entry) >= SYNONYM_POINTS for term in content)
    ]
    base_scores = {entry: _base_score(entry, content) for entry in candidates}
    best_score = max(base_scores.values(), default=0)
    matches = [entry for entry in candidates if base_scores[entry] * 5 > best_score * 2]
    section_scores = {name: _section_score(section, content) for name, section in index.sections.items()}
    scores = {entry: base_scores[entry] + _bonus(entry, terms) + section_scores[entry.section] for entry in matches}
    best_main_score = max((base_scores[entry] for entry in matches if not entry.is_script_rule), default=0)
    is_script_last = best_main_score * 3 >= best_score * 2
    matches.sort(key=lambda entry: (entry.is_script_rule == is_script_last, -scores[entry]))
    return [*_covering_entries(matches, content), *matches]


def _base_score(entry: IndexEntry, terms: list[QueryTerm]) -> int:
    return sum(term.points(entry) * term.weight for term in terms)


def _has_all(entry: IndexEntry, terms: list[QueryTerm]) -> bool:
    return all(term.is_question_word or term.points(entry) for term in terms)


def _bonus(entry: IndexEntry, terms: list[QueryTerm]) -> int:
    """Return extra points if a rule has all terms, has them close together, defines them, or begins with one."""
    content = [term for term in terms if not term.is_question_word]
    question_score = _base_score(entry, [term for term in terms if term.is_question_word])
    completeness_score = ALL_TERMS_BONUS * sum(term.weight for term in content) if _has_all(entry, terms) else 0
    beginning_score = sum(term.weight for term in content if entry.words[0] in term.forms)
    return (
        question_score
        + completeness_score
        + beginning_score
        + _proximity_score(entry, terms, content)
        + _definition_score(entry, content)
    )


def _proximity_score(entry: IndexEntry, terms: list[QueryTerm], content: list[QueryTerm]) -> int:
    """Return points for terms that are adjacent as in the query, or near each other."""
    total = 0
    for a, b in dict.fromkeys((*pairwise(terms), *pairwise(content))):
        gaps = [j - i for i in a.positions(entry.words) for j in b.positions(entry.words)]
        closeness = 2 if 1 in gaps else int(any(abs(gap) <= MAX_WORD_GAP for gap in gaps))
        total += closeness * (a.weight + b.weight)
    return total


def _definition_score(entry: IndexEntry, content: list[QueryTerm]) -> int:
    """Return points for terms that the rule defines, alone or with other terms of the query, or by a synonym."""
    weights = {form: term.weight for term in content for form in term.forms}
    defined = {word for phrase in entry.defined_terms if set(phrase) <= weights.keys() for word in phrase}
    synonym_weights = [
        term.weight for term in content if any(phrase in entry.defined_terms for phrase in term.synonyms)
    ]
    return DEFINITION_BONUS * (sum(weights[word] for word in defined) + sum(synonym_weights))


def _section_score(section: list[IndexEntry], content: list[QueryTerm]) -> int:
    """Return points for the terms that at least a third of a section's rules have."""
    total = 0
    for term in content:
        matching = sum(term.points(entry) >= SYNONYM_POINTS for entry in section)
        total += term.weight if matching > 1 and matching * 3 >= len(section) else 0
    return total


def _covering_entries(matches: list[IndexEntry], content: list[QueryTerm]) -> list[IndexEntry]:
    """Return the best match, and each later match that has a defined term missing from the previous ones."""
    leading = matches[:1]
    missing = [term for term in content if term.is_term]
    for entry in matches:
        still_missing = [term for term in missing if not term.points(entry)]
        if len(still_missing) < len(missing):
            leading.append(entry)
            missing = still_missing
    return leading
