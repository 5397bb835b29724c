"""Automatic play of forced choices (docs/rulings.md)."""

from __future__ import annotations

from collections.abc import Callable

from dicemasters.game.game import Game
from dicemasters.game.state.constants import UNDECIDED
from dicemasters.game.text import describe

HoldsPriority = Callable[[int], bool]  # whether a seat that has passed wants another chance to act


def no_seat_holds(seat: int) -> bool:
    """Return False: a pass is final for every seat (rules 3.3f9)."""
    return False


def play_forced(game: Game, holds_priority: HoldsPriority = no_seat_holds) -> None:
    """Play on while the pending decision has a single option.

    A seat that has already passed also passes when priority returns to it, unless it holds priority (rules 3.3f9).
    """
    while game.state.result == UNDECIDED:
        s = game.state
        if len(s.options) == 1:
            game.play(0)
        elif describe.is_final_priority(s) and not holds_priority(s.decision.seat):
            game.play("pass")
        else:
            break
