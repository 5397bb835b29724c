"""Floods from one address are bounded and do not affect others (tools.chaos.abuse_test measures more)."""

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


def open_raw_socket(server: LiveServer, opened: OpenedGame, *, reads: int = 0) -> socket.socket:
    """Open a live socket on which the test writes its own frames."""
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


def read_until_closed(made: socket.socket) -> None:
    """Read until the server ends the connection; fail if it never does."""
    with contextlib.suppress(ConnectionError):
        while made.recv(1 << 16):
            pass


def send_until_closed(made: socket.socket, data: bytes) -> None:
    """Send the same data repeatedly without reading until the server ends the connection; fail if it never does."""
    end = time.monotonic() + TIMEOUT
    with contextlib.suppress(ConnectionError):
        while time.monotonic() < end:
            made.sendall(data)  # blocks while the server reads nothing
        raise AssertionError("the connection was not closed")


def test_message_with_too_many_fragments_is_closed(server: LiveServer) -> None:
    made = open_raw_socket(server, server.open(seats=PEOPLE, seed=1))
    made.sendall(frame(b"{", 1, last=False) + frame(b"", 0, last=False) * (MAX_FRAMES + 1))
    read_until_closed(made)


def test_ping_flood_from_a_client_that_never_reads_is_closed(server: LiveServer) -> None:
    made = open_raw_socket(server, server.open(seats=PEOPLE, seed=1), reads=4096)
    send_until_closed(made, frame(b"x" * 125, 9) * 2000)


def test_client_that_never_reads_is_disconnected_and_the_game_continues(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, unread_messages=20)) as server:
        opened = server.open(seats=PEOPLE, format="tournament", seed=3, life=99)
        other = opened.join("A", "B")
        unread = open_raw_socket(server, opened, reads=4096)
        while other.meta["watchers"] == 0:
            other.receive("meta")
        # each choice waits for the previous view, so that only the client that never reads lags behind
        for number in range(5000):
            other.choose(number)
            if other.meta["watchers"] == 0:
                break
        assert other.meta["watchers"] == 0
        other.choose()
        unread.close()


def test_live_sockets_count_as_requests(tmp_path: Path) -> None:
    with run_server(
        f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, requests_per_second=0, request_burst=3)
    ) as server:
        opened = server.open(seats=PEOPLE, seed=1)
        url = f"ws://{server.address}/api/games/{opened.game}/live"
        with connect(url, proxy=None), connect(url, proxy=None), pytest.raises(InvalidStatus), connect(url, proxy=None):
            pass


def test_classroom_behind_one_address_loads_the_whole_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With default limits: thirty new browsers, each with six connections for forty files."""
    # Every step costs the same on any machine. Reading a request takes about as many steps as answering it.
    monkeypatch.setattr(CpuBudget, "charge", lambda budget, _: budget._bucket.charge(0.0003))
    limits = replace(Limits(), header_seconds=600, body_seconds=600, request_seconds=600)

    async def browse(home: str) -> set[int]:
        places = httpx.Limits(max_connections=6, keepalive_expiry=None)
        async with httpx.AsyncClient(base_url=home, timeout=TIMEOUT, trust_env=False, limits=places) as one:
            return {answer.status_code for answer in await asyncio.gather(*(one.get("/icon.svg") for _ in range(40)))}

    async def arrive(home: str) -> set[int]:
        return set().union(*await asyncio.gather(*(browse(home) for _ in range(30))))

    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        assert asyncio.run(arrive(f"http://{server.address}")) <= {200, 404}  # 404 if the page is not built
        assert server.get("/api/alive")["status"] == "ok"  # the API has a separate budget


def test_static_file_limit_does_not_affect_the_api(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, files_per_second=0, file_burst=3)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        assert [server.http.get("/icon.svg").status_code == 429 for _ in range(5)] == [False] * 3 + [True] * 2
        assert server.get("/api/alive")["status"] == "ok"


def test_connections_per_address_are_rate_limited_except_for_proxies() -> None:
    limiter = ConnectionLimiter(Limits(requests_per_second=0, request_burst=2), NetworkSet("10.0.0.1"))
    admitted = []
    for _ in range(10):
        admitted.append(limiter.acquire("192.0.2.1"))
        if admitted[-1]:
            limiter.release("192.0.2.1")
    assert admitted == [True] * 8 + [False] * 2
    assert all(limiter.acquire("10.0.0.1") for _ in range(6))  # a proxy stands for many clients


def freeze_clock(budget: CpuBudget) -> list[float]:
    """Freeze a budget's clock; return its time, which the test may change."""
    now = [0.0]
    budget._bucket = TokenBucket(budget._bucket.rate, budget._bucket.burst, lambda: now[0])
    return now


@pytest.fixture
def queue_checks(monkeypatch: pytest.MonkeyPatch) -> list[CpuBudget]:
    """Return the budgets that checked their queue, once per check."""
    checks: list[CpuBudget] = []
    run_next = CpuBudget._run_next

    def run_next_and_note(budget: CpuBudget) -> None:
        checks.append(budget)
        run_next(budget)

    monkeypatch.setattr(CpuBudget, "_run_next", run_next_and_note)
    return checks


