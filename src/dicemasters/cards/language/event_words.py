"""Words for the events that trigger abilities."""

from __future__ import annotations

from dicemasters.cards.language.description_words import each_player, opponent, this, you
from dicemasters.cards.language.metadata import BOTH, DICE, PLAYERS, EventMetadata
from dicemasters.cards.language.node_types import AbilityClass, Event, Keyword, Where, register_word


@register_word(EventMetadata("fielded", characters_only=True, provides=("paid",)))
def fielded(who: Where = this) -> Event:
    """Trigger when a die is fielded."""
    return Event("fielded", who)


@register_word(EventMetadata("attacks", characters_only=True, is_combat=True))
def attacks(who: Where = this) -> Event:
    """Trigger when a die attacks, for each attacker separately."""
    return Event("attacks", who)


@register_word(EventMetadata("commits", characters_only=True))
def commits(who: Where) -> Event:
    """Trigger when a die is declared as an attacker, but not when it joins the attack later (JoinAttack)."""
    return Event("commits", who)


@register_word(EventMetadata("attackers declared", PLAYERS))
def attackers_declared(by: Where) -> Event:
    """Trigger once per declaration, however many dice attack; `by` is the attacking player."""
    return Event("attackers declared", by)


@register_word(EventMetadata("blocks", characters_only=True, other=DICE, is_combat=True))
def blocks(who: Where = this, whom: Where | None = None) -> Event:
    """Trigger when a die blocks, or blocks a die described by `whom`."""
    return Event("blocks", who, whom)


@register_word(EventMetadata("is blocked", characters_only=True, other=DICE, is_combat=True))
def is_blocked(who: Where = this, by: Where | None = None) -> Event:
    """Trigger once when a die is blocked, however many dice block it."""
    return Event("is blocked", who, by)


@register_word(EventMetadata("engaged", characters_only=True, other=DICE, is_combat=True))
def becomes_engaged(who: Where = this, other: Where | None = None) -> Event:
    """Trigger when a die blocks or is blocked."""
    return Event("engaged", who, other)


@register_word(EventMetadata("not blocked", characters_only=True, is_combat=True))
def is_not_blocked(who: Where = this) -> Event:
    """Trigger when an attacker is left unblocked."""
    return Event("not blocked", who)


@register_word(EventMetadata("KOs", characters_only=True, other=DICE, provides=("combat",)))
def kos(who: Where = this, whom: Where | None = None) -> Event:
    """Trigger when a die KOs another by its damage or its effect."""
    return Event("KOs", who, whom)


@register_word(EventMetadata("KOs own", PLAYERS, other=DICE))
def kos_own(who: Where = opponent) -> Event:
    """Trigger when the player `who` KOs one of their own dice by an effect or as a cost."""
    return Event("KOs own", who)


@register_word(EventMetadata("drawn", PLAYERS, provides=("amount",)))
def draws(who: Where) -> Event:
    """Trigger when a player draws from the bag, once for all dice drawn together."""
    return Event("drawn", who)


@register_word(EventMetadata("rolled", PLAYERS))
def dice_rolled(whose: Where = you) -> Event:
    """Trigger after the roll of the Roll and Reroll Step, before the reroll."""
    return Event("rolled", whose)


@register_word(EventMetadata("roll ends", PLAYERS, is_step_edge=True))
def roll_step_ends(whose: Where = you) -> Event:
    """Trigger at the end of the Roll and Reroll Step."""
    return Event("roll ends", whose)


@register_word(EventMetadata("main step starts", PLAYERS, is_step_edge=True))
def main_step_starts(whose: Where = you) -> Event:
    """Trigger at the start of the Main Step."""
    return Event("main step starts", whose)


@register_word(EventMetadata("main step ends", PLAYERS, is_step_edge=True))
def main_step_ends(whose: Where = you) -> Event:
    """Trigger at the end of the Main Step."""
    return Event("main step ends", whose)


