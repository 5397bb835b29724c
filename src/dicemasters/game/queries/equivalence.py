"""Equivalent dice: options that differ only in interchangeable dice are listed once."""

from __future__ import annotations

from dicemasters.game.queries import die_identity
from dicemasters.game.state.constants import PLAYER, ROLLED
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State, canonical_ranks, effect_signature, granted_signature


def equivalence_key(s: State, d: int) -> tuple[int, ...]:
    """Give what makes dice the same to choose: equal values mean it makes no difference which one is taken."""
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
    """Sort dice and players so that it does not depend on which of several like dice is which; what has paid comes last.

    While blocks are being declared they do not count, so that the order stays the same throughout.
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
    """Tell whether something knows which dice lay in the Used Pile before a fielding: so it may know one of two like dice."""
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
    """Tell whether each die is of another card than the others, in the order of the cards: then nothing is to be sorted."""
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
    """Give what tells dice apart that nothing was given to, and last the die itself, as one number."""
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
    """Sort dice by all that tells them apart, and last by these numbers or their own."""
    spec = s.spec

    def rank(d: int) -> tuple[int, int, int, int, int, tuple[int, ...], int, list[int], list[tuple[int, ...]], int]:
        if d >= PLAYER:
            return (d, 0, 0, 0, 0, (), 0, [], [], d)  # players have no like
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
            # whom it fights
            sorted(_appearance_key(s, b if a == d else a) for b, a in blocks if d in (a, b)) if blocks else [],
            d if tie_breaker is None else tie_breaker[d],
        )

    return sorted(dice, key=rank)


def _appearance_key(s: State, d: int) -> tuple[int, ...]:
    return (s.spec.card_of[d], s.place[d], s.face[d], s.damage[d], s.flags[d], *effect_signature(s, d))


def one_per_class(s: State, dice: list[int]) -> list[int]:
    """Keep one die of each sort."""
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
