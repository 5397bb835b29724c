"""Words that describe dice and players."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from dicemasters.cards.language.metadata import BOTH, PLAYERS, DescriptionMetadata
from dicemasters.cards.language.node_types import (
    Affiliation,
    CardName,
    Comparison,
    Keyword,
    LevelAmount,
    NonNegativeAmount,
    Place,
    Symbol,
    Where,
    plain_description,
    register_word,
)
from dicemasters.cards.language.signatures import BoundedNumber

character: Final = plain_description(DescriptionMetadata("character"))
any_die: Final = plain_description(DescriptionMetadata("any"))
own: Final = plain_description(DescriptionMetadata("own"))
opposing: Final = plain_description(DescriptionMetadata("opposing"))
# dice controlled by the active player
of_active_player: Final = plain_description(DescriptionMetadata("active player's"))
# the die that the ability belongs to
this: Final = plain_description(DescriptionMetadata("this", is_reference=True, is_single=True, needs_die=True))
this_card: Final = plain_description(DescriptionMetadata("this card"))  # all dice of this card that you control
# the die or player that the event is about
that: Final = plain_description(
    DescriptionMetadata("that", BOTH, is_reference=True, is_single=True, is_event_bound=True, needs_event="die")
)
# the event's other die or player: the blocked die, the source of the damage
the_other: Final = plain_description(
    DescriptionMetadata("the other", BOTH, is_reference=True, is_single=True, is_event_bound=True, needs_event="other")
)
partner: Final = plain_description(DescriptionMetadata("partner", is_reference=True, is_single=True, needs_die=True))
sidekick: Final = plain_description(DescriptionMetadata("sidekick"))
action_die: Final = plain_description(DescriptionMetadata("action die"))
attacking: Final = plain_description(DescriptionMetadata("attacking", is_event_bound=True))
blocking: Final = plain_description(DescriptionMetadata("blocking", is_event_bound=True))
blocked: Final = plain_description(DescriptionMetadata("blocked", is_event_bound=True))
unblocked: Final = plain_description(DescriptionMetadata("unblocked"))
engaged: Final = plain_description(DescriptionMetadata("engaged", is_event_bound=True))
engaged_with_this: Final = plain_description(
    DescriptionMetadata("engaged with this", is_event_bound=True, needs_die=True)
)
blocking_this: Final = plain_description(DescriptionMetadata("blocking this", is_event_bound=True, needs_die=True))
blocked_by_this: Final = plain_description(DescriptionMetadata("blocked by this", is_event_bound=True, needs_die=True))
# dice that were engaged with this die this turn
met_this: Final = plain_description(DescriptionMetadata("met this", needs_die=True))
# dice that blocked this die in this attack step
has_blocked_this: Final = plain_description(DescriptionMetadata("has blocked this", needs_die=True))
fielded_this_turn: Final = plain_description(DescriptionMetadata("fielded this turn"))
fielded_last_turn: Final = plain_description(DescriptionMetadata("fielded last turn"))
# an action die with a continuous effect
in_force: Final = plain_description(DescriptionMetadata("in force", is_reference=True, only_in=("EndEffect",)))
# a die of this turn's roll, before the reroll
just_rolled: Final = plain_description(DescriptionMetadata("just rolled", place="prep", is_event_bound=True))
damaged: Final = plain_description(DescriptionMetadata("damaged"))
# dice damaged this turn, even if the damage has been cleared
damaged_this_turn: Final = plain_description(DescriptionMetadata("damaged this turn"))
# drawn or rolled dice that have not been placed yet
drawn: Final = plain_description(
    DescriptionMetadata("drawn", place="hand", is_deferred=True, is_event_bound=True, needs_previous_effect=True)
)
# one unbought die of each card you may buy from
on_sale: Final = plain_description(DescriptionMetadata("on sale", place="card", only_in=("Buy",)))
# the dice affected by the previous effect
just_moved: Final = plain_description(
    DescriptionMetadata(
        "just moved", is_reference=True, is_deferred=True, is_event_bound=True, needs_previous_effect=True
    )
)
showing_character: Final = plain_description(DescriptionMetadata("showing character"))
showing_action: Final = plain_description(DescriptionMetadata("showing action"))
showing_energy: Final = plain_description(DescriptionMetadata("showing energy"))
paying: Final = plain_description(DescriptionMetadata("paying", needs_event="paid"))  # paid for this fielding
you: Final = plain_description(DescriptionMetadata("you", PLAYERS, is_single=True))
opponent: Final = plain_description(DescriptionMetadata("opponent", PLAYERS, is_single=True))
each_player: Final = plain_description(DescriptionMetadata("each player", PLAYERS))
of_named_type: Final = plain_description(
    DescriptionMetadata("of named type", is_deferred=True, needs_on_card=("NameType",))
)
of_named_affiliation: Final = plain_description(
    DescriptionMetadata("of named affiliation", is_deferred=True, needs_on_card=("NameAffiliation",))
)
of_named_card: Final = plain_description(DescriptionMetadata("of named card", needs_on_card=("NameCard",)))
captured_by_this: Final = plain_description(
    DescriptionMetadata("captured by this", place="held", needs_die=True, needs_on_card=("Capture",))
)
# the die that this action die is attached to
touched: Final = plain_description(
    DescriptionMetadata("touched", is_reference=True, is_single=True, needs_die=True, needs_on_card=("Attach",))
)
# dice of the card on which this die was placed
of_its_card: Final = plain_description(
    DescriptionMetadata("of its card", needs_die=True, needs_on_card=("PlaceOnCard",))
)


@register_word(DescriptionMetadata("type"))
def energy_type(*types: Symbol) -> Where:
    """Match dice of cards with one of these energy types."""
    return Where("type", types)


@register_word(DescriptionMetadata("showing symbol"))
def showing_symbol(symbol: Symbol) -> Where:
    """Match dice that show energy of this type; wild energy counts as no type (rules 3.3a13)."""
    return Where("showing symbol", (symbol,))


@register_word(DescriptionMetadata("affiliation"))
def affiliation(*names: Affiliation) -> Where:
    """Match dice of cards with one of these affiliations."""
    return Where("affiliation", names)


@register_word(DescriptionMetadata("keyword"))
def keyword(*names: Keyword) -> Where:
    """Match characters with one of these keywords, printed or granted."""
    return Where("keyword", names)


@register_word(DescriptionMetadata("title"))
def title(*names: CardName) -> Where:
    """Match dice of cards with one of these titles."""
    return Where("title", names)


@register_word(DescriptionMetadata("level"))
def level(n: LevelAmount, how: Comparison = "=") -> Where:
    """Match dice by level; `how` is one of = < <= > >=."""
    return Where("level", (how, n))


@register_word(DescriptionMetadata("cost"))
def purchase_cost(n: NonNegativeAmount, how: Comparison = "=") -> Where:
    """Match dice by printed purchase cost."""
    return Where("cost", (how, n))


@register_word(DescriptionMetadata("fielding"))
def fielding_cost(n: NonNegativeAmount, how: Comparison = "=") -> Where:
    """Match dice by current fielding cost."""
    return Where("fielding", (how, n))


@register_word(DescriptionMetadata("printed fielding"))
def printed_fielding_cost(n: NonNegativeAmount, how: Comparison = "=") -> Where:
    """Match dice by printed fielding cost."""
    return Where("printed fielding", (how, n))


@register_word(DescriptionMetadata("d"))
def defence(n: NonNegativeAmount, how: Comparison = "=") -> Where:
    """Match dice by D."""
    return Where("d", (how, n))


@register_word(DescriptionMetadata("showing burst", depends_on_face=True))
def showing_burst(n: Literal[1, 2]) -> Where:
    """Match dice that show this many bursts."""
    return Where("showing burst", (n,))


@register_word(DescriptionMetadata("cheapest"))
def cheapest(what: Where) -> Where:
    """Match those with the lowest printed purchase cost; a Sidekick's is 0."""
    return Where("cheapest", (what,))


@register_word(DescriptionMetadata("same type"))
def same_type_as(which: Where) -> Where:
    """Match dice that share an energy type with the die `which`."""
    return Where("same type", (which,))


@register_word(DescriptionMetadata("in"))
def in_(*places: Place) -> Where:
    """Match dice in one of these zones."""
    return Where("in", places)


@register_word(DescriptionMetadata("chosen", BOTH, is_reference=True))
def chosen(n: Annotated[int, BoundedNumber(0, 9)]) -> Where:
    """Match the result of the ability's choice number n, counted from 0."""
    return Where("chosen", (n,))
