"""What the server says of cards and teams, as types; beside `contract`, from which the page's types are written too."""

from __future__ import annotations

import sys

from dicemasters.table.server.contract import CardKind, DieShape, Explained, Named, Setting

if sys.version_info >= (3, 12):
    from typing import TypedDict, is_typeddict
else:
    from typing_extensions import TypedDict, is_typeddict


class GlobalShown(TypedDict):
    cost: str
    text: str


class CardShown(TypedDict):
    """A card as it is printed; a basic action has no subtitle, and the die is one of the shelf's."""

    key: str
    set: str
    number: int
    title: str
    subtitle: str
    kind: CardKind
    cost: int
    energy: str
    affiliations: list[str]
    max: int
    rarity: str
    keywords: list[str]
    text: list[str]
    gist: str
    globals: list[GlobalShown]
    die: str


class CardShelf(TypedDict):
    """All cards, their dice by name, and the words a search may use: fields with numbers, what is: takes, orders."""

    cards: list[CardShown]
    dice: dict[str, DieShape]
    sets: list[Named]
    affiliations: list[str]
    keywords: list[str]
    rarities: list[str]
    numbers: list[str]
    is_words: list[Setting]
    sorts: list[str]


class CardsFound(TypedDict):
    """The keys of the cards a search finds, in its order."""

    keys: list[str]


class RuleNamed(TypedDict):
    """A word of the game with the rule that explains it."""

    number: str
    title: str
    text: str


class AnswerShown(TypedDict):
    """A rule or one of the publisher's answers, by its number."""

    number: str
    text: str


class RulingShown(TypedDict):
    """One of our decisions, with the rules it names."""

    about: str
    question: str
    decision: str
    reason: str
    rules: list[str]


class SideShown(TypedDict):
    """An affiliation that a text names: how many other cards have it, and some of them."""

    name: str
    count: int
    keys: list[str]


class TeamNamed(Explained):
    """A ready team, with the code that opens it."""

    code: str


class CardPage(TypedDict):
    """What belongs to a card, beside what is printed on it: others of its title, those its text names or that name it."""

    key: str
    rules: list[RuleNamed]
    rulings: list[RulingShown]
    answers: list[AnswerShown]
    versions: list[str]
    names: list[str]
    named_by: list[str]
    sides: list[SideShown]
    teams: list[TeamNamed]


for _one in [one for one in vars().values() if is_typeddict(one)]:
    _one.__pydantic_config__ = {"extra": "forbid", "strict": True}  # that, all of that, and nothing else
