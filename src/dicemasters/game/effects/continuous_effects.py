"""What effects give: rules, numbers, copies, partners, counters (rules 5.4, 5.13c)."""

from __future__ import annotations

from typing import Final, cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.game.abilities.program import Instruction
from dicemasters.game.abilities.selectors import select
from dicemasters.game.effects.feasibility import grantable_zones
from dicemasters.game.effects.operands import affected, operand, operand_pair
from dicemasters.game.mechanics import holding, zones
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.mechanics.triggers import set_off
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import FIELD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect, Option


def grant(s: State, f: AbilityFrame, op: Instruction, dice: list[int]) -> None:
    node = cast(w.Give, op.node)
    a, d = op.amount.evaluate(s, f), op.amount2.evaluate(s, f)
    places = grantable_zones(node)
    dice = [x for x in dice if x >= PLAYER or s.place[x] >> 2 in places]  # what has left is given nothing (rules 5.4)
    if node.rule.word == "halves":  # once, however often the same text says so
        halved = [r.subject for r in s.active_effects if r.word == "halves" and r.ability == f.ability]
        dice = [x for x in dice if x not in halved]
    for x in die_identity.seats_affected(s, node.rule.word, dice, f.you):
        s.active_effects.append(ActiveEffect(node.rule.word, x, a, d, op.rule, node.until, f.you, f.this, f.ability))
    s.last_affected = tuple(dice)
    s.state_check_due = True


def grant_turn_rule(s: State, f: AbilityFrame, op: Instruction) -> None:
    node = cast(w.Give, op.node)
    rule = op.rule
    if op.registers:
        named = next((name for ability, name in s.name_choices if ability == f.ability), w.FIST)
        rule = op.registers[w.TYPES.index(named)]
    a, d = op.amount.evaluate(s, f), op.amount2.evaluate(s, f)
    given = ActiveEffect(node.rule.word, NOBODY, a, d, rule, node.until, f.you, f.this, f.ability)
    if "would be affected" in s.spec.replacements and given.word in _FIELD_ONLY_RULES:
        every = [x for seat in range(s.spec.n_seats) for x in die_identity.fielded_characters(s, seat)]
        bound = [x for x in every if static_rules.applies_to(s, given, x)]
        left = affected(s, f, bound)
        if left is None:
            return
        spared = [x for x in bound if x not in left]
        s.active_effects += [ActiveEffect("spared", x, 0, 0, -1, node.until, f.you, f.this, f.ability) for x in spared]
    f.jump_to(f.pc + 1)
    s.active_effects.append(given)


_FIELD_ONLY_RULES: Final = frozenset(
    ("cannot attack", "must attack", "deals no combat damage", "stays unblocked", "takes less", "gets")
)


