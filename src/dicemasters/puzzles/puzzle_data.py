"""Puzzles as plain data, for whoever shows them: a page of the server, or of a browser without one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

from dicemasters.puzzles.attempt import TASKS, PuzzleAttempt
from dicemasters.puzzles.puzzle import Puzzle, collection, find_puzzle
from dicemasters.puzzles.solver import YES

MAX_CHOICES: Final = 100  # of one try; a turn has fewer
MAX_CHOICE_LENGTH: Final = 500  # letters


class PuzzleDict(TypedDict):
    """A puzzle as it is posed, without its answer."""

    number: int
    goal: str
    grade: int
    task: str
    player: str  # whose side the solver is on
    position: str


class AttemptDict(TypedDict):
    """What a try has come to: `open`, `solved` or `failed`, what is said about it, and what can be chosen next."""

    outcome: str
    said: list[str]
    log: list[str]
    position: str
    question: str
    options: list[str]


class SolutionDict(TypedDict):
    """The answer: what has to be done, a whole line, and sentences that tell both."""

    way: list[str]
    line: list[str]
    said: list[str]


def puzzles_as_json() -> list[dict[str, int | str]]:
    """List the puzzles of the collection: number, goal and grade."""
    return [{"number": p.number, "goal": p.goal.value, "grade": p.grade} for p in collection().values()]


def puzzle_as_json(number: int) -> PuzzleDict:
    """Give a puzzle; a ValueError says that there is none of this number."""
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
    """Play one's own choices, by their texts, with the opponent's answers between them; a ValueError says what is wrong.

    A try ends with the first choice that is not sure any more.
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
    """Give the puzzle after one's own choices; a ValueError says which cannot be made."""
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
    """Give the n-th hint, from 1."""
    return PuzzleAttempt(find_puzzle(number)).hint(n)


def solution_as_json(number: int) -> SolutionDict:
    """Give the answer."""
    puzzle = find_puzzle(number)
    return {"way": list(puzzle.way), "line": list(puzzle.line), "said": PuzzleAttempt(puzzle).solution()}
