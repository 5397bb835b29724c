"""Deltas between views: applying one to the old view gives the new view."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter
from tools.verify.random_games import random_game

from dicemasters.client.game_client import apply_message
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.service.games.choices import apply_choice
from dicemasters.service.games.view_builder import build_view
from dicemasters.service.protocol import messages
from dicemasters.service.protocol.delta import diff_views

CHANGE = TypeAdapter(messages.DeltaMessage)


@pytest.mark.parametrize("edition", EDITIONS)
def test_deltas_reproduce_every_view(edition: str) -> None:
    for seed in range(5):
        game, chance, simple = random_game(seed, edition=edition), SplitMix64(seed), HeuristicPlayer(seed)
        view, known = build_view(game), build_view(game)
        while game.result is None and len(game.moves) < 200:
            before = len(game.moves)
            option = simple.choose(game.state) if chance.below(3) else chance.below(len(game.state.options))
            game = apply_choice(game, {"option": option}).game
            view, old = build_view(game, view["version"] + 1, before), view
            delta = CHANGE.validate_python(diff_views(old, view))
            known = apply_message(known, delta)  # type: ignore[arg-type,assignment]
            assert known == view


def test_delta_lists_added_and_removed_dice_in_both_directions() -> None:
    game = random_game(2, edition="avx")
    old = build_view(game, 3)
    new = {**old, "version": 4, "dice": [{**old["dice"][0], "zone": "used"}, *old["dice"][2:]]}
    delta = diff_views(old, new)  # type: ignore[arg-type]
    assert delta["gone"] == [old["dice"][1]["id"]]
    assert [die["id"] for die in delta["view"]["dice"]] == [old["dice"][0]["id"]]
    assert apply_message(old, delta) == new  # type: ignore[arg-type]
    assert apply_message(new, diff_views(new, {**old, "version": 5})) == {**old, "version": 5}  # type: ignore[arg-type]


def test_delta_for_another_version_is_rejected() -> None:
    view = build_view(random_game(1, edition="ai"), 7)
    with pytest.raises(ValueError, match="version 6 does not fit version 7"):
        apply_message(view, {**diff_views(view, view), "since": 6})  # type: ignore[arg-type]


def test_delta_of_an_unchanged_view_has_only_version_and_news() -> None:
    view = build_view(random_game(1, edition="ai"), 7)
    again = {**build_view(random_game(1, edition="ai"), 8), "news": []}
    assert diff_views(view, again)["view"] == {"version": 8, "news": []}  # type: ignore[arg-type]
