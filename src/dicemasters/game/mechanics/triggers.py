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
    excluded: tuple[int, ...] = (),
) -> None:
    """Announce an event, if anybody at this table listens to it."""
    if word in s.spec.triggers_by_event or (s.active_effects and word in s.spec.delayed_events):
        enqueue_triggers(s, GameEvent(word, die, other, amount, kind, known), excluded, seen)


def enqueue_triggers(
    s: State, event: GameEvent, excluded: tuple[int, ...] = (), seen: SeenCauses | None = None
) -> None:
    """Let every ability that reacts to the event wait in the queue.

    The dice `without` no longer lend their text to a while-active ability; `seen` lets one source that meets an ability in
    several ways at one moment set it off once (rules 10.1).
    """
    if s.active_effects and event.word in s.spec.delayed_events:
        _enqueue_delayed_triggers(s, event)
    listeners = s.spec.triggers_by_event.get(event.word)
    if listeners is None:
        return
    is_silent = event.word == "damaged" and not s.spec.edition.kod_dice_react and _is_knocked_out(s, event.die)
    if is_silent:
        excluded = (*excluded, event.die)
    for ability in listeners:
        if ability.self_only:
            contexts = [] if is_silent else _contexts_of_die(s, ability, event)
        elif ability.kind == "global":
            contexts = _contexts_of_payers(s, ability, event)
        else:
            contexts = static_rules.active_contexts(s, ability, excluded)
            if ability.limit == "first":
                note_first_time(s, ability, event, contexts)
            contexts = _matching_contexts(s, ability, event, contexts)
        for ctx in contexts:
            if not _does_trigger(s, ability, event, ctx):
                continue
            if seen is not None:
                key = _cause_key(ability, event, ctx)
                if key in seen:
                    continue
                seen.add(key)
            if ability.scope == "active" and ctx.this in (event.die, event.other):
                ctx.this = _equivalent_die(s, ctx.this, (event.die, event.other, *excluded))
            _enqueue(s, ability, ctx)


def _equivalent_die(s: State, d: int, excluded: tuple[int, ...]) -> int:
    """Give a die that lies beside this one and is like it: so it never hangs on numbers whether a text speaks of its own die."""
    dice = s.spec.dice_of[s.spec.card_of[d]]
    return next(
        (
            other
            for other in dice
            if other not in excluded and s.place[other] == s.place[d] and s.is_equivalent(other, d)
        ),
        d,
    )


def enqueue_simultaneous(
    s: State, events: tuple[GameEvent, ...], identities: tuple[ActiveEffect, ...], seen: SeenCauses | None = None
) -> None:
    """Announce events of one moment; a die that has left since is meant as it was then (rules 3.4d5, 5.13c).

    One that has come since, out of a capture or from its captor's side, hears nothing of it (rules 5.13a1).
    """
    lost_identities = [
        effect
        for effect in identities
        if effect.word != die_identity.HOLDING_RECORD and s.place[effect.subject] >> 2 != FIELD
    ]
    arrived_since = tuple(
        [
            effect.subject
            for effect in identities
            if effect.word == die_identity.HOLDING_RECORD and s.place[effect.subject] != effect.a
        ]
    )
    n_before = len(s.active_effects)
    s.active_effects += lost_identities
    for event in events:
        enqueue_triggers(s, event, arrived_since, seen)
    del s.active_effects[n_before : n_before + len(lost_identities)]


def _contexts_of_die(s: State, ability: CompiledAbility, event: GameEvent) -> list[AbilityFrame]:
    """List the die that the event is about, if the text is its own."""
    d = event.die
    if d >= PLAYER or (event.word == "deals damage" and s.place[d] >> 2 == HAND):
        return []  # what was rolled and never in the field has no text that works
    place = _restore_place_at_event(s, event)
    has_text = _has_triggering_text(s, ability, d)
    s.place[d] = place
    if not has_text:
        return []
    if event.word in ("KO'd", "deals damage") and event.last_known:
        you, burst = event.last_known[4], event.last_known[5]  # as it was: it may have left, or gone back to its owner
    elif event.word == "damaged":
        you, burst = event.last_known[1], event.last_known[2]
    else:
        you, burst = s.place[d] & 3, static_rules.burst(s, d)
    return [AbilityFrame(ability.index, you, d, burst, 0, event)]


