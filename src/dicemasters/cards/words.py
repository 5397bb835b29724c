"""The card language: an ability is a sentence made of these words.

A sentence is plain data. `dicemasters.game` carries it out, `dicemasters.cards.english` says it.
Every word is explained with a card that uses it in docs/card-language.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

# --- energy, places, durations -------------------------------------------------------------------------------------

FIST: Final = "F"
BOLT: Final = "B"
MASK: Final = "M"
SHIELD: Final = "S"
TYPES: Final = (FIST, BOLT, MASK, SHIELD)

BAG: Final = "bag"
PREP: Final = "prep"
RESERVE: Final = "reserve"
FIELD: Final = "field"
USED: Final = "used"
HAND: Final = "hand"  # drawn and not yet put anywhere
PLACES: Final = (BAG, PREP, RESERVE, FIELD, USED, HAND)

END_OF_TURN: Final = "end of turn"
NEXT_TURN: Final = "your next turn"  # until the start of the controller's next turn
NEXT_ATTACK: Final = "its next chance"  # used up by the next attack it could join

ALL: Final = 99

KEYWORDS: Final = (
    "Ally",
    "Amplify",
    "Attune",
    "Continuous",
    "Deadly",
    "Enlistment",
    "Fast",
    "Heroic",
    "Impulse",
    "Intimidate",
    "Iron Will",
    "Overcrush",
    "Prep",
    "Resistance",
    "Suit Up",
)

# --- numbers -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """An amount that the game works out when it is needed."""

    op: str
    args: tuple[object, ...] = ()


Amount = int | Number


def count(what: Where, *, dice: bool = False) -> Number:
    """How many characters match: cards, or single dice when the text says dice (rules 5.5)."""
    return Number("count", (what, dice))


def attack_of(what: Where) -> Number:
    return Number("attack", (what,))


def defence_of(what: Where) -> Number:
    return Number("defence", (what,))


def level_of(what: Where) -> Number:
    return Number("level", (what,))


def half(of: Amount) -> Number:
    """Half of it, rounded down."""
    return Number("half", (of,))


def times(n: int, of: Amount) -> Number:
    return Number("times", (n, of))


AFFECTED: Final = Number("affected")  # how many the effect just before has reached
PAID: Final = Number("paid")  # how many dice were given for the cost just paid
EVENT_AMOUNT: Final = Number("event")  # the damage the event speaks of

# --- which dice and players ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Where:
    """A description of dice or players; descriptions combine with & | ~ and -."""

    op: str
    args: tuple[object, ...] = ()

    def __and__(self, other: Where) -> Where:
        return Where("and", (self, other))

    def __or__(self, other: Where) -> Where:
        return Where("or", (self, other))

    def __invert__(self) -> Where:
        return Where("not", (self,))

    def __sub__(self, other: Where) -> Where:
        return self & ~other


character: Final = Where("character")  # a character die
any_die: Final = Where("any")
own: Final = Where("own")
opposing: Final = Where("opposing")
this: Final = Where("this")  # the die whose text it is
this_card: Final = Where("this card")  # every die of this card that you control
that: Final = Where("that")  # the die the event speaks of
the_other: Final = Where("the other")  # the event's other die: whom it blocked, who dealt the damage
partner: Final = Where("partner")
sidekick: Final = Where("sidekick")
action_die: Final = Where("action die")
attacking: Final = Where("attacking")
blocking: Final = Where("blocking")
blocked: Final = Where("blocked")
unblocked: Final = Where("unblocked")
engaged: Final = Where("engaged")
engaged_with_this: Final = Where("engaged with this")
blocking_this: Final = Where("blocking this")
blocked_by_this: Final = Where("blocked by this")
fielded_this_turn: Final = Where("fielded this turn")
damaged: Final = Where("damaged")
drawn: Final = Where("drawn")  # a die in hand
just_moved: Final = Where("just moved")  # the dice the effect just before has reached
showing_character: Final = Where("showing character")
showing_action: Final = Where("showing action")
showing_energy: Final = Where("showing energy")
paying: Final = Where("paying")  # dice that paid for this fielding
you: Final = Where("you")
opponent: Final = Where("opponent")
each_player: Final = Where("each player")
of_named_type: Final = Where("of named type")
of_named_affiliation: Final = Where("of named affiliation")


def energy_type(*types: str) -> Where:
    """Dice whose card has one of these energy types."""
    return Where("type", types)


def affiliation(*names: str) -> Where:
    return Where("affiliation", names)


def keyword(*names: str) -> Where:
    """Characters that have one of these keywords, printed or given."""
    return Where("keyword", names)


def title(*names: str) -> Where:
    return Where("title", names)


def level(n: Amount, how: str = "=") -> Where:
    """Dice on that level; `how` is one of = < <= > >=."""
    return Where("level", (how, n))


def purchase_cost(n: Amount, how: str = "=") -> Where:
    return Where("cost", (how, n))


def fielding_cost(n: Amount, how: str = "=") -> Where:
    return Where("fielding", (how, n))


def defence(n: Amount, how: str = "=") -> Where:
    return Where("d", (how, n))


def in_(*places: str) -> Where:
    """Dice lying in one of these places."""
    return Where("in", places)


def chosen(n: int) -> Where:
    """What the sentence's choice number n (from 0) has picked."""
    return Where("chosen", (n,))


