"""Restrictions and requirements on attackers and blockers (rules 3.4)."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import ALL, NEXT_ATTACK
from dicemasters.game.queries import die_identity, static_rules
from dicemasters.game.queries.static_rules import RuleTable
from dicemasters.game.state.constants import HAS_ATTACKED, HAS_BLOCKED, LIMIT_OF_DIE
from dicemasters.game.state.state import State


def can_attack(s: State, d: int) -> bool:
    """Return whether the die may attack; "cannot" beats "must" (rules 5.1a)."""
    if s.spec.edition.controller_cannot_attack:  # rules 5.13b5
        for holding in s.holdings:
            if holding.kind == "control" and holding.holder == d:
                return False
    return may_attack_or_block(s, "cannot attack", d)


def life_toll(s: State, word: str, d: int, table: RuleTable | None = None) -> int:
    """Return the life to be paid before the die may do what a rule of this word forbids, or ALL if it cannot at all.

    `table` is the table of the word, for questions about many dice.
    """
    if not s.active_effects and word not in s.spec.static_by_rule:
        return 0
    total = 0
    exempt_cards: list[int] = []
    if word == "cannot attack" and (s.active_effects or "may attack" in s.spec.static_by_rule):
        exempt_cards = [
            s.spec.abilities[ctx.ability].card for _, ctx, _, _ in static_rules.rules_affecting(s, "may attack", d)
        ]
    for _, ctx, life, _ in static_rules.rules_affecting(s, word, d) if table is None else table.affecting(d):
        # "may attack" lifts only the ban on the same card
        if not exempt_cards or s.spec.abilities[ctx.ability].card not in exempt_cards:
            total += life or ALL
    return min(total, ALL)


def may_attack_or_block(s: State, word: str, d: int, table: RuleTable | None = None) -> bool:
    """Return whether the die may attack or block, if necessary by paying life that its player has."""
    toll = life_toll(s, word, d, table)
    return toll < ALL and toll <= s.life[s.place[d] & 1]


def must_attack_or_block(s: State, word: str, d: int, table: RuleTable | None = None) -> bool:
    """Return whether the die must attack or block, by a static rule or an obligation for the turn not met yet (rules 5.4b).

    `table` is the table of the word, for questions about many dice.
    """
    if word not in s.spec.rule_words:
        return False
    if table is not None:
        if table.static_affecting(d):
            return True
    else:
        for rule, ctx in static_rules.static_rules(s, word):
            if rule.who.matches(s, d, ctx):
                die_identity.COVERAGE.record(s, ctx.ability)
                return True
    for effect in s.active_effects:
        if effect.word == word and static_rules.applies_to(s, effect, d):
            if effect.until == NEXT_ATTACK:  # such an obligation is removed as soon as it is met
                return True
            return (HAS_ATTACKED if word == "must attack" else HAS_BLOCKED, LIMIT_OF_DIE + d) not in s.turn_limits
    return False


# --- blockers ------------------------------------------------------------------------------------------------------


def may_block_another(s: State, d: int, blocked: list[int], attacker: int) -> bool:
    """Return whether a die that already blocks these attackers may block one more (rules 3.4b1).

    A rule can limit additional blocks to attackers that it describes.
    """
    attackers = [*blocked, attacker]
    extra = sum([n for _, _, n, _ in static_rules.rules_affecting(s, "blocks also", d)])
    if len(attackers) <= 1 + extra:
        return True
    for rule, ctx, n, _ in static_rules.rules_affecting(s, "blocks more", d):
        mismatches = (
            0 if rule is None or rule.by is None else sum([not rule.by.matches(s, other, ctx) for other in attackers])
        )
        if len(blocked) <= n + extra and mismatches <= extra:
            return True
    return False


def blocked_first(s: State, attacker: int, attackers: list[int]) -> list[int]:
    """Return the attackers that must be blocked too if this one is (uxm 63)."""
    if not s.active_effects and "blocked last" not in s.spec.static_by_rule:
        return []
    prerequisites: list[int] = []
    for rule, ctx, _, _ in static_rules.rules_affecting(s, "blocked last", attacker):
        prerequisites += [
            other
            for other in attackers
            if other != attacker and rule is not None and rule.by is not None and rule.by.matches(s, other, ctx)
        ]
    return prerequisites
