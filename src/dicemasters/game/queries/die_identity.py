"""What a die is: its card, face, level, zone, owner and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from dicemasters.cards.language.metadata import RULES
from dicemasters.game.state.constants import BAG, FIELD, HAND, PERSON, PLAYER, PREP, RESERVE, USED
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, ActiveEffect

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import CompiledAbility


# what a face shows
ENERGY: Final = 0
CHARACTER: Final = 1
ACTION: Final = 2


@final
class AbilityCoverage:
    """Notes which abilities have made something happen, by card key and position; off unless somebody asks."""

    def __init__(self) -> None:
        self.happened: set[tuple[str, int]] | None = None

    def record(self, s: State, ability: int) -> None:
        if self.happened is not None and ability >= 0:
            sentence = s.spec.abilities[ability]
            self.happened.add((s.spec.cards[sentence.card].key, sentence.position))

    def note_keyword(self, s: State, c: int, name: str) -> None:
        if self.happened is not None:
            card = s.spec.cards[c]
            self.happened.update((card.key, i) for i, a in enumerate(card.abilities) if a.keyword == name)


COVERAGE: Final = AbilityCoverage()


# --- what a die is -------------------------------------------------------------------------------------------------


def opponent_of(seat: int) -> int:
    """Give the seat across the table: seats 0 and 2 are one side, 1 and 3 the other (docs/doubles.md)."""
    return seat ^ 1


def player_by_turn(s: State, n: int) -> int:
    """Give the n-th of all players, those whose turn it is first; NOBODY if there are not so many."""
    sides = s.spec.sides
    seats = (*sides[s.active], *sides[opponent_of(s.active)])
    return seats[n] if n < len(seats) else NOBODY


# rules about what one player may do; the others about players are about their life, which partners share
PERSONAL_RULES: Final = frozenset(word for word, row in RULES.items() if row.personal)


def seats_affected(s: State, word: str, players: list[int], you: int) -> list[int]:
    """Give whom a rule of this word given to players is for: of one's own side oneself alone, of the other both."""
    if s.spec.n_seats == 2 or word not in PERSONAL_RULES:
        return players
    out: list[int] = []
    for x in players:
        out += [PERSON + you] if x == PLAYER + (you & 1) else [PERSON + seat for seat in s.spec.sides[x - PLAYER]]
    return out


def effect_recipients(s: State, d: int) -> list[int]:
    """List those to whom a die has given something, as they lie in the field, whatever the order they were given it in."""
    subjects = [r.subject for r in s.active_effects if r.source == d and r.subject != NOBODY and r.word != "spared"]
    subjects = list(dict.fromkeys(subjects))
    inside = s.in_field_order(subjects)
    return inside + [x for x in subjects if x not in inside]


