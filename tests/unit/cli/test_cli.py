"""The `dicemasters` command: exit codes, messages, help."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from dicemasters import Game, __version__
from dicemasters._compiled import build_kind
from dicemasters.cards import catalogue
from dicemasters.cli.main import COMMANDS, GROUPS, main
from dicemasters.terminal import draft_ui, game_ui, replay_ui
from dicemasters.terminal.card_table import print_table
from dicemasters.terminal.replay_ui import KEYS


@pytest.fixture
def record(tmp_path: Path) -> Path:
    game = Game.new("ai", seed=1)
    while game.result is None:
        game.play(0)
        if len(game.moves) == 40:
            break
    path = tmp_path / "game.txt"
    path.write_text(game.record, encoding="utf-8")
    return path


def set_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_help_lists_commands_and_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for word in (*GROUPS, *COMMANDS, "dicemasters play --edition avx --seed 7"):
        assert word in text
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
        assert f"\n  dicemasters {command}" in capsys.readouterr().out, command


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_help_fits_80_columns(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only commands to copy and lists without spaces may be longer."""
    monkeypatch.setenv("COLUMNS", "80")
    assert main([command, "--help"] if command else ["--help"]) == 0
    wide = [line for line in capsys.readouterr().out.split("\n") if len(line) > 80]
    assert [line for line in wide if " " in line.strip() and not re.fullmatch(r"  dicemasters( \S+)+", line)] == []


def test_wide_terminal_keeps_examples_on_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["--help"]) == 0
    assert "level1 to level5, or level5@2s to think longer\n" in capsys.readouterr().out


def test_running_without_a_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "Author and host:" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["-energy:bolt"], ["--json", "-energy:bolt"], ["-energy:bolt", "--json"], ["set:avx", "-energy:bolt"]]
)
def test_search_can_begin_with_a_minus(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", *words]) == 0
    out = capsys.readouterr().out
    keys = (
        [card["key"] for card in json.loads(out)] if "--json" in words else [x.split("\t")[0] for x in out.split("\n")]
    )
    assert {"avx9", "avx10"} & set(keys) == {"avx9"}  # Hulk has no bolt energy, Human Torch has


def test_version_prints_version_and_build(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"dicemasters {__version__} ({build_kind()})"


def test_show_prints_a_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "hulk:", "jade", "giant"]) == 0
    assert "Hulk  Jade Giant" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["avx9", "cw4"], ["hulk:", "jade", "giant;", "cw4"], ["avx9,", "cw4"]])
def test_show_prints_several_cards(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *words]) == 0
    out = capsys.readouterr().out
    assert "Hulk  Jade Giant" in out
    assert "Captain America  Anti-Reg" in out


def test_show_names_the_unknown_card_among_several(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "avx9;", "zzzzzz"]) == 2
    assert "zzzzzz" in capsys.readouterr().err


def test_show_explains_round_brackets_only_where_they_occur(capsys: pytest.CaptureFixture[str]) -> None:
    note = "text in round brackets is not printed on the card"
    assert main(["show", "Wolverine: Formerly Weapon Ten"]) == 0
    assert note in capsys.readouterr().out
    assert main(["show", "Hulk: Annihilator"]) == 0
    assert note not in capsys.readouterr().out


def test_show_uses_the_singular_for_one_die(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "cw139"]) == 0
    assert "at most 1 die ·" in capsys.readouterr().out


def test_show_of_an_unknown_card_prints_one_line_and_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "zzzzzz"]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err == "dicemasters: no card is called 'zzzzzz'\n"


def test_play_prints_how_to_repeat_the_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_stdin(monkeypatch, "")
    assert main(["play"]) == 0
    assert "--edition ai --cast ai --seed " in capsys.readouterr().out


def test_same_seed_plays_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    games = []
    for _ in range(2):
        assert main(["play", "--a", "simple", "--b", "random", "--seed", "3", "--edition", "uxm", "--life", "8"]) == 0
        games.append(capsys.readouterr().out)
    assert games[0] == games[1]
    assert "life" in games[0]


@pytest.mark.parametrize(
    "argv",
    [
        ["dance"],
        ["play", "--edition", "xyz"],
        ["play", "--cast", "xyz"],
        ["play", "--life", "0"],
        ["play", "--life", "many"],
        ["play", "--seed", "x"],
        ["play", "--seed", "9" * 21],
        ["play", "--a", "grandma"],
        ["replay"],
        ["show"],
        ["scenario"],
        ["play", "--pace", "inf"],
        ["play", "--pace", "-1"],
        ["bench", "--seconds", "nan"],
        ["bench", "--seconds", "-1"],
        ["serve", "--expire-days", "-1"],
        ["team", "compare", "green-rage"],
        ["draft", "rainbow", "--players", "0"],
        ["coverage", "no-such-folder"],
        ["puzzles", "check", "no-such-folder"],
        ["puzzles", "mine", "--games", "9" * 400],
        ["puzzles", "mine", "--workers", "257"],
        ["puzzle", "3", "--goal", "win"],
        ["puzzle", "today", "--grade", "1"],
        ["arena", "simple", "random", "--games", "9" * 400],
        ["arena", "simple", "random", "--workers", "-1"],
        ["simulate", "green-rage", "flame-on", "--games", "9" * 400],
        ["simulate", "green-rage", "flame-on", "--workers", "-1"],
        ["train", "--games", "9" * 400],
        ["train", "--workers", "many"],
        ["cards", "!="],
        ["--nothing"],
    ],
)
def test_invalid_arguments_print_one_line_and_exit_with_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("dicemasters")


