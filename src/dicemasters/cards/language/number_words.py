"""Words for numbers."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.metadata import NumberMetadata
from dicemasters.cards.language.node_types import (
    Amount,
    NonZeroInt,
    Number,
    ObjectName,
    PositiveInt,
    Symbol,
    Where,
    plain_number,
    register_word,
)


@register_word(NumberMetadata("count", is_count=True))
def count(what: Where, *, dice: bool = False) -> Number:
    """How many characters match: cards, or single dice when the text says dice (rules 5.5)."""
    return Number("count", (what, dice))


@register_word(NumberMetadata("attack"))
def attack_of(what: Where) -> Number:
    return Number("attack", (what,))


@register_word(NumberMetadata("defence"))
def defence_of(what: Where) -> Number:
    return Number("defence", (what,))


@register_word(NumberMetadata("level"))
def level_of(what: Where) -> Number:
    return Number("level", (what,))


@register_word(NumberMetadata("life"))
def life_of(who: Where) -> Number:
    return Number("life", (who,))


@register_word(NumberMetadata("symbols", is_count=True))
def symbols(symbol: Symbol, what: Where) -> Number:
    """How many energy symbols of that type the dice show; wild counts as no type (rules 3.3a)."""
    return Number("symbols", (symbol, what))


@register_word(NumberMetadata("highest level"))
def highest_level(what: Where) -> Number:
    return Number("highest level", (what,))


@register_word(NumberMetadata("lowest defence"))
def lowest_defence(what: Where) -> Number:
    return Number("lowest defence", (what,))


@register_word(NumberMetadata("types", is_count=True))
def energy_types_among(what: Where) -> Number:
    """How many different energy types the dice have."""
    return Number("types", (what,))


@register_word(NumberMetadata("half"))
def half(of: Amount) -> Number:
    """Half of it, rounded down."""
    return Number("half", (of,))


@register_word(NumberMetadata("times"))
def times(n: NonZeroInt, of: Amount) -> Number:
    return Number("times", (n, of))


@register_word(NumberMetadata("up to", only_in=("Prevent", "Redirect")))
def up_to_that(n: PositiveInt) -> Number:
    """Of damage to prevent or redirect: from 1 to n, as its controller chooses."""
    return Number("up to", (n,))


@register_word(NumberMetadata("first", only_in=("Prevent", "Redirect")))
def first(n: PositiveInt) -> Number:
    """Of damage to prevent or redirect: what belongs to the first n damage this turn that the sentence speaks of."""
    return Number("first", (n,))


@register_word(NumberMetadata("counters", is_count=True, needs_on_card=("PutCounter",)))
def counters(name: ObjectName) -> Number:
    """How many counters of that name lie on this card."""
    return Number("counters", (name,))


AFFECTED: Final = plain_number(
    NumberMetadata("affected", is_count=True, is_event_bound=True, needs_previous_effect=True)
)  # how many the effect just before has reached
KOS: Final = plain_number(
    NumberMetadata("KOs", is_count=True, is_event_bound=True)
)  # how many characters the damage just before has KO'd
PAID: Final = plain_number(
    NumberMetadata("paid", is_count=True, is_event_bound=True, needs_cost=True)
)  # how many dice were given for the cost just paid
EVENT_AMOUNT: Final = plain_number(
    NumberMetadata("event", is_event_bound=True, needs_event="amount")
)  # the damage the event speaks of
EVENT_TOTAL: Final = plain_number(
    NumberMetadata("event total", is_event_bound=True, needs_event="total")
)  # all damage to the same die or player at that moment, from whomever
OWN_ATTACK: Final = plain_number(
    NumberMetadata("own attack", only_in=("Damage",))
)  # of damage: the A of each die that deals it
