"""Asking: the game waits for one decision at a time, with the complete list of what is legal."""

from __future__ import annotations

from dicemasters.game import look
from dicemasters.game.state import PLAYER, Ask, Option, State


def ask(s: State, seat: int, kind: str, options: list[Option], about: int = -1, number: int = 0) -> None:
    """Stop the game until this player has chosen."""
    s.ask = Ask(seat, kind, about, number)
    s.options = options


def alike(s: State, d: int) -> tuple[int, ...]:
    """Give what makes dice the same to choose: equal values mean it makes no difference which one is taken."""
    if d >= PLAYER:
        return (d,)
    for r in s.records:
        if r.subject == d:
            return (d, -1)
    for x, y, _ in s.pairs:
        if d in (x, y):
            return (d, -1)
    for h in s.holdings:
        if d in (h.holder, h.die):
            return (d, -1)
    place = s.place[d] >> 2
    if look.is_unrolled(place) or place == 0:
        return (s.table.card_of[d], s.place[d], s.owner[d])
    fights = 0
    for b, a in s.blocks:
        if b == d:
            fights = a + 1
        elif a == d:
            fights = 1000 + d
    return (s.table.card_of[d], s.place[d], s.owner[d], s.face[d], s.damage[d], s.flags[d], fights)


def in_order(s: State, dice: list[int]) -> list[int]:
    """Sort dice and players so that it does not depend on which of several like dice is which."""
    if len(dice) < 2:
        return dice
    t = s.table

    def rank(d: int) -> tuple[int, ...]:
        if d >= PLAYER:
            return (d,)
        face = 0 if look.is_unrolled(s.place[d] >> 2) else s.face[d]
        return (t.card_of[d], s.place[d], face, s.damage[d], s.flags[d], d)

    return sorted(dice, key=rank)


def distinct(s: State, dice: list[int]) -> list[int]:
    """Keep one die of each sort."""
    if len(dice) < 2:
        return dice
    seen: set[tuple[int, ...]] = set()
    out: list[int] = []
    for d in dice:
        key = alike(s, d)
        if key not in seen:
            seen.add(key)
            out.append(d)
    return out
