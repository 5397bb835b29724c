"""Control flow of abilities: "may", "unless", "if", "one of", parts for each player, and delayed parts."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.abilities.selectors import select
from dicemasters.game.effects.feasibility import can_afford, has_outcome, is_offerable, offer_cost
from dicemasters.game.effects.operands import deciding_seat
from dicemasters.game.mechanics import payment, replacement
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.triggers import emit, emit_use, is_declinable, mark_used
from dicemasters.game.queries import die_identity
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, Option


def run_may(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Offer an optional effect and, if the player accepts, start paying for it."""
    node = cast(w.May, op.node)
    ability = s.spec.abilities[frame.ability]
    seat, price = offer_cost(s, frame, op)
    if frame.waiting:
        if s.answer[0] == "no":
            frame.jump_to(op.jump)
            return
        mark_used(s, frame)
        if ability.kind == "when" and node is ability.ability.effects[0] and is_declinable(ability):
            emit_use(s, frame)
        if ability.kind == "global":
            emit(s, "Global used", s.spec.person + seat)
        if frame.event.word.startswith("would"):
            replacement.note_replacement_use(s)
        steps = op.need.price_options
        frame.jump_to(frame.pc + 1)
        frame.payer = seat
        frame.given = s.answer[1] if steps else frame.given
        payment.start_payment(s, seat, steps[s.answer[1] - 1] if steps else price)
        return
    if is_offerable(s, frame, op):
        frame.waiting = 1
        accept: list[Option] = [("yes", 0, 0)]
        if op.need.price_options:
            pool = payment.energy_pool(s, seat)
            accept = [
                ("spend", n, 0) for n, price in enumerate(op.need.price_options, 1) if payment.can_pay(pool, price)
            ]
        request_decision(s, seat, "may", [*accept, ("no", 0, 0)], about=frame.ability)
    else:
        frame.pc = op.jump


def run_unless(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Offer the opponent a payment that averts an effect, unless it is impossible or pointless (rules 5.3c3)."""
    opponent = die_identity.opponent_of(frame.you)
    if frame.waiting:
        if s.answer[0] != "yes":
            frame.jump_to(op.jump)
            return
        frame.jump_to(frame.pc + 1)
        frame.payer = opponent
        payment.start_payment(s, opponent, op.need.price)
        return
    is_pointless = op.registers and not any(frame.chosen[r] for r in op.registers if r < len(frame.chosen))
    if isinstance(cast(w.Unless, op.node).effects[0], w.NameAffiliation) and not frame.given:
        is_pointless = True  # no affiliation was named
    if op.need.effect_instructions and not any(
        has_outcome(s, frame, effect, op.need.otherwise) for effect in op.need.effect_instructions
    ):
        is_pointless = True
    if not is_pointless and can_afford(s, opponent, op.need, frame):
        frame.waiting = 1
        request_decision(s, opponent, "unless", [("yes", 0, 0), ("no", 0, 0)], about=frame.ability)
    else:
        frame.pc = op.jump


def run_branch(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Continue if the condition holds, else jump."""
    frame.pc = frame.pc + 1 if op.condition.evaluate(s, frame) else op.jump


def continue_if_applied(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Continue only if the preceding cost was paid; in cw the first of two effects is a cost (rules 5.1d)."""
    is_required = op.is_cost or s.spec.edition.first_effect_is_cost
    frame.pc = op.jump if is_required and not s.last_affected and not frame.hit else frame.pc + 1
    frame.hit = 0


def run_jump(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Jump to another instruction."""
    frame.pc = op.jump


def run_each_player(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Start the inner ability for each player, the active player first."""
    frame.pc += 1
    sides = s.spec.sides
    for seat in reversed((*sides[s.active], *sides[die_identity.opponent_of(s.active)])):
        inner = frame.subprogram_for(op.part, seat)
        s.stack.append(inner)


def run_one_of(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Ask for one of several modes and jump to it."""
    node = cast(w.OneOf, op.node)
    if frame.waiting:
        frame.jump_to(op.registers[s.answer[1]])
        return
    seat = deciding_seat(s, frame, node.by)
    frame.waiting = 1
    request_decision(
        s, seat, "one of", [("mode", i, 0) for i in range(len(node.choices))], about=frame.ability, number=frame.pc
    )


def run_later(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Delay a part of the ability until its event occurs."""
    frame.pc += 1
    until = cast(w.Later, op.node).until
    subjects = [NOBODY] if op.group is None else select(s, op.group, frame)
    for x in subjects:
        if x < PLAYER and (s.place[x] >> 2 != FIELD or x in frame.spared):
            continue  # nothing applies to dice that left the field or were spared (rules 5.8c2, 10.5)
        s.active_effects.append(ActiveEffect("later", x, 0, 0, -1, until, frame.you, frame.this, op.part))
