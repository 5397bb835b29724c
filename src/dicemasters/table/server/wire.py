"""Messages on their way: made ready once for all who are told, compressed, written without a task or a line for each.

A message is compressed by itself (no context is kept from one to the next). So a socket holds no memory for it, and
the same bytes go to everybody.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from dicemasters.table.server.parcel import Parcel

WINDOW = 12  # bits: 4 kB, about as large as a message; a larger one saves nothing
PACKING = {"level": 3, "memLevel": 5}  # higher levels cost more time than they save
SMALL = 200  # bytes that are not worth compressing
MOST_WAITING = 16  # messages of a browser, before no more are read from it

Hear = Callable[[bytes], None]


def _frame(parcel: Parcel, packs: bool) -> bytes:
    """Give the bytes to write to a browser, compressed if it takes that and it is worth it."""
    packs = packs and len(parcel.text) >= SMALL
    found = parcel.framed.get(packs)
    if found is None:
        how = (PerMessageDeflate(True, True, WINDOW, WINDOW, PACKING),) if packs else ()  # threads cannot share one
        found = parcel.framed[packs] = Frame(Opcode.TEXT, parcel.text).serialize(mask=False, extensions=how)
    return found


class Wire(WebSocketsSansIOProtocol):
    """A live socket of uvicorn's, which can be written to at once and tells at once what it hears."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                server_max_window_bits=WINDOW,
            )
        ]
        self._hear: Hear | None = None
        self._heard: deque[bytes] = deque()  # while nobody listens

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # it was no nonsense
            self.scope["extensions"]["wire"] = self  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._hear = None  # who listens knows this wire: in a circle both would stay in memory, and the game with them
        if hasattr(self, "scope"):
            self.scope["extensions"].pop("wire", None)

    # --- telling ---------------------------------------------------------------------------------------------------

    def put(self, parcel: Parcel) -> None:
        """Write a message; whoever has gone is not told."""
        if not (self.disconnected or self.close_sent or self.transport.is_closing()):
            self.transport.write(_frame(parcel, self._packs))

    @property
    def is_slow(self) -> bool:
        """Whether much of what was written has not gone out yet."""
        return not self.writable.is_set()

    @property
    def unread(self) -> int:
        """How many bytes have not gone out yet."""
        return self.transport.get_write_buffer_size()

    @property
    def _packs(self) -> bool:
        found = self.conn.extensions
        return bool(found) and isinstance(found[0], PerMessageDeflate) and found[0].local_max_window_bits == WINDOW

    def cut(self) -> None:
        """End the connection without another word."""
        self.transport.abort()

    # --- hearing ---------------------------------------------------------------------------------------------------

    def listen(self, hear: Hear) -> None:
        """Call `hear` with every message from now on, and with what came before."""
        self._hear = None if self.disconnected else hear
        while self._heard:
            hear(self._heard.popleft())

    def wait(self, waits: bool) -> None:
        """Read nothing more for a while, or read on."""
        if waits is not self.read_paused and not self.transport.is_closing():
            self.read_paused = waits
            self.transport.pause_reading() if waits else self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        data = b"".join(self.frames)
        self.frames = []
        if self.close_sent:
            return
        if self.curr_msg_data_type != "text":
            data = b"not text"
        if self._hear is not None:
            self._hear(data)
        else:
            self._heard.append(data)
            self.wait(len(self._heard) >= MOST_WAITING)
