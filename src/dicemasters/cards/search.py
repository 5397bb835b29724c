"""Finding cards: `energy:bolt cost<=3 keyword:fast hulk` and the whole catalogue as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from dicemasters.cards.catalogue import SETS, Card, type_name
from dicemasters.cards.dice import Face
from dicemasters.cards.english import card_text
from dicemasters.cards.words import KEYWORDS

FIELDS = ("name", "set", "cost", "energy", "affiliation", "keyword", "rarity", "kind", "max", "text")
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    ":": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class SearchError(ValueError):
    """A search that cannot be understood; the message says which word and what is possible."""


def search(cards: Iterable[Card], query: str) -> list[Card]:
    """Find the cards that fit all words of a query.

    A word is `field:value`, `cost<=3`, or a plain word looked for in name and text; values with spaces stand in quotes.

    >>> from dicemasters.cards import catalogue
    >>> [c.key for c in search(catalogue(), "title:hulk cost=6 set:avx subtitle:jade")]
    ['avx9']
    """
    tests = [_test(word) for word in _words(query)]
    return [card for card in cards if all(test(card) for test in tests)]


def _words(query: str) -> list[str]:
    found = re.findall(r'(?:[^\s"]|"[^"]*")+', query)
    return [word.replace('"', "") for word in found]


def _test(word: str) -> Callable[[Card], bool]:
    found = re.fullmatch(r"(\w+)\s*(<=|>=|<|>|=|:)\s*(.+)", word)
    if found is None:
        wanted = word.casefold()
        return lambda card: wanted in card.name.casefold() or wanted in card_text(card).casefold()
    field, how, value = found[1].casefold(), found[2], found[3].casefold()
    if field in ("cost", "max", "number"):
        if not value.isdigit():
            raise SearchError(f"{field} is compared with a number, not '{found[3]}'")
        compare, number = _COMPARE[how], int(value)
        return lambda card: compare(int(getattr(card, field)), number)
    if how not in (":", "="):
        raise SearchError(f"'{field}' cannot be compared with {how}; cost and max can")
    match field:
        case "name":
            return lambda card: value in card.name.casefold()
        case "title" | "subtitle":
            return lambda card: value in str(getattr(card, field)).casefold()
        case "set":
            if value not in SETS and not any(value in name.casefold() for name in SETS.values()):
                raise SearchError(f"there is no set '{found[3]}'; there are {', '.join(SETS)}")
            return lambda card: value == card.set or value in SETS.get(card.set, "").casefold()
        case "energy":
            return lambda card: any(value in (e.casefold(), type_name(e)) for e in card.energy)
        case "affiliation":
            return lambda card: any(value in a.casefold() for a in card.affiliations)
        case "keyword":
            if value not in [k.casefold() for k in KEYWORDS]:
                raise SearchError(f"there is no keyword '{found[3]}'; there are {', '.join(KEYWORDS)}")
            return lambda card: value in [k.casefold() for k in card.keywords]
        case "rarity" | "kind":
            return lambda card: value == str(getattr(card, field)).casefold()
        case "text":
            return lambda card: value in card_text(card).casefold()
    raise SearchError(f"a card has no '{field}'; look for {', '.join(FIELDS)}")


def card_data(card: Card) -> dict[str, object]:
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
