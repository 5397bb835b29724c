"""Words for effects."""

from __future__ import annotations

from typing import Annotated, Literal

from dicemasters.cards.language.description_words import character, in_force, opponent, this, you
from dicemasters.cards.language.metadata import (
    ACTIONS,
    BAD,
    BOTH,
    CHARACTER,
    DEPENDS,
    GOOD,
    NEITHER,
    PLAYERS,
    EffectMetadata,
    FormMetadata,
)
from dicemasters.cards.language.node import Node
from dicemasters.cards.language.node_types import (
    ALL,
    END_OF_TURN,
    HAND,
    WHILE_THERE,
    Affiliation,
    Condition,
    Decider,
    EnergyPrice,
    Event,
    GrantDuration,
    LevelAmount,
    LevelShown,
    NonNegativeInt,
    NonZeroInt,
    Number,
    ObjectName,
    Operand,
    OptionalEnergyPrice,
    PositiveAmount,
    PositiveInt,
    Rule,
    Select,
    Symbol,
    Where,
    as_tuple,
    register_effect,
    register_word,
)
from dicemasters.cards.language.signatures import BoundedNumber, check_node_class

# --- effects -------------------------------------------------------------------------------------------------------


@register_effect(EffectMetadata("choose", about=BOTH, valence=NEITHER))
class Choose(Node):
    """Choose dice for later words of the ability, which refer to them as chosen(n)."""

    what: Select


@register_effect(
    EffectMetadata(
        "damage", about=BOTH, can_fail=True, can_be_cost=True, places=("field",), valence=BAD, requires_field=True
    )
)
class Damage(Node):
    """Deal damage."""

    amount: PositiveAmount
    to: Operand
    source: Where | None = None  # this die by default


@register_effect(EffectMetadata("damage", about=BOTH, can_fail=True, valence=BAD, requires_field=True))
class Together(Node):
    """Deal several amounts of damage at the same time, as one effect."""

    parts: tuple[Damage, ...]


@register_effect(EffectMetadata("life", about=PLAYERS, can_be_cost=True, valence=DEPENDS))
class Life(Node):
    """Gain life, or lose it if the amount is negative; losing life is not damage."""

    amount: NonZeroInt | Number
    who: Where = you


@register_effect(EffectMetadata("set life", about=PLAYERS, valence=DEPENDS))
class SetLife(Node):
    """Set the life of a player."""

    amount: PositiveInt
    who: Where = opponent


@register_effect(EffectMetadata("each player", always_possible=True, valence=NEITHER))
class EachPlayer(Node):
    """Apply the effects to each player. All choices are made first, the active player's before the others'."""

    effects: tuple[Effect, ...]


@register_effect(EffectMetadata("one of", is_bookkeeping=True, valence=NEITHER))
class OneOf(Node):
    """Apply one of several lists of effects, chosen by `by`."""

    choices: tuple[tuple[Effect, ...], ...]
    by: Decider = "you"


@register_effect(
    EffectMetadata("later", about=BOTH, always_possible=True, valence=NEITHER, is_useful_only_in_combat=True)
)
class Later(Node):
    """Apply, for some time, effects whenever an event happens. In them, chosen(0) is the die the event is about."""

    event: Event
    effects: tuple[Effect, ...]
    about: Operand | None = None
    until: Literal["end of turn", "your next turn", "end of attack"] = END_OF_TURN


@register_effect(EffectMetadata("divide", about=BOTH, places=("field",), valence=BAD, requires_field=True))
class Divide(Node):
    """Deal damage divided among the matches as you choose."""

    amount: PositiveAmount
    among: Where
    target: bool = False  # whether the text calls them targets


@register_effect(
    EffectMetadata(
        "increase", always_possible=True, in_events=("would be damaged",), valence=BAD, implicit_recipient="event"
    )
)
class Increase(Node):
    """Increase the damage of a "would be damaged" ability."""

    amount: PositiveAmount


@register_effect(EffectMetadata("affiliation named", is_bookkeeping=True, valence=NEITHER))
class NameAffiliation(Node):
    """Choose an affiliation of a matching die, or any affiliation in the game, for `of_named_affiliation`."""

    among: Where | None = None
    at_least: PositiveInt = 1  # minimum number of matching dice with the affiliation
    other_than: Affiliation | Literal[""] = ""


@register_effect(
    EffectMetadata(
        "KO", can_fail=True, consumes=True, can_be_cost=True, places=("field",), valence=BAD, requires_field=True
    )
)
class Ko(Node):
    """KO dice."""

    what: Operand


@register_effect(EffectMetadata("give", about=BOTH, can_fail=True, valence=DEPENDS))
class Give(Node):
    """Grant a static rule for some time."""

    rule: Rule
    until: GrantDuration = END_OF_TURN


