"""Words for rules: continuous effects on dice, costs and players."""

from __future__ import annotations

from typing import Annotated, Literal

from dicemasters.cards.language.description_words import this, you
from dicemasters.cards.language.metadata import BAD, BOTH, DEPENDS, GOOD, NEITHER, PLAYERS, RuleMetadata
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
    register_word,
)
from dicemasters.cards.language.signatures import BoundedNumber, OptionalItems


@register_word(RuleMetadata("gets", stats=True, valence=DEPENDS, in_fights=True))
def gets(who: What, a: Amount = 0, d: Amount = 0) -> Rule:
    return Rule("gets", who, a, d)


@register_word(RuleMetadata("multiplies", stats=True, in_order=True, valence=GOOD, in_fights=True))
def multiplies(who: What, a: Many = 1, d: Many = 1) -> Rule:
    return Rule("multiplies", who, a, d)


@register_word(RuleMetadata("halves", can_be_static=False, stats=True, in_order=True, valence=BAD, in_fights=True))
def halves(who: What) -> Rule:
    """Its A is halved, rounded down."""
    return Rule("halves", who)


@register_word(RuleMetadata("becomes", can_be_static=False, stats=True, in_order=True, valence=NEITHER, in_fights=True))
def becomes(who: What, a: MuchOrNone, d: MuchOrNone) -> Rule:
    """A and D are set to these numbers."""
    return Rule("becomes", who, a, d)


@register_word(RuleMetadata("sets A", can_be_static=False, stats=True, in_order=True, valence=DEPENDS, in_fights=True))
def sets_attack(who: What, a: MuchOrNone) -> Rule:
    """Its A is set to this number."""
    return Rule("sets A", who, a)


@register_word(RuleMetadata("counts as level", can_be_static=False, valence=DEPENDS, in_fights=True))
def counts_as_level(who: What, n: Level) -> Rule:
    """It has the numbers and bursts of that level, whatever its face."""
    return Rule("counts as level", who, n)


@register_word(
    RuleMetadata("exchanges", can_be_static=False, stats=True, in_order=True, valence=NEITHER, in_fights=True)
)
def exchanges_a_and_d(who: What) -> Rule:
    return Rule("exchanges", who)


@register_word(RuleMetadata("cannot attack", fights=True, valence=BAD))
def cannot_attack(who: What, unless_life: Some = 0) -> Rule:
    """Not at all, or only if its player pays so much life as it is declared."""
    return Rule("cannot attack", who, a=unless_life)


@register_word(RuleMetadata("may attack", valence=GOOD))
def may_attack(who: What) -> Rule:
    """It may attack though its own text says it cannot."""
    return Rule("may attack", who)


@register_word(
    RuleMetadata("attacks again", about=PLAYERS, can_be_granted=False, personal=True, valence=GOOD, in_fights=True)
)
def attacks_again(who: Where = you) -> Rule:
    """A player may have a second attack step after the first."""
    return Rule("attacks again", who)


@register_word(RuleMetadata("must attack", fights=True, valence=BAD))
def must_attack(who: What) -> Rule:
    return Rule("must attack", who)


@register_word(RuleMetadata("cannot block", fights=True, valence=BAD))
def cannot_block(who: What, unless_life: Some = 0) -> Rule:
    """Not at all, or only if its player pays so much life as it is declared."""
    return Rule("cannot block", who, a=unless_life)


@register_word(RuleMetadata("must block", fights=True, valence=BAD))
def must_block(who: What) -> Rule:
    return Rule("must block", who)


@register_word(RuleMetadata("must block this", of_die=True, valence=BAD))
def must_block_this(who: What) -> Rule:
    """They must block this die, if able."""
    return Rule("must block this", who)


@register_word(RuleMetadata("must be blocked", fights=True, valence=NEITHER))
def must_be_blocked(who: What) -> Rule:
    """At least one die must block it, if able."""
    return Rule("must be blocked", who)


@register_word(RuleMetadata("cannot declare blockers", about=PLAYERS, personal=True, valence=BAD))
def cannot_declare_blockers(who: Where) -> Rule:
    """A player cannot declare blockers."""
    return Rule("cannot declare blockers", who)


@register_word(RuleMetadata("cannot use", about=PLAYERS, personal=True, valence=BAD))
def cannot_use(who: Where, *kinds: Literal["action", "global"]) -> Rule:
    """A player cannot use these: "action" dice, "global"s."""
    return Rule("cannot use", who, text=" ".join(kinds))


@register_word(RuleMetadata("ability costs life", about=PLAYERS, personal=True, valence=BAD))
def ability_costs_life(who: Where, of: Class, n: Many) -> Rule:
    """A player must pay so much life for each use of an ability of a class ("when fielded"), else it does nothing."""
    return Rule("ability costs life", who, a=n, text=of)


