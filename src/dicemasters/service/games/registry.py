"""The registry of live games: creates, loads, evicts and expires rooms."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from datetime import datetime

from dicemasters import __version__
from dicemasters.service.games.game_setup import (
    LETTERS,
    NewGameRequest,
    Seat,
    StoredSeat,
    StoredSetup,
    initial_game,
    resolve_setup,
)
from dicemasters.service.games.room import Room
from dicemasters.service.games.session import GameSession, ReplayError, UnsupportedDiceError
from dicemasters.service.games.stored_events import StoredEvent, StoredGame
from dicemasters.service.games.view_builder import build_view
from dicemasters.service.ids import hash_secret, is_id, new_id, new_secret, utc_now
from dicemasters.service.limits import Limits
from dicemasters.service.ports import GameStore, Services
from dicemasters.service.protocol.codec import to_json
from dicemasters.service.protocol.validation import parse, to_jsonable
from dicemasters.service.structured_log import log_event
from dicemasters.service.token_bucket import TokenBucket


class GameNotFoundError(Exception):
    """The game does not exist or cannot be shown; the text says which."""


class RoomRegistry:
    """The games of this process: loaded on first access, evicted when idle."""

    def __init__(self, storage: GameStore, limits: Limits, services: Services) -> None:
        self.storage = storage
        self.limits = limits
        self.services = services
        self.executor, self.job_runner, self.bot_runner = services.executor, services.job_runner, services.bot_runner
        self._bot_bucket = TokenBucket(limits.bot_choices_per_second, limits.bot_choices_per_second)
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._catch_up_tasks: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[Room]] = {}

    async def throttle_bot_games(self) -> None:
        """Wait for the next choice in a game without human players; these games share a rate limit."""
        while not self._bot_bucket.acquire():
            await asyncio.sleep(0.02)

    async def create(self, new: NewGameRequest) -> tuple[str, dict[Seat, str]]:
        """Create a game; return its id and the secrets of its human players' seats."""
        seat_secrets = [new_secret() for _ in LETTERS]
        hashes = [hash_secret(secret) for secret in seat_secrets]
        if new.position is None and new.teams is None:
            setup = await self.executor.run_unmetered(validate_new_game, new, hashes)
        else:  # untrusted text
            setup = parse(StoredSetup, await self.job_runner.run("game", new=to_jsonable(new), hashes=hashes))
        game = await self.store(setup)
        return game, {
            letter: secret for letter, secret in zip(LETTERS, seat_secrets, strict=True) if letter in setup.people
        }

    async def store_record(self, record: str) -> str:
        """Store a record as a game to view; return its id."""
        edition, n_seats = await self.job_runner.run("record", text=record)
        seats = [StoredSeat(name=letter) for letter in LETTERS[:n_seats]]
        return await self.store(StoredSetup(edition=edition, seats=seats, record=record))

    async def store(self, setup: StoredSetup) -> str:
        """Store a new game; return its id."""
        game = new_id()
        setup_json = to_json(to_jsonable(setup)).decode()
        await self.storage.create(StoredGame(game, utc_now(), __version__, setup_json, secrets.token_hex(32)))
        self.services.count("opened")
        return game

    async def get(self, game: str) -> Room:
        """Return a game's room, loading it if necessary."""
        room = self._rooms.get(game)
        if room is not None:
            self._rooms.move_to_end(game)
            room.last_access = time.monotonic()
            return room
        if not is_id(game):
            raise GameNotFoundError("there is no such game")
        task = self._loading.get(game)
        if task is None:
            task = self._loading[game] = asyncio.create_task(self._load(game))
            task.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(task)

    async def _load(self, game: str) -> Room:
        stored = await self.storage.find(game)
        if stored is None or stored.setup.startswith('{"draft"'):  # drafts are in the same store
            raise GameNotFoundError("there is no such game")
        events = await self.storage.events(game)
        try:
            session = await self.executor.run_for_client(replay_game, stored, events)
        except (ReplayError, ValueError) as error:
            log_event("cannot be replayed", game=game, reason=str(error))
            detail = f": {error}" if isinstance(error, UnsupportedDiceError) else ""
            raise GameNotFoundError(
                f"this game was played with version {stored.program} of the program and cannot be shown by {__version__}{detail}"
            ) from error
        self._evict_excess()
        room = self._rooms[game] = Room(self, stored, session)
        room.schedule_clock()
        return room

    async def expire(self, cutoff: datetime) -> int:
        """Delete the games without events since `cutoff`; return their number."""
        expired = await self.storage.expire(cutoff.isoformat(timespec="milliseconds"))
        for game in expired:
            if game in self._rooms:
                self.evict_stale(self._rooms[game], "this game is too old and has been forgotten")
        return len(expired)

    def _evict_excess(self) -> None:
        """Evict the least recently accessed idle games beyond the limit."""
        idle = [room for room in self._rooms.values() if room.is_idle]
        self._evict(idle[: max(0, len(self._rooms) - self.limits.kept_games)])

    def evict_idle(self) -> None:
        """Evict the games that nobody has accessed for `kept_seconds`."""
        cutoff = time.monotonic() - self.limits.kept_seconds
        self._evict([room for room in self._rooms.values() if room.is_idle and room.last_access < cutoff])

    def _evict(self, idle: list[Room]) -> None:
        for room in idle:
            del self._rooms[room.stored.game]
            room.stop_timers()  # a clock that runs out meanwhile takes effect on the next access

    def on_external_event(self, game: str | None) -> None:
        """Apply events that another process has stored, for one game or for all."""
        rooms = list(self._rooms.values()) if game is None else [self._rooms[game]] if game in self._rooms else []
        for room in rooms:
            task = asyncio.create_task(room.catch_up())
            self._catch_up_tasks.add(task)
            task.add_done_callback(self._catch_up_tasks.discard)

    @property
    def in_memory(self) -> int:
        """The number of games in memory."""
        return len(self._rooms)

    @property
    def live(self) -> list[Room]:
        """The games with connected clients."""
        return [room for room in self._rooms.values() if room.clients]

    def cached(self, game: str) -> Room | None:
        """Return a game's room if it is in memory."""
        return self._rooms.get(game)

    def evict_stale(self, room: Room, reason: str) -> None:
        """Evict a room that differs from its stored game and disconnect its clients, which may reconnect."""
        if self._rooms.get(room.stored.game) is room:
            del self._rooms[room.stored.game]
        room.close(reason)

    def close(self, reason: str) -> None:
        """Disconnect all clients."""
        for room in list(self._rooms.values()):
            room.close(reason)
        self._rooms.clear()


def validate_new_game(new: NewGameRequest, hashes: list[str]) -> StoredSetup:
    """Return the set-up of a new game; raise ValueError if such a game cannot begin."""
    setup = resolve_setup(new, hashes)
    game = initial_game(setup)
    actual_edition = game.table.edition.text
    if setup.position is not None and new.edition is not None and setup.edition != actual_edition:
        raise ValueError(
            f"the position is played by '{actual_edition}' and not by '{setup.edition}'; leave out 'edition'"
        )
    if game.written:
        build_view(game)
    return setup


def replay_game(stored: StoredGame, events: list[StoredEvent]) -> GameSession:
    """Return a stored game after its events."""
    session = GameSession(parse(StoredSetup, json.loads(stored.setup)), stored.secret)
    for event in events:
        session.apply(event)
    return session
