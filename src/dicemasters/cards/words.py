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
YOUR_HIT: Final = "you damage your opponent"  # until its player damages the opponent
NEXT_ATTACK: Final = "its next chance"  # used up by the next attack it could join
NEXT_ONE: Final = "next one"  # used up by the next die it bears on, this turn

NEXT_FIELDING: Final = "next fielding"  # until another die of the card is fielded
THIS_ATTACK: Final = "end of attack"  # until the attack step ends
END_OF_THEIR_TURN: Final = "end of their turn"  # until the end of the opponent's next turn
WHILE_THERE: Final = "while there"  # as long as it lies there

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


def life_of(who: Where) -> Number:
    return Number("life", (who,))


def symbols(symbol: str, what: Where) -> Number:
    """How many energy symbols of that type the dice show; wild counts as no type (rules 3.3a)."""
    return Number("symbols", (symbol, what))


def highest_level(what: Where) -> Number:
    return Number("highest level", (what,))


def lowest_defence(what: Where) -> Number:
    return Number("lowest defence", (what,))


def energy_types_among(what: Where) -> Number:
    """How many different energy types the dice have."""
    return Number("types", (what,))


def half(of: Amount) -> Number:
    """Half of it, rounded down."""
    return Number("half", (of,))


def times(n: int, of: Amount) -> Number:
    return Number("times", (n, of))


def up_to_that(n: int) -> Number:
    """Of damage to prevent or redirect: from 1 to n, as its controller chooses."""
    return Number("up to", (n,))


def first(n: int) -> Number:
    """Of damage to prevent or redirect: what belongs to the first n damage this turn that the sentence speaks of."""
    return Number("first", (n,))


def counters(name: str) -> Number:
    """How many counters of that name lie on this card."""
    return Number("counters", (name,))


AFFECTED: Final = Number("affected")  # how many the effect just before has reached
KOS: Final = Number("KOs")  # how many characters the damage just before has KO'd
PAID: Final = Number("paid")  # how many dice were given for the cost just paid
EVENT_AMOUNT: Final = Number("event")  # the damage the event speaks of
EVENT_TOTAL: Final = Number("event total")  # all damage to the same die or player at that moment, from whomever
OWN_ATTACK: Final = Number("own attack")  # of damage: the A of each die that deals it

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
of_active_player: Final = Where("active player's")  # controlled by the player whose turn it is
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
met_this: Final = Where("met this")  # was engaged with this die this turn
has_blocked_this: Final = Where("has blocked this")  # this turn
fielded_this_turn: Final = Where("fielded this turn")
fielded_last_turn: Final = Where("fielded last turn")
in_force: Final = Where("in force")  # an action die whose effect lasts
just_rolled: Final = Where("just rolled")  # a die of this turn's roll, before the reroll
damaged: Final = Where("damaged")
damaged_this_turn: Final = Where("damaged this turn")  # even if the damage is gone again
drawn: Final = Where("drawn")  # a die in hand
on_sale: Final = Where("on sale")  # an unbought die of a card you may buy from, one for each card
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
of_named_card: Final = Where("of named card")
captured_by_this: Final = Where("captured by this")
touched: Final = Where("touched")  # the die this action die lies on
of_its_card: Final = Where("of its card")  # dice of the card that this die was put on


def energy_type(*types: str) -> Where:
    """Dice whose card has one of these energy types."""
    return Where("type", types)


def showing_symbol(symbol: str) -> Where:
    """Dice that show energy of this type; wild counts as no type (rules 3.3a)."""
    return Where("showing symbol", (symbol,))


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


def printed_fielding_cost(n: Amount, how: str = "=") -> Where:
    return Where("printed fielding", (how, n))


def defence(n: Amount, how: str = "=") -> Where:
    return Where("d", (how, n))


def showing_burst(n: int) -> Where:
    """Dice showing that many bursts."""
    return Where("showing burst", (n,))


def cheapest(what: Where) -> Where:
    """Those of them with the lowest printed purchase cost; a Sidekick's is 0."""
    return Where("cheapest", (what,))


def same_type_as(which: Where) -> Where:
    """Dice with an energy type that the die referred to has."""
    return Where("same type", (which,))


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
    within: int = 0  # their fielding costs must not add up to more


def one(what: Where, *, by: str = "you") -> Select:
    return Select(what, by=by)


