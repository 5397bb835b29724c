"""Wire types of a game: table, view, events and explanations."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal, NotRequired

from dicemasters.service.protocol.validation import Says

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


def _says(text: str) -> Any:
    return Says(text)


# --- the table: sent once --------------------------------------------------------------------------------------------


class Face(TypedDict):
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
    faces: list[Face]


class Global(TypedDict):
    ability: int
    text: str
    gist: Annotated[str, _says("what it does in at most 40 characters")]
    cost: str
    asked: Annotated[bool, _says("it answers something, and is asked for when that happens")]


class Card(TypedDict):
    id: int
    key: Annotated[str, _says('"" for what is in no set, as a Sidekick')]
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
    gist: Annotated[str, _says("what it does in at most 60 characters, for tiles")]
    globals: list[Global]
    die: DieShape


class Setting(TypedDict):
    """A setting of the rules: what it is called, and one sentence."""

    words: str
    about: str


class EditionShown(TypedDict):
    key: str
    name: str
    text: Annotated[str, _says("the key and the house rules, as positions name them")]
    house: list[Setting]


class Table(TypedDict):
    """What does not change during a game."""

    edition: EditionShown
    format: str
    life: int
    seats: list[Seat]
    cards: list[Card]
    scripted: Seat | None
    readings: Annotated[list[Setting], _says("how the open points of the script are read, where not as usual")]


# --- the view: what everybody sees -----------------------------------------------------------------------------------


class Die(TypedDict):
    id: int
    card: int
    zone: Zone
    seat: Annotated[Seat | None, _says("null: a basic action nobody has bought")]
    face: Annotated[int | None, _says("null: not rolled")]
    a: NotRequired[Annotated[int, _says("of a character in the field, with all that changes it")]]
    d: NotRequired[int]
    printed_a: NotRequired[int]
    printed_d: NotRequired[int]
    damage: NotRequired[int]
    attacking: NotRequired[bool]
    blocks: NotRequired[Annotated[list[int], _says("the attackers it blocks")]]
    blocked: NotRequired[bool]
    held: NotRequired[Holding]
    holder: NotRequired[Annotated[int | None, _says("the die that holds it; null: a player, or nobody any more")]]
    cost: NotRequired[Annotated[int, _says("to field it")]]
    tags: NotRequired[list[str]]
    owner: NotRequired[Annotated[Seat, _says("where that is not whose side it is on")]]
    partner: NotRequired[Annotated[int, _says("the die it is paired with")]]


class Effect(TypedDict):
    """Something in force: for which dice, by which card, until when, by which rule."""

    text: str
    dice: list[int]
    card: int | None
    until: str
    rule: str


class Option(TypedDict):
    number: Annotated[int | None, _says("the engine's; null for a part it offers only after another part")]
    text: str
    what: str
    dice: list[int]
    to: int | None
    card: int | None
    hint: str
    attackers: NotRequired[Annotated[list[int], _says("all alike attackers a block may go to")]]
    several: NotRequired[Annotated[bool, _says("the die may block more than one attacker")]]
    amount: NotRequired[Annotated[int, _says("how much of a die is spent; of damage: what KOs it")]]
    leftover: NotRequired[Annotated[bool, _says("energy that belongs to no die")]]
    player: NotRequired[Annotated[int, _says("a player instead of a die: the number to send")]]
    seat: NotRequired[Annotated[Seat, _says("whose seat that player has")]]
    ability: NotRequired[int]


class Decision(TypedDict):
    seat: Seat
    kind: str
    mode: Mode
    question: str
    about: str
    card: Annotated[int | None, _says("the card whose text asks, or that is paid for")]
    min: int
    max: int
    total: int
    price: Annotated[int, _says("of a payment: all of it, with what is paid already")]
    over: Annotated[bool, _says("of damage: some may be held back for the player behind (Overcrush)")]
    options: list[Option]
    confirm: str
    none: str
    cancel: Annotated[bool, _says("what is paid for can be taken back: nothing has come of it yet, nobody is asked")]
    hold: Annotated[bool, _says("passing now can be followed by a last word, if the other adds nothing")]
    attack: NotRequired[Annotated[bool, _says("in the main step: an attack may follow, else going on ends the turn")]]


class News(TypedDict):
    text: str
    kind: NewsKind
    dice: list[int]
    seat: Seat | None
    amount: int


class Said(TypedDict):
    """Something that was said, and the number of the rule it stands on."""

    text: str
    rule: str


class Outcome(TypedDict):
    winner: str
    text: str


class Thrown(TypedDict):
    """A throw of fair dice that has been made."""

    number: int
    by: Annotated[Seat | None, _says("who acted and gave the word; null: nobody, or the table")]
    word: str
    texts: Annotated[list[str], _says("what was chosen, up to where the dice fell")]
    links: Annotated[dict[str, str], _says("what the others told, by the names of their chains")]
    without: Annotated[str, _says("seats whose part is missing")]


class View(TypedDict):
    """The table at one moment, the decision it waits for, and what has happened since the view before."""

    version: int
    move: Annotated[int, _says("options played so far")]
    turn: int
    active: Seat
    step: Step
    stage: str
    title: str
    life: dict[Seat, int]
    energy: Annotated[dict[Seat, int], _says("that belongs to no die")]
    dice: list[Die]
    effects: list[Effect]
    decision: Decision | None
    news: list[News]
    why: Annotated[Said | None, _says("the rule a scripted player has followed")]
    throw: Annotated[Thrown | None, _says("with fair dice: whose parts the dice of the latest choice came from")]
    result: Outcome | None


for _one in [one for one in vars().values() if is_typeddict(one)]:
    _one.__pydantic_config__ = {"extra": "forbid", "strict": True}  # that, all of that, and nothing else