def test_request_waits_while_its_cpu_budget_is_exhausted(tmp_path: Path, queue_checks: list[CpuBudget]) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, effort_burst=1)) as server:
        budget: CpuBudget = server.state.websocket_endpoint.cpu_budgets.of("127.0.0.1")
        now = freeze_clock(budget)
        assert server.http.get("/api/rules").status_code == 200
        budget.charge(2)
        answers: queue.SimpleQueue[int] = queue.SimpleQueue()
        asking = threading.Thread(target=lambda: answers.put(server.http.get("/api/rules").status_code))
        asking.start()
        wait_until(lambda: queue_checks.count(budget) >= 20, "the request waits in the queue")
        assert answers.empty()
        now[0] += 1
        assert answers.get(timeout=TIMEOUT) == 200
        join_threads(asking)


# --- budgets -------------------------------------------------------------------------------------------------------


class Effort:
    """The CPU time of the working thread, controlled by the test."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def spend(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture
def effort(monkeypatch: pytest.MonkeyPatch) -> Effort:
    made = Effort()
    monkeypatch.setattr(rate_limiter_module, "time", SimpleNamespace(thread_time=lambda: made.seconds))
    return made


def test_metered_work_charges_each_step_and_keeps_results_and_errors(effort: Effort) -> None:
    async def work(seconds: float, steps: int) -> str:
        for _ in range(steps):
            effort.spend(seconds)
            await asyncio.sleep(0)
        return "done"

    async def check() -> None:
        budget = CpuBudget(0.0, 0.05)
        assert await run_metered(work(0.005, 4), budget) == "done"
        assert budget._bucket._tokens == pytest.approx(0.03)
        waits: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        waiting = asyncio.ensure_future(run_metered(waits, budget))
        await work(1.0, 3)  # work of other tasks
        waits.set_result("waiting costs nothing")
        assert await waiting == "waiting costs nothing"
        assert budget._bucket._tokens == pytest.approx(0.03)
        never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run_metered(never, budget), 0.01)
        assert not budget.is_exhausted
        assert await run_metered(work(0.01, 4), budget) == "done"
        assert budget.is_exhausted

    asyncio.run(check())


def test_metered_work_becomes_a_task_only_if_it_waits(effort: Effort) -> None:
    words: ContextVar[str] = ContextVar("words", default="")
    done: list[object] = []

    async def do(seconds: float, waits: asyncio.Future[str] | None = None) -> None:
        effort.spend(seconds)
        words.set(words.get() + "x")
        try:
            done.append(await waits if waits is not None else "at once")
        except ValueError as error:
            done.append(str(error))
        done.append(words.get())

    async def check() -> None:
        budget, context, loop = CpuBudget(0.0, 0.05), copy_context(), asyncio.get_running_loop()
        assert start_metered(do(0.0), budget, context) is None
        assert done == ["at once", "x"]
        waits: asyncio.Future[str] = loop.create_future()
        task = start_metered(do(0.0, waits), budget, context)
        assert task is not None
        assert done == ["at once", "x"]
        waits.set_result("later")
        await task
        assert done[2:] == ["later", "xx"]
        fails: asyncio.Future[str] = loop.create_future()
        task = start_metered(do(0.0, fails), budget, context)
        assert task is not None
        fails.set_exception(ValueError("never"))
        await task
        assert done[4:] == ["never", "xxx"]
        task = start_metered(do(0.0, loop.create_future()), budget, context)
        assert task is not None
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert words.get() == ""  # all words were set in the other context
        assert not budget.is_exhausted
        assert start_metered(do(0.06), budget, context) is None
        assert budget.is_exhausted

    asyncio.run(check())


def test_waiting_work_runs_in_queue_order(queue_checks: list[CpuBudget]) -> None:
    async def check() -> None:
        budget = CpuBudget(100.0, 0.01)
        now = freeze_clock(budget)
        budget.charge(0.05)
        admitted: list[int] = []

        async def one(number: int) -> None:
            await budget.wait_in_queue()
            admitted.append(number)
            budget.charge(0.02)

        async def wait_for_queue_checks() -> None:
            """Wait until the budget has checked its queue a few more times."""
            wanted = len(queue_checks) + 3
            async with asyncio.timeout(TIMEOUT):
                while len(queue_checks) < wanted:
                    await asyncio.sleep(0.001)

        waiting = [asyncio.ensure_future(one(number)) for number in range(5)]
        for number in range(5):
            await wait_for_queue_checks()
            assert admitted == list(range(number))  # each waits for the cost of those before it
            now[0] += 0.001
        await asyncio.gather(*waiting)
        assert admitted == list(range(5))
        given_up = asyncio.ensure_future(one(9))
        last = asyncio.ensure_future(one(6))
        await wait_for_queue_checks()
        given_up.cancel()
        now[0] += 0.001
        await asyncio.wait_for(last, TIMEOUT)
        assert admitted[5:] == [6]

    asyncio.run(check())


# --- a short run of each attack ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tiny frames", "pings", "dripping bodies", "reconnects", "big frames"])
def test_game_continues_under_a_flood(tmp_path: Path, name: str) -> None:
    """With default limits; the command measures move times on a quiet machine."""
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
