"""Words for rules: continuous effects on dice, costs and players."""

from __future__ import annotations

from typing import Annotated, Literal

from dicemasters.cards.language.description_words import this, you
from dicemasters.cards.language.metadata import BAD, BOTH, DEPENDS, GOOD, NEITHER, PLAYERS, RuleRow
from dicemasters.cards.language.node_types import (
    ALL,
    Affiliation,
    Amount,
    Change,
    Class,
    Keyword,
    Level,
    Many,
    Much,
    MuchOrNone,
    Number,
    Rule,
    Some,
    Sources,
    What,
    Where,
    _word,
)
from dicemasters.cards.language.signatures import Perhaps, Within


@_word(RuleRow("gets", stats=True, bears=DEPENDS, in_fights=True))
def gets(who: What, a: Amount = 0, d: Amount = 0) -> Rule:
    return Rule("gets", who, a, d)


@_word(RuleRow("multiplies", stats=True, in_order=True, bears=GOOD, in_fights=True))
def multiplies(who: What, a: Many = 1, d: Many = 1) -> Rule:
    return Rule("multiplies", who, a, d)


@_word(RuleRow("halves", standing=False, stats=True, in_order=True, bears=BAD, in_fights=True))
def halves(who: What) -> Rule:
    """Its A is halved, rounded down."""
    return Rule("halves", who)


@_word(RuleRow("becomes", standing=False, stats=True, in_order=True, bears=NEITHER, in_fights=True))
def becomes(who: What, a: MuchOrNone, d: MuchOrNone) -> Rule:
    """A and D are set to these numbers."""
    return Rule("becomes", who, a, d)


@_word(RuleRow("sets A", standing=False, stats=True, in_order=True, bears=DEPENDS, in_fights=True))
def sets_attack(who: What, a: MuchOrNone) -> Rule:
    """Its A is set to this number."""
    return Rule("sets A", who, a)


@_word(RuleRow("counts as level", standing=False, bears=DEPENDS, in_fights=True))
def counts_as_level(who: What, n: Level) -> Rule:
    """It has the numbers and bursts of that level, whatever its face."""
    return Rule("counts as level", who, n)


@_word(RuleRow("exchanges", standing=False, stats=True, in_order=True, bears=NEITHER, in_fights=True))
def exchanges_a_and_d(who: What) -> Rule:
    return Rule("exchanges", who)


@_word(RuleRow("cannot attack", fights=True, bears=BAD))
def cannot_attack(who: What, unless_life: Some = 0) -> Rule:
    """Not at all, or only if its player pays so much life as it is declared."""
    return Rule("cannot attack", who, a=unless_life)


@_word(RuleRow("may attack", bears=GOOD))
def may_attack(who: What) -> Rule:
    """It may attack though its own text says it cannot."""
    return Rule("may attack", who)


@_word(RuleRow("attacks again", about=PLAYERS, given=False, personal=True, bears=GOOD, in_fights=True))
def attacks_again(who: Where = you) -> Rule:
    """A player may have a second attack step after the first."""
    return Rule("attacks again", who)


@_word(RuleRow("must attack", fights=True, bears=BAD))
def must_attack(who: What) -> Rule:
    return Rule("must attack", who)


@_word(RuleRow("cannot block", fights=True, bears=BAD))
def cannot_block(who: What, unless_life: Some = 0) -> Rule:
    """Not at all, or only if its player pays so much life as it is declared."""
    return Rule("cannot block", who, a=unless_life)


@_word(RuleRow("must block", fights=True, bears=BAD))
def must_block(who: What) -> Rule:
    return Rule("must block", who)


@_word(RuleRow("must block this", of_die=True, bears=BAD))
def must_block_this(who: What) -> Rule:
    """They must block this die, if able."""
    return Rule("must block this", who)


@_word(RuleRow("must be blocked", fights=True, bears=NEITHER))
def must_be_blocked(who: What) -> Rule:
    """At least one die must block it, if able."""
    return Rule("must be blocked", who)


@_word(RuleRow("cannot declare blockers", about=PLAYERS, personal=True, bears=BAD))
def cannot_declare_blockers(who: Where) -> Rule:
    """A player cannot declare blockers."""
    return Rule("cannot declare blockers", who)


@_word(RuleRow("cannot use", about=PLAYERS, personal=True, bears=BAD))
def cannot_use(who: Where, *kinds: Literal["action", "global"]) -> Rule:
    """A player cannot use these: "action" dice, "global"s."""
    return Rule("cannot use", who, text=" ".join(kinds))


