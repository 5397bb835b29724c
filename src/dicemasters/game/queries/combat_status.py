"""Who attacks, who blocks whom, and who may block."""

from __future__ import annotations

from dicemasters.game.queries.static_rules import is_affected_by, rules_affecting
from dicemasters.game.state.constants import ATTACKING, BLOCKED, FIELD, PLAYER
from dicemasters.game.state.state import COMPILED, State


def blockers_of(s: State, attacker: int) -> list[int]:
    return [b for b, a in s.blocks if a == attacker]


def blocked_by(s: State, blocker: int) -> list[int]:
    return [a for b, a in s.blocks if b == blocker]


def is_blocking(s: State, d: int) -> bool:
    """Tell whether the die blocks; whom it blocked may be gone."""
    for b, _ in s.blocks:
        if b == d:
            return True
    return d < PLAYER and s.flags[d] & (ATTACKING | BLOCKED) == BLOCKED


def is_engaged(s: State, d: int) -> bool:
    for b, a in s.blocks:
        if b == d or a == d:
            return True
    return False


def may_block(s: State, blocker: int, attacker: int) -> bool:
    """Tell whether the block is allowed."""
    for rule, ctx, _, _ in rules_affecting(s, "cannot be blocked", attacker):
        if rule is None or rule.by is None or rule.by.matches(s, blocker, ctx):
            return False
    return True


def could_block(s: State, blocker: int, attacker: int) -> bool:
    """Tell whether a die can be assigned to block another: nobody is made to pay for it (rules 10.9)."""
    if is_affected_by(s, "cannot declare blockers", s.spec.person + (s.place[blocker] & 3)):
        return False
    return not is_affected_by(s, "cannot block", blocker) and may_block(s, blocker, attacker)


def attackers(s: State) -> list[int]:
    """List the attackers, card by card."""
    flags = s.flags
    attacking: list[int] = []
    for seat in s.spec.sides[s.active]:
        own: list[int] = [d for d in s.iter_zone(FIELD, seat) if flags[d] & ATTACKING]
        s.sort_equivalent(own)
        attacking += own
    return attacking


def has_attackers(s: State) -> bool:
    """Tell whether there are attackers."""
    if COMPILED:
        for d, flags in enumerate(s.flags):
            if flags & ATTACKING and s.place[d] >> 2 == FIELD and (s.place[d] ^ s.active) & 1 == 0:
                return True
        return False
    for seat in s.spec.sides[s.active]:
        for x in s.dice_unordered(FIELD, seat):
            if s.flags[x] & ATTACKING:
                return True
    return False


def is_unblocked(s: State, d: int) -> bool:
    return s.flags[d] & (ATTACKING | BLOCKED) == ATTACKING
