"""What the server sends and takes, as types: the one place. web/src/contract.ts is written from here.

After a change run `python -m tools.codegen.typescript --write`; a test fails until it is done. What goes out
is a TypedDict, so that making it costs nothing; what comes in is a `Form`, which is read with all its limits. None of it
needs more than the standard library: the same is said and heard in a browser's worker, where there is no server.
"""

from __future__ import annotations

import sys
from typing import Annotated

from dicemasters.service.protocol.game_schema import CardKind, DieShape, Difficulty, Seat, Setting, Table, View, _says
from dicemasters.service.protocol.messages import Choice, Meta

if sys.version_info >= (3, 12):
    from typing import TypedDict, is_typeddict
else:
    from typing_extensions import TypedDict, is_typeddict


# --- addresses beside the live socket --------------------------------------------------------------------------------


class Shown(TypedDict):
    """A game as somebody finds it."""

    table: Table
    view: View
    meta: Meta


class Position(TypedDict):
    """A written position as it is shown."""

    table: Table
    view: View


class Replay(TypedDict):
    """Some of a game's views, and how many there are."""

    views: list[View]
    total: int


class Opened(TypedDict):
    """A new game and the secrets of its persons' seats."""

    game: str
    seats: dict[Seat, str]


class KeptRecord(TypedDict):
    """A record that is kept."""

    game: str


class Refusal(TypedDict):
    error: str


class Named(TypedDict):
    key: str
    name: str


class Explained(Named):
    about: str


class FormatOffered(Explained):
    life: int
    seats: Annotated[int, _says("how many sit at the table")]


class CastOffered(Named):
    edition: str


class TeamOffered(Explained):
    format: str


class Reading(Setting):
    """A way to read an open point of the script."""

    rule: str
    point: str


class Solitaire(TypedDict):
    """How hard the Scripted Opponent may be made, how its script may be read, and the edition it usually plays."""

    difficulties: list[Difficulty]
    readings: list[Reading]
    edition: str


class HouseSwitch(TypedDict):
    """A difference between the editions, or between ways to play; the other setting of an edition is a house rule."""

    name: str
    rule: str
    on: Setting
    off: Setting
    editions: dict[str, bool]


class HouseGroup(TypedDict):
    subject: str
    switches: list[HouseSwitch]


class StartOffers(TypedDict):
    """What can be chosen from when a game is opened."""

    editions: list[Named]
    formats: list[FormatOffered]
    casts: list[CastOffered]
    teams: list[TeamOffered]
    players: list[Explained]
    solitaire: Solitaire
    house_rules: list[HouseGroup]
    default_edition: str


class Term(TypedDict):
    term: str
    rule: Annotated[str, _says('the number of the rule that explains it; "" where the program has the word')]
    text: str
    also: Annotated[list[str], _says("other forms of the word")]


class LifeAt(TypedDict):
    """Life at the end of a turn; turn 0 is the beginning."""

    turn: int
    life: dict[Seat, int]


class Deeds(TypedDict):
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
    bought: Annotated[int | None, _says("the turn in which the first was bought")]


class StepRated(TypedDict):
    """A step of a game that is over: the win chance of A (and C) with the best choice there, and with the one made."""

    step: int
    seat: Seat
    turn: int
    best: float
    chosen: float
    better: str  # what would have been clearly better, if anything


class LookedBack(TypedDict):
    """Some steps of a game, rated; `next` is the step to ask for then, None if that was all."""

    steps: list[StepRated]
    next: int | None


class OptionThought(TypedDict):
    """An option with its win chance for whoever decides, and half of its 95 % interval."""

    text: str
    chance: float
    margin: float
    was_taken: bool


class Thought(TypedDict):
    """What a strong player thinks of a decision: the options, the best first, how it may go on, and why."""

    seat: Seat
    options: list[OptionThought]
    line: list[str]
    why: str


class Summary(TypedDict):
    """A game in numbers."""

    turns: int
    life: list[LifeAt]
    deeds: dict[Seat, Deeds]
    best: BestDie | None


class Terms(TypedDict):
    terms: list[Term]


class DieShown(TypedDict):
    """A kind of die, with what its emblem is made of."""

    key: str
    title: str
    kind: CardKind
    affiliations: list[str]
    die: DieShape


class Dice(TypedDict):
    dice: list[DieShown]


class Rule(TypedDict):
    """A rule, or the heading of several, in Markdown."""

    number: str
    title: str
    level: Annotated[int, _says("of a heading; 0 is a rule")]
    text: str
    defines: list[str]
    editions: list[str]
    shown: list[str]


class Rules(TypedDict):
    items: list[Rule]


# --- lessons ---------------------------------------------------------------------------------------------------------


class LessonOffered(TypedDict):
    """A lesson: how it is called in addresses, its title, what one learns, how many steps it has."""

    key: str
    title: str
    about: str
    steps: int


class LessonList(TypedDict):
    lessons: list[LessonOffered]


class Pointed(TypedDict):
    """Something a coach points at: dice, a card, a zone of a seat, or a place of the table."""

    dice: list[int]
    card: int | None
    zone: str
    seat: Seat | None


class LessonMoment(TypedDict):
    """A moment of a lesson: a step, with some of its choices made."""

    lesson: str
    title: str
    rival: Annotated[str, _says("what the other player is called")]
    step: int
    steps: int
    done: Annotated[int, _says("how many of the step's choices have been made")]
    choices: int
    heading: str
    say: str
    praise: Annotated[str, _says("what the coach says when the step is done")]
    show: list[Pointed]
    answer: Annotated[Choice | None, _says("the expected choice; null where there is only to read")]
    table: Table
    view: View


class LessonPlace(TypedDict):
    step: int
    done: int


class LessonAnswer(TypedDict):
    """What a choice in a lesson is answered with: what is seen next, or the reason against it."""

    right: bool
    reason: str
    views: list[View]
    next: LessonPlace | None


for _one in [one for one in vars().values() if is_typeddict(one)]:
    _one.__pydantic_config__ = {"extra": "forbid", "strict": True}  # that, all of that, and nothing else
