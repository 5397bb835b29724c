"""Whom a sentence reaches, and what its reach counts as (rules 5.3, 5.8)."""

from __future__ import annotations

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.amounts import DealerAttackAmount
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.abilities.selectors import select
from dicemasters.game.mechanics import replacement
from dicemasters.game.mechanics.triggers import printed_timing
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, DamagePacket, GameEvent


def current_instruction(s: State) -> tuple[AbilityFrame, Instruction]:
    """Give the sentence the game waits for, and the operation it is at."""
    f = s.stack[-1]
    assert isinstance(f, AbilityFrame)
    return f, s.spec.abilities[f.ability].programs[f.burst].ops[f.pc]


def deciding_seat(s: State, f: AbilityFrame, who: str) -> int:
    """Give the player who decides; of a chosen die's controller it was noted when the die was chosen (cw 24)."""
    if who == "you":
        return f.you
    if who == "its controller":
        if f.chosen and f.chosen[0] and f.payer != NOBODY:
            return f.payer
        if f.event.die < PLAYER:
            return f.event.last_known[4] if f.event.word == "KO'd" else s.place[f.event.die] & 3
    return die_identity.opponent_of(f.you)


def source_kind(s: State, f: AbilityFrame) -> str:
    """Tell what the damage and the targeting of a sentence count as (rules 5.8e)."""
    sentence = s.spec.abilities[f.ability]
    kind = sentence.origin
    return "action" if kind == "use" or sentence.scope == "field" else "global" if kind == "global" else "ability"


def damage_source_text(s: State, f: AbilityFrame) -> str:
    """Tell what its damage counts as, with the printed class of the ability: "ability, when fielded"."""
    sentence = s.spec.abilities[f.ability]
    kind = source_kind(s, f)
    return f"{kind}, {printed_timing(sentence)}" if kind == "ability" and printed_timing(sentence) else kind


def planned_damage(s: State, f: AbilityFrame, op: Instruction) -> list[DamagePacket]:
    """List the damage an operation deals, before anything changes it."""
    packets: list[DamagePacket] = []
    for group, amount, source in op.parts:
        dealers = [f.this] if source is None else select(s, source, f)
        if source is None and source_kind(s, f) == "global":
            dealers = [NOBODY]  # a Global's damage comes from the player who paid (rules 10.2)
        n = amount.evaluate(s, f)
        own = isinstance(amount, DealerAttackAmount)
        for x in select(s, group, f):
            if x < PLAYER and s.place[x] >> 2 != FIELD:
                continue  # what has left the field is not damaged (rules 5.8c, 10.5)
            packets += [
                DamagePacket(dealer, x, characteristics.current_stats(s, dealer)[0] if own else n) for dealer in dealers
            ]
    return packets


def targetable(s: State, f: AbilityFrame, x: int) -> bool:
    return x >= PLAYER or not static_rules.is_protected(s, x, source_kind(s, f), f.you)


def affected(s: State, f: AbilityFrame, dice: list[int], hits: tuple[DamagePacket, ...] = ()) -> list[int] | None:
    """Leave out what is spared; None while somebody is being asked whether to pay for that (avx 16).

    A price is not escaped (rules 5.1).
    """
    if "would be affected" not in s.spec.replacements:
        return dice
    op = s.spec.abilities[f.ability].programs[f.burst].ops[f.pc]
    return dice if op.is_cost else _unspared(s, f, op, dice, hits)


def _unspared(
    s: State, f: AbilityFrame, op: Instruction, dice: list[int], hits: tuple[DamagePacket, ...]
) -> list[int] | None:
    for d in sorted(dice, key=lambda d: d < PLAYER and (s.place[d] ^ s.active) & 1):  # the active player's first (5.7a)
        if d >= PLAYER or d in f.asked or d == f.this or not _is_turned(s, op, d):
            continue
        if any(p.to == d and ((d, p.source) in s.blocks or (p.source, d) in s.blocks) for p in hits):
            continue
        h = GameEvent("would be affected", d, f.this)
        for sentence in s.spec.replacements["would be affected"]:
            for ctx in replacement.applicable_contexts(s, sentence, h):
                f.asked = (*f.asked, d)
                s.stack.append(ctx)
                return None
    return [d for d in dice if d not in f.spared]


def _is_turned(s: State, op: Instruction, d: int) -> bool:
    """Tell whether the die is not yet on the level to which it would be spun; of other effects it is always so."""
    if isinstance(op.node, w.Spin) and op.node.levels:
        return characteristics.can_spin(s, d, op.node.levels)
    return not isinstance(op.node, w.SpinTo) or die_identity.shown_level(s, d) != op.node.level


def operand(s: State, f: AbilityFrame, op: Instruction) -> list[int]:
    """List whom the operation is about."""
    assert op.group is not None
    return select(s, op.group, f)


def operand_pair(s: State, f: AbilityFrame, op: Instruction) -> tuple[list[int], list[int]] | None:
    """Give the one die of each of two groups, and those the effect reaches; None while that is being asked."""
    assert op.group is not None
    assert op.group2 is not None
    both = [*select(s, op.group, f)[:1], *select(s, op.group2, f)[:1]]
    found = affected(s, f, both)
    return None if found is None else (both, found)
