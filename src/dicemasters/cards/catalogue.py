"""Cards: what is printed on them, and how to find one."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module

from dicemasters.cards.dice import DICE, Die
from dicemasters.cards.language.metadata import SYMBOLS
from dicemasters.cards.language.signatures import WordError, describe_argument, suggest
from dicemasters.cards.language.vocabulary import Ability, Rule

SETS = {
    "avx": "Avengers vs. X-Men",
    "uxm": "Uncanny X-Men",
    "cw": "Civil War",
    "ai": "Avengers Infinity",
}
_MAX_NAME_LENGTH = 80  # nothing longer is compared with the names there are, or repeated in a message
_MAX_QUERY_LENGTH = 200  # that can mean a card at all, with spaces, set and all


class UnknownCardError(ValueError):
    """No card, or more than one, has that name."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card: its printed facts and its abilities."""

    set: str
    number: int
    title: str
    subtitle: str
    kind: str  # character, action, basic
    cost: int
    energy: str  # its energy types as letters; "" for basics
    affiliations: tuple[str, ...]
    max: int
    rarity: str
    die: Die
    abilities: tuple[Ability, ...]

    @property
    def key(self) -> str:
        """Give the set and number, which name the card uniquely: avx9."""
        return f"{self.set}{self.number}"

    @property
    def name(self) -> str:
        """Give title and subtitle; a basic action goes by its title alone."""
        return self.title if self.kind == "basic" else f"{self.title}: {self.subtitle}"

    @property
    def keywords(self) -> frozenset[str]:
        """Give the keywords printed on the card."""
        return frozenset(a.keyword for a in self.abilities if a.keyword)

    @property
    def text(self) -> str:
        """Say what the card does, a paragraph for each ability; "" if it has none."""
        from dicemasters.cards.text import card_text  # is about cards

        return card_text(self)

    @property
    def gist(self) -> str:
        """Say what the card does in at most 60 characters."""
        from dicemasters.cards.text.card_summary import card_summary  # says it with the English, which is about cards

        return card_summary(self)

    def __hash__(self) -> int:
        return hash((self.set, self.number, self.title))


def card(
    set_: str,
    number: int,
    title: str,
    subtitle: str,
    *abilities: Ability | Rule,
    cost: int,
    die: str,
    energy: str = "",
    affiliations: str = "",
    max: int = 4,
    rarity: str = "starter",
) -> Card:
    """Make a card of a set; affiliations are separated by commas.

    Whether its sentences can mean what they say (`cards.check`) is asked by a test, as a set does not change once it is written.
    """
    if die not in DICE:
        raise WordError(f"'{title}' has no die '{die}'{suggest(die, DICE)}")
    printed_die = DICE[die]
    kind = "character" if printed_die.is_character else ("action" if energy else "basic")
    return Card(
        set_,
        number,
        title,
        subtitle,
        kind,
        cost,
        energy,
        tuple(a.strip() for a in affiliations.split(",") if a.strip()),
        max,
        rarity,
        printed_die,
        tuple(_as_ability(a, title) for a in abilities),
    )


def _as_ability(value: object, title: str) -> Ability:
    """Give what a card says as a sentence; a standing rule alone is always so."""
    if isinstance(value, Rule):
        return Ability("always", rules=(value,))
    if isinstance(value, Ability):
        return value
    raise WordError(
        f"'{title}' takes a sentence, not {describe_argument(value)}; begin with when, would, always, use or global_ability"
    )


def basic(set_: str, number: int, title: str, *abilities: Ability | Rule, cost: int, rarity: str = "starter") -> Card:
    """Make a basic action card."""
    return card(set_, number, title, "Basic Action Card", *abilities, cost=cost, die="basic", max=3, rarity=rarity)


