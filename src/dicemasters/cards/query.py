"""Card search, such as `energy:bolt cost<=3 (keyword:fast or is:global) -hulk sort:cost`, and cards as JSON.

Queries can come from untrusted clients, so their cost is bounded: the number of characters and words is limited, and
patterns are matched without backtracking.
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

MAX_QUERY_LENGTH = 400  # characters in a query
MAX_WORDS = 40
MAX_NESTING = 10  # nesting depth of brackets

CardTest = Callable[[Card], bool]

NUMBER_FIELDS: dict[str, Callable[[Card], Iterable[int]]] = {
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
IS_VALUES = {
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
FIELDS = (*WORD_FIELDS, *NUMBER_FIELDS, "is", "sort", "columns")
FIELD_ALIASES = {"aff": "affiliation", "k": "keyword", "e": "energy", "c": "cost", "s": "set", "r": "rarity", "t": "text", "n": "name",
         "attack": "a", "defence": "d", "defense": "d", "field": "fielding", "burst": "bursts", "type": "kind"}  # fmt: skip

_TOKEN = re.compile(
    r"\s*(?:(?P<bracket>[()])|(?P<minus>-(?=\S))|(?P<pattern>/(?:\\/|[^/])*/)"
    r"|(?P<field>[A-Za-z]+)(?P<operator><=|>=|!=|<|>|=|:)(?P<value>\"[^\"]*\"|/(?:\\/|[^/])*/|[^\s()]*)"
    r"|\"(?P<quoted>[^\"]*)\"|(?P<word>[^\s()\"]+))"
)


class SearchError(ValueError):
    """An invalid query. The message names the word and the valid alternatives."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: the predicate for cards, the sort order, and the columns of a table."""

    test: CardTest
    sort: tuple[tuple[str, bool], ...] = ()  # (field, whether descending)
    columns: tuple[str, ...] = ()

    def of(self, cards: Iterable[Card]) -> list[Card]:
        """Return the matching cards in the requested order, by default in catalogue order."""
        matches = [card for card in cards if self.test(card)]
        for name, is_descending in reversed(self.sort):
            matches.sort(key=_SORT_KEYS[name], reverse=is_descending)
        return matches


def search(cards: Iterable[Card], query: str) -> list[Card]:
    """Return the cards that match a query.

    Raise `SearchError` if the query is invalid.

    >>> from dicemasters.cards import catalogue
    >>> [c.key for c in search(catalogue(), "title:hulk cost=6 set:avx subtitle:jade")]
    ['avx9']
    >>> len(search(catalogue(), "title:hulk (energy:fist or energy:shield) -set:avx")) > 0
    True
    """
    return parse_query(query).of(_checked_cards(cards))


def _checked_cards(cards: object) -> list[Card]:
    """Return `cards` as a list, or raise `SearchError` if it holds anything but cards."""
    checked: list[Card] = []
    for card in cards if isinstance(cards, Iterable) else [cards]:
        if not isinstance(card, Card):
            raise SearchError(f"a search takes a catalogue or a list of cards, not {card!r:.60}")
        checked.append(card)
    return checked


def parse_query(text: str) -> Query:
    """Return the parsed query.

    Raise `SearchError`, naming the invalid word and the valid alternatives, if it cannot be parsed.
    """
    if not isinstance(text, str):
        raise SearchError(f"a search is a text like 'energy:bolt cost<=3', not {text!r:.60}")
    if len(text) > MAX_QUERY_LENGTH:
        raise SearchError(f"a search has at most {MAX_QUERY_LENGTH} characters, not {len(text)}")
    return _QueryParser(_tokens(text)).parse()


# --- reading -----------------------------------------------------------------------------------------------------------


def _tokens(text: str) -> list[re.Match[str]]:
    tokens: list[re.Match[str]] = []
    position = 0
    while text[position:].strip():
        token = _TOKEN.match(text, position)
        if token is None:
            raise SearchError(f"a quotation mark is not closed in: {text[position:].strip()}")
        tokens.append(token)
        position = token.end()
        if len(tokens) > MAX_WORDS:
            raise SearchError(f"a search has at most {MAX_WORDS} words")
    return tokens


