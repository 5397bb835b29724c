"""Wire types of a game: table, view, events and explanations."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal, NotRequired

from dicemasters.service.protocol.validation import Description

if sys.version_info >= (3, 12):
    from typing import TypeAliasType, TypedDict, is_typeddict
else:
    from typing_extensions import TypeAliasType, TypedDict, is_typeddict


Seat = TypeAliasType("Seat", Literal["A", "B", "C", "D"])
SEATS: tuple[Seat, ...] = ("A", "B", "C", "D")

Zone = TypeAliasType("Zone", Literal["card", "bag", "prep", "reserve", "field", "used", "out", "hand", "held", "gone"])
ZONES: tuple[Zone, ...] = ("card", "bag", "prep", "reserve", "field", "used", "out", "hand", "held", "gone")

Step = TypeAliasType("Step", Literal["setup", "start", "draw", "roll", "main", "attack", "cleanup"])
STEPS: tuple[Step, ...] = ("setup", "start", "draw", "roll", "main", "attack", "cleanup")

Mode = TypeAliasType("Mode", Literal["one", "many", "blocks", "spend", "split"])
Difficulty = TypeAliasType("Difficulty", Literal["easy", "normal", "hard"])
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "normal", "hard")
CardKind = TypeAliasType("CardKind", Literal["character", "action", "basic", "sidekick", "token"])
Holding = TypeAliasType("Holding", Literal["capture", "aside", "control", "attach"])
NewsKind = TypeAliasType(
    "NewsKind",
    Literal["move", "toss", "turn", "step", "draw", "roll", "pay", "damage", "ko", "life", "happening"],
)


def describe_field(text: str) -> Any:
    """Return a description of a field for the JSON schema."""
    return Description(text)


# --- table, sent once ------------------------------------------------------------------------------------------------


class FaceData(TypedDict):
    """A face of a die."""

    kind: Literal["energy", "character", "action"]
    energy: str
    generic: int
    level: int
    cost: int
    a: int
    d: int
    burst: int


class DieShape(TypedDict):
    """A card's die: its colours and its six faces."""

    key: str
    base: str
    ink: str
    faces: list[FaceData]


class GlobalData(TypedDict):
    """A Global ability of a card in the game."""

    ability: int
    text: str
    gist: Annotated[str, describe_field("summary in at most 40 characters")]
    cost: str
    asked: Annotated[bool, describe_field("reacts to an event, and is offered when that happens")]


class CardData(TypedDict):
    """A card in the game."""

    id: int
    key: Annotated[str, describe_field('"" for cards outside the sets, such as Sidekicks')]
    set: str
    title: str
    subtitle: str
    kind: CardKind
    cost: int
    energy: str
    affiliations: list[str]
    max: int
    owner: Seat | None
    text: list[str]
    gist: Annotated[str, describe_field("summary in at most 60 characters, for tiles")]
    globals: list[GlobalData]
    die: DieShape


class RuleSetting(TypedDict):
    """A setting of the rules: its name and a one-sentence description."""

    words: str
    about: str


class EditionData(TypedDict):
    """The edition of a game, with its house rules."""

    key: str
    name: str
    text: Annotated[str, describe_field("the key and the house rules, as written in positions")]
    house: list[RuleSetting]


class TableData(TypedDict):
    """The part of a game that never changes."""

    edition: EditionData
    format: str
    life: int
    seats: list[Seat]
    cards: list[CardData]
    scripted: Seat | None
    readings: Annotated[list[RuleSetting], describe_field("readings of the script that differ from the usual ones")]


# --- view, the same for everybody ------------------------------------------------------------------------------------


