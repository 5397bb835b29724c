"""Hypothetical positions: copies without attackers or blocks, with a price paid or a name chosen. No die is rolled."""

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
    """Return the position without any declared attackers."""
    copied = s.copy()
    for d in range(s.spec.n_dice):
        copied.flags[d] &= ~ATTACKING & 0xFF
    return copied


def without_blocks(s: State) -> State:
    """Return the position without any declared blocks."""
    copied = s.copy()
    copied.blocks = []
    return copied


def payments(s: State, option: Option) -> Iterator[State]:
    """Yield the positions after each way to complete the payment that starts with this option."""
    copied = s.copy()
    copied.answer, copied.decision = option, NO_DECISION
    payment.run_payment(copied, payment.pending_payment(copied))
    if copied.decision is NO_DECISION:
        yield copied
        return
    for following in copied.options:
        yield from payments(copied, following)


def after_payment(s: State, seat: int, amount: int, choose: Callable[[State], int]) -> State | None:
    """Return the position after a seat has paid this amount of energy of any type, or None if it cannot.

    `choose` returns the index of the option to take for each payment decision.
    """
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
    """Return the position after a text has named its first candidate type or affiliation, or `s` if there is none."""
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
    """Return a key for transposition tables, which ignores the timestamp unless triggers are waiting."""
    if s.queue or not s.timestamp:
        return s.key()
    copied = s.copy()
    copied.timestamp = 0
    return copied.key()
