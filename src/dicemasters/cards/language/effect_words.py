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
    """Pick dice for later words of the sentence, which call them chosen(n)."""

    what: Select


@register_effect(
    EffectMetadata(
        "damage", about=BOTH, can_fail=True, can_be_cost=True, places=("field",), valence=BAD, requires_field=True
    )
)
class Damage(Node):
    amount: PositiveAmount
    to: Operand
    source: Where | None = None  # this die, unless another is named


@register_effect(EffectMetadata("damage", about=BOTH, can_fail=True, valence=BAD, requires_field=True))
class Together(Node):
    """Damage dealt as one effect at one moment."""

    parts: tuple[Damage, ...]


@register_effect(EffectMetadata("life", about=PLAYERS, can_be_cost=True, valence=DEPENDS))
class Life(Node):
    """Gain life; a negative amount is lost, which is no damage."""

    amount: NonZeroInt | Number
    who: Where = you


@register_effect(EffectMetadata("set life", about=PLAYERS, valence=DEPENDS))
class SetLife(Node):
    amount: PositiveInt
    who: Where = opponent


@register_effect(EffectMetadata("each player", always_possible=True, valence=NEITHER))
class EachPlayer(Node):
    """Each player does this for themselves; where they choose, all do so first, the active player before the others."""

    effects: tuple[Effect, ...]


@register_effect(EffectMetadata("one of", is_bookkeeping=True, valence=NEITHER))
class OneOf(Node):
    """One of these, as `by` chooses."""

    choices: tuple[tuple[Effect, ...], ...]
    by: Decider = "you"


@register_effect(
    EffectMetadata("later", about=BOTH, always_possible=True, valence=NEITHER, is_useful_only_in_combat=True)
)
class Later(Node):
    """For a time, whenever the event happens: this. In it, chosen(0) is the die it is about."""

    event: Event
    effects: tuple[Effect, ...]
    about: Operand | None = None
    until: Literal["end of turn", "your next turn", "end of attack"] = END_OF_TURN


@register_effect(EffectMetadata("divide", about=BOTH, places=("field",), valence=BAD, requires_field=True))
class Divide(Node):
    """Damage divided as you choose among what matches."""

    amount: PositiveAmount
    among: Where
    target: bool = False  # the text calls them targets


@register_effect(
    EffectMetadata(
        "increase", always_possible=True, in_events=("would be damaged",), valence=BAD, implicit_recipient="event"
    )
)
class Increase(Node):
    """Inside a "would be damaged" sentence: that much more."""

    amount: PositiveAmount


@register_effect(EffectMetadata("affiliation named", is_bookkeeping=True, valence=NEITHER))
class NameAffiliation(Node):
    """Choose an affiliation of a die that matches, or any at the table, for `of_named_affiliation`."""

    among: Where | None = None
    at_least: PositiveInt = 1  # so many of them have it
    other_than: Affiliation | Literal[""] = ""


@register_effect(
    EffectMetadata(
        "KO", can_fail=True, consumes=True, can_be_cost=True, places=("field",), valence=BAD, requires_field=True
    )
)
class Ko(Node):
    what: Operand


@register_effect(EffectMetadata("give", about=BOTH, can_fail=True, valence=DEPENDS))
class Give(Node):
    """A standing rule for a time."""

    rule: Rule
    until: GrantDuration = END_OF_TURN


@register_effect(
    EffectMetadata(
        "spin", can_fail=True, can_be_cost=True, places=("field", "reserve"), valence=DEPENDS, requires_field=True
    )
)
class Spin(Node):
    """Up or down so many levels; 0 lets the player choose the direction of one level."""

    what: Operand
    levels: Annotated[int, BoundedNumber(-2, 2)]


@register_effect(
    EffectMetadata("spin to", can_fail=True, places=("field", "reserve"), valence=DEPENDS, requires_field=True)
)
class SpinTo(Node):
    what: Operand
    level: LevelAmount


@register_effect(EffectMetadata("spin to energy", can_fail=True, consumes=True, valence=DEPENDS))
class SpinToEnergy(Node):
    """Turn dice to their face with this energy symbol; from the field they move to the reserve."""

    what: Operand
    symbol: Symbol | Literal["1", "2"]


@register_effect(EffectMetadata("draw", valence=GOOD, implicit_recipient="user"))
class Draw(Node):
    """Draw from the bag into hand, straight into Prep or the Used Pile, or, rolled, into the reserve."""

    amount: PositiveAmount
    to: Literal["hand", "prep", "reserve", "used"] = HAND


@register_effect(EffectMetadata("roll", can_fail=True, valence=GOOD))
class Roll(Node):
    """Roll dice and put them there, or keep them in hand."""

    what: Operand
    to: Literal["hand", "reserve"] = HAND


@register_effect(EffectMetadata("reroll", can_fail=True, places=("field", "reserve", "prep"), valence=DEPENDS))
class Reroll(Node):
    """Reroll dice where they are; those that show no character go to `otherwise` ("" = where the rules say)."""

    what: Operand
    otherwise: Literal["", "used", "prep", "bag"] = ""


