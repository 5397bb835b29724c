"""A real server in a thread, and people who talk with it over real sockets."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import count
from typing import Any

import httpx
from pydantic import TypeAdapter
from websockets.sync.client import ClientConnection, connect

from dicemasters.client.game_client import apply_message, contributions_for
from dicemasters.game.fair_dice import HashChain
from dicemasters.server.config import ServerSettings
from dicemasters.server.net.connection_limits import make_http_protocol
from dicemasters.server.run import GameServer, bind_socket, uvicorn_config
from dicemasters.server.storage.sql_store import SqlGameStore
from dicemasters.service.limits import Limits
from dicemasters.service.protocol import messages

FROM_SERVER: TypeAdapter[Any] = TypeAdapter(messages.ServerMessage)
PATIENCE = 300.0  # seconds until a test gives up waiting; only a guard against hanging, no test depends on it

# Limits that honest clients never meet, however fast they are and however long the machine stalls.
ROOMY = replace(
    Limits(),
    games_per_minute=10_000,
    requests_per_second=10_000,
    request_burst=10_000,
    messages_per_second=5000,
    sockets_per_address=1000,
    work_per_second=1000,
    work_burst=1000,
    work_seconds=300,
    bot_choices_per_second=100_000,
    effort_per_second=1000,
    effort_burst=1000,
    header_seconds=600,
    body_seconds=600,
    request_seconds=600,
    unread_messages=100_000,
    unread_bytes=1_000_000_000,
)


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds; fail, saying what was awaited, if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {PATIENCE:.0f} s in vain until {what}")
        time.sleep(0.01)


def join(*threads: threading.Thread) -> None:
    """Wait for threads to end; fail if one does not."""
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), f"{thread.name} did not end within {PATIENCE:.0f} s"


class Running:
    """A server that runs, and what one asks it."""

    def __init__(self, address: str, state: Any = None) -> None:
        self.address = address
        self.state = state  # of the application, if it runs in this process
        self.http = httpx.Client(base_url=f"http://{address}", timeout=PATIENCE, trust_env=False)

    def open(self, **wanted: Any) -> Opened:
        """Open a game."""
        answer = self.http.post("/api/games", json=wanted)
        assert answer.status_code == 201, answer.text
        return Opened(self, answer.json()["game"], answer.json()["seats"])

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()


class Opened:
    """A game somebody has opened, with the secrets of its seats."""

    def __init__(self, server: Running, game: str, seats: dict[str, str]) -> None:
        self.server = server
        self.game = game
        self.seats = seats

    def sit(self, *seats: str, chain: HashChain | None = None) -> Person:
        """Come to the table, in these seats or as a watcher; give the browser's part in the dice whenever it is asked for."""
        return Person(self, [self.seats[seat] for seat in seats], chain or HashChain())

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.server.get(f"/api/games/{self.game}")["view"]
        return found


