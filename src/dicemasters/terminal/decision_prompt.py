"""What a person is asked at the terminal: the answers as they are numbered, and what is done with those picked.

Where dice are picked one by one, all of them stay on the list, in whichever order they are picked.
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

MAX_LISTED_BLOCKS = 10  # blocks; beyond that they are named as pairs
MAX_ORDERINGS = 400  # ways tried to bring the parts into the engine's order
DONE_TEXTS = {"reroll": "reroll these", "attack": "attack", "block": "done blocking"}
_PAIR = re.compile(r"([0-9]{1,9})([a-z])")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WITH_TEXT = ("global", "ability", "use", "resolve", "would", "lift")  # options whose text is worth a line of its own


class PromptChoice(NamedTuple):
    """Something that may be answered: the engine's option, and its text."""

    option: Option
    text: str


class DecisionPrompt:
    """The decision the game waits for, and what has been picked of an answer in several parts.

    Nothing is played until the answer is whole, so its parts can be picked in any order and taken back.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = len(game.moves)
        asked = compound_decision(game.state)
        self.parts = asked.options if asked.mode in ("many", "blocks") else []
        self.minimum, self.maximum = asked.minimum, asked.maximum
        self.picked: list[Option] = []
        self.blockers: list[int] = []  # and attackers, where blocks are named as pairs
        self.attackers: list[int] = []
        if asked.mode == "blocks" and (
            len(asked.options) > MAX_LISTED_BLOCKS or any(len(part.to) > 1 for part in asked.options)
        ):
            self.blockers = sorted({d for part in asked.options for d in part.dice})
            self.attackers = sorted({d for part in asked.options for d in part.to})
        options = [part.option for part in self.parts] or game.state.options
        self._all = [
            PromptChoice(*both) for both in zip(options, describe.distinct_texts(game.state, options), strict=True)
        ]

    def is_open(self, game: Game) -> bool:
        """Tell whether the game still waits for this answer."""
        return game is self.game and len(game.moves) == self.moves

    @property
    def decision(self) -> Decision:
        decision = self.game.decision
        assert decision is not None
        return decision

    @property
    def has_parts(self) -> bool:
        """Tell whether the answer may have several parts."""
        return bool(self.parts)

    @property
    def picked_texts(self) -> list[str]:
        """Say what has been picked so far."""
        return describe.distinct_texts(self.game.state, self.picked) if self.picked else []

    @property
    def answers(self) -> list[PromptChoice]:
        """List what may be answered; where the answer is named by pairs, only what is none."""
        if not self.has_parts:
            return self._all
        listed = [a for a in self._all if a.option[0] not in ("done", *(("block",) if self.blockers else ()))]
        done = [a for a in self._all if a.option[0] == "done"]
        if self.picked:
            done = [PromptChoice(("done", 0, 0), DONE_TEXTS.get(self.game.state.decision.kind, "done"))]
        return [*listed, *done]

    # --- answering -------------------------------------------------------------------------------------------------

    def answer(self, line: str) -> None:
        """Pick or play what a line says, by numbers, pairs or words; a ValueError says why that cannot be."""
        words = line.replace(",", " ").split()
        if not all(_is_number(word) or _PAIR.fullmatch(word) for word in words):
            self._one(self._by_text(line))
            return
        picked = [self._by_number(word) for word in words]
        if len(picked) == 1:
            self._one(picked[0])
        elif not self.has_parts:
            raise ValueError("Only one of these can be chosen at a time.")
        else:
            self._finish([*self.picked, *self._options(picked)])

    def take_back(self) -> bool:
        """Forget what has been picked; False if nothing was."""
        found, self.picked = bool(self.picked), []
        return found

    def _by_number(self, word: str) -> PromptChoice:
        if pair := _PAIR.fullmatch(word):
            who, whom = int(pair[1]) - 1, _LETTERS.index(pair[2])
            if not (0 <= who < len(self.blockers) and whom < len(self.attackers)):
                raise ValueError(
                    f"There is no pair {word}: the number of a blocker and the letter of an attacker, like 1a."
                )
            option: Option = ("block", self.blockers[who], self.attackers[whom])
            return PromptChoice(option, describe.distinct_texts(self.game.state, [option])[0])
        if self.blockers:
            raise ValueError(f"Block whom with it? Add the letter of an attacker: {word}a")
        if len(word) > MAX_DIGITS or not 1 <= int(word) <= len(self.answers):
            raise ValueError(f"There is no answer {word}: choose from 1 to {len(self.answers)}.")
        return self.answers[int(word) - 1]

    def _by_text(self, line: str) -> PromptChoice:
        """Find the answer that is meant: the whole text, else its beginning, else a part of it."""
        wanted = line.casefold()
        answers = [*(a for a in self._all if a.option[0] == "block" and self.blockers), *self.answers]
        texts = [answer.text.casefold() for answer in answers]
        for fits in (str.__eq__, str.startswith, str.__contains__):
            found = [answer for answer, text in zip(answers, texts, strict=True) if fits(text, wanted)]
            if len(found) == 1:
                return found[0]
            if found:
                raise ValueError(f"'{line}' could be: {'; '.join(answer.text for answer in found)}")
        named = matching.match_texts([answer.text for answer in answers], line)
        if len(named) == 1:
            return answers[named[0]]
        if why := explain_unavailable(self.game.state, line):
            raise ValueError(why)
        raise ValueError(f"'{line}' is neither an answer nor a command. Type a number, or help.")

    def _one(self, answer: PromptChoice) -> None:
        what = answer.option[0]
        if self.has_parts and what == "done" and self.picked:
            self._finish(self.picked)
        elif not self.has_parts or what not in PARTS:
            if self.picked:
                raise ValueError(f"First finish what you have begun: {', '.join(self.picked_texts)}; or: undo")
            self.game.play(self.game.state.options.index(answer.option))
        else:
            picked = [*self.picked, *self._options([answer])]
            if len(picked) == self.maximum:
                self._finish(picked)
            else:
                self.picked = picked

    def _options(self, answers: Sequence[PromptChoice]) -> list[Option]:
        """Give the parts that answers stand for; one that is picked again stands for another die like it."""
        busy = {(o[0], o[1]) for o in self.picked if o[0] != "block"}
        found: list[Option] = []
        for (what, x, y), text in answers:
            if what not in PARTS:
                continue
            if what != "block":
                like = next((part.dice for part in self.parts if part.option == (what, x, y)), ()) or (x,)
                free = [d for d in like if (what, d) not in busy]
                if not free:
                    raise ValueError(f"'{text}' has been picked already.")
                x = free[0]
                busy.add((what, x))
            else:
                x = x if self.blockers else self._free_blocker((what, x, y), [*self.picked, *found])
                if (what, x, y) in (*self.picked, *found):
                    raise ValueError(f"'{text}' has been picked already.")
            found.append((what, x, y))
        return found

    def _free_blocker(self, option: Option, picked: Sequence[Option]) -> int:
        """Give a die like the blocker that blocks nobody yet, else the blocker itself."""
        like = next((part.dice for part in self.parts if part.option == option), ()) or (option[1],)
        busy = {o[1] for o in picked if o[0] == "block"}
        return next((d for d in like if d not in busy), option[1])

    def _finish(self, picked: list[Option]) -> None:
        """Play the parts in the engine's order."""
        state = self.game.state
        way = order_options(state, picked, finish=True, max_tried=MAX_ORDERINGS) if picked else None
        if picked and way is None:
            texts = ", ".join(describe.distinct_texts(state, picked))
            raise ValueError(f"These do not make an answer together: {texts}.")
        done = [o for o in state.options if o[0] == "done"]
        for option in way.options if way else done:
            self.game.play(self.game.state.options.index(option))

    # --- showing ---------------------------------------------------------------------------------------------------

    def render(self, console: Console, page: int = 0) -> ScreenSection:
        """Give the numbered answers: with all they say, in a line each, side by side, or a page of them."""
        if self.blockers:
            return ScreenSection([self._grid(console)], [])
        s, width = self.game.state, console.width
        digits = len(str(len(self.answers)))
        cells: list[tuple[Text, str, bool]] = []
        for number, (option, text) in enumerate(self.answers, 1):
            cell = Text.assemble((f" {number:>{digits}} ", ACCENT), text, (self._picked_suffix(option), LABEL))
            cells.append((cell, option_hint(s, option), option[0] in _WITH_TEXT))
        part = ScreenSection([[line for cell in cells for line in _wrapped(cell, digits + 2, console)]], [])
        part.add_shorter_form([shorten(_with(cell, says), width) for cell, says, _ in cells], 4)
        told = [shorten(_with(cell, says), width) for cell, says, has_text in cells if has_text]
        short = [_with(cell, says) for cell, says, has_text in cells if not has_text]
        part.add_shorter_form([*in_columns(short, width, 0), *told], 4)
        part.add_shorter_form([*in_columns([cell for cell, _, has_text in cells if not has_text], width, 0), *told], 10)
        part.add_shorter_form(in_columns([cell for cell, _, _ in cells], width, 0), 16)
        last = part.forms[-1]
        for room in (10, 6, 3):
            if len(last) > room:
                pages = -(-len(last) // (room - 1))
                start = page % pages * (room - 1)
                more = Text(f" … page {page % pages + 1} of {pages} of the answers, see: more", LABEL)
                part.add_shorter_form([*last[start : start + room - 1], more], 17)
        return part

    def _picked_suffix(self, option: Option) -> str:
        """Say that an answer has been picked, and of several like dice how many."""
        like = next((part.dice for part in self.parts if part.option == option), ()) or (option[1],)
        times = sum(what == option[0] and d in like for what, d, _ in self.picked)
        return "" if not times else f", picked ×{times}" if times > 1 else ", picked"

    def _grid(self, console: Console) -> list[Text]:
        """Name blockers by numbers and attackers by letters, with who blocks them so far, so that 1a is a block."""
        s = self.game.state
        number = {d: str(n) for n, d in enumerate(self.blockers, 1)}
        who = [Text.assemble((f"{number[d]} ", ACCENT), die_text(s, d, True)) for d in self.blockers]
        whom: list[Text] = []
        for letter, d in zip(_LETTERS, self.attackers, strict=False):
            so_far = [number[b] for what, b, a in self.picked if what == "block" and a == d]
            whom.append(Text.assemble((f"{letter} ", ACCENT), die_text(s, d, True)))
            whom[-1].append(f" <- {' '.join(so_far)}" if so_far else "", "bold")
        others = ", ".join(answer.text for answer in self.answers)
        return [
            *flow("blocker", who, console.width, 3),
            *flow("attack", whom, console.width, 3),
            Text(f" pairs, as many as you like: 1a 2b; or: {others}", LABEL),
        ]


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _with(cell: Text, says: str) -> Text:
    return Text.assemble(cell, (f"  {says}", LABEL)) if says else cell


def _wrapped(cell: tuple[Text, str, bool], indent: int, console: Console) -> list[Text]:
    """Give an answer with all that it says, in as many lines as that takes."""
    text = _with(cell[0], cell[1])
    if text.cell_len <= console.width:
        return [text]
    first, *rest = text.wrap(console, console.width - indent)
    return [first, *(Text(" " * indent).append_text(line) for line in rest)]


def in_columns(cells: Sequence[Text], width: int, least: int = 4) -> list[Text]:
    """Set cells in columns, read downwards, where that saves lines; one that is too long is cut."""
    longest = max((cell.cell_len for cell in cells), default=0) + 2
    columns = max(1, width // longest) if len(cells) > least else 1
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
