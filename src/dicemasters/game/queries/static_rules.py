"""Static rules: which texts are in force, and which rules they impose on a die or player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicemasters.game.queries.die_identity import (
    COVERAGE,
    ability_sources,
    dice_with_ability,
    effective_card,
    effective_face,
    fielded_characters,
    has_ability_of,
    is_blanked,
    is_effect_on_card,
    may_be_active,
    partner_of,
)
from dicemasters.game.state.constants import FIELD, LIMIT_OF_CARD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_EVENT, NOBODY, ActiveEffect, GameEvent

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import CompiledAbility, StaticRule


def ability_context(ability: int, you: int, this: int, event: GameEvent = NO_EVENT, burst: int = 0) -> AbilityFrame:
    return AbilityFrame(ability, you, this, burst, 0, event)


def burst(s: State, d: int) -> int:
    if d >= PLAYER:
        return 0
    i = effective_face(s, d)
    for r in s.active_effects:
        if r.word == "copy burst" and applies_to(s, r, d):
            return r.a
        if r.word == "copy card" and r.d and is_effect_on_card(s, r, s.spec.card_of[d]) and s.spec.levels[i]:
            return s.spec.bursts[s.spec.copied_face(r.a, s.spec.levels[i])]
    return s.spec.bursts[i]


def keyword_lenders(s: State, d: int) -> list[int]:
    """List the characters whose keyword abilities the die has."""
    if s.place[d] >> 2 != FIELD:
        return []
    out: list[int] = []
    for rule, ctx, _, _ in rules_affecting(s, "has keywords of", d):
        if rule is not None and rule.by is not None:
            every = [x for seat in range(s.spec.n_seats) for x in fielded_characters(s, seat)]
            out += [x for x in every if x != d and rule.by.matches(s, x, ctx)]
    return out


def has_copied_combat_ability(s: State, d: int, sentence: CompiledAbility) -> bool:
    """Tell whether the die has taken over the combat abilities of the card, and this is one (uxm 107)."""
    if not s.active_effects or not sentence.fights or (s.spec.silences and is_blanked(s, effective_card(s, d))):
        return False
    return any(r.word == "copy combat" and r.subject == d and r.a == sentence.card for r in s.active_effects)


def lasting_action_dice(s: State) -> list[int]:
    """List the action dice whose effect lasts: what they gave, what they hold, those that stay in the field."""
    t = s.spec
    dice = [r.source for r in s.active_effects]
    dice += [h.die if h.kind == "attach" else h.holder for h in s.holdings]
    dice += [d for seat in range(t.n_seats) for d in s.dice_in(FIELD, seat)]
    return list(dict.fromkeys(d for d in dice if d < PLAYER and not t.is_character_die[d]))


def has_borrowed_keyword(s: State, d: int, sentence: CompiledAbility) -> bool:
    """Tell whether the die has a keyword ability of another card; the same ability of several cards it has once."""
    if not sentence.keyword or not s.spec.lends_keywords or has_ability_of(s, d, sentence.card):
        return False
    lent = {c for x in keyword_lenders(s, d) for c in ability_sources(s, x)}
    if sentence.card not in lent:
        return False
    own = ability_sources(s, d)
    for other in s.spec.abilities:
        if other.keyword == sentence.keyword and other.ability == sentence.ability and other is not sentence:
            if other.card in own or (other.card in lent and other.index < sentence.index):
                return False
    return True


# --- rules in force ------------------------------------------------------------------------------------------------


def applies_to(s: State, r: ActiveEffect, d: int) -> bool:
    """Tell whether a record concerns the die: it was given to it, or describes it."""
    if r.subject != NOBODY:
        return r.subject == d
    if r.rule < 0:
        return False  # something said for later, about nobody yet
    rule = s.spec.rules[r.rule]
    # what dice of a card have copied they keep under another's control (rules 5.13b1)
    is_lent = r.word[:4] == "copy" and s.owner[d] == r.you and s.place[d] >> 2 == FIELD
    if not rule.who.matches(s, d, ability_context(r.ability, s.place[d] & 3 if is_lent else r.you, r.source)):
        return False
    return "would be affected" not in s.spec.replacements or not _has_paid_exemption(s, r, d)


def _has_paid_exemption(s: State, r: ActiveEffect, d: int) -> bool:
    """Tell whether the die has paid not to be affected by what the record says of all of a sort (avx 16)."""
    return any(
        x.word == "spared" and x.subject == d and x.source == r.source and x.ability == r.ability
        for x in s.active_effects
    )


def active_contexts(s: State, sentence: CompiledAbility, without: tuple[int, ...] = ()) -> list[AbilityFrame]:
    """List where a sentence is in force now: once for each die, or for each player whose card is active."""
    t = s.spec
    index = sentence.index
    scope = sentence.scope
    if scope == "card":
        return _contexts_of_card(s, sentence)
    if not may_be_active(s, sentence):
        return []
    dice = dice_with_ability(s, sentence.card, without)
    out: list[AbilityFrame] = []
    if sentence.keyword and t.lends_keywords:
        every = [d for seat in range(t.n_seats) for d in fielded_characters(s, seat) if d not in without]
        guests = [d for d in every if d not in dice and has_borrowed_keyword(s, d, sentence)]
        s.sort_equivalent(guests)
        if scope == "active":  # another card has it too, which is active for itself
            first = {(t.card_of[d], s.place[d] & 3): d for d in reversed(guests)}
            out = [ability_context(index, s.place[d] & 3, d, NO_EVENT, burst(s, d)) for d in first.values()]
        else:
            dice = [*dice, *guests]
    if sentence.fights and s.active_effects:
        dice = [
            *dice,
            *(
                r.subject
                for r in s.active_effects
                if r.word == "copy combat" and has_copied_combat_ability(s, r.subject, sentence)
            ),
        ]
        dice = list(dict.fromkeys(dice))
    if not dice:
        return out
    if scope == "active":
        return out + _contexts_of_active(s, index, dice)
    if scope == "pair":
        both = [x for d in dice for x in (d, partner_of(s, d)) if partner_of(s, d) != NOBODY]
        dice = list(dict.fromkeys(both))  # both partners have it (rules 5.14)
    for d in dice:
        out.append(ability_context(index, s.place[d] & 3, d, NO_EVENT, burst(s, d)))
    return out


def _contexts_of_active(s: State, index: int, dice: list[int]) -> list[AbilityFrame]:
    """List a while-active text once for each character of a player that has it, by one of its dice (rules 5.5, 5.13c)."""
    out: list[AbilityFrame] = []
    for seat in range(s.spec.n_seats):
        mine = [d for d in dice if s.place[d] & 3 == seat]
        while mine:
            c = effective_card(s, mine[0])
            same = [d for d in mine if effective_card(s, d) == c] if s.active_effects or s.holdings else mine
            mine = [d for d in mine if d not in same]
            shown = max([burst(s, d) for d in same])  # any of its dice may show the burst (docs/rulings.md)
            out.append(ability_context(index, seat, _who_may_hurt(s, same), NO_EVENT, shown))
    return out


def _who_may_hurt(s: State, dice: list[int]) -> int:
    """Give the first of like dice that nothing keeps from dealing damage, which their text may deal; else the first."""
    kept = [r.subject for r in s.active_effects if r.word == "deals no damage"] if len(dice) > 1 else []
    return next((d for d in dice if d not in kept), dice[0])


def _contexts_of_card(s: State, sentence: CompiledAbility) -> list[AbilityFrame]:
    """List for whom a text that needs no die in the field is in force: its owner, and who has it by a copy or by control.

    A copy of a card is like the card: its dice have the text wherever they lie. A die that copies has it in the field.
    """
    t = s.spec
    c, index = sentence.card, sentence.index
    owner = t.owner_of_card[c]
    silent = is_blanked(s, c)
    out: list[AbilityFrame] = []
    if not silent:
        out = [ability_context(index, seat, NOBODY) for seat in (range(t.n_seats) if owner < 0 else (owner,))]
    if owner < 0 or (not s.active_effects and not s.holdings):
        return out
    seen = [(owner, c)]
    for r in s.active_effects:
        if r.word == "copy card" and r.a == c and not silent:  # its dice have the named card's affiliations too
            seen.append((r.you, t.abilities[r.ability].card))
            out.append(ability_context(index, r.you, NOBODY))
    for d in dice_with_ability(s, c):
        whose = (s.place[d] & 3, t.card_of[d])
        if whose not in seen:
            seen.append(whose)
            out.append(ability_context(index, whose[0], d, NO_EVENT, burst(s, d)))
    return out


def limit_owner(s: State, ctx: AbilityFrame) -> int:
    """Give what stands in `turn_limits` for the character that has a text: its player, and the card if it has it from another."""
    if ctx.this >= PLAYER or s.spec.card_of[ctx.this] == s.spec.abilities[ctx.ability].card:
        return ctx.you
    return LIMIT_OF_CARD + s.spec.card_of[ctx.this] * 4 + ctx.you


def own_card_of(s: State, ctx: AbilityFrame) -> int:
    """Give the card that a text means by itself, as that which holds counters: its own, or the copier's (rules 5.13c)."""
    t = s.spec
    c = t.abilities[ctx.ability].card
    if ctx.this < PLAYER:
        return t.card_of[ctx.this]
    for r in s.active_effects if ctx.you != t.owner_of_card[c] else ():
        if r.word == "copy card" and r.a == c and r.you == ctx.you:
            return t.abilities[r.ability].card
    return c


