"""`dicemasters rules`, and `help` during a game: all rules, a section, a word, an unknown word."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from dicemasters import Game
from dicemasters.cli.main import main
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.rules.document import rules_document
from dicemasters.rules.markdown import strip_markup
from dicemasters.terminal.game_ui import TerminalGame
from dicemasters.terminal.rules_view import print_rules


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["rules", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_rules_print_one_line_per_rule_to_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys)
    assert lines[0] == "The rules"
    for item in rules_document().items:
        if item.number and not item.level:
            assert f"{item.number} {strip_markup(item.text)}" in lines


def test_rule_number_prints_the_rule_with_editions_and_scenarios(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "3.4d5")
    assert lines[0] == "3.4d5 Dice that have left still react"
    assert any(line.startswith("    editions: KO'd dice react (every edition)") for line in lines)
    assert any("Iron Man hits back" in line for line in lines)
    assert not any(line.startswith("3.4d6") for line in lines)


def test_rules_on_a_word_begin_with_its_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "iron", "will")
    assert lines[0] == "6.11 Iron Will"
    assert any(line.startswith("#66 ") for line in lines)


def test_unknown_word_prints_one_line_and_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "ovrcrsh"]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err == "dicemasters: The rules say nothing on 'ovrcrsh'. Did you mean Overcrush?\n"


def test_terminal_shows_bold_rule_numbers_and_no_markup() -> None:
    out = io.StringIO()
    print_rules(Console(file=out, width=70, force_terminal=True, color_system="standard", highlight=False), "6.12")
    text = out.getvalue()
    assert "\x1b[1m6.12a" in text
    assert "*Overcrush*" not in text


@pytest.mark.parametrize("line", ["help overcrush", "rules overcrush", "? overcrush"])
def test_help_with_a_word_shows_rules_during_a_game(line: str) -> None:
    out, answers = io.StringIO(), iter([line, "help ovrcrsh", "quit"])
    console = Console(file=out, width=80, height=24, highlight=False, color_system=None)
    TerminalGame(Game.new("ai", seed=5), (None, HeuristicPlayer(2)), console, lambda _: next(answers)).run()
    assert "6.12a Overcrush: if all blockers of this attacker" in out.getvalue()
    assert "Did you mean Overcrush?" in out.getvalue()


def test_rules_without_a_word_ask_for_one_during_a_game() -> None:
    out, answers = io.StringIO(), iter(["rules", "quit"])
    console = Console(file=out, width=80, height=24, highlight=False, color_system=None)
    TerminalGame(Game.new("ai", seed=5), (None, HeuristicPlayer(2)), console, lambda _: next(answers)).run()
    assert "No rule given. Type a word or a number: rules overcrush, rules 3.4" in out.getvalue()
