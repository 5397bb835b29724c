"""The card language: an ability is a sentence made of these words.

A sentence is plain data. `dicemasters.game` carries it out, `dicemasters.cards.english` says it.
Every word is explained with a card that uses it in docs/card-language.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal, ParamSpec, TypeVar, get_args

from dicemasters.cards.arguments import Energy, Listed, Name, Perhaps, Within, WordError, check_class, checked
from dicemasters.cards.rows import (
    ACTIONS,
    BAD,
    BOTH,
    CHARACTER,
    DEPENDS,
    DICE,
    GOOD,
    NEITHER,
    PLAYERS,
    WORDS,
    ConditionRow,
    DescriptionRow,
    DurationRow,
    EffectRow,
    EventRow,
    FormRow,
    KeywordRow,
    NumberRow,
    PlaceRow,
    Row,
    RuleRow,
    ScopeRow,
    SentenceRow,
    SymbolRow,
    enter,
)
from dicemasters.cards.value import Value

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)
T = TypeVar("T")


def _word(row: Row) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Enter the row of a word that takes something in brackets."""

    def make(word: Callable[P, R]) -> Callable[P, R]:
        enter(word.__name__, row)
        return checked(word)

    return make


def _several(things: T | tuple[T, ...]) -> tuple[T, ...]:
    return things if isinstance(things, tuple) else (things,)


def _effect(row: EffectRow) -> Callable[[C], C]:
    """Enter the row of a class that is an effect."""

    def make(made: C) -> C:
        enter(made.__name__, row)
        check_class(made)
        return made

    return make


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
YOUR_HIT: Final = "you damage your opponent"  # until its player damages the opponent
NEXT_ATTACK: Final = "its next chance"  # used up by the next attack it could join
NEXT_ONE: Final = "next one"  # used up by the next die it bears on, this turn

NEXT_FIELDING: Final = "next fielding"  # until another die of the card is fielded
THIS_ATTACK: Final = "end of attack"  # until the attack step ends
END_OF_YOUR_TURN: Final = "end of your turn"  # until the end of the player's own turn: this one, or the next
END_OF_THEIR_TURN: Final = "end of their turn"  # until the end of the opponent's next turn
WHILE_THERE: Final = "while there"  # as long as it lies there

ALL: Final = 99


# what a word takes where it takes a text or a number

Symbol = Literal["F", "B", "M", "S"]
Place = Literal["bag", "prep", "reserve", "field", "used", "hand"]
Player = Literal["you", "opponent"]
Decider = Literal["you", "opponent", "its controller"]  # the last: of the die that the sentence is about
Comparison = Literal["=", "<", "<=", ">", ">="]
Source = Literal["action", "global", "ability", "combat", "when fielded", "when attacks"]
Class = Literal["when fielded", "when attacks"]  # of abilities, as they are printed
Limit = Literal["", "turn", "die", "together", "first", "moment"]
Keyword = Literal[
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
]
Label = Literal["", "Enlistment", "Prep", "Resistance"]  # keywords that stand in front of a text of its own
KEYWORDS: Final[tuple[Keyword, ...]] = get_args(Keyword)

Lasting = Literal["end of turn", "your next turn", "end of attack", "its next chance", "next one"]  # of what is given
Level = Annotated[int, Within(1, 3)]
LevelShown = Annotated[int, Within(0, 3)]  # 0: as it shows
Many = Annotated[int, Within(1, ALL)]
Some = Annotated[int, Within(0, ALL)]
Change = Annotated[int, Within(-ALL, ALL, zero=False)]
Price = Annotated[str, Energy()]
AnyPrice = Annotated[str, Energy(empty=True)]
CardName = Annotated[str, Name("a card")]
Affiliation = Annotated[str, Name("an affiliation")]
ThingName = Annotated[str, Name("a thing")]
Sources = Annotated[str, Listed(get_args(Source))]

# --- numbers -------------------------------------------------------------------------------------------------------


class Number(Value):
    """An amount that the game works out when it is needed."""

    op: str
    args: tuple[object, ...] = ()


Amount = Annotated[int, Within(-ALL, ALL)] | Number
Much = Many | Number  # at least 1
MuchOrNone = Some | Number
ALevel = Level | Number

_UNNAMED: dict[tuple[type, str], Row] = {}  # rows of words without brackets, which get their names below


def _number(row: NumberRow) -> Number:
    _UNNAMED[Number, row.op] = row
    return Number(row.op)


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

# --- which dice and players ----------------------------------------------------------------------------------------


class Where(Value):
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


def _describe(row: DescriptionRow) -> Where:
    _UNNAMED[Where, row.op] = row
    return Where(row.op)


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


# --- choosing ------------------------------------------------------------------------------------------------------


class Select(Value):
    """A choice among what matches: `least` to `most` of them, made by `by`."""

    where: Where
    least: int = 1
    most: int = 1
    target: bool = False
    by: str = "you"  # you, opponent
    within: int = 0  # their fielding costs must not add up to more


@_word(FormRow("Select"))
def one(what: Where, *, by: Player = "you") -> Select:
    return Select(what, by=by)


@_word(FormRow("Select"))
def target(what: Where = character, *, by: Player = "you") -> Select:
    return Select(what, target=True, by=by)


