"""Damage and KO: laid out, changed on the way, dealt, reacted to (rules 3.4d2 to d5, 5.8)."""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.cards.words import ALL
from dicemasters.game import look, moves
from dicemasters.game.code import Sentence
from dicemasters.game.look import Running
from dicemasters.game.state import (
    DOOMED,
    FACTS,
    FIELD,
    HURT,
    NOBODY,
    OWN_KOS,
    PLAYER,
    PREP,
    SIDEKICK_KOS,
    TIE,
    UNDECIDED,
    Happening,
    Record,
    State,
)
from dicemasters.game.triggers import Seen, announce, is_spent, next_moment


class Packet(NamedTuple):
    """Some damage on its way: from which die, to which die or player."""

    source: int
    to: int
    amount: int


class Damaging(NamedTuple):
    """Damage of one moment: first changed by standing rules, then by choices, then dealt."""

    kind: str
    packets: tuple[Packet, ...]
    sort: str  # combat, ability, action, global, rule
    you: int  # who deals it
    leaving: tuple[int, ...] = ()  # unblocked attackers that go when it is dealt
    stage: int = 0
    asked: tuple[tuple[int, int, int, int], ...] = ()


class Koing(NamedTuple):
    """Dice to be KO'd together."""

    kind: str
    dice: tuple[int, ...]
    sort: str
    doer: int = NOBODY
    stage: int = 0
    asked: tuple[tuple[int, int, int], ...] = ()


class Announcing(NamedTuple):
    """Events to be announced when what lies above is done."""

    kind: str
    happenings: tuple[Happening, ...]


def deal(
    s: State, packets: list[Packet], sort: str, you: int, leaving: tuple[int, ...] = ()
) -> None:
    """Start dealing damage, all at one moment."""
    s.done = ()
    if packets or leaving:
        s.stack.append(Damaging("damage", tuple(packets), sort, you, leaving))


def run_damage(s: State, f: Damaging) -> None:
    if f.stage == 0:
        packets = f.packets
        if s.records or "takes more" in s.table.standing or "takes less" in s.table.standing:
            packets = tuple(_changed(s, p, f.sort) for p in packets)
        s.stack[-1] = f._replace(packets=packets, stage=1)
    elif f.stage == 1:
        if "would be damaged" not in s.table.woulds or not _interrupt(s, f):
            s.stack[-1] = f._replace(stage=2)
            _dealt(s, f)
    else:
        _dealt(s, f)


def _changed(s: State, p: Packet, sort: str) -> Packet:
    """Apply the standing changes: first what adds, then what takes away (docs/rulings.md)."""
    amount = p.amount
    for word, sign in (("takes more", 1), ("takes less", -1)):
        if amount <= 0:
            break
        for rule, ctx, n, _ in look.rules_about(s, word, p.to):
            if rule is not None and rule.by is not None and (p.source == NOBODY or not rule.by(s, p.source, ctx)):
                continue
            amount = 0 if sign < 0 and n >= ALL else max(0, amount + sign * n)
    return p._replace(amount=amount)


def _interrupt(s: State, f: Damaging) -> bool:
    """Let the next ability act that may prevent or redirect; each is asked once for each hit (rules 5.7a, 5.10)."""
    for side in (s.active & 1, 1 - (s.active & 1)):
        for i, p in enumerate(f.packets):
            if p.amount <= 0:
                continue
            h = Happening("would be damaged", p.to, p.source, p.amount, f.sort, (i,))
            for sentence in s.table.woulds["would be damaged"]:
                for ctx in would_contexts(s, sentence, h):
                    key = (sentence.index, ctx.you, ctx.this, i)
                    if ctx.you & 1 == side and key not in f.asked:
                        s.stack[-1] = f._replace(asked=(*f.asked, key))
                        s.stack.append(ctx)
                        return True
    return False


def would_contexts(s: State, sentence: Sentence, h: Happening) -> list[Running]:
    """List where an interrupting ability may act on what is about to happen."""
    if sentence.kind == "global":
        found = [look.context(sentence.index, seat, NOBODY, h) for seat in range(s.table.n_seats)]
    else:
        found = [ctx._replace(event=h) for ctx in look.contexts(s, sentence)]
    out: list[Running] = []
    for ctx in found:
        if not sentence.who(s, h.die, ctx):
            continue
        if sentence.other is not None and (h.other == NOBODY or not sentence.other(s, h.other, ctx)):
            continue
        if sentence.condition is not None and not sentence.condition(s, ctx):
            continue
        if not is_spent(s, ctx):
            out.append(ctx)
    return out


