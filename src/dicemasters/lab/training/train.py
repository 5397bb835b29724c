"""Learning the value of positions from nothing: games of one's own, a network fitted to how they ended, and again.

The first games are between simple players who now and then do anything at all; then those play who think with the network
fitted so far. Each position between two turns is a row. A network is fitted to the games' results, and another to results
drawn towards what the first thinks of the positions on the way there (TD(lambda), Sutton 1988): a result has much luck in
it. Once there are games of those who think, the simple players' are left out: they say too little about strong play.
"""

from __future__ import annotations

import argparse
import os
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from dicemasters import __version__
from dicemasters.game.game_spec import make_spec
from dicemasters.game.inspect.features import LENGTH, features
from dicemasters.game.inspect.view import TIE, GameSpec, State, side_of
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.rulesets.solitaire import DIFFICULTIES, difficulty
from dicemasters.lab.evaluation.bot_game import play_bot_game
from dicemasters.lab.io.output_path import check_output_path, naming_file
from dicemasters.lab.parallel.process_pool import map_ordered
from dicemasters.lab.studies.plots import check_plot, plot_calibration, require_package
from dicemasters.lab.training.training_config import TrainingConfig
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.levels import SINGLE_ROLLOUT
from dicemasters.players.monte_carlo import MonteCarloPlayer
from dicemasters.players.network import ValueNetwork
from dicemasters.players.player import Player
from dicemasters.players.rng import SplitMix64
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.players.value_weights import ValueModel, read_weights
from dicemasters.teams.tournament_table import random_tournament_spec

if TYPE_CHECKING:
    from dicemasters.lab.training.value_fitting import FitMetrics, FloatArray

SEED_STRIDE = 1_000_000  # from the games of one seed to those of the next
EPSILON_PER_MILLE = (
    40  # choices of a thousand that are made without looking, so that more happens than good play would show
)
GAMES_PER_TABLE = 4  # games with the same teams, as a table takes longer to lay than a game to play
TABLES = len(EDITIONS)  # in a row, one for each edition
SOLITAIRE_INTERVAL = 3  # every so many such rows one is the Scripted Opponent's
HOLDOUT_INTERVAL = 10  # every so many such rows one is kept for the test, with all games at its tables
MIN_GAMES = GAMES_PER_TABLE * TABLES * HOLDOUT_INTERVAL  # of a round
MAX_OPTION_VALUE = 10_000_000  # of anything one asks for
TD_LAMBDA = 0.7  # lambda: how far a position is fitted to what came after it, not to what is thought of the next one


@dataclass(frozen=True)
class SelfPlayTask:
    """A game to learn from: its seed, and the weights of who plays it, or none for the simple player."""

    seed: int
    weights: str


@dataclass(frozen=True)
class Trajectory:
    """How a game went: a row of features and the result for whoever was next, for each turn that ended."""

    rows: bytes  # of 32-bit floats
    results: bytes
    sides: bytes  # whoever was next: 0 or 1


class NoisyPlayer:
    """Another player who now and then does anything at all."""

    def __init__(self, player: Player, seed: int) -> None:
        self.name = player.name
        self._player = player
        self._chance = SplitMix64(seed ^ 0xCA4E)

    def choose(self, state: State) -> int:
        if self._chance.below(1000) < EPSILON_PER_MILLE:
            return self._chance.below(len(state.options))
        return self._player.choose(state)


@lru_cache(maxsize=2)
def _network(weights: str) -> ValueNetwork:
    return read_weights(weights, "the weights so far").network


