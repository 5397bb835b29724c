"""A game at the terminal: the table, one question, numbered answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from dicemasters.cards import Card, Catalogue, UnknownCardError, catalogue
from dicemasters.game import Choice, Decision, Game, say, solitaire, view, why
from dicemasters.game.view import State
from dicemasters.players.player import Player
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.players.scripted.reason import Reason
from dicemasters.table.card import print_card
from dicemasters.table.coach import remarks
from dicemasters.table.drawing import ACCENT, LABEL, SEAT_STYLES, draw_table, heading, shorten
from dicemasters.table.files import read_record, reason, write_record
from dicemasters.table.rules_command import print_rules
from dicemasters.table.telling import about, asks, digest, hint

Read = Callable[[str], str]

SEVERAL = ("reroll", "attack", "block", "choose")  # kinds of decisions made of several parts
LEAST_NEWS, MOST_NEWS = 4, 12  # lines of what happened since the last decision
LEFT_BY_INTERRUPT = 130

HELP = """\
Answer with a number, or with the first letters of an answer.
Where dice are picked one by one (reroll, attack, block), several numbers at once pick
them all and finish: 1 3 4

  undo (u)       take back your last decision
  hold           pass, and be asked once more if the other player adds nothing
  log (l)        what happened so far; log 50 for the last 50 lines
  show CARD      a card in full: show hulk; several: show hulk; thor
  why DIE        where the A and D of dice in the field come from: why hulk
  coach on       be told what each question is for and what is easily overlooked; coach off
  save FILE      write the record of this game
  load FILE      go on with a game from its record
  position       print this position as text
  why            by which rules the Scripted Opponent made its last choices
  row            the rows of cards, in the order in which it buys
  rules WORD     what the rules say on a word or under a number: rules overcrush, rules 3.4
  help (h, ?)    this list; help WORD is rules WORD
  quit (q)       leave the table; Enter alone draws it anew

