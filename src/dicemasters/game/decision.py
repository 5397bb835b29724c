"""Decisions as players see them, and the history of a game: choices, chance outcomes and the result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from dicemasters.cards.catalogue import Card
from dicemasters.game.fair_dice import FairThrow
from dicemasters.game.state.constants import VOID_REASON


class IllegalChoiceError(ValueError):
    """Raised if a choice is not among the options of the decision."""


class SetupError(ValueError):
    """Raised for invalid arguments to set up or query a game; the message says what is expected."""


class FairDiceNeededError(Exception):
    """Raised if a choice needs fair dice and no throw is ready.

    The choice is not made. The arguments of the exception are the texts of the choice.
    """


@dataclass(frozen=True, slots=True, repr=False)
class Choice:
    """One legal option of a decision, with a short text.

    `index` is its position in `Decision.options` and `what` its kind (`OPTION_KINDS` lists them). `dice` holds the
    numbers of the dice it names, for `Position.die`; `card` is the card it concerns, or None; `amount` is the amount
    of energy or damage, or 0. `str(choice)` is its text, which `Game.play` accepts too.
    """

    index: int
    text: str
    what: str
    dice: tuple[int, ...]
    card: Card | None
    amount: int

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Choice {self.index}: {self.text}>"


_MAX_SHOWN = 12  # options in the representation of a decision


@dataclass(frozen=True, slots=True, repr=False)
class Decision:
    """The decision a game is waiting for, with the complete list of legal options.

    `player` is the letter of the player who decides, `kind` the kind of decision (`DECISION_KINDS` lists them) and
    `question` a text for people. Iterating over a decision yields its options.
    """

    player: str
    kind: str
    question: str
    options: tuple[Choice, ...]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.options)

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        """Return the question and its options, one per line.

        >>> from dicemasters import Game
        >>> Game.new("ai", seed=7).decision
        <Decision: B, order: You won the toss: go first or second?
          0: go first
          1: go second>
        """
        lines = [f"{option.index}: {option.text}" for option in self.options[:_MAX_SHOWN]]
        if len(self.options) > _MAX_SHOWN:
            lines.append(f"and {len(self.options) - _MAX_SHOWN} more")
        return "\n  ".join((f"<Decision: {self.player}, {self.kind}: {self.question}", *lines)) + ">"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished game.

    `winner` is the letter of the winner, both letters of winning partners ("AC"), or "" for a tie; `why` is the
    reason in words.
    """

    winner: str
    why: str

    def __str__(self) -> str:
        if len(self.winner) > 1:
            return f"{' and '.join(self.winner)} win: {self.why}"
        if self.why == VOID_REASON:
            return VOID_REASON
        return f"{self.winner} wins: {self.why}" if self.winner else f"tie: {self.why}"


class ChanceOutcome(NamedTuple):
    """The outcome of a draw or roll.

    `card` is the card of the die, `face` the index of the face rolled or -1 for a draw, `scripted` whether the
    outcome was given by a script, and `seat` the player who drew or the owner of the die.
    """

    card: int
    face: int
    scripted: bool
    seat: int


class LogEntry(NamedTuple):
    """One entry of the log: its text and kind, and the dice and seat concerned."""

    move: int  # number of choices made so far
    text: str
    kind: str  # move, toss, turn, step, draw, roll, pay, damage, ko or life; happening for all others
    dice: tuple[int, ...] = ()
    seat: int = -1  # -1: no seat
    amount: int = 0


class PlayedChoice(NamedTuple):
    """A choice that was made, the draws and rolls that followed, and with fair dice the throw behind them."""

    player: str
    text: str
    chance: tuple[ChanceOutcome, ...]
    throw: FairThrow | None = None
    path: bytes = b""  # with fair dice: hash of this choice and all before it


class UndoneMoves(NamedTuple):
    """Choices that were undone in a game with fair dice, and the number of choices that remained."""

    left: int
    moves: tuple[PlayedChoice, ...]
