"""Replacement and prevention effects for damage and KOs (rules 5.7a, 5.8, 5.10)."""

from __future__ import annotations

from dicemasters.cards.language.vocabulary import ALL
from dicemasters.game.abilities.program import CompiledAbility
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.triggers import is_used_up, limit_key, mark_used, note_first_time
from dicemasters.game.queries import die_identity, static_rules
from dicemasters.game.queries.damage_modifiers import damage_after_recipient_rules
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import PLAYER
from dicemasters.game.state.frames import AbilityFrame, DamageFrame, Frame, KnockoutFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import (
    NOBODY,
    NOT_TRYING,
    TRYING_NOBODY,
    USED_FOR,
    ActiveEffect,
    DamagePacket,
    DieKey,
    GameEvent,
    Option,
    PacketKey,
)


def offer_damage_replacements(s: State, frame: DamageFrame) -> bool:
    """Offer the next applicable replacement effect, the active player's first. Return True if the damage has to wait.

    Optional effects are offered before mandatory ones, in the order of the cards, so that players order their own
    effects. A declined effect is offered again once the damage has changed (rules 5.7a3, 5.7a4).
    """
    _record_outcome(frame)
    if s.answer[0] == "would":
        return _apply_replacement(s, frame, *_damage_replacements(s, frame)[s.answer[2]])
    candidates = _damage_replacements(s, frame)
    if not candidates:
        if frame.asked or frame.declined:
            _note_first_times(s, frame)
        return False
    if s.answer[0] == "damage":
        matches = [candidate for candidate in candidates if candidate[0].ability == s.answer[2]]
        return _apply_replacement(
            s, frame, *next((candidate for candidate in matches if candidate[1][3] == s.answer[1]), matches[0])
        )
    if not is_optional(s, candidates[0][0]):
        same_packet = [candidate for candidate in candidates if candidate[1][3] == candidates[0][1][3]]
        orders = _distinct_orders(same_packet)
        if len(orders) > 1:
            options: list[Option] = [
                ("would", candidate[0].ability, candidates.index(candidate)) for candidate in orders
            ]
            request_decision(s, candidates[0][0].you, "resolve", options)
            return True
    return _apply_replacement(s, frame, *candidates[0])


def note_unanswerable(s: State, frame: DamageFrame) -> None:
    """Record first times without an answer: the card is not active, or the damage is a cost (rules 5.7c3, 5.1b)."""
    for ability in s.spec.replacements["would be damaged"]:
        if ability.limit == "first":
            contexts = static_rules.active_contexts(s, ability) if frame.stage == 0 else []
            for i, packet in enumerate(frame.packets):
                if packet.amount > 0:
                    event = GameEvent(
                        "would be damaged", packet.to, packet.source, packet.amount, frame.sort, (i, frame.you)
                    )
                    note_first_time(s, ability, event, contexts)


def _note_first_times(s: State, frame: DamageFrame) -> None:
    """Record declined first times, which count (rules 5.7c2); prevented damage does not count (rules 5.8c1)."""
    still_declined = [entry for entry in frame.declined if frame.packets[entry[3]].amount > 0]
    for index, you, this, _ in (*frame.asked, *(entry[:4] for entry in still_declined)):
        if s.spec.abilities[index].limit == "first":
            limit = (index, limit_key(s, static_rules.ability_context(index, you, this)))
            if limit not in s.turn_limits:
                s.turn_limits.append(limit)
    for i, (index, you, this, at, size) in enumerate(frame.declined):
        key = (index, you, this, at)
        if (
            s.spec.abilities[index].first
            and key not in frame.asked
            and key not in [entry[:4] for entry in frame.declined[:i]]
        ):
            _count_damage(s, index, you, this, frame.packets[at].amount - abs(size))
    # damage added later at the same moment is recorded separately
    amounts = [frame.packets[entry[3]].amount for entry in frame.declined]
    frame.declined = tuple(
        [(*entry[:4], n if entry[4] > 0 else -n) for entry, n in zip(frame.declined, amounts, strict=True)]
    )


def _distinct_orders(candidates: list[tuple[AbilityFrame, PacketKey]]) -> list[tuple[AbilityFrame, PacketKey]]:
    """Return one candidate for each ability: which of several dice with it acts first makes no difference."""
    return list({candidate[0].ability: candidate for candidate in reversed(candidates)}.values())[::-1]


