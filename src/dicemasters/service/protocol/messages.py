"""Messages of the WebSocket, in both directions."""

from __future__ import annotations

import sys
from dataclasses import field
from typing import Annotated, Literal, NotRequired

from dicemasters.service.protocol.game_schema import (
    DecisionData,
    DieData,
    EffectData,
    Explanation,
    GameOutcome,
    LogEntryData,
    Seat,
    Step,
    TableData,
    ThrowRecord,
    View,
    describe_field,
)
from dicemasters.service.protocol.validation import Length, Pattern, Range, RequestModel

if sys.version_info >= (3, 12):
    from typing import TypeAliasType, TypedDict, is_typeddict
else:
    from typing_extensions import TypeAliasType, TypedDict, is_typeddict


# --- beside the view -------------------------------------------------------------------------------------------------


class UndoOfferData(TypedDict):
    what: Literal["undo"]
    by: Seat
    awaits: Annotated[list[Seat], describe_field("whose consent is still needed")]


class WinClaimData(TypedDict):
    """Somebody claims the win because the other is not there, who has so many seconds to come back."""

    by: Seat
    seconds: int


class ClockData(TypedDict):
    """What the clocks show: seconds left for the game, whose clock runs, and how long that one has for this choice."""

    left: dict[Seat, float]
    running: Seat | None
    seconds: float | None


class ChainData(TypedDict):
    """A browser's chain for fair dice: how many of its links are told."""

    name: str
    anchor: str
    at: int


class RequiredLink(TypedDict):
    """Which link of which chain is needed."""

    anchor: str
    at: int


class ThrowRequest(TypedDict):
    """A throw of fair dice that waits for somebody's part."""

    number: int
    by: Annotated[Seat | None, describe_field("who acts; null: nobody, it is the opening")]
    word: str
    texts: list[str]
    links: Annotated[dict[str, RequiredLink], describe_field("by the names of the chains")]
    without: str


class FairDiceData(TypedDict):
    """Whose chain is which, whose parts are left out until they sit down anew, and what is waited for."""

    chains: dict[Seat, ChainData]
    away: list[Seat]
    throw: ThrowRequest | None


class Meta(TypedDict):
    """Names, presence, offers: what is about the people and not about the game."""

    names: dict[Seat, str]
    kinds: Annotated[dict[Seat, str], describe_field('"person", or the name of a player')]
    present: list[Seat]
    watchers: int
    offer: UndoOfferData | None
    giving_up: Annotated[Seat | None, describe_field("who of two partners would concede; the other is asked")]
    undo: Literal["free", "ask", "none"]
    rematch: str | None
    waiting: Annotated[
        list[Seat], describe_field("seats whose persons have not come yet; the game begins when there are none")
    ]
    commitment: Annotated[str | None, describe_field("what the table has published of its part in fair dice")]
    dice: Annotated[
        FairDiceData | None, describe_field("null: the dice come from a seed or a position, or are of 0.1.0")
    ]
    created: str
    claim: WinClaimData | None
    clock: ClockData | None


class Welcome(TypedDict):
    type: Literal["welcome"]
    you: list[Seat]
    game: str
    table: TableData
    meta: Meta
    view: View


class ViewMessage(TypedDict):
    """The whole view, when it was asked for."""

    type: Literal["view"]
    view: View


class ViewDelta(TypedDict):
    """The parts of a view that are different, and of its dice those that are."""

    version: int
    news: list[LogEntryData]
    move: NotRequired[int]
    turn: NotRequired[int]
    active: NotRequired[Seat]
    step: NotRequired[Step]
    stage: NotRequired[str]
    title: NotRequired[str]
    life: NotRequired[dict[Seat, int]]
    energy: NotRequired[dict[Seat, int]]
    dice: NotRequired[list[DieData]]
    effects: NotRequired[list[EffectData]]
    decision: NotRequired[DecisionData | None]
    why: NotRequired[Explanation | None]
    throw: NotRequired[ThrowRecord | None]
    result: NotRequired[GameOutcome | None]


class DeltaMessage(TypedDict):
    """What makes the view of one version the next one. Whoever has another version asks for the whole view."""

    type: Literal["change"]
    since: Annotated[int, describe_field("the version it is a change of")]
    view: ViewDelta
    gone: Annotated[list[int], describe_field("dice that are no longer there")]


class MetaMessage(TypedDict):
    type: Literal["meta"]
    meta: Meta


class ThrowMessage(ThrowRequest):
    type: Literal["throw"]


class ActionRejected(TypedDict):
    type: Literal["refused"]
    reason: str
    version: int


class IllegalExplanation(Explanation):
    type: Literal["why not"]


class CoachRemarkData(TypedDict):
    """What a coach says: what the step is for, what is easily overlooked, why something has happened."""

    kind: Literal["step", "mind", "happened"]
    text: str
    rule: str


class CoachAnswer(TypedDict):
    type: Literal["coach"]
    version: Annotated[int, describe_field("of the view it is about")]
    remarks: list[CoachRemarkData]