def target(what: Where = character, *, by: str = "you") -> Select:
    return Select(what, target=True, by=by)


def two(what: Where) -> Select:
    """Two of them, or the only one there is (rules 5.1)."""
    return Select(what, 2, 2)


def two_targets(what: Where, *, by: str = "you") -> Select:
    return Select(what, 2, 2, target=True, by=by)


def up_to(n: int, what: Where, *, target: bool = False) -> Select:
    return Select(what, 0, n, target=target)


def any_number(what: Where) -> Select:
    return Select(what, 0, ALL)


def within_total(n: int, what: Where) -> Select:
    """Any number of them whose printed fielding costs add up to n or less."""
    return Select(what, 0, ALL, within=n)


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


def compare(a: Amount, how: str, b: Amount) -> Condition:
    """The first number is (= < <= > >=) the second."""
    return Condition("compare", (a, how, b))


def either(a: Condition, b: Condition) -> Condition:
    return Condition("or", (a, b))


def was(word: str) -> Condition:
    """Of a KO'd die: it was "attacking", "blocking" or "engaged" when it went."""
    return Condition("was", (word,))


def by_source(*kinds: str) -> Condition:
    """The damage comes from an "action", a "global", a character's "ability", "combat", or from an ability of a
    printed class: "when fielded", "when attacks"."""
    return Condition("by source", kinds)


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


def has_damaged(whom: str, *, combat: bool = False) -> Condition:
    """This die has dealt damage (combat damage) to the "opponent" or to a "character" this turn."""
    return Condition("has damaged", (whom, combat))


first_fielding: Final = Condition("first fielding")  # your first character fielded this turn
own_ko_this_turn: Final = Condition("own KO this turn")
action_used_this_turn: Final = Condition("action used this turn")
opposing_ko_this_turn: Final = Condition("opposing KO this turn")
own_sidekick_ko_this_turn: Final = Condition("own Sidekick KO this turn")
in_attack_step: Final = Condition("in attack step")
in_your_main_step: Final = Condition("in your main step")
if_done: Final = Condition("done")  # the effect just before has reached somebody
dealt_by_you: Final = Condition("dealt by you")  # of damage that would be dealt: you are the one who deals it
by_combat: Final = Condition("by combat")
would_be_kod_too: Final = Condition("would be KO'd too")  # of damage on its way: at that moment it KOs this die
by_damage: Final = Condition("by damage")  # of a die that would be KO'd: its damage does it, no effect
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


def commits(who: Where) -> Event:
    """A die is declared as an attacker; one that joins the attack later is not (JoinAttack)."""
    return Event("commits", who)


def attackers_declared(by: Where) -> Event:
    """Once a declaration, however many attack; `by` is the attacking player."""
    return Event("attackers declared", by)


def blocks(who: Where = this, whom: Where | None = None) -> Event:
    return Event("blocks", who, whom)


def is_blocked(who: Where = this, by: Where | None = None) -> Event:
    return Event("is blocked", who, by)


def becomes_engaged(who: Where = this, other: Where | None = None) -> Event:
    return Event("engaged", who, other)


def is_not_blocked(who: Where = this) -> Event:
    return Event("not blocked", who)


def kos(who: Where = this, whom: Where | None = None) -> Event:
    """A die KOs another, by its damage or its effect."""
    return Event("KOs", who, whom)


def kos_own(who: Where = opponent) -> Event:
    """A player KOs one of their own dice, by an effect of theirs or as a payment; `who` is the player."""
    return Event("KOs own", who)


def draws(who: Where) -> Event:
    """Somebody draws from the bag: once a draw, however many dice."""
    return Event("drawn", who)


def dice_rolled(whose: Where = you) -> Event:
    """After the roll of the Roll and Reroll Step, before the reroll."""
    return Event("rolled", whose)


def roll_step_ends(whose: Where = you) -> Event:
    return Event("roll ends", whose)


def main_step_starts(whose: Where = you) -> Event:
    return Event("main step starts", whose)


def main_step_ends(whose: Where = you) -> Event:
    return Event("main step ends", whose)


def uses_ability(who: Where, of: str) -> Event:
    """Somebody uses an ability of a class: "when fielded", "when attacks", or a keyword."""
    return Event(f"uses {of}", who)


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


def would_be_targeted(who: Where = this) -> Event:
    """It has been chosen as a target, and nothing has happened to it yet."""
    return Event("would be targeted", who)


