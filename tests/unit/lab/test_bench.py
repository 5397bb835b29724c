"""The benchmark prints every row, and one clear line for an engine that is not installed."""

from __future__ import annotations

import pytest
from tools.bench.other_engines import OTHER_ENGINES

from dicemasters._compiled import build_kind
from dicemasters.cli.main import main
from dicemasters.lab.benchmark import scaling, yardstick
from dicemasters.lab.benchmark.yardstick import YARDSTICK, OtherEngine, run_engine


def test_bench_names_the_build_and_prints_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--seconds", "0.01", "--edition", "ai"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"engine: {build_kind()}"
    assert [line[:12] for line in lines[3:7]] == ["first game a", "all casts   ", "random teams", "python-chess"]


def test_missing_engine_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = OtherEngine("some engine", "some-engine", "no_such_module_anywhere", yardstick._chess)
    monkeypatch.setattr("dicemasters.lab.benchmark.bench.other_engines", lambda: (missing,))
    assert main(["bench", "--seconds", "0.01", "--peers", "--edition", "ai"]) == 0
    assert "some engine               not installed: pip install some-engine" in capsys.readouterr().out


def test_installed_engines_play() -> None:
    speeds = {
        engine.name: speed for engine in (YARDSTICK, *OTHER_ENGINES) if (speed := run_engine(engine, 0.01)) is not None
    }
    assert YARDSTICK.name in speeds  # part of the development packages
    assert [name for name, speed in speeds.items() if not speed.games or not speed.decisions] == []


def test_scaling_report_covers_processes_team_sizes_and_turns(capsys: pytest.CaptureFixture[str]) -> None:
    scaling.report(0.03, "ai")
    out = capsys.readouterr().out
    assert "two processes together play" in out
    assert "8 cards a side, up to 4 dice of each" in out
    assert "from turn 41 on" in out


def test_state_with_more_dice_takes_more_memory() -> None:
    few, many = (scaling.measure_state_bytes(scaling.random_spec(cards, 4, 1, "ai"), copies=50) for cards in (0, 8))
    assert 1_000 < few < many < 20_000
