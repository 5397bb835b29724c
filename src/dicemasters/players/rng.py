"""The small random generator of bots, random teams and drafts."""

from __future__ import annotations

from typing import Final

_MASK64: Final = (1 << 64) - 1


class SplitMix64:
    """Pseudorandom numbers from a seed, the same on every machine (SplitMix64)."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK64

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK64
        x = self._state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK64
        x ^= x >> 31
        return (x * n) >> 64
