"""Damage: laid out, changed on the way, dealt, reacted to (rules 3.4d2 to d5, 5.8)."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import YOUR_HIT
from dicemasters.game.mechanics import holding, zones
from dicemasters.game.mechanics.knockout import combat_hits, deadly_hits, knowledge
from dicemasters.game.mechanics.life import check_life
from dicemasters.game.mechanics.overcrush import _answered, _hold_back, _is_against, _note_answered
from dicemasters.game.mechanics.replacement import interrupt_damage, is_rescued, note_unheard
from dicemasters.game.mechanics.triggers import Seen, announce_all, drop_silent, go_under_way, next_moment, wait_for_ko
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.queries.damage_modifiers import changed, is_spared, received
from dicemasters.game.state.constants import DOOMED, FIELD, HURT, PLAYER, UNDECIDED
from dicemasters.game.state.frames import Announcing, Crushing, Damaging, Koing
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, WHOLE, Happening, Packet, Record, Through


def deal(
    s: State,
    packets: list[Packet],
    sort: str,
    you: int,
    leaving: tuple[int, ...] = (),
    ability: int = -1,
    as_cost: bool = False,
    through: tuple[Through, ...] = (),
) -> None:
    """Start dealing damage, all at one moment; taken as a cost it is dealt as it is (rules 5.1)."""
    s.done = ()
    if packets or leaving or through:
        stage = 2 if as_cost else 0
        s.stack.append(Damaging(tuple(packets), sort, you, leaving, ability, stage, through=through))


def run_damage(s: State, f: Damaging) -> None:
    if f.stage == 0:
        if s.records or s.table.standing_damage:
            f.packets = tuple([changed(s, p, f.sort) for p in f.packets])
        if "would be damaged" in s.table.woulds:
            note_unheard(s, f)
        f.stage = 1
    elif f.stage == 1:
        if "would be damaged" in s.table.woulds:
            if s.records:
                _spare(s, f)
            if interrupt_damage(s, f):
                return
        if any(x.exceeds for x in f.through):
            for x in f.through:
                if x.exceeds:
                    _let_excess_through(s, f, x)
            f.through = tuple(x for x in f.through if not x.exceeds)
        else:
            f.stage = 2
            _dealt(s, f)
    else:  # a cost
        if "would be damaged" in s.table.woulds:
            note_unheard(s, f)
        _dealt(s, f)


def _spare(s: State, f: Damaging) -> None:
    """What somebody has done about one part of the damage may keep off all others to the same die as well (avx 128)."""
    for i, p in enumerate(f.packets):
        if p.amount > 0 and is_spared(s, p, f.sort):
            _arrive(f, i, 0)


def _arrive(f: Damaging, i: int, amount: int) -> None:
    f.packets = (*f.packets[:i], f.packets[i].of(amount), *f.packets[i + 1 :])


def _let_excess_through(s: State, f: Damaging, x: Through) -> None:
    """Where a text lets what exceeds the blockers' D go on to the player (Thrown Car): what was prevented does not."""
    at = [i for i, p in enumerate(f.packets) if p.source == x.source and p.to in x.foes]
    stays = x.amount or sum(
        [characteristics.stats(s, d)[1] for d in x.foes]
    )  # where it crushes, no more than the blockers get
    over = sum([f.packets[i].amount for i in at]) - stays
    if over <= 0:
        return
    left = 0 if x.exceeds == WHOLE else over
    for i in sorted(at, key=lambda i: -f.packets[i].amount):
        taken = min(left, f.packets[i].amount)
        _arrive(f, i, f.packets[i].amount - taken)
        left -= taken
    # who has declined to change what lay on a blocker is not asked again about what stays there
    f.declined = tuple([(*n[:4], f.packets[n[3]].amount if n[3] in at and n[4] > 0 else n[4]) for n in f.declined])
    f.packets = (*f.packets, received(s, Packet(x.source, PLAYER + 1 - (f.you & 1), over), f.sort))