def is_targeted(who: Where = this) -> Event:
    """It has become a target, by a kind of source (by_source)."""
    return Event("targeted", who)


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


def halves(who: What) -> Rule:
    """Its A is halved, rounded down."""
    return Rule("halves", who)


def becomes(who: What, a: Amount, d: Amount) -> Rule:
    """A and D are set to these numbers."""
    return Rule("becomes", who, a, d)


def sets_attack(who: What, a: Amount) -> Rule:
    """Its A is set to this number."""
    return Rule("sets A", who, a)


def counts_as_level(who: What, n: int) -> Rule:
    """It has the numbers and bursts of that level, whatever its face."""
    return Rule("counts as level", who, n)


def exchanges_a_and_d(who: What) -> Rule:
    return Rule("exchanges", who)


def cannot_attack(who: What, unless_life: int = 0) -> Rule:
    """Not at all, or only if its player pays so much life as it is declared."""
    return Rule("cannot attack", who, a=unless_life)


def may_attack(who: What) -> Rule:
    """It may attack though its own text says it cannot."""
    return Rule("may attack", who)


def attacks_again(who: Where = you) -> Rule:
    """A player may have a second attack step after the first."""
    return Rule("attacks again", who)


def must_attack(who: What) -> Rule:
    return Rule("must attack", who)


def cannot_block(who: What, unless_life: int = 0) -> Rule:
    """Not at all, or only if its player pays so much life as it is declared."""
    return Rule("cannot block", who, a=unless_life)


def must_block(who: What) -> Rule:
    return Rule("must block", who)


def must_block_this(who: What) -> Rule:
    """They must block this die, if able."""
    return Rule("must block this", who)


def must_be_blocked(who: What) -> Rule:
    """At least one die must block it, if able."""
    return Rule("must be blocked", who)


def cannot_declare_blockers(who: Where) -> Rule:
    """A player cannot declare blockers."""
    return Rule("cannot declare blockers", who)


def cannot_use(who: Where, *kinds: str) -> Rule:
    """A player cannot use these: "action" dice, "global"s."""
    return Rule("cannot use", who, text=" ".join(kinds))


def ability_costs_life(who: Where, of: str, n: int) -> Rule:
    """A player must pay so much life for each use of an ability of a class ("when fielded"), else it does nothing."""
    return Rule("ability costs life", who, a=n, text=of)


def cannot_field(who: Where) -> Rule:
    """Nobody can field these dice, nor can an effect."""
    return Rule("cannot field", who)


def draws_more(who: Where, n: int) -> Rule:
    """A player draws that many dice more in the Clear and Draw Step."""
    return Rule("draws more", who, a=n)


def cannot_be_blocked(who: What, by: Where | None = None) -> Rule:
    """By nobody at all, or not by those described."""
    return Rule("cannot be blocked", who, by=by)


def blocked_last(who: What, after: Where) -> Rule:
    """Can be blocked only if all of the others are blocked too."""
    return Rule("blocked last", who, by=after)


def blocked_by_at_least(who: What, n: int) -> Rule:
    return Rule("blocked by at least", who, a=n)


def blocks_more(who: What, n: int = 1, whom: Where | None = None) -> Rule:
    """May block that many additional dice (ALL: any number), if need be only such as are described."""
    return Rule("blocks more", who, a=n, by=whom)


def has_keyword(who: What, name: str) -> Rule:
    return Rule("has keyword", who, text=name)


def loses_keyword(who: What, name: str) -> Rule:
    return Rule("loses keyword", who, text=name)


def has_keywords_of(who: What, whom: Where) -> Rule:
    """It has the keyword abilities of all those in the field, each once."""
    return Rule("has keywords of", who, by=whom)


def has_affiliation(who: What, name: str) -> Rule:
    return Rule("has affiliation", who, text=name)


def cannot_reroll(who: Where) -> Rule:
    """The player cannot reroll dice in the Roll and Reroll Step."""
    return Rule("cannot reroll", who)


def rerolls_more(who: Where, n: int = 1) -> Rule:
    """A player may reroll that many more times in the Roll and Reroll Step."""
    return Rule("rerolls more", who, a=n)


def deals_no_damage(who: What) -> Rule:
    """Neither in combat nor by its abilities."""
    return Rule("deals no damage", who)