@register_effect(
    EffectMetadata(
        "spin", can_fail=True, can_be_cost=True, places=("field", "reserve"), valence=DEPENDS, requires_field=True
    )
)
class Spin(Node):
    """Spin up or down this many levels; 0 lets the player choose the direction of one level."""

    what: Operand
    levels: Annotated[int, BoundedNumber(-2, 2)]


@register_effect(
    EffectMetadata("spin to", can_fail=True, places=("field", "reserve"), valence=DEPENDS, requires_field=True)
)
class SpinTo(Node):
    """Spin to a level."""

    what: Operand
    level: LevelAmount


@register_effect(EffectMetadata("spin to energy", can_fail=True, consumes=True, valence=DEPENDS))
class SpinToEnergy(Node):
    """Spin dice to their face with this energy symbol; dice in the field move to the reserve pool."""

    what: Operand
    symbol: Symbol | Literal["1", "2"]


@register_effect(EffectMetadata("draw", valence=GOOD, implicit_recipient="user"))
class Draw(Node):
    """Draw dice from the bag into hand, into the prep area or the used pile, or roll them into the reserve pool."""

    amount: PositiveAmount
    to: Literal["hand", "prep", "reserve", "used"] = HAND


@register_effect(EffectMetadata("roll", can_fail=True, valence=GOOD))
class Roll(Node):
    """Roll dice and put them into the reserve pool, or keep them in hand."""

    what: Operand
    to: Literal["hand", "reserve"] = HAND


@register_effect(EffectMetadata("reroll", can_fail=True, places=("field", "reserve", "prep"), valence=DEPENDS))
class Reroll(Node):
    """Reroll dice in place; those that show no character go to `otherwise` ("" = as the rules say)."""

    what: Operand
    otherwise: Literal["", "used", "prep", "bag"] = ""


@register_effect(EffectMetadata("roll until", valence=DEPENDS))
class RollUntil(Node):
    """Roll a die until it shows this energy; AFFECTED is the number of character faces rolled before."""

    what: Operand
    symbol: Symbol


@register_effect(EffectMetadata("move", can_fail=True, consumes=True, can_be_cost=True, valence=DEPENDS))
class Move(Node):
    """Move dice to a zone."""

    what: Operand
    to: Literal["bag", "prep", "reserve", "used"]


@register_effect(EffectMetadata("field", can_fail=True, consumes=True, valence=GOOD))
class Field(Node):
    """Field dice for free at a level (0: as shown); dice that cannot be fielded go to `otherwise` ("" = stay)."""

    what: Operand
    level: LevelShown = 1
    otherwise: Literal["", "used", "prep", "bag"] = ""


@register_effect(EffectMetadata("return", can_fail=True, consumes=True, valence=GOOD))
class ReturnToField(Node):
    """Put dice into the field at a level (0: as shown) without fielding them."""

    what: Operand
    level: LevelShown | Number = 1


@register_effect(EffectMetadata("buy", consumes=True, valence=GOOD))
class Buy(Node):
    """Buy dice for free."""

    what: Operand


@register_effect(
    EffectMetadata(
        "leave combat",
        can_fail=True,
        places=("field",),
        valence=BAD,
        is_useful_only_in_combat=True,
        requires_field=True,
    )
)
class LeaveCombat(Node):
    """Move dice out of the attack zone; they stay in the field."""

    what: Operand


@register_effect(
    EffectMetadata("join attack", places=("field",), valence=BAD, is_useful_only_in_combat=True, requires_field=True)
)
class JoinAttack(Node):
    """Make dice attack, if able, without declaring them."""

    what: Operand


@register_effect(EffectMetadata("clear damage", can_fail=True, places=("field",), valence=GOOD, requires_field=True))
class ClearDamage(Node):
    """Remove all damage from dice."""

    what: Operand


@register_effect(EffectMetadata("capture", can_fail=True, consumes=True, valence=BAD, requires_own_die=True))
class Capture(Node):
    """Capture dice for some time or until this die leaves; then they return, or go to the zone `home`."""

    what: Operand
    until: Literal["end of turn", "end of attack", "you damage your opponent"] = END_OF_TURN
    home: Literal["", "used", "prep", "bag"] = ""


@register_effect(EffectMetadata("attach", places=("field",), card_kinds=ACTIONS, valence=DEPENDS))
class Attach(Node):
    """Attach this action die to another die. It goes to the used pile when that die leaves or the effect ends."""

    what: Operand
    until: Literal["while there", "end of turn", "end of their turn"] = WHILE_THERE


@register_effect(EffectMetadata("use", valence=DEPENDS))
class Use(Node):
    """Use an action die in any zone, as if it showed no burst."""

    what: Operand


