"""Puzzles at the terminal."""

from __future__ import annotations

from itertools import takewhile

from rich.console import Console
from rich.text import Text

from dicemasters.puzzles.attempt import TASKS, PuzzleAttempt
from dicemasters.puzzles.puzzle import MAX_GRADE, Puzzle
from dicemasters.puzzles.solver import YES
from dicemasters.terminal.game_ui import TerminalGame, help_text
from dicemasters.terminal.inspect_commands import Commands, LineReader, QuitError
from dicemasters.terminal.layout import ScreenSection, fixed_section
from dicemasters.terminal.theme import ACCENT, LABEL

OWN_HELP = """\
  hint           show a hint, a little more each time
  solution       show the solution and leave
  again          restart the puzzle
"""
_DISABLED_COMMANDS = ("undo", "u", "hold", "load", "save", "coach", "row")


class TerminalPuzzle(TerminalGame):
    """Terminal game that poses a puzzle."""

    help = help_text(_DISABLED_COMMANDS).replace("  log (l)", f"{OWN_HELP}  log (l)", 1)

    def __init__(self, puzzle: Puzzle, console: Console, read: LineReader = input) -> None:
        self.attempt = PuzzleAttempt(puzzle)
        super().__init__(self.attempt.game, [None, None], console, read)
        self.viewer = self.attempt.seat
        self.names = ["you" if seat == self.viewer else "opponent" for seat in (0, 1)]
        self.tries = 1
        self.hints = 0

    def commands(self) -> Commands:
        """Return the commands without those that would leave the puzzle, plus hints and solution."""
        allowed = {word: command for word, command in super().commands().items() if word not in _DISABLED_COMMANDS}
        allowed |= {"hint": self._hint, "solution": self._solution, "again": self._again}
        return allowed | self.pick_commands()

    def _play_automatically(self) -> bool:
        """Judge the solver's last choice, then play the forced moves and the opponent's answers."""
        attempt = self.attempt
        if attempt.verdict is not YES:
            self._fail()
            return True
        if attempt.is_over:
            self._show_end()
            tries = "at once" if self.tries == 1 else f"after {self.tries} tries"
            raise QuitError(f"Solved {tries}. {attempt.success_message()} Another: dicemasters puzzle")
        moves = len(self.game.moves)
        attempt.play_forced_moves()
        return len(self.game.moves) > moves

    def _handle_game_over(self) -> bool:
        """Judge the puzzle if the turn has ended the game."""
        self._play_automatically()
        return True

    def _show_end(self) -> None:
        """Show the results of the last choice, up to the end of the turn."""
        if self.game.decision is None:
            self._draw()
            return
        for line in takewhile(lambda line: not line.startswith("Turn "), self._news()):
            self._print_text(f" {line}", LABEL)

    def _fail(self) -> None:
        """Explain why the attempt fails, and restart."""
        tried = [move.text for move in self.game.moves if move.player == self.attempt.seat_letter]
        self.tries += 1
        self.remarks = [
            f"This fails: {'; '.join(tried)}.",
            *self.attempt.explain_failure(),
            "Try again, from the start.",
        ]
        self._begin_again()

    def _begin_again(self) -> None:
        self.attempt.restart()
        self.shown_lines = len(self.game.log)

    def _again(self, argument: str) -> None:
        self._begin_again()
        self.question.take_back()
        self._draw()

    def _hint(self, argument: str) -> None:
        self.hints += 1
        self._print_text(self.attempt.hint(self.hints), ACCENT)

    def _solution(self, argument: str) -> None:
        raise QuitError("\n".join(self.attempt.solution()))

    def _footer(self) -> list[ScreenSection]:
        """Return the puzzle's task as a section."""
        puzzle = self.attempt.puzzle
        task = Text(f" Puzzle {puzzle.number}, grade {puzzle.grade} of {MAX_GRADE}. {TASKS[puzzle.goal]}", "bold")
        return [fixed_section([task, Text(" hint, solution, again, help", LABEL)])]
