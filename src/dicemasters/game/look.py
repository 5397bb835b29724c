"""Reading a position: what a die is, what its numbers are, which rules are in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from dicemasters.cards.rows import RULES
from dicemasters.game.frames import NOTHING, Happening, Record, Running
from dicemasters.game.state import (
    ATTACKING,
    BAG,
    BLOCKED,
    COMPILED,
    FIELD,
    HALF_SPENT,
    HAND,
    HURT,
    NOBODY,
    OF_CARD,
    PERSON,
    PLAYER,
    PREP,
    RESERVE,
    ROLL,
    ROLLED,
    USED,
    State,
)

if TYPE_CHECKING:
    from dicemasters.game.sentence import Sentence, StandingRule

# what a face shows
ENERGY: Final = 0
CHARACTER: Final = 1
ACTION: Final = 2


@final
class Coverage:
    """Notes which abilities have made something happen, by card key and position; off unless somebody asks."""

    def __init__(self) -> None:
        self.happened: set[tuple[str, int]] | None = None

    def note(self, s: State, ability: int) -> None:
        if self.happened is not None and ability >= 0:
            sentence = s.table.sentences[ability]
            self.happened.add((s.table.cards[sentence.card].key, sentence.position))

    def note_keyword(self, s: State, c: int, name: str) -> None:
        if self.happened is not None:
            card = s.table.cards[c]
            self.happened.update((card.key, i) for i, a in enumerate(card.abilities) if a.keyword == name)


COVERAGE: Final = Coverage()


def context(ability: int, you: int, this: int, event: Happening = NOTHING, burst: int = 0) -> Running:
    return Running(ability, you, this, burst, 0, event)


# --- what a die is -------------------------------------------------------------------------------------------------


def opponent_of(seat: int) -> int:
    """Give the seat across the table: seats 0 and 2 are one side, 1 and 3 the other (docs/doubles.md)."""
    return seat ^ 1


def player_by_turn(s: State, n: int) -> int:
    """Give the n-th of all players, those whose turn it is first; NOBODY if there are not so many."""
    sides = s.table.sides
    seats = (*sides[s.active], *sides[opponent_of(s.active)])
    return seats[n] if n < len(seats) else NOBODY


# rules about what one player may do; the others about players are about their life, which partners share
PERSONAL: Final = frozenset(word for word, row in RULES.items() if row.personal)


def persons(s: State, word: str, players: list[int], you: int) -> list[int]:
    """Give whom a rule of this word given to players is for: of one's own side oneself alone, of the other both."""
    if s.table.n_seats == 2 or word not in PERSONAL:
        return players
    out: list[int] = []
    for x in players:
        out += [PERSON + you] if x == PLAYER + (you & 1) else [PERSON + seat for seat in s.table.sides[x - PLAYER]]
    return out


def given_to(s: State, d: int) -> list[int]:
    """List those to whom a die has given something, as they lie in the field, whatever the order they were given it in."""
    subjects = [r.subject for r in s.records if r.source == d and r.subject != NOBODY and r.word != "spared"]
    subjects = list(dict.fromkeys(subjects))
    inside = s.in_field_order(subjects)
    return inside + [x for x in subjects if x not in inside]


def is_gone(s: State, ctx: Running) -> bool:
    """Tell whether the character die whose text it is has left the field; of a while-active text, every die of its card."""
    d, t = ctx.this, s.table
    if d >= PLAYER or not t.is_character_die[d] or s.place[d] >> 2 == FIELD:
        return False
    if ctx.ability < 0 or t.sentences[ctx.ability].scope != "active":
        return True
    return not any(t.card_of[x] == t.card_of[d] for x in fielded(s, ctx.you))


def identity(s: State, d: int) -> int:
    """Give the card whose name, type and affiliations the die has: its own unless it has become a copy."""
    c = own = s.table.card_of[d]
    for r in s.records:
        if (r.word == "copy die" and r.subject == d) or (r.word == "copy card" and _is_card_of(s, r, own)):
            c = r.a
    return c


def _is_card_of(s: State, r: Record, c: int) -> bool:
    """Tell whether what the record says concerns all dice of the card."""
    return r.subject == NOBODY and s.table.sentences[r.ability].card == c


