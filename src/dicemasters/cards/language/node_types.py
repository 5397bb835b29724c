"""Node types of the card language (numbers, descriptions, conditions, events, rules), constants and argument types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal, ParamSpec, TypeVar, get_args

from dicemasters.cards.language.metadata import (
    ConditionMetadata,
    DescriptionMetadata,
    EffectMetadata,
    NumberMetadata,
    WordMetadata,
    register,
)
from dicemasters.cards.language.node import Node
from dicemasters.cards.language.signatures import (
    BoundedNumber,
    CommaList,
    EnergyCost,
    QuotedName,
    check_node_class,
    checked_word,
)

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)
T = TypeVar("T")


def register_word(row: WordMetadata) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that registers the metadata of a word function and checks its arguments."""

    def decorate(word: Callable[P, R]) -> Callable[P, R]:
        register(word.__name__, row)
        return checked_word(word)

    return decorate


def as_tuple(values: T | tuple[T, ...]) -> tuple[T, ...]:
    """Return `values` as a tuple."""
    return values if isinstance(values, tuple) else (values,)


def register_effect(row: EffectMetadata) -> Callable[[C], C]:
    """Return a decorator that registers the metadata of an effect class and checks its fields."""

    def decorate(cls: C) -> C:
        register(cls.__name__, row)
        check_node_class(cls)
        return cls

    return decorate


# --- energy, places, durations -------------------------------------------------------------------------------------

FIST: Final = "F"
BOLT: Final = "B"
MASK: Final = "M"
SHIELD: Final = "S"
TYPES: Final = (FIST, BOLT, MASK, SHIELD)

BAG: Final = "bag"
PREP: Final = "prep"
RESERVE: Final = "reserve"
FIELD: Final = "field"
USED: Final = "used"
HAND: Final = "hand"  # drawn dice that have not been placed yet
PLACES: Final = (BAG, PREP, RESERVE, FIELD, USED, HAND)

END_OF_TURN: Final = "end of turn"
NEXT_TURN: Final = "your next turn"  # until the start of the controller's next turn
YOUR_HIT: Final = "you damage your opponent"  # until the controller damages the opponent
NEXT_ATTACK: Final = "its next chance"  # expires with the next attack the die could join
NEXT_ONE: Final = "next one"  # expires this turn with the first die it applies to

NEXT_FIELDING: Final = "next fielding"  # until another die of the card is fielded
THIS_ATTACK: Final = "end of attack"  # until the attack step ends
END_OF_YOUR_TURN: Final = "end of your turn"  # until the end of the controller's current or next turn
END_OF_THEIR_TURN: Final = "end of their turn"  # until the end of the opponent's next turn
WHILE_THERE: Final = "while there"  # as long as the die stays there

ALL: Final = 99


# --- argument types: strings and numbers ---------------------------------------------------------------------------

Symbol = Literal["F", "B", "M", "S"]
Place = Literal["bag", "prep", "reserve", "field", "used", "hand"]
Player = Literal["you", "opponent"]
Decider = Literal["you", "opponent", "its controller"]  # the controller of the die that the ability is about
Comparison = Literal["=", "<", "<=", ">", ">="]
Source = Literal["action", "global", "ability", "combat", "when fielded", "when attacks"]
AbilityClass = Literal["when fielded", "when attacks"]  # printed classes of abilities
LimitKind = Literal["", "turn", "die", "together", "first", "moment"]
Keyword = Literal[
    "Ally",
    "Amplify",
    "Attune",
    "Continuous",
    "Deadly",
    "Enlistment",
    "Fast",
    "Heroic",
    "Impulse",
    "Intimidate",
    "Iron Will",
    "Overcrush",
    "Prep",
    "Resistance",
    "Suit Up",
]
KeywordLabel = Literal["", "Enlistment", "Prep", "Resistance"]  # keywords that label an ability
KEYWORDS: Final[tuple[Keyword, ...]] = get_args(Keyword)