# --- choosing ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Select:
    """A choice among what matches: `least` to `most` of them, made by `by`."""

    where: Where
    least: int = 1
    most: int = 1
    target: bool = False
    by: str = "you"  # you, opponent


def one(what: Where, *, by: str = "you") -> Select:
    return Select(what, by=by)


def target(what: Where = character, *, by: str = "you") -> Select:
    return Select(what, target=True, by=by)


def two(what: Where) -> Select:
    """Two of them, or the only one there is (rules 5.1)."""
    return Select(what, 2, 2)


def two_targets(what: Where) -> Select:
    return Select(what, 2, 2, target=True)


def up_to(n: int, what: Where) -> Select:
    return Select(what, 0, n)


def any_number(what: Where) -> Select:
    return Select(what, 0, ALL)


What = Where | Select  # a description means all that match, a selection those picked

# --- conditions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Condition:
    op: str
    args: tuple[object, ...] = ()

    def __and__(self, other: Condition) -> Condition:
        return Condition("and", (self, other))

    def __invert__(self) -> Condition:
        return Condition("not", (self,))


def there_are(n: int, what: Where, how: str = ">=") -> Condition:
    """At least (or `how`) n dice match."""
    return Condition("count", (how, n, what))


def there_is(what: Where) -> Condition:
    return there_are(1, what)


def there_is_no(what: Where) -> Condition:
    return there_are(0, what, "=")


def it_is(which: Where, what: Where) -> Condition:
    """The die referred to (that, chosen(0), ...) matches the description."""
    return Condition("is", (which, what))


first_fielding: Final = Condition("first fielding")  # your first character fielded this turn
own_ko_this_turn: Final = Condition("own KO this turn")
opposing_ko_this_turn: Final = Condition("opposing KO this turn")
in_attack_step: Final = Condition("in attack step")
by_combat: Final = Condition("by combat")
attacks_alone: Final = Condition("attacks alone")
paired: Final = Condition("paired")

# --- events --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """What sets a reaction off: the word, whom it must happen to, and who the other die may be."""

    word: str
    who: Where
    other: Where | None = None


def fielded(who: Where = this) -> Event:
    return Event("fielded", who)


def attacks(who: Where = this) -> Event:
    return Event("attacks", who)


def attackers_declared(by: Where) -> Event:
    """Once a declaration, however many attack; `by` is the attacking player."""
    return Event("attackers declared", by)


def blocks(who: Where = this, whom: Where | None = None) -> Event:
    return Event("blocks", who, whom)


