"""A position as it would be, on a copy: before anybody was declared, with a price paid, something named. No die is rolled for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.effects.feasibility import affiliations
from dicemasters.game.mechanics import payment
from dicemasters.game.state.constants import ATTACKING
from dicemasters.game.state.frames import Pay, Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_ASK, Option


def without_attackers(s: State) -> State:
    """Give the position as if nobody were declared an attacker yet."""
    c = s.copy()
    for d in range(s.table.n_dice):
        c.flags[d] &= ~ATTACKING & 0xFF
    return c


def without_blocks(s: State) -> State:
    """Give the position as if nobody were declared a blocker yet."""
    c = s.copy()
    c.blocks = []
    return c


def payments(s: State, option: Option) -> Iterator[State]:
    """Give the position after each way to go on with the payment that begins with this option."""
    c = s.copy()
    c.answer, c.ask = option, NO_ASK
    payment.run_pay(c, payment.payment(c))
    if c.ask is NO_ASK:
        yield c
        return
    for more in c.options:
        yield from payments(c, more)


def paid(s: State, seat: int, cost: int, choose: Callable[[State], int]) -> State | None:
    """Give the position after a seat has paid so much energy of any type, in the way it chooses; None if it has not so much."""
    if cost > payment.pool(s, seat).total:
        return None
    c = s.copy()
    c.ask = NO_ASK
    payment.pay(c, seat, (0, 0, 0, 0, cost))
    while c.stack and isinstance(frame := c.stack[-1], Pay):
        payment.run_pay(c, frame)
        if c.ask is not NO_ASK:
            c.answer, c.ask = c.options[choose(c)], NO_ASK
    return c


def named(s: State, text: Running) -> State:
    """Give the position after a text has named the first it may, fist or an affiliation; the same if it names nothing."""
    t = s.table
    for op in t.sentences[text.ability].programs[text.burst].ops:
        names = list(w.TYPES) if op.name == "name type" else []
        if op.name == "name affiliation":
            names = [t.affiliations[i] for i in affiliations(s, text, op)]
        if names:
            c = s.copy()
            c.named = [*(n for n in s.named if n[0] != text.ability), (text.ability, names[0])]
            return c
    return s


def told_apart(s: State) -> tuple[object, ...]:
    """Give what tells positions apart for whoever searches: how many moments have gone by only if something waits for its turn."""
    if s.queue or not s.moment:
        return s.key()
    c = s.copy()
    c.moment = 0
    return c.key()
