"""Static abilities: which are in force, and the static rules they impose on a die or player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from dicemasters.game.queries.die_identity import (
    COVERAGE,
    ability_sources,
    dice_with_ability,
    effective_card,
    effective_face,
    effects_among,
    fielded_characters,
    has_ability_of,
    is_blanked,
    is_effect_on_card,
    may_be_active,
    partner_of,
)
from dicemasters.game.state.constants import FIELD, LIMIT_OF_CARD, PLAYER
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.query_cache import QueryCache
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_EVENT, NOBODY, ActiveEffect, GameEvent

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import CompiledAbility, StaticRule


def ability_context(ability: int, you: int, this: int, event: GameEvent = NO_EVENT, burst: int = 0) -> AbilityFrame:
    """Return the context of an ability at its start: its controller, die, event and burst."""
    return AbilityFrame(ability, you, this, burst, 0, event)


_BURST_COPIES: Final = frozenset(("copy burst", "copy card"))


def burst(s: State, d: int) -> int:
    """Return the number of burst symbols the die counts as showing (rules 5.9a)."""
    if d >= PLAYER:
        return 0
    i = effective_face(s, d)
    for effect in effects_among(s, _BURST_COPIES) if s.active_effects else ():
        if effect.word == "copy burst" and applies_to(s, effect, d):
            return effect.a
        if (
            effect.word == "copy card"
            and effect.d
            and is_effect_on_card(s, effect, s.spec.card_of[d])
            and s.spec.levels[i]
        ):
            return s.spec.bursts[s.spec.copied_face(effect.a, s.spec.levels[i])]
    return s.spec.bursts[i]


def keyword_lenders(s: State, d: int) -> list[int]:
    """Return the characters whose keyword abilities this die also has."""
    if s.place[d] >> 2 != FIELD:
        return []
    lenders: list[int] = []
    for rule, ctx, _, _ in rules_affecting(s, "has keywords of", d):
        if rule is not None and rule.by is not None:
            characters = [x for seat in range(s.spec.n_seats) for x in fielded_characters(s, seat)]
            lenders += [x for x in characters if x != d and rule.by.matches(s, x, ctx)]
    return lenders


def has_copied_combat_ability(s: State, d: int, ability: CompiledAbility) -> bool:
    """Return whether this is a combat ability that the die has copied from the card (uxm 107)."""
    if not s.active_effects or not ability.fights or (s.spec.has_text_blanking and is_blanked(s, effective_card(s, d))):
        return False
    return any(
        effect.word == "copy combat" and effect.subject == d and effect.a == ability.card for effect in s.active_effects
    )


def lasting_action_dice(s: State) -> list[int]:
    """Return the action dice with a lasting effect.

    These dice have granted an effect, hold a die, are attached to one, or stay in the field.
    """
    spec = s.spec
    dice = [effect.source for effect in s.active_effects]
    dice += [h.die if h.kind == "attach" else h.holder for h in s.holdings]
    dice += [d for seat in range(spec.n_seats) for d in s.dice_in(FIELD, seat)]
    return list(dict.fromkeys(d for d in dice if d < PLAYER and not spec.is_character_die[d]))


def has_borrowed_keyword(s: State, d: int, ability: CompiledAbility) -> bool:
    """Return whether the die borrows this keyword ability from another card; equal abilities count once."""
    if not ability.keyword or not s.spec.lends_keywords or has_ability_of(s, d, ability.card):
        return False
    lenders_cards = {c for x in keyword_lenders(s, d) for c in ability_sources(s, x)}
    if ability.card not in lenders_cards:
        return False
    own_cards = ability_sources(s, d)
    for other in s.spec.abilities:
        if other.keyword == ability.keyword and other.ability == ability.ability and other is not ability:
            if other.card in own_cards or (other.card in lenders_cards and other.index < ability.index):
                return False
    return True


# --- rules in force ------------------------------------------------------------------------------------------------


def applies_to(s: State, effect: ActiveEffect, d: int) -> bool:
    """Return whether an active effect applies to the die, as its recipient or by description."""
    if effect.subject != NOBODY:
        return effect.subject == d
    if effect.rule < 0:
        return False  # a delayed effect without a recipient yet
    rule = s.spec.rules[effect.rule]
    # dice keep what their card has copied while another player controls them (rules 5.13b1)
    is_lent = effect.word[:4] == "copy" and s.owner[d] == effect.you and s.place[d] >> 2 == FIELD
    if not rule.who.matches(
        s, d, ability_context(effect.ability, s.place[d] & 3 if is_lent else effect.you, effect.source)
    ):
        return False
    return "would be affected" not in s.spec.replacements or not _has_paid_exemption(s, effect, d)


def _has_paid_exemption(s: State, effect: ActiveEffect, d: int) -> bool:
    """Return whether a payment exempts the die from an effect on all dice of a kind (avx 16)."""
    return any(
        x.word == "spared" and x.subject == d and x.source == effect.source and x.ability == effect.ability
        for x in s.active_effects
    )


def active_contexts(s: State, ability: CompiledAbility, excluded: tuple[int, ...] = ()) -> list[AbilityFrame]:
    """Return the contexts in which an ability is in force: one per die, or one per player whose card is active.

    A while-active text has one context for all dice (rules 5.5a), any other text one for each die (rules 5.7b2).
    """
    spec = s.spec
    index = ability.index
    scope = ability.scope
    if scope == "card":
        return _contexts_of_card(s, ability)
    if not may_be_active(s, ability):
        return []
    dice = dice_with_ability(s, ability.card, excluded)
    contexts: list[AbilityFrame] = []
    if ability.keyword and spec.lends_keywords:
        characters = [d for seat in range(spec.n_seats) for d in fielded_characters(s, seat) if d not in excluded]
        borrowers = [d for d in characters if d not in dice and has_borrowed_keyword(s, d, ability)]
        s.sort_equivalent(borrowers)
        if scope == "active":  # each card that borrows the keyword is active separately
            first_die = {(spec.card_of[d], s.place[d] & 3): d for d in reversed(borrowers)}
            contexts = [ability_context(index, s.place[d] & 3, d, NO_EVENT, burst(s, d)) for d in first_die.values()]
        else:
            dice = [*dice, *borrowers]
    if ability.fights and s.active_effects:
        dice = [
            *dice,
            *(
                effect.subject
                for effect in s.active_effects
                if effect.word == "copy combat" and has_copied_combat_ability(s, effect.subject, ability)
            ),
        ]
        dice = list(dict.fromkeys(dice))
    if not dice:
        return contexts
    if scope == "active":
        return contexts + _contexts_of_active(s, index, dice)
    if scope == "pair":
        paired = [x for d in dice for x in (d, partner_of(s, d)) if partner_of(s, d) != NOBODY]
        dice = list(dict.fromkeys(paired))  # both partners have both benefits (rules 5.14b)
    for d in dice:
        contexts.append(ability_context(index, s.place[d] & 3, d, NO_EVENT, burst(s, d)))
    return contexts


def _contexts_of_active(s: State, index: int, dice: list[int]) -> list[AbilityFrame]:
    """Return one context of a while-active text per player and character, at one of its dice (rules 5.5a, 5.13c5)."""
    contexts: list[AbilityFrame] = []
    for seat in range(s.spec.n_seats):
        remaining = [d for d in dice if s.place[d] & 3 == seat]
        while remaining:
            card = effective_card(s, remaining[0])
            same = (
                [d for d in remaining if effective_card(s, d) == card] if s.active_effects or s.holdings else remaining
            )
            remaining = [d for d in remaining if d not in same]
            shown = max([burst(s, d) for d in same])  # a burst on any of its dice counts (rules 5.5b)
            contexts.append(ability_context(index, seat, _representative(s, same), NO_EVENT, shown))
    return contexts


def _representative(s: State, dice: list[int]) -> int:
    """Return the first of identical dice that may deal damage, or else the first die.

    The die becomes the source of any damage that the text deals.
    """
    harmless = (
        [effect.subject for effect in s.active_effects if effect.word == "deals no damage"] if len(dice) > 1 else []
    )
    return next((d for d in dice if d not in harmless), dice[0])


def _contexts_of_card(s: State, ability: CompiledAbility) -> list[AbilityFrame]:
    """Return the contexts of a text that needs no die in the field: its owner's, and those from a copy or control.

    A reducer of a card's own cost is such a text (rules 5.15a).

    A card that copies another counts as that card, so its dice have the text in every zone. A single die that copies
    has it in the field.
    """
    spec = s.spec
    card, index = ability.card, ability.index
    owner = spec.owner_of_card[card]
    blanked = is_blanked(s, card)
    contexts: list[AbilityFrame] = []
    if not blanked:
        contexts = [ability_context(index, seat, NOBODY) for seat in (range(spec.n_seats) if owner < 0 else (owner,))]
    if owner < 0 or (not s.active_effects and not s.holdings):
        return contexts
    seen = [(owner, card)]
    for effect in s.active_effects:
        # its dice also have the named card's affiliations
        if effect.word == "copy card" and effect.a == card and not blanked:
            seen.append((effect.you, spec.abilities[effect.ability].card))
            contexts.append(ability_context(index, effect.you, NOBODY))
    for d in dice_with_ability(s, card):
        holder = (s.place[d] & 3, spec.card_of[d])
        if holder not in seen:
            seen.append(holder)
            contexts.append(ability_context(index, holder[0], d, NO_EVENT, burst(s, d)))
    return contexts


def limit_owner(s: State, ctx: AbilityFrame) -> int:
    """Return the number that `turn_limits` uses for the character with this text.

    This is its player, or its player and card if it has the text from another card.
    """
    if ctx.this >= PLAYER or s.spec.card_of[ctx.this] == s.spec.abilities[ctx.ability].card:
        return ctx.you
    return LIMIT_OF_CARD + s.spec.card_of[ctx.this] * 4 + ctx.you


def own_card_of(s: State, ctx: AbilityFrame) -> int:
    """Return the card a text means by its own name: its own, or the copier's (rules 5.13c5).

    Its counters are on this card too.
    """
    spec = s.spec
    card = spec.abilities[ctx.ability].card
    if ctx.this < PLAYER:
        return spec.card_of[ctx.this]
    for effect in s.active_effects if ctx.you != spec.owner_of_card[card] else ():
        if effect.word == "copy card" and effect.a == card and effect.you == ctx.you:
            return spec.abilities[effect.ability].card
    return card


@final
class UnchangedState:
    """Context in which a state does not change, so that the rules in force are found only once for each word.

    It is for views and other questions about all dice. A copy of the state is not affected. In ordinary positions nothing
    is kept, because that takes longer than it saves.
    """

    def __init__(self, s: State) -> None:
        self.s = s
        self._is_outermost = False

    def __enter__(self) -> None:
        self._is_outermost = self.s.query_cache is None and self.s.is_crowded()
        if self._is_outermost:
            self.s.query_cache = QueryCache()

    def __exit__(self, *exception: object) -> None:
        if self._is_outermost:
            self.s.query_cache = None


def static_rules(s: State, word: str) -> list[tuple[StaticRule, AbilityFrame]]:
    """Return the rules with this word of all static abilities in force, each with its context."""
    abilities = s.spec.static_by_rule.get(word)
    return [] if abilities is None else active_rules_of(s, abilities, word)


def active_rules_of(s: State, abilities: list[CompiledAbility], word: str) -> list[tuple[StaticRule, AbilityFrame]]:
    """Return the rules with this word that these abilities have in force, each with its context (rules 5.4d, 5.4e).

    `abilities` are those that the spec lists for the word.
    """
    cache = s.query_cache
    if cache is not None and word in cache.rules:
        return cache.rules[word]
    rules: list[tuple[StaticRule, AbilityFrame]] = []
    for ability in abilities:
        if not may_be_active(s, ability):
            continue
        for ctx in active_contexts(s, ability):
            condition = ability.condition
            if ability.lift is not None and (ability.index, limit_owner(s, ctx)) in s.turn_limits:
                continue  # the opponent has paid to lift it for this turn
            if condition is None or condition.evaluate(s, ctx):
                for rule in ability.rules[ctx.burst]:
                    if rule.word == word:
                        rules.append((rule, ctx))
    if cache is not None:
        cache.rules[word] = rules
    return rules


def damage_counted(s: State, ctx: AbilityFrame) -> int:
    """Return the damage this turn that an ability about "the first N damage" has already counted for its die."""
    for effect in s.active_effects:
        if effect.word == "counted" and effect.subject == ctx.this and effect.ability == ctx.ability:
            return effect.a
    return 0


def rules_affecting(s: State, word: str, d: int) -> list[tuple[StaticRule | None, AbilityFrame, int, int]]:
    """Return the static and granted rules with this word that apply to the die or player, with their two numbers."""
    rules: list[tuple[StaticRule | None, AbilityFrame, int, int]] = []
    if s.active_effects and word in s.spec.rule_words:
        for effect in s.active_effects:
            if effect.word == word and applies_to(s, effect, d):
                rules.append(_granted_rule(s, effect))
    abilities = s.spec.static_by_rule.get(word)
    if abilities is not None:
        for rule, ctx in active_rules_of(s, abilities, word):
            if rule.who.matches(s, d, ctx):
                if COVERAGE.recorded is not None:
                    COVERAGE.record(s, ctx.ability)
                rules.append((rule, ctx, rule.a.evaluate(s, ctx), rule.d.evaluate(s, ctx)))
    return rules


@final
class RuleTable:
    """The rules with one word that are in force, for questions about many dice.

    It answers like `rules_affecting`, but finds the rules once. The state must not change in between.
    """

    def __init__(self, s: State, word: str) -> None:
        self.s = s
        self._granted_to: dict[int, list[ActiveEffect]] = {}  # by recipient
        self._granted_to_all: list[ActiveEffect] = []  # to all dice of a description
        self._about_itself: dict[int, list[tuple[StaticRule, AbilityFrame]]] = {}  # static rules by their own die
        self._static: list[tuple[StaticRule, AbilityFrame]] = []  # other static rules
        #: whether no rule with this word is in force
        self.is_empty = True
        if word not in s.spec.rule_words:
            return
        for effect in s.active_effects:
            if effect.word == word:
                self.is_empty = False
                if effect.subject == NOBODY:
                    self._granted_to_all.append(effect)
                else:
                    self._granted_to.setdefault(effect.subject, []).append(effect)
        for rule, ctx in static_rules(s, word):
            self.is_empty = False
            if rule.is_about_itself:
                self._about_itself.setdefault(ctx.this, []).append((rule, ctx))
            else:
                self._static.append((rule, ctx))

    def affecting(self, d: int) -> list[tuple[StaticRule | None, AbilityFrame, int, int]]:
        """Return the rules that apply to the die or player, with their two numbers."""
        s = self.s
        rules: list[tuple[StaticRule | None, AbilityFrame, int, int]] = []
        for effect in self._granted_to.get(d, ()):
            rules.append(_granted_rule(s, effect))
        for effect in self._granted_to_all:
            if applies_to(s, effect, d):
                rules.append(_granted_rule(s, effect))
        for rule, ctx in self.static_affecting(d):
            rules.append((rule, ctx, rule.a.evaluate(s, ctx), rule.d.evaluate(s, ctx)))
        return rules

    def static_affecting(self, d: int) -> list[tuple[StaticRule, AbilityFrame]]:
        """Return the rules of static abilities that apply to the die or player, each with its context."""
        rules = self._about_itself.get(d, [])
        for rule, ctx in self._static:
            if rule.who.matches(self.s, d, ctx):
                rules = [*rules, (rule, ctx)]
        if COVERAGE.recorded is not None:
            for _, ctx in rules:
                COVERAGE.record(self.s, ctx.ability)
        return rules


def _granted_rule(s: State, effect: ActiveEffect) -> tuple[StaticRule | None, AbilityFrame, int, int]:
    """Return the rule that an active effect grants, with its context and its two numbers."""
    rule = s.spec.rules[effect.rule] if effect.rule >= 0 else None
    return rule, ability_context(effect.ability, effect.you, effect.source), effect.a, effect.d


def is_affected_by(s: State, word: str, d: int) -> bool:
    """Return whether any rule with this word applies to the die or player."""
    spec = s.spec
    if word not in spec.rule_words or (not s.active_effects and word not in spec.static_by_rule):
        return False  # avoids building an empty list
    return bool(rules_affecting(s, word, d))


def is_protected(s: State, d: int, kind: str, seat: int) -> bool:
    """Return whether a rule protects the die from targeting by this player's effects of a kind ("action", "global")."""
    for rule, ctx, _, _ in rules_affecting(s, "cannot be targeted", d):
        if rule is not None and (not rule.text or kind in rule.text.split()):
            if rule.by is None or rule.by.matches(s, PLAYER + (seat & 1), ctx):
                return True
    return False


def is_banned(s: State, seat: int, kind: str) -> bool:
    """Return whether a rule forbids the player from using an "action" die or a "global"."""
    if not s.spec.has_use_bans:
        return False
    bans = rules_affecting(s, "cannot use", s.spec.person + seat)
    return any(rule is not None and kind in rule.text.split() for rule, _, _, _ in bans)


def can_field(s: State, d: int) -> bool:
    """Return whether no rule forbids fielding the die."""
    return not s.spec.has_fielding_rules or not is_affected_by(s, "cannot field", d)
