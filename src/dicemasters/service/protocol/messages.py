"""WebSocket messages in both directions."""

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


# --- metadata --------------------------------------------------------------------------------------------------------


class UndoOfferData(TypedDict):
    """A requested undo."""

    what: Literal["undo"]
    by: Seat
    awaits: Annotated[list[Seat], describe_field("seats that have not yet agreed")]


class WinClaimData(TypedDict):
    """A claim of the win against an absent player, and the seconds they have left to come back."""

    by: Seat
    seconds: int


class ClockData(TypedDict):
    """The clocks: seconds left for the game, the seat whose clock runs, and its seconds left for this choice."""

    left: dict[Seat, float]
    running: Seat | None
    seconds: float | None


class ChainData(TypedDict):
    """A browser's hash chain for fair dice, and the number of its links revealed so far."""

    name: str
    anchor: str
    at: int


class RequiredLink(TypedDict):
    """A link that a throw needs, by its chain's anchor and its index."""

    anchor: str
    at: int


class ThrowRequest(TypedDict):
    """A throw of fair dice that waits for contributions."""

    number: int
    by: Annotated[Seat | None, describe_field("the acting seat; null for the opening")]
    word: str
    texts: list[str]
    links: Annotated[dict[str, RequiredLink], describe_field("required links by chain name")]
    without: str


class FairDiceData(TypedDict):
    """The hash chains of the seats, the seats left out until they register a new chain, and the pending throw."""

    chains: dict[Seat, ChainData]
    away: list[Seat]
    throw: ThrowRequest | None


class Meta(TypedDict):
    """Names, presence and offers: everything about the players rather than the game."""

    names: dict[Seat, str]
    kinds: Annotated[dict[Seat, str], describe_field('"person", or the key of a bot')]
    present: list[Seat]
    watchers: int
    offer: UndoOfferData | None
    giving_up: Annotated[Seat | None, describe_field("the seat that wants to concede; its partner has to agree")]
    undo: Literal["free", "ask", "none"]
    rematch: str | None
    waiting: Annotated[
        list[Seat], describe_field("seats whose players have not arrived; the game begins once there are none")
    ]
    commitment: Annotated[str | None, describe_field("the table's published commitment for fair dice")]
    dice: Annotated[FairDiceData | None, describe_field("null: the dice come from a seed, a position or a record")]
    created: str
    claim: WinClaimData | None
    clock: ClockData | None


class Welcome(TypedDict):
    """The first message to a client that has joined."""

    type: Literal["welcome"]
    you: list[Seat]
    game: str
    table: TableData
    meta: Meta
    view: View


class ViewMessage(TypedDict):
    """The full view, sent on request."""

    type: Literal["view"]
    view: View


class ViewDelta(TypedDict):
    """The fields of a view that have changed, and the dice that have."""

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
    """The changes from one version of the view to the next. A client with another version requests the full view."""

    type: Literal["change"]
    since: Annotated[int, describe_field("the version the changes apply to")]
    view: ViewDelta
    gone: Annotated[list[int], describe_field("ids of dice that no longer exist")]


class MetaMessage(TypedDict):
    """The metadata after a change."""

    type: Literal["meta"]
    meta: Meta


class ThrowMessage(ThrowRequest):
    """Requests contributions to a throw."""

    type: Literal["throw"]


class ActionRejected(TypedDict):
    """The reason why a message was rejected."""

    type: Literal["refused"]
    reason: str
    version: int


class IllegalExplanation(Explanation):
    """Answers why something is illegal."""

    type: Literal["why not"]


class CoachRemarkData(TypedDict):
    """A remark of the coach: the purpose of a step, a reminder, or the reason for an event."""

    kind: Literal["step", "mind", "happened"]
    text: str
    rule: str


class CoachAnswer(TypedDict):
    """The coach's remarks on a view."""

    type: Literal["coach"]
    version: Annotated[int, describe_field("version of the view the remarks are about")]
    remarks: list[CoachRemarkData]


class DieExplanation(TypedDict):
    """Explains a die's A and D."""

    type: Literal["look"]
    die: int
    lines: list[Explanation]


class Pong(TypedDict):
    """Answers a ping."""

    type: Literal["pong"]


class Closing(TypedDict):
    """The reason why the server closes the connection."""

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


# --- client messages -------------------------------------------------------------------------------------------------