@register_effect(EffectMetadata("use copy", in_events=("action used",), valence=DEPENDS, implicit_recipient="user"))
class UseCopy(Node):
    """Apply the text of an action die that was just used, with your own choices; no die is used."""

    what: Where


@register_effect(EffectMetadata("set aside", can_fail=True, consumes=True, places=("field",), valence=BAD))
class SetAside(Node):
    """Remove dice from the field until end of turn; they are set aside next to the cards."""

    what: Operand


@register_effect(
    EffectMetadata("control", can_fail=True, places=("field",), valence=BAD, requires_field=True, requires_own_die=True)
)
class TakeControl(Node):
    """Take control of dice until end of turn."""

    what: Operand


@register_effect(
    EffectMetadata("swap control", places=("field",), valence=BAD, requires_field=True, requires_own_die=True)
)
class SwapControl(Node):
    """Exchange control of two dice until the end of your turn."""

    first: Operand
    second: Operand


@register_effect(EffectMetadata("send home", valence=DEPENDS, implicit_recipient="controlled"))
class SendHome(Node):
    """Return every die under another player's control, and every die that is in the field only for some time.

    The former goes to its owner's field, the latter to the zone it came from.
    """


@register_effect(EffectMetadata("swap", valence=NEITHER))
class Swap(Node):
    """Exchange the exact positions of two dice."""

    first: Operand
    second: Operand


@register_effect(
    EffectMetadata("swap attack", places=("field",), valence=BAD, is_useful_only_in_combat=True, requires_field=True)
)
class SwapAttack(Node):
    """Exchange the A of two dice: the printed values and all applied changes (rules 5.4f)."""

    first: Operand
    second: Operand


@register_effect(EffectMetadata("copy", valence=NEITHER))
class Copy(Node):
    """Make dice (by default this one) copy parts of another die.

    The parts are "stats" (fielding cost, A and D), "A and D", "attack" (A only), "abilities", "combat abilities" (those
    about attacking, blocking and being blocked) and "die" (everything). If `who` is a description rather than a
    reference, dice that match later copy them too.
    """

    part: Literal["stats", "A and D", "attack", "abilities", "combat abilities", "die"]
    of: Operand
    who: Where = this
    until: Literal["end of turn", "your next turn", "end of attack"] = END_OF_TURN
    level: LevelShown = 0  # level of the copied numbers; 0: of the face shown


@register_effect(EffectMetadata("end effect", valence=DEPENDS))
class EndEffect(Node):
    """End the continuous effects of an action die; if it is in the field for them, it goes to its owner's used pile."""

    what: Where = in_force


@register_effect(
    EffectMetadata("pair up", places=("field",), card_kinds=(CHARACTER,), valence=GOOD, requires_own_die=True)
)
class PairUp(Node):
    """Pair this die up with another until the start of your next turn."""

    what: Operand


@register_effect(EffectMetadata("token", always_possible=True, valence=GOOD, implicit_recipient="user"))
class MakeToken(Node):
    """Put a character token with these numbers into your field."""

    name: ObjectName
    a: NonNegativeInt
    d: PositiveInt


@register_effect(EffectMetadata("counter", always_possible=True, valence=GOOD, implicit_recipient="user"))
class PutCounter(Node):
    """Put a counter on this card."""

    name: ObjectName


@register_effect(EffectMetadata("remove counters", needs_on_card=("PutCounter",), valence=NEITHER))
class RemoveCounters(Node):
    """Remove all counters of this name from this card."""

    name: ObjectName


@register_effect(EffectMetadata("name type", always_possible=True, valence=NEITHER))
class NameType(Node):
    """Choose an energy type for `of_named_type`."""


@register_effect(EffectMetadata("name card", always_possible=True, valence=NEITHER))
class NameCard(Node):
    """Choose one of the opponent's character cards for `of_named_card`; it replaces any earlier choice."""


@register_effect(
    EffectMetadata(
        "copy named card", always_possible=True, card_kinds=(CHARACTER,), needs_on_card=("NameCard",), valence=NEITHER
    )
)
class CopyNamedCard(Node):
    """Make the card's dice copy the named card until another die of this card is fielded.

    They gain its name, types, affiliations and abilities and, with `faces`, the faces of its die, level for level.
    Their purchase cost stays.
    """

    faces: bool = False


@register_effect(
    EffectMetadata(
        "prevent", always_possible=True, in_events=("would be damaged",), valence=GOOD, implicit_recipient="event"
    )
)
class Prevent(Node):
    """Prevent this much of the damage of a "would be damaged" ability."""

    amount: PositiveAmount = ALL


