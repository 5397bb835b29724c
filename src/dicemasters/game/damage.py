"""Damage and KO: laid out, changed on the way, dealt, reacted to (rules 3.4d2 to d5, 5.8)."""

from __future__ import annotations

from dicemasters.cards.words import ALL, YOUR_HIT
from dicemasters.game import look, moves
from dicemasters.game.decide import alike, ask
from dicemasters.game.frames import (
    NOT_TRYING,
    TRYING_NOBODY,
    USED_FOR,
    Announcing,
    Crushing,
    Damaging,
    DieKey,
    Frame,
    Happening,
    Koing,
    Packet,
    PacketKey,
    Record,
    Running,
    Through,
)
from dicemasters.game.sentence import Sentence
from dicemasters.game.state import (
    BY_BLOCKING,
    DOOMED,
    EARLIER,
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
    Option,
    State,
)
from dicemasters.game.triggers import Seen, announce, is_spent, next_moment, spend, tell, wait_for_ko


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
            f.packets = tuple([_changed(s, p, f.sort) for p in f.packets])
        f.stage = 1
    elif f.stage == 1:
        if "would be damaged" in s.table.woulds and _interrupt(s, f):
            return
        if f.through and any(not x.foes for x in f.through):
            _let_excess_through(s, f)
        else:
            f.stage = 2
            _dealt(s, f)
    else:
        _dealt(s, f)


def _let_excess_through(s: State, f: Damaging) -> None:
    """Where a text lets what exceeds the blockers' D go on to the player: what was prevented does not exceed it."""
    packets = list(f.packets)
    for x in f.through:
        if not x.foes:
            amount = x.amount - (x.dealt - sum(p.amount for p in f.packets if p.source == x.source))
            if amount > 0:
                to = PLAYER + 1 - (f.you & 1)
                packets.append(_changed(s, Packet(x.source, to, amount), f.sort))
    f.packets = tuple(packets)
    f.through = tuple(x for x in f.through if x.foes)


def _changed(s: State, p: Packet, sort: str) -> Packet:
    """Apply the standing changes, in one order for all (docs/rulings.md): multiply, add, halve, take away."""
    amount = p.amount
    if p.source < PLAYER:
        if look.is_ruled(s, "deals no damage", p.source):
            return p.of(0)
        if sort != "combat":  # there it is multiplied before it is assigned (rulings: Wolverine with Overcrush)
            amount *= damage_factor(s, p.source, p.to, sort)
        for n in _changes(s, "deals more", p.source, p.to, sort):
            amount += n
    return _received(s, p.of(amount), sort)


def _received(s: State, p: Packet, sort: str) -> Packet:
    """Apply what the standing rules about whoever is hit make of the damage; on a redirection this comes anew."""
    amount = p.amount
    for n in _changes(s, "takes more", p.to, p.source, sort):
        amount += n
    for _ in _changes(s, "takes half", p.to, p.source, sort):
        amount //= 2
    for n in _changes(s, "takes less", p.to, p.source, sort):
        amount = 0 if n >= ALL else max(0, amount - n)
    return p.of(amount)


def needed(s: State, source: int, d: int) -> int:
    """Give what the source must assign to a die in combat to bring it to its D, by the standing changes; else ALL."""
    least = max(0, look.stats(s, d)[1] - s.damage[d])
    if not s.records and not s.table.standing_damage:
        return least
    for n in range(least, least + 40):
        if _changed(s, Packet(source, d, n), "combat").amount >= least:
            return n
    return ALL


def is_untouched(s: State, source: int, d: int) -> bool:
    """Tell whether all combat damage of the source to the die is prevented."""
    return not _changed(s, Packet(source, d, ALL), "combat").amount


def damage_factor(s: State, source: int, to: int, sort: str) -> int:
    """Give by how much the damage of one die to another die or player is multiplied."""
    factor = 1
    for n in _changes(s, "deals times", source, to, sort):
        factor *= n
    return factor


