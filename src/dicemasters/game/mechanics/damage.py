"""Damage: laid out, changed on the way, dealt, reacted to (rules 3.4d2 to d5, 5.8)."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import YOUR_HIT
from dicemasters.game.mechanics import holding, zones
from dicemasters.game.mechanics.knockout import last_known_info, lethal_combat_damage, lethal_packets
from dicemasters.game.mechanics.life import check_game_end
from dicemasters.game.mechanics.overcrush import hits_opponent, note_overcrush, note_reacted, take_reacted
from dicemasters.game.mechanics.replacement import is_ko_replaced, note_unanswerable, offer_damage_replacements
from dicemasters.game.mechanics.triggers import (
    SeenCauses,
    active_batch,
    advance_timestamp,
    drop_silenced,
    enqueue_simultaneous,
    wait_for_ko,
)
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.queries.damage_modifiers import damage_after_recipient_rules, is_damage_prevented, modified_damage
from dicemasters.game.state.constants import DAMAGED_THIS_TURN, FIELD, LETHAL, PLAYER, UNDECIDED
from dicemasters.game.state.frames import DamageFrame, EventBatchFrame, KnockoutFrame, OvercrushFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import FULL_DAMAGE, NOBODY, ActiveEffect, DamagePacket, ExcessDamage, GameEvent


def start_damage(
    s: State,
    packets: list[DamagePacket],
    sort: str,
    you: int,
    leaving: tuple[int, ...] = (),
    ability: int = -1,
    as_cost: bool = False,
    through: tuple[ExcessDamage, ...] = (),
) -> None:
    """Start dealing damage, all at one moment; taken as a cost it is dealt as it is (rules 5.1)."""
    s.last_affected = ()
    if packets or leaving or through:
        stage = 2 if as_cost else 0
        s.stack.append(DamageFrame(tuple(packets), sort, you, leaving, ability, stage, through=through))


def run_damage(s: State, f: DamageFrame) -> None:
    if f.stage == 0:
        if s.active_effects or s.spec.has_static_damage_rules:
            f.packets = tuple([modified_damage(s, p, f.sort) for p in f.packets])
        if "would be damaged" in s.spec.replacements:
            note_unanswerable(s, f)
        f.stage = 1
    elif f.stage == 1:
        if "would be damaged" in s.spec.replacements:
            if s.active_effects:
                _drop_prevented(s, f)
            if offer_damage_replacements(s, f):
                return
        if any(x.exceeds for x in f.through):
            for x in f.through:
                if x.exceeds:
                    _assign_excess(s, f, x)
            f.through = tuple(x for x in f.through if not x.exceeds)
        else:
            f.stage = 2
            _apply_damage(s, f)
    else:  # a cost
        if "would be damaged" in s.spec.replacements:
            note_unanswerable(s, f)
        _apply_damage(s, f)


def _drop_prevented(s: State, f: DamageFrame) -> None:
    """What somebody has done about one part of the damage may keep off all others to the same die as well (avx 128)."""
    for i, p in enumerate(f.packets):
        if p.amount > 0 and is_damage_prevented(s, p, f.sort):
            _arrive(f, i, 0)


def _arrive(f: DamageFrame, i: int, amount: int) -> None:
    f.packets = (*f.packets[:i], f.packets[i].of(amount), *f.packets[i + 1 :])


def _assign_excess(s: State, f: DamageFrame, x: ExcessDamage) -> None:
    """Where a text lets what exceeds the blockers' D go on to the player (Thrown Car): what was prevented does not."""
    at = [i for i, p in enumerate(f.packets) if p.source == x.source and p.to in x.foes]
    stays = x.amount or sum(
        [characteristics.current_stats(s, d)[1] for d in x.foes]
    )  # where it crushes, no more than the blockers get
    over = sum([f.packets[i].amount for i in at]) - stays
    if over <= 0:
        return
    left = 0 if x.exceeds == FULL_DAMAGE else over
    for i in sorted(at, key=lambda i: -f.packets[i].amount):
        taken = min(left, f.packets[i].amount)
        _arrive(f, i, f.packets[i].amount - taken)
        left -= taken
    # who has declined to change what lay on a blocker is not asked again about what stays there
    f.declined = tuple([(*n[:4], f.packets[n[3]].amount if n[3] in at and n[4] > 0 else n[4]) for n in f.declined])
    f.packets = (
        *f.packets,
        damage_after_recipient_rules(s, DamagePacket(x.source, PLAYER + 1 - (f.you & 1), over), f.sort),
    )


