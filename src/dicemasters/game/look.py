"""Reading a position: what a die is, what its numbers are, which rules are in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dicemasters.game.state import (
    ATTACKING,
    BAG,
    BLOCKED,
    FIELD,
    HAND,
    NOBODY,
    NOTHING,
    PLAYER,
    PREP,
    RESERVE,
    USED,
    Happening,
    Record,
    State,
)

if TYPE_CHECKING:
    from dicemasters.game.code import Sentence, StandingRule

ENERGY, CHARACTER, ACTION = 0, 1, 2  # what a face shows


class Running(NamedTuple):
    """An ability at work: who uses it, which die's text it is, and how far it has come.

    The same value is the context in which descriptions of dice are read.
    """

    kind: str
    ability: int
    you: int
    this: int
    burst: int = 0
    pc: int = 0
    event: Happening = NOTHING
    chosen: tuple[tuple[int, ...], ...] = ()
    paid: tuple[int, ...] = ()  # dice whose energy paid for it
    payer: int = NOBODY
    picked: tuple[int, ...] = ()  # of the choice under way
    given: int = 0  # dice given for the cost just paid
    spared: tuple[int, ...] = ()  # dice that paid not to be affected
    asked: tuple[int, ...] = ()  # dice that have been asked about that
    waiting: int = 0  # what the answer is for


def context(ability: int, you: int, this: int, event: Happening = NOTHING, burst: int = 0) -> Running:
    return Running("run", ability, you, this, burst, 0, event)


# --- what a die is -------------------------------------------------------------------------------------------------


def seat_of(s: State, d: int) -> int:
    """Give the seat on whose side the die lies: its controller, in the field."""
    return s.place[d] & 3


def other_side(seat: int) -> int:
    return 1 - (seat & 1)


def identity(s: State, d: int) -> int:
    """Give the card whose name, type and affiliations the die has: its own unless it has become a copy."""
    c = s.table.card_of[d]
    for r in s.records:
        if r.word == "copy die" and r.subject == d:
            c = r.a
    return c


def texts(s: State, d: int) -> list[int]:
    """List the cards whose abilities the die has (rules 5.13c)."""
    out = [s.table.card_of[d]]
    for r in s.records:
        if r.subject == d:
            if r.word == "copy abilities":
                if s.table.edition.copied_abilities_add:
                    out.append(r.a)
                else:
                    out = [r.a]
            elif r.word == "copy die":
                out = [r.a]
    return out


def holders(s: State, c: int, without: tuple[int, ...] = ()) -> list[int]:
    """List the dice in the field that have this card's text."""
    place = s.place
    copies = False
    for r in s.records:
        if r.word == "copy abilities" or r.word == "copy die":
            copies = True
    if copies:
        found = [d for d in range(s.table.n_dice) if place[d] >> 2 == FIELD and c in texts(s, d)]
    else:
        found = [d for d in s.table.dice_of[c] if place[d] >> 2 == FIELD]
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
    if t.card_of[d] < t.n_seats:
        return True
    return s.place[d] >> 2 == FIELD and has_keyword(s, d, "Ally")


def level(s: State, d: int) -> int:
    return s.table.levels[s.table.m6[d] + s.face[d]]


def top_level(s: State, d: int) -> int:
    return s.table.top_level[d]


def burst(s: State, d: int) -> int:
    if d >= PLAYER:
        return 0
    return s.table.bursts[s.table.m6[d] + s.face[d]]


def blockers_of(s: State, attacker: int) -> list[int]:
    return [b for b, a in s.blocks if a == attacker]


def blocked_by(s: State, blocker: int) -> list[int]:
    return [a for b, a in s.blocks if b == blocker]


def is_engaged(s: State, d: int) -> bool:
    for b, a in s.blocks:
        if b == d or a == d:
            return True
    return False


def partner_of(s: State, d: int) -> int:
    for x, y, _ in s.pairs:
        if x == d:
            return y
        if y == d:
            return x
    return NOBODY


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
    if not has:
        has = _given(s, d, "has keyword", name)
    return has and not _given(s, d, "loses keyword", name)


def _given(s: State, d: int, word: str, text: str) -> bool:
    for r in s.records:
        if r.word == word and s.table.rules[r.rule].text == text and covers(s, r, d):
            return True
    for rule, ctx in standing(s, word):
        if rule.text == text and rule.who(s, d, ctx):
            return True
    return False


# --- rules in force ------------------------------------------------------------------------------------------------


def covers(s: State, r: Record, d: int) -> bool:
    """Tell whether a record concerns the die: it was given to it, or describes it."""
    if r.subject != NOBODY:
        return r.subject == d
    rule = s.table.rules[r.rule]
    return rule.who(s, d, context(r.ability, r.you, r.source))


def contexts(s: State, sentence: Sentence, without: tuple[int, ...] = ()) -> list[Running]:
    """List where a sentence is in force now: once for each die, or for each player whose card is active."""
    t = s.table
    index = sentence.index
    scope = sentence.scope
    if scope == "card":
        owner = t.owner_of_card[sentence.card]
        if owner < 0:
            return [context(index, seat, NOBODY) for seat in range(t.n_seats)]
        return [context(index, owner, NOBODY)]
    dice = holders(s, sentence.card, without)
    if not dice:
        return []
    out: list[Running] = []
    if scope == "active":
        for seat in range(t.n_seats):
            mine = [d for d in dice if s.place[d] & 3 == seat]
            if mine:
                shown = 0
                for d in mine:
                    shown = max(shown, burst(s, d))  # any of its dice may show the burst (docs/rulings.md)
                out.append(context(index, seat, mine[0], NOTHING, shown))
        return out
    for d in dice:
        if scope != "pair" or partner_of(s, d) != NOBODY:
            out.append(context(index, s.place[d] & 3, d, NOTHING, burst(s, d)))
    return out


