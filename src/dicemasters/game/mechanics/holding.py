"""Dice that hold others: capture, setting aside, control and attachment (rules 5.13a, 5.13b)."""

from __future__ import annotations

from dicemasters.game.mechanics.zones import end_pairing, leave_combat, move_die, retire_empty_holder, return_held_die
from dicemasters.game.state.constants import FIELD, HELD, RESERVE, USED
from dicemasters.game.state.state import State
from dicemasters.game.state.values import Holding


def detain(s: State, kind: str, d: int, holder: int, until: str, to: int = -1) -> None:
    """Capture a die or set it aside: it does not exist for the game until it returns (rules 5.13a1, 5.13a2)."""
    if s.place[d] >> 2 == HELD:
        return  # another effect already holds it
    home = s.place[d]
    for holding in s.holdings:
        if holding.kind == "control" and holding.die == d:
            home = holding.home  # control ends as the die leaves the field (rules 5.13a5)
    face = s.face[d] if home >> 2 in (FIELD, RESERVE) else 0
    move_die(s, d, HELD, s.owner[d])
    if s.spec.is_token[d]:
        return  # a token that leaves the field is gone (rules 5.13e2)
    s.place[d] = HELD * 4 + s.owner[d]
    s.holdings.append(Holding(kind, d, holder, home if to < 0 else to * 4 + s.owner[d], until, face))
    for holding in s.holdings:
        if holding.kind == "attach" and holding.holder == d:
            s.place[holding.die] = HELD * 4 + s.owner[holding.die]  # attached dice go along (rules 5.13a6, #29)


def attach(s: State, d: int, to: int, seat: int, until: str) -> None:
    """Put an action die on another die in the field."""
    move_die(s, d, FIELD, seat)
    s.holdings.append(Holding("attach", d, to, USED * 4 + seat, until, s.face[d]))


def take_control(s: State, d: int, seat: int, holder: int, until: str) -> None:
    """Put the die under another player's control; what was applied to it stays (rules 5.13b1)."""
    old_place = home = s.place[d]
    for holding in s.holdings:
        if holding.kind == "control" and holding.die == d:
            home = holding.home  # the new control replaces the old (rules 5.13b6)
    s.holdings = [holding for holding in s.holdings if holding.kind != "control" or holding.die != d]
    s.place[d] = FIELD * 4 + seat
    leave_combat(s, d)
    end_pairing(s, d)
    s.holdings.append(Holding("control", d, holder, home, until, s.face[d]))
    s.state_check_due = True
    if s.journal is not None:
        s.journal.append(("moves", d, old_place, s.place[d]))


def release(s: State, holding: Holding) -> None:
    """End a capture, a setting aside or a change of control: the die returns to its old place and level (rules 5.13a3).

    An action die that no longer holds anything is retired (rules 3.3d3).
    """
    if holding not in s.holdings:
        return
    return_held_die(s, holding)
    if holding.kind == "capture":
        retire_empty_holder(s, holding.holder)
