"""Damage, KO and life by an effect, and what is done about damage on its way (rules 5.8, 5.10)."""

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
    """Give how much of the damage being divided is left, and the dice whose share is still to be said."""
    f, op = current_instruction(s)
    return op.amount.evaluate(s, f) - sum(f.shares), _divided_among(s, f, op)[len(f.shares) :]


def run_damage_effect(s: State, f: AbilityFrame, op: Instruction) -> None:
    packets = planned_damage(s, f, op)
    found = affected(s, f, [p.to for p in packets], tuple(packets))
    if found is None:
        return
    packets = [p for p in packets if p.to in found and p.amount > 0]
    f.pc += 1
    f.hit = 0 if op.is_cost else len(packets)
    damage.start_damage(s, packets, damage_source_text(s, f), f.you, ability=f.ability, as_cost=op.is_cost)


def change_life(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    n = op.amount.evaluate(s, f)
    for x in operand(s, f, op):
        if n < 0:
            life.lose_life(s, x - PLAYER, -n)
        else:
            life.gain_life(s, x - PLAYER, n)


def run_ko_effect(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    f.given = len(dice)
    doer = f.payer if op.is_cost and f.payer != NOBODY else f.you
    what = cast(w.Ko, op.node).what
    if isinstance(what, w.Select) and what.by == "opponent":
        doer = die_identity.opponent_of(f.you)  # who is made to choose one does it
    elif op.by_each:
        doer = BY_ITS_PLAYER
    knockout.start_ko(s, dice, source_kind(s, f), f.this, doer, op.is_cost)


def _how_much(s: State, f: AbilityFrame, op: Instruction, to: int) -> int:
    """Give how much of the damage is prevented or redirected; 0 while the player is asked, where it is up to them."""
    most = op.amount.evaluate(s, f)
    amount = cast(w.Prevent | w.Redirect, op.node).amount
    if isinstance(amount, int) or amount.op != "up to":
        return most
    if f.waiting:
        return s.answer[2]
    most = min(most, replacement.offered_damage(s))
    if most > 1:
        f.waiting = 1
        request_decision(s, f.you, "how much", [("amount", to, n) for n in range(1, most + 1)], about=f.ability)
        return 0
    return most


def prevent(s: State, f: AbilityFrame, op: Instruction) -> None:
    n = _how_much(s, f, op, f.event.die)
    if s.decision is NO_DECISION:
        f.jump_to(f.pc + 1)
        replacement.prevent_damage(s, n)


def redirect(s: State, f: AbilityFrame, op: Instruction) -> None:
    for x in operand(s, f, op)[:1]:
        if replacement.can_redirect(s, x):
            engaged = x < PLAYER and replacement.is_damage_from_engaged(s, x)
            found = [x] if engaged else affected(s, f, [x])
            if found is None:
                return
            if not found:
                break  # the damage stays where it is
            n = _how_much(s, f, op, x)
            if s.decision is not NO_DECISION:
                return
            replacement.redirect_damage(s, n, x, cast(w.Redirect, op.node).whole_source)
    f.jump_to(f.pc + 1)


def cancel_event(s: State, f: AbilityFrame, op: Instruction) -> None:
    """What was about to happen to the die does not happen."""
    f.pc += 1
    below = s.stack[-2]
    if isinstance(below, KnockoutFrame):
        below.dice = tuple(d for d in below.dice if d != f.event.die)
    elif isinstance(below, AbilityFrame):
        below.spared = (*below.spared, f.event.die)
    else:
        assert isinstance(below, DamageFrame)
        replacement.prevent_damage(s, w.ALL)


def set_life(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    for x in operand(s, f, op):
        s.life[x - PLAYER] = min(cast(w.SetLife, op.node).amount, die_identity.starting_life(s, x - PLAYER))


def run_divide(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Damage divided among dice, one amount after the other."""
    if f.waiting:
        f.shares = (*f.shares, s.answer[2])
        f.waiting = 0
    shares = f.shares
    dice = _divided_among(s, f, op)
    rest = op.amount.evaluate(s, f) - sum(shares)
    if len(shares) >= len(dice) - 1 or rest <= 0:
        amounts = (*shares, rest, *(0 for _ in dice))
        packets = [DamagePacket(f.this, d, n) for d, n in zip(dice, amounts, strict=False) if n > 0]
        found = affected(s, f, [p.to for p in packets], tuple(packets))
        if found is None:
            return
        packets = [p for p in packets if p.to in found]
        f.jump_to(f.pc + 1)
        f.shares = ()
        damage.start_damage(s, packets, damage_source_text(s, f), f.you, ability=f.ability)
        return
    f.waiting = 1
    d = dice[len(shares)]
    request_decision(s, f.you, "divide", [("amount", d, n) for n in range(rest + 1)], about=f.ability, number=rest)


def _divided_among(s: State, f: AbilityFrame, op: Instruction) -> list[int]:
    dice = operand(s, f, op)
    if cast(w.Divide, op.node).target or s.spec.edition.bare_choice_targets:
        dice = [d for d in dice if targetable(s, f, d)]
    return canonical_order(s, dice)


def increase(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    replacement.prevent_damage(s, -op.amount.evaluate(s, f))