class Catalogue:
    """A collection of cards that finds them by key or name."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._source_cards = tuple(cards)

    @cached_property
    def _cards(self) -> tuple[Card, ...]:
        return self._source_cards

    @cached_property
    def _by_key(self) -> dict[str, Card]:
        return {c.key: c for c in self._cards}

    @cached_property
    def _sets_and_keys(self) -> set[str]:
        return {c.set for c in self._cards} | set(self._by_key)

    @cached_property
    def _by_name(self) -> dict[str, list[Card]]:
        by_name: dict[str, list[Card]] = {}
        for c in self._cards:
            for name in {c.name, c.title, f"{c.title}: {c.subtitle}"}:
                by_name.setdefault(_fold_name(name), []).append(c)
        return by_name

    def _with_key(self, key: str) -> Card | None:
        return self._by_key.get(key)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    def with_cards(self, cards: Iterable[Card]) -> Catalogue:
        """Give a catalogue that knows these cards too."""
        return Catalogue((*self._cards, *cards))

    def find(self, name: str, *, hint: bool = True) -> Card:
        """Find a card by its key (avx9), its name, its name and set (`Take Cover [ai]`), or its title if only one has it.

        Case, accents, quotes, dashes and spaces do not matter. Without `hint` nobody looks for what may have been meant.

        >>> from dicemasters.cards import catalogue
        >>> catalogue().find("hulk - jade giant").key
        'avx9'
        """
        if not isinstance(name, str):
            raise UnknownCardError(f"a card is named by a text like 'Hulk: Jade Giant', not {name!r:.60}")
        query = name.strip()
        if len(query) > _MAX_QUERY_LENGTH:
            raise UnknownCardError(f"no card is called '{_shorten(name)}'")
        if (card := self._with_key(query.casefold())) is not None:
            return card
        set_ = ""
        if bracketed := re.fullmatch(r"(.*\S)\s*[\[(]\s*(\w+)\s*[\])]", query):
            if bracketed[2].casefold() in self._sets_and_keys:
                query, set_ = bracketed[1], bracketed[2].casefold()
        namesakes = self._by_name.get(_fold_name(query), [])
        matches = [c for c in namesakes if set_ in ("", c.set, c.key)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            names = ", ".join(f"{c.name} [{c.set}]" for c in matches)
            raise UnknownCardError(f"'{_shorten(name)}' could be any of {names}")
        if namesakes:
            sets = ", ".join(dict.fromkeys(c.set for c in namesakes))
            raise UnknownCardError(f"no card is called '{_shorten(name)}'; '{namesakes[0].title}' is in {sets}")
        nearest = self._nearest(query) if hint else ""
        suggestion = f"; did you mean '{nearest}'?" if nearest else ""
        raise UnknownCardError(f"no card is called '{_shorten(name)}'{suggestion}")

    def _nearest(self, query: str) -> str:
        """Give the name that comes nearest, "" if none is near."""
        folded = _fold_name(query)
        by_subtitle = {_fold_name(c.subtitle): c for c in self._cards if c.kind != "basic"}
        if folded and folded in by_subtitle:
            return by_subtitle[folded].name
        if len(folded) > _MAX_NAME_LENGTH:
            return ""
        padded_query = f" {query.casefold()} "
        titles = [c.title for c in self._cards if padded_query in f" {c.title.casefold()} "]  # torch: Human Torch
        if titles:
            return titles[0]
        close_names = difflib.get_close_matches(folded, self._by_name, 1, 0.5)
        if not close_names:
            return ""
        matches = self._by_name[close_names[0]]
        return matches[0].name if len(matches) == 1 else matches[0].title


def _fold_name(name: str) -> str:
    """Fold what people write differently: case, accents, quotes, apostrophes, dashes, dots and spaces."""
    return "".join(ch for ch in unicodedata.normalize("NFKD", name).casefold() if ch.isalnum())


def _shorten(name: str) -> str:
    """Give what was asked for as one line that fits into a message."""
    line = " ".join(name.split())
    return line if len(line) <= _MAX_NAME_LENGTH else f"{line[:_MAX_NAME_LENGTH]}..."


class _LazyCatalogue(Catalogue):
    """The sets, with further cards. Whoever asks for a key has only its set read, and everybody else all of them."""

    @cached_property
    def _cards(self) -> tuple[Card, ...]:
        return (*(card for key in SETS for card in _load_set(key).values()), *self._source_cards)

    def __bool__(self) -> bool:
        return True  # without counting

    def _with_key(self, key: str) -> Card | None:
        set_ = key.rstrip("0123456789")
        return _load_set(set_).get(key) if set_ in SETS else super()._with_key(key)


@cache
def _load_set(key: str) -> dict[str, Card]:
    """Read a set, which is a module of its own."""
    cards: tuple[Card, ...] = import_module(f"dicemasters.cards.sets.{key}").CARDS
    return {card.key: card for card in cards}


_REGISTERED_CARDS: list[Card] = []


@cache
def catalogue() -> Catalogue:
    """Give all cards of the game, and those of the house."""
    return _LazyCatalogue(_REGISTERED_CARDS)


def register_cards(cards: Iterable[Card]) -> None:
    """Let everybody in this process know home-made cards, as those of a server's keeper; a ValueError names one that clashes."""
    for card in cards:
        if any(card.key == other.key for other in (*_REGISTERED_CARDS, *catalogue())):
            raise ValueError(
                f"{card.name} has the number {card.number} of another home-made card; give it one of its own"
            )
        _REGISTERED_CARDS.append(card)
    catalogue.cache_clear()


def type_name(symbol: str) -> str:
    """Say an energy symbol: F is fist."""
    return SYMBOLS[symbol].name
