"""Five levels for people, from one that a child beats to the strongest there is (docs/players.md)."""

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

BLUNDER_PERCENT: Final = 30  # choices of a hundred that the first level makes without looking

SINGLE_ROLLOUT: Final = SearchSettings()  # everything once
HALF_HEURISTIC: Final = SearchSettings(heuristic_percent=50)  # halfway between levels 2 and 4 in strength
DEEP_SEARCH: Final = SearchSettings(
    rollouts_per_round=2, rounds=0, max_rollouts=430, plans=2, refine_finalists=True
)  # about what 50 ms give, compiled
TIMED_SEARCH: Final = replace(DEEP_SEARCH, max_rollouts=0)


class BlunderingPlayer:
    """Level 1: goes by rules of thumb, and now and then does not look at all."""

    name = "level1"

    def __init__(self, seed: int = 0) -> None:
        self._rng = SplitMix64(seed ^ 0xCA4E)
        self._heuristic = HeuristicPlayer(seed)

    def choose(self, state: State) -> int:
        if self._rng.below(100) < BLUNDER_PERCENT:
            return self._rng.below(len(state.options))
        return self._heuristic.choose(state)


def level3(seed: int = 0) -> MonteCarloPlayer:
    """Thinks as level 4 does, but not about every choice."""
    return MonteCarloPlayer("level3", load_weights().network, HALF_HEURISTIC, seed)


def level4(seed: int = 0) -> MonteCarloPlayer:
    """Looks to the end of the turn, and judges by what it has learned from games."""
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
    """Tries what may be best with many dice and several plans, as often as the effort says, or until the time is over."""
    workers = (
        WorkerPool(cores - 1) if cores > 1 and seconds else None
    )  # a number of tries is to give the same on every machine
    network = load_weights().network
    return MonteCarloPlayer(
        "level5", network, settings, seed, seconds=seconds, within=within, stop=stop, workers=workers
    )
