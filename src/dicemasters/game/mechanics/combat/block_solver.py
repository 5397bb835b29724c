"""Search for declarations of blockers that meet all requirements."""

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

MAX_STEPS: Final = 100_000  # in looking for who can meet which duty to block; no game of these cards comes near


@final
class BlockSolver:
    """What blocks may still come to: who has to block, and what the attackers need about which the rules say more."""

    def __init__(self, s: State, order: list[int], attackers: list[int]) -> None:
        self.s = s
        self.order = order
        self.attackers = attackers
        self.paying = False  # whether those count who block only for life (rules 10.9)
        self.steps = 0
        self.free = [not life_toll(s, "cannot block", b) for b in order]
        self.wanted = [must_block_these(s, b, attackers) for b in order]
        self.must = [must_attack_or_block(s, "must block", b) for b in order]
        self.bound = any(self.must)
        needy = [a for a in attackers if static_rules.is_affected_by(s, "must be blocked", a)]
        first = {a: blocked_first(s, a, attackers) for a in attackers}
        special = {a for a in attackers if minimum_blockers(s, a) > 1 or first[a]}
        for more in (needy, *self.wanted, *first.values()):
            special.update(more)
        self.special = [a for a in attackers if a in special]
        self.min_blockers = [minimum_blockers(s, a) for a in self.special]
        self.needy = [a in needy for a in self.special]
        self.first = [[self.special.index(x) for x in first[a]] for a in self.special]
        self.counts = tuple([len(combat_status.blockers_of(s, a)) for a in self.special])
        self.interchangeable = self._group_interchangeable()
        self.choices: list[list[tuple[int, list[int]]]] = [[] for _ in order]
        self.cache: dict[tuple[int, bool, tuple[int, ...]], int] = {}

    @property
    def is_lost(self) -> bool:
        """Tell whether there are too many ways to go through: then duties bind nobody, rather than the table waits."""
        return self.steps > MAX_STEPS

    def _group_interchangeable(self) -> list[list[int]]:
        """List which of the special attackers can stand for each other: the same to everybody who may block."""
        found: dict[tuple[object, ...], list[int]] = {}
        for k, a in enumerate(self.special):
            to_each = [(combat_status.may_block(self.s, b, a), a in self.wanted[i]) for i, b in enumerate(self.order)]
            first = tuple([self.special[x] for x in self.first[k]])
            last = tuple([a in [self.special[x] for x in others] for others in self.first])
            found.setdefault(
                (equivalence_key(self.s, a), self.min_blockers[k], self.needy[k], first, last, *to_each), []
            ).append(k)
        return [x for x in found.values() if len(x) > 1]

    def with_one(self, counts: tuple[int, ...], attacker: int) -> tuple[int, ...]:
        """Count one blocker more of an attacker."""
        return tuple([n + (a == attacker) for a, n in zip(self.special, counts, strict=True)])

    def duties_met(self, i: int, blocked: list[int]) -> int:
        """Give how many duties of its own a die meets by blocking these."""
        if not blocked or not self.free[i]:
            return 0
        return int(self.must[i]) + sum([a in self.wanted[i] for a in blocked])

    def duties_met_except(self, last: int) -> int:
        """Give how many duties the dice meet that have declared their blocks, without one that may still add some."""
        if not self.special and not self.bound:
            return 0
        return sum(
            [self.duties_met(i, combat_status.blocked_by(self.s, b)) for i, b in enumerate(self.order) if i != last]
        )

    def max_duties_with(self, i: int, blocked: list[int], counts: tuple[int, ...]) -> int:
        """Give how many duties can be met from a die on that blocks these and may add others; -1 if all is not right."""
        best = -1
        for more in self._extra_blocks(i, blocked):
            if self.is_lost:
                break
            rest = self.max_duties_from(i + 1, self._with(counts, more))
            if rest >= 0:
                best = max(best, rest + self.duties_met(i, [*blocked, *more]))
        return best

    def max_duties_from(self, i: int, counts: tuple[int, ...]) -> int:
        """Give how many duties the dice from here on can meet, with those to have attackers blocked; -1 as above."""
        if not self.special and not self.bound:
            return 0
        if i == len(self.order):
            return self._score_counts(counts)
        key = (i, self.paying, self._settled(counts))
        if key not in self.cache:
            best = self.max_duties_from(i + 1, key[2])
            for met, at in self._choices(i) if self.free[i] or self.paying else ():
                self.steps += 1
                if self.is_lost:
                    break
                rest = self.max_duties_from(i + 1, tuple([n + (k in at) for k, n in enumerate(key[2])]))
                if rest >= 0:
                    best = max(best, rest + met)
            self.cache[key] = best
        return self.cache[key]

    def _settled(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        """Say counts so that what comes to the same is the same: no more than needed, like attackers in one order."""
        out = [min(n, least) for n, least in zip(counts, self.min_blockers, strict=True)]
        for like in self.interchangeable:
            for k, n in zip(like, sorted([out[k] for k in like]), strict=True):
                out[k] = n
        return tuple(out)

    def _choices(self, i: int) -> list[tuple[int, list[int]]]:
        """List what a die may block: how many duties of its own that meets, and which of the special attackers it is."""
        if not self.choices[i]:
            every = [[a, *more] for a in self._any_one(i) for more in self._extra_blocks(i, [a])]
            self.choices[i] = [
                (self.duties_met(i, x), [k for k, a in enumerate(self.special) if a in x]) for x in every
            ]
        return self.choices[i]

    def _score_counts(self, counts: tuple[int, ...]) -> int:
        total = 0
        for k, n in enumerate(counts):
            if n and (n < self.min_blockers[k] or not all(counts[x] for x in self.first[k])):
                return -1
            total += int(self.needy[k] and n > 0)
        return total

    def _any_one(self, i: int) -> list[int]:
        """List whom a die may block first: each of the special ones, and one of the others if it has to block at all."""
        able = [a for a in self.attackers if combat_status.may_block(self.s, self.order[i], a)]
        special = [a for a in able if a in self.special]
        others = [a for a in able if a not in self.special] if self.must[i] else []
        return special + others[:1]

    def _with(self, counts: tuple[int, ...], more: list[int]) -> tuple[int, ...]:
        for a in more:
            counts = self.with_one(counts, a)
        return counts

    def _extra_blocks(self, i: int, blocked: list[int]) -> list[list[int]]:
        """List which special attackers a die may block besides, in their order."""
        b = self.order[i]
        at = self.attackers.index(blocked[-1]) if blocked else -1
        found: list[list[int]] = [[]]
        for a in self.attackers[at + 1 :]:
            if a in self.special and combat_status.may_block(self.s, b, a) and not self.is_lost:
                found += [[*way, a] for way in found if may_block_another(self.s, b, [*blocked, *way], a)]
                self.steps += len(found)
        return found