def is_blocked(who: Where = this, by: Where | None = None) -> Event:
    return Event("is blocked", who, by)


def becomes_engaged(who: Where = this, other: Where | None = None) -> Event:
    return Event("engaged", who, other)


def blockers_declared() -> Event:
    return Event("blockers declared", each_player)


def is_kod(who: Where = this) -> Event:
    return Event("KO'd", who)


def is_damaged(who: Where = this, by: Where | None = None) -> Event:
    return Event("damaged", who, by)


def deals_damage(who: Where = this, to: Where | None = None) -> Event:
    return Event("deals damage", who, to)


def uses_action(who: Where = you) -> Event:
    return Event("action used", who)


def uses_global(who: Where = each_player) -> Event:
    return Event("Global used", who)


def buys(who: Where = this) -> Event:
    """A die is bought; `who` describes the die."""
    return Event("bought", who)


def turn_starts(whose: Where = you) -> Event:
    return Event("turn starts", whose)


def turn_ends(whose: Where = you) -> Event:
    return Event("turn ends", whose)


def attack_step_starts(whose: Where = each_player) -> Event:
    return Event("attack step starts", whose)


def attack_step_ends(whose: Where = each_player) -> Event:
    return Event("attack step ends", whose)


def would_be_damaged(who: Where = this, by: Where | None = None) -> Event:
    return Event("would be damaged", who, by)


def would_be_kod(who: Where = this) -> Event:
    return Event("would be KO'd", who)


def would_be_affected(who: Where = this) -> Event:
    return Event("would be affected", who)


def would_leave(who: Where = this) -> Event:
    return Event("would leave", who)


# --- standing rules ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that holds of dice: always, while a condition holds, or for a time once it was given to them."""

    word: str
    who: What
    a: Amount = 0
    d: Amount = 0
    by: Where | None = None
    text: str = ""


def gets(who: What, a: Amount = 0, d: Amount = 0) -> Rule:
    return Rule("gets", who, a, d)


def multiplies(who: What, a: int = 1, d: int = 1) -> Rule:
    return Rule("multiplies", who, a, d)


def becomes(who: What, a: Amount, d: Amount) -> Rule:
    """A and D are set to these numbers."""
    return Rule("becomes", who, a, d)


def exchanges_a_and_d(who: What) -> Rule:
    return Rule("exchanges", who)


def cannot_attack(who: What) -> Rule:
    return Rule("cannot attack", who)


def must_attack(who: What) -> Rule:
    return Rule("must attack", who)


def cannot_block(who: What) -> Rule:
    return Rule("cannot block", who)


def must_block(who: What) -> Rule:
    return Rule("must block", who)


def cannot_be_blocked(who: What, by: Where | None = None) -> Rule:
    """By nobody at all, or not by those described."""
    return Rule("cannot be blocked", who, by=by)


def blocked_by_at_least(who: What, n: int) -> Rule:
    return Rule("blocked by at least", who, a=n)


def blocks_more(who: What, n: int = 1) -> Rule:
    """May block that many additional dice."""
    return Rule("blocks more", who, a=n)


def has_keyword(who: What, name: str) -> Rule:
    return Rule("has keyword", who, text=name)


def loses_keyword(who: What, name: str) -> Rule:
    return Rule("loses keyword", who, text=name)


def has_affiliation(who: What, name: str) -> Rule:
    return Rule("has affiliation", who, text=name)


def deals_no_damage(who: What) -> Rule:
    return Rule("deals no damage", who)


def excess_goes_through(who: What) -> Rule:
    """While attacking, damage beyond its blockers' total D goes to the opponent."""
    return Rule("excess goes through", who)


def takes_less(who: What, n: Amount, by: Where | None = None) -> Rule:
    """Damage to it is reduced by n (ALL: it takes none), from sources described."""
    return Rule("takes less", who, a=n, by=by)


def takes_more(who: What, n: Amount, by: Where | None = None) -> Rule:
    return Rule("takes more", who, a=n, by=by)


