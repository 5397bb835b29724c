"""`dicemasters scenario`: run scenario files."""

from __future__ import annotations

import argparse

from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.game.scenarios import scenario


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `scenario` command."""
    check = commands.add_parser(
        "scenario", help="check scenario files", description="Carry out scenario files and check what they expect."
    )
    check.add_argument("files", nargs="+", metavar="file", help="a file, or a folder: all *.scenario files below it")
    check.add_argument("-v", "--verbose", action="store_true", help="name every scenario that passed")
    check.add_argument("--watch", action="store_true", help="run a file anew when it is saved, until Ctrl-C")
    check.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="know the home-made cards of a file too"
    )


def main(args: argparse.Namespace) -> int:
    """Run the files. Return the exit code."""
    run = scenario.watch_files if args.watch else scenario.run_files
    return run(args.files, catalogue_with_files(args.load), verbose=args.verbose)
