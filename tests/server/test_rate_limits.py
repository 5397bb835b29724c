"""Floods from one address: each is bounded by itself, and others do not notice (tools.chaos.abuse_test measures more)."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import queue
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar, copy_context
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from tests.support.live_server import (
    GENEROUS_LIMITS,
    TIMEOUT,
    LiveServer,
    OpenedGame,
    join_threads,
    run_server,
    wait_until,
)
from tools.chaos.abuse_test import ATTACKS, AttackTarget, frame
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from dicemasters.server import rate_limiter as rate_limiter_module
from dicemasters.server.net.connection_limits import MAX_FRAMES, ConnectionLimiter
from dicemasters.server.rate_limiter import CpuBudget, NetworkSet, run_metered, start_metered
from dicemasters.service.limits import Limits
from dicemasters.service.token_bucket import TokenBucket

PEOPLE = [{"kind": "person"}, {"kind": "person"}]
BOTS = [{"kind": "player"}, {"kind": "player"}]


def live_by_hand(server: LiveServer, opened: OpenedGame, *, reads: int = 0) -> socket.socket:
    """Open a live socket whose frames one writes oneself."""
    host, port = server.address.split(":")
    made = socket.socket()
    if reads:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, reads)
    made.settimeout(TIMEOUT)
    made.connect((host, int(port)))
    key = base64.b64encode(os.urandom(16)).decode()
    head = f"GET /api/games/{opened.game}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    made.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
    assert b" 101 " in made.recv(100)
    made.sendall(frame(b'{"type":"hello"}'))
    return made


def read_until_cut(made: socket.socket) -> None:
    """Read until the server ends the connection; fail if it never does."""
    with contextlib.suppress(ConnectionError):
        while made.recv(1 << 16):
            pass


def send_until_cut(made: socket.socket, data: bytes) -> None:
    """Send the same again and again, and read nothing, until the server ends the connection; fail if it never does."""
    end = time.monotonic() + TIMEOUT
    with contextlib.suppress(ConnectionError):
        while time.monotonic() < end:
            made.sendall(data)  # waits as long as nothing is taken
        raise AssertionError("the connection was not cut")


def test_a_message_of_endless_pieces_is_cut(server: LiveServer) -> None:
    made = live_by_hand(server, server.open(seats=PEOPLE, seed=1))
    made.sendall(frame(b"{", 1, last=False) + frame(b"", 0, last=False) * (MAX_FRAMES + 1))
    read_until_cut(made)


def test_pings_of_somebody_who_does_not_read_are_cut(server: LiveServer) -> None:
    made = live_by_hand(server, server.open(seats=PEOPLE, seed=1), reads=4096)
    send_until_cut(made, frame(b"x" * 125, 9) * 2000)


def test_somebody_who_never_reads_is_sent_away_and_the_game_goes_on(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, unread_messages=20)) as server:
        opened = server.open(seats=PEOPLE, format="tournament", seed=3, life=99)
        other = opened.join("A", "B")
        deaf = live_by_hand(server, opened, reads=4096)
        while other.meta["watchers"] == 0:
            other.receive("meta")
        # each choice is made after the one before was read, so that only the deaf one lags behind
        for number in range(5000):
            other.choose(number)
            if other.meta["watchers"] == 0:
                break
        assert other.meta["watchers"] == 0
        other.choose()
        deaf.close()


def test_live_sockets_count_as_requests(tmp_path: Path) -> None:
    with run_server(
        f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, requests_per_second=0, request_burst=3)
    ) as server:
        opened = server.open(seats=PEOPLE, seed=1)
        url = f"ws://{server.address}/api/games/{opened.game}/live"
        with connect(url, proxy=None), connect(url, proxy=None), pytest.raises(InvalidStatus), connect(url, proxy=None):
            pass


def test_a_class_behind_one_address_gets_the_whole_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the usual limits: thirty browsers that were never here, each with six connections for forty files."""
    # every step costs the same, whatever the machine; there are about as many to read as to answer requests
    monkeypatch.setattr(CpuBudget, "charge", lambda account, _: account._bucket.charge(0.0003))
    limits = replace(Limits(), header_seconds=600, body_seconds=600, request_seconds=600)

    async def browse(home: str) -> set[int]:
        places = httpx.Limits(max_connections=6, keepalive_expiry=None)
        async with httpx.AsyncClient(base_url=home, timeout=TIMEOUT, trust_env=False, limits=places) as one:
            return {answer.status_code for answer in await asyncio.gather(*(one.get("/icon.svg") for _ in range(40)))}

    async def arrive(home: str) -> set[int]:
        return set().union(*await asyncio.gather(*(browse(home) for _ in range(30))))

    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        assert asyncio.run(arrive(f"http://{server.address}")) <= {200, 404}  # 404 where no page is built
        assert server.get("/api/alive")["status"] == "ok"  # what is asked of the table is counted apart