def _changes(s: State, word: str, who: int, other: int, sort: str) -> list[int]:
    """List the numbers of the rules of this word about one end of the damage that the other end does not exclude."""
    out: list[int] = []
    for rule, ctx, n, _ in look.rules_about(s, word, who):
        if rule is not None:
            if rule.by is not None and (other == NOBODY or not rule.by(s, other, ctx)):
                continue
            if rule.text and not any(kind in sort.split(", ") for kind in rule.text.split(", ")):
                continue
        out.append(n)
    return out


def _interrupt(s: State, f: Damaging) -> bool:
    """Let the next ability act that may prevent, redirect or change: the active player's first (rules 5.7a, 5.10).

    What a player may do is asked before what must be done, in the order of the cards; declined for now, it is asked again
    once the damage has changed. So players order their own.
    """
    _after_trying(f)
    if s.answer[0] == "would":
        return _act_on(s, f, *_would_be_damaged(s, f)[s.answer[2]])
    found = _would_be_damaged(s, f)
    if not found:
        for index, you, _, _ in (*f.asked, *(x[:4] for x in f.declined)):
            if s.table.sentences[index].limit == "first" and (index, you) not in s.spent:
                s.spent.append((index, you))  # a first time that was declined was one all the same (rules 5.7c)
        return False
    if s.answer[0] == "damage":
        return _act_on(s, f, *next(x for x in found if x[0].ability == s.answer[2]))
    if not is_asked(s, found[0][0]):
        same = [x for x in found if x[1][3] == found[0][1][3]]
        orders = _distinct_orders(same)
        if len(orders) > 1:
            options: list[Option] = [("would", x[0].ability, found.index(x)) for x in orders]
            ask(s, found[0][0].you, "resolve", options)
            return True
    return _act_on(s, f, *found[0])


def _distinct_orders(found: list[tuple[Running, PacketKey]]) -> list[tuple[Running, PacketKey]]:
    """Keep one of each ability: it makes no difference which of several dice acts first."""
    return list({x[0].ability: x for x in reversed(found)}.values())[::-1]


def _act_on(s: State, f: Damaging, ctx: Running, key: PacketKey) -> bool:
    sentence = s.table.sentences[ctx.ability]
    if sentence.limit in ("first", "die") and not sentence.programs[ctx.burst].optional:
        _first_time(s, f, sentence, ctx)
        return True
    if not is_asked(s, ctx):
        f.asked = (*f.asked, key)
    if sentence.first and key not in (x[:4] for x in f.declined):
        _count(s, ctx)
    f.trying = key
    s.stack.append(ctx)
    return True


def is_asked(s: State, ctx: Running) -> bool:
    """Tell whether the ability acts only if its player says so."""
    ops = s.table.sentences[ctx.ability].programs[ctx.burst].ops
    return bool(ops) and ops[0].name == "may"


def _after_trying(f: Damaging) -> None:
    """Note what the ability that was asked last has come to."""
    key = f.trying
    if key == NOT_TRYING:
        return
    if key in f.asked:
        f.used = 0
    elif f.used:
        f.asked = (*f.asked, key)
        f.used = 0
    else:
        f.declined = (*f.declined, (*key, _size(f, key[3])))
    f.trying = NOT_TRYING


def _size(f: Damaging, i: int) -> int:
    """Give what tells whether a packet is still the one that was asked about."""
    return f.packets[i].amount


def _would_be_damaged(s: State, f: Damaging) -> list[tuple[Running, PacketKey]]:
    """List the abilities of the side whose turn it is to answer that may act on the damage now, each with its packet."""
    asked = set(f.asked)
    declined = set(f.declined)
    for side in (s.active & 1, 1 - (s.active & 1)):
        may: list[tuple[Running, PacketKey]] = []
        must: list[tuple[Running, PacketKey]] = []
        for i, p in enumerate(f.packets):
            if p.amount <= 0:
                continue
            h = Happening("would be damaged", p.to, p.source, p.amount, f.sort, (i, f.you))
            for sentence in s.table.woulds["would be damaged"]:
                for ctx in would_contexts(s, sentence, h):
                    if ctx.you & 1 != side or (sentence.index, ctx.you, ctx.this, USED_FOR + p.to) in asked:
                        continue
                    at = i
                    if sentence.whole_source:
                        at = next(j for j, q in enumerate(f.packets) if q.source == p.source)
                    key = (sentence.index, ctx.you, ctx.this, at)
                    if key not in asked and (*key, _size(f, at)) not in declined:
                        (may if is_asked(s, ctx) else must).append((ctx, key))
        if may or must:
            return may + must
    return []


