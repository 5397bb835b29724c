"""Carrying out a sentence, operation by operation (rules 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dicemasters.game import lives, look
from dicemasters.game.compiler import BY_DIE
from dicemasters.game.decide import ask
from dicemasters.game.effects import acts, asking, choosing, dice, gifts, harm, naming
from dicemasters.game.effects.possible import could_do
from dicemasters.game.effects.reach import meant, reached
from dicemasters.game.frames import (
    GOES_ON,
    WAITS_FOR_TOLL,
    Running,
)
from dicemasters.game.sentence import QUESTIONS, Op
from dicemasters.game.state import (
    State,
)
from dicemasters.game.triggers import (
    go_under_way,
    is_declinable,
    life_for,
    next_moment,
    tell_use,
)


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
    if look.COVERAGE.happened is not None and op.name not in QUESTIONS:
        look.COVERAGE.note(s, f.ability)
    deed = DEEDS.get(op.name)
    if deed is None:
        OPS[op.name](s, f, op)
        return
    found = [] if op.name in BY_DIE and look.is_gone(s, f) else reached(s, f, meant(s, f, op))
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
    life = life_for(s, f)
    able = f.waiting != 0 or could_do(s, f)
    if not able:
        life = 0
    if not f.waiting and 0 < life <= s.life[f.you & 1]:
        f.waiting = 1
        ask(s, f.you, "toll", [("yes", 0, 0), ("no", 0, 0)], about=f.ability, number=life)
        return
    if life and s.answer[0] != "yes":
        s.stack.pop()
        return
    f.waiting = 0
    f.hold = GOES_ON
    if life:
        lives.lose_life(s, f.you & 1, life)
    if able and not is_declinable(s.table.sentences[f.ability]):
        tell_use(s, f)


OPS: Final[dict[str, Callable[[State, Running, Op], None]]] = {
    "choose": choosing.choose,
    "may": asking.may,
    "unless": asking.unless,
    "if": asking.branch,
    "jump": asking.jump,
    "done": asking.go_on_if_done,
    "damage": harm.deal,
    "life": harm.change_life,
    "turn rule": gifts.turn_rule,
    "draw": dice.draw,
    "field": acts.field,
    "buy": acts.buy,
    "roll until": dice.roll_until,
    "use": acts.use,
    "use copy": acts.use_copy,
    "swap control": dice.swap_control,
    "send home": dice.send_home,
    "affiliation named": naming.affiliation_named,
    "swap": dice.swap,
    "swap attack": gifts.swap_attack,
    "copy": gifts.copy,
    "end effect": gifts.end_effect,
    "pair up": gifts.pair_up,
    "token": dice.make_token,
    "counter": gifts.add_counter,
    "remove counters": gifts.remove_counters,
    "name type": naming.name_type,
    "name card": naming.name_card,
    "copy named card": naming.copy_named_card,
    "set life": harm.set_life,
    "each player": asking.each_player,
    "one of": asking.one_of,
    "later": asking.later,
    "divide": harm.divide,
    "increase": harm.increase,
    "name affiliation": naming.name_affiliation,
    "prevent": harm.prevent,
    "redirect": harm.redirect,
    "instead": harm.spare,
    "new target": choosing.new_target,
    "place on card": dice.place_on_card,
}

# what is done to dice it reaches
DEEDS: Final[dict[str, Callable[[State, Running, Op, list[int]], None]]] = {
    "KO": harm.knock_out,
    "give": gifts.give,
    "spin": dice.spin,
    "spin to": dice.spin_to,
    "spin to energy": dice.spin_to_energy,
    "roll": dice.roll,
    "reroll": dice.reroll,
    "move": dice.move,
    "return": dice.bring_back,
    "leave combat": dice.leave_combat,
    "join attack": dice.join_attack,
    "clear damage": dice.clear_damage,
    "capture": dice.hold,
    "attach": dice.attach,
    "set aside": dice.hold,
    "control": dice.control,
}
