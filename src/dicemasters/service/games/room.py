"""Live games: seats, actions, clocks, bots and broadcasts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from dicemasters.game import Game
from dicemasters.game.decision import FairDiceNeededError
from dicemasters.game.fair_dice import ANCHOR, FairDiceError, FairThrow
from dicemasters.game.inspect.view import State, side_of
from dicemasters.game.notation import UnplayableError
from dicemasters.game.notation.record import write_record
from dicemasters.players.monte_carlo import MonteCarloPlayer
from dicemasters.players.player import Player, make_player
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.service.games.choices import AppliedChoice, InvalidChoiceError, apply_choice
from dicemasters.service.games.explanations import (
    build_coach_answer,
    build_dice_audit,
    build_die_explanation,
    build_illegal_explanation,
)
from dicemasters.service.games.game_setup import LETTERS, NAME_LENGTH, FirstSeat, Seat
from dicemasters.service.games.game_summary import build_summary
from dicemasters.service.games.session import COUNTED_EVENTS, GameSession, ReplayError, WinClaim
from dicemasters.service.games.stored_events import StorageError, StoredEvent, StoredGame
from dicemasters.service.games.view_builder import build_table, build_view
from dicemasters.service.ids import seats_for_secrets, utc_now
from dicemasters.service.ports import RoomClient
from dicemasters.service.protocol import game_schema, messages
from dicemasters.service.protocol.codec import OutgoingMessage, to_json
from dicemasters.service.protocol.delta import diff_views
from dicemasters.service.protocol.http_schema import GameSummary
from dicemasters.service.sanitize import sanitize
from dicemasters.service.structured_log import log_event
from dicemasters.service.token_bucket import RateLimitedError

if TYPE_CHECKING:
    from dicemasters.service.games.registry import RoomRegistry


ORPHANED_BOT_DELAY = 2.0  # seconds before this process runs a bot that another process should have run
NOT_STARTED: game_schema.Explanation = {"text": "The game has not begun.", "rule": "3.0a"}
META_EVENTS = frozenset(("name", "offer", "agree", "decline", "give up", "play on", "claim", "here", "seat"))
TABLE_EVENTS = frozenset(("play", "choice", "part"))  # events that by themselves need no metadata broadcast
CONTRIBUTION_TIMEOUT = timedelta(seconds=3)  # time before the dice may be rolled without a missing contribution
RELOAD_GRACE = timedelta(seconds=30)  # extra time after a game has been loaded from storage
FAST_PLAYERS = frozenset(("random", "level1", "simple", "scripted"))  # bots that decide within a millisecond


class ActionRejectedError(Exception):
    """An action is not possible; the text is one sentence that says why."""


class _RoomLock:
    """Context manager that holds a room's lock; raises ActionRejectedError if the room was closed meanwhile."""

    __slots__ = ("_room",)

    def __init__(self, room: Room) -> None:
        self._room = room

    async def __aenter__(self) -> None:
        await self._room.lock.acquire()
        if self._room.close_reason:
            self._room.lock.release()
            raise ActionRejectedError(self._room.close_reason)

    async def __aexit__(self, *_: object) -> None:
        self._room.lock.release()


