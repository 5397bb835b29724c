"""A decision as somebody sees it, and what has been: choices, draws and rolls, the result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from dicemasters.cards.catalogue import Card
from dicemasters.game.fair_dice import FairThrow


class IllegalChoiceError(ValueError):
    """The choice is not among the options of the decision."""


class SetupError(ValueError):
    """What was given, to start a game or to ask about one, cannot be meant; the message says what it should be."""


class FairDiceNeededError(Exception):
    """A choice needs fair dice, and no throw lies ready; it is not made. The arguments are the texts of what was chosen."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal option: what it is, the dice, card or amount it concerns, and a short text."""

    index: int
    text: str
    what: str
    dice: tuple[int, ...]
    card: Card | None
    amount: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Decision:
    """Whose decision it is, of which kind, and everything that is legal."""

    player: str
    kind: str
    question: str
    options: tuple[Choice, ...]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.options)

    def __len__(self) -> int:
        return len(self.options)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the winner's letter, of partners both ("AC"), or "" for a tie, and why."""

    winner: str
    why: str

    def __str__(self) -> str:
        if len(self.winner) > 1:
            return f"{' and '.join(self.winner)} win: {self.why}"
        return f"{self.winner} wins: {self.why}" if self.winner else f"tie: {self.why}"


class ChanceOutcome(NamedTuple):
    """A draw or a roll that happened: the card of the die, its face (-1: drawn), if it was scripted, and whose it is."""

    card: int
    face: int
    scripted: bool
    seat: int


class LogEntry(NamedTuple):
    """A line of what happened: in words, of which kind, and the dice and the seat it is about."""

    move: int  # how many choices had been made
    text: str
    kind: str  # move, toss, turn, step, draw, roll, pay, damage, ko, life; happening for the rest
    dice: tuple[int, ...] = ()
    seat: int = -1  # -1: nobody's
    amount: int = 0


class PlayedChoice(NamedTuple):
    """A choice that was made, the draws and rolls that followed, and with fair dice the throw they came from."""

    player: str
    text: str
    chance: tuple[ChanceOutcome, ...]
    throw: FairThrow | None = None
    path: bytes = b""  # with fair dice: stands for this choice and all before it


class UndoneMoves(NamedTuple):
    """Choices that were taken back in a game with fair dice, and how many were left."""

    left: int
    moves: tuple[PlayedChoice, ...]
