"""Sandboxed work on untrusted input: CPU budget per client, time limits, and the choice rate of bot games."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.in_memory_rooms import TWO_BOTS, Browser, MemoryStore, Table
from tests.support.live_server import GENEROUS_LIMITS, TIMEOUT, run_server

from dicemasters.server.workers import sandbox
from dicemasters.server.workers.sandbox import CLIENT, MeteredExecutor, SandboxPool
from dicemasters.server.workers.server_services import ServerServices
from dicemasters.service.games.registry import RoomRegistry
from dicemasters.service.limits import Limits
from dicemasters.service.token_bucket import RateLimitedError, TokenBucket

RELAXED_LIMITS = replace(Limits(), work_seconds=600.0, work_burst=10_000.0)  # enough for any machine
POSITION = "edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@1\nturn: 5, A, main\n"


def test_sandbox_runs_jobs_reports_errors_and_survives_a_kill() -> None:
    async def jobs() -> None:
        pool = SandboxPool(RELAXED_LIMITS, MeteredExecutor(RELAXED_LIMITS), 1)
        found = await pool.run("position", text=POSITION)
        assert found["view"]["decision"]["seat"] == "A"
        with pytest.raises(ValueError, match="line 1: expected a number from 1 to 99"):
            await pool.run("position", text="life: ²")
        process = pool._workers[0]._process
        assert process is not None
        assert os.getpriority(os.PRIO_PROCESS, process.pid) >= 10
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(ValueError, match=r"this takes too much memory|cannot be worked out"):
            await pool.run("position", text=POSITION)
        assert await pool.run("position", text=POSITION) == found  # in a new process
        await pool.close()

    asyncio.run(jobs())


def test_job_over_its_time_limit_is_killed() -> None:
    async def jobs() -> None:
        pool = SandboxPool(replace(Limits(), work_seconds=0.05), MeteredExecutor(Limits()), 1)
        worker = pool._workers[0]
        process = await worker._ensure_started()
        os.kill(process.pid, signal.SIGSTOP)  # simulates an endless job
        with pytest.raises(ValueError, match="this takes too long"):
            await pool.run("position", text=POSITION)
        assert process.returncode is not None
        await pool.close()

    asyncio.run(jobs())


class FakeThreadTime:
    """Replacement for the module `time`: each call of `thread_time` advances by `seconds`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._now = 0.0

    def thread_time(self) -> float:
        self._now += self.seconds
        return self._now


def test_client_over_its_budget_is_limited_while_others_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    async def exceed_budget() -> None:
        executor = MeteredExecutor(replace(Limits(), work_per_second=0.0, work_burst=0.1))
        done: list[str] = []
        CLIENT.set("one")
        for _ in range(3):  # the third run exhausts the budget
            await executor.run_for_client(done.append, "one")
        with pytest.raises(RateLimitedError):
            await executor.run_for_client(done.append, "one")
        CLIENT.set("two")
        await executor.run_for_client(done.append, "two")
        assert done == ["one"] * 3 + ["two"]

    async def jobs() -> None:
        pool = SandboxPool(RELAXED_LIMITS, MeteredExecutor(RELAXED_LIMITS), 1)
        several = (pool.run("position", text=POSITION) for _ in range(sandbox.MAX_JOBS_PER_CLIENT + 1))
        answers = await asyncio.gather(*several, return_exceptions=True)
        assert [isinstance(answer, RateLimitedError) for answer in answers].count(True) == 1
        await pool.close()

    with monkeypatch.context() as patch:
        patch.setattr(sandbox, "time", FakeThreadTime(0.04))
        asyncio.run(exceed_budget())
    asyncio.run(jobs())


def test_closing_the_pool_ends_running_jobs() -> None:
    async def jobs() -> None:
        pool = SandboxPool(RELAXED_LIMITS, MeteredExecutor(RELAXED_LIMITS), 1)
        process = await pool._workers[0]._ensure_started()
        os.kill(process.pid, signal.SIGSTOP)  # simulates an endless job
        tasks = [asyncio.create_task(pool.run("position", text=POSITION)) for _ in range(3)]
        while pool.stats != {"running": 1, "working": 1, "wanted": 3}:
            await asyncio.sleep(0)
        await pool.close()
        answers = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), TIMEOUT)
        assert all(isinstance(answer, Exception) for answer in answers)

    asyncio.run(jobs())


