"""Metadata of the words of the card language: one typed row per word.

Each row is next to the signature of its word. The engine uses it to register the meaning of the word, `cards.text` to
render the word, and `language.semantics` to check where the word is allowed. The types of the arguments are in the
signature.
"""

from __future__ import annotations

from enum import Enum, Flag

from dicemasters.cards.language.node import Node


class SubjectKind(Flag):
    """The kind of object that a description, an event or a rule is about."""

    NOBODY = 0
    DICE = 1
    PLAYERS = 2
    BOTH = 3


class Valence(Enum):
    """The effect of a word on its recipient: helpful, harmful, neither, or dependent on its arguments."""

    GOOD = "good"
    BAD = "bad"
    NEITHER = "neither"
    DEPENDS = "depends"  # depends on its numbers, the zone of the dice, or another ability


GOOD, BAD, NEITHER, DEPENDS = Valence.GOOD, Valence.BAD, Valence.NEITHER, Valence.DEPENDS
DICE, PLAYERS, BOTH = SubjectKind.DICE, SubjectKind.PLAYERS, SubjectKind.BOTH
CHARACTER, ACTION, BASIC = "character", "action", "basic"  # kinds of cards
ACTIONS = (ACTION, BASIC)


class DescriptionMetadata(Node):
    """Metadata of a word that describes dice or players."""

    op: str
    about: SubjectKind = DICE
    is_reference: bool = False  # refers to known dice instead of searching for some
    is_single: bool = False  # refers to a single die or player
    depends_on_face: bool = False  # about the face shown; a grant also covers dice that match later
    place: str = ""  # zone searched, if not the field
    is_deferred: bool = False  # the choice is made only after the preceding effects
    is_event_bound: bool = False  # makes a condition part of the event, not checked again later
    needs_die: bool = False  # valid only in an ability that belongs to a die
    needs_event: str = ""  # what the event must have: its "die", its "other" die, "paid" dice
    needs_previous_effect: bool = False  # refers to dice drawn or affected by a preceding effect
    needs_on_card: tuple[str, ...] = ()  # the card must also have one of these effects
    only_in: tuple[str, ...] = ()  # effects in which the word is allowed; all if empty
    is_internal: bool = False  # used by the engine only, not by cards


class NumberMetadata(Node):
    """Metadata of a word for a computed amount."""

    op: str
    is_count: bool = False  # a count, rendered as "for each"
    is_event_bound: bool = False  # about the event, not about the current state
    needs_event: str = ""  # what the event must have: an "amount", a "total"
    needs_previous_effect: bool = False
    needs_cost: bool = False  # refers to a cost
    needs_on_card: tuple[str, ...] = ()
    only_in: tuple[str, ...] = ()


class ConditionMetadata(Node):
    """Metadata of a word for a condition."""

    op: str
    # about the current state, so checked when the effect resolves (rules 5.7a6)
    is_checked_on_resolution: bool = False
    is_past: bool = False  # about the past, so not rendered with "while"
    needs_die: bool = False
    needs_event: str = ""  # what the event must have: a "source", "combat", or its name
    needs_previous_effect: bool = False
    is_internal: bool = False


class EventMetadata(Node):
    """Metadata of a word for an event that triggers an ability."""

    word: str
    about: SubjectKind = DICE
    is_replaceable: bool = False  # has not happened yet, so would(...) may replace it
    other: SubjectKind = SubjectKind.NOBODY  # kind of the second die or player involved
    provides: tuple[str, ...] = ()  # details it provides: "amount", "total", "source", "combat", "paid"
    is_combat: bool = False  # abilities triggered by it are combat abilities
    is_step_edge: bool = False  # start or end of a step or turn
    characters_only: bool = False  # never happens to action dice


class RuleMetadata(Node):
    """Metadata of a word for a static rule about dice or players."""

    word: str
    valence: Valence  # effect on those it applies to
    about: SubjectKind = DICE
    can_be_static: bool = True  # allowed in always(...)
    can_be_granted: bool = True  # allowed in Give(...)
    is_combat: bool = False  # makes its ability a combat ability
    includes_future_dice: bool = False  # a grant to a group also covers dice that join it later
    allows_next_one: bool = False  # can apply to only the next die bought or fielded
    affects_off_field: bool = False  # applies to dice outside the field, such as dice being bought or fielded
    affects_fielding: bool = False  # applies to fielding
    affects_reserve: bool = False  # can be granted to dice in the reserve pool
    is_per_player: bool = False  # about one player's permissions, not about the life of a side
    changes_stats: bool = False  # changes A or D
    is_order_dependent: bool = False  # the result of several depends on their order
    changes_damage: bool = False  # changes the amount of damage
    needs_die: bool = False  # valid only in an ability that belongs to a die
    is_useful_only_in_combat: bool = False  # a grant for the turn is useless without combat


