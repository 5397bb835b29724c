"""Which rules answer some words, the best first; the browser finds the same (web/src/features/rules/rulesSearch.ts)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from dicemasters.rules.stemming import (
    ASKING,
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

SOLITAIRE = "8"  # the section on the script
WORD_POINTS, SYNONYM_POINTS, HEADING_POINTS = (
    4,
    3,
    2,
)  # what a word counts: in the rule, there in other words, in a title above
DEFINITION_BONUS, ALL_TERMS_BONUS = 4, 2  # what it counts besides: if the rule explains it, if no other is missing
MAX_WORD_GAP = 4  # words apart


@dataclass(frozen=True, slots=True, eq=False)
class IndexEntry:
    """A rule as it is searched."""

    item: RuleItem
    words: Phrase
    title: Phrase
    names: tuple[Phrase, ...]  # the things its title names
    headings: Phrase  # the titles it stands below
    explains: tuple[Phrase, ...]
    section: str
    is_script_rule: bool


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word that is looked for, as the rules write it and by what else they say for it."""

    forms: Phrase
    synonyms: tuple[Phrase, ...]
    is_question_word: bool
    is_term: bool = False  # of a title, or explained
    weight: int = 0  # the fewer rules have it, the more

    def positions(self, words: Phrase) -> list[int]:
        """Give where it is said, or where something else is said for it."""
        said = [i for i, word in enumerate(words) if word in self.forms]
        return said or [i for phrase in self.synonyms for i in phrase_positions(words, phrase)]

    def points(self, entry: IndexEntry) -> int:
        """Say how well a rule has it."""
        if any(form in entry.words for form in self.forms):
            return WORD_POINTS
        if self.positions(entry.words):
            return SYNONYM_POINTS
        return HEADING_POINTS if self.positions(entry.headings) else 0


class RulesIndex:
    """The rules that have a number, and their words."""

    def __init__(self, document: RulesDocument) -> None:
        self.document = document
        self.entries = _entries(document)
        self.sections: dict[str, list[IndexEntry]] = {}
        for entry in self.entries:
            self.sections.setdefault(entry.section, []).append(entry)
        self.counts = Counter(word for one in self.entries for word in {*one.words, *one.headings})
        explained = [phrase for one in self.entries for phrase in one.explains]
        self.terms = {word for phrase in explained for word in phrase}
        self.alone = {phrase for phrase in explained if len(phrase) == 1}

    def with_subrules(self, entry: IndexEntry) -> list[IndexEntry]:
        """Give a rule, or a section with what stands in it."""
        items = self.document.part(entry.item.number) if entry.item.level else ()
        at = self.entries.index(entry)
        return self.entries[at : at + max(1, sum(item.number != "" for item in items))]


def search_rules(document: RulesDocument, words: str) -> tuple[RuleItem, ...]:
    """Give the rules on some words: those that explain them, with what stands below, then by how well they fit.

    The script of the solitaire game comes last, unless it has more of the words.
    """
    index = _index(document)
    wanted = _parse_query(index, words)
    explained = _find_definitions(index, words, wanted)
    fitting = _best_matches(index, wanted)
    is_ours = any(_has_all(entry, wanted) and not entry.is_script_rule for entry in (*explained, *fitting))
    introduced = [] if is_ours else _unnumbered_matches(document, stems(words))
    found = (*(one.item for one in explained), *introduced, *(one.item for one in fitting))
    return tuple(dict.fromkeys(found))


def unknown_words(document: RulesDocument, words: str) -> list[str]:
    """List the words that the rules do not know, even if a letter were wrong."""
    index = _index(document)
    return [word for word in content_words(words) if word not in ASKING and not _parse_query(index, word)]


@lru_cache(maxsize=4)
def _index(document: RulesDocument) -> RulesIndex:
    return RulesIndex(document)


def _entries(document: RulesDocument) -> list[IndexEntry]:
    """Give the rules that have a number, with the titles above each."""
    found: list[IndexEntry] = []
    titles: list[RuleItem] = []
    script = document.part(SOLITAIRE)
    for item in document.items:
        if item.level:
            titles = [one for one in titles if 1 < one.level < item.level]
        if item.number:
            found.append(_entry(item, titles, scripted=item in script))
        if item.level:
            titles.append(item)
    return found


def _entry(item: RuleItem, titles: list[RuleItem], *, scripted: bool) -> IndexEntry:
    return IndexEntry(
        item,
        words=stems(f"{item.title}\n{item.text}"),
        title=stems(item.title),
        names=tuple(map(stems, re.split(r", | and ", item.title))),
        headings=tuple(word for one in titles for word in stems(one.title)),
        explains=tuple(map(stems, item.defines)),
        section=titles[-1].number if titles else "",
        is_script_rule=scripted,
    )


