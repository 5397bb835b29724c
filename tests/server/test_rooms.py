"""Rooms: one per game, consistent with the store; claims, clocks and expiry."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest
from tests.support.live_server import (
    GENEROUS_LIMITS,
    TIMEOUT,
    LiveClient,
    LiveServer,
    OpenedGame,
    join_threads,
    run_server,
    wait_until,
)
from websockets.exceptions import ConnectionClosed

from dicemasters.game.decision import FairDiceNeededError
from dicemasters.game.fair_dice import HashChain
from dicemasters.server.storage import sql_store as sql_store_module
from dicemasters.server.storage.sql_store import SqlGameStore
from dicemasters.service.games import registry as registry_module
from dicemasters.service.games import room as room_module
from dicemasters.service.games.choices import apply_choice
from dicemasters.service.games.game_setup import ClockOptions, StoredSeat, StoredSetup
from dicemasters.service.games.session import GameSession
from dicemasters.service.games.stored_events import StorageError, StoredEvent

PEOPLE = [{"kind": "person"}, {"kind": "person"}]


def start(server: LiveServer, **wanted: object) -> OpenedGame:
    return server.open(seats=PEOPLE, seed=1, first="A", **wanted)


def bye_reason(person: LiveClient) -> str:
    reason: str = person.receive("bye")["reason"]
    return reason


# --- storage that stalls or is lost --------------------------------------------------------------------------------


def test_clients_share_one_room_after_a_database_stall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite"
    insert, writing, stall_over = SqlGameStore._insert, threading.Event(), threading.Event()

    def insert_after_a_stall(storage: SqlGameStore, jobs: list[Any]) -> bool:
        writing.set()
        assert stall_over.wait(TIMEOUT)
        return insert(storage, jobs)

    monkeypatch.setattr(sql_store_module, "SQLITE_SECONDS", 0.2)
    with run_server(f"sqlite:///{path}") as server:
        opened = start(server)
        a, b = opened.join("A"), opened.join("B")
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("begin exclusive")
        monkeypatch.setattr(SqlGameStore, "_insert", insert_after_a_stall)
        a.send(type="play", version=a.view["version"], choice={"option": 0})
        assert writing.wait(TIMEOUT)  # the choice is being stored, and the room is locked
        b.leave()
        (room,) = server.state.rooms.live
        wait_until(lambda: len(room.connections) == 1, "B has left")
        late: list[LiveClient] = []

        def rejoin() -> None:
            with contextlib.suppress(ConnectionClosed, EOFError):
                late.append(opened.join("B"))

        rejoining = threading.Thread(target=rejoin)  # while the database stalls
        rejoining.start()
        wait_until(lambda: len(room.connections) == 2, "B reconnects")
        stall_over.set()
        assert bye_reason(a) == "the server could not store what happened; come back in a moment"
        blocker.execute("rollback")
        blocker.close()
        join_threads(rejoining)
        # B was disconnected like the others or, if later, joined the new room; never the closed one
        a, b = opened.join("A"), late[0] if late else opened.join("B")
        a.choose()
        b.receive("view")
        assert b.view["version"] == a.view["version"]


def test_deleted_or_replaced_database_file_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with run_server(f"sqlite:///{path}") as server:
        opened = start(server)
        a = opened.join("A")
        assert server.http.get("/api/health").status_code == 200
        os.rename(path, tmp_path / "elsewhere")
        assert server.http.get("/api/health").status_code == 503
        a.send(type="play", version=a.view["version"], choice={"option": 0})
        assert bye_reason(a) == "the server could not store what happened; come back in a moment"
        assert server.http.post("/api/games", json={}).status_code == 503
        path.write_bytes((tmp_path / "elsewhere").read_bytes())
        assert server.http.get("/api/health").status_code == 503
        os.rename(tmp_path / "elsewhere", path)
        assert server.http.get("/api/health").status_code == 200
        opened.join("A").choose()


def test_second_server_on_one_sqlite_file_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    one = SqlGameStore(url)
    one.acquire_exclusive_lock()
    with pytest.raises(StorageError, match="another server uses"):
        SqlGameStore(url).acquire_exclusive_lock()
    command = [sys.executable, "-m", "dicemasters", "serve", "--no-browser", "--port", "0", "--db", url]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert ended.returncode != 0
    assert "another server uses" in ended.stderr
    assert "Traceback" not in ended.stderr


# --- abandoned games and clocks ------------------------------------------------------------------------------------


class Later(datetime):
    """A clock that is 700 seconds ahead."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Later:
        return super().now(tz) + timedelta(seconds=700)


def test_win_is_claimed_when_the_opponent_stays_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, claim_seconds=600.0)) as server:
        opened = start(server)
        a, b = opened.join("A"), opened.join("B")
        a.send(type="claim")
        assert a.receive("refused")["reason"] == "B is here"
        b.leave()
        while "B" in a.receive("meta")["meta"]["present"]:
            pass
        a.send(type="claim")
        while a.meta["claim"] is None:
            a.receive("meta")
        assert a.meta["claim"]["by"] == "A"
        b = opened.join("B")  # reconnecting cancels the claim
        while a.meta["claim"] is not None:
            a.receive("meta")
        b.leave()
        while "B" in a.receive("meta")["meta"]["present"]:
            pass
        a.send(type="claim")
        a.receive("meta")
        a.send(type="claim")
        assert "seconds more to come back" in a.receive("refused")["reason"]
        monkeypatch.setattr(room_module, "datetime", Later)
        a.send(type="claim")
        a.receive("view")
        assert a.view["result"]["text"] == "A wins: B did not come back"
        watcher = opened.join()
        watcher.send(type="claim")
        assert watcher.receive("refused")["reason"] == "you are watching, not playing"


