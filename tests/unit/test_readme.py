"""Every command of README.md runs as written, or the list below names the place that runs it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dicemasters import Game
from dicemasters.paths import data_dir
from dicemasters.players.heuristic import HeuristicPlayer

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"(?:dicemasters|make|pip|docker|python|git) .+")

# Commands that need a network, Docker, a browser or minutes: the file that runs them, and a text of that file.
ELSEWHERE = {
    "make play": ("tests/e2e/conftest.py", "run_server("),  # the page that `make play` builds, in a browser
    "make test": (".ci/run", "make test"),
    "make fast": (".ci/run", "make fast"),
    "pip install .": ("tools/build/check_install.py", '"install", "--quiet"'),
    'pip install ".[server]"': ("tools/build/check_install.py", "[server]"),
    "pip install git+URL": ("tools/build/check_install.py", "a git URL"),
    # The image and PostgreSQL are tested; compose.yaml itself is not run anywhere.
    "docker compose up": (".github/workflows/tests.yml", "docker run"),
    "dicemasters serve": ("tools/build/check_install.py", '"serve"'),
    "dicemasters arena level2 level4": ("tests/unit/lab/test_arena_and_training.py", 'main(["arena"'),
}


def readme_commands() -> list[str]:
    """Return the commands in README's blocks and in its running text, each once."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    lines = [line.partition(" #")[0].strip() for kind, block in blocks for line in block.splitlines() if not kind]
    prose = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL))
    return list(dict.fromkeys(text for text in (*lines, *prose) if COMMAND.fullmatch(text)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a finished game, and user data with an unfinished one."""
    for name in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "data"))
    games = data_dir() / "games"
    games.mkdir(parents=True)
    game, player = Game.new("ai", seed=5), HeuristicPlayer(1)
    while game.result is None:
        if len(game.moves) == 10:
            (games / "game-20260101-120000.txt").write_text(game.record, encoding="utf-8")
        game.play(player.choose(game.state))
    (tmp_path / "game.txt").write_text(game.record, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", [x for x in readme_commands() if x not in ELSEWHERE])
def test_readme_command_runs_as_written(command: str, folder: Path) -> None:
    program, *arguments = shlex.split(command)
    assert program == "dicemasters", f"run {command} here, or name in ELSEWHERE the place that does"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-m", "dicemasters", *arguments],
        cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("command", ELSEWHERE)
def test_readme_command_that_runs_elsewhere_is_run_there(command: str) -> None:
    file, text = ELSEWHERE[command]
    assert command in readme_commands()
    assert text in (ROOT / file).read_text(encoding="utf-8")


def test_readme_commands_are_found() -> None:
    assert {"dicemasters play last", "dicemasters --help", "make fast"} <= set(readme_commands())
