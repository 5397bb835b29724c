"""Who may change damage or a KO before it happens: prevented, redirected, replaced (rules 5.7a, 5.10)."""

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


def offer_damage_replacements(s: State, f: DamageFrame) -> bool:
    """Let the next ability act that may prevent, redirect or change: the active player's first (rules 5.7a, 5.10).

    What a player may do is asked before what must be done, in the order of the cards; declined for now, it is asked again
    once the damage has changed. So players order their own.
    """
    _after_trying(f)
    if s.answer[0] == "would":
        return _apply_replacement(s, f, *_damage_replacements(s, f)[s.answer[2]])
    found = _damage_replacements(s, f)
    if not found:
        if f.asked or f.declined:
            _note_first_times(s, f)
        return False
    if s.answer[0] == "damage":
        named = [x for x in found if x[0].ability == s.answer[2]]
        return _apply_replacement(s, f, *next((x for x in named if x[1][3] == s.answer[1]), named[0]))
    if not is_optional(s, found[0][0]):
        same = [x for x in found if x[1][3] == found[0][1][3]]
        orders = _distinct_orders(same)
        if len(orders) > 1:
            options: list[Option] = [("would", x[0].ability, found.index(x)) for x in orders]
            request_decision(s, found[0][0].you, "resolve", options)
            return True
    return _apply_replacement(s, f, *found[0])


def note_unanswerable(s: State, f: DamageFrame) -> None:
    """Note first times that no text can answer: its card is not active, or the damage is a cost (rules 5.7c3, 5.1b)."""
    for sentence in s.spec.replacements["would be damaged"]:
        if sentence.limit == "first":
            here = static_rules.active_contexts(s, sentence) if f.stage == 0 else []
            for i, p in enumerate(f.packets):
                if p.amount > 0:
                    h = GameEvent("would be damaged", p.to, p.source, p.amount, f.sort, (i, f.you))
                    note_first_time(s, sentence, h, here)


def _note_first_times(s: State, f: DamageFrame) -> None:
    """A first time that was declined was one all the same (rules 5.7c), but damage that was prevented was none (5.8c)."""
    left = [x for x in f.declined if f.packets[x[3]].amount > 0]
    for index, you, this, _ in (*f.asked, *(x[:4] for x in left)):
        if s.spec.abilities[index].limit == "first":
            used = (index, limit_key(s, static_rules.ability_context(index, you, this)))
            if used not in s.turn_limits:
                s.turn_limits.append(used)
    for i, (index, you, this, at, size) in enumerate(f.declined):
        key = (index, you, this, at)
        if s.spec.abilities[index].first and key not in f.asked and key not in [x[:4] for x in f.declined[:i]]:
            _count(s, index, you, this, f.packets[at].amount - abs(size))
    # what comes on top later at the same moment is noted by itself
    amounts = [f.packets[x[3]].amount for x in f.declined]
    f.declined = tuple([(*x[:4], n if x[4] > 0 else -n) for x, n in zip(f.declined, amounts, strict=True)])


def _distinct_orders(found: list[tuple[AbilityFrame, PacketKey]]) -> list[tuple[AbilityFrame, PacketKey]]:
    """Keep one of each ability: it makes no difference which of several dice acts first."""
    return list({x[0].ability: x for x in reversed(found)}.values())[::-1]


def _apply_replacement(s: State, f: DamageFrame, ctx: AbilityFrame, key: PacketKey) -> bool:
    sentence = s.spec.abilities[ctx.ability]
    if sentence.limit in ("first", "die") and not sentence.programs[ctx.burst].optional:
        _first_time(s, f, sentence, ctx)
        return True
    if sentence.first and s.answer[0] != "damage" and _request_packet_choice(s, f, sentence, ctx):
        return True
    if not is_optional(s, ctx):
        f.asked = (*f.asked, key)
    if sentence.first and key not in (x[:4] for x in f.declined):
        _count(s, ctx.ability, ctx.you, ctx.this, ctx.event.amount)
    f.trying = key
    s.stack.append(ctx)
    return True