GrantDuration = Literal[
    "end of turn", "your next turn", "end of attack", "its next chance", "next one"
]  # durations of a grant
Level = Annotated[int, BoundedNumber(1, 3)]
LevelShown = Annotated[int, BoundedNumber(0, 3)]  # 0: the level shown
PositiveInt = Annotated[int, BoundedNumber(1, ALL)]
NonNegativeInt = Annotated[int, BoundedNumber(0, ALL)]
NonZeroInt = Annotated[int, BoundedNumber(-ALL, ALL, zero=False)]
EnergyPrice = Annotated[str, EnergyCost()]
OptionalEnergyPrice = Annotated[str, EnergyCost(empty=True)]
CardName = Annotated[str, QuotedName("a card")]
Affiliation = Annotated[str, QuotedName("an affiliation")]
ObjectName = Annotated[str, QuotedName("a thing")]
Sources = Annotated[str, CommaList(get_args(Source))]

# --- numbers -------------------------------------------------------------------------------------------------------


class Number(Node):
    """An amount computed by the game when it is needed."""

    op: str
    args: tuple[object, ...] = ()


Amount = Annotated[int, BoundedNumber(-ALL, ALL)] | Number
PositiveAmount = PositiveInt | Number
NonNegativeAmount = NonNegativeInt | Number
LevelAmount = Level | Number

UNNAMED_WORDS: dict[tuple[type, str], WordMetadata] = {}  # metadata of words without arguments, named in `vocabulary`


def plain_number(row: NumberMetadata) -> Number:
    """Return a number without arguments, and record its metadata for `vocabulary`."""
    UNNAMED_WORDS[Number, row.op] = row
    return Number(row.op)


# --- which dice and players ----------------------------------------------------------------------------------------


class Where(Node):
    """A description of dice or players; descriptions combine with & | ~ and -."""

    op: str
    args: tuple[object, ...] = ()

    def __and__(self, other: Where) -> Where:
        return Where("and", (self, other))

    def __or__(self, other: Where) -> Where:
        return Where("or", (self, other))

    def __invert__(self) -> Where:
        return Where("not", (self,))

    def __sub__(self, other: Where) -> Where:
        return self & ~other


def plain_description(row: DescriptionMetadata) -> Where:
    """Return a description without arguments, and record its metadata for `vocabulary`."""
    UNNAMED_WORDS[Where, row.op] = row
    return Where(row.op)


# --- choosing ------------------------------------------------------------------------------------------------------


class Select(Node):
    """A choice of `least` to `most` matching dice or players, made by the player `by`."""

    where: Where
    least: int = 1
    most: int = 1
    target: bool = False
    by: str = "you"  # the choosing player: "you", "opponent" or "payer"
    within: int = 0  # maximum total of the fielding costs, 0 for no limit


Operand = Where | Select  # a description means all matches, a selection the chosen ones

# --- conditions ----------------------------------------------------------------------------------------------------


class Condition(Node):
    """A condition; conditions combine with & and ~."""

    op: str
    args: tuple[object, ...] = ()

    def __and__(self, other: Condition) -> Condition:
        return Condition("and", (self, other))

    def __invert__(self) -> Condition:
        return Condition("not", (self,))


def plain_condition(row: ConditionMetadata) -> Condition:
    """Return a condition without arguments, and record its metadata for `vocabulary`."""
    UNNAMED_WORDS[Condition, row.op] = row
    return Condition(row.op)


# --- events --------------------------------------------------------------------------------------------------------


class Event(Node):
    """An event that triggers an ability: its word, the die or player it happens to, and the other one involved."""

    word: str
    who: Where
    other: Where | None = None


# --- standing rules ------------------------------------------------------------------------------------------------


class Rule(Node):
    """A static rule about dice or players: permanent, conditional, or granted for a time."""

    word: str
    who: Operand
    a: Amount = 0
    d: Amount = 0
    by: Where | None = None
    text: str = ""
