"""The tutorial works as written: its game is won, its teams are legal, its Python session runs."""

from __future__ import annotations

import doctest
import io
import re
import sys
from pathlib import Path

import pytest

from dicemasters.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "getting-started.md"


def section(heading: str) -> str:
    """Return the text below a heading of the page, up to the next heading of any level."""
    return re.split(r"^#+ ", PAGE.read_text(encoding="utf-8").split(f"# {heading}\n")[1], flags=re.MULTILINE)[0]


def typed_answers() -> list[str]:
    """Return the answers in the last column of the table that shows the whole game."""
    return re.findall(r"\| `([^`]+)` \|$", section("The rest of the game"), re.MULTILINE)


def test_answers_of_the_tutorial_win_the_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = typed_answers()
    assert len(answers) > 20
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(answers) + "\n"))
    assert main(["play", "--seed", "82"]) == 0
    printed = capsys.readouterr().out
    assert "You win: B was brought to 0 life." in printed
    assert "is neither an answer nor a command" not in printed
    assert "There is no answer" not in printed


def test_screens_of_the_tutorial_are_real(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed_answers()) + "\n"))
    assert main(["play", "--seed", "82"]) == 0
    printed = capsys.readouterr().out.splitlines()
    blocks = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    shown = [line for block in blocks for line in block.splitlines() if not line.startswith((">", "Game over:"))]
    assert len(shown) > 8
    for line in shown:
        assert line in printed, line


def test_teams_of_the_tutorial_are_legal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    teams = re.findall(r"^```team\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(teams) == 2
    for text in teams:
        path = tmp_path / "my.team"
        path.write_text(text, encoding="utf-8")
        assert main(["team", "check", str(path)]) == 0
        assert "legal (Tournament team, 5 cards, 20 dice)" in capsys.readouterr().out


def test_python_session_of_the_tutorial_runs() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 8
    assert results.failed == 0
