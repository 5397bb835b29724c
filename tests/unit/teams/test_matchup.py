"""Starting a game between teams, and looking up teams by name, file or code."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicemasters.cards import catalogue
from dicemasters.teams.formats import FORMATS
from dicemasters.teams.matchup import start_team_game
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.starter_teams import STARTER_GAMES, starter_format, starter_teams
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import encode_team
from dicemasters.teams.team_file import write_team
from dicemasters.teams.team_lookup import find_team
from dicemasters.teams.team_problems import TeamError


def test_game_has_the_life_of_its_format_and_the_basic_actions_of_both_teams() -> None:
    mine, yours = random_team(FORMATS["basic"], 1), random_team(FORMATS["basic"], 2)
    game = start_team_game([mine, yours], FORMATS["basic"], "cw", seed=3)
    assert game.table.start_life == 15
    assert game.table.edition.key == "cw"
    assert [card for card, _ in game.table.setup.basics] == [*mine.basics, *yours.basics]


def test_basic_action_of_both_teams_has_two_sets_of_dice() -> None:
    team = ready_teams()["green-rage"]
    assert [n for _, n in start_team_game([team, team]).table.setup.basics] == [6, 6]


def test_draft_teams_play_with_shared_basic_actions() -> None:
    teams = [random_team(FORMATS["draft"], seed) for seed in (1, 2)]
    drawn = start_team_game(teams, FORMATS["draft"], seed=4).table.setup.basics
    assert len(drawn) in (3, 4)
    smash = catalogue().find("Smash!")
    assert start_team_game(teams, FORMATS["draft"], shared_basics=[smash]).table.setup.basics == ((smash, 3),)


@pytest.mark.parametrize("key", STARTER_GAMES)
def test_cast_plays_with_its_own_basic_actions(key: str) -> None:
    game = start_team_game(starter_teams(key), FORMATS[starter_format(key)])
    assert [card.key for card, _ in game.table.setup.basics] == list(STARTER_GAMES[key].basics)
    assert game.table.start_life == 10


def test_illegal_teams_cannot_play() -> None:
    with pytest.raises(TeamError) as refused:
        start_team_game([Team(()), Team(())])
    assert len(refused.value.problems) == 4


def test_team_is_found_by_file_name_or_code(tmp_path: Path) -> None:
    team = ready_teams()["flame-on"]
    path = tmp_path / "mine"
    path.write_text(write_team(team), encoding="utf-8")
    assert find_team("Flame On").team == find_team("flame-on").team == find_team(str(path)).team == team
    assert find_team(encode_team(team)).team.cards == team.cards
    assert find_team("random", format=FORMATS["basic"], seed=5).team == random_team(FORMATS["basic"], 5)


@pytest.mark.parametrize(
    ("words", "error", "why"),
    [
        ("flame-an", ValueError, "'flame-an' is not a file, a ready team or a team code; did you mean 'flame-on'"),
        ("", ValueError, "is not a file"),
        ("dm104g2a0bj0v10rhn", TeamError, "contains a mistake"),
        ("no/such/file", FileNotFoundError, "No such file"),
        ("nothing.team", FileNotFoundError, "No such file"),
        ("\0", ValueError, "is not a file"),
    ],
)
def test_unknown_team_is_refused_with_a_reason(words: str, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        find_team(words)
