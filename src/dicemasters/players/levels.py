"""Five levels for people, from one that a child beats to the strongest there is (docs/players.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from dicemasters.game.inspect.view import State
from dicemasters.players.heuristic import SimplePlayer
from dicemasters.players.monte_carlo import Effort, ThinkingPlayer
from dicemasters.players.rng import Chance
from dicemasters.players.value_weights import load_value
from dicemasters.players.worker_pool import Cores

CARELESS: Final = 30  # choices of a hundred that the first level makes without looking

GLANCE: Final = Effort()  # everything once
HASTE: Final = Effort(hasty=50)  # halfway between levels 2 and 4 in strength
THOUGHT: Final = Effort(tries=2, rounds=0, most=430, plans=2, deep=True)  # about what 50 ms give, compiled
UNTIL_TIME: Final = replace(THOUGHT, most=0)


class CarelessPlayer:
    """Level 1: goes by rules of thumb, and now and then does not look at all."""

    name = "level1"

    def __init__(self, seed: int = 0) -> None:
        self._chance = Chance(seed ^ 0xCA4E)
        self._simple = SimplePlayer(seed)

    def choose(self, state: State) -> int:
        if self._chance.below(100) < CARELESS:
            return self._chance.below(len(state.options))
        return self._simple.choose(state)


def level3(seed: int = 0) -> ThinkingPlayer:
    """Thinks as level 4 does, but not about every choice."""
    return ThinkingPlayer("level3", load_value().network, HASTE, seed)


def level4(seed: int = 0) -> ThinkingPlayer:
    """Looks to the end of the turn, and judges by what it has learned from games."""
    return ThinkingPlayer("level4", load_value().network, GLANCE, seed)


def level5(
    seed: int = 0,
    effort: Effort = THOUGHT,
    *,
    seconds: float = 0.0,
    within: float = 0.0,
    stop: Callable[[], bool] | None = None,
    cores: int = 1,
) -> ThinkingPlayer:
    """Tries what may be best with many dice and several plans, as often as the effort says, or until the time is over."""
    others = (
        Cores(cores - 1) if cores > 1 and seconds else None
    )  # a number of tries is to give the same on every machine
    network = load_value().network
    return ThinkingPlayer("level5", network, effort, seed, seconds=seconds, within=within, stop=stop, others=others)