@_word(RuleRow("ability costs life", about=PLAYERS, personal=True, bears=BAD))
def ability_costs_life(who: Where, of: Class, n: Many) -> Rule:
    """A player must pay so much life for each use of an ability of a class ("when fielded"), else it does nothing."""
    return Rule("ability costs life", who, a=n, text=of)


@_word(RuleRow("cannot field", away=True, fielding=True, bears=BAD))
def cannot_field(who: Where) -> Rule:
    """Nobody can field these dice, nor can an effect."""
    return Rule("cannot field", who)


@_word(RuleRow("draws more", about=PLAYERS, personal=True, bears=GOOD))
def draws_more(who: Where, n: Annotated[int, Within(-4, 9, zero=False)]) -> Rule:
    """A player draws that many dice more in the Clear and Draw Step."""
    return Rule("draws more", who, a=n)


@_word(RuleRow("cannot be blocked", fights=True, bears=GOOD))
def cannot_be_blocked(who: What, by: Where | None = None) -> Rule:
    """By nobody at all, or not by those described."""
    return Rule("cannot be blocked", who, by=by)


@_word(RuleRow("blocked last", fights=True, bears=GOOD))
def blocked_last(who: What, after: Where) -> Rule:
    """Can be blocked only if all of the others are blocked too."""
    return Rule("blocked last", who, by=after)


@_word(RuleRow("blocked by at least", fights=True, bears=GOOD))
def blocked_by_at_least(who: What, n: Annotated[int, Within(2, ALL)]) -> Rule:
    return Rule("blocked by at least", who, a=n)


@_word(RuleRow("blocks more", fights=True, bears=GOOD))
def blocks_more(who: What, n: Many = 1, whom: Where | None = None) -> Rule:
    """May block up to n dice more than one (ALL: any number), if need be only such as are described."""
    return Rule("blocks more", who, a=n, by=whom)


@_word(RuleRow("blocks also", fights=True, bears=GOOD))
def blocks_also(who: What, n: Many = 1) -> Rule:
    """May block n additional dice, beside those it can block anyway: several such rules add up."""
    return Rule("blocks also", who, a=n)


@_word(RuleRow("has keyword", bears=GOOD, in_fights=True))
def has_keyword(who: What, name: Keyword) -> Rule:
    return Rule("has keyword", who, text=name)


@_word(RuleRow("loses keyword", bears=BAD, in_fights=True))
def loses_keyword(who: What, name: Keyword) -> Rule:
    return Rule("loses keyword", who, text=name)


@_word(RuleRow("has keywords of", given=False, bears=GOOD, in_fights=True))
def has_keywords_of(who: What, whom: Where) -> Rule:
    """It has the keyword abilities of all those in the field, each once."""
    return Rule("has keywords of", who, by=whom)


@_word(RuleRow("has affiliation", reserve=True, bears=NEITHER))
def has_affiliation(who: What, name: Affiliation) -> Rule:
    return Rule("has affiliation", who, text=name)


@_word(RuleRow("cannot reroll", about=PLAYERS, personal=True, bears=BAD))
def cannot_reroll(who: Where) -> Rule:
    """The player cannot reroll dice in the Roll and Reroll Step."""
    return Rule("cannot reroll", who)


@_word(RuleRow("rerolls more", about=PLAYERS, personal=True, bears=GOOD))
def rerolls_more(who: Where, n: Many = 1) -> Rule:
    """A player may reroll that many more times in the Roll and Reroll Step."""
    return Rule("rerolls more", who, a=n)


@_word(RuleRow("deals no damage", bears=BAD, in_fights=True))
def deals_no_damage(who: What) -> Rule:
    """Neither in combat nor by its abilities."""
    return Rule("deals no damage", who)


@_word(RuleRow("deals no combat damage", bears=BAD, in_fights=True))
def deals_no_combat_damage(who: What) -> Rule:
    return Rule("deals no combat damage", who)


@_word(RuleRow("stays unblocked", bears=GOOD, in_fights=True))
def stays_unblocked(who: What) -> Rule:
    """Attacking unblocked, it stays in the field."""
    return Rule("stays unblocked", who)


@_word(RuleRow("assigns no damage", bears=BAD, in_fights=True))
def assigns_no_damage(who: What, to: Where = this) -> Rule:
    """In combat it assigns no damage to those described."""
    return Rule("assigns no damage", who, by=to)


@_word(RuleRow("excess goes through", fights=True, bears=GOOD, in_fights=True))
def excess_goes_through(who: What) -> Rule:
    """While attacking, damage beyond its blockers' total D goes to the opponent."""
    return Rule("excess goes through", who)


