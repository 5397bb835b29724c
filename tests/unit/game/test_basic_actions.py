"""Basic actions that both players bring, and two basic actions with the same title (rules 1.3)."""

from dicemasters import Game


def test_basic_action_of_both_players_has_two_sets_of_dice() -> None:
    teams = [[("Hulk: Jade Giant", 2)], [("Thor: Lord of Asgard", 2)]]
    game = Game.new("avx", teams=teams, basics=["Force Beam", "Smash!", "Force Beam", "Inner Rage"])
    beam = next(c for c, card in enumerate(game.table.cards) if card.title == "Force Beam")
    assert len(game.table.dice_of[beam]) == 6
    assert "basics: 6x Force Beam [avx]; Smash! [avx]; Inner Rage [avx]" in game.to_text()
    assert Game.from_text(game.to_text()) == game


def test_basic_actions_with_the_same_title_are_named_with_their_sets() -> None:
    game = Game.from_text(
        """
        edition: ai
        basics: Take Cover [avx]; Take Cover [ai]
        A reserve: F, B, S
        A used: Take Cover [ai]
        turn: 3, A, main
        """
    )
    assert game.decision is not None
    texts = [option.text for option in game.decision.options]
    assert "buy Take Cover [avx]" in texts
    assert "buy Take Cover [ai]" in texts
    assert "A used: Take Cover [ai]" in game.to_text()
    assert Game.from_text(game.to_text()) == game
    game.play("buy Take Cover [avx]")
    assert Game.from_record(game.record) == game
