"""A real server in a thread, and clients that connect to it over real sockets."""

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
TIMEOUT = 300.0  # seconds; only a guard against hanging, no test depends on it

# Limits that honest clients never reach, however fast they are and however long the machine stalls.
GENEROUS_LIMITS = replace(
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
    """Wait until a condition holds; fail with the description `what` if it never does."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {TIMEOUT:.0f} s in vain until {what}")
        time.sleep(0.01)


def join_threads(*threads: threading.Thread) -> None:
    """Join threads; fail if one does not end."""
    for thread in threads:
        thread.join(TIMEOUT)
        assert not thread.is_alive(), f"{thread.name} did not end within {TIMEOUT:.0f} s"


class LiveServer:
    """A running server and an HTTP client for it."""

    def __init__(self, address: str, state: Any = None) -> None:
        self.address = address
        self.state = state  # application state, if the server runs in this process
        self.http = httpx.Client(base_url=f"http://{address}", timeout=TIMEOUT, trust_env=False)

    def open(self, **wanted: Any) -> OpenedGame:
        """Open a game and return it."""
        answer = self.http.post("/api/games", json=wanted)
        assert answer.status_code == 201, answer.text
        return OpenedGame(self, answer.json()["game"], answer.json()["seats"])

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()


class OpenedGame:
    """An open game with the secrets of its seats."""

    def __init__(self, server: LiveServer, game: str, seats: dict[str, str]) -> None:
        self.server = server
        self.game = game
        self.seats = seats

    def join(self, *seats: str, chain: HashChain | None = None) -> LiveClient:
        """Connect a client in these seats, or as a watcher; it contributes to fair dice when asked."""
        return LiveClient(self, [self.seats[seat] for seat in seats], chain or HashChain())

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.server.get(f"/api/games/{self.game}")["view"]
        return found


class LiveClient:
    """A WebSocket client in a game: sends and receives messages and keeps the latest view.

    Every message is validated against the protocol. A thread reads the socket, so that dice contributions are sent at once,
    as a browser sends them.
    """

    def __init__(self, opened: OpenedGame, secrets: list[str], chain: HashChain) -> None:
        url = f"ws://{opened.server.address}/api/games/{opened.game}/live"
        self._stack = ExitStack()
        self._reader = threading.Thread(target=self._read_messages, name="reader of a live client", daemon=True)
        OPEN_CLIENTS.append(self)
        self.received_types: set[str] = set()  # message types
        self.socket: ClientConnection = self._stack.enter_context(
            connect(url, proxy=None, max_size=None, ping_interval=None, open_timeout=TIMEOUT)
        )
        self.chain = chain
        self._words = (sha256(f"{chain.anchor} {n}".encode()).hexdigest()[:32] for n in count())
        self.responds = True  # whether to send dice contributions
        self.seats: list[str] = []
        self._inbox: queue.SimpleQueue[dict[str, Any] | Exception] = queue.SimpleQueue()
        self._reader.start()
        self.send(type="hello", secrets=secrets)
        self.welcome = self.receive("welcome")
        self.view: dict[str, Any] = self.welcome["view"]
        self.meta: dict[str, Any] = self.welcome["meta"]
        dice = self.meta["dice"]
        if dice and any(dice["chains"].get(seat, {}).get("anchor") != chain.anchor for seat in self.seats):
            self.send(type="sit", anchor=chain.anchor)
            while self._is_unregistered():
                self.receive("meta")

    def _is_unregistered(self) -> bool:
        """Return whether the server still lacks this client's chain or its part in the opening throw."""
        chains, waiting = self.meta["dice"]["chains"], self.meta["waiting"]
        people = [seat for seat, kind in self.meta["kinds"].items() if kind == "person"]
        mine = all(chains.get(seat, {}).get("anchor") == self.chain.anchor for seat in self.seats)
        return not mine or (bool(waiting) and set(chains) == set(people))

    def send(self, **message: Any) -> None:
        if message.get("type") == "play":
            message.setdefault("word", next(self._words))
        self.socket.send(json.dumps(message))

    def _read_messages(self) -> None:
        try:
            while True:
                message: dict[str, Any] = json.loads(self.socket.recv())
                if message["type"] == "welcome":
                    self.seats = message["you"]
                if message["type"] == "throw" and self.responds:
                    for part in contributions_for(message, self.chain):
                        self.send(**part)
                self._inbox.put(message)
        except Exception as error:
            self._inbox.put(error)

    def receive(self, *types: str) -> dict[str, Any]:
        """Return the next message of these types, counting deltas as views; keep views and metas received on the way."""
        while True:
            try:
                message = self._inbox.get(timeout=TIMEOUT)
            except queue.Empty:
                raise AssertionError(f"received no {' or '.join(types)} within {TIMEOUT:.0f} s") from None
            if isinstance(message, Exception):
                self._inbox.put(message)
                raise message
            FROM_SERVER.validate_python(message)
            self.received_types.add(message["type"])
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
            self.receive("view")

    def choose(self, number: int = 0) -> None:
        """Make a choice and wait for the resulting view."""
        numbers = [option["number"] for option in self.view["decision"]["options"]]
        options = [number for number in numbers if number is not None] or [0]
        self.send(type="play", version=self.view["version"], choice={"option": options[number % len(options)]})
        self.receive("view")

    def leave(self) -> None:
        self._stack.close()
        if self._reader.ident is not None:
            join_threads(self._reader)


OPEN_CLIENTS: list[LiveClient] = []  # every client made by the current test


def close_all_clients() -> None:
    """Close every client of a test: open sockets would keep working, and count, during later tests."""
    with ExitStack() as stack:  # close all, even if one fails
        while OPEN_CLIENTS:
            stack.callback(OPEN_CLIENTS.pop().leave)


@contextmanager
def run_server(url: str, limits: Limits = GENEROUS_LIMITS, *, expire_days: float = 0) -> Iterator[LiveServer]:
    """Run a server in a thread."""
    settings = ServerSettings(port=0, db=url, limits=limits, expire_days=expire_days)
    listener = bind_socket(settings.host, 0, strict=True)
    connection = make_http_protocol(settings)
    listener.limiter = connection.limiter
    config = uvicorn_config(settings, SqlGameStore(url), connection)
    config.timeout_keep_alive = 600  # otherwise the server may close a connection just when a client reuses it
    config.ws_ping_timeout = 600.0
    server = GameServer(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server", daemon=True)
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive(), "the server has started")
    assert server.started, "the server ended while it was starting"
    app: Any = config.app
    found = LiveServer(f"127.0.0.1:{listener.getsockname()[1]}", app.state)
    try:
        yield found
    finally:
        server.should_exit = True
        join_threads(thread)
        found.http.close()
        listener.close()
