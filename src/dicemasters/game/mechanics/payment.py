"""Payment: the energy a player can spend, whether it covers a price, and spending it (rules 3.3a)."""

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
    """Dice in the reserve that are equivalent for paying."""

    def __init__(self, key: int, die: int, n: int, energy: int, pips: int) -> None:
        self.key = key
        self.die = die
        self.n = n  # number of dice, or amount of virtual energy
        self.energy = energy
        self.pips = pips


@mypyc_attr(acyclic=True)
@final
class EnergyPool:
    """The energy a player can spend: by type, wild, generic (virtual energy included), and in total (rules 3.3a1)."""

    def __init__(self, generic: int) -> None:
        self.fist = 0
        self.bolt = 0
        self.mask = 0
        self.shield = 0
        self.wild = 0
        self.generic = generic
        self.total = generic

    def add(self, energy: int, n: int) -> None:
        """Add `n` energy of one kind."""
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
        """Return whether the pool has energy of this type, or wild in its place; for ANY, whether it has any energy."""
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
        """Return the amount of each kind, and the total."""
        return [self.fist, self.bolt, self.mask, self.shield, self.wild, self.generic, self.total]


def add_energy(a: Price, b: Price) -> Price:
    """Return the sum of two prices."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4])


def energy_pool(s: State, seat: int) -> EnergyPool:
    """Return the energy that a player can spend."""
    return energy_pool_and_dice(s, seat)[0]


def energy_pool_and_dice(s: State, seat: int) -> tuple[EnergyPool, list[int]]:
    """Return the energy that a player can spend, and the dice in the reserve that show none."""
    spec = s.spec
    face_base, face, energy, pips = spec.face_base, s.face, spec.energy, spec.pips
    pool = EnergyPool(s.virtual_energy[seat])
    other_dice: list[int] = []
    for d in s.iter_zone(RESERVE, seat):
        i = face_base[d] + face[d]
        n = pips[i]
        if n:
            pool.add(energy[i], n)
        else:
            other_dice.append(d)
    return pool, other_dice


def wastes_half(s: State, seat: int) -> bool:
    """Return whether a double in the reserve has no face for its other half, which is then wasted (rules 3.3a7)."""
    spec = s.spec
    if not spec.has_unsplittable_energy:
        return False
    faces = [spec.face_base[d] + s.face[d] for d in s.dice_in(RESERVE, seat)]
    return any(spec.pips[i] > 1 and spec.energy[i] != GENERIC and spec.half_spent_face[i] < 0 for i in faces)


def can_pay(pool: EnergyPool, price: Price) -> bool:
    """Return whether a pool covers a price: the total, and each type with the help of wild energy."""
    fist, bolt, mask, shield, total = price
    # any energy can pay where no type is required, generic energy only there (rules 3.3a3, 3.3a4)
    if pool.total < total or pool.total - pool.generic < fist + bolt + mask + shield:
        return False
    missing = fist - pool.fist if fist > pool.fist else 0
    if bolt > pool.bolt:
        missing += bolt - pool.bolt
    if mask > pool.mask:
        missing += mask - pool.mask
    if shield > pool.shield:
        missing += shield - pool.shield
    return missing <= pool.wild  # rules 3.3a2


def could_pay_exactly(s: State, d: int, price: Price) -> bool:
    """Return whether a die in the reserve could pay part of a price so that the die does not stay in the reserve."""
    spec = s.spec
    i = spec.face_base[d] + s.face[d]
    pips, energy = spec.pips[i], spec.energy[i]
    untyped = price[4] - price[0] - price[1] - price[2] - price[3]
    maximum = price[4] if energy == WILD else untyped if energy == GENERIC else untyped + price[energy]
    return pips > 0 and maximum > 0 and (pips <= maximum or energy == GENERIC or spec.half_spent_face[i] < 0)


def start_payment(s: State, seat: int, price: Price) -> None:
    """Start a payment; a decision is requested only where more than one way to pay remains."""
    s.last_payment = ()
    if price[4]:
        # paying 0 spends nothing (rules 3.3a5)
        s.stack.append(PaymentFrame(seat, price))


def pending_payment(s: State) -> PaymentFrame:
    """Return the payment that the game waits for."""
    frame = s.stack[-1]
    assert isinstance(frame, PaymentFrame)
    return frame


def run_payment(s: State, frame: PaymentFrame) -> None:
    """Spend energy die by die until the price is paid (rules 3.3a5, 3.3a8)."""
    if frame.waiting:
        _, die, n = s.answer
        frame.waiting = 0
        _spend(s, frame, die, n)
    while True:
        due = frame.price[4] - _total_spent(frame.spent)
        if due <= 0:
            s.stack.pop()
            s.last_payment = frame.dice
            return
        options = _payment_options(s, frame, due)
        if s.spec.has_unsplittable_energy and len(options) > 1 and wastes_half(s, frame.seat):
            options = [option for option in options if not _is_repetition(s, frame, due, option, options)]
        if len(options) > 1:
            frame.waiting = 1
            request_decision(s, frame.seat, "pay", options, number=due)
            return
        _, die, n = options[0]
        _spend(s, frame, die, n)


def _total_spent(spent: Spent) -> int:
    return spent[0] + spent[1] + spent[2] + spent[3] + spent[4] + spent[5]


def payment_class(s: State, d: int) -> int:
    """Return the payment class of a die: equal for equivalent dice, ascending in the order of payment (rules 3.3a8).

    Doubles come before singles, so that a half-spent double is not offered again in the same payment.
    """
    if d == NOBODY:
        return LEFT_OVER
    spec = s.spec
    return spec.card_of[d] << 8 | spec.pay_order[spec.face_base[d] + s.face[d]] | (s.flags[d] & HALF_SPENT > 0)


def _energy_groups(s: State, seat: int, after: int) -> list[EnergyGroup]:
    """Return a player's energy in groups from the payment class `after` on, in ascending order, virtual energy last."""
    spec = s.spec
    face_base, face, pips, energy, pay_order = spec.face_base, s.face, spec.pips, spec.energy, spec.pay_order
    groups: list[EnergyGroup] = []
    for d in s.iter_zone(RESERVE, seat):
        i = face_base[d] + face[d]
        n = pips[i]
        if n:
            key = spec.card_of[d] << 8 | pay_order[i] | (s.flags[d] & HALF_SPENT > 0)  # payment_class(s, d), inlined
            if key >= after:
                at = len(groups)
                while at and groups[at - 1].key > key:
                    at -= 1
                if at and groups[at - 1].key == key:
                    group = groups[at - 1]
                    group.n += 1
                    group.die = (
                        d
                        if not s.engagements
                        else max(group.die, d, key=lambda other: (_first_meeting(s, other), other))
                    )
                else:
                    groups.insert(at, EnergyGroup(key, d, 1, energy[i], n))
    if s.virtual_energy[seat]:
        groups.append(EnergyGroup(LEFT_OVER, NOBODY, s.virtual_energy[seat], GENERIC, 1))
    return groups


