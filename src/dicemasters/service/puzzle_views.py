"""Puzzles for the browser: a puzzle as it lies on the table, what a try comes to, hints, and the answer step by step.

Nothing is kept here. A try is all choices that were made so far, played again from where the puzzle begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Annotated, Final

from dicemasters.game import Game
from dicemasters.puzzles.attempt import PuzzleAttempt
from dicemasters.puzzles.puzzle import Puzzle, collection, find_puzzle, puzzle_of_day
from dicemasters.puzzles.puzzle_data import MAX_CHOICES, hint_as_json
from dicemasters.puzzles.solver import YES, PuzzleGoal, successor
from dicemasters.service.games.choices import apply_choice
from dicemasters.service.games.explanations import build_illegal_explanation
from dicemasters.service.games.view_builder import build_table, build_view
from dicemasters.service.protocol import game_schema, messages, puzzle_schema
from dicemasters.service.protocol.validation import Length, RequestModel

LAST_DAY: Final = 3_652_059  # the last that a calendar has
_ESTIMATE_LINE: Final = re.compile(r"(.+) ([\d.]+)% \(([\d.]+)% to ([\d.]+)%\)")
MAX_HINTS: Final = 100
MAX_PUZZLE_NUMBER: Final = 1_000_000  # as a number; which there are is another matter


class PuzzleNotFoundError(LookupError):
    """There is no puzzle of this number."""


class PuzzleTryRequest(RequestModel):
    """All choices of a try, from where the puzzle begins."""

    choices: Annotated[list[messages.Choice], Length(MAX_CHOICES)]


class PuzzleExplainRequest(PuzzleTryRequest):
    """Asks, after these choices, why something cannot be done."""

    thing: messages.TargetRef


def build_puzzles() -> puzzle_schema.PuzzleList:
    """List the puzzles."""
    return {"puzzles": [_puzzle_info(puzzle) for puzzle in collection().values()]}


def build_daily_puzzle(day: int) -> puzzle_schema.PuzzleOfDay:
    """Name the puzzle of a day."""
    return {"day": day, "number": puzzle_of_day(day).number}


def build_puzzle(number: int) -> puzzle_schema.PuzzleDetails:
    """Give a puzzle as it is posed."""
    puzzle = require_puzzle(number)
    attempt = PuzzleAttempt(puzzle)
    attempt.play_forced_moves()
    return {
        **_puzzle_info(puzzle),
        "seat": game_schema.SEATS[attempt.seat],
        "hints": len(puzzle.way) + 1,
        "table": build_table(attempt.game.table),
        "view": _restrict_to_buys(attempt, build_view(attempt.game)),
    }


def play_puzzle(number: int, choices: Sequence[object]) -> puzzle_schema.PuzzleProgress:
    """Play one's own choices with the opponent's answers between them; a ValueError says which cannot be made.

    A try ends with the first choice after which nothing is sure any more.
    """
    attempt, stops = _replay_choices(number, choices)
    turn = attempt.puzzle.game.state.turn
    is_winning, settled = attempt.verdict is YES, _is_settled(attempt)
    views = list(_views(attempt.game, turn, stops))
    if views and not settled:
        views[-1] = _restrict_to_buys(attempt, {**views[-1], "decision": build_view(attempt.game)["decision"]})
    return {
        "outcome": "failed" if not is_winning else "solved" if settled else "open",
        "said": [] if not settled or attempt.puzzle.goal is PuzzleGoal.BUY else _verdict_lines(attempt),
        "measured": _buy_estimates(attempt.puzzle) if settled else [],
        "views": views,
    }


def explain_puzzle_refusal(number: int, choices: Sequence[object], thing: object) -> game_schema.Explanation:
    """Give one sentence why that cannot be done after these choices; "" if nothing in the rules forbids it."""
    attempt, _ = _replay_choices(number, choices)
    try:
        return build_illegal_explanation(attempt.game, attempt.seat_letter, thing)
    except (ValueError, LookupError):
        raise ValueError("there is no such thing at this table") from None


def build_hint(number: int, n: int) -> puzzle_schema.PuzzleHint:
    """Give the n-th hint, from 1."""
    return {"text": hint_as_json(require_puzzle(number).number, n)}


def build_solution(number: int) -> puzzle_schema.PuzzleSolution:
    """Give the answer, and each choice of it on the table."""
    puzzle = require_puzzle(number)
    game, turn = puzzle.game, puzzle.game.state.turn
    steps: list[puzzle_schema.SolutionStep] = []
    for text in puzzle.way[:1] if puzzle.goal is PuzzleGoal.BUY else puzzle.line:
        seat = game_schema.SEATS[game.state.decision.seat]
        game.play(text)
        (view,) = _views(game, turn, [len(game.moves) - 1, len(game.moves)])
        steps.append({"seat": seat, "text": text, "view": view})
    return {"way": list(puzzle.way), "measured": _buy_estimates(puzzle), "steps": steps}


def require_puzzle(number: int) -> Puzzle:
    """Give a puzzle of the collection; a PuzzleNotFoundError says that there is none of this number."""
    try:
        return find_puzzle(number)
    except ValueError as error:
        raise PuzzleNotFoundError(str(error)) from None


def _puzzle_info(puzzle: Puzzle) -> puzzle_schema.PuzzleInfo:
    return {"number": puzzle.number, "goal": puzzle.goal.value, "grade": puzzle.grade}


def _verdict_lines(attempt: PuzzleAttempt) -> list[str]:
    return [attempt.success_message()] if attempt.verdict is YES else attempt.explain_failure()


def _buy_estimates(puzzle: Puzzle) -> list[puzzle_schema.BuyEstimate]:
    """Give what every buy was found to be worth, where the puzzle is what to buy."""
    matches = [_ESTIMATE_LINE.fullmatch(line) for line in puzzle.line] if puzzle.goal is PuzzleGoal.BUY else []
    return [
        {"text": match[1], "share": float(match[2]), "low": float(match[3]), "high": float(match[4])}
        for match in matches
        if match is not None
    ]


def _ask_every_seat(seat: int) -> bool:
    """A last word may be the point of a puzzle, so nobody's is passed over."""
    return True


