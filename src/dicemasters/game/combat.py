"""The attack step: who attacks, who blocks, how damage is split (rules 3.4)."""

from __future__ import annotations

from typing import Final, final

from dicemasters.cards.words import ALL, NEXT_ATTACK, THIS_ATTACK
from dicemasters.game import changes, damage, lives, look, moves
from dicemasters.game.decide import alike, are_in_order, ask, distinct, in_order
from dicemasters.game.frames import WHOLE, Assigning, Packet, Record, Through
from dicemasters.game.state import (
    ATTACKING,
    BLOCKED,
    BY_BLOCKING,
    EARLIER,
    HAS_ATTACKED,
    HAS_BLOCKED,
    HAS_STRUCK,
    NOBODY,
    OF_DIE,
    OWES,
    PASSED,
    PLAYER,
    Option,
    State,
    gave,
    marks,
    translated,
)
from dicemasters.game.triggers import Seen, tell

MOST_STEPS: Final = 100_000  # in looking for who can meet which duty to block; no game of these cards comes near

# --- attackers -----------------------------------------------------------------------------------------------------


def _in_order(s: State, seat: int) -> list[int]:
    """List a seat's characters in the fixed order in which they are declared: like dice side by side."""
    dice = look.fielded(s, seat)
    if len(dice) < 2 or not (s.blocks or _is_any_attacking(s, dice)) or are_in_order(s, dice):
        return dice  # which is the order of the dice in a place
    return _as_before_the_attack(s, dice)


def _as_before_the_attack(s: State, dice: list[int]) -> list[int]:
    """Sort dice as they lay in their place before any of them was declared."""

    def rank(d: int) -> tuple[int, int, int, int, tuple[int, ...], list[int], int]:
        flags = s.flags[d] & (~ATTACKING & 0xFF)
        return (s.table.card_of[d], s.face[d], s.damage[d], flags, marks(s, d), gave(s, d), d)

    return sorted(dice, key=rank)


def _is_any_attacking(s: State, dice: list[int]) -> bool:
    for d in dice:
        if s.flags[d] & ATTACKING:
            return True
    return False


def can_attack(s: State, d: int) -> bool:
    """Cannot beats must (rules 5.1)."""
    if s.table.edition.controller_cannot_attack:
        for h in s.holdings:
            if h.kind == "control" and h.holder == d:
                return False
    return is_allowed(s, "cannot attack", d)


def toll(s: State, word: str, d: int) -> int:
    """Give the life that must be paid for the die to do what it otherwise cannot; ALL if it cannot at all."""
    if not s.records and word not in s.table.standing:
        return 0
    total = 0
    let: list[int] = []
    if word == "cannot attack" and (s.records or "may attack" in s.table.standing):
        let = [s.table.sentences[ctx.ability].card for _, ctx, _, _ in look.rules_about(s, "may attack", d)]
    for _, ctx, life, _ in look.rules_about(s, word, d):
        if not let or s.table.sentences[ctx.ability].card not in let:  # only its own text gives way
            total += life or ALL
    return min(total, ALL)


def is_allowed(s: State, word: str, d: int) -> bool:
    """Tell whether the die may attack or block, if need be for life its player has."""
    n = toll(s, word, d)
    return n < ALL and n <= s.life[s.place[d] & 1]


def attack_options(s: State) -> list[Option]:
    """List who may attack next; `done` once all who must are in."""
    order = _in_order(s, s.active)
    if s.records or s.holdings or "cannot attack" in s.table.standing:
        order = [d for d in order if can_attack(s, d)]
    last = -1
    for i, d in enumerate(order):
        if s.flags[d] & ATTACKING:
            last = i
    options: list[Option] = []
    forced = "must attack" in s.table.rule_words
    able = order[last + 1 :]
    one_of_each = distinct(s, able)
    for d in able:
        if d in one_of_each:
            options.append(("attack", d, 0))
        if forced and has_to(s, "must attack", d) and not toll(s, "cannot attack", d):  # nobody has to pay (10.9)
            return options
    options.append(("done", 0, 0))
    return options