def deals_no_combat_damage(who: What) -> Rule:
    return Rule("deals no combat damage", who)


def stays_unblocked(who: What) -> Rule:
    """Attacking unblocked, it stays in the field."""
    return Rule("stays unblocked", who)


def assigns_no_damage(who: What, to: Where = this) -> Rule:
    """In combat it assigns no damage to those described."""
    return Rule("assigns no damage", who, by=to)


def excess_goes_through(who: What) -> Rule:
    """While attacking, damage beyond its blockers' total D goes to the opponent."""
    return Rule("excess goes through", who)


def takes_less(who: What, n: Amount, by: Where | None = None, kinds: str = "") -> Rule:
    """Damage to it is reduced by n (ALL: it takes none), from dice described or from kinds of source (by_source)."""
    return Rule("takes less", who, a=n, by=by, text=kinds)


def takes_half(who: What, by: Where | None = None) -> Rule:
    return Rule("takes half", who, by=by)


def deals_more(who: What, n: Amount, to: Where | None = None) -> Rule:
    return Rule("deals more", who, a=n, by=to)


def deals_times(who: What, n: int, to: Where | None = None) -> Rule:
    """Its damage is multiplied, to those described."""
    return Rule("deals times", who, a=n, by=to)


def full_damage_to_each(who: What) -> Rule:
    """Blocked, it deals its whole A to each blocker."""
    return Rule("full damage to each", who)


def damages_player_instead(who: What) -> Rule:
    """Blocked, it deals its damage to the opponent instead of its blockers."""
    return Rule("damages player instead", who)


def deals_twice(who: What) -> Rule:
    """Unblocked, it deals its combat damage to the opponent twice."""
    return Rule("deals twice", who)


def fields_free(who: What) -> Rule:
    return Rule("fields free", who)


def takes_more(who: What, n: Amount, by: Where | None = None) -> Rule:
    return Rule("takes more", who, a=n, by=by)


def cannot_be_targeted(who: What, *kinds: str, by: Where | None = None) -> Rule:
    """By these kinds of source: "action", "global", "ability"; all if none is named; perhaps only of one player."""
    return Rule("cannot be targeted", who, by=by, text=" ".join(kinds))


def cannot_be_kod(who: What) -> Rule:
    return Rule("cannot be KO'd", who)


def goes_instead(who: What, to: str, *instead_of: str) -> Rule:
    """Leaving the field for one of those places, it goes there instead."""
    return Rule("goes instead", who, text=" ".join((to, *instead_of)))


def costs_to_buy(who: What, n: Amount, *, adds_up: bool = True) -> Rule:
    """Its purchase costs n more (or less); the same from several dice of one title may not add up."""
    return Rule("costs to buy", who, a=n, text="" if adds_up else "once")


def globals_cost(who: Where, n: int) -> Rule:
    """A player pays n energy more for each use of a Global."""
    return Rule("Globals cost", who, a=n)


def text_ignored(who: Where) -> Rule:
    """Cards like these count as having no text, Globals included."""
    return Rule("text ignored", who)


def costs_at_least_to_field(who: What, n: int) -> Rule:
    """It cannot be fielded by paying for less, whatever makes it cheaper or free."""
    return Rule("costs at least to field", who, a=n)


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
class SetLife:
    amount: int
    who: Where = opponent


@dataclass(frozen=True, slots=True)
class EachPlayer:
    """Each player, the active one first, does this for themselves."""

    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these, as `by` chooses."""

    choices: tuple[tuple[Effect, ...], ...]
    by: str = "you"  # you, opponent


@dataclass(frozen=True, slots=True)
class Later:
    """For a time, whenever the event happens: this. In it, chosen(0) is the die it is about."""

    event: Event
    effects: tuple[Effect, ...]
    about: What | None = None
    until: str = END_OF_TURN


@dataclass(frozen=True, slots=True)
class Divide:
    """Damage divided as you choose among what matches."""

    amount: Amount
    among: Where
    target: bool = False  # the text calls them targets


@dataclass(frozen=True, slots=True)
class Increase:
    """Inside a "would be damaged" sentence: that much more."""

    amount: Amount


@dataclass(frozen=True, slots=True)
class NameAffiliation:
    """Choose an affiliation of a die that matches, or any at the table, for `of_named_affiliation`."""

    among: Where | None = None
    at_least: int = 1  # so many of them have it
    other_than: str = ""


@dataclass(frozen=True, slots=True)
class Ko:
    what: What


@dataclass(frozen=True, slots=True)
class Give:
    """A standing rule for a time."""

    rule: Rule
    until: str = END_OF_TURN
    to_come: bool = False  # for dice that come to fit the description too, not only for those that do now


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
class RollUntil:
    """Roll a die again and again until it shows this energy; AFFECTED is how many character faces came before."""

    what: What
    symbol: str


@dataclass(frozen=True, slots=True)
class Move:
    what: What
    to: str


@dataclass(frozen=True, slots=True)
class Field:
    """Field for free, on that level (0: as it shows); what cannot be fielded goes to `otherwise` ("" = stays)."""

    what: What
    level: int = 1
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class ReturnToField:
    """Put into the field, on that level (0: as it shows), without fielding."""

    what: What
    level: Amount = 1


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy for free."""

    what: What


