"""What the server says of puzzles, as types; beside `contract`, from which the page's types are written too."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from dicemasters.service.protocol.game_schema import Seat, TableData, View
from dicemasters.service.protocol.validation import Description

if sys.version_info >= (3, 12):
    from typing import TypeAliasType, TypedDict, is_typeddict
else:
    from typing_extensions import TypeAliasType, TypedDict, is_typeddict

PuzzleGoal = TypeAliasType("PuzzleGoal", Literal["win", "survive", "buy"])
PuzzleOutcome = TypeAliasType("PuzzleOutcome", Literal["open", "solved", "failed"])


class PuzzleInfo(TypedDict):
    """A puzzle of the collection: what is to be reached, and how hard that is, from 1 to 5."""

    number: int
    goal: PuzzleGoal
    grade: int


class PuzzleList(TypedDict):
    puzzles: list[PuzzleInfo]


class PuzzleOfDay(TypedDict):
    """The puzzle of a day, the same for everybody."""

    day: Annotated[int, Description("counted from the first day of the year 1, in UTC")]
    number: int


class PuzzleDetails(PuzzleInfo):
    """A puzzle as it is posed: the table, the position, whose side the solver is on, how many hints there are."""

    seat: Seat
    hints: int
    table: TableData
    view: View


class BuyEstimate(TypedDict):
    """A buy, the share of games that were won after it, and the 95 % interval of that."""

    text: str
    share: float
    low: float
    high: float


class PuzzleProgress(TypedDict):
    """What a try has come to: what is said about it, and what is seen of the last choice and the answers to it."""

    outcome: PuzzleOutcome
    said: list[str]
    measured: Annotated[list[BuyEstimate], Description("of what to buy, when it was tried: every buy, the best first")]
    views: list[View]


class PuzzleHint(TypedDict):
    text: str


class SolutionStep(TypedDict):
    """A choice of the solution: whose it is, its text, and the table after it."""

    seat: Seat
    text: str
    view: View


class PuzzleSolution(TypedDict):
    """The answer: what has to be done, and the choices one after the other against the hardest answers."""

    way: list[str]
    measured: list[BuyEstimate]
    steps: list[SolutionStep]


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}