def _first_meeting(s: State, d: int) -> int:
    """Return when a die first fought this turn: a tie-breaker among equivalent dice that ignores their numbers."""
    return next((i for i, (x, y, _) in enumerate(s.engagements) if d in (x, y)), len(s.engagements))


def _payment_options(s: State, frame: PaymentFrame, due: int) -> list[Option]:
    """Return what can be spent next so that the amount due can still be paid; groups come in a fixed order.

    Each outcome of a payment can be reached in only one way: see `_after_half_spending`.
    """
    groups = _energy_groups(s, frame.seat, frame.last)
    if frame.dice:
        groups = [group for group in groups if group.die not in frame.dice]
    if frame.halved:
        groups = _after_half_spending(groups, frame.halved)
    virtual = s.spec.edition.virtual_generic
    price = frame.price
    untyped = not (price[0] or price[1] or price[2] or price[3])
    lacking = [] if untyped else _lacking(frame)
    wild = frame.spent[WILD]
    remaining = 0  # energy of this group and all later ones
    for group in groups:
        remaining += group.n * group.pips
    options: list[Option] = []
    for at, group in enumerate(groups):
        if not group.n:
            continue
        die, energy, pips = group.die, group.energy, group.pips
        maximum = pips if pips < due else due
        minimum = 1
        if energy == GENERIC and die != NOBODY and not virtual:
            minimum = maximum  # unspent energy of a generic die is lost, so it pays all it can (rules 3.3a9)
        for n in range(maximum, minimum - 1, -1):
            if n < maximum and _is_halved(s, energy, die, pips):
                halved_groups = _after_half_spending(groups, (*frame.halved, group.key >> 4))
                fits = _can_finish(lacking or _NO_TYPES, wild, due - n, halved_groups, at, halved_groups[at], n)
            elif untyped:
                fits = remaining >= due + (0 if energy == GENERIC and die != NOBODY else pips - n)
            else:
                fits = _can_finish(lacking, wild, due - n, groups, at, group, n)
            if fits:
                options.append(("pay", die, n))
        remaining -= group.n * pips
    return options


