"""Wire types of puzzles."""

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
    """A puzzle of the collection: its goal, and its difficulty from 1 to 5."""

    number: int
    goal: PuzzleGoal
    grade: int


class PuzzleList(TypedDict):
    """All puzzles."""

    puzzles: list[PuzzleInfo]


class PuzzleOfDay(TypedDict):
    """The puzzle of a day, the same for all players."""

    day: Annotated[int, Description("day number in UTC; 1 is the first day of year 1")]
    number: int


class PuzzleDetails(PuzzleInfo):
    """A puzzle in its initial position: the table, the view, the solver's seat, and the number of hints."""

    seat: Seat
    hints: int
    table: TableData
    view: View


class BuyEstimate(TypedDict):
    """A buy, the share of games won after it, and the 95 % interval of that share."""

    text: str
    share: float
    low: float
    high: float


class PuzzleProgress(TypedDict):
    """The state of an attempt: its outcome and comments, and the views after the last choice and its replies."""

    outcome: PuzzleOutcome
    said: list[str]
    measured: Annotated[
        list[BuyEstimate], Description("puzzles about what to buy, after the attempt: all buys, best first")
    ]
    views: list[View]


class PuzzleHint(TypedDict):
    """A hint."""

    text: str


class SolutionStep(TypedDict):
    """A choice of the solution: its seat, its text, and the table after it."""

    seat: Seat
    text: str
    view: View


class PuzzleSolution(TypedDict):
    """The solution: the choices required, and a full line of play against the hardest replies."""

    way: list[str]
    measured: list[BuyEstimate]
    steps: list[SolutionStep]


for _schema in [value for value in vars().values() if is_typeddict(value)]:
    _schema.__pydantic_config__ = {"extra": "forbid", "strict": True}