def _first_time(s: State, f: Damaging, sentence: Sentence, ctx: Running) -> None:
    """Let what must change the first damage of the turn do so; its controller chooses which of several (rules 5.7c)."""
    found: dict[int, Running] = {}
    seen: set[tuple[int, ...]] = set()
    for i, p in enumerate(f.packets):
        h = Happening("would be damaged", p.to, p.source, p.amount, f.sort, (i, f.you))
        key = (*alike(s, p.source), p.to, p.amount)
        for other in would_contexts(s, sentence, h) if p.amount > 0 else ():
            if (other.you, other.this) == (ctx.you, ctx.this) and key not in seen:
                seen.add(key)
                found[i] = other
    if len(found) > 1 and s.answer[0] != "damage":
        ask(s, ctx.you, "which damage", [("damage", i, sentence.index) for i in found], about=sentence.index)
        return
    chosen = found[s.answer[1]] if len(found) > 1 else ctx
    spend(s, chosen)
    s.stack.append(chosen)


def note_use(s: State) -> None:
    """The ability that was asked is being used; a reactive Global not again for the same die (rules 5.10)."""
    below, running = s.stack[-2], s.stack[-1]
    if isinstance(below, Damaging) and isinstance(running, Running):
        if s.table.sentences[running.ability].kind == "global":
            to = below.packets[running.event.known[0]].to
            below.asked = (*below.asked, (running.ability, running.you, running.this, USED_FOR + to))
        below.used = 1
    elif isinstance(below, Koing):
        below.used = 1


def would_contexts(s: State, sentence: Sentence, h: Happening) -> list[Running]:
    """List where an interrupting ability may act on what is about to happen."""
    if sentence.kind == "global":
        seats = [seat for seat in range(s.table.n_seats) if not look.is_banned(s, seat, "global")]
        if "text ignored" in s.table.standing and look.is_silent(s, sentence.card):
            seats = []
        found = [look.context(sentence.index, seat, NOBODY, h) for seat in seats]
    else:
        found = look.contexts(s, sentence)
        for ctx in found:
            ctx.event = h
    out: list[Running] = []
    for ctx in found:
        if not sentence.who(s, h.die, ctx):
            continue
        if sentence.other is not None and (h.other == NOBODY or not sentence.other(s, h.other, ctx)):
            continue
        if sentence.condition is not None and not sentence.condition(s, ctx):
            continue
        if not is_spent(s, ctx) and not (sentence.first and look.counted(s, ctx) >= sentence.first):
            out.append(ctx)
    return out


def _count(s: State, ctx: Running) -> None:
    """Note how much of the turn's first damage has been met, whatever is done about it."""
    seen = look.counted(s, ctx) + ctx.event.amount
    s.records = [
        r for r in s.records if not (r.word == "counted" and r.subject == ctx.this and r.ability == ctx.ability)
    ]
    s.records.append(Record("counted", ctx.this, seen, 0, -1, "end of turn", ctx.you, ctx.this, ctx.ability))


def prevent(s: State, amount: int) -> None:
    """Take damage away from the packet that is being asked about."""
    f, running = _damage_asked(s)
    i = running.event.known[0]
    p = f.packets[i]
    rest = 0 if amount >= ALL else max(0, p.amount - amount)  # a negative amount increases it
    f.packets = (*f.packets[:i], p.of(rest), *f.packets[i + 1 :])


def redirect(s: State, amount: int, to: int, whole_source: bool = False) -> None:
    """Send a part of the packet elsewhere, or all the damage of its source; the source stays the same (rules 5.8d)."""
    f, running = _damage_asked(s)
    i = running.event.known[0]
    source = f.packets[i].source
    before = f.packets
    _redirect(s, f, running, i, amount, to)
    if whole_source:
        for j, p in enumerate(before):
            if j != i and p.source == source and p.amount > 0 and p.to != to and _may_go(s, f, running, j, to):
                _redirect(s, f, running, j, amount, to)