def test_address_over_its_work_limit_gets_429(tmp_path: Path) -> None:
    # the budget never refills, and one text exceeds it on any machine
    limits = replace(GENEROUS_LIMITS, work_per_second=0.0, work_burst=0.001)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        codes = [server.http.post("/api/positions", json={"text": POSITION}).status_code for _ in range(2)]
        assert codes == [200, 429]


class TicketBucket(TokenBucket):
    """A token bucket that the test refills."""

    def __init__(self) -> None:
        super().__init__(0.0, 1e9)
        self._tokens = 0.0
        self.requests = 0

    def acquire(self) -> bool:
        self.requests += 1
        return super().acquire()

    def add(self, number: int) -> None:
        self._tokens += number

    @property
    def is_empty(self) -> bool:
        return self._tokens < 1


async def _wait_for_requests(tickets: TicketBucket, times: int) -> None:
    """Wait for this many more requests for a ticket."""
    wanted = tickets.requests + times
    async with asyncio.timeout(TIMEOUT):
        while tickets.requests < wanted:
            await asyncio.sleep(0.001)


def test_games_between_bots_share_one_choice_rate() -> None:
    """Together they make exactly as many choices as there are tickets."""

    async def play() -> None:
        table, tickets = Table(), TicketBucket()
        table.rooms._bot_bucket = tickets
        rooms = []
        for _ in range(3):
            await table.open(TWO_BOTS, format="tournament", life=99)
            rooms.append(table.room)
            await table.room.join(Browser(table, ""))

        def choices() -> int:
            return sum(room.session.view_version for room in rooms)

        before = choices()
        await _wait_for_requests(tickets, 10)
        assert choices() == before
        number = 0
        async with asyncio.timeout(TIMEOUT):
            while not all(room.session.view_version for room in rooms):
                if tickets.is_empty:
                    tickets.add(1)
                    number += 1
                await asyncio.sleep(0.001)
        tickets.add(20)
        async with asyncio.timeout(TIMEOUT):
            while not tickets.is_empty:
                await asyncio.sleep(0.001)
        await _wait_for_requests(tickets, 10)  # each game waits for a ticket again
        assert choices() == before + number + 20
        table.rooms.close("the test is over")

    asyncio.run(play())


def test_bot_choice_rate_is_configurable() -> None:
    limits = replace(Limits(), bot_choices_per_second=20)
    pace = RoomRegistry(MemoryStore(), limits, ServerServices(limits))._bot_bucket
    assert (pace.rate, pace.burst) == (20, 20)


def test_game_between_bots_pauses_while_nobody_watches() -> None:
    async def play() -> None:
        table, tickets = Table(), TicketBucket()
        table.rooms._bot_bucket = tickets
        await table.open(TWO_BOTS, format="tournament", life=99)
        room, watcher = table.room, Browser(table, "")
        await room.join(watcher)
        tickets.add(1)
        async with asyncio.timeout(TIMEOUT):
            while not room.session.view_version:
                await asyncio.sleep(0.001)
        room.remove_client(watcher)
        tickets.add(1)  # for the choice in progress
        bot_task = room._bot_task
        assert bot_task is not None
        await asyncio.wait_for(bot_task, TIMEOUT)  # the task ends without being cancelled
        paused_at = room.session.view_version
        tickets.add(100)
        await room.game_snapshot()  # a request that does not join the room
        assert room._bot_task is bot_task
        assert bot_task.done()
        assert room.is_idle
        assert room.session.view_version == paused_at
        await room.join(watcher)
        async with asyncio.timeout(TIMEOUT):
            while room.session.view_version == paused_at:
                await asyncio.sleep(0.001)
        table.rooms.close("the test is over")

    asyncio.run(play())