class DieExplanation(TypedDict):
    type: Literal["look"]
    die: int
    lines: list[Explanation]


class Pong(TypedDict):
    type: Literal["pong"]


class Closing(TypedDict):
    type: Literal["bye"]
    reason: str


ServerMessage = TypeAliasType(
    "ServerMessage",
    Welcome
    | ViewMessage
    | DeltaMessage
    | MetaMessage
    | ThrowMessage
    | ActionRejected
    | IllegalExplanation
    | DieExplanation
    | CoachAnswer
    | Pong
    | Closing,
)


# --- what a browser says ---------------------------------------------------------------------------------------------

MAX_VERSION = 10**9
MAX_PARTS = 300  # of a choice: more than there are dice
Number = Annotated[int, Range(-1, 10_000)]  # of a die or an option; an amount


class OptionChoice(TypedDict):
    option: Number


class DiceChoice(TypedDict):
    dice: Annotated[list[Number], Length(MAX_PARTS)]


class BlocksChoice(TypedDict):
    """Pairs of blocker and attacker."""

    blocks: Annotated[list[tuple[Number, Number]], Length(MAX_PARTS)]


class PaymentChoice(TypedDict):
    """Pairs of die and amount; die -1 is energy that belongs to none."""

    spend: Annotated[list[tuple[Number, Number]], Length(MAX_PARTS)]


class SplitChoice(TypedDict):
    """Pairs of die or player and amount."""

    split: Annotated[list[tuple[Number, Number]], Length(MAX_PARTS)]


Choice = TypeAliasType("Choice", OptionChoice | DiceChoice | BlocksChoice | PaymentChoice | SplitChoice)


class Hello(RequestModel):
    type: Literal["hello"]
    secrets: Annotated[list[Annotated[str, Length(200)]], Length(8)] = field(default_factory=list)


class TakeSeat(RequestModel):
    """Sits down in one's seats, with the anchor of the browser's chain for the dice."""

    type: Literal["sit"]
    anchor: Annotated[str, Pattern("[0-9a-f]{64}")]


class PlayChoice(RequestModel):
    """A choice made on the view of that version."""

    type: Literal["play"]
    version: Annotated[int, Range(0, MAX_VERSION)]
    choice: Choice
    hold: Annotated[bool, describe_field("to pass and be asked once more")] = False
    word: Annotated[str, Pattern("([0-9a-f]{32})?"), describe_field("the player's part in fair dice")] = ""
    without: Annotated[list[Seat], Length(4), describe_field("whose parts the player knows to be left out")] = field(
        default_factory=list
    )


class Contribution(RequestModel):
    """Gives one's part in the dice of somebody else's choice."""

    type: Literal["part"]
    number: Annotated[int, Range(0, MAX_VERSION)]
    chain: Annotated[str, Length(10)]
    link: Annotated[str, Pattern("[0-9a-f]{64}")]


class RollWithout(RequestModel):
    """Lets the dice fall without the parts that are missing."""

    type: Literal["without"]


class ExplainDie(RequestModel):
    """Asks why a die's A and D are what they are."""

    type: Literal["look"]
    die: Annotated[int, Range(0, 1000)]


class TargetRef(RequestModel):
    """A die, a card or an ability, by its number."""

    die: Annotated[int, Range(0, 1000)] | None = None
    card: Annotated[int, Range(0, 1000)] | None = None
    ability: Annotated[int, Range(0, 10_000)] | None = None


class ExplainIllegal(RequestModel):
    """Asks why something cannot be done."""

    type: Literal["why not"]
    thing: TargetRef
    want: Annotated[str, Length(20)] = ""


class UndoRequest(RequestModel):
    type: Literal["undo"]


class UndoAnswer(RequestModel):
    """Agrees to an undo that another asked for, or not."""

    type: Literal["answer"]
    yes: bool


class Concede(RequestModel):
    type: Literal["concede"]
    seat: Seat


class KeepPlaying(RequestModel):
    """Does not concede after all, or not with the partner who would."""

    type: Literal["play on"]


class ClaimWin(RequestModel):
    type: Literal["claim"]


class Rematch(RequestModel):
    type: Literal["rematch"]


class SetName(RequestModel):
    type: Literal["name"]
    seat: Seat
    name: Annotated[str, Length(400)]


class CoachRequest(RequestModel):
    """Asks what a coach says to whoever decides now."""

    type: Literal["coach"]


class ViewRequest(RequestModel):
    """Asks for the whole view, when a change does not fit the one that is known."""

    type: Literal["view"]


class Ping(RequestModel):
    type: Literal["ping"]


ClientMessage = TypeAliasType(
    "ClientMessage",
    Hello
    | TakeSeat
    | PlayChoice
    | Contribution
    | RollWithout
    | ExplainDie
    | ExplainIllegal
    | UndoRequest
    | UndoAnswer
    | Concede
    | KeepPlaying
    | ClaimWin
    | Rematch
    | SetName
    | ViewRequest
    | CoachRequest
    | Ping,
)


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}  # that, all of that, and nothing else