@_word(FormRow("Select"))
def two(what: Where) -> Select:
    """Two of them, or the only one there is (rules 5.1)."""
    return Select(what, 2, 2)


@_word(FormRow("Select"))
def two_targets(what: Where, *, by: Player = "you") -> Select:
    return Select(what, 2, 2, target=True, by=by)


@_word(FormRow("Select"))
def up_to(n: Many, what: Where, *, target: bool = False) -> Select:
    return Select(what, 0, n, target=target)


@_word(FormRow("Select"))
def any_number(what: Where) -> Select:
    return Select(what, 0, ALL)


@_word(FormRow("Select"))
def within_total(n: Many, what: Where) -> Select:
    """Any number of them whose printed fielding costs add up to n or less."""
    return Select(what, 0, ALL, within=n)


What = Where | Select  # a description means all that match, a selection those picked

# --- conditions ----------------------------------------------------------------------------------------------------


class Condition(Value):
    op: str
    args: tuple[object, ...] = ()

    def __and__(self, other: Condition) -> Condition:
        return Condition("and", (self, other))

    def __invert__(self) -> Condition:
        return Condition("not", (self,))


def _condition(row: ConditionRow) -> Condition:
    _UNNAMED[Condition, row.op] = row
    return Condition(row.op)


@_word(ConditionRow("compare", stands=True))
def compare(a: Amount, how: Comparison, b: Amount) -> Condition:
    """The first number is (= < <= > >=) the second."""
    return Condition("compare", (a, how, b))


@_word(ConditionRow("or", stands=True))
def either(a: Condition, b: Condition) -> Condition:
    return Condition("or", (a, b))


@_word(ConditionRow("was", needs_event="KO'd"))
def was(word: Literal["attacking", "blocking", "engaged"]) -> Condition:
    """Of a KO'd die: it was "attacking", "blocking" or "engaged" when it went."""
    return Condition("was", (word,))


@_word(ConditionRow("by source", needs_event="source"))
def by_source(*kinds: Source) -> Condition:
    """The damage comes from an "action", a "global", a character's "ability", "combat", or from an ability of a
    printed class: "when fielded", "when attacks"."""
    return Condition("by source", kinds)


@_word(ConditionRow("count", stands=True))
def there_are(n: Some, what: Where, how: Comparison = ">=") -> Condition:
    """At least (or `how`) n dice match."""
    return Condition("count", (how, n, what))


@_word(FormRow("Condition"))
def there_is(what: Where) -> Condition:
    return there_are(1, what)


@_word(FormRow("Condition"))
def there_is_no(what: Where) -> Condition:
    return there_are(0, what, "=")


@_word(ConditionRow("is"))
def it_is(which: Where, what: Where) -> Condition:
    """The die referred to (that, chosen(0), ...) matches the description."""
    return Condition("is", (which, what))


@_word(ConditionRow("has damaged", past=True, of_die=True))
def has_damaged(whom: Literal["opponent", "opposing character"], *, combat: bool = False) -> Condition:
    """This die has dealt damage (combat damage) to the "opponent" or to an "opposing character" this turn."""
    return Condition("has damaged", (whom, combat))


first_fielding: Final = _condition(
    ConditionRow("first fielding", past=True, needs_event="fielded")
)  # your first character fielded this turn
own_ko_this_turn: Final = _condition(ConditionRow("own KO this turn", stands=True, past=True))
action_used_this_turn: Final = _condition(ConditionRow("action used this turn", stands=True, past=True))
opposing_ko_this_turn: Final = _condition(ConditionRow("opposing KO this turn", stands=True, past=True))
own_sidekick_ko_this_turn: Final = _condition(ConditionRow("own Sidekick KO this turn", past=True))
in_attack_step: Final = _condition(ConditionRow("in attack step"))
in_your_main_step: Final = _condition(ConditionRow("in your main step"))
if_done: Final = _condition(ConditionRow("done", needs_before=True))  # the effect just before has reached somebody
dealt_by_you: Final = _condition(
    ConditionRow("dealt by you", needs_event="would be damaged")
)  # of damage that would be dealt: you are the one who deals it
by_combat: Final = _condition(ConditionRow("by combat", needs_event="combat"))
would_be_kod_too: Final = _condition(
    ConditionRow("would be KO'd too", of_die=True, needs_event="would be damaged")
)  # of damage on its way: at that moment it KOs this die
by_damage: Final = _condition(
    ConditionRow("by damage", needs_event="would be KO'd")
)  # of a die that would be KO'd: its damage does it, no effect
survives: Final = _condition(ConditionRow("survives", needs_event="damaged"))  # of damage: it has not KO'd the die
attacks_alone: Final = _condition(ConditionRow("attacks alone"))
alone: Final = _condition(ConditionRow("alone", stands=True, of_die=True))
paired: Final = _condition(ConditionRow("paired", stands=True, of_die=True))

# --- events --------------------------------------------------------------------------------------------------------


class Event(Value):
    """What sets a reaction off: the word, whom it must happen to, and who the other die may be."""

    word: str
    who: Where
    other: Where | None = None


@_word(EventRow("fielded", characters=True, has=("paid",)))
def fielded(who: Where = this) -> Event:
    return Event("fielded", who)


@_word(EventRow("attacks", characters=True, fights=True))
def attacks(who: Where = this) -> Event:
    return Event("attacks", who)