_NO_TYPES: Final = [0, 0, 0, 0]


def _is_halved(s: State, energy: int, die: int, pips: int) -> bool:
    """Return whether a die that pays less than it could is a double, which restricts others of its kind."""
    return pips == 2 and die != NOBODY and (energy != GENERIC or s.spec.edition.virtual_generic)


def _after_half_spending(groups: list[EnergyGroup], halved: tuple[int, ...]) -> list[EnergyGroup]:
    """Return the groups as they can still pay after doubles of some kinds have paid half.

    Whole doubles come before half-spent ones, and the other half is not spent in the same payment: 1 of a double and
    then its other half, or 1 of the first and 2 of the second, would have an outcome that has already been offered. All
    generic energy is one kind, because its leftovers are pooled.
    """
    generic = any(sort & 15 == GENERIC for sort in halved)
    result: list[EnergyGroup] = []
    for group in groups:
        if generic if group.energy == GENERIC else group.key >> 4 in halved:
            if group.die == NOBODY or (group.pips == 1 and group.key & 1):
                result.append(EnergyGroup(group.key, group.die, 0, group.energy, group.pips))
            else:
                result.append(EnergyGroup(group.key, group.die, group.n, group.energy, 1))
        else:
            result.append(group)
    return result


def _is_repetition(s: State, frame: PaymentFrame, due: int, option: Option, options: list[Option]) -> bool:
    """Return whether each outcome of an option is also one of paying 2 with the same die, which comes before it.

    A double without a face for its other half is gone whether it pays 1 or 2. So 1 of it is a separate option only if
    no other die could pay less in return: the others pay the rest although each pays as little as it can.
    """
    _, die, n = option
    if n != 1 or not _is_unsplittable(s, die) or ("pay", die, 2) not in options:
        return False
    groups = [group for group in _energy_groups(s, frame.seat, frame.last) if group.die not in frame.dice]
    sort = payment_class(s, die) >> 4
    groups = _after_half_spending(groups, (*frame.halved, sort))
    lacking = _lacking(frame)
    wild = frame.spent[WILD]
    energy = s.spec.energy[s.spec.face_base[die] + s.face[die]]
    if energy == WILD:
        wild += 1
    else:
        lacking[energy] -= 1
    return not _can_pay_least(s, groups, payment_class(s, die), due - 1, lacking, wild)


def _is_unsplittable(s: State, die: int) -> bool:
    """Return whether the die shows a double whose other half would be wasted (rules 3.3a7)."""
    if die == NOBODY:
        return False
    i = s.spec.face_base[die] + s.face[die]
    return s.spec.pips[i] == 2 and s.spec.energy[i] != GENERIC and s.spec.half_spent_face[i] < 0


