"""Every example in the help texts is a valid command, and the quick ones run."""

from __future__ import annotations

import argparse
import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.cli.test_team_command import CARDS

from dicemasters import Game
from dicemasters.cli.main import COMMANDS, EXAMPLES, command_parser, main, parse_arguments
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.teams.draft import Draft

ROOT = Path(__file__).parents[3]

# These take long, serve, or need what the test folder lacks. They are only parsed here; other tests run them.
PARSED_ONLY = {
    "analyse",
    "arena",
    "backup",
    "bench",
    "coverage",
    "puzzles",
    "restore",
    "scenario",
    "serve",
    "simulate",
    "site",
    "train",
}


def examples_in(text: str) -> Iterator[str]:
    """Yield the commands in the examples of a help text, without the comments beside them."""
    for line in text.splitlines():
        if line.startswith("  dicemasters "):
            yield re.split(r"\s{2,}", line.strip())[0]


def all_examples() -> list[str]:
    texts = [*EXAMPLES.values(), *(command_parser(command).epilog or "" for command in COMMANDS)]
    return list(dict.fromkeys(example for text in texts for example in examples_in(text)))


def words_of(example: str) -> tuple[list[str], str]:
    """Return the arguments of an example, and the file its standard input comes from."""
    command, _, source = example.partition(" < ")
    return shlex.split(command.partition(" > ")[0])[1:], source


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files that the examples name; standard input is empty."""
    game = Game.new("ai", seed=5)
    player = HeuristicPlayer(1)
    for _ in range(30):
        game.play(player.choose(game.state))
    (tmp_path / "game.txt").write_text(game.record, encoding="utf-8")
    (tmp_path / "dicemasters" / "games").mkdir(parents=True)
    (tmp_path / "dicemasters" / "games" / "game-20260101-120000.txt").write_text(game.record, encoding="utf-8")
    partners = {"mine": "Hulk: Jade Giant\nbasic: Smash!", "yours": "Thor: Lord of Asgard\nbasic: Force Beam"}
    for name, cards in partners.items():
        (tmp_path / f"{name}.team").write_text(f"format: doubles\n4x {cards}\n", encoding="utf-8")
    (tmp_path / "teams").mkdir()
    for file in ("my.team", "teams/one.team"):
        text = "4x Hulk: Jade Giant\nbasic: Smash!\nbasic: Force Beam\n"
        (tmp_path / file).write_text(text, encoding="utf-8")
    (tmp_path / "my.toml").write_text(CARDS, encoding="utf-8")
    draft = Draft.team(sets=["avx"], life=12, stacks=12, basics=4, first=None, people=range(1), seed=1)
    (tmp_path / "resumed.draft").write_text(draft.to_text(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("example", all_examples())
def test_example_is_a_valid_command(
    example: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words, source = words_of(example)
    assert words[0] in COMMANDS
    arguments = parse_arguments(words)
    if words[0] in PARSED_ONLY:
        return
    if source:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((folder / source).read_bytes())))
    if words[:2] == ["draft", "resume"]:
        (folder / "resumed.draft").rename(folder / arguments.file)
    assert main(words) == 0, capsys.readouterr().err


@pytest.mark.parametrize("example", [e for e in all_examples() if e.startswith("dicemasters cards ")])
def test_example_of_a_search_finds_cards(example: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has a result besides the heading, and the one said to be shown in full has exactly one."""
    assert main(words_of(example)[0]) == 0
    found = len(capsys.readouterr().out.splitlines()) - 1
    assert found == 1 if "jade giant" in example else found > 1 or "--load" in example


@pytest.mark.parametrize("command", COMMANDS)
def test_command_has_a_description_and_examples(command: str) -> None:
    parser = command_parser(command)
    assert parser.description
    assert parser.description.endswith((".", ")."))
    assert any(example.split()[1] == command for example in examples_in(parser.epilog or ""))
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                assert part.description
                assert all(own.help for own in part._actions), part.prog
        else:
            assert action.help, f"{command}: {action.dest} has no help"