@_word(EventRow("commits", characters=True))
def commits(who: Where) -> Event:
    """A die is declared as an attacker; one that joins the attack later is not (JoinAttack)."""
    return Event("commits", who)


@_word(EventRow("attackers declared", PLAYERS))
def attackers_declared(by: Where) -> Event:
    """Once a declaration, however many attack; `by` is the attacking player."""
    return Event("attackers declared", by)


@_word(EventRow("blocks", characters=True, other=DICE, fights=True))
def blocks(who: Where = this, whom: Where | None = None) -> Event:
    return Event("blocks", who, whom)


@_word(EventRow("is blocked", characters=True, other=DICE, fights=True))
def is_blocked(who: Where = this, by: Where | None = None) -> Event:
    return Event("is blocked", who, by)


@_word(EventRow("engaged", characters=True, other=DICE, fights=True))
def becomes_engaged(who: Where = this, other: Where | None = None) -> Event:
    return Event("engaged", who, other)


@_word(EventRow("not blocked", characters=True, fights=True))
def is_not_blocked(who: Where = this) -> Event:
    return Event("not blocked", who)


@_word(EventRow("KOs", characters=True, other=DICE, has=("combat",)))
def kos(who: Where = this, whom: Where | None = None) -> Event:
    """A die KOs another, by its damage or its effect."""
    return Event("KOs", who, whom)


@_word(EventRow("KOs own", PLAYERS, other=DICE))
def kos_own(who: Where = opponent) -> Event:
    """A player KOs one of their own dice, by an effect of theirs or as a payment; `who` is the player."""
    return Event("KOs own", who)


@_word(EventRow("drawn", PLAYERS, has=("amount",)))
def draws(who: Where) -> Event:
    """Somebody draws from the bag: once a draw, however many dice."""
    return Event("drawn", who)


@_word(EventRow("rolled", PLAYERS))
def dice_rolled(whose: Where = you) -> Event:
    """After the roll of the Roll and Reroll Step, before the reroll."""
    return Event("rolled", whose)


@_word(EventRow("roll ends", PLAYERS, moment=True))
def roll_step_ends(whose: Where = you) -> Event:
    return Event("roll ends", whose)


@_word(EventRow("main step starts", PLAYERS, moment=True))
def main_step_starts(whose: Where = you) -> Event:
    return Event("main step starts", whose)


@_word(EventRow("main step ends", PLAYERS, moment=True))
def main_step_ends(whose: Where = you) -> Event:
    return Event("main step ends", whose)


@_word(EventRow("uses", PLAYERS, other=DICE))
def uses_ability(who: Where, of: Class | Keyword) -> Event:
    """Somebody uses an ability of a class: "when fielded", "when attacks", or a keyword."""
    return Event(f"uses {of}", who)


@_word(EventRow("blockers declared", PLAYERS))
def blockers_declared() -> Event:
    return Event("blockers declared", each_player)


@_word(EventRow("KO'd", characters=True, other=DICE, has=("combat",)))
def is_kod(who: Where = this) -> Event:
    return Event("KO'd", who)


@_word(EventRow("damaged", BOTH, characters=True, other=BOTH, has=("amount", "total", "source", "combat")))
def is_damaged(who: Where = this, by: Where | None = None) -> Event:
    return Event("damaged", who, by)


@_word(EventRow("deals damage", other=BOTH, has=("amount", "source", "combat")))
def deals_damage(who: Where = this, to: Where | None = None) -> Event:
    return Event("deals damage", who, to)


@_word(EventRow("action used", PLAYERS, other=DICE))
def uses_action(who: Where = you) -> Event:
    return Event("action used", who)


@_word(EventRow("Global used", PLAYERS))
def uses_global(who: Where = each_player) -> Event:
    return Event("Global used", who)


@_word(EventRow("bought"))
def buys(who: Where = this) -> Event:
    """A die is bought; `who` describes the die."""
    return Event("bought", who)


@_word(EventRow("turn starts", PLAYERS, moment=True))
def turn_starts(whose: Where = you) -> Event:
    return Event("turn starts", whose)


@_word(EventRow("turn ends", PLAYERS, moment=True))
def turn_ends(whose: Where = you) -> Event:
    return Event("turn ends", whose)


@_word(EventRow("attack step starts", PLAYERS, moment=True))
def attack_step_starts(whose: Where = each_player) -> Event:
    return Event("attack step starts", whose)


@_word(EventRow("attack step ends", PLAYERS, moment=True))
def attack_step_ends(whose: Where = each_player) -> Event:
    return Event("attack step ends", whose)


@_word(EventRow("would be damaged", BOTH, characters=True, would=True, other=BOTH, has=("amount", "source", "combat")))
def would_be_damaged(who: Where = this, by: Where | None = None) -> Event:
    return Event("would be damaged", who, by)


@_word(EventRow("would be KO'd", characters=True, would=True, other=DICE, has=("combat",)))
def would_be_kod(who: Where = this) -> Event:
    return Event("would be KO'd", who)


@_word(EventRow("would be affected", characters=True, would=True, other=DICE))
def would_be_affected(who: Where = this) -> Event:
    return Event("would be affected", who)


@_word(EventRow("would be targeted", characters=True, would=True, other=DICE, has=("source",)))
def would_be_targeted(who: Where = this) -> Event:
    """It has been chosen as a target, and nothing has happened to it yet."""
    return Event("would be targeted", who)


