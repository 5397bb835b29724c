"""Connection limits: number, duration and origin of connections, and their log lines."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import io
import json
import logging
import socket
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from tests.support.live_server import GENEROUS_LIMITS, TIMEOUT, LiveServer, run_server, wait_until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from dicemasters.server.config import ServerSettings
from dicemasters.server.http.host_policy import HostPolicy
from dicemasters.server.net.connection_limits import (
    ACCEPT_BATCH_SIZE,
    RESERVED_FILES,
    ConnectionLimiter,
    LimitedHttpProtocol,
    raise_file_limit,
)
from dicemasters.server.observability.logging_setup import REDACTED, configure_logging
from dicemasters.server.rate_limiter import NetworkSet, RateLimiter
from dicemasters.server.run import bind_socket
from dicemasters.service.limits import Limits
from dicemasters.service.structured_log import log_event

PEOPLE = [{"kind": "person"}, {"kind": "person"}]


def send_raw(server: LiveServer, text: bytes = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-a: ") -> socket.socket:
    host, port = server.address.split(":")
    made = socket.create_connection((host, int(port)), TIMEOUT)
    made.sendall(text)
    return made


def is_closed_while_dripping(connection: socket.socket) -> bool:
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            connection.sendall(b"x")
        except OSError:
            return True
        time.sleep(0.05)
    return False


def is_closed(connection: socket.socket) -> bool:
    connection.settimeout(TIMEOUT)
    try:
        return connection.recv(10) == b""
    except ConnectionError:
        return True


def connect_when_allowed(server: LiveServer) -> socket.socket:
    """Return a connection as soon as the server accepts one."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        made = send_raw(server, b"GET /api/alive HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            if b" 200 " in made.recv(1000):
                return made
        made.close()
        time.sleep(0.05)
    raise AssertionError("no connection was accepted")


