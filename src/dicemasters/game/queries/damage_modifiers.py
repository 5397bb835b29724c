"""Static rules that modify damage (rules 5.8c4)."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import ALL
from dicemasters.game.queries import characteristics, static_rules
from dicemasters.game.state.constants import PLAYER
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, DamagePacket


def modified_damage(s: State, packet: DamagePacket, sort: str) -> DamagePacket:
    """Return the packet as modified by static rules: multiplied, increased, halved and reduced (rules 5.8c4)."""
    amount = packet.amount
    if packet.source < PLAYER:
        if static_rules.is_affected_by(s, "deals no damage", packet.source):
            return packet.with_amount(0)
        if sort != "combat":  # combat damage is multiplied before it is assigned (#39)
            amount *= damage_factor(s, packet.source, packet.to, sort)
        for n in _rule_amounts(s, "deals more", packet.source, packet.to, sort):
            amount += n
    return damage_after_recipient_rules(s, packet.with_amount(amount), sort)


def damage_after_recipient_rules(s: State, packet: DamagePacket, sort: str) -> DamagePacket:
    """Return the packet as modified by static rules about its recipient.

    They apply again after a redirection, for the new recipient (rules 5.8d5).
    """
    amount = packet.amount
    for n in _rule_amounts(s, "takes more", packet.to, packet.source, sort):
        amount += n
    for _ in _rule_amounts(s, "takes half", packet.to, packet.source, sort):
        amount //= 2
    for n in _rule_amounts(s, "takes less", packet.to, packet.source, sort):
        amount = 0 if n >= ALL else max(0, amount - n)
    return packet.with_amount(amount)


def damage_needed(s: State, source: int, d: int) -> int:
    """Return the combat damage `source` must assign to a die to reach its D under static rules, else ALL."""
    needed = max(1, characteristics.current_stats(s, d)[1] - s.damage[d])
    if not s.active_effects and not s.spec.has_static_damage_rules:
        return needed
    for n in range(1, needed + 40):
        if modified_damage(s, DamagePacket(source, d, n), "combat").amount >= needed:
            return n
    return ALL


def is_damage_prevented(s: State, packet: DamagePacket, sort: str) -> bool:
    """Return whether a static rule prevents all of this damage."""
    return any(n >= ALL for n in _rule_amounts(s, "takes less", packet.to, packet.source, sort))


def damage_factor(s: State, source: int, to: int, sort: str) -> int:
    """Return the factor by which damage from one die to another die or player is multiplied."""
    factor = 1
    for n in _rule_amounts(s, "deals times", source, to, sort):
        factor *= n
    return factor


def _rule_amounts(s: State, word: str, affected: int, other: int, sort: str) -> list[int]:
    """Return the amounts of all rules with this word about the source or the recipient of the damage.

    Rules that exclude the other one or this kind of damage are left out.
    """
    amounts: list[int] = []
    for rule, ctx, n, _ in static_rules.rules_affecting(s, word, affected):
        if rule is not None:
            if rule.by is not None and (other == NOBODY or not rule.by.matches(s, other, ctx)):
                continue
            if rule.text and not any(kind in sort.split(", ") for kind in rule.text.split(", ")):
                continue
        amounts.append(n)
    return amounts
