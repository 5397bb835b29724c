"""Who attacks, who blocks whom, and how damage is split (S22 to S31, S36)."""

from __future__ import annotations

from dicemasters.game import combat, look, say
from dicemasters.game.decide import alike
from dicemasters.game.frames import Assigning
from dicemasters.game.state import ATTACKING, State
from dicemasters.players.scripted.order import is_sidekick, rank, strength
from dicemasters.players.scripted.reason import Reason, find

HOME = 2  # how many stay

# --- attackers -----------------------------------------------------------------------------------------------------


class Attack:
    """Who attacks and who stays, as if nobody were declared yet; the rule that says so."""

    def __init__(self, s: State, seat: int) -> None:
        c = s.copy()
        for d in range(s.table.n_dice):
            c.flags[d] &= ~ATTACKING & 0xFF
        mine = look.fielded(c, seat)
        able = [d for d in mine if combat.can_attack(c, d) and not combat.toll(c, "cannot attack", d)]
        self.total = sum(look.stats(c, d)[0] for d in able)
        self.life = s.life[1 - (seat & 1)]
        self.rule, self.why = (
            "S23",
            "keeps two home, if it can a Sidekick and its weakest other, and attacks with the rest",
        )
        self.home: list[int] = []
        if able and self.total >= self.life:
            self.goes = able
            self.rule = "S25"
            self.why = f"attacks with everybody: {self.total} A against {self.life} life"
            return
        must = [d for d in able if look.is_ruled(c, "must attack", d)]
        stay = [d for d in mine if d not in able]
        rest = [d for d in able if d not in must]

        def weakness(d: int) -> tuple[int, int, int, int]:
            a, de = look.stats(c, d)
            return (a, -de, -rank(s, d, seat), s.flags[d] & ATTACKING)  # of like dice one not declared yet

        others = sorted((d for d in rest if not is_sidekick(s, d)), key=weakness)
        sidekicks = sorted((d for d in rest if is_sidekick(s, d)), key=weakness)
        if len(stay) < HOME and not any(is_sidekick(s, d) for d in stay) and sidekicks:
            stay.append(sidekicks.pop(0))
        while len(stay) < HOME and (others or sidekicks):
            stay.append((others or sidekicks).pop(0))
        self.home = [d for d in stay if d in able]
        self.goes = [d for d in able if d not in self.home]
        if not self.goes:
            self.rule, self.why = "S24", "keeps two characters home and has no more that can attack"
        elif set(self.goes) <= set(must):
            self.rule, self.why = "S26", "attacks with whoever must"


def will_attack(s: State) -> bool:
    """Tell whether anybody would attack with the field as it is."""
    return bool(Attack(s, s.ask.seat).goes)


def attack(s: State) -> Reason:
    """Declare the attackers in the order in which the game offers them."""
    plan = Attack(s, s.ask.seat)
    waiting = [alike(s, d) for d in plan.goes if not s.flags[d] & ATTACKING]
    for i, (what, d, _) in enumerate(s.options):
        if what == "attack" and alike(s, d) in waiting:
            return Reason(i, plan.rule, f"{plan.why}: {say.die_text(s, d)}")
    done = find(s, "done")
    if done < 0:
        return Reason(0, "S26", f"must attack: {say.die_text(s, s.options[0][1])}")
    names = ", ".join(say.die_text(s, d) for d in plan.home)
    return Reason(done, plan.rule, f"{plan.why}; home stay {names}" if names and plan.goes else plan.why)


# --- blockers ------------------------------------------------------------------------------------------------------

Pair = tuple[int, int]


def block(s: State) -> Reason:
    """Declare the planned blocks in the order in which the game offers them."""
    c = s.copy()
    c.blocks = []
    plan = planned_blocks(c, s.ask.seat)
    left, meant = _not_yet_declared(s, c, plan)
    for i, (what, b, a) in enumerate(s.options):
        if what == "block" and _match(c, left, meant, b, a) is not None:
            why = f"{say.die_text(s, b)} blocks {say.die_text(s, a)}"
            if look.blockers_of(s, a):
                return Reason(i, "S28", f"{why} as the second")
            return Reason(i, "S27", f"{why}, lowest D against highest A")
    done = find(s, "done")
    if done >= 0:
        return Reason(done, "S27" if s.blocks else "S30", "has nobody more who could block")
    first = min(range(len(s.options)), key=lambda i: _forced(s, i))
    return Reason(first, "S30", f"has to block: {say.option_text(s, s.options[first])}")


