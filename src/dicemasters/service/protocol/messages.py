"""Messages of the WebSocket, in both directions."""

from __future__ import annotations

import sys
from dataclasses import field
from typing import Annotated, Literal, NotRequired

from dicemasters.service.protocol.game_schema import (
    Decision,
    Die,
    Effect,
    News,
    Outcome,
    Said,
    Seat,
    Step,
    Table,
    Thrown,
    View,
    _says,
)
from dicemasters.service.protocol.validation import Between, Fits, Form, Long

if sys.version_info >= (3, 12):
    from typing import TypeAliasType, TypedDict, is_typeddict
else:
    from typing_extensions import TypeAliasType, TypedDict, is_typeddict


# --- beside the view -------------------------------------------------------------------------------------------------


class Offer(TypedDict):
    what: Literal["undo"]
    by: Seat
    awaits: Annotated[list[Seat], _says("whose consent is still needed")]


class Claim(TypedDict):
    """Somebody claims the win because the other is not there, who has so many seconds to come back."""

    by: Seat
    seconds: int


class ClockFace(TypedDict):
    """What the clocks show: seconds left for the game, whose clock runs, and how long that one has for this choice."""

    left: dict[Seat, float]
    running: Seat | None
    seconds: float | None


class ChainShown(TypedDict):
    """A browser's chain for fair dice: how many of its links are told."""

    name: str
    anchor: str
    at: int


class NeededLink(TypedDict):
    """Which link of which chain is needed."""

    anchor: str
    at: int


class Asked(TypedDict):
    """A throw of fair dice that waits for somebody's part."""

    number: int
    by: Annotated[Seat | None, _says("who acts; null: nobody, it is the opening")]
    word: str
    texts: list[str]
    links: Annotated[dict[str, NeededLink], _says("by the names of the chains")]
    without: str


class FairDice(TypedDict):
    """Whose chain is which, whose parts are left out until they sit down anew, and what is waited for."""

    chains: dict[Seat, ChainShown]
    away: list[Seat]
    throw: Asked | None


class Meta(TypedDict):
    """Names, presence, offers: what is about the people and not about the game."""

    names: dict[Seat, str]
    kinds: Annotated[dict[Seat, str], _says('"person", or the name of a player')]
    present: list[Seat]
    watchers: int
    offer: Offer | None
    giving_up: Annotated[Seat | None, _says("who of two partners would concede; the other is asked")]
    undo: Literal["free", "ask", "none"]
    rematch: str | None
    waiting: Annotated[list[Seat], _says("seats whose persons have not come yet; the game begins when there are none")]
    commitment: Annotated[str | None, _says("what the table has published of its part in fair dice")]
    dice: Annotated[FairDice | None, _says("null: the dice come from a seed or a position, or are of 0.1.0")]
    created: str
    claim: Claim | None
    clock: ClockFace | None


class Welcome(TypedDict):
    type: Literal["welcome"]
    you: list[Seat]
    game: str
    table: Table
    meta: Meta
    view: View


class ViewMessage(TypedDict):
    """The whole view, when it was asked for."""

    type: Literal["view"]
    view: View


class ViewChange(TypedDict):
    """The parts of a view that are different, and of its dice those that are."""

    version: int
    news: list[News]
    move: NotRequired[int]
    turn: NotRequired[int]
    active: NotRequired[Seat]
    step: NotRequired[Step]
    stage: NotRequired[str]
    title: NotRequired[str]
    life: NotRequired[dict[Seat, int]]
    energy: NotRequired[dict[Seat, int]]
    dice: NotRequired[list[Die]]
    effects: NotRequired[list[Effect]]
    decision: NotRequired[Decision | None]
    why: NotRequired[Said | None]
    throw: NotRequired[Thrown | None]
    result: NotRequired[Outcome | None]


class Change(TypedDict):
    """What makes the view of one version the next one. Whoever has another version asks for the whole view."""

    type: Literal["change"]
    since: Annotated[int, _says("the version it is a change of")]
    view: ViewChange
    gone: Annotated[list[int], _says("dice that are no longer there")]


class MetaMessage(TypedDict):
    type: Literal["meta"]
    meta: Meta


class ThrowMessage(Asked):
    type: Literal["throw"]


class Refused(TypedDict):
    type: Literal["refused"]
    reason: str
    version: int


class WhyNotAnswer(Said):
    type: Literal["why not"]


class CoachRemark(TypedDict):
    """What a coach says: what the step is for, what is easily overlooked, why something has happened."""

    kind: Literal["step", "mind", "happened"]
    text: str
    rule: str


class CoachAnswer(TypedDict):
    type: Literal["coach"]
    version: Annotated[int, _says("of the view it is about")]
    remarks: list[CoachRemark]