def _can_pay_least(s: State, groups: list[EnergyGroup], first: int, due: int, lacking: list[int], wild: int) -> bool:
    """Return whether dice of these groups can pay exactly what is due if each pays as little as it can.

    One die of the class `first` is paying already, and earlier classes come no more.
    """
    # what has been paid, the types still lacking, the wild energy, and whether another die has to follow
    reached = {(0, max(0, lacking[0]), max(0, lacking[1]), max(0, lacking[2]), max(0, lacking[3]), wild, False)}
    for group in groups:
        if group.key < first:
            continue
        latest = reached
        for _ in range(min(group.n - int(group.key == first), due)):
            added: set[tuple[int, int, int, int, int, int, bool]] = set()
            for paid, fist, bolt, mask, shield, wilds, _is_open in latest:
                for n in _least_amounts(s, group, due - paid):
                    lack = [fist, bolt, mask, shield]
                    if group.energy < 4:
                        lack[group.energy] = max(0, lack[group.energy] - n)
                    # a generic die pays all it can, so it pays less only as the last one (rules 3.3a9)
                    is_open = group.energy == GENERIC and n > 1 and group.die != NOBODY
                    is_open = is_open and not s.spec.edition.virtual_generic
                    more = n if group.energy == WILD else 0
                    added.add((paid + n, lack[0], lack[1], lack[2], lack[3], min(4, wilds + more), is_open))
            latest = added - reached
            if not latest:
                break
            reached |= latest
    return any(
        paid == due and fist + bolt + mask + shield <= wilds and not is_open
        for paid, fist, bolt, mask, shield, wilds, is_open in reached
    )


def _least_amounts(s: State, group: EnergyGroup, due: int) -> list[int]:
    """Return what a die of the group can pay towards the amount due, without what it could as well pay less of."""
    if due <= 0:
        return []
    if group.energy == GENERIC and group.die != NOBODY and not s.spec.edition.virtual_generic:
        return [group.pips] if group.pips <= due else [due]
    if group.pips == 2 and _is_unsplittable(s, group.die):
        return [1]
    return [1] if group.pips == 1 or due == 1 else [1, 2]


def payment_parts(s: State, frame: PaymentFrame) -> list[Option]:
    """Return everything that can be part of paying the amount due, in any order."""
    due = frame.price[4] - _total_spent(frame.spent)
    options: list[Option] = []
    groups = _after_half_spending(
        [group for group in _energy_groups(s, frame.seat, frame.last) if group.die not in frame.dice], frame.halved
    )
    for group in groups:
        maximum = min(group.pips, due) if group.n else 0
        wasteful = group.energy == GENERIC and group.die != NOBODY and not s.spec.edition.virtual_generic
        for n in range(maximum, maximum - 1 if wasteful else 0, -1):
            ordered = [group, *(other for other in groups if other is not group)]
            if n < maximum and _is_halved(s, group.energy, group.die, group.pips):
                ordered = _after_half_spending(ordered, (group.key >> 4,))
            if _can_finish(_lacking(frame), frame.spent[WILD], due - n, ordered, 0, ordered[0], n):
                options.append(("pay", group.die, n))
    return options


def canonical_payment(s: State, frame: PaymentFrame, parts: list[Option]) -> list[Option]:
    """Return the parts of a whole payment as the engine asks for them, where several ways have the same outcome."""
    if sum(n for _, _, n in parts) != frame.price[4] - _total_spent(frame.spent):
        return parts
    canonical = _merge_halves(s, parts)
    if s.spec.edition.virtual_generic:
        generic = [
            part
            for part in canonical
            if part[1] == NOBODY or s.spec.energy[s.spec.face_base[part[1]] + s.face[part[1]]] == GENERIC
        ]
        canonical = [part for part in canonical if part not in generic] + _canonical_generic(s, generic)
    return canonical


def _merge_halves(s: State, parts: list[Option]) -> list[Option]:
    """Return the parts with a whole double in place of half of it and the other half of another double."""
    merged = parts[:]
    for part in parts:
        _, die, n = part
        if n != 1 or die == NOBODY or s.spec.pips[s.spec.face_base[die] + s.face[die]] != 2:
            continue
        sort = payment_class(s, die) >> 4
        other_half = next(
            (
                other
                for other in merged
                if other[1] != NOBODY and s.flags[other[1]] & HALF_SPENT and payment_class(s, other[1]) >> 4 == sort
            ),
            None,
        )
        if other_half is not None:
            merged.remove(other_half)
            merged[merged.index(part)] = ("pay", die, 2)
    return merged


def _canonical_generic(s: State, parts: list[Option]) -> list[Option]:
    """Return generic parts in canonical form: early dice pay all they can, each pays at least 1, leftovers last."""
    dice = sorted((part[1] for part in parts if part[1] != NOBODY), key=lambda d: payment_class(s, d))
    due = sum(n for _, _, n in parts)
    ordered: list[Option] = []
    for position, d in enumerate(dice, 1):
        n = min(s.spec.pips[s.spec.face_base[d] + s.face[d]], due - (len(dice) - position))
        ordered.append(("pay", d, n))
        due -= n
    return ordered + [("pay", NOBODY, 1)] * due


