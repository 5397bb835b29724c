"""The rules about blocks that are in force, evaluated once for all blockers and attackers of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from dicemasters.cards.language.vocabulary import ALL
from dicemasters.game.mechanics.combat.restrictions import life_toll, must_attack_or_block
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.queries.static_rules import RuleTable
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import StaticRule


@final
class BlockTable:
    """Blockers and attackers with everything that rules say about blocks between them.

    Dice are numbered by their position in `blockers` and `attackers`; a set of attackers is a bitmask. Equivalent dice
    are evaluated once, and get the same class number.
    """

    def __init__(self, blockers: list[int], attackers: list[int]) -> None:
        """Set up a table without any rules."""
        self.blockers = blockers
        self.attackers = attackers
        self.blocker_classes: list[int] = list(range(len(blockers)))
        self.attacker_classes: list[int] = list(range(len(attackers)))
        #: attackers that each blocker may block
        self.allowed: list[int] = [(1 << len(attackers)) - 1 for _ in blockers]
        #: attackers that each blocker must block if able (avx 18, 39)
        self.required: list[int] = [0 for _ in blockers]
        #: whether each blocker must block if able
        self.must_block: list[bool] = [False for _ in blockers]
        #: whether each blocker blocks without paying life; an obligation never makes a player pay (rules 10.9)
        self.toll_free: list[bool] = [True for _ in blockers]
        #: attackers that each blocker may block besides the first one, whatever they are (rules 3.4b1)
        self.extra_blocks: list[int] = [0 for _ in blockers]
        #: for each blocker, limited permissions to block more: a number, and the attackers that it is limited to
        self.limited_blocks: list[list[tuple[int, int]]] = [[] for _ in blockers]
        #: attackers that must be blocked if able
        self.must_be_blocked = 0
        #: attackers that need several blockers or are blocked only together with others
        self.conditional = 0
        #: how many blockers each attacker needs if it is blocked at all
        self.min_blockers: list[int] = [1 for _ in attackers]
        #: attackers that must be blocked too if this one is (uxm 63)
        self.prerequisites: list[int] = [0 for _ in attackers]

    def evaluate(self, s: State) -> None:
        """Fill the table with the rules in force."""
        self.blocker_classes = _class_numbers(s, self.blockers)
        self.attacker_classes = _class_numbers(s, self.attackers)
        self._evaluate_attackers(s)
        self._evaluate_blockers(s)

    def _evaluate_attackers(self, s: State) -> None:
        cannot_be_blocked = RuleTable(s, "cannot be blocked")
        must_be_blocked = RuleTable(s, "must be blocked")
        at_least = RuleTable(s, "blocked by at least")
        blocked_last = RuleTable(s, "blocked last")
        everybody = (1 << len(self.blockers)) - 1
        possible_blockers: list[int] = [everybody for _ in self.attackers]
        first_of: dict[int, int] = {}
        for k, a in enumerate(self.attackers):
            first = first_of.setdefault(self.attacker_classes[k], k)
            if first != k:
                possible_blockers[k] = possible_blockers[first]
                self.min_blockers[k] = self.min_blockers[first]
                self.must_be_blocked |= (self.must_be_blocked >> first & 1) << k
            else:
                if not cannot_be_blocked.is_empty:
                    possible_blockers[k] = self._possible_blockers(s, a, cannot_be_blocked)
                if not must_be_blocked.is_empty and must_be_blocked.affecting(a):
                    self.must_be_blocked |= 1 << k
                if not at_least.is_empty:
                    self.min_blockers[k] = max([1, *[n for _, _, n, _ in at_least.affecting(a)]])
            if not blocked_last.is_empty:
                self.prerequisites[k] = self._prerequisites(s, a, blocked_last)
            if self.min_blockers[k] > 1 or self.prerequisites[k]:
                self.conditional |= 1 << k
        first_of = {}
        for i in range(len(self.blockers)):
            first = first_of.setdefault(self.blocker_classes[i], i)
            if first != i:
                self.allowed[i] = self.allowed[first]
                continue
            allowed = 0
            for k, possible in enumerate(possible_blockers):
                if possible >> i & 1:
                    allowed |= 1 << k
            self.allowed[i] = allowed

    def _possible_blockers(self, s: State, attacker: int, rules: RuleTable) -> int:
        """Return the blockers that no rule forbids to block this attacker."""
        possible = (1 << len(self.blockers)) - 1
        for rule, ctx, _, _ in rules.affecting(attacker):
            if rule is None or rule.by is None:
                return 0
            first_of: dict[int, int] = {}
            for i, b in enumerate(self.blockers):
                first = first_of.setdefault(self.blocker_classes[i], i)
                if not possible >> first & 1 or (first == i and rule.by.matches(s, b, ctx)):
                    possible &= ~(1 << i)
        return possible

    def _prerequisites(self, s: State, attacker: int, rules: RuleTable) -> int:
        prerequisites = 0
        for rule, ctx, _, _ in rules.affecting(attacker):
            for k, other in enumerate(self.attackers):
                if other != attacker and rule is not None and rule.by is not None and rule.by.matches(s, other, ctx):
                    prerequisites |= 1 << k
        return prerequisites

    def _evaluate_blockers(self, s: State) -> None:
        cannot_block = RuleTable(s, "cannot block")
        must_block = RuleTable(s, "must block")
        must_block_this = RuleTable(s, "must block this")
        blocks_also = RuleTable(s, "blocks also")
        blocks_more = RuleTable(s, "blocks more")
        first_of: dict[int, int] = {}
        for i, b in enumerate(self.blockers):
            first = first_of.setdefault(self.blocker_classes[i], i)
            if first != i:
                self.toll_free[i] = self.toll_free[first]
                self.must_block[i] = self.must_block[first]
                self.required[i] = self.required[first]
                self.extra_blocks[i] = self.extra_blocks[first]
                self.limited_blocks[i] = self.limited_blocks[first]
                continue
            if not cannot_block.is_empty:
                self.toll_free[i] = not life_toll(s, "cannot block", b, cannot_block)
            if not must_block.is_empty:
                self.must_block[i] = must_attack_or_block(s, "must block", b, must_block)
            if not must_block_this.is_empty:
                for _, ctx, _, _ in must_block_this.affecting(b):
                    if ctx.this in self.attackers:
                        self.required[i] |= 1 << self.attackers.index(ctx.this)
                self.required[i] &= self.allowed[i]
            if not blocks_also.is_empty:
                self.extra_blocks[i] = min(ALL, sum([n for _, _, n, _ in blocks_also.affecting(b)]))
            if not blocks_more.is_empty:
                for rule, ctx, n, _ in blocks_more.affecting(b):
                    self.limited_blocks[i].append((min(ALL, n), self._described(s, rule, ctx)))

    def _described(self, s: State, rule: StaticRule | None, ctx: AbilityFrame) -> int:
        """Return the attackers that a permission to block more is limited to."""
        if rule is None or rule.by is None:
            return (1 << len(self.attackers)) - 1
        described = 0
        for k, a in enumerate(self.attackers):
            if rule.by.matches(s, a, ctx):
                described |= 1 << k
        return described

    def may_block_another(self, i: int, blocked: int, k: int) -> bool:
        """Return whether a blocker that already blocks these attackers may block one more (rules 3.4b1)."""
        attackers = blocked | 1 << k
        extra = self.extra_blocks[i]
        n = attackers.bit_count()
        if n <= 1 + extra:
            return True
        for more, described in self.limited_blocks[i]:
            if n <= 1 + more + extra and (attackers & ~described).bit_count() <= extra:
                return True
        return False


def _class_numbers(s: State, dice: list[int]) -> list[int]:
    """Return a number for each die that is equal for equivalent dice."""
    numbers: dict[tuple[int, ...], int] = {}
    return [numbers.setdefault(equivalence_key(s, d), len(numbers)) for d in dice]
