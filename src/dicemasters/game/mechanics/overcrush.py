"""Overcrush: damage left over after blockers (rules 5.8)."""

from __future__ import annotations

from dicemasters.game.mechanics.triggers import SeenCauses
from dicemasters.game.state.constants import BY_BLOCKING, EARLIER, FIELD, PLAYER
from dicemasters.game.state.frames import DamageFrame, OvercrushFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, DamagePacket


def hits_opponent(s: State, p: DamagePacket) -> bool:
    """Tell whether damage hits the other side: a character of theirs, or their player."""
    side = s.place[p.to] if p.to < PLAYER else p.to - PLAYER
    return (side ^ s.place[p.source]) & 1 == 1


def note_overcrush(s: State, f: DamageFrame, hits: list[DamagePacket]) -> None:
    """Note what is left over for the player, and on each blocker that it is in the way as long as it is there."""
    for x in f.through:
        s.active_effects.append(ActiveEffect("through", NOBODY, x.amount, 0, -1, "end of turn", f.you, x.source, -1))
        # it may have left when the rest is dealt
        if s.spec.remembers_damage and any(p.source == x.source and hits_opponent(s, p) for p in hits if p.to < PLAYER):
            s.active_effects.append(ActiveEffect("dealt", NOBODY, 0, 1, -1, "end of turn", f.you, x.source, -1))
        for d in x.foes:
            if s.place[d] >> 2 == FIELD:
                s.active_effects.append(ActiveEffect("in the way", d, 0, 0, -1, "end of turn", f.you, x.source, -1))


def run_overcrush(s: State, f: OvercrushFrame) -> None:
    s.stack.pop()
    packets: list[DamagePacket] = []
    for r in s.active_effects:
        if r.word == "through" and not any(x.word == "in the way" and x.source == r.source for x in s.active_effects):
            if s.spec.edition.removed_blockers_count or r.d >= _blocks_of(s, r.source):
                packets.append(DamagePacket(r.source, PLAYER + 1 - (f.you & 1), r.a))
    s.active_effects = [r for r in s.active_effects if r.word not in ("through", "in the way")]
    if packets:
        s.stack.append(DamageFrame(tuple(packets), "combat", f.you, rest=1))
    else:
        take_reacted(s)


def note_reacted(s: State, f: DamageFrame, seen: SeenCauses) -> None:
    """Note what has reacted to the damage of a die whose rest may still go through: it is one source (rules 10.1)."""
    sources = {x.source for x in f.through}
    for ability, you, this, source, whom in sorted(seen):
        if source in sources and whom == NOBODY:
            s.active_effects.append(ActiveEffect("answered", this, ability, you, -1, "end of turn", f.you, source, -1))


def take_reacted(s: State) -> SeenCauses:
    """Give what has reacted to the damage before, and forget it."""
    seen: SeenCauses = {(r.a, r.d, r.subject, r.source, NOBODY) for r in s.active_effects if r.word == "answered"}
    s.active_effects = [r for r in s.active_effects if r.word != "answered"]
    return seen


def _blocks_of(s: State, attacker: int) -> int:
    """Give how many have blocked the die in this attack."""
    return sum(1 for _, a, how in s.engagements if a == attacker and how & BY_BLOCKING and not how & EARLIER)