def _lacking(frame: PaymentFrame) -> list[int]:
    """Return how much energy of each type is still due; negative if more was spent than the price requires."""
    price, spent = frame.price, frame.spent
    return [price[0] - spent[0], price[1] - spent[1], price[2] - spent[2], price[3] - spent[3]]


def _can_finish(
    lacking: list[int], wild: int, due: int, groups: list[EnergyGroup], at: int, used: EnergyGroup, n: int
) -> bool:
    """Return whether groups from `at` on can pay the rest after `n` energy of the group `used`.

    `due` is the rest. `lacking` and `wild` are the energy still due by type, and the wild energy spent, before that.
    """
    total = -used.pips  # one die of the group is paying now
    for i in range(at, len(groups)):
        total += groups[i].pips * groups[i].n
    if used.energy == GENERIC and used.die != NOBODY and n < used.pips:
        total += used.pips - n
    if total < due:
        return False
    missing = uncovered = 0
    for energy in range(4):
        lack = lacking[energy] - n if used.energy == energy else lacking[energy]
        if lack > 0:
            missing += lack
            available = _available(energy, groups, at, used)
            if lack > available:
                uncovered += lack - available
    if used.energy == WILD:
        wild += n
    if missing <= wild:
        return True
    return missing - wild <= due and (not uncovered or uncovered <= wild + _available(WILD, groups, at, used))


def _available(energy: int, groups: list[EnergyGroup], at: int, used: EnergyGroup) -> int:
    """Return how much of one kind of energy the groups from `at` on have, without the die that pays now."""
    total = -used.pips if used.energy == energy else 0
    for i in range(at, len(groups)):
        if groups[i].energy == energy:
            total += groups[i].pips * groups[i].n
    return total


def lasting_energy(s: State, seat: int) -> int:
    """Return how much of a player's virtual energy comes from missing dice and outlasts a pass (rules 3.1b3)."""
    edition = s.spec.edition
    if edition.missing_energy_until_pass or (seat ^ s.active) & 1:
        return 0
    return s.turn_limits.count((LASTING, seat)) if edition.virtual_generic else s.virtual_energy[seat]


def _trim_lasting(s: State, seat: int) -> None:
    """Reduce the record of lasting energy to the virtual energy that remains: leftovers of dice are spent first."""
    for _ in range(s.turn_limits.count((LASTING, seat)) - s.virtual_energy[seat]):
        s.turn_limits.remove((LASTING, seat))


def _spend(s: State, frame: PaymentFrame, die: int, n: int) -> None:
    """Spend energy of a die, or virtual energy, for a payment."""
    spec = s.spec
    energy = GENERIC
    if die == NOBODY:
        if s.journal is not None:
            s.journal.append(("spends", frame.seat, die, 0, n))
        s.virtual_energy[frame.seat] -= n
        _trim_lasting(s, frame.seat)
        frame.last = LEFT_OVER
    else:
        i = spec.face_base[die] + s.face[die]
        energy = spec.energy[i]
        pips = spec.pips[i]
        frame.last = payment_class(s, die)
        if n < pips and n < frame.price[4] - _total_spent(frame.spent) and _is_halved(s, energy, die, pips):
            frame.halved += (frame.last >> 4,)
        if s.journal is not None:
            s.journal.append(("spends", frame.seat, die, s.face[die], n))
        if n < pips and energy != GENERIC and spec.half_spent_face[i] >= 0:
            s.face[die] = spec.half_spent_face[i]  # rules 3.3a6
            s.flags[die] |= HALF_SPENT
        else:
            if n < pips and energy == GENERIC and spec.edition.virtual_generic:
                s.virtual_energy[frame.seat] += pips - n  # rules 3.3a10
            zones.retire_die(s, die)
            frame.dice += (die,)
    fist, bolt, mask, shield, wild, generic = frame.spent
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
    frame.spent = (fist, bolt, mask, shield, wild, generic)