def _unnumbered_matches(document: RulesDocument, wanted: Phrase) -> list[RuleItem]:
    """Give what has no number and the words, without the paragraphs that do not have them."""
    found: list[RuleItem] = []
    for item in document.items if wanted else ():
        fits = [x for x in item.text.split("\n\n") if phrase_position(stems(x), wanted) >= 0]
        found += [replace(item, text="\n\n".join(fits))] if fits and not item.number else []
    return found


# --- what is wanted ------------------------------------------------------------------------------------------------


def _parse_query(index: RulesIndex, words: str) -> list[QueryTerm]:
    """Give the words that the rules know; nothing if they do not know most of them."""
    said = content_words(words)
    found = tuple(map(stem, said))
    every = [
        _with_weight(index, QueryTerm(_forms(index, word, known=bool(also)), also, one in ASKING))
        for one, word, also in zip(said, found, _find_synonyms(index, found), strict=True)
    ]
    known: dict[Phrase, QueryTerm] = {}
    for one in every:
        if one.weight:
            known.setdefault(one.forms, one)
    if all(one.is_question_word for one in every):
        return [replace(one, is_question_word=False) for one in known.values()]
    content = [one for one in known.values() if not one.is_question_word]
    unknown = [one for one in every if not one.is_question_word and not one.weight]
    return list(known.values()) if len(unknown) <= len(content) else []


def _find_synonyms(index: RulesIndex, words: Phrase) -> list[tuple[Phrase, ...]]:
    """Give what the rules may say for each word: by our list, and attackers for attack."""
    also: list[list[Phrase]] = [[] for _ in words]
    for key, meant in SYNONYMS.items():
        ask = stems(key)
        for at in phrase_positions(words, ask):
            for phrases in also[at : at + len(ask)]:
                phrases += map(stems, meant.split(", "))
    for word, phrases in zip(words, also, strict=True):
        phrases += [(one,) for one in (f"{word}er", word.removesuffix("er")) if one != word and (one,) in index.alone]
    return list(map(tuple, also))


