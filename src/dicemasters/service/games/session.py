"""A game restored from its set-up and events, with its names, clocks and offers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Any, cast

from dicemasters.game import Game, Result
from dicemasters.game.decision import FairDiceNeededError
from dicemasters.game.fair_dice import ActorWord, FairDiceError, FairThrow
from dicemasters.game.inspect.view import UNDECIDED
from dicemasters.service.games.dice_coordinator import FairDiceCoordinator, PendingThrow
from dicemasters.service.games.game_setup import LETTERS, ClockOptions, Seat, StoredSetup, initial_game, start_game
from dicemasters.service.games.stored_events import StoredEvent
from dicemasters.service.games.view_builder import awaits_payment, build_view
from dicemasters.service.protocol import game_schema

_LOSS_REASONS = {"concede": "conceded", "flag": "ran out of time", "forfeit": "did not come back"}
COUNTED_EVENTS = frozenset(("play", "choice", "undo"))
VIEW_EVENTS = frozenset(("seat", "play", "part", "without", "undo", *_LOSS_REASONS))  # events that change the view


@dataclass(frozen=True, slots=True)
class SessionMove:
    """One choice of a seat: the texts of its options, and the rule behind it if the player is scripted."""

    seat: Seat
    texts: tuple[str, ...]
    why: game_schema.Explanation | None = None
    hold: bool = False  # after passing, wants final priority if the opponent also declines


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """A requested undo: the number of choices that would remain, and the seats that agree."""

    by: Seat
    to: int
    agreed: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class WinClaim:
    """A claim of the win by a seat, against an absent seat."""

    by: Seat
    away: Seat
    at: datetime


class ReplayError(Exception):
    """The stored events do not fit the game, for example because another version of the program stored them."""


class UnsupportedDiceError(ReplayError):
    """The game uses a fair dice protocol that is no longer supported."""


class GameSession:
    """A game after some events.

    Every human player's browser contributes to the dice, so a game with fair dice begins once all of them have taken
    their seats and contributed to the opening. A game with a given seed or position begins at once.
    """

    def __init__(self, setup: StoredSetup, secret: str) -> None:
        self.setup = setup
        self.secret = secret
        self.version = 0  # number of events so far
        self.view_version = 0  # version of the last change of the view
        if setup.is_fair and setup.dice == "first":
            raise UnsupportedDiceError("its dice are of the first way of fair dice, which is no longer played")
        self.dice = FairDiceCoordinator(setup, secret) if setup.is_fair else None
        self.names: dict[game_schema.Seat, str] = {letter: seat.name for letter, seat in setup.by_letter.items()}
        self.plays: list[SessionMove] = []
        self.offer: UndoOffer | None = None
        self.claim: WinClaim | None = None
        self.conceding_seat: Seat | None = None  # the seat that waits for its partner to agree to concede
        self.early_result: Result | None = None  # result of a game that did not end by its rules
        self.loser: Seat | None = None  # the seat that conceded, timed out or forfeited
        self.event_counts: Counter[tuple[str, str]] = Counter()  # number of events by kind and seat
        self.choice_count = 0  # choices made or undone
        self.seconds_left: dict[Seat, float] = {}  # remaining time of each human player
        self.decision_since: datetime | None = None  # time at which the current decision began
        if setup.clock is not None and setup.clock.minutes is not None:
            self.seconds_left = dict.fromkeys(setup.people, setup.clock.minutes * 60)
        self.rematch: str | None = None
        self.game: Game = initial_game(setup)
        self.has_begun = False
        self._news_start = -1  # number of moves before the latest news
        self._opening = 0  # number of forced moves before the first choice
        self._start_if_ready()

    def _start_if_ready(self) -> None:
        """Start the game unless players or their contributions to the opening throw are missing."""
        if self.has_begun:
            return
        if self.dice is not None:
            if self.dice.pending is None and all(self.dice.chain_of(letter) for letter in self.setup.people):
                self.dice.begin_throw(PendingThrow(None, None, datetime.now(UTC)))
            ready = self.dice.ready_throw()
            if ready is not None:
                self.dice.complete(ready)
                self._start(start_game(self.setup, self.dice.fair, ready))
        else:
            self._start(start_game(self.setup))

    def _start(self, game: Game) -> None:
        self.game = game
        self.has_begun = True
        self._opening = 0 if self.setup.record else len(self.game.moves)

    # --- queries ---------------------------------------------------------------------------------------------------

    @property
    def missing_seats(self) -> list[Seat]:
        """The seats of human players the game waits for before it begins."""
        if self.dice is None or self.has_begun:
            return []
        missing = {seat for chain in self.dice.missing_chains for seat in chain.seats}
        return [x for x in self.setup.people if self.dice.chain_of(x) is None or x in missing]

    @property
    def commitment(self) -> str | None:
        """The published commitment of the table's hash chain, if the dice are fair."""
        fair = self.dice.fair if self.dice is not None else self.game.fair
        return fair.commitment if fair is not None else None

    @property
    def pending(self) -> PendingThrow | None:
        """The choice whose throw waits for contributions, or None."""
        return self.dice.pending if self.dice is not None and self.has_begun else None

    @property
    def deciding_seat(self) -> Seat | None:
        """The seat that has to decide, or None."""
        if not self.has_begun or self.is_over or self.pending is not None:
            return None
        return LETTERS[self.game.state.decision.seat]

    @property
    def result(self) -> Result | None:
        """The result of the game, by its rules or ended early; None while it goes on."""
        if self.early_result is not None:
            return self.early_result
        return self.game.result if self.has_begun else None

    @property
    def is_over(self) -> bool:
        return self.early_result is not None or (self.has_begun and self.game.state.result != UNDECIDED)

    @property
    def view(self) -> game_schema.View:
        """The public view."""
        last = self.plays[-1] if self.plays else None
        view = self._view(self.game, self.view_version, self._news_start, last.why if last is not None else None)
        view["throw"] = self._throw_data()
        return self._add_session_state(view)

    def _throw_data(self) -> game_schema.ThrowRecord | None:
        """Return the throw behind the latest choice, so that a browser can find its own contribution in it."""
        if self.dice is None or not self.has_begun:
            return None
        since = max(self._news_start, 0)
        found = [(n, move.throw) for n, move in enumerate(self.game.moves) if n >= since and move.throw is not None]
        throw = found[0][1] if found else self.game.opening_throw if self._news_start < 0 else None
        if throw is None:
            return None
        return {
            "number": throw.number,
            "by": cast(game_schema.Seat, throw.word.seat) if throw.word else None,
            "word": throw.word.text if throw.word else "",
            "texts": [move.text for move in self.game.moves[since : found[0][0] + 1]] if found else [],
            "links": {link.chain: link.text for link in throw.links},
            "without": throw.without,
        }

    def snapshot(self) -> GameSession:
        """Return a copy that can be read while the game goes on."""
        clone = copy(self)
        clone.game, clone.plays = self.game.copy(), list(self.plays)
        return clone

    @property
    def step_offsets(self) -> list[int]:
        """The number of moves made at each step of the game: at its start, and after each choice."""
        if self.setup.record:  # in a record each move is a step
            return list(range(len(self.game.moves) + 1))
        return list(accumulate((len(move.texts) for move in self.plays), initial=self._opening))

    def views(self, start: int, count: int) -> Iterator[game_schema.View]:
        """Yield the views of up to `count` steps from `start` on, the last step first."""
        offsets = self.step_offsets
        reasons = [None] * len(offsets) if self.setup.record else [None, *(move.why for move in self.plays)]
        game = self.game.copy()
        for i in range(min(start + count, len(offsets)) - 1, start - 1, -1):
            game.undo(len(game.moves) - offsets[i])
            view = self._view(game, i, offsets[i - 1] if i else -1, reasons[i])
            yield self._add_session_state(view) if i == len(offsets) - 1 else view

    def _view(self, game: Game, version: int, since: int, why: game_schema.Explanation | None) -> game_schema.View:
        return build_view(game, version, since, why)

    def _add_session_state(self, view: game_schema.View) -> game_schema.View:
        """Add what the game itself does not know to its view: missing players, pending throws, or an early end."""
        if not self.has_begun:
            names = " and ".join(self.missing_seats)
            view["title"], view["stage"] = f"Waiting for {names}", f"waiting for {names}"
            view["decision"] = view["result"] = None
        if self.pending is not None and self.dice is not None:
            names = " and ".join(sorted(seat for chain in self.dice.missing_chains for seat in chain.seats))
            view["stage"], view["decision"] = f"waiting for {names}'s part of the dice", None
        if self.early_result is not None:
            view["decision"] = None
            view["result"] = {"winner": self.early_result.winner, "text": str(self.early_result)}
            view["news"] = [
                *view["news"],
                {"text": self.early_result.why, "kind": "happening", "dice": [], "seat": self.loser, "amount": 0},
            ]
        return view

    def is_holding_priority(self, seat: Seat) -> bool:
        """Return whether the seat asked to keep priority with its last choice."""
        return next((move.hold for move in reversed(self.plays) if move.seat == seat), False)

    def undo_target(self, seats: Sequence[Seat]) -> int | None:
        """Return how many choices remain when the last one of these seats is undone; None if there is none."""
        for i in range(len(self.plays) - 1, -1, -1):
            if self.plays[i].seat in seats:
                return i
        return None

    @property
    def awaiting_consent(self) -> list[Seat]:
        """The seats of human players that have not yet agreed to the requested undo."""
        return [] if self.offer is None else [x for x in self.setup.people if x not in self.offer.agreed]

    @property
    def free_undo_seat(self) -> Seat | None:
        """The seat that may undo its last choice without consent: the choice is not paid for yet and rolled no dice."""
        last = self.plays[-1] if self.plays else None
        if last is None or last.seat != self.deciding_seat or not awaits_payment(self.game.state):
            return None
        return None if any(move.throw for move in self.game.moves[-len(last.texts) :]) else last.seat

    # --- events ----------------------------------------------------------------------------------------------------

    def apply(self, event: StoredEvent, game: Game | None = None, data: dict[str, Any] | None = None) -> None:
        """Apply the next event; `game` and `data` are the game after it and its parsed data, if already known."""
        if event.number != self.version + 1:
            raise ReplayError(f"event {event.number} comes after event {self.version}")
        data = cast(dict[str, Any], json.loads(event.data)) if data is None else data
        had_begun, clock = self.has_begun, self.setup.clock
        previous_decider, turn = (self.deciding_seat, self.game.state.turn) if clock is not None else (None, 0)
        match event.kind:
            case "seat" if self.dice is not None:
                self.dice.register_chain(data["seats"], data["anchor"])
                if self.has_begun:
                    self.game.fair = self.dice.fair
                self._start_if_ready()
            case "play":
                self._set_immediate_throw(data)
                self._play(_parse_move(data), game)
            case "choice":
                self._begin_throw(data, _parse_time(event.at))
            case "part" | "without":
                self._apply_contribution(event.kind, data, game)
            case "undo":
                self._undo(data["to"])
            case "offer":
                self.offer = UndoOffer(data["by"], data["to"], frozenset(data.get("agreed", data["by"])))
            case "agree" if self.offer is not None:
                self.offer = replace(self.offer, agreed=self.offer.agreed | {*data["seats"]})
            case "decline":
                self.offer = None
            case "give up":
                self.conceding_seat = data["seat"]
            case "play on":
                self.conceding_seat = None
            case "concede" | "flag" | "forfeit":
                self._lose(data["seat"], _LOSS_REASONS[event.kind])
            case "claim":
                self.claim = WinClaim(data["by"], data.get("away") or self._rival_of(data["by"]), _parse_time(event.at))
            case "here":
                self.claim = None
            case "name":
                self.names[data["seat"]] = data["name"]
            case "rematch":
                self.rematch = data["game"]
            case _:
                raise ReplayError(f"there is no event '{event.kind}'")
        self.version = event.number
        self.event_counts[event.kind, str(data.get("seat", data.get("by", data.get("seats", ""))))] += 1
        if event.kind in COUNTED_EVENTS:
            self.choice_count += 1
        changes_view = event.kind in VIEW_EVENTS
        if event.kind == "seat" and self.dice is not None:
            changes_view = not had_begun and (self.has_begun or self.dice.pending is None)
        elif event.kind in ("part", "without"):
            changes_view = self.has_begun and self.pending is None
        if changes_view:
            self.view_version = event.number
        if clock is not None and (changes_view or event.kind == "choice"):
            self._update_clock(clock, _parse_time(event.at), previous_decider, turn)

    def _rival_of(self, seat: Seat) -> Seat:
        return next(x for x in self.setup.by_letter if x not in self.setup.side_of(seat))

    def _lose(self, loser: Seat, how: str) -> None:
        """End the game early as a loss for the seat's side."""
        side = self.setup.side_of(loser)
        self.loser = loser
        self.early_result = Result("".join(x for x in self.setup.by_letter if x not in side), f"{loser} {how}")
        self.offer = self.claim = self.conceding_seat = None
        self._news_start = len(self.game.moves)

    def _update_clock(self, clock: ClockOptions, at: datetime, previous_decider: Seat | None, turn: int) -> None:
        """Deduct the time of a choice from its seat's clock, and add the increment for a new turn."""
        if previous_decider in self.seconds_left and self.decision_since is not None:
            self.seconds_left[previous_decider] -= max(0.0, (at - self.decision_since).total_seconds())
        if self.game.state.turn > turn:
            for beginner in self.setup.side_of(LETTERS[self.game.state.active]):
                if beginner in self.seconds_left:
                    self.seconds_left[beginner] += clock.increment
        self.decision_since = at if self.deciding_seat is not None else None

    @property
    def deadline(self) -> datetime | None:
        """When the deciding player's time ends; None without a clock or a human decision."""
        clock = self.setup.clock
        if clock is None or self.decision_since is None:
            return None
        decides = self.deciding_seat
        if decides not in self.setup.people:
            return None
        seconds = [self.seconds_left[decides]] if decides in self.seconds_left else []
        seconds += [clock.choice] if clock.choice is not None else []
        return self.decision_since + timedelta(seconds=max(0.0, min(seconds))) if seconds else None

    # --- fair dice -------------------------------------------------------------------------------------------------

    def _set_immediate_throw(self, data: dict[str, Any]) -> None:
        """Provide the dice of a choice that needs no other contributions."""
        if self.dice is not None:
            self.game.ready = self.dice.immediate_throw(data["seat"], data.get("word", ""))

    def _begin_throw(self, data: dict[str, Any], at: datetime) -> None:
        """Make a choice wait for contributions to its dice."""
        if self.dice is None:
            raise ReplayError("a choice waits for dice that are not fair")
        word = ActorWord(data["seat"], data["word"]) if data.get("word") else None
        hold, why = data.get("hold", False), data.get("why")
        self.dice.begin_throw(PendingThrow(data["seat"], word, at, tuple(data["texts"]), data["choice"], hold, why))

    def throw_after(self, kind: str, data: dict[str, Any]) -> FairThrow | None:
        """Return the throw that a contribution, or skipping it, would complete; None if others are still missing."""
        dice = self.dice
        if dice is None or dice.pending is None:
            raise FairDiceError("no throw is waiting for a contribution")
        before = dice.pending
        try:
            self._update_throw(dice, kind, data)
            return dice.ready_throw()
        finally:
            dice.pending = before

    @staticmethod
    def _update_throw(dice: FairDiceCoordinator, kind: str, data: dict[str, Any]) -> None:
        if kind == "part":
            dice.add_link(data["chain"], data["at"], data["link"])
        else:
            dice.skip_seats(data["seats"])

    def _apply_contribution(self, kind: str, data: dict[str, Any], game: Game | None) -> None:
        """Apply a contribution, or the fact that it is skipped. The last one completes the throw and the choice."""
        dice = self.dice
        if dice is None or dice.pending is None:
            raise ReplayError("a contribution was not requested")
        try:
            self._update_throw(dice, kind, data)
        except FairDiceError as error:
            raise ReplayError(str(error)) from error
        pending = dice.pending
        if kind == "without" and pending.seat in self.setup.people:
            dice.away |= set(LETTERS) & set(data["seats"])
        if pending.seat is None:
            self._start_if_ready()
            return
        ready = dice.ready_throw()
        if ready is None:
            return  # other contributions are still missing
        self.game.ready = ready
        dice.pending = None
        self._play(SessionMove(pending.seat, tuple(data["texts"]), pending.why, pending.hold), game)

    def _play(self, play: SessionMove, game: Game | None) -> None:
        self._news_start = len(self.game.moves)
        if game is not None:
            self.game = game
        else:
            for text in play.texts:
                try:
                    self.game.play(text)
                except (ValueError, FairDiceNeededError) as error:
                    raise ReplayError(f"'{text}' cannot be played: {error}") from error
            self.game.ready = None
        if self.dice is not None:
            for move in self.game.moves[self._news_start :]:
                if move.throw is not None and move.throw.number > self.dice.fair.at:
                    self.dice.complete(move.throw)
            self.game.fair = self.dice.fair
        self.plays.append(play)
        self.offer = None
        if self.claim is not None and self.claim.away == play.seat:
            self.claim = None

    def _undo(self, target: int) -> None:
        self.game.undo(sum(len(move.texts) for move in self.plays[target:]))
        del self.plays[target:]
        self._news_start = len(self.game.moves)
        self.offer = None


def _parse_move(data: dict[str, Any]) -> SessionMove:
    return SessionMove(data["seat"], tuple(data["texts"]), data.get("why"), data.get("hold", False))


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text)
