"""KOs by damage, effects and changed stats, and Iron Will (rules 5.8, 6.11)."""

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
    """Add to the record of each attacker with Overcrush how many of its blockers it has just KO'd."""
    for i, effect in enumerate(s.active_effects):
        if effect.word == "through":
            s.active_effects[i] = effect.with_stats(
                effect.a, effect.d + sum(1 for packet in hits if packet.source == effect.source and packet.to in dice)
            )


def ko_lethally_damaged(s: State) -> None:
    """KO lethally damaged dice after the effects of that damage; a die with enough D by then lives (rules 3.4d4b)."""
    if any(effect.word == "through" for effect in s.active_effects):
        s.stack.append(OvercrushFrame(s.active))
    lethal = s.in_field_order([d for d in s.iter_zone_all_seats(FIELD) if s.flags[d] & LETHAL])
    if not lethal:
        return
    advance_timestamp(s)
    for d in lethal:
        s.flags[d] &= ~LETHAL & 0xFF
    if s.spec.edition.defence_read_last:
        lethal = [d for d in lethal if s.damage[d] >= characteristics.current_stats(s, d)[1]]
    if lethal:
        s.stack.append(KnockoutFrame(tuple(lethal), "combat", hits=lethal_combat_damage(s, lethal)))
    s.active_effects = [effect for effect in s.active_effects if effect.word != "doomed"]


def lethal_combat_damage(s: State, dice: list[int]) -> tuple[DamagePacket, ...]:
    """Return the lethal combat damage that dice have taken without having been KO'd yet (rules 3.4d4b)."""
    return tuple(
        DamagePacket(effect.source, effect.subject, effect.a)
        for effect in s.active_effects
        if effect.word == "doomed" and effect.subject in dice
    )


def run_lethal_check(s: State) -> None:
    """Run the postponed check for lethally damaged dice."""
    s.stack.pop()
    ko_lethally_damaged(s)


def lethal_packets(hits: list[DamagePacket], lethal: list[int]) -> tuple[DamagePacket, ...]:
    """Return the packets that hit the lethally damaged dice and have a source."""
    return tuple(packet for packet in hits if packet.to in lethal and packet.source != NOBODY)


def start_ko(s: State, dice: list[int], sort: str, doer: int = NOBODY, by: int = -1, as_cost: bool = False) -> None:
    """Start KOing dice because of an effect; a KO that is a cost cannot be replaced (rules 5.1b).

    A KO is not damage (rules 5.8a5). Iron Will protects dice that were not damaged earlier in the turn (rules 6.11a).
    """
    s.last_affected = ()
    vulnerable = [d for d in dice if s.place[d] >> 2 == FIELD and characteristics.can_be_kod(s, d)]
    if vulnerable:
        s.stack.append(KnockoutFrame(tuple(vulnerable), sort, doer, 2 if as_cost else 0, by=by))


def run_ko(s: State, frame: KnockoutFrame) -> None:
    """Advance a KO by one stage: rules against it, replacement effects, then the KO itself."""
    frame.dice = tuple([d for d in frame.dice if s.place[d] >> 2 == FIELD])
    if frame.stage == 0:
        with static_rules.UnchangedState(s):
            frame.dice = tuple([d for d in frame.dice if not static_rules.is_affected_by(s, "cannot be KO'd", d)])
        frame.stage = 1
        return
    if frame.stage == 1 and "would be KO'd" in s.spec.replacements and offer_ko_replacements(s, frame):
        return
    s.stack.pop()
    _apply_ko(s, frame)


def last_known_info(s: State, d: int) -> tuple[int, ...]:
    """Return A, D, level, flags, seat and burst of a die for later reference; bit 256 of the flags means engaged."""
    attack, defence = characteristics.current_stats(s, d)
    engaged = 256 if combat_status.is_engaged(s, d) else 0
    return (attack, defence, die_identity.level(s, d), s.flags[d] | engaged, s.place[d] & 3, static_rules.burst(s, d))


