"""Client that plays on a server without a browser: joins a game, follows it live and contributes to its fair dice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from dicemasters.client.rest import REQUEST_TIMEOUT
from dicemasters.game.fair_dice import HashChain

View = dict[str, Any]


class GameClient(asyncio.Protocol):
    """Client of one game, holding the secrets of its seats.

    It does little work itself, so many clients can run on the same machine as the server.
    """

    def __init__(
        self, address: str, game: str, secrets: list[str], chain: HashChain | None = None, *, compress: bool = True
    ) -> None:
        self.address = address
        self.game = game
        self.secrets = secrets
        self.seats: list[str] = []
        self.chain = chain or HashChain()  # this client's contribution to the dice
        self.view: View = {}
        self.received_bytes = 0
        self._uri = parse_uri(f"ws://{address}/api/games/{game}/live")
        extensions = [ClientPerMessageDeflateFactory()] if compress else None
        self._protocol = ClientProtocol(self._uri, extensions=extensions, max_size=None)
        self._transport: asyncio.Transport | None = None
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def connect(self) -> View:
        """Connect, identify with the secrets and return the first view. Register the hash chain if it is new."""
        loop = asyncio.get_running_loop()
        host, _, port = self.address.rpartition(":")
        async with asyncio.timeout(REQUEST_TIMEOUT):
            await loop.create_connection(lambda: self, host, int(port))
            self._protocol.send_request(self._protocol.connect())
            self._flush()
            await self._next_message()  # the handshake response
            if self._protocol.handshake_exc is not None:
                raise self._protocol.handshake_exc
            await self.send({"type": "hello", "secrets": self.secrets})
            welcome = await self.receive("welcome")
        self.seats, self.view = welcome["you"], welcome["view"]
        dice = welcome["meta"].get("dice")  # version 0.1.0 sends none
        if dice and any(dice["chains"].get(seat, {}).get("anchor") != self.chain.anchor for seat in self.seats):
            await self.send({"type": "sit", "anchor": self.chain.anchor})
        return self.view

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        self._protocol.send_text(json.dumps(message).encode())
        self._flush()

    async def receive(self, *types: str) -> dict[str, Any]:
        """Return the next message of one of these types, answering requests for dice and dropping the rest."""
        while True:
            message: dict[str, Any] = json.loads(await self._next_message())
            if message["type"] == "throw":
                for contribution in contributions_for(message, self.chain):
                    await self.send(contribution)
            if message["type"] in types:
                return message

    async def next_view(self) -> View:
        """Wait for the next view and return it."""
        self.view = apply_message(self.view, await self.receive("view", "change"))
        return self.view

    async def close(self) -> None:
        """Disconnect."""
        if self._transport is not None:
            self._transport.abort()

    # --- connection ------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self.received_bytes += len(data)
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Response):
                self._messages.put_nowait(b"")
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self._messages.put_nowait(bytes(event.data))
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self._messages.put_nowait(None)

    async def _next_message(self) -> bytes:
        data = await self._messages.get()
        if data is None:
            self._messages.put_nowait(None)
            raise ConnectionResetError("the server has closed the connection")
        return data

    def _flush(self) -> None:
        if self._transport is not None:
            self._transport.writelines(self._protocol.data_to_send())


def apply_message(view: View, message: Mapping[str, Any]) -> View:
    """Return the view after a message with a full view or a delta."""
    if message["type"] != "change":
        full_view: View = message["view"]
        return full_view
    if message["since"] != view["version"]:
        raise ValueError(f"a change of version {message['since']} does not fit version {view['version']}")
    dice = {die["id"]: die for die in view["dice"]}
    dice |= {die["id"]: die for die in message["view"].get("dice", ())}
    remaining = [dice[i] for i in sorted(dice) if i not in message["gone"]]
    return {**view, **message["view"], "dice": remaining}


def contributions_for(throw: Mapping[str, Any], chain: HashChain) -> list[dict[str, Any]]:
    """Return the messages that contribute this chain's links to a throw, as a browser would (docs/fair-dice.md)."""
    return [
        {"type": "part", "number": throw["number"], "chain": name, "link": chain.link(required["at"])}
        for name, required in throw["links"].items()
        if required["anchor"] == chain.anchor
    ]
