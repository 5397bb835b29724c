"""Records state the version that wrote them; the error for an unreplayable record names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.digest import without_version

from dicemasters import Game, NotationError, __version__
from dicemasters.cli.main import main

RECORD = Game.new("ai", seed=3).record
FOREIGN = RECORD.replace(f"version: {__version__}", "version: 9.9.9")
IMPOSSIBLE_MOVE = ("moves:\n", "moves:\nA: buy everything\n")


def test_record_states_its_version() -> None:
    assert RECORD.splitlines()[1] == f"version: {__version__}"


@pytest.mark.parametrize("record", [RECORD, FOREIGN, without_version(RECORD)])
def test_record_of_any_version_opens_if_it_replays(record: str) -> None:
    assert Game.from_record(record).record == RECORD


def test_unreplayable_record_of_another_version_names_both_versions() -> None:
    with pytest.raises(NotationError) as error:
        Game.from_record(FOREIGN.replace(*IMPOSSIBLE_MOVE))
    assert f"version 9.9.9 wrote this record, and version {__version__} cannot replay it" in str(error.value)
    assert error.value.line > 1


def test_unreplayable_record_without_a_version_suggests_the_first_version() -> None:
    with pytest.raises(NotationError, match=f"may be of 0.1.0, which {__version__} cannot replay"):
        Game.from_record(without_version(RECORD).replace(*IMPOSSIBLE_MOVE))


def test_unreplayable_record_of_this_version_names_no_version() -> None:
    with pytest.raises(NotationError) as error:
        Game.from_record(RECORD.replace(*IMPOSSIBLE_MOVE))
    assert __version__ not in str(error.value)


@pytest.mark.parametrize("version", ["", "9" * 41])
def test_invalid_version_is_refused(version: str) -> None:
    with pytest.raises(NotationError, match=r"line 2: .* is not a version"):
        Game.from_record(RECORD.replace(f"version: {__version__}", f"version: {version}"))


def test_unreplayable_saved_game_stays_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "dicemasters" / "games" / "game-20260101-120000.txt"
    saved.parent.mkdir(parents=True)
    text = FOREIGN.replace(*IMPOSSIBLE_MOVE)
    saved.write_text(text, encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["play", "last"]) == 2
    assert "version 9.9.9 wrote this record" in capsys.readouterr().err
    assert saved.read_text(encoding="utf-8") == text
