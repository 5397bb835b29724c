"""The registry of live games: creating, finding, reviving and expiring rooms."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from datetime import datetime

from dicemasters import __version__
from dicemasters.service.games.game_setup import LETTERS, Letter, NewGame, Seat, Setup, lay_out, prepare
from dicemasters.service.games.room import Room
from dicemasters.service.games.session import BrokenGameError, Match, OldDiceError
from dicemasters.service.games.stored_events import Event, Kept
from dicemasters.service.games.view_builder import view_data
from dicemasters.service.ids import hash_secret, is_name, new_name, new_secret, now
from dicemasters.service.limits import Limits
from dicemasters.service.ports import Keeping, Staff
from dicemasters.service.protocol.codec import to_json
from dicemasters.service.protocol.validation import read, written
from dicemasters.service.structured_log import note
from dicemasters.service.token_bucket import Bucket


class NoSuchGameError(Exception):
    """There is no game of that name, or it cannot be shown; the text says which."""


class Rooms:
    """All games of this process: found by their names, loaded when somebody looks, forgotten when nobody does."""

    def __init__(self, storage: Keeping, limits: Limits, staff: Staff) -> None:
        self.storage = storage
        self.limits = limits
        self.staff = staff
        self.shares, self.apart, self.thinkers = staff.shares, staff.apart, staff.thinkers
        self._pace = Bucket(limits.bot_choices_per_second, limits.bot_choices_per_second)
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._hearing: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[Room]] = {}

    async def pace(self) -> None:
        """Wait for the next choice in a game that has no persons: all of these together take only some of the time."""
        while not self._pace.take():
            await asyncio.sleep(0.02)

    async def create(self, new: NewGame) -> tuple[str, dict[Letter, str]]:
        """Open a table; give the game's name and the secrets of its persons' seats."""
        keys = [new_secret() for _ in LETTERS]
        hashes = [hash_secret(key) for key in keys]
        if new.position is None and new.teams is None:
            setup = await self.shares.at_leisure(check_new, new, hashes)
        else:  # a stranger's text
            setup = read(Setup, await self.apart.do("game", new=written(new), hashes=hashes))
        game = await self.store(setup)
        return game, {letter: key for letter, key in zip(LETTERS, keys, strict=True) if letter in setup.people}

    async def keep(self, record: str) -> str:
        """Keep a record to be looked at; give the game's name."""
        edition, chairs = await self.apart.do("record", text=record)
        seats = [Seat(name=letter) for letter in LETTERS[:chairs]]
        return await self.store(Setup(edition=edition, seats=seats, record=record))

    async def store(self, setup: Setup) -> str:
        """Store a new game; give its name."""
        game = new_name()
        text = to_json(written(setup)).decode()
        await self.storage.create(Kept(game, now(), __version__, text, secrets.token_hex(32)))
        self.staff.count("opened")
        return game

    async def get(self, game: str) -> Room:
        """Give a game's room, loading it if need be."""
        room = self._rooms.get(game)
        if room is not None:
            self._rooms.move_to_end(game)
            room.looked = time.monotonic()
            return room
        if not is_name(game):
            raise NoSuchGameError("there is no such game")
        task = self._loading.get(game)
        if task is None:
            task = self._loading[game] = asyncio.create_task(self._load(game))
            task.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(task)

    async def _load(self, game: str) -> Room:
        kept = await self.storage.find(game)
        if kept is None or kept.setup.startswith('{"draft"'):  # drafts are kept beside games
            raise NoSuchGameError("there is no such game")
        events = await self.storage.events(game)
        try:
            match = await self.shares.in_thread(revive, kept, events)
        except (BrokenGameError, ValueError) as error:
            note("cannot be replayed", game=game, reason=str(error))
            why = f": {error}" if isinstance(error, OldDiceError) else ""
            raise NoSuchGameError(
                f"this game was played with version {kept.program} of the program and cannot be shown by {__version__}{why}"
            ) from error
        self._make_place()
        room = self._rooms[game] = Room(self, kept, match)
        room.wind()
        return room

    async def expire(self, before: datetime) -> int:
        """Forget the games in which nothing has happened since then; give how many."""
        gone = await self.storage.expire(before.isoformat(timespec="milliseconds"))
        for game in gone:
            if game in self._rooms:
                self.drop(self._rooms[game], "this game is too old and has been forgotten")
        return len(gone)

    def _make_place(self) -> None:
        """Forget the games that nobody has looked at for longest."""
        idle = [room for room in self._rooms.values() if room.is_idle]
        self._leave(idle[: max(0, len(self._rooms) - self.limits.kept_games)])

    def leave_idle(self) -> None:
        """Forget the games that nobody has looked at for some time."""
        before = time.monotonic() - self.limits.kept_seconds
        self._leave([room for room in self._rooms.values() if room.is_idle and room.looked < before])

    def _leave(self, idle: list[Room]) -> None:
        for room in idle:
            del self._rooms[room.kept.game]
            room.rest()  # a clock that has run out meanwhile counts when somebody looks

    def hear(self, game: str | None) -> None:
        """Take in what another process has stored of a game, or of any."""
        found = list(self._rooms.values()) if game is None else [self._rooms[game]] if game in self._rooms else []
        for room in found:
            task = asyncio.create_task(room.catch_up())
            self._hearing.add(task)
            task.add_done_callback(self._hearing.discard)

    @property
    def in_memory(self) -> int:
        """Count the games that are in memory."""
        return len(self._rooms)

    @property
    def live(self) -> list[Room]:
        """List the games that somebody looks at."""
        return [room for room in self._rooms.values() if room.visitors]

    def known(self, game: str) -> Room | None:
        """Give a game's room if it is in memory."""
        return self._rooms.get(game)

    def drop(self, room: Room, reason: str) -> None:
        """Forget a game that is not as it is stored, and send its people away; they may come back."""
        if self._rooms.get(room.kept.game) is room:
            del self._rooms[room.kept.game]
        room.close(reason)

    def close(self, reason: str) -> None:
        """Send everybody away."""
        for room in list(self._rooms.values()):
            room.close(reason)
        self._rooms.clear()


def check_new(new: NewGame, hashes: list[str]) -> Setup:
    """Give the set-up of a game that can begin; what cannot is refused now."""
    setup = prepare(new, hashes)
    game = lay_out(setup)
    played = game.table.edition.text
    if setup.position is not None and new.edition is not None and setup.edition != played:
        raise ValueError(f"the position is played by '{played}' and not by '{setup.edition}'; leave out 'edition'")
    if game.written:
        view_data(game)
    return setup


def revive(kept: Kept, events: list[Event]) -> Match:
    """Play a stored game again up to its last event."""
    match = Match(read(Setup, json.loads(kept.setup)), kept.secret)
    for event in events:
        match.apply(event)
    return match