def _forced(s: State, i: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    _, b, a = s.options[i]
    return _blocker_order(s, b, s.ask.seat), _attacker_order(s, a, s.ask.seat)


def _blocker_order(s: State, d: int, seat: int) -> tuple[int, ...]:
    a, de = look.stats(s, d)
    return (de, a, 0 if is_sidekick(s, d) else 1, rank(s, d, seat))


def _attacker_order(s: State, d: int, seat: int) -> tuple[int, ...]:
    a, de = look.stats(s, d)
    return (-a, -de, -look.printed_cost(s, d), rank(s, d, seat))


def planned_blocks(s: State, seat: int) -> list[Pair]:
    """Pair everybody who may block: ascending D against descending A, one each, then a second round (S27 to S31)."""
    able = [d for d in look.fielded(s, seat) if not combat.toll(s, "cannot block", d)]
    blockers = sorted(able, key=lambda d: _blocker_order(s, d, seat))
    attackers = sorted(look.attackers(s), key=lambda d: _attacker_order(s, d, seat))
    last = [a for a in attackers if look.is_ruled(s, "blocked last", a)]
    attackers = [a for a in attackers if a not in last] + last
    pairs: list[Pair] = []
    blockers = _forced_blocks(s, blockers, attackers, pairs)
    for most in (1, 2):
        waiting: list[int] = []
        while blockers:
            b = blockers.pop(0)
            for a in attackers:
                has = sum(x == a for _, x in pairs)
                if has >= most or not combat.may_block(s, b, a) or not _is_due(a, last, attackers, pairs):
                    continue
                need = _least(s, a) - has - 1
                helpers = [x for x in blockers if combat.may_block(s, x, a)][:need] if need > 0 else []
                if need > 0 and (most < _least(s, a) or len(helpers) < need):
                    continue  # alone the pair is not legal
                pairs += [(b, a), *((x, a) for x in helpers)]
                blockers = [x for x in blockers if x not in helpers]
                break
            else:
                waiting.append(b)
        blockers = waiting
    return pairs


def _least(s: State, a: int) -> int:
    return max((n for _, _, n, _ in look.rules_about(s, "blocked by at least", a)), default=1)


def _is_due(a: int, last: list[int], attackers: list[int], pairs: list[Pair]) -> bool:
    """Tell whether an attacker that is blocked last may be blocked now."""
    return a not in last or all(x in last or any(y == x for _, y in pairs) for x in attackers)


def _forced_blocks(s: State, blockers: list[int], attackers: list[int], pairs: list[Pair]) -> list[int]:
    """Pair those who must meet somebody, and somebody for whoever must be blocked; give the rest of the blockers."""
    left: list[int] = []
    for b in blockers:
        wanted = {ctx.this for _, ctx, _, _ in look.rules_about(s, "must block this", b)}
        must = [a for a in attackers if a in wanted and combat.may_block(s, b, a)]
        if must:
            pairs.append((b, must[0]))
        else:
            left.append(b)
    for a in attackers:
        if look.is_ruled(s, "must be blocked", a) and not any(x == a for _, x in pairs) and _least(s, a) == 1:
            fits = [b for b in left if combat.may_block(s, b, a)]
            if fits:
                pairs.append((fits[0], a))
                left.remove(fits[0])
    return left


def _not_yet_declared(s: State, c: State, plan: list[Pair]) -> tuple[list[Pair], dict[int, int]]:
    """Take the blocks that are declared out of the plan; of like attackers, note which one stands for which."""
    left, meant = plan[:], dict[int, int]()
    for b, a in s.blocks:
        found = _match(c, left, meant, b, a)
        if found is not None:
            left.remove(found)
            meant[found[1]] = a
    return left, meant


def _match(c: State, left: list[Pair], meant: dict[int, int], b: int, a: int) -> Pair | None:
    """Find a planned pair that this one is, like dice being interchangeable."""
    for x, y in left:
        if alike(c, x) == alike(c, b):
            if meant.get(y) == a or (y not in meant and a not in meant.values() and _same(c, y, a)):
                return x, y
    return None


def _same(c: State, x: int, y: int) -> bool:
    return x == y or alike(c, x) == alike(c, y)


# --- damage --------------------------------------------------------------------------------------------------------


def shares(s: State, amount: int, foes: list[int], seat: int, *, all_of_it: bool = True) -> dict[int, int]:
    """Share damage out: KO the dearest it can, then the next; the rest on the last, or all on the first (S36)."""
    order = sorted(foes, key=lambda d: (-look.printed_cost(s, d), *strength(s, d, seat)))
    given = dict.fromkeys(foes, 0)
    left = amount
    for d in order:
        need = combat.lethal_to(s, d)
        if 0 < need <= left:
            given[d] = need
            left -= need
    if order and left and all_of_it:
        given[order[-1] if left < amount else order[0]] += left
    return given


def split(s: State) -> Reason:
    """Say how much of a die's combat damage goes to the opponent it is asked about."""
    frame = s.stack[-1]
    assert isinstance(frame, Assigning)
    source, target, seat = s.ask.about, s.ask.number, s.ask.seat
    foes = combat.foes_of(s, source)
    crushes = bool(s.flags[source] & ATTACKING) and look.has_keyword(s, source, "Overcrush")
    most = max(o[2] for o in s.options) + sum(frame.split)
    given = shares(s, most, foes, seat, all_of_it=not crushes)
    if crushes and not all(given.values()):
        given = shares(s, most, foes, seat)  # somebody is left over, so nothing goes through to the player
    # what does not fit what was said before goes where it still can
    wanted = min((o[2] for o in s.options), key=lambda n: abs(n - given[target]))
    index = next(i for i, o in enumerate(s.options) if o[2] == wanted)
    return Reason(index, "S36", f"{say.die_text(s, source)} deals {wanted} to {say.die_text(s, target)}: KOs first")
