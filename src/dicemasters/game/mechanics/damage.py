"""Damage: static modifications, replacement effects, dealing and reactions (rules 3.4d2 to d5, 5.8)."""

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
    """Start dealing simultaneous damage; damage taken as a cost is dealt unmodified (rules 5.1b)."""
    s.last_affected = ()
    if packets or leaving or through:
        stage = 2 if as_cost else 0
        s.stack.append(DamageFrame(tuple(packets), sort, you, leaving, ability, stage, through=through))


def run_damage(s: State, frame: DamageFrame) -> None:
    """Advance the damage by one stage: static modifications, replacement effects, then dealing (rules 3.4d2)."""
    if frame.stage == 0:
        if s.active_effects or s.spec.has_static_damage_rules:
            with static_rules.UnchangedState(s):
                frame.packets = tuple([modified_damage(s, packet, frame.sort) for packet in frame.packets])
        if "would be damaged" in s.spec.replacements:
            note_unanswerable(s, frame)
        frame.stage = 1
    elif frame.stage == 1:
        if "would be damaged" in s.spec.replacements:
            if s.active_effects:
                _drop_prevented(s, frame)
            if offer_damage_replacements(s, frame):
                return
        if any(excess.exceeds for excess in frame.through):
            for excess in frame.through:
                if excess.exceeds:
                    _assign_excess(s, frame, excess)
            frame.through = tuple(excess for excess in frame.through if not excess.exceeds)
        else:
            frame.stage = 2
            _apply_damage(s, frame)
    else:  # a cost
        if "would be damaged" in s.spec.replacements:
            note_unanswerable(s, frame)
        _apply_damage(s, frame)


def _drop_prevented(s: State, frame: DamageFrame) -> None:
    """Set packets to 0 if a rule in force prevents them (rules 5.8c1).

    Replacing one packet can create a rule that prevents all others to the same die (avx 128).
    """
    with static_rules.UnchangedState(s):
        for i, packet in enumerate(frame.packets):
            if packet.amount > 0 and is_damage_prevented(s, packet, frame.sort):
                _replace_packet_amount(frame, i, 0)


def _replace_packet_amount(frame: DamageFrame, i: int, amount: int) -> None:
    frame.packets = (*frame.packets[:i], frame.packets[i].with_amount(amount), *frame.packets[i + 1 :])


def _assign_excess(s: State, frame: DamageFrame, excess: ExcessDamage) -> None:
    """Send what exceeds the blockers' total D on to the player; prevented damage does not count (rules 6.12e)."""
    indices = [
        i for i, packet in enumerate(frame.packets) if packet.source == excess.source and packet.to in excess.foes
    ]
    # with Overcrush the blockers absorb what was assigned to them, otherwise their D
    absorbed = excess.amount or sum([characteristics.current_stats(s, d)[1] for d in excess.foes])
    surplus = sum([frame.packets[i].amount for i in indices]) - absorbed
    if surplus <= 0:
        return
    remaining = 0 if excess.exceeds == FULL_DAMAGE else surplus
    for i in sorted(indices, key=lambda i: -frame.packets[i].amount):
        removed = min(remaining, frame.packets[i].amount)
        _replace_packet_amount(frame, i, frame.packets[i].amount - removed)
        remaining -= removed
    # a replacement effect declined for a blocker's damage is not offered again for the part that the blocker keeps
    frame.declined = tuple(
        [(*n[:4], frame.packets[n[3]].amount if n[3] in indices and n[4] > 0 else n[4]) for n in frame.declined]
    )
    frame.packets = (
        *frame.packets,
        damage_after_recipient_rules(s, DamagePacket(excess.source, PLAYER + 1 - (frame.you & 1), surplus), frame.sort),
    )


def _release_on_hits(s: State, frame: DamageFrame, hits: list[DamagePacket]) -> None:
    """Release dice that are held until the holder's player damages the opponent.

    In combat each die deals damage for the player who controls it.
    """
    for hold in s.holdings[:]:
        if hold.until == YOUR_HIT:
            side = (hold.holder if hold.holder >= PLAYER else s.owner[hold.holder]) & 1
            for packet in hits:
                dealer_side = (
                    s.place[packet.source] & 1 if frame.sort == "combat" and packet.source < PLAYER else frame.you & 1
                )
                if dealer_side == side and packet.to == PLAYER + 1 - side:
                    holding.release(s, hold)


