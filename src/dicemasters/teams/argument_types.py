"""Formats, editions and numbers as people type them at a command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from dicemasters.game.rulesets.editions import EDITIONS, parse_edition

if TYPE_CHECKING:
    from dicemasters.teams.formats import Format

EDITION_HELP = f"of the rules: {', '.join(EDITIONS)}, with house rules after it, as in 'avx, ties'"


def edition_argument(text: str) -> str:
    """Read an edition with its house rules for argparse; give it as positions name it."""
    try:
        return parse_edition(text).text
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def format_argument(text: str) -> Format:
    """Read a format for argparse."""
    from dicemasters.teams.formats import find_format  # only here: not every command knows formats

    try:
        return find_format(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def format_names() -> str:
    """List the formats one can name."""
    from dicemasters.teams.formats import FORMATS

    return ", ".join(FORMATS)


def whole_argument(quantity: str, minimum: int, maximum: int) -> Callable[[str], int]:
    """Give what reads a whole number of something for argparse, between two bounds."""

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
    """Give what reads a number of something for argparse, between two bounds."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = minimum - 1
        if not minimum <= number <= maximum:
            raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a number of {quantity} from {minimum} to {maximum}")
        return number

    return read
