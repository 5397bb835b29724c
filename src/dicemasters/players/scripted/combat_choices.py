"""The script's attackers, blockers and damage splits (S22 to S31, S36)."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.game.inspect import hypotheticals, view
from dicemasters.game.inspect.view import State, equivalence_key
from dicemasters.game.text import describe
from dicemasters.players.scripted.explained_choice import ExplainedChoice, find_option
from dicemasters.players.scripted.ranking import is_sidekick, row_rank, strength_key

MIN_DEFENDERS = 2  # characters that stay home (S23)
MAX_BLOCKERS = 2  # per attacker (S27)

# --- attackers -----------------------------------------------------------------------------------------------------


class AttackPlan:
    """The planned attackers and defenders, as if no attacker had been declared yet, and the rule behind the plan.

    Attackers are counted by die (rules S22).
    """

    def __init__(self, s: State, seat: int) -> None:
        c = hypotheticals.without_attackers(s)
        own = view.fielded_characters(c, seat)
        able = [d for d in own if view.can_attack(c, d) and view.can_attack_freely(c, d)]
        self.total = sum(view.current_stats(c, d)[0] for d in able)
        self.life = view.life(s, view.opponent_of(seat))
        self.rule, self.why = (
            "S23",
            "keeps two home, if it can a Sidekick and its weakest other, and attacks with the rest",
        )
        self.defenders: list[int] = []
        self.forced_attackers: list[int] = []
        if able and self.total >= self.life:  # rules S25
            self.attackers = able
            self.rule = "S25"
            self.why = f"attacks with everybody: {self.total} A against {self.life} life"
            return
        # dice that must attack do so; dice that cannot attack count among those at home (rules S26)
        forced = self.forced_attackers = [d for d in able if view.must_attack(c, d)]
        home = [d for d in own if d not in able]
        unforced = [d for d in able if d not in forced]

        def weakness(d: int) -> tuple[int, int, int, bool]:
            attack, defence = view.current_stats(c, d)
            # last criterion: among equivalent dice, keep one at home that is not declared yet
            return (attack, -defence, -row_rank(s, d, seat), view.is_attacking(s, d))

        # rules S23
        characters = sorted((d for d in unforced if not is_sidekick(s, d)), key=weakness)
        sidekicks = sorted((d for d in unforced if is_sidekick(s, d)), key=weakness)
        if len(home) < MIN_DEFENDERS and not any(is_sidekick(s, d) for d in home) and sidekicks:
            home.append(sidekicks.pop(0))
        while len(home) < MIN_DEFENDERS and (characters or sidekicks):
            home.append((characters or sidekicks).pop(0))
        self.defenders = [d for d in home if d in able]
        self.attackers = [d for d in able if d not in self.defenders]
        if not self.attackers:  # rules S24
            self.rule, self.why = "S24", "keeps two characters home and has no more that can attack"
        elif set(self.attackers) <= set(forced):
            self.rule, self.why = "S26", "attacks with whoever must"


def will_attack(s: State) -> bool:
    """Return True if the script would attack with the field as it is."""
    return bool(AttackPlan(s, s.decision.seat).attackers)


def attack(s: State) -> ExplainedChoice:
    """Declare the planned attackers in the order in which the game offers them (rules 8.4a)."""
    plan = AttackPlan(s, s.decision.seat)
    undeclared = [equivalence_key(s, d) for d in plan.attackers if not view.is_attacking(s, d)]
    forced = [equivalence_key(s, d) for d in plan.forced_attackers]
    for i, (kind, d, _) in enumerate(s.options):
        if kind == "attack" and equivalence_key(s, d) in undeclared:
            if equivalence_key(s, d) in forced:
                return ExplainedChoice(i, "S26", f"must attack: {describe.die_text(s, d)}")
            return ExplainedChoice(i, plan.rule, f"{plan.why}: {describe.die_text(s, d)}")
    done = find_option(s, "done")
    if done < 0:
        last = len(s.options) - 1  # dice that must attack are offered last
        return ExplainedChoice(last, "S26", f"must attack: {describe.die_text(s, s.options[last][1])}")
    names = ", ".join(describe.die_text(s, d) for d in plan.defenders)
    return ExplainedChoice(done, plan.rule, f"{plan.why}; home stay {names}" if names and plan.attackers else plan.why)


# --- blockers ------------------------------------------------------------------------------------------------------

BlockPair = tuple[int, int]


class BlockPlan(NamedTuple):
    """The planned blocks, forced ones first, and the dice that could block but have no attacker left."""

    planned_blocks: list[BlockPair]
    forced: dict[BlockPair, str]  # forced blocks, and their reasons
    unassigned: list[int]


def block(s: State) -> ExplainedChoice:
    """Declare the planned blocks in the order in which the game offers them (rules 8.5a)."""
    c = hypotheticals.without_blocks(s)
    plan = plan_blocks(c, s.decision.seat)
    remaining, declared_attackers = _drop_declared(s, c, plan.planned_blocks)
    for i, (kind, b, a) in enumerate(s.options):
        pair = _find_pair(c, remaining, declared_attackers, b, a) if kind == "block" else None
        if pair is not None:
            why = f"{describe.die_text(s, b)} blocks {describe.die_text(s, a)}"
            if pair in plan.forced:
                return ExplainedChoice(i, "S30", f"{why}, {plan.forced[pair]}")
            if any(y == pair[1] for _, y in plan.planned_blocks[: plan.planned_blocks.index(pair)]):
                return ExplainedChoice(i, "S28", f"{why} as the second")
            return ExplainedChoice(i, "S27", f"{why}, lowest D against highest A")
    done = find_option(s, "done")
    if done >= 0:
        return _explain_no_block(s, done, plan)
    first = min(range(len(s.options)), key=lambda i: _forced_block_order(s, i))
    _, b, a = s.options[first]
    why = REASON_MUST_BLOCK if _must_block(s, b, a) else REASON_MUST_BE_BLOCKED
    return ExplainedChoice(first, "S30", f"{describe.die_text(s, b)} blocks {describe.die_text(s, a)}, {why}")


def _must_block(s: State, b: int, a: int) -> bool:
    """Return True if a die meets an obligation by blocking this attacker."""
    return view.must_block(s, b) or a in view.must_block_attackers(s, b)


def _explain_no_block(s: State, done: int, plan: BlockPlan) -> ExplainedChoice:
    """Return the choice to declare no more blocks, with its reason."""
    if plan.unassigned and all(len(view.blockers_of(s, a)) >= MAX_BLOCKERS for a in view.attackers(s)):
        return ExplainedChoice(done, "S27", "has two blockers for each attacker")
    if plan.unassigned:
        return ExplainedChoice(done, "S30", "has nobody more who may block one with room for a blocker")
    if any(kind == "block" and not view.can_block_freely(s, b) for kind, b, _ in s.options):
        return ExplainedChoice(done, "S30", "pays no life to block")
    return ExplainedChoice(done, "S27", "has nobody more who could block")


def _forced_block_order(s: State, i: int) -> tuple[object, ...]:
    """Return a sort key for compulsory blocks: obligations first, then attackers with room for a blocker (S30)."""
    _, b, a = s.options[i]
    is_due = _must_block(s, b, a) or (view.is_affected_by(s, "must be blocked", a) and not view.blockers_of(s, a))
    is_full = len(view.blockers_of(s, a)) >= MAX_BLOCKERS
    return not is_due, is_full, _blocker_order(s, b, s.decision.seat), _attacker_order(s, a, s.decision.seat)


def _blocker_order(s: State, d: int, seat: int) -> tuple[int, ...]:
    attack, defence = view.current_stats(s, d)  # rules S28, S29
    return (defence, attack, 0 if is_sidekick(s, d) else 1, row_rank(s, d, seat))


def _attacker_order(s: State, d: int, seat: int) -> tuple[int, ...]:
    attack, defence = view.current_stats(s, d)  # rules S28, S29
    return (-attack, -defence, -view.printed_cost(s, d), row_rank(s, d, seat))


def plan_blocks(s: State, seat: int) -> BlockPlan:
    """Return the plan for all able blockers: ascending D against descending A, in two rounds (S27 to S31)."""
    return _BlockPlanner(s, seat).plan()


REASON_MUST_BLOCK = "as it has to"
REASON_MUST_BE_BLOCKED = "as somebody has to"
REASON_HELPER = "which takes more than one blocker"


class _BlockPlanner:
    """Plans blocks: the forced ones first, then all others."""

    def __init__(self, s: State, seat: int) -> None:
        self.s = s
        able = [d for d in view.fielded_characters(s, seat) if view.can_block_freely(s, d)]
        self.unassigned = sorted(able, key=lambda d: _blocker_order(s, d, seat))  # blockers without an attacker so far
        self.forced_blockers = [b for b in self.unassigned if view.must_block(s, b)]
        self.attackers = sorted(view.attackers(s), key=lambda d: _attacker_order(s, d, seat))
        self.must_block_first = {a: view.attackers_to_block_first(s, a) for a in self.attackers}
        self.planned_blocks: list[BlockPair] = []
        self.forced: dict[BlockPair, str] = {}

    def plan(self) -> BlockPlan:
        """Return the plan for all blocks.

        An obligation may give an attacker more than two blockers if it cannot be met otherwise (S30).
        """
        forced_blockers = self.forced_blockers
        for b in self.unassigned[:]:
            required = [a for a in self.attackers if a in view.must_block_attackers(self.s, b)]
            self._assign_first_legal(b, required, REASON_MUST_BLOCK)
            self._assign_additional(b, required)
        for a in self.attackers:
            if view.is_affected_by(self.s, "must be blocked", a) and not self._count_blockers(a):
                able = [b for b in self.unassigned if view.may_block(self.s, b, a)]
                for b in sorted(able, key=lambda b: b not in forced_blockers)[:1]:  # prefer dice that must block
                    self._assign_first_legal(
                        b, [a], REASON_MUST_BLOCK if b in forced_blockers else REASON_MUST_BE_BLOCKED
                    )
        for limit in range(1, len(self.unassigned) + 1):
            self._assign_round(limit, [b for b in forced_blockers if b in self.unassigned], REASON_MUST_BLOCK)
        self.unassigned.sort(key=lambda b: b not in forced_blockers)  # dice that must block come first
        for limit in range(1, MAX_BLOCKERS + 1):
            self._assign_round(limit, self.unassigned[:])
        return BlockPlan(self.planned_blocks, self.forced, self.unassigned)

    def _assign_round(self, limit: int, blockers: list[int], why: str = "") -> None:
        """Assign each of these blockers to the first legal attacker that has fewer blockers than the limit."""
        for b in blockers:
            open_attackers = [
                a for a in self.attackers if self._count_blockers(a) < limit and self._prerequisites_are_blocked(a)
            ]
            self._assign_first_legal(
                b,
                [
                    a
                    for a in open_attackers
                    if self._blockers_needed(a) == 1 or view.minimum_blockers_of(self.s, a) <= limit
                ],
                why,
            )

    def _assign_first_legal(self, b: int, attackers: list[int], why: str = "") -> None:
        """Assign a die to the first of these attackers that it may block, with helpers where needed."""
        for a in attackers if b in self.unassigned else ():
            if not view.may_block(self.s, b, a):
                continue
            others = [x for x in self.unassigned if x != b and view.may_block(self.s, x, a)]
            helpers = sorted(others, key=lambda x: x not in self.forced_blockers)[: self._blockers_needed(a) - 1]
            if len(helpers) < self._blockers_needed(a) - 1:
                continue
            for x in (b, *helpers):
                self.unassigned.remove(x)  # a die blocks one attacker (rules S31)
                self.planned_blocks.append((x, a))
                if why:
                    self.forced[x, a] = (
                        why if x == b else REASON_MUST_BLOCK if x in self.forced_blockers else REASON_HELPER
                    )
            return

    def _assign_additional(self, b: int, attackers: list[int]) -> None:
        """Assign a die that already blocks to all others of these attackers that it may block."""
        blocked = [a for x, a in self.planned_blocks if x == b]
        for a in attackers if blocked else ():
            if a not in blocked and view.can_block_another(self.s, b, blocked, a):
                blocked.append(a)
                self.planned_blocks.append((b, a))
                self.forced[b, a] = REASON_MUST_BLOCK

    def _count_blockers(self, a: int) -> int:
        return sum(x == a for _, x in self.planned_blocks)

    def _blockers_needed(self, a: int) -> int:
        """Return the number of further blockers that the next legal block of an attacker needs, at least 1."""
        return max(1, view.minimum_blockers_of(self.s, a) - self._count_blockers(a))

    def _prerequisites_are_blocked(self, a: int) -> bool:
        """Return True if all attackers that must be blocked along with this one are blocked by now (uxm 63)."""
        return all(self._count_blockers(x) for x in self.must_block_first[a])


def _drop_declared(s: State, c: State, plan: list[BlockPair]) -> tuple[list[BlockPair], dict[int, int]]:
    """Return the plan without the declared blocks, and which declared attacker stands for each planned one.

    The two may be different dice, as equivalent attackers are interchangeable.
    """
    remaining, declared_attackers = plan[:], dict[int, int]()
    for b, a in view.blocks(s):
        pair = _find_pair(c, remaining, declared_attackers, b, a)
        if pair is not None:
            remaining.remove(pair)
            declared_attackers[pair[1]] = a
    return remaining, declared_attackers


def _find_pair(
    c: State, remaining: list[BlockPair], declared_attackers: dict[int, int], b: int, a: int
) -> BlockPair | None:
    """Return the planned pair that a block stands for, with equivalent dice being interchangeable, or None."""
    for x, y in remaining:
        if equivalence_key(c, x) == equivalence_key(c, b):
            if declared_attackers.get(y) == a or (
                y not in declared_attackers and a not in declared_attackers.values() and _is_equivalent(c, y, a)
            ):
                return x, y
    return None


def _is_equivalent(c: State, x: int, y: int) -> bool:
    return x == y or equivalence_key(c, x) == equivalence_key(c, y)


# --- damage --------------------------------------------------------------------------------------------------------


def split_damage(s: State, amount: int, foes: list[int], seat: int, *, all_of_it: bool = True) -> dict[int, int]:
    """Return a division of damage: KO the most expensive die possible, then the next (S36).

    The rest goes to the last die, or all of it to the first if none can be KO'd.
    """
    ranked = sorted(foes, key=lambda d: (-view.printed_cost(s, d), *strength_key(s, d, seat)))
    assigned = dict.fromkeys(foes, 0)
    remaining = amount
    for d in ranked:
        lethal = view.lethal_damage(s, d)
        if 0 < lethal <= remaining:
            assigned[d] = lethal
            remaining -= lethal
    if ranked and remaining and all_of_it:
        assigned[ranked[-1] if remaining < amount else ranked[0]] += remaining
    return assigned


def split(s: State) -> ExplainedChoice:
    """Choose the combat damage for the opponent that the game asks about (S36)."""
    source, target, seat = s.decision.about, s.decision.number, s.decision.seat
    foes = view.combat_opponents_of(s, source)
    has_overcrush = view.has_overcrush(s, source)
    total = max(o[2] for o in s.options) + view.assigned_so_far(s)
    assigned = split_damage(s, total, foes, seat, all_of_it=not has_overcrush)
    if has_overcrush and not all(assigned.values()):
        assigned = split_damage(s, total, foes, seat)  # a blocker survives, so nothing passes through to the player
    # earlier answers may leave no room for the planned amount
    amount = min((o[2] for o in s.options), key=lambda n: abs(n - assigned[target]))
    index = next(i for i, o in enumerate(s.options) if o[2] == amount)
    return ExplainedChoice(
        index, "S36", f"{describe.die_text(s, source)} deals {amount} to {describe.die_text(s, target)}: KOs first"
    )