def static_rules(s: State, word: str) -> list[tuple[StaticRule, AbilityFrame]]:
    """List the standing rules of this word that are in force, each with its context."""
    sentences = s.spec.static_by_rule.get(word)
    return [] if sentences is None else active_rules_of(s, sentences, word)


def active_rules_of(s: State, sentences: list[CompiledAbility], word: str) -> list[tuple[StaticRule, AbilityFrame]]:
    """List the rules of this word that are in force of these sentences, each with its context."""
    out: list[tuple[StaticRule, AbilityFrame]] = []
    for sentence in sentences:
        if not may_be_active(s, sentence):
            continue
        for ctx in active_contexts(s, sentence):
            condition = sentence.condition
            if sentence.lift is not None and (sentence.index, limit_owner(s, ctx)) in s.turn_limits:
                continue  # the opponent has paid to be rid of it this turn
            if condition is None or condition.evaluate(s, ctx):
                for rule in sentence.rules[ctx.burst]:
                    if rule.word == word:
                        out.append((rule, ctx))
    return out


def damage_counted(s: State, c: AbilityFrame) -> int:
    """Give how much damage this turn a sentence that speaks of the first so much has met already, for its die."""
    for r in s.active_effects:
        if r.word == "counted" and r.subject == c.this and r.ability == c.ability:
            return r.a
    return 0