class Person:
    """Somebody at a table: says things, hears things, remembers the latest view. All that is heard fits the contract.

    A thread listens, so that the browser's part in the dice is given at once, as a browser would.
    """

    def __init__(self, opened: Opened, secrets: list[str], chain: HashChain) -> None:
        url = f"ws://{opened.server.address}/api/games/{opened.game}/live"
        self._stack = ExitStack()
        self._listener = threading.Thread(target=self._listen, name="listener of a person", daemon=True)
        PRESENT.append(self)
        self.heard: set[str] = set()  # types of messages
        self.socket: ClientConnection = self._stack.enter_context(
            connect(url, proxy=None, max_size=None, ping_interval=None, open_timeout=PATIENCE)
        )
        self.chain = chain
        self._words = (sha256(f"{chain.anchor} {n}".encode()).hexdigest()[:32] for n in count())
        self.answers = True  # whether this browser gives its parts
        self.seats: list[str] = []
        self._heard: queue.SimpleQueue[dict[str, Any] | Exception] = queue.SimpleQueue()
        self._listener.start()
        self.say(type="hello", secrets=secrets)
        self.welcome = self.hear("welcome")
        self.view: dict[str, Any] = self.welcome["view"]
        self.meta: dict[str, Any] = self.welcome["meta"]
        dice = self.meta["dice"]
        if dice and any(dice["chains"].get(seat, {}).get("anchor") != chain.anchor for seat in self.seats):
            self.say(type="sit", anchor=chain.anchor)
            while self._is_expected():
                self.hear("meta")

    def _is_expected(self) -> bool:
        """Whether the table has not yet taken this browser's chain, or its part in the opening."""
        chains, waiting = self.meta["dice"]["chains"], self.meta["waiting"]
        people = [seat for seat, kind in self.meta["kinds"].items() if kind == "person"]
        mine = all(chains.get(seat, {}).get("anchor") == self.chain.anchor for seat in self.seats)
        return not mine or (bool(waiting) and set(chains) == set(people))

    def say(self, **message: Any) -> None:
        if message.get("type") == "play":
            message.setdefault("word", next(self._words))
        self.socket.send(json.dumps(message))

    def _listen(self) -> None:
        try:
            while True:
                message: dict[str, Any] = json.loads(self.socket.recv())
                if message["type"] == "welcome":
                    self.seats = message["you"]
                if message["type"] == "throw" and self.answers:
                    for part in contributions_for(message, self.chain):
                        self.say(**part)
                self._heard.put(message)
        except Exception as error:
            self._heard.put(error)

    def hear(self, *types: str) -> dict[str, Any]:
        """Give the next message of these types, where a change is a view; views and metas on the way are remembered."""
        while True:
            try:
                message = self._heard.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f"heard no {' or '.join(types)} within {PATIENCE:.0f} s") from None
            if isinstance(message, Exception):
                self._heard.put(message)
                raise message
            FROM_SERVER.validate_python(message)
            self.heard.add(message["type"])
            if message["type"] in ("view", "change"):
                self.view = apply_message(self.view, message)
                if "view" in types:
                    return message
            if message["type"] == "meta":
                self.meta = message["meta"]
            if message["type"] in types:
                return message

    def wait_for_own_decision(self) -> None:
        while self.view["result"] is None and (
            self.view["decision"] is None or self.view["decision"]["seat"] not in self.seats
        ):
            self.hear("view")

    def choose(self, number: int = 0) -> None:
        """Make a choice and wait until it is shown."""
        numbers = [option["number"] for option in self.view["decision"]["options"]]
        options = [number for number in numbers if number is not None] or [0]
        self.say(type="play", version=self.view["version"], choice={"option": options[number % len(options)]})
        self.hear("view")

    def leave(self) -> None:
        self._stack.close()
        if self._listener.ident is not None:
            join(self._listener)


PRESENT: list[Person] = []  # who sits at a table, or has left it


def everybody_leaves() -> None:
    """Let nobody stay behind a test: a socket left open goes on working, and counts, while others are run."""
    with ExitStack() as leaving:  # everybody leaves even if somebody fails to
        while PRESENT:
            leaving.callback(PRESENT.pop().leave)


@contextmanager
def running(url: str, limits: Limits = ROOMY, *, expire_days: float = 0) -> Iterator[Running]:
    """Run a server for a while."""
    settings = ServerSettings(port=0, db=url, limits=limits, expire_days=expire_days)
    listener = bind_socket(settings.host, 0, strict=True)
    connection = make_http_protocol(settings)
    listener.limiter = connection.limiter
    config = uvicorn_config(settings, SqlGameStore(url), connection)
    config.timeout_keep_alive = 600  # else the server may close a connection just when a client uses it again
    config.ws_ping_timeout = 600.0
    server = GameServer(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server", daemon=True)
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive(), "the server has started")
    assert server.started, "the server ended while it was starting"
    app: Any = config.app
    found = Running(f"127.0.0.1:{listener.getsockname()[1]}", app.state)
    try:
        yield found
    finally:
        server.should_exit = True
        join(thread)
        found.http.close()
        listener.close()
