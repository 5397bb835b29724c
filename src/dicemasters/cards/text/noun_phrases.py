"""Noun phrases for dice and players: "an opposing level 1 character", "up to 2 of your Sidekicks" and "they".

A die is "it"; a character is called by name or "they". Numbers are written in digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from dicemasters.cards.language.metadata import SYMBOLS
from dicemasters.cards.language.vocabulary import ALL, FIELD, RESERVE, TYPES, Amount, Number, Operand, Select, Where
from dicemasters.cards.text.render_context import (
    IT,
    OPPONENT,
    THEY,
    YOU,
    PersonPhrase,
    RenderContext,
    UnrenderableError,
    join_list,
    with_article,
    zones_text,
)

# --- references ----------------------------------------------------------------------------------------------------

_OTHER_TEXTS = {
    "blocks": "the character {this} blocks",
    "is blocked": "the character blocking {this}",
    "engaged": "the character engaged with {this}",
    "damaged": "the source of the damage",
    "would be damaged": "the source of the damage",
    "deals damage": "whoever took the damage",
    "action used": "that die",
}


def reference_text(where: Where, context: RenderContext) -> PersonPhrase | None:
    """Return the phrase for a known player or die, or None for a description."""
    match where.op:
        case "you":
            return THEY if context.actor == "each" else YOU
        case "opponent" if context.actor == "each":
            return PersonPhrase("their opponent")
        case "opponent":
            context.just_mentioned = None
            return THEY if context.is_opponent_mentioned else OPPONENT
        case "each player":
            return PersonPhrase("each player")
        case "payer":
            return OPPONENT if context.actor == "opponent" else YOU
        case "this":
            return _this_reference(context)
        case "that":
            return _that_reference(context)
        case "the other":
            return _other_reference(context)
        case "partner":
            is_repeated = context.just_mentioned == Where("this")
            this = PersonPhrase(context.this)
            return PersonPhrase(f"{(this.pronoun if is_repeated else this).as_possessive} partner")
        case "touched":
            return PersonPhrase(f"the character {context.this} lies on")
        case "just moved":
            return IT
        case "drawn" if context.drawn_name and not context.has_picked_drawn:
            return PersonPhrase(context.drawn_name, context.drawn_name.endswith("dice"))
        case "drawn" if context.drew_one and not context.has_picked_drawn:
            return IT
        case "drawn" if context.drew_many and not context.has_picked_drawn:
            return THEY
        case "drawn" if context.has_picked_drawn and context.unpicked_count == 1:
            return PersonPhrase("the other")
        case "drawn":
            return PersonPhrase("the rest" if context.has_picked_drawn else "the drawn dice", True)
        case "chosen":
            return _chosen_reference(where, context)
        case _:
            return None


def _this_reference(context: RenderContext) -> PersonPhrase:
    is_repeated = context.just_mentioned == Where("this")
    context.just_mentioned = Where("this")
    this = PersonPhrase(context.this)
    if context.rolled_until:
        return PersonPhrase("the die")  # other faces and players have been mentioned in between
    if context.is_this_rolled or (is_repeated and this.is_die):
        return IT
    return PersonPhrase(context.this, object="them", possessive="their") if is_repeated else this


def _other_reference(context: RenderContext) -> PersonPhrase:
    """Return the event's other die in full at its first mention, later as "that character"."""
    word = context.event.word if context.event else ""
    described = context.event.other if context.event else None
    is_known = word == "KOs" or (described is not None and described.op not in ("this", "opponent", "you", "or"))
    if word == "action used" and context.just_mentioned == Where("the other"):
        return IT
    if is_known or context.is_other_mentioned:
        return PersonPhrase("that die" if word == "action used" else "that character")
    context.is_other_mentioned, context.just_mentioned = True, Where("the other")
    return PersonPhrase(_OTHER_TEXTS.get(word, "the other character").format(this=context.this))


def _that_reference(context: RenderContext) -> PersonPhrase:
    if context.event is None:
        raise UnrenderableError("'that' needs an event to refer to")
    who = context.event.who
    if who.op == "this":
        return PersonPhrase("this die") if context.event.word == "bought" else _this_reference(context)
    if who.op in ("you", "opponent", "each player"):
        return PersonPhrase("that player")
    if who.op in ("touched", "partner"):
        return PersonPhrase("that character")
    if reference_text(who, context) or who.op in ("or", "this card"):
        return PersonPhrase("that die")
    is_repeated = context.event.word == "bought" and context.just_mentioned == Where("that")
    context.just_mentioned = Where("that")
    return IT if is_repeated else PersonPhrase(f"that {noun_phrase(who, context).head}")