def may_attack(s: State, seat: int) -> bool:
    """Tell whether the player has anybody to attack with."""
    return any(can_attack(s, d) for d in look.fielded(s, seat))


def has_to(s: State, word: str, d: int) -> bool:
    """Tell whether the die must attack or block: by a rule that stands, or by a duty for the turn not met yet (5.4)."""
    if word not in s.table.rule_words:
        return False
    for rule, ctx in look.standing(s, word):
        if rule.who.holds(s, d, ctx):
            look.COVERAGE.note(s, ctx.ability)
            return True
    for r in s.records:
        if r.word == word and look.covers(s, r, d):
            if r.until == NEXT_ATTACK:  # it is gone once it is met
                return True
            return (HAS_ATTACKED if word == "must attack" else HAS_BLOCKED, OF_DIE + d) not in s.spent
    return False


# --- blockers ------------------------------------------------------------------------------------------------------


def may_add(s: State, d: int, mine: list[int], attacker: int) -> bool:
    """Tell whether a die that already blocks these may block one more; a rule may allow it for some only."""
    every = [*mine, attacker]
    besides = sum([n for _, _, n, _ in look.rules_about(s, "blocks also", d)])
    if len(every) <= 1 + besides:
        return True
    for rule, ctx, n, _ in look.rules_about(s, "blocks more", d):
        others = 0 if rule is None or rule.by is None else sum([not rule.by.holds(s, a, ctx) for a in every])
        if len(mine) <= n + besides and others <= besides:
            return True
    return False


def _least(s: State, attacker: int) -> int:
    least = 1
    for _, _, n, _ in look.rules_about(s, "blocked by at least", attacker):
        least = max(least, n)
    return least


def _must_meet(s: State, blocker: int, attackers: list[int]) -> list[int]:
    """List the attackers this die has to block, each if able (avx 18, 39)."""
    out: list[int] = []
    for _, ctx, _, _ in look.rules_about(s, "must block this", blocker):
        if ctx.this in attackers and look.may_block(s, blocker, ctx.this):
            out.append(ctx.this)
    return out


def defender(s: State) -> int:
    """Give who declares blockers now: of two partners the lead first, then the other."""
    lead = 1 - (s.active & 1)
    return lead ^ 2 if (PASSED, lead) in s.spent else lead


def _possible_blockers(s: State, seat: int) -> list[int]:
    if look.is_ruled(s, "cannot declare blockers", s.table.person + seat):
        return []
    return [d for d in _in_order(s, seat) if is_allowed(s, "cannot block", d)]


def block_options(s: State) -> list[Option]:
    """List the blocks that may be declared next, blockers in a fixed order; `done` when all is as it must be.

    What leads nowhere is not offered: too few blockers for an attacker, or fewer duties met than could be. What has to be
    blocked may be left to a partner who is asked next and is able.
    """
    seat = defender(s)
    order = _possible_blockers(s, seat & 1)
    begin, end = 0, len(order)
    if s.table.n_seats > 2:
        order += _possible_blockers(s, seat | 2)
        if seat & 2:
            begin, end = end, len(order)
    attackers = in_order(s, look.attackers(s), blocking=True)
    last = -1
    if s.blocks:
        for i, d in enumerate(order):
            if look.blocked_by(s, d):
                last = i
    mine = look.blocked_by(s, order[last]) if last >= begin else []
    plan = Plan(s, order, attackers)
    asked = plan.rest(0, tuple([0 for _ in plan.counts])) - plan.met_by_all_but(last if mine else -1)
    plan.paying = True  # nobody has to pay, but who likes may
    kept = plan.met(last, mine) if mine else 0
    options: list[Option] = []
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    for i in range(max(begin, last), end):
        b = order[i]
        before = mine if i == last else []
        for a in attackers[attackers.index(before[-1]) + 1 :] if before else attackers:
            if not look.may_block(s, b, a) or (before and not may_add(s, b, before, a)):
                continue
            if plan.special or plan.bound:
                met = plan.most(i, [*before, a], plan.with_one(plan.counts, a))
                if not plan.is_lost and (met < 0 or met + (0 if before else kept) < asked):
                    continue
            key = (alike(s, b), (*alike(s, a), len(look.blockers_of(s, a))))
            if key not in seen:
                seen.add(key)
                options.append(("block", b, a))
    plan.paying = False
    left = plan.rest(end, plan.counts)
    if not options or plan.is_lost or (left >= 0 and left + kept >= asked):
        options.append(("done", 0, 0))
    return options