@register_effect(
    EffectMetadata("redirect", about=BOTH, in_events=("would be damaged",), places=("field",), valence=BAD)
)
class Redirect(Node):
    """Redirect this much of the damage of a "would be damaged" ability."""

    amount: PositiveAmount
    to: Operand
    whole_source: bool = False  # include all other damage from the same source at that moment, to any recipient


@register_effect(
    EffectMetadata(
        "instead",
        is_bookkeeping=True,
        in_events=("would be damaged", "would be KO'd", "would be affected"),
        valence=DEPENDS,
        implicit_recipient="event",
    )
)
class Instead(Node):
    """Cancel the event of a "would" ability."""


@register_effect(EffectMetadata("new target", in_events=("would be targeted",), places=("field",), valence=DEPENDS))
class NewTarget(Node):
    """Replace the target of a "would be targeted" ability."""

    what: Operand


@register_effect(EffectMetadata("place on card", card_kinds=ACTIONS, valence=NEITHER))
class PlaceOnCard(Node):
    """Put this action die on the card of a matching die; there it counts as being in the field."""

    among: Where


class Cost(Node):
    """A cost: energy symbols ("F", "BB", "1" = one of any type) and effects applied to the payer."""

    energy: OptionalEnergyPrice = ""
    effects: tuple[Effect, ...] = ()
    up_to: bool = False  # pay any number of the energy symbols, at least one


check_node_class(Cost)


@register_effect(EffectMetadata("may", is_bookkeeping=True, is_internal=True, valence=NEITHER))
class May(Node):
    """Allow a player to apply effects, at a cost if there is one."""

    effects: tuple[Effect, ...]
    cost: Cost | None = None
    who: Decider = "you"


@register_effect(EffectMetadata("unless", is_bookkeeping=True, is_internal=True, valence=NEITHER))
class Unless(Node):
    """Apply effects unless the opponent pays; if they pay, apply `otherwise`."""

    cost: Cost
    effects: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


@register_effect(EffectMetadata("if", is_bookkeeping=True, valence=NEITHER))
class Do(Node):
    """Apply effects if a condition holds, else `otherwise`."""

    condition: Condition
    effects: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


Effect = (
    Choose
    | Damage
    | Together
    | Life
    | SetLife
    | EachPlayer
    | OneOf
    | Later
    | Divide
    | Increase
    | NameAffiliation
    | Ko
    | Give
    | Spin
    | SpinTo
    | SpinToEnergy
    | Draw
    | Roll
    | Reroll
    | RollUntil
    | Move
    | Field
    | ReturnToField
    | Buy
    | LeaveCombat
    | JoinAttack
    | ClearDamage
    | Capture
    | Attach
    | Use
    | SetAside
    | TakeControl
    | SwapControl
    | SendHome
    | UseCopy
    | Swap
    | SwapAttack
    | Copy
    | EndEffect
    | PairUp
    | MakeToken
    | PutCounter
    | RemoveCounters
    | NameType
    | NameCard
    | CopyNamedCard
    | Prevent
    | Redirect
    | NewTarget
    | PlaceOnCard
    | Instead
    | May
    | Unless
    | Do
)


@register_word(FormMetadata("Give"))
def give(rule: Rule, until: GrantDuration = END_OF_TURN) -> Give:
    """Grant a static rule for some time."""
    return Give(rule, until)


@register_word(FormMetadata("May"))
def may(*effects: Effect, cost: Cost | EnergyPrice | None = None, who: Decider = "you") -> May:
    """Allow a player to apply effects, at a cost if there is one."""
    return May(effects, Cost(cost) if isinstance(cost, str) else cost, who)


@register_word(FormMetadata("Unless"))
def unless(cost: Cost, *effects: Effect, otherwise: tuple[Effect, ...] | Effect = ()) -> Unless:
    """Apply effects unless the opponent pays; if they pay, apply `otherwise`."""
    return Unless(cost, effects, as_tuple(otherwise))


@register_word(FormMetadata("Cost"))
def pays_up_to(energy: EnergyPrice) -> Cost:
    """Return a cost of any number of these energy symbols, at least one; PAID is the number paid."""
    return Cost(energy, up_to=True)


@register_word(FormMetadata("Cost"))
def pays_life(n: PositiveInt) -> Cost:
    """Return a cost of this much life."""
    return Cost(effects=(Life(-n, Where("payer")),))


@register_word(FormMetadata("Cost"))
def kos_own_die(what: Where = character) -> Cost:
    """Return a cost of KOing one of the payer's dice."""
    return Cost(effects=(Ko(Select(what & Where("payer's"), by="payer")),))


@register_word(FormMetadata("Cost"))
def spins_own_die_down(what: Where = character) -> Cost:
    """Return a cost of spinning one of the payer's dice down 1 level."""
    return Cost(effects=(Spin(Select(what & Where("payer's"), by="payer"), -1),))
