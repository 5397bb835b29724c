"""Words that describe dice and players."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from dicemasters.cards.language.metadata import BOTH, PLAYERS, DescriptionRow
from dicemasters.cards.language.node_types import (
    Affiliation,
    ALevel,
    CardName,
    Comparison,
    Keyword,
    MuchOrNone,
    Place,
    Symbol,
    Where,
    _describe,
    _word,
)
from dicemasters.cards.language.signatures import Within

character: Final = _describe(DescriptionRow("character"))  # a character die
any_die: Final = _describe(DescriptionRow("any"))
own: Final = _describe(DescriptionRow("own"))
opposing: Final = _describe(DescriptionRow("opposing"))
of_active_player: Final = _describe(DescriptionRow("active player's"))  # controlled by the player whose turn it is
this: Final = _describe(DescriptionRow("this", points=True, single=True, of_die=True))  # the die whose text it is
this_card: Final = _describe(DescriptionRow("this card"))  # every die of this card that you control
that: Final = _describe(
    DescriptionRow("that", BOTH, points=True, single=True, moment=True, needs_event="die")
)  # the die the event speaks of
the_other: Final = _describe(
    DescriptionRow("the other", BOTH, points=True, single=True, moment=True, needs_event="other")
)  # the event's other die: whom it blocked, who dealt the damage
partner: Final = _describe(DescriptionRow("partner", points=True, single=True, of_die=True))
sidekick: Final = _describe(DescriptionRow("sidekick"))
action_die: Final = _describe(DescriptionRow("action die"))
attacking: Final = _describe(DescriptionRow("attacking", moment=True))
blocking: Final = _describe(DescriptionRow("blocking", moment=True))
blocked: Final = _describe(DescriptionRow("blocked", moment=True))
unblocked: Final = _describe(DescriptionRow("unblocked"))
engaged: Final = _describe(DescriptionRow("engaged", moment=True))
engaged_with_this: Final = _describe(DescriptionRow("engaged with this", moment=True, of_die=True))
blocking_this: Final = _describe(DescriptionRow("blocking this", moment=True, of_die=True))
blocked_by_this: Final = _describe(DescriptionRow("blocked by this", moment=True, of_die=True))
met_this: Final = _describe(DescriptionRow("met this", of_die=True))  # was engaged with this die this turn
has_blocked_this: Final = _describe(DescriptionRow("has blocked this", of_die=True))  # in this attack step
fielded_this_turn: Final = _describe(DescriptionRow("fielded this turn"))
fielded_last_turn: Final = _describe(DescriptionRow("fielded last turn"))
in_force: Final = _describe(
    DescriptionRow("in force", points=True, only_in=("EndEffect",))
)  # an action die whose effect lasts
just_rolled: Final = _describe(
    DescriptionRow("just rolled", place="prep", moment=True)
)  # a die of this turn's roll, before the reroll
damaged: Final = _describe(DescriptionRow("damaged"))
damaged_this_turn: Final = _describe(DescriptionRow("damaged this turn"))  # even if the damage is gone again
drawn: Final = _describe(
    DescriptionRow("drawn", place="hand", late=True, moment=True, needs_before=True)
)  # a die in hand
on_sale: Final = _describe(
    DescriptionRow("on sale", place="card", only_in=("Buy",))
)  # an unbought die of a card you may buy from, one for each card
just_moved: Final = _describe(
    DescriptionRow("just moved", points=True, late=True, moment=True, needs_before=True)
)  # the dice the effect just before has reached
showing_character: Final = _describe(DescriptionRow("showing character"))
showing_action: Final = _describe(DescriptionRow("showing action"))
showing_energy: Final = _describe(DescriptionRow("showing energy"))
paying: Final = _describe(DescriptionRow("paying", needs_event="paid"))  # dice that paid for this fielding
you: Final = _describe(DescriptionRow("you", PLAYERS, single=True))
opponent: Final = _describe(DescriptionRow("opponent", PLAYERS, single=True))
each_player: Final = _describe(DescriptionRow("each player", PLAYERS))
of_named_type: Final = _describe(DescriptionRow("of named type", late=True, needs_on_card=("NameType",)))
of_named_affiliation: Final = _describe(
    DescriptionRow("of named affiliation", late=True, needs_on_card=("NameAffiliation",))
)
of_named_card: Final = _describe(DescriptionRow("of named card", needs_on_card=("NameCard",)))
captured_by_this: Final = _describe(
    DescriptionRow("captured by this", place="held", of_die=True, needs_on_card=("Capture",))
)
touched: Final = _describe(
    DescriptionRow("touched", points=True, single=True, of_die=True, needs_on_card=("Attach",))
)  # the die this action die lies on
of_its_card: Final = _describe(
    DescriptionRow("of its card", of_die=True, needs_on_card=("PlaceOnCard",))
)  # dice of the card that this die was put on


@_word(DescriptionRow("type"))
def energy_type(*types: Symbol) -> Where:
    """Dice whose card has one of these energy types."""
    return Where("type", types)


@_word(DescriptionRow("showing symbol"))
def showing_symbol(symbol: Symbol) -> Where:
    """Dice that show energy of this type; wild counts as no type (rules 3.3a)."""
    return Where("showing symbol", (symbol,))


@_word(DescriptionRow("affiliation"))
def affiliation(*names: Affiliation) -> Where:
    return Where("affiliation", names)


@_word(DescriptionRow("keyword"))
def keyword(*names: Keyword) -> Where:
    """Characters that have one of these keywords, printed or given."""
    return Where("keyword", names)


@_word(DescriptionRow("title"))
def title(*names: CardName) -> Where:
    return Where("title", names)


@_word(DescriptionRow("level"))
def level(n: ALevel, how: Comparison = "=") -> Where:
    """Dice on that level; `how` is one of = < <= > >=."""
    return Where("level", (how, n))


@_word(DescriptionRow("cost"))
def purchase_cost(n: MuchOrNone, how: Comparison = "=") -> Where:
    return Where("cost", (how, n))


@_word(DescriptionRow("fielding"))
def fielding_cost(n: MuchOrNone, how: Comparison = "=") -> Where:
    return Where("fielding", (how, n))


@_word(DescriptionRow("printed fielding"))
def printed_fielding_cost(n: MuchOrNone, how: Comparison = "=") -> Where:
    return Where("printed fielding", (how, n))


@_word(DescriptionRow("d"))
def defence(n: MuchOrNone, how: Comparison = "=") -> Where:
    return Where("d", (how, n))


@_word(DescriptionRow("showing burst", changes=True))
def showing_burst(n: Literal[1, 2]) -> Where:
    """Dice showing that many bursts."""
    return Where("showing burst", (n,))


@_word(DescriptionRow("cheapest"))
def cheapest(what: Where) -> Where:
    """Those of them with the lowest printed purchase cost; a Sidekick's is 0."""
    return Where("cheapest", (what,))


@_word(DescriptionRow("same type"))
def same_type_as(which: Where) -> Where:
    """Dice with an energy type that the die referred to has."""
    return Where("same type", (which,))


@_word(DescriptionRow("in"))
def in_(*places: Place) -> Where:
    """Dice lying in one of these places."""
    return Where("in", places)


@_word(DescriptionRow("chosen", BOTH, points=True))
def chosen(n: Annotated[int, Within(0, 9)]) -> Where:
    """What the sentence's choice number n (from 0) has picked."""
    return Where("chosen", (n,))
