"""Triggered abilities: the events that trigger them, the order in which they wait, and their resolution (rules 5.7)."""

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

SeenCauses = set[tuple[int, int, int, int, int]]  # ability, player, die, source, recipient


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
    """Emit an event if any ability in this game triggers on it."""
    if word in s.spec.triggers_by_event or (s.active_effects and word in s.spec.delayed_events):
        enqueue_triggers(s, GameEvent(word, die, other, amount, kind, known), excluded, seen)


def enqueue_triggers(
    s: State, event: GameEvent, excluded: tuple[int, ...] = (), seen: SeenCauses | None = None
) -> None:
    """Add every ability that the event triggers to the queue.

    Dice in `excluded` do not lend their text to while-active abilities. `seen` holds the causes of this moment: a
    source that meets an ability in several ways triggers it once (rules 10.1).
    """
    if s.active_effects and event.word in s.spec.delayed_events:
        _enqueue_delayed_triggers(s, event)
    listeners = s.spec.triggers_by_event.get(event.word)
    if listeners is None:
        return
    # rules 3.4d5
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
    """Return an equivalent die in the same place if there is one, else the die itself.

    Otherwise die numbers would decide whether a while-active text refers to the die that has it.
    """
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
    """Enqueue the triggers of simultaneous events; dice that have left since count as they were (rules 3.4d5, 5.13c7).

    Dice that have arrived since, from a capture or another player's control, trigger nothing (rules 5.13a1).
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
    """Return the context of the event's die in a list, which is empty if the die does not have the text."""
    d = event.die
    if d >= PLAYER or (event.word == "deals damage" and s.place[d] >> 2 == HAND):
        return []  # a die that was only drawn and rolled was never in the field, so it has no active text
    place = _restore_place_at_event(s, event)
    has_text = _has_triggering_text(s, ability, d)
    s.place[d] = place
    if not has_text:
        return []
    if event.word in ("KO'd", "deals damage") and event.last_known:
        # as they were at the event: the die may have left, or returned to its owner
        you, burst = event.last_known[4], event.last_known[5]
    elif event.word == "damaged":
        you, burst = event.last_known[1], event.last_known[2]
    else:
        you, burst = s.place[d] & 3, static_rules.burst(s, d)
    return [AbilityFrame(ability.index, you, d, burst, 0, event)]


def _contexts_of_payers(s: State, ability: CompiledAbility, event: GameEvent) -> list[AbilityFrame]:
    """Return the contexts of players who can pay for a reactive Global at its event (rules 5.10a)."""
    if die_identity.is_blanked(s, ability.card):
        return []
    contexts = [static_rules.ability_context(ability.index, seat, NOBODY) for seat in range(s.spec.n_seats)]
    payers: list[AbilityFrame] = []
    for ctx in _matching_contexts(s, ability, event, contexts):
        pool = payment.energy_pool(s, ctx.you)
        if payment.can_pay(pool, ability.need.price) and not static_rules.is_banned(s, ctx.you, "global"):
            if payment.can_pay(pool, costs.global_cost(s, ctx.you, ability.need.price)):
                payers.append(ctx)
    return payers


def _matching_contexts(
    s: State, ability: CompiledAbility, event: GameEvent, contexts: list[AbilityFrame]
) -> list[AbilityFrame]:
    """Return the contexts whose text describes the die or player of the event."""
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
    """Put the event's die into the field in which it dealt or took damage; return its present place (rules 5.13b1)."""
    d = event.die
    place = s.place[d]
    index = 4 if event.word == "deals damage" else 1 if event.word == "damaged" else -1
    if 0 <= index < len(event.last_known):
        s.place[d] = (HAND if place >> 2 == HAND else FIELD) * 4 + event.last_known[index]
    return place


