"""The first screen at the terminal: a legend, and a way to read the lines that do not fit."""

import io
import sys
from collections.abc import Iterable

import pytest
from rich.console import Console

from dicemasters import Game
from dicemasters.cli.main import main
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.terminal.game_ui import LEGEND, TerminalGame

COLUMNS, ROWS = 80, 24


def screens(answers: Iterable[str], legend: Iterable[str] = ()) -> list[str]:
    """Play a game as A with these answers; return the screens that were drawn before each prompt."""
    out = io.StringIO()
    console = Console(file=out, width=COLUMNS, height=ROWS, force_terminal=True, color_system=None, highlight=False)
    left = iter(answers)
    drawn: list[str] = []

    def read(prompt: str) -> str:
        drawn.append(out.getvalue())
        out.truncate(0)
        out.seek(0)
        return next(left, "quit")

    ui = TerminalGame(Game.new("ai", seed=7), [None, HeuristicPlayer(15)], console, read)
    ui.legend = tuple(legend)
    ui.run()
    return drawn


def test_first_screen_explains_the_notation_once() -> None:
    first, *later = screens(["keep all", "pass", "no attack"], LEGEND)
    for line in LEGEND:
        assert line in first
        assert not any(line in screen for screen in later)
    assert len(later) > 1


def test_legend_fits_80_columns() -> None:
    assert max(len(line) + 1 for line in LEGEND) <= COLUMNS


@pytest.mark.parametrize("command", [["play"], ["play", "--b", "human"], ["solitaire"]])
def test_games_of_people_begin_with_the_legend(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main([*command, "--seed", "1"]) == 0
    assert LEGEND[0] in capsys.readouterr().out


def test_games_of_bots_have_no_legend(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--a", "simple", "--seed", "1"]) == 0
    assert LEGEND[0] not in capsys.readouterr().out


def test_small_screen_says_how_to_read_the_hidden_log_lines() -> None:
    first, after_log, *_ = screens(["log"])
    assert "more lines; type log" in first
    assert "Turn 1: B" in after_log
