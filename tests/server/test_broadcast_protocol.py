"""The WebSocket fast path: messages are read alike however their bytes are split, compressed or not."""

from __future__ import annotations

import json
import socket
from contextlib import closing

import pytest
from tests.support.live_server import LiveServer, OpenedGame
from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory, PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from dicemasters.server.net import broadcast_protocol
from dicemasters.service.protocol.codec import OutgoingMessage

TIMEOUT = 300  # seconds
WINDOW_BITS = 12
LONG = json.dumps({"type": "ping", "more": "x" * 700}).encode()


def framed(text: bytes, *, compressed: bool, opcode: Opcode = Opcode.TEXT) -> bytes:
    deflate = [PerMessageDeflate(True, True, WINDOW_BITS, WINDOW_BITS, {})] if compressed else []
    return Frame(opcode, text).serialize(mask=True, extensions=deflate)


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("text", [b"", b"{}", "é".encode() * 60, b"x" * 125, b"x" * 126, LONG])
def test_complete_text_frame_is_parsed(text: bytes, compressed: bool) -> None:
    assert broadcast_protocol._parse_text_frame(framed(text, compressed=compressed), 1000, WINDOW_BITS) == text


def test_other_frames_are_left_to_the_library() -> None:
    whole = framed(b"hello", compressed=False)
    compressed = framed(LONG, compressed=True)
    others = [
        *(whole[:n] for n in range(len(whole))),
        whole + b"x",
        whole + whole,
        Frame(Opcode.TEXT, b"hello").serialize(mask=False),
        Frame(Opcode.TEXT, b"hello", fin=False).serialize(mask=True),
        framed(b"hello", compressed=False, opcode=Opcode.BINARY),
        framed(b"hello", compressed=False, opcode=Opcode.PING),
        framed(b"x" * 70_000, compressed=False),
        framed(b"x" * 1001, compressed=False),
        framed(b"x" * 1001, compressed=True),  # short only while compressed
        compressed[:2] + bytes(4) + b"\xff" * (len(compressed) - 6),  # zero mask and an invalid deflate block type
    ]
    assert [broadcast_protocol._parse_text_frame(piece, 1000, WINDOW_BITS) for piece in others] == [None] * len(others)
    assert broadcast_protocol._parse_text_frame(compressed, 1000, 0) is None  # compression was not negotiated


@pytest.mark.parametrize("size", [0, 125, 126, 1199, 1200, 65_535, 65_536])
def test_sent_frame_equals_the_encoding_of_the_library(size: int) -> None:
    text = (b"0123456789" * 7000)[:size]
    assert broadcast_protocol._frame(OutgoingMessage(text), False) == Frame(Opcode.TEXT, text).serialize(mask=False)
    compressed = broadcast_protocol._frame(OutgoingMessage(text), True)
    deflate = PerMessageDeflate(
        True,
        True,
        broadcast_protocol.WINDOW_BITS,
        broadcast_protocol.WINDOW_BITS,
        {"level": broadcast_protocol.COMPRESSION_LEVEL, "memLevel": broadcast_protocol.MEMORY_LEVEL},
    )
    worth_it = size >= broadcast_protocol.MIN_COMPRESS_BYTES
    assert compressed == Frame(Opcode.TEXT, text).serialize(mask=False, extensions=[deflate] if worth_it else [])


class Browser:
    """A raw WebSocket client that lets a test split the bytes of its messages."""

    def __init__(self, opened: OpenedGame, *, compresses: bool) -> None:
        uri = parse_uri(f"ws://{opened.server.address}/api/games/{opened.game}/live")
        self.protocol = ClientProtocol(uri, extensions=[ClientPerMessageDeflateFactory()] if compresses else None)
        host, port = opened.server.address.split(":")
        self.socket = socket.create_connection((host, int(port)), TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.protocol.send_request(self.protocol.connect())
        self.socket.sendall(b"".join(self.protocol.data_to_send()))
        while not self.protocol.events_received():
            self.protocol.receive_data(self.socket.recv(4096))
        self.send({"type": "hello", "secrets": [opened.seats["A"]]})
        self.receive("welcome")

    def encode(self, message: dict[str, object]) -> bytes:
        self.protocol.send_text(json.dumps(message).encode())
        return b"".join(self.protocol.data_to_send())

    def send(self, message: dict[str, object]) -> None:
        self.socket.sendall(self.encode(message))

    def receive(self, kind: str) -> dict[str, object]:
        while True:
            for event in self.protocol.events_received():
                assert isinstance(event, Frame)
                if event.opcode is Opcode.TEXT:
                    message: dict[str, object] = json.loads(bytes(event.data))
                    if message["type"] == kind:
                        return message
            data = self.socket.recv(65_536)
            assert data, "the server has closed the connection"
            self.protocol.receive_data(data)


@pytest.mark.parametrize("compresses", [False, True])
def test_message_is_received_however_its_bytes_are_split(server: LiveServer, compresses: bool) -> None:
    opened = server.open(seed=1, seats=[{}, {}])
    browser = Browser(opened, compresses=compresses)
    with closing(browser.socket):
        for cut in (1, 2, 3, 6, 9):  # in the header, in the mask, in the payload
            piece = browser.encode({"type": "ping"})
            browser.socket.sendall(piece[:cut])
            server.get("/api/alive")  # the first part has been read after this request
            browser.socket.sendall(piece[cut:])
            assert browser.receive("pong")
        whole = browser.encode({"type": "ping"})
        browser.socket.sendall(
            whole + whole[:2]
        )  # plus the header of the next frame, which the fast path must not swallow
        assert browser.receive("pong")
        browser.socket.sendall(whole[2:])
        assert browser.receive("pong")
        browser.send({"type": "ping"})
        assert browser.receive("pong")


def test_fragmented_message_is_reassembled(server: LiveServer) -> None:
    opened = server.open(seed=1, seats=[{}, {}])
    browser = Browser(opened, compresses=False)
    with closing(browser.socket):
        first = Frame(Opcode.TEXT, b'{"type":', fin=False).serialize(mask=True)
        browser.socket.sendall(first)
        server.get("/api/alive")
        # only a control frame may come between fragments
        browser.socket.sendall(Frame(Opcode.PING, b"").serialize(mask=True))
        browser.socket.sendall(Frame(Opcode.CONT, b'"ping"}').serialize(mask=True))
        assert browser.receive("pong")
        browser.socket.sendall(first)
        server.get("/api/alive")
        browser.socket.sendall(framed(b'{"type":"ping"}', compressed=False))  # not a continuation
        with pytest.raises(AssertionError):
            browser.receive("pong")
