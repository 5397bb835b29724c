"""Words for rules: continuous effects on dice, costs and players."""

from __future__ import annotations

from typing import Annotated, Literal

from dicemasters.cards.language.description_words import this, you
from dicemasters.cards.language.metadata import BAD, BOTH, DEPENDS, GOOD, NEITHER, PLAYERS, RuleMetadata
from dicemasters.cards.language.node_types import (
    ALL,
    AbilityClass,
    Affiliation,
    Amount,
    Keyword,
    Level,
    NonNegativeAmount,
    NonNegativeInt,
    NonZeroInt,
    Number,
    Operand,
    PositiveAmount,
    PositiveInt,
    Rule,
    Sources,
    Where,
    register_word,
)
from dicemasters.cards.language.signatures import BoundedNumber, OptionalItems


@register_word(RuleMetadata("gets", changes_stats=True, valence=DEPENDS, is_useful_only_in_combat=True))
def gets(who: Operand, a: Amount = 0, d: Amount = 0) -> Rule:
    """Change A and D by these amounts."""
    return Rule("gets", who, a, d)


@register_word(
    RuleMetadata("multiplies", changes_stats=True, is_order_dependent=True, valence=GOOD, is_useful_only_in_combat=True)
)
def multiplies(who: Operand, a: PositiveInt = 1, d: PositiveInt = 1) -> Rule:
    """Multiply A and D by these factors."""
    return Rule("multiplies", who, a, d)


@register_word(
    RuleMetadata(
        "halves",
        can_be_static=False,
        changes_stats=True,
        is_order_dependent=True,
        valence=BAD,
        is_useful_only_in_combat=True,
    )
)
def halves(who: Operand) -> Rule:
    """Halve A, rounded down."""
    return Rule("halves", who)


@register_word(
    RuleMetadata(
        "becomes",
        can_be_static=False,
        changes_stats=True,
        is_order_dependent=True,
        valence=NEITHER,
        is_useful_only_in_combat=True,
    )
)
def becomes(who: Operand, a: NonNegativeAmount, d: NonNegativeAmount) -> Rule:
    """Set A and D to these numbers."""
    return Rule("becomes", who, a, d)


@register_word(
    RuleMetadata(
        "sets A",
        can_be_static=False,
        changes_stats=True,
        is_order_dependent=True,
        valence=DEPENDS,
        is_useful_only_in_combat=True,
    )
)
def sets_attack(who: Operand, a: NonNegativeAmount) -> Rule:
    """Set A to this number."""
    return Rule("sets A", who, a)


@register_word(RuleMetadata("counts as level", can_be_static=False, valence=DEPENDS, is_useful_only_in_combat=True))
def counts_as_level(who: Operand, n: Level) -> Rule:
    """Use the numbers and bursts of this level, regardless of the face shown."""
    return Rule("counts as level", who, n)


@register_word(
    RuleMetadata(
        "exchanges",
        can_be_static=False,
        changes_stats=True,
        is_order_dependent=True,
        valence=NEITHER,
        is_useful_only_in_combat=True,
    )
)
def exchanges_a_and_d(who: Operand) -> Rule:
    """Exchange A and D."""
    return Rule("exchanges", who)


@register_word(RuleMetadata("cannot attack", is_combat=True, valence=BAD))
def cannot_attack(who: Operand, unless_life: NonNegativeInt = 0) -> Rule:
    """Forbid attacking, or require the controller to pay this much life on declaration."""
    return Rule("cannot attack", who, a=unless_life)


@register_word(RuleMetadata("may attack", valence=GOOD))
def may_attack(who: Operand) -> Rule:
    """Allow attacking although the die's own text forbids it."""
    return Rule("may attack", who)


@register_word(
    RuleMetadata(
        "attacks again",
        about=PLAYERS,
        can_be_granted=False,
        is_per_player=True,
        valence=GOOD,
        is_useful_only_in_combat=True,
    )
)
def attacks_again(who: Where = you) -> Rule:
    """Allow a second attack step after the first."""
    return Rule("attacks again", who)


@register_word(RuleMetadata("must attack", is_combat=True, valence=BAD))
def must_attack(who: Operand) -> Rule:
    """Require attacking, if able."""
    return Rule("must attack", who)


