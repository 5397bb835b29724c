"""Weights of the value network, and the file format that records how they were trained.

`dicemasters train` writes such a file; `value.json` beside this module holds the bundled weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import isfinite
from pathlib import Path

from dicemasters.cards.textio import read_text
from dicemasters.game.inspect.features import LENGTH, NAMES
from dicemasters.players.network import ValueNetwork

FORMAT = "dicemasters value 1"
DIGITS = 6  # significant digits of a weight


class WeightsFileError(ValueError):
    """A file of weights cannot be used."""


@dataclass(frozen=True)
class ValueModel:
    """A value network and its provenance: command, version, numbers of games and positions, holdout metrics."""

    network: ValueNetwork
    provenance: Mapping[str, object]

    def text(self) -> str:
        """Return the model as JSON, from which `read_weights` restores the same network."""
        network = self.network
        data = {
            "format": FORMAT,
            "made": self.provenance,
            "features": NAMES,
            "bias": network.output_bias,
            "straight": network.skip_weights,
            "biases": network.hidden_biases,
            "out": network.output_weights,
            "hidden": network.hidden_weights,
        }
        lines = [f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in data.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def round_weights(numbers: list[float]) -> list[float]:
    """Return weights rounded to the precision of the file."""
    return [float(f"{n:.{DIGITS}g}") for n in numbers]


def read_weights(text: str, name: str) -> ValueModel:
    """Return the model in a text that `ValueModel.text` wrote. Raise `WeightsFileError` if it is invalid."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise WeightsFileError(f"{name}: not a weights file: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise WeightsFileError(f"{name}: not a weights file of this version ({FORMAT})")
    if data.get("features") != list(NAMES):
        raise WeightsFileError(f"{name}: trained on other features; train again with: dicemasters train")
    try:
        skip_weights = _read_row(data["straight"], LENGTH)
        hidden_weights = [_read_row(row, LENGTH) for row in data["hidden"]]
        hidden_biases, output_weights = (
            _read_row(data["biases"], len(hidden_weights)),
            _read_row(data["out"], len(hidden_weights)),
        )
        (output_bias,) = _read_row([data["bias"]], 1)
        return ValueModel(
            ValueNetwork(hidden_weights, hidden_biases, output_weights, skip_weights, output_bias), dict(data["made"])
        )
    except (KeyError, TypeError, ValueError) as error:
        raise WeightsFileError(f"{name}: invalid weights file: {error}") from None


def load_weights(path: str | Path | None = None) -> ValueModel:
    """Return the model in a file, by default the bundled one."""
    if path is None:
        return _bundled_weights()
    return read_weights(read_text(path), str(path))


@lru_cache(maxsize=1)
def _bundled_weights() -> ValueModel:
    return read_weights(files(__package__).joinpath("value.json").read_text(encoding="utf-8"), "value.json")


def _read_row(numbers: object, length: int) -> list[float]:
    if not isinstance(numbers, list) or len(numbers) != length:
        raise ValueError(f"expected a row of {length} numbers")
    row = [float(n) for n in numbers]
    if not all(map(isfinite, row)):
        raise ValueError("a weight is not a finite number")
    return row
