"""What the server says of cards and teams, as types; beside `contract`, from which the page's types are written too."""

from __future__ import annotations

import sys
from typing import Literal

from dicemasters.service.protocol.game_schema import CardKind, DieShape, RuleSetting
from dicemasters.service.protocol.http_schema import DescribedItem, NamedItem

if sys.version_info >= (3, 12):
    from typing import TypedDict, is_typeddict
else:
    from typing_extensions import TypedDict, is_typeddict


class CatalogGlobal(TypedDict):
    cost: str
    text: str


class CatalogCard(TypedDict):
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
    globals: list[CatalogGlobal]
    die: str


class CardCatalog(TypedDict):
    """All cards, their dice by name, and the words a search may use: fields with numbers, what is: takes, orders."""

    cards: list[CatalogCard]
    dice: dict[str, DieShape]
    sets: list[NamedItem]
    affiliations: list[str]
    keywords: list[str]
    rarities: list[str]
    numbers: list[str]
    is_words: list[RuleSetting]
    sorts: list[str]


class CardSearchResult(TypedDict):
    """The keys of the cards a search finds, in its order, or what is not understood and what is possible instead."""

    keys: list[str]
    problem: str


class RuleReference(TypedDict):
    """A word of the game with the rule that explains it."""

    number: str
    title: str
    text: str


class OfficialAnswer(TypedDict):
    """A rule or one of the publisher's answers, by its number."""

    number: str
    text: str


class RulingData(TypedDict):
    """One of our decisions, with the rules it names."""

    about: str
    question: str
    decision: str
    reason: str
    rules: list[str]


class AffiliationData(TypedDict):
    """An affiliation that a text names: how many other cards have it, and some of them."""

    name: str
    count: int
    keys: list[str]


class ReadyTeamReference(DescribedItem):
    """A ready team, with the code that opens it."""

    code: str


class CardStatsData(TypedDict):
    """How teams with the card fared in the lab, in per cent, and its place among all cards (docs/studies/cards.md)."""

    won: float
    low: float
    high: float
    verdict: Literal["above", "below", "even"]
    bought: int
    tables: int
    place: int
    of: int


class CardDetails(TypedDict):
    """What belongs to a card, beside what is printed on it: others of its title, those its text names or that name it."""

    key: str
    rules: list[RuleReference]
    rulings: list[RulingData]
    answers: list[OfficialAnswer]
    versions: list[str]
    names: list[str]
    named_by: list[str]
    sides: list[AffiliationData]
    teams: list[ReadyTeamReference]
    figures: CardStatsData | None


# --- teams -------------------------------------------------------------------------------------------------------------


class TeamCard(TypedDict):
    """A card of a team, with its dice."""

    key: str
    dice: int


class TeamData(TypedDict):
    """A team: its cards and basic actions by their keys; a code is "" where cards are home-made."""

    name: str
    about: str
    format: str
    cards: list[TeamCard]
    basics: list[str]
    code: str


class ReadyTeamData(TeamData):
    key: str


class FormatData(DescribedItem):
    """A format one can build a team for: how many cards, dice and basic actions, how much life."""

    cards: int
    dice: int
    basics: int
    life: int


class TeamCatalog(TypedDict):
    """The ready teams, and the formats there are."""

    teams: list[ReadyTeamData]
    formats: list[FormatData]


class TeamProblemData(TypedDict):
    """Something that is wrong with a team: what, by which rule, in which line of its text."""

    text: str
    rule: str
    line: int


class OpeningOdds(TypedDict):
    """The chances of a card: to buy it on turn one, by turn two, and to field or use it on turn three (teams/opening_odds.py)."""

    key: str
    buy: float
    by_two: float
    field: float


class TeamReport(TypedDict):
    """A team as it was read: what is wrong with it, its text, and what it can do first."""

    team: TeamData
    problems: list[TeamProblemData]
    text: str
    first_turns: list[OpeningOdds]


class TrialGame(TypedDict):
    """A game that two programs have played: who won (A, B, or "" for a tie), in how many turns."""

    winner: str
    turns: int


class TrialResult(TypedDict):
    """Some games of a trial, from the one that was asked for on."""

    games: list[TrialGame]


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}  # that, all of that, and nothing else
