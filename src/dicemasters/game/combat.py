"""The attack step: who attacks, who blocks, how damage is split (rules 3.4)."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.game import damage, look
from dicemasters.game.damage import Packet
from dicemasters.game.decide import alike, ask, in_order
from dicemasters.game.state import ATTACKING, BLOCKED, FIELD, NOBODY, PLAYER, Option, State
from dicemasters.game.triggers import tell

# --- attackers -----------------------------------------------------------------------------------------------------


def _in_order(s: State, seat: int) -> list[int]:
    """List a seat's characters in the fixed order in which they are declared: like dice side by side."""
    return sorted(look.fielded(s, seat), key=lambda d: (s.table.card_of[d], s.face[d], s.damage[d], s.flags[d] & ~ATTACKING, d))


def can_attack(s: State, d: int) -> bool:
    """Cannot beats must (rules 5.1)."""
    if s.table.edition.controller_cannot_attack:
        for h in s.holdings:
            if h.kind == "control" and h.holder == d:
                return False
    return not look.is_ruled(s, "cannot attack", d)


def attack_options(s: State) -> list[Option]:
    """List who may attack next; `done` once all who must are in."""
    order = [d for d in _in_order(s, s.active) if can_attack(s, d)]
    last = -1
    for i, d in enumerate(order):
        if s.flags[d] & ATTACKING:
            last = i
    options: list[Option] = []
    seen: set[tuple[int, ...]] = set()
    for d in order[last + 1 :]:
        key = alike(s, d)
        if key not in seen:
            seen.add(key)
            options.append(("attack", d, 0))
        if look.is_ruled(s, "must attack", d):
            return options
    options.append(("done", 0, 0))
    return options


# --- blockers ------------------------------------------------------------------------------------------------------


def may_block(s: State, blocker: int, attacker: int) -> bool:
    """Tell whether the block is allowed."""
    for rule, ctx, _, _ in look.rules_about(s, "cannot be blocked", attacker):
        if rule is None or rule.by is None or rule.by(s, blocker, ctx):
            return False
    return True


def _capacity(s: State, d: int) -> int:
    extra = 0
    for _, _, n, _ in look.rules_about(s, "blocks more", d):
        extra = max(extra, n)
    return 1 + extra


def _least(s: State, attacker: int) -> int:
    least = 1
    for _, _, n, _ in look.rules_about(s, "blocked by at least", attacker):
        least = max(least, n)
    return least


def block_options(s: State) -> list[Option]:
    """List the blocks that may be declared next, blockers in a fixed order; `done` when all is as it must be."""
    seat = look.other_side(s.active)
    order = [d for d in _in_order(s, seat) if not look.is_ruled(s, "cannot block", d)]
    attackers = in_order(s, look.attackers(s))
    least = {a: _least(s, a) for a in attackers}
    number = {a: len(look.blockers_of(s, a)) for a in attackers}
    short = [a for a in attackers if 0 < number[a] < least[a]]
    last = -1
    for i, d in enumerate(order):
        if look.blocked_by(s, d):
            last = i
    options: list[Option] = []
    stop = False
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    for i in range(max(last, 0), len(order)):
        b = order[i]
        mine = look.blocked_by(s, b)
        if mine and (i < last or len(mine) >= _capacity(s, b)):
            continue
        after = order[i + 1 :]
        able = 0
        for a in short or attackers:
            if a in mine or (mine and attackers.index(a) < attackers.index(mine[-1])) or not may_block(s, b, a):
                continue
            helpers = sum(1 for x in after if may_block(s, x, a))
            if number[a] + 1 + helpers < least[a]:
                continue
            able += 1
            key = (alike(s, b), (*alike(s, a), number[a]))
            if key not in seen:
                seen.add(key)
                options.append(("block", b, a))
        if able and not mine and look.is_ruled(s, "must block", b):
            stop = True
            break
    if not stop and not short:
        options.append(("done", 0, 0))
    return options


def declare_block(s: State, blocker: int, attacker: int) -> None:
    s.blocks.append((blocker, attacker))


def announce_attack(s: State) -> None:
    """Attack effects, each die for itself (rules 3.4a)."""
    if s.records:
        s.records = [r for r in s.records if not (r.word == "must attack" and r.until == "its next chance" and _mine(s, r.subject))]
    attackers = look.attackers(s)
    tell(s, "attackers declared", PLAYER + (s.active & 1), NOBODY, len(attackers))
    for d in attackers:
        if s.journal is not None:
            s.journal.append(("attacks", d))
        tell(s, "attacks", d)


def _mine(s: State, d: int) -> bool:
    return d < PLAYER and s.place[d] & 1 == s.active & 1


def announce_blocks(s: State) -> None:
    """Effects of blocking, being blocked and being engaged (rules 3.4b)."""
    for b, a in s.blocks:
        s.flags[a] |= BLOCKED
        s.met.append((a, b, 1 if look.has_keyword(s, b, "Deadly") else 0))
        s.met.append((b, a, 1 if look.has_keyword(s, a, "Deadly") else 0))
        if s.journal is not None:
            s.journal.append(("blocks", b, a))
    for b, a in s.blocks:
        tell(s, "blocks", b, a)
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


