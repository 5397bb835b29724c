"""Overcrush: damage left over after the blockers (rules 6.12)."""

from __future__ import annotations

from dicemasters.game.mechanics.triggers import SeenCauses
from dicemasters.game.state.constants import BY_BLOCKING, EARLIER, FIELD, PLAYER
from dicemasters.game.state.frames import DamageFrame, OvercrushFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, DamagePacket


def hits_opponent(s: State, packet: DamagePacket) -> bool:
    """Return whether damage hits an opposing character or the opposing player."""
    side = s.place[packet.to] if packet.to < PLAYER else packet.to - PLAYER
    return (side ^ s.place[packet.source]) & 1 == 1


def note_overcrush(s: State, frame: DamageFrame, hits: list[DamagePacket]) -> None:
    """Record damage left over for the player, and mark each blocker as in the way while it is in the field."""
    for excess in frame.through:
        s.active_effects.append(
            ActiveEffect("through", NOBODY, excess.amount, 0, -1, "end of turn", frame.you, excess.source, -1)
        )
        # the attacker may have left when the leftover damage is dealt
        if s.spec.remembers_damage and any(
            packet.source == excess.source and hits_opponent(s, packet) for packet in hits if packet.to < PLAYER
        ):
            s.active_effects.append(
                ActiveEffect("dealt", NOBODY, 0, 1, -1, "end of turn", frame.you, excess.source, -1)
            )
        for d in excess.foes:
            if s.place[d] >> 2 == FIELD:
                s.active_effects.append(
                    ActiveEffect("in the way", d, 0, 0, -1, "end of turn", frame.you, excess.source, -1)
                )


def run_overcrush(s: State, frame: OvercrushFrame) -> None:
    """Deal the leftover damage of attackers that no longer have a blocker in their way (rules 6.12c).

    In editions in which removed blockers do not count, the attacker must have KO'd all of them (rules 6.12a, 6.12d).
    """
    s.stack.pop()
    packets: list[DamagePacket] = []
    for effect in s.active_effects:
        if effect.word == "through" and not any(
            other.word == "in the way" and other.source == effect.source for other in s.active_effects
        ):
            if s.spec.edition.removed_blockers_count or effect.d >= _block_count(s, effect.source):
                packets.append(DamagePacket(effect.source, PLAYER + 1 - (frame.you & 1), effect.a))
    s.active_effects = [effect for effect in s.active_effects if effect.word not in ("through", "in the way")]
    if packets:
        s.stack.append(DamageFrame(tuple(packets), "combat", frame.you, rest=1))
    else:
        take_reacted(s)


def note_reacted(s: State, frame: DamageFrame, seen: SeenCauses) -> None:
    """Record the abilities triggered by damage to blockers; damage let through has the same source (rules 6.12f)."""
    sources = {excess.source for excess in frame.through}
    for ability, you, this, source, recipient in sorted(seen):
        if source in sources and recipient == NOBODY:
            s.active_effects.append(
                ActiveEffect("answered", this, ability, you, -1, "end of turn", frame.you, source, -1)
            )


def take_reacted(s: State) -> SeenCauses:
    """Return which abilities the damage to blockers has triggered, and delete the record."""
    seen: SeenCauses = {
        (effect.a, effect.d, effect.subject, effect.source, NOBODY)
        for effect in s.active_effects
        if effect.word == "answered"
    }
    s.active_effects = [effect for effect in s.active_effects if effect.word != "answered"]
    return seen


def _block_count(s: State, attacker: int) -> int:
    """Return how many dice have blocked the attacker in this attack."""
    return sum(1 for _, other, how in s.engagements if other == attacker and how & BY_BLOCKING and not how & EARLIER)
