"""What standing rules make of damage on its way (rules 5.8)."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import ALL
from dicemasters.game.queries import characteristics, static_rules
from dicemasters.game.state.constants import PLAYER
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, DamagePacket


def modified_damage(s: State, p: DamagePacket, sort: str) -> DamagePacket:
    """Apply the standing changes, in one order for all (docs/rulings.md): multiply, add, halve, take away."""
    amount = p.amount
    if p.source < PLAYER:
        if static_rules.is_affected_by(s, "deals no damage", p.source):
            return p.of(0)
        if sort != "combat":  # there it is multiplied before it is assigned (rulings: Wolverine with Overcrush)
            amount *= damage_factor(s, p.source, p.to, sort)
        for n in _changes(s, "deals more", p.source, p.to, sort):
            amount += n
    return damage_after_recipient_rules(s, p.of(amount), sort)


def damage_after_recipient_rules(s: State, p: DamagePacket, sort: str) -> DamagePacket:
    """Apply what the standing rules about whoever is hit make of the damage; on a redirection this comes anew."""
    amount = p.amount
    for n in _changes(s, "takes more", p.to, p.source, sort):
        amount += n
    for _ in _changes(s, "takes half", p.to, p.source, sort):
        amount //= 2
    for n in _changes(s, "takes less", p.to, p.source, sort):
        amount = 0 if n >= ALL else max(0, amount - n)
    return p.of(amount)


def damage_needed(s: State, source: int, d: int) -> int:
    """Give what the source must assign to a die in combat to bring it to its D, by the standing changes; else ALL."""
    least = max(1, characteristics.current_stats(s, d)[1] - s.damage[d])
    if not s.active_effects and not s.spec.has_static_damage_rules:
        return least
    for n in range(1, least + 40):
        if modified_damage(s, DamagePacket(source, d, n), "combat").amount >= least:
            return n
    return ALL


def is_damage_prevented(s: State, p: DamagePacket, sort: str) -> bool:
    """Tell whether a standing rule takes all of the damage away."""
    return any(n >= ALL for n in _changes(s, "takes less", p.to, p.source, sort))


def damage_factor(s: State, source: int, to: int, sort: str) -> int:
    """Give by how much the damage of one die to another die or player is multiplied."""
    factor = 1
    for n in _changes(s, "deals times", source, to, sort):
        factor *= n
    return factor


def _changes(s: State, word: str, who: int, other: int, sort: str) -> list[int]:
    """List the numbers of the rules of this word about one end of the damage that the other end does not exclude."""
    out: list[int] = []
    for rule, ctx, n, _ in static_rules.rules_affecting(s, word, who):
        if rule is not None:
            if rule.by is not None and (other == NOBODY or not rule.by.matches(s, other, ctx)):
                continue
            if rule.text and not any(kind in sort.split(", ") for kind in rule.text.split(", ")):
                continue
        out.append(n)
    return out