@register_word(EventMetadata("uses", PLAYERS, other=DICE))
def uses_ability(who: Where, of: AbilityClass | Keyword) -> Event:
    """Trigger when a player uses an ability of a class: "when fielded", "when attacks", or a keyword."""
    return Event(f"uses {of}", who)


@register_word(EventMetadata("blockers declared", PLAYERS))
def blockers_declared() -> Event:
    """Trigger when blockers are declared."""
    return Event("blockers declared", each_player)


@register_word(EventMetadata("KO'd", characters_only=True, other=DICE, provides=("combat",)))
def is_kod(who: Where = this) -> Event:
    """Trigger when a die is KO'd."""
    return Event("KO'd", who)


@register_word(
    EventMetadata("damaged", BOTH, characters_only=True, other=BOTH, provides=("amount", "total", "source", "combat"))
)
def is_damaged(who: Where = this, by: Where | None = None) -> Event:
    """Trigger when a die or player is damaged."""
    return Event("damaged", who, by)


@register_word(EventMetadata("deals damage", other=BOTH, provides=("amount", "source", "combat")))
def deals_damage(who: Where = this, to: Where | None = None) -> Event:
    """Trigger when a die deals damage."""
    return Event("deals damage", who, to)


@register_word(EventMetadata("action used", PLAYERS, other=DICE))
def uses_action(who: Where = you) -> Event:
    """Trigger when a player uses an action die."""
    return Event("action used", who)


@register_word(EventMetadata("Global used", PLAYERS))
def uses_global(who: Where = each_player) -> Event:
    """Trigger when a player uses a Global."""
    return Event("Global used", who)


@register_word(EventMetadata("bought"))
def buys(who: Where = this) -> Event:
    """Trigger when a die is bought; `who` describes the die."""
    return Event("bought", who)


@register_word(EventMetadata("turn starts", PLAYERS, is_step_edge=True))
def turn_starts(whose: Where = you) -> Event:
    """Trigger at the start of a turn."""
    return Event("turn starts", whose)


@register_word(EventMetadata("turn ends", PLAYERS, is_step_edge=True))
def turn_ends(whose: Where = you) -> Event:
    """Trigger at the end of a turn."""
    return Event("turn ends", whose)


@register_word(EventMetadata("attack step starts", PLAYERS, is_step_edge=True))
def attack_step_starts(whose: Where = each_player) -> Event:
    """Trigger at the start of the Attack Step."""
    return Event("attack step starts", whose)


@register_word(EventMetadata("attack step ends", PLAYERS, is_step_edge=True))
def attack_step_ends(whose: Where = each_player) -> Event:
    """Trigger at the end of the Attack Step."""
    return Event("attack step ends", whose)


@register_word(
    EventMetadata(
        "would be damaged",
        BOTH,
        characters_only=True,
        is_replaceable=True,
        other=BOTH,
        provides=("amount", "source", "combat"),
    )
)
def would_be_damaged(who: Where = this, by: Where | None = None) -> Event:
    """Apply when a die or player would be damaged."""
    return Event("would be damaged", who, by)


@register_word(
    EventMetadata("would be KO'd", characters_only=True, is_replaceable=True, other=DICE, provides=("combat",))
)
def would_be_kod(who: Where = this) -> Event:
    """Apply when a die would be KO'd."""
    return Event("would be KO'd", who)


@register_word(EventMetadata("would be affected", characters_only=True, is_replaceable=True, other=DICE))
def would_be_affected(who: Where = this) -> Event:
    """Apply when an effect would do something to a die."""
    return Event("would be affected", who)


@register_word(
    EventMetadata("would be targeted", characters_only=True, is_replaceable=True, other=DICE, provides=("source",))
)
def would_be_targeted(who: Where = this) -> Event:
    """Apply when a die has been chosen as a target and nothing has happened to it yet."""
    return Event("would be targeted", who)


@register_word(EventMetadata("targeted", characters_only=True, other=DICE, provides=("source",)))
def is_targeted(who: Where = this) -> Event:
    """Trigger when a die becomes a target of a kind of source (by_source)."""
    return Event("targeted", who)
