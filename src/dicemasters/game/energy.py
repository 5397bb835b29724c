"""Energy: what a player has to spend, whether a price can be paid, and paying it (rules 3.3a)."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import mypyc_attr

from dicemasters.game import moves
from dicemasters.game.decide import ask
from dicemasters.game.frames import LEFT_OVER, Pay, Price, Spent
from dicemasters.game.setup import ANY, GENERIC, WILD
from dicemasters.game.state import HALF_SPENT, LASTING, NOBODY, RESERVE, Option, State

NO_PRICE: Final[Price] = (0, 0, 0, 0, 0)


@mypyc_attr(acyclic=True)
@final
class Kind:
    """Dice in the reserve that are the same to pay with."""

    def __init__(self, key: int, die: int, n: int, energy: int, pips: int) -> None:
        self.key = key
        self.die = die
        self.n = n  # how many of them
        self.energy = energy
        self.pips = pips


@mypyc_attr(acyclic=True)
@final
class Pool:
    """The energy a player has to spend: of the four types, wild, generic with what is virtual, and in all."""

    def __init__(self, generic: int) -> None:
        self.fist = 0
        self.bolt = 0
        self.mask = 0
        self.shield = 0
        self.wild = 0
        self.generic = generic
        self.total = generic

    def put(self, energy: int, n: int) -> None:
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


def add(a: Price, b: Price) -> Price:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4])


def pool(s: State, seat: int) -> Pool:
    """Count the energy a player has to spend."""
    return pool_and_rest(s, seat)[0]


def pool_and_rest(s: State, seat: int) -> tuple[Pool, list[int]]:
    """Count the energy a player has to spend, and list the dice in the reserve that show none."""
    t = s.table
    m6, face, energy, pips = t.m6, s.face, t.energy, t.pips
    have = Pool(s.virtual[seat])
    rest: list[int] = []
    for d in s.each_in(RESERVE, seat):
        i = m6[d] + face[d]
        n = pips[i]
        if n:
            have.put(energy[i], n)
        else:
            rest.append(d)
    return have, rest


def loses_rest(s: State, seat: int) -> bool:
    """Tell whether a double in the reserve has no face to be spun to when it pays one (docs/rulings.md)."""
    t = s.table
    if not t.lossy:
        return False
    faces = [t.m6[d] + s.face[d] for d in s.dice_in(RESERVE, seat)]
    return any(t.pips[i] > 1 and t.energy[i] != GENERIC and t.less[i] < 0 for i in faces)


def can_pay(have: Pool, price: Price) -> bool:
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


def could_leave(s: State, d: int, price: Price) -> bool:
    """Tell whether a die in the reserve could pay for some of a price so that nothing of it stays there."""
    t = s.table
    i = t.m6[d] + s.face[d]
    pips, energy = t.pips[i], t.energy[i]
    of_any = price[4] - price[0] - price[1] - price[2] - price[3]
    most = price[4] if energy == WILD else of_any if energy == GENERIC else of_any + price[energy]
    return pips > 0 and most > 0 and (pips <= most or energy == GENERIC or t.less[i] < 0)


def pay(s: State, seat: int, price: Price) -> None:
    """Start a payment; nothing is asked where only one way to pay is left."""
    s.paid = ()
    if price[4]:
        s.stack.append(Pay(seat, price))


def payment(s: State) -> Pay:
    """Give the payment the game waits for."""
    frame = s.stack[-1]
    assert isinstance(frame, Pay)
    return frame


def run_pay(s: State, f: Pay) -> None:
    """Spend energy die by die until the price is paid."""
    if f.waiting:
        _, die, n = s.answer
        f.waiting = 0
        _spend(s, f, die, n)
    while True:
        left = f.price[4] - _in_all(f.spent)
        if left <= 0:
            s.stack.pop()
            s.paid = f.dice
            return
        options = _ways(s, f, left)
        if len(options) > 1:
            f.waiting = 1
            ask(s, f.seat, "pay", options, number=left)
            return
        _, die, n = options[0]
        _spend(s, f, die, n)


def _in_all(spent: Spent) -> int:
    return spent[0] + spent[1] + spent[2] + spent[3] + spent[4] + spent[5]


def sort_of(s: State, d: int) -> int:
    """Number what a die pays like: equal for dice that are the same to pay with, in the order they are asked for.

    Doubles come before singles, so that a half-spent double is not met again in the same payment.
    """
    if d == NOBODY:
        return LEFT_OVER
    t = s.table
    return t.card_of[d] << 8 | t.pay_order[t.m6[d] + s.face[d]] | (s.flags[d] & HALF_SPENT > 0)


def _kinds(s: State, seat: int, after: int) -> list[Kind]:
    t = s.table
    m6, face, pips, energy, pay_order = t.m6, s.face, t.pips, t.energy, t.pay_order
    kinds: list[Kind] = []
    for d in s.each_in(RESERVE, seat):
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
                    like.die = d
                else:
                    kinds.insert(at, Kind(key, d, 1, energy[i], n))
    if s.virtual[seat]:
        kinds.append(Kind(LEFT_OVER, NOBODY, s.virtual[seat], GENERIC, 1))
    return kinds


def _ways(s: State, f: Pay, left: int) -> list[Option]:
    """List what may be spent next so that the rest can still be paid; kinds come in a fixed order."""
    kinds = _kinds(s, f.seat, f.last)
    if f.dice:
        kinds = [k for k in kinds if k.die not in f.dice]
    virtual = s.table.edition.virtual_generic
    price = f.price
    any_will_do = not (price[0] or price[1] or price[2] or price[3])
    lacking = [] if any_will_do else _lacking(f)
    wild = f.spent[WILD]
    rest = 0  # what there is from this kind on
    for k in kinds:
        rest += k.n * k.pips
    options: list[Option] = []
    for at, k in enumerate(kinds):
        die, energy, pips = k.die, k.energy, k.pips
        most = pips if pips < left else left
        least = 1
        if energy == GENERIC and die != NOBODY and not virtual:
            least = most  # what a generic die does not pay is lost, so it pays all it can
        for n in range(most, least - 1, -1):
            if any_will_do:
                fits = rest >= left + (0 if energy == GENERIC and die != NOBODY else pips - n)
            else:
                fits = _can_finish(lacking, wild, left - n, kinds, at, k, n)
            if fits:
                options.append(("pay", die, n))
        rest -= k.n * pips
    return options


def payable(s: State, f: Pay) -> list[Option]:
    """List everything that can be a part of paying what is left, in whichever order it is spent."""
    left = f.price[4] - _in_all(f.spent)
    options: list[Option] = []
    kinds = [k for k in _kinds(s, f.seat, f.last) if k.die not in f.dice]
    for k in kinds:
        most = min(k.pips, left)
        lost = k.energy == GENERIC and k.die != NOBODY and not s.table.edition.virtual_generic
        for n in range(most, most - 1 if lost else 0, -1):
            first = [k, *(x for x in kinds if x is not k)]
            if _can_finish(_lacking(f), f.spent[WILD], left - n, first, 0, k, n):
                options.append(("pay", k.die, n))
    return options


def _lacking(f: Pay) -> list[int]:
    """Give how much energy of each type is still asked for, less than 0 where more than that was spent."""
    price, spent = f.price, f.spent
    return [price[0] - spent[0], price[1] - spent[1], price[2] - spent[2], price[3] - spent[3]]


def _can_finish(lacking: list[int], wild: int, left: int, kinds: list[Kind], at: int, used: Kind, n: int) -> bool:
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


def _there(energy: int, kinds: list[Kind], at: int, used: Kind) -> int:
    """Give how much of an energy there is from a kind on, without the die that pays now."""
    total = -used.pips if used.energy == energy else 0
    for i in range(at, len(kinds)):
        if kinds[i].energy == energy:
            total += kinds[i].pips * kinds[i].n
    return total


def lasting(s: State, seat: int) -> int:
    """Give how much of what a player has left over is for missing dice and outlasts a pass (rules 3.1b3)."""
    edition = s.table.edition
    if edition.missing_energy_until_pass or (seat ^ s.active) & 1:
        return 0
    return s.spent.count((LASTING, seat)) if edition.virtual_generic else s.virtual[seat]


def _forget_lasting(s: State, seat: int) -> None:
    """What is left over of dice is spent first, so that of the energy for missing dice there is as much as there can be."""
    for _ in range(s.spent.count((LASTING, seat)) - s.virtual[seat]):
        s.spent.remove((LASTING, seat))


def _spend(s: State, f: Pay, die: int, n: int) -> None:
    """Spend energy of a die, or what is left over, for a payment."""
    t = s.table
    energy = GENERIC
    if die == NOBODY:
        if s.journal is not None:
            s.journal.append(("spends", f.seat, die, 0, n))
        s.virtual[f.seat] -= n
        _forget_lasting(s, f.seat)
        f.last = LEFT_OVER
    else:
        i = t.m6[die] + s.face[die]
        energy = t.energy[i]
        pips = t.pips[i]
        f.last = sort_of(s, die)
        if s.journal is not None:
            s.journal.append(("spends", f.seat, die, s.face[die], n))
        if n < pips and energy != GENERIC and t.less[i] >= 0:
            s.face[die] = t.less[i]
            s.flags[die] |= HALF_SPENT
        else:
            if n < pips and energy == GENERIC and t.edition.virtual_generic:
                s.virtual[f.seat] += pips - n
            moves.used_up(s, die)
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
