"""Legal declarations of blockers: those that violate no condition and meet as many obligations as possible.

Blockers are independent of each other except where several have to share an attacker, or only one of them is needed:

- An attacker that must be blocked needs one blocker.
- A *conditional* attacker needs several blockers if it is blocked at all, or other attackers to be blocked too.

So every blocker takes the best it can get alone, and attackers that need blockers are matched to blockers at the lowest
loss of obligations: an assignment problem with costs 0 and 1, solved by shortest augmenting paths. Conditional attackers
that some obligation concerns are decided by branch and bound. Most positions need no branch.
"""

from __future__ import annotations

from typing import Final, final

from dicemasters.game.mechanics.combat.block_table import BlockTable
from dicemasters.game.state.state import State
from dicemasters.game.state.work import charge

_ANY_COST: Final = 1_000_000


@final
class _Problem:
    """Blockers that can still be declared, and what is decided about the attackers."""

    def __init__(self, blockers: int, counts: list[int]) -> None:
        self.blockers = blockers  # blockers that are free to do anything
        self.counts = counts  # blockers that each attacker has been declared to have
        self.forced = -1  # blocker whose next block is given
        self.forced_blocks = 0
        self.more = 0  # attackers that it may block besides
        self.met = 0  # obligations that the forced blocker meets
        self.blocked = 0  # attackers that have blockers or will have them
        self.excluded = 0  # conditional attackers that will have none
        self.needs: dict[int, int] = {}  # blockers that attackers still need
        self.permissions: dict[int, int] = {}  # permission used by a blocker of several attackers

    def copy(self) -> _Problem:
        """Return an independent copy."""
        other = _Problem(self.blockers, self.counts)
        other.forced = self.forced
        other.forced_blocks = self.forced_blocks
        other.more = self.more
        other.met = self.met
        other.blocked = self.blocked
        other.excluded = self.excluded
        other.needs = self.needs.copy()
        other.permissions = self.permissions.copy()
        return other


@final
class _Slots:
    """The blocks that blockers can make, one slot each; sets of slots are masks.

    Slot i is the first block of blocker i; further slots are its further blocks.
    """

    def __init__(self, n_attackers: int) -> None:
        self.owners: list[int] = []
        self.free: list[int] = [0 for _ in range(n_attackers)]  # slots that can serve an attacker at no loss
        self.costly: list[int] = [0 for _ in range(n_attackers)]  # slots that would lose an obligation by it
        self.of_blocker: dict[int, int] = {}  # slots of each blocker that may block several attackers
        self.required: dict[int, int] = {}  # how many attackers such a blocker can block that it has to

    def copy(self) -> _Slots:
        """Return an independent copy."""
        other = _Slots(0)
        other.owners = self.owners[:]
        other.free = self.free[:]
        other.costly = self.costly[:]
        other.of_blocker = self.of_blocker.copy()
        other.required = self.required.copy()
        return other

    def add(self, mask: int, allowed: int, required: int) -> None:
        """Add slots that can serve these attackers.

        Those of blockers with required attackers lose an obligation by serving others.
        """
        for k in _bits(allowed):
            if not required or required >> k & 1:
                self.free[k] |= mask
            else:
                self.costly[k] |= mask


