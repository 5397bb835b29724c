"""The drafts that go on: who sits in which chair, what they pick, and who is told.

Everybody asks for what they may see and waits for an answer until something has changed (a long poll). As in a game, what
happens is stored before anybody is shown it, and what another process has stored counts.
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

NewEvents = list[tuple[str, dict[str, Any]]]  # kinds of events, and what they say
POLL_TIMEOUT = 20.0  # for something to change, before somebody is answered with what they know
MAX_VERSION = 10**9


class DraftPoll(RequestModel):
    """Asks for what a chair may see; with the version that is known, only when there is another or after some seconds."""

    secret: Annotated[str, Length(200)] = ""
    since: Annotated[int, Range(-1, MAX_VERSION)] = -1


class DraftPickRequest(RequestModel):
    """Takes something: the text of the pick, and the number of the question it answers."""

    secret: Annotated[str, Length(200)]
    number: Annotated[int, Range(0, 1000)]
    pick: Annotated[str, Length(200)]


class DraftAction(RequestModel):
    """Begins without those who have not come, takes a name, or opens the game of two chairs."""

    secret: Annotated[str, Length(200)]
    begin: bool = False
    name: Annotated[str, Length(400)] | None = None
    match: Annotated[str, Length(2, 2)] | None = None


class DraftRoom:
    """One draft in memory, and who waits for news of it."""

    def __init__(self, registry: DraftRegistry, stored: StoredGame, session: DraftSession) -> None:
        self.registry = registry
        self.stored = stored
        self.session = session
        self.lock = asyncio.Lock()  # held from the first look at the draft until what came of it is stored and told
        self._waiters: set[asyncio.Future[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._loaded_at = datetime.now(UTC)
        self._timeout_tasks: set[asyncio.Task[None]] = set()
        self.last_access = time.monotonic()  # when somebody last asked for it

    @property
    def is_idle(self) -> bool:
        return not (self._waiters or self._timeout_tasks or self.lock.locked())

    def seat_for_secret(self, secret: str) -> Chair | None:
        """Give the chair a secret opens."""
        found = seats_for_secrets([secret] if secret else [], self.session.hashes)
        return found[0] if found and found[0] in self.session.people else None

    def view_for(self, chair: Chair | None) -> DraftView:
        return self.session.view(chair, datetime.now(UTC))

    async def poll(self, said: DraftPoll) -> DraftView:
        """Give what a chair may see, as soon as it is not what is known already. Who looks first has come."""
        chair = self.seat_for_secret(said.secret)
        if chair is not None and chair not in self.session.arrived:
            async with self.lock:
                if chair not in self.session.arrived:
                    await self._commit_event([("come", {"chair": chair})])
        if said.since == self.session.version and not self.registry.is_closed:
            await self._wait_for_change()
        return self.view_for(chair)

    async def _wait_for_change(self) -> None:
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiting)
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(waiting, POLL_TIMEOUT)
        finally:
            self._waiters.discard(waiting)

    def notify_waiters(self) -> None:
        """Answer everybody who waits."""
        for waiting in self._waiters:
            if not waiting.done():
                waiting.set_result(None)

    # --- what people do --------------------------------------------------------------------------------------------

    async def pick(self, said: DraftPickRequest) -> DraftView:
        """Take something for the chair that is asked."""
        chair = self._require_seat(said.secret)
        async with self.lock:
            d = self.session
            ask = d.pending_pick(chair)
            if d.is_over:
                raise ActionRejectedError("the draft is over")
            if ask is None:
                raise ActionRejectedError("the others are awaited" if d.has_begun else "the draft has not begun")
            if said.number != d.pick_counts[chair]:
                raise ActionRejectedError("the draft has gone on meanwhile")
            if said.pick not in [pick.text for pick in ask]:
                raise ActionRejectedError("that cannot be taken now")
            await self._commit_event([("pick", {"chair": chair, "text": said.pick})])
        return self.view_for(chair)

    async def handle_action(self, said: DraftAction) -> DraftView:
        """Do what somebody asks for, beside picking."""
        chair = self._require_seat(said.secret)
        async with self.lock:
            d = self.session
            if said.begin:
                if chair != "A":
                    raise ActionRejectedError("it is for whoever has opened the draft to say that")
                if d.has_begun:
                    raise ActionRejectedError("the draft has begun")
                bots = [one for one in d.people if one not in d.arrived]
                await self._commit_event([("begin", {"bots": bots})])
            if said.name is not None:
                name = sanitize(said.name, NAME_LENGTH)
                if d.event_counts["name"] >= self.registry.limits.chatter_per_seat * len(d.chairs):
                    raise ActionRejectedError("names have been said often enough in this draft")
                if name != d.names[chair]:
                    await self._commit_event([("name", {"chair": chair, "name": name})])
            if said.match is not None:
                await self._open_match(chair, said.match)
        return self.view_for(chair)

    async def _open_match(self, chair: Chair, chairs: str) -> None:
        d = self.session
        if not d.is_over:
            raise ActionRejectedError("the draft is not over")
        if chairs not in [match["chairs"] for match in self.view_for(chair)["matches"]]:
            raise ActionRejectedError("there is no such match")
        if chair not in chairs:
            raise ActionRejectedError("that is a game of others")
        if chairs not in d.games:
            game = await self.registry.rooms.store(d.match_setup(chairs))
            await self._commit_event([("match", {"chairs": chairs, "game": game})])

    def _require_seat(self, secret: str) -> Chair:
        chair = self.seat_for_secret(secret)
        if chair is None:
            raise ActionRejectedError("you have no chair in this draft")
        return chair

    # --- events ----------------------------------------------------------------------------------------------------

    async def _commit_event(self, things: NewEvents, *, alarm: bool = False) -> None:
        """Let something happen, and whatever bots do then: store all of it, then show it. The lock is held.

        Seven bots that build their teams take a tenth of a second, so it is worked out beside the games, on the account of
        whoever did it; an alarm is nobody's.
        """
        shares = self.registry.rooms.executor
        trial, events = await (shares.run_unmetered if alarm else shares.run_for_client)(self._apply_to_copy, things)
        try:
            stored = await self.registry.storage.append(self.stored.game, events)
        except StorageError as error:
            log_event("not stored", level=logging.ERROR, game=self.stored.game, reason=str(error))
            self.registry.evict(self)
            raise ActionRejectedError("the server could not store this") from error
        if not stored:
            await self._apply_new_events()
            raise ActionRejectedError("the draft has gone on meanwhile")
        self.session = trial
        self._on_change()

    def _apply_to_copy(self, things: NewEvents) -> tuple[DraftSession, list[StoredEvent]]:
        """Give the draft after some things and what bots do then, and the events that led there."""
        trial, events = self.session.copy(), []

        def add(kind: str, data: dict[str, Any]) -> None:
            events.append(StoredEvent(trial.version + 1, kind, utc_now(), to_json(data).decode()))
            trial.apply(events[-1])

        for kind, data in things:
            add(kind, data)
        if not trial.has_begun and trial.arrived >= set(trial.people):
            add("begin", {"bots": []})
        for chair, text in trial.bot_picks():
            add("pick", {"chair": chair, "text": text})
        return trial, events

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
            raise ActionRejectedError("the server has lost sight of this draft; come back in a moment") from error
        self._on_change()

    async def catch_up(self) -> None:
        """Take in what other processes have stored."""
        async with self.lock:
            with contextlib.suppress(ActionRejectedError):
                await self._apply_new_events()

    # --- the clock -------------------------------------------------------------------------------------------------

    def schedule_clock(self) -> None:
        """Set the alarm for whoever has least time left; after coming back from storage there is a moment's grace."""
        if self._timer:
            self._timer.cancel()
        due = [at for chair in self.session.clock_starts if (at := self.session.deadline(chair)) is not None]
        if due:
            at = max(min(due), self._loaded_at + RELOAD_GRACE)
            wait = max(0.0, (at - datetime.now(UTC)).total_seconds()) + 0.05
            self._timer = asyncio.get_running_loop().call_later(wait, self._on_clock_timer)

    def _on_clock_timer(self) -> None:
        task = asyncio.create_task(self._pick_for_overdue_seats())
        self._timeout_tasks.add(task)
        task.add_done_callback(self._timeout_tasks.discard)

    async def _pick_for_overdue_seats(self) -> None:
        """Let a bot pick for whoever is late; who is late with building gets a whole team."""
        async with self.lock:
            for chair in self.session.overdue_seats(datetime.now(UTC)):
                with contextlib.suppress(ActionRejectedError):
                    picks = await self.registry.rooms.executor.run_unmetered(self._bot_picks_for, chair)
                    await self._commit_event(picks, alarm=True)

    def _bot_picks_for(self, chair: Chair) -> NewEvents:
        """Give what a bot would do for somebody who is late."""
        trial, picks = self.session.copy(), []
        while trial.pending_pick(chair) is not None:
            picks.append(("pick", {"chair": chair, "text": trial.suggest_pick(chair)}))
            trial.apply(StoredEvent(trial.version + 1, "pick", utc_now(), to_json(picks[-1][1]).decode()))
            if self.session.stage != "build":
                break
        return picks

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        self.notify_waiters()


