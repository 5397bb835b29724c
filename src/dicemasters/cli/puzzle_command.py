"""`dicemasters puzzle`: solve puzzles at the terminal."""

from __future__ import annotations

import argparse
import secrets
import sys
from datetime import UTC, datetime

from rich.console import Console

from dicemasters.players.rng import SplitMix64
from dicemasters.puzzles.puzzle import MAX_GRADE, Puzzle, collection, find_puzzle, puzzle_of_day
from dicemasters.puzzles.solver import PuzzleGoal
from dicemasters.terminal.inspect_commands import LineReader
from dicemasters.terminal.prompt import enable_line_editing
from dicemasters.terminal.puzzle_ui import TerminalPuzzle

EXAMPLES = """\
examples:
  dicemasters puzzle                    a random puzzle
  dicemasters puzzle 17                 puzzle number 17
  dicemasters puzzle today              the puzzle of the day, the same for everybody
  dicemasters puzzle --grade 1          an easy one
  dicemasters puzzle --goal survive     find the only defence
  dicemasters puzzle --list             list all puzzles

While solving, type hint for a hint, solution to give up, again to restart, help for the rest."""

TODAY = "today"


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `puzzle` command."""
    puzzle = commands.add_parser(
        "puzzle",
        description="Solve a puzzle. Each is a position from a played game with exactly one way to win this turn or to "
        "survive it, whatever the opponent does, or with one purchase that is best by far.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    puzzle.add_argument("which", nargs="?", metavar="N", help="number of the puzzle, or today (default: a random one)")
    puzzle.add_argument(
        "--grade",
        type=int,
        choices=range(1, MAX_GRADE + 1),
        metavar="1-5",
        help="difficulty, from 1 (easy) to 5 (hard)",
    )
    puzzle.add_argument(
        "--goal", choices=[goal.value for goal in PuzzleGoal], metavar="GOAL", help="what to find: %(choices)s"
    )
    puzzle.add_argument("--list", action="store_true", help="list the puzzles")


def main(args: argparse.Namespace, read: LineReader = input) -> int:
    """List puzzles or pose one. Return the exit code."""
    candidates = _select_puzzles(args)
    if args.list:
        is_terminal = sys.stdout.isatty()
        print("" if is_terminal else "number\tgrade\tgoal\n", end="")
        for puzzle in candidates:
            row = (puzzle.number, puzzle.grade, puzzle.goal.value)
            print(f"{row[0]:4}  grade {row[1]}  {row[2]}" if is_terminal else "\t".join(map(str, row)))
        return 0
    chosen = candidates[SplitMix64(secrets.randbits(32)).below(len(candidates))]
    ui = TerminalPuzzle(chosen, Console(highlight=False), read)
    enable_line_editing(ui)
    return ui.run()


def _select_puzzles(args: argparse.Namespace) -> list[Puzzle]:
    filters = [name for name in ("grade", "goal") if getattr(args, name) is not None]
    if args.which is not None and filters:
        raise ValueError(f"'{args.which}' names one puzzle, so --{filters[0]} cannot be combined with it")
    if args.which == TODAY:
        return [puzzle_of_day(datetime.now(UTC).toordinal())]
    if args.which is not None:
        if not (args.which.isascii() and args.which.isdigit() and len(args.which) < 7):
            raise ValueError(f"'{args.which}' is not a puzzle; give its number, or {TODAY}")
        return [find_puzzle(int(args.which))]
    matches = [
        puzzle
        for puzzle in collection().values()
        if args.grade in (None, puzzle.grade) and args.goal in (None, puzzle.goal.value)
    ]
    if not matches:
        raise ValueError(f"no puzzle with goal {args.goal} has grade {args.grade}")
    return matches
