"""Positions that are hard to write as text can be written, read and played on (scenarios are read back as they run)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from tools.verify.random_games import MixedPlayer, random_doubles

from dicemasters import Game
from dicemasters.game.inspect.view import UNDECIDED
from dicemasters.game.notation import NotationError, read_position, read_without_advancing, write_position
from dicemasters.game.turn import loop


def test_every_payment_in_a_game_of_four_can_be_written_and_read() -> None:
    """There are the most cards, so the numbers that say what was paid with last are the greatest."""
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
def test_a_captured_die_that_somebody_made_up_is_no_mistake_of_the_program(die: int, face: int) -> None:
    text = "edition: uxm\nteam A: Thor: Lord of Asgard\nA field: Thor@1\nturn: 5, A, main\n"
    held = f'also: {{"holdings": [["capture",{die},1,0,"end of turn",{face}]]}}\n'
    with suppress(NotationError):  # which says so in a sentence
        assert read_position(text + held).turn == 5


def test_a_game_begun_in_the_first_turn_from_a_position_is_recorded_with_it() -> None:
    text = "edition: ai\nteam A: Hulk: Jade Giant\nA field: Hulk@1\nA life: 7\nturn: 1, A, start\n"
    game = Game(read_without_advancing(text))
    assert Game.from_record(game.record).state == game.state
