"""Effects that deal damage, KO or change life, and effects on pending damage (rules 5.8, 5.10)."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.effects.operands import (
    affected,
    current_instruction,
    damage_source_text,
    operand,
    planned_damage,
    source_kind,
    targetable,
)
from dicemasters.game.mechanics import damage, knockout, life, replacement
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.queries import die_identity
from dicemasters.game.queries.equivalence import canonical_order
from dicemasters.game.state.constants import PLAYER
from dicemasters.game.state.frames import AbilityFrame, DamageFrame, KnockoutFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import BY_ITS_PLAYER, NO_DECISION, NOBODY, DamagePacket


def pending_division(s: State) -> tuple[int, list[int]]:
    """Return the damage still to be divided and the dice without a share yet."""
    frame, op = current_instruction(s)
    return op.amount.evaluate(s, frame) - sum(frame.shares), _division_dice(s, frame, op)[len(frame.shares) :]


def run_damage_effect(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Deal damage to the affected dice and players."""
    packets = planned_damage(s, frame, op)
    recipients = affected(s, frame, [p.to for p in packets], tuple(packets))
    if recipients is None:
        return
    packets = [p for p in packets if p.to in recipients and p.amount > 0]
    frame.pc += 1
    frame.hit = 0 if op.is_cost else len(packets)
    damage.start_damage(s, packets, damage_source_text(s, frame), frame.you, ability=frame.ability, as_cost=op.is_cost)


def change_life(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Change the life of players."""
    frame.pc += 1
    n = op.amount.evaluate(s, frame)
    for x in operand(s, frame, op):
        if n < 0:
            life.lose_life(s, x - PLAYER, -n)
        else:
            life.gain_life(s, x - PLAYER, n)


def run_ko_effect(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """KO dice and record whose KO it is."""
    frame.given = len(dice)
    seat = frame.payer if op.is_cost and frame.payer != NOBODY else frame.you
    selection = cast(w.Ko, op.node).what
    if isinstance(selection, w.Select) and selection.by == "opponent":
        seat = die_identity.opponent_of(frame.you)  # the KO is by the player who has to choose
    elif op.player_choices:
        seat = BY_ITS_PLAYER
    knockout.start_ko(s, dice, source_kind(s, frame), frame.this, seat, op.is_cost)


def _chosen_amount(s: State, frame: AbilityFrame, op: Instruction, to: int) -> int:
    """Return the damage to prevent or redirect; 0 while its player is choosing the amount."""
    limit = op.amount.evaluate(s, frame)
    amount = cast(w.Prevent | w.Redirect, op.node).amount
    if isinstance(amount, int) or amount.op != "up to":
        return limit
    if frame.waiting:
        return s.answer[2]
    limit = min(limit, replacement.offered_damage(s))
    if limit > 1:
        frame.waiting = 1
        request_decision(
            s, frame.you, "how much", [("amount", to, n) for n in range(1, limit + 1)], about=frame.ability
        )
        return 0
    return limit


def prevent(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Prevent some of the pending damage."""
    n = _chosen_amount(s, frame, op, frame.event.die)
    if s.decision is NO_DECISION:
        frame.jump_to(frame.pc + 1)
        replacement.prevent_damage(s, n)


def redirect(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Redirect some of the pending damage."""
    for x in operand(s, frame, op)[:1]:
        if replacement.can_redirect(s, x):
            engaged = x < PLAYER and replacement.is_damage_from_engaged(s, x)
            recipients = [x] if engaged else affected(s, frame, [x])
            if recipients is None:
                return
            if not recipients:
                break  # the damage is not redirected
            n = _chosen_amount(s, frame, op, x)
            if s.decision is not NO_DECISION:
                return
            replacement.redirect_damage(s, n, x, cast(w.Redirect, op.node).whole_source)
    frame.jump_to(frame.pc + 1)


def cancel_event(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Cancel the pending KO, effect or damage for the event's die (rules 5.8c2)."""
    frame.pc += 1
    interrupted = s.stack[-2]
    if isinstance(interrupted, KnockoutFrame):
        interrupted.dice = tuple(d for d in interrupted.dice if d != frame.event.die)
    elif isinstance(interrupted, AbilityFrame):
        interrupted.spared = (*interrupted.spared, frame.event.die)
    else:
        assert isinstance(interrupted, DamageFrame)
        replacement.prevent_damage(s, w.ALL)


def set_life(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Set the life of players, but to no more than their starting life."""
    frame.pc += 1
    for x in operand(s, frame, op):
        s.life[x - PLAYER] = min(cast(w.SetLife, op.node).amount, die_identity.starting_life(s, x - PLAYER))


def run_divide(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Divide damage among dice, asking for one amount at a time."""
    if frame.waiting:
        frame.shares = (*frame.shares, s.answer[2])
        frame.waiting = 0
    shares = frame.shares
    dice = _division_dice(s, frame, op)
    remaining = op.amount.evaluate(s, frame) - sum(shares)
    if len(shares) >= len(dice) - 1 or remaining <= 0:
        amounts = (*shares, remaining, *(0 for _ in dice))
        packets = [DamagePacket(frame.this, d, n) for d, n in zip(dice, amounts, strict=False) if n > 0]
        recipients = affected(s, frame, [p.to for p in packets], tuple(packets))
        if recipients is None:
            return
        packets = [p for p in packets if p.to in recipients]
        frame.jump_to(frame.pc + 1)
        frame.shares = ()
        damage.start_damage(s, packets, damage_source_text(s, frame), frame.you, ability=frame.ability)
        return
    frame.waiting = 1
    d = dice[len(shares)]
    request_decision(
        s, frame.you, "divide", [("amount", d, n) for n in range(remaining + 1)], about=frame.ability, number=remaining
    )


def _division_dice(s: State, frame: AbilityFrame, op: Instruction) -> list[int]:
    dice = operand(s, frame, op)
    if cast(w.Divide, op.node).target or s.spec.edition.bare_choice_targets:
        dice = [d for d in dice if targetable(s, frame, d)]
    return canonical_order(s, dice)


def increase(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Increase the pending damage."""
    frame.pc += 1
    replacement.prevent_damage(s, -op.amount.evaluate(s, frame))
