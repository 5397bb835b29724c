"""Node types of the card language: numbers, descriptions, conditions, events and rules, and the constants."""

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
    """Enter the row of a word that takes something in brackets."""

    def decorate(word: Callable[P, R]) -> Callable[P, R]:
        register(word.__name__, row)
        return checked_word(word)

    return decorate


def as_tuple(values: T | tuple[T, ...]) -> tuple[T, ...]:
    return values if isinstance(values, tuple) else (values,)


def register_effect(row: EffectMetadata) -> Callable[[C], C]:
    """Enter the row of a class that is an effect."""

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
HAND: Final = "hand"  # drawn and not yet put anywhere
PLACES: Final = (BAG, PREP, RESERVE, FIELD, USED, HAND)

END_OF_TURN: Final = "end of turn"
NEXT_TURN: Final = "your next turn"  # until the start of the controller's next turn
YOUR_HIT: Final = "you damage your opponent"  # until its player damages the opponent
NEXT_ATTACK: Final = "its next chance"  # used up by the next attack it could join
NEXT_ONE: Final = "next one"  # used up by the next die it bears on, this turn

NEXT_FIELDING: Final = "next fielding"  # until another die of the card is fielded
THIS_ATTACK: Final = "end of attack"  # until the attack step ends
END_OF_YOUR_TURN: Final = "end of your turn"  # until the end of the player's own turn: this one, or the next
END_OF_THEIR_TURN: Final = "end of their turn"  # until the end of the opponent's next turn
WHILE_THERE: Final = "while there"  # as long as it lies there

ALL: Final = 99


# what a word takes where it takes a text or a number

Symbol = Literal["F", "B", "M", "S"]
Place = Literal["bag", "prep", "reserve", "field", "used", "hand"]
Player = Literal["you", "opponent"]
Decider = Literal["you", "opponent", "its controller"]  # the last: of the die that the sentence is about
Comparison = Literal["=", "<", "<=", ">", ">="]
Source = Literal["action", "global", "ability", "combat", "when fielded", "when attacks"]
AbilityClass = Literal["when fielded", "when attacks"]  # of abilities, as they are printed
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
KeywordLabel = Literal["", "Enlistment", "Prep", "Resistance"]  # keywords that stand in front of a text of its own
KEYWORDS: Final[tuple[Keyword, ...]] = get_args(Keyword)

GrantDuration = Literal[
    "end of turn", "your next turn", "end of attack", "its next chance", "next one"
]  # of what is given
Level = Annotated[int, BoundedNumber(1, 3)]
LevelShown = Annotated[int, BoundedNumber(0, 3)]  # 0: as it shows
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
    """An amount that the game works out when it is needed."""

    op: str
    args: tuple[object, ...] = ()


Amount = Annotated[int, BoundedNumber(-ALL, ALL)] | Number
PositiveAmount = PositiveInt | Number  # at least 1
NonNegativeAmount = NonNegativeInt | Number
LevelAmount = Level | Number

UNNAMED_WORDS: dict[tuple[type, str], WordMetadata] = {}  # rows of words without brackets, which get their names below


def plain_number(row: NumberMetadata) -> Number:
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
    UNNAMED_WORDS[Where, row.op] = row
    return Where(row.op)


# --- choosing ------------------------------------------------------------------------------------------------------


class Select(Node):
    """A choice among what matches: `least` to `most` of them, made by `by`."""

    where: Where
    least: int = 1
    most: int = 1
    target: bool = False
    by: str = "you"  # you, opponent
    within: int = 0  # their fielding costs must not add up to more


Operand = Where | Select  # a description means all that match, a selection those picked

# --- conditions ----------------------------------------------------------------------------------------------------


class Condition(Node):
    op: str
    args: tuple[object, ...] = ()

    def __and__(self, other: Condition) -> Condition:
        return Condition("and", (self, other))

    def __invert__(self) -> Condition:
        return Condition("not", (self,))


def plain_condition(row: ConditionMetadata) -> Condition:
    UNNAMED_WORDS[Condition, row.op] = row
    return Condition(row.op)


# --- events --------------------------------------------------------------------------------------------------------


class Event(Node):
    """What sets a reaction off: the word, whom it must happen to, and who the other die may be."""

    word: str
    who: Where
    other: Where | None = None


# --- standing rules ------------------------------------------------------------------------------------------------


class Rule(Node):
    """Something that holds of dice: always, while a condition holds, or for a time once it was given to them."""

    word: str
    who: Operand
    a: Amount = 0
    d: Amount = 0
    by: Where | None = None
    text: str = ""
