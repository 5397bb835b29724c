"""Reactions: who hears an event, in which order they wait, and the next one to be carried out (rules 5.7)."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.vocabulary import THIS_ATTACK, May
from dicemasters.game.abilities.program import CompiledAbility
from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.decision_requests import note_forced_choice, request_decision
from dicemasters.game.queries import characteristics, combat_status, costs, die_identity, static_rules
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import (
    FIELD,
    HAND,
    LEFT_FIELD,
    LETHAL,
    LIMIT_OF_DIE,
    LOOP_LIMIT,
    PLAYER,
    TIE,
    UNDECIDED,
)
from dicemasters.game.state.frames import AbilityFrame, EventBatchFrame, LethalCheckFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import (
    NO_EVENT,
    NOBODY,
    WAIT_LIFE_TOLL,
    ActiveEffect,
    GameEvent,
    Option,
    PendingTrigger,
)

SeenCauses = set[tuple[int, int, int, int, int]]


def emit(
    s: State,
    word: str,
    die: int = NOBODY,
    other: int = NOBODY,
    amount: int = 0,
    known: tuple[int, ...] = (),
    seen: SeenCauses | None = None,
    kind: str = "",
    without: tuple[int, ...] = (),
) -> None:
    """Announce an event, if anybody at this table listens to it."""
    if word in s.spec.triggers_by_event or (s.active_effects and word in s.spec.delayed_events):
        enqueue_triggers(s, GameEvent(word, die, other, amount, kind, known), without, seen)


def enqueue_triggers(s: State, h: GameEvent, without: tuple[int, ...] = (), seen: SeenCauses | None = None) -> None:
    """Let every ability that reacts to the event wait in the queue.

    The dice `without` no longer lend their text to a while-active ability; `seen` lets one source that meets an ability in
    several ways at one moment set it off once (rules 10.1).
    """
    if s.active_effects and h.word in s.spec.delayed_events:
        _watches(s, h)
    listeners = s.spec.triggers_by_event.get(h.word)
    if listeners is None:
        return
    silent = h.word == "damaged" and not s.spec.edition.kod_dice_react and _is_kod(s, h.die)
    if silent:
        without = (*without, h.die)
    for sentence in listeners:
        if sentence.self_only:
            found = [] if silent else _by_its_die(s, sentence, h)
        elif sentence.kind == "global":
            found = _by_payers(s, sentence, h)
        else:
            found = static_rules.active_contexts(s, sentence, without)
            if sentence.limit == "first":
                note_first_time(s, sentence, h, found)
            found = _matching_contexts(s, sentence, h, found)
        for ctx in found:
            if not _is_set_off(s, sentence, h, ctx):
                continue
            if seen is not None:
                key = _cause_key(sentence, h, ctx)
                if key in seen:
                    continue
                seen.add(key)
            if sentence.scope == "active" and ctx.this in (h.die, h.other):
                ctx.this = _equivalent_die(s, ctx.this, (h.die, h.other, *without))
            _enqueue(s, sentence, ctx)


def _equivalent_die(s: State, d: int, but: tuple[int, ...]) -> int:
    """Give a die that lies beside this one and is like it: so it never hangs on numbers whether a text speaks of its own die."""
    dice = s.spec.dice_of[s.spec.card_of[d]]
    return next((x for x in dice if x not in but and s.place[x] == s.place[d] and s.is_equivalent(x, d)), d)


def enqueue_simultaneous(
    s: State, happenings: tuple[GameEvent, ...], was: tuple[ActiveEffect, ...], seen: SeenCauses | None = None
) -> None:
    """Announce events of one moment; a die that has left since is meant as it was then (rules 3.4d5, 5.13c).

    One that has come since, out of a capture or from its captor's side, hears nothing of it (rules 5.13a1).
    """
    lost = [r for r in was if r.word != die_identity.HOLDING_RECORD and s.place[r.subject] >> 2 != FIELD]
    late = tuple([r.subject for r in was if r.word == die_identity.HOLDING_RECORD and s.place[r.subject] != r.a])
    before = len(s.active_effects)
    s.active_effects += lost
    for h in happenings:
        enqueue_triggers(s, h, late, seen)
    del s.active_effects[before : before + len(lost)]


def _by_its_die(s: State, sentence: CompiledAbility, h: GameEvent) -> list[AbilityFrame]:
    """List the die that the event is about, if the text is its own."""
    d = h.die
    if d >= PLAYER or (h.word == "deals damage" and s.place[d] >> 2 == HAND):
        return []  # what was rolled and never in the field has no text that works
    place = _restore_place_at_event(s, h)
    has = _has_triggering_text(s, sentence, d)
    s.place[d] = place
    if not has:
        return []
    if h.word in ("KO'd", "deals damage") and h.last_known:
        you, burst = h.last_known[4], h.last_known[5]  # as it was: it may have left, or gone back to its owner
    elif h.word == "damaged":
        you, burst = h.last_known[1], h.last_known[2]
    else:
        you, burst = s.place[d] & 3, static_rules.burst(s, d)
    return [AbilityFrame(sentence.index, you, d, burst, 0, h)]


def _by_payers(s: State, sentence: CompiledAbility, h: GameEvent) -> list[AbilityFrame]:
    """List the players who can pay for a reactive Global now that its event has come (rules 5.10)."""
    if die_identity.is_blanked(s, sentence.card):
        return []
    out: list[AbilityFrame] = []
    for seat in range(s.spec.n_seats):
        if not static_rules.is_banned(s, seat, "global"):
            price = costs.global_cost(s, seat, sentence.need.price)
            if payment.can_pay(payment.energy_pool(s, seat), price):
                out.append(static_rules.ability_context(sentence.index, seat, NOBODY))
    return _matching_contexts(s, sentence, h, out)


def _matching_contexts(
    s: State, sentence: CompiledAbility, h: GameEvent, here: list[AbilityFrame]
) -> list[AbilityFrame]:
    """Keep those for whom the text means whom the event is about."""
    out: list[AbilityFrame] = []
    for ctx in here:
        ctx.event = h
        if h.die < PLAYER:
            place = _restore_place_at_event(s, h)
            holds = sentence.who.matches(s, h.die, ctx)
            s.place[h.die] = place
        else:
            holds = sentence.who.matches(s, h.die, ctx)
        if holds:
            out.append(ctx)
    return out


def _restore_place_at_event(s: State, h: GameEvent) -> int:
    """Put who dealt or took damage where it was then, in whose field it was; gives the place where it is now (5.13b)."""
    d = h.die
    place = s.place[d]
    at = 4 if h.word == "deals damage" else 1 if h.word == "damaged" else -1
    if 0 <= at < len(h.last_known):
        s.place[d] = (HAND if place >> 2 == HAND else FIELD) * 4 + h.last_known[at]
    return place


def _is_set_off(s: State, sentence: CompiledAbility, h: GameEvent, ctx: AbilityFrame) -> bool:
    """Tell whether the event that the text is about sets it off: the other die, its "if", its limit."""
    if sentence.keyword and ctx.this < PLAYER and characteristics.has_lost_keyword(s, ctx.this, sentence.keyword):
        return False
    if sentence.other is not None:
        others = [x for x in _possible_others(s, h) if x != NOBODY and sentence.other.matches(s, x, ctx)]
        if not others:
            return False
        if others[0] != h.other:
            ctx.event = h.about(h.die, others[0], h.last_known)
    late = sentence.has_deferred_condition and s.spec.edition.conditions_when_resolving
    if sentence.condition is not None and not late and not sentence.condition.evaluate(s, ctx):
        return False
    if is_used_up(s, ctx) or not sentence.programs[ctx.burst].ops:  # only a burst would do something
        return False
    return not _has_waited(s, sentence, ctx)


def _cause_key(sentence: CompiledAbility, h: GameEvent, ctx: AbilityFrame) -> tuple[int, int, int, int, int]:
    """Give what sets the ability off only once at a moment: the source, and where the text tells them apart whom it met."""
    acts = h.word in ("deals damage", "blocks", "drawn")
    whom = NOBODY
    if sentence.is_per_recipient and (acts or h.word == "damaged"):
        whom = h.other if acts else h.die
    return sentence.index, ctx.you, ctx.this, h.die if acts else h.other, whom


def _enqueue(s: State, sentence: CompiledAbility, ctx: AbilityFrame) -> None:
    """Let a reaction wait for its turn; a reactive Global takes place before all others that wait (rules 5.10)."""
    q = PendingTrigger(s.timestamp, ctx.you, sentence.index, ctx.this, ctx.burst, ctx.event)
    if _is_once_an_attack(sentence):
        whose = NOBODY if sentence.limit == "together" else ctx.this
        s.active_effects.append(ActiveEffect(_HAPPENED, NOBODY, 0, 0, -1, THIS_ATTACK, ctx.you, whose, ctx.ability))
    if sentence.kind != "global":
        s.queue.append(q)
        return
    queue = s.queue
    at = 0
    while at < len(queue) and queue[at].ability != RULE and s.spec.abilities[queue[at].ability].kind == "global":
        at += 1
    if at:
        moment = queue[0].timestamp
    else:
        moment = (min(queue[0].timestamp, s.timestamp) if queue else s.timestamp) - 1
    queue.insert(at, q.at(moment))


_HAPPENED: Final = "happened"  # a record: a text that happens once an attack has been set off


def _is_once_an_attack(sentence: CompiledAbility) -> bool:
    """Tell whether a text about attacking happens once for all, or for both partners, whoever joins the attack later."""
    return sentence.limit in ("together", "moment") and sentence.event == "attacks"


def _has_waited(s: State, sentence: CompiledAbility, ctx: AbilityFrame) -> bool:
    """Tell whether a text that happens once in an attack, or at one moment, for one die or for all has been set off."""
    limit = sentence.limit
    if limit != "together" and limit != "moment":
        return False
    whose = (NOBODY,) if limit == "together" else _same(s, sentence, ctx.this)
    if _is_once_an_attack(sentence):
        for r in s.active_effects:
            if r.word == _HAPPENED and r.ability == ctx.ability and r.you == ctx.you and r.source in whose:
                return True
        return False
    for q in s.queue:
        if q.timestamp == s.timestamp and q.ability == ctx.ability and q.you == ctx.you:
            if limit == "together" or q.this in whose:
                return True
    return False


def _is_kod(s: State, d: int) -> bool:
    """Tell whether the die that was damaged has been KO'd by that, or will be when its effects are done."""
    return d < PLAYER and (s.place[d] >> 2 != FIELD or s.flags[d] & LETHAL != 0)


