"""KO: by damage, by an effect, by numbers that change; Iron Will (rules 5.8, 6.11)."""

from __future__ import annotations

from dicemasters.game.mechanics import zones
from dicemasters.game.mechanics.replacement import offer_ko_replacements
from dicemasters.game.mechanics.triggers import advance_timestamp, emit, enqueue_triggers
from dicemasters.game.queries import characteristics, combat_status, die_identity, static_rules
from dicemasters.game.queries.equivalence import canonical_order
from dicemasters.game.state.constants import DAMAGED_THIS_TURN, FIELD, LETHAL, OWN_KOS, PREP, SIDEKICK_KOS, TURN_COUNTS
from dicemasters.game.state.frames import KnockoutFrame, OvercrushFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import BY_ITS_PLAYER, NOBODY, DamagePacket, GameEvent


def _count_kos(s: State, hits: tuple[DamagePacket, ...], dice: tuple[int, ...]) -> None:
    """Note how many of its blockers each die that crushes has KO'd."""
    for i, r in enumerate(s.active_effects):
        if r.word == "through":
            s.active_effects[i] = r.with_stats(r.a, r.d + sum(1 for p in hits if p.source == r.source and p.to in dice))


def ko_lethally_damaged(s: State) -> None:
    """KO who has lethal damage after the effects of it; whose D has risen enough by then lives (rules 3.4d4)."""
    if any(r.word == "through" for r in s.active_effects):
        s.stack.append(OvercrushFrame(s.active))
    doomed = s.in_field_order([d for d in s.iter_zone_all_seats(FIELD) if s.flags[d] & LETHAL])
    if not doomed:
        return
    advance_timestamp(s)
    for d in doomed:
        s.flags[d] &= ~LETHAL & 0xFF
    if s.spec.edition.defence_read_last:
        doomed = [d for d in doomed if s.damage[d] >= characteristics.current_stats(s, d)[1]]
    if doomed:
        s.stack.append(KnockoutFrame(tuple(doomed), "combat", hits=lethal_combat_damage(s, doomed)))
    s.active_effects = [r for r in s.active_effects if r.word != "doomed"]


def lethal_combat_damage(s: State, dice: list[int]) -> tuple[DamagePacket, ...]:
    """Give the lethal combat damage that dice have taken and have not been KO'd by yet (rules 3.4d4)."""
    return tuple(
        DamagePacket(r.source, r.subject, r.a) for r in s.active_effects if r.word == "doomed" and r.subject in dice
    )


def run_lethal_check(s: State) -> None:
    s.stack.pop()
    ko_lethally_damaged(s)


def lethal_packets(hits: list[DamagePacket], lethal: list[int]) -> tuple[DamagePacket, ...]:
    return tuple(p for p in hits if p.to in lethal and p.source != NOBODY)


def start_ko(s: State, dice: list[int], sort: str, doer: int = NOBODY, by: int = -1, as_cost: bool = False) -> None:
    """Start KOing dice by an effect; Iron Will asks for earlier damage (rules 6.11), and a price is not escaped (5.1)."""
    s.last_affected = ()
    able = [d for d in dice if s.place[d] >> 2 == FIELD and characteristics.can_be_kod(s, d)]
    if able:
        s.stack.append(KnockoutFrame(tuple(able), sort, doer, 2 if as_cost else 0, by=by))


def run_ko(s: State, f: KnockoutFrame) -> None:
    f.dice = tuple([d for d in f.dice if s.place[d] >> 2 == FIELD])
    if f.stage == 0:
        f.dice = tuple([d for d in f.dice if not static_rules.is_affected_by(s, "cannot be KO'd", d)])
        f.stage = 1
        return
    if f.stage == 1 and "would be KO'd" in s.spec.replacements and offer_ko_replacements(s, f):
        return
    s.stack.pop()
    _kod(s, f)


def last_known_info(s: State, d: int) -> tuple[int, ...]:
    a, de = characteristics.current_stats(s, d)
    engaged = 256 if combat_status.is_engaged(s, d) else 0
    return (a, de, die_identity.level(s, d), s.flags[d] | engaged, s.place[d] & 3, static_rules.burst(s, d))


