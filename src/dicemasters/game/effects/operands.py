"""Whom a sentence reaches, and what its reach counts as (rules 5.3, 5.8)."""

from __future__ import annotations

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.amounts import OwnAttack
from dicemasters.game.abilities.program import Op
from dicemasters.game.abilities.selectors import gather
from dicemasters.game.mechanics import replacement
from dicemasters.game.mechanics.triggers import class_of
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Happening, Packet


def under_way(s: State) -> tuple[Running, Op]:
    """Give the sentence the game waits for, and the operation it is at."""
    f = s.stack[-1]
    assert isinstance(f, Running)
    return f, s.table.sentences[f.ability].programs[f.burst].ops[f.pc]


def decider(s: State, f: Running, who: str) -> int:
    """Give the player who decides; of a chosen die's controller it was noted when the die was chosen (cw 24)."""
    if who == "you":
        return f.you
    if who == "its controller":
        if f.chosen and f.chosen[0] and f.payer != NOBODY:
            return f.payer
        if f.event.die < PLAYER:
            return f.event.known[4] if f.event.word == "KO'd" else s.place[f.event.die] & 3
    return die_identity.opponent_of(f.you)


def source_kind(s: State, f: Running) -> str:
    """Tell what the damage and the targeting of a sentence count as (rules 5.8e)."""
    sentence = s.table.sentences[f.ability]
    kind = sentence.origin
    return "action" if kind == "use" or sentence.scope == "field" else "global" if kind == "global" else "ability"


def damage_sort(s: State, f: Running) -> str:
    """Tell what its damage counts as, with the printed class of the ability: "ability, when fielded"."""
    sentence = s.table.sentences[f.ability]
    kind = source_kind(s, f)
    return f"{kind}, {class_of(sentence)}" if kind == "ability" and class_of(sentence) else kind


def laid_out(s: State, f: Running, op: Op) -> list[Packet]:
    """List the damage an operation deals, before anything changes it."""
    packets: list[Packet] = []
    for group, amount, source in op.parts:
        dealers = [f.this] if source is None else gather(s, source, f)
        if source is None and source_kind(s, f) == "global":
            dealers = [NOBODY]  # a Global's damage comes from the player who paid (rules 10.2)
        n = amount.worth(s, f)
        own = isinstance(amount, OwnAttack)
        for x in gather(s, group, f):
            if x < PLAYER and s.place[x] >> 2 != FIELD:
                continue  # what has left the field is not damaged (rules 5.8c, 10.5)
            packets += [Packet(dealer, x, characteristics.stats(s, dealer)[0] if own else n) for dealer in dealers]
    return packets


def targetable(s: State, f: Running, x: int) -> bool:
    return x >= PLAYER or not static_rules.is_protected(s, x, source_kind(s, f), f.you)


def reached(s: State, f: Running, dice: list[int], hits: tuple[Packet, ...] = ()) -> list[int] | None:
    """Leave out what is spared; None while somebody is being asked whether to pay for that (avx 16).

    A price is not escaped (rules 5.1).
    """
    if "would be affected" not in s.table.woulds:
        return dice
    op = s.table.sentences[f.ability].programs[f.burst].ops[f.pc]
    return dice if op.is_cost else _unspared(s, f, op, dice, hits)


def _unspared(s: State, f: Running, op: Op, dice: list[int], hits: tuple[Packet, ...]) -> list[int] | None:
    for d in sorted(dice, key=lambda d: d < PLAYER and (s.place[d] ^ s.active) & 1):  # the active player's first (5.7a)
        if d >= PLAYER or d in f.asked or d == f.this or not _is_turned(s, op, d):
            continue
        if any(p.to == d and ((d, p.source) in s.blocks or (p.source, d) in s.blocks) for p in hits):
            continue
        h = Happening("would be affected", d, f.this)
        for sentence in s.table.woulds["would be affected"]:
            for ctx in replacement.would_contexts(s, sentence, h):
                f.asked = (*f.asked, d)
                s.stack.append(ctx)
                return None
    return [d for d in dice if d not in f.spared]


def _is_turned(s: State, op: Op, d: int) -> bool:
    """Tell whether the die is not yet on the level to which it would be spun; of other effects it is always so."""
    if isinstance(op.node, w.Spin) and op.node.levels:
        return characteristics.can_spin(s, d, op.node.levels)
    return not isinstance(op.node, w.SpinTo) or die_identity.face_level(s, d) != op.node.level


def meant(s: State, f: Running, op: Op) -> list[int]:
    """List whom the operation is about."""
    assert op.group is not None
    return gather(s, op.group, f)


def two(s: State, f: Running, op: Op) -> tuple[list[int], list[int]] | None:
    """Give the one die of each of two groups, and those the effect reaches; None while that is being asked."""
    assert op.group is not None
    assert op.group2 is not None
    both = [*gather(s, op.group, f)[:1], *gather(s, op.group2, f)[:1]]
    found = reached(s, f, both)
    return None if found is None else (both, found)
