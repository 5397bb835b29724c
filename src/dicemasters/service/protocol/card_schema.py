"""Wire types of cards and teams."""

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
    """A Global ability as it is printed."""

    cost: str
    text: str


class CatalogCard(TypedDict):
    """A card as it is printed. Basic actions have no subtitle; `die` is a key of the catalogue's dice."""

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
    """All cards, their dice by key, and the search vocabulary: numeric fields, words after `is:`, and sort orders."""

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
    """The keys of the cards that a search finds, in search order, or the problem with the query."""

    keys: list[str]
    problem: str


class RuleReference(TypedDict):
    """A term and the rule that defines it."""

    number: str
    title: str
    text: str


class OfficialAnswer(TypedDict):
    """A rule, or one of the publisher's answers, by number."""

    number: str
    text: str


class RulingData(TypedDict):
    """A ruling of this project, with the rules it cites."""

    about: str
    question: str
    decision: str
    reason: str
    rules: list[str]


class AffiliationData(TypedDict):
    """An affiliation named in a text: how many other cards have it, and some of them."""

    name: str
    count: int
    keys: list[str]


class ReadyTeamReference(DescribedItem):
    """A ready team, with the team code that opens it."""

    code: str


class CardStatsData(TypedDict):
    """Results of simulated teams with the card, in per cent, and its rank among all cards (docs/studies/cards.md)."""

    won: float
    low: float
    high: float
    verdict: Literal["above", "below", "even"]
    bought: int
    tables: int
    place: int
    of: int


class CardDetails(TypedDict):
    """The material related to a card: rules, rulings, other versions, and cards that name it or that it names."""

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


# --- teams ------------------------------------------------------------------------------------------------------------


class TeamCard(TypedDict):
    """A card of a team, with its dice."""

    key: str
    dice: int


class TeamData(TypedDict):
    """A team: its cards and basic actions by key. `code` is "" for a team with home-made cards."""

    name: str
    about: str
    format: str
    cards: list[TeamCard]
    basics: list[str]
    code: str


class ReadyTeamData(TeamData):
    """A ready team."""

    key: str


class FormatData(DescribedItem):
    """A format to build a team for: its limits on cards, dice and basic actions, and the starting life."""

    cards: int
    dice: int
    basics: int
    life: int


class TeamCatalog(TypedDict):
    """The ready teams and the formats."""

    teams: list[ReadyTeamData]
    formats: list[FormatData]


class TeamProblemData(TypedDict):
    """A problem of a team: its text, the rule, and the line of the team's text."""

    text: str
    rule: str
    line: int


class OpeningOdds(TypedDict):
    """A card's odds: bought on turn one, bought by turn two, fielded or used on turn three (teams/opening_odds.py)."""

    key: str
    buy: float
    by_two: float
    field: float


class TeamReport(TypedDict):
    """A team as it was read: its problems, its text, and its opening odds."""

    team: TeamData
    problems: list[TeamProblemData]
    text: str
    first_turns: list[OpeningOdds]


class TrialGame(TypedDict):
    """A trial game between two bots: the winner (A, B, or "" for a tie) and the number of turns."""

    winner: str
    turns: int


class TrialResult(TypedDict):
    """The games of a trial, from the requested number on."""

    games: list[TrialGame]


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}  # exactly these fields, without conversion
