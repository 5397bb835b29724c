"""Commands that inspect a game without changing it: log, cards, rules and explanations of numbers."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from dicemasters.cards import Catalogue, catalogue
from dicemasters.errors import error_line
from dicemasters.game import Game
from dicemasters.game.inspect import view
from dicemasters.game.text import describe, explain
from dicemasters.players.scripted.explained_choice import ExplainedChoice
from dicemasters.terminal.card_lookup import find_cards
from dicemasters.terminal.card_view import print_card
from dicemasters.terminal.explain_unavailable import explain_unavailable
from dicemasters.terminal.savegames import write_record
from dicemasters.terminal.theme import LABEL, shorten

LineReader = Callable[[str], str]
Commands = dict[str, Callable[[str], None]]

LEFT_BY_INTERRUPT = 130
MAX_DIGITS = 9  # digits of the longest number accepted


class QuitError(Exception):
    """The user leaves the game; the message is shown as a farewell."""


class InspectCommands:
    """A game, a console, and the commands that do not change the game."""

    help = ""

    def __init__(self, game: Game, console: Console, read: LineReader, cards: Catalogue | None = None) -> None:
        self.game = game
        self.console = console
        self.read = read
        self.cards = cards
        self.reasons: dict[int, ExplainedChoice] = {}  # choices of the script by log line

    def commands(self) -> Commands:
        """Return the commands by name."""
        commands: Commands = {
            "log": self._log,
            "show": self._show,
            "why": self._why,
            "save": self._save,
            "position": self._position,
            "rules": self._rules,
            "help": self._help,
            "quit": self._quit,
        }
        return commands | {"h": self._help, "?": self._help, "l": self._log, "q": self._quit, "exit": self._quit}

    def completions(self, line: str) -> list[str]:
        """Return completions of a line: commands, then the cards, rules or files that they take."""
        word, space, argument = line.partition(" ")
        if not space:
            return _with_prefix(sorted(name for name in self.commands() if len(name) > 1), line)
        candidates: Iterable[str] = ()
        if word == "show":
            candidates = dict.fromkeys([*self.game.table.names, *(card.name for card in self.cards or catalogue())])
        elif word == "why":
            candidates = [f"not {name}" for name in dict.fromkeys(self.game.table.names)] + list(self.game.table.names)
        elif word in ("rules", "help"):
            # imported on use, since it loads the whole rules document
            from dicemasters.rules.document import rules_document

            candidates = sorted({name for item in rules_document().items for name in item.defines})
        elif word in ("save", "load"):
            candidates = _files(argument)
        return [f"{word} {name}" for name in _with_prefix(candidates, argument)]

    # --- commands --------------------------------------------------------------------------------------------------

    def _log(self, argument: str) -> None:
        count = int(argument[:MAX_DIGITS]) if argument.isascii() and argument.isdigit() else 30
        lines = [self._log_line(i) for i in range(len(self.game.log))]
        for line in lines[-count:] if count else ():
            self._print(Text(f" {line}", LABEL if line.startswith("  ") else ""))

    def _log_line(self, i: int) -> str:
        """Return a line of the log, with the script's rule if the script made that choice."""
        line = self.game.log[i]
        return f"{line} [{self.reasons[i].rule}]" if i in self.reasons else line

    def _show(self, argument: str) -> None:
        for card in find_cards(argument, self.game, self.cards):
            print_card(self.console, card)

    def _why(self, argument: str) -> None:
        """Explain a die's A and D, or why an action is illegal."""
        word, _, action = argument.casefold().partition(" ")
        if word == "not":
            self._why_not(action.strip())
        elif argument:
            self._why_stats(argument.casefold())
        else:
            raise ValueError("No character given. Name one in the field: why hulk")

    def _why_not(self, action: str) -> None:
        if not action:
            raise ValueError("No action given. Type it like an answer: why not buy hulk")
        if self.game.result is not None:
            raise ValueError("The game is over.")
        explanation = explain_unavailable(self.game.state, action)
        if not explanation:
            raise ValueError(
                f"Nothing in this game is called '{action}'. Type the action like an answer: why not buy hulk"
            )
        self._print_text(explanation)

    def _why_stats(self, name: str) -> None:
        s = self.game.state
        dice = [d for seat in range(s.spec.n_seats) for d in view.fielded_characters(s, seat)]
        explanations = {
            f"{describe.die_or_player_text(s, d)}: {', '.join(f'{line.text} [{line.rule}]' for line in explain.stat_lines(s, d))}"
            for d in dice
            if name in describe.title(s, d).casefold()
        }
        if not explanations:
            raise ValueError(f"There is no '{name}' in the field. Name a character that is there: why hulk")
        for line in sorted(explanations):
            self._print_text(line)

    def _save(self, argument: str) -> None:
        if not argument:
            raise ValueError("No file name given. Type: save FILE")
        write_record(argument, self.game)
        file = shlex.quote(argument)
        self._print_text(f"Saved to {argument}. Resume: dicemasters play {file}. Replay: dicemasters replay {file}")

    def _position(self, argument: str) -> None:
        self.console.print(Text(self.game.to_text()), soft_wrap=True)  # unwrapped, so that the text can be parsed again

    def _rules(self, argument: str) -> None:
        if not argument:
            raise ValueError("No rule given. Type a word or a number: rules overcrush, rules 3.4")
        from dicemasters.terminal.rules_view import print_rules

        if not self.console.is_terminal:
            print_rules(self.console, argument)
            return
        with self.console.capture() as printed:
            print_rules(self.console, argument)
        self._page(printed.get().splitlines())

    def _page(self, lines: list[str]) -> None:
        """Print lines one screen at a time."""
        page_size = max(1, self.console.height - 2)
        for start in range(0, len(lines), page_size):
            self.console.file.write("\n".join(lines[start : start + page_size]) + "\n")
            remaining = len(lines) - start - page_size
            if remaining > 0 and self.read(f"{remaining} more lines: Enter, or q > ").strip():
                break

    def _help(self, argument: str) -> None:
        if argument:
            self._rules(argument)
        else:
            self._print_text(self.help)

    def _quit(self, argument: str) -> None:
        raise QuitError("You have left the game.")

    # --- showing ---------------------------------------------------------------------------------------------------

    def _run_command(self, line: str) -> bool:
        """Run a command and print its errors in one line. Return False if the line is no command."""
        word, _, argument = line.partition(" ")
        command = self.commands().get(word.casefold())
        if command is None:
            return False
        try:
            command(argument.strip())
        except (ValueError, OSError) as error:
            self._print_text(error_line(error), "red")
        return True

    def _clear(self) -> None:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.clear()

    def _print(self, line: Text) -> None:
        self.console.print(shorten(line, self.console.width), no_wrap=True, crop=False)

    def _print_text(self, words: str, style: str = "") -> None:
        self.console.print(Text(words, style))


def _with_prefix(names: Iterable[str], prefix: str) -> list[str]:
    return [name for name in names if name.casefold().startswith(prefix.casefold())]


def _files(prefix: str) -> list[str]:
    """Return the files and folders that complete a path."""
    path = Path(prefix or ".")
    folder = path if prefix.endswith("/") or not prefix else path.parent
    try:
        entries = sorted(folder.iterdir())
    except (OSError, ValueError):  # ValueError: the text contains a null byte
        return []
    return [f"{path}/" if path.is_dir() else str(path) for path in entries if not path.name.startswith(".")]
