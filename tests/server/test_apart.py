"""Strangers' work is done apart from the games, each visitor has a share of it, and what takes too long is killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.running import ROOMY, running

from dicemasters.table.server import apart
from dicemasters.table.server.apart import VISITOR, Apart, Shares
from dicemasters.table.server.limits import TooBusyError
from dicemasters.table.server.settings import Limits

PATIENT = replace(Limits(), work_seconds=600.0, work_burst=10_000.0)  # on however busy a machine
POSITION = "edition: avx\nteam A: Hulk: Jade Giant\nA field: Hulk@1\nturn: 5, A, main\n"


def test_a_job_is_done_and_a_wrong_one_refused_in_words() -> None:
    async def jobs() -> None:
        working = Apart(PATIENT, Shares(PATIENT), 1)
        found = await working.do("position", text=POSITION)
        assert found["view"]["decision"]["seat"] == "A"
        with pytest.raises(ValueError, match="line 1: expected a number from 1 to 99"):
            await working.do("position", text="life: ²")
        process = working._workers[0]._process
        assert process is not None
        assert os.getpriority(os.PRIO_PROCESS, process.pid) >= 10
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(ValueError, match=r"this takes too much memory|cannot be worked out"):
            await working.do("position", text=POSITION)
        assert await working.do("position", text=POSITION) == found  # by a new process
        await working.close()

    asyncio.run(jobs())


def test_what_takes_too_long_or_too_much_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def jobs() -> None:
        working = Apart(replace(Limits(), work_seconds=0.3), Shares(Limits()), 1)
        worker = working._workers[0]
        process = await worker._started()
        os.kill(process.pid, signal.SIGSTOP)  # as if it never came to an end
        with pytest.raises(ValueError, match="this takes too long"):
            await working.do("position", text=POSITION)
        assert process.returncode is not None
        await working.close()

    asyncio.run(jobs())


def test_one_visitor_gets_a_share_and_others_are_served() -> None:
    async def jobs() -> None:
        # nothing comes back meanwhile, however slow the machine
        shares = Shares(replace(Limits(), work_per_second=0.0001, work_burst=0.1))
        VISITOR.set("one")
        for _ in range(6):
            with contextlib.suppress(TooBusyError):
                await shares.in_thread(_spin, 0.03)
        with pytest.raises(TooBusyError):
            await shares.in_thread(_spin, 0.03)
        VISITOR.set("two")
        assert await shares.in_thread(_spin, 0.01) is None
        working = Apart(PATIENT, Shares(PATIENT), 1)
        several = (working.do("position", text=POSITION) for _ in range(apart.MOST_OF_ONE + 1))
        answers = await asyncio.gather(*several, return_exceptions=True)
        assert [isinstance(answer, TooBusyError) for answer in answers].count(True) == 1
        await working.close()

    asyncio.run(jobs())


def test_work_ends_with_the_server() -> None:
    async def jobs() -> None:
        working = Apart(PATIENT, Shares(PATIENT), 1)
        process = await working._workers[0]._started()
        os.kill(process.pid, signal.SIGSTOP)  # it would never come to an end
        tasks = [asyncio.create_task(working.do("position", text=POSITION)) for _ in range(3)]
        while working.figures != {"running": 1, "working": 1, "wanted": 3}:
            await asyncio.sleep(0)
        await working.close()
        answers = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 60)
        assert all(isinstance(answer, Exception) for answer in answers)

    asyncio.run(jobs())


def _spin(seconds: float) -> None:
    started = time.thread_time()
    while time.thread_time() - started < seconds:
        pass


def test_an_address_that_asks_for_much_work_is_told_to_wait(tmp_path: Path) -> None:
    limits = replace(ROOMY, work_per_second=0.0001, work_burst=0.001)  # one text takes more, on whatever machine
    with running(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        codes = [server.http.post("/api/positions", json={"text": POSITION}).status_code for _ in range(5)]
        assert codes[0] == 200
        assert codes[-1] == 429


def test_games_without_persons_take_turns(tmp_path: Path) -> None:
    limits = replace(ROOMY, bot_choices_per_second=20)
    with running(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        bots = [{"kind": "player"}, {"kind": "player"}]
        began = time.monotonic()
        watchers = [server.open(seats=bots).sit() for _ in range(3)]
        time.sleep(1.5)
        for watcher in watchers:
            watcher.say(type="ping")
            watcher.hear("pong")
        took = time.monotonic() - began  # a slow machine takes its time, and the games go on meanwhile
        assert sum(watcher.view["version"] for watcher in watchers) <= 20 + 20 * took + len(watchers)


def test_a_game_of_players_alone_rests_while_nobody_looks(tmp_path: Path) -> None:
    limits = replace(ROOMY, bot_choices_per_second=20)
    with running(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        opened = server.open(seats=[{"kind": "player"}, {"kind": "player"}], format="tournament", life=99)
        watcher = opened.sit()
        watcher.hear("view")
        watcher.leave()
        while server.get(f"/api/games/{opened.game}")["meta"]["watchers"]:
            time.sleep(0.02)
        rests = -1
        while (now := opened.view["version"]) != rests:  # a choice may have been under way
            rests = now
            time.sleep(0.5)
        time.sleep(0.5)
        assert opened.view["version"] == rests
        again = opened.sit()
        again.hear("view")
        assert again.view["version"] > rests
