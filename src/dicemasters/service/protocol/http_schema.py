"""Wire types of the HTTP API. The modules of this package are the single source of the protocol.

web/src/api/protocol.ts is generated from them: after a change run `python -m tools.codegen.typescript --write`; a test
fails until then. Outgoing data are TypedDicts, which cost nothing to build. Incoming data are `RequestModel`s, which
validate all their limits. Everything here needs only the standard library, because the same code runs in a browser's
worker.
"""

from __future__ import annotations

import sys
from typing import Annotated

from dicemasters.service.protocol.game_schema import (
    CardKind,
    DieShape,
    Difficulty,
    RuleSetting,
    Seat,
    TableData,
    View,
    describe_field,
)
from dicemasters.service.protocol.messages import Choice, Meta

if sys.version_info >= (3, 12):
    from typing import TypedDict, is_typeddict
else:
    from typing_extensions import TypedDict, is_typeddict


# --- HTTP responses --------------------------------------------------------------------------------------------------


class GameSnapshot(TypedDict):
    """A game as a new client finds it."""

    table: TableData
    view: View
    meta: Meta


class PositionData(TypedDict):
    """A written position, ready to show."""

    table: TableData
    view: View


class ReplayData(TypedDict):
    """Some of a game's views, and their total number."""

    views: list[View]
    total: int


class GameCreated(TypedDict):
    """A new game, with the secrets of its human players' seats."""

    game: str
    seats: dict[Seat, str]


class RecordCreated(TypedDict):
    """A stored record."""

    game: str


class ErrorResponse(TypedDict):
    """The reason why a request failed."""

    error: str


class NamedItem(TypedDict):
    """An item with a key and a name."""

    key: str
    name: str


class DescribedItem(NamedItem):
    """An item with a key, a name and a description."""

    about: str


class FormatOption(DescribedItem):
    """A format for new games."""

    life: int
    seats: Annotated[int, describe_field("number of players")]


class StarterGameOption(NamedItem):
    """A rulebook's starter game."""

    edition: str


class TeamOption(DescribedItem):
    """A ready team for new games."""

    format: str


class ScriptVariantData(RuleSetting):
    """A reading of an open point of the script."""

    rule: str
    point: str


class SolitaireData(TypedDict):
    """The Scripted Opponent's difficulties, the readings of its script, and its usual edition."""

    difficulties: list[Difficulty]
    readings: list[ScriptVariantData]
    edition: str


class HouseRuleData(TypedDict):
    """A switch of the rules. A setting that differs from the edition's own is a house rule."""

    name: str
    rule: str
    on: RuleSetting
    off: RuleSetting
    editions: dict[str, bool]


class HouseRuleGroup(TypedDict):
    """The switches of one subject."""

    subject: str
    switches: list[HouseRuleData]


class GameOptions(TypedDict):
    """The options for a new game."""

    editions: list[NamedItem]
    formats: list[FormatOption]
    casts: list[StarterGameOption]
    teams: list[TeamOption]
    players: list[DescribedItem]
    solitaire: SolitaireData
    house_rules: list[HouseRuleGroup]
    default_edition: str


class GlossaryEntryData(TypedDict):
    """A term of the glossary."""

    term: str
    rule: Annotated[str, describe_field('number of the rule that defines it; "" for terms of the program')]
    text: str
    also: Annotated[list[str], describe_field("other forms of the term")]


class LifePoint(TypedDict):
    """Life at the end of a turn; turn 0 is the start of the game."""

    turn: int
    life: dict[Seat, int]


class SideStats(TypedDict):
    """The totals of one side in a game."""

    damage: int
    kos: int
    bought: int


class BestDie(TypedDict):
    """The statistics of the card whose dice did the most."""

    card: int
    damage: int
    kos: int
    fielded: int
    bought: Annotated[int | None, describe_field("turn of the first purchase")]


class RatedStep(TypedDict):
    """A step of a finished game: the win chance of A (and C) with its best choice, and with the one made."""

    step: int
    seat: Seat
    turn: int
    best: float
    chosen: float
    better: str  # a clearly better option, or ""


class GameReviewData(TypedDict):
    """Some rated steps of a game; `next` is the first step of the next request, or None at the end."""

    steps: list[RatedStep]
    next: int | None


class RatedOptionData(TypedDict):
    """An option, its win chance for the deciding player, and half of the 95 % interval."""

    text: str
    chance: float
    margin: float
    was_taken: bool


class MoveSuggestion(TypedDict):
    """The analysis of a decision: the options from best to worst, the expected continuation, and the reason."""

    seat: Seat
    options: list[RatedOptionData]
    line: list[str]
    why: str


class GameSummary(TypedDict):
    """Statistics of a game."""

    turns: int
    life: list[LifePoint]
    deeds: dict[Seat, SideStats]
    best: BestDie | None


class Glossary(TypedDict):
    """All terms of the glossary."""

    terms: list[GlossaryEntryData]


class DieKindData(TypedDict):
    """A kind of die, with the affiliations its emblem is made of."""

    key: str
    title: str
    kind: CardKind
    affiliations: list[str]
    die: DieShape


class DieGallery(TypedDict):
    """All kinds of dice."""

    dice: list[DieKindData]


class RuleData(TypedDict):
    """A rule or a heading, in Markdown."""

    number: str
    title: str
    level: Annotated[int, describe_field("heading level; 0 for a rule")]
    text: str
    defines: list[str]
    editions: list[str]
    shown: list[str]


class RulesData(TypedDict):
    """The rules, item by item."""

    items: list[RuleData]


# --- lessons ---------------------------------------------------------------------------------------------------------


class LessonInfo(TypedDict):
    """A lesson: its key in URLs, its title, its subject, and the number of its steps."""

    key: str
    title: str
    about: str
    steps: int


class LessonList(TypedDict):
    """All lessons."""

    lessons: list[LessonInfo]


class HighlightData(TypedDict):
    """A target the coach points at: dice, a card, a zone of a seat, or a place on the table."""

    dice: list[int]
    card: int | None
    zone: str
    seat: Seat | None


class LessonMomentData(TypedDict):
    """A moment of a lesson: a step after some of its choices."""

    lesson: str
    title: str
    rival: Annotated[str, describe_field("name of the opponent")]
    step: int
    steps: int
    done: Annotated[int, describe_field("number of the step's choices already made")]
    choices: int
    heading: str
    say: str
    praise: Annotated[str, describe_field("the coach's remark at the end of the step")]
    show: list[HighlightData]
    answer: Annotated[Choice | None, describe_field("the expected choice; null if there is only text to read")]
    table: TableData
    view: View


class LessonPosition(TypedDict):
    """The location of a moment: a step, and the number of choices made in it."""

    step: int
    done: int


class LessonAnswer(TypedDict):
    """The answer to a choice in a lesson: the following views, or the reason why it is wrong."""

    right: bool
    reason: str
    views: list[View]
    next: LessonPosition | None


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}  # exactly these fields, without conversion