def prevent(s: State, amount: int) -> None:
    """Take damage away from the packet that is being asked about."""
    at, f, i = _packet_asked(s)
    p = f.packets[i]
    rest = 0 if amount >= ALL else max(0, p.amount - amount)
    s.stack[at] = f._replace(packets=(*f.packets[:i], p._replace(amount=rest), *f.packets[i + 1 :]))


def redirect(s: State, amount: int, to: int) -> None:
    """Send a part of the packet elsewhere; the source stays the same (rules 5.8d)."""
    at, f, i = _packet_asked(s)
    p = f.packets[i]
    moved = min(amount, p.amount)
    kept = p._replace(amount=p.amount - moved)
    # the new packet has been asked about already: an answer to it would answer the redirection
    s.stack[at] = f._replace(packets=(*f.packets[:i], kept, *f.packets[i + 1 :], Packet(p.source, to, moved)))


def may_redirect(s: State, to: int) -> bool:
    """Tell whether the packet asked about may go there: in ai only to the same sort (rules 5.8d)."""
    _, f, i = _packet_asked(s)
    if f.packets[i].to == to:
        return False
    return s.table.edition.free_redirect or (f.packets[i].to >= PLAYER) == (to >= PLAYER)


def _packet_asked(s: State) -> tuple[int, Damaging, int]:
    at = len(s.stack) - 1
    while True:
        f = s.stack[at]
        if isinstance(f, Damaging):
            running = s.stack[at + 1]
            assert isinstance(running, Running)
            return at, f, running.event.known[0]
        at -= 1


def _dealt(s: State, f: Damaging) -> None:
    """Deal it: life goes down, dice are damaged, unblocked attackers leave; then KOs and reactions by edition."""
    s.stack.pop()
    edition = s.table.edition
    hits = [p for p in f.packets if p.amount > 0 and (p.to >= PLAYER or s.place[p.to] >> 2 == FIELD)]
    hurt_before = {p.to for p in hits if p.to < PLAYER and s.flags[p.to] & HURT}
    counts: dict[int, int] = {}
    for p in hits:
        counts[p.to] = counts.get(p.to, 0) + 1
        if p.to >= PLAYER:
            s.life[p.to - PLAYER] -= p.amount
        else:
            s.damage[p.to] = min(255, s.damage[p.to] + p.amount)
            s.flags[p.to] |= HURT
        if s.journal is not None:
            s.journal.append(("damage", p.source, p.to, p.amount, f.sort))
    check_life(s)
    if s.result != UNDECIDED:
        return
    lethal: list[int] = []
    for d in counts:
        if d < PLAYER:
            _, de = look.stats(s, d)
            if s.damage[d] >= de:
                if look.has_keyword(s, d, "Iron Will") and d not in hurt_before and counts[d] < 2:
                    s.records.append(Record("iron will", d, de, 0, -1, "end of turn", s.place[d] & 3, d, -1))
                else:
                    lethal.append(d)
    known = {d: _knowledge(s, d) for p in hits for d in (p.source,) if d < PLAYER}
    for d in f.leaving:
        if s.place[d] >> 2 == FIELD:
            moves.used_up(s, d)
    happenings: list[Happening] = []
    for p in hits:
        happenings.append(Happening("damaged", p.to, p.source, p.amount, f.sort))
    for p in hits:
        if p.source != NOBODY:
            happenings.append(Happening("deals damage", p.source, p.to, p.amount, f.sort, known.get(p.source, ())))
    s.done = tuple(p.to for p in hits)
    if edition.ko_before_reactions:
        s.stack.append(Announcing("announce", tuple(happenings)))
        if lethal:
            s.stack.append(Koing("ko", tuple(lethal), f.sort))
        return
    seen: Seen = set()
    for h in happenings:
        announce(s, h, (), seen)
    if f.sort == "combat":
        for d in lethal:
            s.flags[d] |= DOOMED
    elif lethal:
        next_moment(s)
        s.stack.append(Koing("ko", tuple(lethal), f.sort))


def run_announcing(s: State, f: Announcing) -> None:
    s.stack.pop()
    seen: Seen = set()
    for h in f.happenings:
        announce(s, h, (), seen)


def lose_life(s: State, side: int, amount: int) -> None:
    """Losing or paying life is never damage (rules 3.1b)."""
    s.life[side] -= amount
    if s.journal is not None:
        s.journal.append(("life", side, -amount))
    check_life(s)