@_word(RuleRow("takes less", about=BOTH, damage=True, bears=GOOD, in_fights=True))
def takes_less(who: What, n: Much, by: Where | None = None, kinds: Sources = "") -> Rule:
    """Damage to it is reduced by n (ALL: it takes none), from dice described or from kinds of source (by_source)."""
    return Rule("takes less", who, a=n, by=by, text=kinds)


@_word(RuleRow("takes half", about=BOTH, damage=True, bears=GOOD, in_fights=True))
def takes_half(who: What, by: Where | None = None) -> Rule:
    return Rule("takes half", who, by=by)


@_word(RuleRow("deals more", damage=True, bears=GOOD, in_fights=True))
def deals_more(who: What, n: Much, to: Where | None = None) -> Rule:
    return Rule("deals more", who, a=n, by=to)


@_word(RuleRow("deals times", damage=True, bears=GOOD, in_fights=True))
def deals_times(who: What, n: Annotated[int, Within(2, 9)], to: Where | None = None) -> Rule:
    """Its damage is multiplied, to those described."""
    return Rule("deals times", who, a=n, by=to)


@_word(RuleRow("full damage to each", fights=True, bears=GOOD, in_fights=True))
def full_damage_to_each(who: What) -> Rule:
    """Blocked, it deals its whole A to each blocker."""
    return Rule("full damage to each", who)


@_word(RuleRow("damages player instead", bears=GOOD, in_fights=True))
def damages_player_instead(who: What) -> Rule:
    """Blocked, it deals its damage to the opponent instead of its blockers."""
    return Rule("damages player instead", who)


@_word(RuleRow("deals twice", fights=True, bears=GOOD, in_fights=True))
def deals_twice(who: What) -> Rule:
    """Unblocked, it deals its combat damage to the opponent twice."""
    return Rule("deals twice", who)


@_word(RuleRow("fields free", future=True, next_one=True, away=True, fielding=True, reserve=True, bears=GOOD))
def fields_free(who: What) -> Rule:
    return Rule("fields free", who)


@_word(RuleRow("takes more", about=BOTH, damage=True, bears=BAD, in_fights=True))
def takes_more(who: What, n: Much, by: Where | None = None) -> Rule:
    return Rule("takes more", who, a=n, by=by)


@_word(RuleRow("cannot be targeted", about=BOTH, bears=GOOD, in_fights=True))
def cannot_be_targeted(
    who: What, *kinds: Annotated[Literal["action", "global", "ability"], Perhaps()], by: Where | None = None
) -> Rule:
    """By these kinds of source: "action", "global", "ability"; all if none is named; perhaps only of one player."""
    return Rule("cannot be targeted", who, by=by, text=" ".join(kinds))


@_word(RuleRow("cannot be KO'd", bears=GOOD, in_fights=True))
def cannot_be_kod(who: What) -> Rule:
    return Rule("cannot be KO'd", who)


@_word(RuleRow("goes instead", bears=NEITHER, in_fights=True))
def goes_instead(who: What, to: Literal["bag", "prep", "used"], *instead_of: Literal["bag", "used"]) -> Rule:
    """Leaving the field for one of those places, it goes there instead."""
    return Rule("goes instead", who, text=" ".join((to, *instead_of)))


@_word(RuleRow("costs to buy", future=True, next_one=True, away=True, bears=DEPENDS))
def costs_to_buy(who: What, n: Change | Number, *, adds_up: bool = True) -> Rule:
    """Its purchase costs n more (or less); the same from several dice of one title may not add up."""
    return Rule("costs to buy", who, a=n, text="" if adds_up else "once")


@_word(RuleRow("Globals cost", about=PLAYERS, personal=True, bears=BAD))
def globals_cost(who: Where, n: Many) -> Rule:
    """A player pays n energy more for each use of a Global."""
    return Rule("Globals cost", who, a=n)


@_word(RuleRow("text ignored", given=False, bears=BAD))
def text_ignored(who: Where) -> Rule:
    """Cards like these count as having no text, Globals included."""
    return Rule("text ignored", who)


@_word(RuleRow("costs at least to field", given=False, away=True, fielding=True, bears=BAD))
def costs_at_least_to_field(who: What, n: Many) -> Rule:
    """It cannot be fielded by paying for less, whatever makes it cheaper or free."""
    return Rule("costs at least to field", who, a=n)


@_word(RuleRow("costs to field", future=True, next_one=True, away=True, fielding=True, reserve=True, bears=DEPENDS))
def costs_to_field(who: What, n: Change) -> Rule:
    return Rule("costs to field", who, a=n)
