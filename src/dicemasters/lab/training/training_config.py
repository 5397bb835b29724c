"""The parameters of `dicemasters train`."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class TrainingConfig:
    """Amounts of self-play, number of rounds, and size and epochs of the network."""

    seed: int = 0
    first: int = 6000  # games of the heuristic bot
    games: int = 4000  # games per later round
    rounds: int = 2
    hidden: int = 32
    epochs: int = 12

    @property
    def command(self) -> str:
        """Return the command that repeats this training."""
        return f"dicemasters train {' '.join(f'--{key} {n}' for key, n in asdict(self).items())}"
