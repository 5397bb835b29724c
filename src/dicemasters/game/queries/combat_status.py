"""Attackers, blockers, and which blocks are allowed."""

from __future__ import annotations

from dicemasters.game.queries.static_rules import is_affected_by, rules_affecting
from dicemasters.game.state.constants import ATTACKING, BLOCKED, FIELD, PLAYER
from dicemasters.game.state.state import COMPILED, State


def blockers_of(s: State, attacker: int) -> list[int]:
    """Return the dice that block this attacker."""
    return [b for b, a in s.blocks if a == attacker]


def blocked_by(s: State, blocker: int) -> list[int]:
    """Return the attackers that this die blocks."""
    return [a for b, a in s.blocks if b == blocker]


def is_blocking(s: State, d: int) -> bool:
    """Return whether the die blocks; its attacker may have left (rules 3.4b3)."""
    for b, _ in s.blocks:
        if b == d:
            return True
    return d < PLAYER and s.flags[d] & (ATTACKING | BLOCKED) == BLOCKED


def is_engaged(s: State, d: int) -> bool:
    """Return whether the die blocks or is blocked by another die (rules 5.8e3)."""
    for b, a in s.blocks:
        if b == d or a == d:
            return True
    return False


def may_block(s: State, blocker: int, attacker: int) -> bool:
    """Return whether no rule forbids this block."""
    for rule, ctx, _, _ in rules_affecting(s, "cannot be blocked", attacker):
        if rule is None or rule.by is None or rule.by.matches(s, blocker, ctx):
            return False
    return True


def could_block(s: State, blocker: int, attacker: int) -> bool:
    """Return whether an effect may assign the die to block this attacker, without any payment (rules 10.9)."""
    if is_affected_by(s, "cannot declare blockers", s.spec.person + (s.place[blocker] & 3)):
        return False
    return not is_affected_by(s, "cannot block", blocker) and may_block(s, blocker, attacker)


def attackers(s: State) -> list[int]:
    """Return the attackers, card by card."""
    flags = s.flags
    attacking: list[int] = []
    for seat in s.spec.sides[s.active]:
        own: list[int] = [d for d in s.iter_zone(FIELD, seat) if flags[d] & ATTACKING]
        s.sort_equivalent(own)
        attacking += own
    return attacking


def has_attackers(s: State) -> bool:
    """Return whether there are attackers."""
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
    """Return whether the die attacks and was not blocked (rules 3.4d1b)."""
    return s.flags[d] & (ATTACKING | BLOCKED) == ATTACKING
