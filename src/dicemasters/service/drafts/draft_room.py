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
from dicemasters.service.drafts.draft_session import BrokenDraftError, Drafting, DraftSetup, NewDraft, deal
from dicemasters.service.games.game_setup import NAME_LENGTH
from dicemasters.service.games.registry import NoSuchGameError, Rooms
from dicemasters.service.games.room import GRACE, RefusedError
from dicemasters.service.games.stored_events import Event, Kept, StorageError
from dicemasters.service.ids import hash_secret, is_name, new_name, new_secret, now, opened_by
from dicemasters.service.limits import Limits
from dicemasters.service.ports import Keeping
from dicemasters.service.protocol.codec import to_json
from dicemasters.service.protocol.draft_schema import Chair, DraftView
from dicemasters.service.protocol.validation import Between, Form, Long, read, written
from dicemasters.service.sanitize import plain
from dicemasters.service.structured_log import note
from dicemasters.service.token_bucket import TooBusyError
from dicemasters.teams.draft import IllegalPickError

Things = list[tuple[str, dict[str, Any]]]  # kinds of events, and what they say
WAIT_SECONDS = 20.0  # for something to change, before somebody is answered with what they know
MOST_VERSION = 10**9


class DraftLook(Form):
    """Asks for what a chair may see; with the version that is known, only when there is another or after some seconds."""

    secret: Annotated[str, Long(200)] = ""
    since: Annotated[int, Between(-1, MOST_VERSION)] = -1


class DraftChoice(Form):
    """Takes something: the text of the pick, and the number of the question it answers."""

    secret: Annotated[str, Long(200)]
    number: Annotated[int, Between(0, 1000)]
    pick: Annotated[str, Long(200)]


class DraftWish(Form):
    """Begins without those who have not come, takes a name, or opens the game of two chairs."""

    secret: Annotated[str, Long(200)]
    begin: bool = False
    name: Annotated[str, Long(400)] | None = None
    match: Annotated[str, Long(2, 2)] | None = None