def _end_by_hits(s: State, f: DamageFrame, hits: list[DamagePacket]) -> None:
    """Let go what is held until its player damages the opponent; in combat each die deals for whoever controls it."""
    for held in s.holdings[:]:
        if held.until == YOUR_HIT:
            side = (held.holder if held.holder >= PLAYER else s.owner[held.holder]) & 1
            for p in hits:
                dealer = s.place[p.source] & 1 if f.sort == "combat" and p.source < PLAYER else f.you & 1
                if dealer == side and p.to == PLAYER + 1 - side:
                    holding.release(s, held)


def _apply_damage(s: State, f: DamageFrame) -> None:
    """Deal it: life goes down, dice are damaged, unblocked attackers leave; then KOs and reactions by edition."""
    s.stack.pop()
    edition = s.spec.edition
    hits = [p for p in f.packets if p.amount > 0 and (p.to >= PLAYER or s.place[p.to] >> 2 == FIELD)]
    hurt_before = {p.to for p in hits if p.to < PLAYER and s.flags[p.to] & DAMAGED_THIS_TURN}
    elsewhere = die_identity.holding_snapshot(s)
    counts: dict[int, int] = {}
    for p in hits:
        counts[p.to] = counts.get(p.to, 0) + 1
        if p.to >= PLAYER:
            s.life[p.to - PLAYER] -= p.amount
        else:
            s.damage[p.to] = min(255, s.damage[p.to] + p.amount)
            s.flags[p.to] |= DAMAGED_THIS_TURN
        if s.journal is not None:
            s.journal.append(("damage", p.source, p.to, p.amount, f.sort))
    if s.holdings:
        _end_by_hits(s, f, hits)
    if f.through and min(s.life) <= 0:
        _count_rest(s, f)
    check_game_end(s)
    if s.result != UNDECIDED:
        return
    note_overcrush(s, f, hits)
    waits = f.sort == "combat" or not edition.effect_damage_kos_at_once  # who has lethal damage is KO'd later, once
    first = {d for d in counts if d < PLAYER and d not in hurt_before and counts[d] < 2}  # whom Iron Will still helps
    struck = [d for d in counts if d < PLAYER]
    lethal: list[int] = []
    if not edition.out_of_play:  # who is KO'd goes with those who leave, not as one of them (rules 3.4d3b)
        lethal = _lethal(s, struck, first, waits)
        f.leaving = tuple([d for d in f.leaving if d not in lethal])
    known = {d: last_known_info(s, d) for p in hits for d in (p.source,) if d < PLAYER}
    if s.spec.remembers_damage:
        _remember(s, hits, f)
        known = {d: (*what, _dealt_so_far(s, d, hits, f)) for d, what in known.items()}
    whose = {p.to: (s.place[p.to] & 3, static_rules.burst(s, p.to)) for p in hits if p.to < PLAYER}
    was = (*die_identity.identity_effects(s, [d for p in hits for d in (p.source, p.to)]), *elsewhere)
    go = active_batch(s)
    zones.leave_simultaneously(s, f.leaving)
    if edition.out_of_play:  # they have left when KOs are looked at
        lethal = _lethal(s, [d for d in struck if s.place[d] >> 2 == FIELD], first, waits)
    happenings: list[GameEvent] = []
    heard = _by_source(hits)
    for p in heard:
        total = sum(x.amount for x in hits if x.to == p.to)
        happenings.append(GameEvent("damaged", p.to, p.source, p.amount, f.sort, (total, *whose.get(p.to, (0, 0)))))
    for p in heard:
        if p.source != NOBODY:
            happenings.append(GameEvent("deals damage", p.source, p.to, p.amount, f.sort, known.get(p.source, ())))
    s.last_affected = tuple(p.to for p in hits)
    if edition.ko_before_reactions:
        below = s.stack[-1] if s.stack else None
        if go is not None:
            go.add(tuple(happenings), was)
        elif f.rest and isinstance(below, EventBatchFrame):
            below.add(tuple(happenings), was)
        else:
            s.stack.append(EventBatchFrame(tuple(happenings), was))
        if f.through:
            s.stack.append(OvercrushFrame(f.you))
        if lethal:
            s.stack.append(KnockoutFrame(tuple(lethal), f.sort, hits=lethal_packets(hits, lethal)))
        return
    doomed = [d for d in lethal if s.flags[d] & LETHAL]  # by combat damage: it is that which KOs them
    for d in lethal:
        s.flags[d] |= LETHAL
    seen: SeenCauses = take_reacted(s) if f.rest else set()
    if go is not None:
        go.add(tuple(happenings), was)
    else:
        enqueue_simultaneous(s, tuple(happenings), was, seen)
    if f.through:
        note_reacted(s, f, seen)
    if f.sort == "combat" or (lethal and waits):
        if "KOs" in s.spec.observed_events or not edition.removed_blockers_count:
            for p in lethal_packets(hits, lethal):
                s.active_effects.append(
                    ActiveEffect("doomed", p.to, p.amount, 0, -1, "end of turn", f.you, p.source, -1)
                )
        if f.sort != "combat":
            wait_for_ko(s)
    elif lethal:
        if go is None:
            advance_timestamp(s)
        for d in lethal:
            s.flags[d] &= ~LETHAL & 0xFF
        others = [d for d in lethal if d not in doomed]
        fatal = (*lethal_packets(hits, others), *lethal_combat_damage(s, doomed))
        s.stack.append(KnockoutFrame(tuple(lethal), f.sort, hits=fatal, fought=tuple(doomed)))


