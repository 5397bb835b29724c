"""`dicemasters team` and games with teams: output and errors."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

from dicemasters.cards.catalogue import basic, card
from dicemasters.cli.main import main
from dicemasters.teams.formats import FORMATS
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team import Team
from dicemasters.teams.team_file import read_team, require_legal, write_team
from dicemasters.teams.team_lookup import find_team
from dicemasters.terminal.team_view import draw_team, print_list, print_team

Output = pytest.CaptureFixture[str]

MISTAKES = """\
name: Five mistakes
5x Hulk: Jade Giant
2x Thor: Lord of Asgrad
2x Storm: Wind-Rider
2x Storm: 'Ro
basic: Smash!
basic: Smash!
0x Beast: Genetic Expert
"""

CARDS = """\
[[card]]
title = "Nurse"
subtitle = "Night Shift"
cost = 2
energy = "mask"
die = "beast"
"""


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.team"
    path.write_text(MISTAKES, encoding="utf-8")
    return str(path)


def test_check_reports_every_problem_with_its_line(wrong: str, capsys: Output) -> None:
    assert main(["team", "check", wrong]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err.splitlines() == [
        f"dicemasters: {wrong}, line 2: Hulk: Jade Giant has 5 dice; it may have 4 (rules 7.1)",
        f"dicemasters: {wrong}, line 3: no card is called 'Thor: Lord of Asgrad'; did you mean 'Thor: Lord of Asgard'?",
        f"dicemasters: {wrong}, line 5: Storm is on the team twice, as Wind-Rider and as 'Ro (rules 1.3)",
        f"dicemasters: {wrong}, line 7: the basic action Smash! is there twice (rules 7.1)",
        f"dicemasters: {wrong}, line 8: Beast: Genetic Expert has no dice; a card needs at least one (rules 7.1)",
    ]


def test_check_continues_after_an_unreadable_team(wrong: str, capsys: Output) -> None:
    assert main(["team", "check", "nothing.team", "green-rage", "dm1abcdefgh", "flame on"]) == 2
    out = capsys.readouterr()
    assert out.out.splitlines() == [
        "green-rage: legal (Tournament team, 8 cards, 20 dice)",
        "flame on: legal (Tournament team, 8 cards, 20 dice)",
    ]
    assert out.err.splitlines() == [
        "dicemasters: nothing.team: No such file or directory",
        "dicemasters: dm1abcdefgh: the team code contains a mistake: its checksum does not match",
    ]


def test_check_uses_the_given_format(capsys: Output) -> None:
    assert main(["team", "check", "green-rage", "--format", "basic"]) == 2
    assert "green-rage, line" not in capsys.readouterr().err
    assert main(["team", "check", "green-rage"]) == 0


def test_check_of_partners_refuses_shared_cards_and_a_single_team(tmp_path: Path, capsys: Output) -> None:
    for name, cards in (("a", "Hulk: Jade Giant"), ("b", "Hulk: Anger Issues")):
        (tmp_path / name).write_text(f"format: doubles\n{cards}\nbasic: Smash!\n", encoding="utf-8")
    files = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert main(["team", "check", *files]) == 0
    capsys.readouterr()
    assert main(["team", "check", *files, "--partners"]) == 2
    assert [line.split(": ", 2)[2] for line in capsys.readouterr().err.splitlines()] == [
        "both partners bring Hulk (rules 7)",
        "both partners bring Smash! (rules 7)",
    ]
    assert main(["team", "check", files[0], "--partners"]) == 2


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", ready_teams())
def test_team_is_drawn_within_the_width(name: str, width: int) -> None:
    lines = draw_team(ready_teams()[name], width)
    assert all(line.cell_len <= width for line in lines)
    text = "\n".join(line.plain for line in lines)
    for one, _ in ready_teams()[name].cards:
        assert one.title in text


def test_show_prints_cards_costs_types_and_a_valid_code(capsys: Output) -> None:
    assert main(["team", "show", "green-rage"]) == 0
    text = capsys.readouterr().out
    assert "■■■■ 4 of 5  6F  Hulk: Green Goliath" in text
    assert " cost       2   3   4   5   6   all\n fist       7   2   ·   4   4    17" in text
    assert "Avengers 14" in text
    code = text.split("code")[1].split()[0]
    assert main(["team", "check", code]) == 0


def test_show_with_cards_prints_each_card_in_full(capsys: Output) -> None:
    assert main(["team", "show", "green-rage", "--cards"]) == 0
    text = capsys.readouterr().out
    assert "Hulk  Green Goliath" in text
    assert "Smash!  Basic Action Card" in text


def test_show_of_an_invalid_team_prints_its_valid_cards_and_all_problems(wrong: str, capsys: Output) -> None:
    assert main(["team", "show", wrong]) == 2
    out = capsys.readouterr()
    assert "Hulk: Jade Giant" in out.out
    assert len(out.err.splitlines()) == 5


def test_team_of_home_made_cards_has_no_code() -> None:
    nurse = card("own", 1, "Nurse", "Night Shift", cost=2, die="beast", energy="M")
    console = Console(file=io.StringIO(), width=80)
    print_team(console, Team(((nurse, 2),), (basic("own", 2, "Tea Time", cost=2),)))
    assert "codes cannot contain home-made cards" in console.file.getvalue()  # type: ignore[attr-defined]


def test_list_names_every_ready_team() -> None:
    out = io.StringIO()
    print_list(Console(file=out, width=80, highlight=False), ready_teams())
    assert [line.strip() for line in out.getvalue().splitlines() if line[1] != " "] == list(ready_teams())


@pytest.mark.parametrize("format", [key for key, one in FORMATS.items() if not one.cast])
def test_new_prints_a_template_that_lacks_only_cards(format: str, capsys: Output) -> None:
    assert main(["team", "new", "--format", format]) == 0
    text = capsys.readouterr().out
    assert [problem.text for problem in read_team(text).problems] == ["the team has no cards"]
    filled = "\n".join(
        line.removeprefix("# ") if line.startswith(("# 4x", "# 2x", "# basic")) else line for line in text.splitlines()
    )
    assert require_legal(read_team(filled)).format == format


def test_new_random_prints_a_legal_team(capsys: Output) -> None:
    assert main(["team", "new", "--random", "--seed", "7", "--format", "draft 9"]) == 0
    team = require_legal(read_team(capsys.readouterr().out))
    assert (team.format, team.dice) == ("draft 9", 9)


def test_template_for_a_fixed_team_is_refused(capsys: Output) -> None:
    assert main(["team", "new", "--format", "first-avx"]) == 2
    assert "are fixed" in capsys.readouterr().err
    assert main(["team", "new", "--format", "first-avx", "--random"]) == 0


@pytest.mark.parametrize(
    "argv",
    [["team"], ["team", "dance"], ["team", "check"], ["team", "new", "--format", "x"], ["play", "--format", "x"]],
)
def test_invalid_arguments_exit_with_2(argv: list[str], capsys: Output) -> None:
    assert main(argv) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("dicemasters")


def test_help_shows_examples(capsys: Output) -> None:
    for command in ("team", "play"):
        assert main([command, "--help"]) == 0
        assert "examples:" in capsys.readouterr().out


# --- playing -----------------------------------------------------------------------------------------------------------


def play_simple(*argv: str) -> int:
    return main(["play", "--a", "simple", "--b", "simple", *argv])


def repeat_command(text: str) -> list[str]:
    return text.splitlines()[-1].split("Play the same dice again: dicemasters ")[1].split()


def test_last_line_of_a_game_of_two_teams_repeats_the_game(capsys: Output) -> None:
    assert play_simple("--team-a", "green-rage", "--team-b", "random", "--seed", "4", "--edition", "cw") == 0
    first = capsys.readouterr().out
    assert main(repeat_command(first)) == 0
    assert capsys.readouterr().out == first
    assert "--team-a green-rage --team-b random --format tournament --seed 4" in first
    assert first.startswith(f"A: Green Rage: {ready_teams()['green-rage'].about}\nB: Random 9\n")


def test_teams_with_different_rules_need_an_explicit_edition(tmp_path: Path, capsys: Output) -> None:
    team = write_team(ready_teams()["green-rage"])
    paths = {name: str(tmp_path / f"{name}.team") for name in ("avx, ties", "uxm")}
    for name, path in paths.items():
        lines = [line for line in team.splitlines() if not line.startswith("format:")]
        Path(path).write_text("\n".join([f"format: tournament, {name}", *lines]))
    teams = ["--team-a", paths["avx, ties"], "--team-b", paths["uxm"], "--seed", "4"]
    assert play_simple(*teams) == 2
    assert "the teams name different rules, 'avx, ties' and 'uxm'" in capsys.readouterr().err
    assert main(["solitaire", "--team", paths["avx, ties"], "--opponent", paths["uxm"]]) == 2
    assert "the teams name different rules, 'avx, ties' and 'uxm'" in capsys.readouterr().err
    assert play_simple(*teams, "--edition", "cw") == 0
    assert play_simple(*teams, "--format", "tournament, ai") == 0


@pytest.mark.parametrize("format", ["basic", "short", "draft", "draft 8", "first-uxm"])
def test_format_without_teams_plays_two_teams_of_that_format(format: str, capsys: Output) -> None:
    assert play_simple("--format", format, "--seed", "3") == 0
    assert "the game is over" in capsys.readouterr().out


def test_illegal_team_cannot_play_and_all_problems_are_reported(wrong: str, capsys: Output) -> None:
    assert play_simple("--team-a", wrong, "--team-b", "green-rage", "--format", "basic") == 2
    out = capsys.readouterr()
    assert out.out == ""
    lines = out.err.splitlines()
    assert sum(wrong in line for line in lines) == 5
    assert sum("green-rage: " in line for line in lines) == 2


def test_teams_and_a_cast_exclude_each_other(capsys: Output) -> None:
    assert play_simple("--team-a", "green-rage", "--cast", "avx") == 2
    assert "--cast sets both teams" in capsys.readouterr().err
    assert play_simple("--format", "first-cw", "--cast", "avx") == 2


def test_game_with_home_made_cards_can_be_saved_and_loaded(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards, team, saved = tmp_path / "own.toml", tmp_path / "own.team", tmp_path / "game.txt"
    cards.write_text(CARDS, encoding="utf-8")
    team.write_text("4x Nurse\nbasic: Smash!\nbasic: Force Beam\n", encoding="utf-8")
    assert main(["team", "check", str(team)]) == 2
    assert main(["team", "check", str(team), "--load", str(cards)]) == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"save {saved}\nload {saved}\nshow nurse\nq\n"))
    assert main(["play", "--team-a", str(team), "--load", str(cards), "--seed", "1"]) == 0
    text = capsys.readouterr().out
    assert "loaded from" in text
    assert "Nurse  Night Shift" in text


def test_written_ready_teams_pass_the_check(tmp_path: Path) -> None:
    for name, team in ready_teams().items():
        (tmp_path / name).write_text(write_team(team), encoding="utf-8")
    assert main(["team", "check", *(str(path) for path in tmp_path.iterdir())]) == 0


# --- pipes, folders, JSON, sheets --------------------------------------------------------------------------------------


def test_check_reads_a_team_from_a_pipe(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    _pipe_to_stdin(monkeypatch, b"4x Hulk: Jade Giant\nbasic: Smash!\nbasic: Force Beam\n")
    assert main(["team", "check", "-"]) == 0
    assert "-: legal" in capsys.readouterr().out
    _pipe_to_stdin(monkeypatch, b"4x Hulk: Jade Giant\n\xff")
    assert main(["team", "check", "-"]) == 2
    assert capsys.readouterr().err == "dicemasters: -: not a text file (line 2, byte 21 of the file, is not UTF-8)\n"


def _pipe_to_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_check_reads_all_teams_of_a_folder(tmp_path: Path, capsys: Output) -> None:
    assert main(["team", "check", str(tmp_path)]) == 2
    assert "there is no *.team file in this folder" in capsys.readouterr().err
    (tmp_path / "a.team").write_text("4x Hulk: Jade Giant\nbasic: Smash!\nbasic: Force Beam\n")
    (tmp_path / "b.team").write_text("9x Hulk: Jade Giant\n")
    assert main(["team", "check", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert "a.team: legal" in out
    assert "b.team" in err
    assert main(["team", "check", str(tmp_path), "--json"]) == 2
    data = json.loads(capsys.readouterr().out)
    assert [team["legal"] for team in data] == [True, False]


def test_teams_are_printed_as_json(capsys: Output) -> None:
    assert main(["team", "show", "green-rage", "--json"]) == 0
    team = json.loads(capsys.readouterr().out)
    assert (team["name"], team["legal"]) == ("Green Rage", True)
    assert main(["team", "list", "--json"]) == 0
    assert "green-rage" in [team["key"] for team in json.loads(capsys.readouterr().out)]


def test_sheet_contains_every_card_and_no_external_links(capsys: Output) -> None:
    assert main(["team", "sheet", "green-rage"]) == 0
    page = capsys.readouterr().out
    team = find_team("green-rage").team
    assert all(card.title in page for card, _ in team.cards)
    assert "□" * team.cards[0][1] in page
    assert "http" not in page


def test_sheet_of_an_invalid_team_prints_the_page_and_the_problems(wrong: str, capsys: Output) -> None:
    assert main(["team", "sheet", wrong]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("<!DOCTYPE html>")
    assert err.startswith(f"dicemasters: {wrong}")


def test_ready_teams_written_to_a_pipe_are_tab_separated(capsys: Output) -> None:
    assert main(["team", "list"]) == 0
    head, *rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert head == ["key", "name", "format", "about"]
    assert {len(row) for row in rows} == {4}
    assert [row[0] for row in rows] == list(ready_teams())


def test_compare_prints_json_and_refuses_an_empty_team(tmp_path: Path, capsys: Output) -> None:
    assert main(["team", "compare", "green-rage", "flame-on", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [team["name"] for team in data["teams"]] == ["Green Rage", "Flame On"]
    assert data["figures"]["dice"] == ["20", "20"]
    empty = tmp_path / "empty.team"
    empty.touch()
    assert main(["team", "compare", "green-rage", str(empty)]) == 2
    assert capsys.readouterr().err == f"dicemasters: {empty}: the team has no cards\n"


def test_compare_prints_names_and_figures_of_both_teams(capsys: Output) -> None:
    assert main(["team", "compare", "green-rage", "flame-on"]) == 0
    out = capsys.readouterr().out
    assert "Green Rage" in out
    assert "mean cost" in out
