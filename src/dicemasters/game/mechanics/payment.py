"""Energy: what a player has to spend, whether a price can be paid, and paying it (rules 3.3a)."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import mypyc_attr

from dicemasters.game.game_spec import ANY, GENERIC, WILD
from dicemasters.game.mechanics import zones
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.state.constants import HALF_SPENT, LASTING, RESERVE
from dicemasters.game.state.frames import PaymentFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import LEFT_OVER, NOBODY, Option, Price, Spent

NO_PRICE: Final[Price] = (0, 0, 0, 0, 0)


@mypyc_attr(acyclic=True)
@final
class EnergyGroup:
    """Dice in the reserve that are the same to pay with."""

    def __init__(self, key: int, die: int, n: int, energy: int, pips: int) -> None:
        self.key = key
        self.die = die
        self.n = n  # how many of them
        self.energy = energy
        self.pips = pips


@mypyc_attr(acyclic=True)
@final
class EnergyPool:
    """The energy a player has to spend: of the four types, wild, generic with what is virtual, and in all."""

    def __init__(self, generic: int) -> None:
        self.fist = 0
        self.bolt = 0
        self.mask = 0
        self.shield = 0
        self.wild = 0
        self.generic = generic
        self.total = generic

    def add(self, energy: int, n: int) -> None:
        """Add some energy of a kind."""
        self.total += n
        if energy == 0:
            self.fist += n
        elif energy == 1:
            self.bolt += n
        elif energy == 2:
            self.mask += n
        elif energy == 3:
            self.shield += n
        elif energy == WILD:
            self.wild += n
        else:
            self.generic += n

    def has(self, energy: int) -> bool:
        """Tell whether there is energy of a type, or wild in its place; of ANY, whether there is some."""
        if self.wild or energy == ANY:
            return self.total > 0
        if energy == 0:
            return self.fist > 0
        if energy == 1:
            return self.bolt > 0
        if energy == 2:
            return self.mask > 0
        return self.shield > 0

    def counts(self) -> list[int]:
        """List how much there is of each kind, and in all."""
        return [self.fist, self.bolt, self.mask, self.shield, self.wild, self.generic, self.total]


def add_energy(a: Price, b: Price) -> Price:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4])


def energy_pool(s: State, seat: int) -> EnergyPool:
    """Count the energy a player has to spend."""
    return energy_pool_and_dice(s, seat)[0]


def energy_pool_and_dice(s: State, seat: int) -> tuple[EnergyPool, list[int]]:
    """Count the energy a player has to spend, and list the dice in the reserve that show none."""
    t = s.spec
    m6, face, energy, pips = t.face_base, s.face, t.energy, t.pips
    have = EnergyPool(s.virtual_energy[seat])
    rest: list[int] = []
    for d in s.iter_zone(RESERVE, seat):
        i = m6[d] + face[d]
        n = pips[i]
        if n:
            have.add(energy[i], n)
        else:
            rest.append(d)
    return have, rest


def wastes_half(s: State, seat: int) -> bool:
    """Tell whether a double in the reserve has no face to be spun to when it pays one (docs/rulings.md)."""
    t = s.spec
    if not t.lossy:
        return False
    faces = [t.face_base[d] + s.face[d] for d in s.dice_in(RESERVE, seat)]
    return any(t.pips[i] > 1 and t.energy[i] != GENERIC and t.less[i] < 0 for i in faces)


def can_pay(have: EnergyPool, price: Price) -> bool:
    """Tell whether a pool covers a price: enough in all, and the types asked for with the help of wild."""
    fist, bolt, mask, shield, total = price
    if have.total < total or have.total - have.generic < fist + bolt + mask + shield:
        return False
    missing = fist - have.fist if fist > have.fist else 0
    if bolt > have.bolt:
        missing += bolt - have.bolt
    if mask > have.mask:
        missing += mask - have.mask
    if shield > have.shield:
        missing += shield - have.shield
    return missing <= have.wild


def could_pay_exactly(s: State, d: int, price: Price) -> bool:
    """Tell whether a die in the reserve could pay for some of a price so that nothing of it stays there."""
    t = s.spec
    i = t.face_base[d] + s.face[d]
    pips, energy = t.pips[i], t.energy[i]
    of_any = price[4] - price[0] - price[1] - price[2] - price[3]
    most = price[4] if energy == WILD else of_any if energy == GENERIC else of_any + price[energy]
    return pips > 0 and most > 0 and (pips <= most or energy == GENERIC or t.less[i] < 0)


def start_payment(s: State, seat: int, price: Price) -> None:
    """Start a payment; nothing is asked where only one way to pay is left."""
    s.last_payment = ()
    if price[4]:
        s.stack.append(PaymentFrame(seat, price))


def pending_payment(s: State) -> PaymentFrame:
    """Give the payment the game waits for."""
    frame = s.stack[-1]
    assert isinstance(frame, PaymentFrame)
    return frame


def run_payment(s: State, f: PaymentFrame) -> None:
    """Spend energy die by die until the price is paid."""
    if f.waiting:
        _, die, n = s.answer
        f.waiting = 0
        _spend(s, f, die, n)
    while True:
        left = f.price[4] - _total_spent(f.spent)
        if left <= 0:
            s.stack.pop()
            s.last_payment = f.dice
            return
        options = _payment_options(s, f, left)
        if s.spec.lossy and len(options) > 1 and wastes_half(s, f.seat):
            options = _distinct_outcomes(s, options)
        if len(options) > 1:
            f.waiting = 1
            request_decision(s, f.seat, "pay", options, number=left)
            return
        _, die, n = options[0]
        _spend(s, f, die, n)


def _total_spent(spent: Spent) -> int:
    return spent[0] + spent[1] + spent[2] + spent[3] + spent[4] + spent[5]


def payment_class(s: State, d: int) -> int:
    """Number what a die pays like: equal for dice that are the same to pay with, in the order they are asked for.

    Doubles come before singles, so that a half-spent double is not met again in the same payment.
    """
    if d == NOBODY:
        return LEFT_OVER
    t = s.spec
    return t.card_of[d] << 8 | t.pay_order[t.face_base[d] + s.face[d]] | (s.flags[d] & HALF_SPENT > 0)


def _kinds(s: State, seat: int, after: int) -> list[EnergyGroup]:
    t = s.spec
    m6, face, pips, energy, pay_order = t.face_base, s.face, t.pips, t.energy, t.pay_order
    kinds: list[EnergyGroup] = []
    for d in s.iter_zone(RESERVE, seat):
        i = m6[d] + face[d]
        n = pips[i]
        if n:
            key = t.card_of[d] << 8 | pay_order[i] | (s.flags[d] & HALF_SPENT > 0)  # sort_of(s, d)
            if key >= after:
                at = len(kinds)
                while at and kinds[at - 1].key > key:
                    at -= 1
                if at and kinds[at - 1].key == key:
                    like = kinds[at - 1]
                    like.n += 1
                    like.die = d if not s.engagements else max(like.die, d, key=lambda x: (_met_at(s, x), x))
                else:
                    kinds.insert(at, EnergyGroup(key, d, 1, energy[i], n))
    if s.virtual_energy[seat]:
        kinds.append(EnergyGroup(LEFT_OVER, NOBODY, s.virtual_energy[seat], GENERIC, 1))
    return kinds


def _met_at(s: State, d: int) -> int:
    """Number when a die first met another in this turn's fights, so that of like dice the same one pays, however numbered."""
    return next((i for i, (x, y, _) in enumerate(s.engagements) if d in (x, y)), len(s.engagements))