@_word(EventRow("targeted", characters=True, other=DICE, has=("source",)))
def is_targeted(who: Where = this) -> Event:
    """It has become a target, by a kind of source (by_source)."""
    return Event("targeted", who)


# --- standing rules ------------------------------------------------------------------------------------------------


class Rule(Value):
    """Something that holds of dice: always, while a condition holds, or for a time once it was given to them."""

    word: str
    who: What
    a: Amount = 0
    d: Amount = 0
    by: Where | None = None
    text: str = ""


@_word(RuleRow("gets", stats=True, bears=DEPENDS, in_fights=True))
def gets(who: What, a: Amount = 0, d: Amount = 0) -> Rule:
    return Rule("gets", who, a, d)


@_word(RuleRow("multiplies", stats=True, in_order=True, bears=GOOD, in_fights=True))
def multiplies(who: What, a: Many = 1, d: Many = 1) -> Rule:
    return Rule("multiplies", who, a, d)


@_word(RuleRow("halves", standing=False, stats=True, in_order=True, bears=BAD, in_fights=True))
def halves(who: What) -> Rule:
    """Its A is halved, rounded down."""
    return Rule("halves", who)


@_word(RuleRow("becomes", standing=False, stats=True, in_order=True, bears=NEITHER, in_fights=True))
def becomes(who: What, a: MuchOrNone, d: MuchOrNone) -> Rule:
    """A and D are set to these numbers."""
    return Rule("becomes", who, a, d)


@_word(RuleRow("sets A", standing=False, stats=True, in_order=True, bears=DEPENDS, in_fights=True))
def sets_attack(who: What, a: MuchOrNone) -> Rule:
    """Its A is set to this number."""
    return Rule("sets A", who, a)


@_word(RuleRow("counts as level", standing=False, bears=DEPENDS, in_fights=True))
def counts_as_level(who: What, n: Level) -> Rule:
    """It has the numbers and bursts of that level, whatever its face."""
    return Rule("counts as level", who, n)


@_word(RuleRow("exchanges", standing=False, stats=True, in_order=True, bears=NEITHER, in_fights=True))
def exchanges_a_and_d(who: What) -> Rule:
    return Rule("exchanges", who)


@_word(RuleRow("cannot attack", fights=True, bears=BAD))
def cannot_attack(who: What, unless_life: Some = 0) -> Rule:
    """Not at all, or only if its player pays so much life as it is declared."""
    return Rule("cannot attack", who, a=unless_life)


@_word(RuleRow("may attack", bears=GOOD))
def may_attack(who: What) -> Rule:
    """It may attack though its own text says it cannot."""
    return Rule("may attack", who)


@_word(RuleRow("attacks again", about=PLAYERS, given=False, personal=True, bears=GOOD, in_fights=True))
def attacks_again(who: Where = you) -> Rule:
    """A player may have a second attack step after the first."""
    return Rule("attacks again", who)


@_word(RuleRow("must attack", fights=True, bears=BAD))
def must_attack(who: What) -> Rule:
    return Rule("must attack", who)


@_word(RuleRow("cannot block", fights=True, bears=BAD))
def cannot_block(who: What, unless_life: Some = 0) -> Rule:
    """Not at all, or only if its player pays so much life as it is declared."""
    return Rule("cannot block", who, a=unless_life)


@_word(RuleRow("must block", fights=True, bears=BAD))
def must_block(who: What) -> Rule:
    return Rule("must block", who)


@_word(RuleRow("must block this", of_die=True, bears=BAD))
def must_block_this(who: What) -> Rule:
    """They must block this die, if able."""
    return Rule("must block this", who)


@_word(RuleRow("must be blocked", fights=True, bears=NEITHER))
def must_be_blocked(who: What) -> Rule:
    """At least one die must block it, if able."""
    return Rule("must be blocked", who)


@_word(RuleRow("cannot declare blockers", about=PLAYERS, personal=True, bears=BAD))
def cannot_declare_blockers(who: Where) -> Rule:
    """A player cannot declare blockers."""
    return Rule("cannot declare blockers", who)


@_word(RuleRow("cannot use", about=PLAYERS, personal=True, bears=BAD))
def cannot_use(who: Where, *kinds: Literal["action", "global"]) -> Rule:
    """A player cannot use these: "action" dice, "global"s."""
    return Rule("cannot use", who, text=" ".join(kinds))


@_word(RuleRow("ability costs life", about=PLAYERS, personal=True, bears=BAD))
def ability_costs_life(who: Where, of: Class, n: Many) -> Rule:
    """A player must pay so much life for each use of an ability of a class ("when fielded"), else it does nothing."""
    return Rule("ability costs life", who, a=n, text=of)


@_word(RuleRow("cannot field", away=True, fielding=True, bears=BAD))
def cannot_field(who: Where) -> Rule:
    """Nobody can field these dice, nor can an effect."""
    return Rule("cannot field", who)


@_word(RuleRow("draws more", about=PLAYERS, personal=True, bears=GOOD))
def draws_more(who: Where, n: Annotated[int, Within(-4, 9, zero=False)]) -> Rule:
    """A player draws that many dice more in the Clear and Draw Step."""
    return Rule("draws more", who, a=n)


