"""A view and what has changed give the next view, whatever happened between."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter
from tools.verify.random_games import random_game

from dicemasters.client.game_client import shown
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.players.heuristic import SimplePlayer
from dicemasters.players.rng import Chance
from dicemasters.service.games.choices import make
from dicemasters.service.games.view_builder import view_data
from dicemasters.service.protocol import messages
from dicemasters.service.protocol.delta import change

CHANGE = TypeAdapter(messages.Change)


@pytest.mark.parametrize("edition", EDITIONS)
def test_changes_lead_from_view_to_view(edition: str) -> None:
    for seed in range(5):
        game, chance, simple = random_game(seed, edition=edition), Chance(seed), SimplePlayer(seed)
        view, known = view_data(game), view_data(game)
        while game.result is None and len(game.moves) < 200:
            before = len(game.moves)
            option = simple.choose(game.state) if chance.below(3) else chance.below(len(game.state.options))
            game = make(game, {"option": option}).game
            view, old = view_data(game, view["version"] + 1, before), view
            told = CHANGE.validate_python(change(old, view))
            known = shown(known, told)  # type: ignore[arg-type,assignment]
            assert known == view


def test_dice_that_come_and_go_are_told_and_a_way_back_too() -> None:
    game = random_game(2, edition="avx")
    old = view_data(game, 3)
    new = {**old, "version": 4, "dice": [{**old["dice"][0], "zone": "used"}, *old["dice"][2:]]}
    there = change(old, new)  # type: ignore[arg-type]
    assert there["gone"] == [old["dice"][1]["id"]]
    assert [die["id"] for die in there["view"]["dice"]] == [old["dice"][0]["id"]]
    assert shown(old, there) == new  # type: ignore[arg-type]
    assert shown(new, change(new, {**old, "version": 5})) == {**old, "version": 5}  # type: ignore[arg-type]


def test_a_change_of_another_version_does_not_fit() -> None:
    view = view_data(random_game(1, edition="ai"), 7)
    with pytest.raises(ValueError, match="version 6 does not fit version 7"):
        shown(view, {**change(view, view), "since": 6})  # type: ignore[arg-type]


def test_where_nothing_has_changed_next_to_nothing_is_told() -> None:
    view = view_data(random_game(1, edition="ai"), 7)
    again = {**view_data(random_game(1, edition="ai"), 8), "news": []}
    assert change(view, again)["view"] == {"version": 8, "news": []}  # type: ignore[arg-type]
