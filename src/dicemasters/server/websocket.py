"""WebSocket endpoint: connections, their handshake and their messages (docs/http-api.md).

The handshake is the first message of a client, `hello`, with the secrets of its seats. Only then does it join the room.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import traceback
from collections import deque
from contextvars import copy_context
from itertools import count

from fastapi import WebSocket, WebSocketDisconnect
from pydantic_core import from_json

from dicemasters.server.net.broadcast_protocol import MAX_QUEUED_MESSAGES, BroadcastProtocol
from dicemasters.server.observability.metrics import CHOICE, INTERNAL_ERRORS, REFUSALS, count_refusal, timed
from dicemasters.server.rate_limiter import CpuBudgets, client_network, run_metered, start_metered
from dicemasters.service.games.dispatch import handle_message, parse_message
from dicemasters.service.games.game_setup import Seat
from dicemasters.service.games.registry import GameNotFoundError, RoomRegistry
from dicemasters.service.games.room import ActionRejectedError, Room
from dicemasters.service.games.stored_events import StorageError
from dicemasters.service.limits import Limits
from dicemasters.service.protocol import messages
from dicemasters.service.protocol.codec import OutgoingMessage, to_json
from dicemasters.service.structured_log import log_event
from dicemasters.service.token_bucket import RateLimitedError, TokenBucket

# close codes; each close frame also carries a reason
CLOSE_NOT_FOUND, CLOSE_OVERLOADED, CLOSE_SLOW_CONSUMER, CLOSE_BAD_MESSAGE = 4404, 4429, 4408, 4400
MAX_BAD_MESSAGES = 20  # invalid messages before the connection is closed
HANDSHAKE_TIMEOUT = 10.0  # seconds a client has for its first message

TOO_MANY_CONNECTIONS = "too many connections from your address"
SERVER_FULL = "the server is full; try again later"
_numbers = count()


class ClientConnection:
    """One client of one game. Its messages are processed in order; a slow client delays no other."""

    def __init__(
        self, protocol: BroadcastProtocol, room: Room, limits: Limits, endpoint: WebSocketEndpoint, network: str
    ) -> None:
        self.protocol = protocol
        self.endpoint = endpoint
        self.network = network
        self.room = room
        self.limits = limits
        self.seats: tuple[Seat, ...] = ()
        self.number = next(_numbers)  # in order of arrival
        # close code and reason, once the server closes the connection
        self.close_request: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self._inbox: deque[bytes] = deque()  # received, not yet processed
        self._inbox_task: asyncio.Task[None] | None = None
        self._handshake_done = False
        self._bad_messages = 0
        self._unsent_messages = 0  # messages sent while the write buffer was over its high-water mark
        self._bucket = TokenBucket(limits.messages_per_second, limits.message_burst)
        self._budget = endpoint.cpu_budgets.of(network)
        self._context = copy_context()  # carries the request id, which transport callbacks lack
        self._was_throttled = False
        self._handshake_timer = asyncio.get_running_loop().call_later(
            HANDSHAKE_TIMEOUT, self.close, "nothing was said", CLOSE_BAD_MESSAGE
        )
        protocol.listen(self._receive)

    # --- sending ---------------------------------------------------------------------------------------------------

    def send(self, message: OutgoingMessage) -> None:
        """Send a message, or close the connection if the client reads too slowly (backpressure has a limit)."""
        if self.close_request.done():
            return
        unread = self.protocol.unsent_bytes
        self._unsent_messages = self._unsent_messages + 1 if unread and self.protocol.is_slow else 0
        if self._unsent_messages > self.limits.unread_messages or unread > self.limits.unread_bytes:
            REFUSALS.labels("reads too slowly").inc()
            self.close("the connection is too slow", CLOSE_SLOW_CONSUMER)
        else:
            self.protocol.write_frame(message)

    def close(self, reason: str, code: int = 1001) -> None:
        """Send the reason and close the connection."""
        if not self.close_request.done():
            self.protocol.write_frame(_closing_message(reason))
            self.close_request.set_result((code, reason))

    def disconnected(self) -> None:
        """Clean up after the connection has ended, whichever side closed it."""
        self._handshake_timer.cancel()
        if not self.close_request.done():
            self.close_request.cancel()
        self.room.remove_client(self)

    # --- receiving -------------------------------------------------------------------------------------------------

    def _receive(self, text: bytes) -> None:
        if self.close_request.done():
            return
        if not self._handshake_done:
            self._handshake_timer.cancel()
        self._inbox.append(text)
        if len(self._inbox) >= MAX_QUEUED_MESSAGES:
            self.protocol.pause_reading(True)
        if self._inbox_task is not None:
            return
        if self._handshake_done and not self.protocol.has_queued_messages:
            self._inbox_task = start_metered(self._process_inbox(), self._budget, self._context)
        else:  # before the handshake, and between the messages of a burst, other clients go first
            self._inbox_task = asyncio.create_task(
                run_metered(self._process_inbox(), self._budget), context=self._context
            )
        if self._inbox_task is not None:
            # held by the room, so that a started message is finished even if the client disconnects
            self.room.tasks.add(self._inbox_task)
            self._inbox_task.add_done_callback(self.room.tasks.discard)

    async def _process_inbox(self) -> None:
        try:
            while self._inbox and not (self.close_request.done() and not self.close_request.cancelled()):
                await self._throttle()
                await self._process_message(self._inbox.popleft())
                self.protocol.pause_reading(False)
                if self._inbox:
                    await asyncio.sleep(0)  # other clients go first
        finally:
            self._inbox_task = None

    async def _process_message(self, text: bytes) -> None:
        try:
            message = parse_message(from_json(text, allow_inf_nan=False))
        except ValueError as error:
            self._bad_messages += 1
            count_refusal("bad message", game=self.room.stored.game, length=len(text))
            self._refuse(f"the message is not understood: {str(error)[:160]}")
            if self._bad_messages >= MAX_BAD_MESSAGES:
                self.close("too many messages that are not understood", CLOSE_BAD_MESSAGE)
            return
        try:
            await self._handle(message)
        except ActionRejectedError as error:
            REFUSALS.labels("against the rules").inc()
            self._refuse(str(error))
        except StorageError as error:
            log_event("storage", level=logging.ERROR, game=self.room.stored.game, reason=str(error))
            self._refuse("the server cannot reach its storage")
        except Exception as error:  # a bug in the server: the stored game is unchanged and continues
            INTERNAL_ERRORS.inc()
            # not the message itself, which may contain the secret of a seat
            log_event(
                "mistake",
                level=logging.ERROR,
                game=self.room.stored.game,
                length=len(text),
                error=_format_traceback(error),
            )
            self._refuse("internal server error; nothing was changed")

    async def _throttle(self) -> None:
        """Wait until the rate limit and the CPU budget allow the next message."""
        while not self._bucket.acquire():
            if not self._was_throttled:
                self._was_throttled = True
                count_refusal("too many messages", game=self.room.stored.game)
            await asyncio.sleep(1 / self.limits.messages_per_second)
        if self._budget.is_busy:
            await self._budget.wait_in_queue()

    async def _handle(self, message: messages.ClientMessage) -> None:
        room = self.room
        if self._handshake_done is isinstance(message, messages.Hello):
            raise ActionRejectedError("you have already said hello" if self._handshake_done else "say hello first")
        self._handshake_done = True
        match message:
            case messages.Hello():
                await self._complete_handshake(message)
            case messages.PlayChoice():
                with timed(CHOICE):
                    await handle_message(room, self, message)
            case _:
                await handle_message(room, self, message)

    async def _complete_handshake(self, hello: messages.Hello) -> None:
        """Authenticate the client by the secrets of its seats, and admit it or close the connection."""
        self.seats = self.room.seats_of(hello.secrets)
        problem = self.endpoint.admit(self)
        if problem:
            REFUSALS.labels("full").inc()
            self.close(problem, CLOSE_OVERLOADED)
        else:
            await self.room.join(self)
            if self.close_request.done():  # the client has gone meanwhile and must not stay in the room
                self.room.remove_client(self)

    def _refuse(self, reason: str) -> None:
        rejection: messages.ActionRejected = {
            "type": "refused",
            "reason": reason,
            "version": self.room.session.view_version,
        }
        self.send(OutgoingMessage(to_json(rejection)))


class WebSocketEndpoint:
    """Accepts WebSocket connections within the limits."""

    def __init__(self, rooms: RoomRegistry, limits: Limits, cpu_budgets: CpuBudgets) -> None:
        self.rooms = rooms
        self.cpu_budgets = cpu_budgets
        self.limits = limits
        self._count_by_address: dict[str, int] = {}

    async def accept(self, websocket: WebSocket, game: str) -> None:
        """Accept a connection and serve it until it ends."""
        address = client_network(websocket.client.host if websocket.client else "")
        protocol = websocket.scope["extensions"].get("broadcast_protocol")
        if protocol is None:
            return  # disconnected before it was accepted
        await websocket.accept()
        problem = self._rejection_reason(address)
        if problem:
            REFUSALS.labels("full").inc()
            await _reject_and_close(websocket, problem, CLOSE_OVERLOADED)
            return
        self._count_by_address[address] = self._count_by_address.get(address, 0) + 1
        try:
            room = await self.rooms.get(game)
            client = ClientConnection(protocol, room, self.limits, self, address)
            room.connections.add(client)
            try:
                await _wait_until_closed(websocket, client)
            finally:
                client.disconnected()
                room.connections.discard(client)
        except GameNotFoundError as error:
            await _reject_and_close(websocket, str(error), CLOSE_NOT_FOUND)
        except RateLimitedError as error:
            await _reject_and_close(websocket, str(error), CLOSE_OVERLOADED)
        except StorageError as error:
            log_event("storage", level=logging.ERROR, game=game[:40], reason=str(error))
            await _reject_and_close(websocket, "the server cannot reach its storage", CLOSE_OVERLOADED)
        finally:
            self._count_by_address[address] -= 1
            if not self._count_by_address[address]:
                del self._count_by_address[address]

    @property
    def sockets(self) -> int:
        """Number of open connections."""
        return sum(self._count_by_address.values())

    def _rejection_reason(self, address: str) -> str:
        """Return why a connection is rejected before its handshake, or "". The limits are doubled here."""
        if self._count_by_address.get(address, 0) >= 2 * self.limits.sockets_per_address:
            count_refusal("too many sockets", address=address)
            return TOO_MANY_CONNECTIONS
        if self.sockets >= 2 * self.limits.sockets:
            return SERVER_FULL
        return ""

    def admit(self, client: ClientConnection) -> str:
        """Return why a client is rejected in its handshake, or "". Players take precedence over watchers."""
        limits, room = self.limits, client.room
        if not room.clients and len(self.rooms.live) >= limits.live_games * (2 if client.seats else 1):
            return SERVER_FULL
        if client.seats:
            for seat in client.seats:
                seat_clients = [x for x in room.clients if seat in x.seats]
                if len(seat_clients) >= limits.sockets_per_seat:
                    min(seat_clients, key=lambda x: x.number).close("you have come in from elsewhere many times")
            if self.sockets > limits.sockets:
                self._evict_watcher()
            return ""
        if sum(not x.seats for x in room.clients) >= limits.sockets_per_game:
            return "too many people look at this game"
        if self._count_by_address.get(client.network, 0) > limits.sockets_per_address:
            count_refusal("too many sockets", address=client.network)
            return TOO_MANY_CONNECTIONS
        return SERVER_FULL if self.sockets > limits.sockets else ""

    def _evict_watcher(self) -> None:
        """Close the connection of the newest watcher."""
        watchers = [x for room in self.rooms.live for x in room.clients if not x.seats]
        if watchers:
            max(watchers, key=lambda x: x.number).close(SERVER_FULL)


async def _wait_until_closed(websocket: WebSocket, client: ClientConnection) -> None:
    """Wait until the client disconnects or the server closes the connection."""
    # messages bypass `receive`; only the disconnect arrives here
    disconnect = asyncio.ensure_future(websocket.receive())
    try:
        await asyncio.wait((disconnect, client.close_request), return_when=asyncio.FIRST_COMPLETED)
    finally:
        disconnect.cancel()
    if client.close_request.done():
        code, reason = client.close_request.result()
        if client.protocol.is_slow:
            client.protocol.abort()
        else:
            await _close(websocket, code, reason)


async def _reject_and_close(websocket: WebSocket, reason: str, code: int) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await websocket.send_text(_closing_message(reason).text.decode())
    await _close(websocket, code, reason)


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await websocket.close(code, reason)


def _closing_message(reason: str) -> OutgoingMessage:
    message: messages.Closing = {"type": "bye", "reason": reason}
    return OutgoingMessage(to_json(message))


def _format_traceback(error: Exception) -> str:
    return "".join(traceback.format_exception(error))