@_word(RuleRow("cannot be blocked", fights=True, bears=GOOD))
def cannot_be_blocked(who: What, by: Where | None = None) -> Rule:
    """By nobody at all, or not by those described."""
    return Rule("cannot be blocked", who, by=by)


@_word(RuleRow("blocked last", fights=True, bears=GOOD))
def blocked_last(who: What, after: Where) -> Rule:
    """Can be blocked only if all of the others are blocked too."""
    return Rule("blocked last", who, by=after)


@_word(RuleRow("blocked by at least", fights=True, bears=GOOD))
def blocked_by_at_least(who: What, n: Annotated[int, Within(2, ALL)]) -> Rule:
    return Rule("blocked by at least", who, a=n)


@_word(RuleRow("blocks more", fights=True, bears=GOOD))
def blocks_more(who: What, n: Many = 1, whom: Where | None = None) -> Rule:
    """May block up to n dice more than one (ALL: any number), if need be only such as are described."""
    return Rule("blocks more", who, a=n, by=whom)


@_word(RuleRow("blocks also", fights=True, bears=GOOD))
def blocks_also(who: What, n: Many = 1) -> Rule:
    """May block n additional dice, beside those it can block anyway: several such rules add up."""
    return Rule("blocks also", who, a=n)


@_word(RuleRow("has keyword", bears=GOOD, in_fights=True))
def has_keyword(who: What, name: Keyword) -> Rule:
    return Rule("has keyword", who, text=name)


@_word(RuleRow("loses keyword", bears=BAD, in_fights=True))
def loses_keyword(who: What, name: Keyword) -> Rule:
    return Rule("loses keyword", who, text=name)


@_word(RuleRow("has keywords of", given=False, bears=GOOD, in_fights=True))
def has_keywords_of(who: What, whom: Where) -> Rule:
    """It has the keyword abilities of all those in the field, each once."""
    return Rule("has keywords of", who, by=whom)


@_word(RuleRow("has affiliation", reserve=True, bears=NEITHER))
def has_affiliation(who: What, name: Affiliation) -> Rule:
    return Rule("has affiliation", who, text=name)


@_word(RuleRow("cannot reroll", about=PLAYERS, personal=True, bears=BAD))
def cannot_reroll(who: Where) -> Rule:
    """The player cannot reroll dice in the Roll and Reroll Step."""
    return Rule("cannot reroll", who)


@_word(RuleRow("rerolls more", about=PLAYERS, personal=True, bears=GOOD))
def rerolls_more(who: Where, n: Many = 1) -> Rule:
    """A player may reroll that many more times in the Roll and Reroll Step."""
    return Rule("rerolls more", who, a=n)


@_word(RuleRow("deals no damage", bears=BAD, in_fights=True))
def deals_no_damage(who: What) -> Rule:
    """Neither in combat nor by its abilities."""
    return Rule("deals no damage", who)


@_word(RuleRow("deals no combat damage", bears=BAD, in_fights=True))
def deals_no_combat_damage(who: What) -> Rule:
    return Rule("deals no combat damage", who)


@_word(RuleRow("stays unblocked", bears=GOOD, in_fights=True))
def stays_unblocked(who: What) -> Rule:
    """Attacking unblocked, it stays in the field."""
    return Rule("stays unblocked", who)


@_word(RuleRow("assigns no damage", bears=BAD, in_fights=True))
def assigns_no_damage(who: What, to: Where = this) -> Rule:
    """In combat it assigns no damage to those described."""
    return Rule("assigns no damage", who, by=to)


@_word(RuleRow("excess goes through", fights=True, bears=GOOD, in_fights=True))
def excess_goes_through(who: What) -> Rule:
    """While attacking, damage beyond its blockers' total D goes to the opponent."""
    return Rule("excess goes through", who)


@_word(RuleRow("takes less", about=BOTH, damage=True, bears=GOOD, in_fights=True))
def takes_less(who: What, n: Much, by: Where | None = None, kinds: Sources = "") -> Rule:
    """Damage to it is reduced by n (ALL: it takes none), from dice described or from kinds of source (by_source)."""
    return Rule("takes less", who, a=n, by=by, text=kinds)


@_word(RuleRow("takes half", about=BOTH, damage=True, bears=GOOD, in_fights=True))
def takes_half(who: What, by: Where | None = None) -> Rule:
    return Rule("takes half", who, by=by)


@_word(RuleRow("deals more", damage=True, bears=GOOD, in_fights=True))
def deals_more(who: What, n: Much, to: Where | None = None) -> Rule:
    return Rule("deals more", who, a=n, by=to)


@_word(RuleRow("deals times", damage=True, bears=GOOD, in_fights=True))
def deals_times(who: What, n: Annotated[int, Within(2, 9)], to: Where | None = None) -> Rule:
    """Its damage is multiplied, to those described."""
    return Rule("deals times", who, a=n, by=to)


@_word(RuleRow("full damage to each", fights=True, bears=GOOD, in_fights=True))
def full_damage_to_each(who: What) -> Rule:
    """Blocked, it deals its whole A to each blocker."""
    return Rule("full damage to each", who)


@_word(RuleRow("damages player instead", bears=GOOD, in_fights=True))
def damages_player_instead(who: What) -> Rule:
    """Blocked, it deals its damage to the opponent instead of its blockers."""
    return Rule("damages player instead", who)


