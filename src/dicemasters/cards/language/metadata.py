"""One row for each word of the card language: all that the engine, the English and the checks know of it.

A row stands beside its word in words.py. The engine registers the word's meaning against it, `cards.english` says it,
and `cards.check` reads from it where the word may stand. The kinds of things it takes stand in its signature.
"""

from __future__ import annotations

from enum import Enum, Flag

from dicemasters.cards.language.node import Node


class SubjectKind(Flag):
    """Whom a description means, or an event or a rule is about."""

    NOBODY = 0
    DICE = 1
    PLAYERS = 2
    BOTH = 3


class Valence(Enum):
    """What something is for those it is done to or holds of."""

    GOOD = "good"
    BAD = "bad"
    NEITHER = "neither"
    DEPENDS = "depends"  # on its numbers, on where the dice lie, or on what another text does


GOOD, BAD, NEITHER, DEPENDS = Valence.GOOD, Valence.BAD, Valence.NEITHER, Valence.DEPENDS
DICE, PLAYERS, BOTH = SubjectKind.DICE, SubjectKind.PLAYERS, SubjectKind.BOTH
CHARACTER, ACTION, BASIC = "character", "action", "basic"  # the kinds of cards
ACTIONS = (ACTION, BASIC)


class DescriptionMetadata(Node):
    """A word for dice or players."""

    op: str
    about: SubjectKind = DICE
    is_reference: bool = False  # it points at dice, which are looked up and not searched
    is_single: bool = False  # at one die, or one player
    depends_on_face: bool = False  # of a face: what is given by it is for dice that come to fit it too
    place: str = ""  # where it looks, if not in the field
    is_deferred: bool = False  # a choice by it waits for the effects before
    is_event_bound: bool = False  # it makes a condition a part of what happened, which is not read again later
    needs_die: bool = False  # it needs a die whose text it is
    needs_event: str = ""  # what an event must have: its "die", its "other" die, or "paid" dice
    needs_previous_effect: bool = False  # it speaks of what an effect before it has drawn or reached
    needs_on_card: tuple[str, ...] = ()  # the card must have one of these effects too
    only_in: tuple[str, ...] = ()  # the effects it belongs to
    is_internal: bool = False  # the engine's own; no card says it


class NumberMetadata(Node):
    """A word for an amount that is worked out."""

    op: str
    is_count: bool = False  # a number of things, which the English says as "for each"
    is_event_bound: bool = False  # of what happened, not of how things stand
    needs_event: str = ""  # what an event must have: an "amount", a "total"
    needs_previous_effect: bool = False
    needs_cost: bool = False  # it speaks of a cost
    needs_on_card: tuple[str, ...] = ()
    only_in: tuple[str, ...] = ()


class ConditionMetadata(Node):
    """A word that something asks for."""

    op: str
    is_checked_on_resolution: bool = (
        False  # it asks how things stand, so it is read when the effect is carried out (rules 5.7a)
    )
    is_past: bool = False  # of what has happened, of which the English does not say "while"
    needs_die: bool = False
    needs_event: str = ""  # what an event must have: a "source", "combat", or the name of the event itself
    needs_previous_effect: bool = False
    is_internal: bool = False


class EventMetadata(Node):
    """A word that sets a reaction off."""

    word: str
    about: SubjectKind = DICE
    is_replaceable: bool = False  # about to happen: would(...) may change it
    other: SubjectKind = SubjectKind.NOBODY  # whom its other die or player can be
    provides: tuple[str, ...] = ()  # what it tells: "amount", "total", "source", "combat", "paid"
    is_combat: bool = False  # an ability of this event is one for the combat
    is_step_edge: bool = False  # an edge of a part of the turn
    characters_only: bool = False  # it happens to characters alone, never to an action die


class RuleMetadata(Node):
    """A word for something that holds of dice or players."""

    word: str
    valence: Valence  # what it is for whom it holds
    about: SubjectKind = DICE
    can_be_static: bool = True  # always(...) can say it
    can_be_granted: bool = True  # Give(...) can say it
    is_combat: bool = False  # a rule for the combat
    includes_future_dice: bool = False  # given to a group it is for dice to come too
    allows_next_one: bool = False  # it can be about the next die bought or fielded alone
    affects_off_field: bool = False  # it bears on dice that are not in the field yet: buying, fielding
    affects_fielding: bool = False  # it bears on the fielding of dice
    affects_reserve: bool = False  # dice in the reserve can be given it
    is_per_player: bool = False  # about what one player may do, not about the life of a side
    changes_stats: bool = False  # it changes A or D
    is_order_dependent: bool = False  # several of them mean something else in another order
    changes_damage: bool = False  # it changes how much damage is dealt
    needs_die: bool = False  # it speaks of the die whose text it is
    is_useful_only_in_combat: bool = False  # it is about how dice fight, so for one turn it is of use only in one