def _apply_damage(s: State, frame: DamageFrame) -> None:
    """Deal the damage; then start KOs and reactions in the order of the edition (rules 3.4d3a, 3.4d4a, 3.4d4b).

    Life goes down, dice are damaged, and unblocked attackers leave, all at the same time.
    """
    s.stack.pop()
    edition = s.spec.edition
    # a source that has left still deals its damage (rules 3.4d1g); prevented damage does not count (rules 5.8c1)
    hits = [
        packet
        for packet in frame.packets
        if packet.amount > 0 and (packet.to >= PLAYER or s.place[packet.to] >> 2 == FIELD)
    ]
    damaged_before = {packet.to for packet in hits if packet.to < PLAYER and s.flags[packet.to] & DAMAGED_THIS_TURN}
    holdings_before = die_identity.holding_snapshot(s)
    counts: dict[int, int] = {}
    for packet in hits:
        counts[packet.to] = counts.get(packet.to, 0) + 1
        if packet.to >= PLAYER:
            s.life[packet.to - PLAYER] -= packet.amount
        else:
            s.damage[packet.to] = min(255, s.damage[packet.to] + packet.amount)
            s.flags[packet.to] |= DAMAGED_THIS_TURN
        if s.journal is not None:
            s.journal.append(("damage", packet.source, packet.to, packet.amount, frame.sort))
    if s.holdings:
        _release_on_hits(s, frame, hits)
    if frame.through and min(s.life) <= 0:
        _deal_final_overcrush(s, frame)
    check_game_end(s)
    if s.result != UNDECIDED:
        return
    note_overcrush(s, frame, hits)
    # lethally damaged dice are KO'd later, all at once (rules 5.8b1)
    defer_ko = frame.sort == "combat" or not edition.effect_damage_kos_at_once
    # dice that Iron Will can still save (rules 6.11d)
    hit_once = {d for d in counts if d < PLAYER and d not in damaged_before and counts[d] < 2}
    damaged_dice = [d for d in counts if d < PLAYER]
    lethal: list[int] = []
    if not edition.out_of_play:  # lethally damaged attackers are KO'd instead of leaving (rules 3.4d3b)
        lethal = _lethally_damaged(s, damaged_dice, hit_once, defer_ko)
        frame.leaving = tuple([d for d in frame.leaving if d not in lethal])
    with static_rules.UnchangedState(s):
        source_info = {d: last_known_info(s, d) for d in {packet.source: 0 for packet in hits} if d < PLAYER}
    if s.spec.remembers_damage:
        _note_damage_dealt(s, hits, frame)
        source_info = {d: (*info, _dealt_so_far(s, d, hits, frame)) for d, info in source_info.items()}
    recipient_info = {
        packet.to: (s.place[packet.to] & 3, static_rules.burst(s, packet.to)) for packet in hits if packet.to < PLAYER
    }
    identities = (
        *die_identity.identity_effects(s, [d for packet in hits for d in (packet.source, packet.to)]),
        *holdings_before,
    )
    batch = active_batch(s)
    zones.leave_simultaneously(s, frame.leaving)  # rules 3.4d3c
    if edition.out_of_play:  # unblocked attackers have left before KOs are determined
        lethal = _lethally_damaged(s, [d for d in damaged_dice if s.place[d] >> 2 == FIELD], hit_once, defer_ko)
    events: list[GameEvent] = []
    merged = _merge_hits(hits)
    for packet in merged:
        total = sum(other.amount for other in hits if other.to == packet.to)
        events.append(
            GameEvent(
                "damaged",
                packet.to,
                packet.source,
                packet.amount,
                frame.sort,
                (total, *recipient_info.get(packet.to, (0, 0))),
            )
        )
    for packet in merged:
        if packet.source != NOBODY:
            events.append(
                GameEvent(
                    "deals damage",
                    packet.source,
                    packet.to,
                    packet.amount,
                    frame.sort,
                    source_info.get(packet.source, ()),
                )
            )
    s.last_affected = tuple(packet.to for packet in hits)
    if edition.ko_before_reactions:
        frame_below = s.stack[-1] if s.stack else None
        if batch is not None:
            batch.add(tuple(events), identities)
        elif frame.rest and isinstance(frame_below, EventBatchFrame):
            frame_below.add(tuple(events), identities)
        else:
            s.stack.append(EventBatchFrame(tuple(events), identities))
        if frame.through:
            s.stack.append(OvercrushFrame(frame.you))
        if lethal:
            s.stack.append(KnockoutFrame(tuple(lethal), frame.sort, hits=lethal_packets(hits, lethal)))
        return
    already_lethal = [d for d in lethal if s.flags[d] & LETHAL]  # lethal combat damage is what KOs them
    for d in lethal:
        s.flags[d] |= LETHAL
    seen: SeenCauses = take_reacted(s) if frame.rest else set()
    if batch is not None:
        batch.add(tuple(events), identities)
    else:
        enqueue_simultaneous(s, tuple(events), identities, seen)
    if frame.through:
        note_reacted(s, frame, seen)
    if frame.sort == "combat" or (lethal and defer_ko):
        if "KOs" in s.spec.observed_events or not edition.removed_blockers_count:
            for packet in lethal_packets(hits, lethal):
                s.active_effects.append(
                    ActiveEffect("doomed", packet.to, packet.amount, 0, -1, "end of turn", frame.you, packet.source, -1)
                )
        if frame.sort != "combat":
            wait_for_ko(s)
    elif lethal:
        # what reacts to an effect's damage was queued while the dice were in the field (rules 5.8b2)
        if batch is None:
            advance_timestamp(s)
        for d in lethal:
            s.flags[d] &= ~LETHAL & 0xFF
        others = [d for d in lethal if d not in already_lethal]
        lethal_hits = (*lethal_packets(hits, others), *lethal_combat_damage(s, already_lethal))
        s.stack.append(KnockoutFrame(tuple(lethal), frame.sort, hits=lethal_hits, fought=tuple(already_lethal)))


