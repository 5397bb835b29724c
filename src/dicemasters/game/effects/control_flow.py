"""What a sentence asks and branches on: may, unless, if, one of; and what it leaves for others or for later."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.program import Op
from dicemasters.game.abilities.selectors import gather
from dicemasters.game.effects.feasibility import can_afford, may_be_offered, price_of_may, would_change
from dicemasters.game.effects.operands import decider
from dicemasters.game.mechanics import payment, replacement
from dicemasters.game.mechanics.decision_requests import ask
from dicemasters.game.mechanics.triggers import is_declinable, spend, tell, tell_use
from dicemasters.game.queries import die_identity
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Option, Record


def may(s: State, f: Running, op: Op) -> None:
    node = cast(w.May, op.node)
    sentence = s.table.sentences[f.ability]
    who, price = price_of_may(s, f, op)
    if f.waiting:
        if s.answer[0] == "no":
            f.go_to(op.jump)
            return
        spend(s, f)
        if sentence.kind == "when" and node is sentence.ability.effects[0] and is_declinable(sentence):
            tell_use(s, f)
        if sentence.kind == "global":
            tell(s, "Global used", s.table.person + who)
        if f.event.word.startswith("would"):
            replacement.note_use(s)
        steps = op.need.steps
        f.go_to(f.pc + 1)
        f.payer = who
        f.given = s.answer[1] if steps else f.given
        payment.pay(s, who, steps[s.answer[1] - 1] if steps else price)
        return
    if may_be_offered(s, f, op):
        f.waiting = 1
        yes: list[Option] = [("yes", 0, 0)]
        if op.need.steps:
            have = payment.pool(s, who)
            yes = [("spend", n, 0) for n, price in enumerate(op.need.steps, 1) if payment.can_pay(have, price)]
        ask(s, who, "may", [*yes, ("no", 0, 0)], about=f.ability)
    else:
        f.pc = op.jump


def unless(s: State, f: Running, op: Op) -> None:
    who = die_identity.opponent_of(f.you)
    if f.waiting:
        if s.answer[0] != "yes":
            f.go_to(op.jump)
            return
        f.go_to(f.pc + 1)
        f.payer = who
        payment.pay(s, who, op.need.price)
        return
    nothing = op.registers and not any(f.chosen[r] for r in op.registers if r < len(f.chosen))
    if isinstance(cast(w.Unless, op.node).effects[0], w.NameAffiliation) and not f.given:
        nothing = True  # there is no affiliation to name
    if op.need.deeds and not any(would_change(s, f, deed, op.need.otherwise) for deed in op.need.deeds):
        nothing = True
    if not nothing and can_afford(s, who, op.need, f):
        f.waiting = 1
        ask(s, who, "unless", [("yes", 0, 0), ("no", 0, 0)], about=f.ability)
    else:
        f.pc = op.jump


def branch(s: State, f: Running, op: Op) -> None:
    f.pc = f.pc + 1 if op.check.asked(s, f) else op.jump


def go_on_if_done(s: State, f: Running, op: Op) -> None:
    """Go on only if the cost just before was paid; in cw the first of two effects is one (rules 5.1)."""
    asked = op.is_cost or s.table.edition.first_effect_is_cost
    f.pc = op.jump if asked and not s.done and not f.hit else f.pc + 1
    f.hit = 0


def jump(s: State, f: Running, op: Op) -> None:
    f.pc = op.jump


def each_player(s: State, f: Running, op: Op) -> None:
    """Start the inner sentence for each player, the active one first."""
    f.pc += 1
    sides = s.table.sides
    for seat in reversed((*sides[s.active], *sides[die_identity.opponent_of(s.active)])):
        inner = f.part_for(op.part, seat)
        s.stack.append(inner)


def one_of(s: State, f: Running, op: Op) -> None:
    node = cast(w.OneOf, op.node)
    if f.waiting:
        f.go_to(op.registers[s.answer[1]])
        return
    who = decider(s, f, node.by)
    f.waiting = 1
    ask(s, who, "one of", [("mode", i, 0) for i in range(len(node.choices))], about=f.ability, number=f.pc)


def later(s: State, f: Running, op: Op) -> None:
    f.pc += 1
    until = cast(w.Later, op.node).until
    about = [NOBODY] if op.group is None else gather(s, op.group, f)
    for x in about:
        if x < PLAYER and (s.place[x] >> 2 != FIELD or x in f.spared):
            continue  # what has left the field, or is not affected, has nothing applied to it (rules 10.5, 5.8c)
        s.records.append(Record("later", x, 0, 0, -1, until, f.you, f.this, op.part))