def _does_trigger(s: State, ability: CompiledAbility, event: GameEvent, ctx: AbilityFrame) -> bool:
    """Return whether the event of a matching die triggers the ability: its other die, condition and limit permit it."""
    if ability.keyword and ctx.this < PLAYER and characteristics.has_lost_keyword(s, ctx.this, ability.keyword):
        return False
    if ability.other is not None:
        others = [die for die in _possible_others(s, event) if die != NOBODY and ability.other.matches(s, die, ctx)]
        if not others:
            return False
        if others[0] != event.other:
            ctx.event = event.with_dice(event.die, others[0], event.last_known)
    deferred = ability.has_deferred_condition and s.spec.edition.conditions_when_resolving
    if ability.condition is not None and not deferred and not ability.condition.evaluate(s, ctx):
        return False
    if is_used_up(s, ctx) or not ability.programs[ctx.burst].ops:  # the text has an effect only with a burst
        return False
    return not _has_triggered(s, ability, ctx)


def _cause_key(ability: CompiledAbility, event: GameEvent, ctx: AbilityFrame) -> tuple[int, int, int, int, int]:
    """Return the cause that triggers an ability only once per moment: the source, and a recipient that the text names.

    An ability that one source meets in several ways triggers once (rules 5.7b1, 10.1).
    """
    by_source = event.word in ("deals damage", "blocks", "drawn")
    recipient = NOBODY
    if ability.is_per_recipient and (by_source or event.word == "damaged"):
        recipient = event.other if by_source else event.die
    return ability.index, ctx.you, ctx.this, event.die if by_source else event.other, recipient


def _enqueue(s: State, ability: CompiledAbility, ctx: AbilityFrame) -> None:
    """Add a triggered ability to the queue; reactive Globals come before all other waiting triggers (rules 5.10c)."""
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
    queue.insert(position, trigger.with_timestamp(timestamp))


_TRIGGERED_RECORD: Final = "happened"  # word of the record that an ability limited to once per attack has triggered


def _is_once_per_attack(ability: CompiledAbility) -> bool:
    """Return whether a text about attacking triggers once per attack, for all or for both partners (rules 5.7b3).

    Dice that join the attack later do not trigger it again.
    """
    return ability.limit in ("together", "moment") and ability.event == "attacks"


def _has_triggered(s: State, ability: CompiledAbility, ctx: AbilityFrame) -> bool:
    """Return whether an ability that triggers once per attack or moment, for one die or for all, has done so."""
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
    """Return whether the damaged die has been KO'd by that damage, or will be after its effects."""
    return d < PLAYER and (s.place[d] >> 2 != FIELD or s.flags[d] & LETHAL != 0)


def _possible_others(s: State, event: GameEvent) -> list[int]:
    """Return the candidates for the event's other die: a die can be engaged with several at once."""
    if event.word in ("is blocked", "engaged"):
        return combat_status.blockers_of(s, event.die) or combat_status.blocked_by(s, event.die)
    return [event.other]


def _dice_sharing_text(s: State, ability: CompiledAbility, d: int) -> tuple[int, ...]:
    """Return the dice that share one trigger per moment: the die, and its partner if the text belongs to both."""
    return (d, die_identity.partner_of(s, d)) if ability.scope == "pair" else (d,)


def _enqueue_delayed_triggers(s: State, event: GameEvent) -> None:
    """Enqueue the delayed triggers that wait for this event (rules 5.7a5)."""
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
    """Return whether the die has the text; the text of a pair belongs to both partners (rules 5.14b)."""
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
    """Return whether an ability with a limit per turn has been used by this player and card, or by this die."""
    return s.spec.abilities[ctx.ability].limit in _PER_TURN_LIMITS and (ctx.ability, limit_key(s, ctx)) in s.turn_limits


def mark_used(s: State, ctx: AbilityFrame) -> None:
    """Record the use of an ability that has a limit per turn."""
    if s.spec.abilities[ctx.ability].limit in _PER_TURN_LIMITS:
        s.turn_limits.append((ctx.ability, limit_key(s, ctx)))


def limit_key(s: State, ctx: AbilityFrame) -> int:
    """Return the user of a limited ability for `turn_limits`: a die, a player, or another character of the player.

    Each card and each player has a separate limit (rules 3.3e3, 3.3e4). So has a character for a text it has copied. A
    first time that is not about the character with the text belongs to the player (rules 5.7c1).
    """
    ability = s.spec.abilities[ctx.ability]
    if ability.limit == "die":
        return LIMIT_OF_DIE + ctx.this  # rules 5.7b2
    return static_rules.limit_owner(s, ctx) if ability.limit == "turn" or ability.of_itself else ctx.you