class DraftRegistry:
    """All drafts of this process: found by their names, loaded when somebody looks, forgotten when nobody does."""

    def __init__(self, storage: GameStore, limits: Limits, rooms: RoomRegistry) -> None:
        self.storage = storage
        self.limits = limits
        self.rooms = rooms
        self._rooms: OrderedDict[str, DraftRoom] = OrderedDict()
        self._polls_by_network: Counter[str] = Counter()
        self._catch_up_tasks: set[asyncio.Task[None]] = set()
        self.is_closed = False

    async def create(self, new: NewDraftRequest) -> tuple[str, dict[Chair, str]]:
        """Open a draft; give its name and the secrets of its persons' chairs."""
        keys = [new_secret() for _ in range(8)]
        secret = new_secret()  # of the packs: it is never told
        seed = int(hash_secret(secret)[:15], 16)
        setup = await self.rooms.executor.run_unmetered(deal_draft, new, seed, [hash_secret(key) for key in keys])
        name = new_id()
        await self.storage.create(StoredGame(name, utc_now(), __version__, to_json(to_jsonable(setup)).decode(), ""))
        return name, {chair: keys[n] for n, chair in enumerate(DraftSession(setup).people)}

    async def get(self, name: str) -> DraftRoom:
        """Give a draft's room, loading it if need be."""
        room = self._rooms.get(name)
        if room is None:
            room = await self._load(name)
        self._rooms.move_to_end(name)
        room.last_access = time.monotonic()
        return room

    async def _load(self, name: str) -> DraftRoom:
        kept = await self.storage.find(name) if is_id(name) else None
        if kept is None or not kept.setup.startswith('{"draft"'):
            raise GameNotFoundError("there is no such draft")
        events = await self.storage.events(name)
        try:
            drafting = await self.rooms.executor.run_for_client(replay_draft, kept, events)
        except (DraftReplayError, IllegalPickError, ValueError) as error:
            log_event("cannot be replayed", game=name, reason=str(error))
            raise GameNotFoundError(
                f"this draft was held with version {kept.program} of the program and cannot be shown by {__version__}"
            ) from error
        if name in self._rooms:  # somebody else was quicker
            return self._rooms[name]
        self._evict_excess()
        room = self._rooms[name] = DraftRoom(self, kept, drafting)
        room.schedule_clock()
        return room

    def _evict_excess(self) -> None:
        idle = [name for name, room in self._rooms.items() if room.is_idle]
        for name in idle[: max(0, len(self._rooms) + 1 - self.limits.kept_games)]:
            self.evict(self._rooms[name])

    @contextlib.contextmanager
    def poll_slot(self, network: str) -> Iterator[None]:
        """Count somebody who looks; a RateLimitedError if they, or all together, are too many."""
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

    def on_external_event(self, name: str | None) -> None:
        """Take in what another process has stored of a draft, or of any."""
        found = list(self._rooms.values()) if name is None else [self._rooms[name]] if name in self._rooms else []
        for room in found:
            task = asyncio.create_task(room.catch_up())
            self._catch_up_tasks.add(task)
            task.add_done_callback(self._catch_up_tasks.discard)

    def evict(self, room: DraftRoom) -> None:
        """Forget a draft until it is wanted again."""
        self._rooms.pop(room.stored.game, None)
        room.close()

    def evict_idle(self, seconds: float = 0.0) -> None:
        """Forget all that nobody has looked at for so long."""
        before = time.monotonic() - seconds
        for room in [room for room in self._rooms.values() if room.is_idle and room.last_access <= before]:
            self.evict(room)

    def close(self) -> None:
        """Answer everybody who waits, and let nobody wait any more."""
        self.is_closed = True
        for room in list(self._rooms.values()):
            self.evict(room)


def replay_draft(kept: StoredGame, events: list[StoredEvent]) -> DraftSession:
    """Hold a stored draft again up to its last event."""
    drafting = DraftSession(parse(StoredDraftSetup, json.loads(kept.setup)))
    for event in events:
        drafting.apply(event)
    return drafting
