"""Guests at a browser table without a browser: a server of one's own, games, live sockets, random choices."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

import websockets.asyncio.client as live

from dicemasters.game.fair import Chain
from dicemasters.players.random import Chance

View = dict[str, Any]
PATIENCE = 60.0  # seconds for a server to come up

# one address plays everybody here
NO_LIMITS = {
    "DICEMASTERS_GAMES_PER_MINUTE": "1000000",
    "DICEMASTERS_REQUESTS_PER_SECOND": "100000",
    "DICEMASTERS_REQUEST_BURST": "100000",
    "DICEMASTERS_MESSAGES_PER_SECOND": "10000",
    "DICEMASTERS_SOCKETS_PER_ADDRESS": "100000",
    "DICEMASTERS_SOCKETS": "100000",
    "DICEMASTERS_LIVE_GAMES": "100000",
    "DICEMASTERS_KEPT_GAMES": "100000",
    "DICEMASTERS_WORK_PER_SECOND": "1000",
    "DICEMASTERS_WORK_BURST": "1000",
    "DICEMASTERS_BOT_CHOICES_PER_SECOND": "100000",
}


class Server:
    """A server process on this machine; starts at once and can be killed and started again on the same port."""

    def __init__(self, db: str, *, port: int = 0, environment: Mapping[str, str] | None = None) -> None:
        self.db = db
        self.port = port or free_port()
        self.environment = {**os.environ, **NO_LIMITS, **(environment or {})}
        self.process = self._start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dicemasters.cli", "serve", "--no-browser"]
        command += ["--port", str(self.port), "--db", self.db]
        process = subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if process.poll() is not None:
                assert process.stderr is not None
                raise RuntimeError(f"the server did not start: {process.stderr.read().decode(errors='replace')}")
            try:
                get(self.address, "/api/health")
                return process
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        process.kill()
        raise RuntimeError("the server did not come up")

    def kill(self) -> None:
        """End the process as a power cut of its own would: no warning, no last word."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def restart(self) -> None:
        """Start it again, on the same port and database."""
        self.process = self._start()

    def stop(self) -> int:
        """Ask it to end; give its exit code."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


def free_port() -> int:
    """Give a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def get(address: str, path: str) -> Any:
    """Ask a server for something."""
    with urllib.request.urlopen(f"http://{address}{path}", timeout=PATIENCE) as answer:
        return json.load(answer)


def post(address: str, path: str, data: object) -> Any:
    """Send something to a server."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://{address}{path}", json.dumps(data).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


class Guest:
    """Somebody at a game, holding these secrets."""

    def __init__(self, address: str, game: str, secrets: list[str], chain: Chain | None = None) -> None:
        self.address = address
        self.game = game
        self.secrets = secrets
        self.seats: list[str] = []
        self.chain = chain or Chain()  # this guest's part in the dice
        self._socket: live.ClientConnection | None = None

    async def come(self) -> View:
        """Connect, sit down and give the first view."""
        url = f"ws://{self.address}/api/games/{self.game}/live"
        self._socket = await live.connect(url, open_timeout=PATIENCE, compression=None, proxy=None)
        await self.say({"type": "hello", "secrets": self.secrets})
        welcome = await self.hear("welcome")
        self.seats = welcome["you"]
        dice = welcome["meta"]["dice"]
        if dice and any(dice["chains"].get(seat, {}).get("anchor") != self.chain.anchor for seat in self.seats):
            await self.say({"type": "sit", "anchor": self.chain.anchor})
        view: View = welcome["view"]
        return view

    async def say(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        assert self._socket is not None
        await self._socket.send(json.dumps(message))

    async def hear(self, *types: str) -> dict[str, Any]:
        """Give the next message of these types; the others are left aside."""
        assert self._socket is not None
        while True:
            message: dict[str, Any] = json.loads(await self._socket.recv())
            if message["type"] == "throw":
                for part in parts_of(message, self.chain):
                    await self.say(part)
            if message["type"] in types:
                return message

    async def go(self) -> None:
        """Disconnect."""
        if self._socket is not None:
            await self._socket.close()


def parts_of(asked: Mapping[str, Any], chain: Chain) -> list[dict[str, Any]]:
    """Give the messages with a browser's parts in the dice of somebody's choice (docs/fair-dice.md)."""
    return [
        {"type": "part", "number": asked["number"], "chain": name, "link": chain.link(needed["at"])}
        for name, needed in asked["links"].items()
        if needed["anchor"] == chain.anchor
    ]


def any_choice(view: View, chance: Chance) -> dict[str, Any]:
    """Give a message that makes any of the legal choices."""
    options = [option["number"] for option in view["decision"]["options"] if option["number"] is not None]
    options = options or [0]  # parts of a split have no number of their own, but the first way to split has
    choice = {"option": options[chance.below(len(options))]}
    return {"type": "play", "version": view["version"], "choice": choice, "word": secrets.token_hex(16)}