def _chosen_reference(where: Where, context: RenderContext) -> PersonPhrase:
    (n,) = where.args
    if n == 0 and context.subject:
        subject = context.subject
        repeated = subject.pronoun if subject.plural or subject.is_die else PersonPhrase(subject.text, object="them")
        context.subject = repeated
        return subject
    if not isinstance(n, int) or n >= len(context.choices):
        raise UnrenderableError(f"the ability has no choice number {n}")
    choice = context.choices[n]
    nouns = [noun_phrase(earlier.where, context) for earlier in context.choices]
    if len(context.choices) == 1:
        return IT if choice.most == 1 and nouns[0].is_dice else THEY
    heads = [noun.head for noun in nouns]
    ordinal = "" if heads.count(heads[n]) == 1 else f"{('first', 'second', 'third', 'fourth')[n]} "
    return PersonPhrase(f"the {ordinal}{heads[n] if choice.most == 1 else nouns[n].heads}", choice.most != 1)


# --- descriptions --------------------------------------------------------------------------------------------------

# order of adjectives in the text
_RANKS = ("drawn", "state", "level", "not", "type", "affiliation", "keyword", "title")


@dataclass(slots=True)
class NounPhrase:
    """A description split into determiner, adjectives, noun and postmodifiers."""

    nouns: tuple[str, ...] = ()
    owner: str = ""  # "your", "their", "the", "opposing"
    is_owner_mentioned: bool = False  # the surrounding text states the owner
    is_other: bool = False
    adjectives: list[tuple[str, str]] = field(default_factory=list)  # (rank, adjective)
    postmodifiers: list[str] = field(default_factory=list)
    places: tuple[str, ...] = ()
    is_last_drawn: bool = False  # a single drawn die remains
    is_just_drawn: bool = False  # dice just drawn, without adjectives
    payment_note: str = ""  # note that dice that paid for the fielding are excluded (rules 2.1a2)
    is_any_face: bool = False  # dice of a certain kind in a reserve pool, showing any face

    @property
    def head(self) -> str:
        """The noun in the singular."""
        return join_list(list(self.nouns or ("character",)), "or")

    @property
    def heads(self) -> str:
        """The noun in the plural."""
        return join_list([_plural(name) for name in self.nouns or ("character",)], "or")

    @property
    def is_dice(self) -> bool:
        """Whether the noun is a die rather than a character."""
        return all(name.endswith("die") for name in self.nouns or ("character",))

    def one(self, prep: str = "in") -> str:
        """Return the phrase in the singular without a determiner."""
        return self._around(self.head, prep)

    def many(self, prep: str = "in") -> str:
        """Return the phrase in the plural without a determiner."""
        return self._around(self.heads, prep)

    def _around(self, head: str, prep: str) -> str:
        opposing = self.owner == "opposing" and not self._is_owned_by_zone and not self.is_owner_mentioned
        adjectives = [text for _, text in sorted(self.adjectives, key=lambda b: _RANKS.index(b[0]))]
        possessive = {"": "a player's", "opposing": "your opponent's"}.get(self.owner, self.owner)
        locations = [f"{prep} {zones_text(self.places, possessive)}"] if self.places else []
        locations += [self.payment_note] if self.payment_note else []
        locations += [f"(whatever {'it shows' if head == self.head else 'they show'})"] if self.is_any_face else []
        return " ".join([*(["opposing"] if opposing else []), *adjectives, head, *self.postmodifiers, *locations])

    @property
    def _is_owned_by_zone(self) -> bool:
        """Whether the zone states the owner: "a Sidekick in your Used Pile"."""
        return bool(self.places) and FIELD not in self.places

    @property
    def of_owner(self) -> str:
        """The owner as a determiner, or "" if it is stated elsewhere."""
        return "" if self._is_owned_by_zone or self.is_owner_mentioned or self.owner == "opposing" else self.owner


def _plural(name: str) -> str:
    return name.removesuffix("die") + "dice" if name.endswith("die") else name + "s"


def iter_conjuncts(where: Where) -> Iterator[Where]:
    """Yield the parts of a description that are joined by &."""
    if where.op == "and":
        for part in where.args:
            assert isinstance(part, Where)
            yield from iter_conjuncts(part)
    else:
        yield where


