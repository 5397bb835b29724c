"""Players that take their time think apart from the games, within a time, and can be stopped at once."""

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


def to_decide() -> Game:
    """Give a game in which somebody has a choice."""
    game = Game.new("ai", seed=8)
    player = HeuristicPlayer(1)
    while game.state.turn < 4 or len(game.state.options) < 3:
        game.play(player.choose(game.state))
    return game


def test_a_level_thinks_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def think() -> None:
        monkeypatch.setattr(bot_pool, "TIMEOUT_MARGIN", 600.0)
        game, thinking = to_decide(), BotPool(ONE)
        assert 0 <= await thinking.choose("level4", game) < len(game.state.options)
        process = thinking._workers[0]._process
        assert process is not None
        assert process.pid != os.getpid()
        await thinking.close()
        assert process.returncode is not None

    asyncio.run(think())


def test_where_a_thinker_hangs_rules_of_thumb_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    async def think() -> None:
        game, thinking = to_decide(), BotPool(ONE)
        process = await thinking._workers[0]._ensure_started()
        os.kill(process.pid, signal.SIGSTOP)
        monkeypatch.setattr(bot_pool, "TIMEOUT_MARGIN", 0.2)
        assert 0 <= await thinking.choose("level4", game) < len(game.state.options)
        assert process.returncode is not None
        await thinking.close()

    asyncio.run(think())


def test_a_thought_that_nobody_wants_any_more_is_stopped_at_once() -> None:
    async def think() -> None:
        game, thinking = to_decide(), BotPool(ONE)
        process = await thinking._workers[0]._ensure_started()
        os.kill(process.pid, signal.SIGSTOP)  # it would think for ever
        thought = asyncio.create_task(thinking.choose("level5", game))
        while not thinking._free.empty():
            await asyncio.sleep(0)
        thought.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thought
        assert process.returncode is not None
        assert thinking._waiting == 0
        await thinking.close()

    asyncio.run(think())


def test_what_is_forced_and_what_is_too_much_is_not_thought_about(monkeypatch: pytest.MonkeyPatch) -> None:
    async def think() -> None:
        game, thinking = to_decide(), BotPool(ONE)
        monkeypatch.setattr(bot_pool, "MAX_QUEUED_PER_WORKER", 0)
        assert 0 <= await thinking.choose("level5", game) < len(game.state.options)
        assert thinking._workers[0]._process is None

    asyncio.run(think())


def test_games_think_side_by_side_and_one_alone_starts_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def think() -> None:
        monkeypatch.setattr(bot_pool, "TIMEOUT_MARGIN", 600.0)
        game, thinking = to_decide(), BotPool(Limits(thinkers=2))
        for _ in range(2):
            await thinking.choose("level4", game)
        assert [worker.is_running for worker in thinking._workers] == [False, True]
        await asyncio.gather(*(thinking.choose("level4", game) for _ in range(2)))
        assert [worker.is_running for worker in thinking._workers] == [True, True]
        await thinking.close()

    asyncio.run(think())


def test_there_is_a_thinker_for_each_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "extra_cores", lambda: 3)
    assert len(BotPool(Limits())._workers) == 4


def test_a_thought_has_the_time_that_was_set() -> None:
    asked: list[dict[str, object]] = []

    class Asked(SandboxProcess):
        async def run(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
            asked.append(job)
            return {"found": ""}

    async def think() -> None:
        thinking = BotPool(Limits(thinkers=1, thought_seconds=2.5))
        thinking._free.get_nowait()
        thinking._free.put_nowait(Asked())
        await thinking.choose("level5", to_decide())

    asyncio.run(think())
    assert [job["within"] for job in asked] == [2.5]