def _apply_replacement(s: State, frame: DamageFrame, ctx: AbilityFrame, key: PacketKey) -> bool:
    """Start a replacement effect, after asking, if necessary, which damage it applies to. Always return True."""
    ability = s.spec.abilities[ctx.ability]
    if ability.limit in ("first", "die") and not ability.programs[ctx.burst].optional:
        _apply_to_first_damage(s, frame, ability, ctx)
        return True
    if ability.first and s.answer[0] != "damage" and _request_packet_choice(s, frame, ability, ctx):
        return True
    if not is_optional(s, ctx):
        frame.asked = (*frame.asked, key)
    if ability.first and key not in (entry[:4] for entry in frame.declined):
        _count_damage(s, ctx.ability, ctx.you, ctx.this, ctx.event.amount)
    frame.trying = key
    s.stack.append(ctx)
    return True


def is_optional(s: State, ctx: AbilityFrame) -> bool:
    """Return whether the player may decline the ability: its first operation is a "may"."""
    ops = s.spec.abilities[ctx.ability].programs[ctx.burst].ops
    return bool(ops) and ops[0].name == "may"


def _record_outcome(frame: DamageFrame) -> None:
    """Record whether the effect offered last was used or declined."""
    key = frame.trying
    if key == NOT_TRYING:
        return
    if key in frame.asked:
        frame.used = 0
    elif frame.used:
        frame.asked = (*frame.asked, key)
        frame.used = 0
    else:
        frame.declined = (*frame.declined, (*key, _packet_amount(frame, key[3])))
    frame.trying = NOT_TRYING


def _packet_amount(frame: DamageFrame, i: int) -> int:
    """Return the amount by which a declined packet is recognised as unchanged."""
    return frame.packets[i].amount


def _damage_replacements(s: State, frame: DamageFrame) -> list[tuple[AbilityFrame, PacketKey]]:
    """Return the answering side's effects that can act on the damage now, each with the key of its packet.

    Optional effects come first.
    """
    candidates: list[tuple[AbilityFrame, PacketKey]] = []
    for i, packet in enumerate(frame.packets):
        if packet.amount <= 0:
            continue
        event = GameEvent("would be damaged", packet.to, packet.source, packet.amount, frame.sort, (i, frame.you))
        for ability in s.spec.replacements["would be damaged"]:
            if _waits_for_excess(frame, ability, packet.to):
                continue
            for ctx in applicable_contexts(s, ability, event):
                index = i
                if ability.whole_source:
                    index = next(j for j, other in enumerate(frame.packets) if other.source == packet.source)
                else:
                    index = _packets_of_hit(frame, i)[0]
                key = (ability.index, ctx.you, ctx.this, index)
                if index != i and key in [candidate[1] for candidate in candidates]:
                    continue
                if not (frame.asked or frame.declined) or not _has_answered(frame, key, packet.to):
                    candidates.append((ctx, key))
    if not candidates:
        return candidates
    # the inactive side answers only when the active side has no more effects
    own = [candidate for candidate in candidates if candidate[0].you & 1 == s.active & 1]
    return [candidate for candidate in own or candidates if is_optional(s, candidate[0])] + [
        candidate for candidate in own or candidates if not is_optional(s, candidate[0])
    ]


def _waits_for_excess(frame: DamageFrame, ability: CompiledAbility, to: int) -> bool:
    """Return whether a text about a player's first damage waits, since excess damage will arrive at the same moment."""
    if to < PLAYER or ability.limit != "first" or ability.programs[0].optional:
        return False
    return any(excess.exceeds for excess in frame.through)


def _has_answered(frame: DamageFrame, key: PacketKey, to: int) -> bool:
    """Return whether the ability has acted on the packet or for its recipient, or has declined it as it is."""
    index, you, this, at = key
    return (
        key in frame.asked
        or (index, you, this, USED_FOR + to) in frame.asked
        or (*key, _packet_amount(frame, at)) in frame.declined
    )


