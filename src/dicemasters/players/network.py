"""A small network over the features of a position; what makes it judge well are its weights (`value.py`)."""

from __future__ import annotations

from math import exp
from operator import mul
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dicemasters.game.inspect.features import COMPILED, LENGTH, features
from dicemasters.game.inspect.view import State

_MAX_LOGIT: Final = 30.0  # beyond, a chance is 0 or 1


@final
class ValueNetwork:
    """Gives the chance that the side wins whose turn is next: units that are 0 or rise, and a straight way past them."""

    def __init__(
        self, hidden: list[list[float]], biases: list[float], out: list[float], straight: list[float], bias: float
    ) -> None:
        self.hidden = hidden
        self.biases = biases
        self.out = out
        self.straight = straight
        self.bias = bias
        self._columns: vec[float] = vec[float]([row[j] for j in range(LENGTH) for row in hidden])
        self._biases: vec[float] = vec[float](biases)
        self._out: vec[float] = vec[float](out)
        self._straight: vec[float] = vec[float](straight)

    def evaluate(self, s: State) -> float:
        """Give the chance of the side that is next, in a position between two turns."""
        return self.chance(features(s))

    def chance(self, x: vec[float]) -> float:
        """Give the chance of the side whose features come first."""
        total = self._total(x) if COMPILED else self._slow_total(list(x))
        if total > _MAX_LOGIT:
            total = _MAX_LOGIT
        elif total < -_MAX_LOGIT:
            total = -_MAX_LOGIT
        return 1.0 / (1.0 + exp(-total))

    def _total(self, x: vec[float]) -> float:
        columns, straight, out = self._columns, self._straight, self._out
        units = self._biases[:]
        total = self.bias
        n: i64 = len(out)
        width: i64 = len(x)
        at: i64 = 0
        j: i64 = 0
        while j < width:
            value = x[j]
            if value != 0.0:  # many are
                total += straight[j] * value
                h: i64 = 0
                while h < n:
                    units[h] += columns[at + h] * value
                    h += 1
            at += n
            j += 1
        h = 0
        while h < n:
            if units[h] > 0.0:
                total += out[h] * units[h]
            h += 1
        return total

    def _slow_total(self, x: list[float]) -> float:
        """Do the same with what is quick uncompiled."""
        total: float = self.bias + sum(map(mul, self.straight, x))
        for row, bias, weight in zip(self.hidden, self.biases, self.out, strict=True):
            unit = bias + sum(map(mul, row, x))
            if unit > 0.0:
                total += weight * unit
        return total
