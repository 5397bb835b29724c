"""Puzzle files, and the collection that comes with the program (docs/puzzles.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from dicemasters.game import Game
from dicemasters.players.rng import SplitMix64
from dicemasters.puzzles.solver import PuzzleGoal

COLLECTION_FOLDER: Final = "collection"
FILE_SUFFIX: Final = ".puzzle"
MAX_GRADE: Final = 5
GRADE_THRESHOLDS: Final = (4, 8, 11, 14)  # maximum points of grades 1, 2, 3 and 4
_SEPARATOR: Final = " | "
_FIELDS: Final = ("puzzle", "goal", "grade", "way", "line", "steps", "wrong", "tempting", "missed by", "from")


class PuzzleFileError(ValueError):
    """An invalid puzzle file."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one way to a goal, and the results of its analysis (docs/puzzles.md)."""

    number: int
    goal: PuzzleGoal
    grade: int
    way: tuple[str, ...]
    line: tuple[str, ...]
    steps: int
    wrong: int
    tempting: int
    missed_by: tuple[str, ...]
    source: str
    position: str

    @property
    def game(self) -> Game:
        """A game that continues from the position."""
        return Game.from_text(self.position)

    def text(self) -> str:
        """Return the puzzle as text; `read_puzzle` is the inverse."""
        values = {
            "puzzle": str(self.number),
            "goal": self.goal.value,
            "grade": str(self.grade),
            "way": _SEPARATOR.join(self.way),
            "line": _SEPARATOR.join(self.line),
            "steps": str(self.steps),
            "wrong": str(self.wrong),
            "tempting": str(self.tempting),
            "missed by": ", ".join(self.missed_by) or "nobody",
            "from": self.source,
        }
        return "".join(f"{field}: {value}\n" for field, value in values.items()) + f"\n{self.position.strip()}\n"


def difficulty_of(steps: int, wrong: int, tempting: int, missed_by: tuple[str, ...]) -> int:
    """Return the difficulty of a puzzle, from 1 to 5.

    It grows with the number of steps, the wrong and tempting options at these steps, and the bot levels that miss the
    solution.
    """
    points = steps + wrong // 6 + tempting + 2 * len(missed_by)
    return 1 + sum(points > threshold for threshold in GRADE_THRESHOLDS)


def read_puzzle(text: str, name: str) -> Puzzle:
    """Return the puzzle in a text. Raise `PuzzleFileError` if it is invalid."""
    lines = text.splitlines()
    values: dict[str, str] = {}
    for field, line in zip(_FIELDS, [*lines, *[""] * len(_FIELDS)], strict=False):
        word, _, value = line.partition(": ")
        if word != field or not value.strip():
            raise PuzzleFileError(f"{name}: '{field}: ...' is missing")
        values[field] = value.strip()
    for field in ("puzzle", "grade", "steps", "wrong", "tempting"):
        if not re.fullmatch(r"[0-9]{1,6}", values[field]):
            raise PuzzleFileError(f"{name}: '{field}' is a number, not '{values[field][:40]}'")
    if values["goal"] not in {goal.value for goal in PuzzleGoal}:
        raise PuzzleFileError(f"{name}: the goal is one of: {', '.join(goal.value for goal in PuzzleGoal)}")
    if not 1 <= int(values["grade"]) <= MAX_GRADE:
        raise PuzzleFileError(f"{name}: the grade is a number from 1 to {MAX_GRADE}")
    missed_by = () if values["missed by"] == "nobody" else tuple(values["missed by"].split(", "))
    return Puzzle(
        number=int(values["puzzle"]),
        goal=PuzzleGoal(values["goal"]),
        grade=int(values["grade"]),
        way=tuple(values["way"].split(_SEPARATOR)),
        line=tuple(values["line"].split(_SEPARATOR)),
        steps=int(values["steps"]),
        wrong=int(values["wrong"]),
        tempting=int(values["tempting"]),
        missed_by=missed_by,
        source=values["from"],
        position="\n".join(lines[len(_FIELDS) :]).strip() + "\n",
    )


# --- the collection ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def collection() -> dict[int, Puzzle]:
    """Return the puzzles that come with the program, by number."""
    puzzles = [
        read_puzzle(file.read_text(encoding="utf-8"), file.name)
        for file in files(__package__).joinpath(COLLECTION_FOLDER).iterdir()
        if file.name.endswith(FILE_SUFFIX)
    ]
    return {puzzle.number: puzzle for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.number)}


def find_puzzle(number: int) -> Puzzle:
    """Return a puzzle of the collection. Raise `ValueError` if there is none with this number."""
    puzzle = collection().get(number)
    if puzzle is None:
        raise ValueError(f"there is no puzzle {number}; there are puzzles 1 to {max(collection())}")
    return puzzle


def puzzle_of_day(day: int) -> Puzzle:
    """Return the puzzle of a day, counted from an arbitrary epoch.

    Each puzzle of the collection appears once, then all of them again in another order.
    """
    numbers = list(collection())
    rng = SplitMix64(day // len(numbers))
    for i in range(len(numbers) - 1, 0, -1):
        j = rng.below(i + 1)
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return collection()[numbers[day % len(numbers)]]
