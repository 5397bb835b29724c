"""Words for numbers."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.metadata import NumberRow
from dicemasters.cards.language.node_types import Amount, Change, Many, Number, Symbol, ThingName, Where, _number, _word


@_word(NumberRow("count", each=True))
def count(what: Where, *, dice: bool = False) -> Number:
    """How many characters match: cards, or single dice when the text says dice (rules 5.5)."""
    return Number("count", (what, dice))


@_word(NumberRow("attack"))
def attack_of(what: Where) -> Number:
    return Number("attack", (what,))


@_word(NumberRow("defence"))
def defence_of(what: Where) -> Number:
    return Number("defence", (what,))


@_word(NumberRow("level"))
def level_of(what: Where) -> Number:
    return Number("level", (what,))


@_word(NumberRow("life"))
def life_of(who: Where) -> Number:
    return Number("life", (who,))


@_word(NumberRow("symbols", each=True))
def symbols(symbol: Symbol, what: Where) -> Number:
    """How many energy symbols of that type the dice show; wild counts as no type (rules 3.3a)."""
    return Number("symbols", (symbol, what))


@_word(NumberRow("highest level"))
def highest_level(what: Where) -> Number:
    return Number("highest level", (what,))


@_word(NumberRow("lowest defence"))
def lowest_defence(what: Where) -> Number:
    return Number("lowest defence", (what,))


@_word(NumberRow("types", each=True))
def energy_types_among(what: Where) -> Number:
    """How many different energy types the dice have."""
    return Number("types", (what,))


@_word(NumberRow("half"))
def half(of: Amount) -> Number:
    """Half of it, rounded down."""
    return Number("half", (of,))


@_word(NumberRow("times"))
def times(n: Change, of: Amount) -> Number:
    return Number("times", (n, of))


@_word(NumberRow("up to", only_in=("Prevent", "Redirect")))
def up_to_that(n: Many) -> Number:
    """Of damage to prevent or redirect: from 1 to n, as its controller chooses."""
    return Number("up to", (n,))


@_word(NumberRow("first", only_in=("Prevent", "Redirect")))
def first(n: Many) -> Number:
    """Of damage to prevent or redirect: what belongs to the first n damage this turn that the sentence speaks of."""
    return Number("first", (n,))


@_word(NumberRow("counters", each=True, needs_on_card=("PutCounter",)))
def counters(name: ThingName) -> Number:
    """How many counters of that name lie on this card."""
    return Number("counters", (name,))


AFFECTED: Final = _number(
    NumberRow("affected", each=True, moment=True, needs_before=True)
)  # how many the effect just before has reached
KOS: Final = _number(NumberRow("KOs", each=True, moment=True))  # how many characters the damage just before has KO'd
PAID: Final = _number(
    NumberRow("paid", each=True, moment=True, needs_paid=True)
)  # how many dice were given for the cost just paid
EVENT_AMOUNT: Final = _number(NumberRow("event", moment=True, needs_event="amount"))  # the damage the event speaks of
EVENT_TOTAL: Final = _number(
    NumberRow("event total", moment=True, needs_event="total")
)  # all damage to the same die or player at that moment, from whomever
OWN_ATTACK: Final = _number(NumberRow("own attack", only_in=("Damage",)))  # of damage: the A of each die that deals it
