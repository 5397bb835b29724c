"""Live drafts: seats, picks and notifications.

Clients use long polling: a request for the view is answered when the draft has changed. As in a game, an event is
stored before it is shown, and events stored by other processes count.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

from dicemasters import __version__
from dicemasters.service.drafts.draft_session import (
    DraftReplayError,
    DraftSession,
    NewDraftRequest,
    StoredDraftSetup,
    deal_draft,
)
from dicemasters.service.games.game_setup import NAME_LENGTH
from dicemasters.service.games.registry import GameNotFoundError, RoomRegistry
from dicemasters.service.games.room import RELOAD_GRACE, ActionRejectedError
from dicemasters.service.games.stored_events import StorageError, StoredEvent, StoredGame
from dicemasters.service.ids import hash_secret, is_id, new_id, new_secret, seats_for_secrets, utc_now
from dicemasters.service.limits import Limits
from dicemasters.service.ports import GameStore
from dicemasters.service.protocol.codec import to_json
from dicemasters.service.protocol.draft_schema import Chair, DraftView
from dicemasters.service.protocol.validation import Length, Range, RequestModel, parse, to_jsonable
from dicemasters.service.sanitize import sanitize
from dicemasters.service.structured_log import log_event
from dicemasters.service.token_bucket import RateLimitedError
from dicemasters.teams.draft import IllegalPickError

NewEvents = list[tuple[str, dict[str, Any]]]  # kinds and data of events
POLL_TIMEOUT = 20.0  # seconds until a poll is answered without a change
MAX_VERSION = 10**9


class DraftPoll(RequestModel):
    """Request for a seat's view. With the known version, the response waits for a newer one or the timeout."""

    secret: Annotated[str, Length(200)] = ""
    since: Annotated[int, Range(-1, MAX_VERSION)] = -1


class DraftPickRequest(RequestModel):
    """Request to pick: the text of the pick, and the number of the decision it answers."""

    secret: Annotated[str, Length(200)]
    number: Annotated[int, Range(0, 1000)]
    pick: Annotated[str, Length(200)]


class DraftAction(RequestModel):
    """Request to begin without the absent players, to change a name, or to open the game between two seats."""

    secret: Annotated[str, Length(200)]
    begin: bool = False
    name: Annotated[str, Length(400)] | None = None
    match: Annotated[str, Length(2, 2)] | None = None


