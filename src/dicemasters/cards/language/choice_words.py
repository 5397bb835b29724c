"""Words for choices: one, two, up to n, any number."""

from __future__ import annotations

from dicemasters.cards.language.description_words import character
from dicemasters.cards.language.metadata import FormMetadata
from dicemasters.cards.language.node_types import ALL, Player, PositiveInt, Select, Where, register_word


@register_word(FormMetadata("Select"))
def one(what: Where, *, by: Player = "you") -> Select:
    """Choose one match."""
    return Select(what, by=by)


@register_word(FormMetadata("Select"))
def target(what: Where = character, *, by: Player = "you") -> Select:
    """Choose one match as a target."""
    return Select(what, target=True, by=by)


@register_word(FormMetadata("Select"))
def two(what: Where) -> Select:
    """Choose two matches, or one if there is only one (rules 5.1e)."""
    return Select(what, 2, 2)


@register_word(FormMetadata("Select"))
def two_targets(what: Where, *, by: Player = "you") -> Select:
    """Choose two matches as targets."""
    return Select(what, 2, 2, target=True, by=by)


@register_word(FormMetadata("Select"))
def up_to(n: PositiveInt, what: Where, *, target: bool = False) -> Select:
    """Choose up to n matches."""
    return Select(what, 0, n, target=target)


@register_word(FormMetadata("Select"))
def any_number(what: Where) -> Select:
    """Choose any number of matches."""
    return Select(what, 0, ALL)


@register_word(FormMetadata("Select"))
def within_total(n: PositiveInt, what: Where) -> Select:
    """Choose any number of matches with printed fielding costs of n or less in total."""
    return Select(what, 0, ALL, within=n)
