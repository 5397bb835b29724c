"""Puzzles as JSON, for a server or for a browser without one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

from dicemasters.puzzles.attempt import TASKS, PuzzleAttempt
from dicemasters.puzzles.puzzle import Puzzle, collection, find_puzzle
from dicemasters.puzzles.solver import YES

MAX_CHOICES: Final = 100  # choices per attempt; a turn has fewer
MAX_CHOICE_LENGTH: Final = 500  # characters


class PuzzleDict(TypedDict):
    """A puzzle without its solution."""

    number: int
    goal: str
    grade: int
    task: str
    player: str  # player to solve for
    position: str


class AttemptDict(TypedDict):
    """The state of an attempt: `open`, `solved` or `failed`, with explanations and the next options."""

    outcome: str
    said: list[str]
    log: list[str]
    position: str
    question: str
    options: list[str]


class SolutionDict(TypedDict):
    """The solution: the required steps, a complete line, and an explanation of both."""

    way: list[str]
    line: list[str]
    said: list[str]


def puzzles_as_json() -> list[dict[str, int | str]]:
    """Return the number, goal and grade of each puzzle of the collection."""
    return [{"number": p.number, "goal": p.goal.value, "grade": p.grade} for p in collection().values()]


def puzzle_as_json(number: int) -> PuzzleDict:
    """Return a puzzle. Raise `ValueError` if there is none with this number."""
    puzzle = find_puzzle(number)
    decision = puzzle.game.decision
    return {
        "number": puzzle.number,
        "goal": puzzle.goal.value,
        "grade": puzzle.grade,
        "task": TASKS[puzzle.goal],
        "player": decision.player if decision else "",
        "position": puzzle.position,
    }


def attempt_as_json(number: int, choices: Sequence[str]) -> AttemptDict:
    """Play the solver's choices, given as texts, with the opponent's replies, and return the result.

    An attempt ends with the first choice after which the goal is no longer certain. Raise `ValueError` if a choice is
    invalid.
    """
    if len(choices) > MAX_CHOICES or any(len(c) > MAX_CHOICE_LENGTH for c in choices):
        raise ValueError(f"a try has at most {MAX_CHOICES} choices, each a text of at most {MAX_CHOICE_LENGTH} letters")
    attempt = attempt_at(find_puzzle(number), choices)
    over = attempt.is_over
    sure = attempt.verdict is YES
    decision = attempt.game.decision if sure and not over else None
    return {
        "outcome": ("solved" if over else "open") if sure else "failed",
        "said": [] if sure and not over else [attempt.success_message()] if sure else attempt.explain_failure(),
        "log": list(attempt.game.log),
        "position": attempt.game.to_text(),
        "question": decision.question if decision else "",
        "options": [str(option) for option in decision.options] if decision else [],
    }


def attempt_at(puzzle: Puzzle, choices: Sequence[str]) -> PuzzleAttempt:
    """Return the attempt after these choices. Raise `ValueError` if one of them is impossible."""
    attempt = PuzzleAttempt(puzzle)
    attempt.play_forced_moves()
    for choice in choices:
        if attempt.is_over or attempt.verdict is not YES:
            raise ValueError(f"'{choice[:60]}': this try is over")
        attempt.game.play(choice)
        if attempt.verdict is YES:
            attempt.play_forced_moves()
    return attempt


def hint_as_json(number: int, n: int) -> str:
    """Return the n-th hint, counted from 1."""
    return PuzzleAttempt(find_puzzle(number)).hint(n)


def solution_as_json(number: int) -> SolutionDict:
    """Return the solution of a puzzle."""
    puzzle = find_puzzle(number)
    return {"way": list(puzzle.way), "line": list(puzzle.line), "said": PuzzleAttempt(puzzle).solution()}
