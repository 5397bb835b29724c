"""A stored game brought to life: its set-up and the events so far give the game, its names and its offers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

from dicemasters.game import Game, Result
from dicemasters.table.server import contract
from dicemasters.table.server.setups import LETTERS, Letter, Setup, begin, lay_out
from dicemasters.table.server.storage import Event
from dicemasters.table.server.views import is_unpaid, view_data

_ENDS = {"concede": "conceded", "flag": "ran out of time", "forfeit": "did not come back"}
SEEN = frozenset(("seat", "play", "undo", *_ENDS))  # events that change what everybody sees


@dataclass(frozen=True, slots=True)
class Play:
    """One choice of a seat: the options it was made of, and for a scripted player the rule it followed."""

    seat: Letter
    texts: tuple[str, ...]
    why: contract.Said | None = None
    hold: bool = False  # wants a last word if the other adds nothing to what was passed


@dataclass(frozen=True, slots=True)
class Offer:
    """An undo that somebody asks for: how many choices would be left."""

    by: Letter
    to: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A win that somebody claims because the other is not there: by whom, and since when."""

    by: Letter
    at: datetime


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
        self.names: dict[contract.Seat, str] = {
            letter: seat.name for letter, seat in zip(LETTERS, setup.seats, strict=True)
        }
        self.plays: list[Play] = []
        self.offer: Offer | None = None
        self.claim: Claim | None = None
        self.given: Result | None = None  # how it ended, if not by its rules
        self.said: Counter[tuple[str, str]] = Counter()  # events by what they are and whose
        self.left: dict[Letter, float] = {}  # seconds on each person's clock
        self.since: datetime | None = None  # when the decision came that is waited for
        if setup.clock is not None and setup.clock.minutes is not None:
            self.left = dict.fromkeys(setup.people, setup.clock.minutes * 60)
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
        if self.given is not None:
            return self.given
        return self.game.result if self.has_begun else None

    @property
    def is_over(self) -> bool:
        return self.result is not None

    @property
    def view(self) -> contract.View:
        """Give what everybody sees."""
        last = self.plays[-1] if self.plays else None
        return self._finish(view_data(self.game, self.moved, self._since, last.why if last is not None else None))

    def views(self, start: int, count: int) -> tuple[list[contract.View], int]:
        """Give what everybody saw after each choice from the start-th on, and how many views there are."""
        stops = list(accumulate((len(play.texts) for play in self.plays), initial=self._opening))
        whys = [None, *(play.why for play in self.plays)]
        if self.setup.record:  # each of its moves is a choice
            stops = list(range(len(self.game.moves) + 1))
            whys = [None] * len(stops)
        found: list[contract.View] = []
        game = self.game.copy()
        for i in range(min(start + count, len(stops)) - 1, start - 1, -1):
            game.undo(len(game.moves) - stops[i])
            view = view_data(game, i, stops[i - 1] if i else -1, whys[i])
            found.append(self._finish(view) if i == len(stops) - 1 else view)
        return found[::-1], len(stops)

    def _finish(self, view: contract.View) -> contract.View:
        """Put what the game itself does not know into a view: that it waits, that somebody conceded."""
        if not self.has_begun:
            who = " and ".join(self.waiting)
            view["title"], view["stage"] = f"Waiting for {who}", f"waiting for {who}"
            view["decision"] = view["result"] = None
        if self.given is not None:
            view["decision"] = None
            view["result"] = {"winner": self.given.winner, "text": str(self.given)}
            loser: contract.Seat = "B" if self.given.winner == "A" else "A"
            told: contract.News = {"text": self.given.why, "kind": "happening", "dice": [], "seat": loser, "amount": 0}
            view["news"] = [*view["news"], told]
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

    @property
    def takes_back(self) -> Letter | None:
        """Give the seat whose last choice is not paid for yet, which it may take back without asking anybody."""
        last = self.plays[-1] if self.plays else None
        return last.seat if last is not None and last.seat == self.decides and is_unpaid(self.game.state) else None

    # --- events ----------------------------------------------------------------------------------------------------

    def apply(self, event: Event, game: Game | None = None) -> None:
        """Take in the next event; `game` is the game after it, where that is already known."""
        if event.number != self.version + 1:
            raise BrokenGameError(f"event {event.number} comes after event {self.version}")
        data: dict[str, Any] = json.loads(event.data)
        decided, turn = self.decides, self.game.state.turn
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
            case "concede" | "flag" | "forfeit":
                loser: Letter = data["seat"]
                self.given = Result("B" if loser == "A" else "A", f"{loser} {_ENDS[event.kind]}")
                self.offer = self.claim = None
                self._since = len(self.game.moves)
            case "claim":
                self.claim = Claim(data["by"], _time(event.at))
            case "here":
                self.claim = None
            case "name":
                self.names[data["seat"]] = data["name"]
            case "rematch":
                self.rematch = data["game"]
            case _:
                raise BrokenGameError(f"there is no event '{event.kind}'")
        self.version = event.number
        self.said[event.kind, str(data.get("seat", data.get("by", "")))] += 1
        if event.kind in SEEN:
            self.moved = event.number
            self._count_time(_time(event.at), decided, turn)

    def _count_time(self, at: datetime, decided: Letter | None, turn: int) -> None:
        """Take the time of a choice off its seat's clock, and give the time of a new turn."""
        clock = self.setup.clock
        if clock is None:
            return
        if decided in self.left and self.since is not None:
            self.left[decided] -= max(0.0, (at - self.since).total_seconds())
        beginner = LETTERS[self.game.state.active & 1]
        if self.game.state.turn > turn and beginner in self.left:
            self.left[beginner] += clock.increment
        self.since = at if self.decides is not None else None

    @property
    def deadline(self) -> datetime | None:
        """Give when the time of the one who decides is over, if the game has a clock."""
        clock, decides = self.setup.clock, self.decides
        if clock is None or self.since is None or decides not in self.setup.people:
            return None
        seconds = [self.left[decides]] if decides in self.left else []
        seconds += [clock.choice] if clock.choice is not None else []
        return self.since + timedelta(seconds=max(0.0, min(seconds))) if seconds else None

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
        if self.claim is not None and self.claim.by != play.seat:
            self.claim = None

    def _undo(self, to: int) -> None:
        self.game.undo(sum(len(play.texts) for play in self.plays[to:]))
        del self.plays[to:]
        self._since = len(self.game.moves)
        self.offer = None


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
