"""Static rules: which texts are in force, and which rules they impose on a die or player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicemasters.game.queries.die_identity import (
    COVERAGE,
    _is_card_of,
    face_of,
    fielded,
    has_text,
    holders,
    identity,
    is_silent,
    may_be_in_force,
    partner_of,
    texts,
)
from dicemasters.game.state.constants import FIELD, OF_CARD, PLAYER
from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, NOTHING, Happening, Record

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import Sentence, StandingRule


def context(ability: int, you: int, this: int, event: Happening = NOTHING, burst: int = 0) -> Running:
    return Running(ability, you, this, burst, 0, event)


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


def can_field(s: State, d: int) -> bool:
    """Tell whether no rule keeps the die out of the field."""
    return not s.table.fielding_rules or not is_ruled(s, "cannot field", d)
