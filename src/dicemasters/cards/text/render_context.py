"""What a text is made of: what has been said so far, words for somebody, places, lists."""

from __future__ import annotations

from dataclasses import dataclass, field

from dicemasters.cards.language.metadata import PLACES
from dicemasters.cards.language.vocabulary import FIELD, Effect, Event, Select, Where


class UnrenderableError(ValueError):
    """A word of the card language that this module cannot say."""


@dataclass(slots=True)
class RenderContext:
    """What a sentence has said so far, so that later words can refer back to it."""

    title: str
    this: str  # the title, or "this die" where that would be wrong
    event: Event | None = None
    choices: list[Select] = field(default_factory=list)
    actor: str = "you"  # who carries the words out (you, opponent, each): choices by somebody else are marked
    is_opponent_mentioned: bool = False  # the sentence has just named the opponent
    subject: PersonPhrase | None = None  # the die a later sentence is about: its choice number 0
    has_picked_drawn: bool = False  # one of the drawn dice has been picked, the others are the rest
    drew_one: bool = False  # what was drawn is a single die
    drawn_name: str = ""  # what to call dice in hand that were not just drawn: "the rolled dice"
    rolled_until: bool = False  # what the last effect has reached are the faces that came up
    rolled_from: str = ""  # the place that dice were rolled from
    is_this_die_paid: bool = False  # this die was the price of what follows
    are_blockers_mentioned: bool = False  # those who block this die have been spoken of
    just_mentioned: Where | None = None  # a second mention of it in the same breath is "it"
    is_other_mentioned: bool = False  # the other die of the event has been spoken of
    group: Where | None = None  # dice described before: "each such die"
    affected_noun: str = "of those dice"  # what each thing reached by the last effect is called
    paid_noun: str = "of them"  # what each thing paid is called
    is_duration_mentioned: bool = False  # how long it lasts has been said: until end of turn
    duration_follows_copy: bool = False  # until end of turn, and what is copied lasts as long
    unpicked_count: int = 0  # how many of the drawn dice have not been picked
    drew_many: bool = False  # several dice have just been drawn: they
    is_action_use: bool = False  # it is what an action die does
    counts_each_die: bool = False  # characters are spoken of as dice, because each die of a card counts
    is_this_rolled: bool = False  # the named character is spoken of as a die, which is rolled: "it"
    previous_effect: Effect | None = None  # the effect just before, for what "if that happens" is about
    dealer_possessive: str = "their"  # whose A it is, of the dice that deal damage
    limit: str = ""  # of the text: if it works only once per turn, of several sources only one can be meant
    unprinted: tuple[str, ...] = ()  # what the card itself does not say, which stands in round brackets


@dataclass(frozen=True, slots=True)
class PersonPhrase:
    """Words for somebody as subject, object and possessor, and whether a verb after them is plural."""

    text: str
    plural: bool = False
    object: str = ""
    possessive: str = ""

    @property
    def as_object(self) -> str:
        return self.object or self.text

    @property
    def as_possessive(self) -> str:
        if self.possessive:
            return self.possessive
        return self.text + ("'" if self.plural and self.text.endswith("s") else "'s")

    def verb(self, singular: str, plural: str) -> str:
        """Give the subject with the verb that fits it."""
        return f"{self.text} {plural if self.plural else singular}"

    @property
    def is_die(self) -> bool:
        """Whether it is spoken of as a thing, which is "it"."""
        return not self.plural and (self.text == "it" or self.text.endswith("die"))

    @property
    def pronoun(self) -> PersonPhrase:
        """Give the word for a second mention."""
        return IT if self.is_die else THEY


IT = PersonPhrase("it", possessive="its")
THEY = PersonPhrase("they", True, "them", "their")
YOU = PersonPhrase("you", True, possessive="your")
OPPONENT = PersonPhrase("your opponent")


def zone_text(place: str, owner: str = "your") -> str:
    """Say a place; the field is everybody's."""
    if place not in PLACES:
        raise UnrenderableError(f"no English for the place {place!r}")
    plural_suffix = "s" if owner == "their owners'" else ""
    return "the field" if place == FIELD else f"{owner} {PLACES[place].name}{plural_suffix}"


def zones_text(places: tuple[str, ...], owner: str = "your") -> str:
    """Say several places, and whose they are only once: the field, your Used Pile or Prep Area."""
    names = [PLACES[place].name for place in places if place != FIELD]
    owned_texts = [f"{owner} {names[0]}", *names[1:]] if names else []
    return join_list([*(["the field"] if FIELD in places else []), *owned_texts], "or")


def join_list(parts: list[str], joiner: str = "and") -> str:
    """Join with commas, and a word before the last."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joiner} {parts[-1]}"


def with_article(text: str) -> str:
    """Put a or an in front."""
    return f"an {text}" if text[0] in "aeiouAEIO" or text.startswith("X-") else f"a {text}"