class DraftRoom:
    """A draft in memory, and the clients waiting for its next change."""

    def __init__(self, registry: DraftRegistry, stored: StoredGame, session: DraftSession) -> None:
        self.registry = registry
        self.stored = stored
        self.session = session
        self.lock = asyncio.Lock()  # held from reading the draft until the resulting events are stored and shown
        self._waiters: set[asyncio.Future[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._loaded_at = datetime.now(UTC)
        self._timeout_tasks: set[asyncio.Task[None]] = set()
        self.last_access = time.monotonic()

    @property
    def is_idle(self) -> bool:
        return not (self._waiters or self._timeout_tasks or self.lock.locked())

    def seat_for_secret(self, secret: str) -> Chair | None:
        """Return the seat of a secret, or None."""
        chairs = seats_for_secrets([secret] if secret else [], self.session.hashes)
        return chairs[0] if chairs and chairs[0] in self.session.people else None

    def view_for(self, chair: Chair | None) -> DraftView:
        return self.session.view(chair, datetime.now(UTC))

    async def poll(self, request: DraftPoll) -> DraftView:
        """Return a seat's view once it is newer than the known version, or after the timeout.

        The first poll of a seat marks its player as arrived.
        """
        chair = self.seat_for_secret(request.secret)
        if chair is not None and chair not in self.session.arrived:
            async with self.lock:
                if chair not in self.session.arrived:
                    await self._commit_event([("come", {"chair": chair})])
        if request.since == self.session.version and not self.registry.is_closed:
            await self._wait_for_change()
        return self.view_for(chair)

    async def _wait_for_change(self) -> None:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(waiter, POLL_TIMEOUT)
        finally:
            self._waiters.discard(waiter)

    def notify_waiters(self) -> None:
        """Answer all waiting clients."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    # --- actions ---------------------------------------------------------------------------------------------------

    async def pick(self, request: DraftPickRequest) -> DraftView:
        """Make a pick for a seat."""
        chair = self._require_seat(request.secret)
        async with self.lock:
            session = self.session
            pending = session.pending_pick(chair)
            if session.is_over:
                raise ActionRejectedError("the draft is over")
            if pending is None:
                raise ActionRejectedError(
                    "the draft is waiting for other players" if session.has_begun else "the draft has not begun"
                )
            if request.number != session.pick_counts[chair]:
                raise ActionRejectedError("the draft has moved on")
            if request.pick not in [pick.text for pick in pending]:
                raise ActionRejectedError("that cannot be taken now")
            await self._commit_event([("pick", {"chair": chair, "text": request.pick})])
        return self.view_for(chair)

    async def handle_action(self, request: DraftAction) -> DraftView:
        """Handle a request other than a pick."""
        chair = self._require_seat(request.secret)
        async with self.lock:
            session = self.session
            if request.begin:
                if chair != "A":
                    raise ActionRejectedError("only the player who opened the draft may begin it")
                if session.has_begun:
                    raise ActionRejectedError("the draft has begun")
                bots = [absent for absent in session.people if absent not in session.arrived]
                await self._commit_event([("begin", {"bots": bots})])
            if request.name is not None:
                name = sanitize(request.name, NAME_LENGTH)
                if session.event_counts["name"] >= self.registry.limits.chatter_per_seat * len(session.chairs):
                    raise ActionRejectedError("too many name changes in this draft")
                if name != session.names[chair]:
                    await self._commit_event([("name", {"chair": chair, "name": name})])
            if request.match is not None:
                await self._open_match(chair, request.match)
        return self.view_for(chair)

    async def _open_match(self, chair: Chair, chairs: str) -> None:
        session = self.session
        if not session.is_over:
            raise ActionRejectedError("the draft is not over")
        if chairs not in [match["chairs"] for match in self.view_for(chair)["matches"]]:
            raise ActionRejectedError("there is no such match")
        if chair not in chairs:
            raise ActionRejectedError("that match is between other players")
        if chairs not in session.games:
            game = await self.registry.rooms.store(session.match_setup(chairs))
            await self._commit_event([("match", {"chairs": chairs, "game": game})])

    def _require_seat(self, secret: str) -> Chair:
        chair = self.seat_for_secret(secret)
        if chair is None:
            raise ActionRejectedError("you have no chair in this draft")
        return chair

    # --- events ----------------------------------------------------------------------------------------------------

    async def _commit_event(self, new_events: NewEvents, *, by_clock: bool = False) -> None:
        """Apply events and the bots' reactions to them, store all of it, then show it. The lock must be held.

        Seven bots building their teams take a tenth of a second, so the work runs in the background. It is charged to
        the client that caused it, or to nobody if the clock caused it.
        """
        executor = self.registry.rooms.executor
        updated, events = await (executor.run_unmetered if by_clock else executor.run_for_client)(
            self._apply_to_copy, new_events
        )
        try:
            stored = await self.registry.storage.append(self.stored.game, events)
        except StorageError as error:
            log_event("not stored", level=logging.ERROR, game=self.stored.game, reason=str(error))
            self.registry.evict(self)
            raise ActionRejectedError("the server could not store this") from error
        if not stored:
            await self._apply_new_events()
            raise ActionRejectedError("the draft has moved on")
        self.session = updated
        self._on_change()

    def _apply_to_copy(self, new_events: NewEvents) -> tuple[DraftSession, list[StoredEvent]]:
        """Return a copy of the draft with the new events and the bots' reactions applied, and all these events."""
        updated, events = self.session.copy(), []

        def add(kind: str, data: dict[str, Any]) -> None:
            events.append(StoredEvent(updated.version + 1, kind, utc_now(), to_json(data).decode()))
            updated.apply(events[-1])

        for kind, data in new_events:
            add(kind, data)
        if not updated.has_begun and updated.arrived >= set(updated.people):
            add("begin", {"bots": []})
        for chair, text in updated.bot_picks():
            add("pick", {"chair": chair, "text": text})
        return updated, events

    def _on_change(self) -> None:
        self.schedule_clock()
        self.notify_waiters()

    async def _apply_new_events(self) -> None:
        try:
            for event in await self.registry.storage.events(self.stored.game, self.session.version):
                self.session.apply(event)
        except (StorageError, DraftReplayError) as error:
            log_event("not read", level=logging.ERROR, game=self.stored.game, reason=str(error))
            self.registry.evict(self)
            raise ActionRejectedError("the server cannot read this draft right now; come back in a moment") from error
        self._on_change()

    async def catch_up(self) -> None:
        """Apply events that other processes have stored."""
        async with self.lock:
            with contextlib.suppress(ActionRejectedError):
                await self._apply_new_events()

    # --- clock -----------------------------------------------------------------------------------------------------

    def schedule_clock(self) -> None:
        """Set the timer for the next deadline, with a grace period after loading from storage."""
        if self._timer:
            self._timer.cancel()
        deadlines = [
            deadline for chair in self.session.clock_starts if (deadline := self.session.deadline(chair)) is not None
        ]
        if deadlines:
            deadline = max(min(deadlines), self._loaded_at + RELOAD_GRACE)
            delay = max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 0.05
            self._timer = asyncio.get_running_loop().call_later(delay, self._on_clock_timer)

    def _on_clock_timer(self) -> None:
        task = asyncio.create_task(self._pick_for_overdue_seats())
        self._timeout_tasks.add(task)
        task.add_done_callback(self._timeout_tasks.discard)

    async def _pick_for_overdue_seats(self) -> None:
        """Make a bot pick for every overdue seat; a seat that is overdue while building gets a complete team."""
        async with self.lock:
            for chair in self.session.overdue_seats(datetime.now(UTC)):
                with contextlib.suppress(ActionRejectedError):
                    picks = await self.registry.rooms.executor.run_unmetered(self._bot_picks_for, chair)
                    await self._commit_event(picks, by_clock=True)

    def _bot_picks_for(self, chair: Chair) -> NewEvents:
        """Return the picks a bot makes for an overdue seat."""
        updated, picks = self.session.copy(), []
        while updated.pending_pick(chair) is not None:
            picks.append(("pick", {"chair": chair, "text": updated.suggest_pick(chair)}))
            updated.apply(StoredEvent(updated.version + 1, "pick", utc_now(), to_json(picks[-1][1]).decode()))
            if self.session.stage != "build":
                break
        return picks

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        self.notify_waiters()


class DraftRegistry:
    """The drafts of this process: loaded on first access, evicted when idle."""

    def __init__(self, storage: GameStore, limits: Limits, rooms: RoomRegistry) -> None:
        self.storage = storage
        self.limits = limits
        self.rooms = rooms
        self._rooms: OrderedDict[str, DraftRoom] = OrderedDict()
        self._polls_by_network: Counter[str] = Counter()
        self._catch_up_tasks: set[asyncio.Task[None]] = set()
        self.is_closed = False

    async def create(self, new: NewDraftRequest) -> tuple[str, dict[Chair, str]]:
        """Create a draft; return its id and the secrets of its human players' seats."""
        seat_secrets = [new_secret() for _ in range(8)]
        secret = new_secret()  # seed of the packs; never revealed
        seed = int(hash_secret(secret)[:15], 16)
        setup = await self.rooms.executor.run_unmetered(
            deal_draft, new, seed, [hash_secret(seat_secret) for seat_secret in seat_secrets]
        )
        draft_id = new_id()
        await self.storage.create(
            StoredGame(draft_id, utc_now(), __version__, to_json(to_jsonable(setup)).decode(), "")
        )
        return draft_id, {chair: seat_secrets[n] for n, chair in enumerate(DraftSession(setup).people)}

    async def get(self, draft_id: str) -> DraftRoom:
        """Return a draft's room, loading it if necessary."""
        room = self._rooms.get(draft_id)
        if room is None:
            room = await self._load(draft_id)
        self._rooms.move_to_end(draft_id)
        room.last_access = time.monotonic()
        return room

    async def _load(self, draft_id: str) -> DraftRoom:
        stored = await self.storage.find(draft_id) if is_id(draft_id) else None
        if stored is None or not stored.setup.startswith('{"draft"'):
            raise GameNotFoundError("there is no such draft")
        events = await self.storage.events(draft_id)
        try:
            session = await self.rooms.executor.run_for_client(replay_draft, stored, events)
        except (DraftReplayError, IllegalPickError, ValueError) as error:
            log_event("cannot be replayed", game=draft_id, reason=str(error))
            raise GameNotFoundError(
                f"this draft was held with version {stored.program} of the program and cannot be shown by {__version__}"
            ) from error
        if draft_id in self._rooms:  # another request loaded it meanwhile
            return self._rooms[draft_id]
        self._evict_excess()
        room = self._rooms[draft_id] = DraftRoom(self, stored, session)
        room.schedule_clock()
        return room

    def _evict_excess(self) -> None:
        idle = [draft_id for draft_id, room in self._rooms.items() if room.is_idle]
        for draft_id in idle[: max(0, len(self._rooms) + 1 - self.limits.kept_games)]:
            self.evict(self._rooms[draft_id])

    @contextlib.contextmanager
    def poll_slot(self, network: str) -> Iterator[None]:
        """Count a poll while it runs; raise RateLimitedError if its network or the server has too many."""
        if (
            self._polls_by_network[network] >= self.limits.sockets_per_address
            or self._polls_by_network.total() >= self.limits.sockets
        ):
            raise RateLimitedError("too many connections from your address")
        self._polls_by_network[network] += 1
        try:
            yield
        finally:
            self._polls_by_network[network] -= 1
            if not self._polls_by_network[network]:
                del self._polls_by_network[network]

    def on_external_event(self, draft_id: str | None) -> None:
        """Apply events that another process has stored, for one draft or for all."""
        rooms = (
            list(self._rooms.values())
            if draft_id is None
            else [self._rooms[draft_id]]
            if draft_id in self._rooms
            else []
        )
        for room in rooms:
            task = asyncio.create_task(room.catch_up())
            self._catch_up_tasks.add(task)
            task.add_done_callback(self._catch_up_tasks.discard)

    def evict(self, room: DraftRoom) -> None:
        """Remove a draft from memory until it is requested again."""
        self._rooms.pop(room.stored.game, None)
        room.close()

    def evict_idle(self, idle_seconds: float = 0.0) -> None:
        """Evict the drafts that nobody has accessed for `idle_seconds`."""
        cutoff = time.monotonic() - idle_seconds
        for room in [room for room in self._rooms.values() if room.is_idle and room.last_access <= cutoff]:
            self.evict(room)

    def close(self) -> None:
        """Answer all waiting clients and let no more wait."""
        self.is_closed = True
        for room in list(self._rooms.values()):
            self.evict(room)


def replay_draft(stored: StoredGame, events: list[StoredEvent]) -> DraftSession:
    """Return a stored draft after its events."""
    session = DraftSession(parse(StoredDraftSetup, json.loads(stored.setup)))
    for event in events:
        session.apply(event)
    return session
