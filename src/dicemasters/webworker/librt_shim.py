"""Stand-in for the part of `librt.vecs` that the engine uses, built on arrays.

Browsers have no compiled librt, so the engine archive ships this file under that module's name.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import TypeVar

N = TypeVar("N", int, float)


def _int_array(numbers: Iterable[int] = ()) -> array[int]:
    return array("q", list(numbers))  # as a list: given bytes, `array` would read them as raw memory


def _float_array(numbers: Iterable[float] = ()) -> array[float]:
    return array("d", list(numbers))


class vec:
    """Array of eight-byte numbers: `vec[i64]`, `vec[float]`."""

    def __class_getitem__(cls, kind: type) -> Callable[..., array[int] | array[float]]:
        return _float_array if kind is float else _int_array


def append(numbers: array[N], number: N) -> array[N]:
    """Append a number and return the array; callers must not use the old array again."""
    numbers.append(number)
    return numbers