[Hulk@2* 6/7]          Hulk on level 2 with one burst, A 6 and D 7
[Hulk@2 8/7 (6/7)]     the same with A 8 now; printed are 6 and 7
[Hulk:SS] [F] [?] [2]  energy: F fist, B bolt, M mask, S shield, ? wild, 2 generic
[Smash!**]             an action with two bursts
Hulk 6S ■■             the card: costs 6 with at least one shield, two dice left"""


class LeaveError(Exception):
    """The person leaves the table; the text is the sentence to part with."""


class Sitting:
    """People and players at one table, until the game is over or somebody leaves."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player | None],
        console: Console,
        read: Read = input,
        *,
        interactive: bool = True,
        cards: Catalogue | None = None,
    ) -> None:
        self.game = game
        self.cards = cards
        self.players = list(players)  # None is a person
        self.console = console
        self.read = read
        self.interactive = interactive
        people = [seat for seat, player in enumerate(players) if player is None]
        self.viewer = people[0] if len(people) == 1 else 0
        self.names = ["you" if p is None and len(people) == 1 else "human" if p is None else p.name for p in players]
        self.held = (0, 0)  # turn and step in which a person wants the last word
        self.told = 0  # lines of the log that were shown
        self.forced: set[int] = set()  # lines of the log about decisions with a single option
        self.reasons: dict[int, Reason] = {}  # lines of the log about decisions of the script
        self.remarks: list[str] = []  # to be said under the next table
        self.coached = False

    def run(self) -> int:
        """Play until the end; give the exit code."""
        try:
            while self.game.decision is not None:
                if not self._play_alone():
                    self._ask()
            self._end()
        except LeaveError as leaving:
            self._say(str(leaving))
        except EOFError:
            self._say("\nThe input has ended, and the game stops here.")
        except KeyboardInterrupt:
            self._say("\nYou have left the game.")
            return LEFT_BY_INTERRUPT
        return 0

    # --- who decides -----------------------------------------------------------------------------------------------

    def _play_alone(self) -> bool:
        """Play for a player that is no person, or a decision that is none."""
        state = self.game.state
        player = self.players[state.ask.seat]
        if isinstance(player, ScriptedPlayer):
            found = player.explain(state)
            self.reasons[len(self.game.log)] = found
            self.game.play(found.option)
            return True
        if player is not None:
            self.game.play(player.choose(state))
            return True
        if len(state.options) == 1 or self._has_passed(state):
            self.forced.add(len(self.game.log))
            self.game.play("pass" if len(state.options) > 1 else 0)
            return True
        return False

    def _has_passed(self, state: State) -> bool:
        """Tell whether the question is for a last word, and the player, who has passed, did not want to be asked."""
        return say.is_last_word(state) and self.held != (state.turn, state.step)

    def _ask(self) -> None:
        """Show the table and ask until something was played."""
        self._draw()
        self.remarks = []
        game, moves, told = self.game, len(self.game.moves), len(self.game.log)
        while game is self.game and len(game.moves) == moves:
            self._answer(self.read("> ").strip())
        if game is self.game:
            self.told = told

    # --- answers ---------------------------------------------------------------------------------------------------

    def _answer(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = self._commands().get(word.casefold())
        try:
            if not line:
                self._draw()
            elif command is not None:
                command(rest.strip())
            else:
                self._choose(line)
        except (ValueError, OSError) as error:
            self._say(reason(error), "red")

    def _commands(self) -> dict[str, Callable[[str], None]]:
        commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "hold": self._hold,
            "log": self._log,
            "show": self._show,
            "why": self._why,
            "coach": self._coach,
            "save": self._save,
            "load": self._load,
            "position": self._position,
            "row": self._rows,
            "rules": self._rules,
            "help": self._help,
            "quit": self._quit,
        }
        short = {"u": "undo", "l": "log", "h": "help", "?": "help", "q": "quit", "exit": "quit"}
        return commands | {letter: commands[word] for letter, word in short.items()}

    def _choose(self, line: str) -> None:
        decision = self.game.decision
        assert decision is not None
        words = line.replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() for word in words):
            self.game.play(_by_text(decision, line))
            return
        picked = [self._by_number(decision, int(word)) for word in words]
        if len(picked) == 1:
            self.game.play(picked[0])
        elif decision.kind in SEVERAL:
            self._play_several(decision, picked)
        else:
            raise ValueError("Only one of these can be chosen at a time.")

    def _by_number(self, decision: Decision, number: int) -> Choice:
        if not 1 <= number <= len(decision):
            raise ValueError(f"There is no answer {number}: choose from 1 to {len(decision)}.")
        return decision.options[number - 1]

    def _play_several(self, decision: Decision, picked: list[Choice]) -> None:
        """Play the picked parts in order as far as they are still offered, then finish."""
        skipped: list[str] = []
        for choice in sorted(picked, key=lambda c: c.index):
            if choice.what == "done":
                continue
            now = self.game.decision
            if now is None or (now.player, now.kind) != (decision.player, decision.kind):
                break
            if choice.text in [option.text for option in now.options]:
                self.game.play(choice.text)
            else:
                skipped.append(choice.text)
        now = self.game.decision
        if now is not None and (now.player, now.kind) == (decision.player, decision.kind):
            finish = [option for option in now.options if option.what == "done"]
            if finish:
                self.game.play(finish[0].index)
        if skipped:
            self.remarks.append(f"not possible any more: {', '.join(skipped)}")

    # --- commands --------------------------------------------------------------------------------------------------

    def _undo(self, rest: str) -> None:
        """Go back to the last decision in which a person had a choice."""
        trial = self.game.copy()
        while trial.undo():
            state = trial.state
            if self.players[state.ask.seat] is None and len(state.options) > 1 and not self._has_passed(state):
                self._take(trial, "taken back")
                return
        raise ValueError("There is nothing to take back.")

    def _hold(self, rest: str) -> None:
        """Pass, and be asked once more if the other adds nothing (rules 3.3f)."""
        state = self.game.state
        if state.ask.kind not in ("main", "fight"):
            raise ValueError("You can hold only where you could pass in your main step or in the attack.")
        self.held = (state.turn, state.step)
        self.game.play("pass")

    def _log(self, rest: str) -> None:
        count = int(rest) if rest.isascii() and rest.isdigit() else 30
        lines = [self._marked(i) for i in range(len(self.game.log))]
        for line in lines[-count:] if count else ():
            self._print(_line_of_log(line))

    def _marked(self, i: int) -> str:
        """Give a line of the log, with the rule of the script if one made that choice."""
        line = self.game.log[i]
        return f"{line} [{self.reasons[i].rule}]" if i in self.reasons else line

    def _why(self, rest: str) -> None:
        """Say where a die's A and D come from, or, without a die, by which rules the script made its last choices."""
        if rest:
            self._why_stats(rest.casefold())
            return
        if not any(isinstance(player, ScriptedPlayer) for player in self.players):
            raise ValueError("Whose A and D? Name a character in the field: why hulk")
        if not self.reasons:
            raise ValueError("The script has not decided anything yet.")
        last = [i for i in sorted(self.reasons) if i >= self.told] or sorted(self.reasons)[-5:]
        for i in last:
            self._say(f"{self.game.log[i]}  {self.reasons[i].rule}: {self.reasons[i].why}.")
        self._say("The rule in full: rules S18. All of them: docs/scripted-opponent.md.", LABEL)

    def _rows(self, rest: str) -> None:
        """Show the rows of cards, in the order in which the script buys and acts."""
        t = self.game.table
        for seat, name in (*enumerate(self.names), (-1, "basics")):
            cards = ", ".join(f"{t.names[c]} {t.cards[c].cost}" for c in solitaire.row(t, seat))
            self._say(f"{name if seat < 0 else f'{say.SEATS[seat]} ({name})'}: {cards}")

    def _show(self, rest: str) -> None:
        for card in find_cards(rest, self.game, self.cards):
            print_card(self.console, card)

    def _why_stats(self, wanted: str) -> None:
        s = self.game.state
        dice = [d for seat in range(s.table.n_seats) for d in view.fielded(s, seat)]
        told = {
            f"{say.thing_text(s, d)}: {', '.join(f'{line.text} [{line.rule}]' for line in why.stats_lines(s, d))}"
            for d in dice
            if wanted in say.title(s, d).casefold()
        }
        if not told:
            raise ValueError(f"There is no '{wanted}' in the field. Name a character that is: why hulk")
        for line in sorted(told):
            self._say(line)

    def _coach(self, rest: str) -> None:
        """Turn the coach on or off."""
        if rest not in ("on", "off", ""):
            raise ValueError("The coach can be on or off: coach on")
        self.coached = rest == "on" if rest else not self.coached
        self._draw()

    def _save(self, rest: str) -> None:
        if not rest:
            raise ValueError("Save it where? Give a file name: save FILE")
        write_record(rest, self.game)
        self._say(f"Saved in {rest}.")

    def _load(self, rest: str) -> None:
        if not rest:
            raise ValueError("Load it from where? Give a file name: load FILE")
        game = read_record(rest, self.cards)
        if game.table.n_seats != len(self.players):
            raise ValueError(f"{rest} is a game of {game.table.n_seats}, and {len(self.players)} sit at this table.")
        self._take(game, f"loaded from {rest}")

    def _take(self, game: Game, remark: str) -> None:
        """Go on with another game, or with this one at another moment."""
        self.game = game
        self.told = len(game.log)
        self.forced = {i for i in self.forced if i < self.told}
        self.reasons = {i: found for i, found in self.reasons.items() if i < self.told}
        self.remarks = [remark]

    def _position(self, rest: str) -> None:
        self._say(self.game.to_text())

    def _rules(self, rest: str) -> None:
        if not rest:
            raise ValueError("Which rule? Give a word or a number: rules overcrush, rules 3.4")
        print_rules(self.console, rest)

    def _help(self, rest: str) -> None:
        if rest:
            print_rules(self.console, rest)
        else:
            self._say(HELP)

    def _quit(self, rest: str) -> None:
        raise LeaveError("You have left the game.")

    # --- showing ---------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Draw the table, what happened since the last decision, and the question."""
        decision = self.game.decision
        width = self.console.width
        table = draw_table(self.game.state, self.names, width, self.viewer)
        question = (
            self._question(decision, width, self.console.height - len(table))
            if decision is not None
            else self._result(width)
        )
        room = self.console.height - len(table) - len(question) - 1
        self._clear()
        for line in [*table, *self._news(max(LEAST_NEWS, min(MOST_NEWS, room))), *question]:
            self._print(line)
        for remark in remarks(self.game) if self.coached else ():
            self._say(f" coach: {remark.text}{f' [{remark.rule}]' if remark.rule else ''}", ACCENT)

    def _news(self, room: int) -> list[Text]:
        log = self.game.log
        fresh = [
            f"{log[i]} (the only option)" if i in self.forced else self._marked(i) for i in range(self.told, len(log))
        ]
        news = digest(fresh) + self.remarks
        if len(news) > room:
            news = [f"… {len(news) - room + 1} lines more, see: log", *news[1 - room :]]
        return [Text(f" {line}", LABEL) for line in news]

    def _question(self, decision: Decision, width: int, room: int) -> list[Text]:
        state = self.game.state
        seat = say.SEATS.index(decision.player)
        lines = [heading(asks(state, decision, self.names), width, SEAT_STYLES[view.side_of(seat)])]
        question = Text.assemble((f" {decision.question}", ACCENT))
        if decision.kind in SEVERAL and len(decision) > 2:
            question.append("  several at once: 1 2", LABEL)
        lines.append(question)
        explained = about(state)
        if explained:
            wrapped = Text(explained, LABEL).wrap(self.console, max(20, width - 2))
            lines += [Text(" ").append_text(line) for line in wrapped]
        lines_left = room - len(lines) - LEAST_NEWS - 1
        answers = self._answers(decision, width, hints=True)
        return lines + (answers if len(answers) <= lines_left else self._answers(decision, width, hints=False))

    def _result(self, width: int) -> list[Text]:
        return [
            heading("the game is over", width, ACCENT),
            Text(f" {say.result_text(self.game.state)}", ACCENT),
        ]

    def _answers(self, decision: Decision, width: int, *, hints: bool) -> list[Text]:
        """Number the options, short ones in columns; hints say what else one might want to know."""
        cells: list[Text] = []
        digits = len(str(len(decision)))
        for option in decision.options:
            cell = Text.assemble((f" {option.index + 1:>{digits}} ", ACCENT), option.text)
            extra = hint(self.game.state, self.game.state.options[option.index]) if hints else ""
            cell.append(f"  {extra}" if extra else "", LABEL)
            cells.append(cell)
        return in_columns(cells, width)

    def _end(self) -> None:
        self._draw()
        if not self.interactive:
            return
        path = self.read("Save the record? A file name, or Enter for no: ").strip()
        if path and not path.isdigit():  # a number is a late answer, not a name
            try:
                write_record(path, self.game)
            except (OSError, ValueError) as error:
                self._say(reason(error), "red")
            else:
                self._say(f"Saved in {path}. See it again with: dicemasters replay {path}")

    def _clear(self) -> None:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.clear()

    def _print(self, line: Text) -> None:
        self.console.print(shorten(line, self.console.width), no_wrap=True, crop=False)

    def _say(self, words: str, style: str = "") -> None:
        self.console.print(Text(words, style))


