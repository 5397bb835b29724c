"""Buying, fielding and using by an effect."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.predicates import PLACES
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.abilities.selectors import select
from dicemasters.game.effects.feasibility import can_field, copied_action_abilities
from dicemasters.game.effects.operands import affected, current_instruction, operand
from dicemasters.game.mechanics import faces, payment, zones
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.procedures import buy_die, field_simultaneously, use_die
from dicemasters.game.queries import costs
from dicemasters.game.queries.die_identity import ACTION
from dicemasters.game.queries.equivalence import canonical_order
from dicemasters.game.state.constants import FIELD, HAND, RESERVE
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY


def field_free(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Field for free; a price that cannot be less may be paid, or the die is not fielded (rules 5.1, 10.9)."""
    node = cast(w.Field, op.node)
    found = affected(s, f, operand(s, f, op))
    if found is None:
        return
    dice = [d for d in found if can_field(s, f.you, d) or d in f.asked]
    while (d := _next_priced(s, f, dice)) != NOBODY:
        price = costs.minimum_fielding_cost(s, d)
        if not f.waiting:
            f.waiting = 1
            request_decision(s, f.you, "field price", [("yes", 0, 0), ("no", 0, 0)], about=f.ability, number=price)
            return
        paid = s.answer[0] == "yes"
        f.waiting = 0
        f.asked = (*f.asked, d)
        f.spared = f.spared if paid else (*f.spared, d)
        if paid:
            payment.start_payment(s, f.you, (0, 0, 0, 0, price))
            return
    dice = [d for d in dice if d not in f.spared]
    fielded: list[tuple[int, int, tuple[int, ...]]] = []
    for d in dice:
        if node.level:
            faces.set_level(s, d, node.level)
        if s.spec.edition.effects_field or s.place[d] >> 2 == RESERVE:
            seat = s.place[d] & 3 if s.place[d] >> 2 == HAND else f.you
            fielded.append((d, seat, s.last_payment if d in f.asked else ()))
        else:
            zones.move_die(s, d, FIELD, f.you)
            s.state_check_due = True
    field_simultaneously(s, fielded)
    for d in found if node.otherwise else ():
        if d not in dice:
            zones.move_die(s, d, PLACES[node.otherwise], s.owner[d])
    f.pc += 1
    f.asked = tuple(d for d in f.asked if d not in found)
    f.spared = tuple(d for d in f.spared if d not in found)
    s.last_affected = tuple(dice)


def _next_priced(s: State, f: AbilityFrame, dice: list[int]) -> int:
    """Give the next die that costs something although it is fielded for free, or NOBODY."""
    if "costs at least to field" not in s.spec.static_by_rule:
        return NOBODY
    return next((d for d in canonical_order(s, dice) if d not in f.asked and costs.minimum_fielding_cost(s, d)), NOBODY)


def die_with_pending_cost(s: State) -> int:
    """Give the die whose price the game waits for."""
    f, op = current_instruction(s)
    assert op.group is not None
    return _next_priced(s, f, [d for d in select(s, op.group, f) if can_field(s, f.you, d)])


def buy_free(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    for d in operand(s, f, op):
        buy_die(s, d, f.you)


def use_action_die(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Use an action die that lies elsewhere than in the own reserve, without bursts."""
    f.pc += 1
    t = s.spec
    for d in operand(s, f, op)[:1]:
        plain = [i for i in range(6) if t.kinds[t.face_base[d] + i] == ACTION and not t.bursts[t.face_base[d] + i]]
        s.face[d] = plain[0] if plain else s.face[d]
        use_die(s, f.you, d, 0)


def use_action_copy(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    if s.journal is not None:
        s.journal.append(("copies", f.you, f.event.other))
    s.stack += reversed(copied_action_abilities(s, f))