def test_argument_error_names_the_option_and_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--life", "many"]) == 2
    message = "dicemasters play: --life: 'many' is not a number from 1 to 200 (dicemasters play --help tells more)\n"
    assert capsys.readouterr().err == message
    assert main(["plya"]) == 2
    assert "there is no command 'plya'; did you mean play?" in capsys.readouterr().err


def test_version_ignores_further_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version", "play"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize(
    "argv",
    [
        ["play"],
        ["replay"],
        ["analyse"],
        ["team", "check"],
        ["team", "show"],
        ["draft", "resume"],
        ["cards", "--load"],
        ["show", "avx9", "--load"],
        ["play", "--team-a"],
    ],
)
def test_every_command_reports_a_binary_file_in_the_same_words(
    argv: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"one\ncaf\xe9\n")
    assert main([*argv, str(path)]) == 2
    message = f"dicemasters: {path}: not a text file (line 2, byte 8 of the file, is not UTF-8)\n"
    assert capsys.readouterr().err == message


def test_record_written_by_powershell_is_read(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = record.read_text(encoding="utf-8").replace("\n", "\r\n")
    record.write_bytes(text.encode("utf-16"))
    assert main(["play", str(record), "--a", "simple", "--b", "simple", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["winner"]


@pytest.mark.parametrize("command", ["play", "analyse"])
def test_empty_file_is_refused_as_a_game(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.txt"
    path.write_text(" \n")
    assert main([command, str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"dicemasters: {path}: the file is empty;")


def test_words_after_two_dashes_belong_to_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "set:avx", "--", "-energy:bolt"]) == 0
    keys = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert {"avx9", "avx10"} & set(keys) == {"avx9"}


def test_editions_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["editions", "--json", "overcrush"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [edition["key"] for edition in data["editions"]] == ["avx", "uxm", "cw", "ai"]
    settings = [setting for switch in data["switches"] for setting in switch["settings"]]
    assert "only KO'd blockers count" in [setting["words"] for setting in settings]


def test_replay_shows_the_game(
    record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_stdin(monkeypatch, "3\nq\n")
    assert main(["replay", str(record)]) == 0
    assert "move 3 of 40" in capsys.readouterr().out


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello\n",
        b"\x00\x01\x02",
        b"\xff\xfe\xfd",
        bytes(range(256)) * 9,
        b"dicemasters record\nmoves:\nresult: x\n",
    ],
)
def test_broken_record_prints_one_line_naming_the_file(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken"
    path.write_bytes(data)
    assert main(["replay", str(path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"dicemasters: {path}: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("cut", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_truncated_record_is_refused(cut: float, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = record.read_bytes()
    record.write_bytes(data[: int(len(data) * cut)])
    assert main(["replay", str(record)]) == 2
    assert capsys.readouterr().err.startswith(f"dicemasters: {record}: ")


@pytest.mark.parametrize(("name", "why"), [("missing", "No such file or directory"), (".", "Is a directory")])
def test_unreadable_file_is_named_with_the_reason(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err == f"dicemasters: {path}: {why}\n"


def run(argv: list[str], stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "80", **more}
    command = [sys.executable, "-m", "dicemasters", *argv]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, env=environment, timeout=600, check=False
    )


def test_ascii_terminal_gets_question_marks_for_symbols() -> None:
    done = run(["play", "--seed", "5"], PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "Black Widow 2F ??" in done.stdout


def test_output_to_a_pipe_has_no_colour() -> None:
    assert "\x1b" not in run(["play", "--seed", "5"]).stdout


@pytest.mark.parametrize("command", ["cards", "editions"])
def test_closed_reader_gives_exit_code_141_without_a_message(command: str) -> None:
    shell = f"{sys.executable} -m dicemasters {command} | head -1 > /dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (141, "")


def test_closed_standard_output_is_not_an_error() -> None:
    shell = f"exec {sys.executable} -m dicemasters editions >&-"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_card_table_shows_summaries_within_80_columns() -> None:
    out = io.StringIO()
    print_table(Console(file=out, width=80, force_terminal=True, color_system=None), [catalogue().find("avx12")])
    assert "First fielding" in out.getvalue()
    assert max(len(line) for line in out.getvalue().splitlines()) <= 80


@pytest.mark.parametrize("help_", [game_ui.HELP, replay_ui.HELP, draft_ui.HELP], ids=["table", "replay", "draft"])
def test_help_texts_of_the_terminal_uis_fit_80_columns(help_: str) -> None:
    assert max(map(len, help_.splitlines())) <= 80


def test_replay_keys_fit_80_columns() -> None:
    assert max(map(len, KEYS.splitlines())) <= 79


def test_closed_pipe_prints_no_error() -> None:
    command = f"{sys.executable} -m dicemasters play --a simple --b simple --seed 1 | true"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=600, check=False)
    assert done.stderr == ""


def test_replay_check_says_that_a_seeded_game_has_no_fair_dice(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record), "--check"]) == 0
    assert "They are not fair dice." in capsys.readouterr().out
