"""What a person is asked at the terminal: the answers as they are numbered, and what is done with those picked.

Where dice are picked one by one, all of them stay on the list, in whichever order they are picked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from dicemasters.game import Decision, Game, naming
from dicemasters.game.arrange import PARTS
from dicemasters.game.collecting import Collecting
from dicemasters.game.decide import alike
from dicemasters.game.parts import shape
from dicemasters.game.state import PLAYER, Option, State
from dicemasters.table.drawing import ACCENT, LABEL, die_words, flow, shorten
from dicemasters.table.refusal import refusal
from dicemasters.table.screen import Part
from dicemasters.table.telling import hint

MOST_LISTED = 10  # blocks; beyond that they are named as pairs
_PAIR = re.compile(r"(\d+)([a-z])")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WITH_TEXT = ("global", "ability", "use", "resolve", "would", "lift")  # options whose text is worth a line of its own


class Answer(NamedTuple):
    """Something that may be answered: the engine's option, and its text."""

    option: Option
    text: str


class Question:
    """The decision the game waits for, while a person answers it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        asked = shape(game.state)
        self.collecting = Collecting(game) if asked.mode in ("many", "blocks") else None
        self.blockers: list[int] = []  # and attackers, where there are too many blocks to list each
        self.attackers: list[int] = []
        if asked.mode == "blocks" and len(asked.parts) > MOST_LISTED:
            self.blockers = sorted({d for part in asked.parts for d in part.dice})
            self.attackers = sorted({d for part in asked.parts for d in part.to})
        self.answers = self._list()

    def is_open(self, game: Game) -> bool:
        """Tell whether the game still waits for parts of this answer."""
        return game is self.game and self.collecting is not None and self.collecting.is_open

    @property
    def decision(self) -> Decision:
        decision = self.game.decision
        assert decision is not None
        return decision

    @property
    def named(self) -> list[str]:
        """Say what has been picked so far."""
        return self.collecting.texts() if self.collecting and not self.blockers else []

    def _list(self) -> list[Answer]:
        """List what the engine offers, and what it has gone past in its own order."""
        s = self.game.state
        offered = [Answer(o, choice.text) for o, choice in zip(s.options, self.decision.options, strict=True)]
        if self.collecting is None:
            return offered
        others = [a for a in offered if a.option[0] not in PARTS]
        if self.collecting.waiting:  # it cannot end before what is missing is named
            others = [a for a in others if a.option[0] != "done"]
        if self.blockers:
            return others
        parts = [a for a in offered if a.option[0] in PARTS]
        there = {_sort(s, a.option) for a in parts}
        past = [Answer(*part) for part in self.collecting.listed()] if self.collecting.played else []
        past = [a for a in past if a.option[0] in PARTS and _sort(s, a.option) not in there]
        return [*past, *parts, *others]

    # --- answering -------------------------------------------------------------------------------------------------

    def answer(self, line: str) -> list[str]:
        """Play what a line picks, by numbers, pairs or words; give what was not possible any more."""
        words = line.replace(",", " ").split()
        if all(_is_number(word) or _PAIR.fullmatch(word) for word in words):
            picked = [self._by_number(word) for word in words]
            if len(picked) > 1 and self.collecting is None:
                raise ValueError("Only one of these can be chosen at a time.")
            return self._several(picked) if len(picked) > 1 else self._one(picked[0])
        return self._one(self._by_text(line))

    def _by_number(self, word: str) -> Answer:
        blockers, attackers = self.pairs
        if pair := _PAIR.fullmatch(word):
            who, whom = int(pair[1]) - 1, _LETTERS.index(pair[2])
            if not (0 <= who < len(blockers) and whom < len(attackers)):
                raise ValueError(
                    f"There is no pair {word}: a number of a blocker and the letter of an attacker, like 1a."
                )
            return self._by_text(f"block {attackers[whom]} with {blockers[who]}")
        if blockers:
            raise ValueError(f"Block whom with it? Add the letter of an attacker: {word}a")
        if not 1 <= int(word) <= len(self.answers):
            raise ValueError(f"There is no answer {word}: choose from 1 to {len(self.answers)}.")
        return self.answers[int(word) - 1]

    def _by_text(self, line: str) -> Answer:
        """Find the answer that is meant: the whole text, else its beginning, else a part of it."""
        wanted = line.casefold()
        answers = self.answers
        if self.blockers:
            s = self.game.state
            answers = [Answer(o, choice.text) for o, choice in zip(s.options, self.decision.options, strict=True)]
        texts = [answer.text.casefold() for answer in answers]
        for fits in (str.__eq__, str.startswith, str.__contains__):
            found = [answer for answer, text in zip(answers, texts, strict=True) if fits(text, wanted)]
            if len(found) == 1:
                return found[0]
            if found:
                raise ValueError(f"'{line}' could be: {'; '.join(answer.text for answer in found)}")
        named = naming.named([answer.text for answer in answers], line)
        if len(named) == 1:
            return answers[named[0]]
        if why := refusal(self.game.state, line):
            raise ValueError(why)
        raise ValueError(f"'{line}' is neither an answer nor a command. Type a number, or help.")

    def _one(self, answer: Answer) -> list[str]:
        if self.collecting is None or answer.option[0] not in PARTS:
            self.game.play(self.game.state.options.index(answer.option))
        elif not self._add(answer):
            raise ValueError(f"'{answer.text}' does not go together with: {', '.join(self.named)}.")
        if self.is_open(self.game):
            self.answers = self._list()
        return []

    def _add(self, answer: Answer) -> bool:
        """Add a part to the answer; False if it does not go together with the others."""
        assert self.collecting is not None
        offered = self.game.state.options
        if answer.option in offered and self.collecting.is_open and not self.collecting.waiting:
            self.collecting.play(offered.index(answer.option))
            return True
        return self.collecting.add(answer.option, answer.text)

    def _like(self, answer: Answer) -> Answer:
        """Give the answer, or where its die has been picked already one with a die like it."""
        assert self.collecting is not None
        if answer.option in self.game.state.options or self.blockers:
            return answer
        found = self.collecting.find(answer.text, whole=True)
        return Answer(*found[0]) if found else answer

    def _several(self, picked: Sequence[Answer]) -> list[str]:
        """Add the picked parts as far as they go together, then finish."""
        assert self.collecting is not None
        skipped: list[str] = []
        ends = [answer for answer in picked if answer.option[0] not in PARTS]
        for answer in picked:
            if answer in ends:
                continue
            if not self.collecting.is_current or not self._add(self._like(answer)):
                skipped.append(answer.text)
        if self.is_open(self.game):
            self.answers = self._list()
            done = [answer for answer in self.answers if answer.option[0] == "done"]
            if done:
                self._one((ends or done)[0])
        return skipped

    # --- showing ---------------------------------------------------------------------------------------------------

    def parts(self, console: Console, page: int = 0) -> Part:
        """Give the numbered answers: with all they say, in a line each, side by side, or a page of them."""
        if self.blockers:
            return Part([self._grid(console)], [])
        s, width = self.game.state, console.width
        digits = len(str(len(self.answers)))
        cells: list[tuple[Text, str, bool]] = []
        for number, (option, text) in enumerate(self.answers, 1):
            cell = Text.assemble((f" {number:>{digits}} ", ACCENT), text)
            cells.append((cell, hint(s, option), option[0] in _WITH_TEXT))
        part = Part([[line for cell in cells for line in _wrapped(cell, digits + 2, console)]], [])
        part.leaner([shorten(_with(cell, says), width) for cell, says, _ in cells], 4)
        told = [shorten(_with(cell, says), width) for cell, says, has_text in cells if has_text]
        short = [_with(cell, says) for cell, says, has_text in cells if not has_text]
        part.leaner([*in_columns(short, width, 0), *told], 4)
        part.leaner([*in_columns([cell for cell, _, has_text in cells if not has_text], width, 0), *told], 10)
        part.leaner(in_columns([cell for cell, _, _ in cells], width, 0), 16)
        last = part.forms[-1]
        for room in (10, 6, 3):
            if len(last) > room:
                pages = -(-len(last) // (room - 1))
                start = page % pages * (room - 1)
                more = Text(f" … page {page % pages + 1} of {pages} of the answers, see: more", LABEL)
                part.leaner([*last[start : start + room - 1], more], 17)
        return part

    def _grid(self, console: Console) -> list[Text]:
        """Name blockers by numbers and attackers by letters, with who blocks them so far, so that 1a is a block."""
        s = self.game.state
        number = {d: str(n) for n, d in enumerate(self.blockers, 1)}
        who = [Text.assemble((f"{number[d]} ", ACCENT), die_words(s, d, True)) for d in self.blockers]
        whom: list[Text] = []
        for letter, d in zip(_LETTERS, self.attackers, strict=False):
            so_far = [number[b] for b in look.blockers_of(s, d) if b in number]
            whom.append(Text.assemble((f"{letter} ", ACCENT), die_words(s, d, True)))
            whom[-1].append(f" <- {' '.join(so_far)}" if so_far else "", "bold")
        others = ", ".join(answer.text for answer in self.answers)
        return [
            *flow("blocker", who, console.width, 3),
            *flow("attacker", whom, console.width, 3),
            Text(f" pairs, as many as you like: 1a 2b; or: {others}", LABEL),
        ]


def _sort(s: State, option: Option) -> object:
    """Say what an option is like, so that those with like dice are one."""
    what, x, y = option
    return what, alike(s, x) if x < PLAYER else x, alike(s, y) if what == "block" else y


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