class DieData(TypedDict):
    """A die of the game. Optional fields are omitted where they have no value."""

    id: int
    card: int
    zone: Zone
    seat: Annotated[Seat | None, describe_field("null for basic action dice that nobody has bought")]
    face: Annotated[int | None, describe_field("null if not rolled")]
    a: NotRequired[Annotated[int, describe_field("for characters in the field, with all modifiers")]]
    d: NotRequired[int]
    printed_a: NotRequired[int]
    printed_d: NotRequired[int]
    damage: NotRequired[int]
    attacking: NotRequired[bool]
    blocks: NotRequired[Annotated[list[int], describe_field("ids of the attackers it blocks")]]
    blocked: NotRequired[bool]
    held: NotRequired[Holding]
    holder: NotRequired[
        Annotated[int | None, describe_field("id of the die that holds it; null if a player does, or nothing any more")]
    ]
    cost: NotRequired[Annotated[int, describe_field("fielding cost")]]
    tags: NotRequired[list[str]]
    owner: NotRequired[Annotated[Seat, describe_field("only if it differs from `seat`")]]
    partner: NotRequired[Annotated[int, describe_field("id of the die it is paired with")]]


class EffectData(TypedDict):
    """An effect in force: its dice, its source card, its duration and its rule."""

    text: str
    dice: list[int]
    card: int | None
    until: str
    rule: str


class OptionData(TypedDict):
    """A legal option, or a part of a compound choice."""

    number: Annotated[
        int | None, describe_field("index of the engine's option; null if only offered after another part")
    ]
    text: str
    what: str
    dice: list[int]
    to: int | None
    card: int | None
    hint: str
    attackers: NotRequired[Annotated[list[int], describe_field("all equivalent attackers the block may go to")]]
    several: NotRequired[Annotated[bool, describe_field("the die may block more than one attacker")]]
    amount: NotRequired[Annotated[int, describe_field("amount spent from a die; for damage, the amount that KOs it")]]
    leftover: NotRequired[Annotated[bool, describe_field("energy that belongs to no die")]]
    player: NotRequired[Annotated[int, describe_field("number to send for a player instead of a die")]]
    seat: NotRequired[Annotated[Seat, describe_field("the seat of that player")]]
    ability: NotRequired[int]


class DecisionData(TypedDict):
    """The pending decision, with all legal options."""

    seat: Seat
    kind: str
    mode: Mode
    question: str
    about: str
    card: Annotated[int | None, describe_field("the card whose text requires the decision, or that is being paid for")]
    min: int
    max: int
    total: int
    price: Annotated[int, describe_field("payments: the full price, including what is already paid")]
    over: Annotated[bool, describe_field("damage: some may be kept for the opponent (Overcrush)")]
    options: list[OptionData]
    confirm: str
    none: str
    cancel: Annotated[
        bool, describe_field("the choice being paid for can be undone without consent; it has had no effect yet")
    ]
    hold: Annotated[
        bool, describe_field("the player may pass and keep final priority, in case the opponent also declines")
    ]
    attack: NotRequired[
        Annotated[bool, describe_field("main step: an attack may follow; otherwise passing ends the turn")]
    ]


class LogEntryData(TypedDict):
    """An entry of the game's log."""

    text: str
    kind: NewsKind
    dice: list[int]
    seat: Seat | None
    amount: int


class Explanation(TypedDict):
    """A statement and the number of the rule behind it."""

    text: str
    rule: str


class GameOutcome(TypedDict):
    """The result of a game."""

    winner: str
    text: str


class ThrowRecord(TypedDict):
    """A completed throw of fair dice."""

    number: int
    by: Annotated[Seat | None, describe_field("the acting seat that gave the word; null for the opening or a bot")]
    word: str
    texts: Annotated[list[str], describe_field("moves of the choice up to the roll")]
    links: Annotated[dict[str, str], describe_field("contributed links by chain name")]
    without: Annotated[str, describe_field("seats whose contributions are missing")]


class View(TypedDict):
    """The table at one moment, its pending decision, and the news since the previous view."""

    version: int
    move: Annotated[int, describe_field("number of moves so far")]
    turn: int
    active: Seat
    step: Step
    stage: str
    title: str
    life: dict[Seat, int]
    energy: Annotated[dict[Seat, int], describe_field("energy that belongs to no die")]
    dice: list[DieData]
    effects: list[EffectData]
    decision: DecisionData | None
    news: list[LogEntryData]
    why: Annotated[Explanation | None, describe_field("the rule a scripted player followed")]
    throw: Annotated[ThrowRecord | None, describe_field("the throw of fair dice behind the latest choice")]
    result: GameOutcome | None


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}  # exactly these fields, without conversion
