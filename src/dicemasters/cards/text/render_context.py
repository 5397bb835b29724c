"""The state of rendering one ability, and helpers for pronouns, zones and lists."""

from __future__ import annotations

from dataclasses import dataclass, field

from dicemasters.cards.language.metadata import PLACES
from dicemasters.cards.language.vocabulary import FIELD, Effect, Event, Select, Where


class UnrenderableError(ValueError):
    """The card contains something that the renderer has no English for."""


@dataclass(slots=True)
class RenderContext:
    """The state of rendering an ability: what the text has mentioned so far, for later references."""

    title: str
    this: str  # the title, or "this die" where the title would be wrong
    event: Event | None = None
    choices: list[Select] = field(default_factory=list)
    actor: str = "you"  # acting player: you, opponent or each; choices by another player are marked
    is_opponent_mentioned: bool = False  # the opponent has just been named
    subject: PersonPhrase | None = None  # subject of a delayed ability, its choice number 0
    has_picked_drawn: bool = False  # one of the drawn dice has been picked, so the others are "the rest"
    drew_one: bool = False  # a single die has just been drawn
    drawn_name: str = ""  # name of dice in hand that were not just drawn: "the rolled dice"
    rolled_until: bool = False  # the last effect counted the faces rolled
    rolled_from: str = ""  # zone that the dice were rolled from
    is_this_die_paid: bool = False  # this die was the cost of what follows
    are_blockers_mentioned: bool = False  # the blockers of this die have been mentioned
    just_mentioned: Where | None = None  # its next mention is a pronoun
    is_other_mentioned: bool = False  # the other die of the event has been mentioned
    group: Where | None = None  # description used before: "each such die"
    affected_noun: str = "of those dice"  # noun for each thing affected by the last effect
    paid_noun: str = "of them"  # noun for each thing paid
    is_duration_mentioned: bool = False  # the duration "until end of turn" has been stated
    duration_follows_copy: bool = False  # the duration of a capture is stated with the copy that follows
    unpicked_count: int = 0  # number of drawn dice not picked yet
    drew_many: bool = False  # several dice have just been drawn: "they"
    is_action_use: bool = False  # the text is the effect of an action die
    counts_each_die: bool = False  # characters are called dice because each die of a card counts
    is_this_rolled: bool = False  # the named character is rolled, so it is a die: "it"
    previous_effect: Effect | None = None  # previous effect, for "if that happens"
    dealer_possessive: str = "their"  # possessive of the dice that deal damage
    limit: str = ""  # limit of the ability; once per turn, only one of several sources can be meant
    unprinted: tuple[str, ...] = ()  # details that the card does not print, rendered in round brackets


@dataclass(frozen=True, slots=True)
class PersonPhrase:
    """A phrase for a player or die as subject, object and possessive, and whether its verb is plural."""

    text: str
    plural: bool = False
    object: str = ""
    possessive: str = ""

    @property
    def as_object(self) -> str:
        """The phrase as an object."""
        return self.object or self.text

    @property
    def as_possessive(self) -> str:
        """The phrase as a possessive."""
        if self.possessive:
            return self.possessive
        return self.text + ("'" if self.plural and self.text.endswith("s") else "'s")

    def verb(self, singular: str, plural: str) -> str:
        """Return the subject with the matching verb form."""
        return f"{self.text} {plural if self.plural else singular}"

    @property
    def is_die(self) -> bool:
        """Whether the phrase names a die, whose pronoun is "it"."""
        return not self.plural and (self.text == "it" or self.text.endswith("die"))

    @property
    def pronoun(self) -> PersonPhrase:
        """The pronoun for the next mention."""
        return IT if self.is_die else THEY


IT = PersonPhrase("it", possessive="its")
THEY = PersonPhrase("they", True, "them", "their")
YOU = PersonPhrase("you", True, possessive="your")
OPPONENT = PersonPhrase("your opponent")


def zone_text(place: str, owner: str = "your") -> str:
    """Return the name of a zone with its owner; the field has no owner."""
    if place not in PLACES:
        raise UnrenderableError(f"no English for the place {place!r}")
    plural_suffix = "s" if owner == "their owners'" else ""
    return "the field" if place == FIELD else f"{owner} {PLACES[place].name}{plural_suffix}"


def zones_text(places: tuple[str, ...], owner: str = "your") -> str:
    """Return the names of several zones, with the owner stated once: "the field, your Used Pile or Prep Area"."""
    names = [PLACES[place].name for place in places if place != FIELD]
    owned_texts = [f"{owner} {names[0]}", *names[1:]] if names else []
    return join_list([*(["the field"] if FIELD in places else []), *owned_texts], "or")


def join_list(parts: list[str], joiner: str = "and") -> str:
    """Join texts with commas, and with `joiner` before the last."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joiner} {parts[-1]}"


def with_article(text: str) -> str:
    """Return the text with "a" or "an" in front."""
    return f"an {text}" if text[0] in "aeiouAEIO" or text.startswith("X-") else f"a {text}"