@_word(RuleRow("deals twice", fights=True, bears=GOOD, in_fights=True))
def deals_twice(who: What) -> Rule:
    """Unblocked, it deals its combat damage to the opponent twice."""
    return Rule("deals twice", who)


@_word(RuleRow("fields free", future=True, next_one=True, away=True, fielding=True, reserve=True, bears=GOOD))
def fields_free(who: What) -> Rule:
    return Rule("fields free", who)


@_word(RuleRow("takes more", about=BOTH, damage=True, bears=BAD, in_fights=True))
def takes_more(who: What, n: Much, by: Where | None = None) -> Rule:
    return Rule("takes more", who, a=n, by=by)


@_word(RuleRow("cannot be targeted", about=BOTH, bears=GOOD, in_fights=True))
def cannot_be_targeted(
    who: What, *kinds: Annotated[Literal["action", "global", "ability"], Perhaps()], by: Where | None = None
) -> Rule:
    """By these kinds of source: "action", "global", "ability"; all if none is named; perhaps only of one player."""
    return Rule("cannot be targeted", who, by=by, text=" ".join(kinds))


@_word(RuleRow("cannot be KO'd", bears=GOOD, in_fights=True))
def cannot_be_kod(who: What) -> Rule:
    return Rule("cannot be KO'd", who)


@_word(RuleRow("goes instead", bears=NEITHER, in_fights=True))
def goes_instead(who: What, to: Literal["bag", "prep", "used"], *instead_of: Literal["bag", "used"]) -> Rule:
    """Leaving the field for one of those places, it goes there instead."""
    return Rule("goes instead", who, text=" ".join((to, *instead_of)))


@_word(RuleRow("costs to buy", future=True, next_one=True, away=True, bears=DEPENDS))
def costs_to_buy(who: What, n: Change | Number, *, adds_up: bool = True) -> Rule:
    """Its purchase costs n more (or less); the same from several dice of one title may not add up."""
    return Rule("costs to buy", who, a=n, text="" if adds_up else "once")


@_word(RuleRow("Globals cost", about=PLAYERS, personal=True, bears=BAD))
def globals_cost(who: Where, n: Many) -> Rule:
    """A player pays n energy more for each use of a Global."""
    return Rule("Globals cost", who, a=n)


@_word(RuleRow("text ignored", given=False, bears=BAD))
def text_ignored(who: Where) -> Rule:
    """Cards like these count as having no text, Globals included."""
    return Rule("text ignored", who)


@_word(RuleRow("costs at least to field", given=False, away=True, fielding=True, bears=BAD))
def costs_at_least_to_field(who: What, n: Many) -> Rule:
    """It cannot be fielded by paying for less, whatever makes it cheaper or free."""
    return Rule("costs at least to field", who, a=n)


@_word(RuleRow("costs to field", future=True, next_one=True, away=True, fielding=True, reserve=True, bears=DEPENDS))
def costs_to_field(who: What, n: Change) -> Rule:
    return Rule("costs to field", who, a=n)


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


# --- abilities -----------------------------------------------------------------------------------------------------


class Burst(Value):
    """What a burst face changes: on one burst, two, or either; added, or instead of the normal text."""

    on: tuple[int, ...]
    instead: bool
    effects: tuple[Effect, ...] = ()
    rules: tuple[Rule, ...] = ()


@_word(FormRow("Burst"))
def burst_also(*what: Effect | Rule, on: tuple[Literal[1, 2], ...] | Literal[1, 2] = 1) -> Burst:
    return _burst(_several(on), False, what)


@_word(FormRow("Burst"))
def burst_instead(*what: Effect | Rule, on: tuple[Literal[1, 2], ...] | Literal[1, 2] = 1) -> Burst:
    return _burst(_several(on), True, what)


def _burst(on: tuple[int, ...], instead: bool, what: tuple[Effect | Rule, ...]) -> Burst:
    effects = tuple(w for w in what if not isinstance(w, Rule))
    rules = tuple(w for w in what if isinstance(w, Rule))
    return Burst(on, instead, effects, rules)


_OF_DICE = {CHARACTER: ("die", "active", "pair"), **dict.fromkeys(ACTIONS, ("field",))}
_OF_CARDS = {kind: (*scopes, "card") for kind, scopes in _OF_DICE.items()}
_LIMITS = ("turn", "die", "together", "first", "moment")


class Ability(Value):
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
    limit: str = ""  # "turn": once per turn; "die": once per turn and die; "together": once for all at one moment;
    # "first": the first time each turn, used or declined; "moment": once for a die, or both partners, at one moment;
    # of these two, what is about attacking happens once an attack, whoever joins it later
    lifted_by: Cost | None = None  # of a standing rule: what the opponent may pay to be rid of it for the turn
    own_turn: bool = False
    bursts: tuple[Burst, ...] = ()
    unprinted: tuple[str, ...] = ()  # what the card itself does not say, as in Unprinted
    asked_by_keyword: bool = False  # the condition is the keyword's alone; the text under it does not print it


@_word(SentenceRow("when", _OF_CARDS, event="when", limits=_LIMITS))
def when(
    event: Event,
    *effects: Effect,
    condition: Condition | None = None,
    limit: Limit = "",
    bursts: tuple[Burst, ...] | Burst = (),
    keyword: Label = "",
) -> Ability:
    """A reaction of each die."""
    return Ability("when", event, effects, condition=condition, limit=limit, bursts=_several(bursts), keyword=keyword)


