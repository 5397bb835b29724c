"""The orders the script goes by: cards in their rows, dice by what they are worth."""

from __future__ import annotations

from functools import lru_cache

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import CARD, GameSpec, State, shows_face
from dicemasters.game.rulesets.solitaire import row

Strength = tuple[int, int, int, int, int]


@lru_cache(maxsize=64)
def row_ranks(spec: GameSpec, seat: int) -> tuple[int, ...]:
    """Give each card's place in the row order: one's own row, basics, the other's; tokens and Sidekicks last (S3)."""
    order = [
        *row(spec, seat),
        *row(spec, -1),
        *row(spec, 1 - seat),
        *range(spec.n_real_cards, spec.n_cards),
        *range(spec.n_seats),
    ]
    places = [0] * spec.n_cards
    for place, c in enumerate(order):
        places[c] = place
    return tuple(places)


def row_rank(s: State, d: int, seat: int) -> int:
    """Give the place of a die's card in the row order."""
    return row_ranks(s.spec, seat)[view.card_of(s, d)]


def is_sidekick(s: State, d: int) -> bool:
    """Tell whether the die is one of the eight; an Ally has a card and is none to the script."""
    return not view.is_player(d) and view.is_sidekick_die(s, d)


def is_own(s: State, x: int, seat: int) -> bool:
    """Tell whether a die or player is on the seat's side; an unbought die counts as that of whoever looks at it."""
    if not view.is_player(x) and view.zone(s, x) == CARD:
        return True
    return view.side_of_target(s, x) == view.side_of(seat)


def strength_key(s: State, d: int, seat: int) -> Strength:
    """Sort dice, the first is worth most: A, D, level, purchase cost, row order (S34). An unrolled die has no A."""
    attack = defence = level = 0
    if shows_face(s, d):
        level = view.level(s, d)
        attack, defence = view.current_stats(s, d) if level else (0, 0)
    return (-attack, -defence, -level, -view.printed_cost(s, d), row_rank(s, d, seat))
