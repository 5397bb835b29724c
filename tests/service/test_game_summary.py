"""A game in numbers, as the end page shows it: against the log, by hand for a short one, and from any position."""

from __future__ import annotations

import pytest
from tools.verify.random_games import random_game

from dicemasters import Game
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.service.games.game_summary import build_summary

FIGHT = """
edition: ai
team A: Black Widow: Red Alert
team B: Arnim Zola: Scientist Supreme
A life: 4
B life: 2
A field: Black Widow@2, Sidekick
B field: Sidekick
turn: 7, A, declare
"""


def played(*choices: str) -> Game:
    """Play the fight by the words of its choices."""
    game = Game.from_text(FIGHT)
    for words in choices:
        game.play(words)
    return game


def test_a_short_fight_is_counted_by_hand() -> None:
    game = played("attack with Sidekick", "attack with Black Widow@2", "block Sidekick with Sidekick")
    while (decision := game.decision) is not None:
        game.play(decision.options[-1])  # nothing more
    told = build_summary(game)
    assert str(game.result) == "A wins: B was brought to 0 life"
    assert told["life"][-1]["life"] == {"A": 4, "B": 0}
    assert told["deeds"]["A"] == {"damage": 3, "kos": 0, "bought": 0}  # it ends before anything is KO'd
    assert told["deeds"]["B"] == {"damage": 1, "kos": 0, "bought": 0}
    assert told["best"] is not None
    assert game.table.cards[told["best"]["card"]].title == "Black Widow"
    assert (told["best"]["damage"], told["best"]["kos"], told["best"]["bought"]) == (2, 0, None)


def test_a_game_from_a_position_begins_with_the_life_it_has() -> None:
    told = build_summary(Game.from_text(FIGHT))
    assert [at["life"] for at in told["life"]] == [{"A": 4, "B": 2}]
    assert told["best"] is None
    assert told["turns"] == 0


@pytest.mark.parametrize("edition", ["avx", "uxm", "cw", "ai"])
def test_the_numbers_agree_with_the_game_at_every_turn(edition: str) -> None:
    for seed in range(3):
        game, simple = random_game(seed, edition=edition), HeuristicPlayer(seed)
        lives: dict[int, dict[str, int]] = {}
        while game.result is None and len(game.moves) < 400:
            lives.setdefault(game.state.turn, {"A": game.state.life[0], "B": game.state.life[1]})
            game.play(simple.choose(game.state))
        told = build_summary(game)
        assert told["turns"] == game.state.turn
        assert len(told["life"]) == told["turns"] + 1
        assert told["life"][-1]["life"] == {"A": game.state.life[0], "B": game.state.life[1]}
        for turn, life in lives.items():
            if turn:  # as each turn begins
                assert told["life"][turn - 1]["life"] == life, turn
        bought = sum(" buys " in line.text for line in game.news())
        assert sum(deeds["bought"] for deeds in told["deeds"].values()) == bought
