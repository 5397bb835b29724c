"""A bot that plays at random."""

from __future__ import annotations

from dicemasters.game.inspect.view import State
from dicemasters.players.rng import SplitMix64


class RandomPlayer:
    """Bot that chooses every option with the same probability."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = SplitMix64(seed)

    def choose(self, state: State) -> int:
        """Return the index of the option that the bot chooses."""
        return self._rng.below(len(state.options))