def _redirect(s: State, f: Damaging, running: Running, i: int, amount: int, to: int) -> None:
    p = f.packets[i]
    moved = min(amount, p.amount)
    kept = p.of(p.amount - moved)
    # who has acted on the packet does not act on it again on its new way; a Global may, for another die
    answered = {(a, you, this) for a, you, this, n in f.asked if n == i and s.table.sentences[a].kind != "global"}
    answered.add((running.ability, running.you, running.this))
    f.asked = (*f.asked, *((*key, len(f.packets)) for key in sorted(answered)))
    arriving = _received(s, Packet(p.source, to, moved), f.sort)
    f.packets = (*f.packets[:i], kept, *f.packets[i + 1 :], arriving)


def amount_asked(s: State) -> int:
    """Give how much the packet is that is being asked about."""
    f, running = _damage_asked(s)
    return f.packets[running.event.known[0]].amount


def may_redirect(s: State, to: int) -> bool:
    """Tell whether the packet asked about may go there: in ai only to the same sort that can be targeted (5.8d).

    A text that sends damage from a player to dice says otherwise (rules 5.1).
    """
    f, running = _damage_asked(s)
    return _may_go(s, f, running, running.event.known[0], to)


def _may_go(s: State, f: Damaging, running: Running, i: int, to: int) -> bool:
    if f.packets[i].to == to:
        return False
    if s.table.edition.free_redirect:
        return True
    same_sort = (f.packets[i].to >= PLAYER) == (to >= PLAYER)
    crosses = s.table.sentences[running.ability].crosses
    if to < PLAYER and look.is_protected(s, to, f.sort.split(", ")[0], f.you):
        return False  # from what deals the damage; from the text that redirects it a choice protects itself
    return same_sort or crosses


def _damage_asked(s: State) -> tuple[Damaging, Running]:
    """Give the damage that somebody is asked about, and the text that asks: its event knows the packet."""
    above: Frame | None = None
    for f in reversed(s.stack):
        if isinstance(f, Damaging) and isinstance(above, Running):
            return f, above
        above = f
    raise AssertionError("no damage is on its way")


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
    if s.holdings and any(p.to == PLAYER + 1 - (f.you & 1) for p in hits):
        for held in s.holdings[:]:
            holder = held.holder if held.holder >= PLAYER else s.owner[held.holder]
            if held.until == YOUR_HIT and holder & 1 == f.you & 1:
                moves.let_go(s, held)
    check_life(s)
    if s.result != UNDECIDED:
        return
    _hold_back(s, f)
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
    if s.table.remembers_damage:
        _remember(s, hits, f)
        known = {d: (*what, _dealt_so_far(s, d, hits, f)) for d, what in known.items()}
    for d in f.leaving:
        if s.place[d] >> 2 == FIELD:
            moves.used_up(s, d)
    lethal = [d for d in lethal if s.place[d] >> 2 == FIELD]  # what has left is not KO'd (rules 3.4d3)
    happenings: list[Happening] = []
    for p in hits:
        total = sum(x.amount for x in hits if x.to == p.to)
        whose = (0, 0) if p.to >= PLAYER else (s.place[p.to] & 3, look.burst(s, p.to))
        happenings.append(Happening("damaged", p.to, p.source, p.amount, f.sort, (total, *whose)))
    for p in hits:
        if p.source != NOBODY:
            happenings.append(Happening("deals damage", p.source, p.to, p.amount, f.sort, known.get(p.source, ())))
    s.done = tuple(p.to for p in hits)
    if edition.ko_before_reactions:
        below = s.stack[-1] if s.stack else None
        if f.rest and isinstance(below, Announcing):
            below.happenings = (*below.happenings, *happenings)
        else:
            s.stack.append(Announcing(tuple(happenings)))
        if f.through:
            s.stack.append(Crushing(f.you))
        if lethal:
            s.stack.append(Koing(tuple(lethal), f.sort, hits=_deadly_hits(hits, lethal)))
        return
    for d in lethal:
        s.flags[d] |= DOOMED
    seen: Seen = _answered(s) if f.rest else set()
    for h in happenings:
        announce(s, h, (), seen)
    if f.through:
        _note_answered(s, f, seen)
    if f.sort == "combat" or (lethal and not edition.effect_damage_kos_at_once):
        if "KOs" in s.table.heard or not edition.removed_blockers_count:
            for p in _deadly_hits(hits, lethal):
                s.records.append(Record("doomed", p.to, p.amount, 0, -1, "end of turn", f.you, p.source, -1))
        if f.sort != "combat":
            wait_for_ko(s)
    elif lethal:
        next_moment(s)
        for d in lethal:
            s.flags[d] &= ~DOOMED & 0xFF
        s.stack.append(Koing(tuple(lethal), f.sort, hits=_deadly_hits(hits, lethal)))