class LookAnswer(TypedDict):
    type: Literal["look"]
    die: int
    lines: list[Said]


class Pong(TypedDict):
    type: Literal["pong"]


class Bye(TypedDict):
    type: Literal["bye"]
    reason: str


FromServer = TypeAliasType(
    "FromServer",
    Welcome
    | ViewMessage
    | Change
    | MetaMessage
    | ThrowMessage
    | Refused
    | WhyNotAnswer
    | LookAnswer
    | CoachAnswer
    | Pong
    | Bye,
)


# --- what a browser says ---------------------------------------------------------------------------------------------

MOST_VERSION = 10**9
MOST_PARTS = 300  # of a choice: more than there are dice
Number = Annotated[int, Between(-1, 10_000)]  # of a die or an option; an amount


class ByOption(TypedDict):
    option: Number


class ByDice(TypedDict):
    dice: Annotated[list[Number], Long(MOST_PARTS)]


class ByBlocks(TypedDict):
    """Pairs of blocker and attacker."""

    blocks: Annotated[list[tuple[Number, Number]], Long(MOST_PARTS)]


class BySpending(TypedDict):
    """Pairs of die and amount; die -1 is energy that belongs to none."""

    spend: Annotated[list[tuple[Number, Number]], Long(MOST_PARTS)]


class BySplitting(TypedDict):
    """Pairs of die or player and amount."""

    split: Annotated[list[tuple[Number, Number]], Long(MOST_PARTS)]


Choice = TypeAliasType("Choice", ByOption | ByDice | ByBlocks | BySpending | BySplitting)


class Hello(Form):
    type: Literal["hello"]
    secrets: Annotated[list[Annotated[str, Long(200)]], Long(8)] = field(default_factory=list)


class Sit(Form):
    """Sits down in one's seats, with the anchor of the browser's chain for the dice."""

    type: Literal["sit"]
    anchor: Annotated[str, Fits("[0-9a-f]{64}")]


class Play(Form):
    """A choice made on the view of that version."""

    type: Literal["play"]
    version: Annotated[int, Between(0, MOST_VERSION)]
    choice: Choice
    hold: Annotated[bool, _says("to pass and be asked once more")] = False
    word: Annotated[str, Fits("([0-9a-f]{32})?"), _says("the player's part in fair dice")] = ""
    without: Annotated[list[Seat], Long(4), _says("whose parts the player knows to be left out")] = field(
        default_factory=list
    )


class Part(Form):
    """Gives one's part in the dice of somebody else's choice."""

    type: Literal["part"]
    number: Annotated[int, Between(0, MOST_VERSION)]
    chain: Annotated[str, Long(10)]
    link: Annotated[str, Fits("[0-9a-f]{64}")]


class Without(Form):
    """Lets the dice fall without the parts that are missing."""

    type: Literal["without"]


class Look(Form):
    """Asks why a die's A and D are what they are."""

    type: Literal["look"]
    die: Annotated[int, Between(0, 1000)]


class Thing(Form):
    """A die, a card or an ability, by its number."""

    die: Annotated[int, Between(0, 1000)] | None = None
    card: Annotated[int, Between(0, 1000)] | None = None
    ability: Annotated[int, Between(0, 10_000)] | None = None


class WhyNot(Form):
    """Asks why something cannot be done."""

    type: Literal["why not"]
    thing: Thing
    want: Annotated[str, Long(20)] = ""


class Undo(Form):
    type: Literal["undo"]


class Answer(Form):
    """Agrees to an undo that another asked for, or not."""

    type: Literal["answer"]
    yes: bool


class Concede(Form):
    type: Literal["concede"]
    seat: Seat


class PlayOn(Form):
    """Does not concede after all, or not with the partner who would."""

    type: Literal["play on"]


class ClaimWin(Form):
    type: Literal["claim"]


class Rematch(Form):
    type: Literal["rematch"]


class Name(Form):
    type: Literal["name"]
    seat: Seat
    name: Annotated[str, Long(400)]


class Coach(Form):
    """Asks what a coach says to whoever decides now."""

    type: Literal["coach"]


class WholeView(Form):
    """Asks for the whole view, when a change does not fit the one that is known."""

    type: Literal["view"]


class Ping(Form):
    type: Literal["ping"]


ToServer = TypeAliasType(
    "ToServer",
    Hello
    | Sit
    | Play
    | Part
    | Without
    | Look
    | WhyNot
    | Undo
    | Answer
    | Concede
    | PlayOn
    | ClaimWin
    | Rematch
    | Name
    | WholeView
    | Coach
    | Ping,
)


for _one in [one for one in vars().values() if is_typeddict(one)]:
    _one.__pydantic_config__ = {"extra": "forbid", "strict": True}  # that, all of that, and nothing else
