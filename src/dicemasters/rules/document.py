"""The document as items with numbers: what belongs to a number, and what is said on a word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import resources

from dicemasters.rules.words import position, stem, stems, wanted_stems, without_asking

NUMBER = r"(?:\d+(?:\.\d+(?:[a-z](?:\d+[a-z]?)?)?)?|[SE]\d+|#\d+)"
_HEADING = re.compile(rf"(#+) (?:({NUMBER}) )?(.+)")
_RULE = re.compile(rf"\*\*({NUMBER})\*\* (.+)", re.DOTALL)
_DEFINED = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?!\*)")
_WORD = re.compile(r"[^\W\d_][\w'-]*")

EDITIONS = "> *Editions* "
SHOWN_BY = "> *Shown by* "
SOLITAIRE = "8"  # the section on the script


@dataclass(frozen=True, slots=True)
class Item:
    """A rule, or the heading of several: its number, and what it says in Markdown."""

    number: str  # "" where a heading or the introduction has none
    title: str  # of a heading; a rule has none
    level: int  # of a heading, from 1; 0 is a rule
    text: str
    editions: tuple[str, ...] = ()  # the switches that bear on it
    shown_by: tuple[str, ...] = ()  # the scenarios that show it, by file

    @property
    def defines(self) -> tuple[str, ...]:
        """The words it explains."""
        title = (self.title,) if self.level > 1 else ()
        return (*title, *(_DEFINED.findall(self.text) if self.number else ()))


@dataclass(frozen=True, slots=True)
class Document:
    """All items in their order."""

    items: tuple[Item, ...]

    @property
    def numbers(self) -> frozenset[str]:
        """Every number that can be cited."""
        return frozenset(item.number for item in self.items if item.number)

    def part(self, number: str) -> tuple[Item, ...]:
        """Give the item of a number with all that stands below it; nothing if there is no such number."""
        at = next((i for i, item in enumerate(self.items) if item.number.casefold() == number.casefold()), -1)
        if at < 0:
            return ()
        level = self.items[at].level
        end = at + 1
        while level and end < len(self.items) and not 0 < self.items[end].level <= level:
            end += 1
        return self.items[at:end]

    def by_number(self, wanted: str) -> tuple[Item, ...]:
        """Give what stands under a number as people write it, `2.1 c` or `# 7`; nothing if it is none."""
        number = re.sub(r"\s+|[.)]+$", "", wanted)
        return self.part(number) if number else ()

    def about(self, words: str) -> tuple[Item, ...]:
        """Give the items that explain a word, with what stands below them, then those that mention it.

        The script of the solitaire game comes last, unless nobody else explains the word.
        """
        wanted = wanted_stems(words)
        if not wanted:
            return ()
        script = [item for item in self.part(SOLITAIRE) if item.number]
        rules = [item for item in self.items if item.number and item not in script]
        explained = self._explained(rules, wanted) or self._explained(script, wanted)
        mentioned = [
            *self._mentioned(rules, wanted),
            *self._explained(script, wanted),
            *self._mentioned(script, wanted),
        ]
        if not any(item in rules for item in (*explained, *mentioned)):
            mentioned = [*self._introduced(wanted), *mentioned]
        return tuple(dict.fromkeys((*explained, *mentioned)))

    def _explained(self, items: list[Item], wanted: tuple[str, ...]) -> list[Item]:
        """List those that explain the words, with what stands below them; who explains nothing else comes first."""
        whole = [item for item in items if any(_means(word, wanted) for word in item.defines)]
        # a section on it before all else, a large one before a small one
        whole.sort(key=lambda item: item.level if item.level > 1 and _means(item.title, wanted) else 99)
        among = [item for item in items if item.level > 2 and any(_means(x, wanted) for x in _among(item.title))]
        return [part for item in (*whole, *among) for part in (self.part(item.number) if item.level else (item,))]

    def _mentioned(self, items: list[Item], wanted: tuple[str, ...]) -> list[Item]:
        """List those that have all the words: first where they stand together, or in a section on one of them."""
        found = [item for item in items if set(wanted) <= set(stems(_said(item)))]
        single = wanted if found and len(wanted) > 1 else ()
        near = {part for word in single for part in self._explained(items, (word,))}
        return sorted(found, key=lambda item: -(item in near) - (position(stems(_said(item)), wanted) >= 0))

    def _introduced(self, wanted: tuple[str, ...]) -> list[Item]:
        """Give what has no number and the words, without the paragraphs that do not have them."""
        found: list[Item] = []
        for item in self.items:
            fits = [x for x in item.text.split("\n\n") if position(stems(x), wanted) >= 0]
            found += [replace(item, text="\n\n".join(fits))] if fits and not item.number else []
        return found

    def look_up(self, wanted: str) -> tuple[Item, ...]:
        """Give what stands under a number, or what is said on a word; a ValueError names what is near."""
        wanted = " ".join(wanted.split()).removeprefix("rule ").removeprefix("rules ")
        if not wanted:
            return self.items
        found = (
            self.by_number(wanted) or self.about(wanted) or self.about(without_asking(wanted)) or self._nearly(wanted)
        )
        number = wanted.replace(" ", "")
        if not found and re.fullmatch(rf"{NUMBER}\)?", number):
            raise ValueError(f"There is no rule {number}.{_or(self._near_numbers(number))}")
        if not found:
            raise ValueError(self._nothing_on(wanted))
        return found

    def _nearly(self, words: str) -> tuple[Item, ...]:
        """Give the rules that have most of several words, or explain one of them, if the rules know all."""
        wanted = dict.fromkeys(wanted_stems(without_asking(words)))
        script = self.part(SOLITAIRE)
        rules = [item for item in self.items if item.number and item not in script]
        has = {item: len(wanted.keys() & set(stems(_said(item)))) for item in rules}
        most = max(has.values(), default=0)
        if not wanted.keys() <= {stem for item in rules for stem in stems(_said(item))}:
            return ()
        if most > 1 and most > len(wanted) / 2:
            return tuple(item for item in rules if has[item] == most)
        return tuple(dict.fromkeys(item for word in wanted for item in self._explained(rules, (word,))))

    def _near_numbers(self, number: str) -> list[str]:
        while number and number not in self.numbers:
            number = number[:-1].rstrip(".")
        return [number] if number else []

    def _nothing_on(self, wanted: str) -> str:
        """Say that no rule has these words, and which words are near those that none has."""
        said = {stem for item in self.items for stem in stems(_said(item))}
        wanted = without_asking(wanted)
        unknown = [word for word in _WORD.findall(wanted) if not set(wanted_stems(word)) & said]
        if not unknown and len(wanted_stems(wanted)) > 1:
            return f"No rule has all these words: {wanted}. Fewer of them may find it."
        words = unknown if 0 < len(unknown) < len(wanted.split()) else [wanted]
        near = dict.fromkeys(near for word in words for near in self._near_words(word))
        return f"The rules say nothing on '{' '.join(words)}'.{_or(list(near))}"

    def _near_words(self, wanted: str) -> list[str]:
        explained = {w.casefold(): w for item in self.items if item.number for w in item.defines}
        said = {w.casefold(): w for item in self.items for w in _WORD.findall(item.text)}
        near = get_close_matches(wanted.casefold(), explained, 3, 0.6) or get_close_matches(wanted.casefold(), said, 3)
        return [explained.get(w) or said[w] for w in near]


def _said(item: Item) -> str:
    return f"{item.title}\n{item.text}" if item.level else item.text


def _or(near: list[str]) -> str:
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _means(title: str, wanted: tuple[str, ...]) -> bool:
    """Tell whether a title or an explained word is the wanted one: Attack step and Attackers are on attack."""
    words = stems(title)
    if len(words) > 1 and words[-1] == "step":
        words = words if wanted[-1] == "step" else words[:-1]
    return wanted in (words, tuple(stem(word.removesuffix("er")) for word in words))


def _among(title: str) -> list[str]:
    """List the things a title names: Roll and reroll."""
    named = re.split(r", | and ", title)
    return named if len(named) > 1 else []


def blocks(text: str) -> Iterator[str]:
    """Give the paragraphs, headings and notes of a Markdown text."""
    return (block.strip("\n") for block in re.split(r"\n{2,}", text) if block.strip())


def number_of(block: str) -> str:
    """Give the number of the item that a block begins; "" if it has none."""
    found = _HEADING.fullmatch(block)
    if found:
        return found[2] or ""
    rule = _RULE.fullmatch(block)
    return rule[1] if rule else ""


def is_heading(block: str) -> bool:
    return _HEADING.fullmatch(block) is not None


def read_document(text: str) -> Document:
    """Read the document from Markdown."""
    items: list[Item] = []
    for block in blocks(text):
        heading, rule = _HEADING.fullmatch(block), _RULE.fullmatch(block)
        if heading:
            items.append(Item(heading[2] or "", heading[3], len(heading[1]), ""))
        elif rule:
            items.append(Item(rule[1], "", 0, _joined(rule[2])))
        elif not block.startswith("<!--"):
            items[-1] = _with(items[-1], block)
    return Document(tuple(items))


def _with(item: Item, block: str) -> Item:
    """Add a paragraph or a note to the item it stands below."""
    text, editions, shown_by = item.text, item.editions, item.shown_by
    if block.startswith(EDITIONS):
        editions = (*editions, block.removeprefix(EDITIONS))
    elif block.startswith(SHOWN_BY):
        shown_by = (*shown_by, block.removeprefix(SHOWN_BY))
    else:
        text = f"{text}\n\n{_joined(block)}".strip()
    return Item(item.number, item.title, item.level, text, editions, shown_by)


def _joined(block: str) -> str:
    return " ".join(block.split())


@cache
def the_rules() -> Document:
    """Give the document as it comes with the program."""
    return read_document((resources.files("dicemasters.rules") / "rules.md").read_text(encoding="utf-8"))
