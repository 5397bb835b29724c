"""Command-line argument types: formats, editions and bounded numbers."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from dicemasters.game.rulesets.editions import EDITIONS, parse_edition

if TYPE_CHECKING:
    from dicemasters.teams.formats import Format

EDITION_HELP = f"edition of the rules: {', '.join(EDITIONS)}; house rules may follow, as in 'avx, ties'"


def edition_argument(text: str) -> str:
    """Return an edition with its house rules as positions write it, for argparse."""
    try:
        return parse_edition(text).text
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def format_argument(text: str) -> Format:
    """Return a format by its name, for argparse."""
    from dicemasters.teams.formats import find_format  # imported here because not every command needs formats

    try:
        return find_format(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def format_names() -> str:
    """Return the keys of all formats, joined by commas."""
    from dicemasters.teams.formats import FORMATS

    return ", ".join(FORMATS)


def whole_argument(quantity: str, minimum: int, maximum: int) -> Callable[[str], int]:
    """Return an argparse type for integers between two bounds."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = minimum - 1
        if not minimum <= number <= maximum:
            raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a number of {quantity} from {minimum} to {maximum}")
        return number

    return read


def number_argument(quantity: str, minimum: float, maximum: float) -> Callable[[str], float]:
    """Return an argparse type for numbers between two bounds."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = minimum - 1
        if not minimum <= number <= maximum:
            raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a number of {quantity} from {minimum} to {maximum}")
        return number

    return read
