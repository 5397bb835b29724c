"""The bot pool: slow bots run in worker processes, within a time limit, and can be cancelled."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import pytest

from dicemasters import Game
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.server.workers import bot_pool
from dicemasters.server.workers.bot_pool import BotPool
from dicemasters.server.workers.sandbox import SandboxProcess
from dicemasters.service.limits import Limits

ONE = Limits(thinkers=1)


def game_with_a_decision() -> Game:
    """Return a game that waits for a decision with at least three options."""
    game = Game.new("ai", seed=8)
    player = HeuristicPlayer(1)
    while game.state.turn < 4 or len(game.state.options) < 3:
        game.play(player.choose(game.state))
    return game


def test_bot_computes_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(bot_pool, "TIMEOUT_MARGIN", 600.0)
        game, pool = game_with_a_decision(), BotPool(ONE)
        assert 0 <= await pool.choose("level4", game) < len(game.state.options)
        process = pool._workers[0]._process
        assert process is not None
        assert process.pid != os.getpid()
        await pool.close()
        assert process.returncode is not None

    asyncio.run(run())


def test_hung_worker_falls_back_to_the_heuristic_player(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        game, pool = game_with_a_decision(), BotPool(ONE)
        process = await pool._workers[0]._ensure_started()
        os.kill(process.pid, signal.SIGSTOP)
        monkeypatch.setattr(bot_pool, "TIMEOUT_MARGIN", 0.2)
        assert 0 <= await pool.choose("level4", game) < len(game.state.options)
        assert process.returncode is not None
        await pool.close()

    asyncio.run(run())


def test_cancelled_computation_is_killed_immediately() -> None:
    async def run() -> None:
        game, pool = game_with_a_decision(), BotPool(ONE)
        process = await pool._workers[0]._ensure_started()
        os.kill(process.pid, signal.SIGSTOP)  # simulates an endless computation
        computation = asyncio.create_task(pool.choose("level5", game))
        while not pool._free.empty():
            await asyncio.sleep(0)
        computation.cancel()
        with pytest.raises(asyncio.CancelledError):
            await computation
        assert process.returncode is not None
        assert pool._waiting == 0
        await pool.close()

    asyncio.run(run())


def test_full_queue_falls_back_without_starting_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        game, pool = game_with_a_decision(), BotPool(ONE)
        monkeypatch.setattr(bot_pool, "MAX_QUEUED_PER_WORKER", 0)
        assert 0 <= await pool.choose("level5", game) < len(game.state.options)
        assert pool._workers[0]._process is None

    asyncio.run(run())


def test_concurrent_games_use_several_workers_and_a_single_game_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(bot_pool, "TIMEOUT_MARGIN", 600.0)
        game, pool = game_with_a_decision(), BotPool(Limits(thinkers=2))
        for _ in range(2):
            await pool.choose("level4", game)
        assert [worker.is_running for worker in pool._workers] == [False, True]
        await asyncio.gather(*(pool.choose("level4", game) for _ in range(2)))
        assert [worker.is_running for worker in pool._workers] == [True, True]
        await pool.close()

    asyncio.run(run())


def test_pool_has_one_worker_more_than_extra_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "extra_cores", lambda: 3)
    assert len(BotPool(Limits())._workers) == 4


def test_worker_gets_the_configured_time_limit() -> None:
    jobs: list[dict[str, object]] = []

    class RecordingProcess(SandboxProcess):
        async def run(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
            jobs.append(job)
            return {"found": ""}

    async def run() -> None:
        pool = BotPool(Limits(thinkers=1, thought_seconds=2.5))
        pool._free.get_nowait()
        pool._free.put_nowait(RecordingProcess())
        await pool.choose("level5", game_with_a_decision())

    asyncio.run(run())
    assert [job["within"] for job in jobs] == [2.5]
