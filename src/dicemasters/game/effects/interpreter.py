"""Carrying out a sentence, operation by operation (rules 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dicemasters.game.abilities.compiler import BY_DIE
from dicemasters.game.abilities.program import QUESTIONS, Op
from dicemasters.game.effects import (
    action_effects,
    continuous_effects,
    control_flow,
    damage_effects,
    dice_effects,
    name_choices,
    targeting,
)
from dicemasters.game.effects.feasibility import could_do
from dicemasters.game.effects.operands import meant, reached
from dicemasters.game.mechanics import life
from dicemasters.game.mechanics.decision_requests import ask
from dicemasters.game.mechanics.triggers import go_under_way, is_declinable, life_for, next_moment, tell_use
from dicemasters.game.queries import die_identity
from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import GOES_ON, WAITS_FOR_TOLL


def run(s: State, f: Running) -> None:
    """Carry out the next operation of the sentence."""
    ops = s.table.sentences[f.ability].programs[f.burst].ops
    if f.pc >= len(ops):
        s.stack.pop()
        return
    op = ops[f.pc]
    if f.hold == WAITS_FOR_TOLL:
        _pay_for_ability(s, f)
        return
    if f.hold and op.name != "choose" and not op.is_cost:
        s.stack.pop()
        f.hold = GOES_ON
        s.stack.insert(1, f)  # above what gathers the events of the go: first in, first carried out
        return
    if f.pc and s.queue and s.queue[-1].moment == s.moment and op.name not in QUESTIONS and not _is_shared(s, f):
        next_moment(s)  # what an earlier part of the text has set off comes first (rules 5.7a2)
    if die_identity.COVERAGE.happened is not None and op.name not in QUESTIONS:
        die_identity.COVERAGE.note(s, f.ability)
    deed = DEEDS.get(op.name)
    if deed is None:
        OPS[op.name](s, f, op)
        return
    found = [] if op.name in BY_DIE and die_identity.is_gone(s, f) else reached(s, f, meant(s, f, op))
    if found is not None:
        f.pc += 1
        deed(s, f, op, found)


def _is_shared(s: State, f: Running) -> bool:
    """Tell whether this is a part of something done together: by each player, or several uses paid in one go (3.3e6)."""
    sentence = s.table.sentences[f.ability]
    return (sentence.kind == "part" and not sentence.event) or go_under_way(s) is not None


def _pay_for_ability(s: State, f: Running) -> None:
    """Ask for the life a rule demands for the use of the ability; without it nothing happens (cw 130).

    What could do nothing is neither sold nor used; what is set off just does nothing (rules 5.3c).
    """
    price = life_for(s, f)
    able = f.waiting != 0 or could_do(s, f)
    if not able:
        price = 0
    if not f.waiting and 0 < price <= s.life[f.you & 1]:
        f.waiting = 1
        ask(s, f.you, "toll", [("yes", 0, 0), ("no", 0, 0)], about=f.ability, number=price)
        return
    if price and s.answer[0] != "yes":
        s.stack.pop()
        return
    f.waiting = 0
    f.hold = GOES_ON
    if price:
        life.lose_life(s, f.you & 1, price)
    if able and not is_declinable(s.table.sentences[f.ability]):
        tell_use(s, f)


OPS: Final[dict[str, Callable[[State, Running, Op], None]]] = {
    "choose": targeting.choose,
    "may": control_flow.may,
    "unless": control_flow.unless,
    "if": control_flow.branch,
    "jump": control_flow.jump,
    "done": control_flow.go_on_if_done,
    "damage": damage_effects.deal,
    "life": damage_effects.change_life,
    "turn rule": continuous_effects.turn_rule,
    "draw": dice_effects.draw,
    "field": action_effects.field,
    "buy": action_effects.buy,
    "roll until": dice_effects.roll_until,
    "use": action_effects.use,
    "use copy": action_effects.use_copy,
    "swap control": dice_effects.swap_control,
    "send home": dice_effects.send_home,
    "affiliation named": name_choices.affiliation_named,
    "swap": dice_effects.swap,
    "swap attack": continuous_effects.swap_attack,
    "copy": continuous_effects.copy,
    "end effect": continuous_effects.end_effect,
    "pair up": continuous_effects.pair_up,
    "token": dice_effects.make_token,
    "counter": continuous_effects.add_counter,
    "remove counters": continuous_effects.remove_counters,
    "name type": name_choices.name_type,
    "name card": name_choices.name_card,
    "copy named card": name_choices.copy_named_card,
    "set life": damage_effects.set_life,
    "each player": control_flow.each_player,
    "one of": control_flow.one_of,
    "later": control_flow.later,
    "divide": damage_effects.divide,
    "increase": damage_effects.increase,
    "name affiliation": name_choices.name_affiliation,
    "prevent": damage_effects.prevent,
    "redirect": damage_effects.redirect,
    "instead": damage_effects.spare,
    "new target": targeting.new_target,
    "place on card": dice_effects.place_on_card,
}

# what is done to dice it reaches
DEEDS: Final[dict[str, Callable[[State, Running, Op, list[int]], None]]] = {
    "KO": damage_effects.knock_out,
    "give": continuous_effects.give,
    "spin": dice_effects.spin,
    "spin to": dice_effects.spin_to,
    "spin to energy": dice_effects.spin_to_energy,
    "roll": dice_effects.roll,
    "reroll": dice_effects.reroll,
    "move": dice_effects.move,
    "return": dice_effects.bring_back,
    "leave combat": dice_effects.leave_combat,
    "join attack": dice_effects.join_attack,
    "clear damage": dice_effects.clear_damage,
    "capture": dice_effects.hold,
    "attach": dice_effects.attach,
    "set aside": dice_effects.hold,
    "control": dice_effects.control,
}
