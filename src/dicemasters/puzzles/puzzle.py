"""A puzzle as text, and the collection that comes with the program (docs/puzzles.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from dicemasters.game import Game
from dicemasters.players.rng import SplitMix64
from dicemasters.puzzles.solver import PuzzleGoal

FOLDER: Final = "collection"
ENDING: Final = ".puzzle"
HARDEST: Final = 5
GRADES: Final = (4, 8, 11, 14)  # points up to which a puzzle has grade 1, 2, 3, 4
_BETWEEN: Final = " | "
_FIELDS: Final = ("puzzle", "goal", "grade", "way", "line", "steps", "wrong", "tempting", "missed by", "from")


class PuzzleFileError(ValueError):
    """A file of a puzzle that cannot be read."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one way to a goal, and what was found out about it (docs/puzzles.md)."""

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
        """Give the position, to be played on."""
        return Game.from_text(self.position)

    def text(self) -> str:
        """Write the puzzle down; `read_puzzle` reads it."""
        said = {
            "puzzle": str(self.number),
            "goal": self.goal.value,
            "grade": str(self.grade),
            "way": _BETWEEN.join(self.way),
            "line": _BETWEEN.join(self.line),
            "steps": str(self.steps),
            "wrong": str(self.wrong),
            "tempting": str(self.tempting),
            "missed by": ", ".join(self.missed_by) or "nobody",
            "from": self.source,
        }
        return "".join(f"{field}: {words}\n" for field, words in said.items()) + f"\n{self.position.strip()}\n"


def difficulty_of(steps: int, wrong: int, tempting: int, missed_by: tuple[str, ...]) -> int:
    """Give how hard a puzzle is, from 1 to 5: by its steps, what is wrong and tempts there, and which levels miss it."""
    points = steps + wrong // 6 + tempting + 2 * len(missed_by)
    return 1 + sum(points > most for most in GRADES)


def read_puzzle(text: str, name: str) -> Puzzle:
    """Read a puzzle; a PuzzleFileError says what is wrong with it."""
    lines = text.splitlines()
    said: dict[str, str] = {}
    for field, line in zip(_FIELDS, [*lines, *[""] * len(_FIELDS)], strict=False):
        word, _, rest = line.partition(": ")
        if word != field or not rest.strip():
            raise PuzzleFileError(f"{name}: '{field}: ...' is missing")
        said[field] = rest.strip()
    for field in ("puzzle", "grade", "steps", "wrong", "tempting"):
        if not re.fullmatch(r"[0-9]{1,6}", said[field]):
            raise PuzzleFileError(f"{name}: '{field}' is a number, not '{said[field][:40]}'")
    if said["goal"] not in {goal.value for goal in PuzzleGoal}:
        raise PuzzleFileError(f"{name}: the goal is one of: {', '.join(goal.value for goal in PuzzleGoal)}")
    if not 1 <= int(said["grade"]) <= HARDEST:
        raise PuzzleFileError(f"{name}: the grade is a number from 1 to {HARDEST}")
    missed = () if said["missed by"] == "nobody" else tuple(said["missed by"].split(", "))
    return Puzzle(
        number=int(said["puzzle"]),
        goal=PuzzleGoal(said["goal"]),
        grade=int(said["grade"]),
        way=tuple(said["way"].split(_BETWEEN)),
        line=tuple(said["line"].split(_BETWEEN)),
        steps=int(said["steps"]),
        wrong=int(said["wrong"]),
        tempting=int(said["tempting"]),
        missed_by=missed,
        source=said["from"],
        position="\n".join(lines[len(_FIELDS) :]).strip() + "\n",
    )


# --- the collection ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def collection() -> dict[int, Puzzle]:
    """Give the puzzles that come with the program, by their numbers."""
    found = [
        read_puzzle(file.read_text(encoding="utf-8"), file.name)
        for file in files(__package__).joinpath(FOLDER).iterdir()
        if file.name.endswith(ENDING)
    ]
    return {puzzle.number: puzzle for puzzle in sorted(found, key=lambda puzzle: puzzle.number)}


def find_puzzle(number: int) -> Puzzle:
    """Give a puzzle of the collection; a ValueError says that there is none of this number."""
    found = collection().get(number)
    if found is None:
        raise ValueError(f"there is no puzzle {number}; there are puzzles 1 to {max(collection())}")
    return found


def puzzle_of_day(day: int) -> Puzzle:
    """Give the puzzle of a day, counted from any one: each of the collection once, then all of them in another order."""
    numbers = list(collection())
    chance = SplitMix64(day // len(numbers))
    for i in range(len(numbers) - 1, 0, -1):
        j = chance.below(i + 1)
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return collection()[numbers[day % len(numbers)]]
