"""Operands of instructions: selected and affected dice, planned damage and kinds of source (rules 5.3, 5.8)."""

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
    """Return the ability frame the game waits for, and its current instruction."""
    frame = s.stack[-1]
    assert isinstance(frame, AbilityFrame)
    return frame, s.spec.abilities[frame.ability].programs[frame.burst].ops[frame.pc]


def deciding_seat(s: State, frame: AbilityFrame, decider: str) -> int:
    """Return the seat that decides; a chosen die's controller was recorded when it was chosen (cw 24)."""
    if decider == "you":
        return frame.you
    if decider == "its controller":
        if frame.chosen and frame.chosen[0] and frame.payer != NOBODY:
            return frame.payer
        if frame.event.die < PLAYER:
            return frame.event.last_known[4] if frame.event.word == "KO'd" else s.place[frame.event.die] & 3
    return die_identity.opponent_of(frame.you)


def source_kind(s: State, frame: AbilityFrame) -> str:
    """Return the kind of source that damage and targeting of an ability count as (rules 5.8e2)."""
    ability = s.spec.abilities[frame.ability]
    kind = ability.origin
    return "action" if kind == "use" or ability.scope == "field" else "global" if kind == "global" else "ability"


def damage_source_text(s: State, frame: AbilityFrame) -> str:
    """Return the kind of source with the printed timing of the ability, as in "ability, when fielded"."""
    ability = s.spec.abilities[frame.ability]
    kind = source_kind(s, frame)
    return f"{kind}, {printed_timing(ability)}" if kind == "ability" and printed_timing(ability) else kind


def planned_damage(s: State, frame: AbilityFrame, op: Instruction) -> list[DamagePacket]:
    """Return the damage an instruction deals, before anything changes it."""
    packets: list[DamagePacket] = []
    for selector, amount, source in op.parts:
        dealers = [frame.this] if source is None else select(s, source, frame)
        if source is None and source_kind(s, frame) == "global":
            dealers = [NOBODY]  # a Global's damage comes from the player who paid (rules 10.2)
        n = amount.evaluate(s, frame)
        uses_dealer_attack = isinstance(amount, DealerAttackAmount)
        for x in select(s, selector, frame):
            if x < PLAYER and s.place[x] >> 2 != FIELD:
                continue  # dice that have left the field are not damaged (rules 10.5)
            packets += [
                DamagePacket(dealer, x, characteristics.current_stats(s, dealer)[0] if uses_dealer_attack else n)
                for dealer in dealers
            ]
    return packets


def targetable(s: State, frame: AbilityFrame, x: int) -> bool:
    """Return whether the ability can target this die or player (rules 10.6)."""
    return x >= PLAYER or not static_rules.is_protected(s, x, source_kind(s, frame), frame.you)


def affected(
    s: State, frame: AbilityFrame, dice: list[int], packets: tuple[DamagePacket, ...] = ()
) -> list[int] | None:
    """Return the dice without those spared; None while a player is asked to pay for sparing one (avx 16).

    A spared die is not affected at all (rules 5.8c2). Nothing is spared from a cost (rules 5.1b).
    """
    if "would be affected" not in s.spec.replacements:
        return dice
    op = s.spec.abilities[frame.ability].programs[frame.burst].ops[frame.pc]
    return dice if op.is_cost else _offer_exemptions(s, frame, op, dice, packets)


def _offer_exemptions(
    s: State, frame: AbilityFrame, op: Instruction, dice: list[int], packets: tuple[DamagePacket, ...]
) -> list[int] | None:
    # the active player first (rules 5.7a4)
    for d in sorted(dice, key=lambda d: d < PLAYER and (s.place[d] ^ s.active) & 1):
        if d >= PLAYER or d in frame.asked or d == frame.this or not _would_change(s, op, d):
            continue
        if any(p.to == d and ((d, p.source) in s.blocks or (p.source, d) in s.blocks) for p in packets):
            continue
        event = GameEvent("would be affected", d, frame.this)
        for ability in s.spec.replacements["would be affected"]:
            for ctx in replacement.applicable_contexts(s, ability, event):
                frame.asked = (*frame.asked, d)
                s.stack.append(ctx)
                return None
    return [d for d in dice if d not in frame.spared]


def _would_change(s: State, op: Instruction, d: int) -> bool:
    """Return whether an effect would change the die; only spins can leave a die as it is."""
    if isinstance(op.node, w.Spin) and op.node.levels:
        return characteristics.can_spin(s, d, op.node.levels)
    return not isinstance(op.node, w.SpinTo) or die_identity.shown_level(s, d) != op.node.level


def operand(s: State, frame: AbilityFrame, op: Instruction) -> list[int]:
    """Return the dice and players that an instruction refers to."""
    assert op.group is not None
    return select(s, op.group, frame)


def operand_pair(s: State, frame: AbilityFrame, op: Instruction) -> tuple[list[int], list[int]] | None:
    """Return a die for each of two selectors, and those affected; None while a player decides about sparing one."""
    assert op.group is not None
    assert op.group2 is not None
    both = [*select(s, op.group, frame)[:1], *select(s, op.group2, frame)[:1]]
    affected_dice = affected(s, frame, both)
    return None if affected_dice is None else (both, affected_dice)
