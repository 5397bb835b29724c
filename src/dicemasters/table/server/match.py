"""A stored game brought to life: its set-up and the events so far give the game, its names and its offers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicemasters.game import Game, Result
from dicemasters.table.server.setups import LETTERS, Letter, Setup, begin
from dicemasters.table.server.storage import Event


@dataclass(frozen=True, slots=True)
class Play:
    """One choice of a seat: the options it was made of, and for a scripted player the rule it followed."""

    seat: Letter
    texts: tuple[str, ...]
    why: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """An undo that somebody asks for: how many choices would be left."""

    by: Letter
    to: int


class BrokenGameError(Exception):
    """The stored events do not fit the game, as when another version of the program has stored them."""


class Match:
    """A game as far as its events have brought it."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game: Game = begin(setup)
        self.version = 0  # events so far
        self.moved = 0  # the version at which the table last changed
        self.names: dict[Letter, str] = {letter: seat.name for letter, seat in zip(LETTERS, setup.seats, strict=True)}
        self.plays: list[Play] = []
        self.offer: Offer | None = None
        self.conceded: Letter | None = None
        self.rematch: str | None = None
        self._told = 0  # lines of the log before the latest play

    # --- looking ---------------------------------------------------------------------------------------------------

    @property
    def decides(self) -> Letter | None:
        """Give the seat that has to decide, or None when the game is over."""
        decision = None if self.conceded else self.game.state
        if decision is None or self.game.result is not None:
            return None
        return LETTERS[decision.ask.seat]

    @property
    def result(self) -> Result | None:
        """Give how the game ended, by its rules or because somebody conceded."""
        if self.conceded:
            return Result("B" if self.conceded == "A" else "A", f"{self.conceded} conceded")
        return self.game.result

    @property
    def is_over(self) -> bool:
        return self.conceded is not None or self.game.result is not None

    def undo_to(self, seats: Sequence[Letter]) -> int | None:
        """Give how many choices are left when these seats' last one is taken back, or None if they made none."""
        for i in range(len(self.plays) - 1, -1, -1):
            if self.plays[i].seat in seats:
                return i
        return None

    # --- events ----------------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Take in the next event."""
        if event.number != self.version + 1:
            raise BrokenGameError(f"event {event.number} comes after event {self.version}")
        data: dict[str, Any] = json.loads(event.data)
        match event.kind:
            case "play":
                self._play(Play(data["seat"], tuple(data["texts"]), data.get("why")))
            case "undo":
                self._undo(data["to"])
            case "offer":
                self.offer = Offer(data["by"], data["to"])
            case "decline":
                self.offer = None
            case "concede":
                self.conceded = data["seat"]
                self.offer = None
            case "name":
                self.names[data["seat"]] = data["name"]
            case "rematch":
                self.rematch = data["game"]
            case _:
                raise BrokenGameError(f"there is no event '{event.kind}'")
        self.version = event.number
        if event.kind in ("play", "undo", "concede"):
            self.moved = event.number

    def _play(self, play: Play) -> None:
        self._told = len(self.game.log)
        for text in play.texts:
            try:
                self.game.play(text)
            except ValueError as error:
                raise BrokenGameError(str(error)) from error
        self.plays.append(play)
        self.offer = None

    def _undo(self, to: int) -> None:
        self.game.undo(sum(len(play.texts) for play in self.plays[to:]))
        del self.plays[to:]
        self._told = len(self.game.log)
        self.offer = None

    @property
    def news(self) -> list[str]:
        """List what the latest choice brought, a line each."""
        return list(self.game.log[self._told :])
