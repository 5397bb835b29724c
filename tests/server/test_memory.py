"""Memory after clients have gone: all their objects are freed, even without the cyclic garbage collector."""

import asyncio
import gc
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.support.live_server import GENEROUS_LIMITS, TIMEOUT, LiveServer, run_server, wait_until
from websockets.sync.client import connect

from dicemasters.server import app as app_module
from dicemasters.server.net.connection_limits import LimitedHttpProtocol, LimitedWebSocketProtocol
from dicemasters.server.websocket import ClientConnection
from dicemasters.service.drafts.draft_room import DraftRoom
from dicemasters.service.games.room import Room
from dicemasters.service.games.session import GameSession
from dicemasters.service.ports import RoomClient

PEOPLE = [{"kind": "person"}, {"kind": "person"}]
WATCHED = (ClientConnection, LimitedWebSocketProtocol, LimitedHttpProtocol, Room, GameSession, DraftRoom)


def _live_objects() -> Counter[str]:
    """Count the connection and game objects in memory, referenced or not."""
    return Counter(kind.__name__ for x in gc.get_objects() for kind in WATCHED if issubclass(type(x), kind))


@contextmanager
def _gc_disabled() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _wait_until_at_most(wanted: Counter[str], *names: str) -> None:
    """Wait until memory holds at most so many of these objects; without the collector, a leak never goes away."""
    wait_until(
        lambda: not any(_live_objects()[name] > wanted[name] for name in names),
        f"no more of {', '.join(names)} are in memory than {dict(wanted)}",
    )


def test_disconnected_clients_leave_no_objects(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        opened = server.open(seats=PEOPLE, seed=3)
        opened.join("A", "B").leave()
        server.http.close()  # the only connection that would stay open
        with _gc_disabled():
            before = _live_objects()
            for _ in range(5):
                person = opened.join("A", "B")
                person.choose()
                person.send(type="play", version="nonsense")
                person.receive("refused")
                person.leave()
            _wait_until_at_most(before, "ClientConnection", "LimitedWebSocketProtocol", "LimitedHttpProtocol")


def test_clients_that_leave_before_admission_leave_no_objects(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        opened = server.open(seats=PEOPLE, seed=3)
        server.http.close()
        with _gc_disabled():
            before = _live_objects()
            for _ in range(5):
                person = opened.join()
                person.socket.socket.close()
                person.leave()
            _wait_until_at_most(before, "ClientConnection", "LimitedWebSocketProtocol")


def test_client_that_leaves_during_the_welcome_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    join, gone, welcomed = Room.join, threading.Event(), threading.Event()

    async def join_late(room: Room, client: RoomClient) -> None:
        while not gone.is_set() or client in room.connections:
            await asyncio.sleep(0.01)
        await join(room, client)
        asyncio.get_running_loop().call_later(0.05, welcomed.set)

    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        opened = server.open(seats=PEOPLE, seed=3)
        monkeypatch.setattr(Room, "join", join_late)
        with connect(f"ws://{server.address}/api/games/{opened.game}/live", proxy=None) as socket:
            socket.send(json.dumps({"type": "hello", "secrets": [opened.seats["A"]]}))
            assert socket.ping().wait(TIMEOUT)
        gone.set()
        assert welcomed.wait(TIMEOUT)
        assert server.get(f"/api/games/{opened.game}")["meta"]["present"] == []


def test_evicted_games_are_not_kept_alive_by_former_clients(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, kept_games=1)) as server:
        server.open(seats=PEOPLE, seed=3).join("A", "B").leave()
        with _gc_disabled():
            before = _live_objects()
            for seed in range(6):
                person = server.open(seats=PEOPLE, seed=seed).join("A", "B")
                person.choose()
                person.leave()
            _wait_until_at_most(before + Counter(Room=1, GameSession=1), "Room", "GameSession")


def test_evicted_games_with_a_clock_are_freed(tmp_path: Path) -> None:
    with (
        run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, kept_games=1)) as server,
        _gc_disabled(),
    ):
        before = _live_objects()
        for seed in range(4):
            server.open(seats=PEOPLE, seed=seed, clock={"choice": 86_400}).join("A", "B").leave()
        _wait_until_at_most(before + Counter(Room=2, GameSession=2), "Room", "GameSession")


def test_idle_games_and_drafts_are_evicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "EVICTION_INTERVAL", 0.05)
    before = _live_objects()
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, kept_seconds=0.2)) as server:
        opened = server.open(seats=PEOPLE, seed=3)
        person = opened.join("A", "B")
        person.choose()
        view = opened.view
        draft = server.http.post("/api/drafts", json={}).json()
        server.http.post(f"/api/drafts/{draft['draft']}/look", json={"secret": draft["chairs"]["A"]})
        assert _kept_games(server) == 1  # kept while a client is connected
        person.leave()
        with _gc_disabled():
            wait_until(lambda: _kept_games(server) == 0, "the game is evicted")
            _wait_until_at_most(before, "DraftRoom")
        assert opened.view == view


def _kept_games(server: LiveServer) -> int:
    lines = httpx.get(f"http://{server.address}/metrics", trust_env=False).text.splitlines()
    return int(float(next(line.split()[-1] for line in lines if line.startswith("dicemasters_kept_games"))))
