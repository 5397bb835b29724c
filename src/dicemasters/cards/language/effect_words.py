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
    EffectRow,
    FormRow,
)
from dicemasters.cards.language.node import Value
from dicemasters.cards.language.node_types import (
    ALL,
    END_OF_TURN,
    HAND,
    WHILE_THERE,
    Affiliation,
    ALevel,
    AnyPrice,
    Change,
    Condition,
    Decider,
    Event,
    Lasting,
    LevelShown,
    Many,
    Much,
    Number,
    Price,
    Rule,
    Select,
    Some,
    Symbol,
    ThingName,
    What,
    Where,
    _effect,
    _several,
    _word,
)
from dicemasters.cards.language.signatures import Within, check_class

# --- effects -------------------------------------------------------------------------------------------------------


@_effect(EffectRow("choose", about=BOTH, bears=NEITHER))
class Choose(Value):
    """Pick dice for later words of the sentence, which call them chosen(n)."""

    what: Select


@_effect(EffectRow("damage", about=BOTH, can_fail=True, as_cost=True, places=("field",), bears=BAD, in_field=True))
class Damage(Value):
    amount: Much
    to: What
    source: Where | None = None  # this die, unless another is named


@_effect(EffectRow("damage", about=BOTH, can_fail=True, bears=BAD, in_field=True))
class Together(Value):
    """Damage dealt as one effect at one moment."""

    parts: tuple[Damage, ...]


@_effect(EffectRow("life", about=PLAYERS, as_cost=True, bears=DEPENDS))
class Life(Value):
    """Gain life; a negative amount is lost, which is no damage."""

    amount: Change | Number
    who: Where = you


@_effect(EffectRow("set life", about=PLAYERS, bears=DEPENDS))
class SetLife(Value):
    amount: Many
    who: Where = opponent


@_effect(EffectRow("each player", always_possible=True, bears=NEITHER))
class EachPlayer(Value):
    """Each player does this for themselves; where they choose, all do so first, the active player before the others."""

    effects: tuple[Effect, ...]


@_effect(EffectRow("one of", no_deed=True, bears=NEITHER))
class OneOf(Value):
    """One of these, as `by` chooses."""

    choices: tuple[tuple[Effect, ...], ...]
    by: Decider = "you"


@_effect(EffectRow("later", about=BOTH, always_possible=True, bears=NEITHER, in_fights=True))
class Later(Value):
    """For a time, whenever the event happens: this. In it, chosen(0) is the die it is about."""

    event: Event
    effects: tuple[Effect, ...]
    about: What | None = None
    until: Literal["end of turn", "your next turn", "end of attack"] = END_OF_TURN


@_effect(EffectRow("divide", about=BOTH, places=("field",), bears=BAD, in_field=True))
class Divide(Value):
    """Damage divided as you choose among what matches."""

    amount: Much
    among: Where
    target: bool = False  # the text calls them targets


@_effect(EffectRow("increase", always_possible=True, in_events=("would be damaged",), bears=BAD, reaches="event"))
class Increase(Value):
    """Inside a "would be damaged" sentence: that much more."""

    amount: Much


@_effect(EffectRow("affiliation named", no_deed=True, bears=NEITHER))
class NameAffiliation(Value):
    """Choose an affiliation of a die that matches, or any at the table, for `of_named_affiliation`."""

    among: Where | None = None
    at_least: Many = 1  # so many of them have it
    other_than: Affiliation | Literal[""] = ""


@_effect(EffectRow("KO", can_fail=True, takes=True, as_cost=True, places=("field",), bears=BAD, in_field=True))
class Ko(Value):
    what: What


@_effect(EffectRow("give", about=BOTH, can_fail=True, bears=DEPENDS))
class Give(Value):
    """A standing rule for a time."""

    rule: Rule
    until: Lasting = END_OF_TURN


@_effect(EffectRow("spin", can_fail=True, as_cost=True, places=("field", "reserve"), bears=DEPENDS, in_field=True))
class Spin(Value):
    """Up or down so many levels; 0 lets the player choose the direction of one level."""

    what: What
    levels: Annotated[int, Within(-2, 2)]


@_effect(EffectRow("spin to", can_fail=True, places=("field", "reserve"), bears=DEPENDS, in_field=True))
class SpinTo(Value):
    what: What
    level: ALevel


@_effect(EffectRow("spin to energy", can_fail=True, takes=True, bears=DEPENDS))
class SpinToEnergy(Value):
    """Turn dice to their face with this energy symbol; from the field they move to the reserve."""

    what: What
    symbol: Symbol | Literal["1", "2"]


@_effect(EffectRow("draw", bears=GOOD, reaches="user"))
class Draw(Value):
    """Draw from the bag into hand, straight into Prep or the Used Pile, or, rolled, into the reserve."""

    amount: Much
    to: Literal["hand", "prep", "reserve", "used"] = HAND


@_effect(EffectRow("roll", can_fail=True, bears=GOOD))
class Roll(Value):
    """Roll dice and put them there, or keep them in hand."""

    what: What
    to: Literal["hand", "reserve"] = HAND