@final
class Plan:
    """What blocks may still come to: who has to block, and what the attackers need about which the rules say more."""

    def __init__(self, s: State, order: list[int], attackers: list[int]) -> None:
        self.s = s
        self.order = order
        self.attackers = attackers
        self.paying = False  # whether those count who block only for life (rules 10.9)
        self.steps = 0
        self.free = [not toll(s, "cannot block", b) for b in order]
        self.wanted = [_must_meet(s, b, attackers) for b in order]
        self.must = [has_to(s, "must block", b) for b in order]
        self.bound = any(self.must)
        needy = [a for a in attackers if look.is_ruled(s, "must be blocked", a)]
        first = {a: blocked_before(s, a, attackers) for a in attackers}
        special = {a for a in attackers if _least(s, a) > 1 or first[a]}
        for more in (needy, *self.wanted, *first.values()):
            special.update(more)
        self.special = [a for a in attackers if a in special]
        self.least = [_least(s, a) for a in self.special]
        self.needy = [a in needy for a in self.special]
        self.first = [[self.special.index(x) for x in first[a]] for a in self.special]
        self.counts = tuple([len(look.blockers_of(s, a)) for a in self.special])
        self.like = self._like()
        self.choices: list[list[tuple[int, list[int]]]] = [[] for _ in order]
        self.known: dict[tuple[int, bool, tuple[int, ...]], int] = {}

    @property
    def is_lost(self) -> bool:
        """Tell whether there are too many ways to go through: then duties bind nobody, rather than the table waits."""
        return self.steps > MOST_STEPS

    def _like(self) -> list[list[int]]:
        """List which of the special attackers can stand for each other: the same to everybody who may block."""
        found: dict[tuple[object, ...], list[int]] = {}
        for k, a in enumerate(self.special):
            to_each = [(look.may_block(self.s, b, a), a in self.wanted[i]) for i, b in enumerate(self.order)]
            first = tuple([self.special[x] for x in self.first[k]])
            last = tuple([a in [self.special[x] for x in others] for others in self.first])
            found.setdefault((alike(self.s, a), self.least[k], self.needy[k], first, last, *to_each), []).append(k)
        return [x for x in found.values() if len(x) > 1]

    def with_one(self, counts: tuple[int, ...], attacker: int) -> tuple[int, ...]:
        """Count one blocker more of an attacker."""
        return tuple([n + (a == attacker) for a, n in zip(self.special, counts, strict=True)])

    def met(self, i: int, blocked: list[int]) -> int:
        """Give how many duties of its own a die meets by blocking these."""
        if not blocked or not self.free[i]:
            return 0
        return int(self.must[i]) + sum([a in self.wanted[i] for a in blocked])

    def met_by_all_but(self, last: int) -> int:
        """Give how many duties the dice meet that have declared their blocks, without one that may still add some."""
        if not self.special and not self.bound:
            return 0
        return sum([self.met(i, look.blocked_by(self.s, b)) for i, b in enumerate(self.order) if i != last])

    def most(self, i: int, blocked: list[int], counts: tuple[int, ...]) -> int:
        """Give how many duties can be met from a die on that blocks these and may add others; -1 if all is not right."""
        best = -1
        for more in self._ways(i, blocked):
            if self.is_lost:
                break
            rest = self.rest(i + 1, self._with(counts, more))
            if rest >= 0:
                best = max(best, rest + self.met(i, [*blocked, *more]))
        return best

    def rest(self, i: int, counts: tuple[int, ...]) -> int:
        """Give how many duties the dice from here on can meet, with those to have attackers blocked; -1 as above."""
        if not self.special and not self.bound:
            return 0
        if i == len(self.order):
            return self._judged(counts)
        key = (i, self.paying, self._settled(counts))
        if key not in self.known:
            best = self.rest(i + 1, key[2])
            for met, at in self._choices(i) if self.free[i] or self.paying else ():
                self.steps += 1
                if self.is_lost:
                    break
                rest = self.rest(i + 1, tuple([n + (k in at) for k, n in enumerate(key[2])]))
                if rest >= 0:
                    best = max(best, rest + met)
            self.known[key] = best
        return self.known[key]

    def _settled(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        """Say counts so that what comes to the same is the same: no more than needed, like attackers in one order."""
        out = [min(n, least) for n, least in zip(counts, self.least, strict=True)]
        for like in self.like:
            for k, n in zip(like, sorted([out[k] for k in like]), strict=True):
                out[k] = n
        return tuple(out)

    def _choices(self, i: int) -> list[tuple[int, list[int]]]:
        """List what a die may block: how many duties of its own that meets, and which of the special attackers it is."""
        if not self.choices[i]:
            every = [[a, *more] for a in self._any_one(i) for more in self._ways(i, [a])]
            self.choices[i] = [(self.met(i, x), [k for k, a in enumerate(self.special) if a in x]) for x in every]
        return self.choices[i]

    def _judged(self, counts: tuple[int, ...]) -> int:
        total = 0
        for k, n in enumerate(counts):
            if n and (n < self.least[k] or not all(counts[x] for x in self.first[k])):
                return -1
            total += int(self.needy[k] and n > 0)
        return total

    def _any_one(self, i: int) -> list[int]:
        """List whom a die may block first: each of the special ones, and one of the others if it has to block at all."""
        able = [a for a in self.attackers if look.may_block(self.s, self.order[i], a)]
        special = [a for a in able if a in self.special]
        others = [a for a in able if a not in self.special] if self.must[i] else []
        return special + others[:1]

    def _with(self, counts: tuple[int, ...], more: list[int]) -> tuple[int, ...]:
        for a in more:
            counts = self.with_one(counts, a)
        return counts

    def _ways(self, i: int, blocked: list[int]) -> list[list[int]]:
        """List which special attackers a die may block besides, in their order."""
        b = self.order[i]
        at = self.attackers.index(blocked[-1]) if blocked else -1
        found: list[list[int]] = [[]]
        for a in self.attackers[at + 1 :]:
            if a in self.special and look.may_block(self.s, b, a) and not self.is_lost:
                found += [[*way, a] for way in found if may_add(self.s, b, [*blocked, *way], a)]
                self.steps += len(found)
        return found


def blocked_before(s: State, a: int, attackers: list[int]) -> list[int]:
    """List the attackers that have to be blocked if this one is (uxm 63)."""
    if not s.records and "blocked last" not in s.table.standing:
        return []
    out: list[int] = []
    for rule, ctx, _, _ in look.rules_about(s, "blocked last", a):
        out += [
            x for x in attackers if x != a and rule is not None and rule.by is not None and rule.by.holds(s, x, ctx)
        ]
    return out


def declare_attack(s: State, d: int, first: bool) -> None:
    """Declare an attacker; the first one's naming begins the step, and is paid for after the effects of its start."""
    s.flags[d] |= ATTACKING
    if first and toll(s, "cannot attack", d):
        s.spent.append((OWES, OF_DIE + d))
    else:
        pay_toll(s, "cannot attack", d)


def pay_for_the_first(s: State) -> None:
    """Pay for the attacker whose naming has begun the step."""
    for what, d in [x for x in s.spent if x[0] == OWES]:
        s.spent.remove((what, d))
        if s.flags[d - OF_DIE] & ATTACKING:
            pay_toll(s, "cannot attack", d - OF_DIE)


def declare_block(s: State, blocker: int, attacker: int) -> None:
    if not look.blocked_by(s, blocker):
        pay_toll(s, "cannot block", blocker)
    s.blocks.append((blocker, attacker))


def pay_toll(s: State, word: str, d: int) -> None:
    life = toll(s, word, d)
    if life:
        lives.lose_life(s, s.place[d] & 1, life)


def announce_attack(s: State) -> None:
    """Attack effects, each die for itself (rules 3.4a)."""
    attackers = look.attackers(s)
    if s.records:  # who could not attack has had no chance yet
        s.records = [
            r
            for r in s.records
            if not (r.word == "must attack" and r.until == "its next chance" and r.subject in attackers)
        ]
    _note_met_duties(s, HAS_ATTACKED, attackers)
    tell(s, "attackers declared", PLAYER + (s.active & 1), NOBODY, len(attackers))
    for d in attackers:
        if s.journal is not None:
            s.journal.append(("attacks", d))
        tell(s, "attacks", d)
        tell(s, "commits", d)


def _note_met_duties(s: State, what: int, dice: list[int]) -> None:
    """Note who has attacked or blocked, where there may be a second attack step: a duty for the turn is met (cw 108)."""
    if "attacks again" in s.table.standing:
        s.spent += [(what, OF_DIE + d) for d in dice if (what, OF_DIE + d) not in s.spent]


def announce_blocks(s: State) -> None:
    """Effects of blocking, being blocked and being engaged (rules 3.4b)."""
    for b, a in s.blocks:
        s.flags[a] |= BLOCKED
        meet(s, b, a)
        if s.journal is not None:
            s.journal.append(("blocks", b, a))
    _note_met_duties(s, HAS_BLOCKED, list(dict.fromkeys(b for b, _ in s.blocks)))
    blocks_seen: Seen = set()
    for b, a in s.blocks:
        tell(s, "blocks", b, a, seen=blocks_seen)
    engaged: list[int] = []
    for a in look.attackers(s):
        blockers = look.blockers_of(s, a)
        if blockers:
            tell(s, "is blocked", a, blockers[0], len(blockers))
            engaged += [a, *(b for b in blockers if b not in engaged)]
        else:
            tell(s, "not blocked", a)
    for d in engaged:
        others = look.blockers_of(s, d) or look.blocked_by(s, d)
        tell(s, "engaged", d, others[0], len(others))
    tell(s, "blockers declared", PLAYER + (s.active & 1))


def meet(s: State, blocker: int, attacker: int) -> None:
    """Note who met whom, and that a Deadly one of them will KO the other at the end of the turn (rules 6.5)."""
    s.met += [(attacker, blocker, 0), (blocker, attacker, BY_BLOCKING)]
    if s.table.deadly:
        _note_deadly(s, blocker)
        _note_deadly(s, attacker)


def note_deadly(s: State) -> None:
    """Note who has become Deadly while engaged: by a copy, or lent by another die."""
    for pair in s.blocks if s.table.deadly else ():
        for d in pair:
            _note_deadly(s, d)


def _note_deadly(s: State, d: int) -> None:
    if look.has_keyword(s, d, "Deadly"):
        ability = s.table.deadly[look.keyword_from(s, d, "Deadly")]
        made = Record("later", NOBODY, 0, 0, -1, "end of turn", s.place[d] & 3, d, ability)
        if made not in s.records:
            s.records.append(made)


# --- the end of the attack -----------------------------------------------------------------------------------------


def end_attack(s: State) -> None:
    """End what lasts for an attack; where the edition says so survivors go home now (rules 3.4e)."""
    note_deadly(s)
    if s.records:
        s.records = [r for r in s.records if r.until != THIS_ATTACK]
    if s.met:
        s.met = [(x, y, how | EARLIER) for x, y, how in s.met]
    if s.table.edition.return_in_attack_step:
        return_home(s, s.table.edition.unblocked_leave_with_damage)


_OUT_OF_COMBAT: Final = bytes(b & ~(ATTACKING | BLOCKED) for b in range(256))


def return_home(s: State, everybody: bool = True) -> None:
    """Bring the dice in the attack zone back; where the rules have kept unblocked attackers so long, they leave.

    If not everybody is to come back, these stay where they are until cleanup.
    """
    staying: list[int] = []
    if not s.table.edition.unblocked_leave_with_damage:
        unblocked = [d for d in look.attackers(s) if look.is_unblocked(s, d)]
        staying = [d for d in unblocked if not look.is_ruled(s, "stays unblocked", d)]
        if everybody:
            moves.leave_together(s, staying)
    s.flags = translated(s.flags, _OUT_OF_COMBAT)
    if not everybody:
        for d in staying:
            s.flags[d] |= ATTACKING
    if s.blocks:
        s.blocks = []
    s.dirty = True


# --- damage --------------------------------------------------------------------------------------------------------


def fighters(s: State, fast: int) -> tuple[int, ...]:
    """List the dice that deal combat damage in this part: attackers first, then blockers (rules 3.4d6)."""
    dice = look.attackers(s)
    for b, _ in s.blocks:
        if b not in dice:
            dice.append(b)
    if "Fast" not in s.table.keywords_at_table:
        return () if fast else tuple(dice)
    if fast:
        return tuple(d for d in dice if look.has_keyword(s, d, "Fast"))
    # each deals damage once, though whoever lends it Fast may have left or come back in the meantime (rules 6.7)
    return tuple(d for d in dice if (HAS_STRUCK, OF_DIE + d) not in s.spent)


def assign(s: State, fast: int) -> None:
    """Start assigning combat damage for the Fast dice or for the others."""
    sources = fighters(s, fast)
    note_deadly(s)
    if s.spent:
        s.spent = [x for x in s.spent if x[0] != HAS_STRUCK]
    if fast:
        s.spent += [(HAS_STRUCK, OF_DIE + d) for d in sources]
    if sources:
        s.stack.append(Assigning(fast, sources))


def run_assign(s: State, f: Assigning) -> None:
    if f.waiting:
        f.split = (*f.split, s.answer[2])
    while f.at < len(f.sources):
        d = f.sources[f.at]
        made = _assigned(s, d, f.split)
        if made is None:
            foes = foes_of(s, d)
            f.waiting = 1
            target = foes[len(f.split)]
            options: list[Option] = [("amount", target, n) for n in _amounts(s, d, foes, f.split)]
            ask(s, s.place[d] & 3, "split", options, about=d, number=target)
            return
        f.packets += tuple([x for x in made if isinstance(x, Packet)])
        f.through += tuple([x for x in made if isinstance(x, Through)])
        f.at += 1
        f.split = ()
        f.waiting = 0
    s.stack.pop()
    leaving: tuple[int, ...] = ()
    if s.table.edition.unblocked_leave_with_damage:
        leaving = tuple(d for d in f.sources if look.is_unblocked(s, d) and not look.is_ruled(s, "stays unblocked", d))
    damage.deal(s, list(f.packets), "combat", s.active, leaving, through=f.through)


def foes_of(s: State, d: int) -> list[int]:
    foes = look.blockers_of(s, d) if s.flags[d] & ATTACKING else look.blocked_by(s, d)
    if s.records or "assigns no damage" in s.table.standing:
        for rule, ctx, _, _ in look.rules_about(s, "assigns no damage", d):
            foes = [x for x in foes if rule is None or rule.by is None or not rule.by.holds(s, x, ctx)]
    return foes


def _pays_player(s: State, d: int) -> bool:
    return look.is_ruled(s, "damages player instead", d)


def _strength(s: State, d: int) -> int:
    if look.is_ruled(s, "deals no damage", d) or look.is_ruled(s, "deals no combat damage", d):
        return 0
    a = look.stats(s, d)[0]
    if s.records or "deals times" in s.table.standing:
        foes = [PLAYER + 1 - (s.place[d] & 1)] if look.is_unblocked(s, d) else foes_of(s, d)
        a *= min((changes.damage_factor(s, d, x, "combat") for x in foes), default=1)
    return a


def _excess(s: State, d: int, foes: list[int], a: int) -> int:
    """Give what goes past the blockers' total D, where a text lets it (Thrown Car), if nothing is prevented."""
    if not (s.flags[d] & ATTACKING and look.is_ruled(s, "excess goes through", d)):
        return 0
    return max(0, a - sum(look.stats(s, x)[1] for x in foes))


def lethal_to(s: State, d: int, source: int = NOBODY) -> int:
    """Give what the source must deal to KO the die; more than anybody has if no damage does (rules 6.11)."""
    if not look.can_be_kod(s, d):
        return ALL
    return changes.needed(s, source, d)


def _assigned(s: State, d: int, split: tuple[int, ...]) -> list[Packet | Through] | None:
    """Give the packets of one die, or None while its controller has to say how to split."""
    a = _strength(s, d)
    attacking = s.flags[d] & ATTACKING
    opponent = PLAYER + 1 - (s.place[d] & 1)
    if a <= 0:
        return []
    if attacking and not s.flags[d] & BLOCKED:
        return [Packet(d, opponent, a)] * (2 if look.is_ruled(s, "deals twice", d) else 1)
    foes = foes_of(s, d)
    if attacking and _pays_player(s, d):
        return [Packet(d, opponent, a)]
    overcrush = bool(attacking) and look.has_keyword(s, d, "Overcrush")
    if look.is_ruled(s, "full damage to each", d):
        return _full_damage(s, d, foes, a, overcrush)
    excess = _excess(s, d, foes, a)
    if not foes:
        # blocked stays blocked; only what crushes or exceeds goes on to the player (rules 3.4d1, 6.12)
        if excess or (overcrush and s.table.edition.removed_blockers_count):
            return [Packet(d, opponent, a)]
        return []
    a -= excess
    rest = a - sum(split)
    if len(split) < len(foes):
        if len(foes) == 1:
            split = (min(a, lethal_to(s, foes[0], d)) if overcrush else a,)
        elif rest == 0:
            split = (*split, *(0 for _ in range(len(foes) - len(split))))
        elif len(split) == len(foes) - 1 and not _may_hold_back(s, d, foes, split):
            split = (*split, rest)
        else:
            return None
        rest = a - sum(split)
    most = split.index(max(split))  # until it is known what arrives, what may exceed lies where most does
    laid = [n + (excess if k == most else 0) for k, n in enumerate(split)]
    made: list[Packet | Through] = [Packet(d, x, n) for x, n in zip(foes, laid, strict=True) if n]
    if rest > 0:
        made.append(Through(d, rest, tuple(foes)))
    if excess:
        made.append(Through(d, sum(split) if rest > 0 else 0, tuple(foes), 1))
    return made


def _full_damage(s: State, d: int, foes: list[int], a: int, overcrush: bool) -> list[Packet | Through]:
    """All of it to each blocker; what they get beyond what they need goes on where crushing or exceeding lets it."""
    made: list[Packet | Through] = [Packet(d, x, a) for x in foes]
    if overcrush and (rest := a * len(foes) - sum(lethal_to(s, x, d) for x in foes)) > 0:
        made.append(Through(d, rest, tuple(foes)))
    elif _excess(s, d, foes, a * len(foes)):
        made.append(Through(d, 0, tuple(foes), WHOLE))
    return made


def _may_hold_back(s: State, d: int, foes: list[int], split: tuple[int, ...]) -> bool:
    """With Overcrush the last blocker may get less than all that is left, if the others got what KOs them."""
    if not (s.flags[d] & ATTACKING and look.has_keyword(s, d, "Overcrush")):
        return False
    a = _strength(s, d)
    rest = a - _excess(s, d, foes, a) - sum(split)
    done = all(n >= lethal_to(s, x, d) for x, n in zip(foes, split, strict=False))
    return done and rest > lethal_to(s, foes[-1], d)


def _amounts(s: State, d: int, foes: list[int], split: tuple[int, ...]) -> list[int]:
    a = _strength(s, d) - _excess(s, d, foes, _strength(s, d))
    rest = a - sum(split)
    if len(split) == len(foes) - 1:
        return list(range(lethal_to(s, foes[-1], d), rest + 1))
    return list(range(rest + 1))


def split_among(s: State, f: Assigning) -> tuple[int, list[tuple[int, int]]]:
    """Give how much of the current die's damage is still to be split, and its opponents still to be named with what KOs each."""
    d = f.sources[f.at]
    foes = foes_of(s, d)
    a = _strength(s, d)
    return a - _excess(s, d, foes, a) - sum(f.split), [(x, lethal_to(s, x, d)) for x in foes[len(f.split) :]]
