"""Puzzles for the browser: the initial position, the result of an attempt, hints, and the solution step by step.

The service is stateless: an attempt consists of all choices so far, replayed from the initial position.
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

LAST_DAY: Final = 3_652_059  # the last day of year 9999
_ESTIMATE_LINE: Final = re.compile(r"(.+) ([\d.]+)% \(([\d.]+)% to ([\d.]+)%\)")
MAX_HINTS: Final = 100
MAX_PUZZLE_NUMBER: Final = 1_000_000  # syntactic limit; the collection has fewer


class PuzzleNotFoundError(LookupError):
    """The puzzle number does not exist."""


class PuzzleTryRequest(RequestModel):
    """All choices of an attempt, from the initial position."""

    choices: Annotated[list[messages.Choice], Length(MAX_CHOICES)]


class PuzzleExplainRequest(PuzzleTryRequest):
    """Asks why something is illegal after these choices."""

    thing: messages.TargetRef


def build_puzzles() -> puzzle_schema.PuzzleList:
    """Return the list of puzzles."""
    return {"puzzles": [_puzzle_info(puzzle) for puzzle in collection().values()]}


def build_daily_puzzle(day: int) -> puzzle_schema.PuzzleOfDay:
    """Return the number of the puzzle of a day."""
    return {"day": day, "number": puzzle_of_day(day).number}


def build_puzzle(number: int) -> puzzle_schema.PuzzleDetails:
    """Return a puzzle in its initial position."""
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
    """Play the solver's choices and the opponent's replies; raise ValueError for a choice that cannot be made.

    An attempt ends with the first choice after which success can no longer be forced.
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
    """Return why something is illegal after these choices; the text is "" if no rule forbids it."""
    attempt, _ = _replay_choices(number, choices)
    try:
        return build_illegal_explanation(attempt.game, attempt.seat_letter, thing)
    except (ValueError, LookupError):
        raise ValueError("there is no such thing at this table") from None


def build_hint(number: int, n: int) -> puzzle_schema.PuzzleHint:
    """Return the n-th hint, counted from 1."""
    return {"text": hint_as_json(require_puzzle(number).number, n)}


def build_solution(number: int) -> puzzle_schema.PuzzleSolution:
    """Return the solution, with the table after each choice."""
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
    """Return a puzzle of the collection; raise PuzzleNotFoundError if there is none with this number."""
    try:
        return find_puzzle(number)
    except ValueError as error:
        raise PuzzleNotFoundError(str(error)) from None


def _puzzle_info(puzzle: Puzzle) -> puzzle_schema.PuzzleInfo:
    return {"number": puzzle.number, "goal": puzzle.goal.value, "grade": puzzle.grade}


def _verdict_lines(attempt: PuzzleAttempt) -> list[str]:
    return [attempt.success_message()] if attempt.verdict is YES else attempt.explain_failure()


def _buy_estimates(puzzle: Puzzle) -> list[puzzle_schema.BuyEstimate]:
    """Return the estimated value of every buy, for a puzzle about what to buy."""
    matches = [_ESTIMATE_LINE.fullmatch(line) for line in puzzle.line] if puzzle.goal is PuzzleGoal.BUY else []
    return [
        {"text": match[1], "share": float(match[2]), "low": float(match[3]), "high": float(match[4])}
        for match in matches
        if match is not None
    ]


def _ask_every_seat(seat: int) -> bool:
    """Return True: in a puzzle the final priority may be decisive, so it is always offered."""
    return True


def _replay_choices(number: int, choices: Sequence[object]) -> tuple[PuzzleAttempt, list[int]]:
    """Return an attempt after these choices, and the stops at which to show the last one (see `_views`)."""
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
    """Return the view with only the options to buy, if the puzzle is about what to buy."""
    decision = view["decision"]
    if decision is None or attempt.puzzle.goal is not PuzzleGoal.BUY:
        return view
    buys = [option for option in decision["options"] if option["what"] == "buy"]
    return {**view, "decision": {**decision, "options": buys}}


def _views(game: Game, turn: int, stops: Sequence[int]) -> Iterator[game_schema.View]:
    """Yield the table after each stop but the first, without a decision. Stops are numbers of moves.

    Nothing after the solver's turn is shown: the last view is the table at the end of that turn.
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
