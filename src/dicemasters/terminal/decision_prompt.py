"""Prompt for one decision: numbered answers, and the parts of a compound answer picked so far.

Each answer is a row, and equivalent dice share one. A compound answer is collected here in any order and played when it
is complete, so that picks can be taken back until then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from dicemasters.game import Decision, Game
from dicemasters.game.answers.compound import CompoundOption, compound_decision
from dicemasters.game.answers.ordering import PARTS
from dicemasters.game.answers.whole_answers import NameableParts, whole_answer_options
from dicemasters.game.decision import IllegalChoiceError
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import NOBODY, Option
from dicemasters.game.text import describe, matching
from dicemasters.service.option_hints import option_hint
from dicemasters.terminal.board_view import die_text
from dicemasters.terminal.explain_unavailable import explain_unavailable
from dicemasters.terminal.inspect_commands import MAX_DIGITS
from dicemasters.terminal.layout import ScreenSection
from dicemasters.terminal.theme import ACCENT, LABEL, flow, shorten

MAX_LISTED_BLOCKS = 10  # with more possible blocks, they are entered as pairs
DONE_TEXTS = {
    "reroll": "reroll these",
    "attack": "attack",
    "block": "done blocking",
    "split": "done, the rest goes to the player",
}
_NUMBER = re.compile(r"-?[0-9]+")
_PAIR = re.compile(r"(-?)([0-9]{1,9})([a-z])")
_SHARE = re.compile(r"(?P<name>.*\S)\s+(?P<after>[0-9]+)|(?P<before>[0-9]+)\s+(damage\s+)?(to\s+)?(?P<to>.*[^0-9].*)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# options whose hint, the text of an ability, gets a separate line
_OWN_LINE_KINDS = ("global", "ability", "use", "resolve", "would", "lift")
_REFUSED: Option = ("refused", 0, 0)  # the answer with no parts, which is not on the list once something is picked
_DECLINING_KINDS = ("pass", "done", "no")


class PromptRow(NamedTuple):
    """A possible answer or part of one: the engine's option, its text, and the equivalent dice it stands for."""

    option: Option
    text: str
    dice: tuple[int, ...] = ()
    attackers: tuple[int, ...] = ()  # for a block: the equivalent attackers

    @property
    def is_part(self) -> bool:
        """Return True if the row is one part of a compound answer."""
        return bool(self.dice)