def _replay_choices(number: int, choices: Sequence[object]) -> tuple[PuzzleAttempt, list[int]]:
    """Give a try after these choices, and after how many moves there is something to see of the last."""
    attempt = PuzzleAttempt(require_puzzle(number))
    attempt.play_forced_moves()
    stops: list[int] = []
    for choice in choices:
        if _is_settled(attempt):
            raise ValueError("this try is over")
        before = len(attempt.game.moves)
        attempt.game = apply_choice(attempt.game, choice, _ask_every_seat).game
        chosen = len(attempt.game.moves)
        if attempt.verdict is YES:
            attempt.play_forced_moves()
        stops = [before, *range(chosen, len(attempt.game.moves) + 1)]
    return attempt, stops


def _is_settled(attempt: PuzzleAttempt) -> bool:
    return attempt.is_over or attempt.verdict is not YES


def _restrict_to_buys(attempt: PuzzleAttempt, view: game_schema.View) -> game_schema.View:
    """Ask only for a buy where the puzzle is what to buy."""
    decision = view["decision"]
    if decision is None or attempt.puzzle.goal is not PuzzleGoal.BUY:
        return view
    buys = [option for option in decision["options"] if option["what"] == "buy"]
    return {**view, "decision": {**decision, "options": buys}}


def _views(game: Game, turn: int, stops: Sequence[int]) -> Iterator[game_schema.View]:
    """Show the table after each stop but the first, which are numbers of moves; nobody is asked anything there.

    What comes after the turn is not shown: the table stays as it was when that ended.
    """
    for before, stop in pairwise(stops):
        position = game.copy()
        position.undo(len(game.moves) - stop)
        view = build_view(position, stop, before)
        last_text = ""
        while position.state.turn != turn:
            last_text = position.moves[-1].text
            position.undo()
        if last_text:
            active = game_schema.SEATS[position.state.active]
            news = list(takewhile(lambda line: line["kind"] != "turn", view["news"]))
            position.state = successor(position.state, position.state.options[position.find(last_text)])
            view = {**build_view(position, stop), "active": active, "step": "cleanup", "move": stop, "news": news}
        yield {**view, "decision": None}