def _lethally_damaged(s: State, dice: list[int], hit_once: set[int], defer_ko: bool) -> list[int]:
    """Return the dice with damage of at least their D; Iron Will saves a die from a single first hit (rules 6.11b)."""
    with static_rules.UnchangedState(s):
        defences = [characteristics.current_stats(s, d)[1] for d in dice]
    lethal: list[int] = []
    for d, defence in zip(dice, defences, strict=True):
        if s.damage[d] >= defence and not (s.flags[d] & LETHAL and defer_ko):
            if characteristics.has_keyword(s, d, "Iron Will") and d in hit_once:
                s.active_effects.append(
                    ActiveEffect("iron will", d, defence, 0, -1, "end of turn", s.place[d] & 3, d, -1)
                )
            else:
                lethal.append(d)
    return lethal


def _merge_hits(hits: list[DamagePacket]) -> list[DamagePacket]:
    """Merge packets from one die to one recipient: direct and redirected damage are one event for triggers."""
    merged: dict[tuple[int, int], DamagePacket] = {}
    for index, packet in enumerate(hits):
        key = (packet.source, packet.to) if packet.source != NOBODY else (NOBODY, -1 - index)
        merged[key] = packet.with_amount(packet.amount + merged[key].amount) if key in merged else packet
    return list(merged.values())


def _deal_final_overcrush(s: State, frame: DamageFrame) -> None:
    """Deal Overcrush damage at once if combat damage ends the game: all of it is one effect (rules 4.2a, 6.12f)."""
    for excess in frame.through:
        if all(
            s.damage[d] >= characteristics.current_stats(s, d)[1]
            and characteristics.can_be_kod(s, d)
            and not is_ko_replaced(s, d)
            for d in excess.foes
        ):
            recipient = PLAYER + 1 - (frame.you & 1)
            s.life[recipient - PLAYER] -= modified_damage(
                s, DamagePacket(excess.source, recipient, excess.amount), frame.sort
            ).amount


def _note_damage_dealt(s: State, hits: list[DamagePacket], frame: DamageFrame) -> None:
    """Record on each die in the field that it has damaged the opponent or an opposing character this turn."""
    combat = int(frame.sort == "combat")
    for packet in hits:
        if packet.source < PLAYER and s.place[packet.source] >> 2 == FIELD and hits_opponent(s, packet):
            effect = ActiveEffect(
                "dealt",
                packet.source,
                int(packet.to >= PLAYER),
                combat,
                -1,
                "end of turn",
                frame.you,
                packet.source,
                -1,
            )
            if effect not in s.active_effects:
                s.active_effects.append(effect)


def _dealt_so_far(s: State, d: int, hits: list[DamagePacket], frame: DamageFrame) -> int:
    """Return as bits what the die has damaged this turn, for triggers that resolve after it has left.

    Bit 0 is for characters and bit 2 for the player; bits 1 and 3 for combat damage to them.
    """
    bits = 0
    for effect in s.active_effects:
        if effect.word == "dealt" and (effect.subject == d or (effect.subject == NOBODY and effect.source == d)):
            bits |= (3 if effect.d else 1) << 2 * effect.a  # combat damage is damage too
    for packet in hits:
        if packet.source == d and frame.rest and hits_opponent(s, packet):
            bits |= 3 << 2 * (packet.to >= PLAYER)
    return bits


def run_event_batch(s: State, frame: EventBatchFrame) -> None:
    """Emit the collected events as simultaneous events (rules 3.3e6)."""
    s.stack.pop()
    if frame.go and s.spec.edition.ko_before_reactions:
        drop_silenced(s)
    enqueue_simultaneous(s, frame.events, frame.was, set())