MAX_VERSION = 10**9
MAX_PARTS = 300  # parts of one choice; more than there are dice
Number = Annotated[int, Range(-1, 10_000)]  # index of a die or option, or an amount


class OptionChoice(TypedDict):
    """A single option."""

    option: Number


class DiceChoice(TypedDict):
    """A set of dice."""

    dice: Annotated[list[Number], Length(MAX_PARTS)]


class BlocksChoice(TypedDict):
    """Pairs of blocker and attacker."""

    blocks: Annotated[list[tuple[Number, Number]], Length(MAX_PARTS)]


class PaymentChoice(TypedDict):
    """Pairs of die and amount; die -1 is energy that belongs to no die."""

    spend: Annotated[list[tuple[Number, Number]], Length(MAX_PARTS)]


class SplitChoice(TypedDict):
    """Pairs of die or player and amount."""

    split: Annotated[list[tuple[Number, Number]], Length(MAX_PARTS)]


Choice = TypeAliasType("Choice", OptionChoice | DiceChoice | BlocksChoice | PaymentChoice | SplitChoice)


class Hello(RequestModel):
    """Identifies the client by the secrets of its seats; the first message."""

    type: Literal["hello"]
    secrets: Annotated[list[Annotated[str, Length(200)]], Length(8)] = field(default_factory=list)


class TakeSeat(RequestModel):
    """Takes the client's seats, with the anchor of its hash chain for fair dice."""

    type: Literal["sit"]
    anchor: Annotated[str, Pattern("[0-9a-f]{64}")]


class PlayChoice(RequestModel):
    """Makes a choice, based on a version of the view."""

    type: Literal["play"]
    version: Annotated[int, Range(0, MAX_VERSION)]
    choice: Choice
    hold: Annotated[bool, describe_field("pass, but keep final priority")] = False
    word: Annotated[str, Pattern("([0-9a-f]{32})?"), describe_field("the player's contribution to the fair dice")] = ""
    without: Annotated[list[Seat], Length(4), describe_field("seats the player knows to be skipped")] = field(
        default_factory=list
    )


class Contribution(RequestModel):
    """Contributes a link to the throw of another seat's choice."""

    type: Literal["part"]
    number: Annotated[int, Range(0, MAX_VERSION)]
    chain: Annotated[str, Length(10)]
    link: Annotated[str, Pattern("[0-9a-f]{64}")]


class RollWithout(RequestModel):
    """Rolls without the missing contributions."""

    type: Literal["without"]


class ExplainDie(RequestModel):
    """Asks why a die's A and D are what they are."""

    type: Literal["look"]
    die: Annotated[int, Range(0, 1000)]


class TargetRef(RequestModel):
    """A die, a card or an ability, by number."""

    die: Annotated[int, Range(0, 1000)] | None = None
    card: Annotated[int, Range(0, 1000)] | None = None
    ability: Annotated[int, Range(0, 10_000)] | None = None


class ExplainIllegal(RequestModel):
    """Asks why something is illegal."""

    type: Literal["why not"]
    thing: TargetRef
    want: Annotated[str, Length(20)] = ""


class UndoRequest(RequestModel):
    """Undoes the client's last choice, or offers the undo to the others."""

    type: Literal["undo"]


class UndoAnswer(RequestModel):
    """Accepts or declines an undo."""

    type: Literal["answer"]
    yes: bool


class Concede(RequestModel):
    """Concedes the game for a seat's side."""

    type: Literal["concede"]
    seat: Seat


class KeepPlaying(RequestModel):
    """Withdraws or declines a concession."""

    type: Literal["play on"]


class ClaimWin(RequestModel):
    """Claims the win against an absent player."""

    type: Literal["claim"]


class Rematch(RequestModel):
    """Opens a rematch."""

    type: Literal["rematch"]


class SetName(RequestModel):
    """Changes the name of a seat."""

    type: Literal["name"]
    seat: Seat
    name: Annotated[str, Length(400)]


class CoachRequest(RequestModel):
    """Requests the coach's remarks for the deciding player."""

    type: Literal["coach"]


class ViewRequest(RequestModel):
    """Requests the full view, after a delta that does not fit the known version."""

    type: Literal["view"]


class Ping(RequestModel):
    """Checks the connection."""

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
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}  # exactly these fields, without conversion
