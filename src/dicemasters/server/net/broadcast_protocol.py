"""WebSocket protocol with a fast path for broadcasts and for single-frame messages.

A broadcast is framed and compressed once for all clients, then written to each transport without a task or a queue.
Messages are compressed without context takeover, so connections hold no compressor state and share the same bytes.

A browser's message nearly always arrives as one read that contains exactly one frame. It is parsed here; everything
else is left to the websockets library, which also handles protocol errors.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable
from struct import pack
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.streams import StreamReader

from dicemasters.service.protocol.codec import OutgoingMessage

try:
    from websockets.speedups import apply_mask
except ImportError:  # websockets was installed without its C extension
    from websockets.utils import apply_mask

WINDOW_BITS = 12  # a 4 kB window, about the size of a message; a larger one saves nothing
COMPRESSION_LEVEL, MEMORY_LEVEL = 3, 5  # for zlib; higher levels cost more time than they save
TEXT, COMPRESSED_TEXT = 0x81, 0xC1  # first byte of an unfragmented text frame
MASKED = 0x80  # mask bit in the second byte; browsers always set it
FRAME_BOUNDARY = StreamReader.at_eof.__code__  # the library awaits the next frame in this generator
DEFLATE_TAIL = b"\x00\x00\xff\xff"  # omitted at the end of a compressed message (RFC 7692)
MIN_COMPRESS_BYTES = 1200  # bytes; a shorter message fits one packet anyway
MAX_QUEUED_MESSAGES = 16  # unprocessed messages of one client before reading pauses

MessageHandler = Callable[[bytes], None]


def _frame(message: OutgoingMessage, compress: bool) -> bytes:
    """Return the frame of a message, cached in the message; `compress` applies only if it is long enough."""
    compress = compress and len(message.text) >= MIN_COMPRESS_BYTES
    frame = message.framed.get(compress)
    if frame is None:
        body = _compress(message.text) if compress else message.text
        frame = message.framed[compress] = _frame_header(COMPRESSED_TEXT if compress else TEXT, len(body)) + body
    return frame


def _frame_header(first_byte: int, size: int) -> bytes:
    """Return the header of an unmasked frame (RFC 6455)."""
    if size < 126:
        return pack("!BB", first_byte, size)
    return pack("!BBH", first_byte, 126, size) if size < 65_536 else pack("!BBQ", first_byte, 127, size)


def _compress(text: bytes) -> bytes:
    """Return the compressed message without its constant tail (RFC 7692)."""
    compressor = zlib.compressobj(COMPRESSION_LEVEL, wbits=-WINDOW_BITS, memLevel=MEMORY_LEVEL)
    return (compressor.compress(text) + compressor.flush(zlib.Z_SYNC_FLUSH))[: -len(DEFLATE_TAIL)]


def _parse_text_frame(data: bytes, max_size: int, window_bits: int) -> bytes | None:
    """Return the payload if `data` is exactly one complete text frame, else None."""
    if len(data) < 6 or data[0] not in (TEXT, COMPRESSED_TEXT):
        return None
    size, start = data[1] ^ MASKED, 2
    if size == 126:
        size, start = int.from_bytes(data[2:4], "big"), 4
    if (size >= 126 and start == 2) or len(data) != start + 4 + size or size > max_size:
        return None
    body = apply_mask(data[start + 4 :], data[start : start + 4])
    if data[0] == TEXT:
        return body
    if not window_bits:
        return None
    decompressor = zlib.decompressobj(-window_bits)
    try:
        text = decompressor.decompress(body + DEFLATE_TAIL, max_size)
    except zlib.error:
        return None
    return None if decompressor.unconsumed_tail else text


class BroadcastProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol with synchronous writes and message callbacks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                server_max_window_bits=WINDOW_BITS,
            )
        ]
        self._is_compressed = False  # whether outgoing messages may be compressed
        self._window_bits = 0  # compression window of incoming messages; 0: not compressed
        self._on_message: MessageHandler | None = None
        self._inbox: deque[bytes] = deque()  # received, not yet delivered

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # the handshake request was valid
            self.scope["extensions"]["broadcast_protocol"] = self  # type: ignore[assignment]
        extension = self.conn.extensions[0] if self.conn.extensions else None
        if isinstance(extension, PerMessageDeflate):
            self._is_compressed = extension.local_max_window_bits == WINDOW_BITS
            self._window_bits = extension.remote_max_window_bits if extension.remote_no_context_takeover else 0

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._on_message = None  # breaks the reference cycle with the handler, which would keep the room in memory
        if hasattr(self, "scope"):
            self.scope["extensions"].pop("broadcast_protocol", None)

    # --- sending ---------------------------------------------------------------------------------------------------

    def write_frame(self, message: OutgoingMessage) -> None:
        """Write a message, unless the connection is closing or closed."""
        if not (self.disconnected or self.close_sent or self.transport.is_closing()):
            self.transport.write(_frame(message, self._is_compressed))

    @property
    def is_slow(self) -> bool:
        """Return True if the write buffer is above its high-water mark."""
        return not self.writable.is_set()

    @property
    def unsent_bytes(self) -> int:
        """Number of bytes in the write buffer."""
        return self.transport.get_write_buffer_size()

    def abort(self) -> None:
        """Drop the connection without a closing handshake."""
        self.transport.abort()

    # --- receiving -------------------------------------------------------------------------------------------------

    def listen(self, handler: MessageHandler) -> None:
        """Call `handler` with every message, including those already received."""
        self._on_message = handler
        self.deliver()
        if self.disconnected:  # messages received before still count
            self._on_message = None

    @property
    def has_queued_messages(self) -> bool:
        """Return True if received messages wait for delivery."""
        return bool(self._inbox)

    def deliver(self) -> None:
        """Pass received messages to the handler.

        Kept apart from reading, because handling a message can take as long as a game decision.
        """
        while self._inbox and self._on_message is not None:
            self._on_message(self._inbox.popleft())

    def pause_reading(self, paused: bool) -> None:
        """Pause or resume reading: backpressure on a client that sends faster than its messages are handled."""
        if paused is not self.read_paused and not self.transport.is_closing():
            self.read_paused = paused
            self.transport.pause_reading() if paused else self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        text = _parse_text_frame(data, self.config.ws_max_size, self._window_bits) if self._is_between_frames else None
        if text is None:
            super().data_received(data)
        elif not self.close_sent:
            self._enqueue_message(text)

    @property
    def _is_between_frames(self) -> bool:
        """Return True if the library awaits a new message, not the rest of a frame or a continuation frame."""
        if self.conn.state is not OPEN or self.conn.current_size is not None:
            return False
        parser: Any = self.conn.parser
        while (inner := parser.gi_yieldfrom) is not None:
            parser = inner
        return parser.gi_code is FRAME_BOUNDARY

    def send_receive_event_to_app(self) -> None:
        data = b"".join(self.frames)
        self.frames = []
        if self.close_sent:
            return
        self._enqueue_message(data if self.curr_msg_data_type == "text" else b"not text")

    def _enqueue_message(self, data: bytes) -> None:
        self._inbox.append(data)
        if self._on_message is None:
            self.pause_reading(len(self._inbox) >= MAX_QUEUED_MESSAGES)
