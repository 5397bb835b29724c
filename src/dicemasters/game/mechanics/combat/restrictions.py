"""Restrictions and requirements on attackers and blockers (rules 3.4)."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import ALL, NEXT_ATTACK
from dicemasters.game.queries import combat_status, die_identity, static_rules
from dicemasters.game.state.constants import HAS_ATTACKED, HAS_BLOCKED, OF_DIE
from dicemasters.game.state.state import State


def can_attack(s: State, d: int) -> bool:
    """Cannot beats must (rules 5.1)."""
    if s.table.edition.controller_cannot_attack:
        for h in s.holdings:
            if h.kind == "control" and h.holder == d:
                return False
    return is_allowed(s, "cannot attack", d)


def toll(s: State, word: str, d: int) -> int:
    """Give the life that must be paid for the die to do what it otherwise cannot; ALL if it cannot at all."""
    if not s.records and word not in s.table.standing:
        return 0
    total = 0
    let: list[int] = []
    if word == "cannot attack" and (s.records or "may attack" in s.table.standing):
        let = [s.table.sentences[ctx.ability].card for _, ctx, _, _ in static_rules.rules_about(s, "may attack", d)]
    for _, ctx, life, _ in static_rules.rules_about(s, word, d):
        if not let or s.table.sentences[ctx.ability].card not in let:  # only its own text gives way
            total += life or ALL
    return min(total, ALL)


def is_allowed(s: State, word: str, d: int) -> bool:
    """Tell whether the die may attack or block, if need be for life its player has."""
    n = toll(s, word, d)
    return n < ALL and n <= s.life[s.place[d] & 1]


def has_to(s: State, word: str, d: int) -> bool:
    """Tell whether the die must attack or block: by a rule that stands, or by a duty for the turn not met yet (5.4)."""
    if word not in s.table.rule_words:
        return False
    for rule, ctx in static_rules.standing(s, word):
        if rule.who.holds(s, d, ctx):
            die_identity.COVERAGE.note(s, ctx.ability)
            return True
    for r in s.records:
        if r.word == word and static_rules.covers(s, r, d):
            if r.until == NEXT_ATTACK:  # it is gone once it is met
                return True
            return (HAS_ATTACKED if word == "must attack" else HAS_BLOCKED, OF_DIE + d) not in s.spent
    return False


# --- blockers ------------------------------------------------------------------------------------------------------


def may_add(s: State, d: int, mine: list[int], attacker: int) -> bool:
    """Tell whether a die that already blocks these may block one more; a rule may allow it for some only."""
    every = [*mine, attacker]
    besides = sum([n for _, _, n, _ in static_rules.rules_about(s, "blocks also", d)])
    if len(every) <= 1 + besides:
        return True
    for rule, ctx, n, _ in static_rules.rules_about(s, "blocks more", d):
        others = 0 if rule is None or rule.by is None else sum([not rule.by.holds(s, a, ctx) for a in every])
        if len(mine) <= n + besides and others <= besides:
            return True
    return False


def _least(s: State, attacker: int) -> int:
    least = 1
    for _, _, n, _ in static_rules.rules_about(s, "blocked by at least", attacker):
        least = max(least, n)
    return least


def _must_meet(s: State, blocker: int, attackers: list[int]) -> list[int]:
    """List the attackers this die has to block, each if able (avx 18, 39)."""
    out: list[int] = []
    for _, ctx, _, _ in static_rules.rules_about(s, "must block this", blocker):
        if ctx.this in attackers and combat_status.may_block(s, blocker, ctx.this):
            out.append(ctx.this)
    return out


def blocked_before(s: State, a: int, attackers: list[int]) -> list[int]:
    """List the attackers that have to be blocked if this one is (uxm 63)."""
    if not s.records and "blocked last" not in s.table.standing:
        return []
    out: list[int] = []
    for rule, ctx, _, _ in static_rules.rules_about(s, "blocked last", a):
        out += [
            x for x in attackers if x != a and rule is not None and rule.by is not None and rule.by.holds(s, x, ctx)
        ]
    return out
