"""Keywords, affiliations, A and D of a die, and whether it can be KO'd, rerolled or spun."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dicemasters.cards.language.metadata import RULES
from dicemasters.game.queries.die_identity import (
    COVERAGE,
    ability_sources,
    copied_faces_card,
    effective_card,
    effective_face,
    effects_among,
    is_effect_on_card,
    shown_level,
    top_level,
)
from dicemasters.game.queries.static_rules import (
    active_rules_of,
    applies_to,
    is_affected_by,
    keyword_lenders,
    static_rules,
)
from dicemasters.game.state.constants import DAMAGED_THIS_TURN, FIELD, HALF_SPENT, PLAYER, PREP, RESERVE, ROLL, ROLLED
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import CompiledAbility, StaticRule


def is_sidekick(s: State, d: int) -> bool:
    """Return whether a die counts as a Sidekick: the printed die, a copy of one, or a fielded Ally (rules 6.1a)."""
    spec = s.spec
    # printed, or copied
    if spec.card_of[d] < spec.n_seats or (s.active_effects and effective_card(s, d) < spec.n_seats):
        return True
    return s.place[d] >> 2 == FIELD and has_keyword(s, d, "Ally")


def has_affiliation(s: State, d: int, name: str) -> bool:
    """Return whether a die has the affiliation; an action die has none unless granted (rules 1.3c, 2.2c)."""
    spec = s.spec
    if name in spec.cards[effective_card(s, d)].affiliations:
        return spec.is_character_die[d]
    return _is_granted(s, d, "has affiliation", name)


def has_keyword(s: State, d: int, name: str) -> bool:
    """Return whether a die has the keyword, printed, granted or lent, and has not lost it."""
    if name not in s.spec.keywords_at_table:
        return False
    has_it = False
    for c in ability_sources(s, d):
        if name in s.spec.keywords[c]:
            has_it = True
            if COVERAGE.recorded is not None:
                COVERAGE.note_keyword(s, c, name)
    if not has_it:
        has_it = _is_granted(s, d, "has keyword", name)
    if not has_it and s.spec.lends_keywords:
        lenders = keyword_lenders(s, d)
        has_it = any(name in s.spec.keywords[c] for x in lenders for c in ability_sources(s, x))
        has_it = has_it or any(_is_granted(s, x, "has keyword", name) for x in lenders)
    return has_it and not _is_granted(s, d, "loses keyword", name)


def keyword_source(s: State, d: int, name: str) -> int:
    """Return the card that gives a die this keyword: its own, a copied or a granting card; -1 if there is none."""
    for c in ability_sources(s, d):
        if name in s.spec.keywords[c]:
            return c
    for effect in s.active_effects:
        if effect.word == "has keyword" and s.spec.rules[effect.rule].text == name and applies_to(s, effect, d):
            return s.spec.abilities[effect.ability].card
    for rule, ctx in static_rules(s, "has keyword"):
        if rule.text == name and rule.who.matches(s, d, ctx):
            return s.spec.abilities[ctx.ability].card
    return next((c for x in keyword_lenders(s, d) for c in ability_sources(s, x) if name in s.spec.keywords[c]), -1)


def has_granted_keyword(s: State, d: int, ability: CompiledAbility) -> bool:
    """Return whether the ability's card grants the die its keyword, which the die's own cards lack."""
    spec = s.spec
    if any(ability.keyword in spec.keywords[c] for c in ability_sources(s, d)):
        return False
    grants = [
        effect
        for effect in s.active_effects
        if effect.word == "has keyword" and spec.rules[effect.rule].text == ability.keyword
    ]
    return any(spec.abilities[effect.ability].card == ability.card and applies_to(s, effect, d) for effect in grants)


def has_lost_keyword(s: State, d: int, name: str) -> bool:
    """Return whether the die has lost the keyword, and with it the abilities printed under that name."""
    if not s.active_effects and "loses keyword" not in s.spec.static_by_rule:
        return False
    return _is_granted(s, d, "loses keyword", name)


def _is_granted(s: State, d: int, word: str, text: str) -> bool:
    if word not in s.spec.rule_words:
        return False
    for effect in s.active_effects:
        if effect.word == word and s.spec.rules[effect.rule].text == text and applies_to(s, effect, d):
            return True
    for rule, ctx in static_rules(s, word):
        if rule.text == text and rule.who.matches(s, d, ctx):
            COVERAGE.record(s, ctx.ability)
            return True
    return False


def can_be_kod(s: State, d: int) -> bool:
    """Return whether an effect could KO the die; Iron Will requires earlier damage (rules 6.11a)."""
    if is_affected_by(s, "cannot be KO'd", d):
        return False
    return s.flags[d] & DAMAGED_THIS_TURN != 0 or not has_keyword(s, d, "Iron Will")


# --- numbers -------------------------------------------------------------------------------------------------------


def current_stats(s: State, d: int) -> tuple[int, int]:
    """Return the current A and D of a die.

    Printed (or copied) numbers come first, then applied effects in the order they were applied, where an exchange
    also moves the effects applied before it (rules 5.4f). Static additions follow, then static multiplications.
    Neither number falls below 0 (rules 5.8a1).
    """
    # static rules affect only dice in the field (rules 5.3a)
    if s.spec.has_static_stat_rules and s.place[d] >> 2 == FIELD:
        return stats_with_rules(s, d, static_stat_rules(s))
    return stats_with_rules(s, d, NO_STAT_RULES)


StatRules = tuple[list[tuple["StaticRule", AbilityFrame]], list[tuple["StaticRule", AbilityFrame]]]
NO_STAT_RULES: Final[StatRules] = ([], [])


def static_stat_rules(s: State) -> StatRules:
    """Return the static rules about A and D that are in force: additions, then multiplications."""
    return active_rules_of(s, s.spec.stat_additions, "gets"), active_rules_of(
        s, s.spec.stat_multiplications, "multiplies"
    )


def stats_with_rules(s: State, d: int, stat_rules: StatRules) -> tuple[int, int]:
    """Return the current A and D of a die under the given static rules."""
    attack, defence = stats_without_static(s, d)
    adding, multiplying = stat_rules
    for rule, ctx in adding:
        if rule.who.matches(s, d, ctx):
            if COVERAGE.recorded is not None:
                COVERAGE.record(s, ctx.ability)
            attack += rule.a.evaluate(s, ctx)
            defence += rule.d.evaluate(s, ctx)
    for rule, ctx in multiplying:
        if rule.who.matches(s, d, ctx):
            if COVERAGE.recorded is not None:
                COVERAGE.record(s, ctx.ability)
            attack *= rule.a.evaluate(s, ctx)
            defence *= rule.d.evaluate(s, ctx)
    return (attack if attack > 0 else 0), (defence if defence > 0 else 0)


def printed_numbers(s: State, d: int) -> tuple[int, int, int]:
    """Return fielding cost, A and D as printed on the effective face of a die, or as copied (rules 5.13c1)."""
    spec = s.spec
    if not s.active_effects:
        face = spec.face_base[d] + s.face[d]
        return spec.costs[face], spec.attack[face], spec.defence[face]
    face = effective_face(s, d)
    cost, attack, defence = spec.costs[face], spec.attack[face], spec.defence[face]
    for effect in effects_among(s, _NUMBER_COPIES):
        word = effect.word
        if word == "copy die" or word == "copy card":
            if (
                effect.subject == d
                if word == "copy die"
                else effect.d and is_effect_on_card(s, effect, spec.card_of[d])
            ):
                copied = spec.copied_face(copied_faces_card(effect), spec.levels[face])
                cost, attack, defence = spec.costs[copied], spec.attack[copied], spec.defence[copied]
        elif word in _COPIED and applies_to(s, effect, d):
            if word == "copy stats":
                attack, defence = effect.a, effect.d
            else:
                cost = effect.a
    return cost, attack, defence


_COPIED: Final = frozenset(("copy stats", "copy cost"))
_NUMBER_COPIES: Final = frozenset(("copy stats", "copy cost", "copy die", "copy card"))


def stats_without_static(s: State, d: int) -> tuple[int, int]:
    """Return A and D without static bonuses: printed or copied, then changed by applied effects."""
    if not s.active_effects:
        face = s.spec.face_base[d] + s.face[d]
        return s.spec.attack[face], s.spec.defence[face]
    _, attack, defence = printed_numbers(s, d)
    for effect in effects_among(s, STAT_WORDS):
        if effect.subject == d or effect.subject == NOBODY:
            word = effect.word
            if word in STAT_WORDS and applies_to(s, effect, d):
                if word == "gets":
                    attack += effect.a
                    defence += effect.d
                elif word == "multiplies":
                    attack *= effect.a
                    defence *= effect.d
                elif word == "becomes":
                    attack, defence = effect.a, effect.d
                elif word == "sets A":
                    attack = effect.a
                elif word == "halves":
                    attack //= 2
                else:
                    # including effects applied before (rules 5.4f, 10.4)
                    attack, defence = defence, attack
    return attack, defence


STAT_WORDS: Final = frozenset(word for word, row in RULES.items() if row.changes_stats)


def can_reroll(s: State, d: int) -> bool:
    """Return whether the die is rolled and, in most editions, not half spent (rules 3.3a6, 5.11a).

    A player who cannot reroll in the Roll and Reroll Step cannot do so with a card's text either (rules 5.1a).
    """
    rolled = s.place[d] >> 2 in (FIELD, RESERVE) or (s.place[d] >> 2 == PREP and s.flags[d] & ROLLED)
    if not rolled or s.spec.is_token[d]:
        return False
    if s.step == ROLL and is_affected_by(s, "cannot reroll", s.spec.person + (s.place[d] & 3)):
        return False
    return s.spec.edition.half_spent_reroll or not s.flags[d] & HALF_SPENT


def can_spin(s: State, d: int, levels: int) -> bool:
    """Return whether the die can be spun by `levels` at all; 0 means either direction (rules 5.12a)."""
    if d >= PLAYER or s.spec.is_token[d]:
        return False
    current, top = shown_level(s, d), top_level(s, d)
    if levels == 0:
        return top > 1
    return current < top if levels > 0 else current > 1