def standing(s: State, word: str) -> list[tuple[StandingRule, Running]]:
    """List the standing rules of this word that are in force, each with its context."""
    sentences = s.table.standing.get(word)
    if sentences is None:
        return []
    out: list[tuple[StandingRule, Running]] = []
    for sentence in sentences:
        for ctx in contexts(s, sentence):
            condition = sentence.condition
            if condition is None or condition(s, ctx):
                for rule in sentence.rules[ctx.burst]:
                    if rule.word == word:
                        out.append((rule, ctx))
    return out


def rules_about(s: State, word: str, d: int) -> list[tuple[StandingRule | None, Running, int, int]]:
    """List the rules of this word that concern the die, standing and given, with their numbers."""
    out: list[tuple[StandingRule | None, Running, int, int]] = []
    for r in s.records:
        if r.word == word and covers(s, r, d):
            rule = s.table.rules[r.rule] if r.rule >= 0 else None
            out.append((rule, context(r.ability, r.you, r.source), r.a, r.d))
    if word in s.table.standing:
        for rule, ctx in standing(s, word):
            if rule.who(s, d, ctx):
                out.append((rule, ctx, rule.a(s, ctx), rule.d(s, ctx)))
    return out


def is_ruled(s: State, word: str, d: int) -> bool:
    """Tell whether some rule of this word concerns the die."""
    if not s.records and word not in s.table.standing:
        return False
    return bool(rules_about(s, word, d))


# --- numbers -------------------------------------------------------------------------------------------------------


def stats(s: State, d: int) -> tuple[int, int]:
    """Give A and D as they are now.

    Printed (or copied) numbers first; then what was applied, in the order it was applied, where an exchange moves
    what was applied before it (rules 5.4); then standing additions, then standing multiplications; never below 0.
    """
    t = s.table
    i = t.m6[d] + s.face[d]
    a = t.attack[i]
    de = t.defence[i]
    if s.records:
        for r in s.records:
            if r.subject == d or r.subject == NOBODY:
                w = r.word
                if w == "copy die" and r.subject == d:
                    j = t.copied_face(r.a, t.levels[i])
                    a, de = t.attack[j], t.defence[j]
                elif w == "copy stats" and r.subject == d:
                    a, de = r.a, r.d
                elif w in _STAT_WORDS and covers(s, r, d):
                    if w == "gets":
                        a += r.a
                        de += r.d
                    elif w == "multiplies":
                        a *= r.a
                        de *= r.d
                    elif w == "becomes":
                        a, de = r.a, r.d
                    else:
                        a, de = de, a
    if t.standing_stats:
        for rule, ctx in standing(s, "gets"):
            if rule.who(s, d, ctx):
                a += rule.a(s, ctx)
                de += rule.d(s, ctx)
        for rule, ctx in standing(s, "multiplies"):
            if rule.who(s, d, ctx):
                a *= rule.a(s, ctx)
                de *= rule.d(s, ctx)
    return (a if a > 0 else 0), (de if de > 0 else 0)


_STAT_WORDS = frozenset(("gets", "multiplies", "becomes", "exchanges"))


def printed_cost(s: State, d: int) -> int:
    """Give the printed purchase cost; a Sidekick's is 0 (rules 1.2, 10.8)."""
    return s.table.cards[identity(s, d)].cost


def fielding_cost(s: State, d: int) -> int:
    """Give what fielding the die as it shows costs now."""
    t = s.table
    n = t.costs[t.m6[d] + s.face[d]]
    if s.records or "costs to field" in t.standing:
        for _, _, more, _ in rules_about(s, "costs to field", d):
            n += more
    return n if n > 0 else 0


def purchase_cost(s: State, c: int, buyer: int) -> int:
    """Give what a die of the card costs the buyer now; discounts stop at 1 or the number of types (rules 3.3b)."""
    t = s.table
    card = t.cards[c]
    n = card.cost
    if s.records or "costs to buy" in t.standing:
        d = t.dice_of[c][0]
        change = 0
        for r in s.records:
            if r.word == "costs to buy" and r.you & 1 == buyer & 1 and covers(s, r, d):
                change += r.a
        for rule, ctx in standing(s, "costs to buy"):
            if rule.who(s, d, ctx._replace(payer=buyer)):
                change += rule.a(s, ctx)
        if change:
            n = max(n + change, min(n, len(card.energy) or 1))
    return n


# --- characters in the field ---------------------------------------------------------------------------------------


def fielded(s: State, seat: int) -> list[int]:
    """List the character dice in the seat's field."""
    t = s.table
    return [d for d in s.dice_in(FIELD, seat) if t.kinds[t.m6[d] + s.face[d]] == CHARACTER]


def attackers(s: State) -> list[int]:
    flags = s.flags
    return [d for d in s.dice_in(FIELD, s.active) if flags[d] & ATTACKING]


def is_unblocked(s: State, d: int) -> bool:
    return s.flags[d] & (ATTACKING | BLOCKED) == ATTACKING


def is_unrolled(place: int) -> bool:
    return place in (BAG, PREP, USED, HAND)
