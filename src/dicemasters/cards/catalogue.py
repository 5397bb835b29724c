"""Cards and the catalogue that finds them."""

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
_MAX_NAME_LENGTH = 80  # longer names are neither compared with known names nor quoted in messages
_MAX_QUERY_LENGTH = 200  # longest text that can name a card, including spaces and the set


class UnknownCardError(ValueError):
    """No card, or more than one, matches a name."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card: its printed characteristics and its abilities (rules 1.3a)."""

    set: str
    number: int
    title: str
    subtitle: str
    kind: str  # character, action, basic
    cost: int
    energy: str  # energy types as letters; "" for basic actions
    affiliations: tuple[str, ...]
    max: int
    rarity: str
    die: Die
    abilities: tuple[Ability, ...]

    @property
    def key(self) -> str:
        """The set and number, which identify the card: avx9."""
        return f"{self.set}{self.number}"

    @property
    def name(self) -> str:
        """The title and subtitle; for a basic action only the title."""
        return self.title if self.kind == "basic" else f"{self.title}: {self.subtitle}"

    @property
    def keywords(self) -> frozenset[str]:
        """The keywords printed on the card."""
        return frozenset(a.keyword for a in self.abilities if a.keyword)

    @property
    def text(self) -> str:
        """The rules text in English, one paragraph per ability; "" if there is none."""
        from dicemasters.cards.text import card_text  # imported late: the renderer imports this module

        return card_text(self)

    @property
    def gist(self) -> str:
        """A summary of the rules text in at most 60 characters."""
        from dicemasters.cards.text.card_summary import card_summary  # imported late, as in `text`

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
    """Return a card of a set. `affiliations` are separated by commas.

    The semantic checks of `language.semantics` are not run here: a test runs them, since sets never change at run time.
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
    """Return `value` as an ability: a static rule alone becomes an `always` ability."""
    if isinstance(value, Rule):
        return Ability("always", rules=(value,))
    if isinstance(value, Ability):
        return value
    raise WordError(
        f"'{title}' takes abilities, not {describe_argument(value)}; begin with when, would, always, use or global_ability"
    )


def basic(set_: str, number: int, title: str, *abilities: Ability | Rule, cost: int, rarity: str = "starter") -> Card:
    """Return a basic action card."""
    return card(set_, number, title, "Basic Action Card", *abilities, cost=cost, die="basic", max=3, rarity=rarity)


class Catalogue:
    """A collection of cards that can be searched by key or name."""

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
        """Return a catalogue with additional cards."""
        return Catalogue((*self._cards, *cards))

    def find(self, name: str, *, hint: bool = True) -> Card:
        """Return the card with this key, name, name and set, or title.

        Valid queries are `avx9`, `Hulk: Jade Giant`, `Take Cover [ai]`, or a title that only one card has. Case,
        accents, quotes, dashes and spaces do not matter. With `hint=False` the error suggests no similar name. Raise
        `UnknownCardError` unless exactly one card matches.

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
        """Return the most similar name, or "" if none is similar enough."""
        folded = _fold_name(query)
        by_subtitle = {_fold_name(c.subtitle): c for c in self._cards if c.kind != "basic"}
        if folded and folded in by_subtitle:
            return by_subtitle[folded].name
        if len(folded) > _MAX_NAME_LENGTH:
            return ""
        padded_query = f" {query.casefold()} "
        titles = [
            c.title for c in self._cards if padded_query in f" {c.title.casefold()} "
        ]  # "torch" finds Human Torch
        if titles:
            return titles[0]
        close_names = difflib.get_close_matches(folded, self._by_name, 1, 0.5)
        if not close_names:
            return ""
        matches = self._by_name[close_names[0]]
        return matches[0].name if len(matches) == 1 else matches[0].title


def _fold_name(name: str) -> str:
    """Return the name with case, accents, quotes, apostrophes, dashes, dots and spaces normalised."""
    return "".join(ch for ch in unicodedata.normalize("NFKD", name).casefold() if ch.isalnum())


def _shorten(name: str) -> str:
    """Return a name as one line that fits into a message."""
    line = " ".join(name.split())
    return line if len(line) <= _MAX_NAME_LENGTH else f"{line[:_MAX_NAME_LENGTH]}..."


class _LazyCatalogue(Catalogue):
    """All sets plus additional cards.

    A lookup by key imports only the set concerned; anything else imports all sets.
    """

    @cached_property
    def _cards(self) -> tuple[Card, ...]:
        return (*(card for key in SETS for card in _load_set(key).values()), *self._source_cards)

    def __bool__(self) -> bool:
        return True  # never empty; the sets need not be imported to know that

    def _with_key(self, key: str) -> Card | None:
        set_ = key.rstrip("0123456789")
        return _load_set(set_).get(key) if set_ in SETS else super()._with_key(key)


@cache
def _load_set(key: str) -> dict[str, Card]:
    """Import the module of a set and return its cards by key."""
    cards: tuple[Card, ...] = import_module(f"dicemasters.cards.sets.{key}").CARDS
    return {card.key: card for card in cards}


_REGISTERED_CARDS: list[Card] = []


@cache
def catalogue() -> Catalogue:
    """Return all cards of the game, including registered custom cards."""
    return _LazyCatalogue(_REGISTERED_CARDS)


def register_cards(cards: Iterable[Card]) -> None:
    """Add custom cards to the catalogue of this process.

    Raise `ValueError` if the key of a card is already taken.
    """
    for card in cards:
        if any(card.key == other.key for other in (*_REGISTERED_CARDS, *catalogue())):
            raise ValueError(
                f"{card.name} has the number {card.number} of another home-made card; choose a different one"
            )
        _REGISTERED_CARDS.append(card)
    catalogue.cache_clear()


def type_name(symbol: str) -> str:
    """Return the name of an energy symbol: "F" is "fist"."""
    return SYMBOLS[symbol].name