@register_effect(EffectMetadata("roll until", valence=DEPENDS))
class RollUntil(Node):
    """Roll a die again and again until it shows this energy; AFFECTED is how many character faces came before."""

    what: Operand
    symbol: Symbol


@register_effect(EffectMetadata("move", can_fail=True, consumes=True, can_be_cost=True, valence=DEPENDS))
class Move(Node):
    what: Operand
    to: Literal["bag", "prep", "reserve", "used"]


@register_effect(EffectMetadata("field", can_fail=True, consumes=True, valence=GOOD))
class Field(Node):
    """Field for free, on that level (0: as it shows); what cannot be fielded goes to `otherwise` ("" = stays)."""

    what: Operand
    level: LevelShown = 1
    otherwise: Literal["", "used", "prep", "bag"] = ""


@register_effect(EffectMetadata("return", can_fail=True, consumes=True, valence=GOOD))
class ReturnToField(Node):
    """Put into the field, on that level (0: as it shows), without fielding."""

    what: Operand
    level: LevelShown | Number = 1


@register_effect(EffectMetadata("buy", consumes=True, valence=GOOD))
class Buy(Node):
    """Buy for free."""

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
    """Out of the attack zone; stays in the field."""

    what: Operand


@register_effect(
    EffectMetadata("join attack", places=("field",), valence=BAD, is_useful_only_in_combat=True, requires_field=True)
)
class JoinAttack(Node):
    """Attack too, if able, though not declared."""

    what: Operand


@register_effect(EffectMetadata("clear damage", can_fail=True, places=("field",), valence=GOOD, requires_field=True))
class ClearDamage(Node):
    what: Operand


@register_effect(EffectMetadata("capture", can_fail=True, consumes=True, valence=BAD, requires_own_die=True))
class Capture(Node):
    """This die captures them for a time, or until it goes itself; then they go back, or to the place named."""

    what: Operand
    until: Literal["end of turn", "end of attack", "you damage your opponent"] = END_OF_TURN
    home: Literal["", "used", "prep", "bag"] = ""


@register_effect(EffectMetadata("attach", places=("field",), card_kinds=ACTIONS, valence=DEPENDS))
class Attach(Node):
    """This action die lies on another die; it goes to the Used Pile when that leaves or the time is over."""

    what: Operand
    until: Literal["while there", "end of turn", "end of their turn"] = WHILE_THERE


@register_effect(EffectMetadata("use", valence=DEPENDS))
class Use(Node):
    """Use an action die, wherever it is, as if it showed no burst."""

    what: Operand


@register_effect(EffectMetadata("use copy", in_events=("action used",), valence=DEPENDS, implicit_recipient="user"))
class UseCopy(Node):
    """Carry out the text of an action die that was just used, with choices of one's own; no die is used."""

    what: Where


@register_effect(EffectMetadata("set aside", can_fail=True, consumes=True, places=("field",), valence=BAD))
class SetAside(Node):
    """Out of the field, beside the cards, until end of turn."""

    what: Operand


@register_effect(
    EffectMetadata("control", can_fail=True, places=("field",), valence=BAD, requires_field=True, requires_own_die=True)
)
class TakeControl(Node):
    what: Operand


@register_effect(
    EffectMetadata("swap control", places=("field",), valence=BAD, requires_field=True, requires_own_die=True)
)
class SwapControl(Node):
    """Each of the two dice is controlled by the other's player until the end of your turn."""

    first: Operand
    second: Operand


@register_effect(EffectMetadata("send home", valence=DEPENDS, implicit_recipient="controlled"))
class SendHome(Node):
    """Every die under another player's control goes back to its owner's field, and every die that is in the field
    only for a time goes back where it came from."""


@register_effect(EffectMetadata("swap", valence=NEITHER))
class Swap(Node):
    """The two dice exchange places exactly."""

    first: Operand
    second: Operand


@register_effect(
    EffectMetadata("swap attack", places=("field",), valence=BAD, is_useful_only_in_combat=True, requires_field=True)
)
class SwapAttack(Node):
    """The two dice exchange their A, printed and applied (rules 5.4)."""

    first: Operand
    second: Operand


@register_effect(EffectMetadata("copy", valence=NEITHER))
class Copy(Node):
    """Dice, this one unless said, take over parts of another: "stats" (fielding cost, A and D), "A and D",
    "attack" (A alone), "abilities", "combat abilities" (those about attacking, blocking and being blocked) or "die" (all of it).

    Described rather than pointed at, dice that come to fit later have it too."""

    part: Literal["stats", "A and D", "attack", "abilities", "combat abilities", "die"]
    of: Operand
    who: Where = this
    until: Literal["end of turn", "your next turn", "end of attack"] = END_OF_TURN
    level: LevelShown = 0  # the numbers of that level; 0: of the face it shows


