"""Game at the terminal: the board, one question and numbered answers."""

from __future__ import annotations

import shlex
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from dicemasters.cards import Catalogue
from dicemasters.errors import error_line
from dicemasters.game import Game
from dicemasters.game.answers.ordering import expects_more
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import State
from dicemasters.game.rulesets import solitaire
from dicemasters.game.text import describe
from dicemasters.players.player import Player
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.service.coach import coach_remarks
from dicemasters.service.option_hints import decision_context, decision_heading
from dicemasters.terminal.board_view import SEAT_STYLES
from dicemasters.terminal.decision_prompt import DecisionPrompt
from dicemasters.terminal.inspect_commands import LEFT_BY_INTERRUPT, Commands, InspectCommands, LineReader, QuitError
from dicemasters.terminal.layout import ScreenSection, fixed_section, render_screen
from dicemasters.terminal.log_digest import digest_log
from dicemasters.terminal.savegames import autosave_record, read_record
from dicemasters.terminal.theme import ACCENT, LABEL, heading

HELP = """\
Answer with a number, or with the first letters of an answer.
Where several can be picked (reroll, attack, block, pay), pick in any order; a
minus takes one pick back: -2. Several numbers at once pick all and finish:
1 3 4. Blocks can be pairs: 1a 2b. Damage is split by name: Hulk 3, Sidekick 1.
The word pass also means no attack, no block, keep all, none or no.

  undo (u)       drop your picks or take back a decision, also after the end
  hold           pass, but act again if the other player adds nothing
  log (l)        what happened so far; log 50 for the last 50 lines
  show CARD      a card in full: show hulk; several: show hulk; thor
  why DIE        explain the A and D of dice in the field: why hulk
  why not ...    explain why an action is not possible: why not buy hulk
  more           show the next page of answers
  coach on       show advice on each question; coach off
  save FILE      save this game; resume it with: dicemasters play FILE
  load FILE      continue a saved game
  position       print this position as text
  why            show the rules behind the Scripted Opponent's last choices
  row            show the rows of cards, in its buying order
  rules WORD     search the rules: rules overcrush; or by number: rules 3.4
  help (h, ?)    this list; help WORD is rules WORD
  quit (q)       leave the game; Enter alone redraws the board

[Hulk@2* 6/7]          Hulk on level 2 with one burst, A 6 and D 7
[Hulk@2 8/7 (6/7)]     the same with A 8 now; printed are 6 and 7
[Hulk:FF] [F] [?] [2]  energy: Fist, Bolt, Mask, Shield, ? wild, 2 generic
[Feedback!**]          an action with two bursts
Hulk 6F ■■             a card: costs 6, at least one of it Fist; two dice left"""

# shown below the first board of a game
LEGEND = (
    "Cards: Hulk 6F ■■ costs 6 energy, at least one Fist; 2 of its dice are left.",
    "Dice: [Hulk@2 6/7] is level 2, A 6, D 7; F, B, M, S, ? are energy. Type help.",
)
LEGEND_LOSS = 8  # on a small screen the legend goes before the last log lines


def help_text(disabled: Collection[str]) -> str:
    """Return the help text without the lines of disabled commands."""
    return "\n".join(line for line in HELP.split("\n") if not (line[:2] == "  " and line.split()[0] in disabled))