def _payment_options(s: State, f: PaymentFrame, left: int) -> list[Option]:
    """List what may be spent next so that the rest can still be paid; kinds come in a fixed order.

    Each end a payment can have is reached in one way: see `_after_half_spending`.
    """
    kinds = _kinds(s, f.seat, f.last)
    if f.dice:
        kinds = [k for k in kinds if k.die not in f.dice]
    if f.halved:
        kinds = _after_half_spending(kinds, f.halved)
    virtual = s.spec.edition.virtual_generic
    price = f.price
    any_will_do = not (price[0] or price[1] or price[2] or price[3])
    lacking = [] if any_will_do else _lacking(f)
    wild = f.spent[WILD]
    rest = 0  # what there is from this kind on
    for k in kinds:
        rest += k.n * k.pips
    options: list[Option] = []
    for at, k in enumerate(kinds):
        if not k.n:
            continue
        die, energy, pips = k.die, k.energy, k.pips
        most = pips if pips < left else left
        least = 1
        if energy == GENERIC and die != NOBODY and not virtual:
            least = most  # what a generic die does not pay is lost, so it pays all it can
        for n in range(most, least - 1, -1):
            if n < most and _is_halved(s, energy, die, pips):
                less = _after_half_spending(kinds, (*f.halved, k.key >> 4))
                fits = _can_finish(lacking or _NO_TYPES, wild, left - n, less, at, less[at], n)
            elif any_will_do:
                fits = rest >= left + (0 if energy == GENERIC and die != NOBODY else pips - n)
            else:
                fits = _can_finish(lacking, wild, left - n, kinds, at, k, n)
            if fits:
                options.append(("pay", die, n))
        rest -= k.n * pips
    return options