class EffectMetadata(Node):
    """A word for something that is done."""

    op: str  # the operation that carries it out
    valence: Valence  # what it is for whom it reaches
    always_possible: bool = False  # it finds something to do whatever lies there (rules 5.3c)
    is_bookkeeping: bool = False  # it decides or names, and does nothing to anybody itself
    can_fail: bool = False  # what follows it may depend on it (rules 5.1)
    consumes: bool = False  # a second one would find nothing to do to the same dice
    about: SubjectKind = DICE  # whom it can be done to
    places: tuple[str, ...] = ()  # where dice must lie for it; anywhere if none is named
    in_events: tuple[str, ...] = ()  # the events it belongs to
    can_be_cost: bool = False  # it can be a price
    card_kinds: tuple[str, ...] = (CHARACTER, ACTION, BASIC)  # on which it can stand
    needs_on_card: tuple[str, ...] = ()
    requires_field: bool = False  # it does nothing to a die that has left the field
    requires_own_die: bool = (
        False  # the die whose text it is must be in the field for it: it holds others, or is paired
    )
    is_useful_only_in_combat: bool = False  # it is of use only while dice fight
    implicit_recipient: str = (
        ""  # where no dice are named: its "user", whom the "event" is about, or all "controlled" dice
    )
    is_internal: bool = False  # another word makes it


class AbilityMetadata(Node):
    """A kind of sentence: what it is made of, and whose text it can be."""

    kind: str
    scopes: dict[str, tuple[str, ...]]  # by kind of card: die, active, card, field, pair
    event: str = ""  # "when", "would", "either", "use", or none
    limits: tuple[str, ...] = ()


class ScopeMetadata(Node):
    """A word around a sentence that says whose text it is."""

    scope: str


class KeywordMetadata(Node):
    """A keyword: where it stands, and how it comes to a die."""

    name: str
    card_kinds: tuple[str, ...] = (CHARACTER,)
    can_be_granted: bool = False  # has_keyword can give it to dice
    can_be_static: bool = False  # even as a standing rule of other dice
    acts_on_fielding: bool = False  # it acts when a die is fielded: given to a group it is for dice to come
    is_label: bool = False  # it stands in front of a text of its own
    reminder: str = ""  # what it says, where it is a rule of its own


class SymbolMetadata(Node):
    """A sort of energy."""

    letter: str
    name: str


class ZoneMetadata(Node):
    """A place where dice lie."""

    place: str
    name: str


class DurationMetadata(Node):
    """How long something lasts that was given, taken or said for later."""

    until: str
    text: str  # at the end of a clause; "" if the word beside it says it
    unprinted_text: str = ""  # the same, where the card itself does not print it


class FormMetadata(Node):
    """A word made of others: a choice, a cost, a burst, a short way to say something."""

    makes: str


WordMetadata = (
    DescriptionMetadata
    | NumberMetadata
    | ConditionMetadata
    | EventMetadata
    | RuleMetadata
    | EffectMetadata
    | AbilityMetadata
    | ScopeMetadata
    | KeywordMetadata
    | SymbolMetadata
    | ZoneMetadata
    | DurationMetadata
    | FormMetadata
)

WORDS: dict[str, WordMetadata] = {}  # all of them, by what one writes
DESCRIPTIONS: dict[str, DescriptionMetadata] = {}
NUMBERS: dict[str, NumberMetadata] = {}
CONDITIONS: dict[str, ConditionMetadata] = {}
EVENTS: dict[str, EventMetadata] = {}
RULES: dict[str, RuleMetadata] = {}
EFFECTS: dict[str, EffectMetadata] = {}  # by what one writes
ABILITY_KINDS: dict[str, AbilityMetadata] = {}
SCOPES: dict[str, ScopeMetadata] = {}
KEYWORDS: dict[str, KeywordMetadata] = {}
SYMBOLS: dict[str, SymbolMetadata] = {}
PLACES: dict[str, ZoneMetadata] = {}
DURATIONS: dict[str, DurationMetadata] = {}
_NAMES: dict[int, str] = {}


def register(name: str, row: WordMetadata) -> None:
    """Enter the row of a word."""
    if name in WORDS:
        raise ValueError(f"the word {name!r} has two rows")
    WORDS[name] = row
    _NAMES[id(row)] = name
    match row:
        case DescriptionMetadata():
            DESCRIPTIONS[row.op] = row
        case NumberMetadata():
            NUMBERS[row.op] = row
        case ConditionMetadata():
            CONDITIONS[row.op] = row
        case EventMetadata():
            EVENTS[row.word] = row
        case RuleMetadata():
            RULES[row.word] = row
        case EffectMetadata():
            EFFECTS[name] = row
        case AbilityMetadata():
            ABILITY_KINDS[row.kind] = row
        case ScopeMetadata():
            SCOPES[row.scope] = row
        case KeywordMetadata():
            KEYWORDS[row.name] = row
        case SymbolMetadata():
            SYMBOLS[row.letter] = row
        case ZoneMetadata():
            PLACES[row.place] = row
        case DurationMetadata():
            DURATIONS[row.until] = row


def word_of(row: WordMetadata) -> str:
    """Give the word that has this row, as one writes it."""
    return _NAMES[id(row)]


def event_metadata(word: str) -> EventMetadata | None:
    """Give the row of an event; "uses Attune" and the like have one for all."""
    return EVENTS.get("uses" if word.startswith("uses ") else word)
