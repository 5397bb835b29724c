"""Prompt for one decision: numbered answers, and the parts of a compound answer picked so far.

All dice that can be part of a compound answer stay on the list, so they can be picked in any order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from dicemasters.game import Decision, Game
from dicemasters.game.answers.compound import compound_decision
from dicemasters.game.answers.ordering import PARTS, order_options
from dicemasters.game.inspect.view import Option
from dicemasters.game.text import describe, matching
from dicemasters.service.option_hints import option_hint
from dicemasters.terminal.board_view import die_text
from dicemasters.terminal.explain_unavailable import explain_unavailable
from dicemasters.terminal.inspect_commands import MAX_DIGITS
from dicemasters.terminal.layout import ScreenSection
from dicemasters.terminal.theme import ACCENT, LABEL, flow, shorten

MAX_LISTED_BLOCKS = 10  # with more possible blocks, they are entered as pairs
MAX_ORDERINGS = 400  # orders tried when sorting the parts for the engine
DONE_TEXTS = {"reroll": "reroll these", "attack": "attack", "block": "done blocking"}
_PAIR = re.compile(r"([0-9]{1,9})([a-z])")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# options whose hint, the text of an ability, gets a separate line
_OWN_LINE_KINDS = ("global", "ability", "use", "resolve", "would", "lift")


class PromptChoice(NamedTuple):
    """A possible answer: the engine's option and its text."""

    option: Option
    text: str


