"""Formats and editions as people type them at a command line."""

from __future__ import annotations

import argparse

from dicemasters.game.editions import EDITIONS, edition_of
from dicemasters.teams.formats import FORMATS, Format, find_format

EDITION_HELP = f"of the rules: {', '.join(EDITIONS)}, with house rules after it, as in 'avx, ties'"


def edition_argument(text: str) -> str:
    """Read an edition with its house rules for argparse; give it as positions name it."""
    try:
        return edition_of(text).text
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def format_argument(text: str) -> Format:
    """Read a format for argparse."""
    try:
        return find_format(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def format_names() -> str:
    """List the formats one can name."""
    return ", ".join(FORMATS)
