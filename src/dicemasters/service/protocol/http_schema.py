"""What the server sends and takes, as types: the one place. web/src/api/protocol.ts is written from here.

After a change run `python -m tools.codegen.typescript --write`; a test fails until it is done. What goes out
is a TypedDict, so that making it costs nothing; what comes in is a `Template`, which is read with all its limits. None of it
needs more than the standard library: the same is said and heard in a browser's worker, where there is no server.
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


# --- addresses beside the live socket --------------------------------------------------------------------------------


class GameSnapshot(TypedDict):
    """A game as somebody finds it."""

    table: TableData
    view: View
    meta: Meta


class PositionData(TypedDict):
    """A written position as it is shown."""

    table: TableData
    view: View


class ReplayData(TypedDict):
    """Some of a game's views, and how many there are."""

    views: list[View]
    total: int


class GameCreated(TypedDict):
    """A new game and the secrets of its persons' seats."""

    game: str
    seats: dict[Seat, str]


class RecordCreated(TypedDict):
    """A record that is kept."""

    game: str


class ErrorResponse(TypedDict):
    error: str


class NamedItem(TypedDict):
    key: str
    name: str


class DescribedItem(NamedItem):
    about: str


class FormatOption(DescribedItem):
    life: int
    seats: Annotated[int, describe_field("how many sit at the table")]


class StarterGameOption(NamedItem):
    edition: str


class TeamOption(DescribedItem):
    format: str


class ScriptVariantData(RuleSetting):
    """A way to read an open point of the script."""

    rule: str
    point: str


class SolitaireData(TypedDict):
    """How hard the Scripted Opponent may be made, how its script may be read, and the edition it usually plays."""

    difficulties: list[Difficulty]
    readings: list[ScriptVariantData]
    edition: str


class HouseRuleData(TypedDict):
    """A difference between the editions, or between ways to play; the other setting of an edition is a house rule."""

    name: str
    rule: str
    on: RuleSetting
    off: RuleSetting
    editions: dict[str, bool]


class HouseRuleGroup(TypedDict):
    subject: str
    switches: list[HouseRuleData]


class GameOptions(TypedDict):
    """What can be chosen from when a game is opened."""

    editions: list[NamedItem]
    formats: list[FormatOption]
    casts: list[StarterGameOption]
    teams: list[TeamOption]
    players: list[DescribedItem]
    solitaire: SolitaireData
    house_rules: list[HouseRuleGroup]
    default_edition: str


class GlossaryEntryData(TypedDict):
    term: str
    rule: Annotated[str, describe_field('the number of the rule that explains it; "" where the program has the word')]
    text: str
    also: Annotated[list[str], describe_field("other forms of the word")]


class LifePoint(TypedDict):
    """Life at the end of a turn; turn 0 is the beginning."""

    turn: int
    life: dict[Seat, int]


class SideStats(TypedDict):
    """What one side did in a game."""

    damage: int
    kos: int
    bought: int


class BestDie(TypedDict):
    """The dice of one card that did most."""

    card: int
    damage: int
    kos: int
    fielded: int
    bought: Annotated[int | None, describe_field("the turn in which the first was bought")]


class RatedStep(TypedDict):
    """A step of a game that is over: the win chance of A (and C) with the best choice there, and with the one made."""

    step: int
    seat: Seat
    turn: int
    best: float
    chosen: float
    better: str  # what would have been clearly better, if anything


class GameReviewData(TypedDict):
    """Some steps of a game, rated; `next` is the step to ask for then, None if that was all."""

    steps: list[RatedStep]
    next: int | None


class RatedOptionData(TypedDict):
    """An option with its win chance for whoever decides, and half of its 95 % interval."""

    text: str
    chance: float
    margin: float
    was_taken: bool


class MoveSuggestion(TypedDict):
    """What a strong player thinks of a decision: the options, the best first, how it may go on, and why."""

    seat: Seat
    options: list[RatedOptionData]
    line: list[str]
    why: str


class GameSummary(TypedDict):
    """A game in numbers."""

    turns: int
    life: list[LifePoint]
    deeds: dict[Seat, SideStats]
    best: BestDie | None


class Glossary(TypedDict):
    terms: list[GlossaryEntryData]


class DieKindData(TypedDict):
    """A kind of die, with what its emblem is made of."""

    key: str
    title: str
    kind: CardKind
    affiliations: list[str]
    die: DieShape


class DieGallery(TypedDict):
    dice: list[DieKindData]


class RuleData(TypedDict):
    """A rule, or the heading of several, in Markdown."""

    number: str
    title: str
    level: Annotated[int, describe_field("of a heading; 0 is a rule")]
    text: str
    defines: list[str]
    editions: list[str]
    shown: list[str]


class RulesData(TypedDict):
    items: list[RuleData]


# --- lessons ---------------------------------------------------------------------------------------------------------


class LessonInfo(TypedDict):
    """A lesson: how it is called in addresses, its title, what one learns, how many steps it has."""

    key: str
    title: str
    about: str
    steps: int


class LessonList(TypedDict):
    lessons: list[LessonInfo]


class HighlightData(TypedDict):
    """Something a coach points at: dice, a card, a zone of a seat, or a place of the table."""

    dice: list[int]
    card: int | None
    zone: str
    seat: Seat | None


class LessonMomentData(TypedDict):
    """A moment of a lesson: a step, with some of its choices made."""

    lesson: str
    title: str
    rival: Annotated[str, describe_field("what the other player is called")]
    step: int
    steps: int
    done: Annotated[int, describe_field("how many of the step's choices have been made")]
    choices: int
    heading: str
    say: str
    praise: Annotated[str, describe_field("what the coach says when the step is done")]
    show: list[HighlightData]
    answer: Annotated[Choice | None, describe_field("the expected choice; null where there is only to read")]
    table: TableData
    view: View


class LessonPosition(TypedDict):
    step: int
    done: int


class LessonAnswer(TypedDict):
    """What a choice in a lesson is answered with: what is seen next, or the reason against it."""

    right: bool
    reason: str
    views: list[View]
    next: LessonPosition | None


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}  # that, all of that, and nothing else