@register_word(RuleMetadata("cannot field", away=True, fielding=True, valence=BAD))
def cannot_field(who: Where) -> Rule:
    """Nobody can field these dice, nor can an effect."""
    return Rule("cannot field", who)


@register_word(RuleMetadata("draws more", about=PLAYERS, personal=True, valence=GOOD))
def draws_more(who: Where, n: Annotated[int, BoundedNumber(-4, 9, zero=False)]) -> Rule:
    """A player draws that many dice more in the Clear and Draw Step."""
    return Rule("draws more", who, a=n)


@register_word(RuleMetadata("cannot be blocked", fights=True, valence=GOOD))
def cannot_be_blocked(who: What, by: Where | None = None) -> Rule:
    """By nobody at all, or not by those described."""
    return Rule("cannot be blocked", who, by=by)


@register_word(RuleMetadata("blocked last", fights=True, valence=GOOD))
def blocked_last(who: What, after: Where) -> Rule:
    """Can be blocked only if all of the others are blocked too."""
    return Rule("blocked last", who, by=after)


@register_word(RuleMetadata("blocked by at least", fights=True, valence=GOOD))
def blocked_by_at_least(who: What, n: Annotated[int, BoundedNumber(2, ALL)]) -> Rule:
    return Rule("blocked by at least", who, a=n)


@register_word(RuleMetadata("blocks more", fights=True, valence=GOOD))
def blocks_more(who: What, n: Many = 1, whom: Where | None = None) -> Rule:
    """May block up to n dice more than one (ALL: any number), if need be only such as are described."""
    return Rule("blocks more", who, a=n, by=whom)


@register_word(RuleMetadata("blocks also", fights=True, valence=GOOD))
def blocks_also(who: What, n: Many = 1) -> Rule:
    """May block n additional dice, beside those it can block anyway: several such rules add up."""
    return Rule("blocks also", who, a=n)


@register_word(RuleMetadata("has keyword", valence=GOOD, in_fights=True))
def has_keyword(who: What, name: Keyword) -> Rule:
    return Rule("has keyword", who, text=name)


@register_word(RuleMetadata("loses keyword", valence=BAD, in_fights=True))
def loses_keyword(who: What, name: Keyword) -> Rule:
    return Rule("loses keyword", who, text=name)


@register_word(RuleMetadata("has keywords of", can_be_granted=False, valence=GOOD, in_fights=True))
def has_keywords_of(who: What, whom: Where) -> Rule:
    """It has the keyword abilities of all those in the field, each once."""
    return Rule("has keywords of", who, by=whom)


@register_word(RuleMetadata("has affiliation", reserve=True, valence=NEITHER))
def has_affiliation(who: What, name: Affiliation) -> Rule:
    return Rule("has affiliation", who, text=name)


@register_word(RuleMetadata("cannot reroll", about=PLAYERS, personal=True, valence=BAD))
def cannot_reroll(who: Where) -> Rule:
    """The player cannot reroll dice in the Roll and Reroll Step."""
    return Rule("cannot reroll", who)


@register_word(RuleMetadata("rerolls more", about=PLAYERS, personal=True, valence=GOOD))
def rerolls_more(who: Where, n: Many = 1) -> Rule:
    """A player may reroll that many more times in the Roll and Reroll Step."""
    return Rule("rerolls more", who, a=n)


@register_word(RuleMetadata("deals no damage", valence=BAD, in_fights=True))
def deals_no_damage(who: What) -> Rule:
    """Neither in combat nor by its abilities."""
    return Rule("deals no damage", who)


@register_word(RuleMetadata("deals no combat damage", valence=BAD, in_fights=True))
def deals_no_combat_damage(who: What) -> Rule:
    return Rule("deals no combat damage", who)


@register_word(RuleMetadata("stays unblocked", valence=GOOD, in_fights=True))
def stays_unblocked(who: What) -> Rule:
    """Attacking unblocked, it stays in the field."""
    return Rule("stays unblocked", who)


@register_word(RuleMetadata("assigns no damage", valence=BAD, in_fights=True))
def assigns_no_damage(who: What, to: Where = this) -> Rule:
    """In combat it assigns no damage to those described."""
    return Rule("assigns no damage", who, by=to)


@register_word(RuleMetadata("excess goes through", fights=True, valence=GOOD, in_fights=True))
def excess_goes_through(who: What) -> Rule:
    """While attacking, damage beyond its blockers' total D goes to the opponent."""
    return Rule("excess goes through", who)