def test_incomplete_and_dripping_requests_are_closed(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, header_seconds=0.4, body_seconds=0.4)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        half, empty = send_raw(server), send_raw(server, b"")
        dripping = send_raw(server)
        assert is_closed_while_dripping(dripping)
        assert is_closed(half)
        assert is_closed(empty)
        body = send_raw(server, b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
        body.settimeout(TIMEOUT)
        assert b" 408 " in body.recv(1000)
        assert server.get("/api/health")["status"] == "ok"


def test_connections_per_address_are_limited_including_live_sockets(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, connections_per_address=4, header_seconds=600.0)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        person = server.open(seats=PEOPLE, seed=1).join("A")  # the second connection, after the HTTP client's
        held = [send_raw(server), send_raw(server)]
        assert is_closed(send_raw(server))
        held.pop().close()
        held.append(connect_when_allowed(server))
        assert is_closed(send_raw(server))
        person.leave()
        held.append(connect_when_allowed(server))
        assert is_closed(send_raw(server))


def test_address_with_too_many_unread_responses_is_refused(tmp_path: Path) -> None:
    wanted = b"GET /api/rules HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with run_server(
        f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, unread_answers=1_000_000)
    ) as server:
        size = len(server.http.get("/api/rules", headers={"Accept-Encoding": "identity"}).content)
        unread = [
            send_raw(server, wanted * 8) for _ in range(1_000_000 // size + 2)
        ]  # more than the socket buffers hold
        wait_until(lambda: server.http.get("/api/alive").status_code == 429, "the address is refused")
        assert "have not read" in server.http.get("/api/alive").json()["error"]
        for one in unread:
            one.close()
        wait_until(lambda: server.http.get("/api/alive").status_code == 200, "the address is accepted again")
        assert server.get("/api/rules")


def test_connection_limiter_counts_ipv6_networks_and_exempts_proxies() -> None:
    limiter = ConnectionLimiter(Limits(connections_per_address=2, connections=5), NetworkSet("10.0.0.1"))
    assert [limiter.acquire(f"2001:db8:0:1::{i}") for i in range(3)] == [True, True, False]
    assert limiter.acquire("2001:db8:0:2::1")
    limiter.release("2001:db8:0:1::0")
    assert limiter.acquire("2001:db8:0:1::9")
    assert [limiter.acquire("10.0.0.1") for _ in range(3)] == [True, True, False]  # the total limit is reached
    assert ConnectionLimiter(Limits(), files=1024).max_connections == 1024 - RESERVED_FILES
    assert raise_file_limit() > 200


def test_connections_over_the_limit_are_closed_on_accept() -> None:
    listener = bind_socket("127.0.0.1", 0, strict=True)
    listener.limiter = ConnectionLimiter(Limits(connections_per_address=2, request_burst=100))
    clients = [socket.create_connection(listener.getsockname()) for _ in range(3)]
    try:
        for _ in range(2):
            taken, (address, _) = listener.accept()
            clients.append(taken)
            assert listener.limiter.acquire(address)
        with pytest.raises(BlockingIOError):
            listener.accept()
        assert is_closed(clients[2])
        clients += [socket.create_connection(listener.getsockname()) for _ in range(ACCEPT_BATCH_SIZE + 1)]
        with pytest.raises(BlockingIOError, match="have their turn"):
            listener.accept()
        listener.limiter.release(address)
        clients.append(listener.accept()[0])  # the last waiting connection
    finally:
        for client in (*clients, listener):
            client.close()


def test_rate_limiter_treats_an_ipv6_network_as_one_address() -> None:
    buckets = RateLimiter(0, 2)
    assert [buckets.acquire(f"2001:db8::{i}") for i in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("settings", "host", "origin", "allowed"),
    [
        (ServerSettings(), "localhost:8420", None, True),
        (ServerSettings(), "127.0.0.1:8420", "http://localhost:5173", True),
        (ServerSettings(), "192.168.1.7:8420", "http://192.168.1.7:8420", True),
        (ServerSettings(), "kims-pc.local", "http://kims-pc.local", True),
        (ServerSettings(), "kims-pc", "http://kims-pc", True),
        (ServerSettings(), "evil.example", "http://evil.example", False),
        (ServerSettings(), "localhost:8420", "http://evil.example", False),
        (ServerSettings(), "localhost:8420", "null", False),
        (ServerSettings(hosts="dice.example"), "dice.example", "https://dice.example", True),
        (ServerSettings(hosts="dice.example"), "evil.example", "http://evil.example", False),
        (ServerSettings(trusted_proxies="127.0.0.1"), "dice.example", "https://dice.example", True),
        (ServerSettings(trusted_proxies="127.0.0.1"), "dice.example", "https://evil.example", False),
    ],
)
def test_foreign_hosts_and_origins_are_refused(
    settings: ServerSettings, host: str, origin: str | None, allowed: bool
) -> None:
    headers = Headers({"host": host} | ({"origin": origin} if origin else {}))
    assert (HostPolicy(settings).problem(headers) is None) is allowed


def test_cross_origin_page_can_open_neither_game_nor_socket(server: LiveServer) -> None:
    opened = server.open(seats=PEOPLE, seed=1)
    answer = server.http.post("/api/games", json={}, headers={"Origin": "https://evil.example"})
    assert (answer.status_code, answer.json()["error"]) == (403, "a page of another site cannot do this")
    answer = server.http.get("/api/health", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    url = f"ws://{server.address}/api/games/{opened.game}/live"
    with pytest.raises(InvalidStatus), connect(url, proxy=None, origin=Origin("https://evil.example")):
        pass


def test_seat_holder_is_admitted_although_watchers_fill_the_server(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, sockets_per_game=3, sockets_per_address=3, sockets=3)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        opened = server.open(seats=PEOPLE, seed=1)
        watchers = [opened.join() for _ in range(3)]
        assert opened.join("A").seats == ["A"]
        assert watchers[-1].receive("bye")["reason"] == "the server is full; try again later"
        assert opened.join("B").seats == ["B"]


def test_oldest_socket_of_a_seat_is_closed_when_too_many_join(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, sockets_per_seat=2)) as server:
        opened = server.open(seats=PEOPLE, seed=1)
        first, second, third = opened.join("A"), opened.join("A"), opened.join("A")
        assert "from elsewhere" in first.receive("bye")["reason"]
        for person in (second, third):
            person.send(type="ping")
            person.receive("pong")


def test_log_throttles_repeated_lines_and_redacts_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setattr(
        "dicemasters.server.observability.logging_setup.LINES_PER_SECOND", 0.0
    )  # no allowance over time
    configure_logging(as_json=True)
    try:
        secret = "Ab3-" * 8
        for i in range(1000):
            log_event(
                "too many requests", level=logging.WARNING, number=i, text=f"hello {secret} there", hash="0f" * 32
            )
        lines = out.getvalue().splitlines()
        assert len(lines) == 5
        assert secret not in out.getvalue()
        assert json.loads(lines[0])["text"] == f"hello {REDACTED} there"
        assert json.loads(lines[0])["hash"] == REDACTED
    finally:
        logging.getLogger("dicemasters").handlers.clear()
        logging.getLogger("asyncio").handlers.clear()
        logging.getLogger("uvicorn.error").handlers.clear()


def test_error_during_hello_logs_no_secret(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    opened = server.open(seats=PEOPLE, seed=1)

    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("dicemasters.service.games.room.Room.join", fail)
    logging.getLogger("dicemasters").propagate = True
    url = f"ws://{server.address}/api/games/{opened.game}/live"
    with caplog.at_level(logging.INFO, "dicemasters"), connect(url, proxy=None) as live:
        live.send(json.dumps({"type": "hello", "secrets": [opened.seats["A"]]}))
        assert json.loads(live.recv(timeout=TIMEOUT))["type"] == "refused"
    facts = [record.__dict__.get("facts") for record in caplog.records if record.getMessage() == "mistake"]
    assert facts
    assert opened.seats["A"] not in str(facts)


def test_huge_content_length_is_refused(server: LiveServer) -> None:
    connection = http.client.HTTPConnection(server.address, timeout=TIMEOUT)
    connection.putrequest("POST", "/api/games")
    connection.putheader("Content-Length", "9" * 5000)
    connection.endheaders()
    assert connection.getresponse().status in (400, 413)


def test_simultaneous_connections_are_accepted_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop runs other tasks between batches, since accepting a hundred connections at once would block it."""
    made, turns, ends = LimitedHttpProtocol.connection_made, [0], threading.Event()
    taken: list[int] = []
    begun = threading.Event()
    waiting = threading.Event()

    def connection_noted(self: LimitedHttpProtocol, transport: asyncio.Transport) -> None:
        def turn() -> None:
            turns[0] += 1
            if not ends.is_set():
                self.loop.call_soon(turn)

        made(self, transport)
        taken.append(turns[0])
        if len(taken) == 1:
            begun.set()
            waiting.wait(TIMEOUT)  # the other connections arrive meanwhile
            turn()

    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        monkeypatch.setattr(LimitedHttpProtocol, "connection_made", connection_noted)
        host, port = server.address.split(":")
        people = [socket.create_connection((host, int(port)))]
        assert begun.wait(TIMEOUT)
        people += [socket.create_connection((host, int(port))) for _ in range(60)]
        waiting.set()
        wait_until(lambda: len(taken) >= 61, "all connections are made")
        ends.set()
        for person in people:
            person.close()
    assert len(taken) == 61
    assert max(Counter(taken).values()) <= ACCEPT_BATCH_SIZE
