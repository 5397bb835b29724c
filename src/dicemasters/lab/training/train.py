"""Training of the value network by self-play: generate games, fit a network to their outcomes, and repeat.

The first games are between heuristic bots with random noise, later games between search bots that use the network
fitted so far. Each position between two turns is a training row. A first network is fitted to the outcomes, and in the
later rounds a second one to TD(λ) targets (Sutton 1988), which draw each outcome towards the first network's values of
the positions on the way, since a single outcome contains much luck. Once there are games of search bots, those of
heuristic bots are dropped: they say little about strong play.
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
from dicemasters.extras import require_package
from dicemasters.game.game_spec import make_spec
from dicemasters.game.inspect.features import LENGTH, features
from dicemasters.game.inspect.view import TIE, GameSpec, State, side_of
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.game.rulesets.solitaire import DIFFICULTIES, difficulty
from dicemasters.lab.evaluation.bot_game import play_bot_game
from dicemasters.lab.io.output_path import check_output_path, naming_file
from dicemasters.lab.parallel.process_pool import map_ordered
from dicemasters.lab.studies.plots import check_plot, plot_calibration
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

SEED_STRIDE = 1_000_000  # distance between the first games of two seeds
EPSILON_PER_MILLE = 40  # random choices per thousand, to explore positions that good play would not reach
GAMES_PER_TABLE = 4  # games with the same teams, as a table takes longer to set up than a game to play
TABLES = len(EDITIONS)  # tables in a row, one for each edition
SOLITAIRE_INTERVAL = 3  # every nth row of tables is played against the Scripted Opponent
HOLDOUT_INTERVAL = 10  # every nth row of tables is the holdout set, with all games at its tables
MIN_GAMES = GAMES_PER_TABLE * TABLES * HOLDOUT_INTERVAL  # per round
MAX_OPTION_VALUE = 10_000_000  # maximum of any numeric option
TD_LAMBDA = 0.7  # λ: weight of the next target against the value of the next position; 1 uses outcomes only


@dataclass(frozen=True)
class SelfPlayTask:
    """A game to learn from: its seed, and the weights of the search bots, or none for heuristic bots."""

    seed: int
    weights: str


@dataclass(frozen=True)
class Trajectory:
    """A game as training data: for each turn that ended, a row of features and the outcome for the side to move."""

    rows: bytes  # 32-bit floats
    results: bytes
    sides: bytes  # the side to move: 0 or 1


class NoisyPlayer:
    """Wraps another bot and makes some choices at random."""

    def __init__(self, player: Player, seed: int) -> None:
        self.name = player.name
        self._player = player
        self._rng = SplitMix64(seed ^ 0xCA4E)

    def choose(self, state: State) -> int:
        """Return the index of the option that the bot chooses."""
        if self._rng.below(1000) < EPSILON_PER_MILLE:
            return self._rng.below(len(state.options))
        return self._player.choose(state)


@lru_cache(maxsize=2)
def _network(weights: str) -> ValueNetwork:
    return read_weights(weights, "the current weights").network


def play_training_game(task: SelfPlayTask) -> Trajectory:
    """Play the game and return its trajectory."""
    seed = task.seed
    spec = _training_spec(seed // GAMES_PER_TABLE)
    players: list[Player] = [NoisyPlayer(_make_learner(task, 2 * seed + seat), 2 * seed + seat) for seat in range(2)]
    if spec.solitaire is not None:
        players[spec.solitaire.seat] = ScriptedPlayer()
    rows = array("f")
    sides: list[int] = []

    def record_position(s: State) -> None:
        rows.extend(features(s))
        sides.append(side_of(s.active))

    final_state = play_bot_game(
        spec, seed, players, first=0 if spec.solitaire is not None else -1, on_turn_end=record_position
    )
    results = array("f", (0.5 if final_state.result == TIE else float(final_state.result == side) for side in sides))
    return Trajectory(rows.tobytes(), results.tobytes(), bytes(sides))


def _make_learner(task: SelfPlayTask, seed: int) -> Player:
    if not task.weights:
        return HeuristicPlayer(seed)
    return MonteCarloPlayer("pupil", _network(task.weights), SINGLE_ROLLOUT, seed)


@lru_cache(maxsize=2)
def _training_spec(number: int) -> GameSpec:
    """Return a game between random tournament teams, some against the Scripted Opponent, at each difficulty in turn."""
    spec = random_tournament_spec(number)
    row = number // TABLES
    if row % SOLITAIRE_INTERVAL:
        return spec
    setup = spec.setup
    level = difficulty(DIFFICULTIES[row // SOLITAIRE_INTERVAL % len(DIFFICULTIES)])
    return make_spec(setup.edition, setup.teams, setup.basics, setup.life, level)


def train(
    config: TrainingConfig, *, workers: int = 0, show_progress: bool = False
) -> Iterator[tuple[ValueModel, FitMetrics]]:
    """Train a value network from scratch. Yield the model and its holdout metrics after each round."""
    from dicemasters.lab.training import value_fitting

    weights = ""
    seed = config.seed * SEED_STRIDE
    search_games: list[Trajectory] = []
    positions = 0
    for round_ in range(config.rounds + 1):
        games = config.games if round_ else config.first
        tasks = [SelfPlayTask(seed + n, weights) for n in range(games)]
        seed += games
        player_name = "the simple player" if not round_ else f"the search bot, round {round_} of {config.rounds}"
        trajectories = map_ordered(
            tasks,
            play_training_game,
            workers=workers,
            chunk=GAMES_PER_TABLE,
            label=f"games of {player_name}" if show_progress else "",
        )
        training = [
            trajectory for task, trajectory in zip(tasks, trajectories, strict=True) if not is_holdout(task.seed)
        ]
        holdout = [trajectory for task, trajectory in zip(tasks, trajectories, strict=True) if is_holdout(task.seed)]
        if round_:
            search_games += training
        x, outcomes = _stack_trajectories(search_games or training)
        positions = len(outcomes)
        fit_to = partial(value_fitting.fit, x, hidden=config.hidden, epochs=config.epochs, seed=config.seed + round_)
        network = fit_to(outcomes)
        if round_:
            network = fit_to(_td_lambda_targets(search_games, value_fitting.predict(network, x)))
        network = value_fitting.calibrate_temperature(network, x, outcomes)
        weights = ValueModel(network, {}).text()
        x, outcomes = _stack_trajectories(holdout)
        metrics = value_fitting.holdout_metrics(value_fitting.predict(network, x), outcomes)
        provenance: dict[str, object] = {
            "command": replace(config, rounds=round_).command,
            "version": __version__,
            "games": seed - config.seed * SEED_STRIDE,
            "positions": positions,
            "unseen": {
                "rows": metrics.rows,
                "loss": round(metrics.loss, 4),
                "area": round(metrics.auc, 4),
                "tenths": metrics.calibration,
            },
        }
        yield ValueModel(network, provenance), metrics


def is_holdout(seed: int) -> bool:
    """Return True if a game is in the holdout set, which has all games at a table or none."""
    return seed // GAMES_PER_TABLE // TABLES % HOLDOUT_INTERVAL == HOLDOUT_INTERVAL - 1


def _td_lambda_targets(trajectories: list[Trajectory], values: FloatArray) -> FloatArray:
    """Return the TD(λ) target of every position.

    The target of a game's last position is its outcome. Before that it is λ times the next target plus 1 - λ times the
    value of the next position, for the side to move there; if that is the other side, 1 minus that is used.
    """
    import numpy as np

    targets = np.empty(len(values), np.float32)
    offset = 0
    for trajectory in trajectories:
        sides = trajectory.sides
        last = len(sides) - 1
        results = np.frombuffer(trajectory.results, np.float32)
        target = float(results[last]) if sides else 0.0
        for t in range(last, -1, -1):
            if t < last:
                bootstrapped = TD_LAMBDA * target + (1 - TD_LAMBDA) * float(values[offset + t + 1])
                target = bootstrapped if sides[t] == sides[t + 1] else 1 - bootstrapped
            targets[offset + t] = target
        offset += len(sides)
    return targets


def _stack_trajectories(trajectories: list[Trajectory]) -> tuple[FloatArray, FloatArray]:
    """Return the features and outcomes of all positions as arrays."""
    import numpy as np

    x = np.frombuffer(b"".join(trajectory.rows for trajectory in trajectories), np.float32).reshape(-1, LENGTH)
    return x, np.frombuffer(b"".join(trajectory.results for trajectory in trajectories), np.float32)


def main(args: argparse.Namespace) -> int:
    """Train a value network, write it after each round, and print its holdout metrics."""
    config = TrainingConfig(args.seed, args.first, args.games, args.rounds, args.hidden, args.epochs)
    for name in ("first", "games", "hidden", "epochs"):
        if getattr(config, name) < (MIN_GAMES if name in ("first", "games") else 1):
            raise ValueError(f"--{name} {getattr(config, name)} is too small to train on")
    if config.rounds < 0 or config.seed < 0:
        raise ValueError("--rounds and --seed cannot be negative")
    for name in ("first", "games", "rounds", "hidden", "epochs"):
        if getattr(config, name) > MAX_OPTION_VALUE:
            raise ValueError(f"--{name} can be at most {MAX_OPTION_VALUE:,}")
    require_package("numpy")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when numpy is loaded: multithreaded sums differ in the last digits
    plot = check_plot(args.plot) if args.plot else None
    path = check_output_path(args.write)
    for model, metrics in train(config, workers=args.workers, show_progress=True):
        with naming_file(path):
            path.write_text(model.text(), encoding="utf-8")
        print(f"{args.write}: AUC {metrics.auc:.1%}, log loss {metrics.loss:.4f} on holdout games")
    if plot:
        plot_calibration(metrics.calibration, plot, f"{metrics.rows:,} positions of holdout games")
    for n, predicted, won in metrics.calibration:
        print(f"predicted {predicted:.0%}: won {won:.0%} of {n:,}")
    return 0
