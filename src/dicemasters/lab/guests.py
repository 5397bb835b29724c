"""Guests at a browser table without a browser: a server of one's own, games, live sockets, random choices."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from dicemasters.game.fair import Chain
from dicemasters.players.chance import Chance

View = dict[str, Any]
PATIENCE = 120.0  # seconds for a server to come up

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
    "DICEMASTERS_EFFORT_PER_SECOND": "1000",
    "DICEMASTERS_EFFORT_BURST": "1000",
}


class Server:
    """A server process on this machine; starts at once and can be killed and started again on the same port."""

    def __init__(
        self,
        db: str,
        *,
        port: int = 0,
        environment: Mapping[str, str] | None = None,
        source: Path | None = None,
        limits: bool = False,
    ) -> None:
        self.db = db
        self.source = source  # of another version of the program
        self.port = port or free_port()
        self.environment = {**os.environ, **({} if limits else NO_LIMITS), **(environment or {})}
        self.process = self._start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dicemasters.cli", "serve", "--no-browser"]
        command += ["--port", str(self.port), "--db", self.db]
        environment = {**self.environment, "PYTHONPATH": str(self.source)} if self.source else self.environment
        # a file, for a pipe that nobody reads would stop the server one day
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=self._log)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if process.poll() is not None:
                raise RuntimeError(f"the server did not start: {self.log}")
            try:
                get(self.address, "/api/health")
                return process
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        process.kill()
        raise RuntimeError("the server did not come up")

    @property
    def log(self) -> str:
        """Give what it has written to the error output."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    @property
    def seconds(self) -> float:
        """Give the processor time it has used, of all its threads (Linux)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """Give the memory it holds (Linux)."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def kill(self) -> None:
        """End the process as a power cut of its own would: no warning, no last word."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def restart(self) -> None:
        """Start it again, on the same port and database."""
        self.process = self._start()

    def stop(self) -> int:
        """Ask it to end; give its exit code."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=PATIENCE)
        return self.process.returncode


def free_port() -> int:
    """Give a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def get(address: str, path: str) -> Any:
    """Ask a server for something."""
    return json.loads(get_text(address, path))


def get_text(address: str, path: str) -> str:
    """Ask a server for something that is text."""
    with urllib.request.urlopen(f"http://{address}{path}", timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
        return text


def post(address: str, path: str, data: object) -> Any:
    """Send something to a server."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://{address}{path}", json.dumps(data).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


class Guest(asyncio.Protocol):
    """Somebody at a game, holding these secrets. It does little itself, so that many of them leave time to the server."""

    def __init__(
        self, address: str, game: str, secrets: list[str], chain: Chain | None = None, *, compress: bool = True
    ) -> None:
        self.address = address
        self.game = game
        self.secrets = secrets
        self.seats: list[str] = []
        self.chain = chain or Chain()  # this guest's part in the dice
        self.view: View = {}
        self.received = 0  # bytes
        self._uri = parse_uri(f"ws://{address}/api/games/{game}/live")
        offered = [ClientPerMessageDeflateFactory()] if compress else None
        self._protocol = ClientProtocol(self._uri, extensions=offered, max_size=None)
        self._transport: asyncio.Transport | None = None
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def come(self) -> View:
        """Connect, sit down and give the first view."""
        loop = asyncio.get_running_loop()
        host, _, port = self.address.rpartition(":")
        async with asyncio.timeout(PATIENCE):
            await loop.create_connection(lambda: self, host, int(port))
            self._protocol.send_request(self._protocol.connect())
            self._flush()
            await self._next()  # that the socket is open
            if self._protocol.handshake_exc is not None:
                raise self._protocol.handshake_exc
            await self.say({"type": "hello", "secrets": self.secrets})
            welcome = await self.hear("welcome")
        self.seats, self.view = welcome["you"], welcome["view"]
        dice = welcome["meta"].get("dice")  # 0.1.0 has none
        if dice and any(dice["chains"].get(seat, {}).get("anchor") != self.chain.anchor for seat in self.seats):
            await self.say({"type": "sit", "anchor": self.chain.anchor})
        return self.view

    async def say(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        self._protocol.send_text(json.dumps(message).encode())
        self._flush()

    async def hear(self, *types: str) -> dict[str, Any]:
        """Give the next message of these types; the others are left aside."""
        while True:
            message: dict[str, Any] = json.loads(await self._next())
            if message["type"] == "throw":
                for part in parts_of(message, self.chain):
                    await self.say(part)
            if message["type"] in types:
                return message

    async def see(self) -> View:
        """Give the next view."""
        self.view = shown(self.view, await self.hear("view", "change"))
        return self.view

    async def go(self) -> None:
        """Disconnect."""
        if self._transport is not None:
            self._transport.abort()

    # --- the connection --------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Response):
                self._messages.put_nowait(b"")
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self._messages.put_nowait(bytes(event.data))
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self._messages.put_nowait(None)

    async def _next(self) -> bytes:
        data = await self._messages.get()
        if data is None:
            self._messages.put_nowait(None)
            raise ConnectionResetError("the server has closed the connection")
        return data

    def _flush(self) -> None:
        if self._transport is not None:
            self._transport.writelines(self._protocol.data_to_send())


def shown(view: View, message: Mapping[str, Any]) -> View:
    """Give the view after a message that has a whole one, or what has changed."""
    if message["type"] != "change":
        whole: View = message["view"]
        return whole
    if message["since"] != view["version"]:
        raise ValueError(f"a change of version {message['since']} does not fit version {view['version']}")
    dice = {die["id"]: die for die in view["dice"]}
    dice |= {die["id"]: die for die in message["view"].get("dice", ())}
    left = [dice[i] for i in sorted(dice) if i not in message["gone"]]
    return {**view, **message["view"], "dice": left}


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
