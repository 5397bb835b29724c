"""Every command named in the README and the docs runs as written."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from dicemasters import Game
from dicemasters.cli.main import COMMANDS, main, parse_arguments
from dicemasters.players.external_bots import make_any_player
from dicemasters.players.heuristic import HeuristicPlayer

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# command names and first lines of files that are not meant to be typed
MENTIONED = (
    "backup",
    "restore",
    "replay",
    "replay --check",
    "record",
    "draft 1",
    "scenario",
    "draft",
    "show",
    "coverage",
    "analyse",
    "arena",
    "simulate",
    "train",
)
LONG = (
    "serve",
    "site",
    "backup",
    "restore",
    "bench",
    "draft",
    "lesson",
    "scenario",
    "coverage",
    "analyse",
    "arena",
    "simulate",
    "puzzles",
    "train",
)  # only parsed here; other tests run them


def documented_commands() -> list[str]:
    """Return every command in the code of the pages, without duplicates."""
    found: dict[str, None] = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        blocks = re.findall(r"^```(?:sh)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
        for code in [*re.findall(r"`(dicemasters [^`]+)`", text), *lines]:
            command = re.split(r"\s{2,}(?!--)|\s#\s", code.strip())[0].replace("\n", " ")
            wanted = command.startswith("dicemasters ") and "..." not in command and "FILE" not in command
            if wanted and command.removeprefix("dicemasters ") not in MENTIONED:
                found[command] = None
    return list(found)


def bots() -> dict[str, str]:
    """Return the code of the bots in docs/bots.md by file name."""
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return {block.splitlines()[0].removeprefix("# "): block for block in blocks}


def card_file() -> str:
    """Return the card file of the tutorial in docs/card-language.md."""
    page = (ROOT / "docs" / "card-language.md").read_text(encoding="utf-8")
    return page.split("```toml\n")[1].split("```")[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder with the files that the pages mention."""
    game = Game.new("ai", seed=5)
    player = HeuristicPlayer(1)
    for _ in range(30):
        game.play(player.choose(game.state))
    for name in ("game.txt", "first.txt"):
        (tmp_path / name).write_text(game.record, encoding="utf-8")
    (tmp_path / "dicemasters" / "games").mkdir(parents=True)
    (tmp_path / "dicemasters" / "games" / "game-20260101-120000.txt").write_text(game.record, encoding="utf-8")
    (tmp_path / "my.team").write_text("4x Hulk: Jade Giant\nbasic: Smash!\nbasic: Force Beam\n", encoding="utf-8")
    for name, title, basic in (("mine", "Hulk: Jade Giant", "Smash!"), ("hers", "Thor: Lord of Asgard", "Force Beam")):
        team = f"format: doubles\n4x {title}\nbasic: {basic}\n"
        (tmp_path / f"{name}.team").write_text(team, encoding="utf-8")
    (tmp_path / "my.toml").write_text(card_file(), encoding="utf-8")
    for name, code in bots().items():
        (tmp_path / name).write_text(code, encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("command", documented_commands())
def test_documented_command_runs_as_written(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command.split(" > ")[0].replace("package.module:Class", "first:First"))[1:]
    if words[0].startswith("-") or words[0] not in LONG:
        if any("node" in word for word in words):
            words = [
                word for word in words if word
            ]  # tests/unit/players/test_external_bots.py runs it with Node from a package
            assert "line:node examples/bots/first.mjs" in words
            return
        assert main(words) == 0, capsys.readouterr().err
    elif words[0] in COMMANDS:
        assert parse_arguments(words).command == words[0]


def test_python_blocks_of_the_python_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert blocks
    for block in blocks:
        exec(block, {})


LETHAL = """
edition: avx
team A: Hulk: Jade Giant
A field: Hulk@1 (attacking)
B field: Sidekick
B life: 3
turn: 5, A, attack
"""


@pytest.mark.parametrize(
    ("bot", "choice"),
    [("thumb:Thumb", "done"), ("ahead:Ahead", "block"), ("counting:Counting", "block"), ("patient:Patient", "block")],
)
def test_bots_of_the_guide_that_look_ahead_block_to_survive(bot: str, choice: str, folder: Path) -> None:
    state = Game.from_text(LETHAL).state
    assert state.options[make_any_player(bot, 1).choose(state)][0] == choice


@pytest.mark.parametrize(("foe", "choice"), [("", "attack"), ("B field: Hulk@3\n", "done")])
def test_thumb_bot_of_the_guide_attacks_only_if_no_blocker_wins(foe: str, choice: str, folder: Path) -> None:
    state = Game.from_text(
        f"edition: avx\nteam B: Hulk: Jade Giant\nA field: Sidekick\n{foe}turn: 5, A, attack\n"
    ).state
    assert state.options[make_any_player("thumb:Thumb", 1).choose(state)][0] == choice