@register_word(RuleMetadata("cannot block", is_combat=True, valence=BAD))
def cannot_block(who: Operand, unless_life: NonNegativeInt = 0) -> Rule:
    """Forbid blocking, or require the controller to pay this much life on declaration."""
    return Rule("cannot block", who, a=unless_life)


@register_word(RuleMetadata("must block", is_combat=True, valence=BAD))
def must_block(who: Operand) -> Rule:
    """Require blocking, if able."""
    return Rule("must block", who)


@register_word(RuleMetadata("must block this", needs_die=True, valence=BAD))
def must_block_this(who: Operand) -> Rule:
    """Require blocking this die, if able."""
    return Rule("must block this", who)


@register_word(RuleMetadata("must be blocked", is_combat=True, valence=NEITHER))
def must_be_blocked(who: Operand) -> Rule:
    """Require at least one blocker, if able."""
    return Rule("must be blocked", who)


@register_word(RuleMetadata("cannot declare blockers", about=PLAYERS, is_per_player=True, valence=BAD))
def cannot_declare_blockers(who: Where) -> Rule:
    """Forbid a player from declaring blockers."""
    return Rule("cannot declare blockers", who)


@register_word(RuleMetadata("cannot use", about=PLAYERS, is_per_player=True, valence=BAD))
def cannot_use(who: Where, *kinds: Literal["action", "global"]) -> Rule:
    """Forbid a player from using "action" dice or "global" abilities."""
    return Rule("cannot use", who, text=" ".join(kinds))


@register_word(RuleMetadata("ability costs life", about=PLAYERS, is_per_player=True, valence=BAD))
def ability_costs_life(who: Where, of: AbilityClass, n: PositiveInt) -> Rule:
    """Charge a player this much life per use of an ability of a class ("when fielded"); if unpaid, it does nothing."""
    return Rule("ability costs life", who, a=n, text=of)


@register_word(RuleMetadata("cannot field", affects_off_field=True, affects_fielding=True, valence=BAD))
def cannot_field(who: Where) -> Rule:
    """Forbid fielding, by players and by effects."""
    return Rule("cannot field", who)


@register_word(RuleMetadata("draws more", about=PLAYERS, is_per_player=True, valence=GOOD))
def draws_more(who: Where, n: Annotated[int, BoundedNumber(-4, 9, zero=False)]) -> Rule:
    """Change the number of dice a player draws in the Clear and Draw Step."""
    return Rule("draws more", who, a=n)


@register_word(RuleMetadata("cannot be blocked", is_combat=True, valence=GOOD))
def cannot_be_blocked(who: Operand, by: Where | None = None) -> Rule:
    """Forbid blocking these dice, entirely or by the dice described."""
    return Rule("cannot be blocked", who, by=by)


@register_word(RuleMetadata("blocked last", is_combat=True, valence=GOOD))
def blocked_last(who: Operand, after: Where) -> Rule:
    """Allow blocking these dice only if all of the others are also blocked."""
    return Rule("blocked last", who, by=after)


@register_word(RuleMetadata("blocked by at least", is_combat=True, valence=GOOD))
def blocked_by_at_least(who: Operand, n: Annotated[int, BoundedNumber(2, ALL)]) -> Rule:
    """Require at least this many blockers, if any."""
    return Rule("blocked by at least", who, a=n)


@register_word(RuleMetadata("blocks more", is_combat=True, valence=GOOD))
def blocks_more(who: Operand, n: PositiveInt = 1, whom: Where | None = None) -> Rule:
    """Allow blocking up to n additional dice (ALL: any number), optionally only those described."""
    return Rule("blocks more", who, a=n, by=whom)


@register_word(RuleMetadata("blocks also", is_combat=True, valence=GOOD))
def blocks_also(who: Operand, n: PositiveInt = 1) -> Rule:
    """Allow blocking n more dice than otherwise; several such rules add up."""
    return Rule("blocks also", who, a=n)


@register_word(RuleMetadata("has keyword", valence=GOOD, is_useful_only_in_combat=True))
def has_keyword(who: Operand, name: Keyword) -> Rule:
    """Grant a keyword."""
    return Rule("has keyword", who, text=name)


