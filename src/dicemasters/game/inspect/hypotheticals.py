"""A position as it would be, on a copy: before anybody was declared, with a price paid, something named. No die is rolled for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.effects.feasibility import affiliations
from dicemasters.game.mechanics import payment
from dicemasters.game.state.constants import ATTACKING
from dicemasters.game.state.frames import AbilityFrame, PaymentFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_DECISION, Option


def without_attackers(s: State) -> State:
    """Give the position as if nobody were declared an attacker yet."""
    c = s.copy()
    for d in range(s.spec.n_dice):
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
    c.answer, c.decision = option, NO_DECISION
    payment.run_payment(c, payment.pending_payment(c))
    if c.decision is NO_DECISION:
        yield c
        return
    for more in c.options:
        yield from payments(c, more)


def after_payment(s: State, seat: int, cost: int, choose: Callable[[State], int]) -> State | None:
    """Give the position after a seat has paid so much energy of any type, in the way it chooses; None if it has not so much."""
    if cost > payment.energy_pool(s, seat).total:
        return None
    c = s.copy()
    c.decision = NO_DECISION
    payment.start_payment(c, seat, (0, 0, 0, 0, cost))
    while c.stack and isinstance(frame := c.stack[-1], PaymentFrame):
        payment.run_payment(c, frame)
        if c.decision is not NO_DECISION:
            c.answer, c.decision = c.options[choose(c)], NO_DECISION
    return c


def after_naming(s: State, text: AbilityFrame) -> State:
    """Give the position after a text has named the first it may, fist or an affiliation; the same if it names nothing."""
    t = s.spec
    for op in t.abilities[text.ability].programs[text.burst].ops:
        names = list(w.TYPES) if op.name == "name type" else []
        if op.name == "name affiliation":
            names = [t.affiliations[i] for i in affiliations(s, text, op)]
        if names:
            c = s.copy()
            c.name_choices = [*(n for n in s.name_choices if n[0] != text.ability), (text.ability, names[0])]
            return c
    return s


def search_key(s: State) -> tuple[object, ...]:
    """Give what tells positions apart for whoever searches: how many moments have gone by only if something waits for its turn."""
    if s.queue or not s.timestamp:
        return s.key()
    c = s.copy()
    c.timestamp = 0
    return c.key()