@_word(SentenceRow("would", _OF_DICE, event="would", limits=_LIMITS))
def would(
    event: Event,
    *effects: Effect,
    condition: Condition | None = None,
    limit: Limit = "",
    bursts: tuple[Burst, ...] | Burst = (),
) -> Ability:
    """An interruption: it changes what is about to happen."""
    return Ability("would", event, effects, condition=condition, limit=limit, bursts=_several(bursts))


@_word(SentenceRow("always", _OF_CARDS))
def always(
    *rules: Rule,
    condition: Condition | None = None,
    bursts: tuple[Burst, ...] | Burst = (),
    lifted_by: Cost | None = None,
    keyword: Label = "",
) -> Ability:
    """A standing rule of each die in the field; the opponent may pay to lift it for the turn."""
    return Ability(
        "always", rules=rules, condition=condition, bursts=_several(bursts), lifted_by=lifted_by, keyword=keyword
    )


def _scoped(ability: Ability, scope: str, word: str) -> Ability:
    if ability.scope != "die":
        raise WordError(f"'{word}' cannot stand around a sentence that says already whose text it is; leave one out")
    return ability.but(scope=scope)


@_word(ScopeRow("active"))
def while_active(ability: Ability) -> Ability:
    """The ability of the card: once while at least one of its dice is in the field (rules 5.5)."""
    return _scoped(ability, "active", "while_active")


@_word(ScopeRow("card"))
def of_card(ability: Ability) -> Ability:
    """The ability works with no die in the field."""
    return _scoped(ability, "card", "of_card")


@_word(ScopeRow("field"))
def in_field(ability: Ability) -> Ability:
    """The ability of an action die lying in the field."""
    return _scoped(ability, "field", "in_field")


@_word(ScopeRow("pair"))
def while_paired(ability: Ability) -> Ability:
    """The ability of both partners while this die is paired up."""
    return _scoped(ability, "pair", "while_paired")


# what a card may leave open that we play
Unprinted = Literal["duration", "burst", "copy", "limit", "per die", "level", "source", "moment", "when", "keyword"]


@_word(FormRow("Ability"))
def unprinted(what: Unprinted, ability: Ability) -> Ability:
    """The ability, of which the card leaves something open that we play: its "duration" (until end of turn), that of
    its "burst" or of a "copy", its "limit" (once per turn), whether a printed limit is meant "per die", at which "level"
    a die comes to the field, that damage is counted by its "source", that the "moment" to stop it is now, "when" it
    works or is paid for, or which "keyword" it is. Round brackets show it."""
    return ability.but(unprinted=(*ability.unprinted, what))


@_word(KeywordRow("Resistance", (CHARACTER, *ACTIONS), label=True))
def resistance(ability: Ability, *, printed: bool = True) -> Ability:
    """Works if one of your character dice was KO'd this turn (rules 6.14); `printed`: the text itself says so too."""
    condition = own_ko_this_turn if ability.condition is None else own_ko_this_turn & ability.condition
    return ability.but(keyword="Resistance", condition=condition, asked_by_keyword=not printed)


@_word(SentenceRow("use", dict.fromkeys(ACTIONS, ("die",)), event="use"))
def use(
    *effects: Effect,
    bursts: tuple[Burst, ...] | Burst = (),
    keyword: Label = "",
    at: Event | None = None,
) -> Ability:
    """What an action die does when it is used; `at` is the only moment it may be (attack_step_starts(you))."""
    return Ability("use", at, effects, bursts=_several(bursts), keyword=keyword)


@_word(SentenceRow("global", dict.fromkeys((CHARACTER, *ACTIONS), ("die",)), event="either", limits=("turn",)))
def global_ability(
    energy: AnyPrice,
    *effects: Effect,
    cost: tuple[Effect, ...] | Effect = (),
    limit: Limit = "",
    own_turn: bool = False,
    condition: Condition | None = None,
    on: Event | None = None,
) -> Ability:
    """A Global; `on` makes it reactive (rules 5.10)."""
    return Ability(
        "global", on, effects, cost=Cost(energy, _several(cost)), condition=condition, limit=limit, own_turn=own_turn
    )


@_word(SentenceRow("pay", _OF_DICE, limits=("turn", "die")))
def pay_any_time(
    energy: AnyPrice,
    *effects: Effect,
    cost: tuple[Effect, ...] | Effect = (),
    limit: Limit = "",
    condition: Condition | None = None,
) -> Ability:
    """Paid for whenever a Global could be used (rules 3.3f)."""
    return Ability("pay", effects=effects, cost=Cost(energy, _several(cost)), condition=condition, limit=limit)


# keywords that are whole sentences


@_word(
    KeywordRow("Fast", given=True, standing=True, reminder="{this} deals combat damage before characters without Fast")
)
def fast() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Fast"),), keyword="Fast")


@_word(
    KeywordRow(
        "Overcrush",
        given=True,
        standing=True,
        reminder="when {this} attacks and all blockers of {this} are KO'd or gone, the damage left over goes to your opponent",
    )
)
def overcrush() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Overcrush"),), keyword="Overcrush")