def _lethal(s: State, dice: list[int], first: set[int], waits: bool) -> list[int]:
    """List whose damage is as much as their D; Iron Will helps against one first hit."""
    out: list[int] = []
    for d in dice:
        _, de = characteristics.current_stats(s, d)
        if s.damage[d] >= de and not (s.flags[d] & LETHAL and waits):
            if characteristics.has_keyword(s, d, "Iron Will") and d in first:
                s.active_effects.append(ActiveEffect("iron will", d, de, 0, -1, "end of turn", s.place[d] & 3, d, -1))
            else:
                out.append(d)
    return out


def _by_source(hits: list[DamagePacket]) -> list[DamagePacket]:
    """Add up what one die deals to another at one moment, directly and by a redirection: it is one damage to who hears of it."""
    out: dict[tuple[int, int], DamagePacket] = {}
    for n, p in enumerate(hits):
        key = (p.source, p.to) if p.source != NOBODY else (NOBODY, -1 - n)
        out[key] = p.of(p.amount + out[key].amount) if key in out else p
    return list(out.values())


def _count_rest(s: State, f: DamageFrame) -> None:
    """Combat damage is one effect: where the game ends by it, what crushes through belongs to it (rules 4.2, 6.12)."""
    for x in f.through:
        if all(
            s.damage[d] >= characteristics.current_stats(s, d)[1]
            and characteristics.can_be_kod(s, d)
            and not is_ko_replaced(s, d)
            for d in x.foes
        ):
            to = PLAYER + 1 - (f.you & 1)
            s.life[to - PLAYER] -= modified_damage(s, DamagePacket(x.source, to, x.amount), f.sort).amount


def _remember(s: State, hits: list[DamagePacket], f: DamageFrame) -> None:
    """Note on each die in the field that it has damaged the opponent or a character of theirs this turn."""
    combat = int(f.sort == "combat")
    for p in hits:
        if p.source < PLAYER and s.place[p.source] >> 2 == FIELD and hits_opponent(s, p):
            made = ActiveEffect("dealt", p.source, int(p.to >= PLAYER), combat, -1, "end of turn", f.you, p.source, -1)
            if made not in s.active_effects:
                s.active_effects.append(made)


def _dealt_so_far(s: State, d: int, hits: list[DamagePacket], f: DamageFrame) -> int:
    """Give whom the die has damaged this turn as bits, for its reactions when it has left."""
    bits = 0
    for r in s.active_effects:
        if r.word == "dealt" and (r.subject == d or (r.subject == NOBODY and r.source == d)):
            bits |= (3 if r.d else 1) << 2 * r.a  # combat damage is damage too
    for p in hits:
        if p.source == d and f.rest and hits_opponent(s, p):
            bits |= 3 << 2 * (p.to >= PLAYER)
    return bits


def run_event_batch(s: State, f: EventBatchFrame) -> None:
    s.stack.pop()
    if f.go and s.spec.edition.ko_before_reactions:
        drop_silenced(s)
    enqueue_simultaneous(s, f.events, f.was, set())