def has_source_left(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether the character die whose text it is has left the field; of a while-active text, every die of its card."""
    d, t = ctx.this, s.spec
    if d >= PLAYER or not t.is_character_die[d] or s.place[d] >> 2 == FIELD:
        return False
    if ctx.ability < 0 or t.abilities[ctx.ability].scope != "active":
        return True
    return not any(t.card_of[x] == t.card_of[d] for x in fielded_characters(s, ctx.you))


def effective_card(s: State, d: int) -> int:
    """Give the card whose name, type and affiliations the die has: its own unless it has become a copy."""
    c = own = s.spec.card_of[d]
    for r in s.active_effects:
        if (r.word == "copy die" and r.subject == d) or (r.word == "copy card" and is_effect_on_card(s, r, own)):
            c = r.a
    return c


def is_effect_on_card(s: State, r: ActiveEffect, c: int) -> bool:
    """Tell whether what the record says concerns all dice of the card."""
    return r.subject == NOBODY and s.spec.abilities[r.ability].card == c


def ability_sources(s: State, d: int) -> list[int]:
    """List the cards whose abilities the die has."""
    if s.spec.silences and is_blanked(s, effective_card(s, d)):
        return []  # a copied text is the copier's, and goes with the rest of its text (docs/rulings.md)
    return ability_sources_with_blanked(s, d)


def has_ability_of(s: State, d: int, c: int) -> bool:
    """Tell whether the die has the card's abilities."""
    if s.active_effects or s.spec.silences:
        return c in ability_sources(s, d)
    return s.spec.card_of[d] == c


def ability_sources_with_blanked(s: State, d: int) -> list[int]:
    """List the cards whose abilities are printed on or copied by the die (rules 5.13c)."""
    out = [s.spec.card_of[d]]
    for r in s.active_effects:
        if r.subject == d:
            if r.word == "copy abilities":
                if s.spec.edition.copied_abilities_add or r.d:  # of several copied at once the first takes the place
                    out.append(r.a)
                else:
                    out = [r.a]
            elif r.word == "copy die":
                out = [r.a]
        elif r.word == "copy card" and is_effect_on_card(s, r, s.spec.card_of[d]):
            out.append(r.a)  # beside its own, which says what it copies next
    return out


_WHAT_IT_IS: Final = frozenset(
    ("copy die", "copy abilities", "copy combat", "has keyword", "loses keyword", "has affiliation")
)


def identity_effects(s: State, dice: list[int]) -> tuple[ActiveEffect, ...]:
    """Give what in force makes the dice what they are, which they lose when they leave the field."""
    if not s.active_effects:
        return ()
    return tuple([r for r in s.active_effects if r.word in _WHAT_IT_IS and r.subject < PLAYER and r.subject in dice])


HOLDING_RECORD: Final = "held"  # in what was when something happened: a die out of its place, and where it was


def holding_snapshot(s: State) -> tuple[ActiveEffect, ...]:
    """Note where all dice are that are captured, set aside or controlled: who comes back hears nothing of before."""
    return tuple(
        [ActiveEffect(HOLDING_RECORD, h.die, s.place[h.die], 0, -1, "end of turn", 0, NOBODY, -1) for h in s.holdings]
    )


def name_choice_of(s: State, c: int) -> str:
    """Give what a card has named: a type, an affiliation or a card."""
    for ability, name in s.name_choices:
        if s.spec.abilities[ability].card == c:
            return name
    return "-"


def is_blanked(s: State, c: int) -> bool:
    """Tell whether the card's text is ignored: it has an affiliation that an active card silences (ai 32)."""
    if not s.spec.silences:
        return False
    affiliations = s.spec.cards[c].affiliations
    for sentence in s.spec.static_by_rule["text ignored"]:
        if name_choice_of(s, sentence.card) in affiliations and _have_text(s, sentence.card):
            COVERAGE.record(s, sentence.index)
            return True
    return False


def _have_text(s: State, c: int) -> list[int]:
    """List the dice in the field on which this card's text is printed or which copy it."""
    place = s.place
    for r in s.active_effects:
        if r.word in _COPIES_OF_TEXT:
            return [
                d for d in range(s.spec.n_dice) if place[d] >> 2 == FIELD and c in ability_sources_with_blanked(s, d)
            ]
    return [d for d in s.spec.dice_of[c] if place[d] >> 2 == FIELD]


_COPIES_OF_TEXT: Final = frozenset(("copy abilities", "copy die", "copy card"))


def may_be_active(s: State, sentence: CompiledAbility) -> bool:
    """Tell whether the sentence may be in force anywhere: its card always is, or one of its dice is there, or a copy may be."""
    if s.active_effects or sentence.scope == "card" or s.spec.lends_keywords:
        return True
    for d in s.spec.dice_of[sentence.card]:
        if s.place[d] >> 2 == FIELD:
            return True
    return False


def dice_with_ability(s: State, c: int, without: tuple[int, ...] = ()) -> list[int]:
    """List the dice in the field that have this card's text."""
    found = _have_text(s, c)
    if s.spec.silences:
        found = [d for d in found if not is_blanked(s, effective_card(s, d))]
    s.sort_equivalent(found)
    if without:
        return [d for d in found if d not in without]
    return found


def is_character(s: State, d: int) -> bool:
    """Tell whether the die is a character die where it lies (rules 1.2, 2.2)."""
    t = s.spec
    p = s.place[d] >> 2
    sidekick = t.card_of[d] < t.n_seats
    if p == FIELD:
        return t.kinds[t.face_base[d] + s.face[d]] == CHARACTER
    if p == RESERVE:
        if t.kinds[t.face_base[d] + s.face[d]] != CHARACTER:
            return False
        return not sidekick or t.edition.reserve_sidekick_is_character
    if sidekick:
        return t.edition.unrolled_sidekick_is_character
    return t.is_character_die[d]


def effective_face(s: State, d: int) -> int:
    """Give the face the die counts as showing: its own unless it counts as another level."""
    t = s.spec
    i = t.face_base[d] + s.face[d]
    for r in s.active_effects:
        if r.word == "counts as level" and r.subject == d and t.levels[i]:
            return t.copied_face(t.card_of[d], r.a)
    return i


def level(s: State, d: int) -> int:
    return s.spec.levels[effective_face(s, d) if s.active_effects else s.spec.face_base[d] + s.face[d]]


def shown_level(s: State, d: int) -> int:
    """Give the level of the face that lies up, which is what is spun."""
    return s.spec.levels[s.spec.face_base[d] + s.face[d]]


def top_level(s: State, d: int) -> int:
    return s.spec.top_level[d]


def card_under(s: State, d: int) -> int:
    """Give the card an action die was put on, or -1."""
    for r in s.active_effects:
        if r.word == "on card" and r.subject == d:
            return r.a
    return -1


def partner_of(s: State, d: int) -> int:
    for x, y, _ in s.pairs:
        if x == d:
            return y
        if y == d:
            return x
    return NOBODY


def attached_to(s: State, d: int) -> list[int]:
    """Give the die that an action die lies on."""
    return [h.holder for h in s.holdings if h.kind == "attach" and h.die == d]


def shares_type(s: State, a: int, b: int) -> bool:
    types = s.spec.cards[effective_card(s, b)].energy
    return any(e in types for e in s.spec.cards[effective_card(s, a)].energy)


def faces_card(s: State, d: int) -> int:
    """Give the card whose faces the die has: its own unless it has become a copy with them."""
    c = own = s.spec.card_of[d]
    for r in s.active_effects:
        if (r.word == "copy die" and r.subject == d) or (
            r.word == "copy card" and r.d and is_effect_on_card(s, r, own)
        ):
            c = copied_faces_card(r)
    return c


def copied_faces_card(r: ActiveEffect) -> int:
    """Give the card whose faces a copy brings: what it copies may be another card and have kept its own (avx 82)."""
    return r.d - 1 if r.word == "copy die" and r.d else r.a


def printed_cost(s: State, d: int) -> int:
    """Give the printed purchase cost; a Sidekick's is 0 (rules 1.2, 10.8)."""
    for r in s.active_effects:
        if r.word == "copy card" and is_effect_on_card(s, r, s.spec.card_of[d]):
            return s.spec.cards[s.spec.card_of[d]].cost  # it keeps its own
        if r.word == "copy die" and r.subject == d:
            return s.spec.cards[copied_faces_card(r)].cost
    return s.spec.cards[effective_card(s, d)].cost


def starting_life(s: State, side: int) -> int:
    """Give the life a side began with, which is the most it can have (rules 4.3)."""
    return min(s.max_life, s.spec.start_lives[side])


# --- characters in the field ---------------------------------------------------------------------------------------


def fielded_characters(s: State, seat: int) -> list[int]:
    """List the character dice in the seat's field."""
    t = s.spec
    found: list[int] = [d for d in s.iter_zone(FIELD, seat) if t.kinds[t.face_base[d] + s.face[d]] == CHARACTER]
    s.sort_equivalent(found)
    return found


def fielded_by_side(s: State, seat: int) -> list[int]:
    """List the character dice in the fields of the seat and its partner."""
    return [d for x in s.spec.sides[seat] for d in fielded_characters(s, x)]


def is_unrolled(place: int) -> bool:
    return place in (BAG, PREP, USED, HAND)
