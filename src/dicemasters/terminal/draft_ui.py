"""Draft at the terminal: people pick by number or name, bots fill the other seats."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from dicemasters.cards.catalogue import Card, Catalogue, UnknownCardError
from dicemasters.cards.text import card_text
from dicemasters.errors import error_line
from dicemasters.teams import rainbow_draft
from dicemasters.teams.draft import Draft
from dicemasters.teams.draft_bot import DraftBot, play_bot_picks
from dicemasters.teams.draft_picks import SEATS, Pick, PickRequest, TeamDice
from dicemasters.teams.rainbow_draft import RainbowDraftState
from dicemasters.teams.team_draft import TeamDraftState
from dicemasters.terminal.board_view import SEAT_STYLES
from dicemasters.terminal.card_view import print_card
from dicemasters.terminal.decision_prompt import in_columns
from dicemasters.terminal.inspect_commands import LEFT_BY_INTERRUPT, LineReader, QuitError
from dicemasters.terminal.savegames import write_draft
from dicemasters.terminal.theme import ACCENT, LABEL, die_style, flow, heading, shorten

HELP: Final = """\
Pick with a number, or with a part of a name that only one pick has.

  show CARD      a card in full, by name or by its number: show hulk, show 3
  team           show everybody's picks; in a Rainbow Draft only your own
  dice           show all dice in the middle (Rainbow Draft)
  hint           show what a bot would pick
  undo (u)       take back your last pick
  save FILE      save the draft; resume it with: dicemasters draft resume FILE
  help (h, ?)    this list
  quit (q)       leave the draft; Enter alone redraws the picks

