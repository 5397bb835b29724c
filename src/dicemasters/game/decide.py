"""Asking: the game waits for one decision at a time, with the complete list of what is legal."""

from __future__ import annotations

from dicemasters.game import look
from dicemasters.game.state import PLAYER, ROLLED, Ask, Option, Record, State


def ask(s: State, seat: int, kind: str, options: list[Option], about: int = -1, number: int = 0) -> None:
    """Stop the game until this player has chosen."""
    s.ask = Ask(seat, kind, about, number)
    s.options = options


def alike(s: State, d: int) -> tuple[int, ...]:
    """Give what makes dice the same to choose: equal values mean it makes no difference which one is taken."""
    if d >= PLAYER:
        return (d,)
    place = s.place[d] >> 2
    if (look.is_unrolled(place) and not s.flags[d] & ROLLED) or place == 0:
        return (s.table.card_of[d], s.place[d], s.owner[d], *marks(s, d))
    fights = 0
    for b, a in s.blocks:
        if b == d:
            fights = a + 1
        elif a == d:
            fights = 1000 + d
    return (s.table.card_of[d], s.place[d], s.owner[d], s.face[d], s.damage[d], s.flags[d], fights, *marks(s, d))


def marks(s: State, d: int) -> tuple[int, ...]:
    """Number what a die was given and whom it is tied to: the same for the same gifts, whatever the die's own number."""
    if not (s.records or s.pairs or s.holdings):
        return ()
    found: list[int] = []
    for n, r in enumerate(s.records):
        if r.subject == d:
            found.append(next(i for i, x in enumerate(s.records) if same_gift(r, x)))
        if r.source == d and r.word == "must block this":
            found.append(3000 + n)
    for i, (x, y, _) in enumerate(s.pairs):
        if d in (x, y):
            found.append(1000 + 2 * i + (d == y))
    for i, h in enumerate(s.holdings):
        if d in (h.holder, h.die):
            found.append(2000 + 2 * i + (d == h.die))
    return tuple(sorted(found))


def same_gift(r: Record, x: Record) -> bool:
    """Tell whether two effects in force differ at most in whom they were given to."""
    if r.word != x.word or r[2:7] != x[2:7] or r.ability != x.ability:
        return False
    return r.source == x.source or (r.source == r.subject and x.source == x.subject)


def in_order(s: State, dice: list[int], paid: tuple[int, ...] = ()) -> list[int]:
    """Sort dice and players so that it does not depend on which of several like dice is which; what has paid comes last."""
    if len(dice) < 2:
        return dice
    t = s.table

    def rank(d: int) -> tuple[int, int, int, int, int, tuple[int, ...], int, int]:
        if d >= PLAYER:
            return (d, 0, 0, 0, 0, (), 0, d)
        face = 0 if look.is_unrolled(s.place[d] >> 2) and not s.flags[d] & ROLLED else s.face[d]
        return (t.card_of[d], s.place[d], face, s.damage[d], s.flags[d], marks(s, d), paid.index(d) + 1 if d in paid else 0, d)

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