def swap_attack(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Two dice exchange A: printed and applied values move, standing bonuses stay (rules 5.4)."""
    found = operand_pair(s, f, op)
    if found is None:
        return
    both, reached = found
    f.pc += 1
    if len(both) == 2 and all(s.place[d] >> 2 == FIELD for d in both):  # one may have left since it was chosen
        a = [characteristics.stats_without_static(s, d)[0] for d in both]
        for d, new in zip(both, reversed(a), strict=True):
            if d in reached:
                s.active_effects.append(ActiveEffect("sets A", d, new, 0, -1, w.END_OF_TURN, f.you, f.this, f.ability))
        s.last_affected = tuple(reached)


def copy_characteristics(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Dice take over another's numbers, abilities or everything (rules 5.13c)."""
    assert op.group is not None
    node = cast(w.Copy, op.node)
    t = s.spec
    copied = [d for d in select(s, op.group, f)[:1] if d not in f.spared]  # nothing comes of what was prevented (5.8c)
    copiers = [] if op.group2 is None else select(s, op.group2, f)
    copiers = [x for x in copiers if s.place[x] >> 2 == FIELD]  # what has left is given nothing (rules 5.4)
    if op.rule >= 0:
        copiers = [NOBODY]  # a description: dice in the reserve and those yet to come have it too
    if copied and node.part == "stats" and _may_copy_burst(s, f, copied[0]):
        if not f.waiting:
            f.waiting = 1
            request_decision(s, f.you, "copy burst", [("yes", 0, 0), ("no", 0, 0)], about=f.ability)
            return
        if s.answer[0] == "yes":
            shown = static_rules.burst(s, copied[0])
            s.active_effects += [
                ActiveEffect("copy burst", x, shown, 0, op.rule, node.until, f.you, f.this, f.ability) for x in copiers
            ]
    f.jump_to(f.pc + 1)
    for d in copied:
        if node.part in ("stats", "A and D", "attack"):
            cost, a, de = characteristics.printed_numbers(s, d)
            if node.level:
                i = t.copied_face(die_identity.faces_card(s, d), node.level)
                cost, a, de = t.costs[i], t.attack[i], t.defence[i]
            if not t.edition.copy_printed_stats:
                a, de = _with_burst(s, d, a, de, t.bursts[i] if node.level else static_rules.burst(s, d))
            said = (op.rule, node.until, f.you, f.this, f.ability)
            # a number that is set counts from then on, whatever was done before; a copy is what changes are applied to (5.4)
            word = {"attack": "sets A", "A and D": "becomes"}.get(node.part, "copy stats")
            s.active_effects += [ActiveEffect(word, x, a, de, *said) for x in copiers]
            if node.part == "stats":
                s.active_effects += [ActiveEffect("copy cost", x, cost, 0, *said) for x in copiers]
        elif node.part == "combat abilities":
            for c in die_identity.ability_sources_with_blanked(s, d):
                new = [
                    x for x in copiers if not _fights_by(s, x, c)
                ]  # what one has is not gained again (docs/rulings.md)
                s.active_effects += [
                    ActiveEffect("copy combat", x, c, 0, -1, node.until, f.you, f.this, f.ability) for x in new
                ]
                if f.event.word == "attacks" and new == [f.event.die]:
                    set_off(s, f.this, c, f.event)  # what attacking sets off comes with it (docs/rulings.md)
        else:
            said = (-1, node.until, f.you, f.this, f.ability)
            if node.part == "abilities":  # with what it has copied itself (rules 5.13c)
                for n, c in enumerate(die_identity.ability_sources_with_blanked(s, d)):
                    s.active_effects += [ActiveEffect("copy abilities", x, c, int(n > 0), *said) for x in copiers]
            else:
                c, faces = die_identity.effective_card(s, d), die_identity.faces_card(s, d)
                s.active_effects += [
                    ActiveEffect("copy die", x, c, faces + 1 if faces != c else 0, *said) for x in copiers
                ]
    s.last_affected = tuple(copied)
    s.state_check_due = True


def _fights_by(s: State, d: int, c: int) -> bool:
    """Tell whether a die has the card's abilities of the fight already, its own or gained."""
    return die_identity.has_ability_of(s, d, c) or any(
        r.word == "copy combat" and r.subject == d and r.a == c for r in s.active_effects
    )


def _may_copy_burst(s: State, f: AbilityFrame, d: int) -> bool:
    """With printed numbers the burst may be copied too (rules 5.13c); asked if a text the copier will have speaks of it."""
    t = s.spec
    if not t.edition.copy_printed_stats or static_rules.burst(s, d) in (0, static_rules.burst(s, f.this)):
        return False
    texts = [*die_identity.ability_sources(s, f.this)]
    for op in t.abilities[f.ability].programs[f.burst].ops:
        if isinstance(op.node, w.Copy) and op.node.part == "abilities":
            texts.append(die_identity.effective_card(s, d))
    return any(a.bursts or "'showing burst'" in repr(a) for c in texts for a in t.cards[c].abilities)


def _with_burst(s: State, d: int, a: int, de: int, shown: int) -> tuple[int, int]:
    """Give A and D of a die with what its own burst text makes of them where it shows this burst (rules 5.13c)."""
    mine = die_identity.ability_sources(s, d) if shown else []
    for word in ("gets", "multiplies"):
        for sentence in s.spec.static_by_rule.get(word, ()):
            ctx = static_rules.ability_context(sentence.index, s.place[d] & 3, d, burst=shown)
            if sentence.card not in mine or (
                sentence.condition is not None and not sentence.condition.evaluate(s, ctx)
            ):
                continue
            for rules, counts in ((sentence.rules[shown], True), (sentence.rules[0], False)):
                for rule in rules:  # those of no burst are in force all the same, and no part of it
                    if rule.word == word and rule.who.matches(s, d, ctx):
                        more, more_d = rule.a.evaluate(s, ctx), rule.d.evaluate(s, ctx)
                        if word == "gets":
                            a, de = (a + more, de + more_d) if counts else (a - more, de - more_d)
                        elif counts:
                            a, de = a * more, de * more_d
                        elif more and more_d:
                            a, de = a // more, de // more_d
    return a, de


def end_effect(s: State, f: AbilityFrame, op: Instruction) -> None:
    """End one effect of an action die: what it gave and what it holds; lying in the field it leaves (uxm 80)."""
    if not f.waiting:
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
            f.pc += 1
            return
        if len(options) > 1:
            f.waiting = 1
            request_decision(s, f.you, "choose", options, about=f.ability)
            return
        d = options[0][1]
    else:
        d = s.answer[1]
    f.jump_to(f.pc + 1)
    s.active_effects = [r for r in s.active_effects if r.source != d]
    if zones.has_captives(s, d):
        zones.send_to_used(s, d)  # which frees its captives
    for h in s.holdings[:]:
        if h.holder == d or (h.kind == "attach" and h.die == d):
            holding.release(s, h)
    if s.place[d] >> 2 == FIELD:
        zones.send_to_used(s, d)
    s.last_affected = (d,)
    s.state_check_due = True


def _effects_granted_by(s: State, d: int) -> tuple[object, ...]:
    """Describe all that a die has given, so that two which gave the same are the same to end."""
    given = [
        (r.word, r.a, r.d, r.rule, r.until, equivalence_key(s, r.subject)) for r in s.active_effects if r.source == d
    ]
    return tuple(sorted(given))


def pair_up(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Partners until your next turn; a new pairing breaks the old (rules 5.14)."""
    f.pc += 1
    for d in () if die_identity.has_source_left(s, f) else operand(s, f, op)[:1]:
        s.pairs = [p for p in s.pairs if not {p[0], p[1]} & {d, f.this}]
        s.pairs.append((f.this, d, f.you))
        s.state_check_due = True


def add_counter(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    _count(s, f, s.counters[static_rules.own_card_of(s, f)] + 1)


def remove_counters(s: State, f: AbilityFrame, op: Instruction) -> None:
    f.pc += 1
    _count(s, f, 0)


def _count(s: State, f: AbilityFrame, n: int) -> None:
    s.state_check_due = True
    s.counters = s.counters.copy()  # copies of the state share the list
    s.counters[static_rules.own_card_of(s, f)] = n
