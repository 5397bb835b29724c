"""House rules: editions with changed switches, accepted wherever an edition can be named."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.support.effort import examples, is_thorough
from tools.verify.random_games import random_doubles, random_game, random_rules
from tools.verify.soak import check_record, check_text, play_checked
from tools.verify.soak import main as soak

from dicemasters import Game
from dicemasters.cli.main import main
from dicemasters.game.rulesets.editions import EDITIONS, SUBJECTS, SWITCHES, RuleSwitch, house_rules_of, parse_edition
from dicemasters.game.rulesets.solitaire import SCRIPT_VARIANTS
from dicemasters.game.state.constants import OUT_OF_PLAY, PREP, USED
from dicemasters.game.text.svg import render_svg
from dicemasters.teams.formats import find_format

HOUSE = "avx, unblocked stay until cleanup, KO'd dice are silent"

switches = pytest.mark.parametrize("switch", SWITCHES.values(), ids=SWITCHES)


# --- names ---------------------------------------------------------------------------------------------------------


def test_each_setting_of_a_switch_can_be_named_in_every_edition() -> None:
    for switch in SWITCHES.values():
        for key, value in zip(EDITIONS, switch.values, strict=True):
            for on in (True, False):
                made = parse_edition(f"{key}, {switch.setting_text(on)}")
                assert getattr(made, switch.name) == on, switch.name
                assert made.changes == (() if on == value else (switch.setting_text(on),)), switch.name
                assert house_rules_of(made) == ([] if on == value else [switch]), switch.name
                assert parse_edition(made.text) == made, switch.name


def test_switch_has_two_names_two_sentences_and_a_subject() -> None:
    for switch in SWITCHES.values():
        names = [s.setting_text(on).casefold() for s in SWITCHES.values() for on in (True, False)]
        for on in (True, False):
            assert names.count(switch.setting_text(on).casefold()) == 1, switch.name
            assert "," not in switch.setting_text(on), switch.name
            assert switch.sentence(on).endswith("."), switch.name
            assert switch.sentence(on)[0].isupper(), switch.name
        assert switch.subject in SUBJECTS, switch.name


def test_house_rule_names_ignore_case_quotes_and_dashes() -> None:
    for text in ("AVX,  Unblocked  stay until Cleanup", "avx,unblocked-stay until cleanup"):
        assert parse_edition(text).text == "avx, unblocked stay until cleanup"
    assert parse_edition("ai, only target targets, KO’d dice are silent").text == (
        'ai, KO\'d dice are silent, only "target" targets'
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("avx, unblocked stay til cleanup", "no house rule 'unblocked stay til cleanup'; did you mean 'unblocked stay"),
        ("avx, blockers count", "did you mean 'removed blockers count' or 'only KO'd blockers count'?"),
        ("avx, zzzz", "there is no house rule 'zzzz'; dicemasters editions lists them all"),
        ("avx,", "there is no house rule ''; dicemasters editions lists them all"),
        ("avx, ties, no ties", "'ties' and 'no ties' exclude each other"),
        ("avz, ties", "there is no edition 'avz'; there are avx, uxm, cw, ai"),
        ("ties", "'ties' is a house rule, and an edition comes before it, as in 'ai, ties'"),
        (
            "KO’d dice are silent, avx",
            "is a house rule, and an edition comes before it, as in 'ai, KO’d dice are silent'",
        ),
        ("avx, " + "z" * 5000, "there is no house rule 'zzz"),
    ],
)
def test_unreadable_rules_are_refused_with_a_suggestion(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        parse_edition(text)
    assert len(str(refused.value)) < 250


# --- games ---------------------------------------------------------------------------------------------------------


@pytest.mark.soak
@settings(max_examples=examples(quick=8, thorough=40), phases=[Phase.generate])
@given(seed=st.integers(0, 2**31))
def test_games_with_random_house_rules_hold_every_invariant_and_end(seed: int) -> None:
    game = random_game(seed, edition=random_rules(seed))
    assert game.table.edition.changes
    play_checked(game, seed)


@pytest.mark.soak
@settings(max_examples=examples(quick=2, thorough=6), phases=[Phase.generate])
@given(seed=st.integers(0, 2**31))
def test_doubles_games_with_random_house_rules_hold_every_invariant_and_end(seed: int) -> None:
    play_checked(random_doubles(seed, edition=random_rules(seed)), seed, rarely=24)


@pytest.mark.soak
@switches
def test_game_with_one_changed_switch_holds_every_invariant(switch: RuleSwitch) -> None:
    """Change the switch in one edition, or in every edition in a thorough run."""
    seed = list(SWITCHES).index(switch.name)
    editions = list(zip(EDITIONS, switch.values, strict=True))
    for key, value in editions if is_thorough() else [editions[seed % len(editions)]]:
        play_checked(random_game(seed, edition=f"{key}, {switch.setting_text(not value)}"), seed, rarely=24)


def test_random_rules_cover_every_switch_and_keep_the_given_edition() -> None:
    drawn = [random_rules(seed) for seed in range(60)]
    assert {text.split(",")[0] for text in drawn} == set(EDITIONS)
    assert {name for text in drawn for name in (s.name for s in house_rules_of(parse_edition(text)))} == set(SWITCHES)
    assert all(parse_edition(random_rules(seed, "cw")).key == "cw" for seed in range(9))


def test_soak_plays_with_random_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak(["--games", "2", "--jobs", "0", "--house", "--edition", "cw"]) == 0
    assert capsys.readouterr().out.startswith("2 games, ")


def test_positions_records_and_pictures_name_the_house_rules() -> None:
    game = Game.new(HOUSE, seed=2)
    for _ in range(12):
        game.play(0)
    assert f"edition: {HOUSE}\n" in game.to_text()
    assert f"edition: {HOUSE}\n" in game.record
    check_text(game.state)
    check_record(game)
    assert "House rules: unblocked stay until cleanup; KO&#x27;d dice are silent" in render_svg(game.state)
    assert "House rules" not in render_svg(Game.new("avx").state)


# --- the command line ----------------------------------------------------------------------------------------------


def test_editions_command_lists_every_switch_and_reading_with_its_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["editions"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for switch in SWITCHES.values():
        for on in (True, False):
            having = [key for key, value in zip(EDITIONS, switch.values, strict=True) if value == on]
            line = f"{switch.setting_text(on)}  {' '.join(having) or 'a house rule'} · {switch.rule}"
            assert lines[lines.index(line) + 1].strip() == switch.sentence(on)
    for one in SCRIPT_VARIANTS:
        assert lines[lines.index(f"{one.text}  a reading · {one.rule}") + 1].strip() == one.about


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tournament, ties", "'ties' is a house rule, and an edition comes before it, as in 'ai, ties'"),
        ("tournament, ties, avx", "'ties' is a house rule, and an edition comes before it, as in 'ai, ties'"),
        ("tournament, xyz", "there is no edition 'xyz'; there are avx, uxm, cw, ai"),
        ("tornament, ties", "there is no format 'tornament, ties'; did you mean 'tournament'?"),
    ],
)
def test_format_with_invalid_rules_is_refused_with_a_reason(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        find_format(name)


@pytest.mark.parametrize("name", ["avx", "AI", "civil war"])
def test_editions_command_lists_the_settings_of_one_edition(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["editions", *name.split()]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(n for n, (key, e) in enumerate(EDITIONS.items()) if name.casefold() in (key, e.name.casefold()))
    for switch in SWITCHES.values():
        for on in (True, False):
            has = any(
                line.startswith(f"{switch.setting_text(on)}  ") and line.endswith(f"· {switch.rule}") for line in lines
            )
            assert has == (switch.values[at] == on), switch.name
    assert not any("a reading" in line for line in lines)


def test_editions_command_searches_for_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["editions", "OVERCRUSH"]) == 0
    out = capsys.readouterr().out
    assert "only KO'd blockers count  a house rule · 6.12" in out
    assert "Out of Play" not in out
    assert main(["editions", "quidditch"]) == 2
    message = "dicemasters: no house rule mentions 'quidditch'; dicemasters editions lists them all\n"
    assert capsys.readouterr().err == message


@pytest.mark.parametrize("command", ["play", "solitaire"])
def test_game_screen_and_repeat_command_name_the_house_rules(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main([command, "--edition", HOUSE, "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "── Avengers vs. X-Men · turn 1" in out
    assert " house   unblocked stay until cleanup   KO'd dice are silent\n" in out
    again = shlex.split(out.splitlines()[-1].partition("Play the same dice again: dicemasters ")[2])
    assert again[:3] == [command, "--edition", HOUSE]
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(again) == 0
    assert capsys.readouterr().out == out


@pytest.mark.parametrize("command", [["play"], ["solitaire"], ["draft", "team"], ["bench"]])
def test_unknown_house_rule_suggests_the_nearest_one(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--edition", "ai, virtual enrgy"]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    message = "--edition: there is no house rule 'virtual enrgy'; did you mean 'virtual energy'"
    assert message in last


def test_bench_measures_an_edition_with_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--seconds", "0.01", "--edition", HOUSE]) == 0
    out = capsys.readouterr().out
    assert f"rules: {HOUSE}\n" in out
    assert "first game avx" in out
    assert "first game cw" not in out


def test_game_screen_names_the_readings_of_the_script(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(["solitaire", "--reading", "tricks wait", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert " script  tricks wait\n" in out
    assert "the rules are those of Avengers vs. X-Men (2014)" in out


def test_fourth_die_of_the_first_turn_goes_to_the_used_pile_without_out_of_play() -> None:
    for edition, dice, where in (("avx", [3, 1, 0], "to the Used Pile"), ("cw", [3, 0, 1], "Out of Play")):
        game = Game.new(f"{edition}, three dice first", seed=1, first="A")
        assert [len(game.state.dice_in(place, 0)) for place in (PREP, USED, OUT_OF_PLAY)] == dice
        assert f"  A begins with three dice: the fourth, Sidekick, goes {where}" in game.log


def test_editions_page_names_existing_editions_and_house_rules() -> None:
    page = (Path(__file__).parents[3] / "docs" / "editions.md").read_text(encoding="utf-8")
    for key, edition in EDITIONS.items():
        assert f"`{key}` ({edition.name}, {edition.year})" in page
    named = re.findall(r"`format: ([^`]+)`|`--edition \"([^\"]+)\"`|Game\.new\(\"([^\"]+)\"\)", page)
    assert len(named) == 3
    for format, asked, made in named:
        assert parse_edition(asked or made or find_format(format).edition).changes
