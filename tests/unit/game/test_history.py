"""The undo history: it stores few states and restores every earlier one."""

import random
import tracemalloc

import pytest

from dicemasters.game import Game
from dicemasters.game.history import SPACING
from dicemasters.game.state.state import State


def _play_randomly(game: Game, choices: int, seed: int) -> list[State]:
    """Play random choices. Return copies of the states before each choice and of the last state."""
    chance = random.Random(seed)
    states = [game.state.copy()]
    while len(states) <= choices and game.decision is not None:
        game.play(chance.randrange(len(game.state.options)))
        states.append(game.state.copy())
    return states


@pytest.mark.parametrize("seed", range(4))
def test_undo_of_several_choices_restores_the_exact_state(seed: int) -> None:
    game = Game.new("avx", cast="avx", seed=seed)
    states = _play_randomly(game, 5 * SPACING + seed, seed)
    texts, log = [move.text for move in game.moves], game.log
    for left in (len(states) - 3, 3 * SPACING + 1, 3 * SPACING, 2 * SPACING + 7, 5, 0):
        back = game.copy()
        assert back.undo(len(back.moves) - left)
        assert back.state.key() == states[left].key()
        assert back.state.options == states[left].options
        for text in texts[left:]:
            back.play(text)
        assert back.state.key() == states[-1].key()
        assert back.log == log


def test_undo_step_by_step_restores_every_state() -> None:
    game = Game.new("uxm", cast="uxm", seed=3)
    states = _play_randomly(game, 3 * SPACING + 5, 3)
    for state in reversed(states[:-1]):
        assert game.undo()
        assert game.state.key() == state.key()
    assert not game.undo()


def test_undo_restores_the_scripted_dice_of_a_record() -> None:
    game = Game.new("avx", cast="avx", seed=5)
    states = _play_randomly(game, 3 * SPACING, 5)
    read = Game.from_record(game.record)  # sets the dice of each choice before playing it
    read.undo(len(read.moves) - SPACING - 3)
    after = states[SPACING + 3]
    assert (list(read.state.place), list(read.state.face)) == (list(after.place), list(after.face))
    read.undo(2)
    before = states[SPACING + 1]
    assert (list(read.state.place), list(read.state.face)) == (list(before.place), list(before.face))


def test_history_of_a_long_game_holds_few_states() -> None:
    """A state takes several kilobytes, compiled or not; the history takes less per choice."""
    game = Game.new("avx", cast="avx", seed=8, life=200)
    chance = random.Random(8)

    def play(choices: int) -> None:
        for _ in range(choices):
            game.play(chance.randrange(len(game.state.options)))

    play(SPACING)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        play(10 * SPACING)
        held = (tracemalloc.get_traced_memory()[0] - before) / (10 * SPACING)
    finally:
        tracemalloc.stop()
    assert game.decision is not None
    assert held < 2200