_NO_TYPES: Final = [0, 0, 0, 0]


def _is_halved(s: State, energy: int, die: int, pips: int) -> bool:
    """Tell whether a die that pays less than it could is a double of which others of its sort take notice."""
    return pips == 2 and die != NOBODY and (energy != GENERIC or s.spec.edition.virtual_generic)


def _after_half_spending(kinds: list[EnergyGroup], halved: tuple[int, ...]) -> list[EnergyGroup]:
    """Give the kinds as they still pay after doubles of some sorts have paid by half.

    Whole doubles come before halved ones, and what is left of them is not spent in the same payment: 1 of a double
    and then its other half, or 1 of the first and 2 of the second, would end like a way that has been offered already.
    All that is generic is one sort, as what is left of it comes together.
    """
    generic = any(sort & 15 == GENERIC for sort in halved)
    found: list[EnergyGroup] = []
    for k in kinds:
        if generic if k.energy == GENERIC else k.key >> 4 in halved:
            if k.die == NOBODY or (k.pips == 1 and k.key & 1):
                found.append(EnergyGroup(k.key, k.die, 0, k.energy, k.pips))
            else:
                found.append(EnergyGroup(k.key, k.die, k.n, k.energy, 1))
        else:
            found.append(k)
    return found


def _distinct_outcomes(s: State, options: list[Option]) -> list[Option]:
    """Leave out what only ends as options before it do: 1 of a double whose rest is lost and 2 of a generic die."""
    ends: set[tuple[int, ...]] = set()
    found: list[Option] = []
    for option in options:
        new = _ends(s, option)
        if not new <= ends:
            found.append(option)
            ends |= new
    return found


def _ends(s: State, option: Option) -> set[tuple[int, ...]]:
    """Give what can be left of a player's energy after a payment that goes on with an option."""
    c = s.copy()
    c.journal = None
    f = pending_payment(c)
    _, die, n = option
    _spend(c, f, die, n)
    left = f.price[4] - _total_spent(f.spent)
    if left <= 0:
        return {(c.virtual_energy[f.seat], *sorted(payment_class(c, d) for d in c.iter_zone(RESERVE, f.seat)))}
    found: set[tuple[int, ...]] = set()
    for more in _payment_options(c, f, left):
        found |= _ends(c, more)
    return found


def payment_parts(s: State, f: PaymentFrame) -> list[Option]:
    """List everything that can be a part of paying what is left, in whichever order it is spent."""
    left = f.price[4] - _total_spent(f.spent)
    options: list[Option] = []
    kinds = _after_half_spending([k for k in _kinds(s, f.seat, f.last) if k.die not in f.dice], f.halved)
    for k in kinds:
        most = min(k.pips, left) if k.n else 0
        lost = k.energy == GENERIC and k.die != NOBODY and not s.spec.edition.virtual_generic
        for n in range(most, most - 1 if lost else 0, -1):
            first = [k, *(x for x in kinds if x is not k)]
            if n < most and _is_halved(s, k.energy, k.die, k.pips):
                first = _after_half_spending(first, (k.key >> 4,))
            if _can_finish(_lacking(f), f.spent[WILD], left - n, first, 0, first[0], n):
                options.append(("pay", k.die, n))
    return options


def canonical_payment(s: State, f: PaymentFrame, parts: list[Option]) -> list[Option]:
    """Give the parts of a whole payment as the engine asks for them, where several come to the same end."""
    if sum(n for _, _, n in parts) != f.price[4] - _total_spent(f.spent):
        return parts
    found = _with_whole_doubles(s, parts)
    if s.spec.edition.virtual_generic:
        generic = [
            o for o in found if o[1] == NOBODY or s.spec.energy[s.spec.face_base[o[1]] + s.face[o[1]]] == GENERIC
        ]
        found = [o for o in found if o not in generic] + _generic_in_order(s, generic)
    return found


def _with_whole_doubles(s: State, parts: list[Option]) -> list[Option]:
    """Let a double pay all in place of one half of it and of what was left of another."""
    found = parts[:]
    for part in parts:
        _, die, n = part
        if n != 1 or die == NOBODY or s.spec.pips[s.spec.face_base[die] + s.face[die]] != 2:
            continue
        sort = payment_class(s, die) >> 4
        rest = next(
            (o for o in found if o[1] != NOBODY and s.flags[o[1]] & HALF_SPENT and payment_class(s, o[1]) >> 4 == sort),
            None,
        )
        if rest is not None:
            found.remove(rest)
            found[found.index(part)] = ("pay", die, 2)
    return found


