"""The rules as a document of numbered items: parsing, and lookup by number or words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from dicemasters.rules.bundled import RULES, document_text
from dicemasters.rules.search import search_rules, unknown_words

NUMBER = r"(?:\d+(?:\.\d+(?:[a-z](?:\d+[a-z]?)?)?)?|[SE]\d+|#\d+)"
_HEADING = re.compile(rf"(#+) (?:({NUMBER}) )?(.+)")
_RULE = re.compile(rf"\*\*({NUMBER})\*\* (.+)", re.DOTALL)
_DEFINED = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?!\*)")
_WORD = re.compile(r"[^\W\d_][\w'-]*")

EDITIONS = "> *Editions* "
SHOWN_BY = "> *Shown by* "


@dataclass(frozen=True, slots=True)
class RuleItem:
    """A rule or a heading: its number, and its text in Markdown."""

    number: str  # "" for a heading or introduction without a number
    title: str  # title of a heading; empty for a rule
    level: int  # level of a heading, from 1; 0 for a rule
    text: str
    editions: tuple[str, ...] = ()  # the rule switches that affect it
    shown_by: tuple[str, ...] = ()  # scenarios that show it, by file

    @property
    def defines(self) -> tuple[str, ...]:
        """The terms that the item defines."""
        title = (self.title,) if self.level > 1 else ()
        return (*title, *(_DEFINED.findall(self.text) if self.number else ()))


@dataclass(frozen=True, slots=True)
class RulesDocument:
    """All items in order."""

    items: tuple[RuleItem, ...]

    @property
    def numbers(self) -> frozenset[str]:
        """All numbers that can be cited."""
        return frozenset(item.number for item in self.items if item.number)

    def part(self, number: str) -> tuple[RuleItem, ...]:
        """Return the item of a number and everything below it; empty if there is no such number."""
        start = next((i for i, item in enumerate(self.items) if item.number.casefold() == number.casefold()), -1)
        if start < 0:
            return ()
        level = self.items[start].level
        end = start + 1
        while level and end < len(self.items) and not 0 < self.items[end].level <= level:
            end += 1
        return self.items[start:end]

    def by_number(self, query: str) -> tuple[RuleItem, ...]:
        """Return the items of a number in any spelling, such as `2.1 c` or `# 7`; empty if there is no such item."""
        number = _number_in(query)
        return self.part(number) if number else ()

    def look_up(self, query: str) -> tuple[RuleItem, ...]:
        """Return the items of a number or about some words. Raise `ValueError` with suggestions if there are none."""
        query = " ".join(query.split()).removeprefix("rule ").removeprefix("rules ")
        if not query:
            return self.items
        number = _number_in(query)
        items = self.by_number(query)
        if not items and re.fullmatch(NUMBER, number):
            raise ValueError(f"There is no rule {number}.{_suggestion(self._nearest_parent(number))}")
        items = items or search_rules(self, query)
        if not items:
            raise ValueError(self._no_match_message(query))
        return items

    def _nearest_parent(self, number: str) -> list[str]:
        while number and number not in self.numbers:
            number = number[:-1].rstrip(".")
        return [number] if number else []

    def _no_match_message(self, query: str) -> str:
        """Return a message with the words that the rules do not contain, and similar ones that they do."""
        unknown = unknown_words(self, query) or [query]
        suggestions = dict.fromkeys(suggestions for word in unknown for suggestions in self._similar_words(word))
        return f"The rules say nothing on '{' '.join(unknown)}'.{_suggestion(list(suggestions))}"

    def _similar_words(self, word: str) -> list[str]:
        defined = {w.casefold(): w for item in self.items if item.number for w in item.defines}
        used = {w.casefold(): w for item in self.items for w in _WORD.findall(item.text)}
        matches = get_close_matches(word.casefold(), defined, 3, 0.6) or get_close_matches(word.casefold(), used, 3)
        return [defined.get(w) or used[w] for w in matches]


def _number_in(query: str) -> str:
    return re.sub(r"\s+|[.)]+$", "", query)


def _suggestion(candidates: list[str]) -> str:
    return f" Did you mean {' or '.join(candidates)}?" if candidates else ""


def blocks(text: str) -> Iterator[str]:
    """Return an iterator over the paragraphs, headings and notes of a Markdown text."""
    return (block.strip("\n") for block in re.split(r"\n{2,}", text) if block.strip())


def number_of(block: str) -> str:
    """Return the number of the item that a block begins, or "" if it has none."""
    heading = _HEADING.fullmatch(block)
    if heading:
        return heading[2] or ""
    rule = _RULE.fullmatch(block)
    return rule[1] if rule else ""


def is_heading(block: str) -> bool:
    """Return True if a block is a heading."""
    return _HEADING.fullmatch(block) is not None


def read_document(text: str) -> RulesDocument:
    """Return the document that a Markdown text contains."""
    items: list[RuleItem] = []
    for block in blocks(text):
        heading, rule = _HEADING.fullmatch(block), _RULE.fullmatch(block)
        if heading:
            items.append(RuleItem(heading[2] or "", heading[3], len(heading[1]), ""))
        elif rule:
            items.append(RuleItem(rule[1], "", 0, _normalize_spaces(rule[2])))
        elif not block.startswith("<!--"):
            items[-1] = _add_block(items[-1], block)
    return RulesDocument(tuple(items))


def _add_block(item: RuleItem, block: str) -> RuleItem:
    """Return the item with another paragraph or note below it."""
    text, editions, shown_by = item.text, item.editions, item.shown_by
    if block.startswith(EDITIONS):
        editions = (*editions, block.removeprefix(EDITIONS))
    elif block.startswith(SHOWN_BY):
        shown_by = (*shown_by, block.removeprefix(SHOWN_BY))
    else:
        text = f"{text}\n\n{_normalize_spaces(block)}".strip()
    return RuleItem(item.number, item.title, item.level, text, editions, shown_by)


def _normalize_spaces(block: str) -> str:
    return " ".join(block.split())


@cache
def rules_document() -> RulesDocument:
    """Return docs/rules.md as a document."""
    return read_document(document_text(RULES))