def _apply_to_first_damage(s: State, frame: DamageFrame, ability: CompiledAbility, ctx: AbilityFrame) -> None:
    """Start a mandatory effect on the first damage of the turn; its controller chooses among several (rules 5.7c1)."""
    contexts: dict[int, AbilityFrame] = {}
    seen: set[tuple[int, ...]] = set()
    for i, packet in enumerate(frame.packets):
        event = GameEvent("would be damaged", packet.to, packet.source, packet.amount, frame.sort, (i, frame.you))
        key = (*equivalence_key(s, packet.source), packet.to, packet.amount)
        for candidate in applicable_contexts(s, ability, event) if packet.amount > 0 else ():
            if (candidate.you, candidate.this) == (ctx.you, ctx.this) and key not in seen:
                seen.add(key)
                contexts[i] = candidate
    if len(contexts) > 1 and s.answer[0] != "damage":
        request_decision(
            s, ctx.you, "which damage", [("damage", i, ability.index) for i in contexts], about=ability.index
        )
        return
    chosen = contexts[s.answer[1]] if len(contexts) > 1 else ctx
    mark_used(s, chosen)
    s.stack.append(chosen)


def _request_packet_choice(s: State, frame: DamageFrame, ability: CompiledAbility, ctx: AbilityFrame) -> bool:
    """Ask which of several hits comes first for an effect on the turn's first points of damage (rules 5.7c1).

    Return False without asking if the effect is optional, covers all of the hits, or cannot tell them apart.
    """
    if is_optional(s, ctx):
        return False  # declining or accepting each hit is a choice already
    hits = [
        key[3]
        for other, key in _damage_replacements(s, frame)
        if (other.ability, other.you, other.this) == (ctx.ability, ctx.you, ctx.this)
    ]
    distinct = {(*equivalence_key(s, frame.packets[i].source), frame.packets[i].amount): i for i in reversed(hits)}
    if len(distinct) < 2 or sum([frame.packets[i].amount for i in hits]) <= ability.first - static_rules.damage_counted(
        s, ctx
    ):
        return False
    options: list[Option] = [("damage", i, ability.index) for i in reversed(distinct.values())]
    request_decision(s, ctx.you, "which damage", options, about=ability.index)
    return True


def note_replacement_use(s: State) -> None:
    """Record the use of the offered effect; a reactive Global is not offered for the same die again (rules 5.10b)."""
    frame, ability_frame = s.stack[-2], s.stack[-1]
    if isinstance(frame, DamageFrame) and isinstance(ability_frame, AbilityFrame):
        if s.spec.abilities[ability_frame.ability].kind == "global":
            to = frame.packets[ability_frame.event.last_known[0]].to
            frame.asked = (*frame.asked, (ability_frame.ability, ability_frame.you, ability_frame.this, USED_FOR + to))
        frame.used = 1
    elif isinstance(frame, KnockoutFrame):
        frame.used = 1


def applicable_contexts(s: State, ability: CompiledAbility, event: GameEvent) -> list[AbilityFrame]:
    """Return the contexts in which a replacement effect can act on an imminent event."""
    if ability.kind == "global":
        seats = [seat for seat in range(s.spec.n_seats) if not static_rules.is_banned(s, seat, "global")]
        if die_identity.is_blanked(s, ability.card):
            seats = []
        contexts = [static_rules.ability_context(ability.index, seat, NOBODY, event) for seat in seats]
    else:
        contexts = static_rules.active_contexts(s, ability)
        for ctx in contexts:
            ctx.event = event
    applicable: list[AbilityFrame] = []
    for ctx in contexts:
        if not ability.who.matches(s, event.die, ctx):
            continue
        if ability.other is not None and (event.other == NOBODY or not ability.other.matches(s, event.other, ctx)):
            continue
        if ability.condition is not None and not ability.condition.evaluate(s, ctx):
            continue
        if not is_used_up(s, ctx) and not (ability.first and static_rules.damage_counted(s, ctx) >= ability.first):
            applicable.append(ctx)
    return applicable


def _count_damage(s: State, ability: int, you: int, this: int, amount: int) -> None:
    """Add to the damage that an ability counts as the turn's first; prevented damage is subtracted again."""
    total = amount
    for effect in s.active_effects:
        if effect.word == "counted" and effect.subject == this and effect.ability == ability:
            total += effect.a
    s.active_effects = [
        effect
        for effect in s.active_effects
        if not (effect.word == "counted" and effect.subject == this and effect.ability == ability)
    ]
    if total > 0:
        s.active_effects.append(ActiveEffect("counted", this, total, 0, -1, "end of turn", you, this, ability))


