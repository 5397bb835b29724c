"""How much `dicemasters train` learns from what."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class TrainingConfig:
    """How much to learn from what."""

    seed: int = 0
    first: int = 6000  # games of the simple player
    games: int = 4000  # games of each later round
    rounds: int = 2
    hidden: int = 32
    epochs: int = 12

    @property
    def command(self) -> str:
        """Give the command that learns the same again."""
        return f"dicemasters train {' '.join(f'--{key} {n}' for key, n in asdict(self).items())}"
