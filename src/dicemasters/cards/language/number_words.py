"""Words for numbers."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.metadata import NumberMetadata
from dicemasters.cards.language.node_types import (
    Amount,
    Change,
    Many,
    Number,
    Symbol,
    ThingName,
    Where,
    plain_number,
    register_word,
)


@register_word(NumberMetadata("count", each=True))
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


@register_word(NumberMetadata("symbols", each=True))
def symbols(symbol: Symbol, what: Where) -> Number:
    """How many energy symbols of that type the dice show; wild counts as no type (rules 3.3a)."""
    return Number("symbols", (symbol, what))


@register_word(NumberMetadata("highest level"))
def highest_level(what: Where) -> Number:
    return Number("highest level", (what,))


@register_word(NumberMetadata("lowest defence"))
def lowest_defence(what: Where) -> Number:
    return Number("lowest defence", (what,))


@register_word(NumberMetadata("types", each=True))
def energy_types_among(what: Where) -> Number:
    """How many different energy types the dice have."""
    return Number("types", (what,))


@register_word(NumberMetadata("half"))
def half(of: Amount) -> Number:
    """Half of it, rounded down."""
    return Number("half", (of,))


@register_word(NumberMetadata("times"))
def times(n: Change, of: Amount) -> Number:
    return Number("times", (n, of))


@register_word(NumberMetadata("up to", only_in=("Prevent", "Redirect")))
def up_to_that(n: Many) -> Number:
    """Of damage to prevent or redirect: from 1 to n, as its controller chooses."""
    return Number("up to", (n,))


@register_word(NumberMetadata("first", only_in=("Prevent", "Redirect")))
def first(n: Many) -> Number:
    """Of damage to prevent or redirect: what belongs to the first n damage this turn that the sentence speaks of."""
    return Number("first", (n,))


@register_word(NumberMetadata("counters", each=True, needs_on_card=("PutCounter",)))
def counters(name: ThingName) -> Number:
    """How many counters of that name lie on this card."""
    return Number("counters", (name,))


AFFECTED: Final = plain_number(
    NumberMetadata("affected", each=True, moment=True, needs_before=True)
)  # how many the effect just before has reached
KOS: Final = plain_number(
    NumberMetadata("KOs", each=True, moment=True)
)  # how many characters the damage just before has KO'd
PAID: Final = plain_number(
    NumberMetadata("paid", each=True, moment=True, needs_paid=True)
)  # how many dice were given for the cost just paid
EVENT_AMOUNT: Final = plain_number(
    NumberMetadata("event", moment=True, needs_event="amount")
)  # the damage the event speaks of
EVENT_TOTAL: Final = plain_number(
    NumberMetadata("event total", moment=True, needs_event="total")
)  # all damage to the same die or player at that moment, from whomever
OWN_ATTACK: Final = plain_number(
    NumberMetadata("own attack", only_in=("Damage",))
)  # of damage: the A of each die that deals it