def texts(s: State, d: int) -> list[int]:
    """List the cards whose abilities the die has."""
    if s.table.silences and is_silent(s, identity(s, d)):
        return []  # a copied text is the copier's, and goes with the rest of its text (docs/rulings.md)
    return texts_even_silent(s, d)


def has_text(s: State, d: int, c: int) -> bool:
    """Tell whether the die has the card's abilities."""
    if s.records or s.table.silences:
        return c in texts(s, d)
    return s.table.card_of[d] == c


def texts_even_silent(s: State, d: int) -> list[int]:
    """List the cards whose abilities are printed on or copied by the die (rules 5.13c)."""
    out = [s.table.card_of[d]]
    for r in s.records:
        if r.subject == d:
            if r.word == "copy abilities":
                if s.table.edition.copied_abilities_add or r.d:  # of several copied at once the first takes the place
                    out.append(r.a)
                else:
                    out = [r.a]
            elif r.word == "copy die":
                out = [r.a]
        elif r.word == "copy card" and _is_card_of(s, r, s.table.card_of[d]):
            out.append(r.a)  # beside its own, which says what it copies next
    return out


_WHAT_IT_IS: Final = frozenset(
    ("copy die", "copy abilities", "copy combat", "has keyword", "loses keyword", "has affiliation")
)


def what_they_are(s: State, dice: list[int]) -> tuple[Record, ...]:
    """Give what in force makes the dice what they are, which they lose when they leave the field."""
    if not s.records:
        return ()
    return tuple([r for r in s.records if r.word in _WHAT_IT_IS and r.subject < PLAYER and r.subject in dice])


HELD: Final = "held"  # in what was when something happened: a die out of its place, and where it was


def where_held(s: State) -> tuple[Record, ...]:
    """Note where all dice are that are captured, set aside or controlled: who comes back hears nothing of before."""
    return tuple([Record(HELD, h.die, s.place[h.die], 0, -1, "end of turn", 0, NOBODY, -1) for h in s.holdings])


def named_by(s: State, c: int) -> str:
    """Give what a card has named: a type, an affiliation or a card."""
    for ability, name in s.named:
        if s.table.sentences[ability].card == c:
            return name
    return "-"


def is_silent(s: State, c: int) -> bool:
    """Tell whether the card's text is ignored: it has an affiliation that an active card silences (ai 32)."""
    if not s.table.silences:
        return False
    affiliations = s.table.cards[c].affiliations
    for sentence in s.table.standing["text ignored"]:
        if named_by(s, sentence.card) in affiliations and _have_text(s, sentence.card):
            COVERAGE.note(s, sentence.index)
            return True
    return False


def _have_text(s: State, c: int) -> list[int]:
    """List the dice in the field on which this card's text is printed or which copy it."""
    place = s.place
    for r in s.records:
        if r.word in _COPIES_OF_TEXT:
            return [d for d in range(s.table.n_dice) if place[d] >> 2 == FIELD and c in texts_even_silent(s, d)]
    return [d for d in s.table.dice_of[c] if place[d] >> 2 == FIELD]


_COPIES_OF_TEXT: Final = frozenset(("copy abilities", "copy die", "copy card"))


def may_be_in_force(s: State, sentence: Sentence) -> bool:
    """Tell whether the sentence may be in force anywhere: its card always is, or one of its dice is there, or a copy may be."""
    if s.records or sentence.scope == "card" or s.table.lends_keywords:
        return True
    for d in s.table.dice_of[sentence.card]:
        if s.place[d] >> 2 == FIELD:
            return True
    return False


def holders(s: State, c: int, without: tuple[int, ...] = ()) -> list[int]:
    """List the dice in the field that have this card's text."""
    found = _have_text(s, c)
    if s.table.silences:
        found = [d for d in found if not is_silent(s, identity(s, d))]
    s.order_like(found)
    if without:
        return [d for d in found if d not in without]
    return found


