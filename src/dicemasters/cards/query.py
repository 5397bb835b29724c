"""Finding cards: `energy:bolt cost<=3 (keyword:fast or is:global) -hulk sort:cost`, and a card as plain data.

The language is small, and what it costs is bounded, as strangers may search: a query has at most so many characters and
words, and a pattern is a plain list of characters, classes and wildcards that is matched without going back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dicemasters.cards.catalogue import SETS, Card, type_name
from dicemasters.cards.dice import Face
from dicemasters.cards.language.metadata import SYMBOLS
from dicemasters.cards.language.vocabulary import KEYWORDS
from dicemasters.cards.safe_regex import PatternError, matcher
from dicemasters.cards.text import card_text

LONGEST = 400  # characters of a query
MAX_WORDS = 40
DEEPEST = 10  # brackets in brackets

Test = Callable[[Card], bool]

NUMBERS: dict[str, Callable[[Card], Iterable[int]]] = {
    "cost": lambda card: (card.cost,),
    "max": lambda card: (card.max,),
    "number": lambda card: (card.number,),
    "a": lambda card: (face.a for face in card.die.faces if face.level),
    "d": lambda card: (face.d for face in card.die.faces if face.level),
    "fielding": lambda card: (face.field for face in card.die.faces if face.level),
    "level": lambda card: (face.level for face in card.die.faces if face.level),
    "bursts": lambda card: (face.burst for face in card.die.faces),
}
WORD_FIELDS = ("name", "title", "subtitle", "text", "set", "energy", "affiliation", "keyword", "rarity", "kind")
IS = {
    "global": "has a Global ability",
    "basic": "a basic action",
    "action": "an action that belongs to a team",
    "character": "a character",
    "burst": "its text changes with bursts",
    "vanilla": "has no ability",
}
SORT_FIELDS = ("name", "cost", "set", "number", "a", "d", "rarity", "energy", "max")
COLUMNS = (
    "key",
    "name",
    "cost",
    "affiliations",
    "max",
    "gist",
    "set",
    "number",
    "rarity",
    "energy",
    "kind",
    "text",
    "keywords",
)
FIELDS = (*WORD_FIELDS, *NUMBERS, "is", "sort", "columns")
FIELD_ALIASES = {"aff": "affiliation", "k": "keyword", "e": "energy", "c": "cost", "s": "set", "r": "rarity", "t": "text", "n": "name",
         "attack": "a", "defence": "d", "defense": "d", "field": "fielding", "burst": "bursts", "type": "kind"}  # fmt: skip

_TOKEN = re.compile(
    r"\s*(?:(?P<bracket>[()])|(?P<minus>-(?=\S))|(?P<pattern>/(?:\\/|[^/])*/)"
    r"|(?P<field>[A-Za-z]+)(?P<how><=|>=|!=|<|>|=|:)(?P<value>\"[^\"]*\"|/(?:\\/|[^/])*/|[^\s()]*)"
    r"|\"(?P<quoted>[^\"]*)\"|(?P<word>[^\s()\"]+))"
)


class SearchError(ValueError):
    """A search that cannot be understood; the message says which word and what is possible."""


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked for: the test a card must pass, the order, and the columns of a table."""

    test: Test
    sort: tuple[tuple[str, bool], ...] = ()  # each with whether it goes down
    columns: tuple[str, ...] = ()

    def of(self, cards: Iterable[Card]) -> list[Card]:
        """Give the cards that fit, in the order asked for, else in that of the sets."""
        found = [card for card in cards if self.test(card)]
        for name, down in reversed(self.sort):
            found.sort(key=_ORDER[name], reverse=down)
        return found


def search(cards: Iterable[Card], query: str) -> list[Card]:
    """Find the cards that a query means.

    >>> from dicemasters.cards import catalogue
    >>> [c.key for c in search(catalogue(), "title:hulk cost=6 set:avx subtitle:jade")]
    ['avx9']
    >>> len(search(catalogue(), "title:hulk (energy:fist or energy:shield) -set:avx")) > 0
    True
    """
    return parse_query(query).of(_checked_cards(cards))


