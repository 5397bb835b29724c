"""A recorded game, step by step, forward and back."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from dicemasters.game import Game, say
from dicemasters.table.drawing import ACCENT, LABEL, draw_table, heading, shorten
from dicemasters.table.telling import digest
from dicemasters.table.terminal import LEFT_BY_INTERRUPT, Read

KEYS = "Enter or n: next · p: back · a number: that move · first · last · q: quit"
NAMES = ("",) * 4


class Replay:
    """A game and how far it has been shown."""

    def __init__(self, game: Game, console: Console, read: Read = input) -> None:
        self.moves = tuple(game.moves)
        self.game = game
        self.console = console
        self.read = read
        self.go_to(0)

    @property
    def at(self) -> int:
        """Give the number of moves made."""
        return len(self.game.moves)

    def go_to(self, move: int) -> None:
        """Show the game as it was after so many moves."""
        if self.at > move:
            self.game.undo(self.at - move)
        while self.at < move:
            self.game.play(self.moves[self.at].text)

    def run(self) -> int:
        """Step through the game until the reader leaves; give the exit code."""
        self.draw()
        try:
            while self._answer(self.read("> ").strip().casefold()):
                pass
        except EOFError:
            self.console.print()
        except KeyboardInterrupt:
            self.console.print("\nYou have left the replay.")
            return LEFT_BY_INTERRUPT
        return 0

    def _answer(self, word: str) -> bool:
        last = len(self.moves)
        match word:
            case "q" | "quit" | "exit":
                return False
            case "" | "n" | "next":
                if self.at == last:
                    return self._say("This is the last move.")
                move = self.at + 1
            case "p" | "prev" | "previous" | "back":
                if self.at == 0:
                    return self._say("This is the beginning.")
                move = self.at - 1
            case "first" | "f":
                move = 0
            case "last" | "l":
                move = last
            case _ if word.isascii() and word.isdigit():
                move = int(word)
                if move > last:
                    return self._say(f"There is no move {word}: the game has {last}.")
            case _:
                return self._say(f"'{word}' is none of these. {KEYS}")
        self.go_to(move)
        self.draw()
        return True

    def _say(self, words: str) -> bool:
        self.console.print(Text(words))
        return True

    def draw(self) -> None:
        """Draw the table, the choice just made and what came of it."""
        game, width = self.game, self.console.width
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.clear()
        lines = draw_table(game.state, NAMES, width)
        lines.append(heading(f"move {self.at} of {len(self.moves)}", width, "bold"))
        lines += [Text(f" {line}", ACCENT if line == self._choice() else LABEL) for line in self._news()]
        decision = game.decision
        if decision is None:
            lines.append(Text(f" {say.result_text(game.state)}", ACCENT))
        else:
            lines.append(Text(f" next, {decision.player}: {decision.question}", "bold"))
        lines.append(Text(f" {KEYS}", LABEL))
        for line in lines:
            self.console.print(shorten(line, width), no_wrap=True, crop=False)

    def _choice(self) -> str:
        """Say the choice just made, "" at the beginning."""
        return self._latest()[0] if self.at else ""

    def _latest(self) -> list[str]:
        """Give the log of the move just made: the choice and what came of it."""
        log = list(self.game.log)
        start = max((i for i, line in enumerate(log) if not line.startswith("  ")), default=0)
        return log[start:]

    def _news(self) -> list[str]:
        if not self.at:
            return ["the beginning", *digest(self.game.log)]
        choice, *rest = self._latest()
        return [choice, *digest(rest)]
