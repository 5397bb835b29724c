"""Players that take their time think apart from the games, within a time, and can be stopped at once."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from dicemasters import Game
from dicemasters.players.simple import SimplePlayer
from dicemasters.table.server import thinkers
from dicemasters.table.server.thinkers import Thinkers


def to_decide() -> Game:
    """Give a game in which somebody has a choice."""
    game = Game.new("ai", seed=8)
    player = SimplePlayer(1)
    while game.state.turn < 4 or len(game.state.options) < 3:
        game.play(player.choose(game.state))
    return game


def test_a_level_thinks_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def think() -> None:
        monkeypatch.setattr(thinkers, "PATIENCE", 600.0)
        game, thinking = to_decide(), Thinkers(1)
        assert 0 <= await thinking.choose("level4", game) < len(game.state.options)
        process = thinking._workers[0]._process
        assert process is not None
        assert process.pid != os.getpid()
        await thinking.close()
        assert process.returncode is not None

    asyncio.run(think())


def test_where_a_thinker_hangs_rules_of_thumb_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    async def think() -> None:
        game, thinking = to_decide(), Thinkers(1)
        process = await thinking._workers[0]._started()
        os.kill(process.pid, signal.SIGSTOP)
        monkeypatch.setattr(thinkers, "PATIENCE", 0.2)
        assert 0 <= await thinking.choose("level4", game) < len(game.state.options)
        assert process.returncode is not None
        await thinking.close()

    asyncio.run(think())


def test_a_thought_that_nobody_wants_any_more_is_stopped_at_once() -> None:
    async def think() -> None:
        game, thinking = to_decide(), Thinkers(1)
        process = await thinking._workers[0]._started()
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
        game, thinking = to_decide(), Thinkers(1)
        monkeypatch.setattr(thinkers, "MOST_WAITING", 0)
        assert 0 <= await thinking.choose("level5", game) < len(game.state.options)
        assert thinking._workers[0]._process is None

    asyncio.run(think())
