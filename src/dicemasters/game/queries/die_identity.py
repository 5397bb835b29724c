"""The identity of a die: its card, face, level, owner and abilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from dicemasters.cards.language.metadata import RULES
from dicemasters.game.state.constants import BAG, FIELD, HAND, PERSON, PLAYER, PREP, RESERVE, USED
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import CompiledAbility


# kinds of faces
ENERGY: Final = 0
CHARACTER: Final = 1
ACTION: Final = 2


@final
class AbilityCoverage:
    """Recorder of the abilities that have had an effect, by card key and position; off while `recorded` is None."""

    def __init__(self) -> None:
        self.recorded: set[tuple[str, int]] | None = None

    def record(self, s: State, ability: int) -> None:
        """Record that an ability has had an effect."""
        if self.recorded is not None and ability >= 0:
            compiled = s.spec.abilities[ability]
            self.recorded.add((s.spec.cards[compiled.card].key, compiled.position))

    def note_keyword(self, s: State, c: int, name: str) -> None:
        """Record that a keyword printed on a card has had an effect."""
        if self.recorded is not None:
            card = s.spec.cards[c]
            self.recorded.update((card.key, i) for i, a in enumerate(card.abilities) if a.keyword == name)


COVERAGE: Final = AbilityCoverage()


# --- identity ------------------------------------------------------------------------------------------------------


def opponent_of(seat: int) -> int:
    """Return the opposing seat; seats 0 and 2 are one side, 1 and 3 the other (rules 7.3a; docs/doubles.md)."""
    return seat ^ 1


def player_by_turn(s: State, n: int) -> int:
    """Return the n-th player, counting the active side first, or NOBODY if there are fewer."""
    sides = s.spec.sides
    seats = (*sides[s.active], *sides[opponent_of(s.active)])
    return seats[n] if n < len(seats) else NOBODY


# rules about one player's options; other rules about players concern their life, which partners share (rules 7.3h)
PERSONAL_RULES: Final = frozenset(word for word, row in RULES.items() if row.is_per_player)


def seats_affected(s: State, word: str, players: list[int], you: int) -> list[int]:
    """Return the numbers of the players that a rule granted to `players` applies to.

    In Doubles, a personal rule granted to the player's own side applies to that player only. A rule granted to the
    other side applies to both opponents.
    """
    if s.spec.n_seats == 2 or word not in PERSONAL_RULES:
        return players
    affected: list[int] = []
    for x in players:
        affected += [PERSON + you] if x == PLAYER + (you & 1) else [PERSON + seat for seat in s.spec.sides[x - PLAYER]]
    return affected


def effect_recipients(s: State, d: int) -> list[int]:
    """Return the recipients of effects that a die has granted, in field order and not in the order of granting."""
    subjects = [
        effect.subject
        for effect in s.active_effects
        if effect.source == d and effect.subject != NOBODY and effect.word != "spared"
    ]
    subjects = list(dict.fromkeys(subjects))
    fielded = s.in_field_order(subjects)
    return fielded + [x for x in subjects if x not in fielded]


def has_source_left(s: State, ctx: AbilityFrame) -> bool:
    """Return whether the character die with this text has left the field.

    For a while-active text, all dice of its card must have left.
    """
    d, spec = ctx.this, s.spec
    if d >= PLAYER or not spec.is_character_die[d] or s.place[d] >> 2 == FIELD:
        return False
    if ctx.ability < 0 or spec.abilities[ctx.ability].scope != "active":
        return True
    return not any(spec.card_of[x] == spec.card_of[d] for x in fielded_characters(s, ctx.you))


def effects_among(s: State, words: frozenset[str]) -> list[ActiveEffect]:
    """Return active effects in order: those with one of these words, and others too unless the state does not change."""
    cache = s.query_cache
    if cache is None:
        return s.active_effects
    effects = cache.effects.get(words)
    if effects is None:
        effects = cache.effects[words] = [effect for effect in s.active_effects if effect.word in words]
    return effects


_CARD_COPIES: Final = frozenset(("copy die", "copy card"))
_LEVELS: Final = frozenset(("counts as level",))


def effective_card(s: State, d: int) -> int:
    """Return the card that determines name, type and affiliations of a die: its own, or a copied one (rules 5.13c6)."""
    card = own = s.spec.card_of[d]
    if not s.active_effects:
        return card
    cache = s.query_cache
    if cache is not None and d in cache.effective_cards:
        return cache.effective_cards[d]
    for effect in effects_among(s, _CARD_COPIES):
        if (effect.word == "copy die" and effect.subject == d) or (
            effect.word == "copy card" and is_effect_on_card(s, effect, own)
        ):
            card = effect.a
    if cache is not None:
        cache.effective_cards[d] = card
    return card


def is_effect_on_card(s: State, effect: ActiveEffect, card: int) -> bool:
    """Return whether the effect applies to all dice of the card."""
    return effect.subject == NOBODY and s.spec.abilities[effect.ability].card == card


def ability_sources(s: State, d: int) -> list[int]:
    """Return the cards whose abilities the die has."""
    if s.spec.has_text_blanking and is_blanked(s, effective_card(s, d)):
        return []  # a copied text belongs to the copier and is ignored with the rest of its text (docs/rulings.md)
    return ability_sources_with_blanked(s, d)


def has_ability_of(s: State, d: int, card: int) -> bool:
    """Return whether the die has the abilities of the card."""
    if s.active_effects or s.spec.has_text_blanking:
        return card in ability_sources(s, d)
    return s.spec.card_of[d] == card


def ability_sources_with_blanked(s: State, d: int) -> list[int]:
    """Return the cards whose abilities the die has printed or copied, even if blanked (rules 5.13c4, 5.13c6)."""
    cards = [s.spec.card_of[d]]
    for effect in s.active_effects:
        if effect.subject == d:
            if effect.word == "copy abilities":
                # if several texts are copied at once, only the first replaces the old text
                if s.spec.edition.copied_abilities_add or effect.d:
                    cards.append(effect.a)
                else:
                    cards = [effect.a]
            elif effect.word == "copy die":
                cards = [effect.a]
        elif effect.word == "copy card" and is_effect_on_card(s, effect, s.spec.card_of[d]):
            cards.append(effect.a)  # added to its own text, which names the next card to copy
    return cards


_IDENTITY_WORDS: Final = frozenset(
    ("copy die", "copy abilities", "copy combat", "has keyword", "loses keyword", "has affiliation")
)


def identity_effects(s: State, dice: list[int]) -> tuple[ActiveEffect, ...]:
    """Return the effects that define the identity of the dice, which end when they leave the field (rules 5.13c7)."""
    if not s.active_effects:
        return ()
    return tuple(
        [
            effect
            for effect in s.active_effects
            if effect.word in _IDENTITY_WORDS and effect.subject < PLAYER and effect.subject in dice
        ]
    )


HOLDING_RECORD: Final = "held"  # word of a snapshot row: a die that was held, and its zone at that time


def holding_snapshot(s: State) -> tuple[ActiveEffect, ...]:
    """Return a snapshot of all held and controlled dice; dice released later do not react to earlier events."""
    return tuple(
        [
            ActiveEffect(HOLDING_RECORD, holding.die, s.place[holding.die], 0, -1, "end of turn", 0, NOBODY, -1)
            for holding in s.holdings
        ]
    )


def name_choice_of(s: State, card: int) -> str:
    """Return the type, affiliation or card that a card has named, or "-"."""
    for ability, name in s.name_choices:
        if s.spec.abilities[ability].card == card:
            return name
    return "-"


def is_blanked(s: State, card: int) -> bool:
    """Return whether the card's text is ignored, because an active card names one of its affiliations (ai 32)."""
    if not s.spec.has_text_blanking:
        return False
    affiliations = s.spec.cards[card].affiliations
    for ability in s.spec.static_by_rule["text ignored"]:
        if name_choice_of(s, ability.card) in affiliations and _dice_with_text(s, ability.card):
            COVERAGE.record(s, ability.index)
            return True
    return False