def prevent_damage(s: State, amount: int) -> None:
    """Prevent part of the pending packet; a negative amount increases it (rules 5.8c1, 5.8c3).

    If the effect spreads, any surplus paid for prevents other damage to the same recipient at that moment.
    """
    frame, ability_frame = _damage_under_decision(s)
    i = ability_frame.event.last_known[0]
    packet = frame.packets[i]
    if amount < 0:  # an increase
        _set_packet_amount(frame, i, packet.amount - amount)
        return
    for j, n in _split_by_packet(frame, i, amount):
        _set_packet_amount(frame, j, frame.packets[j].amount - n)
    if s.spec.abilities[ability_frame.ability].spreads:
        remaining = amount - packet.amount
        for j, other in enumerate(frame.packets):
            if other.to == packet.to and remaining > 0:
                _set_packet_amount(frame, j, max(0, other.amount - remaining))
                remaining -= other.amount


def _set_packet_amount(frame: DamageFrame, i: int, amount: int) -> None:
    """Change the amount of a packet; players who have declined it are asked again."""
    packet = frame.packets[i]
    if amount != packet.amount:
        frame.packets = (*frame.packets[:i], packet.with_amount(amount), *frame.packets[i + 1 :])
        frame.declined = tuple([(*entry[:4], -abs(entry[4])) if entry[3] == i else entry for entry in frame.declined])


def _split_by_packet(frame: DamageFrame, i: int, amount: int) -> list[tuple[int, int]]:
    """Return how an amount of one hit's damage is divided among its packets, as pairs of index and amount."""
    shares: list[tuple[int, int]] = []
    for j in [i, *(j for j in _packets_of_hit(frame, i) if j != i)]:
        n = min(amount, frame.packets[j].amount)
        amount -= n
        if n > 0:
            shares.append((j, n))
    return shares


def _packets_of_hit(frame: DamageFrame, i: int) -> list[int]:
    """Return the indices of packets of combat damage from one die to one player, perhaps several hits (avx 115)."""
    packet = frame.packets[i]
    return (
        [i]
        if packet.to < PLAYER or frame.sort != "combat"
        else [j for j, other in enumerate(frame.packets) if (other.source, other.to) == (packet.source, packet.to)]
    )


def redirect_damage(s: State, amount: int, to: int, whole_source: bool = False) -> None:
    """Redirect part of the pending packet, or all damage of its source, which stays the source (rules 5.8d1)."""
    frame, ability_frame = _damage_under_decision(s)
    i = ability_frame.event.last_known[0]
    for j, n in (
        [(j, ALL) for j in _packets_of_source(frame, i)] if whole_source else _split_by_packet(frame, i, amount)
    ):
        if _can_redirect_to(s, frame, ability_frame, j, to):
            _redirect(s, frame, ability_frame, j, n, to)


def _packets_of_source(frame: DamageFrame, i: int) -> list[int]:
    """Return the indices of all packets of one source, which count as one for a text about all of its damage."""
    return [
        j for j, packet in enumerate(frame.packets) if packet.source == frame.packets[i].source and packet.amount > 0
    ]


def _redirect(s: State, frame: DamageFrame, ability_frame: AbilityFrame, i: int, amount: int, to: int) -> None:
    packet = frame.packets[i]
    moved = min(amount, packet.amount)
    # the rest is dealt (rules 5.8c3)
    _set_packet_amount(frame, i, packet.amount - moved)
    # what has acted on the packet does not act on the redirected part; a Global may, for another die (rules 5.8d4)
    answered = {(a, you, this) for a, you, this, n in frame.asked if n == i and s.spec.abilities[a].kind != "global"}
    answered.add((ability_frame.ability, ability_frame.you, ability_frame.this))
    frame.asked = (*frame.asked, *((*key, len(frame.packets)) for key in sorted(answered)))
    redirected = damage_after_recipient_rules(s, DamagePacket(packet.source, to, moved), frame.sort)
    frame.packets = (*frame.packets, redirected)


def offered_damage(s: State) -> int:
    """Return the amount of the pending packet, with all combat hits of its source on the same player."""
    frame, ability_frame = _damage_under_decision(s)
    return sum([frame.packets[j].amount for j in _packets_of_hit(frame, ability_frame.event.last_known[0])])


def is_damage_from_engaged(s: State, d: int) -> bool:
    """Return whether the pending packet comes from a die that is engaged with this one."""
    frame, ability_frame = _damage_under_decision(s)
    source = frame.packets[ability_frame.event.last_known[0]].source
    return (d, source) in s.blocks or (source, d) in s.blocks