@_effect(EffectRow("reroll", can_fail=True, places=("field", "reserve", "prep"), bears=DEPENDS))
class Reroll(Value):
    """Reroll dice where they are; those that show no character go to `otherwise` ("" = where the rules say)."""

    what: What
    otherwise: Literal["", "used", "prep", "bag"] = ""


@_effect(EffectRow("roll until", bears=DEPENDS))
class RollUntil(Value):
    """Roll a die again and again until it shows this energy; AFFECTED is how many character faces came before."""

    what: What
    symbol: Symbol


@_effect(EffectRow("move", can_fail=True, takes=True, as_cost=True, bears=DEPENDS))
class Move(Value):
    what: What
    to: Literal["bag", "prep", "reserve", "used"]


@_effect(EffectRow("field", can_fail=True, takes=True, bears=GOOD))
class Field(Value):
    """Field for free, on that level (0: as it shows); what cannot be fielded goes to `otherwise` ("" = stays)."""

    what: What
    level: LevelShown = 1
    otherwise: Literal["", "used", "prep", "bag"] = ""


@_effect(EffectRow("return", can_fail=True, takes=True, bears=GOOD))
class ReturnToField(Value):
    """Put into the field, on that level (0: as it shows), without fielding."""

    what: What
    level: LevelShown | Number = 1


@_effect(EffectRow("buy", takes=True, bears=GOOD))
class Buy(Value):
    """Buy for free."""

    what: What


@_effect(EffectRow("leave combat", can_fail=True, places=("field",), bears=BAD, in_fights=True, in_field=True))
class LeaveCombat(Value):
    """Out of the attack zone; stays in the field."""

    what: What


@_effect(EffectRow("join attack", places=("field",), bears=BAD, in_fights=True, in_field=True))
class JoinAttack(Value):
    """Attack too, if able, though not declared."""

    what: What


@_effect(EffectRow("clear damage", can_fail=True, places=("field",), bears=GOOD, in_field=True))
class ClearDamage(Value):
    what: What


@_effect(EffectRow("capture", can_fail=True, takes=True, bears=BAD, by_die=True))
class Capture(Value):
    """This die captures them for a time, or until it goes itself; then they go back, or to the place named."""

    what: What
    until: Literal["end of turn", "end of attack", "you damage your opponent"] = END_OF_TURN
    home: Literal["", "used", "prep", "bag"] = ""


@_effect(EffectRow("attach", places=("field",), on_cards=ACTIONS, bears=DEPENDS))
class Attach(Value):
    """This action die lies on another die; it goes to the Used Pile when that leaves or the time is over."""

    what: What
    until: Literal["while there", "end of turn", "end of their turn"] = WHILE_THERE


@_effect(EffectRow("use", bears=DEPENDS))
class Use(Value):
    """Use an action die, wherever it is, as if it showed no burst."""

    what: What


@_effect(EffectRow("use copy", in_events=("action used",), bears=DEPENDS, reaches="user"))
class UseCopy(Value):
    """Carry out the text of an action die that was just used, with choices of one's own; no die is used."""

    what: Where


@_effect(EffectRow("set aside", can_fail=True, takes=True, places=("field",), bears=BAD))
class SetAside(Value):
    """Out of the field, beside the cards, until end of turn."""

    what: What


@_effect(EffectRow("control", can_fail=True, places=("field",), bears=BAD, in_field=True, by_die=True))
class TakeControl(Value):
    what: What


@_effect(EffectRow("swap control", places=("field",), bears=BAD, in_field=True, by_die=True))
class SwapControl(Value):
    """Each of the two dice is controlled by the other's player until the end of your turn."""

    first: What
    second: What


@_effect(EffectRow("send home", bears=DEPENDS, reaches="controlled"))
class SendHome(Value):
    """Every die under another player's control goes back to its owner's field, and every die that is in the field
    only for a time goes back where it came from."""


@_effect(EffectRow("swap", bears=NEITHER))
class Swap(Value):
    """The two dice exchange places exactly."""

    first: What
    second: What


@_effect(EffectRow("swap attack", places=("field",), bears=BAD, in_fights=True, in_field=True))
class SwapAttack(Value):
    """The two dice exchange their A, printed and applied (rules 5.4)."""

    first: What
    second: What


@_effect(EffectRow("copy", bears=NEITHER))
class Copy(Value):
    """Dice, this one unless said, take over parts of another: "stats" (fielding cost, A and D), "A and D",
    "attack" (A alone), "abilities", "combat abilities" (those about attacking, blocking and being blocked) or "die" (all of it).

    Described rather than pointed at, dice that come to fit later have it too."""

    part: Literal["stats", "A and D", "attack", "abilities", "combat abilities", "die"]
    of: What
    who: Where = this
    until: Literal["end of turn", "your next turn", "end of attack"] = END_OF_TURN
    level: LevelShown = 0  # the numbers of that level; 0: of the face it shows


@_effect(EffectRow("end effect", bears=DEPENDS))
class EndEffect(Value):
    """End what an action die does at this moment; a die that lies in the field for it goes to its owner's Used Pile."""

    what: Where = in_force