def is_character(s: State, d: int) -> bool:
    """Tell whether the die is a character die where it lies (rules 1.2, 2.2)."""
    t = s.table
    p = s.place[d] >> 2
    sidekick = t.card_of[d] < t.n_seats
    if p == FIELD:
        return t.kinds[t.m6[d] + s.face[d]] == CHARACTER
    if p == RESERVE:
        if t.kinds[t.m6[d] + s.face[d]] != CHARACTER:
            return False
        return not sidekick or t.edition.reserve_sidekick_is_character
    if sidekick:
        return t.edition.unrolled_sidekick_is_character
    return t.is_character_die[d]


def is_sidekick(s: State, d: int) -> bool:
    """Tell whether it is a Sidekick, or an Ally in the field (rules 6.1)."""
    t = s.table
    if t.card_of[d] < t.n_seats or (s.records and identity(s, d) < t.n_seats):  # itself, or as a copy of one
        return True
    return s.place[d] >> 2 == FIELD and has_keyword(s, d, "Ally")


def face_of(s: State, d: int) -> int:
    """Give the face the die counts as showing: its own unless it counts as another level."""
    t = s.table
    i = t.m6[d] + s.face[d]
    for r in s.records:
        if r.word == "counts as level" and r.subject == d and t.levels[i]:
            return t.copied_face(t.card_of[d], r.a)
    return i


def level(s: State, d: int) -> int:
    return s.table.levels[face_of(s, d) if s.records else s.table.m6[d] + s.face[d]]


def face_level(s: State, d: int) -> int:
    """Give the level of the face that lies up, which is what is spun."""
    return s.table.levels[s.table.m6[d] + s.face[d]]


def top_level(s: State, d: int) -> int:
    return s.table.top_level[d]


def burst(s: State, d: int) -> int:
    if d >= PLAYER:
        return 0
    i = face_of(s, d)
    for r in s.records:
        if r.word == "copy burst" and covers(s, r, d):
            return r.a
        if r.word == "copy card" and r.d and _is_card_of(s, r, s.table.card_of[d]) and s.table.levels[i]:
            return s.table.bursts[s.table.copied_face(r.a, s.table.levels[i])]
    return s.table.bursts[i]


def blockers_of(s: State, attacker: int) -> list[int]:
    return [b for b, a in s.blocks if a == attacker]


def blocked_by(s: State, blocker: int) -> list[int]:
    return [a for b, a in s.blocks if b == blocker]


def is_blocking(s: State, d: int) -> bool:
    """Tell whether the die blocks; whom it blocked may be gone."""
    for b, _ in s.blocks:
        if b == d:
            return True
    return d < PLAYER and s.flags[d] & (ATTACKING | BLOCKED) == BLOCKED


def is_engaged(s: State, d: int) -> bool:
    for b, a in s.blocks:
        if b == d or a == d:
            return True
    return False


def lies_on(s: State, d: int) -> int:
    """Give the card an action die was put on, or -1."""
    for r in s.records:
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


def touched_by(s: State, d: int) -> list[int]:
    """Give the die that an action die lies on."""
    return [h.holder for h in s.holdings if h.kind == "attach" and h.die == d]


def shares_type(s: State, a: int, b: int) -> bool:
    types = s.table.cards[identity(s, b)].energy
    return any(e in types for e in s.table.cards[identity(s, a)].energy)


def has_affiliation(s: State, d: int, name: str) -> bool:
    t = s.table
    if name in t.cards[identity(s, d)].affiliations:
        return t.is_character_die[d]
    return _given(s, d, "has affiliation", name)


def has_keyword(s: State, d: int, name: str) -> bool:
    """Tell whether the die has the keyword, printed or given, and has not lost it."""
    if name not in s.table.keywords_at_table:
        return False
    has = False
    for c in texts(s, d):
        if name in s.table.keywords[c]:
            has = True
            if COVERAGE.happened is not None:
                COVERAGE.note_keyword(s, c, name)
    if not has:
        has = _given(s, d, "has keyword", name)
    if not has and s.table.lends_keywords:
        lenders = _lenders(s, d)
        has = any(name in s.table.keywords[c] for x in lenders for c in texts(s, x))
        has = has or any(_given(s, x, "has keyword", name) for x in lenders)
    return has and not _given(s, d, "loses keyword", name)