class Room:
    """A game in memory, with its connected clients."""

    def __init__(self, registry: RoomRegistry, stored: StoredGame, session: GameSession) -> None:
        self.registry = registry
        self.stored = stored
        self.session = session
        self.clients: set[RoomClient] = set()
        self.connections: set[RoomClient] = set()  # every connection, including those not yet identified
        self.close_reason = ""  # set once the room is closed
        self.tasks: set[asyncio.Future[None]] = set()  # unfinished tasks of clients
        self.lock = asyncio.Lock()  # held from reading the game until the resulting event is stored and published
        self._players: dict[Seat, Player] = {
            letter: make_player(seat.player, secrets.randbits(62))
            for letter, seat in session.setup.by_letter.items()
            if seat.player
        }
        self._bot_task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None  # fires at the deadline
        self._loaded_at = datetime.now(UTC)
        self.last_access = time.monotonic()  # last access or disconnection
        self._table = to_json(
            build_table(session.game.table, format=session.setup.format, scripted=session.setup.scripted_seat)
        )
        self._last_view: game_schema.View | None = None  # the view last broadcast
        self._audit_cache = -1, b""  # version and JSON of the last dice audit
        self._is_throw_announced = False  # the last metadata contained a pending throw

    # --- queries ---------------------------------------------------------------------------------------------------

    @property
    def table(self) -> bytes:
        """The part of the game that never changes, as JSON."""
        return self._table

    @property
    def view(self) -> bytes:
        """The public view of the table, as JSON."""
        if self._last_view is None:
            self._last_view = self.session.view
        return to_json(self._last_view)

    @property
    def meta(self) -> bytes:
        """Names, presence and offers, as JSON."""
        session = self.session
        people = session.setup.people
        self._is_throw_announced = session.dice is not None and session.dice.pending is not None
        meta: messages.Meta = {
            "names": session.names,
            "kinds": {letter: seat.player or "person" for letter, seat in session.setup.by_letter.items()},
            "present": sorted({seat for client in self.clients for seat in client.seats}),
            "watchers": sum(not client.seats for client in self.clients),
            "offer": {"what": "undo", "by": session.offer.by, "awaits": [*session.awaiting_consent]}
            if session.offer
            else None,
            "giving_up": session.conceding_seat,
            "undo": "none"
            if session.is_over or not any(seat.hash for seat in session.setup.seats)
            else "free"
            if len(people) == 1
            else "ask",
            "rematch": session.rematch,
            "waiting": [*session.missing_seats],
            "commitment": session.commitment,
            "dice": session.dice.data() if session.dice is not None else None,
            "created": self.stored.created,
            "claim": {"by": session.claim.by, "seconds": self._claim_seconds_left(session.claim)}
            if session.claim
            else None,
            "clock": self._clock_data(),
        }
        return to_json(meta)

    def _claim_seconds_left(self, claim: WinClaim) -> int:
        """Return the seconds the absent player has left to come back."""
        return max(0, round(self.registry.limits.claim_seconds - (datetime.now(UTC) - claim.at).total_seconds()))

    def _clock_data(self) -> messages.ClockData | None:
        """Return the clocks: the seconds each player has left, and those left for the current choice."""
        session = self.session
        if session.setup.clock is None:
            return None
        now = datetime.now(UTC)
        seconds_left = dict(session.seconds_left)
        if session.decision_since is not None and session.deciding_seat in seconds_left:
            seconds_left[session.deciding_seat] -= (now - session.decision_since).total_seconds()
        running = (session.deadline - now).total_seconds() if session.deadline is not None else None
        return {
            "left": {letter: max(0, round(seconds, 1)) for letter, seconds in seconds_left.items()},
            "running": session.deciding_seat if session.deadline is not None else None,
            "seconds": None if running is None else max(0, round(running, 1)),
        }

    @property
    def is_idle(self) -> bool:
        """Whether no client is connected and no work is pending, so that the game may be evicted from memory."""
        thinking = self._bot_task is not None and not self._bot_task.done()
        return not (self.clients or self.connections or self.tasks or thinking or self.lock.locked())

    async def game_snapshot(self) -> bytes:
        """Return table, view and metadata together, as JSON."""
        async with _RoomLock(self):
            return b'{"table":%b,"view":%b,"meta":%b}' % (self.table, self.view, self.meta)

    async def full_view(self) -> OutgoingMessage:
        """Return a message with the full view."""
        async with _RoomLock(self):
            return OutgoingMessage(b'{"type":"view","view":%b}' % self.view)

    async def views(self, start: int, count: int) -> bytes:
        """Return up to `count` views, one per step from `start` on, and the total number of views, as JSON."""

        def serialise() -> bytes:
            chunks = []
            for view in snapshot.views(start, count):
                chunks.append(to_json(view))
                self.registry.executor.yield_cpu()
            return b'{"views":[%b],"total":%d}' % (b",".join(chunks[::-1]), len(snapshot.step_offsets))

        async with _RoomLock(self):
            snapshot = self.session.snapshot()
        text: bytes = await self.registry.executor.run_for_client(serialise)  # without blocking the game
        return text

    async def explain_die(self, die: int) -> OutgoingMessage:
        """Return a message that explains a die's A and D."""
        async with _RoomLock(self):
            if not 0 <= die < self.session.game.table.n_dice:
                raise ActionRejectedError("there is no such die")
            return OutgoingMessage(to_json(build_die_explanation(self.session.game, die)))

    async def coach(self) -> OutgoingMessage:
        """Return a message with the coach's remarks for the deciding player."""
        async with _RoomLock(self):
            session = self.session
            answer = (
                build_coach_answer(session.game, session.view_version)
                if session.deciding_seat is not None
                else build_coach_answer(None, session.view_version)
            )
            return OutgoingMessage(to_json(answer))

    async def explain_illegal(self, client: RoomClient, thing: dict[str, int], want: str) -> OutgoingMessage:
        """Return a message that explains why the client cannot do something."""
        async with _RoomLock(self):
            self._require_seat(client)
            session = self.session
            seat = session.deciding_seat if session.deciding_seat in client.seats else client.seats[0]
            try:
                explanation = (
                    build_illegal_explanation(session.game, seat, thing, want) if session.has_begun else NOT_STARTED
                )
            except (ValueError, LookupError):
                raise ActionRejectedError("there is no such thing at this table") from None
            answer: messages.IllegalExplanation = {"type": "why not", **explanation}
            return OutgoingMessage(to_json(answer))

    async def record(self) -> str:
        """Return the game as a record."""
        snapshot = await self.snapshot()
        text: str = await self.registry.executor.run_for_client(write_record, snapshot.game, snapshot.early_result)
        return text

    async def position(self, step: int | None = None) -> str:
        """Return the position in notation, now or at a step."""

        def serialise() -> str:
            snapshot.game.undo(len(snapshot.game.moves) - snapshot.step_offsets[step] if step is not None else 0)
            return snapshot.game.to_text()

        snapshot = await self.snapshot()
        if step is not None and step >= len(snapshot.step_offsets):
            raise ActionRejectedError(f"the game has no step {step}; there are {len(snapshot.step_offsets) - 1}")
        text: str = await self.registry.executor.run_for_client(serialise)  # undoing may replay moves
        return text

    async def dice_audit(self) -> bytes:
        """Return the data to verify the dice with, as JSON."""

        def serialise() -> bytes:
            return to_json(build_dice_audit(snapshot.game))

        async with _RoomLock(self):
            session = self.session
            version, text = self._audit_cache
            if version == session.version:
                return text
            version = session.version
            if not session.has_begun:
                return to_json(
                    {"way": "chains" if session.dice is not None else None, "commitment": session.commitment}
                )
            snapshot = session.snapshot()
        audit: bytes = await self.registry.executor.run_for_client(serialise)  # without blocking the game
        self._audit_cache = version, audit
        return audit

    async def snapshot(self) -> GameSession:
        """Return a copy of the session that can be read while the game goes on."""
        async with _RoomLock(self):
            if not self.session.has_begun:
                raise ActionRejectedError("the game has not begun")
            return self.session.snapshot()

    async def summary(self) -> GameSummary:
        """Return statistics of the game so far."""
        async with _RoomLock(self):
            return build_summary(self.session.game)

    # --- clients ---------------------------------------------------------------------------------------------------

    def seats_of(self, seat_secrets: Iterable[str]) -> tuple[Seat, ...]:
        """Authenticate a client: return the seats that these secrets open. Without a seat it is a watcher (spectator)."""
        return seats_for_secrets(
            seat_secrets, {letter: seat.hash for letter, seat in self.session.setup.by_letter.items()}
        )

    async def join(self, client: RoomClient) -> None:
        """Welcome a client and notify the others. A player's client registers its hash chain next (`take_seat`)."""
        async with _RoomLock(self):
            await self._cancel_win_claim(client.seats)
            self.clients.add(client)
            you = to_json({"you": client.seats, "game": self.stored.game})[1:-1]
            welcome = b'{"type":"welcome",%b,"table":%b,"meta":%b,"view":%b}' % (you, self.table, self.meta, self.view)
            client.send(OutgoingMessage(welcome))
            self._broadcast_meta(exclude=client)
            self._request_contributions([client])
        self._schedule_bot()

    async def take_seat(self, client: RoomClient, anchor: str) -> None:
        """Register a hash chain for the client's seats.

        A browser sends its anchor only after it has learned the table's commitment.
        """
        async with _RoomLock(self):
            self._require_seat(client)
            session = self.session
            if session.dice is None:
                raise ActionRejectedError("the dice of this game come from a seed or a position")
            if not ANCHOR.fullmatch(anchor):
                raise ActionRejectedError("an anchor is 64 hexadecimal digits")
            if any(chain.anchor == anchor for chain in session.dice.fair.chains):
                raise ActionRejectedError("this chain has been used")
            if not session.is_over:
                await self._commit_event("seat", {"seats": "".join(client.seats), "anchor": anchor})
        self._schedule_bot()

    def remove_client(self, client: RoomClient) -> None:
        """Remove a client and notify the others."""
        self.last_access = time.monotonic()
        if client in self.clients:
            self.clients.remove(client)
            self._broadcast_meta()

    def close(self, reason: str) -> None:
        """Disconnect all clients, including those not yet welcomed, and reject all further actions."""
        self.close_reason = reason
        self.stop_timers()
        for client in self.clients | self.connections:
            client.close(reason)
        self.clients.clear()

    def stop_timers(self) -> None:
        """Cancel the running bot and the clock, so that nothing keeps the game in memory."""
        if self._bot_task:
            self._bot_task.cancel()
        if self._timer:
            self._timer.cancel()

    # --- actions ---------------------------------------------------------------------------------------------------

    async def play(self, client: RoomClient, message: messages.PlayChoice) -> None:
        """Make a choice for the deciding seat."""
        async with _RoomLock(self):
            session = self.session
            deciding_seat = session.deciding_seat
            if deciding_seat is None and session.is_over:
                raise ActionRejectedError("the game is over")
            if deciding_seat is None and session.pending is not None:
                raise ActionRejectedError("the dice are being thrown")
            if message.version != session.view_version:
                raise ActionRejectedError("the table has changed meanwhile")
            if deciding_seat is None or deciding_seat not in client.seats:
                raise ActionRejectedError(f"it is {deciding_seat}'s decision")
            if session.dice is not None and not message.word:
                raise ActionRejectedError("the choice needs a word for the fair dice")
            extra: dict[str, Any] = {"hold": True} if message.hold else {}
            extra |= {"word": message.word} if session.dice is not None else {}
            await self._submit_choice(deciding_seat, message.choice, extra, frozenset(message.without))
            self.registry.services.count("choice", "person")
        self._schedule_bot()

    async def _submit_choice(
        self, seat: Seat, choice: messages.Choice, extra: dict[str, Any], without: frozenset[str]
    ) -> None:
        """Make a choice. If its dice need contributions, store the choice first and then request them."""
        session = self.session
        ready = session.dice.immediate_throw(seat, extra.get("word", "")) if session.dice is not None else None
        if ready is not None and frozenset(ready.without) != without:
            raise ActionRejectedError("the table has changed meanwhile")
        try:
            applied = await self._apply_choice(choice, ready)
        except FairDiceNeededError as error:
            if session.dice is None or not session.dice.has_links:
                raise ActionRejectedError("this game has gone on for too long") from None
            if seat in session.setup.people and session.dice.away != without:
                raise ActionRejectedError("the table has changed meanwhile") from None
            await self._commit_event("choice", {"seat": seat, "choice": choice, "texts": error.args, **extra})
        else:
            await self._commit_event("play", {"seat": seat, "texts": applied.texts, **extra}, applied.game)

    async def _apply_choice(self, choice: Mapping[str, object], ready: FairThrow | None) -> AppliedChoice:
        """Make a choice on a copy. Compound choices run in the background, since ordering them may take a while."""
        try:
            if "option" in choice:
                applied = apply_choice(self.session.game, choice, self._is_asked_again, ready)
            else:
                applied = await self.registry.executor.run_for_client(
                    apply_choice, self.session.game, choice, self._is_asked_again, ready
                )
            if applied.game.written:
                build_view(applied.game)  # a position that cannot be shown must not be stored
        except (InvalidChoiceError, UnplayableError, RateLimitedError) as error:
            raise ActionRejectedError(str(error)) from None
        return applied

    async def submit_contribution(self, client: RoomClient, number: int, chain: str, link: str) -> None:
        """Add a browser's contribution to the pending throw."""
        async with _RoomLock(self):
            session = self.session
            dice = session.dice
            if dice is None or number > dice.fair.at + 1:
                raise ActionRejectedError("no throw is waiting for a contribution")
            if number <= dice.fair.at:
                return  # late or duplicate
            required = next((missing for missing in dice.missing_chains if missing.name == chain), None)
            if required is None:
                raise ActionRejectedError("that contribution was not requested")
            if not set(required.seats) & set(client.seats):
                raise ActionRejectedError("that is not your chain")
            await self._commit_contribution(
                "part", {"seat": required.seats, "chain": chain, "at": required.at + 1, "link": link}
            )
        self._schedule_bot()

    async def roll_without(self, client: RoomClient) -> None:
        """Roll without the missing contributions.

        The acting player may request it, since they do not know the missing links and cannot foresee the roll. When the
        table acts, and at the opening, a player may request it if their own contribution has arrived, or if they play
        alone.
        """
        async with _RoomLock(self):
            session = self.session
            self._require_seat(client)
            pending = session.dice.pending if session.dice is not None else None
            if session.dice is None or pending is None or session.is_over:
                raise ActionRejectedError("no throw is waiting for a contribution")
            missing = {seat for chain in session.dice.missing_chains for seat in chain.seats}
            if pending.seat in session.setup.people:
                if pending.seat not in client.seats:
                    raise ActionRejectedError(f"only {pending.seat} may decide that")
            elif len(session.setup.people) > 1 and missing & set(client.seats):
                raise ActionRejectedError("only the other player may decide that")
            if len(session.setup.people) > 1 and datetime.now(UTC) < pending.at + CONTRIBUTION_TIMEOUT:
                raise ActionRejectedError("the contribution may still arrive")
            await self._commit_contribution("without", {"seats": "".join(sorted(missing))})
        self._schedule_bot()

    async def _commit_contribution(self, kind: str, data: dict[str, Any]) -> None:
        """Store a contribution, or the fact that it is skipped. The last one completes the throw and the choice."""
        session = self.session
        try:
            ready = session.throw_after(kind, data)
        except FairDiceError as error:
            raise ActionRejectedError(str(error)) from None
        if session.pending is None or ready is None:
            await self._commit_event(kind, data)
        else:
            applied = await self._apply_choice(session.pending.choice or {}, ready)
            await self._commit_event(kind, data | {"texts": applied.texts}, applied.game)

    def _request_contributions(self, clients: Iterable[RoomClient]) -> None:
        """Request the missing contributions to the pending throw from these clients."""
        dice = self.session.dice
        if dice is None or dice.pending is None or self.session.is_over:
            return
        missing = {seat for chain in dice.missing_chains for seat in chain.seats}
        message = OutgoingMessage(to_json({"type": "throw", **(dice.throw_request() or {})}))
        for client in clients:
            if missing & set(client.seats):
                client.send(message)

    async def undo(self, client: RoomClient) -> None:
        """Undo the client's last choice, or offer the undo to the other players."""
        async with _RoomLock(self):
            session = self.session
            self._require_seat(client)
            if session.is_over:
                raise ActionRejectedError("the game is over, and a finished game stays as it is")
            self._require_no_pending_throw()
            target = session.undo_target(client.seats)
            if target is None:
                raise ActionRejectedError("you have no choice to undo")
            if session.free_undo_seat in client.seats or all(letter in client.seats for letter in session.setup.people):
                await self._commit_event("undo", {"to": target})
            elif session.offer is not None:
                raise ActionRejectedError(f"{session.offer.by} has already asked")
            else:
                await self._commit_event(
                    "offer", {"by": session.plays[target].seat, "to": target, "agreed": "".join(client.seats)}
                )
        self._schedule_bot()

    async def answer_undo(self, client: RoomClient, yes: bool) -> None:
        """Accept or decline an undo; it is made once all players have agreed."""
        async with _RoomLock(self):
            offer, awaiting = self.session.offer, self.session.awaiting_consent
            if offer is None:
                raise ActionRejectedError("there is no undo to answer")
            if not any(letter in awaiting for letter in client.seats):
                raise ActionRejectedError("another player has to answer")
            self._require_no_pending_throw()
            if not yes:
                await self._commit_event("decline", {"by": offer.by})
            elif set(awaiting) <= set(client.seats):
                await self._commit_event("undo", {"to": offer.to})
            else:
                await self._commit_event("agree", {"seats": "".join(client.seats)})
        self._schedule_bot()

    async def concede(self, client: RoomClient, seat: str) -> None:
        """Concede for the client's side. A partner who is present has to agree (docs/doubles.md)."""
        async with _RoomLock(self):
            session = self.session
            if session.is_over:
                raise ActionRejectedError("the game is over")
            own_seat = self._require_own_seat(client, seat)
            present = {letter for other in self.clients for letter in other.seats}
            partners = [
                ally
                for ally in session.setup.side_of(own_seat)
                if ally in session.setup.people and ally not in client.seats and ally in present
            ]
            if not partners or session.conceding_seat in partners:
                await self._commit_event("concede", {"seat": own_seat})
            elif session.conceding_seat is not None:
                raise ActionRejectedError(f"{partners[0]} has been asked")
            else:
                await self._commit_event("give up", {"seat": own_seat})

    async def play_on(self, client: RoomClient) -> None:
        """Withdraw or decline a concession."""
        async with _RoomLock(self):
            session = self.session
            if session.conceding_seat is None or not set(client.seats) & set(
                session.setup.side_of(session.conceding_seat)
            ):
                raise ActionRejectedError("nobody on your side wants to concede")
            await self._commit_event("play on", {"seat": session.conceding_seat})

    async def claim_win(self, client: RoomClient) -> None:
        """Claim the win against an absent player. Repeated after the grace period, the claim ends the game."""
        async with _RoomLock(self):
            session = self.session
            self._require_seat(client)
            own_side = [ally for seat in client.seats for ally in session.setup.side_of(seat)]
            others = [letter for letter in session.setup.people if letter not in own_side]
            if session.is_over or not session.has_begun or not others:
                raise ActionRejectedError("there is nothing to claim")
            present = {letter for other in self.clients for letter in other.seats}
            if session.claim is not None and session.claim.by in own_side and session.claim.away not in present:
                seconds = self.registry.limits.claim_seconds - (datetime.now(UTC) - session.claim.at).total_seconds()
                if seconds > 0:
                    raise ActionRejectedError(f"{session.claim.away} has {seconds:.0f} seconds more to come back")
                await self._commit_event("forfeit", {"seat": session.claim.away})
                return
            away = [letter for letter in others if letter not in present]
            if not away:
                raise ActionRejectedError(f"{' and '.join(others)} {'is' if len(others) == 1 else 'are'} here")
            await self._commit_event("claim", {"by": client.seats[0], "away": away[0]})

    async def _cancel_win_claim(self, seats: Iterable[Seat]) -> None:
        """Cancel a claim against one of these seats, since its player is here."""
        claim = self.session.claim
        if claim is not None and claim.away in seats and not self.session.is_over:
            await self._commit_event("here", {"seat": claim.away})

    async def set_name(self, client: RoomClient, seat: str, name: str) -> None:
        """Change a player's name."""
        async with _RoomLock(self):
            letter, clean_name = self._require_own_seat(client, seat), sanitize(name, NAME_LENGTH)
            if clean_name != self.session.names[letter]:
                await self._commit_event("name", {"seat": letter, "name": clean_name})

    async def play_again(self, client: RoomClient) -> None:
        """Open a rematch with the same seats, in which the other side begins."""
        async with _RoomLock(self):
            self._require_seat(client)
            session = self.session
            if not session.is_over:
                raise ActionRejectedError("the game is not over")
            if session.rematch is None:
                seats = [replace(seat, name=session.names[letter]) for letter, seat in session.setup.by_letter.items()]
                first: FirstSeat | None = None
                if session.setup.position is None:
                    first = "A" if side_of(session.game.state.first) else "B"
                game = await self.registry.store(
                    replace(session.setup, seats=seats, first=first, seed=None, dice="chains")
                )
                await self._commit_event("rematch", {"game": game})

    def _is_asked_again(self, seat: int) -> bool:
        """Return whether a seat that passed is offered final priority: always for bots, on request for people."""
        letter = LETTERS[seat]
        return letter in self._players or self.session.is_holding_priority(letter)

    def _require_no_pending_throw(self) -> None:
        if self.session.pending is not None:
            raise ActionRejectedError("the dice are being thrown")

    def _require_seat(self, client: RoomClient) -> None:
        if not client.seats:
            raise ActionRejectedError("you are watching, not playing")

    def _require_own_seat(self, client: RoomClient, seat: str) -> Seat:
        for letter in client.seats:
            if letter == seat:
                return letter
        raise ActionRejectedError("that is not your seat")

    # --- events ----------------------------------------------------------------------------------------------------

    async def _commit_event(self, kind: str, data: dict[str, Any], game: Game | None = None) -> None:
        """Store an event, then apply and publish it. The lock must be held; `game` is the game after a choice."""
        self._check_event_limits(kind, str(data.get("seat", data.get("by", data.get("seats", "")))))
        event = StoredEvent(self.session.version + 1, kind, utc_now(), to_json(data).decode())
        try:
            was_over = self.session.is_over
            if await self.registry.storage.append(self.stored.game, [event]):
                self.session.apply(event, game, data)
                if self.session.is_over and not was_over:
                    self.registry.services.count("finished", "play" if kind in ("part", "without") else kind)
                self._publish(kind)
                return
            await self._apply_new_events()  # another process stored an event first
        except (StorageError, ReplayError) as error:
            log_event("not stored", level=logging.ERROR, game=self.stored.game, reason=str(error))
            self.registry.evict_stale(self, "the server could not store what happened; come back in a moment")
            raise ActionRejectedError("the server could not store this") from error
        raise ActionRejectedError("the table has changed meanwhile")

    def _check_event_limits(self, kind: str, owner: str) -> None:
        """Reject an event whose kind has reached its limit. Events that end a game have no limit."""
        session, limits = self.session, self.registry.limits
        if kind in META_EVENTS and session.event_counts[kind, owner] >= limits.chatter_per_seat:
            raise ActionRejectedError("too many messages of this kind in this game")
        if kind in COUNTED_EVENTS and session.choice_count >= limits.events_per_game:
            raise ActionRejectedError("this game has gone on for too long")

    async def _apply_new_events(self) -> None:
        for event in await self.registry.storage.events(self.stored.game, self.session.version):
            self.session.apply(event)
            self._publish(event.kind)

    async def catch_up(self) -> None:
        """Apply events that other processes have stored; the process that stored a choice also runs the bots."""
        async with self.lock:
            if self.close_reason:
                return
            try:
                await self._apply_new_events()
                await self._cancel_win_claim({seat for client in self.clients for seat in client.seats})
            except (StorageError, ReplayError) as error:
                log_event("not read", level=logging.ERROR, game=self.stored.game, reason=str(error))
                self.registry.evict_stale(self, "the server cannot read this game right now; come back in a moment")
                return
        asyncio.get_running_loop().call_later(ORPHANED_BOT_DELAY, self._schedule_bot)  # in case that process has died

    def _publish(self, kind: str) -> None:
        if self.session.view_version == self.session.version:
            self._broadcast_delta()
        begins = kind == "part" and not self.session.plays
        was_announced = self._is_throw_announced and kind in ("part", "without")
        if (
            kind not in TABLE_EVENTS
            or begins
            or was_announced
            or self.session.is_over
            or self.session.setup.clock is not None
        ):
            self._broadcast_meta()
        if kind in ("choice", "seat"):
            self._request_contributions(self.clients)
        self.schedule_clock()

    def _broadcast_delta(self) -> None:
        """Send all clients the changes since the last view. Clients that join later receive a full view."""
        old, self._last_view = self._last_view, None
        if self.clients and old is not None:
            self._last_view = self.session.view
            self._broadcast(OutgoingMessage(to_json(diff_views(old, self._last_view))))

    def _broadcast(self, message: OutgoingMessage, exclude: RoomClient | None = None) -> None:
        for client in list(self.clients):
            if client is not exclude:
                client.send(message)

    def schedule_clock(self) -> None:
        """Set the timer for the deciding player's deadline, with a grace period after loading from storage."""
        if self._timer:
            self._timer.cancel()
        deadline = self.session.deadline
        if deadline is not None:
            alarm_at = max(deadline, self._loaded_at + RELOAD_GRACE)
            delay = max(0.0, (alarm_at - datetime.now(UTC)).total_seconds()) + 0.05
            self._timer = asyncio.get_running_loop().call_later(delay, self._on_clock_timer)

    def _on_clock_timer(self) -> None:
        task = asyncio.create_task(self._end_on_time())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _end_on_time(self) -> None:
        """End the game if the deciding player's time has run out."""
        with contextlib.suppress(ActionRejectedError):
            async with _RoomLock(self):
                deadline, deciding_seat = self.session.deadline, self.session.deciding_seat
                if deadline is not None and deciding_seat is not None and datetime.now(UTC) >= deadline:
                    await self._commit_event("flag", {"seat": deciding_seat})

    def _broadcast_meta(self, exclude: RoomClient | None = None) -> None:
        self._broadcast(OutgoingMessage(b'{"type":"meta","meta":%b}' % self.meta), exclude)

    # --- bots ------------------------------------------------------------------------------------------------------

    def _schedule_bot(self) -> None:
        """Start the bots if it is a bot's decision and they are not running."""
        if not self._players:
            return
        if (self._bot_task is None or self._bot_task.done()) and self.session.deciding_seat in self._players:
            self._bot_task = asyncio.create_task(self._run_bots())

    async def _run_bots(self) -> None:
        while True:
            if not self.session.setup.people:
                if not self.clients:
                    return  # pause until someone watches, or abandoned games would fill the memory
                await self.registry.throttle_bot_games()
            async with self.lock:
                version, deciding_seat, game = self.session.view_version, self.session.deciding_seat, self.session.game
                if self.close_reason or deciding_seat is None or deciding_seat not in self._players:
                    return
                player = self._players[deciding_seat]
                if player.name in FAST_PLAYERS:
                    await self._play_bot_choice(deciding_seat, self._ask_bot(player, game.state))
                    if self.session.view_version == version:
                        return  # the choice could not be stored
                    continue
                game = game.copy()
            if isinstance(player, MonteCarloPlayer):
                choice: tuple[int, game_schema.Explanation | None] = (
                    await self.registry.bot_runner.choose(player.name, game),
                    None,
                )
            else:  # a custom bot of the operator, known only to this process
                choice = await self.registry.executor.run_unmetered(self._ask_bot, player, game.state)
            async with self.lock:
                if self.session.view_version == version and not self.close_reason:
                    await self._play_bot_choice(deciding_seat, choice)
                    if self.session.view_version == version:
                        return

    def _ask_bot(self, player: Player, state: State) -> tuple[int, game_schema.Explanation | None]:
        """Return the option a bot chooses, and the rule it follows if it has one."""
        try:
            if isinstance(player, ScriptedPlayer):
                reason = player.explain(state)
                return reason.option, {"rule": reason.rule, "text": reason.why}
            return player.choose(state), None
        except Exception as error:  # a bug in a bot must not stop the game
            log_event(
                "player failed", level=logging.ERROR, game=self.stored.game, player=player.name, reason=repr(error)
            )
            return 0, None

    async def _play_bot_choice(self, deciding_seat: Seat, choice: tuple[int, game_schema.Explanation | None]) -> None:
        extra = {"why": choice[1]} if choice[1] else {}
        try:
            await self._submit_choice(deciding_seat, {"option": choice[0]}, extra, frozenset())
            self.registry.services.count("choice", "player")
        except ActionRejectedError as error:  # another process's bot was faster, or the game was evicted
            log_event("not chosen", game=self.stored.game, reason=str(error))
