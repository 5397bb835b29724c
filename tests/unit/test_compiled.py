"""Compiled and pure Python: the running build is reported, a stale one never runs, and both play the same games."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from tools.verify import compiled_parity

from dicemasters._compiled import PURE, build_kind, stale_reason

compiled_only = pytest.mark.skipif(build_kind() == "pure Python", reason="the engine is not compiled here (make fast)")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Create a package with one compiled module that is up to date."""
    game = tmp_path / "game" / "turn"
    game.mkdir(parents=True)
    (game / "loop.py").write_text("x = 1\n")
    (game / f"loop{EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    sums = {"game/turn/loop.py": hashlib.sha256(b"x = 1\n").hexdigest()}
    (tmp_path / "compiled.json").write_text(json.dumps(sums))
    return tmp_path


def test_build_of_unchanged_sources_is_current(package: Path) -> None:
    assert stale_reason(package) == ""


def test_changed_source_is_detected(package: Path) -> None:
    (package / "game" / "turn" / "loop.py").write_text("x = 2\n")
    assert stale_reason(package) == "game/turn/loop.py has changed since it was compiled"


def test_removed_source_is_detected(package: Path) -> None:
    (package / "game" / "turn" / "loop.py").unlink()
    assert stale_reason(package) == "game/turn/loop.py has changed since it was compiled"


@pytest.mark.parametrize("stamp", [None, "", "[", '{"game/turn/loop.py": '])
def test_unfinished_build_is_detected(package: Path, stamp: str | None) -> None:
    file = package / "compiled.json"
    file.unlink()
    if stamp is not None:
        file.write_text(stamp)
    assert stale_reason(package) == "the engine was not compiled to the end"


def test_package_without_compiled_modules_is_current(package: Path) -> None:
    (package / "game" / "turn" / f"loop{EXTENSION_SUFFIXES[0]}").unlink()
    (package / "compiled.json").unlink()
    assert stale_reason(package) == ""


def run_build_kind(
    where: Path | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Print the build kind in a new process."""
    path = {} if where is None else {"PYTHONPATH": str(where)}
    command = [sys.executable, "-c", "from dicemasters._compiled import build_kind; print(build_kind())"]
    return subprocess.run(
        command, env={**os.environ, PURE: "", **path, **(environment or {})}, capture_output=True, text=True, check=True
    )


def test_pure_python_can_be_requested() -> None:
    assert run_build_kind(environment={PURE: "1"}).stdout.strip() == "pure Python"


@compiled_only
def test_requested_pure_python_loads_no_compiled_module() -> None:
    command = (
        "import sys, dicemasters.cli.main, dicemasters.lab.evaluation.arena, dicemasters.terminal.game_ui, dicemasters.server.app\n"
        "ours = [m for name, m in sys.modules.items() if name.startswith('dicemasters')]\n"
        "print([m.__name__ for m in ours if not m.__file__.endswith('.py')])"
    )
    found = subprocess.run(
        [sys.executable, "-c", command], env={**os.environ, PURE: "1"}, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_compiled_modules_of_other_sources_are_not_loaded(tmp_path: Path) -> None:
    """The fake compiled module cannot be loaded, so a pure Python run shows that it was skipped."""
    import dicemasters

    source = Path(dicemasters.__file__).parent
    left_out = shutil.ignore_patterns(
        "*.so",
        "*.pyd",
        "__pycache__",
        "compiled.json",
        "service",
        "server",
        "webworker",
        "terminal",
        "client",
        "cli",
        "lab",
    )
    shutil.copytree(source, tmp_path / "dicemasters", ignore=left_out)
    (tmp_path / "dicemasters" / "game" / "turn" / f"loop{EXTENSION_SUFFIXES[0]}").write_bytes(b"no module")
    sums = {"game/turn/loop.py": "of other sources"}
    (tmp_path / "dicemasters" / "compiled.json").write_text(json.dumps(sums))
    found = run_build_kind(tmp_path)
    assert found.stdout.strip() == "pure Python"
    assert (
        "game/turn/loop.py has changed since it was compiled, so pure Python runs; `make fast` compiles it again"
        in found.stderr
    )


# --- the same games ------------------------------------------------------------------------------------------------


@compiled_only
def test_both_builds_play_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert compiled_parity.main(["--games", "40"]) == 0
    assert (
        "40 games, twice each, under two hash seeds: pure Python and compiled play the same" in capsys.readouterr().out
    )


def test_comparison_detects_a_build_that_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PURE, "1")
    monkeypatch.setattr(compiled_parity, "_start_digests", _always_pure)
    assert compiled_parity.compare(0, 1) == ["compiled, hash seed 2: pure Python runs"]


def test_comparison_detects_a_different_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def printing(first: int, games: int, hash_seed: str, pure: bool) -> subprocess.Popen[str]:
        form = "pure Python" if pure else "compiled by mypyc"
        lines = [form, "same", "same" if pure else f"other {hash_seed}"]
        return subprocess.Popen(["printf", "\\n".join(lines) + "\\n"], stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(compiled_parity, "_start_digests", printing)
    assert compiled_parity.compare(5, 1) == []
    (problem,) = compiled_parity.compare(5, 2)
    assert problem.startswith("game 6 differs: pure, hash seed 1: same, compiled, hash seed 2: other 2")
    assert compiled_parity.compare(5, 3)[-1] == "only 2 of 3 games were played by all"


def test_comparison_saves_its_progress_and_resumes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[int, int]] = []

    def printing(first: int, games: int, hash_seed: str, pure: bool) -> subprocess.Popen[str]:
        asked.append((first, games))
        form = "pure Python" if pure else "compiled by mypyc"
        lines = [form, *(str(seed) if pure or seed < 8 else "other" for seed in range(first, first + games))]
        return subprocess.Popen(["printf", "\\n".join(lines) + "\\n"], stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(compiled_parity, "_start_digests", printing)
    note = tmp_path / "note"

    def comparing(games: int) -> int:
        return compiled_parity.main(["--first", "3", "--games", str(games), "--keep", str(note)])

    assert comparing(2) == 0
    assert comparing(4) == 0
    assert asked[0] == (3, 2)
    assert asked[-1] == (5, 2)
    assert comparing(6) == 1  # game 8 differs, so the saved progress stays
    assert asked[-1] == (7, 2)
    assert compiled_parity.ParityProgress(note, 3, compiled_parity.source_checksum()).load() == 4
    with pytest.raises(SystemExit):
        compiled_parity.main(["--first", "4", "--games", "2", "--keep", str(note)])
    assert "was written for other sources or another first game" in capsys.readouterr().err
    note.write_text("[]")
    with pytest.raises(SystemExit):
        comparing(2)
    assert "is not a progress file of this tool" in capsys.readouterr().err


def _always_pure(first: int, games: int, hash_seed: str, pure: bool) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tools.verify.compiled_parity", "--digests", "--games", "1"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_digests_distinguish_games() -> None:
    found = [compiled_parity.game_digest(seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
