"""Messages on their way: made ready once for all who are told, compressed, written without a task or a line for each.

A message is compressed by itself (no context is kept from one to the next). So a socket holds no memory for it, and
the same bytes go to everybody.

What a browser says nearly always comes as one piece that is one frame. That is read at once; whatever else comes is for the
library, which also says what is wrong with it.
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
except ImportError:  # where the library is not compiled
    from websockets.utils import apply_mask

WINDOW_BITS = 12  # bits: 4 kB, about as large as a message; a larger one saves nothing
COMPRESSION_LEVEL, MEMORY_LEVEL = 3, 5  # of zlib; higher levels cost more time than they save
TEXT, COMPRESSED_TEXT = 0x81, 0xC1  # the first byte of a whole frame of text
MASKED = 0x80  # a bit of the second byte of what browsers send
FRAME_BOUNDARY = StreamReader.at_eof.__code__  # where the library waits for the next frame
DEFLATE_TAIL = b"\x00\x00\xff\xff"  # of something compressed
MIN_COMPRESS_BYTES = 1200  # bytes that are not worth compressing: they go in one packet anyway
MAX_QUEUED_MESSAGES = 16  # messages of a browser, before no more are read from it

MessageHandler = Callable[[bytes], None]


def _frame(message: OutgoingMessage, compress: bool) -> bytes:
    """Give the bytes to write to a browser, compressed if it takes that and it is worth it."""
    compress = compress and len(message.text) >= MIN_COMPRESS_BYTES
    frame = message.framed.get(compress)
    if frame is None:
        body = _compress(message.text) if compress else message.text
        frame = message.framed[compress] = _frame_header(COMPRESSED_TEXT if compress else TEXT, len(body)) + body
    return frame


def _frame_header(first_byte: int, size: int) -> bytes:
    """Give what stands before the text of a frame (RFC 6455)."""
    if size < 126:
        return pack("!BB", first_byte, size)
    return pack("!BBH", first_byte, 126, size) if size < 65_536 else pack("!BBQ", first_byte, 127, size)


def _compress(text: bytes) -> bytes:
    """Compress a message; what ends it goes without saying (RFC 7692)."""
    compressor = zlib.compressobj(COMPRESSION_LEVEL, wbits=-WINDOW_BITS, memLevel=MEMORY_LEVEL)
    return (compressor.compress(text) + compressor.flush(zlib.Z_SYNC_FLUSH))[: -len(DEFLATE_TAIL)]


def _parse_text_frame(data: bytes, max_size: int, window_bits: int) -> bytes | None:
    """Give the text of a piece that is one whole frame of text and no more; None if it is anything else."""
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
    """A live socket of uvicorn's, which can be written to at once and tells at once what it hears."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                server_max_window_bits=WINDOW_BITS,
            )
        ]
        self._is_compressed = False  # what is told
        self._window_bits = 0  # bits, of what is heard; none if nothing is compressed
        self._on_message: MessageHandler | None = None
        self._inbox: deque[bytes] = deque()  # and not yet passed on

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # it was no nonsense
            self.scope["extensions"]["broadcast_protocol"] = self  # type: ignore[assignment]
        extension = self.conn.extensions[0] if self.conn.extensions else None
        if isinstance(extension, PerMessageDeflate):
            self._is_compressed = extension.local_max_window_bits == WINDOW_BITS
            self._window_bits = extension.remote_max_window_bits if extension.remote_no_context_takeover else 0

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._on_message = (
            None  # who listens knows this wire: in a circle both would stay in memory, and the game with them
        )
        if hasattr(self, "scope"):
            self.scope["extensions"].pop("broadcast_protocol", None)

    # --- telling ---------------------------------------------------------------------------------------------------

    def write_frame(self, message: OutgoingMessage) -> None:
        """Write a message; whoever has gone is not told."""
        if not (self.disconnected or self.close_sent or self.transport.is_closing()):
            self.transport.write(_frame(message, self._is_compressed))

    @property
    def is_slow(self) -> bool:
        """Whether much of what was written has not gone out yet."""
        return not self.writable.is_set()

    @property
    def unsent_bytes(self) -> int:
        """How many bytes have not gone out yet."""
        return self.transport.get_write_buffer_size()

    def abort(self) -> None:
        """End the connection without another word."""
        self.transport.abort()

    # --- hearing ---------------------------------------------------------------------------------------------------

    def listen(self, handler: MessageHandler) -> None:
        """Call `hear` with every message from now on, and with what came before."""
        self._on_message = handler
        self.deliver()
        if self.disconnected:  # what was said before that counts
            self._on_message = None

    @property
    def has_queued_messages(self) -> bool:
        """Whether more messages were read than have been passed on."""
        return bool(self._inbox)

    def deliver(self) -> None:
        """Tell whoever listens what was read; it is no part of reading, for it may take as long as a choice does."""
        while self._inbox and self._on_message is not None:
            self._on_message(self._inbox.popleft())

    def pause_reading(self, paused: bool) -> None:
        """Read nothing more for a while, or read on."""
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
        """Whether the library waits for the next frame, and for no other part of a message that has begun."""
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
