"""Strangers' work is done apart from the games, each visitor has a share of it, and what takes too long is killed."""

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

PATIENT = replace(Limits(), work_seconds=600.0, work_burst=10_000.0)  # on however busy a machine
POSITION = "edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@1\nturn: 5, A, main\n"


def test_a_job_is_done_and_a_wrong_one_refused_in_words() -> None:
    async def jobs() -> None:
        working = SandboxPool(PATIENT, MeteredExecutor(PATIENT), 1)
        found = await working.run("position", text=POSITION)
        assert found["view"]["decision"]["seat"] == "A"
        with pytest.raises(ValueError, match="line 1: expected a number from 1 to 99"):
            await working.run("position", text="life: ²")
        process = working._workers[0]._process
        assert process is not None
        assert os.getpriority(os.PRIO_PROCESS, process.pid) >= 10
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(ValueError, match=r"this takes too much memory|cannot be worked out"):
            await working.run("position", text=POSITION)
        assert await working.run("position", text=POSITION) == found  # by a new process
        await working.close()

    asyncio.run(jobs())


def test_what_takes_too_long_or_too_much_is_ended() -> None:
    async def jobs() -> None:
        working = SandboxPool(replace(Limits(), work_seconds=0.05), MeteredExecutor(Limits()), 1)
        worker = working._workers[0]
        process = await worker._ensure_started()
        os.kill(process.pid, signal.SIGSTOP)  # as if it never came to an end
        with pytest.raises(ValueError, match="this takes too long"):
            await working.run("position", text=POSITION)
        assert process.returncode is not None
        await working.close()

    asyncio.run(jobs())


class Worked:
    """Stands for the module `time` in a thread that works: each look at its time is `seconds` later."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._now = 0.0

    def thread_time(self) -> float:
        self._now += self.seconds
        return self._now


def test_one_visitor_gets_a_share_and_others_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    async def share() -> None:
        shares = MeteredExecutor(replace(Limits(), work_per_second=0.0, work_burst=0.1))
        done: list[str] = []
        CLIENT.set("one")
        for _ in range(3):  # with the third the share is used up
            await shares.run_for_client(done.append, "one")
        with pytest.raises(RateLimitedError):
            await shares.run_for_client(done.append, "one")
        CLIENT.set("two")
        await shares.run_for_client(done.append, "two")
        assert done == ["one"] * 3 + ["two"]

    async def jobs() -> None:
        working = SandboxPool(PATIENT, MeteredExecutor(PATIENT), 1)
        several = (working.run("position", text=POSITION) for _ in range(sandbox.MAX_JOBS_PER_CLIENT + 1))
        answers = await asyncio.gather(*several, return_exceptions=True)
        assert [isinstance(answer, RateLimitedError) for answer in answers].count(True) == 1
        await working.close()

    with monkeypatch.context() as worked:
        worked.setattr(sandbox, "time", Worked(0.04))
        asyncio.run(share())
    asyncio.run(jobs())


def test_work_ends_with_the_server() -> None:
    async def jobs() -> None:
        working = SandboxPool(PATIENT, MeteredExecutor(PATIENT), 1)
        process = await working._workers[0]._ensure_started()
        os.kill(process.pid, signal.SIGSTOP)  # it would never come to an end
        tasks = [asyncio.create_task(working.run("position", text=POSITION)) for _ in range(3)]
        while working.stats != {"running": 1, "working": 1, "wanted": 3}:
            await asyncio.sleep(0)
        await working.close()
        answers = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), TIMEOUT)
        assert all(isinstance(answer, Exception) for answer in answers)

    asyncio.run(jobs())


def test_an_address_that_asks_for_much_work_is_told_to_wait(tmp_path: Path) -> None:
    # nothing comes back, and one text takes more than there is, on whatever machine
    limits = replace(GENEROUS_LIMITS, work_per_second=0.0, work_burst=0.001)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        codes = [server.http.post("/api/positions", json={"text": POSITION}).status_code for _ in range(2)]
        assert codes == [200, 429]


class Tickets(TokenBucket):
    """A bucket that gives out tickets one by one, and waits for the test to hand in more."""

    def __init__(self) -> None:
        super().__init__(0.0, 1e9)
        self._tokens = 0.0
        self.asked = 0

    def acquire(self) -> bool:
        self.asked += 1
        return super().acquire()

    def hand_in(self, number: int) -> None:
        self._tokens += number

    @property
    def are_gone(self) -> bool:
        return self._tokens < 1


async def _asked_again(tickets: Tickets, times: int) -> None:
    """Wait until so many have asked for a ticket from now on."""
    wanted = tickets.asked + times
    async with asyncio.timeout(TIMEOUT):
        while tickets.asked < wanted:
            await asyncio.sleep(0.001)


def test_games_without_persons_take_turns() -> None:
    """All of them together make as many choices as there are tickets, and no more."""

    async def play() -> None:
        table, tickets = Table(), Tickets()
        table.rooms._bot_bucket = tickets
        rooms = []
        for _ in range(3):
            await table.open(TWO_BOTS, format="tournament", life=99)
            rooms.append(table.room)
            await table.room.join(Browser(table, ""))

        def choices() -> int:
            return sum(room.session.view_version for room in rooms)

        begun = choices()
        await _asked_again(tickets, 10)
        assert choices() == begun
        number = 0
        async with asyncio.timeout(TIMEOUT):
            while not all(room.session.view_version for room in rooms):
                if tickets.are_gone:
                    tickets.hand_in(1)
                    number += 1
                await asyncio.sleep(0.001)
        tickets.hand_in(20)
        async with asyncio.timeout(TIMEOUT):
            while not tickets.are_gone:
                await asyncio.sleep(0.001)
        await _asked_again(tickets, 10)  # by now each of them waits again
        assert choices() == begun + number + 20
        table.rooms.close("the test is over")

    asyncio.run(play())


def test_the_pace_of_games_without_persons_is_a_limit() -> None:
    limits = replace(Limits(), bot_choices_per_second=20)
    pace = RoomRegistry(MemoryStore(), limits, ServerServices(limits))._bot_bucket
    assert (pace.rate, pace.burst) == (20, 20)


def test_a_game_of_players_alone_rests_while_nobody_looks() -> None:
    async def play() -> None:
        table, tickets = Table(), Tickets()
        table.rooms._bot_bucket = tickets
        await table.open(TWO_BOTS, format="tournament", life=99)
        room, watcher = table.room, Browser(table, "")
        await room.join(watcher)
        tickets.hand_in(1)
        async with asyncio.timeout(TIMEOUT):
            while not room.session.view_version:
                await asyncio.sleep(0.001)
        room.remove_client(watcher)
        tickets.hand_in(1)  # for a choice that was about to be made
        thinking = room._bot_task
        assert thinking is not None
        await asyncio.wait_for(thinking, TIMEOUT)  # it comes to its end by itself
        rests = room.session.view_version
        tickets.hand_in(100)
        await room.game_snapshot()  # somebody asks for the game without staying
        assert room._bot_task is thinking
        assert thinking.done()
        assert room.is_idle
        assert room.session.view_version == rests
        await room.join(watcher)
        async with asyncio.timeout(TIMEOUT):
            while room.session.view_version == rests:
                await asyncio.sleep(0.001)
        table.rooms.close("the test is over")

    asyncio.run(play())