def _contexts_of_payers(s: State, ability: CompiledAbility, event: GameEvent) -> list[AbilityFrame]:
    """List the players who can pay for a reactive Global now that its event has come (rules 5.10)."""
    if die_identity.is_blanked(s, ability.card):
        return []
    contexts: list[AbilityFrame] = []
    for seat in range(s.spec.n_seats):
        if not static_rules.is_banned(s, seat, "global"):
            price = costs.global_cost(s, seat, ability.need.price)
            if payment.can_pay(payment.energy_pool(s, seat), price):
                contexts.append(static_rules.ability_context(ability.index, seat, NOBODY))
    return _matching_contexts(s, ability, event, contexts)


def _matching_contexts(
    s: State, ability: CompiledAbility, event: GameEvent, contexts: list[AbilityFrame]
) -> list[AbilityFrame]:
    """Keep those for whom the text means whom the event is about."""
    matching: list[AbilityFrame] = []
    for ctx in contexts:
        ctx.event = event
        if event.die < PLAYER:
            place = _restore_place_at_event(s, event)
            matches = ability.who.matches(s, event.die, ctx)
            s.place[event.die] = place
        else:
            matches = ability.who.matches(s, event.die, ctx)
        if matches:
            matching.append(ctx)
    return matching


def _restore_place_at_event(s: State, event: GameEvent) -> int:
    """Put who dealt or took damage where it was then, in whose field it was; gives the place where it is now (5.13b)."""
    d = event.die
    place = s.place[d]
    index = 4 if event.word == "deals damage" else 1 if event.word == "damaged" else -1
    if 0 <= index < len(event.last_known):
        s.place[d] = (HAND if place >> 2 == HAND else FIELD) * 4 + event.last_known[index]
    return place


def _does_trigger(s: State, ability: CompiledAbility, event: GameEvent, ctx: AbilityFrame) -> bool:
    """Tell whether the event that the text is about sets it off: the other die, its "if", its limit."""
    if ability.keyword and ctx.this < PLAYER and characteristics.has_lost_keyword(s, ctx.this, ability.keyword):
        return False
    if ability.other is not None:
        others = [die for die in _possible_others(s, event) if die != NOBODY and ability.other.matches(s, die, ctx)]
        if not others:
            return False
        if others[0] != event.other:
            ctx.event = event.about(event.die, others[0], event.last_known)
    deferred = ability.has_deferred_condition and s.spec.edition.conditions_when_resolving
    if ability.condition is not None and not deferred and not ability.condition.evaluate(s, ctx):
        return False
    if is_used_up(s, ctx) or not ability.programs[ctx.burst].ops:  # only a burst would do something
        return False
    return not _has_triggered(s, ability, ctx)


def _cause_key(ability: CompiledAbility, event: GameEvent, ctx: AbilityFrame) -> tuple[int, int, int, int, int]:
    """Give what sets the ability off only once at a moment: the source, and where the text tells them apart whom it met."""
    by_source = event.word in ("deals damage", "blocks", "drawn")
    recipient = NOBODY
    if ability.is_per_recipient and (by_source or event.word == "damaged"):
        recipient = event.other if by_source else event.die
    return ability.index, ctx.you, ctx.this, event.die if by_source else event.other, recipient