def _kod(s: State, f: KnockoutFrame) -> None:
    dice = f.dice
    happenings = [GameEvent("KO'd", d, f.doer, 0, f.cause_of(d), last_known_info(s, d)) for d in dice]
    for d in dice:
        seat = s.place[d] & 3
        s.turn_counts[seat * TURN_COUNTS + OWN_KOS] += 1
        if characteristics.is_sidekick(s, d):
            s.turn_counts[seat * TURN_COUNTS + SIDEKICK_KOS] += 1
        if s.journal is not None:
            s.journal.append(("KO", d))
    # read while the dice are still there; before ai a while-active ability whose last die goes now is silent (3.4d4)
    without = dice if s.spec.edition.ko_before_reactions else ()
    for h in happenings:
        enqueue_triggers(s, h, without)
    for doer, d in _doers(s, f, dice):
        emit(s, "KOs", doer, d, kind=f.cause_of(d))
    if s.active_effects and f.hits:
        _count_kos(s, f.hits, dice)
    for d in dice:
        seat = s.place[d] & 3
        if f.by == BY_ITS_PLAYER or (f.by >= 0 and (f.by ^ seat) & 1 == 0):  # a partner's too (docs/doubles.md)
            emit(s, "KOs own", s.spec.person + (seat if f.by == BY_ITS_PLAYER else f.by), d)
    for d in dice if s.queue else ():
        zones.note_last_known_stats(s, d)  # of all before any of them is gone, for they may depend on each other
    for d in dice:
        zones.move_die(s, d, PREP, s.owner[d], kod=True)
    if f.cause != "rule":  # what only follows from changed numbers is not what the text under way has done
        s.last_affected = dice


def _doers(s: State, f: KnockoutFrame, dice: tuple[int, ...]) -> list[tuple[int, int]]:
    """List who KO'd whom: the die whose effect it was, or each that damaged it at that moment."""
    if f.doer != NOBODY:
        return [(f.doer, d) for d in dice if d != f.doer]
    hits = {(p.source, p.to) for p in f.hits if p.to in dice}
    if len(hits) < 2:
        return list(hits)
    sources = canonical_order(s, sorted({source for source, _ in hits}))
    return [(source, d) for source in sources for d in canonical_order(s, sorted(dice)) if (source, d) in hits]


def check_state_based_kos(s: State) -> None:
    """KO what has as much damage as D, or D 0: a change of numbers may have brought it there (rules 5.8a)."""
    s.state_check_due = False
    if not s.active_effects and not s.spec.has_static_stat_rules and not s.has_damage():
        return
    dead: list[int] = []
    damage = s.damage
    check_all = bool(s.active_effects) or s.spec.has_static_stat_rules
    in_force = characteristics.static_stat_rules(s) if s.spec.has_static_stat_rules else characteristics.NO_STAT_RULES
    for d in s.iter_zone_all_seats(FIELD):
        if (damage[d] or check_all) and not s.flags[d] & LETHAL and s.spec.levels[s.spec.face_base[d] + s.face[d]]:
            _, de = characteristics.stats_with_rules(s, d, in_force)
            if s.active_effects and "Iron Will" in s.spec.keywords_at_table:
                _note_risen(s, d, de)
            if damage[d] >= de and not _is_ko_pending(s, d) and not _iron_willed(s, d, de):
                dead.append(d)
    if dead:
        s.stack.append(KnockoutFrame(tuple(s.in_field_order(dead)), "rule"))


def _is_ko_pending(s: State, d: int) -> bool:
    """Tell whether the die is being KO'd already: somebody is being asked about it."""
    return any(isinstance(f, KnockoutFrame) and d in f.dice for f in s.stack)


def _iron_willed(s: State, d: int, de: int) -> bool:
    """Iron Will outlasts damage it has survived until D falls, and D 0 without damage (rules 6.11)."""
    if not characteristics.has_keyword(s, d, "Iron Will"):
        return False
    if not s.flags[d] & DAMAGED_THIS_TURN:
        return True
    return any(r.word == "iron will" and r.subject == d and de >= r.a for r in s.active_effects)


def _note_risen(s: State, d: int, de: int) -> None:
    """A D that has risen since Iron Will kept the die may fall again, and then KOs it (rules 6.11)."""
    for i, r in enumerate(s.active_effects):
        if r.word == "iron will" and r.subject == d and de > r.a:
            s.active_effects[i] = r.with_stats(de, r.d)