def is_optional(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether the ability acts only if its player says so."""
    ops = s.spec.abilities[ctx.ability].programs[ctx.burst].ops
    return bool(ops) and ops[0].name == "may"


def _after_trying(f: DamageFrame) -> None:
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


def _size(f: DamageFrame, i: int) -> int:
    """Give what tells whether a packet is still the one that was asked about; who declined it before a change is marked."""
    return f.packets[i].amount


def _damage_replacements(s: State, f: DamageFrame) -> list[tuple[AbilityFrame, PacketKey]]:
    """List the abilities of the side whose turn it is to answer that may act on the damage now, each with its packet."""
    found: list[tuple[AbilityFrame, PacketKey]] = []
    for i, p in enumerate(f.packets):
        if p.amount <= 0:
            continue
        h = GameEvent("would be damaged", p.to, p.source, p.amount, f.sort, (i, f.you))
        for sentence in s.spec.replacements["would be damaged"]:
            if _waits_for_excess(f, sentence, p.to):
                continue
            for ctx in applicable_contexts(s, sentence, h):
                at = i
                if sentence.whole_source:
                    at = next(j for j, q in enumerate(f.packets) if q.source == p.source)
                else:
                    at = _of_one_hit(f, i)[0]
                key = (sentence.index, ctx.you, ctx.this, at)
                if at != i and key in [x[1] for x in found]:
                    continue
                if not (f.asked or f.declined) or not _has_answered(f, key, p.to):
                    found.append((ctx, key))
    if not found:
        return found
    mine = [x for x in found if x[0].you & 1 == s.active & 1]  # of the other side only if the active one has none
    return [x for x in mine or found if is_optional(s, x[0])] + [x for x in mine or found if not is_optional(s, x[0])]


def _waits_for_excess(f: DamageFrame, sentence: CompiledAbility, to: int) -> bool:
    """Tell whether a text about a player's first damage waits: what exceeds the blockers' D will be of the same moment."""
    if to < PLAYER or sentence.limit != "first" or sentence.programs[0].optional:
        return False
    return any(x.exceeds for x in f.through)


def _has_answered(f: DamageFrame, key: PacketKey, to: int) -> bool:
    """Tell whether the ability has acted on the packet, or for whom it goes to, or has declined it as it is."""
    index, you, this, at = key
    return key in f.asked or (index, you, this, USED_FOR + to) in f.asked or (*key, _size(f, at)) in f.declined


def _first_time(s: State, f: DamageFrame, sentence: CompiledAbility, ctx: AbilityFrame) -> None:
    """Let what must change the first damage of the turn do so; its controller chooses which of several (rules 5.7c)."""
    found: dict[int, AbilityFrame] = {}
    seen: set[tuple[int, ...]] = set()
    for i, p in enumerate(f.packets):
        h = GameEvent("would be damaged", p.to, p.source, p.amount, f.sort, (i, f.you))
        key = (*equivalence_key(s, p.source), p.to, p.amount)
        for other in applicable_contexts(s, sentence, h) if p.amount > 0 else ():
            if (other.you, other.this) == (ctx.you, ctx.this) and key not in seen:
                seen.add(key)
                found[i] = other
    if len(found) > 1 and s.answer[0] != "damage":
        request_decision(
            s, ctx.you, "which damage", [("damage", i, sentence.index) for i in found], about=sentence.index
        )
        return
    chosen = found[s.answer[1]] if len(found) > 1 else ctx
    mark_used(s, chosen)
    s.stack.append(chosen)


def _request_packet_choice(s: State, f: DamageFrame, sentence: CompiledAbility, ctx: AbilityFrame) -> bool:
    """Ask of which of several hits the first so much is, if it must be changed and is not all of them (rules 5.7c)."""
    if is_optional(s, ctx):
        return False  # whoever may decline each of them has chosen by that
    hits = [
        key[3]
        for x, key in _damage_replacements(s, f)
        if (x.ability, x.you, x.this) == (ctx.ability, ctx.you, ctx.this)
    ]
    unlike = {(*equivalence_key(s, f.packets[i].source), f.packets[i].amount): i for i in reversed(hits)}
    if len(unlike) < 2 or sum([f.packets[i].amount for i in hits]) <= sentence.first - static_rules.damage_counted(
        s, ctx
    ):
        return False
    options: list[Option] = [("damage", i, sentence.index) for i in reversed(unlike.values())]
    request_decision(s, ctx.you, "which damage", options, about=sentence.index)
    return True


def note_replacement_use(s: State) -> None:
    """The ability that was asked is being used; a reactive Global not again for the same die (rules 5.10)."""
    below, running = s.stack[-2], s.stack[-1]
    if isinstance(below, DamageFrame) and isinstance(running, AbilityFrame):
        if s.spec.abilities[running.ability].kind == "global":
            to = below.packets[running.event.last_known[0]].to
            below.asked = (*below.asked, (running.ability, running.you, running.this, USED_FOR + to))
        below.used = 1
    elif isinstance(below, KnockoutFrame):
        below.used = 1


def applicable_contexts(s: State, sentence: CompiledAbility, h: GameEvent) -> list[AbilityFrame]:
    """List where an interrupting ability may act on what is about to happen."""
    if sentence.kind == "global":
        seats = [seat for seat in range(s.spec.n_seats) if not static_rules.is_banned(s, seat, "global")]
        if die_identity.is_blanked(s, sentence.card):
            seats = []
        found = [static_rules.ability_context(sentence.index, seat, NOBODY, h) for seat in seats]
    else:
        found = static_rules.active_contexts(s, sentence)
        for ctx in found:
            ctx.event = h
    out: list[AbilityFrame] = []
    for ctx in found:
        if not sentence.who.matches(s, h.die, ctx):
            continue
        if sentence.other is not None and (h.other == NOBODY or not sentence.other.matches(s, h.other, ctx)):
            continue
        if sentence.condition is not None and not sentence.condition.evaluate(s, ctx):
            continue
        if not is_used_up(s, ctx) and not (sentence.first and static_rules.damage_counted(s, ctx) >= sentence.first):
            out.append(ctx)
    return out


def _count(s: State, ability: int, you: int, this: int, more: int) -> None:
    """Note how much of the turn's first damage has been met; what is prevented after all is taken off again."""
    seen = more
    for r in s.active_effects:
        if r.word == "counted" and r.subject == this and r.ability == ability:
            seen += r.a
    s.active_effects = [
        r for r in s.active_effects if not (r.word == "counted" and r.subject == this and r.ability == ability)
    ]
    if seen > 0:
        s.active_effects.append(ActiveEffect("counted", this, seen, 0, -1, "end of turn", you, this, ability))


def prevent_damage(s: State, amount: int) -> None:
    """Take damage away from the packet that is being asked about.

    What was paid for and is too much for it counts against all else the same die takes at that moment.
    """
    f, running = _damage_under_decision(s)
    i = running.event.last_known[0]
    p = f.packets[i]
    if amount < 0:  # it grows
        _set_packet_amount(f, i, p.amount - amount)
        return
    for j, n in _split_by_packet(f, i, amount):
        _set_packet_amount(f, j, f.packets[j].amount - n)
    if s.spec.abilities[running.ability].spreads:
        left = amount - p.amount
        for j, other in enumerate(f.packets):
            if other.to == p.to and left > 0:
                _set_packet_amount(f, j, max(0, other.amount - left))
                left -= other.amount


def _set_packet_amount(f: DamageFrame, i: int, amount: int) -> None:
    """Change how much a packet is; who has declined it is asked again."""
    p = f.packets[i]
    if amount != p.amount:
        f.packets = (*f.packets[:i], p.of(amount), *f.packets[i + 1 :])
        f.declined = tuple([(*x[:4], -abs(x[4])) if x[3] == i else x for x in f.declined])


def _split_by_packet(f: DamageFrame, i: int, amount: int) -> list[tuple[int, int]]:
    """Give how much of each hit of one source is meant by an amount of its damage."""
    out: list[tuple[int, int]] = []
    for j in [i, *(j for j in _of_one_hit(f, i) if j != i)]:
        n = min(amount, f.packets[j].amount)
        amount -= n
        if n > 0:
            out.append((j, n))
    return out


def _of_one_hit(f: DamageFrame, i: int) -> list[int]:
    """List the packets that are the combat damage of one die to one player, though dealt in several hits (avx 115)."""
    p = f.packets[i]
    return (
        [i]
        if p.to < PLAYER or f.sort != "combat"
        else [j for j, q in enumerate(f.packets) if (q.source, q.to) == (p.source, p.to)]
    )


def redirect_damage(s: State, amount: int, to: int, whole_source: bool = False) -> None:
    """Send a part of the packet elsewhere, or all the damage of its source; the source stays the same (rules 5.8d)."""
    f, running = _damage_under_decision(s)
    i = running.event.last_known[0]
    for j, n in [(j, ALL) for j in _of_its_source(f, i)] if whole_source else _split_by_packet(f, i, amount):
        if _can_redirect_to(s, f, running, j, to):
            _redirect(s, f, running, j, n, to)


def _of_its_source(f: DamageFrame, i: int) -> list[int]:
    """List the packets of the same source, which a text about all of its damage means together."""
    return [j for j, p in enumerate(f.packets) if p.source == f.packets[i].source and p.amount > 0]


def _redirect(s: State, f: DamageFrame, running: AbilityFrame, i: int, amount: int, to: int) -> None:
    p = f.packets[i]
    moved = min(amount, p.amount)
    _set_packet_amount(f, i, p.amount - moved)
    # who has acted on the packet does not act on it again on its new way; a Global may, for another die
    answered = {(a, you, this) for a, you, this, n in f.asked if n == i and s.spec.abilities[a].kind != "global"}
    answered.add((running.ability, running.you, running.this))
    f.asked = (*f.asked, *((*key, len(f.packets)) for key in sorted(answered)))
    arriving = damage_after_recipient_rules(s, DamagePacket(p.source, to, moved), f.sort)
    f.packets = (*f.packets, arriving)


def offered_damage(s: State) -> int:
    """Give how much damage of the source it is that is being asked about."""
    f, running = _damage_under_decision(s)
    return sum([f.packets[j].amount for j in _of_one_hit(f, running.event.last_known[0])])


def is_damage_from_engaged(s: State, d: int) -> bool:
    """Tell whether the packet asked about comes from a die that is engaged with this one."""
    f, running = _damage_under_decision(s)
    source = f.packets[running.event.last_known[0]].source
    return (d, source) in s.blocks or (source, d) in s.blocks


def can_redirect(s: State, to: int) -> bool:
    """Tell whether the packet asked about may go there: in ai only to the same sort that can be targeted (5.8d).

    A text that sends damage from a player to dice says otherwise (rules 5.1).
    """
    f, running = _damage_under_decision(s)
    i = running.event.last_known[0]
    packets = _of_its_source(f, i) if s.spec.abilities[running.ability].whole_source else [i]
    return any(_can_redirect_to(s, f, running, j, to) for j in packets)


def _can_redirect_to(s: State, f: DamageFrame, running: AbilityFrame, i: int, to: int) -> bool:
    if f.packets[i].to == to:
        return False
    if s.spec.edition.free_redirect:
        return True
    same_sort = (f.packets[i].to >= PLAYER) == (to >= PLAYER)
    crosses = s.spec.abilities[running.ability].crosses
    if to < PLAYER and static_rules.is_protected(s, to, f.sort.split(", ")[0], f.you):
        return False  # from what deals the damage; from the text that redirects it a choice protects itself
    return same_sort or crosses


def _damage_under_decision(s: State) -> tuple[DamageFrame, AbilityFrame]:
    """Give the damage that somebody is asked about, and the text that asks: its event knows the packet."""
    above: Frame | None = None
    for f in reversed(s.stack):
        if isinstance(f, DamageFrame) and isinstance(above, AbilityFrame):
            return f, above
        above = f
    raise AssertionError("no damage is on its way")


def offer_ko_replacements(s: State, f: KnockoutFrame) -> bool:
    """Let the next ability act that may change a KO, the active player's first; one declined may be asked again (5.7a)."""
    if f.trying[0] >= 0:
        if f.used or f.trying in f.asked:
            f.asked = (*f.asked, f.trying)
            f.declined = ()
            f.used = 0
        else:
            f.declined = (*f.declined, f.trying)
        f.trying = TRYING_NOBODY
    found = _ko_replacements(s, f)
    if not found:
        return False
    ctx, key = found[0]
    if s.answer[0] == "would":
        ctx, key = found[s.answer[2]]
    elif not is_optional(s, ctx):
        options: list[Option] = []
        seen: set[int] = set()
        for i, (x, k) in enumerate(found):
            if k[2] == key[2] and x.ability not in seen:
                seen.add(x.ability)
                options.append(("would", x.ability, i))
        if len(options) > 1:
            request_decision(s, ctx.you, "resolve", options)
            return True
    if not is_optional(s, ctx):
        f.asked = (*f.asked, key)
    f.trying = key
    s.stack.append(ctx)
    return True


def is_ko_replaced(s: State, d: int) -> bool:
    """Tell whether a text must or may replace the KO of a die by combat damage, of a player who would not let it go by."""
    h = GameEvent("would be KO'd", d, NOBODY, 0, "combat")
    texts = s.spec.replacements.get("would be KO'd", ())
    return any(ctx.you & 1 == s.place[d] & 1 for sentence in texts for ctx in applicable_contexts(s, sentence, h))


def _ko_replacements(s: State, f: KnockoutFrame) -> list[tuple[AbilityFrame, DieKey]]:
    """List the abilities of the side whose turn it is to answer that may act on the KO now, each with its die."""
    for side in (s.active & 1, 1 - (s.active & 1)):
        may: list[tuple[AbilityFrame, DieKey]] = []
        must: list[tuple[AbilityFrame, DieKey]] = []
        for d in f.dice:
            h = GameEvent("would be KO'd", d, f.doer, 0, f.cause_of(d))
            for sentence in s.spec.replacements["would be KO'd"]:
                for ctx in applicable_contexts(s, sentence, h):
                    key = (sentence.index, ctx.this, d)
                    if ctx.you & 1 == side and key not in f.asked and key not in f.declined:
                        (may if is_optional(s, ctx) else must).append((ctx, key))
        if may or must:
            return may + must
    return []