def _generic_in_order(s: State, parts: list[Option]) -> list[Option]:
    """Let the first generic dice pay all they can, and what is left over last; each pays something."""
    dice = sorted((o[1] for o in parts if o[1] != NOBODY), key=lambda d: payment_class(s, d))
    left = sum(n for _, _, n in parts)
    found: list[Option] = []
    for at, d in enumerate(dice, 1):
        n = min(s.spec.pips[s.spec.face_base[d] + s.face[d]], left - (len(dice) - at))
        found.append(("pay", d, n))
        left -= n
    return found + [("pay", NOBODY, 1)] * left


def _lacking(f: PaymentFrame) -> list[int]:
    """Give how much energy of each type is still asked for, less than 0 where more than that was spent."""
    price, spent = f.price, f.spent
    return [price[0] - spent[0], price[1] - spent[1], price[2] - spent[2], price[3] - spent[3]]


def _can_finish(
    lacking: list[int], wild: int, left: int, kinds: list[EnergyGroup], at: int, used: EnergyGroup, n: int
) -> bool:
    """Tell whether, with n more energy of this kind, the rest of the price can be paid from it on.

    `lacking` and `wild` are what is asked for by type and what wild was spent before.
    """
    total = -used.pips  # of which one pays now
    for i in range(at, len(kinds)):
        total += kinds[i].pips * kinds[i].n
    if used.energy == GENERIC and used.die != NOBODY and n < used.pips:
        total += used.pips - n
    if total < left:
        return False
    missing = uncovered = 0
    for energy in range(4):
        lack = lacking[energy] - n if used.energy == energy else lacking[energy]
        if lack > 0:
            missing += lack
            there = _there(energy, kinds, at, used)
            if lack > there:
                uncovered += lack - there
    if used.energy == WILD:
        wild += n
    if missing <= wild:
        return True
    return missing - wild <= left and (not uncovered or uncovered <= wild + _there(WILD, kinds, at, used))


def _there(energy: int, kinds: list[EnergyGroup], at: int, used: EnergyGroup) -> int:
    """Give how much of an energy there is from a kind on, without the die that pays now."""
    total = -used.pips if used.energy == energy else 0
    for i in range(at, len(kinds)):
        if kinds[i].energy == energy:
            total += kinds[i].pips * kinds[i].n
    return total


def lasting_energy(s: State, seat: int) -> int:
    """Give how much of what a player has left over is for missing dice and outlasts a pass (rules 3.1b3)."""
    edition = s.spec.edition
    if edition.missing_energy_until_pass or (seat ^ s.active) & 1:
        return 0
    return s.turn_limits.count((LASTING, seat)) if edition.virtual_generic else s.virtual_energy[seat]


def _forget_lasting(s: State, seat: int) -> None:
    """What is left over of dice is spent first, so that of the energy for missing dice there is as much as there can be."""
    for _ in range(s.turn_limits.count((LASTING, seat)) - s.virtual_energy[seat]):
        s.turn_limits.remove((LASTING, seat))


def _spend(s: State, f: PaymentFrame, die: int, n: int) -> None:
    """Spend energy of a die, or what is left over, for a payment."""
    t = s.spec
    energy = GENERIC
    if die == NOBODY:
        if s.journal is not None:
            s.journal.append(("spends", f.seat, die, 0, n))
        s.virtual_energy[f.seat] -= n
        _forget_lasting(s, f.seat)
        f.last = LEFT_OVER
    else:
        i = t.face_base[die] + s.face[die]
        energy = t.energy[i]
        pips = t.pips[i]
        f.last = payment_class(s, die)
        if n < pips and n < f.price[4] - _total_spent(f.spent) and _is_halved(s, energy, die, pips):
            f.halved += (f.last >> 4,)
        if s.journal is not None:
            s.journal.append(("spends", f.seat, die, s.face[die], n))
        if n < pips and energy != GENERIC and t.less[i] >= 0:
            s.face[die] = t.less[i]
            s.flags[die] |= HALF_SPENT
        else:
            if n < pips and energy == GENERIC and t.edition.virtual_generic:
                s.virtual_energy[f.seat] += pips - n
            zones.retire_die(s, die)
            f.dice += (die,)
    fist, bolt, mask, shield, wild, generic = f.spent
    if energy == 0:
        fist += n
    elif energy == 1:
        bolt += n
    elif energy == 2:
        mask += n
    elif energy == 3:
        shield += n
    elif energy == WILD:
        wild += n
    else:
        generic += n
    f.spent = (fist, bolt, mask, shield, wild, generic)
