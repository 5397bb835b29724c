"""Effects that buy, field or use dice."""

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


def field_free(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Field dice for free; a minimum cost may be paid, or the die is not fielded (rules 3.3c1, 5.6a, 10.9)."""
    node = cast(w.Field, op.node)
    affected_dice = affected(s, frame, operand(s, frame, op))
    if affected_dice is None:
        return
    dice = [d for d in affected_dice if can_field(s, frame.you, d) or d in frame.asked]
    while (d := _next_priced(s, frame, dice)) != NOBODY:
        price = costs.minimum_fielding_cost(s, d)
        if not frame.waiting:
            frame.waiting = 1
            request_decision(
                s, frame.you, "field price", [("yes", 0, 0), ("no", 0, 0)], about=frame.ability, number=price
            )
            return
        paid = s.answer[0] == "yes"
        frame.waiting = 0
        frame.asked = (*frame.asked, d)
        frame.spared = frame.spared if paid else (*frame.spared, d)
        if paid:
            payment.start_payment(s, frame.you, (0, 0, 0, 0, price))
            return
    dice = [d for d in dice if d not in frame.spared]
    fielded: list[tuple[int, int, tuple[int, ...]]] = []
    for d in dice:
        if node.level:
            faces.set_level(s, d, node.level)
        if s.spec.edition.effects_field or s.place[d] >> 2 == RESERVE:
            seat = s.place[d] & 3 if s.place[d] >> 2 == HAND else frame.you
            fielded.append((d, seat, s.last_payment if d in frame.asked else ()))
        else:
            zones.move_die(s, d, FIELD, frame.you)
            s.state_check_due = True
    field_simultaneously(s, fielded)
    for d in affected_dice if node.otherwise else ():
        if d not in dice:
            zones.move_die(s, d, PLACES[node.otherwise], s.owner[d])
    frame.pc += 1
    frame.asked = tuple(d for d in frame.asked if d not in affected_dice)
    frame.spared = tuple(d for d in frame.spared if d not in affected_dice)
    s.last_affected = tuple(dice)


def _next_priced(s: State, frame: AbilityFrame, dice: list[int]) -> int:
    """Return the next die with a minimum fielding cost that has not been offered yet, or NOBODY."""
    if "costs at least to field" not in s.spec.static_by_rule:
        return NOBODY
    return next(
        (d for d in canonical_order(s, dice) if d not in frame.asked and costs.minimum_fielding_cost(s, d)), NOBODY
    )


def die_with_pending_cost(s: State) -> int:
    """Return the die whose minimum fielding cost the pending decision is about."""
    frame, op = current_instruction(s)
    assert op.group is not None
    return _next_priced(s, frame, [d for d in select(s, op.group, frame) if can_field(s, frame.you, d)])


def buy_free(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Buy dice for free."""
    frame.pc += 1
    for d in operand(s, frame, op):
        buy_die(s, d, frame.you)


def use_action_die(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Use an action die from outside the player's reserve, as if it showed no bursts."""
    frame.pc += 1
    spec = s.spec
    for d in operand(s, frame, op)[:1]:
        burstless_faces = [
            i
            for i in range(6)
            if spec.kinds[spec.face_base[d] + i] == ACTION and not spec.bursts[spec.face_base[d] + i]
        ]
        s.face[d] = burstless_faces[0] if burstless_faces else s.face[d]
        use_die(s, frame.you, d, 0)


def use_action_copy(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Start the abilities of the action die just used, as a copy."""
    frame.pc += 1
    if s.journal is not None:
        s.journal.append(("copies", frame.you, frame.event.other))
    s.stack += reversed(copied_action_abilities(s, frame))