class DecisionPrompt:
    """The pending decision, and the picked parts of a compound answer.

    Nothing is played until the answer is complete, so parts can be picked in any order and taken back.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = len(game.moves)
        compound = compound_decision(game.state)
        self.parts = compound.options if compound.mode in ("many", "blocks") else []
        self.minimum, self.maximum = compound.minimum, compound.maximum
        self.picked: list[Option] = []
        self.blockers: list[int] = []  # blockers and attackers, if blocks are entered as pairs
        self.attackers: list[int] = []
        if compound.mode == "blocks" and (
            len(compound.options) > MAX_LISTED_BLOCKS or any(len(part.to) > 1 for part in compound.options)
        ):
            self.blockers = sorted({d for part in compound.options for d in part.dice})
            self.attackers = sorted({d for part in compound.options for d in part.to})
        options = [part.option for part in self.parts] or game.state.options
        self._choices = [
            PromptChoice(*pair) for pair in zip(options, describe.distinct_texts(game.state, options), strict=True)
        ]

    def is_open(self, game: Game) -> bool:
        """Return True if the game still waits for this decision."""
        return game is self.game and len(game.moves) == self.moves

    @property
    def decision(self) -> Decision:
        decision = self.game.decision
        assert decision is not None
        return decision

    @property
    def has_parts(self) -> bool:
        """Return True if the answer may have several parts."""
        return bool(self.parts)

    @property
    def picked_texts(self) -> list[str]:
        """Texts of the parts picked so far."""
        return describe.distinct_texts(self.game.state, self.picked) if self.picked else []

    @property
    def answers(self) -> list[PromptChoice]:
        """Possible answers; without the blocks if these are entered as pairs."""
        if not self.has_parts:
            return self._choices
        listed = [a for a in self._choices if a.option[0] not in ("done", *(("block",) if self.blockers else ()))]
        done = [a for a in self._choices if a.option[0] == "done"]
        if self.picked:
            done = [PromptChoice(("done", 0, 0), DONE_TEXTS.get(self.game.state.decision.kind, "done"))]
        return [*listed, *done]

    # --- answering -------------------------------------------------------------------------------------------------

    def answer(self, line: str) -> None:
        """Pick or play the answer given as numbers, pairs or words. Raise `ValueError` if that is impossible."""
        words = line.replace(",", " ").split()
        if not all(_is_number(word) or _PAIR.fullmatch(word) for word in words):
            self._pick_or_play(self._by_text(line))
            return
        picked = [self._by_number(word) for word in words]
        if len(picked) == 1:
            self._pick_or_play(picked[0])
        elif not self.has_parts:
            raise ValueError("Choose only one of these answers.")
        else:
            self._finish([*self.picked, *self._picked_options(picked)])

    def take_back(self) -> bool:
        """Discard the picked parts. Return False if there were none."""
        had_picks, self.picked = bool(self.picked), []
        return had_picks

    def _by_number(self, word: str) -> PromptChoice:
        if pair := _PAIR.fullmatch(word):
            blocker, attacker = int(pair[1]) - 1, _LETTERS.index(pair[2])
            if not (0 <= blocker < len(self.blockers) and attacker < len(self.attackers)):
                raise ValueError(
                    f"There is no pair {word}. Type the number of a blocker and the letter of an attacker, like 1a."
                )
            option: Option = ("block", self.blockers[blocker], self.attackers[attacker])
            return PromptChoice(option, describe.distinct_texts(self.game.state, [option])[0])
        if self.blockers:
            raise ValueError(f"No attacker given. Add its letter: {word}a")
        if len(word) > MAX_DIGITS or not 1 <= int(word) <= len(self.answers):
            raise ValueError(f"There is no answer {word}: choose from 1 to {len(self.answers)}.")
        return self.answers[int(word) - 1]

    def _by_text(self, line: str) -> PromptChoice:
        """Return the answer that a text names: in full, else by its beginning, else by a part of it."""
        query = line.casefold()
        answers = [*(a for a in self._choices if a.option[0] == "block" and self.blockers), *self.answers]
        texts = [answer.text.casefold() for answer in answers]
        for predicate in (str.__eq__, str.startswith, str.__contains__):
            matches = [answer for answer, text in zip(answers, texts, strict=True) if predicate(text, query)]
            if len(matches) == 1:
                return matches[0]
            if matches:
                raise ValueError(f"'{line}' is ambiguous: {'; '.join(answer.text for answer in matches)}")
        indices = matching.match_texts([answer.text for answer in answers], line)
        if len(indices) == 1:
            return answers[indices[0]]
        if reason := explain_unavailable(self.game.state, line):
            raise ValueError(reason)
        raise ValueError(f"'{line}' is neither an answer nor a command. Type a number, or help.")

    def _pick_or_play(self, answer: PromptChoice) -> None:
        kind = answer.option[0]
        if self.has_parts and kind == "done" and self.picked:
            self._finish(self.picked)
        elif not self.has_parts or kind not in PARTS:
            if self.picked:
                raise ValueError(f"Finish your answer first ({', '.join(self.picked_texts)}), or type undo.")
            self.game.play(self.game.state.options.index(answer.option))
        else:
            picked = [*self.picked, *self._picked_options([answer])]
            if len(picked) == self.maximum:
                self._finish(picked)
            else:
                self.picked = picked

    def _picked_options(self, answers: Sequence[PromptChoice]) -> list[Option]:
        """Return the options for answers. Repeating an answer selects another, equivalent die."""
        used = {(o[0], o[1]) for o in self.picked if o[0] != "block"}
        options: list[Option] = []
        for (kind, x, y), text in answers:
            if kind not in PARTS:
                continue
            if kind != "block":
                equivalent = next((part.dice for part in self.parts if part.option == (kind, x, y)), ()) or (x,)
                free = [d for d in equivalent if (kind, d) not in used]
                if not free:
                    raise ValueError(f"'{text}' is already picked. Type undo to pick again.")
                x = free[0]
                used.add((kind, x))
            else:
                x = x if self.blockers else self._free_blocker((kind, x, y), [*self.picked, *options])
                if (kind, x, y) in (*self.picked, *options):
                    raise ValueError(f"'{text}' is already picked. Type undo to pick again.")
            options.append((kind, x, y))
        return options

    def _free_blocker(self, option: Option, picked: Sequence[Option]) -> int:
        """Return a die equivalent to the blocker that is not blocking yet, else the blocker itself."""
        equivalent = next((part.dice for part in self.parts if part.option == option), ()) or (option[1],)
        used = {o[1] for o in picked if o[0] == "block"}
        return next((d for d in equivalent if d not in used), option[1])

    def _finish(self, picked: list[Option]) -> None:
        """Play the parts in an order that the engine accepts."""
        state = self.game.state
        ordering = order_options(state, picked, finish=True, max_tried=MAX_ORDERINGS) if picked else None
        if picked and ordering is None:
            texts = ", ".join(describe.distinct_texts(state, picked))
            raise ValueError(f"These cannot be combined into one answer: {texts}.")
        done = [o for o in state.options if o[0] == "done"]
        for option in ordering.options if ordering else done:
            self.game.play(self.game.state.options.index(option))

    # --- showing ---------------------------------------------------------------------------------------------------

    def render(self, console: Console, page: int = 0) -> ScreenSection:
        """Return the numbered answers in several forms: with full hints, in columns, and as single pages."""
        if self.blockers:
            return ScreenSection([self._pair_grid(console)], [])
        s, width = self.game.state, console.width
        digits = len(str(len(self.answers)))
        cells: list[tuple[Text, str, bool]] = []
        for number, (option, text) in enumerate(self.answers, 1):
            cell = Text.assemble((f" {number:>{digits}} ", ACCENT), text, (self._count_suffix(option), LABEL))
            cells.append((cell, option_hint(s, option), option[0] in _OWN_LINE_KINDS))
        section = ScreenSection([[line for cell in cells for line in _wrapped(cell, digits + 2, console)]], [])
        section.add_shorter_form([shorten(_with_hint(cell, hint), width) for cell, hint, _ in cells], 4)
        own_lines = [shorten(_with_hint(cell, hint), width) for cell, hint, own_line in cells if own_line]
        column_cells = [_with_hint(cell, hint) for cell, hint, own_line in cells if not own_line]
        section.add_shorter_form([*in_columns(column_cells, width, 0), *own_lines], 4)
        section.add_shorter_form(
            [*in_columns([cell for cell, _, own_line in cells if not own_line], width, 0), *own_lines], 10
        )
        section.add_shorter_form(in_columns([cell for cell, _, _ in cells], width, 0), 16)
        last = section.forms[-1]
        for room in (10, 6, 3):
            if len(last) > room:
                pages = -(-len(last) // (room - 1))
                start = page % pages * (room - 1)
                more = Text(f" … page {page % pages + 1} of {pages} of the answers; type more", LABEL)
                section.add_shorter_form([*last[start : start + room - 1], more], 17)
        return section

    def _count_suffix(self, option: Option) -> str:
        """Return a suffix for an answer: how many equivalent dice it stands for, and how many of them are picked."""
        equivalent = next((part.dice for part in self.parts if part.option == option), ()) or (option[1],)
        picked = sum(kind == option[0] and d in equivalent for kind, d, _ in self.picked)
        if option[0] == "block" or len(equivalent) == 1:
            return "" if not picked else f", picked ×{picked}" if picked > 1 else ", picked"
        return f" ×{len(equivalent)}" + (f", {picked} picked" if picked else "")

    def _pair_grid(self, console: Console) -> list[Text]:
        """Draw numbered blockers and lettered attackers with their blocks so far, so that "1a" names a block."""
        s = self.game.state
        number = {d: str(n) for n, d in enumerate(self.blockers, 1)}
        blockers = [Text.assemble((f"{number[d]} ", ACCENT), die_text(s, d, True)) for d in self.blockers]
        attackers: list[Text] = []
        for letter, d in zip(_LETTERS, self.attackers, strict=False):
            so_far = [number[b] for kind, b, a in self.picked if kind == "block" and a == d]
            attackers.append(Text.assemble((f"{letter} ", ACCENT), die_text(s, d, True)))
            attackers[-1].append(f" <- {' '.join(so_far)}" if so_far else "", "bold")
        others = ", ".join(answer.text for answer in self.answers)
        return [
            *flow("blocker", blockers, console.width, 3),
            *flow("attack", attackers, console.width, 3),
            Text(f" type any number of pairs, such as 1a 2b; or: {others}", LABEL),
        ]


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _with_hint(cell: Text, hint: str) -> Text:
    return Text.assemble(cell, (f"  {hint}", LABEL)) if hint else cell


def _wrapped(cell: tuple[Text, str, bool], indent: int, console: Console) -> list[Text]:
    """Return an answer with its hint, wrapped and indented."""
    text = _with_hint(cell[0], cell[1])
    if text.cell_len <= console.width:
        return [text]
    first, *rest = text.wrap(console, console.width - indent)
    return [first, *(Text(" " * indent).append_text(line) for line in rest)]


def in_columns(cells: Sequence[Text], width: int, single_column_up_to: int = 4) -> list[Text]:
    """Lay out cells in columns, read downwards. Up to `single_column_up_to` cells stay in one column."""
    longest = max((cell.cell_len for cell in cells), default=0) + 2
    columns = max(1, width // longest) if len(cells) > single_column_up_to else 1
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