def can_redirect(s: State, to: int) -> bool:
    """Return whether the pending packet can be redirected there (rules 5.8d2).

    In ai the recipient must be unprotected. Damage moves only between dice or between players, unless the text allows
    both (rules 5.8d3).
    """
    frame, ability_frame = _damage_under_decision(s)
    i = ability_frame.event.last_known[0]
    packets = _packets_of_source(frame, i) if s.spec.abilities[ability_frame.ability].whole_source else [i]
    return any(_can_redirect_to(s, frame, ability_frame, j, to) for j in packets)


def _can_redirect_to(s: State, frame: DamageFrame, ability_frame: AbilityFrame, i: int, to: int) -> bool:
    if frame.packets[i].to == to:
        return False
    if s.spec.edition.free_redirect:
        return True
    same_sort = (frame.packets[i].to >= PLAYER) == (to >= PLAYER)
    crosses = s.spec.abilities[ability_frame.ability].crosses
    if to < PLAYER and static_rules.is_protected(s, to, frame.sort.split(", ")[0], frame.you):
        return False  # protected from the source; protection from the redirecting text is checked on targeting
    return same_sort or crosses


def _damage_under_decision(s: State) -> tuple[DamageFrame, AbilityFrame]:
    """Return the pending damage and the ability that acts on it, whose event holds the index of the packet."""
    frame_above: Frame | None = None
    for frame in reversed(s.stack):
        if isinstance(frame, DamageFrame) and isinstance(frame_above, AbilityFrame):
            return frame, frame_above
        frame_above = frame
    raise AssertionError("no damage is on its way")


def offer_ko_replacements(s: State, frame: KnockoutFrame) -> bool:
    """Offer the next replacement effect for a KO, the active player's first. Return True if the KO has to wait for it.

    Declined effects are offered again after another has been used (rules 5.7a4).
    """
    if frame.trying[0] >= 0:
        if frame.used or frame.trying in frame.asked:
            frame.asked = (*frame.asked, frame.trying)
            frame.declined = ()
            frame.used = 0
        else:
            frame.declined = (*frame.declined, frame.trying)
        frame.trying = TRYING_NOBODY
    candidates = _ko_replacements(s, frame)
    if not candidates:
        return False
    ctx, key = candidates[0]
    if s.answer[0] == "would":
        ctx, key = candidates[s.answer[2]]
    elif not is_optional(s, ctx):
        options: list[Option] = []
        seen: set[int] = set()
        for i, (other, other_key) in enumerate(candidates):
            if other_key[2] == key[2] and other.ability not in seen:
                seen.add(other.ability)
                options.append(("would", other.ability, i))
        if len(options) > 1:
            request_decision(s, ctx.you, "resolve", options)
            return True
    if not is_optional(s, ctx):
        frame.asked = (*frame.asked, key)
    frame.trying = key
    s.stack.append(ctx)
    return True


def is_ko_replaced(s: State, d: int) -> bool:
    """Return whether an effect of its player can replace the die's KO by combat damage."""
    event = GameEvent("would be KO'd", d, NOBODY, 0, "combat")
    abilities = s.spec.replacements.get("would be KO'd", ())
    return any(ctx.you & 1 == s.place[d] & 1 for ability in abilities for ctx in applicable_contexts(s, ability, event))


def _ko_replacements(s: State, frame: KnockoutFrame) -> list[tuple[AbilityFrame, DieKey]]:
    """Return the answering side's effects that can act on the KO now, each with the key of its die.

    Optional effects come first.
    """
    for side in (s.active & 1, 1 - (s.active & 1)):
        optional: list[tuple[AbilityFrame, DieKey]] = []
        mandatory: list[tuple[AbilityFrame, DieKey]] = []
        for d in frame.dice:
            event = GameEvent("would be KO'd", d, frame.doer, 0, frame.cause_of(d))
            for ability in s.spec.replacements["would be KO'd"]:
                for ctx in applicable_contexts(s, ability, event):
                    key = (ability.index, ctx.this, d)
                    if ctx.you & 1 == side and key not in frame.asked and key not in frame.declined:
                        (optional if is_optional(s, ctx) else mandatory).append((ctx, key))
        if optional or mandatory:
            return optional + mandatory
    return []
