"""Buying, fielding and using by an effect."""

from __future__ import annotations

from typing import cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.predicates import PLACES
from dicemasters.game.abilities.program import Op
from dicemasters.game.abilities.selectors import gather
from dicemasters.game.effects.feasibility import can_field, copied_uses
from dicemasters.game.effects.operands import meant, reached, under_way
from dicemasters.game.mechanics import faces, payment, zones
from dicemasters.game.mechanics.decision_requests import ask
from dicemasters.game.mechanics.procedures import buy_die, field_dice, use_die
from dicemasters.game.queries import costs
from dicemasters.game.queries.die_identity import ACTION
from dicemasters.game.queries.equivalence import in_order
from dicemasters.game.state.constants import FIELD, HAND, RESERVE
from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY


def field(s: State, f: Running, op: Op) -> None:
    """Field for free; a price that cannot be less may be paid, or the die is not fielded (rules 5.1, 10.9)."""
    node = cast(w.Field, op.node)
    found = reached(s, f, meant(s, f, op))
    if found is None:
        return
    dice = [d for d in found if can_field(s, f.you, d) or d in f.asked]
    while (d := _next_priced(s, f, dice)) != NOBODY:
        price = costs.least_fielding_cost(s, d)
        if not f.waiting:
            f.waiting = 1
            ask(s, f.you, "field price", [("yes", 0, 0), ("no", 0, 0)], about=f.ability, number=price)
            return
        paid = s.answer[0] == "yes"
        f.waiting = 0
        f.asked = (*f.asked, d)
        f.spared = f.spared if paid else (*f.spared, d)
        if paid:
            payment.pay(s, f.you, (0, 0, 0, 0, price))
            return
    dice = [d for d in dice if d not in f.spared]
    fielded: list[tuple[int, int, tuple[int, ...]]] = []
    for d in dice:
        if node.level:
            faces.set_level(s, d, node.level)
        if s.table.edition.effects_field or s.place[d] >> 2 == RESERVE:
            seat = s.place[d] & 3 if s.place[d] >> 2 == HAND else f.you
            fielded.append((d, seat, s.paid if d in f.asked else ()))
        else:
            zones.put(s, d, FIELD, f.you)
            s.dirty = True
    field_dice(s, fielded)
    for d in found if node.otherwise else ():
        if d not in dice:
            zones.put(s, d, PLACES[node.otherwise], s.owner[d])
    f.pc += 1
    f.asked = tuple(d for d in f.asked if d not in found)
    f.spared = tuple(d for d in f.spared if d not in found)
    s.done = tuple(dice)


def _next_priced(s: State, f: Running, dice: list[int]) -> int:
    """Give the next die that costs something although it is fielded for free, or NOBODY."""
    if "costs at least to field" not in s.table.standing:
        return NOBODY
    return next((d for d in in_order(s, dice) if d not in f.asked and costs.least_fielding_cost(s, d)), NOBODY)


def priced_die(s: State) -> int:
    """Give the die whose price the game waits for."""
    f, op = under_way(s)
    assert op.group is not None
    return _next_priced(s, f, [d for d in gather(s, op.group, f) if can_field(s, f.you, d)])


def buy(s: State, f: Running, op: Op) -> None:
    f.pc += 1
    for d in meant(s, f, op):
        buy_die(s, d, f.you)


def use(s: State, f: Running, op: Op) -> None:
    """Use an action die that lies elsewhere than in the own reserve, without bursts."""
    f.pc += 1
    t = s.table
    for d in meant(s, f, op)[:1]:
        plain = [i for i in range(6) if t.kinds[t.m6[d] + i] == ACTION and not t.bursts[t.m6[d] + i]]
        s.face[d] = plain[0] if plain else s.face[d]
        use_die(s, f.you, d, 0)


def use_copy(s: State, f: Running, op: Op) -> None:
    f.pc += 1
    if s.journal is not None:
        s.journal.append(("copies", f.you, f.event.other))
    s.stack += reversed(copied_uses(s, f))
