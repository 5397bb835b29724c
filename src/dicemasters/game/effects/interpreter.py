"""Interpreter of compiled abilities (rules 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dicemasters.game.abilities.compiler import SOURCE_BOUND_OPS
from dicemasters.game.abilities.program import CONTROL_OPS, Instruction
from dicemasters.game.effects import (
    action_effects,
    continuous_effects,
    control_flow,
    damage_effects,
    dice_effects,
    name_choices,
    targeting,
)
from dicemasters.game.effects.feasibility import could_affect
from dicemasters.game.effects.operands import affected, operand
from dicemasters.game.mechanics import life
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.triggers import active_batch, advance_timestamp, emit_use, is_declinable, life_cost
from dicemasters.game.queries import die_identity
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import WAIT_LIFE_TOLL, WAIT_NONE


def run_program(s: State, frame: AbilityFrame) -> None:
    """Run the next instruction of an ability."""
    ops = s.spec.abilities[frame.ability].programs[frame.burst].ops
    if frame.pc >= len(ops):
        s.stack.pop()
        return
    op = ops[frame.pc]
    if frame.hold == WAIT_LIFE_TOLL:
        _pay_for_ability(s, frame)
        return
    if frame.hold and op.name != "choose" and not op.is_cost:
        s.stack.pop()
        frame.hold = WAIT_NONE
        s.stack.insert(1, frame)  # just above the event collector of the batch: first in, first resolved
        return
    if (
        frame.pc
        and s.queue
        and s.queue[-1].timestamp == s.timestamp
        and op.name not in CONTROL_OPS
        and not _is_simultaneous(s, frame)
    ):
        advance_timestamp(s)  # triggers of earlier parts of the text come first (rules 5.7a2)
    if die_identity.COVERAGE.recorded is not None and op.name not in CONTROL_OPS:
        die_identity.COVERAGE.record(s, frame.ability)
    handler = DIE_OPS.get(op.name)
    if handler is None:
        OPS[op.name](s, frame, op)
        return
    dice = (
        []
        if op.name in SOURCE_BOUND_OPS and die_identity.has_source_left(s, frame)
        else affected(s, frame, operand(s, frame, op))
    )
    if dice is not None:
        frame.pc += 1
        handler(s, frame, op, dice)


def _is_simultaneous(s: State, frame: AbilityFrame) -> bool:
    """Return whether an ability shares its moment: parts run by each player, uses paid together (rules 3.3e6)."""
    ability = s.spec.abilities[frame.ability]
    return (ability.kind == "part" and not ability.event) or active_batch(s) is not None


def _pay_for_ability(s: State, frame: AbilityFrame) -> None:
    """Ask for the life that a rule charges for the ability; if it is not paid, the ability does nothing (cw 130).

    An ability that could do nothing is neither charged for nor counted as used (rules 5.3c1).
    """
    price = life_cost(s, frame)
    can_act = frame.waiting != 0 or could_affect(s, frame)
    if not can_act:
        price = 0
    if not frame.waiting and 0 < price <= s.life[frame.you & 1]:
        frame.waiting = 1
        request_decision(s, frame.you, "toll", [("yes", 0, 0), ("no", 0, 0)], about=frame.ability, number=price)
        return
    if price and s.answer[0] != "yes":
        s.stack.pop()
        return
    frame.waiting = 0
    frame.hold = WAIT_NONE
    if price:
        life.lose_life(s, frame.you & 1, price)
    if can_act and not is_declinable(s.spec.abilities[frame.ability]):
        emit_use(s, frame)


OPS: Final[dict[str, Callable[[State, AbilityFrame, Instruction], None]]] = {
    "choose": targeting.run_choose,
    "may": control_flow.run_may,
    "unless": control_flow.run_unless,
    "if": control_flow.run_branch,
    "jump": control_flow.run_jump,
    "done": control_flow.continue_if_applied,
    "damage": damage_effects.run_damage_effect,
    "life": damage_effects.change_life,
    "turn rule": continuous_effects.grant_turn_rule,
    "draw": dice_effects.draw,
    "field": action_effects.field_free,
    "buy": action_effects.buy_free,
    "roll until": dice_effects.roll_until,
    "use": action_effects.use_action_die,
    "use copy": action_effects.use_action_copy,
    "swap control": dice_effects.swap_control,
    "send home": dice_effects.end_all_control,
    "affiliation named": name_choices.apply_affiliation_choice,
    "swap": dice_effects.swap,
    "swap attack": continuous_effects.swap_attack,
    "copy": continuous_effects.copy_characteristics,
    "end effect": continuous_effects.end_effect,
    "pair up": continuous_effects.pair_up,
    "token": dice_effects.make_token,
    "counter": continuous_effects.add_counter,
    "remove counters": continuous_effects.remove_counters,
    "name type": name_choices.name_type,
    "name card": name_choices.name_card,
    "copy named card": name_choices.copy_named_card,
    "set life": damage_effects.set_life,
    "each player": control_flow.run_each_player,
    "one of": control_flow.run_one_of,
    "later": control_flow.run_later,
    "divide": damage_effects.run_divide,
    "increase": damage_effects.increase,
    "name affiliation": name_choices.name_affiliation,
    "prevent": damage_effects.prevent,
    "redirect": damage_effects.redirect,
    "instead": damage_effects.cancel_event,
    "new target": targeting.replace_target,
    "place on card": dice_effects.place_on_card,
}

# instructions that act on the affected dice
DIE_OPS: Final[dict[str, Callable[[State, AbilityFrame, Instruction, list[int]], None]]] = {
    "KO": damage_effects.run_ko_effect,
    "give": continuous_effects.grant,
    "spin": dice_effects.spin,
    "spin to": dice_effects.spin_to,
    "spin to energy": dice_effects.spin_to_energy,
    "roll": dice_effects.roll,
    "reroll": dice_effects.reroll,
    "move": dice_effects.move,
    "return": dice_effects.return_to_field_effect,
    "leave combat": dice_effects.leave_combat,
    "join attack": dice_effects.join_attack,
    "clear damage": dice_effects.clear_damage,
    "capture": dice_effects.capture_or_set_aside,
    "attach": dice_effects.attach,
    "set aside": dice_effects.capture_or_set_aside,
    "control": dice_effects.take_control_effect,
}
