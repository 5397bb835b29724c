"""Solitaire in the terminal: the command, `why`, the running score."""

import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

from dicemasters import Game, paths
from dicemasters.cli.main import main
from dicemasters.game.rulesets.solitaire import SolitaireRules
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.terminal import solitaire_score
from dicemasters.terminal.game_ui import TerminalGame
from dicemasters.terminal.log_digest import digest_log
from dicemasters.terminal.solitaire_score import SolitaireScore, add_result, read_scores, score_lines

LOSING = "keep\npass\nattack\ndone\nno\n" * 3000  # at every decision one of these does as little as possible


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "dicemasters"


def run_solitaire(monkeypatch: pytest.MonkeyPatch, typed: str, *args: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    return main(["solitaire", "--seed", "3", *args])


def play_answers(*answers: str) -> str:
    """Play these answers in a fixed position, then quit. Return the output."""
    game = Game.from_text(
        "edition: avx\nsolitaire: B\nbasics: Force Beam\nteam B: Beast: Mutate #666\nA reserve: 3 F\n"
        "B field: Beast@2\nturn: 3, A, main\n"
    )
    out = io.StringIO()
    console = Console(file=out, width=100, height=40, highlight=False, color_system=None)
    remaining = iter(answers)
    TerminalGame(game, [None, ScriptedPlayer()], console, lambda _: next(remaining, "quit"), interactive=False).run()
    return out.getvalue()


def test_solitaire_start_names_players_readings_and_the_repeat_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_solitaire(monkeypatch, "quit\n") == 0
    out = capsys.readouterr().out
    assert "A (you) decides" in out
    assert "B scripted" in out
    assert "the script has its default readings" in out
    again = "dicemasters solitaire --edition avx --team random --opponent random --format tournament --seed 3"
    assert out.rstrip().endswith(again)


def test_quit_game_is_saved_and_can_be_resumed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("keep all\nquit\n"))
    assert main(["solitaire", "--seed", "3"]) == 0
    (saved,) = (folder / "games").iterdir()
    assert f"Resume this game: dicemasters play {saved}" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(["play", str(saved)]) == 0
    assert "B scripted" in capsys.readouterr().out


def test_repeat_command_names_all_chosen_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--team", "stonewall", "--difficulty", "easy", "--reading", "basics never", "--life", "16")
    assert run_solitaire(monkeypatch, "quit\n", *more) == 0
    out = capsys.readouterr().out
    assert "readings of the script: basics never, half life" in out
    assert "--team stonewall --opponent random" in out
    assert out.rstrip().endswith("--difficulty easy --reading 'basics never' --life 16")


def test_unknown_reading_prints_one_line_and_exits_with_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_solitaire(monkeypatch, "", "--reading", "kindly") == 2
    err = capsys.readouterr().err
    assert err.startswith("dicemasters: 'kindly' is no reading of the script; there are basics mixed, ")
    assert err.count("\n") == 1


def test_play_against_the_script_is_solitaire_and_allows_one_script_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("position\nquit\n"))
    assert main(["play", "--b", "scripted", "--seed", "5"]) == 0
    assert "solitaire: B" in capsys.readouterr().out
    assert main(["play", "--a", "scripted", "--b", "scripted"]) == 2
    assert (
        capsys.readouterr().err == "dicemasters: only one player can be scripted, because it buys when the other does\n"
    )


def test_finished_game_is_counted_and_quit_game_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    run_solitaire(monkeypatch, "quit\n")
    assert not folder.exists()
    run_solitaire(monkeypatch, LOSING)
    assert "You have lost this game. normal: 0 won, 1 lost." in capsys.readouterr().out
    assert main(["solitaire", "--score"]) == 0
    assert capsys.readouterr().out == "normal: 0 won, 1 lost\n"


def test_broken_score_file_is_reported_and_left_unchanged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    folder.mkdir()
    file = folder / solitaire_score.FILE
    file.write_text("{broken", encoding="utf-8")
    sentence = f"dicemasters: {file}: this is not a solitaire score file; it was not changed\n"
    assert main(["solitaire", "--score"]) == 2
    assert capsys.readouterr().err == sentence
    assert run_solitaire(monkeypatch, LOSING) == 0
    assert capsys.readouterr().err == sentence
    assert file.read_text(encoding="utf-8") == "{broken"


@pytest.mark.parametrize("text", ["[]", "3", '{"easy": 1}', '{"easy": {"won": "x"}}', '{"easy": {"won": -1}}', "\x00"])
def test_invalid_score_file_is_refused(text: str, folder: Path) -> None:
    folder.mkdir()
    (folder / solitaire_score.FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="is not a solitaire score file"):
        read_scores()


def test_results_add_up_in_a_single_score_file(folder: Path) -> None:
    assert score_lines(read_scores()) == ["No solitaire game has been finished yet."]
    add_result("hard", solitaire_score.WON)
    add_result("hard", solitaire_score.TIED)
    assert add_result("easy", solitaire_score.LOST) == SolitaireScore(lost=1)
    assert read_scores() == {"hard": SolitaireScore(1, 0, 1), "easy": SolitaireScore(0, 1)}
    assert score_lines(read_scores()) == ["hard: 1 won, 0 lost, 1 tied", "easy: 0 won, 1 lost"]
    assert [path.name for path in folder.iterdir()] == [solitaire_score.FILE]
    assert json.loads((folder / solitaire_score.FILE).read_text(encoding="utf-8"))["hard"] == {
        "won": 1,
        "lost": 0,
        "tied": 1,
    }


@pytest.mark.parametrize(
    ("platform", "ending"), [("win32", "Local/dicemasters"), ("darwin", "Application Support/dicemasters")]
)
def test_data_folder_depends_on_the_platform(platform: str, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert paths.data_dir().as_posix().endswith(ending)


def test_why_explains_the_last_choices_and_cites_their_rules() -> None:
    out = play_answers("buy Force Beam", "pass", "why")
    assert "B: no attack  S24: keeps two characters home and has no more that can attack." in out


def test_why_says_when_the_script_has_not_chosen_yet() -> None:
    assert "The Scripted Opponent has not made a choice yet." in play_answers("why")


def test_news_and_log_cite_the_rules() -> None:
    out = play_answers("buy Force Beam", "log", "pass", "log 60")
    assert "B buys Beast too, for nothing [S7]" in out
    assert "B: no attack [S24]" in out


def test_row_command_shows_the_purchase_rows() -> None:
    out = play_answers("row")
    assert "B (scripted): Beast 2\n" in out
    assert "basics: Force Beam 3\n" in out


def test_digest_cites_rules_of_omitted_choices_with_their_outcome() -> None:
    lines = [
        "B: reroll F [S12]", "B: reroll M [S12]", "B: reroll these [S12]", "  Sidekick shows @1", "B: field Hulk@2 [S18]",
        "B: pay F [S20]", "  B fields Hulk", "B: pass [S14]", "  Turn 3: A",
    ]  # fmt: skip
    assert digest_log(lines) == [
        "B rerolls F, M [S12]", "the dice show Sidekick", "B fields Hulk [S18, S20]", "B: pass [S14]", "Turn 3: A",
    ]  # fmt: skip


def test_script_life_is_shown_with_its_own_maximum() -> None:
    game = Game.new("ai", life=20, solitaire=SolitaireRules(life=10))
    console = Console(file=io.StringIO(), width=100, height=40, highlight=False, color_system=None)
    TerminalGame(game, [None, ScriptedPlayer()], console, lambda _: "quit", interactive=False).run()
    assert isinstance(console.file, io.StringIO)
    assert "life 10/10" in console.file.getvalue()
