"""Several things paid for in one go, all targets chosen before any is carried out (rules 3.3a, e)."""

from __future__ import annotations

from dicemasters.game.effects import feasibility
from dicemasters.game.mechanics import payment, procedures
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.payment import NO_PRICE, EnergyPool
from dicemasters.game.queries import static_rules
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import CARD, RESERVE
from dicemasters.game.state.frames import ActionFrame, BatchPaymentFrame, EventBatchFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, WAIT_MORE, WAIT_START, WAIT_TARGETS, Option, Price
from dicemasters.game.turn.legal_actions import all_single_actions, price_of


def can_batch(s: State, seat: int, have: EnergyPool, options: list[Option]) -> bool:
    """Paying at once makes a difference for uses of Globals and paid abilities, and with dice whose rest is lost."""
    if have.total < 2:
        return False
    shares = have.generic > 0 or (s.spec.lossy and payment.wastes_half(s, seat))
    total = have.total
    least = total + 1
    costs: list[int] = []
    for o in options:
        cost = _cost(s, seat, o, shares)
        costs.append(cost)
        if 0 < cost < least:
            least = cost
    if total < 2 * least:
        return False
    for i, o in enumerate(options):
        cost = costs[i]
        if not cost or cost + least > total:
            continue
        again = _repeat_of(s, seat, o)
        if again is not None and _can_pay_together(s, seat, have, o, again):
            return True
        for at in range(i + 1, len(options)):
            if costs[at] and _can_pay_together(s, seat, have, o, options[at]):
                return True
    return False


def _cost(s: State, seat: int, o: Option, shares: bool) -> int:
    """Give what an act costs for which paying at once makes a difference; 0 for any other."""
    what = o[0]
    if what == "global" or what == "ability" or (shares and (what == "buy" or what == "field")):
        return price_of(s, seat, o)[4]
    return 0


def _can_pay_together(s: State, seat: int, have: EnergyPool, o: Option, other: Option) -> bool:
    """Tell whether two acts can be paid for in one go."""
    price = payment.add_energy(price_of(s, seat, o), price_of(s, seat, other))
    if not payment.can_pay(have, price) or not _can_join_batch(s, seat, (o,), other):
        return False
    if any(s.counters) or any(r.until == "next one" for r in s.active_effects):  # the second of two may cost more
        return payment.can_pay(have, _batch_price(s, seat, (o, other)))
    return True


def _repeat_of(s: State, seat: int, o: Option) -> Option | None:
    """Give the same act once more; of a fielding that is one of another die on the same face."""
    what, d, face = o
    if what != "field":
        return o
    for x in s.spec.dice_of[s.spec.card_of[d]]:
        if x != d and s.place[x] == RESERVE * 4 + seat and s.face[x] == face:
            return ("field", x, face)
    return None


def _can_join_batch(s: State, seat: int, acts: tuple[Option, ...], o: Option) -> bool:
    """Tell whether an act can be paid for in one go with these."""
    what, x, this = o
    t = s.spec
    if what == "buy":
        left = sum(1 for d in t.dice_of[x] if s.place[d] >> 2 == CARD)
        return acts.count(o) < left
    if what == "field":
        return o not in acts
    sentence = t.abilities[x]
    if o in acts and (sentence.limit or not price_of(s, seat, o)[4]):
        return False  # what costs nothing could be added without end
    texts = [t.abilities[y].ability for other, y, _ in acts if other in ("global", "ability")]
    uses = sum(1 for ability in texts if ability.effects == sentence.ability.effects)
    return not uses or feasibility.can_repeat(
        s, static_rules.ability_context(x, seat, this if what == "ability" else NOBODY), uses
    )


def _batch_price(s: State, seat: int, paid: tuple[Option, ...], *more: Option) -> Price:
    """Give what acts cost in this order: what makes the next one cheaper works once."""
    total = NO_PRICE
    records, counters = s.active_effects, s.counters
    for act in (*paid, *more):
        total = payment.add_energy(total, price_of(s, seat, act))
        if act[0] == "buy":
            d = s.spec.dice_of[act[1]][0]
            s.active_effects, s.counters = procedures.effects_after_purchase(s, d, seat), _counters_after(s, d)
        elif act[0] == "field" and s.active_effects:
            s.active_effects = procedures.effects_after_fielding(s, act[1], seat)
    s.active_effects, s.counters = records, counters
    return total


def _counters_after(s: State, d: int) -> list[int]:
    """Give the counters on the cards when the die has been bought: a text may take them off then (cw 110)."""
    if not any(s.counters):
        return s.counters
    left = s.counters.copy()
    for sentence in s.spec.triggers_by_event.get("bought", ()):
        if any(op.name == "remove counters" for op in sentence.programs[0].ops):
            for ctx in static_rules.active_contexts(s, sentence):
                if sentence.who.matches(s, d, ctx):
                    left[static_rules.own_card_of(s, ctx)] = 0
    return left


def _batch_options(s: State, f: BatchPaymentFrame) -> list[Option]:
    """List what can be added to the go, and paying for it; of like dice to field one."""
    have = payment.energy_pool(s, f.seat)
    out: list[Option] = []
    seen: set[tuple[int, ...]] = set()
    for o in all_single_actions(s, f.seat, have):
        if not _can_join_batch(s, f.seat, f.acts, o) or not payment.can_pay(have, _batch_price(s, f.seat, f.acts, o)):
            continue
        if o[0] == "field":
            key = equivalence_key(s, o[1])
            if key in seen:
                continue
            seen.add(key)
        out.append(o)
    if f.acts:
        out.append(("pay now", 0, 0))
    return out


def run_batch(s: State, f: BatchPaymentFrame) -> None:
    if f.waiting == WAIT_START:
        if f.begun == len(f.acts):
            s.stack.pop()
            return
        act = f.acts[f.begun]
        f.begun += 1
        f.paid = f.paid or s.last_payment
        if act[0] in ("buy", "field"):
            s.stack.insert(1, ActionFrame(f.seat, act, f.paid))
        else:
            s.stack.append(ActionFrame(f.seat, act, f.paid, WAIT_TARGETS))
        return
    if f.waiting:
        if s.answer[0] == "pay now":
            f.waiting = WAIT_START
            s.stack.insert(0, EventBatchFrame((), go=1))
            payment.start_payment(s, f.seat, _batch_price(s, f.seat, f.acts))
            return
        f.acts = (*f.acts, s.answer)
    options = _batch_options(s, f)
    f.waiting = WAIT_MORE
    request_decision(s, f.seat, "together", options, number=len(f.acts))