def _dice_with_text(s: State, card: int) -> list[int]:
    """Return the fielded dice on which this card's text is printed or which copy it."""
    place = s.place
    for effect in s.active_effects:
        if effect.word in _COPIES_OF_TEXT:
            return [
                d for d in range(s.spec.n_dice) if place[d] >> 2 == FIELD and card in ability_sources_with_blanked(s, d)
            ]
    return [d for d in s.spec.dice_of[card] if place[d] >> 2 == FIELD]


_COPIES_OF_TEXT: Final = frozenset(("copy abilities", "copy die", "copy card"))


def may_be_active(s: State, ability: CompiledAbility) -> bool:
    """Return False only if the ability cannot be in force; a cheap test before `active_contexts`."""
    if s.active_effects or ability.scope == "card" or s.spec.lends_keywords:
        return True
    for d in s.spec.dice_of[ability.card]:
        if s.place[d] >> 2 == FIELD:
            return True
    return False


def dice_with_ability(s: State, card: int, excluded: tuple[int, ...] = ()) -> list[int]:
    """Return the fielded dice that have this card's text, without blanked and `excluded` dice."""
    dice = _dice_with_text(s, card)
    if s.spec.has_text_blanking:
        dice = [d for d in dice if not is_blanked(s, effective_card(s, d))]
    s.sort_equivalent(dice)
    if excluded:
        return [d for d in dice if d not in excluded]
    return dice