def _remember(s: State, hits: list[Packet], f: Damaging) -> None:
    """Note on each die in the field that it has damaged a player or a character this turn."""
    combat = int(f.sort == "combat")
    for p in hits:
        if p.source < PLAYER and s.place[p.source] >> 2 == FIELD and p.to != PLAYER + (s.place[p.source] & 1):
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
        if p.source == d and f.rest:
            bits |= 3 << 2 * (p.to >= PLAYER)
    return bits


# --- past the blockers ---------------------------------------------------------------------------------------------


def _hold_back(s: State, f: Damaging) -> None:
    """Note what is left over for the player, and on each blocker that it is in the way as long as it is there."""
    for x in f.through:
        s.records.append(Record("through", NOBODY, x.amount, 0, -1, "end of turn", f.you, x.source, -1))
        if s.table.remembers_damage:  # it may have left when the rest is dealt
            s.records.append(Record("dealt", NOBODY, 0, 1, -1, "end of turn", f.you, x.source, -1))
        for d in x.foes:
            if s.place[d] >> 2 == FIELD:
                s.records.append(Record("in the way", d, 0, 0, -1, "end of turn", f.you, x.source, -1))


def run_crushing(s: State, f: Crushing) -> None:
    s.stack.pop()
    packets: list[Packet] = []
    for r in s.records:
        if r.word == "through" and not any(x.word == "in the way" and x.source == r.source for x in s.records):
            if s.table.edition.removed_blockers_count or r.d >= _blocks_of(s, r.source):
                packets.append(Packet(r.source, PLAYER + 1 - (f.you & 1), r.a))
    s.records = [r for r in s.records if r.word not in ("through", "in the way")]
    if packets:
        s.stack.append(Damaging(tuple(packets), "combat", f.you, rest=1))
    else:
        _answered(s)


def _note_answered(s: State, f: Damaging, seen: Seen) -> None:
    """Note what has reacted to the damage of a die whose rest may still go through: it is one source (rules 10.1)."""
    sources = {x.source for x in f.through}
    for ability, you, this, source, whom in sorted(seen):
        if source in sources and whom == NOBODY:
            s.records.append(Record("answered", this, ability, you, -1, "end of turn", f.you, source, -1))


def _answered(s: State) -> Seen:
    """Give what has reacted to the damage before, and forget it."""
    seen: Seen = {(r.a, r.d, r.subject, r.source, NOBODY) for r in s.records if r.word == "answered"}
    s.records = [r for r in s.records if r.word != "answered"]
    return seen


def _blocks_of(s: State, attacker: int) -> int:
    """Give how many have blocked the die in this attack."""
    return sum(1 for _, a, how in s.met if a == attacker and how & BY_BLOCKING and not how & EARLIER)


def _count_kos(s: State, hits: tuple[Packet, ...], dice: tuple[int, ...]) -> None:
    """Note how many of its blockers each die that crushes has KO'd."""
    for i, r in enumerate(s.records):
        if r.word == "through":
            s.records[i] = r.saying(r.a, r.d + sum(1 for p in hits if p.source == r.source and p.to in dice))


