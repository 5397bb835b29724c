"""The game summary of the end page, checked against the log and against a hand count."""

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


def play_fight(*choices: str) -> Game:
    """Play the fight with these choices."""
    game = Game.from_text(FIGHT)
    for words in choices:
        game.play(words)
    return game


def test_summary_of_a_short_fight_matches_a_hand_count() -> None:
    game = play_fight("attack with Sidekick", "attack with Black Widow@2", "block Sidekick with Sidekick")
    while (decision := game.decision) is not None:
        game.play(decision.options[-1])
    summary = build_summary(game)
    assert str(game.result) == "A wins: B was brought to 0 life"
    assert summary["life"][-1]["life"] == {"A": 4, "B": 0}
    assert summary["deeds"]["A"] == {"damage": 3, "kos": 0, "bought": 0}  # the game ends before KOs are checked
    assert summary["deeds"]["B"] == {"damage": 1, "kos": 0, "bought": 0}
    assert summary["best"] is not None
    assert game.table.cards[summary["best"]["card"]].title == "Black Widow"
    assert (summary["best"]["damage"], summary["best"]["kos"], summary["best"]["bought"]) == (2, 0, None)


def test_summary_of_a_position_starts_with_its_life_totals() -> None:
    summary = build_summary(Game.from_text(FIGHT))
    assert [at["life"] for at in summary["life"]] == [{"A": 4, "B": 2}]
    assert summary["best"] is None
    assert summary["turns"] == 0


@pytest.mark.parametrize("edition", ["avx", "uxm", "cw", "ai"])
def test_summary_matches_the_game_at_every_turn(edition: str) -> None:
    for seed in range(3):
        game, simple = random_game(seed, edition=edition), HeuristicPlayer(seed)
        lives: dict[int, dict[str, int]] = {}
        while game.result is None and len(game.moves) < 400:
            lives.setdefault(game.state.turn, {"A": game.state.life[0], "B": game.state.life[1]})
            game.play(simple.choose(game.state))
        summary = build_summary(game)
        assert summary["turns"] == game.state.turn
        assert len(summary["life"]) == summary["turns"] + 1
        assert summary["life"][-1]["life"] == {"A": game.state.life[0], "B": game.state.life[1]}
        for turn, life in lives.items():
            if turn:  # at the start of each turn
                assert summary["life"][turn - 1]["life"] == life, turn
        bought = sum(" buys " in line.text for line in game.news())
        assert sum(deeds["bought"] for deeds in summary["deeds"].values()) == bought