def noun_phrase(where: Where, context: RenderContext, joiner: str = "or") -> NounPhrase:
    """Return the noun phrase of a description."""
    if where.op == "cheapest":
        noun = noun_phrase(_inner(where), context, joiner)
        noun.postmodifiers.append("with the lowest purchase cost (a Sidekick's is 0); you choose among equals")
        return noun
    noun = NounPhrase()
    names: list[str] = []
    for part in iter_conjuncts(where):
        match part.op:
            case "own":
                noun.owner = "their" if context.actor == "each" else "your"
            case "opposing":
                noun.owner = {"opponent": "their", "each": "their opponent's"}.get(context.actor, "opposing")
            case "payer's":
                noun.owner = "their"
            case "active player's":
                noun.owner = "the active player's"
            case "this card":
                names.append(f"{context.title} die")
                noun.owner = "your"
            case "in":
                noun.places = tuple(str(p) for p in part.args)
            case "drawn":
                names.append("drawn die")
                noun.owner = "the"
            case "on sale":
                pass  # implied by "buy"
            case "just rolled":
                names.append("die")
                noun.is_owner_mentioned = True
                is_opposing = any(x.op == "opposing" for x in iter_conjuncts(where))
                noun.postmodifiers.append(f"{'your opponent has' if is_opposing else 'you have'} just rolled")
            case "not" if _inner(part).op == "action die":
                names.append("character or Sidekick die")
            case "not":
                _add_exclusion(_inner(part), noun, context, Where("own") in iter_conjuncts(where))
            case "or" if all(side.op in _NOUNS for side in _alternatives(part)):
                names += [_NOUNS[side.op] for side in _alternatives(part)]
            case _:
                _add_word(_phrase_word(part, context, joiner), noun, names)
    if "drawn die" in names and len(names) > 1:
        names.remove("drawn die")
        noun.adjectives.append(("drawn", "drawn"))
    noun.is_just_drawn = names == ["drawn die"] and context.drew_many and not noun.adjectives and not noun.places
    if names in ([], ["character"]) and any(
        part.op in ("of its card", "of named card") for part in iter_conjuncts(where)
    ):
        names = ["die"]
    if noun.is_just_drawn and noun.is_other:
        noun.is_last_drawn, context.unpicked_count = context.unpicked_count == 1, 0
    specific = [name for name in names if name != "character"]
    noun.nouns = tuple(specific or names)
    if not noun.nouns and noun.places:
        noun.nouns = ("die",)
    _promote_affiliation(noun)
    ops = {part.op for part in iter_conjuncts(where)}
    # outside the field a character is called a die
    if "drawn" in ops or context.counts_each_die or set(noun.places) - {FIELD}:
        noun.nouns = as_dice(noun.nouns)
    event = context.event.word if context.event else ""
    if event == "roll ends" and noun.places == ("reserve",) and noun.owner == "your":
        noun.places = ()
        noun.postmodifiers.append("among the dice you rolled")
    if event == "fielded" and "used" in noun.places and noun.owner == "your" and "not" not in ops:
        noun.payment_note = "(but none that paid for this fielding)"
    _specify_faces(noun, "character" in ops)
    return noun


def _specify_faces(noun: NounPhrase, is_character: bool) -> None:
    """State the faces of dice in a reserve pool: a character there is a die showing a character face."""
    if RESERVE not in noun.places:
        return
    if is_character and noun.nouns == ("character die",):
        noun.postmodifiers.append("showing a character face")
    is_narrowed = noun.adjectives or noun.nouns != ("die",)
    noun.is_any_face = bool(is_narrowed) and not any(text.startswith("showing") for text in noun.postmodifiers)


