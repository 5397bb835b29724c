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
    """Count the matching characters: cards, or individual dice if the text says dice (rules 5.5c, 10.3)."""
    return Number("count", (what, dice))


@register_word(NumberMetadata("attack"))
def attack_of(what: Where) -> Number:
    """Return the A of the dice, added up."""
    return Number("attack", (what,))


@register_word(NumberMetadata("defence"))
def defence_of(what: Where) -> Number:
    """Return the D of the dice, added up."""
    return Number("defence", (what,))


@register_word(NumberMetadata("level"))
def level_of(what: Where) -> Number:
    """Return the levels of the dice, added up."""
    return Number("level", (what,))


@register_word(NumberMetadata("life"))
def life_of(who: Where) -> Number:
    """Return the life of a player."""
    return Number("life", (who,))


@register_word(NumberMetadata("symbols", is_count=True))
def symbols(symbol: Symbol, what: Where) -> Number:
    """Count the energy symbols of this type that the dice show; wild energy counts as no type (rules 3.3a13)."""
    return Number("symbols", (symbol, what))


@register_word(NumberMetadata("highest level"))
def highest_level(what: Where) -> Number:
    """Return the highest level among the matches."""
    return Number("highest level", (what,))


@register_word(NumberMetadata("lowest defence"))
def lowest_defence(what: Where) -> Number:
    """Return the lowest D among the matches."""
    return Number("lowest defence", (what,))


@register_word(NumberMetadata("types", is_count=True))
def energy_types_among(what: Where) -> Number:
    """Count the different energy types of the dice."""
    return Number("types", (what,))


@register_word(NumberMetadata("half"))
def half(of: Amount) -> Number:
    """Return half of the amount, rounded down."""
    return Number("half", (of,))


@register_word(NumberMetadata("times"))
def times(n: NonZeroInt, of: Amount) -> Number:
    """Return n times the amount."""
    return Number("times", (n, of))


@register_word(NumberMetadata("up to", only_in=("Prevent", "Redirect")))
def up_to_that(n: PositiveInt) -> Number:
    """Return from 1 to n damage to prevent or redirect, as the controller chooses."""
    return Number("up to", (n,))


@register_word(NumberMetadata("first", only_in=("Prevent", "Redirect")))
def first(n: PositiveInt) -> Number:
    """Return the part of the damage to prevent or redirect that belongs to the first n such damage this turn."""
    return Number("first", (n,))


@register_word(NumberMetadata("counters", is_count=True, needs_on_card=("PutCounter",)))
def counters(name: ObjectName) -> Number:
    """Count the counters of this name on this card."""
    return Number("counters", (name,))


# number of dice affected by the previous effect
AFFECTED: Final = plain_number(
    NumberMetadata("affected", is_count=True, is_event_bound=True, needs_previous_effect=True)
)
# number of characters KO'd by the preceding damage
KOS: Final = plain_number(NumberMetadata("KOs", is_count=True, is_event_bound=True))
# number of dice or energy symbols given for the cost just paid
PAID: Final = plain_number(NumberMetadata("paid", is_count=True, is_event_bound=True, needs_cost=True))
# damage of the event
EVENT_AMOUNT: Final = plain_number(NumberMetadata("event", is_event_bound=True, needs_event="amount"))
# all damage to the same die or player at that moment, from all sources
EVENT_TOTAL: Final = plain_number(NumberMetadata("event total", is_event_bound=True, needs_event="total"))
# as damage: the A of each dealing die
OWN_ATTACK: Final = plain_number(NumberMetadata("own attack", only_in=("Damage",)))