def _enqueue(s: State, ability: CompiledAbility, ctx: AbilityFrame) -> None:
    """Let a reaction wait for its turn; a reactive Global takes place before all others that wait (rules 5.10)."""
    trigger = PendingTrigger(s.timestamp, ctx.you, ability.index, ctx.this, ctx.burst, ctx.event)
    if _is_once_per_attack(ability):
        die = NOBODY if ability.limit == "together" else ctx.this
        s.active_effects.append(
            ActiveEffect(_TRIGGERED_RECORD, NOBODY, 0, 0, -1, THIS_ATTACK, ctx.you, die, ctx.ability)
        )
    if ability.kind != "global":
        s.queue.append(trigger)
        return
    queue = s.queue
    position = 0
    while (
        position < len(queue)
        and queue[position].ability != RULE
        and s.spec.abilities[queue[position].ability].kind == "global"
    ):
        position += 1
    if position:
        timestamp = queue[0].timestamp
    else:
        timestamp = (min(queue[0].timestamp, s.timestamp) if queue else s.timestamp) - 1
    queue.insert(position, trigger.at(timestamp))


_TRIGGERED_RECORD: Final = "happened"  # a record: a text that happens once an attack has been set off


def _is_once_per_attack(ability: CompiledAbility) -> bool:
    """Tell whether a text about attacking happens once for all, or for both partners, whoever joins the attack later."""
    return ability.limit in ("together", "moment") and ability.event == "attacks"


def _has_triggered(s: State, ability: CompiledAbility, ctx: AbilityFrame) -> bool:
    """Tell whether a text that happens once in an attack, or at one moment, for one die or for all has been set off."""
    limit = ability.limit
    if limit != "together" and limit != "moment":
        return False
    dice = (NOBODY,) if limit == "together" else _dice_sharing_text(s, ability, ctx.this)
    if _is_once_per_attack(ability):
        for effect in s.active_effects:
            if (
                effect.word == _TRIGGERED_RECORD
                and effect.ability == ctx.ability
                and effect.you == ctx.you
                and effect.source in dice
            ):
                return True
        return False
    for trigger in s.queue:
        if trigger.timestamp == s.timestamp and trigger.ability == ctx.ability and trigger.you == ctx.you:
            if limit == "together" or trigger.this in dice:
                return True
    return False


def _is_knocked_out(s: State, d: int) -> bool:
    """Tell whether the die that was damaged has been KO'd by that, or will be when its effects are done."""
    return d < PLAYER and (s.place[d] >> 2 != FIELD or s.flags[d] & LETHAL != 0)


def _possible_others(s: State, event: GameEvent) -> list[int]:
    """List who the event's other die may be: a die can be engaged with several at once."""
    if event.word in ("is blocked", "engaged"):
        return combat_status.blockers_of(s, event.die) or combat_status.blocked_by(s, event.die)
    return [event.other]


def _dice_sharing_text(s: State, ability: CompiledAbility, d: int) -> tuple[int, ...]:
    """List for whom one time at a moment counts: the die, and its partner where the text belongs to both."""
    return (d, die_identity.partner_of(s, d)) if ability.scope == "pair" else (d,)


def _enqueue_delayed_triggers(s: State, event: GameEvent) -> None:
    """Let what was said for later wait in the queue when its event comes."""
    for effect in s.active_effects:
        if effect.word == "later" and s.spec.abilities[effect.ability].event == event.word:
            about = () if effect.subject == NOBODY else ((effect.subject,),)
            ctx = AbilityFrame(effect.ability, effect.you, effect.source, 0, 0, event, about)
            ability = s.spec.abilities[effect.ability]
            if ability.who.matches(s, event.die, ctx) and (
                ability.other is None or ability.other.matches(s, event.other, ctx)
            ):
                s.queue.append(
                    PendingTrigger(s.timestamp, effect.you, effect.ability, effect.source, 0, event, effect.subject)
                )


