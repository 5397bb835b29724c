"""A live socket: what a browser says, what it is told (docs/table.md)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import traceback
from collections.abc import Coroutine
from itertools import count
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from dicemasters.table.server import contract
from dicemasters.table.server.journal import note, refused
from dicemasters.table.server.limits import Bucket, network_of
from dicemasters.table.server.metrics import CHOICE, MISTAKES, REFUSALS, timed
from dicemasters.table.server.rooms import NoSuchGameError, RefusedError, Room, Rooms
from dicemasters.table.server.settings import Limits
from dicemasters.table.server.setups import Letter
from dicemasters.table.server.storage import StorageError

GONE, FULL, TOO_FAST, BAD = 4404, 4429, 4408, 4400  # codes of closing, beside a reason in words
MOST_STRIKES = 20  # messages that are no messages, before the socket is closed
HELLO_SECONDS = 10.0

MESSAGES: TypeAdapter[contract.ToServer] = TypeAdapter(contract.ToServer)

TOO_MANY_OF_YOU = "too many connections from your address"
SERVER_FULL = "the server is full; try again later"
_numbers = count()


class Socket:
    """One browser at one game. What it is told waits in a line, so that a slow one holds up nobody."""

    def __init__(self, websocket: WebSocket, room: Room, limits: Limits, door: Door, network: str) -> None:
        self.websocket = websocket
        self.door = door
        self.network = network
        self.room = room
        self.limits = limits
        self.seats: tuple[Letter, ...] = ()
        self.number = next(_numbers)  # in the order of coming
        self._line: asyncio.Queue[str | None] = asyncio.Queue()
        self._bucket = Bucket(limits.messages_per_second, limits.message_burst)
        self._hurried = False
        self._reason = ""
        self._code = 1000

    def tell(self, message: str) -> None:
        """Put a message into the line."""
        if self._reason:
            return
        if self._line.qsize() >= self.limits.unread_messages:
            REFUSALS.labels("reads too slowly").inc()
            self.leave("the connection is too slow", TOO_FAST)
        else:
            self._line.put_nowait(message)

    def leave(self, reason: str, code: int = 1001) -> None:
        """Say goodbye and close, after what is already in the line."""
        if not self._reason:
            self._reason, self._code = reason, code
            self._line.put_nowait(to_json({"type": "bye", "reason": reason}).decode())
            self._line.put_nowait(None)

    async def run(self) -> None:
        """Talk with the browser until it goes or is sent away."""
        writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait((writing, reading), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.room.part(self)
            for task in (writing, reading):
                task.cancel()
            await asyncio.gather(writing, reading, return_exceptions=True)

    async def _write(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await self._line.get()
                if message is None:
                    await self.websocket.close(self._code, self._reason)
                    return
                await self.websocket.send_text(message)

    async def _read(self) -> None:
        strikes = 0
        try:
            text = await asyncio.wait_for(self._receive(), HELLO_SECONDS)
        except TimeoutError:
            self.leave("nothing was said", BAD)
            await asyncio.sleep(HELLO_SECONDS)
            return
        first = True
        while text is not None:
            await self._slow_down()
            try:
                message = MESSAGES.validate_json(text)
                await self._whole(self._handle(message, first))
                first = False
            except ValidationError as error:
                strikes += 1
                problem = error.errors(include_url=False, include_input=False)[0]
                where = ".".join(str(x) for x in problem["loc"])
                self._refuse(
                    f"the message is not understood{f' at {where[:60]}' if where else ''}: {problem['msg'][:100]}"
                )
                refused("bad message", game=self.room.kept.game, length=len(text))
                if strikes >= MOST_STRIKES:
                    self.leave("too many messages that are not understood", BAD)
                    await asyncio.sleep(HELLO_SECONDS)
                    return
            except RefusedError as error:
                REFUSALS.labels("against the rules").inc()
                self._refuse(str(error))
            except StorageError as error:
                note("storage", level=logging.ERROR, game=self.room.kept.game, reason=str(error))
                self._refuse("the server cannot reach its storage")
            except Exception as error:  # a mistake of ours: the game stays as it is stored, and goes on
                MISTAKES.inc()
                # the message itself may hold the secret of a seat
                note("mistake", level=logging.ERROR, game=self.room.kept.game, length=len(text), error=_trace(error))
                self._refuse("the server has made a mistake, and nothing was done")
            text = await self._receive()

    async def _whole(self, doing: Coroutine[Any, Any, None]) -> None:
        """Finish what was begun, even if the browser goes away meanwhile."""
        task = asyncio.ensure_future(doing)
        self.room.doing.add(task)
        task.add_done_callback(self.room.doing.discard)
        await asyncio.shield(task)

    async def _slow_down(self) -> None:
        """Read no faster than the limit; what comes meanwhile waits with the sender."""
        while not self._bucket.take():
            if not self._hurried:
                self._hurried = True
                refused("too many messages", game=self.room.kept.game)
            await asyncio.sleep(1 / self.limits.messages_per_second)

    async def _receive(self) -> str | None:
        """Give the next message, or None when the browser is gone."""
        while True:
            received = await self.websocket.receive()
            if received["type"] != "websocket.receive":
                return None
            text = received.get("text")
            return text if text is not None else "not text"

    async def _handle(self, message: contract.ToServer, first: bool) -> None:
        room = self.room
        if first != isinstance(message, contract.Hello):
            raise RefusedError("say hello first" if first else "you have already said hello")
        match message:
            case contract.Hello():
                self.seats = room.seats_of(message.secrets)
                problem = self.door.welcome(self)
                if problem:
                    REFUSALS.labels("full").inc()
                    self.leave(problem, FULL)
                else:
                    await room.join(self)
            case contract.Sit():
                await room.sit(self, message.anchor)
            case contract.Play():
                with timed(CHOICE):
                    await room.play(self, message)
            case contract.Part():
                await room.give(self, message.number, message.chain, message.link)
            case contract.Without():
                await room.go_without(self)
            case contract.Look():
                self.tell(await room.look(message.die))
            case contract.WhyNot():
                self.tell(await room.why_not(self, message.thing.model_dump(exclude_none=True), message.want))
            case contract.Coach():
                self.tell(await room.coach())
            case contract.Undo():
                await room.undo(self)
            case contract.Answer():
                await room.answer(self, message.yes)
            case contract.Concede():
                await room.concede(self, message.seat)
            case contract.ClaimWin():
                await room.claim(self)
            case contract.Rematch():
                await room.play_again(self)
            case contract.Name():
                await room.name(self, message.seat, message.name)
            case contract.Ping():
                self.tell('{"type":"pong"}')

    def _refuse(self, reason: str) -> None:
        self.tell(json.dumps({"type": "refused", "reason": reason, "version": self.room.match.moved}))


class Door:
    """Lets sockets in, as many as the limits allow."""

    def __init__(self, rooms: Rooms, limits: Limits) -> None:
        self.rooms = rooms
        self.limits = limits
        self._of: dict[str, int] = {}

    async def enter(self, websocket: WebSocket, game: str) -> None:
        """Let a browser in and talk with it until it goes."""
        address = network_of(websocket.client.host if websocket.client else "")
        await websocket.accept()
        problem = self._problem(address)
        if problem:
            REFUSALS.labels("full").inc()
            await _send_away(websocket, problem, FULL)
            return
        self._of[address] = self._of.get(address, 0) + 1
        try:
            room = await self.rooms.get(game)
            socket = Socket(websocket, room, self.limits, self, address)
            room.entered.add(socket)
            try:
                await socket.run()
            finally:
                room.entered.discard(socket)
        except NoSuchGameError as error:
            await _send_away(websocket, str(error), GONE)
        except StorageError as error:
            note("storage", level=logging.ERROR, game=game[:40], reason=str(error))
            await _send_away(websocket, "the server cannot reach its storage", FULL)
        finally:
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    @property
    def sockets(self) -> int:
        """Count those that are in."""
        return sum(self._of.values())

    def _problem(self, address: str) -> str:
        """Say why somebody cannot come in, before they have said who they are: for those there is twice the place."""
        if self._of.get(address, 0) >= 2 * self.limits.sockets_per_address:
            refused("too many sockets", address=address)
            return TOO_MANY_OF_YOU
        if self.sockets >= 2 * self.limits.sockets:
            return SERVER_FULL
        return ""

    def welcome(self, socket: Socket) -> str:
        """Say why somebody who has said who they are cannot stay; players come before watchers."""
        limits, room = self.limits, socket.room
        if not room.visitors and len(self.rooms.live) >= limits.live_games * (2 if socket.seats else 1):
            return SERVER_FULL
        if socket.seats:
            for seat in socket.seats:
                same = [x for x in room.visitors if seat in x.seats]
                if len(same) >= limits.sockets_per_seat:
                    min(same, key=lambda x: x.number).leave("you have come in from elsewhere many times")
            if self.sockets > limits.sockets:
                self._make_place()
            return ""
        if sum(not x.seats for x in room.visitors) >= limits.sockets_per_game:
            return "too many people look at this game"
        if self._of.get(socket.network, 0) > limits.sockets_per_address:
            refused("too many sockets", address=socket.network)
            return TOO_MANY_OF_YOU
        return SERVER_FULL if self.sockets > limits.sockets else ""

    def _make_place(self) -> None:
        """Send the watcher away who has come last."""
        watchers = [x for room in self.rooms.live for x in room.visitors if not x.seats]
        if watchers:
            max(watchers, key=lambda x: x.number).leave(SERVER_FULL)


async def _send_away(websocket: WebSocket, reason: str, code: int) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await websocket.send_text(to_json({"type": "bye", "reason": reason}).decode())
        await websocket.close(code, reason)


def _trace(error: Exception) -> str:
    return "".join(traceback.format_exception(error))