def _forms(index: RulesIndex, word: str, *, known: bool) -> Phrase:
    """Give the words of the rules that are meant: this, what begins so while it is typed, or what has nearly its letters."""
    if known or word in index.counts:
        return (word,)
    begun = sorted(one for one in index.counts if one.startswith(word))
    if begun and len(word) > 1:
        return tuple(begun)
    wrong = min(len(word) // 4, 2)
    near = [(edit_distance(one, word), -count, one) for one, count in index.counts.items() if one[0] == word[0]]
    return tuple(one for letters, _, one in sorted(near)[:1] if letters <= wrong)


def _with_weight(index: RulesIndex, one: QueryTerm) -> QueryTerm:
    """Let it weigh the more, the fewer rules have it; a word that only asks weighs little, an unknown one nothing."""
    having = sum(one.points(entry) >= SYNONYM_POINTS for entry in index.entries)
    rarity = ((len(index.entries) // having) ** 2).bit_length() if having else 0
    is_term = not index.terms.isdisjoint(one.forms)
    return replace(
        one, is_term=is_term, weight=rarity if one.is_question_word else rarity * 3 if is_term else rarity * 2
    )


# --- who explains it -----------------------------------------------------------------------------------------------


def _find_definitions(index: RulesIndex, words: str, wanted: list[QueryTerm]) -> list[IndexEntry]:
    """Give what explains just these words, or those that do not only ask, or what the rules say for them."""
    content = tuple(one.forms[0] for one in wanted if not one.is_question_word)
    ways = [
        _entries_defining(index, ask, stems(words))
        for ask in (stems(words), content, _replace_synonyms(content))
        if content
    ]
    ours = [[entry for entry in way if not entry.is_script_rule] for way in ways]
    return next((way for way in (*ours, *ways) if way), [])


def _replace_synonyms(content: Phrase) -> Phrase:
    """Give the words with what the rules say for them in their place."""
    for said, meant in SYNONYMS.items():
        ask = stems(said)
        at = phrase_position(content, ask)
        if at >= 0:
            content = (*content[:at], *stems(meant.split(", ")[0]), *content[at + len(ask) :])
    return content


def _entries_defining(index: RulesIndex, wanted: Phrase, said: Phrase) -> list[IndexEntry]:
    """List who explains the words, with what stands below: who says them just as they were said, then large sections."""
    whole = [entry for entry in index.entries if any(_is_same_term(phrase, wanted) for phrase in entry.explains)]
    whole.sort(
        key=lambda entry: entry.item.level if entry.item.level > 1 and _is_same_term(entry.title, wanted) else 99
    )
    whole.sort(key=lambda entry: len(said) > 1 and phrase_position(entry.words, said) < 0)
    among = [entry for entry in index.entries if entry.item.level > 2 and _is_among(entry, wanted)]
    return [one for entry in (*whole, *among) for one in index.with_subrules(entry)]


def _is_same_term(words: Phrase, wanted: Phrase) -> bool:
    """Tell whether a title or an explained word is the wanted one: Attack step and Attackers are on attack."""
    words, wanted = _without_step(words), _without_step(wanted)
    return words == wanted or tuple(stem(word.removesuffix("er")) for word in words) == wanted


def _without_step(words: Phrase) -> Phrase:
    return words[:-1] if len(words) > 1 and words[-1] == "step" else words


def _is_among(entry: IndexEntry, wanted: Phrase) -> bool:
    """Tell whether a title names it among others, or has several words of it and more, or the rest is in those above."""
    if any(_is_same_term(one, wanted) for one in entry.names):
        return len(entry.names) > 1
    is_below = set(entry.title) <= set(wanted) <= {*entry.title, *entry.headings}
    return len(wanted) > 1 and (is_below or phrase_position(entry.title, wanted) >= 0)


# --- who fits best -------------------------------------------------------------------------------------------------


def _best_matches(index: RulesIndex, wanted: list[QueryTerm]) -> list[IndexEntry]:
    """Give the rules that have nearly half of what the best has, the best first."""
    content = [one for one in wanted if not one.is_question_word]
    says = [
        entry
        for entry in index.entries
        if entry.item.text and any(one.points(entry) >= SYNONYM_POINTS for one in content)
    ]
    has = {entry: _base_score(entry, content) for entry in says}
    most = max(has.values(), default=0)
    found = [entry for entry in says if has[entry] * 5 > most * 2]
    around = {name: _section_score(section, content) for name, section in index.sections.items()}
    score = {entry: has[entry] + _bonus(entry, wanted) + around[entry.section] for entry in found}
    ours = max((has[entry] for entry in found if not entry.is_script_rule), default=0)
    is_script_last = ours * 3 >= most * 2
    found.sort(key=lambda entry: (entry.is_script_rule == is_script_last, -score[entry]))
    return [*_covering_entries(found, content), *found]


def _base_score(entry: IndexEntry, wanted: list[QueryTerm]) -> int:
    return sum(one.points(entry) * one.weight for one in wanted)


def _has_all(entry: IndexEntry, wanted: list[QueryTerm]) -> bool:
    return all(one.is_question_word or one.points(entry) for one in wanted)


def _bonus(entry: IndexEntry, wanted: list[QueryTerm]) -> int:
    """Count what lets a rule fit better: all words are there, together, explained, at its beginning."""
    content = [one for one in wanted if not one.is_question_word]
    asks = _base_score(entry, [one for one in wanted if one.is_question_word])
    whole = ALL_TERMS_BONUS * sum(one.weight for one in content) if _has_all(entry, wanted) else 0
    begins = sum(one.weight for one in content if entry.words[0] in one.forms)
    return asks + whole + begins + _proximity_score(entry, wanted, content) + _definition_score(entry, content)


def _proximity_score(entry: IndexEntry, wanted: list[QueryTerm], content: list[QueryTerm]) -> int:
    """Count words that stand side by side as they were asked for, or near each other."""
    together = 0
    for a, b in dict.fromkeys((*pairwise(wanted), *pairwise(content))):
        apart = [j - i for i in a.positions(entry.words) for j in b.positions(entry.words)]
        near = 2 if 1 in apart else int(any(abs(gap) <= MAX_WORD_GAP for gap in apart))
        together += near * (a.weight + b.weight)
    return together


def _definition_score(entry: IndexEntry, content: list[QueryTerm]) -> int:
    """Count the words that the rule explains, alone or with others that are wanted, or by what it says for them."""
    weights = {form: one.weight for one in content for form in one.forms}
    explained = {word for phrase in entry.explains if set(phrase) <= weights.keys() for word in phrase}
    meant = [one.weight for one in content if any(phrase in entry.explains for phrase in one.synonyms)]
    return DEFINITION_BONUS * (sum(weights[word] for word in explained) + sum(meant))


def _section_score(section: list[IndexEntry], content: list[QueryTerm]) -> int:
    """Count the words that a good part of a section has."""
    total = 0
    for one in content:
        having = sum(one.points(other) >= SYNONYM_POINTS for other in section)
        total += one.weight if having > 1 and having * 3 >= len(section) else 0
    return total


def _covering_entries(found: list[IndexEntry], content: list[QueryTerm]) -> list[IndexEntry]:
    """Give the first rule, and if terms are missing there, the first that has them, until none is missing."""
    leading = found[:1]
    missing = [one for one in content if one.is_term]
    for entry in found:
        lacks = [one for one in missing if not one.points(entry)]
        if len(lacks) < len(missing):
            leading.append(entry)
            missing = lacks
    return leading