def cannot_be_targeted(who: What, *kinds: str) -> Rule:
    """By these kinds of source: "action", "global", "ability"; all if none is named."""
    return Rule("cannot be targeted", who, text=" ".join(kinds))


def cannot_be_kod(who: What) -> Rule:
    return Rule("cannot be KO'd", who)


def costs_to_buy(who: What, n: int) -> Rule:
    """Its purchase costs n more (or less)."""
    return Rule("costs to buy", who, a=n)


def costs_to_field(who: What, n: int) -> Rule:
    return Rule("costs to field", who, a=n)


# --- effects -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choose:
    """Pick dice for later words of the sentence, which call them chosen(n)."""

    what: Select


@dataclass(frozen=True, slots=True)
class Damage:
    amount: Amount
    to: What
    source: Where | None = None  # this die, unless another is named


@dataclass(frozen=True, slots=True)
class Together:
    """Damage dealt as one effect at one moment."""

    parts: tuple[Damage, ...]


@dataclass(frozen=True, slots=True)
class Life:
    """Gain life; a negative amount is lost, which is no damage."""

    amount: Amount
    who: Where = you


@dataclass(frozen=True, slots=True)
class Ko:
    what: What


@dataclass(frozen=True, slots=True)
class Give:
    """A standing rule for a time."""

    rule: Rule
    until: str = END_OF_TURN


@dataclass(frozen=True, slots=True)
class Spin:
    """Up or down so many levels; 0 lets the player choose the direction of one level."""

    what: What
    levels: int


@dataclass(frozen=True, slots=True)
class SpinTo:
    what: What
    level: Amount


@dataclass(frozen=True, slots=True)
class SpinToEnergy:
    """Turn dice to their face with this energy symbol; from the field they move to the reserve."""

    what: What
    symbol: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the bag into hand, or straight into Prep or, rolled, into the reserve."""

    amount: Amount
    to: str = HAND


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll dice and put them there, or keep them in hand."""

    what: What
    to: str = HAND


@dataclass(frozen=True, slots=True)
class Reroll:
    """Reroll dice where they are; those that show no character go to `otherwise` ("" = where the rules say)."""

    what: What
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    what: What
    to: str


@dataclass(frozen=True, slots=True)
class Field:
    """Field for free, on that level (0: as it shows)."""

    what: What
    level: int = 1


@dataclass(frozen=True, slots=True)
class ReturnToField:
    """Put into the field, on that level, without fielding."""

    what: What
    level: int = 1


@dataclass(frozen=True, slots=True)
class LeaveCombat:
    """Out of the attack zone; stays in the field."""

    what: What


@dataclass(frozen=True, slots=True)
class ClearDamage:
    what: What


@dataclass(frozen=True, slots=True)
class Capture:
    """This die captures them until end of turn, or until it goes itself."""

    what: What


@dataclass(frozen=True, slots=True)
class SetAside:
    """Out of the field, beside the cards, until end of turn."""

    what: What


@dataclass(frozen=True, slots=True)
class TakeControl:
    what: What


@dataclass(frozen=True, slots=True)
class Swap:
    """The two dice exchange places exactly."""

    first: What
    second: What


@dataclass(frozen=True, slots=True)
class Copy:
    """This die takes over parts of another: "stats", "abilities" or "die" (all of it)."""

    part: str
    of: What


@dataclass(frozen=True, slots=True)
class PairUp:
    """This die and the other are partners until your next turn."""

    what: What


@dataclass(frozen=True, slots=True)
class MakeToken:
    """Put a character token with these numbers into your field."""

    name: str
    a: int
    d: int


@dataclass(frozen=True, slots=True)
class PutCounter:
    """Put a counter on this card."""

    name: str


@dataclass(frozen=True, slots=True)
class NameType:
    """Choose an energy type, for `of_named_type`."""


@dataclass(frozen=True, slots=True)
class Prevent:
    """Inside a "would be damaged" sentence: that much of the damage does not happen."""

    amount: Amount = ALL