def ko_doomed(s: State) -> None:
    """KO who has lethal damage after the effects of it; whose D has risen enough by then lives (rules 3.4d4)."""
    if any(r.word == "through" for r in s.records):
        s.stack.append(Crushing(s.active))
    doomed = [d for seat in range(s.table.n_seats) for d in s.dice_in(FIELD, seat) if s.flags[d] & DOOMED]
    if not doomed:
        return
    next_moment(s)
    for d in doomed:
        s.flags[d] &= ~DOOMED & 0xFF
    if s.table.edition.defence_read_last:
        doomed = [d for d in doomed if s.damage[d] >= look.stats(s, d)[1]]
    hits = tuple(Packet(r.source, r.subject, r.a) for r in s.records if r.word == "doomed" and r.subject in doomed)
    s.records = [r for r in s.records if r.word != "doomed"]
    if doomed:
        s.stack.append(Koing(tuple(doomed), "combat", hits=hits))


def run_dooming(s: State) -> None:
    s.stack.pop()
    ko_doomed(s)


def _deadly_hits(hits: list[Packet], lethal: list[int]) -> tuple[Packet, ...]:
    return tuple(p for p in hits if p.to in lethal and p.source != NOBODY)


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
    gained = min(amount, look.most_life(s, side) - s.life[side])
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
            s.result, s.why = TIE, f"both {_who(s)}s were brought to 0 life at one moment"
        else:
            s.result = s.active & 1
            s.why = f"both {_who(s)}s were brought to 0 life, and the active {_who(s)} wins"
    else:
        s.result = 0 if b <= 0 else 1
        loser = 1 - s.result
        s.why = f"{'AB'[loser]} was brought to 0 life"
        if s.table.n_seats > 2:
            s.why = f"{'AB'[loser]} and {'CD'[loser]} were brought to 0 life"


def _who(s: State) -> str:
    return "player" if s.table.n_seats == 2 else "side"


# --- KO ------------------------------------------------------------------------------------------------------------


def ko(s: State, dice: list[int], sort: str, doer: int = NOBODY, by: int = -1) -> None:
    """Start KOing dice by an effect; Iron Will asks for earlier damage (rules 6.11)."""
    s.done = ()
    able = [
        d for d in dice if s.place[d] >> 2 == FIELD and (s.flags[d] & HURT or not look.has_keyword(s, d, "Iron Will"))
    ]
    if able:
        s.stack.append(Koing(tuple(able), sort, doer, by=by))


def run_ko(s: State, f: Koing) -> None:
    f.dice = tuple([d for d in f.dice if s.place[d] >> 2 == FIELD])
    if f.stage == 0:
        f.dice = tuple([d for d in f.dice if not look.is_ruled(s, "cannot be KO'd", d)])
        f.stage = 1
        return
    if "would be KO'd" in s.table.woulds and _interrupt_ko(s, f):
        return
    s.stack.pop()
    _kod(s, f)


def _interrupt_ko(s: State, f: Koing) -> bool:
    """Let the next ability act that may change a KO, the active player's first; one declined may be asked again (5.7a)."""
    if f.trying[0] >= 0:
        if f.used or f.trying in f.asked:
            f.asked = (*f.asked, f.trying)
            f.declined = ()
            f.used = 0
        else:
            f.declined = (*f.declined, f.trying)
        f.trying = TRYING_NOBODY
    found = _would_be_kod(s, f)
    if not found:
        return False
    ctx, key = found[0]
    if s.answer[0] == "would":
        ctx, key = found[s.answer[2]]
    elif not is_asked(s, ctx):
        options: list[Option] = []
        seen: set[int] = set()
        for i, (x, k) in enumerate(found):
            if k[2] == key[2] and x.ability not in seen:
                seen.add(x.ability)
                options.append(("would", x.ability, i))
        if len(options) > 1:
            ask(s, ctx.you, "resolve", options)
            return True
    if not is_asked(s, ctx):
        f.asked = (*f.asked, key)
    f.trying = key
    s.stack.append(ctx)
    return True