def keyword_from(s: State, d: int, name: str) -> int:
    """Give the card from which a die that has the keyword has it: its own, a copied one, or one that gives it."""
    for c in texts(s, d):
        if name in s.table.keywords[c]:
            return c
    for r in s.records:
        if r.word == "has keyword" and s.table.rules[r.rule].text == name and covers(s, r, d):
            return s.table.sentences[r.ability].card
    for rule, ctx in standing(s, "has keyword"):
        if rule.text == name and rule.who.holds(s, d, ctx):
            return s.table.sentences[ctx.ability].card
    return next((c for x in _lenders(s, d) for c in texts(s, x) if name in s.table.keywords[c]), -1)


def _lenders(s: State, d: int) -> list[int]:
    """List the characters whose keyword abilities the die has."""
    if s.place[d] >> 2 != FIELD:
        return []
    out: list[int] = []
    for rule, ctx, _, _ in rules_about(s, "has keywords of", d):
        if rule is not None and rule.by is not None:
            every = [x for seat in range(s.table.n_seats) for x in fielded(s, seat)]
            out += [x for x in every if x != d and rule.by.holds(s, x, ctx)]
    return out


def fights_like(s: State, d: int, sentence: Sentence) -> bool:
    """Tell whether the die has taken over the combat abilities of the card, and this is one (uxm 107)."""
    if not s.records or not sentence.fights or (s.table.silences and is_silent(s, identity(s, d))):
        return False
    return any(r.word == "copy combat" and r.subject == d and r.a == sentence.card for r in s.records)


def in_force(s: State) -> list[int]:
    """List the action dice whose effect lasts: what they gave, what they hold, those that stay in the field."""
    t = s.table
    dice = [r.source for r in s.records]
    dice += [h.die if h.kind == "attach" else h.holder for h in s.holdings]
    dice += [d for seat in range(t.n_seats) for d in s.dice_in(FIELD, seat)]
    return list(dict.fromkeys(d for d in dice if d < PLAYER and not t.is_character_die[d]))


def borrows(s: State, d: int, sentence: Sentence) -> bool:
    """Tell whether the die has a keyword ability of another card; the same ability of several cards it has once."""
    if not sentence.keyword or not s.table.lends_keywords or has_text(s, d, sentence.card):
        return False
    lent = {c for x in _lenders(s, d) for c in texts(s, x)}
    if sentence.card not in lent:
        return False
    own = texts(s, d)
    for other in s.table.sentences:
        if other.keyword == sentence.keyword and other.ability == sentence.ability and other is not sentence:
            if other.card in own or (other.card in lent and other.index < sentence.index):
                return False
    return True


def was_given(s: State, d: int, sentence: Sentence) -> bool:
    """Tell whether the die has the keyword's text from this card, and none of its own."""
    t = s.table
    if any(sentence.keyword in t.keywords[c] for c in texts(s, d)):
        return False
    gifts = [r for r in s.records if r.word == "has keyword" and t.rules[r.rule].text == sentence.keyword]
    return any(t.sentences[r.ability].card == sentence.card and covers(s, r, d) for r in gifts)


def is_deprived(s: State, d: int, name: str) -> bool:
    """Tell whether the die has lost the keyword, and with it what its text says under that name."""
    if not s.records and "loses keyword" not in s.table.standing:
        return False
    return _given(s, d, "loses keyword", name)


def _given(s: State, d: int, word: str, text: str) -> bool:
    for r in s.records:
        if r.word == word and s.table.rules[r.rule].text == text and covers(s, r, d):
            return True
    for rule, ctx in standing(s, word):
        if rule.text == text and rule.who.holds(s, d, ctx):
            COVERAGE.note(s, ctx.ability)
            return True
    return False


# --- rules in force ------------------------------------------------------------------------------------------------