def note_first_time(s: State, ability: CompiledAbility, event: GameEvent, contexts: list[AbilityFrame]) -> None:
    """Record a first time for players who have no die with the text: it counts for the card (rules 5.7c3).

    It is recorded for every player, since any of them may acquire the text later, by control of a die or as a copy.
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
    """Enqueue the card's own triggers on an event for a die that has just copied them (uxm 107)."""
    for ability in s.spec.triggers_by_event.get(event.word, ()):
        if ability.card == card and ability.self_only and ability.fights:
            ctx = AbilityFrame(ability.index, s.place[d] & 3, d, static_rules.burst(s, d), 0, event)
            if _does_trigger(s, ability, event, ctx):
                _enqueue(s, ability, ctx)


def active_batch(s: State) -> EventBatchFrame | None:
    """Return the frame that collects the events of actions paid together until all are done, or None (rules 3.3e6)."""
    for frame in s.stack[:2]:  # a solitaire purchase frame can be below it
        if isinstance(frame, EventBatchFrame) and frame.go:
            return frame
    return None


def drop_silenced(s: State) -> None:
    """Remove while-active triggers on KOs of a batch that has KO'd the last die with the text (rules 3.4d4a).

    A batch is one effect, so that text is lost for each of its KOs.
    """
    s.queue[:] = [trigger for trigger in s.queue if trigger.timestamp != s.timestamp or not _is_silenced(s, trigger)]


def _is_silenced(s: State, trigger: PendingTrigger) -> bool:
    if trigger.ability == RULE or trigger.event.word not in ("KO'd", "KOs", "KOs own"):
        return False
    ability = s.spec.abilities[trigger.ability]
    return ability.scope == "active" and all(
        s.place[d] & 3 != trigger.you for d in die_identity.dice_with_ability(s, ability.card)
    )


def emit_once(s: State, event: GameEvent) -> None:
    """Emit an event of an effect. A batch is one effect, so its events wait until it is done (rules 3.3e6)."""
    batch = active_batch(s)
    if batch is None:
        emit(s, event.word, event.die, event.other, event.amount)
    elif event.word in s.spec.observed_events:
        batch.add((event,), ())


def advance_timestamp(s: State) -> None:
    """Begin a new moment: abilities triggered from here on wait behind earlier ones."""
    s.timestamp += 1
    if s.spec.stats_depend_off_field:
        s.state_check_due = True
    if s.timestamp > LOOP_LIMIT and s.result == UNDECIDED:  # rules 4.4b
        s.result, s.result_reason = TIE, f"more than {LOOP_LIMIT} things happened in one turn, so it would never end"


RULE: Final = -1  # in place of an ability: the rule that KOs lethally damaged dice


def wait_for_ko(s: State) -> None:
    """Queue the KO of lethally damaged dice behind the effects of that damage (rules 3.4d4b)."""
    advance_timestamp(s)
    s.queue.append(PendingTrigger(s.timestamp, s.active, RULE, NOBODY, 0, NO_EVENT))
    advance_timestamp(s)


def resolve_next(s: State) -> None:
    """Resolve the next trigger: earliest moment first, then the active player's (APNAP), in a chosen order (rules 5.7a1)."""
    queue = s.queue
    advance_timestamp(s)
    if s.result != UNDECIDED:
        return
    if s.turn_limits:
        # of several first times at the same moment, only one counts (rules 5.7c1)
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
        # a trigger whose condition fails waits behind the player's others, which may change that (rules 5.7a6)
        if len(simultaneous) > 1:
            simultaneous = [trigger for trigger in simultaneous if _is_condition_met(s, trigger)] or simultaneous[:1]
    if len(simultaneous) > 1:
        if s.answer[0] != "resolve":
            options: list[Option] = [("resolve", trigger.ability, queue.index(trigger)) for trigger in simultaneous]
            seats = {trigger.you for trigger in simultaneous}
            # in Doubles, the lead chooses (rules 7.3i)
            request_decision(s, seats.pop() if len(seats) == 1 else simultaneous[0].you & 1, "resolve", options)
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
    # an "if" and its "otherwise" are one effect (rules 5.7a6)
    if chosen.ability in s.spec.opposite_conditional:
        otherwise = s.spec.opposite_conditional[chosen.ability]
        queue[:] = [
            trigger
            for trigger in queue
            if (trigger.ability, trigger.this, trigger.timestamp) != (otherwise, chosen.this, chosen.timestamp)
        ]
    ctx = _trigger_context(chosen)
    ability = s.spec.abilities[ctx.ability]
    # a declined first time counts too (rules 5.7c2)
    if ability.limit == "first" or not ability.programs[ctx.burst].optional:
        mark_used(s, ctx)
    if is_vacuous(s, ctx):
        return  # no prompts for an ability that can do nothing (rules 5.3c4)
    if life_cost(s, ctx) or _is_use_observed(s, ability):
        ctx.hold = WAIT_LIFE_TOLL
    s.stack.append(ctx)