def is_character(s: State, d: int) -> bool:
    """Return whether the die is a character die in its zone (rules 1.2c, 1.2d, 2.2a, 2.2b)."""
    spec = s.spec
    place = s.place[d] >> 2
    if place == FIELD:
        return spec.kinds[spec.face_base[d] + s.face[d]] == CHARACTER
    sidekick = spec.card_of[d] < spec.n_seats
    if place == RESERVE:
        if spec.kinds[spec.face_base[d] + s.face[d]] != CHARACTER:
            return False
        return not sidekick or spec.edition.reserve_sidekick_is_character
    if sidekick:
        return spec.edition.unrolled_sidekick_is_character
    return spec.is_character_die[d]


def effective_face(s: State, d: int) -> int:
    """Return the index of the face the die counts as showing: its own unless it counts as another level."""
    spec = s.spec
    i = spec.face_base[d] + s.face[d]
    for effect in effects_among(s, _LEVELS) if s.active_effects else ():
        if effect.word == "counts as level" and effect.subject == d and spec.levels[i]:
            return spec.copied_face(spec.card_of[d], effect.a)
    return i


def level(s: State, d: int) -> int:
    """Return the level the die counts as having (rules 1.4a)."""
    return s.spec.levels[effective_face(s, d) if s.active_effects else s.spec.face_base[d] + s.face[d]]


def shown_level(s: State, d: int) -> int:
    """Return the level of the face that is up, from which the die is spun."""
    return s.spec.levels[s.spec.face_base[d] + s.face[d]]


def top_level(s: State, d: int) -> int:
    """Return the highest level of the die."""
    return s.spec.top_level[d]


def card_under(s: State, d: int) -> int:
    """Return the card that an action die was placed on, or -1."""
    for effect in s.active_effects:
        if effect.word == "on card" and effect.subject == d:
            return effect.a
    return -1


def partner_of(s: State, d: int) -> int:
    """Return the die this die is paired with, or NOBODY (rules 5.14a)."""
    for x, y, _ in s.pairs:
        if x == d:
            return y
        if y == d:
            return x
    return NOBODY


def attached_to(s: State, d: int) -> list[int]:
    """Return the die that an action die is attached to, as a list of at most one."""
    return [holding.holder for holding in s.holdings if holding.kind == "attach" and holding.die == d]


def shares_type(s: State, one: int, other: int) -> bool:
    """Return whether two dice have an energy type in common."""
    types = s.spec.cards[effective_card(s, other)].energy
    return any(e in types for e in s.spec.cards[effective_card(s, one)].energy)


def faces_card(s: State, d: int) -> int:
    """Return the card whose faces the die has: its own unless it is a copy that takes over faces."""
    card = own = s.spec.card_of[d]
    for effect in s.active_effects:
        if (effect.word == "copy die" and effect.subject == d) or (
            effect.word == "copy card" and effect.d and is_effect_on_card(s, effect, own)
        ):
            card = copied_faces_card(effect)
    return card


def copied_faces_card(effect: ActiveEffect) -> int:
    """Return the card whose faces a copy takes over.

    If the copied die is itself a copy, this may differ from its effective card, because that die may have kept its
    own faces (avx 82).
    """
    return effect.d - 1 if effect.word == "copy die" and effect.d else effect.a


def printed_cost(s: State, d: int) -> int:
    """Return the printed purchase cost; a Sidekick's is 0 (rules 1.2b, 10.8)."""
    for effect in s.active_effects:
        if effect.word == "copy card" and is_effect_on_card(s, effect, s.spec.card_of[d]):
            return s.spec.cards[s.spec.card_of[d]].cost  # it keeps its own cost
        if effect.word == "copy die" and effect.subject == d:
            return s.spec.cards[copied_faces_card(effect)].cost
    return s.spec.cards[effective_card(s, d)].cost


def starting_life(s: State, side: int) -> int:
    """Return the life a side started with, which is also its maximum (rules 4.3a)."""
    return min(s.max_life, s.spec.start_lives[side])


# --- characters in the field ---------------------------------------------------------------------------------------


def fielded_characters(s: State, seat: int) -> list[int]:
    """Return the character dice in the field of a seat."""
    spec = s.spec
    dice: list[int] = [d for d in s.iter_zone(FIELD, seat) if spec.kinds[spec.face_base[d] + s.face[d]] == CHARACTER]
    s.sort_equivalent(dice)
    return dice


def fielded_by_side(s: State, seat: int) -> list[int]:
    """Return the character dice in the fields of a seat and its partner."""
    return [d for x in s.spec.sides[seat] for d in fielded_characters(s, x)]


def is_unrolled(place: int) -> bool:
    """Return whether dice in this zone are unrolled (rules 2.2b)."""
    return place in (BAG, PREP, USED, HAND)