def as_dice(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the nouns as dice: "a Sidekick die", "Avengers dice"."""
    names = tuple("Avengers" if name == "Avenger" else name for name in names or ("character",))
    return tuple(name if name.endswith("die") else f"{name} die" for name in names)


def _promote_affiliation(noun: NounPhrase) -> None:
    """Replace Villain characters by Villains, and Avenger characters by Avengers."""
    last = max(noun.adjectives, key=lambda b: _RANKS.index(b[0]), default=("", ""))
    if noun.nouns in ((), ("character",)) and last[0] == "affiliation" and last[1] in _AFFILIATIONS.values():
        noun.adjectives.remove(last)
        noun.nouns = (last[1],)


@dataclass(frozen=True, slots=True)
class _PhraseWord:
    """One word of a description: a noun, an adjective (slot = its rank) or a postmodifier."""

    slot: str  # "noun", "after", or the rank of an adjective
    text: str


def _add_word(word: _PhraseWord, noun: NounPhrase, names: list[str]) -> None:
    match word.slot:
        case "noun":
            names.append(word.text)
        case "after":
            noun.postmodifiers.append(word.text)
        case rank:
            noun.adjectives.append((rank, word.text))


def _inner(where: Where) -> Where:
    inner = where.args[0]
    assert isinstance(inner, Where)
    return inner


def _add_exclusion(where: Where, noun: NounPhrase, context: RenderContext, is_own: bool) -> None:
    """Add an excluded description; `is_own` means that only your own dice are described."""
    if where.op == "that" and context.event is not None and context.event.word == "fielded":
        noun.postmodifiers.append("already in the field")
    elif where.op in ("this", "that", "the other", "chosen"):
        noun.is_other = True
    elif where.op == "not":
        noun.postmodifiers.append(f"that {is_text(_inner(where), context)}")
    elif where.op == "this card":  # your own dice, even if an opposing card has the same title (rules 5.2a)
        noun.postmodifiers.append(f"other than {context.title if is_own else f'your own {context.title}'}")
    elif where.op == "paying":
        noun.payment_note = "that did not pay for this fielding"
    elif where.op == "keyword" and where.args != ("Heroic",):
        noun.postmodifiers.append(f"without {join_list([str(name) for name in where.args], 'or')}")
    elif where.op in ("sidekick", "type", "affiliation", "keyword", "title") and len(where.args) < 2:
        noun.adjectives.append(("not", f"non-{_phrase_word(where, context).text}"))
    elif where.op == "and" and any(part.op == "own" for part in iter_conjuncts(where)):
        noun.postmodifiers.append(f"other than {plural_text(where, context)}")
    else:
        noun.postmodifiers.append(f"that {is_text(~where, context)}")


_NOUNS = {"character": "character", "any": "die", "sidekick": "Sidekick", "action die": "action die"}
_STATES = ("attacking", "blocking", "blocked", "unblocked", "engaged", "damaged")
_STATS = {"level": "level", "cost": "purchase cost", "fielding": "fielding cost", "d": "D"}
_STATS["printed fielding"] = "printed fielding cost"


def _phrase_word(where: Where, context: RenderContext, joiner: str = "or") -> _PhraseWord:
    match where.op:
        case op if op in _NOUNS:
            return _PhraseWord("noun", _NOUNS[op])
        case op if op in _STATES or op == "opposing":
            return _PhraseWord("state", op)
        case "type":
            return _PhraseWord("type", join_list([SYMBOLS[str(t)].name for t in where.args], joiner))
        case "affiliation":
            return _PhraseWord(
                "affiliation", join_list([_AFFILIATIONS.get(str(a), str(a)) for a in where.args], joiner)
            )
        case "keyword" if where.args != ("Heroic",):
            return _PhraseWord("after", f"with {join_list([str(name) for name in where.args], 'or')}")
        case "keyword" | "title":
            return _PhraseWord(where.op, join_list([str(name) for name in where.args], joiner))
        case "level" if where.args[0] == "=" and isinstance(where.args[1], int):
            return _PhraseWord("level", f"level {where.args[1]}")
        case "level" if isinstance(where.args[1], Number) and where.args[0] in _LEVELS:
            return _PhraseWord("after", _level_comparison_text(str(where.args[0]), where.args[1], context))
        case "level":
            return _PhraseWord("after", f"of level {_compared_text(where, context)}")
        case op if op in _STATS:
            return _PhraseWord(
                "after", f"whose {_STATS[where.op]} is {_compared_text(where, context)}{_sidekick_cost_note(where)}"
            )
        case "or":
            return _alternative_word(where, context, joiner)
        case _:
            return _PhraseWord("after", _trailing_text(where, context))


def _sidekick_cost_note(where: Where) -> str:
    """Return a reminder of the cost of Sidekicks if it lets them match (rules 1.2b)."""
    return " (a Sidekick's is 0)" if where.op == "cost" and where.args[0] in ("<", "<=") else ""


_AFFILIATIONS = {"Villains": "Villain", "Avengers": "Avenger"}  # affiliations as adjectives
_LEVELS = {"<": "of lower level than {0}", ">": "of higher level than {0}"}
_LEVELS |= {"<=": "whose level is no higher than {1}", ">=": "whose level is no lower than {1}"}


def _level_comparison_text(comparison: str, level: Number, context: RenderContext) -> str:
    """Return a comparison of levels: "of lower level than one of your characters"."""
    (where,) = level.args
    context.just_mentioned = None  # "they" would refer to the described dice
    if level.op == "highest level" and isinstance(where, Where):
        noun_text = indefinite(noun_phrase(where, context))
        return _LEVELS[comparison].format(noun_text, f"that of {noun_text}")
    if level.op != "level" or not isinstance(where, Where):
        raise UnrenderableError(f"no English for a level compared with {level}")
    owner = PersonPhrase(object_text(where, context))
    return _LEVELS[comparison].format(owner.text, owner.as_possessive)


def _trailing_text(where: Where, context: RenderContext) -> str:
    match where.op:
        case "engaged with this":
            return f"engaged with {context.this}"
        case "blocking this":
            return f"blocking {context.this}"
        case "blocked by this":
            return f"blocked by {context.this}"
        case "met this":
            return f"engaged with {context.this} this turn"
        case "has blocked this":
            return f"that blocked {context.this} in that attack step"
        case "fielded this turn" | "fielded last turn":
            return where.op
        case "showing symbol":
            return f"showing {symbol_name(str(where.args[0]))}"
        case "damaged this turn":
            return "damaged this turn"
        case "showing character":
            return "showing a character face"
        case "showing action":
            return "showing an action face"
        case "showing energy":
            return "showing energy"
        case "paying":
            return "that paid for this fielding"
        case "showing burst":
            return f"showing {'★' * int(str(where.args[0]))}"
        case "captured by this":
            return f"captured by {context.this}"
        case "same type":
            other = where.args[0]
            assert isinstance(other, Where)
            reference = reference_text(other, context)
            return f"that share an energy type with {reference.as_object if reference else plural_text(other, context)}"
        case "of its card":
            return f"of the card {context.this} {'lay' if context.is_this_die_paid else 'lies'} on"
        case "of named type":
            return "of the named type"
        case "of named card":
            return "of the named card"
        case "of named affiliation":
            return "of the named affiliation"
        case _:
            raise UnrenderableError(f"no English for the description {where.op!r}")


def _compared_text(where: Where, context: RenderContext) -> str:
    comparison, n = where.args
    assert isinstance(n, int | Number)
    lower, higher = ("lower", "higher") if where.op == "level" else ("less", "more")
    context.just_mentioned = None
    amount = comparison_text(n, context)
    match comparison:
        case "=":
            return amount
        case "<=" if isinstance(n, Number):
            return f"no more than {amount}"
        case "<=":
            return f"{amount} or {lower}"
        case ">=":
            return f"{amount} or {higher}"
        case "<":
            return f"{lower} than {amount}"
        case ">":
            return f"{higher} than {amount}"
        case _:
            raise UnrenderableError(f"no English for the comparison {comparison!r}")


def _alternatives(where: Where) -> list[Where]:
    """Return the parts of a description that are joined by |."""
    if where.op != "or":
        return [where]
    return [side for arg in where.args if isinstance(arg, Where) for side in _alternatives(arg)]


def _alternative_word(where: Where, context: RenderContext, joiner: str = "or") -> _PhraseWord:
    sides = _alternatives(where)
    if all(side.op not in ("and", "not", "own", "this card", "in", "drawn") for side in sides):
        words = [_phrase_word(side, context) for side in sides]
        if len({word.slot for word in words}) == 1:
            joiner = "or" if words[0].slot == "after" else joiner
            prefix = "with " if all(word.slot == "after" and word.text.startswith("with ") for word in words) else ""
            texts = [word.text.removeprefix(prefix) for word in words]
            return _PhraseWord(words[0].slot, prefix + join_list(texts, joiner))
    return _PhraseWord("after", "that " + join_list([is_text(side, context) for side in sides], "or"))


_PLURALS = {"is": "are", "was": "were", "has": "have", "does": "do", "shows": "show"}


def with_predicate(subject: PersonPhrase, predicate: str) -> str:
    """Return the subject with its predicate: "it is a Sidekick", "they are attacking"."""
    verb, space, remainder = predicate.partition(" ")
    return f"{subject.text} {_PLURALS.get(verb, verb) if subject.plural else verb}{space}{remainder}"


def is_text(where: Where, context: RenderContext) -> str:
    """Return the predicate that a die matches, after "it" or "that": "is a Sidekick", "is not attacking"."""
    negative = "not " if where.op == "not" else ""
    positive = _inner(where) if where.op == "not" else where
    if positive.op in ("fielded this turn", "fielded last turn"):
        return f"was {negative}{positive.op}"
    if positive.op == "damaged this turn":
        return f"was {negative}damaged this turn"
    if positive.op in ("you", "opponent"):
        reference = reference_text(positive, context)
        return f"is {negative}{reference.as_object if reference else positive.op}"
    if positive.op == "met this":
        return f"was {negative}engaged with {context.this} this turn"
    if positive.op == "has blocked this":
        return f"{'did not block' if negative else 'blocked'} {context.this} in that attack step"
    if positive.op == "paying":
        return "did not pay for this fielding" if negative else "paid for this fielding"
    if positive.op == "level" and positive.args[0] == "=" and isinstance(positive.args[1], int):
        return f"is {negative}level {positive.args[1]}"
    if positive.op == "level" and isinstance(positive.args[1], int):
        return f"is {negative}level {_compared_text(positive, context)}"
    if positive.op in _STATS and positive.op != "level":
        article = "" if positive.op == "d" else "a "
        prefix = "" if positive.op == "d" else "of "
        return f"{'does not have' if negative else 'has'} {article}{_STATS[positive.op]} {prefix}{_compared_text(positive, context)}"
    if positive.op == "keyword" and positive.args != ("Heroic",):
        return f"{'does not have' if negative else 'has'} {join_list([str(name) for name in positive.args], 'or')}"
    if positive.op in ("this", "that", "the other", "chosen", "partner"):
        reference = reference_text(positive, context)
        assert reference is not None
        return f"is {negative}{reference.as_object}"
    if positive.op == "own":
        return f"is {negative}{'theirs' if context.actor == 'each' else 'yours'}"
    if positive.op in _STATES or positive.op == "opposing":
        return f"is {negative}{positive.op}"
    if positive.op == "in":
        return f"is {negative}in " + zones_text(tuple(str(p) for p in positive.args))
    if positive.op not in ("and", "or", "not", "this card", "drawn"):
        word = _phrase_word(positive, context)
        if word.text.startswith("showing "):
            return f"{'does not show' if negative else 'shows'} {word.text.removeprefix('showing ')}"
        if word.slot == "after" and not word.text.startswith("that "):
            return f"is {negative}{word.text}"
    return f"is {negative}{indefinite(noun_phrase(positive, context))}"


# --- phrases -------------------------------------------------------------------------------------------------------


def indefinite(noun: NounPhrase, prep: str = "in") -> str:
    """Return one match: "a Sidekick", "another of your characters"."""
    if noun.is_just_drawn:
        return " ".join([f"{'another' if noun.is_other else 'one'} of them", *noun.postmodifiers])
    if noun.of_owner:
        return f"{'another' if noun.is_other else 'one'} of {noun.of_owner} {noun.many(prep)}"
    return f"another {noun.one(prep)}" if noun.is_other else with_article(noun.one(prep))


def _each_text(noun: NounPhrase, prep: str) -> str:
    adjective = "other " if noun.is_other else ""
    if noun.is_last_drawn:
        return "the other"
    if noun.is_just_drawn and noun.postmodifiers and noun.postmodifiers[0].startswith("showing "):
        return f"each that shows {join_list(noun.postmodifiers).removeprefix('showing ')}"
    if noun.is_just_drawn:
        return " ".join([f"each of {'the others' if noun.is_other else 'them'}", *noun.postmodifiers])
    if noun.of_owner:
        return f"each of {noun.of_owner} {adjective}{noun.many(prep)}"
    return f"each {adjective}{noun.one(prep)}"


def plural_subject(noun: NounPhrase, quantifier: str = "all") -> str:
    """Return all matches as a subject: "your Sidekicks", "all characters"."""
    owner = noun.of_owner or (quantifier if noun.many() == noun.heads else "")
    return f"{owner} {'other ' if noun.is_other else ''}{noun.many()}".strip()


def indefinite_phrase(where: Where, context: RenderContext) -> PersonPhrase:
    """Return the subject of an event: "you or Hulk", "an opposing character"."""
    return _phrase(where, context, lambda noun: PersonPhrase(indefinite(noun)), "or")


def plural_text(where: Where, context: RenderContext) -> str:
    """Return all matches in the plural without a determiner: "Sidekicks", "fist characters"."""

    def plural(noun: NounPhrase) -> PersonPhrase:
        owner = f"{noun.of_owner} " if noun.of_owner else ""
        return PersonPhrase(f"{owner}{'other ' if noun.is_other else ''}{noun.many()}", True)

    return _phrase(where, context, plural, "or").as_object


def subject_text(operand: Operand, context: RenderContext, quantifier: str = "all") -> PersonPhrase:
    """Return dice or players as the subject of a sentence: "your Sidekicks", "two target characters"."""
    if isinstance(operand, Select):
        choice = choice_text(operand, context)
        is_indefinite = choice.text.startswith(("a ", "an "))
        return PersonPhrase(f"one {choice.text.partition(' ')[2]}") if is_indefinite else choice
    if operand.op == "this card":
        return PersonPhrase(plural_subject(noun_phrase(operand, context)), True)
    return _phrase(operand, context, lambda noun: PersonPhrase(plural_subject(noun, quantifier), True), "and", "and")


def object_text(operand: Operand, context: RenderContext, prep: str = "in") -> str:
    """Return dice or players as the object of an action: "each opposing character", "a Sidekick from your bag"."""
    if isinstance(operand, Select):
        return choice_text(operand, context, prep).as_object
    if operand.op == "this card":
        return _each_text(noun_phrase(operand, context), prep)
    if operand.op == "and" and operand == context.group:
        return f"each {repeated_text(operand, context)}"
    context.group = operand if operand.op == "and" else context.group
    return _phrase(operand, context, lambda noun: PersonPhrase(_each_text(noun, prep)), "and").as_object


def repeated_text(where: Where, context: RenderContext) -> str:
    """Return one of the dice that have just been described."""
    return f"such {noun_phrase(where, context).head.split()[-1]}"


def _phrase(
    where: Where,
    context: RenderContext,
    render: Callable[[NounPhrase], PersonPhrase],
    joiner: str,
    noun_joiner: str = "or",
) -> PersonPhrase:
    """Return a description, a reference, or several of them."""
    if where.op == "this card":
        return PersonPhrase(context.title)
    reference = (
        PersonPhrase("a player") if where.op == "each player" and joiner == "or" else reference_text(where, context)
    )
    if reference:
        return reference
    if where.op == "or":
        phrases = [_phrase(side, context, render, joiner, noun_joiner) for side in _alternatives(where)]
        return PersonPhrase(
            join_list([phrase.as_object for phrase in phrases], joiner), joiner == "and" or phrases[-1].plural
        )
    parts = list(iter_conjuncts(where))
    references = [
        part for part in parts if part.op in ("this", "that", "the other", "partner", "chosen", "just moved", "touched")
    ]
    if references:
        reference = reference_text(references[0], context)
        assert reference is not None
        conditions = join_list([is_text(part, context) for part in parts if part is not references[0]])
        return PersonPhrase(f"{reference.text}, if {with_predicate(reference.pronoun, conditions)},", reference.plural)
    context.has_picked_drawn = context.has_picked_drawn or any(part.op == "drawn" for part in parts)
    return render(noun_phrase(where, context, noun_joiner))


def choice_text(select: Select, context: RenderContext, prep: str = "in") -> PersonPhrase:
    """Return a choice, and record it for later references."""
    context.just_mentioned = None
    chooser = ""
    if context.actor == "each":
        chooser = " of their opponent's choice" if select.by == "opponent" else ""
    elif select.by != "payer" and select.by != context.actor:
        chooser = " of your opponent's choice" if select.by == "opponent" else " of your choice"
    if any(part.op == "drawn" for part in iter_conjuncts(select.where)):
        context.has_picked_drawn = True
        context.unpicked_count = context.unpicked_count - select.most if select.least == select.most else 0
    phrase = (
        _mixed_choice_text(select, context) if select.where.op == "or" else _plain_choice_text(select, context, prep)
    )
    context.choices.append(select)
    return PersonPhrase(phrase + chooser, select.most != 1)


def _mixed_choice_text(select: Select, context: RenderContext) -> str:
    """Return a choice among different kinds: target character or player."""
    alternatives: list[str] = []
    for side in _alternatives(select.where):
        reference = PersonPhrase("player") if side.op == "each player" else reference_text(side, context)
        noun = NounPhrase() if reference else noun_phrase(side, context)
        if select.target or select.most != 1:
            alternatives.append(reference.as_object if reference else noun.one() + _controller_text(noun))
        elif reference:
            alternatives.append(with_article(reference.text) if side.op == "each player" else reference.as_object)
        else:
            alternatives.append(indefinite(noun))
    range_text = "" if select.most == 1 else f"{_range_text(select)} of these: "
    return f"{range_text}{'target ' if select.target else ''}{join_list(alternatives, 'or')}"


def _plain_choice_text(select: Select, context: RenderContext, prep: str) -> str:
    noun = noun_phrase(select.where, context)
    if "bag" in noun.places:
        noun.postmodifiers.insert(0, "of your choice")  # searched for, not drawn
    if select.target:
        return _target_choice_text(select, noun, prep)
    if (select.least, select.most) == (1, 1):
        return indefinite(noun, prep)
    owner_phrase = f"of {noun.of_owner} " if noun.of_owner else ""
    if noun.is_just_drawn:
        return " ".join([_range_text(select), "of", "the others" if noun.is_other else "them", *noun.postmodifiers])
    plural = f"{owner_phrase}{'other ' if noun.is_other else ''}{noun.many(prep)}"
    if select.within:
        return f"any number of {plural.removeprefix('of ')} whose (printed) fielding costs add up to {select.within} or less"
    if select.most == ALL:
        return f"any number {plural if owner_phrase else 'of ' + plural}"
    return f"{_range_text(select)} {plural}{_only_one_note(select)}"


def _range_text(select: Select) -> str:
    if select.least == select.most:
        return str(select.most)
    if select.least == 0:
        return f"up to {select.most}"
    return f"{select.least} to {select.most}"


def _target_choice_text(select: Select, noun: NounPhrase, prep: str) -> str:
    control = _controller_text(noun)
    if control and noun.places:
        noun.postmodifiers.insert(0, control.strip())
        control = ""
    another = "another " if noun.is_other else ""
    if (select.least, select.most) == (1, 1):
        return f"{another}target {noun.one(prep)}{control}"
    return (
        f"{_range_text(select)} {'other ' if another else ''}target {noun.many(prep)}{control}{_only_one_note(select)}"
    )


def _only_one_note(select: Select) -> str:
    """Return a reminder that the only match is taken if there are not enough (rules 5.1e)."""
    return " (or the only one)" if select.least == select.most > 1 else ""


def _controller_text(noun: NounPhrase) -> str:
    control = {"your": " you control", "their": " they control", "their opponent's": " their opponent controls"}
    return control.get(noun.of_owner, "")


def owner_text(operand: Operand, context: RenderContext) -> str:
    """Return the owner of the zone that these dice go to."""
    where = operand.where if isinstance(operand, Select) else operand
    if (
        where.op == "chosen"
        and isinstance(n := where.args[0], int)
        and n < len(context.choices)
        and not context.subject
    ):
        where = context.choices[n].where
    if where.op == "just moved" and len(context.choices) == 1:
        where = context.choices[0].where
    ops = {part.op for part in iter_conjuncts(where)}
    is_own_action = context.event is not None and context.event.word == "action used" and context.event.who.op == "you"
    if ops == {"the other"} and is_own_action:
        return "your"
    if "opposing" in ops and "in" in ops:  # in the field its owner may be another player (rules 5.13b1)
        return "their opponent's" if context.actor == "each" else "your opponent's"
    if ops == {"that"} and context.event is not None and context.event.word == "bought":
        return "your"
    if context.actor == "each" and ops & {"own", "drawn"}:
        return "their"
    if ops & {"own", "this", "this card", "drawn"}:
        return "your"
    if not is_one(operand, context):
        return "their owners'"
    return "its owner's" if _is_die(where, context) else "their owner's"


def _is_die(where: Where, context: RenderContext) -> bool:
    """Return whether the description is rendered as a die rather than a character."""
    reference = reference_text(where, replace(context))
    return reference.is_die if reference else noun_phrase(where, context).is_dice


def is_one(operand: Operand, context: RenderContext) -> bool:
    """Return whether the operand is at most one die."""
    if isinstance(operand, Select):
        return operand.most == 1
    if operand.op == "chosen":
        (n,) = operand.args
        return not isinstance(n, int) or n >= len(context.choices) or context.choices[n].most == 1
    return operand.op in ("this", "that", "the other", "partner", "just moved", "touched")


# --- numbers -------------------------------------------------------------------------------------------------------


def comparison_text(amount: Amount, context: RenderContext) -> str:
    """Return an amount to compare with: "3", "its level", "half its A rounded down"."""
    if isinstance(amount, int):
        return str(amount)
    match amount.op, amount.args:
        case ("attack" | "defence" | "level") as stat, (Where() as where,):
            return possessive_text({"attack": "A", "defence": "D", "level": "level"}[stat], where, context)
        case "life", (Where() as where,):
            return possessive_text("life", where, context)
        case "symbols", (str() as symbol, Where() as where):
            return f"the number of {symbol_name(symbol)} symbols on {plural_text(where, context)}"
        case "lowest defence", (Where() as where,):
            return f"the lowest D among {fielded_group_text(where, context)}"
        case "types", (Where() as where,):
            return f"the number of different energy types among {fielded_group_text(where, context)}"
        case "highest level", (Where() as where,):
            return f"the highest level among {fielded_group_text(where, context)}"
        case "half", (int() | Number() as inner,):
            return f"half {comparison_text(inner, context)} rounded down"
        case "times", (int(n), (int() | Number() as inner)):
            return f"{'twice' if n == 2 else f'{n} times'} {comparison_text(inner, context)}"
        case ("count", (Where() as where, _)):
            noun = counted_phrase(where, context, amount.args[1] is True)
            owner = f"{noun.of_owner} " if noun.of_owner else ""
            once_note = count_once_note(where, amount.args[1] is True)
            return f"the number of {owner}{'other ' if noun.is_other else ''}{noun.many()}{once_note}"
        case "affected", _:
            return "the number of those dice"
        case "paid", _:
            return "the number of dice given up"
        case "KOs", _:
            return "the number of characters KO'd this way"
        case (("event" | "event total"), _):
            return "that damage"
        case "counters", (str() as name,):
            return f"the number of {name} counters on this card"
        case "own attack", _:
            return f"{context.dealer_possessive} A"
        case _:
            raise UnrenderableError(f"no English for the number {amount.op!r}")


def possessive_text(thing: str, operand: Operand, context: RenderContext) -> str:
    """Return something with its possessor: "its A", "the abilities of an opposing character"."""
    reference = reference_text(operand, context) if isinstance(operand, Where) else None
    if operand == Where("this card"):
        reference = PersonPhrase(context.title)
    return f"{reference.as_possessive} {thing}" if reference else f"the {thing} of {object_text(operand, context)}"


def symbol_name(symbol: str) -> str:
    """Return an energy symbol in square brackets."""
    if symbol not in TYPES:
        raise UnrenderableError(f"no English for the energy {symbol!r}")
    return f"[{symbol}]"


def counted_phrase(where: Where, context: RenderContext, dice: bool) -> NounPhrase:
    """Return the noun phrase of counted dice; "die" shows that dice count, not characters (rules 5.5c)."""
    noun = noun_phrase(where, context)
    if dice and noun.head in ("character", *_AFFILIATIONS.values()):
        noun.nouns = (f"{noun.head} die",)
    if not any(part.op in ("in", "drawn", "captured by this", "just rolled") for part in iter_conjuncts(where)):
        in_the_field(noun)
    return noun


def in_the_field(noun: NounPhrase) -> NounPhrase:
    """Add "in the field" to a noun phrase without a zone or a role in combat."""
    is_fighting = any(text in _STATES[:-1] for _, text in noun.adjectives)
    is_positioned = any(text.startswith(("engaged with", "blocking ", "blocked by")) for text in noun.postmodifiers)
    if not noun.places and not is_fighting and not is_positioned:
        leading = ("with ", "of the ")
        noun.postmodifiers.insert(sum(text.startswith(leading) for text in noun.postmodifiers), "in the field")
    return noun


def fielded_group_text(where: Where, context: RenderContext) -> str:
    """Return all matches, with "in the field" if no zone is named."""
    if where.op not in ("and", "character", "sidekick", "own", "opposing"):
        return plural_text(where, context)
    noun = in_the_field(noun_phrase(where, context))
    owner = f"{noun.of_owner} " if noun.of_owner else ""
    return f"{owner}{'other ' if noun.is_other else ''}{noun.many()}"


def count_once_note(where: Where, dice: bool) -> str:
    """Return a reminder that several dice of a card count as one character (rules 5.5c, 5.5e)."""
    dice_words = {"sidekick", "action die", "any", "in", "drawn", "captured by this"}
    ops = {part.op for part in iter_conjuncts(where)}
    if dice or dice_words & ops:
        return ""
    no_sidekicks = ops & {"affiliation", "type", "title", "keyword"} or ~Where("sidekick") in iter_conjuncts(where)
    return f" (dice of one card count once{'' if no_sidekicks else ', each Sidekick counts'})"
