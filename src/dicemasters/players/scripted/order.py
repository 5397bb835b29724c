"""The orders the script goes by: cards in their rows, dice by what they are worth."""

from __future__ import annotations

from functools import lru_cache

from dicemasters.game import look
from dicemasters.game.setup import Table
from dicemasters.game.solitaire import row
from dicemasters.game.state import CARD, PLAYER, State, shows_face

Strength = tuple[int, int, int, int, int]


@lru_cache(maxsize=64)
def ranks(t: Table, seat: int) -> tuple[int, ...]:
    """Give each card's place in the row order: one's own row, basics, the other's; tokens and Sidekicks last (S3)."""
    order = [*row(t, seat), *row(t, -1), *row(t, 1 - seat), *range(t.n_real_cards, t.n_cards), *range(t.n_seats)]
    places = [0] * t.n_cards
    for place, c in enumerate(order):
        places[c] = place
    return tuple(places)


def rank(s: State, d: int, seat: int) -> int:
    """Give the place of a die's card in the row order."""
    return ranks(s.table, seat)[s.table.card_of[d]]


def is_sidekick(s: State, d: int) -> bool:
    """Tell whether the die is one of the eight; an Ally has a card and is none to the script."""
    return d < PLAYER and s.table.card_of[d] < s.table.n_seats


def side(s: State, x: int, seat: int) -> int:
    """Give whose a die or player is; an unbought die counts as that of whoever looks at it."""
    if x >= PLAYER:
        return x - PLAYER
    return seat & 1 if s.place[x] >> 2 == CARD else s.place[x] & 1


def strength(s: State, d: int, seat: int) -> Strength:
    """Sort dice, the first is worth most: A, D, level, purchase cost, row order (S34). An unrolled die has no A."""
    a = de = level = 0
    if shows_face(s, d):
        level = look.level(s, d)
        a, de = look.stats(s, d) if level else (0, 0)
    return (-a, -de, -level, -look.printed_cost(s, d), rank(s, d, seat))