@register_word(RuleMetadata("loses keyword", valence=BAD, is_useful_only_in_combat=True))
def loses_keyword(who: Operand, name: Keyword) -> Rule:
    """Remove a keyword."""
    return Rule("loses keyword", who, text=name)


@register_word(RuleMetadata("has keywords of", can_be_granted=False, valence=GOOD, is_useful_only_in_combat=True))
def has_keywords_of(who: Operand, whom: Where) -> Rule:
    """Grant every keyword ability of the matching dice in the field, each once."""
    return Rule("has keywords of", who, by=whom)


@register_word(RuleMetadata("has affiliation", affects_reserve=True, valence=NEITHER))
def has_affiliation(who: Operand, name: Affiliation) -> Rule:
    """Grant an affiliation."""
    return Rule("has affiliation", who, text=name)


@register_word(RuleMetadata("cannot reroll", about=PLAYERS, is_per_player=True, valence=BAD))
def cannot_reroll(who: Where) -> Rule:
    """Forbid a player from rerolling dice in the Roll and Reroll Step."""
    return Rule("cannot reroll", who)


@register_word(RuleMetadata("rerolls more", about=PLAYERS, is_per_player=True, valence=GOOD))
def rerolls_more(who: Where, n: PositiveInt = 1) -> Rule:
    """Allow a player this many additional rerolls in the Roll and Reroll Step."""
    return Rule("rerolls more", who, a=n)


@register_word(RuleMetadata("deals no damage", valence=BAD, is_useful_only_in_combat=True))
def deals_no_damage(who: Operand) -> Rule:
    """Deal no damage, neither in combat nor with abilities."""
    return Rule("deals no damage", who)


@register_word(RuleMetadata("deals no combat damage", valence=BAD, is_useful_only_in_combat=True))
def deals_no_combat_damage(who: Operand) -> Rule:
    """Deal no combat damage."""
    return Rule("deals no combat damage", who)


@register_word(RuleMetadata("stays unblocked", valence=GOOD, is_useful_only_in_combat=True))
def stays_unblocked(who: Operand) -> Rule:
    """Keep unblocked attackers in the field."""
    return Rule("stays unblocked", who)


@register_word(RuleMetadata("assigns no damage", valence=BAD, is_useful_only_in_combat=True))
def assigns_no_damage(who: Operand, to: Where = this) -> Rule:
    """Assign no combat damage to the dice described."""
    return Rule("assigns no damage", who, by=to)


@register_word(RuleMetadata("excess goes through", is_combat=True, valence=GOOD, is_useful_only_in_combat=True))
def excess_goes_through(who: Operand) -> Rule:
    """Deal combat damage beyond the blockers' total D to the opponent."""
    return Rule("excess goes through", who)


@register_word(RuleMetadata("takes less", about=BOTH, changes_damage=True, valence=GOOD, is_useful_only_in_combat=True))
def takes_less(who: Operand, n: PositiveAmount, by: Where | None = None, kinds: Sources = "") -> Rule:
    """Reduce damage by n (ALL: to 0), from the dice described or from kinds of source (by_source)."""
    return Rule("takes less", who, a=n, by=by, text=kinds)


@register_word(RuleMetadata("takes half", about=BOTH, changes_damage=True, valence=GOOD, is_useful_only_in_combat=True))
def takes_half(who: Operand, by: Where | None = None) -> Rule:
    """Halve damage, rounded down."""
    return Rule("takes half", who, by=by)


@register_word(RuleMetadata("deals more", changes_damage=True, valence=GOOD, is_useful_only_in_combat=True))
def deals_more(who: Operand, n: PositiveAmount, to: Where | None = None) -> Rule:
    """Increase the damage dealt."""
    return Rule("deals more", who, a=n, by=to)


@register_word(RuleMetadata("deals times", changes_damage=True, valence=GOOD, is_useful_only_in_combat=True))
def deals_times(who: Operand, n: Annotated[int, BoundedNumber(2, 9)], to: Where | None = None) -> Rule:
    """Multiply the damage dealt, optionally only to those described."""
    return Rule("deals times", who, a=n, by=to)