@register_effect(EffectMetadata("end effect", valence=DEPENDS))
class EndEffect(Node):
    """End what an action die does at this moment; a die that lies in the field for it goes to its owner's Used Pile."""

    what: Where = in_force


@register_effect(
    EffectMetadata("pair up", places=("field",), card_kinds=(CHARACTER,), valence=GOOD, requires_own_die=True)
)
class PairUp(Node):
    """This die and the other are partners until the start of your next turn."""

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
    """Take all counters of that name off this card."""

    name: ObjectName


@register_effect(EffectMetadata("name type", always_possible=True, valence=NEITHER))
class NameType(Node):
    """Choose an energy type, for `of_named_type`."""


@register_effect(EffectMetadata("name card", always_possible=True, valence=NEITHER))
class NameCard(Node):
    """Choose one of the opponent's character cards, for `of_named_card`, until another is chosen."""


@register_effect(
    EffectMetadata(
        "copy named card", always_possible=True, card_kinds=(CHARACTER,), needs_on_card=("NameCard",), valence=NEITHER
    )
)
class CopyNamedCard(Node):
    """Until another die of this card is fielded, its dice have the named card's name, types, affiliations and
    abilities, and if said what its die's faces show, level for level; their purchase cost stays."""

    faces: bool = False


@register_effect(
    EffectMetadata(
        "prevent", always_possible=True, in_events=("would be damaged",), valence=GOOD, implicit_recipient="event"
    )
)
class Prevent(Node):
    """Inside a "would be damaged" sentence: that much of the damage does not happen."""

    amount: PositiveAmount = ALL


@register_effect(
    EffectMetadata("redirect", about=BOTH, in_events=("would be damaged",), places=("field",), valence=BAD)
)
class Redirect(Node):
    """Inside a "would be damaged" sentence: that much of the damage goes there instead."""

    amount: PositiveAmount
    to: Operand
    whole_source: bool = False  # with it all other damage from the same source at that moment, to whomever


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
    """Inside a "would" sentence: what would have happened does not happen."""


@register_effect(EffectMetadata("new target", in_events=("would be targeted",), places=("field",), valence=DEPENDS))
class NewTarget(Node):
    """Inside a "would be targeted" sentence: this one is the target in its place."""

    what: Operand


@register_effect(EffectMetadata("place on card", card_kinds=ACTIONS, valence=NEITHER))
class PlaceOnCard(Node):
    """Put this action die on the card of a die that matches; there it counts as being in the field."""

    among: Where


class Cost(Node):
    """Energy symbols ("F", "BB", "1" = one of any sort) and things to be done to oneself."""

    energy: OptionalEnergyPrice = ""
    effects: tuple[Effect, ...] = ()
    up_to: bool = False  # as many of the energy symbols as the payer likes, at least one


check_node_class(Cost)


@register_effect(EffectMetadata("may", is_bookkeeping=True, is_internal=True, valence=NEITHER))
class May(Node):
    """Somebody may do this, paying the cost if there is one."""

    effects: tuple[Effect, ...]
    cost: Cost | None = None
    who: Decider = "you"


@register_effect(EffectMetadata("unless", is_bookkeeping=True, is_internal=True, valence=NEITHER))
class Unless(Node):
    """This happens unless the opponent pays; else the other thing."""

    cost: Cost
    effects: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


@register_effect(EffectMetadata("if", is_bookkeeping=True, valence=NEITHER))
class Do(Node):
    """Only if the condition holds; else the other thing."""

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
    return Give(rule, until)


@register_word(FormMetadata("May"))
def may(*effects: Effect, cost: Cost | EnergyPrice | None = None, who: Decider = "you") -> May:
    return May(effects, Cost(cost) if isinstance(cost, str) else cost, who)


@register_word(FormMetadata("Unless"))
def unless(cost: Cost, *effects: Effect, otherwise: tuple[Effect, ...] | Effect = ()) -> Unless:
    return Unless(cost, effects, as_tuple(otherwise))


@register_word(FormMetadata("Cost"))
def pays_up_to(energy: EnergyPrice) -> Cost:
    """A cost of as many of these energy symbols as the payer likes; PAID is how many."""
    return Cost(energy, up_to=True)


@register_word(FormMetadata("Cost"))
def pays_life(n: PositiveInt) -> Cost:
    """A cost of so much life, for whoever pays it."""
    return Cost(effects=(Life(-n, Where("payer")),))


@register_word(FormMetadata("Cost"))
def kos_own_die(what: Where = character) -> Cost:
    """A cost of KOing one of the payer's own dice."""
    return Cost(effects=(Ko(Select(what & Where("payer's"), by="payer")),))


@register_word(FormMetadata("Cost"))
def spins_own_die_down(what: Where = character) -> Cost:
    """A cost of spinning one of the payer's own dice down 1 level."""
    return Cost(effects=(Spin(Select(what & Where("payer's"), by="payer"), -1),))
