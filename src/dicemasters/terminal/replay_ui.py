"""Step-by-step replay of a recorded game."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from dicemasters.cards import Catalogue
from dicemasters.game import Game
from dicemasters.game.text import describe
from dicemasters.players.player import make_player
from dicemasters.terminal.game_ui import TerminalGame
from dicemasters.terminal.inspect_commands import (
    LEFT_BY_INTERRUPT,
    MAX_DIGITS,
    Commands,
    InspectCommands,
    LineReader,
    QuitError,
)
from dicemasters.terminal.layout import fixed_section, render_screen
from dicemasters.terminal.log_digest import digest_log
from dicemasters.terminal.theme import ACCENT, LABEL, heading

KEYS = "Enter: next · p: back · 12: move 12 · turn 5 · first · last · play · help · q"
HELP = """\
  Enter, next (n)   go to the next choice
  back (p)          go back by one choice
  12                go to the position after 12 choices
  turn 5            go to the beginning of turn 5
  first, last       go to the beginning, to the end
  play A            play on from here as A against simple players; play alone:
                    play all seats
  log (l)           show the log; log 50 for the last 50 lines
  show CARD         show a card in full
  why DIE           explain A and D of dice in the field
  why not ...       explain why an action is not possible: why not buy hulk
  position          print this position as text
  save FILE         save the game up to here
  rules WORD        search the rules, by word or number
  quit (q)          leave"""
NAMES = ("",) * 4


class ReplayViewer(InspectCommands):
    """Replay of a game, with commands to move through it."""

    help = HELP

    def __init__(self, game: Game, console: Console, read: LineReader = input, cards: Catalogue | None = None) -> None:
        super().__init__(game, console, read, cards)
        self.moves = tuple(game.moves)
        self.turns: dict[int, int] = {}  # number of moves before each turn
        self.go_to(0)
        while self.move_number < len(self.moves):
            self.turns.setdefault(self.game.state.turn, self.move_number)
            self.go_to(self.move_number + 1)
        self.turns.setdefault(self.game.state.turn, self.move_number)
        self.go_to(0)

    @property
    def move_number(self) -> int:
        """Number of moves shown so far."""
        return len(self.game.moves)

    def go_to(self, move: int) -> None:
        """Set the game to the position after `move` moves."""
        if self.move_number > move:
            self.game.undo(self.move_number - move)
        while self.move_number < move:
            self.game.play(self.moves[self.move_number].text)

    def run(self) -> int:
        """Accept commands until the user leaves. Return the exit code."""
        self.draw()
        try:
            while True:
                self._answer(self.read("> ").strip())
        except QuitError:
            pass
        except EOFError:
            self.console.print()
        except KeyboardInterrupt:
            self.console.print("\nYou have left the replay.")
            return LEFT_BY_INTERRUPT
        return 0

    def commands(self) -> Commands:
        """Return the commands by name."""
        own: Commands = {
            "turn": self._turn,
            "play": self._play_on,
            "next": self._next,
            "n": self._next,
            "back": self._back,
            "p": self._back,
            "first": lambda _: self._jump(0),
            "last": lambda _: self._jump(len(self.moves)),
        }
        return super().commands() | own

    def _answer(self, line: str) -> None:
        word = line.casefold()
        if not word:
            self._step(1)
        elif word.isascii() and word.isdigit():
            if len(word) > MAX_DIGITS or int(word) > len(self.moves):
                self._print_text(f"There is no move {word}; the game has {len(self.moves)}.")
            else:
                self._jump(int(word))
        elif not self._run_command(line):
            self._print_text(f"Unknown command '{line}'. {KEYS}")

    def _next(self, argument: str) -> None:
        self._step(1)

    def _back(self, argument: str) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if not 0 <= self.move_number + by <= len(self.moves):
            self._print_text("This is the last move." if by > 0 else "This is the beginning.")
        else:
            self._jump(self.move_number + by)

    def _jump(self, move: int) -> None:
        self.go_to(move)
        self.draw()

    def _turn(self, argument: str) -> None:
        """Go to the beginning of a turn."""
        if not (
            argument.isascii() and argument.isdigit() and len(argument) <= MAX_DIGITS and int(argument) in self.turns
        ):
            raise ValueError(f"Give a turn from 1 to {max(self.turns)}, for example: turn 3")
        self._jump(self.turns[int(argument)])

    def _play_on(self, argument: str) -> None:
        """Play on from here in a separate game, then return to the replay."""
        if self.game.result is not None:
            raise ValueError("The game is over at this point. Go back first, for example: turn 3")
        if self.game.fair is not None:
            raise ValueError("This game uses fair dice, so it cannot be continued here.")
        seats = describe.SEATS[: self.game.table.n_seats]
        letter = argument.strip().upper()
        if letter not in ("", *seats):
            raise ValueError(f"Choose one of the seats {', '.join(seats)}, for example: play {seats[0]}")
        players = [None if letter in ("", seat) else make_player("simple", n) for n, seat in enumerate(seats)]
        TerminalGame(self.game.copy(), players, self.console, self.read, cards=self.cards).run()
        self.draw()

    def draw(self) -> None:
        """Draw the board, the latest choice and its results."""
        game, width = self.game, self.console.width
        news = [Text(f" {line}", ACCENT if line == self._choice() else LABEL) for line in self._news()]
        decision = game.decision
        prompt = (
            Text(f" {describe.result_text(game.state)}", ACCENT)
            if decision is None
            else Text(f" next, {decision.player}: {decision.question}", "bold")
        )
        title = heading(f"move {self.move_number} of {len(self.moves)}", width, "bold")
        below = fixed_section([title, *news, prompt, Text(f" {KEYS}", LABEL)])
        self._clear()
        height = self.console.height - 1 if self.console.is_terminal else 0
        for line in render_screen(game.state, NAMES, 0, width, height, [], [below]):
            self._print(line)

    def _choice(self) -> str:
        """Return the text of the latest choice, or "" at the beginning."""
        return self._latest()[0] if self.move_number else ""

    def _latest(self) -> list[str]:
        """Return the log lines of the latest move: the choice and its results."""
        log = list(self.game.log)
        start = max((i for i, line in enumerate(log) if not line.startswith("  ")), default=0)
        return log[start:]

    def _news(self) -> list[str]:
        if not self.move_number:
            return ["the beginning", *digest_log(self.game.log)]
        choice, *consequences = self._latest()
        return [choice, *digest_log(consequences)]