def _without_script_commands(text: str) -> str:
    """Return a help text without the commands that only a game against the Scripted Opponent has."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(("  why     ", "  row ")))


class TerminalGame(InspectCommands):
    """Game of people and bots at one terminal, until it is over or a player leaves."""

    help = HELP

    def __init__(
        self,
        game: Game,
        players: Sequence[Player | None],
        console: Console,
        read: LineReader = input,
        *,
        interactive: bool = True,
        cards: Catalogue | None = None,
        autosave_path: Path | None = None,
        move_delay: float = 0,
    ) -> None:
        """Create a game with a player per seat, or None for a person.

        `move_delay` is the pause in seconds before each choice in a game of bots only.
        """
        super().__init__(game, console, read, cards)
        self.players = list(players)
        self.interactive = interactive
        if game.table.solitaire is None:
            self.help = _without_script_commands(self.help)
        people = [seat for seat, player in enumerate(players) if player is None]
        self.viewer = people[0] if len(people) == 1 else 0
        self.names = ["you" if p is None and len(people) == 1 else "human" if p is None else p.name for p in players]
        self.autosave_path = autosave_path
        self.move_delay = move_delay
        self.loaded = ""  # file the game was loaded from
        self.held_at = (0, 0)  # turn and step in which a person has used `hold`
        self.shown_lines = 0  # number of log lines already shown
        self.forced: set[int] = set()  # log lines of decisions with a single option
        self.remarks: list[str] = []  # shown below the next board
        self.legend: Sequence[str] = ()  # explains the notation below the next board
        self.coached = False
        self.page = 0  # current page of the list of answers
        self._question: DecisionPrompt | None = None

    def run(self) -> int:
        """Play to the end and accept commands until the user leaves. Return the exit code."""
        try:
            while self.game.decision is not None or self._handle_game_over():
                if not self._play_automatically():
                    self._ask()
        except QuitError as quitting:
            self._print_text(str(quitting))
        except EOFError:
            self._print_text("\nEnd of input. The game stops here.")
        except KeyboardInterrupt:
            self._print_text("\nYou have left the game.")
            self._autosave()
            return LEFT_BY_INTERRUPT
        self._autosave()
        return 0

    def print_resume_hint(self, options: str = "") -> None:
        """Print the command that resumes an unfinished, autosaved game."""
        if self.autosave_path is not None and self.autosave_path.exists() and self.game.result is None:
            command = f"dicemasters play {shlex.quote(str(self.autosave_path))}{options}"
            self.console.print(Text(f"Resume this game: {command}", "dim"), soft_wrap=True)

    # --- turns of bots and people ----------------------------------------------------------------------------------

    def _play_automatically(self) -> bool:
        """Play the choice of a bot, a forced one or an implied pass. Return False if a person has to decide."""
        state = self.game.state
        player = self.players[state.decision.seat]
        if isinstance(player, ScriptedPlayer):
            choice = player.explain(state)
            self.reasons[len(self.game.log)] = choice
            self.game.play(choice.option)
            return True
        if player is not None:
            self._watch()
            self.game.play(player.choose(state))
            return True
        if len(state.options) == 1 or self._has_passed(state):
            self.forced.add(len(self.game.log))
            self.game.play("pass" if len(state.options) > 1 else 0)
            return True
        return False

    def _watch(self) -> None:
        """In a game of bots only, show the board for `move_delay` seconds before each choice."""
        if self.move_delay and len(self.game.state.options) > 1 and None not in self.players:
            self._draw()
            self.shown_lines = len(self.game.log)
            time.sleep(self.move_delay)

    def _has_passed(self, state: State) -> bool:
        """Return True if the decision is a final priority that the player gave up by passing without `hold`."""
        return describe.is_final_priority(state) and self.held_at != (state.turn, state.step)

    def _ask(self) -> None:
        """Show the board and prompt until a choice is played."""
        self._autosave()
        self._draw()
        self.remarks, self.legend = [], ()
        game, moves, log_length = self.game, len(self.game.moves), len(self.game.log)
        while game is self.game and len(game.moves) == moves:
            self._answer(self.read("> ").strip())
        self.page = 0
        if game is self.game:
            self.shown_lines = log_length

    def _handle_game_over(self) -> bool:
        """Show the final board and accept commands. Return True if the game goes on, after `undo` or `load`."""
        if self.shown_lines < len(self.game.log) or self.game.moves:
            self._draw()
        if not self.interactive:
            return False
        self._autosave()
        self.remarks = []
        while self.game.result is not None:
            line = self.read("Game over: undo, log, save FILE, help, or Enter to leave > ").strip()
            if not line:
                return False
            if not self._run_command(line) and not line.isdigit():  # ignore a late answer
                self._print_text(
                    f"Unknown command '{line}'. The game is over; try undo, log, save FILE, help or quit.", "red"
                )
        return True

    def _autosave(self) -> None:
        """Save the game, so that it can be resumed after a crash."""
        if self.autosave_path is None or not self.game.moves:
            return
        try:
            autosave_record(self.autosave_path, self.game)
        except OSError as error:
            self.remarks.append(f"autosave failed: {error_line(error)}")
            self.autosave_path = None

    # --- answers ---------------------------------------------------------------------------------------------------

    @property
    def question(self) -> DecisionPrompt:
        """Prompt for the pending decision, with the parts picked so far."""
        if self._question is None or not self._question.is_open(self.game):
            self._question = DecisionPrompt(self.game)
        return self._question

    def _answer(self, line: str) -> None:
        if not line:
            self._draw()
        elif not self._run_command(line):
            try:
                self._choose(line)
            except (ValueError, OSError) as error:
                self._print_text(error_line(error), "red")

    def _choose(self, line: str) -> None:
        moves = len(self.game.moves)
        self.question.answer(line)
        if len(self.game.moves) == moves:  # only a part of the answer was picked
            self._draw()

    def commands(self) -> Commands:
        """Return the commands by name."""
        own: Commands = {
            "undo": self._undo,
            "u": self._undo,
            "hold": self._hold,
            "more": self._more,
            "coach": self._coach,
            "load": self._load,
            "row": self._rows,
        }
        return super().commands() | own

    def completions(self, line: str) -> list[str]:
        """Return the answers and commands that begin with the line."""
        answers = [a.text for a in self.question.answers] if self.game.decision is not None else []
        fit = [text for text in answers if text.casefold().startswith(line.casefold())]
        return list(dict.fromkeys(fit)) + super().completions(line)

    # --- commands --------------------------------------------------------------------------------------------------

    def _undo(self, argument: str) -> None:
        """Discard the parts picked so far or, without any, return to the last decision that a person made."""
        if self.game.result is None and self.question.take_back():
            self._draw()
            return
        trial = self.game.copy()
        while trial.undo():
            state = trial.state
            if self.players[state.decision.seat] is None and len(state.options) > 1 and not self._has_passed(state):
                if self._is_within_answer(trial):
                    continue
                self._switch_game(trial, "taken back")
                return
        raise ValueError("There is nothing to undo.")

    def _is_within_answer(self, game: Game) -> bool:
        """Return True if the game waits for a further part of an answer that was given as a whole."""
        previous = game.copy()
        return (
            previous.undo()
            and len(previous.state.options) > 1
            and DecisionPrompt(previous).has_parts
            and expects_more(previous.state, game.state)
        )

    def pick_commands(self) -> Commands:
        """Return `undo` while it only discards picks, for games that cannot be taken back otherwise."""
        has_picks = self.game.result is None and bool(self.question.picked)
        return {"undo": self._undo, "u": self._undo} if has_picks else {}

    def _hold(self, argument: str) -> None:
        """Pass, but keep the final priority if the opponent adds nothing (rules 3.3f9)."""
        state = self.game.state
        if state.decision.kind not in ("main", "fight"):
            raise ValueError("hold works only when you may pass in your main step or in the attack step.")
        self.held_at = (state.turn, state.step)
        self.game.play("pass")

    def _more(self, argument: str) -> None:
        """Show the next page of answers."""
        self.page += 1
        self._draw()

    def _why(self, argument: str) -> None:
        """Explain a die's A and D or, without an argument, the latest choices of the script."""
        if argument or not any(isinstance(player, ScriptedPlayer) for player in self.players):
            super()._why(argument)
            return
        if not self.reasons:
            raise ValueError("The Scripted Opponent has not made a choice yet.")
        last = [i for i in sorted(self.reasons) if i >= self.shown_lines] or sorted(self.reasons)[-5:]
        for i in last:
            self._print_text(f"{self.game.log[i]}  {self.reasons[i].rule}: {self.reasons[i].why}.")
        self._print_text("To read a rule, type for example: rules S18. All of them: docs/scripted-opponent.md.", LABEL)

    def _rows(self, argument: str) -> None:
        """Print the rows of cards in the order in which the script buys and acts."""
        table = self.game.table
        for seat, name in (*enumerate(self.names), (-1, "basics")):
            cards = ", ".join(f"{table.names[c]} {table.cards[c].cost}" for c in solitaire.row(table, seat))
            self._print_text(f"{name if seat < 0 else f'{describe.SEATS[seat]} ({name})'}: {cards}")

    def _coach(self, argument: str) -> None:
        """Turn the coach on or off."""
        if argument not in ("on", "off", ""):
            raise ValueError("The coach can be on or off. Type: coach on")
        self.coached = argument == "on" if argument else not self.coached
        self._draw()

    def _load(self, argument: str) -> None:
        if not argument:
            raise ValueError("No file name given. Type: load FILE")
        game = read_record(argument, self.cards)
        if game.table.n_seats != len(self.players):
            raise ValueError(
                f"{argument} is a game for {game.table.n_seats} players; this one has {len(self.players)}."
            )
        self.loaded = argument
        self._switch_game(game, f"loaded from {argument}")

    def _switch_game(self, game: Game, remark: str) -> None:
        """Continue with another game, or with this one at another point."""
        self.game = game
        self.shown_lines = len(game.log)
        self.forced = {i for i in self.forced if i < self.shown_lines}
        self.reasons = {i: choice for i, choice in self.reasons.items() if i < self.shown_lines}
        self.remarks = [remark]

    # --- showing ---------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Draw the board, the log since the last decision and the question, fitted to the screen."""
        wrapped = [
            line for remark in self.remarks for line in Text(remark, LABEL).wrap(self.console, self.console.width - 1)
        ]
        below = [fixed_section([Text(" ").append_text(line) for line in wrapped])]
        legend = [Text(f" {line}", LABEL) for line in self.legend]
        below.append(ScreenSection([legend], []).add_shorter_form([], LEGEND_LOSS))
        below += self._result() if self.game.decision is None else self._question_sections()
        below += self._footer()
        lines = render_screen(
            self.game.state,
            self.names,
            self.viewer,
            self.console.width,
            self.console.height - 1 if self.console.is_terminal else 0,  # no limit when piped
            self._news(),
            below,
            names_fighters=self.game.decision is not None and bool(self.question.blockers),
        )
        self._clear()
        for line in lines:
            self._print(line)

    def _footer(self) -> list[ScreenSection]:
        """Return the sections below the question: the coach's remarks."""
        sections: list[ScreenSection] = []
        for remark in coach_remarks(self.game) if self.coached else ():
            words = f" coach: {remark.text}{f' [{remark.rule}]' if remark.rule else ''}"
            sections.append(
                ScreenSection([list(Text(words, ACCENT).wrap(self.console, self.console.width))], []).add_shorter_form(
                    [], 9
                )
            )
        return sections

    def _news(self) -> list[str]:
        log = self.game.log
        new_lines = [
            f"{log[i]} (the only option)" if i in self.forced else self._log_line(i)
            for i in range(self.shown_lines, len(log))
        ]
        return digest_log(new_lines)

    def _question_sections(self) -> list[ScreenSection]:
        """Return the question and its answers as sections."""
        state, width = self.game.state, self.console.width
        question = self.question
        decision = question.decision
        seat = describe.SEATS.index(decision.player)
        prompt = [Text(f" {question.question}", ACCENT)]
        if question.instruction:
            instruction = Text(f" {question.instruction}", LABEL)
            if prompt[0].cell_len + 1 + instruction.cell_len <= width:
                prompt[0].append(" ").append_text(instruction)
            else:
                prompt += instruction.wrap(self.console, width)
        lines = [
            heading(decision_heading(state, decision, self.names), width, SEAT_STYLES[view.side_of(seat)]),
            *prompt,
        ]
        if question.picked_texts and not question.blockers:
            lines.append(Text(f" so far: {', '.join(question.picked_texts)}", LABEL))
        context = decision_context(state)
        if context:
            wrapped = Text(context, LABEL).wrap(self.console, max(20, width - 2))
            lines += [Text(" ").append_text(line) for line in wrapped]
        return [fixed_section(lines), question.render(self.console, self.page)]

    def _result(self) -> list[ScreenSection]:
        return [
            fixed_section(
                [
                    heading("the game is over", self.console.width, ACCENT),
                    Text(f" {self._result_text()}", ACCENT),
                ]
            )
        ]

    def _result_text(self) -> str:
        """Return the result; a person who plays alone sees whether they have won."""
        result = self.game.result
        if result is None or not result.winner or "you" not in self.names:
            return describe.result_text(self.game.state)
        return f"You {'win' if describe.SEATS[self.viewer] in result.winner else 'lose'}: {result.why}."