def gain_life(s: State, side: int, amount: int) -> None:
    """Life never goes above the starting amount (rules 4.3)."""
    gained = min(amount, s.max_life - s.life[side])
    if gained > 0:
        s.life[side] += gained
        if s.journal is not None:
            s.journal.append(("life", side, gained))


def check_life(s: State) -> None:
    """A player at 0 has lost; both at one moment is a tie or the active player's win (rules 4)."""
    a, b = s.life
    if a > 0 and b > 0:
        return
    s.life = [max(0, a), max(0, b)]
    if a <= 0 and b <= 0:
        if s.table.edition.tie_possible:
            s.result, s.why = TIE, "both players were brought to 0 life at one moment"
        else:
            s.result, s.why = s.active & 1, "both players were brought to 0 life, and the active player wins"
    else:
        s.result = 0 if b <= 0 else 1
        s.why = f"{'AB'[1 - s.result]} was brought to 0 life"


# --- KO ------------------------------------------------------------------------------------------------------------


def ko(s: State, dice: list[int], sort: str, doer: int = NOBODY) -> None:
    """Start KOing dice by an effect; Iron Will asks for earlier damage (rules 6.11)."""
    s.done = ()
    able = [
        d
        for d in dice
        if s.place[d] >> 2 == FIELD and (s.flags[d] & HURT or not look.has_keyword(s, d, "Iron Will"))
    ]
    if able:
        s.stack.append(Koing("ko", tuple(able), sort, doer))


def run_ko(s: State, f: Koing) -> None:
    dice = tuple(d for d in f.dice if s.place[d] >> 2 == FIELD)
    if f.stage == 0:
        dice = tuple(d for d in dice if not look.is_ruled(s, "cannot be KO'd", d))
        s.stack[-1] = f._replace(dice=dice, stage=1)
        return
    if "would be KO'd" in s.table.woulds:
        for d in dice:
            h = Happening("would be KO'd", d, f.doer, 0, f.sort)
            for sentence in s.table.woulds["would be KO'd"]:
                for ctx in would_contexts(s, sentence, h):
                    key = (sentence.index, ctx.this, d)
                    if key not in f.asked:
                        s.stack[-1] = f._replace(dice=dice, asked=(*f.asked, key))
                        s.stack.append(ctx)
                        return
    s.stack.pop()
    _kod(s, f, dice)


def _knowledge(s: State, d: int) -> tuple[int, ...]:
    a, de = look.stats(s, d)
    engaged = 256 if look.is_engaged(s, d) else 0
    return (a, de, look.level(s, d), s.flags[d] | engaged, s.place[d] & 3, look.burst(s, d))


def _kod(s: State, f: Koing, dice: tuple[int, ...]) -> None:
    happenings = [Happening("KO'd", d, f.doer, 0, f.sort, _knowledge(s, d)) for d in dice]
    for d in dice:
        side = s.place[d] & 1
        s.facts[side * FACTS + OWN_KOS] += 1
        if look.is_sidekick(s, d):
            s.facts[side * FACTS + SIDEKICK_KOS] += 1
        if s.journal is not None:
            s.journal.append(("KO", d))
    # read while the dice are still there; before ai a while-active ability whose last die goes now is silent (3.4d4)
    without = dice if s.table.edition.ko_before_reactions else ()
    for h in happenings:
        announce(s, h, without)
    for d in dice:
        moves.put(s, d, PREP, s.owner[d], kod=True)
    s.done = dice


def settle(s: State) -> None:
    """KO what has as much damage as D, or D 0: a change of numbers may have brought it there (rules 5.8a)."""
    s.dirty = False
    dead: list[int] = []
    damage = s.damage
    check_all = bool(s.records) or s.table.standing_stats
    for seat in range(s.table.n_seats):
        for d in s.dice_in(FIELD, seat):
            if (damage[d] or check_all) and not s.flags[d] & DOOMED and s.table.levels[s.table.m6[d] + s.face[d]]:
                _, de = look.stats(s, d)
                if damage[d] >= de and not _iron_willed(s, d, de):
                    dead.append(d)
    if dead:
        s.stack.append(Koing("ko", tuple(dead), "rule"))


def _iron_willed(s: State, d: int, de: int) -> bool:
    """Iron Will outlasts damage it has survived until D falls further, and D 0 without damage (rules 6.11)."""
    if not look.has_keyword(s, d, "Iron Will"):
        return False
    if not s.flags[d] & HURT:
        return True
    for r in s.records:
        if r.word == "iron will" and r.subject == d and de >= r.a:
            return True
    return False