def rules_affecting(s: State, word: str, d: int) -> list[tuple[StaticRule | None, AbilityFrame, int, int]]:
    """List the rules of this word that concern the die, standing and given, with their numbers."""
    out: list[tuple[StaticRule | None, AbilityFrame, int, int]] = []
    if s.active_effects and word in s.spec.rule_words:
        for r in s.active_effects:
            if r.word == word and applies_to(s, r, d):
                rule = s.spec.rules[r.rule] if r.rule >= 0 else None
                out.append((rule, ability_context(r.ability, r.you, r.source), r.a, r.d))
    sentences = s.spec.static_by_rule.get(word)
    if sentences is not None:
        for rule, ctx in active_rules_of(s, sentences, word):
            if rule.who.matches(s, d, ctx):
                if COVERAGE.happened is not None:
                    COVERAGE.record(s, ctx.ability)
                out.append((rule, ctx, rule.a.evaluate(s, ctx), rule.d.evaluate(s, ctx)))
    return out


def is_affected_by(s: State, word: str, d: int) -> bool:
    """Tell whether some rule of this word concerns the die."""
    t = s.spec
    if word not in t.rule_words or (not s.active_effects and word not in t.static_by_rule):
        return False  # which spares to make a list of none
    return bool(rules_affecting(s, word, d))


def is_protected(s: State, d: int, kind: str, seat: int) -> bool:
    """Tell whether a rule keeps the die from being targeted by this kind of thing ("action", "global") of this player."""
    for rule, ctx, _, _ in rules_affecting(s, "cannot be targeted", d):
        if rule is not None and (not rule.text or kind in rule.text.split()):
            if rule.by is None or rule.by.matches(s, PLAYER + (seat & 1), ctx):
                return True
    return False


def is_banned(s: State, seat: int, kind: str) -> bool:
    """Tell whether a rule keeps the player from using an "action" die or a "global"."""
    if not s.spec.bans:
        return False
    banned = rules_affecting(s, "cannot use", s.spec.person + seat)
    return any(rule is not None and kind in rule.text.split() for rule, _, _, _ in banned)


def can_field(s: State, d: int) -> bool:
    """Tell whether no rule keeps the die out of the field."""
    return not s.spec.fielding_rules or not is_affected_by(s, "cannot field", d)