def play_training_game(lesson: SelfPlayTask) -> Trajectory:
    """Play the game and note what it teaches."""
    seed = lesson.seed
    table = _training_spec(seed // GAMES_PER_TABLE)
    seated: list[Player] = [NoisyPlayer(_make_learner(lesson, 2 * seed + seat), 2 * seed + seat) for seat in range(2)]
    if table.solitaire is not None:
        seated[table.solitaire.seat] = ScriptedPlayer()
    rows = array("f")
    nexts: list[int] = []

    def look(s: State) -> None:
        rows.extend(features(s))
        nexts.append(side_of(s.active))

    end = play_bot_game(table, seed, seated, first=0 if table.solitaire is not None else -1, between=look)
    results = array("f", (0.5 if end.result == TIE else float(end.result == side) for side in nexts))
    return Trajectory(rows.tobytes(), results.tobytes(), bytes(nexts))


def _make_learner(lesson: SelfPlayTask, seed: int) -> Player:
    if not lesson.weights:
        return HeuristicPlayer(seed)
    return MonteCarloPlayer("pupil", _network(lesson.weights), SINGLE_ROLLOUT, seed)


@lru_cache(maxsize=2)
def _training_spec(number: int) -> GameSpec:
    """Lay a table with random tournament teams, some with the Scripted Opponent, at each difficulty by turns."""
    table = random_tournament_spec(number)
    row = number // TABLES
    if row % SOLITAIRE_INTERVAL:
        return table
    plain = table.setup
    level = difficulty(DIFFICULTIES[row // SOLITAIRE_INTERVAL % len(DIFFICULTIES)])
    return make_spec(plain.edition, plain.teams, plain.basics, plain.life, level)


def train(plan: TrainingConfig, *, workers: int = 0, says: bool = False) -> Iterator[tuple[ValueModel, FitMetrics]]:
    """Learn a value from nothing: give it after each round, with how well its chances fit games it has not seen."""
    from dicemasters.lab.training import value_fitting

    weights = ""
    seed = plan.seed * SEED_STRIDE
    thoughtful: list[Trajectory] = []
    positions = 0
    for round_ in range(plan.rounds + 1):
        games = plan.games if round_ else plan.first
        lessons = [SelfPlayTask(seed + n, weights) for n in range(games)]
        seed += games
        who = "the simple player" if not round_ else f"what was learned, {round_} of {plan.rounds}"
        courses = map_ordered(
            lessons, play_training_game, workers=workers, chunk=GAMES_PER_TABLE, says=f"games of {who}" if says else ""
        )
        learned = [course for lesson, course in zip(lessons, courses, strict=True) if not is_holdout(lesson.seed)]
        unseen = [course for lesson, course in zip(lessons, courses, strict=True) if is_holdout(lesson.seed)]
        if round_:
            thoughtful += learned
        x, won = _stack_trajectories(thoughtful or learned)
        positions = len(won)
        fit_to = partial(value_fitting.fit, x, hidden=plan.hidden, epochs=plan.epochs, seed=plan.seed + round_)
        network = fit_to(won)
        if round_:
            network = fit_to(_td_lambda_targets(thoughtful, value_fitting.predict(network, x)))
        network = value_fitting.calibrate_temperature(network, x, won)
        weights = ValueModel(network, {}).text()
        x, won = _stack_trajectories(unseen)
        fit = value_fitting.evaluate(value_fitting.predict(network, x), won)
        made: dict[str, object] = {
            "command": replace(plan, rounds=round_).command,
            "version": __version__,
            "games": seed - plan.seed * SEED_STRIDE,
            "positions": positions,
            "unseen": {
                "rows": fit.rows,
                "loss": round(fit.loss, 4),
                "area": round(fit.auc, 4),
                "tenths": fit.calibration,
            },
        }
        yield ValueModel(network, made), fit


def is_holdout(seed: int) -> bool:
    """Whether a game is kept for the test: all games at a table are, or none."""
    return seed // GAMES_PER_TABLE // TABLES % HOLDOUT_INTERVAL == HOLDOUT_INTERVAL - 1


def _td_lambda_targets(courses: list[Trajectory], thought: FloatArray) -> FloatArray:
    """Give for each position what came after it: the result at the end, and on the way there what is thought of each."""
    import numpy as np

    aims = np.empty(len(thought), np.float32)
    at = 0
    for course in courses:
        sides = course.sides
        last = len(sides) - 1
        results = np.frombuffer(course.results, np.float32)
        aim = float(results[last]) if sides else 0.0
        for n in range(last, -1, -1):
            if n < last:
                mixed = TD_LAMBDA * aim + (1 - TD_LAMBDA) * float(thought[at + n + 1])
                aim = mixed if sides[n] == sides[n + 1] else 1 - mixed
            aims[at + n] = aim
        at += len(sides)
    return aims


def _stack_trajectories(courses: list[Trajectory]) -> tuple[FloatArray, FloatArray]:
    import numpy as np

    x = np.frombuffer(b"".join(course.rows for course in courses), np.float32).reshape(-1, LENGTH)
    return x, np.frombuffer(b"".join(course.results for course in courses), np.float32)


def main(args: argparse.Namespace) -> int:
    """Learn a value, write it, and say how well its chances fit games it has not seen."""
    plan = TrainingConfig(args.seed, args.first, args.games, args.rounds, args.hidden, args.epochs)
    for name in ("first", "games", "hidden", "epochs"):
        if getattr(plan, name) < (MIN_GAMES if name in ("first", "games") else 1):
            raise ValueError(f"--{name} {getattr(plan, name)} is too few to learn from")
    if plan.rounds < 0 or plan.seed < 0:
        raise ValueError("--rounds and --seed cannot be negative")
    for name in ("first", "games", "rounds", "hidden", "epochs"):
        if getattr(plan, name) > MAX_OPTION_VALUE:
            raise ValueError(f"--{name} can be at most {MAX_OPTION_VALUE:,}")
    require_package("numpy")
    os.environ["OPENBLAS_NUM_THREADS"] = (
        "1"  # read when numpy is loaded: sums of several threads differ in the last digits
    )
    plot = check_plot(args.plot) if args.plot else None
    target = check_output_path(args.write)
    for value, fit in train(plan, workers=args.workers, says=True):
        with naming_file(target):
            target.write_text(value.text(), encoding="utf-8")
        print(f"{args.write}: of two positions the better was called better in {fit.auc:.1%}; log loss {fit.loss:.4f}")
    if plot:
        plot_calibration(fit.calibration, plot, f"{fit.rows:,} positions of games that were not learned from")
    for n, called, won in fit.calibration:
        print(f"called {called:.0%}: won {won:.0%} of {n:,}")
    return 0
