"""What the engine uses of `librt.vecs`, as arrays: in a browser there is no compiled librt. It goes there as that module."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import TypeVar

N = TypeVar("N", int, float)


def _int_array(numbers: Iterable[int] = ()) -> array[int]:
    return array("q", list(numbers))  # a list: an array takes bytes for what lies in memory


def _float_array(numbers: Iterable[float] = ()) -> array[float]:
    return array("d", list(numbers))


class vec:
    """Numbers in a row, eight bytes each: `vec[i64]`, `vec[float]`."""

    def __class_getitem__(cls, kind: type) -> Callable[..., array[int] | array[float]]:
        return _float_array if kind is float else _int_array


def append(numbers: array[N], number: N) -> array[N]:
    """Give the numbers with one more; the old ones are used no more."""
    numbers.append(number)
    return numbers