Hulk 6F ■■■      costs 6 with at least one fist, three dice
F fist, B bolt, M mask, S shield"""


class TerminalDraft:
    """Draft of people and bots at one terminal, until it is over or a player leaves."""

    def __init__(
        self,
        draft: Draft,
        cards: Catalogue,
        console: Console,
        read: LineReader = input,
        *,
        save: str | None = None,
        loaded: Sequence[str] = (),
    ) -> None:
        self.draft = draft
        self.cards = cards
        self.console = console
        self.read = read
        self.save = save  # file saved after every pick
        self.loaded = loaded  # command-line arguments that load home-made cards
        self.announced_counts = [0] * draft.seats  # picks of each seat already shown
        self.at_keyboard = draft.people[0] if draft.people else -1

    def run(self) -> int:
        """Draft to the end. Return the exit code."""
        try:
            while self._advance():
                self._ask()
        except QuitError as quitting:
            self._print_text(str(quitting))
        except EOFError:
            self._print_text(f"\nEnd of input. The draft stops here. {self._resume_hint()}")
        except KeyboardInterrupt:
            self._print_text(f"\nYou have left the draft. {self._resume_hint()}")
            return LEFT_BY_INTERRUPT
        return 0

    def _advance(self) -> bool:
        """Play the picks of bots and forced picks. Return True if a person has to pick."""
        play_bot_picks(self.draft)
        while (request := self.draft.decision) is not None and len(request) == 1:
            self.draft.pick(0)
            play_bot_picks(self.draft)
        self._autosave()
        return request is not None

    def _ask(self) -> None:
        """Show the possible picks and prompt until one is made."""
        self._switch_player()
        self._draw()
        draft, moves = self.draft, len(self.draft.moves)
        while draft is self.draft and len(draft.moves) == moves:
            self._answer(self.read("> ").strip())

    def _switch_player(self) -> None:
        """In a Rainbow Draft, hide the cards until the next person is at the keyboard."""
        request = self.draft.decision
        if request is None or request.seat == self.at_keyboard:
            return
        self.at_keyboard = request.seat
        if isinstance(self.draft.state, RainbowDraftState):
            self._clear()
            self.read(f"{request.player} is next. Press Enter when {request.player} sits here alone: ")

    # --- answers ---------------------------------------------------------------------------------------------------

    def _answer(self, line: str) -> None:
        word, _, argument = line.partition(" ")
        command = self._commands().get(word.casefold())
        try:
            if not line:
                self._draw()
            elif command is not None:
                command(argument.strip())
            elif line.isascii() and line.isdigit():
                self.draft.pick(self._number(line))
            else:
                self.draft.pick(line)  # part of a name
        except (ValueError, OSError) as error:
            self._print_text(error_line(error), "red")

    def _commands(self) -> dict[str, Callable[[str], None]]:
        commands: dict[str, Callable[[str], None]] = {
            "show": self._show,
            "team": self._team,
            "dice": self._dice,
            "hint": self._hint,
            "undo": self._undo,
            "save": self._save,
            "help": self._help,
            "quit": self._quit,
        }
        short = {"u": "undo", "h": "help", "?": "help", "q": "quit", "exit": "quit"}
        return commands | {letter: commands[word] for letter, word in short.items()}

    def completions(self, line: str) -> list[str]:
        """Return completions of a line: picks, commands, and cards to show."""
        request, prefix = self.draft.decision, line.casefold()
        cards = dict.fromkeys(card.name for pick in request for card in pick.cards) if request is not None else ()
        texts = [pick.text for pick in request] if request is not None else []
        candidates = [
            *texts,
            *(word for word in self._commands() if len(word) > 1),
            *(f"show {name}" for name in cards),
        ]
        return [text for text in dict.fromkeys(candidates) if text.casefold().startswith(prefix)] if prefix else texts

    def _number(self, text: str) -> int:
        request = self.draft.decision
        assert request is not None
        if len(text) > 3 or not 1 <= int(text) <= len(request):
            raise ValueError(f"There is no pick {text}: choose from 1 to {len(request)}.")
        return int(text) - 1

    # --- commands --------------------------------------------------------------------------------------------------

    def _show(self, argument: str) -> None:
        for card in self._find_cards(argument):
            print_card(self.console, card)
            self.console.print()

    def _find_cards(self, name: str) -> Sequence[Card]:
        """Return cards by the number of a pick, else by name among the picks, else in the whole catalogue."""
        request = self.draft.decision
        assert request is not None
        if not name:
            raise ValueError("No card given. Type its name or number: show CARD")
        if name.isascii() and name.isdigit():
            return request.picks[self._number(name)].cards
        offered = {card: None for pick in request for card in pick.cards}
        query = name.casefold()
        matches = [card for card in offered if card.name.casefold().startswith(query)]
        try:
            return matches or [self.cards.find(name)]
        except UnknownCardError as error:
            raise ValueError(error_line(error)) from None

    def _team(self, argument: str) -> None:
        for line in self._table_lines(self.console.width, long=True):
            self._print(line)

    def _dice(self, argument: str) -> None:
        state = self.draft.state
        if isinstance(state, TeamDraftState):
            raise ValueError("In a Draft team there are dice for every card, up to its maximum.")
        cells = [Text(f" {n} {title}") for title, n in state.middle]
        for line in in_columns(cells, self.console.width):
            self._print(line)

    def _hint(self, argument: str) -> None:
        request = self.draft.decision
        assert request is not None
        best = DraftBot(self.draft.seed).choose(self.draft.view(request.seat))
        self._print_text(f"A bot would pick {best + 1}: {request.picks[best].text}.")

    def _undo(self, argument: str) -> None:
        """Return to the last pick in which a person had a choice."""
        trial = self.draft.copy()
        while trial.undo():
            request = trial.decision
            if request is not None and request.seat in trial.people and len(request) > 1:
                self.draft = trial
                self.announced_counts = [
                    min(announced, count)
                    for announced, count in zip(self.announced_counts, self._counts(), strict=True)
                ]
                self._autosave()
                return
        raise ValueError("There is nothing to undo.")

    def _save(self, argument: str) -> None:
        if not argument and self.save is None:
            raise ValueError("No file name given. Type: save FILE")
        write_draft(argument or self.save or "", self.draft)
        self.save = argument or self.save
        self._print_text(f"Saved to {self.save}. Every further pick is saved there, too.")

    def _autosave(self) -> None:
        """Save the draft if a file was given. A full disk does not end the draft."""
        if self.save is not None:
            try:
                write_draft(self.save, self.draft)
            except (OSError, ValueError) as error:
                self._print_text(f"Not saved: {error_line(error)}", "red")

    def _help(self, argument: str) -> None:
        self._print_text(HELP)

    def _quit(self, argument: str) -> None:
        raise QuitError(f"You have left the draft. {self._resume_hint()}")

    def _resume_hint(self) -> str:
        if self.save is None:
            return "It was not saved."
        return f"Resume with: {shlex.join(['dicemasters', 'draft', 'resume', self.save, *self.loaded])}"

    # --- showing ---------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Draw the table, the picks since the last time, and the possible picks."""
        request = self.draft.decision
        assert request is not None
        width = self.console.width
        lines = [
            heading(self._title(request), width, SEAT_STYLES[request.seat % 2]),
            *self._table_lines(width),
            *self._news(),
        ]
        lines.append(Text(f" {request.question}", ACCENT))
        picks = in_columns([self._cell(request, pick, False) for pick in request], width)
        if request.kind != "stack" and len(lines) + len(request) < max(self.console.height, 24):
            picks = [shorten(self._cell(request, pick, True), width) for pick in request]
        self._clear()
        for line in [*lines, *picks]:
            self._print(line)

    def _title(self, request: PickRequest) -> str:
        state = self.draft.state
        picker = "you pick" if len(self.draft.people) == 1 else f"{request.player} picks"
        if isinstance(state, TeamDraftState):
            return f"Draft team with {state.limit} life and dice: {picker}"
        if state.stage != "draft":
            return f"Rainbow Draft: {picker} a team"
        picked = len(state.drafted[request.seat])
        per_pile = 2 * (rainbow_draft.PACKS_PER_PLAYER // 2)
        pile, direction = ("first", "right") if picked < per_pile else ("second", "left")
        return f"Rainbow Draft, {pile} pile, passed to the {direction}: {picker} card {picked % per_pile + 1} of {per_pile}"

    def _table_lines(self, width: int, *, long: bool = False) -> list[Text]:
        state = self.draft.state
        request = self.draft.decision
        seat = request.seat if request is not None else 0
        if isinstance(state, TeamDraftState):
            lines = flow("basics", [Text(f"{card.title} {card.cost}") for card in state.basics], width, 3)
            for side, dice in enumerate(state.taken):
                label = "you" if self.draft.people == (side,) else f"{SEATS[side]}"
                used = Text(f"{state.limit - state.dice_left(side)}/{state.limit}", LABEL)
                lines += flow(label, [used, *_card_dice_texts(dice, long)], width, 2)
            return lines
        drafted = Counter(card.title for card in state.drafted[seat])
        lines = []
        if state.stage == "draft":
            first = {card.title: card for card in state.drafted[seat]}
            cards = tuple((first[title], n) for title, n in sorted(drafted.items()))
            lines += flow("drafted", _card_dice_texts(cards, False) or [Text("nothing yet", LABEL)], width, 2)
        if state.stage == "draft" and long:
            names = Counter(card.name for card in state.drafted[seat])
            lines += flow("cards", [Text(f"{n}× {name}") for name, n in sorted(names.items())], width, 2)
        if state.stage != "draft":
            dice = state.built[seat]
            used = Text(f"{len(dice)}/{rainbow_draft.TEAM_CARDS} cards, {sum(n for _, n in dice)} dice", LABEL)
            lines += flow("team", [used, *_card_dice_texts(dice, long)], width, 2)
            if state.basics[seat]:
                lines += flow("basics", [Text(card.title) for card in state.basics[seat]], width, 3)
        return lines

    def _news(self) -> list[Text]:
        """Return the new picks of the other players; none in a Rainbow Draft, where they are secret."""
        state = self.draft.state
        if not isinstance(state, TeamDraftState):
            return []
        lines: list[Text] = []
        for seat, taken in enumerate(state.taken):
            if self.draft.people != (seat,):
                for card, n in taken[self.announced_counts[seat] :]:
                    name = f"{card.name} with {_dice_count(n)}" if n else f"{card.title} without dice"
                    lines.append(Text(f" {SEATS[seat]} has taken {name}", LABEL))
        self.announced_counts = self._counts()
        return lines

    def _counts(self) -> list[int]:
        state = self.draft.state
        return [len(cards) for cards in (state.taken if isinstance(state, TeamDraftState) else state.drafted)]

    def _cell(self, request: PickRequest, pick: Pick, long: bool) -> Text:
        """Return a pick with number and cost; the long form adds affiliations, dice and text."""
        number = request.picks.index(pick) + 1
        cell = Text.assemble((f" {number:>{len(str(len(request)))}} ", ACCENT), pick.text)
        if pick.what == "stack":
            prices = dict.fromkeys(f"{card.cost}{card.energy}" for card in pick.cards)
            cell.append(f" {' '.join(prices)}", LABEL)
        elif pick.what in ("card", "basic"):
            card = pick.cards[0]
            cell.append("  ").append(f"{card.cost}{card.energy}", die_style(card) if card.energy else LABEL)
            if long:
                cell.append(f"  {self._remark(card)}", LABEL)
        return cell

    def _remark(self, card: Card) -> str:
        state = self.draft.state
        parts = [", ".join(card.affiliations)]
        if isinstance(state, TeamDraftState):
            parts.append(f"max {card.max}")
        elif card.kind != "basic":
            if state.stage == "draft":
                in_hand = state.hands[state.seat].count(card)
                drafted = sum(c.title == card.title for c in state.drafted[state.seat])
                parts.append(f"{in_hand} of this card" if in_hand > 1 else "")
                parts.append(_dice_count(dict(state.middle)[card.title]) + (f", {drafted} yours" if drafted else ""))
            else:
                parts.append(_dice_count(state.max_dice(card)))
        parts.append(" ".join(card_text(card).split()))
        return " · ".join(part for part in parts if part)

    def _clear(self) -> None:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.clear()

    def _print(self, line: Text) -> None:
        self.console.print(shorten(line, self.console.width), no_wrap=True, crop=False)

    def _print_text(self, words: str, style: str = "") -> None:
        self.console.print(Text(words, style))


def _dice_count(dice: int) -> str:
    return "1 die" if dice == 1 else f"{dice} dice"


def _card_dice_texts(dice: TeamDice, long: bool) -> list[Text]:
    """Return cards with their dice: "Hulk 6F ■■■"."""
    texts: list[Text] = []
    for card, n in dice:
        text = Text(f"{card.name if long else card.title} {card.cost}{card.energy} ", "" if n else LABEL)
        text.append("■" * n, die_style(card)) if n else text.append("-", LABEL)
        texts.append(text)
    return texts