class DecisionPrompt:
    """The pending decision, and the picked parts of a compound answer.

    Nothing is played until the answer is complete, so parts can be picked in any order and taken back.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = len(game.moves)
        self.compound = compound_decision(game.state)
        self.picked: list[Option] = []  # for a split, each pick is 1 damage
        self.blockers: list[int] = []  # blockers and attackers, if blocks are entered as pairs
        self.attackers: list[int] = []
        parts = self.compound.options
        if self.compound.mode == "blocks" and (
            len(parts) > MAX_LISTED_BLOCKS or any(len(part.to) > 1 for part in parts)
        ):
            self.blockers = sorted({d for part in parts for d in part.dice})
            self.attackers = sorted({d for part in parts for d in part.to})
        self._rows = self._part_rows(parts) if self.has_parts else self._single_rows(game.state.options)

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
        return self.compound.mode != "one"

    @property
    def question(self) -> str:
        """Question about the whole answer; the engine's question may be about its next part only."""
        s = self.game.state
        match s.decision.kind:
            case "pay":
                return "With what do you pay?"
            case "split":
                return f"Who gets {describe.die_text(s, s.decision.about)}'s damage?"
            case "divide":
                return f"{describe.ability_name(s, s.decision.about)}: who gets the damage?"
        return self.decision.question

    @property
    def instruction(self) -> str:
        """Sentence on how to pick and how to finish, or "" if a single row answers the question."""
        minimum, maximum, total = self.compound.minimum, self.compound.maximum, self.compound.total
        match self.compound.mode:
            case "spend" if total > 1:
                return f"{self._amount(self.picked)} of {total} paid. Pick in any order; the last pick pays."
            case "split":
                so_far = f"{self._amount(self.picked)} of {total} damage assigned; at {total} it is dealt."
                return f"{so_far} Type: {self._split_example}"
            case "many" | "blocks" if not self._is_single:
                if self.blockers:
                    return f"Pick pairs such as 1a, then type {DONE_TEXTS['block']}; or all at once: 1a 2b"
                capacities = [self._capacity(row) for row in self._rows if row.is_part]
                example = "1 2" if len(capacities) > 1 else "1 1"
                if self._is_fixed:
                    return f"Pick {maximum}; the last pick ends it. Or at once: {example}"
                quantity = f"at least {minimum}" if minimum else "any number"
                if maximum < sum(capacities):
                    quantity = f"{minimum} to {maximum}" if minimum else f"up to {maximum}"
                return f"Pick {quantity}, then {len(self.answers)} to go on; or at once: {example}"
        return ""

    @property
    def picked_texts(self) -> list[str]:
        """Texts of the parts picked so far."""
        texts: list[str] = []
        for row in self._rows:
            n = len(self._picks_of(row, self.picked))
            if n and row.option[0] == "amount":
                texts.append(f"{n} to {row.text}")
            elif n:
                texts.append(f"{row.text} ×{n}" if n > 1 else row.text)
        return texts

    @property
    def answers(self) -> list[PromptRow]:
        """Possible answers; without the blocks if these are entered as pairs."""
        if not self.has_parts:
            return self._rows
        rows = [row for row in self._rows if not (self.blockers and row.is_part)]
        return [*rows, self._done_row] if self._can_be_finished else rows

    def _part_rows(self, parts: Sequence[CompoundOption]) -> list[PromptRow]:
        s = self.game.state
        options = [part.option for part in parts]
        if self.compound.mode == "split":  # the row stands for any amount
            recipients = describe.distinct_texts(s, [("amount", d, 1) for _, d, _ in options])
            return [
                PromptRow(("amount", d, 1), text.removeprefix("1 to "), (d,))
                for (_, d, _), text in zip(options, recipients, strict=True)
            ]
        texts = describe.distinct_texts(s, options)
        return [
            PromptRow(part.option, text, (part.dice or part.option[1:2]) if part.option[0] in PARTS else (), part.to)
            for part, text in zip(parts, texts, strict=True)
            if part.option[0] != "done"
        ]

    def _single_rows(self, options: Sequence[Option]) -> list[PromptRow]:
        texts = describe.distinct_texts(self.game.state, list(options))
        return [PromptRow(option, text) for option, text in zip(options, texts, strict=True)]

    # --- the end of an answer --------------------------------------------------------------------------------------

    @property
    def _is_single(self) -> bool:
        """Return True if at most one part can be picked, which is then played at once."""
        return self.compound.maximum == 1

    @property
    def _is_fixed(self) -> bool:
        """Return True if the number of picks is given, so that the last one completes the answer."""
        return self.compound.minimum == self.compound.maximum

    @property
    def _can_be_finished(self) -> bool:
        """Return True if a row finishes the answer."""
        match self.compound.mode:
            case "spend":
                return False
            case "split":
                return bool(self.picked) and self._is_legal(self.picked)  # Overcrush need not use all of it
        return not self._is_fixed

    @property
    def _declining_text(self) -> str:
        """Text of the engine's option that answers with no parts, or "" if there is none."""
        done = [o for o in self.game.state.options if o[0] == "done"]
        return describe.option_text(self.game.state, done[0]) if done else ""

    @property
    def _done_row(self) -> PromptRow:
        text = DONE_TEXTS.get(self.game.state.decision.kind, "done")
        return PromptRow(("done", 0, 0), text if self.picked else self._declining_text or text)

    def _amount(self, picks: Sequence[Option]) -> int:
        """Return the energy or damage of these picks."""
        return sum(n for _, _, n in picks)

    def _is_complete(self, picks: Sequence[Option]) -> bool:
        """Return True if these picks end the question without a further answer."""
        if self.compound.mode in ("spend", "split"):
            return self._amount(picks) >= self.compound.total
        maximum = self.compound.maximum
        return len(picks) > maximum or (len(picks) == maximum and (self._is_fixed or self._is_single))

    def _is_legal(self, picks: list[Option]) -> bool:
        try:
            whole_answer_options(self.game.state, picks)
        except IllegalChoiceError:
            return False
        return True

    def _finish(self, picks: list[Option]) -> None:
        """Play the answer with these parts. Raise `IllegalChoiceError` with the reason if it is illegal."""
        options = whole_answer_options(self.game.state, self._without_waste(picks))
        for game in (self.game.copy(), self.game):  # first on a copy: scripted dice may not allow the last part
            for option in options:
                game.play(game.state.options.index(option))

    def _without_waste(self, picks: list[Option]) -> list[Option]:
        """Return a payment in which a generic die whose rest is lost pays only what is due (rules 3.3a9)."""
        excess = self._amount(picks) - self.compound.total if self.compound.mode == "spend" else 0
        for i, (kind, d, n) in enumerate(picks if excess > 0 else ()):
            if n > excess and not any(d in row.dice and row.option[2] == n - excess for row in self._rows):
                exact = [*picks[:i], (kind, d, n - excess), *picks[i + 1 :]]
                if self._is_legal(exact):
                    return exact
        return picks

    # --- answering -------------------------------------------------------------------------------------------------

    def answer(self, line: str) -> None:
        """Pick, take back or play what the line names by numbers, pairs or words.

        Raise `ValueError` if that is impossible; the picks stay as they were.
        """
        if self.compound.mode == "split" and (shares := self._parse_shares(line)):
            self._assign(shares)
            return
        words = line.replace(",", " ").split()
        if not all(_NUMBER.fullmatch(word) or _PAIR.fullmatch(word) for word in words):
            self._choose_by_text(line)
        elif any(word.startswith("-") for word in words):
            self._change_picks(words)
        elif len(words) == 1:
            self._choose(self._by_number(words[0]))
        elif not self.has_parts:
            raise ValueError("Choose only one of these answers.")
        else:
            picks = self.picked[:]
            for row in map(self._by_number, words):
                if row.option[0] != "done":
                    picks.append(self._next_pick(row, picks))
            if self.compound.mode in ("spend", "split"):
                self._set_picks(picks)
            else:
                self._finish(picks)

    def take_back(self) -> bool:
        """Discard the picked parts. Return False if there were none."""
        had_picks, self.picked = bool(self.picked), []
        return had_picks

    def _choose(self, row: PromptRow) -> None:
        """Pick a part, take its picks back if all are picked, or play an answer."""
        if row.is_part:
            picks = self.picked[:]
            mine = self._picks_of(row, picks)
            if mine and self._unused_pick(row, picks) is None:
                self.picked = [pick for pick in picks if pick not in mine]
            else:
                self._set_picks([*picks, self._next_pick(row, picks)])
        elif row.option[0] == "done" and self.has_parts:
            self._finish(self.picked)
        elif self.picked:
            raise ValueError(self._unfinished_text)
        else:
            self.game.play(self.game.state.options.index(row.option))

    def _choose_by_text(self, line: str) -> None:
        query = line.casefold()
        rows = self.answers
        if query == "pass" and all(row.text != "pass" for row in rows):
            self._decline()
            return
        declining = self._declining_text if self.picked else ""
        if declining and all(row.text != declining for row in rows):
            rows = [*rows, PromptRow(_REFUSED, declining)]
        if self.blockers:  # the engine's texts distinguish equal attackers and blockers
            blocks = [(part.option, part.text) for part in NameableParts(self.game.state).left(self.picked)]
            rows = [*(PromptRow(o, text, o[1:2], o[2:3]) for o, text in blocks), *rows]
        self._choose(self._by_text(line, rows))

    def _decline(self) -> None:
        """Answer `pass` where the engine calls it differently: no attack, no block, keep all, none."""
        if self.picked:
            raise ValueError(self._unfinished_text)
        if self.has_parts:
            self._finish([])
            return
        declining = [row for row in self._rows if row.option[0] in _DECLINING_KINDS]
        if len(declining) != 1:
            raise ValueError("You cannot pass here: choose one of these answers.")
        self._choose(declining[0])

    @property
    def _unfinished_text(self) -> str:
        if not self._can_be_finished:
            return "You have picked something: pick the rest, or type undo to drop it."
        done = self._done_row.text
        go_on = f"type {done}" if self.blockers else f"type {len(self.answers)} ({done}) to go on"
        return f"You have picked something: {go_on}, or type undo to drop it."

    def _change_picks(self, words: Sequence[str]) -> None:
        """Pick what the words name, and take back one pick of each that follows a minus."""
        picks = self.picked[:]
        for word in words:
            row = self._by_number(word.removeprefix("-"))
            if not word.startswith("-"):
                picks.append(self._next_pick(row, picks))
            elif mine := self._picks_of(row, picks):
                picks.remove(mine[-1])
            else:
                raise ValueError(f"Nothing of {word.removeprefix('-')} is picked that could be taken back.")
        self._set_picks(picks)

    def _set_picks(self, picks: list[Option]) -> None:
        """Replace the picks; play them if they complete the answer."""
        if self._is_complete(picks):
            self._finish(picks)
        else:
            self.picked = picks

    # --- picks and rows --------------------------------------------------------------------------------------------

    def _picks_of(self, row: PromptRow, picks: Sequence[Option]) -> list[Option]:
        """Return the picks that belong to a row."""
        kind, _, y = row.option
        return [pick for pick in picks if pick[0] == kind and pick[1] in row.dice and pick[2] == y]

    def _capacity(self, row: PromptRow) -> int:
        """Return how often a row can be picked."""
        if row.option[0] == "amount":
            return self.compound.total
        if row.option[1] == NOBODY:
            return min(view.leftover_energy(self.game.state, self.game.state.decision.seat), self.compound.total)
        return len(row.dice)

    def _unused_pick(self, row: PromptRow, picks: Sequence[Option]) -> Option | None:
        """Return the next pick of a row, on a die that has no part in the answer yet, or None if there is none."""
        kind, x, y = row.option
        if kind == "amount":
            return row.option
        if x == NOBODY:
            return row.option if len(self._picks_of(row, picks)) < self._capacity(row) else None
        used = {pick[1] for pick in picks}
        unused = [d for d in (x, *row.dice) if d not in used]
        return (kind, unused[0], y) if unused else None

    def _next_pick(self, row: PromptRow, picks: Sequence[Option]) -> Option:
        """Return the next pick of a row. Raise `ValueError` if there is none."""
        if not row.is_part:
            raise ValueError(f"'{row.text}' is an answer of its own.")
        kind, x, y = row.option
        pick = self._unused_pick(row, picks)
        mine = self._picks_of(row, picks)
        if pick is None and kind == "block" and not mine:
            pick = (kind, x, y)  # some characters can block several attackers
        if pick is not None:
            return pick
        if not mine:  # the same die can pay all or half of its energy
            other = next(
                n
                for n, other in enumerate(self.answers, 1)
                if {pick[1] for pick in self._picks_of(other, picks)} & set(row.dice)
            )
            raise ValueError(f"'{row.text}' does not go with {other}. Take that back first: -{other}")
        raise ValueError(
            f"There are only {len(mine)} of '{row.text}'." if len(mine) > 1 else f"'{row.text}' is already picked."
        )

    def _by_number(self, word: str) -> PromptRow:
        if pair := _PAIR.fullmatch(word):
            blocker, attacker = int(pair[2]) - 1, _LETTERS.index(pair[3])
            if not (0 <= blocker < len(self.blockers) and attacker < len(self.attackers)):
                raise ValueError(
                    f"There is no pair {word}. Type the number of a blocker and the letter of an attacker, like 1a."
                )
            return self._block_row(self.blockers[blocker], self.attackers[attacker])
        if self.blockers:
            raise ValueError(f"No attacker given. Add its letter: {word}a")
        if len(word) > MAX_DIGITS or not 1 <= int(word) <= len(self.answers):
            raise ValueError(f"There is no answer {word}: choose from 1 to {len(self.answers)}.")
        return self.answers[int(word) - 1]

    def _block_row(self, blocker: int, attacker: int) -> PromptRow:
        s = self.game.state
        if not any(blocker in row.dice and attacker in row.attackers for row in self._rows):
            raise ValueError(f"{describe.die_text(s, blocker)} cannot block {describe.die_text(s, attacker)}.")
        option: Option = ("block", blocker, attacker)
        return PromptRow(option, describe.option_text(s, option), (blocker,), (attacker,))

    def _by_text(self, line: str, rows: Sequence[PromptRow]) -> PromptRow:
        """Return the row that a text names: in full, else by its beginning, else by a part of it."""
        query = line.casefold()
        texts = [row.text.casefold() for row in rows]
        for predicate in (str.__eq__, str.startswith, str.__contains__):
            matches = [row for row, text in zip(rows, texts, strict=True) if predicate(text, query)]
            if len(matches) == 1:
                return matches[0]
            if matches:
                raise ValueError(f"'{line}' is ambiguous: {'; '.join(row.text for row in matches)}")
        matches = [rows[i] for i in matching.match_texts([row.text for row in rows], line)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise ValueError(f"'{line}' is ambiguous: {'; '.join(row.text for row in matches)}")
        if reason := explain_unavailable(self.game.state, line):
            raise ValueError(reason)
        raise ValueError(f"'{line}' is neither an answer nor a command. Type a number, or help.")

    # --- splits of damage ------------------------------------------------------------------------------------------

    def _parse_shares(self, line: str) -> list[tuple[str, int]]:
        """Return the recipients and amounts of a line like `Hulk 3, 1 to Sidekick`; nothing if it is not like that."""
        shares: list[tuple[str, int]] = []
        for text in re.split("[,;]", line):
            found = _SHARE.fullmatch(text.strip())
            name = (found["name"] or found["to"]) if found else ""
            amount = (found["after"] or found["before"]) if found else ""
            if not name or not re.search(r"[^\W\d]", name) or len(amount) > MAX_DIGITS:
                return []
            shares.append((name, int(amount)))
        return shares

    def _assign(self, shares: Sequence[tuple[str, int]]) -> None:
        """Assign these amounts. Naming equal recipients twice means different ones."""
        picks = self.picked[:]
        rows = self._rows[:]
        for name, amount in shares:
            found = matching.match_texts([row.text for row in rows], name)
            if not found:
                raise ValueError(f"'{name}' gets none of this damage.")
            if len(found) > 1:
                raise ValueError(f"'{name}' is ambiguous: {'; '.join(rows[i].text for i in found)}")
            if amount > self.compound.total:
                raise ValueError(f"There is only {self.compound.total} damage to assign.")
            row = rows.pop(found[0])
            picks = [pick for pick in picks if pick[1] != row.option[1]] + [row.option] * amount
        self._set_picks(picks)

    @property
    def _split_example(self) -> str:
        """A split as it can be typed: `Hulk 3, Sidekick 1`."""
        s = self.game.state
        names = [row.text if view.is_player(row.option[1]) else describe.title(s, row.option[1]) for row in self._rows]
        first, second = [*dict.fromkeys(names), *names][:2]
        return f"{first} {self.compound.total - 1}, {second} 1"

    # --- showing ---------------------------------------------------------------------------------------------------

    def render(self, console: Console, page: int = 0) -> ScreenSection:
        """Return the numbered answers in several forms: with full hints, in columns, and as single pages."""
        if self.blockers:
            return ScreenSection([self._pair_grid(console)], [])
        width = console.width
        digits = len(str(len(self.answers)))
        cells: list[tuple[Text, str, bool]] = []
        for number, row in enumerate(self.answers, 1):
            cell = Text.assemble((f" {number:>{digits}} ", ACCENT), row.text, (self._count_suffix(row), LABEL))
            cells.append((cell, self._hint(row), row.option[0] in _OWN_LINE_KINDS))
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

    def _hint(self, row: PromptRow) -> str:
        if row.option[0] != "amount":
            return option_hint(self.game.state, row.option)
        lethal = next(part.option[2] for part in self.compound.options if part.option[1] == row.option[1])
        return f"{lethal} KOs it" if 0 < lethal <= self.compound.total else ""

    def _count_suffix(self, row: PromptRow) -> str:
        """Return a suffix for a row: how many dice it stands for, or how many of them are picked."""
        if not row.is_part:
            return ""
        mine = self._picks_of(row, self.picked)
        picked = len(mine)
        if row.option[0] == "amount":
            return f", gets {picked}" if picked else ""
        elsewhere = {d for pick in self.picked if pick not in mine for d in row.dice if d == pick[1]}
        capacity = self._capacity(row) - len(elsewhere - {NOBODY} - {d for _, d, _ in mine})
        if not picked:
            return f" ×{capacity}" if capacity > 1 else ""
        return f", {picked} of {capacity} picked" if capacity > 1 else ", picked"

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
        others = ", ".join(row.text for row in self.answers)
        return [
            *flow("blocker", blockers, console.width, 3),
            *flow("attack", attackers, console.width, 3),
            Text(f" or: {others}", LABEL),
        ]


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
