"""The ready teams: legal, complete and part of the package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from dicemasters.cards.catalogue import SETS
from dicemasters.game.state.constants import UNDECIDED
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.teams import ready_teams as ready_teams_module
from dicemasters.teams.formats import check_team
from dicemasters.teams.matchup import start_team_game
from dicemasters.teams.ready_teams import ready_teams

ROOT = Path(__file__).parents[3]


def test_there_are_at_least_twelve_ready_teams() -> None:
    assert len(ready_teams()) >= 12


@pytest.mark.parametrize("name", ready_teams())
def test_ready_team_is_a_full_legal_tournament_team_with_a_plan(name: str) -> None:
    team = ready_teams()[name]
    assert check_team(team) == []
    assert (team.format, len(team.cards), team.dice) == ("tournament", 8, 20)
    assert name == "-".join(team.name.casefold().split())
    assert team.about.endswith(".")


def test_ready_teams_use_all_four_sets() -> None:
    assert {card.set for team in ready_teams().values() for card, _ in team.cards} == set(SETS)


def test_ready_teams_share_at_most_three_cards() -> None:
    teams = [{card.key for card, _ in team.cards} for team in ready_teams().values()]
    for i, one in enumerate(teams):
        for other in teams[:i]:
            assert len(one & other) <= 3


def test_formats_page_names_every_ready_team() -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \| \d+ %", text, re.MULTILINE)) == set(ready_teams())


def test_installed_package_contains_the_ready_team_files() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["dicemasters"]
    package = Path(ready_teams_module.__file__).parents[1]
    packed = {path for pattern in patterns for path in package.glob(pattern)}
    assert set((package / "teams" / "ready").iterdir()) <= packed


def test_each_ready_team_plays_a_complete_game() -> None:
    teams = list(ready_teams().values())
    for seed, team in enumerate(teams):
        game = start_team_game([team, teams[seed - 1]], edition=("avx", "uxm", "cw", "ai")[seed % 4], seed=seed)
        players = [HeuristicPlayer(1), HeuristicPlayer(2)]
        while game.state.result == UNDECIDED:
            game.play(players[game.state.decision.seat].choose(game.state))
        assert game.result is not None
