"""`dicemasters scenario`: run scenario files."""

from __future__ import annotations

import argparse

from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.game.scenarios import scenario

EXAMPLES = """\
examples:
  dicemasters scenario my.scenario
  dicemasters scenario my.scenario --watch     run it again after every save
  dicemasters scenario tests/scenarios         every file in a folder

docs/notation.md describes the format."""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `scenario` command."""
    check = commands.add_parser(
        "scenario",
        description="Run scenario files and check their expectations.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.add_argument("files", nargs="+", metavar="file", help="a scenario file, or a folder with *.scenario files")
    check.add_argument("-v", "--verbose", action="store_true", help="also list the scenarios that passed")
    check.add_argument("--watch", action="store_true", help="rerun a file when it is saved, until Ctrl-C")
    check.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
    )


def main(args: argparse.Namespace) -> int:
    """Run the files. Return the exit code."""
    run = scenario.watch_files if args.watch else scenario.run_files
    return run(args.files, catalogue_with_files(args.load), verbose=args.verbose)