@final
class BlockSolver:
    """Answers which blocks can be declared next. Dice are numbered as in the table."""

    def __init__(self, s: State, table: BlockTable, declared: list[tuple[int, int]], last: int = -1) -> None:
        """Set up for the blocks declared so far, as (blocker, attacker); `last` is a blocker that may block more.

        A declared blocker is -1 if it is not in the table, because it could not block once more.
        """
        self.s = s
        self.table = table
        self.counts: list[int] = [0 for _ in table.attackers]
        blocked_by: dict[int, int] = {}
        for i, k in declared:
            blocked_by[i] = blocked_by.get(i, 0) | 1 << k
            self.counts[k] += 1
        self.needed = table.must_be_blocked | table.conditional  # attackers that can need blockers
        for k in _bits(table.conditional):
            self.needed |= table.prerequisites[k]
        self.without_toll = 0
        self.obliged: dict[tuple[bool, int, int], int] = {}  # blockers by duty, required and possible attackers
        self.with_several: list[int] = []  # blockers that may block several attackers
        for i, allowed in enumerate(table.allowed):
            if table.toll_free[i]:
                self.without_toll |= 1 << i
                if table.must_block[i] or table.required[i]:
                    key = (table.must_block[i], table.required[i], allowed)
                    self.obliged[key] = self.obliged.get(key, 0) | 1 << i
            if table.extra_blocks[i] or table.limited_blocks[i]:
                self.with_several.append(i)
        #: whether every block that no rule forbids is legal
        self.is_unconstrained = not self.needed and not self.obliged
        self.everybody = (1 << len(table.blockers)) - 1
        self._cached_slots: dict[tuple[int, ...], _Slots] = {}
        self._known_permissions: dict[int, list[tuple[int, int]]] = {}
        self._alike: dict[int, int] = {}
        self._latest: dict[tuple[int, int], int] = {}
        self._after_declared = _Problem(0, self.counts)
        self._target = 0  # obligations to be met by the last blocker and those after it
        self._met_by_last = 0
        if not self.is_unconstrained:
            total = self._most_obligations(_Problem(self.without_toll, [0 for _ in table.attackers]))
            self._target = total - sum([self.obligations_met(i, b) for i, b in blocked_by.items() if i != last])
            self._met_by_last = self.obligations_met(last, blocked_by.get(last, 0))
            for k, n in enumerate(self.counts):
                if n:
                    self._mark_blocked(self._after_declared, k, 0)

    # --- questions -------------------------------------------------------------------------------------------------

    def can_block_next(self, i: int, k: int, already: int = 0) -> bool:
        """Return whether a blocker may block an attacker next, after which only later blockers may be declared.

        `already` are attackers that it blocks. Blocks that cost life are possible, although they are never an obligation
        (rules 10.9).
        """
        if self.is_unconstrained:
            return True
        if not already:
            # Without further blocks of this blocker, the rest of the declaration depends on nothing else, and the more
            # blockers are left, the more is possible.
            key = (self.obligations_met(i, 1 << k), k if self.needed >> k & 1 else -1)
            if key not in self._latest:
                self._latest[key] = self._find_latest(k, key[0])
            if i <= self._latest[key] or i not in self.with_several:
                return i <= self._latest[key]
        return self._can_block(i, already | 1 << k, already, self.everybody & -2 << i, -2 << k)

    def can_block_at_all(self, i: int, k: int, others: int) -> bool:
        """Return whether a blocker may block an attacker if the other blockers are free to block before and after it."""
        if self.is_unconstrained:
            return True
        return self._can_block(i, 1 << k, 0, others & ~(1 << i), ~(1 << k))

    def can_end(self, begin: int) -> bool:
        """Return whether the declaration may end if only blockers from `begin` on, a partner's, follow (rules 7.3g)."""
        if self.is_unconstrained:
            return True
        problem = self._after_declared.copy()
        problem.blockers = self.without_toll & -1 << begin
        return self._can_meet(problem, self._target - self._met_by_last)

    def _can_block(self, i: int, blocked: int, already: int, others: int, more: int) -> bool:
        """Return whether a blocker may block these attackers, and perhaps `more` of them, with these other blockers."""
        problem = self._after_declared.copy()
        problem.blockers = others
        problem.forced = i
        problem.forced_blocks = blocked
        problem.more = more
        problem.met = self.obligations_met(i, blocked)
        for k in _bits(blocked & ~already):
            self._mark_blocked(problem, k, 1)
        return self._can_meet(problem, self._target - (0 if already else self._met_by_last))

    def _find_latest(self, k: int, met: int) -> int:
        """Return the latest blocker of one attacker that may block this one and meets this many obligations by it.

        The answer is the number that a blocker must not exceed, whether or not there is such a blocker.
        """
        low, high = -1, len(self.table.blockers) - 1
        while low < high:
            middle = high if low < 0 and high == len(self.table.blockers) - 1 else (low + high + 1) // 2
            problem = self._after_declared.copy()
            problem.blockers = self.everybody & -2 << middle
            problem.met = met
            self._mark_blocked(problem, k, 1)
            if self._can_meet(problem, self._target - self._met_by_last):
                low = middle
            else:
                high = middle - 1
        return low

    def obligations_met(self, i: int, blocked: int) -> int:
        """Return how many obligations a blocker meets by blocking these attackers.

        A die that has to pay life for blocking has none (rules 10.9).
        """
        if i < 0 or not blocked or not self.table.toll_free[i]:
            return 0
        return int(self.table.must_block[i]) + (self.table.required[i] & blocked).bit_count()

    # --- branch and bound ------------------------------------------------------------------------------------------

    def _mark_blocked(self, problem: _Problem, k: int, n: int) -> bool:
        """Decide that an attacker is blocked, by `n` more blockers than declared; return False if it is excluded."""
        if problem.excluded >> k & 1:
            return False
        if not problem.blocked >> k & 1:
            problem.blocked |= 1 << k
            missing = self.table.min_blockers[k] - problem.counts[k] - n
            if missing > 0:
                problem.needs[k] = missing
            for other in _bits(self.table.prerequisites[k]):
                if not self._mark_blocked(problem, other, 0):
                    return False
        elif n and k in problem.needs:
            problem.needs[k] -= n
            if problem.needs[k] <= 0:
                del problem.needs[k]
        return True

    def _mark_excluded(self, problem: _Problem, k: int) -> bool:
        """Decide that a conditional attacker stays unblocked, and with it those that are alike or depend on it.

        If one of several attackers that nothing distinguishes stays unblocked, it may as well be each later one.
        Return False if one of them is blocked.
        """
        alike = self._alike_to(k)
        if problem.forced >= 0:  # the forced blocker may distinguish them
            alike &= problem.more if problem.more >> k & 1 else ~problem.more
        problem.excluded |= 1 << k | (alike & ~problem.blocked)
        for other in _bits(self.table.conditional):
            if self.table.prerequisites[other] & problem.excluded:
                if problem.blocked >> other & 1:
                    return False
                problem.excluded |= 1 << other
        return True

    def _most_obligations(self, problem: _Problem) -> int:
        """Return how many obligations can be met."""
        target = self._upper_bound(problem)[0]
        while target > 0 and not self._can_meet(problem, target):
            target -= 1
        return target

    def _can_meet(self, problem: _Problem, target: int) -> bool:
        """Return whether this many obligations can be met without violating a condition."""
        bound, undecided, unclear = self._upper_bound(problem)
        if bound < max(target, 0):
            return False
        if undecided >= 0:
            branch = problem.copy()
            if self._mark_blocked(branch, undecided, 0) and self._can_meet(branch, target):
                return True
            branch = problem.copy()
            return self._mark_excluded(branch, undecided) and self._can_meet(branch, target)
        if unclear >= 0:
            for permission in range(len(self._permissions(unclear))):
                branch = problem.copy()
                branch.permissions[unclear] = permission
                if self._can_meet(branch, target):
                    return True
            return False
        return True

    def _alike_to(self, k: int) -> int:
        """Return the conditional attackers that no rule and no blocker distinguishes from this one."""
        if k not in self._alike:
            table = self.table
            alike = 0
            for other in _bits(table.conditional):
                swapped = 1 << k | 1 << other
                if (
                    not self.counts[other]
                    and table.min_blockers[other] == table.min_blockers[k]
                    and (table.must_be_blocked >> other ^ table.must_be_blocked >> k) & 1 == 0
                    and table.prerequisites[other] == table.prerequisites[k]
                    and not table.prerequisites[k] & swapped
                    and all((x >> other ^ x >> k) & 1 == 0 for x in table.allowed)
                    and all((x >> other ^ x >> k) & 1 == 0 for x in table.required)
                    and all((x >> other ^ x >> k) & 1 == 0 for x in table.prerequisites)
                    and all((x >> other ^ x >> k) & 1 == 0 for ways in table.limited_blocks for _, x in ways)
                ):
                    alike |= 1 << other
            self._alike[k] = alike
        return self._alike[k]

    # --- bound -----------------------------------------------------------------------------------------------------

    def _upper_bound(self, problem: _Problem) -> tuple[int, int, int]:
        """Return the most obligations met if undecided attackers had no conditions, and what has to be decided next.

        That is an attacker and a blocker of several attackers, both -1 if the bound can be reached. The bound is -1 if
        attackers that are to be blocked lack blockers.
        """
        charge(self.s, 1)
        table = self.table
        open_attackers = table.conditional & ~problem.excluded & ~problem.blocked
        met = problem.met
        concerned = table.must_be_blocked & open_attackers
        for (must_block, all_required, allowed), blockers in self.obliged.items():
            n = (blockers & problem.blockers).bit_count()
            if not n:
                continue
            required = all_required & ~problem.excluded
            concerned |= required & open_attackers
            met += n * min(required.bit_count(), 1)
            if must_block:
                met += n * int(allowed & ~problem.excluded != 0)
                if not allowed & ~problem.excluded & ~open_attackers:
                    concerned |= allowed & open_attackers
        slots = self._slots_for(problem)
        available = problem.blockers
        for i, own in slots.of_blocker.items():
            if i == problem.forced:
                available |= own
                concerned |= self._required_of(problem, i, is_forced=True) & open_attackers
                met += slots.required[i]
            elif problem.blockers >> i & 1:
                available |= own
                required = self._required_of(problem, i, is_forced=False)
                met += slots.required[i] - min(required.bit_count(), 1)  # which was counted above
        wanted = table.must_be_blocked & ~problem.blocked & ~problem.excluded
        matching = _Matching(self.s, slots, available)
        for k, n in problem.needs.items():
            for _ in range(n):
                if not matching.add(k, _ANY_COST):
                    return -1, -1, -1
        covered = (table.must_be_blocked & problem.blocked).bit_count()
        for k in _bits(wanted):
            covered += int(matching.add(k, 0))
        undecided = -1
        if concerned:
            undecided = (concerned & -concerned).bit_length() - 1
        return met + covered - matching.loss, undecided, self._unclear(problem, slots, matching)

    def _required_of(self, problem: _Problem, i: int, *, is_forced: bool) -> int:
        """Return the attackers that a blocker is still required to block, if it can."""
        if not self.table.toll_free[i]:
            return 0
        required = self.table.required[i] & ~problem.excluded
        return required & problem.more if is_forced else required

    def _unclear(self, problem: _Problem, slots: _Slots, matching: _Matching) -> int:
        """Return a blocker that the bound lets use several permissions at once, or -1.

        One permission may allow any one attacker, and another one any number of attackers of a certain kind.
        """
        for i in slots.of_blocker:
            if i in problem.permissions or len(self._permissions(i)) < 2:
                continue
            if i != problem.forced and not problem.blockers >> i & 1:
                continue
            if self.table.required[i] or matching.attackers_of(i):
                return i
        return -1

    # --- slots -----------------------------------------------------------------------------------------------------

    def _permissions(self, i: int) -> list[tuple[int, int]]:
        """Return the ways in which a blocker may block several: more attackers than usual, and those it is limited to."""
        if i not in self._known_permissions:
            everybody = (1 << len(self.table.attackers)) - 1
            ways = [(0, everybody), *self.table.limited_blocks[i]]
            for n, described in ways:
                if all(n >= m and not other & ~described & self.table.allowed[i] for m, other in ways):
                    ways = [(n, described)]  # allows all that the others do
                    break
            self._known_permissions[i] = ways
        return self._known_permissions[i]

    def _slot_attackers(self, problem: _Problem, i: int, *, is_forced: bool) -> list[int]:
        """Return, for each further block that a blocker can make, the attackers it may be made on."""
        table = self.table
        blocked = problem.forced_blocks if is_forced else 0
        allowed = table.allowed[i] & problem.more if is_forced else table.allowed[i]
        extra = table.extra_blocks[i]
        ways = self._permissions(i)
        if i in problem.permissions:
            ways = [ways[problem.permissions[i]]]
        any_of, in_all, described = 0, 0, 0
        for n, kind in ways:
            misfits = (blocked & ~kind).bit_count() if n else 0
            if misfits > extra and n:
                continue
            total = 1 + n + extra - blocked.bit_count()
            is_limited = n > 0 and table.allowed[i] & ~kind != 0
            any_of = max(any_of, min(total, extra - misfits) if is_limited else total)
            in_all = max(in_all, total)
            described |= kind
        if i in problem.permissions and in_all <= 0:
            return []
        useful = (allowed & (self.needed | table.required[i])).bit_count()
        any_of = min(any_of, useful)
        in_all = min(in_all, max(useful, any_of))
        return [allowed for _ in range(any_of)] + [allowed & described for _ in range(in_all - any_of)]

    def _slots_for(self, problem: _Problem) -> _Slots:
        """Return the slots of all blockers, with the attackers they can serve."""
        key = (problem.excluded, *[x for item in problem.permissions.items() for x in item])
        slots = self._cached_slots.get(key)
        if slots is None:
            slots = self._cached_slots[key] = self._make_slots(problem)
        if problem.forced in self.with_several:
            slots = slots.copy()
            self._add_own_slots(problem, slots, problem.forced, is_forced=True)
        return slots

    def _make_slots(self, problem: _Problem) -> _Slots:
        """Return the slots of blockers of which none is forced."""
        table = self.table
        slots = _Slots(len(table.attackers))
        classes: dict[tuple[int, int], int] = {}  # blockers of one attacker, by possible and required attackers
        for i, allowed in enumerate(table.allowed):
            slots.owners.append(i)
            if i not in self.with_several:
                required = table.required[i] & ~problem.excluded if table.toll_free[i] else 0
                pair = (allowed & self.needed & ~problem.excluded, required)
                classes[pair] = classes.get(pair, 0) | 1 << i
        for (allowed, required), blockers in classes.items():
            slots.add(blockers, allowed, required)
        for i in self.with_several:
            self._add_own_slots(problem, slots, i, is_forced=False)
        return slots

    def _add_own_slots(self, problem: _Problem, slots: _Slots, i: int, *, is_forced: bool) -> None:
        """Add the slots of a blocker that may block several attackers, for its blocks besides the forced ones."""
        attackers = self._slot_attackers(problem, i, is_forced=is_forced)
        required = self._required_of(problem, i, is_forced=is_forced)
        wide, narrow = _required_slots(attackers, required)
        slots.required[i] = wide + narrow
        own = 0
        for j, allowed in enumerate(attackers):
            if j == 0 and not is_forced:
                slot = i
            else:
                slot = len(slots.owners)
                slots.owners.append(i)
            own |= 1 << slot
            # slots are kept for required attackers from both ends: the wide ones come first, the narrow ones last
            is_kept = j < wide or j >= len(attackers) - narrow
            slots.add(1 << slot, allowed & self.needed & ~problem.excluded, required if is_kept else 0)
        slots.of_blocker[i] = own


