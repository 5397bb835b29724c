"""The orders that the script uses: cards in their rows, dice by strength."""

from __future__ import annotations

from functools import lru_cache

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import CARD, GameSpec, State, shows_face
from dicemasters.game.rulesets.solitaire import row

Strength = tuple[int, int, int, int, int]


@lru_cache(maxsize=64)
def row_ranks(spec: GameSpec, seat: int) -> tuple[int, ...]:
    """Return each card's rank in row order: own row, basic actions, opposing row; tokens and Sidekicks last (S3)."""
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
    """Return the rank of a die's card in row order (S3)."""
    return row_ranks(s.spec, seat)[view.card_of(s, d)]


def is_sidekick(s: State, d: int) -> bool:
    """Return True if the die is one of the eight Sidekicks; an Ally has a card and does not count for the script."""
    return not view.is_player(d) and view.is_sidekick_die(s, d)


def is_own(s: State, x: int, seat: int) -> bool:
    """Return True if a die or player is on the seat's side; an unbought die counts as own."""
    if not view.is_player(x) and view.zone(s, x) == CARD:
        return True
    return view.side_of_target(s, x) == view.side_of(seat)


def strength_key(s: State, d: int, seat: int) -> Strength:
    """Return a sort key, strongest die first: A, D, level, purchase cost, row order (S34). An unrolled die has no A."""
    attack = defence = level = 0
    if shows_face(s, d):
        level = view.level(s, d)
        attack, defence = view.current_stats(s, d) if level else (0, 0)
    return (-attack, -defence, -level, -view.printed_cost(s, d), row_rank(s, d, seat))