def _end_by_hits(s: State, f: Damaging, hits: list[Packet]) -> None:
    """Let go what is held until its player damages the opponent; in combat each die deals for whoever controls it."""
    for held in s.holdings[:]:
        if held.until == YOUR_HIT:
            side = (held.holder if held.holder >= PLAYER else s.owner[held.holder]) & 1
            for p in hits:
                dealer = s.place[p.source] & 1 if f.sort == "combat" and p.source < PLAYER else f.you & 1
                if dealer == side and p.to == PLAYER + 1 - side:
                    holding.let_go(s, held)


def _dealt(s: State, f: Damaging) -> None:
    """Deal it: life goes down, dice are damaged, unblocked attackers leave; then KOs and reactions by edition."""
    s.stack.pop()
    edition = s.table.edition
    hits = [p for p in f.packets if p.amount > 0 and (p.to >= PLAYER or s.place[p.to] >> 2 == FIELD)]
    hurt_before = {p.to for p in hits if p.to < PLAYER and s.flags[p.to] & HURT}
    elsewhere = die_identity.where_held(s)
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
    if s.holdings:
        _end_by_hits(s, f, hits)
    if f.through and min(s.life) <= 0:
        _count_rest(s, f)
    check_life(s)
    if s.result != UNDECIDED:
        return
    _hold_back(s, f, hits)
    waits = f.sort == "combat" or not edition.effect_damage_kos_at_once  # who has lethal damage is KO'd later, once
    first = {d for d in counts if d < PLAYER and d not in hurt_before and counts[d] < 2}  # whom Iron Will still helps
    struck = [d for d in counts if d < PLAYER]
    lethal: list[int] = []
    if not edition.out_of_play:  # who is KO'd goes with those who leave, not as one of them (rules 3.4d3b)
        lethal = _lethal(s, struck, first, waits)
        f.leaving = tuple([d for d in f.leaving if d not in lethal])
    known = {d: knowledge(s, d) for p in hits for d in (p.source,) if d < PLAYER}
    if s.table.remembers_damage:
        _remember(s, hits, f)
        known = {d: (*what, _dealt_so_far(s, d, hits, f)) for d, what in known.items()}
    whose = {p.to: (s.place[p.to] & 3, static_rules.burst(s, p.to)) for p in hits if p.to < PLAYER}
    was = (*die_identity.what_they_are(s, [d for p in hits for d in (p.source, p.to)]), *elsewhere)
    go = go_under_way(s)
    zones.leave_together(s, f.leaving)
    if edition.out_of_play:  # they have left when KOs are looked at
        lethal = _lethal(s, [d for d in struck if s.place[d] >> 2 == FIELD], first, waits)
    happenings: list[Happening] = []
    heard = _by_source(hits)
    for p in heard:
        total = sum(x.amount for x in hits if x.to == p.to)
        happenings.append(Happening("damaged", p.to, p.source, p.amount, f.sort, (total, *whose.get(p.to, (0, 0)))))
    for p in heard:
        if p.source != NOBODY:
            happenings.append(Happening("deals damage", p.source, p.to, p.amount, f.sort, known.get(p.source, ())))
    s.done = tuple(p.to for p in hits)
    if edition.ko_before_reactions:
        below = s.stack[-1] if s.stack else None
        if go is not None:
            go.add(tuple(happenings), was)
        elif f.rest and isinstance(below, Announcing):
            below.add(tuple(happenings), was)
        else:
            s.stack.append(Announcing(tuple(happenings), was))
        if f.through:
            s.stack.append(Crushing(f.you))
        if lethal:
            s.stack.append(Koing(tuple(lethal), f.sort, hits=deadly_hits(hits, lethal)))
        return
    doomed = [d for d in lethal if s.flags[d] & DOOMED]  # by combat damage: it is that which KOs them
    for d in lethal:
        s.flags[d] |= DOOMED
    seen: Seen = _answered(s) if f.rest else set()
    if go is not None:
        go.add(tuple(happenings), was)
    else:
        announce_all(s, tuple(happenings), was, seen)
    if f.through:
        _note_answered(s, f, seen)
    if f.sort == "combat" or (lethal and waits):
        if "KOs" in s.table.heard or not edition.removed_blockers_count:
            for p in deadly_hits(hits, lethal):
                s.records.append(Record("doomed", p.to, p.amount, 0, -1, "end of turn", f.you, p.source, -1))
        if f.sort != "combat":
            wait_for_ko(s)
    elif lethal:
        if go is None:
            next_moment(s)
        for d in lethal:
            s.flags[d] &= ~DOOMED & 0xFF
        others = [d for d in lethal if d not in doomed]
        fatal = (*deadly_hits(hits, others), *combat_hits(s, doomed))
        s.stack.append(Koing(tuple(lethal), f.sort, hits=fatal, fought=tuple(doomed)))


