"""Going on while nobody has anything to decide (docs/rulings.md)."""

from __future__ import annotations

from collections.abc import Callable

from dicemasters.game.game import Game
from dicemasters.game.state.constants import UNDECIDED
from dicemasters.game.text import describe

HoldsPriority = Callable[[int], bool]  # whether a seat that has passed wants to be asked for its last word


def no_seat_holds(seat: int) -> bool:
    """To pass is meant by everybody."""
    return False


def play_forced(game: Game, holds_priority: HoldsPriority = no_seat_holds) -> None:
    """Play on while the question has one answer: nobody is asked what they cannot decide.

    Whoever has passed has meant it, and is asked for a last word only if they want to be.
    """
    while game.state.result == UNDECIDED:
        s = game.state
        if len(s.options) == 1:
            game.play(0)
        elif describe.is_final_priority(s) and not holds_priority(s.decision.seat):
            game.play("pass")
        else:
            break