@_effect(EffectRow("pair up", places=("field",), on_cards=(CHARACTER,), bears=GOOD, by_die=True))
class PairUp(Value):
    """This die and the other are partners until the start of your next turn."""

    what: What


@_effect(EffectRow("token", always_possible=True, bears=GOOD, reaches="user"))
class MakeToken(Value):
    """Put a character token with these numbers into your field."""

    name: ThingName
    a: Some
    d: Many


@_effect(EffectRow("counter", always_possible=True, bears=GOOD, reaches="user"))
class PutCounter(Value):
    """Put a counter on this card."""

    name: ThingName


@_effect(EffectRow("remove counters", needs_on_card=("PutCounter",), bears=NEITHER))
class RemoveCounters(Value):
    """Take all counters of that name off this card."""

    name: ThingName


@_effect(EffectRow("name type", always_possible=True, bears=NEITHER))
class NameType(Value):
    """Choose an energy type, for `of_named_type`."""


@_effect(EffectRow("name card", always_possible=True, bears=NEITHER))
class NameCard(Value):
    """Choose one of the opponent's character cards, for `of_named_card`, until another is chosen."""


@_effect(
    EffectRow(
        "copy named card", always_possible=True, on_cards=(CHARACTER,), needs_on_card=("NameCard",), bears=NEITHER
    )
)
class CopyNamedCard(Value):
    """Until another die of this card is fielded, its dice have the named card's name, types, affiliations and
    abilities, and if said what its die's faces show, level for level; their purchase cost stays."""

    faces: bool = False


@_effect(EffectRow("prevent", always_possible=True, in_events=("would be damaged",), bears=GOOD, reaches="event"))
class Prevent(Value):
    """Inside a "would be damaged" sentence: that much of the damage does not happen."""

    amount: Much = ALL


@_effect(EffectRow("redirect", about=BOTH, in_events=("would be damaged",), places=("field",), bears=BAD))
class Redirect(Value):
    """Inside a "would be damaged" sentence: that much of the damage goes there instead."""

    amount: Much
    to: What
    whole_source: bool = False  # with it all other damage from the same source at that moment, to whomever


@_effect(
    EffectRow(
        "instead",
        no_deed=True,
        in_events=("would be damaged", "would be KO'd", "would be affected"),
        bears=DEPENDS,
        reaches="event",
    )
)
class Instead(Value):
    """Inside a "would" sentence: what would have happened does not happen."""


@_effect(EffectRow("new target", in_events=("would be targeted",), places=("field",), bears=DEPENDS))
class NewTarget(Value):
    """Inside a "would be targeted" sentence: this one is the target in its place."""

    what: What


@_effect(EffectRow("place on card", on_cards=ACTIONS, bears=NEITHER))
class PlaceOnCard(Value):
    """Put this action die on the card of a die that matches; there it counts as being in the field."""

    among: Where


class Cost(Value):
    """Energy symbols ("F", "BB", "1" = one of any sort) and things to be done to oneself."""

    energy: AnyPrice = ""
    effects: tuple[Effect, ...] = ()
    up_to: bool = False  # as many of the energy symbols as the payer likes, at least one


check_class(Cost)


@_effect(EffectRow("may", no_deed=True, inner=True, bears=NEITHER))
class May(Value):
    """Somebody may do this, paying the cost if there is one."""

    effects: tuple[Effect, ...]
    cost: Cost | None = None
    who: Decider = "you"


@_effect(EffectRow("unless", no_deed=True, inner=True, bears=NEITHER))
class Unless(Value):
    """This happens unless the opponent pays; else the other thing."""

    cost: Cost
    effects: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


@_effect(EffectRow("if", no_deed=True, bears=NEITHER))
class Do(Value):
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


@_word(FormRow("Give"))
def give(rule: Rule, until: Lasting = END_OF_TURN) -> Give:
    return Give(rule, until)


@_word(FormRow("May"))
def may(*effects: Effect, cost: Cost | Price | None = None, who: Decider = "you") -> May:
    return May(effects, Cost(cost) if isinstance(cost, str) else cost, who)


@_word(FormRow("Unless"))
def unless(cost: Cost, *effects: Effect, otherwise: tuple[Effect, ...] | Effect = ()) -> Unless:
    return Unless(cost, effects, _several(otherwise))


@_word(FormRow("Cost"))
def pays_up_to(energy: Price) -> Cost:
    """A cost of as many of these energy symbols as the payer likes; PAID is how many."""
    return Cost(energy, up_to=True)


@_word(FormRow("Cost"))
def pays_life(n: Many) -> Cost:
    """A cost of so much life, for whoever pays it."""
    return Cost(effects=(Life(-n, Where("payer")),))


@_word(FormRow("Cost"))
def kos_own_die(what: Where = character) -> Cost:
    """A cost of KOing one of the payer's own dice."""
    return Cost(effects=(Ko(Select(what & Where("payer's"), by="payer")),))


@_word(FormRow("Cost"))
def spins_own_die_down(what: Where = character) -> Cost:
    """A cost of spinning one of the payer's own dice down 1 level."""
    return Cost(effects=(Spin(Select(what & Where("payer's"), by="payer"), -1),))