def _required_slots(slot_attackers: list[int], required: int) -> tuple[int, int]:
    """Return how many wide and how many narrow slots of a blocker can serve required attackers.

    Wide slots, which come first, can serve more attackers than narrow ones.
    """
    if not slot_attackers:
        return 0, 0
    widest, narrowest = slot_attackers[0], slot_attackers[-1]
    n_wide = sum([allowed == widest for allowed in slot_attackers])
    n_narrow = len(slot_attackers) - n_wide
    if not n_narrow:
        return min(n_wide, (required & widest).bit_count()), 0
    narrow = (required & narrowest).bit_count()
    only_wide = (required & widest & ~narrowest).bit_count()
    return min(n_wide, only_wide + max(0, narrow - n_narrow)), min(n_narrow, narrow)


@final
class _Matching:
    """A matching of attackers that need blockers to slots, at the lowest loss."""

    def __init__(self, s: State, slots: _Slots, available: int) -> None:
        self.s = s
        self.slots = slots
        self.available = available
        self.loss = 0
        self.attackers: list[int] = []  # attacker of each unit of need
        self.slot: list[int] = []  # slot of each unit
        self.cost: list[int] = []  # loss of each unit
        self.held = 0
        self.holder: dict[int, int] = {}  # unit that holds a slot

    def attackers_of(self, i: int) -> list[int]:
        """Return the attackers that this blocker is matched to."""
        return [k for k, slot in zip(self.attackers, self.slot, strict=True) if self.slots.owners[slot] == i]

    def add(self, k: int, most: int) -> bool:
        """Match one more unit of need if that costs no more than `most`; return False if it does."""
        slots = self.slots
        free = slots.free[k] & self.available & ~self.held
        if free and not slots.of_blocker:  # the usual case
            self._assign(len(self.attackers), k, (free & -free).bit_length() - 1, 0)
            return True
        new = len(self.attackers)
        self.attackers.append(k)
        self.slot.append(-1)
        self.cost.append(0)
        distance: dict[int, int] = {new: 0}
        came_from: dict[int, int] = {}
        taken_cost: dict[int, int] = {}  # loss at which the unit before would take the slot
        best, best_unit, best_slot, best_cost = most + 1, -1, -1, 0
        queue = [new]
        at = 0
        while at < len(queue):
            unit = queue[at]
            at += 1
            charge(self.s, 1)
            attacker = self.attackers[unit]
            possible = self.available & ~self._siblings(unit)
            for cost in range(2):
                mask = (slots.costly[attacker] if cost else slots.free[attacker]) & possible
                reached = distance[unit] + cost
                unused = mask & ~self.held
                if unused and reached < best:
                    best, best_unit, best_cost = reached, unit, cost
                    best_slot = (unused & -unused).bit_length() - 1
                for slot in _bits(mask & self.held):
                    other = self.holder[slot]
                    if other != unit and reached - self.cost[other] < distance.get(other, _ANY_COST):
                        distance[other] = reached - self.cost[other]
                        came_from[other] = unit
                        taken_cost[other] = cost
                        queue.append(other)
        if best_unit < 0:
            self.attackers.pop()
            self.slot.pop()
            self.cost.pop()
            return False
        self.loss += best
        unit, slot, cost = best_unit, best_slot, best_cost
        while True:
            old_slot = self.slot[unit]
            self._hold(unit, slot, cost)
            if unit == new:
                return True
            slot, cost = old_slot, taken_cost[unit]
            unit = came_from[unit]

    def _assign(self, unit: int, k: int, slot: int, cost: int) -> None:
        self.attackers.append(k)
        self.slot.append(slot)
        self.cost.append(cost)
        self._hold(unit, slot, cost)

    def _hold(self, unit: int, slot: int, cost: int) -> None:
        self.slot[unit] = slot
        self.cost[unit] = cost
        self.holder[slot] = unit
        self.held |= 1 << slot

    def _siblings(self, unit: int) -> int:
        """Return the slots of blockers that block the unit's attacker already: nobody blocks the same one twice."""
        if not self.slots.of_blocker:
            return 0
        mask = 0
        for other, k in enumerate(self.attackers):
            if other != unit and k == self.attackers[unit] and self.slot[other] >= 0:
                mask |= self.slots.of_blocker.get(self.slots.owners[self.slot[other]], 0)
        return mask


def _bits(mask: int) -> list[int]:
    """Return the positions of the bits that are set."""
    positions: list[int] = []
    while mask:
        low = mask & -mask
        positions.append(low.bit_length() - 1)
        mask ^= low
    return positions