def _by_text(decision: Decision, line: str) -> Choice:
    """Find the option that is meant: the whole text, else its beginning, else a part of it."""
    wanted = line.casefold()
    texts = [option.text.casefold() for option in decision.options]
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [option for option, text in zip(decision.options, texts, strict=True) if fits(text, wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            raise ValueError(f"'{line}' could be: {'; '.join(option.text for option in found)}")
    raise ValueError(f"'{line}' is neither an answer nor a command. Type a number, or help.")


def find_cards(names: str, game: Game | None = None, cards: Catalogue | None = None) -> list[Card]:
    """Find one card, or several separated by `;` or `,` (keys just by spaces); a name that has a comma itself is one."""
    try:
        return [find_card(names.strip(" ;,"), game, cards)]
    except ValueError:
        parts = [part.strip() for part in re.split("[;,]", names) if part.strip()]
        if len(parts) > 1:
            return [find_card(part, game, cards) for part in parts]
        if len(keys := names.split()) > 1 and all(re.fullmatch(r"[a-z]+\d+", key) for key in keys):
            return [find_card(key, game, cards) for key in keys]
        raise


def find_card(name: str, game: Game | None = None, cards: Catalogue | None = None) -> Card:
    """Find a card by name or key; the cards on the table go before all others."""
    if not name:
        raise ValueError("Show which card? Give its name: show CARD")
    if game is not None:
        wanted = name.casefold()
        on_table = [
            card for card in game.table.cards[: game.table.n_real_cards] if card.title.casefold().startswith(wanted)
        ]
        names = {card.name for card in on_table}
        if len(names) == 1:
            return on_table[0]
    try:
        return (cards or catalogue()).find(name)
    except UnknownCardError as error:
        raise ValueError(reason(error)) from None


def in_columns(cells: Sequence[Text], width: int) -> list[Text]:
    """Set cells in columns, read downwards, where that saves lines; one that is too long is cut."""
    longest = max((cell.cell_len for cell in cells), default=0) + 2
    columns = max(1, width // longest) if len(cells) > 4 else 1
    if columns == 1:
        return [shorten(cell, width) for cell in cells]
    rows = -(-len(cells) // columns)
    lines: list[Text] = []
    for row in range(rows):
        line = Text()
        for cell in cells[row::rows]:
            line.append_text(cell)
            line.append(" " * (longest - cell.cell_len))
        line.rstrip()
        lines.append(line)
    return lines


def _line_of_log(line: str) -> Text:
    return Text(f" {line}", LABEL if line.startswith("  ") else "")
