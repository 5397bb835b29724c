"""A stored game brought to life: its set-up and the events so far give the game, its names and its offers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from dicemasters.game import Game, Result
from dicemasters.table.server.setups import LETTERS, Letter, Setup, begin, lay_out
from dicemasters.table.server.storage import Event
from dicemasters.table.server.views import view_data

SEEN = frozenset(("seat", "play", "undo", "concede"))  # events that change what everybody sees


@dataclass(frozen=True, slots=True)
class Play:
    """One choice of a seat: the options it was made of, and for a scripted player the rule it followed."""

    seat: Letter
    texts: tuple[str, ...]
    why: dict[str, str] | None = None
    hold: bool = False  # wants a last word if the other adds nothing to what was passed


@dataclass(frozen=True, slots=True)
class Offer:
    """An undo that somebody asks for: how many choices would be left."""

    by: Letter
    to: int


class BrokenGameError(Exception):
    """The stored events do not fit the game, as when another version of the program has stored them."""


class Match:
    """A game as far as its events have brought it.

    Its dice come from the server's secret and from a word of each person's browser, so it begins when everybody has
    taken their seat; until then the dice lie ready. A game with a given seed or position begins at once.
    """

    def __init__(self, setup: Setup, secret: str) -> None:
        self.setup = setup
        self.secret = secret
        self.version = 0  # events so far
        self.moved = 0  # the version at which the table last changed
        self.nonces: dict[Letter, str] = {}
        self.names: dict[Letter, str] = {letter: seat.name for letter, seat in zip(LETTERS, setup.seats, strict=True)}
        self.plays: list[Play] = []
        self.offer: Offer | None = None
        self.conceded: Letter | None = None
        self.rematch: str | None = None
        self.game: Game = lay_out(setup)
        self.has_begun = False
        self._since = -1  # moves made before what is news
        self._opening = 0  # moves that were no choice, before the first one
        self._begin()

    def _begin(self) -> None:
        if not self.has_begun and not self.waiting:
            self.game = begin(self.setup, self.secret, self.nonces)
            self.has_begun = True
            self._opening = 0 if self.setup.record else len(self.game.moves)

    # --- looking ---------------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> list[Letter]:
        """List the seats whose persons have not come yet, if the game waits for them."""
        return [letter for letter in self.setup.people if letter not in self.nonces] if self.setup.is_fair else []

    @property
    def decides(self) -> Letter | None:
        """Give the seat that has to decide, or None when nobody has."""
        return LETTERS[self.game.state.ask.seat] if self.has_begun and not self.is_over else None

    @property
    def result(self) -> Result | None:
        """Give how the game ended, by its rules or because somebody conceded; None while it goes on."""
        if self.conceded:
            return Result("B" if self.conceded == "A" else "A", f"{self.conceded} conceded")
        return self.game.result if self.has_begun else None

    @property
    def is_over(self) -> bool:
        return self.result is not None

    @property
    def view(self) -> dict[str, Any]:
        """Give what everybody sees."""
        last = self.plays[-1] if self.plays else None
        return self._finish(view_data(self.game, self.moved, self._since, last.why if last is not None else None))

    def views(self, start: int, count: int) -> tuple[list[dict[str, Any]], int]:
        """Give what everybody saw after each choice from the start-th on, and how many views there are."""
        stops = list(accumulate((len(play.texts) for play in self.plays), initial=self._opening))
        whys = [None, *(play.why for play in self.plays)]
        if self.setup.record:  # each of its moves is a choice
            stops = list(range(len(self.game.moves) + 1))
            whys = [None] * len(stops)
        found: list[dict[str, Any]] = []
        game = self.game.copy()
        for i in range(min(start + count, len(stops)) - 1, start - 1, -1):
            game.undo(len(game.moves) - stops[i])
            view = view_data(game, i, stops[i - 1] if i else -1, whys[i])
            found.append(self._finish(view) if i == len(stops) - 1 else view)
        return found[::-1], len(stops)

    def _finish(self, view: dict[str, Any]) -> dict[str, Any]:
        """Put what the game itself does not know into a view: that it waits, that somebody conceded."""
        if not self.has_begun:
            who = " and ".join(self.waiting)
            view |= {"title": f"Waiting for {who}", "stage": f"waiting for {who}", "decision": None, "result": None}
        if self.conceded and self.result is not None:
            view |= {"decision": None, "result": {"winner": self.result.winner, "text": str(self.result)}}
        return view

    def holds(self, seat: Letter) -> bool:
        """Tell whether the seat, when it passed, wanted to be asked again."""
        return next((play.hold for play in reversed(self.plays) if play.seat == seat), False)

    def undo_to(self, seats: Sequence[Letter]) -> int | None:
        """Give how many choices are left when these seats' last one is taken back, or None if they made none."""
        for i in range(len(self.plays) - 1, -1, -1):
            if self.plays[i].seat in seats:
                return i
        return None

    # --- events ----------------------------------------------------------------------------------------------------

    def apply(self, event: Event, game: Game | None = None) -> None:
        """Take in the next event; `game` is the game after it, where that is already known."""
        if event.number != self.version + 1:
            raise BrokenGameError(f"event {event.number} comes after event {self.version}")
        data: dict[str, Any] = json.loads(event.data)
        match event.kind:
            case "seat":
                self.nonces[data["seat"]] = data["nonce"]
                self._begin()
            case "play":
                self._play(Play(data["seat"], tuple(data["texts"]), data.get("why"), data.get("hold", False)), game)
            case "undo":
                self._undo(data["to"])
            case "offer":
                self.offer = Offer(data["by"], data["to"])
            case "decline":
                self.offer = None
            case "concede":
                self.conceded = data["seat"]
                self.offer = None
                self._since = len(self.game.moves)
            case "name":
                self.names[data["seat"]] = data["name"]
            case "rematch":
                self.rematch = data["game"]
            case _:
                raise BrokenGameError(f"there is no event '{event.kind}'")
        self.version = event.number
        if event.kind in SEEN:
            self.moved = event.number

    def _play(self, play: Play, game: Game | None) -> None:
        self._since = len(self.game.moves)
        if game is not None:
            self.game = game
        else:
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
        self._since = len(self.game.moves)
        self.offer = None
