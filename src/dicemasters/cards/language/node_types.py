"""Node types of the card language: numbers, descriptions, conditions, events and rules, and the constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal, ParamSpec, TypeVar, get_args

from dicemasters.cards.language.metadata import ConditionRow, DescriptionRow, EffectRow, NumberRow, Row, enter
from dicemasters.cards.language.node import Value
from dicemasters.cards.language.signatures import Energy, Listed, Name, Within, check_class, checked

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)
T = TypeVar("T")


def _word(row: Row) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Enter the row of a word that takes something in brackets."""

    def make(word: Callable[P, R]) -> Callable[P, R]:
        enter(word.__name__, row)
        return checked(word)

    return make


def _several(things: T | tuple[T, ...]) -> tuple[T, ...]:
    return things if isinstance(things, tuple) else (things,)


def _effect(row: EffectRow) -> Callable[[C], C]:
    """Enter the row of a class that is an effect."""

    def make(made: C) -> C:
        enter(made.__name__, row)
        check_class(made)
        return made

    return make


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
Class = Literal["when fielded", "when attacks"]  # of abilities, as they are printed
Limit = Literal["", "turn", "die", "together", "first", "moment"]
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
Label = Literal["", "Enlistment", "Prep", "Resistance"]  # keywords that stand in front of a text of its own
KEYWORDS: Final[tuple[Keyword, ...]] = get_args(Keyword)

Lasting = Literal["end of turn", "your next turn", "end of attack", "its next chance", "next one"]  # of what is given
Level = Annotated[int, Within(1, 3)]
LevelShown = Annotated[int, Within(0, 3)]  # 0: as it shows
Many = Annotated[int, Within(1, ALL)]
Some = Annotated[int, Within(0, ALL)]
Change = Annotated[int, Within(-ALL, ALL, zero=False)]
Price = Annotated[str, Energy()]
AnyPrice = Annotated[str, Energy(empty=True)]
CardName = Annotated[str, Name("a card")]
Affiliation = Annotated[str, Name("an affiliation")]
ThingName = Annotated[str, Name("a thing")]
Sources = Annotated[str, Listed(get_args(Source))]

# --- numbers -------------------------------------------------------------------------------------------------------


class Number(Value):
    """An amount that the game works out when it is needed."""

    op: str
    args: tuple[object, ...] = ()


Amount = Annotated[int, Within(-ALL, ALL)] | Number
Much = Many | Number  # at least 1
MuchOrNone = Some | Number
ALevel = Level | Number

_UNNAMED: dict[tuple[type, str], Row] = {}  # rows of words without brackets, which get their names below


def _number(row: NumberRow) -> Number:
    _UNNAMED[Number, row.op] = row
    return Number(row.op)


# --- which dice and players ----------------------------------------------------------------------------------------


class Where(Value):
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


def _describe(row: DescriptionRow) -> Where:
    _UNNAMED[Where, row.op] = row
    return Where(row.op)


# --- choosing ------------------------------------------------------------------------------------------------------


class Select(Value):
    """A choice among what matches: `least` to `most` of them, made by `by`."""

    where: Where
    least: int = 1
    most: int = 1
    target: bool = False
    by: str = "you"  # you, opponent
    within: int = 0  # their fielding costs must not add up to more


What = Where | Select  # a description means all that match, a selection those picked

# --- conditions ----------------------------------------------------------------------------------------------------


class Condition(Value):
    op: str
    args: tuple[object, ...] = ()

    def __and__(self, other: Condition) -> Condition:
        return Condition("and", (self, other))

    def __invert__(self) -> Condition:
        return Condition("not", (self,))


def _condition(row: ConditionRow) -> Condition:
    _UNNAMED[Condition, row.op] = row
    return Condition(row.op)


# --- events --------------------------------------------------------------------------------------------------------


class Event(Value):
    """What sets a reaction off: the word, whom it must happen to, and who the other die may be."""

    word: str
    who: Where
    other: Where | None = None


# --- standing rules ------------------------------------------------------------------------------------------------


class Rule(Value):
    """Something that holds of dice: always, while a condition holds, or for a time once it was given to them."""

    word: str
    who: What
    a: Amount = 0
    d: Amount = 0
    by: Where | None = None
    text: str = ""