@dataclass(frozen=True, slots=True)
class LeaveCombat:
    """Out of the attack zone; stays in the field."""

    what: What


@dataclass(frozen=True, slots=True)
class JoinAttack:
    """Attack too, if able, though not declared."""

    what: What


@dataclass(frozen=True, slots=True)
class ClearDamage:
    what: What


@dataclass(frozen=True, slots=True)
class Capture:
    """This die captures them for a time, or until it goes itself; then they go back, or to the place named."""

    what: What
    until: str = END_OF_TURN
    home: str = ""


@dataclass(frozen=True, slots=True)
class Attach:
    """This action die lies on another die; it goes to the Used Pile when that leaves or the time is over."""

    what: What
    until: str = WHILE_THERE


@dataclass(frozen=True, slots=True)
class Use:
    """Use an action die, wherever it is, as if it showed no burst."""

    what: What


@dataclass(frozen=True, slots=True)
class UseCopy:
    """Carry out the text of an action die that was just used, with choices of one's own; no die is used."""

    what: Where


@dataclass(frozen=True, slots=True)
class SetAside:
    """Out of the field, beside the cards, until end of turn."""

    what: What


@dataclass(frozen=True, slots=True)
class TakeControl:
    what: What


@dataclass(frozen=True, slots=True)
class SwapControl:
    """Each of the two dice is controlled by the other's player until end of turn."""

    first: What
    second: What


@dataclass(frozen=True, slots=True)
class SendHome:
    """Every die under another player's control goes back to its owner's field, and every die that is in the field
    only for a time goes back where it came from."""


@dataclass(frozen=True, slots=True)
class Swap:
    """The two dice exchange places exactly."""

    first: What
    second: What


@dataclass(frozen=True, slots=True)
class SwapAttack:
    """The two dice exchange their A, printed and applied (rules 5.4)."""

    first: What
    second: What


@dataclass(frozen=True, slots=True)
class Copy:
    """Dice, this one unless said, take over parts of another: "stats" (fielding cost, A and D), "attack" (A alone),
    "abilities", "combat abilities" (those about attacking, blocking and being blocked) or "die" (all of it).

    Described rather than pointed at, dice that come to fit later have it too."""

    part: str
    of: What
    who: Where = this
    until: str = END_OF_TURN
    level: int = 0  # the numbers of that level; 0: of the face it shows


@dataclass(frozen=True, slots=True)
class EndEffect:
    """End what an action die does at this moment; a die that lies in the field for it goes to its owner's Used Pile."""

    what: Where = in_force


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
class RemoveCounters:
    """Take all counters of that name off this card."""

    name: str


@dataclass(frozen=True, slots=True)
class NameType:
    """Choose an energy type, for `of_named_type`."""


@dataclass(frozen=True, slots=True)
class NameCard:
    """Choose one of the opponent's character cards, for `of_named_card`, until another is chosen."""


@dataclass(frozen=True, slots=True)
class CopyNamedCard:
    """Until another die of this card is fielded, its dice have the named card's name, types, affiliations and
    abilities, and if said what its die's faces show, level for level; their purchase cost stays."""

    faces: bool = False


@dataclass(frozen=True, slots=True)
class Prevent:
    """Inside a "would be damaged" sentence: that much of the damage does not happen."""

    amount: Amount = ALL


@dataclass(frozen=True, slots=True)
class Redirect:
    """Inside a "would be damaged" sentence: that much of the damage goes there instead."""

    amount: Amount
    to: What
    whole_source: bool = False  # with it all other damage from the same source at that moment, to whomever


