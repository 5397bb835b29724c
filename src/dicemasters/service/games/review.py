"""Looking back at a game: what each choice was worth, what a strong player would have done, and why.

The room gives the decisions as positions (`collect_decisions`), and they are thought about apart from the games (`rate_decisions`, `search_position`), each
for a limited time. Whoever wants a whole game asks for the next part until there is none.
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

MAX_STEPS = 12  # of a game at once
RATING_SECONDS = 0.8  # of processor time, after which the rest is left for the next time
SEARCH_SECONDS = 0.8
RATING_ROLLOUTS = 48
SEARCH_ROLLOUTS = 240
MIN_ADVANTAGE = 0.02  # what a better choice has to be worth to be named


class ReviewDecision(TypedDict):
    """A decision of a game as it was, and the option that was taken."""

    step: int  # the step of the game it belongs to: the choice after so many others
    text: str  # the position
    chosen: str


class ReviewRating(TypedDict):
    """What was found about a moment: the win chance of A with the best option, and with the one that was taken."""

    step: int
    seat: game_schema.Seat
    turn: int
    best: float
    chosen: float
    better: str  # the best option, where it is clearly better than the one taken


async def review_game(room: Room, start: int) -> http_schema.GameReviewData:
    """Rate what was chosen from a step on, as far as there is time for; only of a game that is over."""
    still = await room.snapshot()
    if not still.is_over and not still.setup.record:
        raise ActionRejectedError("a game is looked back at when it is over")
    steps = len(still.step_offsets) - 1
    asked = await room.registry.executor.run_for_client(collect_decisions, still, start, MAX_STEPS)
    found = await room.registry.job_runner.run("rate", moments=asked) if asked else []
    after = min(start + MAX_STEPS, steps) if len(found) == len(asked) else asked[len(found)]["step"]
    if len(found) < len(asked) and found[0]["step"] == after:  # a step of many parts takes as long as it takes
        after += 1
    whole = [one for one in found if one["step"] < after]
    return {"steps": merge_by_step(whole), "next": after if after < steps else None}


async def suggest_move(room: Room, step: int | None = None) -> http_schema.MoveSuggestion:
    """Say what a strong player thinks of a decision, that of now or of a step: in a game that is over, or against the program."""
    still = await room.snapshot()
    if not still.is_over and not still.setup.record and len(still.setup.people) > 1:
        raise ActionRejectedError("hints are for games against the program; look back when this one is over")
    last = len(still.step_offsets) - 1
    step = last if step is None else step
    if step > last:
        raise ActionRejectedError(f"the game has no step {step}; there are {last}")
    if step < last:
        asked = await room.registry.executor.run_for_client(collect_decisions, still, step, 1)
        if not asked:
            raise ActionRejectedError("nobody had a choice there")
        text, chosen = asked[0]["text"], asked[0]["chosen"]
    elif still.is_over:
        raise ActionRejectedError("the game was over then")
    else:
        text, chosen = still.game.to_text(), ""
    found: http_schema.MoveSuggestion = await room.registry.job_runner.run("thought", text=text, chosen=chosen)
    return found


def collect_decisions(match: GameSession, start: int, count: int) -> list[ReviewDecision]:
    """Give the decisions of some steps of a game, in their order."""
    stops = match.step_offsets
    end = min(start + count, len(stops) - 1)
    game, texts = match.game.copy(), [move.text for move in match.game.moves]
    found: list[ReviewDecision] = []
    for step in range(end - 1, start - 1, -1):
        for number in range(stops[step + 1] - 1, stops[step] - 1, -1):
            game.undo(len(game.moves) - number)
            if len(game.state.options) > 1:
                found.append({"step": step, "text": game.to_text(), "chosen": texts[number]})
    return found[::-1]


def rate_decisions(asked: list[ReviewDecision]) -> list[ReviewRating]:
    """Rate as many moments as there is time for, from the first on; at least one."""
    until = _cpu_deadline(RATING_SECONDS)
    found: list[ReviewRating] = []
    for moment in asked:
        if found and until():
            break
        game = Game.from_text(moment["text"])
        best, chosen = rate_choice(game, moment["chosen"], tries=RATING_ROLLOUTS)
        seat = game.state.decision.seat
        is_a = side_of(seat) == 0
        clearly = best.index != chosen.index and best.chance - chosen.chance >= MIN_ADVANTAGE
        found.append(
            {
                "step": moment["step"],
                "seat": game_schema.SEATS[seat],
                "turn": game.state.turn,
                "best": best.chance if is_a else 1 - best.chance,
                "chosen": chosen.chance if is_a else 1 - chosen.chance,
                "better": option_in_context(game.state, best.text) if clearly else "",
            }
        )
    return found


def merge_by_step(found: list[ReviewRating]) -> list[http_schema.RatedStep]:
    """Put the parts of each step together: from before its first to after its last."""
    steps: dict[int, http_schema.RatedStep] = {}
    for one in found:
        seen = steps.get(one["step"])
        if seen is None:
            steps[one["step"]] = {
                "step": one["step"],
                "seat": one["seat"],
                "turn": one["turn"],
                "best": one["best"],
                "chosen": one["chosen"],
                "better": one["better"],
            }
        else:
            seen["chosen"] = one["chosen"]
            seen["better"] = seen["better"] or one["better"]
    return list(steps.values())


def search_position(text: str, chosen: str) -> http_schema.MoveSuggestion:
    """Say what a strong player thinks of a position's options, for a limited time; `chosen` is the one that was taken."""
    game = Game.from_text(text)
    found = analyse(game, tries=SEARCH_ROLLOUTS, stop=_cpu_deadline(SEARCH_SECONDS))
    return {
        "seat": game_schema.SEATS[game.state.decision.seat],
        "options": [
            {
                "text": option_in_context(game.state, one.text),
                "chance": one.chance,
                "margin": one.margin,
                "was_taken": one.text == chosen,
            }
            for one in found.options
        ],
        "line": list(found.line),
        "why": found.why,
    }


def _cpu_deadline(seconds: float) -> Callable[[], bool]:
    until = time.process_time() + seconds
    return lambda: time.process_time() > until
