"""Equivalent dice: options that differ only in interchangeable dice are listed once."""

from __future__ import annotations

from dicemasters.game.queries import die_identity
from dicemasters.game.state.constants import PLAYER, ROLLED
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State, canonical_ranks, effect_signature, granted_signature


def equivalence_key(s: State, d: int) -> tuple[int, ...]:
    """Return a key that is equal for two dice if choosing either makes no difference."""
    if d >= PLAYER:
        return (d,)
    place = s.place[d] >> 2
    if (die_identity.is_unrolled(place) and not s.flags[d] & ROLLED) or place == 0:
        return (s.spec.card_of[d], s.place[d], s.owner[d], *effect_signature(s, d))
    fights = 0
    for b, a in s.blocks:
        if b == d:
            fights = a + 1
        elif a == d:
            fights = 1000 + d
    return (
        s.spec.card_of[d],
        s.place[d],
        s.owner[d],
        s.face[d],
        s.damage[d],
        s.flags[d],
        fights,
        *effect_signature(s, d),
    )


def canonical_order(s: State, dice: list[int], paid: tuple[int, ...] = (), ignore_blocks: bool = False) -> list[int]:
    """Return dice and players in an order that does not depend on die numbers; dice that have paid come last.

    With `ignore_blocks`, blocks do not affect the order, so that it stays the same throughout the declaration of
    blockers.
    """
    if len(dice) < 2 or is_canonical(s, dice):
        return dice
    paid += s.last_payment
    blocks = () if ignore_blocks else tuple(s.blocks)
    if _is_used_pile_remembered(s):
        mention_rank = canonical_ranks(s)
        dice = sorted(dice, key=lambda d: mention_rank(d)[1] if d < PLAYER else (False, [d]))
        return _sorted(s, dice, paid, blocks, {d: i for i, d in enumerate(dice)})
    if not (s.active_effects or s.pairs or s.holdings or blocks or len(s.stack) > 1) and not _has_any(dice, paid):
        return [rank & 0xFF for rank in sorted([_rank(s, d) for d in dice])]
    return _sorted(s, dice, paid, blocks)


def _is_used_pile_remembered(s: State) -> bool:
    """Return whether unfinished work refers to dice that were in a Used Pile before a fielding (rules 2.1a2).

    Such work may distinguish two dice that look alike.
    """
    if not s.spec.edition.fielding_takes_older_dice:
        return False
    for frame in s.stack:
        if isinstance(frame, AbilityFrame) and frame.event.word == "fielded":
            return True
    for trigger in s.queue:
        if trigger.event.word == "fielded":
            return True
    return False


def is_canonical(s: State, dice: list[int]) -> bool:
    """Return whether the dice are of different cards in ascending order, so that nothing has to be sorted."""
    cards = s.spec.card_of
    previous = -1
    for d in dice:
        card = cards[d] if d < PLAYER else d
        if card <= previous:
            return False
        previous = card
    return True


def _has_any(dice: list[int], others: tuple[int, ...]) -> bool:
    for d in dice:
        if d in others:
            return True
    return False


def _rank(s: State, d: int) -> int:
    """Return the appearance of a die without effects, followed by its number, as one sortable integer."""
    if d >= PLAYER:
        return d << 35 | d
    face = 0 if die_identity.is_unrolled(s.place[d] >> 2) and not s.flags[d] & ROLLED else s.face[d]
    key = s.spec.card_of[d] << 8 | s.place[d]
    key = key << 3 | face
    key = key << 8 | s.damage[d]
    key = key << 8 | s.flags[d]
    return key << 8 | d


def _sorted(
    s: State,
    dice: list[int],
    paid: tuple[int, ...],
    blocks: tuple[tuple[int, int], ...],
    tie_breaker: dict[int, int] | None = None,
) -> list[int]:
    """Return the dice sorted by everything that distinguishes them, then by `tie_breaker` or their numbers."""
    spec = s.spec

    def rank(d: int) -> tuple[int, int, int, int, int, tuple[int, ...], int, list[int], list[tuple[int, ...]], int]:
        if d >= PLAYER:
            return (d, 0, 0, 0, 0, (), 0, [], [], d)  # players are never equivalent
        face = 0 if die_identity.is_unrolled(s.place[d] >> 2) and not s.flags[d] & ROLLED else s.face[d]
        return (
            spec.card_of[d],
            s.place[d],
            face,
            s.damage[d],
            s.flags[d],
            effect_signature(s, d),
            paid.index(d) + 1 if d in paid else 0,
            granted_signature(s, d),
            # the dice it blocks or is blocked by
            sorted(_appearance_key(s, b if a == d else a) for b, a in blocks if d in (a, b)) if blocks else [],
            d if tie_breaker is None else tie_breaker[d],
        )

    return sorted(dice, key=rank)


def _appearance_key(s: State, d: int) -> tuple[int, ...]:
    return (s.spec.card_of[d], s.place[d], s.face[d], s.damage[d], s.flags[d], *effect_signature(s, d))


def one_per_class(s: State, dice: list[int]) -> list[int]:
    """Return the first die of each equivalence class."""
    if len(dice) < 2 or is_canonical(s, dice):
        return dice
    seen: set[tuple[int, ...]] = set()
    representatives: list[int] = []
    for d in dice:
        key = equivalence_key(s, d)
        if key not in seen:
            seen.add(key)
            representatives.append(d)
    return representatives