def _possible_others(s: State, h: GameEvent) -> list[int]:
    """List who the event's other die may be: a die can be engaged with several at once."""
    if h.word in ("is blocked", "engaged"):
        return combat_status.blockers_of(s, h.die) or combat_status.blocked_by(s, h.die)
    return [h.other]


def _same(s: State, sentence: CompiledAbility, d: int) -> tuple[int, ...]:
    """List for whom one time at a moment counts: the die, and its partner where the text belongs to both."""
    return (d, die_identity.partner_of(s, d)) if sentence.scope == "pair" else (d,)


def _watches(s: State, h: GameEvent) -> None:
    """Let what was said for later wait in the queue when its event comes."""
    for r in s.active_effects:
        if r.word == "later" and s.spec.abilities[r.ability].event == h.word:
            about = () if r.subject == NOBODY else ((r.subject,),)
            ctx = AbilityFrame(r.ability, r.you, r.source, 0, 0, h, about)
            sentence = s.spec.abilities[r.ability]
            if sentence.who.matches(s, h.die, ctx) and (
                sentence.other is None or sentence.other.matches(s, h.other, ctx)
            ):
                s.queue.append(PendingTrigger(s.timestamp, r.you, r.ability, r.source, 0, h, r.subject))


def _has_triggering_text(s: State, sentence: CompiledAbility, d: int) -> bool:
    """Tell whether the die has the text; a pair's text belongs to both partners (rules 5.14)."""
    if sentence.scope == "given":
        return characteristics.has_granted_keyword(s, d, sentence)
    if sentence.scope != "pair":
        if die_identity.has_ability_of(s, d, sentence.card) or static_rules.has_copied_combat_ability(s, d, sentence):
            return True
        return static_rules.has_borrowed_keyword(s, d, sentence)
    partner = die_identity.partner_of(s, d)
    return partner != NOBODY and (
        die_identity.has_ability_of(s, d, sentence.card) or die_identity.has_ability_of(s, partner, sentence.card)
    )