# --- damage --------------------------------------------------------------------------------------------------------


class Assigning(NamedTuple):
    """Combat damage being assigned: the dice of this part one after another, and the split under way."""

    kind: str
    fast: int  # 1: the Fast dice, 0: all others
    sources: tuple[int, ...]
    at: int = 0
    packets: tuple[Packet, ...] = ()
    split: tuple[int, ...] = ()  # amounts for the current source's first opponents
    waiting: int = 0


def is_fighting(s: State, d: int) -> bool:
    return s.place[d] >> 2 == FIELD and (s.flags[d] & ATTACKING != 0 or bool(look.blocked_by(s, d)))


def fighters(s: State, fast: int) -> tuple[int, ...]:
    """List the dice that deal combat damage in this part: attackers first, then blockers (rules 3.4d6)."""
    dice = look.attackers(s)
    for b, _ in s.blocks:
        if b not in dice:
            dice.append(b)
    if "Fast" not in s.table.keywords_at_table:
        return () if fast else tuple(dice)
    return tuple(d for d in dice if look.has_keyword(s, d, "Fast") == bool(fast))


def assign(s: State, fast: int) -> None:
    """Start assigning combat damage for the Fast dice or for the others."""
    sources = fighters(s, fast)
    if sources:
        s.stack.append(Assigning("assign", fast, sources))


def run_assign(s: State, f: Assigning) -> None:
    split = f.split
    if f.waiting:
        split = (*split, s.answer[2])
    index, packets = f.at, f.packets
    while index < len(f.sources):
        d = f.sources[index]
        made = _assigned(s, d, split)
        if made is None:
            foes = _foes(s, d)
            s.stack[-1] = f._replace(at=index, packets=packets, split=split, waiting=1)
            target = foes[len(split)]
            options = [("amount", target, n) for n in _amounts(s, d, foes, split)]
            ask(s, s.place[d] & 3, "split", [(x, y, z) for x, y, z in options], about=d, number=target)
            return
        packets += tuple(made)
        index += 1
        split = ()
    s.stack.pop()
    leaving = tuple(d for d in f.sources if look.is_unblocked(s, d))
    damage.deal(s, list(packets), "combat", s.active, leaving)


def _foes(s: State, d: int) -> list[int]:
    return look.blockers_of(s, d) if s.flags[d] & ATTACKING else look.blocked_by(s, d)


def _strength(s: State, d: int) -> int:
    if look.is_ruled(s, "deals no damage", d):
        return 0
    return look.stats(s, d)[0]


def _through(s: State, d: int, foes: list[int], a: int) -> int:
    """Give what goes past the blockers' total D, where a text lets it (Thrown Car)."""
    if s.flags[d] & ATTACKING and look.is_ruled(s, "excess goes through", d):
        return max(0, a - sum(look.stats(s, x)[1] for x in foes))
    return 0


def _lethal(s: State, d: int) -> int:
    return max(0, look.stats(s, d)[1] - s.damage[d])


def _assigned(s: State, d: int, split: tuple[int, ...]) -> list[Packet] | None:
    """Give the packets of one die, or None while its controller has to say how to split."""
    a = _strength(s, d)
    attacking = s.flags[d] & ATTACKING
    opponent = PLAYER + 1 - (s.place[d] & 1)
    if a <= 0:
        return []
    if attacking and not s.flags[d] & BLOCKED:
        return [Packet(d, opponent, a)]
    foes = _foes(s, d)
    overcrush = bool(attacking) and look.has_keyword(s, d, "Overcrush")
    through = _through(s, d, foes, a)
    if not foes:
        # blocked stays blocked; only what crushes or exceeds goes on to the player (rules 3.4d1, 6.12)
        return [Packet(d, opponent, a)] if overcrush or through else []
    a -= through
    rest = a - sum(split)
    if len(split) < len(foes):
        if len(foes) == 1:
            split = (min(a, _lethal(s, foes[0])) if overcrush else a,)
        elif rest == 0:
            split = (*split, *(0 for _ in range(len(foes) - len(split))))
        elif len(split) == len(foes) - 1 and not _may_hold_back(s, d, foes, split):
            split = (*split, rest)
        else:
            return None
        rest = a - sum(split)
    packets = [Packet(d, x, n) for x, n in zip(foes, split, strict=True) if n]
    if rest + through > 0:
        packets.append(Packet(d, opponent, rest + through))
    return packets


def _may_hold_back(s: State, d: int, foes: list[int], split: tuple[int, ...]) -> bool:
    """With Overcrush the last blocker may get less than all that is left, if the others got what KOs them."""
    if not (s.flags[d] & ATTACKING and look.has_keyword(s, d, "Overcrush")):
        return False
    rest = _strength(s, d) - sum(split)
    done = all(n >= _lethal(s, x) for x, n in zip(foes, split, strict=False))
    return done and rest > _lethal(s, foes[-1])


def _amounts(s: State, d: int, foes: list[int], split: tuple[int, ...]) -> list[int]:
    a = _strength(s, d) - _through(s, d, foes, _strength(s, d))
    rest = a - sum(split)
    if len(split) == len(foes) - 1:
        return list(range(_lethal(s, foes[-1]), rest + 1))
    return list(range(rest + 1))