class DraftRoom:
    """One draft in memory, and who waits for news of it."""

    def __init__(self, drafts: Drafts, kept: Kept, drafting: Drafting) -> None:
        self.drafts = drafts
        self.kept = kept
        self.drafting = drafting
        self.lock = asyncio.Lock()  # held from the first look at the draft until what came of it is stored and told
        self._waiting: set[asyncio.Future[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._loaded = datetime.now(UTC)
        self._alarms: set[asyncio.Task[None]] = set()
        self.looked = time.monotonic()  # when somebody last asked for it

    @property
    def is_idle(self) -> bool:
        return not (self._waiting or self._alarms or self.lock.locked())

    def chair_of(self, secret: str) -> Chair | None:
        """Give the chair a secret opens."""
        found = opened_by([secret] if secret else [], self.drafting.hashes)
        return found[0] if found and found[0] in self.drafting.people else None

    def shown(self, chair: Chair | None) -> DraftView:
        return self.drafting.view(chair, datetime.now(UTC))

    async def look(self, said: DraftLook) -> DraftView:
        """Give what a chair may see, as soon as it is not what is known already. Who looks first has come."""
        chair = self.chair_of(said.secret)
        if chair is not None and chair not in self.drafting.here:
            async with self.lock:
                if chair not in self.drafting.here:
                    await self._happen([("come", {"chair": chair})])
        if said.since == self.drafting.version and not self.drafts.is_closed:
            await self._news()
        return self.shown(chair)

    async def _news(self) -> None:
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(waiting, WAIT_SECONDS)
        finally:
            self._waiting.discard(waiting)

    def tell(self) -> None:
        """Answer everybody who waits."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    # --- what people do --------------------------------------------------------------------------------------------

    async def pick(self, said: DraftChoice) -> DraftView:
        """Take something for the chair that is asked."""
        chair = self._own(said.secret)
        async with self.lock:
            d = self.drafting
            ask = d.asked(chair)
            if d.is_over:
                raise RefusedError("the draft is over")
            if ask is None:
                raise RefusedError("the others are awaited" if d.has_begun else "the draft has not begun")
            if said.number != d.given[chair]:
                raise RefusedError("the draft has gone on meanwhile")
            if said.pick not in [pick.text for pick in ask]:
                raise RefusedError("that cannot be taken now")
            await self._happen([("pick", {"chair": chair, "text": said.pick})])
        return self.shown(chair)

    async def wish(self, said: DraftWish) -> DraftView:
        """Do what somebody asks for, beside picking."""
        chair = self._own(said.secret)
        async with self.lock:
            d = self.drafting
            if said.begin:
                if chair != "A":
                    raise RefusedError("it is for whoever has opened the draft to say that")
                if d.has_begun:
                    raise RefusedError("the draft has begun")
                bots = [one for one in d.people if one not in d.here]
                await self._happen([("begin", {"bots": bots})])
            if said.name is not None:
                name = plain(said.name, NAME_LENGTH)
                if d.said["name"] >= self.drafts.limits.chatter_per_seat * len(d.chairs):
                    raise RefusedError("names have been said often enough in this draft")
                if name != d.names[chair]:
                    await self._happen([("name", {"chair": chair, "name": name})])
            if said.match is not None:
                await self._open_match(chair, said.match)
        return self.shown(chair)

    async def _open_match(self, chair: Chair, chairs: str) -> None:
        d = self.drafting
        if not d.is_over:
            raise RefusedError("the draft is not over")
        if chairs not in [match["chairs"] for match in self.shown(chair)["matches"]]:
            raise RefusedError("there is no such match")
        if chair not in chairs:
            raise RefusedError("that is a game of others")
        if chairs not in d.games:
            game = await self.drafts.rooms.store(d.match_setup(chairs))
            await self._happen([("match", {"chairs": chairs, "game": game})])

    def _own(self, secret: str) -> Chair:
        chair = self.chair_of(secret)
        if chair is None:
            raise RefusedError("you have no chair in this draft")
        return chair

    # --- events ----------------------------------------------------------------------------------------------------

    async def _happen(self, things: Things, *, alarm: bool = False) -> None:
        """Let something happen, and whatever bots do then: store all of it, then show it. The lock is held.

        Seven bots that build their teams take a tenth of a second, so it is worked out beside the games, on the account of
        whoever did it; an alarm is nobody's.
        """
        shares = self.drafts.rooms.shares
        trial, events = await (shares.at_leisure if alarm else shares.in_thread)(self._after, things)
        try:
            stored = await self.drafts.storage.append(self.kept.game, events)
        except StorageError as error:
            note("not stored", level=logging.ERROR, game=self.kept.game, reason=str(error))
            self.drafts.drop(self)
            raise RefusedError("the server could not store this") from error
        if not stored:
            await self._read_on()
            raise RefusedError("the draft has gone on meanwhile")
        self.drafting = trial
        self._changed()

    def _after(self, things: Things) -> tuple[Drafting, list[Event]]:
        """Give the draft after some things and what bots do then, and the events that led there."""
        trial, events = self.drafting.copy(), []

        def add(kind: str, data: dict[str, Any]) -> None:
            events.append(Event(trial.version + 1, kind, now(), to_json(data).decode()))
            trial.apply(events[-1])

        for kind, data in things:
            add(kind, data)
        if not trial.has_begun and trial.here >= set(trial.people):
            add("begin", {"bots": []})
        for chair, text in trial.bots_picks():
            add("pick", {"chair": chair, "text": text})
        return trial, events

    def _changed(self) -> None:
        self.wind()
        self.tell()

    async def _read_on(self) -> None:
        try:
            for event in await self.drafts.storage.events(self.kept.game, self.drafting.version):
                self.drafting.apply(event)
        except (StorageError, BrokenDraftError) as error:
            note("not read", level=logging.ERROR, game=self.kept.game, reason=str(error))
            self.drafts.drop(self)
            raise RefusedError("the server has lost sight of this draft; come back in a moment") from error
        self._changed()

    async def catch_up(self) -> None:
        """Take in what other processes have stored."""
        async with self.lock:
            with contextlib.suppress(RefusedError):
                await self._read_on()

    # --- the clock -------------------------------------------------------------------------------------------------

    def wind(self) -> None:
        """Set the alarm for whoever has least time left; after coming back from storage there is a moment's grace."""
        if self._timer:
            self._timer.cancel()
        due = [at for chair in self.drafting.since if (at := self.drafting.deadline(chair)) is not None]
        if due:
            at = max(min(due), self._loaded + GRACE)
            wait = max(0.0, (at - datetime.now(UTC)).total_seconds()) + 0.05
            self._timer = asyncio.get_running_loop().call_later(wait, self._alarm)

    def _alarm(self) -> None:
        task = asyncio.create_task(self._go_on())
        self._alarms.add(task)
        task.add_done_callback(self._alarms.discard)

    async def _go_on(self) -> None:
        """Let a bot pick for whoever is late; who is late with building gets a whole team."""
        async with self.lock:
            for chair in self.drafting.late(datetime.now(UTC)):
                with contextlib.suppress(RefusedError):
                    picks = await self.drafts.rooms.shares.at_leisure(self._picks_for, chair)
                    await self._happen(picks, alarm=True)

    def _picks_for(self, chair: Chair) -> Things:
        """Give what a bot would do for somebody who is late."""
        trial, picks = self.drafting.copy(), []
        while trial.asked(chair) is not None:
            picks.append(("pick", {"chair": chair, "text": trial.suggestion(chair)}))
            trial.apply(Event(trial.version + 1, "pick", now(), to_json(picks[-1][1]).decode()))
            if self.drafting.stage != "build":
                break
        return picks

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        self.tell()


class Drafts:
    """All drafts of this process: found by their names, loaded when somebody looks, forgotten when nobody does."""

    def __init__(self, storage: Keeping, limits: Limits, rooms: Rooms) -> None:
        self.storage = storage
        self.limits = limits
        self.rooms = rooms
        self._rooms: OrderedDict[str, DraftRoom] = OrderedDict()
        self._looking: Counter[str] = Counter()
        self._hearing: set[asyncio.Task[None]] = set()
        self.is_closed = False

    async def create(self, new: NewDraft) -> tuple[str, dict[Chair, str]]:
        """Open a draft; give its name and the secrets of its persons' chairs."""
        keys = [new_secret() for _ in range(8)]
        secret = new_secret()  # of the packs: it is never told
        seed = int(hash_secret(secret)[:15], 16)
        setup = await self.rooms.shares.at_leisure(deal, new, seed, [hash_secret(key) for key in keys])
        name = new_name()
        await self.storage.create(Kept(name, now(), __version__, to_json(written(setup)).decode(), ""))
        return name, {chair: keys[n] for n, chair in enumerate(Drafting(setup).people)}

    async def get(self, name: str) -> DraftRoom:
        """Give a draft's room, loading it if need be."""
        room = self._rooms.get(name)
        if room is None:
            room = await self._load(name)
        self._rooms.move_to_end(name)
        room.looked = time.monotonic()
        return room

    async def _load(self, name: str) -> DraftRoom:
        kept = await self.storage.find(name) if is_name(name) else None
        if kept is None or not kept.setup.startswith('{"draft"'):
            raise NoSuchGameError("there is no such draft")
        events = await self.storage.events(name)
        try:
            drafting = await self.rooms.shares.in_thread(revive, kept, events)
        except (BrokenDraftError, IllegalPickError, ValueError) as error:
            note("cannot be replayed", game=name, reason=str(error))
            raise NoSuchGameError(
                f"this draft was held with version {kept.program} of the program and cannot be shown by {__version__}"
            ) from error
        if name in self._rooms:  # somebody else was quicker
            return self._rooms[name]
        self._make_place()
        room = self._rooms[name] = DraftRoom(self, kept, drafting)
        room.wind()
        return room

    def _make_place(self) -> None:
        idle = [name for name, room in self._rooms.items() if room.is_idle]
        for name in idle[: max(0, len(self._rooms) + 1 - self.limits.kept_games)]:
            self.drop(self._rooms[name])

    @contextlib.contextmanager
    def looking(self, network: str) -> Iterator[None]:
        """Count somebody who looks; a TooBusyError if they, or all together, are too many."""
        if self._looking[network] >= self.limits.sockets_per_address or self._looking.total() >= self.limits.sockets:
            raise TooBusyError("too many connections from your address")
        self._looking[network] += 1
        try:
            yield
        finally:
            self._looking[network] -= 1
            if not self._looking[network]:
                del self._looking[network]

    def hear(self, name: str | None) -> None:
        """Take in what another process has stored of a draft, or of any."""
        found = list(self._rooms.values()) if name is None else [self._rooms[name]] if name in self._rooms else []
        for room in found:
            task = asyncio.create_task(room.catch_up())
            self._hearing.add(task)
            task.add_done_callback(self._hearing.discard)

    def drop(self, room: DraftRoom) -> None:
        """Forget a draft until it is wanted again."""
        self._rooms.pop(room.kept.game, None)
        room.close()

    def drop_idle(self, seconds: float = 0.0) -> None:
        """Forget all that nobody has looked at for so long."""
        before = time.monotonic() - seconds
        for room in [room for room in self._rooms.values() if room.is_idle and room.looked <= before]:
            self.drop(room)

    def close(self) -> None:
        """Answer everybody who waits, and let nobody wait any more."""
        self.is_closed = True
        for room in list(self._rooms.values()):
            self.drop(room)


def revive(kept: Kept, events: list[Event]) -> Drafting:
    """Hold a stored draft again up to its last event."""
    drafting = Drafting(read(DraftSetup, json.loads(kept.setup)))
    for event in events:
        drafting.apply(event)
    return drafting