@register_word(RuleMetadata("takes less", about=BOTH, damage=True, valence=GOOD, in_fights=True))
def takes_less(who: What, n: Much, by: Where | None = None, kinds: Sources = "") -> Rule:
    """Damage to it is reduced by n (ALL: it takes none), from dice described or from kinds of source (by_source)."""
    return Rule("takes less", who, a=n, by=by, text=kinds)


@register_word(RuleMetadata("takes half", about=BOTH, damage=True, valence=GOOD, in_fights=True))
def takes_half(who: What, by: Where | None = None) -> Rule:
    return Rule("takes half", who, by=by)


@register_word(RuleMetadata("deals more", damage=True, valence=GOOD, in_fights=True))
def deals_more(who: What, n: Much, to: Where | None = None) -> Rule:
    return Rule("deals more", who, a=n, by=to)


@register_word(RuleMetadata("deals times", damage=True, valence=GOOD, in_fights=True))
def deals_times(who: What, n: Annotated[int, BoundedNumber(2, 9)], to: Where | None = None) -> Rule:
    """Its damage is multiplied, to those described."""
    return Rule("deals times", who, a=n, by=to)


@register_word(RuleMetadata("full damage to each", fights=True, valence=GOOD, in_fights=True))
def full_damage_to_each(who: What) -> Rule:
    """Blocked, it deals its whole A to each blocker."""
    return Rule("full damage to each", who)


@register_word(RuleMetadata("damages player instead", valence=GOOD, in_fights=True))
def damages_player_instead(who: What) -> Rule:
    """Blocked, it deals its damage to the opponent instead of its blockers."""
    return Rule("damages player instead", who)


@register_word(RuleMetadata("deals twice", fights=True, valence=GOOD, in_fights=True))
def deals_twice(who: What) -> Rule:
    """Unblocked, it deals its combat damage to the opponent twice."""
    return Rule("deals twice", who)


@register_word(
    RuleMetadata("fields free", future=True, next_one=True, away=True, fielding=True, reserve=True, valence=GOOD)
)
def fields_free(who: What) -> Rule:
    return Rule("fields free", who)


@register_word(RuleMetadata("takes more", about=BOTH, damage=True, valence=BAD, in_fights=True))
def takes_more(who: What, n: Much, by: Where | None = None) -> Rule:
    return Rule("takes more", who, a=n, by=by)


@register_word(RuleMetadata("cannot be targeted", about=BOTH, valence=GOOD, in_fights=True))
def cannot_be_targeted(
    who: What, *kinds: Annotated[Literal["action", "global", "ability"], OptionalItems()], by: Where | None = None
) -> Rule:
    """By these kinds of source: "action", "global", "ability"; all if none is named; perhaps only of one player."""
    return Rule("cannot be targeted", who, by=by, text=" ".join(kinds))


@register_word(RuleMetadata("cannot be KO'd", valence=GOOD, in_fights=True))
def cannot_be_kod(who: What) -> Rule:
    return Rule("cannot be KO'd", who)


@register_word(RuleMetadata("goes instead", valence=NEITHER, in_fights=True))
def goes_instead(who: What, to: Literal["bag", "prep", "used"], *instead_of: Literal["bag", "used"]) -> Rule:
    """Leaving the field for one of those places, it goes there instead."""
    return Rule("goes instead", who, text=" ".join((to, *instead_of)))


@register_word(RuleMetadata("costs to buy", future=True, next_one=True, away=True, valence=DEPENDS))
def costs_to_buy(who: What, n: Change | Number, *, adds_up: bool = True) -> Rule:
    """Its purchase costs n more (or less); the same from several dice of one title may not add up."""
    return Rule("costs to buy", who, a=n, text="" if adds_up else "once")


@register_word(RuleMetadata("Globals cost", about=PLAYERS, personal=True, valence=BAD))
def globals_cost(who: Where, n: Many) -> Rule:
    """A player pays n energy more for each use of a Global."""
    return Rule("Globals cost", who, a=n)


@register_word(RuleMetadata("text ignored", can_be_granted=False, valence=BAD))
def text_ignored(who: Where) -> Rule:
    """Cards like these count as having no text, Globals included."""
    return Rule("text ignored", who)


@register_word(RuleMetadata("costs at least to field", can_be_granted=False, away=True, fielding=True, valence=BAD))
def costs_at_least_to_field(who: What, n: Many) -> Rule:
    """It cannot be fielded by paying for less, whatever makes it cheaper or free."""
    return Rule("costs at least to field", who, a=n)


@register_word(
    RuleMetadata("costs to field", future=True, next_one=True, away=True, fielding=True, reserve=True, valence=DEPENDS)
)
def costs_to_field(who: What, n: Change) -> Rule:
    return Rule("costs to field", who, a=n)
