"""What comes over the wire is read the same however it is cut into pieces, compressed or not."""

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


def framed(text: bytes, *, packed: bool, opcode: Opcode = Opcode.TEXT) -> bytes:
    how = [PerMessageDeflate(True, True, WINDOW_BITS, WINDOW_BITS, {})] if packed else []
    return Frame(opcode, text).serialize(mask=True, extensions=how)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("text", [b"", b"{}", "é".encode() * 60, b"x" * 125, b"x" * 126, LONG])
def test_a_whole_frame_of_text_is_read_at_once(text: bytes, packed: bool) -> None:
    assert broadcast_protocol._parse_text_frame(framed(text, packed=packed), 1000, WINDOW_BITS) == text


def test_whatever_else_comes_is_left_to_the_library() -> None:
    whole = framed(b"hello", packed=False)
    packed = framed(LONG, packed=True)
    others = [
        *(whole[:n] for n in range(len(whole))),
        whole + b"x",
        whole + whole,
        Frame(Opcode.TEXT, b"hello").serialize(mask=False),
        Frame(Opcode.TEXT, b"hello", fin=False).serialize(mask=True),
        framed(b"hello", packed=False, opcode=Opcode.BINARY),
        framed(b"hello", packed=False, opcode=Opcode.PING),
        framed(b"x" * 70_000, packed=False),
        framed(b"x" * 1001, packed=False),
        framed(b"x" * 1001, packed=True),  # which is short before it is unpacked
        packed[:2] + bytes(4) + b"\xff" * (len(packed) - 6),  # no mask, and a block type that does not exist
    ]
    assert [broadcast_protocol._parse_text_frame(piece, 1000, WINDOW_BITS) for piece in others] == [None] * len(others)
    assert broadcast_protocol._parse_text_frame(packed, 1000, 0) is None  # nothing compressed was agreed on


@pytest.mark.parametrize("size", [0, 125, 126, 1199, 1200, 65_535, 65_536])
def test_what_is_told_is_what_the_library_would_have_written(size: int) -> None:
    text = (b"0123456789" * 7000)[:size]
    assert broadcast_protocol._frame(OutgoingMessage(text), False) == Frame(Opcode.TEXT, text).serialize(mask=False)
    packed = broadcast_protocol._frame(OutgoingMessage(text), True)
    how = PerMessageDeflate(
        True,
        True,
        broadcast_protocol.WINDOW_BITS,
        broadcast_protocol.WINDOW_BITS,
        {"level": broadcast_protocol.COMPRESSION_LEVEL, "memLevel": broadcast_protocol.MEMORY_LEVEL},
    )
    worth_it = size >= broadcast_protocol.MIN_COMPRESS_BYTES
    assert packed == Frame(Opcode.TEXT, text).serialize(mask=False, extensions=[how] if worth_it else [])


class Browser:
    """A live socket of which a test says how its bytes are cut."""

    def __init__(self, opened: OpenedGame, *, packs: bool) -> None:
        uri = parse_uri(f"ws://{opened.server.address}/api/games/{opened.game}/live")
        self.protocol = ClientProtocol(uri, extensions=[ClientPerMessageDeflateFactory()] if packs else None)
        host, port = opened.server.address.split(":")
        self.socket = socket.create_connection((host, int(port)), TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.protocol.send_request(self.protocol.connect())
        self.socket.sendall(b"".join(self.protocol.data_to_send()))
        while not self.protocol.events_received():
            self.protocol.receive_data(self.socket.recv(4096))
        self.send({"type": "hello", "secrets": [opened.seats["A"]]})
        self.receive("welcome")

    def bytes_of(self, message: dict[str, object]) -> bytes:
        self.protocol.send_text(json.dumps(message).encode())
        return b"".join(self.protocol.data_to_send())

    def send(self, message: dict[str, object]) -> None:
        self.socket.sendall(self.bytes_of(message))

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


@pytest.mark.parametrize("packs", [False, True])
def test_a_message_is_understood_however_it_is_cut(server: LiveServer, packs: bool) -> None:
    opened = server.open(seed=1, seats=[{}, {}])
    browser = Browser(opened, packs=packs)
    with closing(browser.socket):
        for cut in (1, 2, 3, 6, 9):  # in the head, in the mask, in the text
            piece = browser.bytes_of({"type": "ping"})
            browser.socket.sendall(piece[:cut])
            server.get("/api/alive")  # the first part has been read by now
            browser.socket.sendall(piece[cut:])
            assert browser.receive("pong")
        whole = browser.bytes_of({"type": "ping"})
        browser.socket.sendall(whole + whole[:2])  # and the head of the next, which a whole frame must not follow
        assert browser.receive("pong")
        browser.socket.sendall(whole[2:])
        assert browser.receive("pong")
        browser.send({"type": "ping"})
        assert browser.receive("pong")


def test_a_message_in_several_frames_is_one(server: LiveServer) -> None:
    opened = server.open(seed=1, seats=[{}, {}])
    browser = Browser(opened, packs=False)
    with closing(browser.socket):
        first = Frame(Opcode.TEXT, b'{"type":', fin=False).serialize(mask=True)
        browser.socket.sendall(first)
        server.get("/api/alive")
        # between its frames only a control frame may come
        browser.socket.sendall(Frame(Opcode.PING, b"").serialize(mask=True))
        browser.socket.sendall(Frame(Opcode.CONT, b'"ping"}').serialize(mask=True))
        assert browser.receive("pong")
        browser.socket.sendall(first)
        server.get("/api/alive")
        browser.socket.sendall(framed(b'{"type":"ping"}', packed=False))  # this is no part of it
        with pytest.raises(AssertionError):
            browser.receive("pong")
