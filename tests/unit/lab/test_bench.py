"""The bench: every row is there, and a peer that is not installed has one clear line."""

from __future__ import annotations

import pytest
from tools.bench.other_engines import OTHER_ENGINES

from dicemasters._compiled import build_kind
from dicemasters.cli.main import main
from dicemasters.lab.benchmark import scaling, yardstick
from dicemasters.lab.benchmark.yardstick import YARDSTICK, OtherEngine, run_engine


def test_the_bench_says_which_form_it_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--seconds", "0.01", "--edition", "ai"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"engine: {build_kind()}"
    assert [line[:12] for line in lines[3:7]] == ["first game a", "all casts   ", "random teams", "python-chess"]


def test_a_peer_that_is_not_installed_has_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = OtherEngine("some engine", "some-engine", "no_such_module_anywhere", yardstick._chess)
    monkeypatch.setattr("dicemasters.lab.benchmark.bench.other_engines", lambda: (missing,))
    assert main(["bench", "--seconds", "0.01", "--peers", "--edition", "ai"]) == 0
    assert "some engine               not installed: pip install some-engine" in capsys.readouterr().out


def test_the_peers_that_are_installed_play() -> None:
    speeds = {peer.name: speed for peer in (YARDSTICK, *OTHER_ENGINES) if (speed := run_engine(peer, 0.01)) is not None}
    assert YARDSTICK.name in speeds  # it comes with the development packages
    assert [name for name, speed in speeds.items() if not speed.games or not speed.decisions] == []


def test_the_growth_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    scaling.report(0.03, "ai")
    out = capsys.readouterr().out
    assert "two processes together play" in out
    assert "8 cards a side, up to 4 dice of each" in out
    assert "from turn 41 on" in out


def test_a_state_with_more_dice_takes_more_memory() -> None:
    few, many = (scaling.measure_state_bytes(scaling.random_spec(cards, 4, 1, "ai"), copies=50) for cards in (0, 8))
    assert 1_000 < few < many < 20_000
