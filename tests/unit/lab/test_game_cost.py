"""The cost of a game: one row per player, and one-line errors."""

from __future__ import annotations

import pytest

from dicemasters.lab.evaluation.game_cost import main


def test_each_player_gets_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["level1:2", "scripted:2"]) == 0
    first, *_, one, other = capsys.readouterr().out.splitlines()
    assert first.startswith("engine: ")
    assert one.startswith("| level1 | ")
    assert other.startswith("| scripted | ")
    assert all(row.endswith(" hours | 2 |") for row in (one, other))


@pytest.mark.parametrize("what", ["level1", "level1:1", "level1:-3", "level1:x", "nobody:4"])
def test_invalid_player_or_number_of_games_is_refused(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main([what])
    assert error.value.code == 2
    assert (what if ":" not in what or "nobody" not in what else "no player 'nobody'") in capsys.readouterr().err