@_word(
    KeywordRow(
        "Iron Will",
        given=True,
        standing=True,
        reminder="{this} cannot be KO'd unless already damaged earlier this turn",
    )
)
def iron_will() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Iron Will"),), keyword="Iron Will")


@_word(KeywordRow("Ally", given=True, standing=True, reminder="in the field, {this} counts as a Sidekick too"))
def ally() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Ally"),), keyword="Ally")


@_word(
    KeywordRow(
        "Deadly",
        given=True,
        standing=True,
        reminder="at the end of the turn, KO each character that was engaged with {this} this turn",
    )
)
def deadly() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Deadly"),), keyword="Deadly")


@_word(KeywordRow("Continuous", ACTIONS, reminder="once used, this die goes to the field and stays there"))
def continuous() -> Ability:
    return Ability("always", rules=(has_keyword(this, "Continuous"),), scope="field", keyword="Continuous")


@_word(KeywordRow("Intimidate", given=True, on_fielding=True))
def intimidate() -> Ability:
    return Ability("when", fielded(this), (SetAside(target(character & opposing)),), keyword="Intimidate")


@_word(KeywordRow("Heroic"))
def heroic() -> Ability:
    other = character & own & keyword("Heroic") & ~this_card
    return Ability("when", fielded(this), (may(PairUp(one(other))),), keyword="Heroic")


@_word(KeywordRow("Attune"))
def attune() -> Ability:
    hit = Damage(1, target(character | each_player))
    return Ability("when", uses_action(you), (hit,), scope="active", keyword="Attune")


@_word(KeywordRow("Amplify"))
def amplify() -> Ability:
    return Ability("when", uses_action(you), (Spin(this, 1),), keyword="Amplify")


@_word(KeywordRow("Impulse", (CHARACTER, *ACTIONS)))
def impulse(*effects: Effect) -> Ability:
    return Ability("when", buys(this), effects, scope="card", keyword="Impulse")


@_word(KeywordRow("Suit Up"))
def suit_up(*names: CardName) -> Ability:
    gone = Cost(effects=(Ko(one(own & character & title(*names))),))
    return Ability("when", buys(this), (may(may(ReturnToField(that, 2)), cost=gone),), scope="card", keyword="Suit Up")


# --- the rows of words without brackets ----------------------------------------------------------------------------

_CONSTANTS: dict[str, Row] = {
    "FIST": SymbolRow(FIST, "fist"),
    "BOLT": SymbolRow(BOLT, "bolt"),
    "MASK": SymbolRow(MASK, "mask"),
    "SHIELD": SymbolRow(SHIELD, "shield"),
    "BAG": PlaceRow(BAG, "bag"),
    "PREP": PlaceRow(PREP, "Prep Area"),
    "RESERVE": PlaceRow(RESERVE, "Reserve Pool"),
    "FIELD": PlaceRow(FIELD, "field"),
    "USED": PlaceRow(USED, "Used Pile"),
    "HAND": PlaceRow(HAND, "hand"),
    "END_OF_TURN": DurationRow(END_OF_TURN, " until end of turn", " (until end of turn)"),
    "NEXT_TURN": DurationRow(NEXT_TURN, " until the start of your next turn"),
    "YOUR_HIT": DurationRow(YOUR_HIT, " until you deal damage to your opponent or this effect is ended"),
    "NEXT_ATTACK": DurationRow(NEXT_ATTACK, " the next time it is able to"),
    "NEXT_ONE": DurationRow(NEXT_ONE, ""),
    "NEXT_FIELDING": DurationRow(NEXT_FIELDING, ""),
    "THIS_ATTACK": DurationRow(THIS_ATTACK, " in this attack", " (in this attack)"),
    "END_OF_YOUR_TURN": DurationRow(END_OF_YOUR_TURN, " until the end of your turn"),
    "END_OF_THEIR_TURN": DurationRow(END_OF_THEIR_TURN, " until the end of your opponent's next turn"),
    "WHILE_THERE": DurationRow(WHILE_THERE, ""),
    "ALL": FormRow("int"),
    "Cost": FormRow("Cost"),
    "Enlistment": KeywordRow("Enlistment", (CHARACTER, *ACTIONS), label=True),
    "Prep": KeywordRow("Prep", (CHARACTER, *ACTIONS), label=True),
    "payer": DescriptionRow("payer", PLAYERS, inner=True),
    "payer's": DescriptionRow("payer's", inner=True),
    "of player": DescriptionRow("of player", inner=True),
    "can be a character": DescriptionRow("can be a character", inner=True),
    "can spin": DescriptionRow("can spin", inner=True),
    "can reroll": DescriptionRow("can reroll", inner=True),
    "can be KO'd": DescriptionRow("can be KO'd", inner=True),
    "and": ConditionRow("and", stands=True, inner=True),
    "not": ConditionRow("not", stands=True, inner=True),
}
for _name, _row in _CONSTANTS.items():
    enter(_name, _row)
for _name, _value in tuple(globals().items()):
    if isinstance(_value, Where | Number | Condition):
        enter(_name, _UNNAMED[type(_value), _value.op])

VOCABULARY: Final[dict[str, object]] = {  # what one can write
    name: globals()[name] for name, row in WORDS.items() if name in globals() and not getattr(row, "inner", False)
}
