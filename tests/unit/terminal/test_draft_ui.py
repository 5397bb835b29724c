"""Drafts in the terminal and from the command line, with scripted answers instead of people."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from dicemasters.cards import catalogue
from dicemasters.cli.main import main
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.draft import Draft
from dicemasters.teams.team_file import load_team
from dicemasters.terminal.draft_ui import TerminalDraft

Answers = Iterable[str | type[BaseException]]


class ScriptedInput:
    """Scripted answers in order, then the end of input."""

    def __init__(self, answers: Answers) -> None:
        self.answers: Iterator[str | type[BaseException]] = iter(answers)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        answer = next(self.answers, EOFError)
        if isinstance(answer, str):
            return answer
        raise answer


def run_draft(
    draft: Draft, answers: Answers, *, save: str | None = None, width: int = 80
) -> tuple[TerminalDraft, int, str, list[str]]:
    """Draft with these answers. Return the interface, its exit code, the output and the prompts."""
    out = io.StringIO()
    console = Console(file=out, width=width, height=24, highlight=False, color_system=None)
    scripted_input = ScriptedInput(answers)
    ui = TerminalDraft(draft, catalogue(), console, scripted_input, save=save)
    code = ui.run()
    return ui, code, out.getvalue(), scripted_input.prompts


def avx_draft() -> Draft:
    """Return a draft in which a person (A) picks first, from all stacks of avx."""
    return Draft.team(life=8, stacks=38, first=1, people=[0], seed=3)


@pytest.mark.parametrize("width", [60, 80, 140])
@pytest.mark.parametrize("kind", ["team", "rainbow"])
def test_whole_draft_fits_the_width(kind: str, width: int) -> None:
    draft = Draft.team(people=[0], seed=4) if kind == "team" else Draft.rainbow(people=[0], players=3, seed=4)
    chance = SplitMix64(1)
    holder: list[TerminalDraft] = []

    def answer(prompt: str) -> str:
        return str(chance.below(len(holder[0].draft.decision or ())) + 1)

    out = io.StringIO()
    console = Console(file=out, width=width, height=24, highlight=False, color_system=None)
    holder.append(TerminalDraft(draft, catalogue(), console, answer))
    assert holder[0].run() == 0
    assert draft.decision is None
    assert max(len(line) for line in out.getvalue().splitlines()) <= width


def test_people_pick_by_number_or_part_of_the_name() -> None:
    ui, code, text, _ = run_draft(avx_draft(), ["Hulk", "jade", "3", "2"])
    assert code == 0
    assert [move.text for move in ui.draft.moves[:3]] == ["Hulk", "Hulk: Jade Giant", "3 dice"]
    assert "Hulk 6F ■■■" in text
    assert "B has taken " in text
    assert "End of input. The draft stops here. It was not saved." in text


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("0", "There is no pick 0: choose from 1 to 38."),
        ("39", "There is no pick 39: choose from 1 to 38."),
        ("99999999999", "There is no pick 99999999999: choose from 1 to 38."),
        ("xyz", "'xyz' cannot be taken now"),
        ("captain", "'captain' could be"),
        ("undo", "There is nothing to undo."),
        ("save", "No file name given. Type: save FILE"),
        ("show", "No card given. Type its name or number: show CARD"),
        ("show zzzzzz", "no card is called 'zzzzzz'"),
        ("show 77", "There is no pick 77"),
        ("dice", "In a Draft team there are dice for every card"),
    ],
)
def test_invalid_answer_is_explained_and_changes_nothing(answer: str, words: str) -> None:
    start = avx_draft()
    if answer == "captain":
        start = Draft.team(life=8, stacks=44, sets=["cw"], first=1, people=[0], seed=3)
    ui, _, text, _ = run_draft(start, [answer])
    assert words in " ".join(text.split())
    assert not ui.draft.moves


def test_completions_offer_picks_commands_and_cards() -> None:
    ui, _, _, _ = run_draft(avx_draft(), ())
    decision = ui.draft.decision
    assert decision is not None
    text = decision.picks[0].text
    assert text in ui.completions(text[:3].lower())
    assert ui.completions("und") == ["undo"]
    assert f"show {decision.picks[0].cards[0].name}" in ui.completions("show ")
    assert ui.completions("") == [pick.text for pick in decision]


def test_show_prints_the_cards_of_a_stack_by_name_or_number() -> None:
    for answer in ("show hulk", "show 15", "show Hulk: J"):
        _, _, text, _ = run_draft(avx_draft(), [answer])
        assert "Hulk  Jade Giant" in text
    _, _, text, _ = run_draft(avx_draft(), ["show ai25"])
    assert "Hulk  Primal Fury" in text


def test_hint_names_the_pick_of_a_bot() -> None:
    _, _, text, _ = run_draft(avx_draft(), ["hint"])
    assert re.search(r"A bot would pick [0-9]+: ", text)


def test_undo_reverts_the_last_pick_of_a_person() -> None:
    ui, _, _, _ = run_draft(avx_draft(), ["Hulk", "jade", "3", "undo"])
    assert [move.text for move in ui.draft.moves] == ["Hulk", "Hulk: Jade Giant"]
    ui, _, _, _ = run_draft(avx_draft(), ["Hulk", "jade", "3", "undo", "u", "u"])
    assert not ui.draft.moves


def test_rainbow_draft_lists_the_shared_dice_and_the_drafted_cards() -> None:
    draft = Draft.rainbow(people=[0], players=2, seed=2)
    _, _, text, _ = run_draft(draft, ["1", "dice", "team", "help"], width=100)
    assert "Which card do you draft?" in text
    assert "cards   1× " in text
    assert "Pick with a number" in text


def test_two_people_swap_places_before_each_sees_their_cards() -> None:
    draft = Draft.rainbow(people=[0, 1], players=2, seed=2)
    _, _, _, prompts = run_draft(draft, ["1", "", "1", "", "1"])
    assert prompts[:5] == [
        "> ",
        "B is next. Press Enter when B sits here alone: ",
        "> ",
        "A is next. Press Enter when A sits here alone: ",
        "> ",
    ]


def test_quitting_says_whether_and_where_the_draft_is_saved(tmp_path: Path) -> None:
    path = str(tmp_path / "my.draft")
    _, code, text, _ = run_draft(avx_draft(), ["q"])
    assert code == 0
    assert "You have left the draft. It was not saved." in text
    _, code, text, _ = run_draft(avx_draft(), [f"save {path}", KeyboardInterrupt], width=300)
    assert code == 130
    assert f"Resume with: dicemasters draft resume {path}" in text


def test_every_pick_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "my.draft"
    for answers in (["Hulk"], ["Hulk", "jade"], ["Hulk", "jade", "3"], ["Hulk", "jade", "undo"]):
        path.unlink(missing_ok=True)
        ui, _, _, _ = run_draft(avx_draft(), answers, save=str(path))
        assert Draft.from_text(path.read_text(encoding="utf-8")) == ui.draft
    assert [file.name for file in tmp_path.iterdir()] == ["my.draft"]


def test_draft_continues_when_saving_fails(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()

    def answers() -> Iterator[str]:
        yield "Hulk"
        (folder / "my.draft").unlink()
        folder.rmdir()
        yield "jade"
        yield "3"

    ui, code, text, _ = run_draft(avx_draft(), answers(), save=str(folder / "my.draft"), width=300)
    assert code == 0
    assert "Not saved: " in text
    assert len(ui.draft.moves) > 3


# --- the command ---------------------------------------------------------------------------------------------------


def set_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


@pytest.mark.parametrize(
    "argv", [["team", "--life", "9", "--sets", "avx,uxm"], ["rainbow", "--players", "3", "--sets", "all"]]
)
def test_draft_of_bots_prints_teams_and_how_to_play_them(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draft", *argv, "--people", "0", "--seed", "5"]) == 0
    once = capsys.readouterr().out
    assert "# draft-5-a.team\nname: " in once
    assert "Play with them: dicemasters play --edition " in once
    assert main(["draft", *argv, "--people", "0", "--seed", "5"]) == 0
    assert capsys.readouterr().out == once


def test_drafted_teams_are_written_to_a_folder_and_are_legal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["draft", "rainbow", "--people", "0", "--players", "8", "--seed", "2", "--out", str(tmp_path / "teams")]
    assert main(command) == 0
    files = sorted((tmp_path / "teams").iterdir())
    assert [file.name for file in files] == [f"draft-2-{letter}.team" for letter in "abcdefgh"]
    assert all(load_team(file).check() == [] for file in files)
    capsys.readouterr()
    assert main(command) == 2
    assert "the file exists and was not overwritten" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["team", "rainbow"])
def test_printed_command_plays_the_drafted_teams(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draft", kind, "--people", "0", "--seed", "2", "--out", str(tmp_path)]) == 0
    command = capsys.readouterr().out.splitlines()[-1].partition("Play with them: dicemasters ")[2]
    assert main([*shlex.split(command), "--a", "simple", "--b", "random", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert " wins: " in out
    assert ("--first A" in out) == ("--first A" in command)


def test_house_rules_are_named_in_the_teams_and_the_printed_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = "cw, KO'd dice are silent"
    argv = ["draft", "team", "--people", "0", "--seed", "2", "--out", str(tmp_path), "--edition", rules]
    assert main(argv) == 0
    assert [load_team(file).team.format for file in sorted(tmp_path.iterdir())] == [f"draft 12, {rules}"] * 2
    command = shlex.split(capsys.readouterr().out.splitlines()[-1].partition("Play with them: dicemasters ")[2])
    assert command[:5] == ["play", "--edition", rules, "--format", "draft 12"]
    without = [word for word in command if word not in ("--edition", rules, "--format", "draft 12")]
    for asked in (command, without):
        assert main([*asked, "--a", "simple", "--b", "random", "--seed", "1"]) == 0
        assert " house   KO'd dice are silent\n" in capsys.readouterr().out


def test_unwritable_path_is_named_before_the_first_pick(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for argument in (["--save", f"{tmp_path}/no/my.draft"], ["--out", f"{tmp_path}/file"]):
        assert main(["draft", "team", *argument]) == 2
        out = capsys.readouterr()
        assert out.out == ""
        assert out.err.startswith(f"dicemasters: {tmp_path}")


def test_draft_is_saved_and_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my.draft"
    begin = ["draft", "team", "--stacks", "all", "--first", "B", "--seed", "3", "--save", str(path)]
    set_stdin(monkeypatch, "hulk\njade\n")
    assert main(begin) == 0
    assert len(Draft.from_text(path.read_text(encoding="utf-8")).moves) == 2
    capsys.readouterr()
    assert main(begin) == 2
    assert f"the file exists; to resume its draft: dicemasters draft resume {path}" in capsys.readouterr().err
    set_stdin(monkeypatch, "3\n")
    assert main(["draft", "resume", str(path)]) == 0
    assert "How many dice of Hulk: Jade Giant do you use?" in capsys.readouterr().out
    assert len(Draft.from_text(path.read_text(encoding="utf-8")).moves) > 3


def test_file_that_is_not_a_draft_is_named_and_left_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "letter.txt"
    for data in (b"Dear all\n", b"", b"\xff\xfe\x00", b"dicemasters draft 1\nkind: team\n"):
        path.write_bytes(data)
        assert main(["draft", "resume", str(path)]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"dicemasters: {path}: ")
        assert err.count("\n") == 1
        assert path.read_bytes() == data
    path.write_bytes(b"Dear all\n")
    _, _, text, _ = run_draft(avx_draft(), [f"save {path}"], width=300)
    assert "not overwritten, because it is not a draft" in text
    assert path.read_bytes() == b"Dear all\n"


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["cube"],
        ["team", "--life", "7"],
        ["team", "--life", "many"],
        ["team", "--stacks", "many"],
        ["team", "--stacks", "99"],
        ["team", "--basics", "5"],
        ["team", "--people", "3"],
        ["team", "--first", "C"],
        ["team", "--sets", "dc"],
        ["rainbow", "--players", "9"],
        ["rainbow", "--people", "-1"],
        ["resume"],
        ["resume", "missing.draft"],
    ],
)
def test_invalid_arguments_exit_with_2_and_a_message(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draft", *argv]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err.splitlines()[-1].startswith("dicemasters")