@dataclass(frozen=True, slots=True)
class Redirect:
    """Inside a "would be damaged" sentence: that much of the damage goes there instead."""

    amount: Amount
    to: What


@dataclass(frozen=True, slots=True)
class Instead:
    """Inside a "would" sentence: what would have happened does not happen."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Energy symbols ("F", "BB", "1" = one of any sort) and things to be done to oneself."""

    energy: str = ""
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class May:
    """Somebody may do this, paying the cost if there is one."""

    effects: tuple[Effect, ...]
    cost: Cost | None = None
    who: str = "you"  # you, opponent


@dataclass(frozen=True, slots=True)
class Unless:
    """This happens unless the opponent pays; else the other thing."""

    cost: Cost
    effects: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Do:
    """Only if the condition holds; else the other thing."""

    condition: Condition
    effects: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


Effect = (
    Choose
    | Damage
    | Together
    | Life
    | Ko
    | Give
    | Spin
    | SpinTo
    | SpinToEnergy
    | Draw
    | Roll
    | Reroll
    | Move
    | Field
    | ReturnToField
    | LeaveCombat
    | ClearDamage
    | Capture
    | SetAside
    | TakeControl
    | Swap
    | Copy
    | PairUp
    | MakeToken
    | PutCounter
    | NameType
    | Prevent
    | Redirect
    | Instead
    | May
    | Unless
    | Do
)


def give(rule: Rule, until: str = END_OF_TURN) -> Give:
    return Give(rule, until)


def may(*effects: Effect, cost: Cost | str | None = None, who: str = "you") -> May:
    return May(effects, Cost(cost) if isinstance(cost, str) else cost, who)


def unless(cost: Cost, *effects: Effect, otherwise: tuple[Effect, ...] = ()) -> Unless:
    return Unless(cost, effects, otherwise)


def pays_life(n: int) -> Cost:
    """A cost of so much life, for whoever pays it."""
    return Cost(effects=(Life(-n, Where("payer")),))


def kos_own_die(what: Where = character) -> Cost:
    """A cost of KOing one of the payer's own dice."""
    return Cost(effects=(Ko(Select(what & Where("payer's"), by="payer")),))


# --- abilities -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Burst:
    """What a burst face changes: on one burst, two, or either; added, or instead of the normal text."""

    on: tuple[int, ...]
    instead: bool
    effects: tuple[Effect, ...] = ()
    rules: tuple[Rule, ...] = ()


def burst_also(*what: Effect | Rule, on: tuple[int, ...] = (1,)) -> Burst:
    return _burst(on, False, what)


def burst_instead(*what: Effect | Rule, on: tuple[int, ...] = (1,)) -> Burst:
    return _burst(on, True, what)


def _burst(on: tuple[int, ...], instead: bool, what: tuple[Effect | Rule, ...]) -> Burst:
    effects = tuple(w for w in what if not isinstance(w, Rule))
    rules = tuple(w for w in what if isinstance(w, Rule))
    return Burst(on, instead, effects, rules)


@dataclass(frozen=True, slots=True)
class Ability:
    """One sentence of a card.

    kind: when (reacts), would (interrupts), always (standing rules), use (an action die), global, pay (paid for
    whenever a Global could be used). scope: whose text it is: each "die" by itself, the card while "active" (once,
    however many dice), the "card" without any die, an action die in the "field", both partners of a "pair".
    """

    kind: str
    event: Event | None = None
    effects: tuple[Effect, ...] = ()
    rules: tuple[Rule, ...] = ()
    cost: Cost | None = None
    condition: Condition | None = None
    scope: str = "die"
    keyword: str = ""
    limit: str = ""  # "turn": once per turn; "die": once per turn and die; "together": once for all at one moment
    own_turn: bool = False
    bursts: tuple[Burst, ...] = ()