@dataclass(frozen=True, slots=True)
class Instead:
    """Inside a "would" sentence: what would have happened does not happen."""


@dataclass(frozen=True, slots=True)
class NewTarget:
    """Inside a "would be targeted" sentence: this one is the target in its place."""

    what: What


@dataclass(frozen=True, slots=True)
class PlaceOnCard:
    """Put this action die on the card of a die that matches; there it counts as in the field."""

    among: Where


@dataclass(frozen=True, slots=True)
class Cost:
    """Energy symbols ("F", "BB", "1" = one of any sort) and things to be done to oneself."""

    energy: str = ""
    effects: tuple[Effect, ...] = ()
    up_to: bool = False  # as many of the energy symbols as the payer likes, at least one


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


def give(rule: Rule, until: str = END_OF_TURN) -> Give:
    return Give(rule, until)


def may(*effects: Effect, cost: Cost | str | None = None, who: str = "you") -> May:
    return May(effects, Cost(cost) if isinstance(cost, str) else cost, who)


def unless(cost: Cost, *effects: Effect, otherwise: tuple[Effect, ...] = ()) -> Unless:
    return Unless(cost, effects, otherwise)


def pays_up_to(energy: str) -> Cost:
    """A cost of as many of these energy symbols as the payer likes; PAID is how many."""
    return Cost(energy, up_to=True)


def pays_life(n: int) -> Cost:
    """A cost of so much life, for whoever pays it."""
    return Cost(effects=(Life(-n, Where("payer")),))


def kos_own_die(what: Where = character) -> Cost:
    """A cost of KOing one of the payer's own dice."""
    return Cost(effects=(Ko(Select(what & Where("payer's"), by="payer")),))


def spins_own_die_down(what: Where = character) -> Cost:
    """A cost of spinning one of the payer's own dice down 1 level."""
    return Cost(effects=(Spin(Select(what & Where("payer's"), by="payer"), -1),))


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
    limit: str = ""  # "turn": once per turn; "die": once per turn and die; "together": once for all at one moment;
    # "first": the first time each turn, used or declined; "moment": once for a die, or both partners, at one moment
    lifted_by: Cost | None = None  # of a standing rule: what the opponent may pay to be rid of it for the turn
    own_turn: bool = False
    bursts: tuple[Burst, ...] = ()
    unprinted: tuple[str, ...] = ()  # what the card itself does not say: "duration", "limit", "per die"
    asked_by_keyword: bool = False  # the condition is the keyword's alone; the text under it does not print it


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


def always(
    *rules: Rule,
    condition: Condition | None = None,
    bursts: tuple[Burst, ...] = (),
    lifted_by: Cost | None = None,
    keyword: str = "",
) -> Ability:
    """A standing rule of each die in the field; the opponent may pay to lift it for the turn."""
    return Ability("always", rules=rules, condition=condition, bursts=bursts, lifted_by=lifted_by, keyword=keyword)


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


def unprinted(what: str, ability: Ability) -> Ability:
    """The ability, of which the card leaves something open that we play: its "duration" (until end of turn), its
    "limit" (once per turn), or whether a printed limit is meant "per die". The text shows it in round brackets."""
    return replace(ability, unprinted=(*ability.unprinted, what))


def resistance(ability: Ability, *, printed: bool = True) -> Ability:
    """Works if one of your character dice was KO'd this turn (rules 6.14); `printed`: the text itself says so too."""
    condition = own_ko_this_turn if ability.condition is None else own_ko_this_turn & ability.condition
    return replace(ability, keyword="Resistance", condition=condition, asked_by_keyword=not printed)


def use(*effects: Effect, bursts: tuple[Burst, ...] = (), keyword: str = "", at: Event | None = None) -> Ability:
    """What an action die does when it is used; `at` is the only moment it may be (attack_step_starts(you))."""
    return Ability("use", at, effects, bursts=bursts, keyword=keyword)


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


def pay_any_time(
    energy: str,
    *effects: Effect,
    cost: tuple[Effect, ...] = (),
    limit: str = "",
    condition: Condition | None = None,
) -> Ability:
    """Paid for whenever a Global could be used (rules 3.3f)."""
    return Ability("pay", effects=effects, cost=Cost(energy, cost), condition=condition, limit=limit)


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