def test_all_players_see_the_clocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FrozenTime(datetime):
        """A frozen clock that the test advances."""

        passed = timedelta(0)

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> FrozenTime:
            return cls(2026, 1, 1, tzinfo=tz) + cls.passed

    monkeypatch.setattr(room_module, "datetime", FrozenTime)
    for module in (room_module, registry_module):
        monkeypatch.setattr(module, "utc_now", lambda: FrozenTime.now(UTC).isoformat(timespec="milliseconds"))
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        opened = start(server, clock={"minutes": 0.5, "choice": 5})
        a, b = opened.join("A"), opened.join("B")
        a.choose()
        a.receive("meta")
        FrozenTime.passed += timedelta(seconds=4)
        a.choose()
        a.receive("meta")
        assert a.meta["clock"] == {"left": {"A": 26, "B": 30}, "running": a.view["decision"]["seat"], "seconds": 5}
        while b.meta["clock"] != a.meta["clock"]:
            b.receive("meta")


def test_alarm_ends_a_game_on_time_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicemasters.service.games.room.RELOAD_GRACE", timedelta(0))
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        opened = start(server, clock={"choice": 5})
        a = opened.join("A")
        monkeypatch.setattr(
            GameSession, "deadline", property(lambda self: self.decision_since if self.deciding_seat == "A" else None)
        )
        a.choose()
        while a.view["result"] is None:
            a.receive("view")
        assert a.view["result"]["text"] == "B wins: A ran out of time"


def at(seconds: float) -> str:
    return (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def decider(match: GameSession) -> str | None:
    return match.deciding_seat


def clock_runs(match: GameSession) -> bool:
    return match.deadline is not None


def test_clock_runs_for_the_deciding_player_with_an_increment_per_turn() -> None:
    people = [StoredSeat(hash="a"), StoredSeat(hash="b")]
    clock = ClockOptions(minutes=1, increment=7)
    setup = StoredSetup(edition="ai", teams=[[], []], life=10, first="A", seats=people, clock=clock, dice="chains")
    match = GameSession(setup, "00" * 32)
    chains = {"A": HashChain(), "B": HashChain()}
    assert match.deadline is None

    def apply_event(kind: str, seconds: float, **data: object) -> None:
        match.apply(StoredEvent(match.version + 1, kind, at(seconds), json.dumps(data)))

    for seat, chain in chains.items():
        apply_event("seat", 0, seats=seat, anchor=chain.anchor)
    for seat, chain in chains.items():
        apply_event("part", 100, seat=seat, chain=seat, at=1, link=chain.link(1))
    assert match.deciding_seat == "A"
    before = dict(match.seconds_left)
    assert match.deadline == datetime.fromisoformat(at(100 + before["A"]))
    now, word = 100.0, "00" * 16
    while decider(match) == "A":
        now += 5
        option = len(match.game.state.options) - 1
        try:
            apply_event("play", now, seat="A", texts=apply_choice(match.game, {"option": option}).texts, word=word)
        except FairDiceNeededError as error:
            apply_event("choice", now, seat="A", choice={"option": option}, texts=error.args, word=word)
            assert not clock_runs(match)  # no clock runs while the throw waits for the other player's part
            part = {"seat": "B", "chain": "B", "at": 2, "link": chains["B"].link(2)}
            made = apply_choice(match.game, {"option": option}, ready=match.throw_after("part", part))
            apply_event("part", now + 50, **part, texts=made.texts)
    assert match.seconds_left["A"] == before["A"] - (now - 100)
    assert match.seconds_left["B"] in (60, 67)
    now += 50
    assert match.deadline == datetime.fromisoformat(at(now + match.seconds_left["B"]))
    apply_event("flag", now + 90, seat="B")
    assert str(match.result) == "A wins: B ran out of time"


def test_expired_games_are_deleted_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with run_server(f"sqlite:///{path}") as server:
        old, active, recent = start(server), start(server), start(server)
        for opened in (old, active):
            opened.join("A").choose()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for opened in (old, active):
            connection.execute(
                "update games set created = ? where id = ?", ("2020-01-01T00:00:00.000+00:00", opened.game)
            )
        connection.execute("update events set at = ? where game = ?", ("2020-01-02T00:00:00.000+00:00", old.game))
    with run_server(f"sqlite:///{path}", expire_days=30) as server:
        address = f"/api/games/{old.game}"
        wait_until(lambda: server.http.get(address).status_code == 404, "the old game is deleted")
        codes = [server.http.get(f"/api/games/{opened.game}").status_code for opened in (old, active, recent)]
        assert codes == [404, 200, 200]
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select count(*) from events where game = ?", (old.game,)).fetchone() == (0,)
