"""Play a game along a random line, checking invariants on the way, at its end and on the way back."""

from tools.verify.soak import check_options, check_record, check_text, check_undo

from dicemasters.game import Game
from dicemasters.game.inspect.invariants import check_invariants


def play_and_undo(game: Game, picks: list[int]) -> None:
    """Play the picks, check the resulting position, undo everything."""
    start = game.copy()
    for pick in picks:
        if game.result is not None:
            break
        game.play(pick % len(game.state.options))
        check_invariants(game.state)
    check_options(game.state)
    check_text(game.state)
    check_record(game)
    check_undo(game, len(game.moves))
    game.undo(len(game.moves))
    assert game.state.key() == start.state.key()
    assert not game.undo()
