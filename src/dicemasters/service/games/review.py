"""Post-game analysis: the value of each choice, the choice of a strong player, and the reason for it.

The room supplies the decisions as positions (`collect_decisions`). They are analysed in the background
(`rate_decisions`, `search_position`) under a time limit, so a client requests the review of a whole game part by part.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypedDict

from dicemasters.game import Game
from dicemasters.game.inspect.view import side_of
from dicemasters.players.analysis import analyse, option_in_context, rate_choice
from dicemasters.service.games.room import ActionRejectedError, Room
from dicemasters.service.games.session import GameSession
from dicemasters.service.protocol import game_schema, http_schema

MAX_STEPS = 12  # per request
RATING_SECONDS = 0.8  # CPU time per request
SEARCH_SECONDS = 0.8
RATING_ROLLOUTS = 48
SEARCH_ROLLOUTS = 240
MIN_ADVANTAGE = 0.02  # minimum advantage in win chance for which a better choice is named


class ReviewDecision(TypedDict):
    """A decision of a game, with the option that was chosen."""

    step: int  # index of the choice within the game
    text: str  # position in notation
    chosen: str


class ReviewRating(TypedDict):
    """The rating of a decision: A's win chance with the best option, and with the one that was chosen."""

    step: int
    seat: game_schema.Seat
    turn: int
    best: float
    chosen: float
    better: str  # the best option if it is clearly better than the chosen one, otherwise ""


async def review_game(room: Room, start: int) -> http_schema.GameReviewData:
    """Rate the choices of a finished game from a step on, as many as the time limit allows."""
    session = await room.snapshot()
    if not session.is_over and not session.setup.record:
        raise ActionRejectedError("a game can only be reviewed when it is over")
    steps = len(session.step_offsets) - 1
    decisions = await room.registry.executor.run_for_client(collect_decisions, session, start, MAX_STEPS)
    ratings = await room.registry.job_runner.run("rate", moments=decisions) if decisions else []
    next_step = min(start + MAX_STEPS, steps) if len(ratings) == len(decisions) else decisions[len(ratings)]["step"]
    # a step too long for the time limit is returned partly rated, so that the review advances
    if len(ratings) < len(decisions) and ratings[0]["step"] == next_step:
        next_step += 1
    complete = [rating for rating in ratings if rating["step"] < next_step]
    return {"steps": merge_by_step(complete), "next": next_step if next_step < steps else None}


async def suggest_move(room: Room, step: int | None = None) -> http_schema.MoveSuggestion:
    """Analyse the current decision or an earlier step; only in a finished game or a game against bots."""
    session = await room.snapshot()
    if not session.is_over and not session.setup.record and len(session.setup.people) > 1:
        raise ActionRejectedError("hints are only for games against the program; review this game when it is over")
    last = len(session.step_offsets) - 1
    step = last if step is None else step
    if step > last:
        raise ActionRejectedError(f"the game has no step {step}; there are {last}")
    if step < last:
        decisions = await room.registry.executor.run_for_client(collect_decisions, session, step, 1)
        if not decisions:
            raise ActionRejectedError("there was no choice at this step")
        text, chosen = decisions[0]["text"], decisions[0]["chosen"]
    elif session.is_over:
        raise ActionRejectedError("the game is over at this step")
    else:
        text, chosen = session.game.to_text(), ""
    suggestion: http_schema.MoveSuggestion = await room.registry.job_runner.run("thought", text=text, chosen=chosen)
    return suggestion


def collect_decisions(session: GameSession, start: int, count: int) -> list[ReviewDecision]:
    """Return the decisions of `count` steps of a game in order."""
    offsets = session.step_offsets
    end_step = min(start + count, len(offsets) - 1)
    game, texts = session.game.copy(), [move.text for move in session.game.moves]
    decisions: list[ReviewDecision] = []
    for step in range(end_step - 1, start - 1, -1):
        for number in range(offsets[step + 1] - 1, offsets[step] - 1, -1):
            game.undo(len(game.moves) - number)
            if len(game.state.options) > 1:
                decisions.append({"step": step, "text": game.to_text(), "chosen": texts[number]})
    return decisions[::-1]


def rate_decisions(decisions: list[ReviewDecision]) -> list[ReviewRating]:
    """Rate the first decisions, at least one, until the time limit is reached."""
    is_over_time = _cpu_deadline(RATING_SECONDS)
    ratings: list[ReviewRating] = []
    for decision in decisions:
        if ratings and is_over_time():
            break
        game = Game.from_text(decision["text"])
        best, chosen = rate_choice(game, decision["chosen"], tries=RATING_ROLLOUTS)
        seat = game.state.decision.seat
        is_a = side_of(seat) == 0
        clearly = best.index != chosen.index and best.chance - chosen.chance >= MIN_ADVANTAGE
        ratings.append(
            {
                "step": decision["step"],
                "seat": game_schema.SEATS[seat],
                "turn": game.state.turn,
                "best": best.chance if is_a else 1 - best.chance,
                "chosen": chosen.chance if is_a else 1 - chosen.chance,
                "better": option_in_context(game.state, best.text) if clearly else "",
            }
        )
    return ratings


def merge_by_step(ratings: list[ReviewRating]) -> list[http_schema.RatedStep]:
    """Merge the ratings of each step: the seat's best chance before its first part, the chance after its last."""
    steps: dict[int, http_schema.RatedStep] = {}
    for rating in ratings:
        merged = steps.get(rating["step"])
        if merged is None:
            steps[rating["step"]] = {
                "step": rating["step"],
                "seat": rating["seat"],
                "turn": rating["turn"],
                "best": rating["best"],
                "chosen": rating["chosen"],
                "better": rating["better"],
            }
        else:
            merged["chosen"] = rating["chosen"]
            merged["better"] = merged["better"] or rating["better"]
    return list(steps.values())


def search_position(text: str, chosen: str) -> http_schema.MoveSuggestion:
    """Analyse the options of a position under a time limit; `chosen` marks the option that was taken."""
    game = Game.from_text(text)
    analysis = analyse(game, tries=SEARCH_ROLLOUTS, stop=_cpu_deadline(SEARCH_SECONDS))
    return {
        "seat": game_schema.SEATS[game.state.decision.seat],
        "options": [
            {
                "text": option_in_context(game.state, option.text),
                "chance": option.chance,
                "margin": option.margin,
                "was_taken": option.text == chosen,
            }
            for option in analysis.options
        ],
        "line": list(analysis.line),
        "why": analysis.why,
    }


def _cpu_deadline(seconds: float) -> Callable[[], bool]:
    deadline = time.process_time() + seconds
    return lambda: time.process_time() > deadline
