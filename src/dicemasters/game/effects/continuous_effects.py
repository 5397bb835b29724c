"""Effects that grant and end rules, stats, copies, pairings and counters (rules 5.4, 5.13c)."""

from __future__ import annotations

from typing import Final, cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.abilities.selectors import select
from dicemasters.game.effects.feasibility import grantable_zones
from dicemasters.game.effects.operands import affected, operand, operand_pair
from dicemasters.game.mechanics import holding, zones
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.triggers import enqueue_copied_triggers
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, Option


def grant(s: State, frame: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    """Apply a rule to dice or players for a time (rules 5.4a)."""
    node = cast(w.Give, op.node)
    a, d = op.amount.evaluate(s, frame), op.amount2.evaluate(s, frame)
    places = grantable_zones(node)
    # a die that has left gains nothing (rules 5.4c)
    dice = [x for x in dice if x >= PLAYER or s.place[x] >> 2 in places]
    if node.rule.word == "halves":  # only once, however often the ability resolves
        halved = [
            effect.subject for effect in s.active_effects if effect.word == "halves" and effect.ability == frame.ability
        ]
        dice = [x for x in dice if x not in halved]
    for x in die_identity.seats_affected(s, node.rule.word, dice, frame.you):
        s.active_effects.append(
            ActiveEffect(node.rule.word, x, a, d, op.rule, node.until, frame.you, frame.this, frame.ability)
        )
    s.last_affected = tuple(dice)
    s.state_check_due = True


def grant_turn_rule(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Put a rule into force for everything that matches it, now or in the future."""
    node = cast(w.Give, op.node)
    rule = op.rule
    if op.registers:
        named = next((name for ability, name in s.name_choices if ability == frame.ability), w.FIST)
        rule = op.registers[w.TYPES.index(named)]
    a, d = op.amount.evaluate(s, frame), op.amount2.evaluate(s, frame)
    effect = ActiveEffect(node.rule.word, NOBODY, a, d, rule, node.until, frame.you, frame.this, frame.ability)
    if "would be affected" in s.spec.replacements and effect.word in _FIELD_ONLY_RULES:
        characters = [x for seat in range(s.spec.n_seats) for x in die_identity.fielded_characters(s, seat)]
        candidates = [x for x in characters if static_rules.applies_to(s, effect, x)]
        affected_dice = affected(s, frame, candidates)
        if affected_dice is None:
            return
        spared = [x for x in candidates if x not in affected_dice]
        s.active_effects += [
            ActiveEffect("spared", x, 0, 0, -1, node.until, frame.you, frame.this, frame.ability) for x in spared
        ]
    frame.jump_to(frame.pc + 1)
    s.active_effects.append(effect)


_FIELD_ONLY_RULES: Final = frozenset(
    ("cannot attack", "must attack", "deals no combat damage", "stays unblocked", "takes less", "gets")
)


def swap_attack(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Exchange the A of two dice: printed and applied values move, static bonuses stay (rules 5.4f)."""
    pair = operand_pair(s, frame, op)
    if pair is None:
        return
    both, affected_dice = pair
    frame.pc += 1
    if len(both) == 2 and all(s.place[d] >> 2 == FIELD for d in both):  # a die may have left since it was chosen
        attack = [characteristics.stats_without_static(s, d)[0] for d in both]
        for d, new in zip(both, reversed(attack), strict=True):
            if d in affected_dice:
                s.active_effects.append(
                    ActiveEffect("sets A", d, new, 0, -1, w.END_OF_TURN, frame.you, frame.this, frame.ability)
                )
        s.last_affected = tuple(affected_dice)


def copy_characteristics(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Copy another die's numbers, abilities or everything onto dice (rules 5.13c1, 5.13c3, 5.13c6)."""
    assert op.group is not None
    node = cast(w.Copy, op.node)
    spec = s.spec
    # a die spared from this effect is not copied (rules 5.8c2)
    copied = [d for d in select(s, op.group, frame)[:1] if d not in frame.spared]
    copiers = [] if op.group2 is None else select(s, op.group2, frame)
    copiers = [x for x in copiers if s.place[x] >> 2 == FIELD]  # dice that have left receive nothing (rules 5.4c)
    if op.rule >= 0:
        copiers = [NOBODY]  # matched by description, so dice in the reserve and future dice are included
    if copied and node.part == "stats" and _may_copy_burst(s, frame, copied[0]):
        if not frame.waiting:
            frame.waiting = 1
            request_decision(s, frame.you, "copy burst", [("yes", 0, 0), ("no", 0, 0)], about=frame.ability)
            return
        if s.answer[0] == "yes":
            burst = static_rules.burst(s, copied[0])
            s.active_effects += [
                ActiveEffect("copy burst", x, burst, 0, op.rule, node.until, frame.you, frame.this, frame.ability)
                for x in copiers
            ]
    frame.jump_to(frame.pc + 1)
    for d in copied:
        if node.part in ("stats", "A and D", "attack"):
            cost, a, de = characteristics.printed_numbers(s, d)
            if node.level:
                i = spec.copied_face(die_identity.faces_card(s, d), node.level)
                cost, a, de = spec.costs[i], spec.attack[i], spec.defence[i]
            if not spec.edition.copy_printed_stats:
                a, de = _stats_with_burst(s, d, a, de, spec.bursts[i] if node.level else static_rules.burst(s, d))
            details = (op.rule, node.until, frame.you, frame.this, frame.ability)
            # a set number replaces earlier changes, a copied number is the base of all changes (rules 5.4f)
            word = {"attack": "sets A", "A and D": "becomes"}.get(node.part, "copy stats")
            s.active_effects += [ActiveEffect(word, x, a, de, *details) for x in copiers]
            if node.part == "stats":
                s.active_effects += [ActiveEffect("copy cost", x, cost, 0, *details) for x in copiers]
        elif node.part == "combat abilities":
            for c in die_identity.ability_sources_with_blanked(s, d):
                # abilities a die already has are not gained twice (docs/rulings.md)
                recipients = [x for x in copiers if not _has_combat_abilities_of(s, x, c)]
                s.active_effects += [
                    ActiveEffect("copy combat", x, c, 0, -1, node.until, frame.you, frame.this, frame.ability)
                    for x in recipients
                ]
                if frame.event.word == "attacks" and recipients == [frame.event.die]:
                    enqueue_copied_triggers(
                        s, frame.this, c, frame.event
                    )  # including its attack triggers (docs/rulings.md)
        else:
            details = (-1, node.until, frame.you, frame.this, frame.ability)
            if node.part == "abilities":  # including abilities it has copied itself (rules 5.13c4)
                for n, c in enumerate(die_identity.ability_sources_with_blanked(s, d)):
                    s.active_effects += [ActiveEffect("copy abilities", x, c, int(n > 0), *details) for x in copiers]
            else:
                c, faces = die_identity.effective_card(s, d), die_identity.faces_card(s, d)
                s.active_effects += [
                    ActiveEffect("copy die", x, c, faces + 1 if faces != c else 0, *details) for x in copiers
                ]
    s.last_affected = tuple(copied)
    s.state_check_due = True


def _has_combat_abilities_of(s: State, d: int, card: int) -> bool:
    """Return whether a die already has a card's combat abilities, as its own or copied."""
    return die_identity.has_ability_of(s, d, card) or any(
        effect.word == "copy combat" and effect.subject == d and effect.a == card for effect in s.active_effects
    )


def _may_copy_burst(s: State, frame: AbilityFrame, d: int) -> bool:
    """Return whether the burst may also be copied and matters to a text of the copier (rules 5.13c2)."""
    spec = s.spec
    if not spec.edition.copy_printed_stats or static_rules.burst(s, d) in (0, static_rules.burst(s, frame.this)):
        return False
    cards = [*die_identity.ability_sources(s, frame.this)]
    for op in spec.abilities[frame.ability].programs[frame.burst].ops:
        if isinstance(op.node, w.Copy) and op.node.part == "abilities":
            cards.append(die_identity.effective_card(s, d))
    return any(
        ability.bursts or "'showing burst'" in repr(ability) for c in cards for ability in spec.cards[c].abilities
    )


def _stats_with_burst(s: State, d: int, a: int, de: int, burst: int) -> tuple[int, int]:
    """Return A and D as changed by the die's own burst text for this burst (rules 5.13c2)."""
    own_cards = die_identity.ability_sources(s, d) if burst else []
    for word in ("gets", "multiplies"):
        for ability in s.spec.static_by_rule.get(word, ()):
            ctx = static_rules.ability_context(ability.index, s.place[d] & 3, d, burst=burst)
            if ability.card not in own_cards or (
                ability.condition is not None and not ability.condition.evaluate(s, ctx)
            ):
                continue
            for rules, applies in ((ability.rules[burst], True), (ability.rules[0], False)):
                for rule in rules:  # rules without a burst apply anyway, so subtract their part
                    if rule.word == word and rule.who.matches(s, d, ctx):
                        attack_change, defence_change = rule.a.evaluate(s, ctx), rule.d.evaluate(s, ctx)
                        if word == "gets":
                            a, de = (
                                (a + attack_change, de + defence_change)
                                if applies
                                else (a - attack_change, de - defence_change)
                            )
                        elif applies:
                            a, de = a * attack_change, de * defence_change
                        elif attack_change and defence_change:
                            a, de = a // attack_change, de // defence_change
    return a, de


def end_effect(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """End the lasting effect of an action die and send the die from the field to the Used Pile (uxm 80)."""
    if not frame.waiting:
        options: list[Option] = []
        seen: set[object] = set()
        for d in static_rules.lasting_action_dice(s):
            about = next((h.die for h in s.holdings if h.holder == d and h.kind != "attach"), NOBODY)
            key = (
                equivalence_key(s, d),
                equivalence_key(s, about) if about < PLAYER else (),
                _effects_granted_by(s, d),
            )
            about = about if about != NOBODY else next(iter(die_identity.effect_recipients(s, d)), NOBODY)
            if key not in seen:
                seen.add(key)
                options.append(("end", d, about))
        if not options:
            frame.pc += 1
            return
        if len(options) > 1:
            frame.waiting = 1
            request_decision(s, frame.you, "choose", options, about=frame.ability)
            return
        d = options[0][1]
    else:
        d = s.answer[1]
    frame.jump_to(frame.pc + 1)
    s.active_effects = [effect for effect in s.active_effects if effect.source != d]
    if zones.has_captives(s, d):
        zones.send_to_used(s, d)  # frees its captives
    for h in s.holdings[:]:
        if h.holder == d or (h.kind == "attach" and h.die == d):
            holding.release(s, h)
    if s.place[d] >> 2 == FIELD:
        zones.send_to_used(s, d)
    s.last_affected = (d,)
    s.state_check_due = True


def _effects_granted_by(s: State, d: int) -> tuple[object, ...]:
    """Return a canonical form of all effects from a die, so that equal ones make a single option."""
    granted = [
        (effect.word, effect.a, effect.d, effect.rule, effect.until, equivalence_key(s, effect.subject))
        for effect in s.active_effects
        if effect.source == d
    ]
    return tuple(sorted(granted))


def pair_up(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Pair the ability's die with another until its player's next turn; older pairings end (rules 5.14a, 5.14b)."""
    frame.pc += 1
    for d in () if die_identity.has_source_left(s, frame) else operand(s, frame, op)[:1]:
        s.pairs = [p for p in s.pairs if not {p[0], p[1]} & {d, frame.this}]
        s.pairs.append((frame.this, d, frame.you))
        s.state_check_due = True


def add_counter(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Put a counter on the ability's card."""
    frame.pc += 1
    _set_counter(s, frame, s.counters[static_rules.own_card_of(s, frame)] + 1)


def remove_counters(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Remove all counters from the ability's card."""
    frame.pc += 1
    _set_counter(s, frame, 0)


def _set_counter(s: State, frame: AbilityFrame, n: int) -> None:
    s.state_check_due = True
    s.counters = s.counters.copy()  # copies of the state share the list
    s.counters[static_rules.own_card_of(s, frame)] = n
