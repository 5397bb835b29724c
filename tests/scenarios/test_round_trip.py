"""Round trips of positions that are hard to write as text (scenarios are read back while they run)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from tools.verify.random_games import MixedPlayer, random_doubles

from dicemasters import Game
from dicemasters.game.inspect.view import UNDECIDED
from dicemasters.game.notation import NotationError, read_position, read_without_advancing, write_position
from dicemasters.game.turn import loop


def test_every_doubles_payment_round_trips() -> None:
    """Doubles games have the most cards, so the numbers that encode the last payment are the largest."""
    seen = 0
    for seed in (15, 27, 55):
        game, chooser = random_doubles(seed), MixedPlayer(seed)
        for _ in range(400):
            if game.state.result != UNDECIDED:
                break
            if game.state.decision.kind == "pay":
                seen += 1
                text = write_position(game.state)
                assert write_position(read_position(text)) == text
            loop.apply(game.state, game.state.options[chooser.choose(game.state)])
    assert seen > 50


@pytest.mark.parametrize(("die", "face"), [(250, 0), (255, 0), (512, 0), (3, -1)])
def test_forged_captured_die_raises_only_notation_errors(die: int, face: int) -> None:
    text = "edition: uxm\nteam A: Thor: Lord of Asgard\nA field: Thor@1\nturn: 5, A, main\n"
    held = f'also: {{"holdings": [["capture",{die},1,0,"end of turn",{face}]]}}\n'
    with suppress(NotationError):  # the only error allowed
        assert read_position(text + held).turn == 5


def test_record_of_a_game_from_a_first_turn_position_contains_the_position() -> None:
    text = "edition: ai\nteam A: Hulk: Jade Giant\nA field: Hulk@1\nA life: 7\nturn: 1, A, start\n"
    game = Game(read_without_advancing(text))
    assert Game.from_record(game.record).state == game.state