def test_files_have_an_end_too_and_leave_the_table_alone(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, files_per_second=0, file_burst=3)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        assert [server.http.get("/icon.svg").status_code == 429 for _ in range(5)] == [False] * 3 + [True] * 2
        assert server.get("/api/alive")["status"] == "ok"


def test_an_address_comes_only_so_often() -> None:
    crowd = ConnectionLimiter(Limits(requests_per_second=0, request_burst=2), NetworkSet("10.0.0.1"))
    came = []
    for _ in range(10):
        came.append(crowd.acquire("192.0.2.1"))
        if came[-1]:
            crowd.release("192.0.2.1")
    assert came == [True] * 8 + [False] * 2
    assert all(crowd.acquire("10.0.0.1") for _ in range(6))  # a proxy speaks for many


def stop_the_clock(account: CpuBudget) -> list[float]:
    """Let an account have a clock that stands still; return its time, for the test to set."""
    now = [0.0]
    account._bucket = TokenBucket(account._bucket.rate, account._bucket.burst, lambda: now[0])
    return now


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[CpuBudget]:
    """Note every time that an account looks whether the next in its line may come."""
    looked: list[CpuBudget] = []
    look = CpuBudget._run_next

    def noted(account: CpuBudget) -> None:
        looked.append(account)
        look(account)

    monkeypatch.setattr(CpuBudget, "_run_next", noted)
    return looked


def test_whoever_has_asked_for_much_waits(tmp_path: Path, turns: list[CpuBudget]) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, effort_burst=1)) as server:
        account: CpuBudget = server.state.websocket_endpoint.cpu_budgets.of("127.0.0.1")
        now = stop_the_clock(account)
        assert server.http.get("/api/rules").status_code == 200
        account.charge(2)
        answers: queue.SimpleQueue[int] = queue.SimpleQueue()
        asking = threading.Thread(target=lambda: answers.put(server.http.get("/api/rules").status_code))
        asking.start()
        wait_until(lambda: turns.count(account) >= 20, "the request waits for its turn")
        assert answers.empty()
        now[0] += 1
        assert answers.get(timeout=TIMEOUT) == 200
        join_threads(asking)


# --- accounts ------------------------------------------------------------------------------------------------------


