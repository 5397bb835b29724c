"""Keywords, affiliations, attack and defence of a die, and what can be done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dicemasters.cards.language.metadata import RULES
from dicemasters.game.queries.die_identity import (
    COVERAGE,
    ability_sources,
    copied_faces_card,
    effective_card,
    effective_face,
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
    """Tell whether it is a Sidekick, or an Ally in the field (rules 6.1)."""
    t = s.spec
    if t.card_of[d] < t.n_seats or (
        s.active_effects and effective_card(s, d) < t.n_seats
    ):  # itself, or as a copy of one
        return True
    return s.place[d] >> 2 == FIELD and has_keyword(s, d, "Ally")


def has_affiliation(s: State, d: int, name: str) -> bool:
    t = s.spec
    if name in t.cards[effective_card(s, d)].affiliations:
        return t.is_character_die[d]
    return _is_granted(s, d, "has affiliation", name)


def has_keyword(s: State, d: int, name: str) -> bool:
    """Tell whether the die has the keyword, printed or given, and has not lost it."""
    if name not in s.spec.keywords_at_table:
        return False
    has = False
    for c in ability_sources(s, d):
        if name in s.spec.keywords[c]:
            has = True
            if COVERAGE.happened is not None:
                COVERAGE.note_keyword(s, c, name)
    if not has:
        has = _is_granted(s, d, "has keyword", name)
    if not has and s.spec.lends_keywords:
        lenders = keyword_lenders(s, d)
        has = any(name in s.spec.keywords[c] for x in lenders for c in ability_sources(s, x))
        has = has or any(_is_granted(s, x, "has keyword", name) for x in lenders)
    return has and not _is_granted(s, d, "loses keyword", name)


def keyword_source(s: State, d: int, name: str) -> int:
    """Give the card from which a die that has the keyword has it: its own, a copied one, or one that gives it."""
    for c in ability_sources(s, d):
        if name in s.spec.keywords[c]:
            return c
    for r in s.active_effects:
        if r.word == "has keyword" and s.spec.rules[r.rule].text == name and applies_to(s, r, d):
            return s.spec.abilities[r.ability].card
    for rule, ctx in static_rules(s, "has keyword"):
        if rule.text == name and rule.who.matches(s, d, ctx):
            return s.spec.abilities[ctx.ability].card
    return next((c for x in keyword_lenders(s, d) for c in ability_sources(s, x) if name in s.spec.keywords[c]), -1)


def has_granted_keyword(s: State, d: int, sentence: CompiledAbility) -> bool:
    """Tell whether the die has the keyword's text from this card, and none of its own."""
    t = s.spec
    if any(sentence.keyword in t.keywords[c] for c in ability_sources(s, d)):
        return False
    gifts = [r for r in s.active_effects if r.word == "has keyword" and t.rules[r.rule].text == sentence.keyword]
    return any(t.abilities[r.ability].card == sentence.card and applies_to(s, r, d) for r in gifts)


def has_lost_keyword(s: State, d: int, name: str) -> bool:
    """Tell whether the die has lost the keyword, and with it what its text says under that name."""
    if not s.active_effects and "loses keyword" not in s.spec.static_by_rule:
        return False
    return _is_granted(s, d, "loses keyword", name)


def _is_granted(s: State, d: int, word: str, text: str) -> bool:
    for r in s.active_effects:
        if r.word == word and s.spec.rules[r.rule].text == text and applies_to(s, r, d):
            return True
    for rule, ctx in static_rules(s, word):
        if rule.text == text and rule.who.matches(s, d, ctx):
            COVERAGE.record(s, ctx.ability)
            return True
    return False


def can_be_kod(s: State, d: int) -> bool:
    """Tell whether an effect could KO the die: no rule forbids it, and Iron Will asks for earlier damage (rules 6.11)."""
    if is_affected_by(s, "cannot be KO'd", d):
        return False
    return s.flags[d] & DAMAGED_THIS_TURN != 0 or not has_keyword(s, d, "Iron Will")


# --- numbers -------------------------------------------------------------------------------------------------------


def current_stats(s: State, d: int) -> tuple[int, int]:
    """Give A and D as they are now.

    Printed (or copied) numbers first; then what was applied, in the order it was applied, where an exchange moves
    what was applied before it (rules 5.4); then standing additions, then standing multiplications; never below 0.
    """
    if s.spec.has_static_stat_rules and s.place[d] >> 2 == FIELD:  # rules reach dice in the field (rules 5.3a)
        return stats_with_rules(s, d, static_stat_rules(s))
    return stats_with_rules(s, d, NO_STAT_RULES)


