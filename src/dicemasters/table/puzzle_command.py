"""What `dicemasters puzzle` does: pose a puzzle at the terminal, answer for the opponent, and say what a try comes to."""

from __future__ import annotations

import argparse
import secrets
import sys
from datetime import UTC, datetime
from itertools import takewhile

from rich.console import Console
from rich.text import Text

from dicemasters.players.chance import Chance
from dicemasters.puzzles.puzzle import HARDEST, Puzzle, collection, find_puzzle, puzzle_of_day
from dicemasters.puzzles.solve import YES, Goal
from dicemasters.puzzles.trying import TASKS, Attempt
from dicemasters.table.looking import Commands, LeaveError, Read
from dicemasters.table.prompt import edit_lines
from dicemasters.table.screen import Part, whole
from dicemasters.table.styles import ACCENT, LABEL
from dicemasters.table.terminal import Sitting, help_without

EXAMPLES = """\
examples:
  dicemasters puzzle                    any puzzle
  dicemasters puzzle 17                 that one
  dicemasters puzzle today              the day's puzzle, the same for everybody
  dicemasters puzzle --grade 1          an easy one; 5 is the hardest
  dicemasters puzzle --goal survive     find the one defence
  dicemasters puzzle --list             all of them, a line each

At the puzzle type hint, solution, or again to begin anew; help for everything else."""

TODAY = "today"
OWN_HELP = """\
  hint           what has to be done, a little more each time
  solution       the whole way, and leave
  again          begin the puzzle anew
"""
_LEFT_OUT = ("undo", "u", "hold", "load", "save", "coach", "row")


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `puzzle`."""
    puzzle = commands.add_parser(
        "puzzle",
        description="Solve a puzzle: a position of a played game with exactly one way to win or to survive the turn, "
        "whatever the opponent answers; or with one buy that is best by far.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    puzzle.add_argument("which", nargs="?", metavar="N", help="its number, or today; without it any that fits")
    puzzle.add_argument("--grade", type=int, choices=range(1, HARDEST + 1), metavar="1-5", help="how hard, 1 to 5")
    puzzle.add_argument("--goal", choices=[goal.value for goal in Goal], help="one of: %(choices)s")
    puzzle.add_argument("--list", action="store_true", help="list the puzzles")


def main(args: argparse.Namespace, read: Read = input) -> int:
    """List puzzles, or pose one."""
    fitting = _fitting(args)
    if args.list:
        people = sys.stdout.isatty()
        print("" if people else "number\tgrade\tgoal\n", end="")
        for puzzle in fitting:
            row = (puzzle.number, puzzle.grade, puzzle.goal.value)
            print(f"{row[0]:4}  grade {row[1]}  {row[2]}" if people else "\t".join(map(str, row)))
        return 0
    chosen = fitting[Chance(secrets.randbits(32)).below(len(fitting))]
    solving = Solving(chosen, Console(highlight=False), read)
    edit_lines(solving)
    return solving.run()


def _fitting(args: argparse.Namespace) -> list[Puzzle]:
    chosen = [name for name in ("grade", "goal") if getattr(args, name) is not None]
    if args.which is not None and chosen:
        raise ValueError(f"'{args.which}' is one puzzle already, so --{chosen[0]} cannot be chosen")
    if args.which == TODAY:
        return [puzzle_of_day(datetime.now(UTC).toordinal())]
    if args.which is not None:
        if not (args.which.isascii() and args.which.isdigit() and len(args.which) < 7):
            raise ValueError(f"'{args.which}' is no puzzle: give its number, or {TODAY}")
        return [find_puzzle(int(args.which))]
    found = [
        puzzle
        for puzzle in collection().values()
        if args.grade in (None, puzzle.grade) and args.goal in (None, puzzle.goal.value)
    ]
    if not found:
        raise ValueError(f"no puzzle with goal {args.goal} has grade {args.grade}")
    return found


class Solving(Sitting):
    """Somebody at a table with a puzzle on it."""

    help = help_without(_LEFT_OUT).replace("  log (l)", f"{OWN_HELP}  log (l)", 1)

    def __init__(self, puzzle: Puzzle, console: Console, read: Read = input) -> None:
        self.attempt = Attempt(puzzle)
        super().__init__(self.attempt.game, [None, None], console, read)
        self.viewer = self.attempt.seat
        self.names = ["you" if seat == self.viewer else "opponent" for seat in (0, 1)]
        self.tries = 1
        self.hints = 0

    def commands(self) -> Commands:
        """Allow what looks, not what leaves the puzzle; and what helps."""
        kept = {word: do for word, do in super().commands().items() if word not in _LEFT_OUT}
        return kept | {"hint": self._hint, "solution": self._solution, "again": self._again}

    def _play_alone(self) -> bool:
        """Say what the last choice came to; answer for the opponent."""
        attempt = self.attempt
        if attempt.verdict is not YES:
            self._fail()
            return True
        if attempt.is_over:
            self._show_end()
            tries = "at once" if self.tries == 1 else f"after {self.tries} tries"
            raise LeaveError(f"Solved {tries}. {attempt.said_at_the_end()} Another: dicemasters puzzle")
        moves = len(self.game.moves)
        attempt.go_on()
        return len(self.game.moves) > moves

    def _stay(self) -> bool:
        """The turn may end the game: then the puzzle is judged too."""
        self._play_alone()
        return True

    def _show_end(self) -> None:
        """Show what the last choice led to, up to the end of the turn."""
        if self.game.decision is None:
            self._draw()
            return
        for line in takewhile(lambda line: not line.startswith("Turn "), self._news()):
            self._say(f" {line}", LABEL)

    def _fail(self) -> None:
        """Say how the try fails, and begin anew."""
        tried = [move.text for move in self.game.moves if move.player == self.attempt.mine]
        self.tries += 1
        self.remarks = [f"Not so: {'; '.join(tried)}.", *self.attempt.why(), "Try again, from the start."]
        self._begin_again()

    def _begin_again(self) -> None:
        self.attempt.again()
        self.told = len(self.game.log)

    def _again(self, rest: str) -> None:
        self._begin_again()
        self.question.take_back()
        self._draw()

    def _hint(self, rest: str) -> None:
        self.hints += 1
        self._say(self.attempt.hint(self.hints), ACCENT)

    def _solution(self, rest: str) -> None:
        raise LeaveError("\n".join(self.attempt.solution()))

    def _below(self) -> list[Part]:
        """Give what is asked of the solver."""
        puzzle = self.attempt.puzzle
        task = Text(f" Puzzle {puzzle.number}, grade {puzzle.grade} of {HARDEST}. {TASKS[puzzle.goal]}", "bold")
        return [whole([task, Text(" hint, solution, again, help", LABEL)])]
