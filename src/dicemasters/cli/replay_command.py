"""`dicemasters replay`: step through a saved game, or verify its dice."""

from __future__ import annotations

import argparse

from rich.console import Console

from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.game import Game
from dicemasters.game.notation.dice_audit import contribution_lines
from dicemasters.terminal.prompt import enable_line_editing
from dicemasters.terminal.replay_ui import ReplayViewer
from dicemasters.terminal.savegames import read_record

EXAMPLES = """\
examples:
  dicemasters replay game.txt                  step through a game; type help there
  dicemasters replay game.txt --check          verify every draw and roll"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `replay` command."""
    replay = commands.add_parser(
        "replay",
        description="Step through a saved game, and play on from any point.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    replay.add_argument("file", help="a game record written by `save`")
    replay.add_argument("--check", action="store_true", help="verify the dice and print where they come from")
    replay.add_argument(
        "--commitment", metavar="HEX", help="with --check: the commitment published before the first roll"
    )
    replay.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
    )


def main(args: argparse.Namespace) -> int:
    """Run the command. Return the exit code."""
    cards = catalogue_with_files(args.load)
    game = read_record(args.file, cards)
    if args.check:
        return _check_dice(game, args)
    ui = ReplayViewer(game, Console(highlight=False), cards=cards)
    enable_line_editing(ui)
    return ui.run()


def _check_dice(game: Game, args: argparse.Namespace) -> int:
    """Print whether a record's dice come from its seed or from fair throws. Reading it has already verified them."""
    fair, number = game.fair, sum(len(move.chance) for move in game.moves) + len(game.opening)
    if args.commitment and (fair is None or fair.commitment != args.commitment.strip().lower()):
        raise ValueError(f"{args.file}: its dice were not rolled under the commitment {args.commitment.strip()}")
    if not number:
        raise ValueError(f"{args.file}: nothing to check, because the game has no draws or rolls yet")
    if fair is None:
        print(f"All {number} draws and rolls follow from the seed {game.seed}, or were set. They are not fair dice.")
    else:
        print(
            f"All {number} draws and rolls follow from the {fair.at} throws, and the table's links fit {fair.commitment}."
        )
        for line in contribution_lines(game):
            print(line)
    return 0