def _is_condition_met(s: State, trigger: PendingTrigger) -> bool:
    """Return whether a waiting trigger's condition holds now; one about its event was checked then (rules 5.7a6)."""
    if trigger.ability == RULE:
        return True
    ability = s.spec.abilities[trigger.ability]
    if ability.condition is None or not ability.has_deferred_condition or not s.spec.edition.conditions_when_resolving:
        return True
    return ability.condition.evaluate(s, _trigger_context(trigger))


def is_declinable(ability: CompiledAbility) -> bool:
    """Return whether the player may decline the ability as a whole."""
    return (
        len(ability.ability.effects) == 1 and isinstance(only := ability.ability.effects[0], May) and only.who == "you"
    )


def printed_timing(ability: CompiledAbility) -> str:
    """Return the printed timing of an ability, such as "when fielded", or "" for a keyword (rules 5.6e).

    Resistance and Enlistment only label an ability with a text besides the keyword.
    """
    if ability.self_only and ability.keyword in ("", "Resistance", "Enlistment"):
        return f"when {ability.event}"
    return ""


def life_cost(s: State, ctx: AbilityFrame) -> int:
    """Return the life that rules charge the player for using this ability now."""
    if not s.active_effects and "ability costs life" not in s.spec.static_by_rule:
        return 0
    timing = printed_timing(s.spec.abilities[ctx.ability])
    rules = static_rules.rules_affecting(s, "ability costs life", s.spec.person + ctx.you)
    return sum(n for rule, _, n, _ in rules if timing and rule is not None and rule.text == timing)


def _trigger_context(trigger: PendingTrigger) -> AbilityFrame:
    about = () if trigger.about == NOBODY else ((trigger.about,),)
    return AbilityFrame(trigger.ability, trigger.you, trigger.this, trigger.burst, 0, trigger.event, about)


def is_vacuous(s: State, ctx: AbilityFrame) -> bool:
    """Return whether an ability can do nothing: its amounts are 0, or its die has left (rules 5.13a1, 5.13b2)."""
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
    """Return whether any ability in this game triggers on the use of an ability like this one."""
    for label in (ability.keyword, printed_timing(ability)):
        if label and f"uses {label}" in s.spec.observed_events:
            return True
    return False


def emit_use(s: State, ctx: AbilityFrame) -> None:
    """Emit that a player uses an ability, by its keyword and by its printed timing."""
    ability = s.spec.abilities[ctx.ability]
    for label in (ability.keyword, printed_timing(ability)):
        if label:
            emit(s, f"uses {label}", s.spec.person + ctx.you, ctx.this)


def _drop_equivalent(s: State, triggers: list[PendingTrigger]) -> list[PendingTrigger]:
    """Return the triggers without those whose order is irrelevant: identical dice that react alike (rules 5.7a7)."""
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
    """Return what else the text refers to: recorded stats, the other die, a delayed trigger's die, dice it fought."""
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
        effects = s.active_effects  # the delayed triggers themselves do not distinguish the dice
        s.active_effects = [effect for effect in effects if effect.word != "later" or effect.ability != trigger.ability]
        met_dice = (
            [x for x, y, how in s.engagements if y == trigger.this and not how & LEFT_FIELD]
            if ability.names_met
            else []
        )
        features += sorted(_die_class(s, x) for x in (trigger.about, *met_dice))
        s.active_effects = effects
    return tuple(features)
