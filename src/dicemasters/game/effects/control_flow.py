"""What a sentence asks and branches on: may, unless, if, one of; and what it leaves for others or for later."""

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


def run_may(s: State, f: AbilityFrame, op: Instruction) -> None:
    node = cast(w.May, op.node)
    sentence = s.spec.abilities[f.ability]
    who, price = offer_cost(s, f, op)
    if f.waiting:
        if s.answer[0] == "no":
            f.jump_to(op.jump)
            return
        mark_used(s, f)
        if sentence.kind == "when" and node is sentence.ability.effects[0] and is_declinable(sentence):
            emit_use(s, f)
        if sentence.kind == "global":
            emit(s, "Global used", s.spec.person + who)
        if f.event.word.startswith("would"):
            replacement.note_replacement_use(s)
        steps = op.need.steps
        f.jump_to(f.pc + 1)
        f.payer = who
        f.given = s.answer[1] if steps else f.given
        payment.start_payment(s, who, steps[s.answer[1] - 1] if steps else price)
        return
    if is_offerable(s, f, op):
        f.waiting = 1
        yes: list[Option] = [("yes", 0, 0)]
        if op.need.steps:
            have = payment.energy_pool(s, who)
            yes = [("spend", n, 0) for n, price in enumerate(op.need.steps, 1) if payment.can_pay(have, price)]
        request_decision(s, who, "may", [*yes, ("no", 0, 0)], about=f.ability)
    else:
        f.pc = op.jump


def run_unless(s: State, f: AbilityFrame, op: Instruction) -> None:
    who = die_identity.opponent_of(f.you)
    if f.waiting:
        if s.answer[0] != "yes":
            f.jump_to(op.jump)
            return
        f.jump_to(f.pc + 1)
        f.payer = who
        payment.start_payment(s, who, op.need.price)
        return
    nothing = op.registers and not any(f.chosen[r] for r in op.registers if r < len(f.chosen))
    if isinstance(cast(w.Unless, op.node).effects[0], w.NameAffiliation) and not f.given:
        nothing = True  # there is no affiliation to name
    if op.need.possible and not any(has_outcome(s, f, deed, op.need.otherwise) for deed in op.need.possible):
        nothing = True
    if not nothing and can_afford(s, who, op.need, f):
        f.waiting = 1
        request_decision(s, who, "unless", [("yes", 0, 0), ("no", 0, 0)], about=f.ability)
    else:
        f.pc = op.jump


def run_branch(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc = f.pc + 1 if op.check.evaluate(s, f) else op.jump


def continue_if_applied(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Go on only if the cost just before was paid; in cw the first of two effects is one (rules 5.1)."""
    asked = op.is_cost or s.spec.edition.first_effect_is_cost
    f.pc = op.jump if asked and not s.last_affected and not f.hit else f.pc + 1
    f.hit = 0


def run_jump(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc = op.jump


def run_each_player(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Start the inner sentence for each player, the active one first."""
    f.pc += 1
    sides = s.spec.sides
    for seat in reversed((*sides[s.active], *sides[die_identity.opponent_of(s.active)])):
        inner = f.subprogram_for(op.part, seat)
        s.stack.append(inner)


def run_one_of(s: State, f: AbilityFrame, op: Instruction) -> None:
    node = cast(w.OneOf, op.node)
    if f.waiting:
        f.jump_to(op.registers[s.answer[1]])
        return
    who = deciding_seat(s, f, node.by)
    f.waiting = 1
    request_decision(s, who, "one of", [("mode", i, 0) for i in range(len(node.choices))], about=f.ability, number=f.pc)


def run_later(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    until = cast(w.Later, op.node).until
    about = [NOBODY] if op.group is None else select(s, op.group, f)
    for x in about:
        if x < PLAYER and (s.place[x] >> 2 != FIELD or x in f.spared):
            continue  # what has left the field, or is not affected, has nothing applied to it (rules 10.5, 5.8c)
        s.active_effects.append(ActiveEffect("later", x, 0, 0, -1, until, f.you, f.this, op.part))