def _checked_cards(cards: object) -> list[Card]:
    """Give the cards to look through, if they are some."""
    found: list[Card] = []
    for card in cards if isinstance(cards, Iterable) else [cards]:
        if not isinstance(card, Card):
            raise SearchError(f"cards are looked for in a catalogue or a list of cards, not in {card!r:.60}")
        found.append(card)
    return found


def parse_query(text: str) -> Query:
    """Read a query; a SearchError names the word that is not understood and what is allowed in its place."""
    if not isinstance(text, str):
        raise SearchError(f"a search is a text like 'energy:bolt cost<=3', not {text!r:.60}")
    if len(text) > LONGEST:
        raise SearchError(f"a search has at most {LONGEST} characters, not {len(text)}")
    return _Reader(_tokens(text)).read()


# --- reading -----------------------------------------------------------------------------------------------------------


def _tokens(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    at = 0
    while text[at:].strip():
        token = _TOKEN.match(text, at)
        if token is None:
            raise SearchError(f"a quotation mark is missing its other one in: {text[at:].strip()}")
        found.append(token)
        at = token.end()
        if len(found) > MAX_WORDS:
            raise SearchError(f"a search has at most {MAX_WORDS} words")
    return found


class _Reader:
    """Reads `or` between groups, groups of words that all must fit, `-` and brackets."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self.tokens = tokens
        self.at = 0
        self.sort: list[tuple[str, bool]] = []
        self.columns: tuple[str, ...] = ()

    def read(self) -> Query:
        test = self._either(0)
        if self.at < len(self.tokens):
            raise SearchError("there is a ')' without a '('")
        return Query(test, tuple(self.sort), self.columns)

    def _either(self, depth: int) -> Test:
        if depth > DEEPEST:
            raise SearchError(f"brackets can stand in at most {DEEPEST} others")
        sides = [self._all(depth)]
        while self._is_word("or"):
            self.at += 1
            sides.append(self._all(depth))
        if len(sides) == 1:
            return sides[0]
        return lambda card: any(side(card) for side in sides)

    def _all(self, depth: int) -> Test:
        tests: list[Test] = []
        begun = self.at
        while self.at < len(self.tokens) and self._token["bracket"] != ")" and not self._is_word("or"):
            if self._is_word("and"):
                self.at += 1
                continue
            test = self._one(depth)
            if test is not None:
                tests.append(test)
        if self.at == begun and (begun or self.at < len(self.tokens)):
            raise SearchError(self._lacks(depth))
        return lambda card: all(test(card) for test in tests)

    def _lacks(self, depth: int) -> str:
        """Say what is missing where a group of words should begin."""
        if self.at == len(self.tokens) and self.tokens[self.at - 1]["bracket"]:
            return "there is a '(' without a ')'"
        if self.at < len(self.tokens) and self._token["bracket"]:
            return "there is nothing between '(' and ')'" if depth else "there is a ')' without a '('"
        return "something is missing beside 'or'"

    def _one(self, depth: int) -> Test | None:
        token = self._token
        self.at += 1
        if token["minus"] or (token["word"] or "").casefold() in ("not", "-"):
            if self.at == len(self.tokens):
                raise SearchError(f"something is missing after '{token['minus'] or token['word']}'")
            test = self._one(depth)
            if test is None:
                raise SearchError("sort: and columns: cannot be turned round with '-'; sort:-cost sorts downwards")
            return lambda card: not test(card)
        if token["bracket"] == "(":
            inside = self._either(depth + 1)
            if self.at == len(self.tokens):
                raise SearchError("there is a '(' without a ')'")
            self.at += 1
            return inside
        if token["field"]:
            return self._field(token["field"].casefold(), token["how"], token["value"])
        if token["pattern"]:
            fits = _text_test(token["pattern"])
            return lambda card: fits(card.name) or fits(_text(card))
        word: str = token["quoted"] if token["quoted"] is not None else token["word"]
        if token["quoted"] is None and word.startswith(("=", "!", "<", ">", ":")):
            raise SearchError(f"what is compared stands before '{word}', as in cost{word.rstrip('0123456789') or '='}3")
        fits = _text_test(word)
        return lambda card: fits(card.name) or fits(_text(card))

    @property
    def _token(self) -> re.Match[str]:
        return self.tokens[self.at]

    def _is_word(self, word: str) -> bool:
        return self.at < len(self.tokens) and (self._token["word"] or "").casefold() == word

    def _field(self, field: str, how: str, value: str) -> Test | None:
        field = FIELD_ALIASES.get(field, field)
        plain = value.strip('"')
        if field not in FIELDS:
            raise SearchError(f"a card has no '{field}'; look for {', '.join(FIELDS)}")
        if not plain:
            raise SearchError(f"something is missing after '{field}{how}'")
        if field in ("sort", "columns"):
            self._order(field, plain.casefold())
            return None
        if field in NUMBERS:
            return _number(field, how, plain)
        if how not in (":", "=", "!="):
            raise SearchError(f"'{field}' cannot be compared with {how}; {', '.join(NUMBERS)} can")
        test = _is(plain.casefold()) if field == "is" else _word_test(field, value)
        return (lambda card: not test(card)) if how == "!=" else test

    def _order(self, field: str, value: str) -> None:
        names = [name for name in value.split(",") if name]
        allowed = SORT_FIELDS if field == "sort" else COLUMNS
        for name in names:
            if name.removeprefix("-" if field == "sort" else "") not in allowed:
                raise SearchError(f"cards have no {field} '{name}'; there are {', '.join(allowed)}")
        if field == "sort":
            self.sort += [(name.removeprefix("-"), name.startswith("-")) for name in names]
        else:
            self.columns = tuple(names)


# --- tests of a card ---------------------------------------------------------------------------------------------------

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    ":": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _number(field: str, how: str, value: str) -> Test:
    """Compare a number of the card: of A, D, fielding cost, level and bursts that of any face, with != of all."""
    if not (value.isascii() and value.isdigit() and len(value) < 5):
        raise SearchError(f"{field} is compared with a number from 0 to 9999, not '{value}'")
    compare, number, numbers = _COMPARE[how], int(value), NUMBERS[field]
    if how == "!=":
        return lambda card: all(compare(n, number) for n in numbers(card))
    return lambda card: any(compare(n, number) for n in numbers(card))


def _is(value: str) -> Test:
    tests: dict[str, Test] = {
        "global": lambda card: any(a.kind == "global" for a in card.abilities),
        "basic": lambda card: card.kind == "basic",
        "action": lambda card: card.kind == "action",
        "character": lambda card: card.kind == "character",
        "burst": lambda card: any(a.bursts for a in card.abilities),
        "vanilla": lambda card: not card.abilities,
    }
    if value not in tests:
        raise SearchError(f"a card cannot be '{value}'; it can be {', '.join(IS)}")
    return tests[value]


def _word_test(field: str, value: str) -> Test:
    """Test a word of the card; of energy, keyword, set, rarity and kind only one that there is."""
    fits, plain = _text_test(value), value.strip('"').casefold()
    match field:
        case "name":
            return lambda card: fits(card.name)
        case "title":
            return lambda card: fits(card.title)
        case "subtitle":
            return lambda card: fits(card.subtitle)
        case "text":
            return lambda card: fits(_text(card))
        case "set":
            known = [key for key, name in SETS.items() if plain in (key, name.casefold()) or plain in name.casefold()]
            if not known and plain != "own":
                raise SearchError(f"there is no set '{plain}'; there are {', '.join(SETS)}")
            return lambda card: card.set in known or card.set == plain
        case "energy":
            names = {symbol.casefold(): type_name(symbol) for symbol in SYMBOLS if type_name(symbol)}
            wanted = names.get(plain, plain)
            if wanted not in ("fist", "bolt", "mask", "shield"):
                raise SearchError(f"there is no energy '{plain}'; there are fist, bolt, mask, shield")
            return lambda card: any(type_name(symbol) == wanted for symbol in card.energy)
        case "affiliation":
            return lambda card: any(fits(affiliation) for affiliation in card.affiliations)
        case "keyword":
            if plain not in [keyword.casefold() for keyword in KEYWORDS]:
                raise SearchError(f"there is no keyword '{plain}'; there are {', '.join(KEYWORDS)}")
            return lambda card: plain in [keyword.casefold() for keyword in card.keywords]
    allowed = {"rarity": RARITIES, "kind": ("character", "action", "basic")}[field]
    if plain not in allowed:
        raise SearchError(f"there is no {field} '{plain}'; there are {', '.join(allowed)}")
    return lambda card: plain == str(getattr(card, field)).casefold()


RARITIES = ("starter", "common", "uncommon", "rare", "super-rare")


def _text_test(value: str) -> Callable[[str], bool]:
    """Give the test for a text: that it contains the words, or, between slashes, that the pattern is in it."""
    if len(value) > 1 and value.startswith("/") and value.endswith("/"):
        try:
            return matcher(value[1:-1])
        except PatternError as error:
            raise SearchError(str(error)) from None
    wanted = value.strip('"').casefold()
    return lambda text: wanted in text.casefold()


@lru_cache(maxsize=2000)
def _text(card: Card) -> str:
    """Say a card once for all searches: to say all of them takes longer than to look through them."""
    return card_text(card)


_RARE = {rarity: n for n, rarity in enumerate(RARITIES)}
_ORDER: dict[str, Callable[[Card], Any]] = {
    "name": lambda card: card.name.casefold(),
    "cost": lambda card: card.cost,
    "set": lambda card: [*SETS, card.set].index(card.set),
    "number": lambda card: card.number,
    "a": lambda card: max(NUMBERS["a"](card), default=-1),
    "d": lambda card: max(NUMBERS["d"](card), default=-1),
    "rarity": lambda card: _RARE.get(card.rarity, len(_RARE)),
    "energy": lambda card: card.energy,
    "max": lambda card: card.max,
}  # fmt: skip


# --- a card as data ----------------------------------------------------------------------------------------------------


def card_as_json(card: Card) -> dict[str, object]:
    """Give a card as plain data, in the schema of docs/card-language.md."""
    return {
        "key": card.key,
        "set": card.set,
        "number": card.number,
        "title": card.title,
        "subtitle": card.subtitle,
        "kind": card.kind,
        "cost": card.cost,
        "energy": [type_name(e) for e in card.energy],
        "affiliations": list(card.affiliations),
        "max": card.max,
        "rarity": card.rarity,
        "keywords": sorted(card.keywords),
        "die": {
            "key": card.die.key,
            "color": card.die.color,
            "ink": card.die.ink,
            "faces": [_face_data(face) for face in card.die.faces],
        },
        "text": card_text(card).splitlines(),
        "gist": card.gist,
    }


def _face_data(face: Face) -> dict[str, object]:
    if face.level:
        return {"level": face.level, "field": face.field, "a": face.a, "d": face.d, "burst": face.burst}
    if face.action:
        return {"action": True, "burst": face.burst}
    return {"energy": face.energy or str(face.generic)}


def table_cells(card: Card, columns: Iterable[str]) -> Iterator[str]:
    """Give what stands in the columns of a table for a card, each in one line."""
    for column in columns:
        match column:
            case "cost":
                yield f"{card.cost} {card.energy}".strip()
            case "affiliations":
                yield ", ".join(card.affiliations)
            case "energy":
                yield " ".join(type_name(symbol) for symbol in card.energy)
            case "keywords":
                yield ", ".join(sorted(card.keywords))
            case "text":
                yield " ".join(card_text(card).split())
            case _:
                yield str(getattr(card, column))
