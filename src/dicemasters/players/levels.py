"""Five levels for people, from one that a child can beat to the strongest search (docs/players.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from dicemasters.game.inspect.view import State
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.monte_carlo import MonteCarloPlayer, SearchSettings
from dicemasters.players.rng import SplitMix64
from dicemasters.players.value_weights import load_weights
from dicemasters.players.worker_pool import WorkerPool

BLUNDER_PERCENT: Final = 30  # share of level 1's choices that are random

# one rollout per option, which takes up to 250 decisions in ordinary positions
SINGLE_ROLLOUT: Final = SearchSettings(max_effort=400)
HALF_HEURISTIC: Final = replace(
    SINGLE_ROLLOUT, heuristic_percent=50
)  # about halfway between levels 2 and 4 in strength
# about as many rollouts as fit into 50 ms, compiled
DEEP_SEARCH: Final = SearchSettings(
    rollouts_per_round=2, rounds=0, max_rollouts=430, max_effort=20_000, plans=2, refine_finalists=True
)
TIMED_SEARCH: Final = replace(DEEP_SEARCH, max_rollouts=0, max_effort=0)


class BlunderingPlayer:
    """Level 1: the heuristic bot with frequent random choices."""

    name = "level1"

    def __init__(self, seed: int = 0) -> None:
        self._rng = SplitMix64(seed ^ 0xCA4E)
        self._heuristic = HeuristicPlayer(seed)

    def choose(self, state: State) -> int:
        """Return the index of the option that the bot chooses."""
        if self._rng.below(100) < BLUNDER_PERCENT:
            return self._rng.below(len(state.options))
        return self._heuristic.choose(state)


def level3(seed: int = 0) -> MonteCarloPlayer:
    """Return level 3: level 4's search for half of its choices, the heuristic bot for the others."""
    return MonteCarloPlayer("level3", load_weights().network, HALF_HEURISTIC, seed)


def level4(seed: int = 0) -> MonteCarloPlayer:
    """Return level 4: one rollout per option to the end of the turn, evaluated by the learned value network."""
    return MonteCarloPlayer("level4", load_weights().network, SINGLE_ROLLOUT, seed)


def level5(
    seed: int = 0,
    settings: SearchSettings = DEEP_SEARCH,
    *,
    seconds: float = 0.0,
    within: float = 0.0,
    stop: Callable[[], bool] | None = None,
    cores: int = 1,
) -> MonteCarloPlayer:
    """Return level 5: many rollouts over several plans, until the rollouts or the time are used up."""
    # no workers for a search limited by rollouts, which must be reproducible on every machine
    workers = WorkerPool(cores - 1) if cores > 1 and seconds else None
    network = load_weights().network
    return MonteCarloPlayer(
        "level5", network, settings, seed, seconds=seconds, within=within, stop=stop, workers=workers
    )