def _has_triggering_text(s: State, ability: CompiledAbility, d: int) -> bool:
    """Tell whether the die has the text; a pair's text belongs to both partners (rules 5.14)."""
    if ability.scope == "given":
        return characteristics.has_granted_keyword(s, d, ability)
    if ability.scope != "pair":
        if die_identity.has_ability_of(s, d, ability.card) or static_rules.has_copied_combat_ability(s, d, ability):
            return True
        return static_rules.has_borrowed_keyword(s, d, ability)
    partner = die_identity.partner_of(s, d)
    return partner != NOBODY and (
        die_identity.has_ability_of(s, d, ability.card) or die_identity.has_ability_of(s, partner, ability.card)
    )


_PER_TURN_LIMITS: Final = ("turn", "first", "die")


def is_used_up(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether an ability that works once per turn has been used (for each player and card, or die)."""
    return s.spec.abilities[ctx.ability].limit in _PER_TURN_LIMITS and (ctx.ability, limit_key(s, ctx)) in s.turn_limits


def mark_used(s: State, ctx: AbilityFrame) -> None:
    """Note that an ability was used, if it works once per turn."""
    if s.spec.abilities[ctx.ability].limit in _PER_TURN_LIMITS:
        s.turn_limits.append((ctx.ability, limit_key(s, ctx)))


def limit_key(s: State, ctx: AbilityFrame) -> int:
    """Give what stands in `turn_limits` for who has used a limited ability: a die, a player, or another of their characters.

    What a character has by a copy is its own, but a first time that is not about that character itself is the player's (5.7c).
    """
    ability = s.spec.abilities[ctx.ability]
    if ability.limit == "die":
        return LIMIT_OF_DIE + ctx.this
    return static_rules.limit_owner(s, ctx) if ability.limit == "turn" or ability.of_itself else ctx.you


def note_first_time(s: State, ability: CompiledAbility, event: GameEvent, contexts: list[AbilityFrame]) -> None:
    """Note a first time that comes while nobody has the text to answer it: the card counts, not the die (5.7c3).

    It is noted for every player, since one may come to have the text later: by control of a die, or by a copy.
    """
    if ability.scope != "active":
        return
    for seat in range(s.spec.n_seats):
        if (ability.index, seat) in s.turn_limits or any(context.you == seat for context in contexts):
            continue
        ctx = static_rules.ability_context(ability.index, seat, s.spec.dice_of[ability.card][0], event)
        if not ability.who.matches(s, event.die, ctx):
            continue
        if ability.other is not None and (event.other == NOBODY or not ability.other.matches(s, event.other, ctx)):
            continue
        if ability.condition is None or ability.condition.evaluate(s, ctx):
            s.turn_limits.append((ability.index, seat))


def enqueue_copied_triggers(s: State, d: int, card: int, event: GameEvent) -> None:
    """Let the card's own reactions to an event wait for a die that has just taken them over (uxm 107)."""
    for ability in s.spec.triggers_by_event.get(event.word, ()):
        if ability.card == card and ability.self_only and ability.fights:
            ctx = AbilityFrame(ability.index, s.place[d] & 3, d, static_rules.burst(s, d), 0, event)
            if _does_trigger(s, ability, event, ctx):
                _enqueue(s, ability, ctx)


def active_batch(s: State) -> EventBatchFrame | None:
    """Give what gathers the events of things paid in one go until all of them are done (rules 3.3e6)."""
    for frame in s.stack[:2]:  # under it may lie what a script's seat is owed
        if isinstance(frame, EventBatchFrame) and frame.go:
            return frame
    return None


def drop_silenced(s: State) -> None:
    """Let go what hears of KOs of a go that has KO'd the last die with that text too: all are one effect (3.4d4)."""
    s.queue[:] = [trigger for trigger in s.queue if trigger.timestamp != s.timestamp or not _is_silenced(s, trigger)]


def _is_silenced(s: State, trigger: PendingTrigger) -> bool:
    if trigger.ability == RULE or trigger.event.word not in ("KO'd", "KOs", "KOs own"):
        return False
    ability = s.spec.abilities[trigger.ability]
    return ability.scope == "active" and all(
        s.place[d] & 3 != trigger.you for d in die_identity.dice_with_ability(s, ability.card)
    )


def emit_once(s: State, event: GameEvent) -> None:
    """Announce an event of an effect; several uses paid in one go are one effect, and it is announced when all are done."""
    batch = active_batch(s)
    if batch is None:
        emit(s, event.word, event.die, event.other, event.amount)
    elif event.word in s.spec.observed_events:
        batch.add((event,), ())


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
        queue[:] = [
            trigger for trigger in queue if trigger.ability == RULE or not is_used_up(s, _trigger_context(trigger))
        ]
        if not queue:
            return
    earliest = queue[0].timestamp
    simultaneous = [trigger for trigger in queue if trigger.timestamp == earliest]
    if len(simultaneous) > 1:
        own = [trigger for trigger in simultaneous if trigger.you & 1 == s.active & 1]
        if own:
            simultaneous = own
        simultaneous = _drop_equivalent(s, simultaneous)
        if (
            len(simultaneous) > 1
        ):  # whose "if" does not hold waits behind the player's others: one of them may change that
            simultaneous = [trigger for trigger in simultaneous if _is_condition_met(s, trigger)] or simultaneous[:1]
    if len(simultaneous) > 1:
        if s.answer[0] != "resolve":
            options: list[Option] = [("resolve", trigger.ability, queue.index(trigger)) for trigger in simultaneous]
            seats = {trigger.you for trigger in simultaneous}
            request_decision(
                s, seats.pop() if len(seats) == 1 else simultaneous[0].you & 1, "resolve", options
            )  # of partners the lead
            return
        chosen = queue[s.answer[2]]
    else:
        chosen = simultaneous[0]
        if s.journal is not None:
            note_forced_choice(s, chosen.you, ("resolve", chosen.ability, 0))
    queue.remove(chosen)
    if chosen.ability == RULE:
        s.stack.append(LethalCheckFrame())
        return
    condition_met = _is_condition_met(s, chosen)
    if not condition_met:
        return
    if chosen.ability in s.spec.otherwise:
        otherwise = s.spec.otherwise[chosen.ability]
        queue[:] = [
            trigger
            for trigger in queue
            if (trigger.ability, trigger.this, trigger.timestamp) != (otherwise, chosen.this, chosen.timestamp)
        ]
    ctx = _trigger_context(chosen)
    ability = s.spec.abilities[ctx.ability]
    if ability.limit == "first" or not ability.programs[ctx.burst].optional:
        mark_used(s, ctx)
    if is_vacuous(s, ctx):
        return  # nobody is asked for whom there is nothing
    if life_cost(s, ctx) or _is_use_observed(s, ability):
        ctx.hold = WAIT_LIFE_TOLL
    s.stack.append(ctx)


def _is_condition_met(s: State, trigger: PendingTrigger) -> bool:
    """Tell whether the "if" of a reaction that waits holds now; what belongs to its event was read with it (5.7a)."""
    if trigger.ability == RULE:
        return True
    ability = s.spec.abilities[trigger.ability]
    if ability.condition is None or not ability.has_deferred_condition or not s.spec.edition.conditions_when_resolving:
        return True
    return ability.condition.evaluate(s, _trigger_context(trigger))


def is_declinable(ability: CompiledAbility) -> bool:
    """Tell whether the ability is used only if its player says so."""
    return (
        len(ability.ability.effects) == 1 and isinstance(only := ability.ability.effects[0], May) and only.who == "you"
    )


def printed_timing(ability: CompiledAbility) -> str:
    """Give the printed class of an ability: "when fielded"; a keyword that acts on fielding is none (rules 5.6).

    Resistance and Enlistment only label a sentence that has its own words.
    """
    if ability.self_only and ability.keyword in ("", "Resistance", "Enlistment"):
        return f"when {ability.event}"
    return ""


def life_cost(s: State, ctx: AbilityFrame) -> int:
    """Give the life that rules ask of the player for using this ability now."""
    if not s.active_effects and "ability costs life" not in s.spec.static_by_rule:
        return 0
    timing = printed_timing(s.spec.abilities[ctx.ability])
    rules = static_rules.rules_affecting(s, "ability costs life", s.spec.person + ctx.you)
    return sum(n for rule, _, n, _ in rules if timing and rule is not None and rule.text == timing)


def _trigger_context(trigger: PendingTrigger) -> AbilityFrame:
    about = () if trigger.about == NOBODY else ((trigger.about,),)
    return AbilityFrame(trigger.ability, trigger.you, trigger.this, trigger.burst, 0, trigger.event, about)


def is_vacuous(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether all that a sentence would do is so much of nothing, or needs its die, which has left (rules 5.13)."""
    program = s.spec.abilities[ctx.ability].programs[ctx.burst]
    if program.by_die and die_identity.has_source_left(s, ctx):
        return True
    quantities = program.decisive_quantities
    if not quantities:
        return False
    for amount in quantities:
        if amount.evaluate(s, ctx):
            return False
    return True


def _is_use_observed(s: State, ability: CompiledAbility) -> bool:
    """Tell whether anybody at this table reacts to the use of such an ability."""
    for label in (ability.keyword, printed_timing(ability)):
        if label and f"uses {label}" in s.spec.observed_events:
            return True
    return False


def emit_use(s: State, ctx: AbilityFrame) -> None:
    """Tell that a player uses an ability of a keyword or printed class."""
    ability = s.spec.abilities[ctx.ability]
    for label in (ability.keyword, printed_timing(ability)):
        if label:
            emit(s, f"uses {label}", s.spec.person + ctx.you, ctx.this)


def _drop_equivalent(s: State, triggers: list[PendingTrigger]) -> list[PendingTrigger]:
    """Keep one of those between which the order makes no difference: like dice that react alike (rules 5.7a7)."""
    seen: set[tuple[object, ...]] = set()
    distinct: list[PendingTrigger] = []
    for trigger in triggers:
        key = (
            trigger.ability,
            trigger.you,
            trigger.burst,
            _die_class(s, trigger.this),
            _die_class(s, trigger.event.die),
            trigger.event.amount,
            *_distinguishing_features(s, trigger),
        )
        if key not in seen:
            seen.add(key)
            distinct.append(trigger)
    return distinct


def _die_class(s: State, d: int) -> tuple[int, ...]:
    return (NOBODY,) if d == NOBODY else equivalence_key(s, d)


def _distinguishing_features(s: State, trigger: PendingTrigger) -> tuple[tuple[int, ...], ...]:
    """Give what else the text speaks of: numbers a die had, the other die, the die it was said about, whom a die has met."""
    if trigger.ability == RULE:
        return ()
    ability = s.spec.abilities[trigger.ability]
    features: list[tuple[int, ...]] = []
    if trigger.event.word == "damaged":
        features.append(trigger.event.last_known[:1])
    if ability.reads_numbers:
        if trigger.event.word == "KO'd":
            features.append(trigger.event.last_known[:3])
        noted_stats = [
            effect
            for effect in s.active_effects
            if effect.word == "numbers" and effect.source == trigger.this and effect.ability == trigger.ability
        ]
        features += [(effect.a, effect.d) for effect in noted_stats]
    if ability.names_other:
        features.append(_die_class(s, trigger.event.other))
    if trigger.about != NOBODY or ability.names_met:
        effects = s.active_effects  # that it was said for later of each of them makes no difference
        s.active_effects = [effect for effect in effects if effect.word != "later" or effect.ability != trigger.ability]
        met_dice = (
            [x for x, y, how in s.engagements if y == trigger.this and not how & LEFT_FIELD]
            if ability.names_met
            else []
        )
        features += sorted(_die_class(s, x) for x in (trigger.about, *met_dice))
        s.active_effects = effects
    return tuple(features)
