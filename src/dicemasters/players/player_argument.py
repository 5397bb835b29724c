"""Command-line arguments that name a bot or a person. External bots are loaded only when one is named."""

from __future__ import annotations

import argparse

from dicemasters.players.player import make_player

SEAT_HELP = "human, level1 to level5, level5@2s (2 seconds per choice), simple (as level2), random, package.module:Class or line:COMMAND"


def seat_argument(text: str) -> str:
    """Return who plays a seat, for argparse: "human", or the name of a bot."""
    return text if text == "human" else bot_argument(text)


def bot_argument(text: str) -> str:
    """Return the name of a bot, for argparse, and register an external one."""
    try:
        if ":" in text:
            from dicemasters.players.external_bots import register_bot

            return register_bot(text)
        make_player(text, 0)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text
