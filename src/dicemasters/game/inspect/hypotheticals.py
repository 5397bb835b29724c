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
    copied = s.copy()
    for d in range(s.spec.n_dice):
        copied.flags[d] &= ~ATTACKING & 0xFF
    return copied


def without_blocks(s: State) -> State:
    """Give the position as if nobody were declared a blocker yet."""
    copied = s.copy()
    copied.blocks = []
    return copied


def payments(s: State, option: Option) -> Iterator[State]:
    """Give the position after each way to go on with the payment that begins with this option."""
    copied = s.copy()
    copied.answer, copied.decision = option, NO_DECISION
    payment.run_payment(copied, payment.pending_payment(copied))
    if copied.decision is NO_DECISION:
        yield copied
        return
    for following in copied.options:
        yield from payments(copied, following)


def after_payment(s: State, seat: int, amount: int, choose: Callable[[State], int]) -> State | None:
    """Give the position after a seat has paid so much energy of any type, in the way it chooses; None if it has not so much."""
    if amount > payment.energy_pool(s, seat).total:
        return None
    copied = s.copy()
    copied.decision = NO_DECISION
    payment.start_payment(copied, seat, (0, 0, 0, 0, amount))
    while copied.stack and isinstance(frame := copied.stack[-1], PaymentFrame):
        payment.run_payment(copied, frame)
        if copied.decision is not NO_DECISION:
            copied.answer, copied.decision = copied.options[choose(copied)], NO_DECISION
    return copied


def after_naming(s: State, text: AbilityFrame) -> State:
    """Give the position after a text has named the first it may, fist or an affiliation; the same if it names nothing."""
    spec = s.spec
    for op in spec.abilities[text.ability].programs[text.burst].ops:
        names = list(w.TYPES) if op.name == "name type" else []
        if op.name == "name affiliation":
            names = [spec.affiliations[i] for i in affiliations(s, text, op)]
        if names:
            copied = s.copy()
            copied.name_choices = [*(n for n in s.name_choices if n[0] != text.ability), (text.ability, names[0])]
            return copied
    return s


def search_key(s: State) -> tuple[object, ...]:
    """Give what tells positions apart for whoever searches: how many moments have gone by only if something waits for its turn."""
    if s.queue or not s.timestamp:
        return s.key()
    copied = s.copy()
    copied.timestamp = 0
    return copied.key()
