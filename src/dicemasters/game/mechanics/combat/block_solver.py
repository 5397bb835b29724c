"""Search for declarations of blockers that meet as many obligations to block as possible."""

from __future__ import annotations

from typing import Final, final

from dicemasters.game.mechanics.combat.restrictions import (
    blocked_first,
    life_toll,
    may_block_another,
    minimum_blockers,
    must_attack_or_block,
    must_block_these,
)
from dicemasters.game.queries import combat_status, static_rules
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.state import State

MAX_STEPS: Final = 100_000  # search steps before obligations are waived; no game with the printed cards comes close


@final
class BlockSolver:
    """Search over the blocks that can still be declared.

    Only *constrained* attackers matter for it: those that have to be blocked, by any die or by a certain one, those
    that need several blockers, and those that are blocked only together with others. A returned number of obligations is the
    most that can be met, or -1 if no legal declaration is left.
    """

    def __init__(self, s: State, blockers: list[int], attackers: list[int]) -> None:
        self.s = s
        self.blockers = blockers
        self.attackers = attackers
        self.tolls_allowed = (
            False  # whether blocks that cost life count; an obligation never makes a player pay (rules 10.9)
        )
        self.steps = 0
        self.toll_free = [not life_toll(s, "cannot block", blocker) for blocker in blockers]
        self.required_attackers = [must_block_these(s, blocker, attackers) for blocker in blockers]
        self.must_block = [must_attack_or_block(s, "must block", blocker) for blocker in blockers]
        self.any_must_block = any(self.must_block)
        must_be_blocked = [a for a in attackers if static_rules.is_affected_by(s, "must be blocked", a)]
        prerequisites = {a: blocked_first(s, a, attackers) for a in attackers}
        constrained = {a for a in attackers if minimum_blockers(s, a) > 1 or prerequisites[a]}
        for others in (must_be_blocked, *self.required_attackers, *prerequisites.values()):
            constrained.update(others)
        self.constrained = [a for a in attackers if a in constrained]
        self.min_blockers = [minimum_blockers(s, a) for a in self.constrained]
        self.must_be_blocked = [a in must_be_blocked for a in self.constrained]
        self.prerequisites = [[self.constrained.index(x) for x in prerequisites[a]] for a in self.constrained]
        self.counts = tuple([len(combat_status.blockers_of(s, a)) for a in self.constrained])
        self.interchangeable = self._group_interchangeable()
        self.choices: list[list[tuple[int, list[int]]]] = [[] for _ in blockers]
        self.cache: dict[tuple[int, bool, tuple[int, ...]], int] = {}

    @property
    def is_exhausted(self) -> bool:
        """Return whether the search has taken too many steps; obligations are then waived to keep the game going."""
        return self.steps > MAX_STEPS

    def _group_interchangeable(self) -> list[list[int]]:
        """Return groups of constrained attackers, by index, that no rule and no blocker distinguishes."""
        groups: dict[tuple[object, ...], list[int]] = {}
        for k, a in enumerate(self.constrained):
            relations = [
                (combat_status.may_block(self.s, b, a), a in self.required_attackers[i])
                for i, b in enumerate(self.blockers)
            ]
            prerequisites = tuple([self.constrained[x] for x in self.prerequisites[k]])
            dependents = tuple([a in [self.constrained[x] for x in others] for others in self.prerequisites])
            groups.setdefault(
                (
                    equivalence_key(self.s, a),
                    self.min_blockers[k],
                    self.must_be_blocked[k],
                    prerequisites,
                    dependents,
                    *relations,
                ),
                [],
            ).append(k)
        return [group for group in groups.values() if len(group) > 1]

    def add_blocker(self, counts: tuple[int, ...], attacker: int) -> tuple[int, ...]:
        """Return the counts with one more blocker for the attacker."""
        return tuple([n + (a == attacker) for a, n in zip(self.constrained, counts, strict=True)])

    def obligations_met(self, i: int, blocked: list[int]) -> int:
        """Return how many obligations to block a blocker meets by blocking these attackers.

        A die that has to pay life for blocking has none (rules 10.9).
        """
        if not blocked or not self.toll_free[i]:
            return 0
        return int(self.must_block[i]) + sum([a in self.required_attackers[i] for a in blocked])

    def obligations_met_except(self, last: int) -> int:
        """Return the obligations met by the blocks declared so far, without those of a blocker that may still add blocks."""
        if not self.constrained and not self.any_must_block:
            return 0
        return sum(
            [
                self.obligations_met(i, combat_status.blocked_by(self.s, b))
                for i, b in enumerate(self.blockers)
                if i != last
            ]
        )

    def max_obligations_with(self, i: int, blocked: list[int], counts: tuple[int, ...]) -> int:
        """Return how many obligations can be met from blocker `i` on if it blocks these attackers and perhaps others."""
        best = -1
        for extra in self._extra_blocks(i, blocked):
            if self.is_exhausted:
                break
            later_obligations = self.max_obligations_from(i + 1, self._add_blockers(counts, extra))
            if later_obligations >= 0:
                best = max(best, later_obligations + self.obligations_met(i, [*blocked, *extra]))
        return best

    def max_obligations_from(self, i: int, counts: tuple[int, ...]) -> int:
        """Return how many obligations can be met from blocker `i` on, including those to have attackers blocked.

        `counts` holds the number of blockers that each constrained attacker has so far.
        """
        if not self.constrained and not self.any_must_block:
            return 0
        if i == len(self.blockers):
            return self._score_counts(counts)
        key = (i, self.tolls_allowed, self._canonical_counts(counts))
        if key not in self.cache:
            best = self.max_obligations_from(i + 1, key[2])
            for met, blocked in self._block_choices(i) if self.toll_free[i] or self.tolls_allowed else ():
                self.steps += 1
                if self.is_exhausted:
                    break
                later_obligations = self.max_obligations_from(
                    i + 1, tuple([n + (k in blocked) for k, n in enumerate(key[2])])
                )
                if later_obligations >= 0:
                    best = max(best, later_obligations + met)
            self.cache[key] = best
        return self.cache[key]

    def _canonical_counts(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        """Return equivalent counts as a cache key: no more than needed, sorted among interchangeable attackers."""
        canonical = [min(n, minimum) for n, minimum in zip(counts, self.min_blockers, strict=True)]
        for group in self.interchangeable:
            for k, n in zip(group, sorted([canonical[k] for k in group]), strict=True):
                canonical[k] = n
        return tuple(canonical)

    def _block_choices(self, i: int) -> list[tuple[int, list[int]]]:
        """Return the ways in which a die can block: its obligations met, and the indices of the constrained attackers."""
        if not self.choices[i]:
            combinations = [[a, *extra] for a in self._first_blocks(i) for extra in self._extra_blocks(i, [a])]
            self.choices[i] = [
                (self.obligations_met(i, blocked), [k for k, a in enumerate(self.constrained) if a in blocked])
                for blocked in combinations
            ]
        return self.choices[i]

    def _score_counts(self, counts: tuple[int, ...]) -> int:
        """Return how many attackers that must be blocked are blocked; -1 if one lacks blockers or a prerequisite."""
        total = 0
        for k, n in enumerate(counts):
            if n and (n < self.min_blockers[k] or not all(counts[x] for x in self.prerequisites[k])):
                return -1
            total += int(self.must_be_blocked[k] and n > 0)
        return total

    def _first_blocks(self, i: int) -> list[int]:
        """Return the attackers a die may block first: each constrained one, and one other if it has to block at all."""
        blockable = [a for a in self.attackers if combat_status.may_block(self.s, self.blockers[i], a)]
        constrained = [a for a in blockable if a in self.constrained]
        unconstrained = [a for a in blockable if a not in self.constrained] if self.must_block[i] else []
        return constrained + unconstrained[:1]

    def _add_blockers(self, counts: tuple[int, ...], attackers: list[int]) -> tuple[int, ...]:
        for attacker in attackers:
            counts = self.add_blocker(counts, attacker)
        return counts

    def _extra_blocks(self, i: int, blocked: list[int]) -> list[list[int]]:
        """Return the combinations of constrained attackers that a die may block in addition, in their order."""
        blocker = self.blockers[i]
        last = self.attackers.index(blocked[-1]) if blocked else -1
        combinations: list[list[int]] = [[]]
        for attacker in self.attackers[last + 1 :]:
            if (
                attacker in self.constrained
                and combat_status.may_block(self.s, blocker, attacker)
                and not self.is_exhausted
            ):
                combinations += [
                    [*combination, attacker]
                    for combination in combinations
                    if may_block_another(self.s, blocker, [*blocked, *combination], attacker)
                ]
                self.steps += len(combinations)
        return combinations
