"""Words for conditions."""

from __future__ import annotations

from typing import Final, Literal

from dicemasters.cards.language.metadata import ConditionMetadata, FormMetadata
from dicemasters.cards.language.node_types import (
    Amount,
    Comparison,
    Condition,
    NonNegativeInt,
    Source,
    Where,
    plain_condition,
    register_word,
)


@register_word(ConditionMetadata("compare", is_checked_on_resolution=True))
def compare(a: Amount, how: Comparison, b: Amount) -> Condition:
    """The first number is (= < <= > >=) the second."""
    return Condition("compare", (a, how, b))


@register_word(ConditionMetadata("or", is_checked_on_resolution=True))
def either(a: Condition, b: Condition) -> Condition:
    return Condition("or", (a, b))


@register_word(ConditionMetadata("was", needs_event="KO'd"))
def was(word: Literal["attacking", "blocking", "engaged"]) -> Condition:
    """Of a KO'd die: it was "attacking", "blocking" or "engaged" when it went."""
    return Condition("was", (word,))


@register_word(ConditionMetadata("by source", needs_event="source"))
def by_source(*kinds: Source) -> Condition:
    """The damage comes from an "action", a "global", a character's "ability", "combat", or from an ability of a
    printed class: "when fielded", "when attacks"."""
    return Condition("by source", kinds)


@register_word(ConditionMetadata("count", is_checked_on_resolution=True))
def there_are(n: NonNegativeInt, what: Where, how: Comparison = ">=") -> Condition:
    """At least (or `how`) n dice match."""
    return Condition("count", (how, n, what))


@register_word(FormMetadata("Condition"))
def there_is(what: Where) -> Condition:
    return there_are(1, what)


@register_word(FormMetadata("Condition"))
def there_is_no(what: Where) -> Condition:
    return there_are(0, what, "=")


@register_word(ConditionMetadata("is"))
def it_is(which: Where, what: Where) -> Condition:
    """The die referred to (that, chosen(0), ...) matches the description."""
    return Condition("is", (which, what))


@register_word(ConditionMetadata("has damaged", is_past=True, needs_die=True))
def has_damaged(whom: Literal["opponent", "opposing character"], *, combat: bool = False) -> Condition:
    """This die has dealt damage (combat damage) to the "opponent" or to an "opposing character" this turn."""
    return Condition("has damaged", (whom, combat))


first_fielding: Final = plain_condition(
    ConditionMetadata("first fielding", is_past=True, needs_event="fielded")
)  # your first character fielded this turn
own_ko_this_turn: Final = plain_condition(
    ConditionMetadata("own KO this turn", is_checked_on_resolution=True, is_past=True)
)
action_used_this_turn: Final = plain_condition(
    ConditionMetadata("action used this turn", is_checked_on_resolution=True, is_past=True)
)
opposing_ko_this_turn: Final = plain_condition(
    ConditionMetadata("opposing KO this turn", is_checked_on_resolution=True, is_past=True)
)
own_sidekick_ko_this_turn: Final = plain_condition(ConditionMetadata("own Sidekick KO this turn", is_past=True))
in_attack_step: Final = plain_condition(ConditionMetadata("in attack step"))
in_your_main_step: Final = plain_condition(ConditionMetadata("in your main step"))
if_done: Final = plain_condition(
    ConditionMetadata("done", needs_previous_effect=True)
)  # the effect just before has reached somebody
dealt_by_you: Final = plain_condition(
    ConditionMetadata("dealt by you", needs_event="would be damaged")
)  # of damage that would be dealt: you are the one who deals it
by_combat: Final = plain_condition(ConditionMetadata("by combat", needs_event="combat"))
would_be_kod_too: Final = plain_condition(
    ConditionMetadata("would be KO'd too", needs_die=True, needs_event="would be damaged")
)  # of damage on its way: at that moment it KOs this die
by_damage: Final = plain_condition(
    ConditionMetadata("by damage", needs_event="would be KO'd")
)  # of a die that would be KO'd: its damage does it, no effect
survives: Final = plain_condition(
    ConditionMetadata("survives", needs_event="damaged")
)  # of damage: it has not KO'd the die
attacks_alone: Final = plain_condition(ConditionMetadata("attacks alone"))
alone: Final = plain_condition(ConditionMetadata("alone", is_checked_on_resolution=True, needs_die=True))
paired: Final = plain_condition(ConditionMetadata("paired", is_checked_on_resolution=True, needs_die=True))
