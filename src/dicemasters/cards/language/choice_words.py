"""Words for choices: one of, up to, all of, any number of."""

from __future__ import annotations

from dicemasters.cards.language.description_words import character
from dicemasters.cards.language.metadata import FormMetadata
from dicemasters.cards.language.node_types import ALL, Player, PositiveInt, Select, Where, register_word


@register_word(FormMetadata("Select"))
def one(what: Where, *, by: Player = "you") -> Select:
    return Select(what, by=by)


@register_word(FormMetadata("Select"))
def target(what: Where = character, *, by: Player = "you") -> Select:
    return Select(what, target=True, by=by)


@register_word(FormMetadata("Select"))
def two(what: Where) -> Select:
    """Two of them, or the only one there is (rules 5.1)."""
    return Select(what, 2, 2)


@register_word(FormMetadata("Select"))
def two_targets(what: Where, *, by: Player = "you") -> Select:
    return Select(what, 2, 2, target=True, by=by)


@register_word(FormMetadata("Select"))
def up_to(n: PositiveInt, what: Where, *, target: bool = False) -> Select:
    return Select(what, 0, n, target=target)


@register_word(FormMetadata("Select"))
def any_number(what: Where) -> Select:
    return Select(what, 0, ALL)


@register_word(FormMetadata("Select"))
def within_total(n: PositiveInt, what: Where) -> Select:
    """Any number of them whose printed fielding costs add up to n or less."""
    return Select(what, 0, ALL, within=n)