StatRules = tuple[list[tuple["StaticRule", AbilityFrame]], list[tuple["StaticRule", AbilityFrame]]]
NO_STAT_RULES: Final[StatRules] = ([], [])


def static_stat_rules(s: State) -> StatRules:
    """List the standing rules about A and D that are in force: what adds, and what multiplies."""
    return active_rules_of(s, s.spec.adding, "gets"), active_rules_of(s, s.spec.multiplying, "multiplies")


def stats_with_rules(s: State, d: int, in_force: StatRules) -> tuple[int, int]:
    """Give A and D as they are where these are the standing rules about them."""
    a, de = stats_without_static(s, d)
    adding, multiplying = in_force
    for rule, ctx in adding:
        if rule.who.matches(s, d, ctx):
            if COVERAGE.happened is not None:
                COVERAGE.record(s, ctx.ability)
            a += rule.a.evaluate(s, ctx)
            de += rule.d.evaluate(s, ctx)
    for rule, ctx in multiplying:
        if rule.who.matches(s, d, ctx):
            if COVERAGE.happened is not None:
                COVERAGE.record(s, ctx.ability)
            a *= rule.a.evaluate(s, ctx)
            de *= rule.d.evaluate(s, ctx)
    return (a if a > 0 else 0), (de if de > 0 else 0)


def printed_numbers(s: State, d: int) -> tuple[int, int, int]:
    """Give fielding cost, A and D as printed on the face the die counts as showing, or as copied (rules 5.13c)."""
    t = s.spec
    if not s.active_effects:
        i = t.face_base[d] + s.face[d]
        return t.costs[i], t.attack[i], t.defence[i]
    i = effective_face(s, d)
    cost, a, de = t.costs[i], t.attack[i], t.defence[i]
    for r in s.active_effects:
        word = r.word
        if word == "copy die" or word == "copy card":
            if r.subject == d if word == "copy die" else r.d and is_effect_on_card(s, r, t.card_of[d]):
                j = t.copied_face(copied_faces_card(r), t.levels[i])
                cost, a, de = t.costs[j], t.attack[j], t.defence[j]
        elif word in _COPIED and applies_to(s, r, d):
            if word == "copy stats":
                a, de = r.a, r.d
            else:
                cost = r.a
    return cost, a, de


_COPIED: Final = frozenset(("copy stats", "copy cost"))


def stats_without_static(s: State, d: int) -> tuple[int, int]:
    """Give A and D without standing bonuses: printed or copied, and what was applied."""
    if not s.active_effects:
        i = s.spec.face_base[d] + s.face[d]
        return s.spec.attack[i], s.spec.defence[i]
    _, a, de = printed_numbers(s, d)
    for r in s.active_effects:
        if r.subject == d or r.subject == NOBODY:
            w = r.word
            if w in STAT_WORDS and applies_to(s, r, d):
                if w == "gets":
                    a += r.a
                    de += r.d
                elif w == "multiplies":
                    a *= r.a
                    de *= r.d
                elif w == "becomes":
                    a, de = r.a, r.d
                elif w == "sets A":
                    a = r.a
                elif w == "halves":
                    a //= 2
                else:
                    a, de = de, a
    return a, de


STAT_WORDS: Final = frozenset(word for word, row in RULES.items() if row.stats)


def can_reroll(s: State, d: int) -> bool:
    """Tell whether the die is rolled and, where the edition says so, not half spent (rules 3.3a, 5.11).

    Who cannot reroll in the roll and reroll step cannot by the text of a card either (rules 5.1a).
    """
    rolled = s.place[d] >> 2 in (FIELD, RESERVE) or (s.place[d] >> 2 == PREP and s.flags[d] & ROLLED)
    if not rolled or s.spec.is_token[d]:
        return False
    if s.step == ROLL and is_affected_by(s, "cannot reroll", s.spec.person + (s.place[d] & 3)):
        return False
    return s.spec.edition.half_spent_reroll or not s.flags[d] & HALF_SPENT


def can_spin(s: State, d: int, levels: int) -> bool:
    """Tell whether the die can be spun that way at all; 0 asks for either way (rules 5.12)."""
    if d >= PLAYER or s.spec.is_token[d]:
        return False
    at, top = shown_level(s, d), top_level(s, d)
    if levels == 0:
        return top > 1
    return at < top if levels > 0 else at > 1