class EffectMetadata(Node):
    """Metadata of a word for an effect."""

    op: str  # operation that executes it
    valence: Valence  # effect on those it affects
    always_possible: bool = False  # has something to do in any position (rules 5.3c1)
    is_bookkeeping: bool = False  # decides or names something without changing anything
    can_fail: bool = False  # later effects may depend on its success (rules 5.1b, 5.1d)
    consumes: bool = False  # cannot be applied twice to the same dice
    about: SubjectKind = DICE  # kind of its targets
    places: tuple[str, ...] = ()  # zones in which it can affect dice; all if empty
    in_events: tuple[str, ...] = ()  # events in whose abilities it is allowed; all if empty
    can_be_cost: bool = False  # can be part of a cost
    card_kinds: tuple[str, ...] = (CHARACTER, ACTION, BASIC)  # kinds of cards that may use it
    needs_on_card: tuple[str, ...] = ()
    requires_field: bool = False  # has no effect on dice that have left the field
    # needs its own die in the field, which holds other dice or is paired
    requires_own_die: bool = False
    is_useful_only_in_combat: bool = False  # useless outside combat
    # recipient if no dice are named: its "user", the subject of the "event", or all "controlled" dice
    implicit_recipient: str = ""
    is_internal: bool = False  # created only by other words


class AbilityMetadata(Node):
    """Metadata of a word for a kind of ability: its structure and the scopes it can have."""

    kind: str
    scopes: dict[str, tuple[str, ...]]  # by kind of card; scopes are die, active, card, field, pair
    event: str = ""  # kind of its event: "when", "would", "either", "use", or "" for none
    limits: tuple[str, ...] = ()


class ScopeMetadata(Node):
    """Metadata of a word that wraps an ability and sets its scope."""

    scope: str


class KeywordMetadata(Node):
    """Metadata of a keyword: the cards that can have it, and how dice can gain it."""

    name: str
    card_kinds: tuple[str, ...] = (CHARACTER,)
    can_be_granted: bool = False  # has_keyword can grant it
    can_be_static: bool = False  # a static rule of another die can grant it
    acts_on_fielding: bool = False  # triggers on fielding, so a grant to a group covers dice fielded later
    is_label: bool = False  # labels an ability with its own text
    reminder: str = ""  # reminder text of a keyword that is a complete rule


class SymbolMetadata(Node):
    """Metadata of an energy type."""

    letter: str
    name: str


class ZoneMetadata(Node):
    """Metadata of a zone."""

    place: str
    name: str


class DurationMetadata(Node):
    """Metadata of a duration of a grant, a capture or a delayed ability."""

    until: str
    text: str  # ending of a clause; "" if another word states the duration
    unprinted_text: str = ""  # ending if the card does not print the duration


class FormMetadata(Node):
    """Metadata of a word made of others: a choice, a cost, a burst or an abbreviation."""

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

WORDS: dict[str, WordMetadata] = {}  # all words by their name in the language
DESCRIPTIONS: dict[str, DescriptionMetadata] = {}
NUMBERS: dict[str, NumberMetadata] = {}
CONDITIONS: dict[str, ConditionMetadata] = {}
EVENTS: dict[str, EventMetadata] = {}
RULES: dict[str, RuleMetadata] = {}
EFFECTS: dict[str, EffectMetadata] = {}  # by their name in the language
ABILITY_KINDS: dict[str, AbilityMetadata] = {}
SCOPES: dict[str, ScopeMetadata] = {}
KEYWORDS: dict[str, KeywordMetadata] = {}
SYMBOLS: dict[str, SymbolMetadata] = {}
PLACES: dict[str, ZoneMetadata] = {}
DURATIONS: dict[str, DurationMetadata] = {}
_NAMES: dict[int, str] = {}


def register(name: str, row: WordMetadata) -> None:
    """Register the metadata of a word.

    Raise `ValueError` if the word already has some.
    """
    if name in WORDS:
        raise ValueError(f"the word {name!r} is registered twice")
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
    """Return the name of the word with this metadata."""
    return _NAMES[id(row)]


def event_metadata(word: str) -> EventMetadata | None:
    """Return the metadata of an event, or None if it is unknown. All "uses ..." events share one row."""
    return EVENTS.get("uses" if word.startswith("uses ") else word)
