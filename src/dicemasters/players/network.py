"""The value network: a small feed-forward network over a position's features, with weights from `value_weights`."""

from __future__ import annotations

from math import exp
from operator import mul
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dicemasters.game.inspect.features import COMPILED, LENGTH, features
from dicemasters.game.inspect.view import State

_MAX_LOGIT: Final = 30.0  # beyond this, the probability is practically 0 or 1


@final
class ValueNetwork:
    """Network for the win chance of the side to move.

    It has one hidden layer of rectified linear units, and linear skip weights from the features to the output.
    """

    def __init__(
        self,
        hidden_weights: list[list[float]],
        hidden_biases: list[float],
        output_weights: list[float],
        skip_weights: list[float],
        output_bias: float,
    ) -> None:
        self.hidden_weights = hidden_weights
        self.hidden_biases = hidden_biases
        self.output_weights = output_weights
        self.skip_weights = skip_weights
        self.output_bias = output_bias
        self._hidden_columns: vec[float] = vec[float]([row[j] for j in range(LENGTH) for row in hidden_weights])
        self._hidden_biases: vec[float] = vec[float](hidden_biases)
        self._output_weights: vec[float] = vec[float](output_weights)
        self._skip_weights: vec[float] = vec[float](skip_weights)

    def evaluate(self, s: State) -> float:
        """Return the win chance of the side to move, in a position between two turns."""
        return self.chance(features(s))

    def chance(self, inputs: vec[float]) -> float:
        """Return the win chance of the side whose features come first."""
        logit = self._logit(inputs) if COMPILED else self._logit_uncompiled(list(inputs))
        if logit > _MAX_LOGIT:
            logit = _MAX_LOGIT
        elif logit < -_MAX_LOGIT:
            logit = -_MAX_LOGIT
        return 1.0 / (1.0 + exp(-logit))

    def _logit(self, inputs: vec[float]) -> float:
        columns, skip_weights, output_weights = self._hidden_columns, self._skip_weights, self._output_weights
        activations = self._hidden_biases[:]
        logit = self.output_bias
        n: i64 = len(output_weights)
        width: i64 = len(inputs)
        offset: i64 = 0
        j: i64 = 0
        while j < width:
            value = inputs[j]
            if value != 0.0:  # most features are 0
                logit += skip_weights[j] * value
                h: i64 = 0
                while h < n:
                    activations[h] += columns[offset + h] * value
                    h += 1
            offset += n
            j += 1
        h = 0
        while h < n:
            if activations[h] > 0.0:
                logit += output_weights[h] * activations[h]
            h += 1
        return logit

    def _logit_uncompiled(self, inputs: list[float]) -> float:
        """Return the same value as `_logit`, computed in a way that is fast without compilation."""
        logit: float = self.output_bias + sum(map(mul, self.skip_weights, inputs))
        for row, bias, weight in zip(self.hidden_weights, self.hidden_biases, self.output_weights, strict=True):
            activation = bias + sum(map(mul, row, inputs))
            if activation > 0.0:
                logit += weight * activation
        return logit