@register_word(RuleMetadata("full damage to each", is_combat=True, valence=GOOD, is_useful_only_in_combat=True))
def full_damage_to_each(who: Operand) -> Rule:
    """Deal the full A to each blocker."""
    return Rule("full damage to each", who)


@register_word(RuleMetadata("damages player instead", valence=GOOD, is_useful_only_in_combat=True))
def damages_player_instead(who: Operand) -> Rule:
    """Deal combat damage to the opponent instead of the blockers."""
    return Rule("damages player instead", who)


@register_word(RuleMetadata("deals twice", is_combat=True, valence=GOOD, is_useful_only_in_combat=True))
def deals_twice(who: Operand) -> Rule:
    """Deal combat damage to the opponent twice if unblocked."""
    return Rule("deals twice", who)


@register_word(
    RuleMetadata(
        "fields free",
        includes_future_dice=True,
        allows_next_one=True,
        affects_off_field=True,
        affects_fielding=True,
        affects_reserve=True,
        valence=GOOD,
    )
)
def fields_free(who: Operand) -> Rule:
    """Remove the fielding cost."""
    return Rule("fields free", who)


@register_word(RuleMetadata("takes more", about=BOTH, changes_damage=True, valence=BAD, is_useful_only_in_combat=True))
def takes_more(who: Operand, n: PositiveAmount, by: Where | None = None) -> Rule:
    """Increase the damage taken."""
    return Rule("takes more", who, a=n, by=by)


@register_word(RuleMetadata("cannot be targeted", about=BOTH, valence=GOOD, is_useful_only_in_combat=True))
def cannot_be_targeted(
    who: Operand, *kinds: Annotated[Literal["action", "global", "ability"], OptionalItems()], by: Where | None = None
) -> Rule:
    """Forbid targeting by kinds of source ("action", "global", "ability"; default: all), optionally of one player."""
    return Rule("cannot be targeted", who, by=by, text=" ".join(kinds))


@register_word(RuleMetadata("cannot be KO'd", valence=GOOD, is_useful_only_in_combat=True))
def cannot_be_kod(who: Operand) -> Rule:
    """Prevent KOs."""
    return Rule("cannot be KO'd", who)


@register_word(RuleMetadata("goes instead", valence=NEITHER, is_useful_only_in_combat=True))
def goes_instead(who: Operand, to: Literal["bag", "prep", "used"], *instead_of: Literal["bag", "used"]) -> Rule:
    """Send dice that would leave the field for one of these zones to another zone."""
    return Rule("goes instead", who, text=" ".join((to, *instead_of)))


@register_word(
    RuleMetadata(
        "costs to buy", includes_future_dice=True, allows_next_one=True, affects_off_field=True, valence=DEPENDS
    )
)
def costs_to_buy(who: Operand, n: NonZeroInt | Number, *, adds_up: bool = True) -> Rule:
    """Change the purchase cost by n; with `adds_up=False`, several dice of one title change it only once."""
    return Rule("costs to buy", who, a=n, text="" if adds_up else "once")


@register_word(RuleMetadata("Globals cost", about=PLAYERS, is_per_player=True, valence=BAD))
def globals_cost(who: Where, n: PositiveInt) -> Rule:
    """Charge a player n more energy for each use of a Global."""
    return Rule("Globals cost", who, a=n)


@register_word(RuleMetadata("text ignored", can_be_granted=False, valence=BAD))
def text_ignored(who: Where) -> Rule:
    """Ignore the text of matching cards, Globals included."""
    return Rule("text ignored", who)


@register_word(
    RuleMetadata(
        "costs at least to field", can_be_granted=False, affects_off_field=True, affects_fielding=True, valence=BAD
    )
)
def costs_at_least_to_field(who: Operand, n: PositiveInt) -> Rule:
    """Set a minimum fielding cost, regardless of discounts."""
    return Rule("costs at least to field", who, a=n)


@register_word(
    RuleMetadata(
        "costs to field",
        includes_future_dice=True,
        allows_next_one=True,
        affects_off_field=True,
        affects_fielding=True,
        affects_reserve=True,
        valence=DEPENDS,
    )
)
def costs_to_field(who: Operand, n: NonZeroInt) -> Rule:
    """Change the fielding cost by n."""
    return Rule("costs to field", who, a=n)