def _lethal(s: State, dice: list[int], first: set[int], waits: bool) -> list[int]:
    """List whose damage is as much as their D; Iron Will helps against one first hit."""
    out: list[int] = []
    for d in dice:
        _, de = characteristics.stats(s, d)
        if s.damage[d] >= de and not (s.flags[d] & DOOMED and waits):
            if characteristics.has_keyword(s, d, "Iron Will") and d in first:
                s.records.append(Record("iron will", d, de, 0, -1, "end of turn", s.place[d] & 3, d, -1))
            else:
                out.append(d)
    return out


def _by_source(hits: list[Packet]) -> list[Packet]:
    """Add up what one die deals to another at one moment, directly and by a redirection: it is one damage to who hears of it."""
    out: dict[tuple[int, int], Packet] = {}
    for n, p in enumerate(hits):
        key = (p.source, p.to) if p.source != NOBODY else (NOBODY, -1 - n)
        out[key] = p.of(p.amount + out[key].amount) if key in out else p
    return list(out.values())


def _count_rest(s: State, f: Damaging) -> None:
    """Combat damage is one effect: where the game ends by it, what crushes through belongs to it (rules 4.2, 6.12)."""
    for x in f.through:
        if all(
            s.damage[d] >= characteristics.stats(s, d)[1] and characteristics.can_be_kod(s, d) and not is_rescued(s, d)
            for d in x.foes
        ):
            to = PLAYER + 1 - (f.you & 1)
            s.life[to - PLAYER] -= changed(s, Packet(x.source, to, x.amount), f.sort).amount


def _remember(s: State, hits: list[Packet], f: Damaging) -> None:
    """Note on each die in the field that it has damaged the opponent or a character of theirs this turn."""
    combat = int(f.sort == "combat")
    for p in hits:
        if p.source < PLAYER and s.place[p.source] >> 2 == FIELD and _is_against(s, p):
            made = Record("dealt", p.source, int(p.to >= PLAYER), combat, -1, "end of turn", f.you, p.source, -1)
            if made not in s.records:
                s.records.append(made)


def _dealt_so_far(s: State, d: int, hits: list[Packet], f: Damaging) -> int:
    """Give whom the die has damaged this turn as bits, for its reactions when it has left."""
    bits = 0
    for r in s.records:
        if r.word == "dealt" and (r.subject == d or (r.subject == NOBODY and r.source == d)):
            bits |= (3 if r.d else 1) << 2 * r.a  # combat damage is damage too
    for p in hits:
        if p.source == d and f.rest and _is_against(s, p):
            bits |= 3 << 2 * (p.to >= PLAYER)
    return bits


def run_announcing(s: State, f: Announcing) -> None:
    s.stack.pop()
    if f.go and s.table.edition.ko_before_reactions:
        drop_silent(s)
    announce_all(s, f.happenings, f.was, set())