class _QueryParser:
    """Recursive-descent parser: `or` separates groups, all words of a group must match, `-` negates; brackets nest."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self.tokens = tokens
        self.at = 0
        self.sort: list[tuple[str, bool]] = []
        self.columns: tuple[str, ...] = ()

    def parse(self) -> Query:
        test = self._parse_alternatives(0)
        if self.at < len(self.tokens):
            raise SearchError("there is a ')' without a '('")
        return Query(test, tuple(self.sort), self.columns)

    def _parse_alternatives(self, depth: int) -> CardTest:
        if depth > MAX_NESTING:
            raise SearchError(f"brackets can be nested at most {MAX_NESTING} deep")
        sides = [self._parse_conjunction(depth)]
        while self._is_word("or"):
            self.at += 1
            sides.append(self._parse_conjunction(depth))
        if len(sides) == 1:
            return sides[0]
        return lambda card: any(side(card) for side in sides)

    def _parse_conjunction(self, depth: int) -> CardTest:
        tests: list[CardTest] = []
        start = self.at
        while self.at < len(self.tokens) and self._token["bracket"] != ")" and not self._is_word("or"):
            if self._is_word("and"):
                self.at += 1
                continue
            test = self._parse_term(depth)
            if test is not None:
                tests.append(test)
        if self.at == start and (start or self.at < len(self.tokens)):
            raise SearchError(self._missing_term(depth))
        return lambda card: all(test(card) for test in tests)

    def _missing_term(self, depth: int) -> str:
        """Return the error message for an empty group of words."""
        if self.at == len(self.tokens) and self.tokens[self.at - 1]["bracket"]:
            return "there is a '(' without a ')'"
        if self.at < len(self.tokens) and self._token["bracket"]:
            return "there is nothing between '(' and ')'" if depth else "there is a ')' without a '('"
        return "a word is missing beside 'or'"

    def _parse_term(self, depth: int) -> CardTest | None:
        token = self._token
        self.at += 1
        if token["minus"] or (token["word"] or "").casefold() in ("not", "-"):
            if self.at == len(self.tokens):
                raise SearchError(f"something is missing after '{token['minus'] or token['word']}'")
            test = self._parse_term(depth)
            if test is None:
                raise SearchError("sort: and columns: cannot be negated with '-'; sort:-cost sorts in descending order")
            return lambda card: not test(card)
        if token["bracket"] == "(":
            group = self._parse_alternatives(depth + 1)
            if self.at == len(self.tokens):
                raise SearchError("there is a '(' without a ')'")
            self.at += 1
            return group
        if token["field"]:
            return self._parse_field(token["field"].casefold(), token["operator"], token["value"])
        if token["pattern"]:
            contains = _text_test(token["pattern"])
            return lambda card: contains(card.name) or contains(_cached_text(card))
        word: str = token["quoted"] if token["quoted"] is not None else token["word"]
        if token["quoted"] is None and word.startswith(("=", "!", "<", ">", ":")):
            raise SearchError(f"a field is missing before '{word}', as in cost{word.rstrip('0123456789') or '='}3")
        contains = _text_test(word)
        return lambda card: contains(card.name) or contains(_cached_text(card))

    @property
    def _token(self) -> re.Match[str]:
        return self.tokens[self.at]

    def _is_word(self, word: str) -> bool:
        return self.at < len(self.tokens) and (self._token["word"] or "").casefold() == word

    def _parse_field(self, field: str, operator: str, value: str) -> CardTest | None:
        field = FIELD_ALIASES.get(field, field)
        text = value.strip('"')
        if field not in FIELDS:
            raise SearchError(f"a card has no '{field}'; its fields are {', '.join(FIELDS)}")
        if not text:
            raise SearchError(f"something is missing after '{field}{operator}'")
        if field in ("sort", "columns"):
            self._parse_order(field, text.casefold())
            return None
        if field in NUMBER_FIELDS:
            return _number_test(field, operator, text)
        if operator not in (":", "=", "!="):
            raise SearchError(f"'{field}' cannot be compared with {operator}; {', '.join(NUMBER_FIELDS)} can")
        test = _is_test(text.casefold()) if field == "is" else _word_test(field, value)
        return (lambda card: not test(card)) if operator == "!=" else test

    def _parse_order(self, field: str, value: str) -> None:
        names = [name for name in value.split(",") if name]
        allowed = SORT_FIELDS if field == "sort" else COLUMNS
        for name in names:
            if name.removeprefix("-" if field == "sort" else "") not in allowed:
                raise SearchError(f"'{field}:' does not accept '{name}'; it accepts {', '.join(allowed)}")
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


def _number_test(field: str, operator: str, value: str) -> CardTest:
    """Return the predicate for a numeric field. With several faces one match is enough; with != all must match."""
    if not (value.isascii() and value.isdigit() and len(value) < 5):
        raise SearchError(f"{field} is compared with a number from 0 to 9999, not '{value}'")
    compare, number, numbers = _COMPARE[operator], int(value), NUMBER_FIELDS[field]
    if operator == "!=":
        return lambda card: all(compare(n, number) for n in numbers(card))
    return lambda card: any(compare(n, number) for n in numbers(card))


def _is_test(value: str) -> CardTest:
    tests: dict[str, CardTest] = {
        "global": lambda card: any(a.kind == "global" for a in card.abilities),
        "basic": lambda card: card.kind == "basic",
        "action": lambda card: card.kind == "action",
        "character": lambda card: card.kind == "character",
        "burst": lambda card: any(a.bursts for a in card.abilities),
        "vanilla": lambda card: not card.abilities,
    }
    if value not in tests:
        raise SearchError(f"a card cannot be '{value}'; it can be {', '.join(IS_VALUES)}")
    return tests[value]


def _word_test(field: str, value: str) -> CardTest:
    """Return the predicate for a text field. Energy, keyword, set, rarity and kind accept only known values."""
    matches, text = _text_test(value), value.strip('"').casefold()
    match field:
        case "name":
            return lambda card: matches(card.name)
        case "title":
            return lambda card: matches(card.title)
        case "subtitle":
            return lambda card: matches(card.subtitle)
        case "text":
            return lambda card: matches(_cached_text(card))
        case "set":
            keys = [key for key, name in SETS.items() if text in (key, name.casefold()) or text in name.casefold()]
            if not keys and text != "own":
                raise SearchError(f"there is no set '{text}'; there are {', '.join(SETS)}")
            return lambda card: card.set in keys or card.set == text
        case "energy":
            names = {symbol.casefold(): type_name(symbol) for symbol in SYMBOLS if type_name(symbol)}
            energy_name = names.get(text, text)
            if energy_name not in ("fist", "bolt", "mask", "shield"):
                raise SearchError(f"there is no energy '{text}'; there are fist, bolt, mask, shield")
            return lambda card: any(type_name(symbol) == energy_name for symbol in card.energy)
        case "affiliation":
            return lambda card: any(matches(affiliation) for affiliation in card.affiliations)
        case "keyword":
            if text not in [keyword.casefold() for keyword in KEYWORDS]:
                raise SearchError(f"there is no keyword '{text}'; there are {', '.join(KEYWORDS)}")
            return lambda card: text in [keyword.casefold() for keyword in card.keywords]
    allowed = {"rarity": RARITIES, "kind": ("character", "action", "basic")}[field]
    if text not in allowed:
        raise SearchError(f"there is no {field} '{text}'; there are {', '.join(allowed)}")
    return lambda card: text == str(getattr(card, field)).casefold()


RARITIES = ("starter", "common", "uncommon", "rare", "super-rare")


def _text_test(value: str) -> Callable[[str], bool]:
    """Return a predicate for texts that contain the words or, between slashes, match the pattern."""
    if len(value) > 1 and value.startswith("/") and value.endswith("/"):
        try:
            return matcher(value[1:-1])
        except PatternError as error:
            raise SearchError(str(error)) from None
    words = value.strip('"').casefold()
    return lambda text: words in text.casefold()


@lru_cache(maxsize=2000)
def _cached_text(card: Card) -> str:
    """Return the card's text. Rendering all texts takes longer than searching them."""
    return card_text(card)


_RARITY_RANKS = {rarity: n for n, rarity in enumerate(RARITIES)}
_SORT_KEYS: dict[str, Callable[[Card], Any]] = {
    "name": lambda card: card.name.casefold(),
    "cost": lambda card: card.cost,
    "set": lambda card: [*SETS, card.set].index(card.set),
    "number": lambda card: card.number,
    "a": lambda card: max(NUMBER_FIELDS["a"](card), default=-1),
    "d": lambda card: max(NUMBER_FIELDS["d"](card), default=-1),
    "rarity": lambda card: _RARITY_RANKS.get(card.rarity, len(_RARITY_RANKS)),
    "energy": lambda card: card.energy,
    "max": lambda card: card.max,
}  # fmt: skip


# --- a card as data ----------------------------------------------------------------------------------------------------


def card_as_json(card: Card) -> dict[str, object]:
    """Return a card as plain data, in the schema of docs/card-language.md."""
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
    """Yield the cell of each column for a card, each on one line."""
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
