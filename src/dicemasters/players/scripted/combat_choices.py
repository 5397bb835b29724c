"""Who attacks, who blocks whom, and how damage is split (S22 to S31, S36)."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.game.inspect import hypotheticals, view
from dicemasters.game.inspect.view import State, equivalence_key
from dicemasters.game.text import describe
from dicemasters.players.scripted.explained_choice import ExplainedChoice, find_option
from dicemasters.players.scripted.ranking import is_sidekick, row_rank, strength_key

MIN_DEFENDERS = 2  # how many stay
MAX_BLOCKERS = 2  # for each attacker

# --- attackers -----------------------------------------------------------------------------------------------------


class AttackPlan:
    """Who attacks and who stays, as if nobody were declared yet; the rule that says so."""

    def __init__(self, s: State, seat: int) -> None:
        c = hypotheticals.without_attackers(s)
        mine = view.fielded_characters(c, seat)
        able = [d for d in mine if view.can_attack(c, d) and view.can_attack_freely(c, d)]
        self.total = sum(view.current_stats(c, d)[0] for d in able)
        self.life = view.life(s, view.opponent_of(seat))
        self.rule, self.why = (
            "S23",
            "keeps two home, if it can a Sidekick and its weakest other, and attacks with the rest",
        )
        self.defenders: list[int] = []
        self.forced_attackers: list[int] = []
        if able and self.total >= self.life:
            self.attackers = able
            self.rule = "S25"
            self.why = f"attacks with everybody: {self.total} A against {self.life} life"
            return
        must = self.forced_attackers = [d for d in able if view.must_attack(c, d)]
        stay = [d for d in mine if d not in able]
        rest = [d for d in able if d not in must]

        def weakness(d: int) -> tuple[int, int, int, bool]:
            a, de = view.current_stats(c, d)
            return (a, -de, -row_rank(s, d, seat), view.is_attacking(s, d))  # of like dice one not declared yet

        others = sorted((d for d in rest if not is_sidekick(s, d)), key=weakness)
        sidekicks = sorted((d for d in rest if is_sidekick(s, d)), key=weakness)
        if len(stay) < MIN_DEFENDERS and not any(is_sidekick(s, d) for d in stay) and sidekicks:
            stay.append(sidekicks.pop(0))
        while len(stay) < MIN_DEFENDERS and (others or sidekicks):
            stay.append((others or sidekicks).pop(0))
        self.defenders = [d for d in stay if d in able]
        self.attackers = [d for d in able if d not in self.defenders]
        if not self.attackers:
            self.rule, self.why = "S24", "keeps two characters home and has no more that can attack"
        elif set(self.attackers) <= set(must):
            self.rule, self.why = "S26", "attacks with whoever must"


def will_attack(s: State) -> bool:
    """Tell whether anybody would attack with the field as it is."""
    return bool(AttackPlan(s, s.decision.seat).attackers)


def attack(s: State) -> ExplainedChoice:
    """Declare the attackers in the order in which the game offers them."""
    plan = AttackPlan(s, s.decision.seat)
    waiting = [equivalence_key(s, d) for d in plan.attackers if not view.is_attacking(s, d)]
    must = [equivalence_key(s, d) for d in plan.forced_attackers]
    for i, (what, d, _) in enumerate(s.options):
        if what == "attack" and equivalence_key(s, d) in waiting:
            if equivalence_key(s, d) in must:
                return ExplainedChoice(i, "S26", f"must attack: {describe.die_text(s, d)}")
            return ExplainedChoice(i, plan.rule, f"{plan.why}: {describe.die_text(s, d)}")
    done = find_option(s, "done")
    if done < 0:
        last = len(s.options) - 1  # whoever must is the last to be offered
        return ExplainedChoice(last, "S26", f"must attack: {describe.die_text(s, s.options[last][1])}")
    names = ", ".join(describe.die_text(s, d) for d in plan.defenders)
    return ExplainedChoice(done, plan.rule, f"{plan.why}; home stay {names}" if names and plan.attackers else plan.why)


# --- blockers ------------------------------------------------------------------------------------------------------

BlockPair = tuple[int, int]


class BlockPlan(NamedTuple):
    """Who is to block whom, those first who have to, and who is left over though able to block."""

    planned_blocks: list[BlockPair]
    forced: dict[BlockPair, str]  # those that have to be, and why
    unassigned: list[int]


def block(s: State) -> ExplainedChoice:
    """Declare the planned blocks in the order in which the game offers them."""
    c = hypotheticals.without_blocks(s)
    plan = plan_blocks(c, s.decision.seat)
    left, meant = _not_yet_declared(s, c, plan.planned_blocks)
    for i, (what, b, a) in enumerate(s.options):
        pair = _find_pair(c, left, meant, b, a) if what == "block" else None
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
    """Tell whether a die does its duty by blocking this attacker."""
    return view.must_block(s, b) or a in view.must_block_attackers(s, b)


def _explain_no_block(s: State, done: int, plan: BlockPlan) -> ExplainedChoice:
    """Say why nobody more blocks."""
    if plan.unassigned and all(len(view.blockers_of(s, a)) >= MAX_BLOCKERS for a in view.attackers(s)):
        return ExplainedChoice(done, "S27", "has two blockers for each attacker")
    if plan.unassigned:
        return ExplainedChoice(done, "S30", "has nobody more who may block one with room for a blocker")
    if any(what == "block" and not view.can_block_freely(s, b) for what, b, _ in s.options):
        return ExplainedChoice(done, "S30", "pays no life to block")
    return ExplainedChoice(done, "S27", "has nobody more who could block")


def _forced_block_order(s: State, i: int) -> tuple[object, ...]:
    """Order the blocks that are offered where somebody has to: those whose duty it is first, where there is room first."""
    _, b, a = s.options[i]
    is_due = _must_block(s, b, a) or (view.is_affected_by(s, "must be blocked", a) and not view.blockers_of(s, a))
    is_full = len(view.blockers_of(s, a)) >= MAX_BLOCKERS
    return not is_due, is_full, _blocker_order(s, b, s.decision.seat), _attacker_order(s, a, s.decision.seat)


def _blocker_order(s: State, d: int, seat: int) -> tuple[int, ...]:
    a, de = view.current_stats(s, d)
    return (de, a, 0 if is_sidekick(s, d) else 1, row_rank(s, d, seat))


def _attacker_order(s: State, d: int, seat: int) -> tuple[int, ...]:
    a, de = view.current_stats(s, d)
    return (-a, -de, -view.printed_cost(s, d), row_rank(s, d, seat))


def plan_blocks(s: State, seat: int) -> BlockPlan:
    """Pair everybody who may block: ascending D against descending A, one each, then a second round (S27 to S31)."""
    return _BlockPlanner(s, seat).plan()


REASON_MUST_BLOCK = "as it has to"
REASON_MUST_BE_BLOCKED = "as somebody has to"
REASON_HELPER = "which takes more than one blocker"


class _BlockPlanner:
    """Blocks being planned: those first that have to be, then everybody else's."""

    def __init__(self, s: State, seat: int) -> None:
        self.s = s
        able = [d for d in view.fielded_characters(s, seat) if view.can_block_freely(s, d)]
        self.left = sorted(able, key=lambda d: _blocker_order(s, d, seat))  # who blocks nobody yet
        self.forced_blockers = [b for b in self.left if view.must_block(s, b)]
        self.attackers = sorted(view.attackers(s), key=lambda d: _attacker_order(s, d, seat))
        self.blocked_before = {a: view.attackers_to_block_first(s, a) for a in self.attackers}
        self.planned_blocks: list[BlockPair] = []
        self.forced: dict[BlockPair, str] = {}

    def plan(self) -> BlockPlan:
        """Plan all blocks. A duty may bring an attacker more than two blockers, where it cannot be met otherwise."""
        bound = self.forced_blockers
        for b in self.left[:]:
            called = [a for a in self.attackers if a in view.must_block_attackers(self.s, b)]
            self._add_first(b, called, REASON_MUST_BLOCK)
            self._add_additional(b, called)
        for a in self.attackers:
            if view.is_affected_by(self.s, "must be blocked", a) and not self._count_blockers(a):
                fits = [b for b in self.left if view.may_block(self.s, b, a)]
                for b in sorted(fits, key=lambda b: b not in bound)[:1]:  # who has to block anyway goes first
                    self._add_first(b, [a], REASON_MUST_BLOCK if b in bound else REASON_MUST_BE_BLOCKED)
        for most in range(1, len(self.left) + 1):
            self._round(most, [b for b in bound if b in self.left], REASON_MUST_BLOCK)
        self.left.sort(key=lambda b: b not in bound)  # who has to and could not yet
        for most in range(1, MAX_BLOCKERS + 1):
            self._round(most, self.left[:])
        return BlockPlan(self.planned_blocks, self.forced, self.left)

    def _round(self, most: int, blockers: list[int], why: str = "") -> None:
        """Let each of these block the first attacker it may that has fewer blockers than so many."""
        for b in blockers:
            room = [a for a in self.attackers if self._count_blockers(a) < most and self._is_due(a)]
            self._add_first(
                b,
                [a for a in room if self._blockers_needed(a) == 1 or view.minimum_blockers_of(self.s, a) <= most],
                why,
            )

    def _add_first(self, b: int, attackers: list[int], why: str = "") -> None:
        """Let a die block the first of these that it may, with those who help where alone that is not legal."""
        for a in attackers if b in self.left else ():
            if not view.may_block(self.s, b, a):
                continue
            others = [x for x in self.left if x != b and view.may_block(self.s, x, a)]
            helpers = sorted(others, key=lambda x: x not in self.forced_blockers)[: self._blockers_needed(a) - 1]
            if len(helpers) < self._blockers_needed(a) - 1:
                continue
            for x in (b, *helpers):
                self.left.remove(x)
                self.planned_blocks.append((x, a))
                if why:
                    self.forced[x, a] = (
                        why if x == b else REASON_MUST_BLOCK if x in self.forced_blockers else REASON_HELPER
                    )
            return

    def _add_additional(self, b: int, attackers: list[int]) -> None:
        """Let a die that blocks somebody block all others of these that it may block as well."""
        mine = [a for x, a in self.planned_blocks if x == b]
        for a in attackers if mine else ():
            if a not in mine and view.can_block_another(self.s, b, mine, a):
                mine.append(a)
                self.planned_blocks.append((b, a))
                self.forced[b, a] = REASON_MUST_BLOCK

    def _count_blockers(self, a: int) -> int:
        return sum(x == a for _, x in self.planned_blocks)

    def _blockers_needed(self, a: int) -> int:
        """Give how many blockers more an attacker needs to be blocked by one more; 1 if that one is enough."""
        return max(1, view.minimum_blockers_of(self.s, a) - self._count_blockers(a))

    def _is_due(self, a: int) -> bool:
        """Tell whether all who have to be blocked if this attacker is are so now (uxm 63)."""
        return all(self._count_blockers(x) for x in self.blocked_before[a])


