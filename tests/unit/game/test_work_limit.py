"""The work limit: a choice that exceeds it makes the game void, and the position is logged."""

from __future__ import annotations

import logging

import pytest

from dicemasters import Game
from dicemasters._compiled import build_kind
from dicemasters.game.inspect.invariants import check_invariants
from dicemasters.game.notation import UnplayableError
from dicemasters.game.state import work

pure_only = pytest.mark.skipif(build_kind() != "pure Python", reason="the limit is a constant of the compiled code")

POSITION = """
edition: ai
team A: Hulk: Jade Giant
A field: Sidekick, Hulk@1
B field: Sidekick
turn: 5, A, attack
"""


@pure_only
def test_choice_above_the_work_limit_voids_the_game(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = Game.from_text(POSITION)
    before = game.to_text()
    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(work, "WORK_LIMIT", 0)
        game.play_all(["attack with Hulk"])
    assert game.decision is None
    assert str(game.result) == "void: a choice took more work than any legal game needs"
    assert "attack with Hulk@1" in caplog.text
    assert "A field: Sidekick, Hulk@1" in caplog.text
    check_invariants(game.state)
    assert game.undo()
    assert game.to_text() == before


@pure_only
def test_position_above_the_work_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "WORK_LIMIT", 0)
    with pytest.raises(UnplayableError, match="it takes more work than any legal game needs"):
        Game.from_text(POSITION)


def test_work_is_counted_for_each_choice_alone() -> None:
    game = Game.from_text(POSITION)
    game.play_all(["attack with Hulk"])
    once = game.state.work
    assert 0 < once < 100
    assert game.state.copy().work == once