def when(
    event: Event,
    *effects: Effect,
    condition: Condition | None = None,
    limit: str = "",
    bursts: tuple[Burst, ...] = (),
    keyword: str = "",
) -> Ability:
    """A reaction of each die."""
    return Ability("when", event, effects, condition=condition, limit=limit, bursts=bursts, keyword=keyword)


def would(
    event: Event, *effects: Effect, condition: Condition | None = None, limit: str = "", bursts: tuple[Burst, ...] = ()
) -> Ability:
    """An interruption: it changes what is about to happen."""
    return Ability("would", event, effects, condition=condition, limit=limit, bursts=bursts)


def always(*rules: Rule, condition: Condition | None = None, bursts: tuple[Burst, ...] = ()) -> Ability:
    """A standing rule of each die in the field."""
    return Ability("always", rules=rules, condition=condition, bursts=bursts)


def while_active(ability: Ability) -> Ability:
    """The ability of the card: once while at least one of its dice is in the field (rules 5.5)."""
    return replace(ability, scope="active")


def of_card(ability: Ability) -> Ability:
    """The ability works with no die in the field."""
    return replace(ability, scope="card")


def in_field(ability: Ability) -> Ability:
    """The ability of an action die lying in the field."""
    return replace(ability, scope="field")


def while_paired(ability: Ability) -> Ability:
    """The ability of both partners while this die is paired up."""
    return replace(ability, scope="pair")


def resistance(ability: Ability) -> Ability:
    """Works if one of your character dice was KO'd this turn (rules 6.14)."""
    condition = own_ko_this_turn if ability.condition is None else own_ko_this_turn & ability.condition
    return replace(ability, keyword="Resistance", condition=condition)


def use(*effects: Effect, bursts: tuple[Burst, ...] = (), keyword: str = "") -> Ability:
    """What an action die does when it is used."""
    return Ability("use", effects=effects, bursts=bursts, keyword=keyword)


def global_ability(
    energy: str,
    *effects: Effect,
    cost: tuple[Effect, ...] = (),
    limit: str = "",
    own_turn: bool = False,
    condition: Condition | None = None,
    on: Event | None = None,
) -> Ability:
    """A Global; `on` makes it reactive (rules 5.10)."""
    return Ability("global", on, effects, cost=Cost(energy, cost), condition=condition, limit=limit, own_turn=own_turn)


def pay_any_time(energy: str, *effects: Effect, cost: tuple[Effect, ...] = (), limit: str = "") -> Ability:
    """Paid for whenever a Global could be used (rules 3.3f)."""
    return Ability("pay", effects=effects, cost=Cost(energy, cost), limit=limit)


# keywords that are whole sentences


def fast() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Fast"),), keyword="Fast")


def overcrush() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Overcrush"),), keyword="Overcrush")


def iron_will() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Iron Will"),), keyword="Iron Will")


def ally() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Ally"),), keyword="Ally")


def deadly() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Deadly"),), keyword="Deadly")


def continuous() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Continuous"),), scope="field", keyword="Continuous")


def intimidate() -> Ability:
    return Ability("when", fielded(this), (SetAside(target(character & opposing)),), keyword="Intimidate")


def heroic() -> Ability:
    other = character & own & keyword("Heroic") & ~this_card
    return Ability("when", fielded(this), (may(PairUp(one(other))),), keyword="Heroic")


def attune() -> Ability:
    hit = Damage(1, target(character | each_player))
    return Ability("when", uses_action(you), (hit,), scope="active", keyword="Attune")


def amplify() -> Ability:
    return Ability("when", uses_action(you), (Spin(this, 1),), keyword="Amplify")


def impulse(*effects: Effect) -> Ability:
    return Ability("when", buys(this), effects, scope="card", keyword="Impulse")


def suit_up(*names: str) -> Ability:
    gone = Cost(effects=(Ko(one(own & character & title(*names))),))
    return Ability("when", buys(this), (may(may(ReturnToField(that, 2)), cost=gone),), scope="card", keyword="Suit Up")
