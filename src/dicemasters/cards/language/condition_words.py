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
    """Compare two numbers with = < <= > or >=."""
    return Condition("compare", (a, how, b))


@register_word(ConditionMetadata("or", is_checked_on_resolution=True))
def either(a: Condition, b: Condition) -> Condition:
    """Require one of two conditions."""
    return Condition("or", (a, b))


@register_word(ConditionMetadata("was", needs_event="KO'd"))
def was(word: Literal["attacking", "blocking", "engaged"]) -> Condition:
    """Require that the KO'd die was "attacking", "blocking" or "engaged" when it left."""
    return Condition("was", (word,))


@register_word(ConditionMetadata("by source", needs_event="source"))
def by_source(*kinds: Source) -> Condition:
    """Require that the damage comes from one of these sources.

    The sources are an "action" die, a "global", a character's "ability", "combat", or an ability of a printed class:
    "when fielded", "when attacks".
    """
    return Condition("by source", kinds)


@register_word(ConditionMetadata("count", is_checked_on_resolution=True))
def there_are(n: NonNegativeInt, what: Where, how: Comparison = ">=") -> Condition:
    """Require at least n matches, or compare their number with n by `how`."""
    return Condition("count", (how, n, what))


@register_word(FormMetadata("Condition"))
def there_is(what: Where) -> Condition:
    """Require at least one match."""
    return there_are(1, what)


@register_word(FormMetadata("Condition"))
def there_is_no(what: Where) -> Condition:
    """Require that nothing matches."""
    return there_are(0, what, "=")


@register_word(ConditionMetadata("is"))
def it_is(which: Where, what: Where) -> Condition:
    """Require that a known die (that, chosen(0), ...) matches the description."""
    return Condition("is", (which, what))


@register_word(ConditionMetadata("has damaged", is_past=True, needs_die=True))
def has_damaged(whom: Literal["opponent", "opposing character"], *, combat: bool = False) -> Condition:
    """Require that this die has dealt damage to the "opponent" or to an "opposing character" this turn.

    With `combat=True` only combat damage counts.
    """
    return Condition("has damaged", (whom, combat))


# this is your first character fielded this turn
first_fielding: Final = plain_condition(ConditionMetadata("first fielding", is_past=True, needs_event="fielded"))
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
# the previous effect affected something
if_done: Final = plain_condition(ConditionMetadata("done", needs_previous_effect=True))
# for damage that would be dealt: you deal it
dealt_by_you: Final = plain_condition(ConditionMetadata("dealt by you", needs_event="would be damaged"))
by_combat: Final = plain_condition(ConditionMetadata("by combat", needs_event="combat"))
# for damage that would be dealt: it KOs this die at that moment
would_be_kod_too: Final = plain_condition(
    ConditionMetadata("would be KO'd too", needs_die=True, needs_event="would be damaged")
)
# for a die that would be KO'd: damage is the cause, not an effect
by_damage: Final = plain_condition(ConditionMetadata("by damage", needs_event="would be KO'd"))
# for damage: the die has survived it
survives: Final = plain_condition(ConditionMetadata("survives", needs_event="damaged"))
attacks_alone: Final = plain_condition(ConditionMetadata("attacks alone"))
alone: Final = plain_condition(ConditionMetadata("alone", is_checked_on_resolution=True, needs_die=True))
paired: Final = plain_condition(ConditionMetadata("paired", is_checked_on_resolution=True, needs_die=True))
