"""What stays in memory when people have gone: nothing, also while Python looks for no circles."""

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

from dicemasters.server import app as addresses
from dicemasters.server.net.connection_limits import LimitedHttpProtocol, LimitedWebSocketProtocol
from dicemasters.server.websocket import ClientConnection
from dicemasters.service.drafts.draft_room import DraftRoom
from dicemasters.service.games.room import Room
from dicemasters.service.games.session import GameSession
from dicemasters.service.ports import RoomClient

PEOPLE = [{"kind": "person"}, {"kind": "person"}]
WATCHED = (ClientConnection, LimitedWebSocketProtocol, LimitedHttpProtocol, Room, GameSession, DraftRoom)


def _there() -> Counter[str]:
    """Count what is in memory of connections and games, used or not."""
    return Counter(kind.__name__ for x in gc.get_objects() for kind in WATCHED if issubclass(type(x), kind))


@contextmanager
def _no_collecting() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _wait_until_there_are(wanted: Counter[str], *names: str) -> None:
    """Wait until so many of these are in memory; what is not let go at once is not let go at all."""
    wait_until(
        lambda: not any(_there()[name] > wanted[name] for name in names),
        f"no more of {', '.join(names)} are in memory than {dict(wanted)}",
    )


def test_who_has_gone_leaves_nothing_behind(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        opened = server.open(seats=PEOPLE, seed=3)
        opened.join("A", "B").leave()
        server.http.close()  # the one connection that would stay
        with _no_collecting():
            before = _there()
            for _ in range(5):
                person = opened.join("A", "B")
                person.choose()
                person.send(type="play", version="nonsense")
                person.receive("refused")
                person.leave()
            _wait_until_there_are(before, "ClientConnection", "LimitedWebSocketProtocol", "LimitedHttpProtocol")


def test_who_goes_before_being_let_in_leaves_nothing_behind(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        opened = server.open(seats=PEOPLE, seed=3)
        server.http.close()
        with _no_collecting():
            before = _there()
            for _ in range(5):
                person = opened.join()
                person.socket.socket.close()
                person.leave()
            _wait_until_there_are(before, "ClientConnection", "LimitedWebSocketProtocol")


def test_who_goes_while_being_welcomed_is_not_there_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    join, gone, welcomed = Room.join, threading.Event(), threading.Event()

    async def join_late(room: Room, visitor: RoomClient) -> None:
        while not gone.is_set() or visitor in room.connections:
            await asyncio.sleep(0.01)
        await join(room, visitor)
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


def test_a_game_that_was_left_is_not_held_by_who_was_there(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, kept_games=1)) as server:
        server.open(seats=PEOPLE, seed=3).join("A", "B").leave()
        with _no_collecting():
            before = _there()
            for seed in range(6):
                person = server.open(seats=PEOPLE, seed=seed).join("A", "B")
                person.choose()
                person.leave()
            _wait_until_there_are(before + Counter(Room=1, GameSession=1), "Room", "GameSession")


def test_a_game_with_a_clock_is_let_go_too(tmp_path: Path) -> None:
    with (
        run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, kept_games=1)) as server,
        _no_collecting(),
    ):
        before = _there()
        for seed in range(4):
            server.open(seats=PEOPLE, seed=seed, clock={"choice": 86_400}).join("A", "B").leave()
        _wait_until_there_are(before + Counter(Room=2, GameSession=2), "Room", "GameSession")


def test_games_and_drafts_that_nobody_looks_at_are_forgotten_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "EVICTION_INTERVAL", 0.05)
    before = _there()
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, kept_seconds=0.2)) as server:
        opened = server.open(seats=PEOPLE, seed=3)
        person = opened.join("A", "B")
        person.choose()
        view = opened.view
        draft = server.http.post("/api/drafts", json={}).json()
        server.http.post(f"/api/drafts/{draft['draft']}/look", json={"secret": draft["chairs"]["A"]})
        assert _kept(server) == 1  # as long as somebody is there
        person.leave()
        with _no_collecting():
            wait_until(lambda: _kept(server) == 0, "the game is forgotten")
            _wait_until_there_are(before, "DraftRoom")
        assert opened.view == view


def _kept(server: LiveServer) -> int:
    lines = httpx.get(f"http://{server.address}/metrics", trust_env=False).text.splitlines()
    return int(float(next(line.split()[-1] for line in lines if line.startswith("dicemasters_kept_games"))))