def _not_yet_declared(s: State, c: State, plan: list[BlockPair]) -> tuple[list[BlockPair], dict[int, int]]:
    """Take the blocks that are declared out of the plan; of like attackers, note which one stands for which."""
    left, meant = plan[:], dict[int, int]()
    for b, a in view.blocks(s):
        found = _find_pair(c, left, meant, b, a)
        if found is not None:
            left.remove(found)
            meant[found[1]] = a
    return left, meant


def _find_pair(c: State, left: list[BlockPair], meant: dict[int, int], b: int, a: int) -> BlockPair | None:
    """Find a planned pair that this one is, like dice being interchangeable."""
    for x, y in left:
        if equivalence_key(c, x) == equivalence_key(c, b):
            if meant.get(y) == a or (y not in meant and a not in meant.values() and _is_equivalent(c, y, a)):
                return x, y
    return None


def _is_equivalent(c: State, x: int, y: int) -> bool:
    return x == y or equivalence_key(c, x) == equivalence_key(c, y)


# --- damage --------------------------------------------------------------------------------------------------------


def split_damage(s: State, amount: int, foes: list[int], seat: int, *, all_of_it: bool = True) -> dict[int, int]:
    """Share damage out: KO the dearest it can, then the next; the rest on the last, or all on the first (S36)."""
    order = sorted(foes, key=lambda d: (-view.printed_cost(s, d), *strength_key(s, d, seat)))
    given = dict.fromkeys(foes, 0)
    left = amount
    for d in order:
        need = view.lethal_damage(s, d)
        if 0 < need <= left:
            given[d] = need
            left -= need
    if order and left and all_of_it:
        given[order[-1] if left < amount else order[0]] += left
    return given


def split(s: State) -> ExplainedChoice:
    """Say how much of a die's combat damage goes to the opponent it is asked about."""
    source, target, seat = s.decision.about, s.decision.number, s.decision.seat
    foes = view.combat_opponents_of(s, source)
    crushes = view.has_overcrush(s, source)
    most = max(o[2] for o in s.options) + view.assigned_so_far(s)
    given = split_damage(s, most, foes, seat, all_of_it=not crushes)
    if crushes and not all(given.values()):
        given = split_damage(s, most, foes, seat)  # somebody is left over, so nothing goes through to the player
    # what does not fit what was said before goes where it still can
    wanted = min((o[2] for o in s.options), key=lambda n: abs(n - given[target]))
    index = next(i for i, o in enumerate(s.options) if o[2] == wanted)
    return ExplainedChoice(
        index, "S36", f"{describe.die_text(s, source)} deals {wanted} to {describe.die_text(s, target)}: KOs first"
    )