def _would_be_kod(s: State, f: Koing) -> list[tuple[Running, DieKey]]:
    """List the abilities of the side whose turn it is to answer that may act on the KO now, each with its die."""
    for side in (s.active & 1, 1 - (s.active & 1)):
        may: list[tuple[Running, DieKey]] = []
        must: list[tuple[Running, DieKey]] = []
        for d in f.dice:
            h = Happening("would be KO'd", d, f.doer, 0, f.sort)
            for sentence in s.table.woulds["would be KO'd"]:
                for ctx in would_contexts(s, sentence, h):
                    key = (sentence.index, ctx.this, d)
                    if ctx.you & 1 == side and key not in f.asked and key not in f.declined:
                        (may if is_asked(s, ctx) else must).append((ctx, key))
        if may or must:
            return may + must
    return []


def _knowledge(s: State, d: int) -> tuple[int, ...]:
    a, de = look.stats(s, d)
    engaged = 256 if look.is_engaged(s, d) else 0
    return (a, de, look.level(s, d), s.flags[d] | engaged, s.place[d] & 3, look.burst(s, d))


def _kod(s: State, f: Koing) -> None:
    dice = f.dice
    happenings = [Happening("KO'd", d, f.doer, 0, f.sort, _knowledge(s, d)) for d in dice]
    for d in dice:
        seat = s.place[d] & 3
        s.facts[seat * FACTS + OWN_KOS] += 1
        if look.is_sidekick(s, d):
            s.facts[seat * FACTS + SIDEKICK_KOS] += 1
        if s.journal is not None:
            s.journal.append(("KO", d))
    # read while the dice are still there; before ai a while-active ability whose last die goes now is silent (3.4d4)
    without = dice if s.table.edition.ko_before_reactions else ()
    for h in happenings:
        announce(s, h, without)
    for doer, d in _doers(f, dice):
        tell(s, "KOs", doer, d, kind=f.sort)
    if s.records and f.hits:
        _count_kos(s, f.hits, dice)
    for d in dice:
        if s.place[d] & 3 == f.by:
            tell(s, "KOs own", s.table.person + f.by, d)
    for d in dice:
        moves.put(s, d, PREP, s.owner[d], kod=True)
    s.done = dice


def _doers(f: Koing, dice: tuple[int, ...]) -> list[tuple[int, int]]:
    """List who KO'd whom: the die whose effect it was, or each that damaged it at that moment."""
    if f.doer != NOBODY:
        return [(f.doer, d) for d in dice if d != f.doer]
    return sorted({(p.source, p.to) for p in f.hits if p.to in dice})


def settle(s: State) -> None:
    """KO what has as much damage as D, or D 0: a change of numbers may have brought it there (rules 5.8a)."""
    s.dirty = False
    if not s.records and not s.table.standing_stats and not s.is_anybody_hurt():
        return
    dead: list[int] = []
    going = [d for f in s.stack if isinstance(f, Koing) for d in f.dice]  # somebody is being asked about them
    damage = s.damage
    check_all = bool(s.records) or s.table.standing_stats
    in_force = look.stat_rules(s) if s.table.standing_stats else look.NO_STAT_RULES
    for seat in range(s.table.n_seats):
        for d in s.dice_in(FIELD, seat):
            if (damage[d] or check_all) and not s.flags[d] & DOOMED and s.table.levels[s.table.m6[d] + s.face[d]]:
                _, de = look.stats_by(s, d, in_force)
                if s.records and "Iron Will" in s.table.keywords_at_table:
                    _note_risen(s, d, de)
                if damage[d] >= de and d not in going and not _iron_willed(s, d, de):
                    dead.append(d)
    if dead:
        s.stack.append(Koing(tuple(dead), "rule"))


def _iron_willed(s: State, d: int, de: int) -> bool:
    """Iron Will outlasts damage it has survived until D falls, and D 0 without damage (rules 6.11)."""
    if not look.has_keyword(s, d, "Iron Will"):
        return False
    if not s.flags[d] & HURT:
        return True
    return any(r.word == "iron will" and r.subject == d and de >= r.a for r in s.records)


def _note_risen(s: State, d: int, de: int) -> None:
    """A D that has risen since Iron Will kept the die may fall again, and then KOs it (rules 6.11)."""
    for i, r in enumerate(s.records):
        if r.word == "iron will" and r.subject == d and de > r.a:
            s.records[i] = r.saying(de, r.d)