def _apply_ko(s: State, frame: KnockoutFrame) -> None:
    dice = frame.dice
    with static_rules.UnchangedState(s):
        events = [GameEvent("KO'd", d, frame.doer, 0, frame.cause_of(d), last_known_info(s, d)) for d in dice]
    for d in dice:
        seat = s.place[d] & 3
        s.turn_counts[seat * TURN_COUNTS + OWN_KOS] += 1
        if characteristics.is_sidekick(s, d):
            s.turn_counts[seat * TURN_COUNTS + SIDEKICK_KOS] += 1
        if s.journal is not None:
            s.journal.append(("KO", d))
    # triggers are matched while the dice are in the field; before ai, a text does not trigger if its last die leaves
    # now (rules 3.4d4a)
    excluded = dice if s.spec.edition.ko_before_reactions else ()
    for event in events:
        enqueue_triggers(s, event, excluded)
    for doer, d in _ko_pairs(s, frame, dice):
        emit(s, "KOs", doer, d, kind=frame.cause_of(d))
    if s.active_effects and frame.hits:
        _count_kos(s, frame.hits, dice)
    for d in dice:
        seat = s.place[d] & 3
        # a partner's dice count as the player's own (docs/doubles.md)
        if frame.by == BY_ITS_PLAYER or (frame.by >= 0 and (frame.by ^ seat) & 1 == 0):
            emit(s, "KOs own", s.spec.person + (seat if frame.by == BY_ITS_PLAYER else frame.by), d)
    # record the stats of all dice before any of them leaves, since their stats may depend on each other
    for d in dice if s.queue else ():
        zones.note_last_known_stats(s, d)
    for d in dice:
        zones.move_die(s, d, PREP, s.owner[d], kod=True)  # rules 5.8a2
    if frame.cause != "rule":  # a KO that follows from changed stats is not what the resolving ability has affected
        s.last_affected = dice


def _ko_pairs(s: State, frame: KnockoutFrame, dice: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return pairs of source and KO'd die: the die whose effect it was, or each die that damaged it at that moment."""
    if frame.doer != NOBODY:
        return [(frame.doer, d) for d in dice if d != frame.doer]
    pairs = {(packet.source, packet.to) for packet in frame.hits if packet.to in dice}
    if len(pairs) < 2:
        return list(pairs)
    with static_rules.UnchangedState(s):
        sources = canonical_order(s, sorted({source for source, _ in pairs}))
        recipients = canonical_order(s, sorted(dice))
    return [(source, d) for source in sources for d in recipients if (source, d) in pairs]


def check_state_based_kos(s: State) -> None:
    """KO dice with damage of at least their D, or with D 0, after stats may have changed (rules 5.8a2, 5.8a4)."""
    s.state_check_due = False
    if not s.active_effects and not s.spec.has_static_stat_rules and not s.has_damage():
        return
    with static_rules.UnchangedState(s):
        doomed = _find_doomed(s)
    if doomed:
        s.stack.append(KnockoutFrame(tuple(s.in_field_order(doomed)), "rule"))


def _find_doomed(s: State) -> list[int]:
    """Return the dice to be KO'd, and raise the D that is recorded for dice with Iron Will (rules 6.11c)."""
    doomed: list[int] = []
    damage = s.damage
    check_all = bool(s.active_effects) or s.spec.has_static_stat_rules
    stat_rules = characteristics.static_stat_rules(s) if s.spec.has_static_stat_rules else characteristics.NO_STAT_RULES
    for d in s.iter_zone_all_seats(FIELD):
        if (damage[d] or check_all) and not s.flags[d] & LETHAL and s.spec.levels[s.spec.face_base[d] + s.face[d]]:
            _, defence = characteristics.stats_with_rules(s, d, stat_rules)
            if s.active_effects and "Iron Will" in s.spec.keywords_at_table:
                _raise_iron_will_threshold(s, d, defence)
            if damage[d] >= defence and not _is_ko_pending(s, d) and not _survives_by_iron_will(s, d, defence):
                doomed.append(d)
    return doomed


def _is_ko_pending(s: State, d: int) -> bool:
    """Return whether the die is in a KO that has started, such as one waiting for a decision."""
    return any(isinstance(frame, KnockoutFrame) and d in frame.dice for frame in s.stack)


def _survives_by_iron_will(s: State, d: int, defence: int) -> bool:
    """Return whether Iron Will keeps a die with this D in the field (rules 6.11b, 6.11c).

    An undamaged die survives even D 0. A damaged one survives until its D falls below what it was when the die was
    saved.
    """
    if not characteristics.has_keyword(s, d, "Iron Will"):
        return False
    if not s.flags[d] & DAMAGED_THIS_TURN:
        return True
    return any(
        effect.word == "iron will" and effect.subject == d and defence >= effect.a for effect in s.active_effects
    )


def _raise_iron_will_threshold(s: State, d: int, defence: int) -> None:
    """Raise the D that is recorded for Iron Will: if a D that has risen falls again, the die is KO'd (rules 6.11c)."""
    for i, effect in enumerate(s.active_effects):
        if effect.word == "iron will" and effect.subject == d and defence > effect.a:
            s.active_effects[i] = effect.with_stats(defence, effect.d)