def covers(s: State, r: Record, d: int) -> bool:
    """Tell whether a record concerns the die: it was given to it, or describes it."""
    if r.subject != NOBODY:
        return r.subject == d
    if r.rule < 0:
        return False  # something said for later, about nobody yet
    rule = s.table.rules[r.rule]
    # what dice of a card have copied they keep under another's control (rules 5.13b1)
    is_lent = r.word[:4] == "copy" and s.owner[d] == r.you and s.place[d] >> 2 == FIELD
    if not rule.who.holds(s, d, context(r.ability, s.place[d] & 3 if is_lent else r.you, r.source)):
        return False
    return "would be affected" not in s.table.woulds or not _is_spared(s, r, d)


def _is_spared(s: State, r: Record, d: int) -> bool:
    """Tell whether the die has paid not to be affected by what the record says of all of a sort (avx 16)."""
    return any(
        x.word == "spared" and x.subject == d and x.source == r.source and x.ability == r.ability for x in s.records
    )


def contexts(s: State, sentence: Sentence, without: tuple[int, ...] = ()) -> list[Running]:
    """List where a sentence is in force now: once for each die, or for each player whose card is active."""
    t = s.table
    index = sentence.index
    scope = sentence.scope
    if scope == "card":
        return _contexts_of_card(s, sentence)
    if not may_be_in_force(s, sentence):
        return []
    dice = holders(s, sentence.card, without)
    out: list[Running] = []
    if sentence.keyword and t.lends_keywords:
        every = [d for seat in range(t.n_seats) for d in fielded(s, seat) if d not in without]
        guests = [d for d in every if d not in dice and borrows(s, d, sentence)]
        s.order_like(guests)
        if scope == "active":  # another card has it too, which is active for itself
            first = {(t.card_of[d], s.place[d] & 3): d for d in reversed(guests)}
            out = [context(index, s.place[d] & 3, d, NOTHING, burst(s, d)) for d in first.values()]
        else:
            dice = [*dice, *guests]
    if sentence.fights and s.records:
        dice = [
            *dice,
            *(r.subject for r in s.records if r.word == "copy combat" and fights_like(s, r.subject, sentence)),
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
        out.append(context(index, s.place[d] & 3, d, NOTHING, burst(s, d)))
    return out


def _contexts_of_active(s: State, index: int, dice: list[int]) -> list[Running]:
    """List a while-active text once for each character of a player that has it, by one of its dice (rules 5.5, 5.13c)."""
    out: list[Running] = []
    for seat in range(s.table.n_seats):
        mine = [d for d in dice if s.place[d] & 3 == seat]
        while mine:
            c = identity(s, mine[0])
            same = [d for d in mine if identity(s, d) == c] if s.records or s.holdings else mine
            mine = [d for d in mine if d not in same]
            shown = max([burst(s, d) for d in same])  # any of its dice may show the burst (docs/rulings.md)
            out.append(context(index, seat, _who_may_hurt(s, same), NOTHING, shown))
    return out


def _who_may_hurt(s: State, dice: list[int]) -> int:
    """Give the first of like dice that nothing keeps from dealing damage, which their text may deal; else the first."""
    kept = [r.subject for r in s.records if r.word == "deals no damage"] if len(dice) > 1 else []
    return next((d for d in dice if d not in kept), dice[0])


def _contexts_of_card(s: State, sentence: Sentence) -> list[Running]:
    """List for whom a text that needs no die in the field is in force: its owner, and who has it by a copy or by control.

    A copy of a card is like the card: its dice have the text wherever they lie. A die that copies has it in the field.
    """
    t = s.table
    c, index = sentence.card, sentence.index
    owner = t.owner_of_card[c]
    silent = is_silent(s, c)
    out: list[Running] = []
    if not silent:
        out = [context(index, seat, NOBODY) for seat in (range(t.n_seats) if owner < 0 else (owner,))]
    if owner < 0 or (not s.records and not s.holdings):
        return out
    seen = [(owner, c)]
    for r in s.records:
        if r.word == "copy card" and r.a == c and not silent:  # its dice have the named card's affiliations too
            seen.append((r.you, t.sentences[r.ability].card))
            out.append(context(index, r.you, NOBODY))
    for d in holders(s, c):
        whose = (s.place[d] & 3, t.card_of[d])
        if whose not in seen:
            seen.append(whose)
            out.append(context(index, whose[0], d, NOTHING, burst(s, d)))
    return out


def whose_text(s: State, ctx: Running) -> int:
    """Give what stands in `spent` for the character that has a text: its player, and the card if it has it from another."""
    if ctx.this >= PLAYER or s.table.card_of[ctx.this] == s.table.sentences[ctx.ability].card:
        return ctx.you
    return OF_CARD + s.table.card_of[ctx.this] * 4 + ctx.you


def card_of_text(s: State, ctx: Running) -> int:
    """Give the card that a text means by itself, as that which holds counters: its own, or the copier's (rules 5.13c)."""
    t = s.table
    c = t.sentences[ctx.ability].card
    if ctx.this < PLAYER:
        return t.card_of[ctx.this]
    for r in s.records if ctx.you != t.owner_of_card[c] else ():
        if r.word == "copy card" and r.a == c and r.you == ctx.you:
            return t.sentences[r.ability].card
    return c


def standing(s: State, word: str) -> list[tuple[StandingRule, Running]]:
    """List the standing rules of this word that are in force, each with its context."""
    sentences = s.table.standing.get(word)
    return [] if sentences is None else in_force_of(s, sentences, word)


def in_force_of(s: State, sentences: list[Sentence], word: str) -> list[tuple[StandingRule, Running]]:
    """List the rules of this word that are in force of these sentences, each with its context."""
    out: list[tuple[StandingRule, Running]] = []
    for sentence in sentences:
        if not may_be_in_force(s, sentence):
            continue
        for ctx in contexts(s, sentence):
            condition = sentence.condition
            if sentence.lift is not None and (sentence.index, whose_text(s, ctx)) in s.spent:
                continue  # the opponent has paid to be rid of it this turn
            if condition is None or condition.asked(s, ctx):
                for rule in sentence.rules[ctx.burst]:
                    if rule.word == word:
                        out.append((rule, ctx))
    return out


def counted(s: State, c: Running) -> int:
    """Give how much damage this turn a sentence that speaks of the first so much has met already, for its die."""
    for r in s.records:
        if r.word == "counted" and r.subject == c.this and r.ability == c.ability:
            return r.a
    return 0


def rules_about(s: State, word: str, d: int) -> list[tuple[StandingRule | None, Running, int, int]]:
    """List the rules of this word that concern the die, standing and given, with their numbers."""
    out: list[tuple[StandingRule | None, Running, int, int]] = []
    if s.records and word in s.table.rule_words:
        for r in s.records:
            if r.word == word and covers(s, r, d):
                rule = s.table.rules[r.rule] if r.rule >= 0 else None
                out.append((rule, context(r.ability, r.you, r.source), r.a, r.d))
    sentences = s.table.standing.get(word)
    if sentences is not None:
        for rule, ctx in in_force_of(s, sentences, word):
            if rule.who.holds(s, d, ctx):
                if COVERAGE.happened is not None:
                    COVERAGE.note(s, ctx.ability)
                out.append((rule, ctx, rule.a.worth(s, ctx), rule.d.worth(s, ctx)))
    return out


def is_ruled(s: State, word: str, d: int) -> bool:
    """Tell whether some rule of this word concerns the die."""
    t = s.table
    if word not in t.rule_words or (not s.records and word not in t.standing):
        return False  # which spares to make a list of none
    return bool(rules_about(s, word, d))


def can_be_kod(s: State, d: int) -> bool:
    """Tell whether an effect could KO the die: no rule forbids it, and Iron Will asks for earlier damage (rules 6.11)."""
    if is_ruled(s, "cannot be KO'd", d):
        return False
    return s.flags[d] & HURT != 0 or not has_keyword(s, d, "Iron Will")


def may_block(s: State, blocker: int, attacker: int) -> bool:
    """Tell whether the block is allowed."""
    for rule, ctx, _, _ in rules_about(s, "cannot be blocked", attacker):
        if rule is None or rule.by is None or rule.by.holds(s, blocker, ctx):
            return False
    return True


def could_block(s: State, blocker: int, attacker: int) -> bool:
    """Tell whether a die can be assigned to block another: nobody is made to pay for it (rules 10.9)."""
    if is_ruled(s, "cannot declare blockers", s.table.person + (s.place[blocker] & 3)):
        return False
    return not is_ruled(s, "cannot block", blocker) and may_block(s, blocker, attacker)


def is_protected(s: State, d: int, kind: str, seat: int) -> bool:
    """Tell whether a rule keeps the die from being targeted by this kind of thing ("action", "global") of this player."""
    for rule, ctx, _, _ in rules_about(s, "cannot be targeted", d):
        if rule is not None and (not rule.text or kind in rule.text.split()):
            if rule.by is None or rule.by.holds(s, PLAYER + (seat & 1), ctx):
                return True
    return False


def is_banned(s: State, seat: int, kind: str) -> bool:
    """Tell whether a rule keeps the player from using an "action" die or a "global"."""
    if not s.table.bans:
        return False
    banned = rules_about(s, "cannot use", s.table.person + seat)
    return any(rule is not None and kind in rule.text.split() for rule, _, _, _ in banned)


# --- numbers -------------------------------------------------------------------------------------------------------


def stats(s: State, d: int) -> tuple[int, int]:
    """Give A and D as they are now.

    Printed (or copied) numbers first; then what was applied, in the order it was applied, where an exchange moves
    what was applied before it (rules 5.4); then standing additions, then standing multiplications; never below 0.
    """
    if s.table.standing_stats and s.place[d] >> 2 == FIELD:  # rules reach dice in the field (rules 5.3a)
        return stats_by(s, d, stat_rules(s))
    return stats_by(s, d, NO_STAT_RULES)


StatRules = tuple[list[tuple["StandingRule", Running]], list[tuple["StandingRule", Running]]]
NO_STAT_RULES: Final[StatRules] = ([], [])


def stat_rules(s: State) -> StatRules:
    """List the standing rules about A and D that are in force: what adds, and what multiplies."""
    return in_force_of(s, s.table.adding, "gets"), in_force_of(s, s.table.multiplying, "multiplies")


def stats_by(s: State, d: int, in_force: StatRules) -> tuple[int, int]:
    """Give A and D as they are where these are the standing rules about them."""
    a, de = applied_stats(s, d)
    adding, multiplying = in_force
    for rule, ctx in adding:
        if rule.who.holds(s, d, ctx):
            if COVERAGE.happened is not None:
                COVERAGE.note(s, ctx.ability)
            a += rule.a.worth(s, ctx)
            de += rule.d.worth(s, ctx)
    for rule, ctx in multiplying:
        if rule.who.holds(s, d, ctx):
            if COVERAGE.happened is not None:
                COVERAGE.note(s, ctx.ability)
            a *= rule.a.worth(s, ctx)
            de *= rule.d.worth(s, ctx)
    return (a if a > 0 else 0), (de if de > 0 else 0)


def numbers(s: State, d: int) -> tuple[int, int, int]:
    """Give fielding cost, A and D as printed on the face the die counts as showing, or as copied (rules 5.13c)."""
    t = s.table
    if not s.records:
        i = t.m6[d] + s.face[d]
        return t.costs[i], t.attack[i], t.defence[i]
    i = face_of(s, d)
    cost, a, de = t.costs[i], t.attack[i], t.defence[i]
    for r in s.records:
        word = r.word
        if word == "copy die" or word == "copy card":
            if r.subject == d if word == "copy die" else r.d and _is_card_of(s, r, t.card_of[d]):
                j = t.copied_face(copied_faces(r), t.levels[i])
                cost, a, de = t.costs[j], t.attack[j], t.defence[j]
        elif word in _COPIED and covers(s, r, d):
            if word == "copy stats":
                a, de = r.a, r.d
            else:
                cost = r.a
    return cost, a, de


_COPIED: Final = frozenset(("copy stats", "copy cost"))


def applied_stats(s: State, d: int) -> tuple[int, int]:
    """Give A and D without standing bonuses: printed or copied, and what was applied."""
    if not s.records:
        i = s.table.m6[d] + s.face[d]
        return s.table.attack[i], s.table.defence[i]
    _, a, de = numbers(s, d)
    for r in s.records:
        if r.subject == d or r.subject == NOBODY:
            w = r.word
            if w in STAT_WORDS and covers(s, r, d):
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


def faces_of(s: State, d: int) -> int:
    """Give the card whose faces the die has: its own unless it has become a copy with them."""
    c = own = s.table.card_of[d]
    for r in s.records:
        if (r.word == "copy die" and r.subject == d) or (r.word == "copy card" and r.d and _is_card_of(s, r, own)):
            c = copied_faces(r)
    return c


def copied_faces(r: Record) -> int:
    """Give the card whose faces a copy brings: what it copies may be another card and have kept its own (avx 82)."""
    return r.d - 1 if r.word == "copy die" and r.d else r.a


def printed_cost(s: State, d: int) -> int:
    """Give the printed purchase cost; a Sidekick's is 0 (rules 1.2, 10.8)."""
    for r in s.records:
        if r.word == "copy card" and _is_card_of(s, r, s.table.card_of[d]):
            return s.table.cards[s.table.card_of[d]].cost  # it keeps its own
        if r.word == "copy die" and r.subject == d:
            return s.table.cards[copied_faces(r)].cost
    return s.table.cards[identity(s, d)].cost


def can_field(s: State, d: int) -> bool:
    """Tell whether no rule keeps the die out of the field."""
    return not s.table.fielding_rules or not is_ruled(s, "cannot field", d)


def most_life(s: State, side: int) -> int:
    """Give the life a side began with, which is the most it can have (rules 4.3)."""
    return min(s.max_life, s.table.start_lives[side])


def can_reroll(s: State, d: int) -> bool:
    """Tell whether the die is rolled and, where the edition says so, not half spent (rules 3.3a, 5.11).

    Who cannot reroll in the roll and reroll step cannot by the text of a card either (rules 5.1a).
    """
    rolled = s.place[d] >> 2 in (FIELD, RESERVE) or (s.place[d] >> 2 == PREP and s.flags[d] & ROLLED)
    if not rolled or s.table.is_token[d]:
        return False
    if s.step == ROLL and is_ruled(s, "cannot reroll", s.table.person + (s.place[d] & 3)):
        return False
    return s.table.edition.half_spent_reroll or not s.flags[d] & HALF_SPENT


def can_spin(s: State, d: int, levels: int) -> bool:
    """Tell whether the die can be spun that way at all; 0 asks for either way (rules 5.12)."""
    if d >= PLAYER or s.table.is_token[d]:
        return False
    at, top = face_level(s, d), top_level(s, d)
    if levels == 0:
        return top > 1
    return at < top if levels > 0 else at > 1


# --- characters in the field ---------------------------------------------------------------------------------------


def fielded(s: State, seat: int) -> list[int]:
    """List the character dice in the seat's field."""
    t = s.table
    found: list[int] = [d for d in s.each_in(FIELD, seat) if t.kinds[t.m6[d] + s.face[d]] == CHARACTER]
    s.order_like(found)
    return found


def fielded_by_side(s: State, seat: int) -> list[int]:
    """List the character dice in the fields of the seat and its partner."""
    return [d for x in s.table.sides[seat] for d in fielded(s, x)]


def attackers(s: State) -> list[int]:
    """List the attackers, card by card."""
    flags = s.flags
    found: list[int] = []
    for seat in s.table.sides[s.active]:
        mine: list[int] = [d for d in s.each_in(FIELD, seat) if flags[d] & ATTACKING]
        s.order_like(mine)
        found += mine
    return found


def is_anybody_attacking(s: State) -> bool:
    """Tell whether there are attackers."""
    if COMPILED:
        for d, flags in enumerate(s.flags):
            if flags & ATTACKING and s.place[d] >> 2 == FIELD and (s.place[d] ^ s.active) & 1 == 0:
                return True
        return False
    for seat in s.table.sides[s.active]:
        for x in s.all_in(FIELD, seat):
            if s.flags[x] & ATTACKING:
                return True
    return False


def is_unblocked(s: State, d: int) -> bool:
    return s.flags[d] & (ATTACKING | BLOCKED) == ATTACKING


def is_unrolled(place: int) -> bool:
    return place in (BAG, PREP, USED, HAND)