class Effort:
    """The processor time of the thread that does the work, as the test sets it."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def take(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture
def effort(monkeypatch: pytest.MonkeyPatch) -> Effort:
    made = Effort()
    monkeypatch.setattr(rate_limiter_module, "time", SimpleNamespace(thread_time=lambda: made.seconds))
    return made


def test_work_is_put_on_the_account_step_by_step_with_what_it_gives_and_raises(effort: Effort) -> None:
    async def work(seconds: float, steps: int) -> str:
        for _ in range(steps):
            effort.take(seconds)
            await asyncio.sleep(0)
        return "done"

    async def check() -> None:
        account = CpuBudget(0.0, 0.05)
        assert await run_metered(work(0.005, 4), account) == "done"
        assert account._bucket._tokens == pytest.approx(0.03)
        waits: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        waiting = asyncio.ensure_future(run_metered(waits, account))
        await work(1.0, 3)  # by others
        waits.set_result("waiting costs nothing")
        assert await waiting == "waiting costs nothing"
        assert account._bucket._tokens == pytest.approx(0.03)
        never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run_metered(never, account), 0.01)
        assert not account.is_exhausted
        assert await run_metered(work(0.01, 4), account) == "done"
        assert account.is_exhausted

    asyncio.run(check())


def test_what_needs_no_waiting_is_done_without_a_task_and_the_rest_goes_on_as_one(effort: Effort) -> None:
    said: ContextVar[str] = ContextVar("said", default="")
    done: list[object] = []

    async def do(seconds: float, waits: asyncio.Future[str] | None = None) -> None:
        effort.take(seconds)
        said.set(said.get() + "x")
        try:
            done.append(await waits if waits is not None else "at once")
        except ValueError as error:
            done.append(str(error))
        done.append(said.get())

    async def check() -> None:
        account, context, loop = CpuBudget(0.0, 0.05), copy_context(), asyncio.get_running_loop()
        assert start_metered(do(0.0), account, context) is None
        assert done == ["at once", "x"]
        waits: asyncio.Future[str] = loop.create_future()
        task = start_metered(do(0.0, waits), account, context)
        assert task is not None
        assert done == ["at once", "x"]
        waits.set_result("later")
        await task
        assert done[2:] == ["later", "xx"]
        fails: asyncio.Future[str] = loop.create_future()
        task = start_metered(do(0.0, fails), account, context)
        assert task is not None
        fails.set_exception(ValueError("never"))
        await task
        assert done[4:] == ["never", "xxx"]
        task = start_metered(do(0.0, loop.create_future()), account, context)
        assert task is not None
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert said.get() == ""  # all of it was said in the other context
        assert not account.is_exhausted
        assert start_metered(do(0.06), account, context) is None
        assert account.is_exhausted

    asyncio.run(check())


def test_those_who_wait_come_one_by_one_in_order(turns: list[CpuBudget]) -> None:
    async def check() -> None:
        account = CpuBudget(100.0, 0.01)
        now = stop_the_clock(account)
        account.charge(0.05)
        came: list[int] = []

        async def one(number: int) -> None:
            await account.wait_in_queue()
            came.append(number)
            account.charge(0.02)

        async def look_again() -> None:
            """Wait until the account has looked some more times whether somebody may come."""
            wanted = len(turns) + 3
            async with asyncio.timeout(TIMEOUT):
                while len(turns) < wanted:
                    await asyncio.sleep(0.001)

        waiting = [asyncio.ensure_future(one(number)) for number in range(5)]
        for number in range(5):
            await look_again()
            assert came == list(range(number))  # each has to wait for what those before it have taken
            now[0] += 0.001
        await asyncio.gather(*waiting)
        assert came == list(range(5))
        given_up = asyncio.ensure_future(one(9))
        last = asyncio.ensure_future(one(6))
        await look_again()
        given_up.cancel()
        now[0] += 0.001
        await asyncio.wait_for(last, TIMEOUT)
        assert came[5:] == [6]

    asyncio.run(check())


# --- each attack for a moment --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tiny frames", "pings", "dripping bodies", "reconnects", "big frames"])
def test_people_play_on_under_a_flood(tmp_path: Path, name: str) -> None:
    """With the usual limits; how long moves take then is measured by the command, on a quiet machine."""
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", Limits()) as server:
        opened = server.open(seats=PEOPLE, seed=1, life=50)
        person = opened.join("A", "B")
        attack: Callable[[AttackTarget], Awaitable[None]] = ATTACKS[name]
        target = AttackTarget(server.address, opened.game)

        async def flood_and_play() -> None:
            attacking = asyncio.ensure_future(attack(target))
            async with asyncio.timeout(TIMEOUT):
                while not target.outcomes and not attacking.done():
                    await asyncio.sleep(0.01)
            for number in range(12):
                await asyncio.to_thread(person.choose, number)
            assert not attacking.done()
            attacking.cancel()

        asyncio.run(flood_and_play())
        assert person.view["version"] >= 12