_OF_A_TURN: Final = ("turn", "first", "die")


def is_used_up(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether an ability that works once per turn has been used (for each player and card, or die)."""
    return s.spec.abilities[ctx.ability].limit in _OF_A_TURN and (ctx.ability, limit_key(s, ctx)) in s.turn_limits


def mark_used(s: State, ctx: AbilityFrame) -> None:
    """Note that an ability was used, if it works once per turn."""
    if s.spec.abilities[ctx.ability].limit in _OF_A_TURN:
        s.turn_limits.append((ctx.ability, limit_key(s, ctx)))


def limit_key(s: State, ctx: AbilityFrame) -> int:
    """Give what stands in `turn_limits` for who has used a limited ability: a die, a player, or another of their characters.

    What a character has by a copy is its own, but a first time that is not about that character itself is the player's (5.7c).
    """
    sentence = s.spec.abilities[ctx.ability]
    if sentence.limit == "die":
        return LIMIT_OF_DIE + ctx.this
    return static_rules.limit_owner(s, ctx) if sentence.limit == "turn" or sentence.of_itself else ctx.you


def note_first_time(s: State, sentence: CompiledAbility, h: GameEvent, here: list[AbilityFrame]) -> None:
    """Note a first time that comes while nobody has the text to answer it: the card counts, not the die (5.7c3).

    It is noted for every player, since one may come to have the text later: by control of a die, or by a copy.
    """
    if sentence.scope != "active":
        return
    for seat in range(s.spec.n_seats):
        if (sentence.index, seat) in s.turn_limits or any(x.you == seat for x in here):
            continue
        ctx = static_rules.ability_context(sentence.index, seat, s.spec.dice_of[sentence.card][0], h)
        if not sentence.who.matches(s, h.die, ctx):
            continue
        if sentence.other is not None and (h.other == NOBODY or not sentence.other.matches(s, h.other, ctx)):
            continue
        if sentence.condition is None or sentence.condition.evaluate(s, ctx):
            s.turn_limits.append((sentence.index, seat))


def set_off(s: State, d: int, card: int, h: GameEvent) -> None:
    """Let the card's own reactions to an event wait for a die that has just taken them over (uxm 107)."""
    for sentence in s.spec.triggers_by_event.get(h.word, ()):
        if sentence.card == card and sentence.self_only and sentence.fights:
            ctx = AbilityFrame(sentence.index, s.place[d] & 3, d, static_rules.burst(s, d), 0, h)
            if _is_set_off(s, sentence, h, ctx):
                _enqueue(s, sentence, ctx)


def active_batch(s: State) -> EventBatchFrame | None:
    """Give what gathers the events of things paid in one go until all of them are done (rules 3.3e6)."""
    for f in s.stack[:2]:  # under it may lie what a script's seat is owed
        if isinstance(f, EventBatchFrame) and f.go:
            return f
    return None


def drop_silenced(s: State) -> None:
    """Let go what hears of KOs of a go that has KO'd the last die with that text too: all are one effect (3.4d4)."""
    s.queue[:] = [q for q in s.queue if q.timestamp != s.timestamp or not _is_silenced(s, q)]


def _is_silenced(s: State, q: PendingTrigger) -> bool:
    if q.ability == RULE or q.event.word not in ("KO'd", "KOs", "KOs own"):
        return False
    sentence = s.spec.abilities[q.ability]
    return sentence.scope == "active" and all(
        s.place[d] & 3 != q.you for d in die_identity.dice_with_ability(s, sentence.card)
    )


def emit_once(s: State, h: GameEvent) -> None:
    """Announce an event of an effect; several uses paid in one go are one effect, and it is announced when all are done."""
    go = active_batch(s)
    if go is None:
        emit(s, h.word, h.die, h.other, h.amount)
    elif h.word in s.spec.observed_events:
        go.add((h,), ())


def advance_timestamp(s: State) -> None:
    """What is announced from here on waits behind what was announced before."""
    s.timestamp += 1
    if s.spec.stats_depend_off_field:
        s.state_check_due = True
    if s.timestamp > LOOP_LIMIT and s.result == UNDECIDED:
        s.result, s.result_reason = TIE, f"more than {LOOP_LIMIT} things happened in one turn, so it would never end"


RULE: Final = -1  # in place of an ability: not a text waits but a rule, the KO of who has lethal damage


def wait_for_ko(s: State) -> None:
    """Let the KO of who has lethal damage wait behind the effects of that damage."""
    advance_timestamp(s)
    s.queue.append(PendingTrigger(s.timestamp, s.active, RULE, NOBODY, 0, NO_EVENT))
    advance_timestamp(s)


def resolve_next(s: State) -> None:
    """Take the next reaction: of the earliest moment, the active player's first, in the order they choose."""
    queue = s.queue
    advance_timestamp(s)
    if s.result != UNDECIDED:
        return
    if s.turn_limits:
        # of several "first times" at once one counts, the rest do nothing (rules 5.7c)
        queue[:] = [q for q in queue if q.ability == RULE or not is_used_up(s, _trigger_context(q))]
        if not queue:
            return
    first = queue[0].timestamp
    together = [q for q in queue if q.timestamp == first]
    if len(together) > 1:
        mine = [q for q in together if q.you & 1 == s.active & 1]
        if mine:
            together = mine
        together = _drop_equivalent(s, together)
        if len(together) > 1:  # whose "if" does not hold waits behind the player's others: one of them may change that
            together = [q for q in together if _is_condition_met(s, q)] or together[:1]
    if len(together) > 1:
        if s.answer[0] != "resolve":
            options: list[Option] = [("resolve", q.ability, queue.index(q)) for q in together]
            whose = {q.you for q in together}
            request_decision(
                s, whose.pop() if len(whose) == 1 else together[0].you & 1, "resolve", options
            )  # of partners the lead
            return
        chosen = queue[s.answer[2]]
    else:
        chosen = together[0]
        if s.journal is not None:
            note_forced_choice(s, chosen.you, ("resolve", chosen.ability, 0))
    queue.remove(chosen)
    if chosen.ability == RULE:
        s.stack.append(LethalCheckFrame())
        return
    holds = _is_condition_met(s, chosen)
    if not holds:
        return
    if chosen.ability in s.spec.otherwise:
        other = s.spec.otherwise[chosen.ability]
        queue[:] = [q for q in queue if (q.ability, q.this, q.timestamp) != (other, chosen.this, chosen.timestamp)]
    ctx = _trigger_context(chosen)
    sentence = s.spec.abilities[ctx.ability]
    if sentence.limit == "first" or not sentence.programs[ctx.burst].optional:
        mark_used(s, ctx)
    if is_vacuous(s, ctx):
        return  # nobody is asked for whom there is nothing
    if life_cost(s, ctx) or _is_use_observed(s, sentence):
        ctx.hold = WAIT_LIFE_TOLL
    s.stack.append(ctx)


def _is_condition_met(s: State, q: PendingTrigger) -> bool:
    """Tell whether the "if" of a reaction that waits holds now; what belongs to its event was read with it (5.7a)."""
    if q.ability == RULE:
        return True
    sentence = s.spec.abilities[q.ability]
    if (
        sentence.condition is None
        or not sentence.has_deferred_condition
        or not s.spec.edition.conditions_when_resolving
    ):
        return True
    return sentence.condition.evaluate(s, _trigger_context(q))


def is_declinable(sentence: CompiledAbility) -> bool:
    """Tell whether the ability is used only if its player says so."""
    return (
        len(sentence.ability.effects) == 1
        and isinstance(only := sentence.ability.effects[0], May)
        and only.who == "you"
    )


def printed_timing(sentence: CompiledAbility) -> str:
    """Give the printed class of an ability: "when fielded"; a keyword that acts on fielding is none (rules 5.6).

    Resistance and Enlistment only label a sentence that has its own words.
    """
    if sentence.self_only and sentence.keyword in ("", "Resistance", "Enlistment"):
        return f"when {sentence.event}"
    return ""


def life_cost(s: State, ctx: AbilityFrame) -> int:
    """Give the life that rules ask of the player for using this ability now."""
    if not s.active_effects and "ability costs life" not in s.spec.static_by_rule:
        return 0
    of = printed_timing(s.spec.abilities[ctx.ability])
    rules = static_rules.rules_affecting(s, "ability costs life", s.spec.person + ctx.you)
    return sum(n for rule, _, n, _ in rules if of and rule is not None and rule.text == of)


def _trigger_context(q: PendingTrigger) -> AbilityFrame:
    about = () if q.about == NOBODY else ((q.about,),)
    return AbilityFrame(q.ability, q.you, q.this, q.burst, 0, q.event, about)


def is_vacuous(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether all that a sentence would do is so much of nothing, or needs its die, which has left (rules 5.13)."""
    program = s.spec.abilities[ctx.ability].programs[ctx.burst]
    if program.by_die and die_identity.has_source_left(s, ctx):
        return True
    counted = program.decisive_quantities
    if not counted:
        return False
    for amount in counted:
        if amount.evaluate(s, ctx):
            return False
    return True


def _is_use_observed(s: State, sentence: CompiledAbility) -> bool:
    """Tell whether anybody at this table reacts to the use of such an ability."""
    for of in (sentence.keyword, printed_timing(sentence)):
        if of and f"uses {of}" in s.spec.observed_events:
            return True
    return False


def emit_use(s: State, ctx: AbilityFrame) -> None:
    """Tell that a player uses an ability of a keyword or printed class."""
    sentence = s.spec.abilities[ctx.ability]
    for of in (sentence.keyword, printed_timing(sentence)):
        if of:
            emit(s, f"uses {of}", s.spec.person + ctx.you, ctx.this)


def _drop_equivalent(s: State, triggers: list[PendingTrigger]) -> list[PendingTrigger]:
    """Keep one of those between which the order makes no difference: like dice that react alike (rules 5.7a7)."""
    seen: set[tuple[object, ...]] = set()
    out: list[PendingTrigger] = []
    for q in triggers:
        key = (
            q.ability,
            q.you,
            q.burst,
            _die_class(s, q.this),
            _die_class(s, q.event.die),
            q.event.amount,
            *_matters(s, q),
        )
        if key not in seen:
            seen.add(key)
            out.append(q)
    return out


def _die_class(s: State, d: int) -> tuple[int, ...]:
    return (NOBODY,) if d == NOBODY else equivalence_key(s, d)


def _matters(s: State, q: PendingTrigger) -> tuple[tuple[int, ...], ...]:
    """Give what else the text speaks of: numbers a die had, the other die, the die it was said about, whom a die has met."""
    if q.ability == RULE:
        return ()
    sentence = s.spec.abilities[q.ability]
    out: list[tuple[int, ...]] = []
    if q.event.word == "damaged":
        out.append(q.event.last_known[:1])
    if sentence.reads_numbers:
        if q.event.word == "KO'd":
            out.append(q.event.last_known[:3])
        noted = [r for r in s.active_effects if r.word == "numbers" and r.source == q.this and r.ability == q.ability]
        out += [(r.a, r.d) for r in noted]
    if sentence.names_other:
        out.append(_die_class(s, q.event.other))
    if q.about != NOBODY or sentence.names_met:
        records = s.active_effects  # that it was said for later of each of them makes no difference
        s.active_effects = [r for r in records if r.word != "later" or r.ability != q.ability]
        met = [x for x, y, how in s.engagements if y == q.this and not how & LEFT_FIELD] if sentence.names_met else []
        out += sorted(_die_class(s, x) for x in (q.about, *met))
        s.active_effects = records
    return tuple(out)
