"""Requests for decisions: the game waits for one at a time, with all legal options."""

from __future__ import annotations

from dicemasters.game.state.state import State
from dicemasters.game.state.values import DecisionRequest, Option


def request_decision(s: State, seat: int, kind: str, options: list[Option], about: int = -1, number: int = 0) -> None:
    """Stop the game until the player in this seat has chosen an option."""
    s.decision = DecisionRequest(seat, kind, about, number)
    s.options = options


def note_forced_choice(s: State, seat: int, option: Option, about: int = -1, number: int = 0) -> None:
    """Record in the journal an option that is taken without asking, since it is the only one.

    Call it only where a journal is kept.
    """
    assert s.journal is not None
    s.journal.append(("takes", seat, *option, about, number))
