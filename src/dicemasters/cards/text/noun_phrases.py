"""Noun phrases for dice and players: "an opposing level 1 character", "up to 2 of your Sidekicks", "they".

A die is "it", a character is called by name or "they". Numbers are written in digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from dicemasters.cards.language.metadata import SYMBOLS
from dicemasters.cards.language.vocabulary import ALL, FIELD, RESERVE, TYPES, Amount, Number, Select, What, Where
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

# --- who is spoken of again ----------------------------------------------------------------------------------------

_OTHERS = {
    "blocks": "the character {this} blocks",
    "is blocked": "the character blocking {this}",
    "engaged": "the character engaged with {this}",
    "damaged": "the source of the damage",
    "would be damaged": "the source of the damage",
    "deals damage": "whoever took the damage",
    "action used": "that die",
}


def reference_text(where: Where, speech: RenderContext) -> PersonPhrase | None:
    """Say players and dice already known by name or mention; None for a description."""
    match where.op:
        case "you":
            return THEY if speech.actor == "each" else YOU
        case "opponent" if speech.actor == "each":
            return PersonPhrase("their opponent")
        case "opponent":
            speech.just_mentioned = None
            return THEY if speech.is_opponent_mentioned else OPPONENT
        case "each player":
            return PersonPhrase("each player")
        case "payer":
            return OPPONENT if speech.actor == "opponent" else YOU
        case "this":
            return _this(speech)
        case "that":
            return _that(speech)
        case "the other":
            return _the_other(speech)
        case "partner":
            again = speech.just_mentioned == Where("this")
            this = PersonPhrase(speech.this)
            return PersonPhrase(f"{(this.pronoun if again else this).as_possessive} partner")
        case "touched":
            return PersonPhrase(f"the character {speech.this} lies on")
        case "just moved":
            return IT
        case "drawn" if speech.drawn_name and not speech.sorting:
            return PersonPhrase(speech.drawn_name, speech.drawn_name.endswith("dice"))
        case "drawn" if speech.drew_one and not speech.sorting:
            return IT
        case "drawn" if speech.drew_many and not speech.sorting:
            return THEY
        case "drawn" if speech.sorting and speech.left == 1:
            return PersonPhrase("the other")
        case "drawn":
            return PersonPhrase("the rest" if speech.sorting else "the drawn dice", True)
        case "chosen":
            return _chosen(where, speech)
        case _:
            return None


def _this(speech: RenderContext) -> PersonPhrase:
    again = speech.just_mentioned == Where("this")
    speech.just_mentioned = Where("this")
    this = PersonPhrase(speech.this)
    if speech.rolled_until:
        return PersonPhrase("the die")  # other faces and players have been spoken of meanwhile
    if speech.as_die or (again and this.is_die):
        return IT
    return PersonPhrase(speech.this, object="them", possessive="their") if again else this


def _the_other(speech: RenderContext) -> PersonPhrase:
    """Say the other die of the event in full once, unless the event has; then "that character"."""
    word = speech.event.word if speech.event else ""
    described = speech.event.other if speech.event else None
    known = word == "KOs" or (described is not None and described.op not in ("this", "opponent", "you", "or"))
    if word == "action used" and speech.just_mentioned == Where("the other"):
        return IT
    if known or speech.is_other_mentioned:
        return PersonPhrase("that die" if word == "action used" else "that character")
    speech.is_other_mentioned, speech.just_mentioned = True, Where("the other")
    return PersonPhrase(_OTHERS.get(word, "the other character").format(this=speech.this))


def _that(speech: RenderContext) -> PersonPhrase:
    if speech.event is None:
        raise UnrenderableError("'that' needs an event to speak of")
    who = speech.event.who
    if who.op == "this":
        return PersonPhrase("this die") if speech.event.word == "bought" else _this(speech)
    if who.op in ("you", "opponent", "each player"):
        return PersonPhrase("that player")
    if who.op in ("touched", "partner"):
        return PersonPhrase("that character")
    if reference_text(who, speech) or who.op in ("or", "this card"):
        return PersonPhrase("that die")
    again = speech.event.word == "bought" and speech.just_mentioned == Where("that")
    speech.just_mentioned = Where("that")
    return IT if again else PersonPhrase(f"that {noun_phrase(who, speech).head}")


def _chosen(where: Where, speech: RenderContext) -> PersonPhrase:
    (n,) = where.args
    if n == 0 and speech.about:
        said = speech.about
        again = said.pronoun if said.plural or said.is_die else PersonPhrase(said.text, object="them")
        speech.about = again
        return said
    if not isinstance(n, int) or n >= len(speech.choices):
        raise UnrenderableError(f"the sentence has no choice number {n}")
    choice = speech.choices[n]
    nouns = [noun_phrase(other.where, speech) for other in speech.choices]
    if len(speech.choices) == 1:
        return IT if choice.most == 1 and nouns[0].is_dice else THEY
    heads = [noun.head for noun in nouns]
    which = "" if heads.count(heads[n]) == 1 else f"{('first', 'second', 'third', 'fourth')[n]} "
    return PersonPhrase(f"the {which}{heads[n] if choice.most == 1 else nouns[n].heads}", choice.most != 1)


# --- descriptions --------------------------------------------------------------------------------------------------

# adjectives stand in this order, whatever order the sentence has them in
_RANKS = ("drawn", "state", "level", "not", "type", "affiliation", "keyword", "title")


@dataclass(slots=True)
class NounPhrase:
    """A description taken apart: determiner, adjectives, noun, what follows it."""

    names: tuple[str, ...] = ()
    owner: str = ""  # "your", "their", "the", "opposing"
    is_owner_mentioned: bool = False  # by the sentence around it
    other: bool = False
    before: list[tuple[str, str]] = field(default_factory=list)  # rank, adjective
    after: list[str] = field(default_factory=list)
    places: tuple[str, ...] = ()
    last: bool = False  # only one of those just drawn is left
    them: bool = False  # it is about dice just drawn, and nothing else stands before the noun
    unpaid: str = ""  # dice that paid for the fielding which the sentence is about are out of reach (rules 2.1a)
    any_face: bool = False  # dice of one sort that lie in a reserve, where they may show anything

    @property
    def head(self) -> str:
        return join_list(list(self.names or ("character",)), "or")

    @property
    def heads(self) -> str:
        return join_list([_plural(name) for name in self.names or ("character",)], "or")

    @property
    def is_dice(self) -> bool:
        """Whether it speaks of dice, which are things, and not of characters."""
        return all(name.endswith("die") for name in self.names or ("character",))

    def one(self, prep: str = "in") -> str:
        """Say it in the singular, without a determiner."""
        return self._around(self.head, prep)

    def many(self, prep: str = "in") -> str:
        """Say it in the plural, without a determiner."""
        return self._around(self.heads, prep)

    def _around(self, head: str, prep: str) -> str:
        opposing = self.owner == "opposing" and not self._is_owned_by_zone and not self.is_owner_mentioned
        adjectives = [text for _, text in sorted(self.before, key=lambda b: _RANKS.index(b[0]))]
        whose = {"": "a player's", "opposing": "your opponent's"}.get(self.owner, self.owner)
        where = [f"{prep} {zones_text(self.places, whose)}"] if self.places else []
        where += [self.unpaid] if self.unpaid else []
        where += [f"(whatever {'it shows' if head == self.head else 'they show'})"] if self.any_face else []
        return " ".join([*(["opposing"] if opposing else []), *adjectives, head, *self.after, *where])

    @property
    def _is_owned_by_zone(self) -> bool:
        """Whether its place says whose it is: a Sidekick in your Used Pile."""
        return bool(self.places) and FIELD not in self.places

    @property
    def of_owner(self) -> str:
        """Give the owner as it stands before the noun, if it has still to be said there."""
        return "" if self._is_owned_by_zone or self.is_owner_mentioned or self.owner == "opposing" else self.owner


def _plural(name: str) -> str:
    return name.removesuffix("die") + "dice" if name.endswith("die") else name + "s"


def iter_conjuncts(where: Where) -> Iterator[Where]:
    """Give the parts that are joined by &."""
    if where.op == "and":
        for part in where.args:
            assert isinstance(part, Where)
            yield from iter_conjuncts(part)
    else:
        yield where


def noun_phrase(where: Where, speech: RenderContext, joint: str = "or") -> NounPhrase:
    """Take a description apart."""
    if where.op == "cheapest":
        noun = noun_phrase(_inner(where), speech, joint)
        noun.after.append("with the lowest purchase cost (a Sidekick's is 0); you choose among equals")
        return noun
    noun = NounPhrase()
    names: list[str] = []
    for part in iter_conjuncts(where):
        match part.op:
            case "own":
                noun.owner = "their" if speech.actor == "each" else "your"
            case "opposing":
                noun.owner = {"opponent": "their", "each": "their opponent's"}.get(speech.actor, "opposing")
            case "payer's":
                noun.owner = "their"
            case "active player's":
                noun.owner = "the active player's"
            case "this card":
                names.append(f"{speech.title} die")
                noun.owner = "your"
            case "in":
                noun.places = tuple(str(p) for p in part.args)
            case "drawn":
                names.append("drawn die")
                noun.owner = "the"
            case "on sale":
                pass  # "buy" says it
            case "just rolled":
                names.append("die")
                noun.is_owner_mentioned = True
                theirs = any(x.op == "opposing" for x in iter_conjuncts(where))
                noun.after.append(f"{'your opponent has' if theirs else 'you have'} just rolled")
            case "not" if _inner(part).op == "action die":
                names.append("character or Sidekick die")
            case "not":
                _without(_inner(part), noun, speech, Where("own") in iter_conjuncts(where))
            case "or" if all(side.op in _NOUNS for side in _sides(part)):
                names += [_NOUNS[side.op] for side in _sides(part)]
            case _:
                _add(_phrase_word(part, speech, joint), noun, names)
    if "drawn die" in names and len(names) > 1:
        names.remove("drawn die")
        noun.before.append(("drawn", "drawn"))
    noun.them = names == ["drawn die"] and speech.drew_many and not noun.before and not noun.places
    if names in ([], ["character"]) and any(
        part.op in ("of its card", "of named card") for part in iter_conjuncts(where)
    ):
        names = ["die"]
    if noun.them and noun.other:
        noun.last, speech.left = speech.left == 1, 0
    special = [name for name in names if name != "character"]
    noun.names = tuple(special or names)
    if not noun.names and noun.places:
        noun.names = ("die",)
    _make_noun(noun)
    ops = {part.op for part in iter_conjuncts(where)}
    if "drawn" in ops or speech.dice or set(noun.places) - {FIELD}:  # outside the field it is a die, not a character
        noun.names = as_dice(noun.names)
    event = speech.event.word if speech.event else ""
    if event == "roll ends" and noun.places == ("reserve",) and noun.owner == "your":
        noun.places = ()
        noun.after.append("among the dice you rolled")
    if event == "fielded" and "used" in noun.places and noun.owner == "your" and "not" not in ops:
        noun.unpaid = "(but none that paid for this fielding)"
    _specify_faces(noun, "character" in ops)
    return noun


def _specify_faces(noun: NounPhrase, characters: bool) -> None:
    """Say which faces are meant of dice in a reserve: a character is one that shows a character face."""
    if RESERVE not in noun.places:
        return
    if characters and noun.names == ("character die",):
        noun.after.append("showing a character face")
    sort = noun.before or noun.names != ("die",)
    noun.any_face = bool(sort) and not any(text.startswith("showing") for text in noun.after)


def as_dice(names: tuple[str, ...]) -> tuple[str, ...]:
    """Make characters dice: a Sidekick die, Avengers dice."""
    names = tuple("Avengers" if name == "Avenger" else name for name in names or ("character",))
    return tuple(name if name.endswith("die") else f"{name} die" for name in names)


def _make_noun(noun: NounPhrase) -> None:
    """Make Villain characters Villains, and Avenger characters Avengers."""
    last = max(noun.before, key=lambda b: _RANKS.index(b[0]), default=("", ""))
    if noun.names in ((), ("character",)) and last[0] == "affiliation" and last[1] in _AFFILIATIONS.values():
        noun.before.remove(last)
        noun.names = (last[1],)


@dataclass(frozen=True, slots=True)
class _PhraseWord:
    """One word of a description: a noun, an adjective (slot = its rank) or what follows the noun."""

    slot: str  # noun, after, or a rank
    text: str


def _add(word: _PhraseWord, noun: NounPhrase, names: list[str]) -> None:
    match word.slot:
        case "noun":
            names.append(word.text)
        case "after":
            noun.after.append(word.text)
        case rank:
            noun.before.append((rank, word.text))


def _inner(where: Where) -> Where:
    inner = where.args[0]
    assert isinstance(inner, Where)
    return inner


def _without(what: Where, noun: NounPhrase, speech: RenderContext, owned: bool) -> None:
    """Add what the description excludes; `owned`: it speaks of one's own dice only."""
    if what.op == "that" and speech.event is not None and speech.event.word == "fielded":
        noun.after.append("already in the field")
    elif what.op in ("this", "that", "the other", "chosen"):
        noun.other = True
    elif what.op == "not":
        noun.after.append(f"that {is_text(_inner(what), speech)}")
    elif what.op == "this card":  # that means one's own dice, whatever an opposing card is called (rules 5.2)
        noun.after.append(f"other than {speech.title if owned else f'your own {speech.title}'}")
    elif what.op == "paying":
        noun.unpaid = "that did not pay for this fielding"
    elif what.op == "keyword" and what.args != ("Heroic",):
        noun.after.append(f"without {join_list([str(name) for name in what.args], 'or')}")
    elif what.op in ("sidekick", "type", "affiliation", "keyword", "title") and len(what.args) < 2:
        noun.before.append(("not", f"non-{_phrase_word(what, speech).text}"))
    elif what.op == "and" and any(part.op == "own" for part in iter_conjuncts(what)):
        noun.after.append(f"other than {plural_text(what, speech)}")
    else:
        noun.after.append(f"that {is_text(~what, speech)}")


_NOUNS = {"character": "character", "any": "die", "sidekick": "Sidekick", "action die": "action die"}
_STATES = ("attacking", "blocking", "blocked", "unblocked", "engaged", "damaged")
_STATS = {"level": "level", "cost": "purchase cost", "fielding": "fielding cost", "d": "D"}
_STATS["printed fielding"] = "printed fielding cost"


def _phrase_word(where: Where, speech: RenderContext, joint: str = "or") -> _PhraseWord:
    match where.op:
        case op if op in _NOUNS:
            return _PhraseWord("noun", _NOUNS[op])
        case op if op in _STATES or op == "opposing":
            return _PhraseWord("state", op)
        case "type":
            return _PhraseWord("type", join_list([SYMBOLS[str(t)].name for t in where.args], joint))
        case "affiliation":
            return _PhraseWord("affiliation", join_list([_AFFILIATIONS.get(str(a), str(a)) for a in where.args], joint))
        case "keyword" if where.args != ("Heroic",):
            return _PhraseWord("after", f"with {join_list([str(name) for name in where.args], 'or')}")
        case "keyword" | "title":
            return _PhraseWord(where.op, join_list([str(name) for name in where.args], joint))
        case "level" if where.args[0] == "=" and isinstance(where.args[1], int):
            return _PhraseWord("level", f"level {where.args[1]}")
        case "level" if isinstance(where.args[1], Number) and where.args[0] in _LEVELS:
            return _PhraseWord("after", _leveled(str(where.args[0]), where.args[1], speech))
        case "level":
            return _PhraseWord("after", f"of level {_compared(where, speech)}")
        case op if op in _STATS:
            return _PhraseWord(
                "after", f"whose {_STATS[where.op]} is {_compared(where, speech)}{_sidekicks_cost(where)}"
            )
        case "or":
            return _either(where, speech, joint)
        case _:
            return _PhraseWord("after", _trailing_text(where, speech))


def _sidekicks_cost(where: Where) -> str:
    """Remind of what Sidekicks cost, where that lets them fit (rules 3.3b)."""
    return " (a Sidekick's is 0)" if where.op == "cost" and where.args[0] in ("<", "<=") else ""


_AFFILIATIONS = {"Villains": "Villain", "Avengers": "Avenger"}  # as adjectives
_LEVELS = {"<": "of lower level than {0}", ">": "of higher level than {0}"}
_LEVELS |= {"<=": "whose level is no higher than {1}", ">=": "whose level is no lower than {1}"}


def _leveled(how: str, level: Number, speech: RenderContext) -> str:
    """Say a level by comparison: of lower level than one of your characters, whose level is no higher than Loki's."""
    (of,) = level.args
    speech.just_mentioned = None  # they would be the others
    if level.op == "highest level" and isinstance(of, Where):
        one = indefinite(noun_phrase(of, speech))
        return _LEVELS[how].format(one, f"that of {one}")
    if level.op != "level" or not isinstance(of, Where):
        raise UnrenderableError(f"no English for a level compared with {level}")
    whom = PersonPhrase(object_text(of, speech))
    return _LEVELS[how].format(whom.text, whom.as_possessive)


def _trailing_text(where: Where, speech: RenderContext) -> str:
    match where.op:
        case "engaged with this":
            return f"engaged with {speech.this}"
        case "blocking this":
            return f"blocking {speech.this}"
        case "blocked by this":
            return f"blocked by {speech.this}"
        case "met this":
            return f"engaged with {speech.this} this turn"
        case "has blocked this":
            return f"that blocked {speech.this} in that attack step"
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
            return f"captured by {speech.this}"
        case "same type":
            which = where.args[0]
            assert isinstance(which, Where)
            known = reference_text(which, speech)
            return f"that share an energy type with {known.as_object if known else plural_text(which, speech)}"
        case "of its card":
            return f"of the card {speech.this} {'lay' if speech.is_this_die_paid else 'lies'} on"
        case "of named type":
            return "of the named type"
        case "of named card":
            return "of the named card"
        case "of named affiliation":
            return "of the named affiliation"
        case _:
            raise UnrenderableError(f"no English for the description {where.op!r}")


def _compared(where: Where, speech: RenderContext) -> str:
    how, n = where.args
    assert isinstance(n, int | Number)
    few, many = ("lower", "higher") if where.op == "level" else ("less", "more")
    speech.just_mentioned = None
    said = comparison_text(n, speech)
    match how:
        case "=":
            return said
        case "<=" if isinstance(n, Number):
            return f"no more than {said}"
        case "<=":
            return f"{said} or {few}"
        case ">=":
            return f"{said} or {many}"
        case "<":
            return f"{few} than {said}"
        case ">":
            return f"{many} than {said}"
        case _:
            raise UnrenderableError(f"no English for the comparison {how!r}")


def _sides(where: Where) -> list[Where]:
    """Give the alternatives that are joined by |."""
    if where.op != "or":
        return [where]
    return [side for arg in where.args if isinstance(arg, Where) for side in _sides(arg)]


def _either(where: Where, speech: RenderContext, joint: str = "or") -> _PhraseWord:
    sides = _sides(where)
    if all(side.op not in ("and", "not", "own", "this card", "in", "drawn") for side in sides):
        words = [_phrase_word(side, speech) for side in sides]
        if len({word.slot for word in words}) == 1:
            joint = "or" if words[0].slot == "after" else joint
            with_ = "with " if all(word.slot == "after" and word.text.startswith("with ") for word in words) else ""
            texts = [word.text.removeprefix(with_) for word in words]
            return _PhraseWord(words[0].slot, with_ + join_list(texts, joint))
    return _PhraseWord("after", "that " + join_list([is_text(side, speech) for side in sides], "or"))


_PLURALS = {"is": "are", "was": "were", "has": "have", "does": "do", "shows": "show"}


def agreeing(who: PersonPhrase, said: str) -> str:
    """Say somebody and what is true of them: "it is a Sidekick", "they are attacking"."""
    verb, space, rest = said.partition(" ")
    return f"{who.text} {_PLURALS.get(verb, verb) if who.plural else verb}{space}{rest}"


def is_text(what: Where, speech: RenderContext) -> str:
    """Say that a die fits a description, after "it" or "that": "is a Sidekick", "is not attacking"."""
    negative = "not " if what.op == "not" else ""
    plain = _inner(what) if what.op == "not" else what
    if plain.op in ("fielded this turn", "fielded last turn"):
        return f"was {negative}{plain.op}"
    if plain.op == "damaged this turn":
        return f"was {negative}damaged this turn"
    if plain.op in ("you", "opponent"):
        known = reference_text(plain, speech)
        return f"is {negative}{known.as_object if known else plain.op}"
    if plain.op == "met this":
        return f"was {negative}engaged with {speech.this} this turn"
    if plain.op == "has blocked this":
        return f"{'did not block' if negative else 'blocked'} {speech.this} in that attack step"
    if plain.op == "paying":
        return "did not pay for this fielding" if negative else "paid for this fielding"
    if plain.op == "level" and plain.args[0] == "=" and isinstance(plain.args[1], int):
        return f"is {negative}level {plain.args[1]}"
    if plain.op == "level" and isinstance(plain.args[1], int):
        return f"is {negative}level {_compared(plain, speech)}"
    if plain.op in _STATS and plain.op != "level":
        article = "" if plain.op == "d" else "a "
        of = "" if plain.op == "d" else "of "
        return f"{'does not have' if negative else 'has'} {article}{_STATS[plain.op]} {of}{_compared(plain, speech)}"
    if plain.op == "keyword" and plain.args != ("Heroic",):
        return f"{'does not have' if negative else 'has'} {join_list([str(name) for name in plain.args], 'or')}"
    if plain.op in ("this", "that", "the other", "chosen", "partner"):
        known = reference_text(plain, speech)
        assert known is not None
        return f"is {negative}{known.as_object}"
    if plain.op == "own":
        return f"is {negative}{'theirs' if speech.actor == 'each' else 'yours'}"
    if plain.op in _STATES or plain.op == "opposing":
        return f"is {negative}{plain.op}"
    if plain.op == "in":
        return f"is {negative}in " + zones_text(tuple(str(p) for p in plain.args))
    if plain.op not in ("and", "or", "not", "this card", "drawn"):
        word = _phrase_word(plain, speech)
        if word.text.startswith("showing "):
            return f"{'does not show' if negative else 'shows'} {word.text.removeprefix('showing ')}"
        if word.slot == "after" and not word.text.startswith("that "):
            return f"is {negative}{word.text}"
    return f"is {negative}{indefinite(noun_phrase(plain, speech))}"


# --- phrases -------------------------------------------------------------------------------------------------------


def indefinite(noun: NounPhrase, prep: str = "in") -> str:
    """Say one that fits: a Sidekick, another of your characters."""
    if noun.them:
        return " ".join([f"{'another' if noun.other else 'one'} of them", *noun.after])
    if noun.of_owner:
        return f"{'another' if noun.other else 'one'} of {noun.of_owner} {noun.many(prep)}"
    return f"another {noun.one(prep)}" if noun.other else with_article(noun.one(prep))


def _every(noun: NounPhrase, prep: str) -> str:
    other = "other " if noun.other else ""
    if noun.last:
        return "the other"
    if noun.them and noun.after and noun.after[0].startswith("showing "):
        return f"each that shows {join_list(noun.after).removeprefix('showing ')}"
    if noun.them:
        return " ".join([f"each of {'the others' if noun.other else 'them'}", *noun.after])
    if noun.of_owner:
        return f"each of {noun.of_owner} {other}{noun.many(prep)}"
    return f"each {other}{noun.one(prep)}"


def all_of(noun: NounPhrase, every: str = "all") -> str:
    """Say everybody who fits, as a subject: your Sidekicks, all characters."""
    owner = noun.of_owner or (every if noun.many() == noun.heads else "")
    return f"{owner} {'other ' if noun.other else ''}{noun.many()}".strip()


def someone(where: Where, speech: RenderContext) -> PersonPhrase:
    """Say whom an event happens to: you or Hulk, an opposing character."""
    return _phrase(where, speech, lambda noun: PersonPhrase(indefinite(noun)), "or")


def plural_text(where: Where, speech: RenderContext) -> str:
    """Say everybody who fits, in the plural and without a determiner: Sidekicks, fist characters."""

    def plural(noun: NounPhrase) -> PersonPhrase:
        owner = f"{noun.of_owner} " if noun.of_owner else ""
        return PersonPhrase(f"{owner}{'other ' if noun.other else ''}{noun.many()}", True)

    return _phrase(where, speech, plural, "or").as_object


def subject_text(what: What, speech: RenderContext, every: str = "all") -> PersonPhrase:
    """Say them as the subject of a sentence: your Sidekicks, all characters, two target characters."""
    if isinstance(what, Select):
        said = choice_text(what, speech)
        vague = said.text.startswith(("a ", "an "))
        return PersonPhrase(f"one {said.text.partition(' ')[2]}") if vague else said
    if what.op == "this card":
        return PersonPhrase(all_of(noun_phrase(what, speech)), True)
    return _phrase(what, speech, lambda noun: PersonPhrase(all_of(noun, every), True), "and", "and")


def object_text(what: What, speech: RenderContext, prep: str = "in") -> str:
    """Say them as the object of a deed: each opposing character, a Sidekick from your Used Pile."""
    if isinstance(what, Select):
        return choice_text(what, speech, prep).as_object
    if what.op == "this card":
        return _every(noun_phrase(what, speech), prep)
    if what.op == "and" and what == speech.group:
        return f"each {repeated_text(what, speech)}"
    speech.group = what if what.op == "and" else speech.group
    return _phrase(what, speech, lambda noun: PersonPhrase(_every(noun, prep)), "and").as_object


def repeated_text(where: Where, speech: RenderContext) -> str:
    """Say one of the dice that have just been described."""
    return f"such {noun_phrase(where, speech).head.split()[-1]}"


def _phrase(
    where: Where, speech: RenderContext, say: Callable[[NounPhrase], PersonPhrase], joint: str, sorts: str = "or"
) -> PersonPhrase:
    """Say a description, a reference, or several of them."""
    if where.op == "this card":
        return PersonPhrase(speech.title)
    known = PersonPhrase("a player") if where.op == "each player" and joint == "or" else reference_text(where, speech)
    if known:
        return known
    if where.op == "or":
        both = [_phrase(side, speech, say, joint, sorts) for side in _sides(where)]
        return PersonPhrase(join_list([phrase.as_object for phrase in both], joint), joint == "and" or both[-1].plural)
    parts = list(iter_conjuncts(where))
    named = [
        part for part in parts if part.op in ("this", "that", "the other", "partner", "chosen", "just moved", "touched")
    ]
    if named:
        known = reference_text(named[0], speech)
        assert known is not None
        rest = join_list([is_text(part, speech) for part in parts if part is not named[0]])
        return PersonPhrase(f"{known.text}, if {agreeing(known.pronoun, rest)},", known.plural)
    speech.sorting = speech.sorting or any(part.op == "drawn" for part in parts)
    return say(noun_phrase(where, speech, sorts))


def choice_text(select: Select, speech: RenderContext, prep: str = "in") -> PersonPhrase:
    """Say a choice, and remember it for those who refer to it."""
    speech.just_mentioned = None
    whose = ""
    if speech.actor == "each":
        whose = " of their opponent's choice" if select.by == "opponent" else ""
    elif select.by != "payer" and select.by != speech.actor:
        whose = " of your opponent's choice" if select.by == "opponent" else " of your choice"
    if any(part.op == "drawn" for part in iter_conjuncts(select.where)):
        speech.sorting = True
        speech.left = speech.left - select.most if select.least == select.most else 0
    said = _which(select, speech) if select.where.op == "or" else _how_many(select, speech, prep)
    speech.choices.append(select)
    return PersonPhrase(said + whose, select.most != 1)


def _which(select: Select, speech: RenderContext) -> str:
    """Say a choice among different sorts: target character or player."""
    kinds: list[str] = []
    for side in _sides(select.where):
        known = PersonPhrase("player") if side.op == "each player" else reference_text(side, speech)
        noun = NounPhrase() if known else noun_phrase(side, speech)
        if select.target or select.most != 1:
            kinds.append(known.as_object if known else noun.one() + _controller_text(noun))
        elif known:
            kinds.append(with_article(known.text) if side.op == "each player" else known.as_object)
        else:
            kinds.append(indefinite(noun))
    many = "" if select.most == 1 else f"{_range(select)} of these: "
    return f"{many}{'target ' if select.target else ''}{join_list(kinds, 'or')}"


def _how_many(select: Select, speech: RenderContext, prep: str) -> str:
    noun = noun_phrase(select.where, speech)
    if "bag" in noun.places:
        noun.after.insert(0, "of your choice")  # it is looked for, not drawn
    if select.target:
        return _targets(select, noun, prep)
    if (select.least, select.most) == (1, 1):
        return indefinite(noun, prep)
    of = f"of {noun.of_owner} " if noun.of_owner else ""
    if noun.them:
        return " ".join([_range(select), "of", "the others" if noun.other else "them", *noun.after])
    many = f"{of}{'other ' if noun.other else ''}{noun.many(prep)}"
    if select.within:
        return (
            f"any number of {many.removeprefix('of ')} whose (printed) fielding costs add up to {select.within} or less"
        )
    if select.most == ALL:
        return f"any number {many if of else 'of ' + many}"
    return f"{_range(select)} {many}{_or_one(select)}"


def _range(select: Select) -> str:
    if select.least == select.most:
        return str(select.most)
    if select.least == 0:
        return f"up to {select.most}"
    return f"{select.least} to {select.most}"


def _targets(select: Select, noun: NounPhrase, prep: str) -> str:
    control = _controller_text(noun)
    if control and noun.places:
        noun.after.insert(0, control.strip())
        control = ""
    other = "another " if noun.other else ""
    if (select.least, select.most) == (1, 1):
        return f"{other}target {noun.one(prep)}{control}"
    return f"{_range(select)} {'other ' if other else ''}target {noun.many(prep)}{control}{_or_one(select)}"


def _or_one(select: Select) -> str:
    """Remind that where only one is there, that one is taken (rules 5.1e)."""
    return " (or the only one)" if select.least == select.most > 1 else ""


def _controller_text(noun: NounPhrase) -> str:
    control = {"your": " you control", "their": " they control", "their opponent's": " their opponent controls"}
    return control.get(noun.of_owner, "")


def owner_text(what: What, speech: RenderContext) -> str:
    """Say in front of a place whose it is, when those dice go there."""
    where = what.where if isinstance(what, Select) else what
    if where.op == "chosen" and isinstance(n := where.args[0], int) and n < len(speech.choices) and not speech.about:
        where = speech.choices[n].where
    if where.op == "just moved" and len(speech.choices) == 1:
        where = speech.choices[0].where
    ops = {part.op for part in iter_conjuncts(where)}
    used = speech.event is not None and speech.event.word == "action used" and speech.event.who.op == "you"
    if ops == {"the other"} and used:
        return "your"
    if "opposing" in ops and "in" in ops:  # in the field it may belong to somebody else (rules 5.13b)
        return "their opponent's" if speech.actor == "each" else "your opponent's"
    if ops == {"that"} and speech.event is not None and speech.event.word == "bought":
        return "your"
    if speech.actor == "each" and ops & {"own", "drawn"}:
        return "their"
    if ops & {"own", "this", "this card", "drawn"}:
        return "your"
    if not is_one(what, speech):
        return "their owners'"
    return "its owner's" if _is_die(where, speech) else "their owner's"


def _is_die(where: Where, speech: RenderContext) -> bool:
    """Whether it is spoken of as a die and not as a character."""
    known = reference_text(where, replace(speech))
    return known.is_die if known else noun_phrase(where, speech).is_dice


def is_one(what: What, speech: RenderContext) -> bool:
    """Whether it is a single die at most."""
    if isinstance(what, Select):
        return what.most == 1
    if what.op == "chosen":
        (n,) = what.args
        return not isinstance(n, int) or n >= len(speech.choices) or speech.choices[n].most == 1
    return what.op in ("this", "that", "the other", "partner", "just moved", "touched")


# --- numbers -------------------------------------------------------------------------------------------------------


def comparison_text(amount: Amount, speech: RenderContext) -> str:
    """Say an amount as a thing to compare with: 3, its level, half its A rounded down."""
    if isinstance(amount, int):
        return str(amount)
    match amount.op, amount.args:
        case ("attack" | "defence" | "level") as stat, (Where() as what,):
            return possessive_text({"attack": "A", "defence": "D", "level": "level"}[stat], what, speech)
        case "life", (Where() as what,):
            return possessive_text("life", what, speech)
        case "symbols", (str() as symbol, Where() as what):
            return f"the number of {symbol_name(symbol)} symbols on {plural_text(what, speech)}"
        case "lowest defence", (Where() as what,):
            return f"the lowest D among {fielded_group_text(what, speech)}"
        case "types", (Where() as what,):
            return f"the number of different energy types among {fielded_group_text(what, speech)}"
        case "highest level", (Where() as what,):
            return f"the highest level among {fielded_group_text(what, speech)}"
        case "half", (int() | Number() as of,):
            return f"half {comparison_text(of, speech)} rounded down"
        case "times", (int(n), (int() | Number() as of)):
            return f"{'twice' if n == 2 else f'{n} times'} {comparison_text(of, speech)}"
        case ("count", (Where() as what, _)):
            noun = counted_phrase(what, speech, amount.args[1] is True)
            owner = f"{noun.of_owner} " if noun.of_owner else ""
            once = once_a_card(what, amount.args[1] is True)
            return f"the number of {owner}{'other ' if noun.other else ''}{noun.many()}{once}"
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
            return f"{speech.dealer} A"
        case _:
            raise UnrenderableError(f"no English for the number {amount.op!r}")


def possessive_text(thing: str, what: What, speech: RenderContext) -> str:
    """Say something of somebody's: its A, the abilities of an opposing character."""
    known = reference_text(what, speech) if isinstance(what, Where) else None
    if what == Where("this card"):
        known = PersonPhrase(speech.title)
    return f"{known.as_possessive} {thing}" if known else f"the {thing} of {object_text(what, speech)}"


def symbol_name(symbol: str) -> str:
    """Say an energy symbol."""
    if symbol not in TYPES:
        raise UnrenderableError(f"no English for the energy {symbol!r}")
    return f"[{symbol}]"


def counted_phrase(what: Where, speech: RenderContext, dice: bool) -> NounPhrase:
    """Describe what is counted; the word die shows that dice count, not characters (rules 5.5)."""
    noun = noun_phrase(what, speech)
    if dice and noun.head in ("character", *_AFFILIATIONS.values()):
        noun.names = (f"{noun.head} die",)
    if not any(part.op in ("in", "drawn", "captured by this", "just rolled") for part in iter_conjuncts(what)):
        in_the_field(noun)
    return noun


def in_the_field(noun: NounPhrase) -> NounPhrase:
    """Name the field where a description names no place and no fight."""
    fights = any(text in _STATES[:-1] for _, text in noun.before)
    near = any(text.startswith(("engaged with", "blocking ", "blocked by")) for text in noun.after)
    if not noun.places and not fights and not near:
        before = ("with ", "of the ")
        noun.after.insert(sum(text.startswith(before) for text in noun.after), "in the field")
    return noun


def fielded_group_text(where: Where, speech: RenderContext) -> str:
    """Say everybody who fits, with the field where no place is named."""
    if where.op not in ("and", "character", "sidekick", "own", "opposing"):
        return plural_text(where, speech)
    noun = in_the_field(noun_phrase(where, speech))
    owner = f"{noun.of_owner} " if noun.of_owner else ""
    return f"{owner}{'other ' if noun.other else ''}{noun.many()}"


def once_a_card(what: Where, dice: bool) -> str:
    """Remind that several dice of a card are one character, where characters are counted (rules 5.5)."""
    things = {"sidekick", "action die", "any", "in", "drawn", "captured by this"}
    ops = {part.op for part in iter_conjuncts(what)}
    if dice or things & ops:
        return ""
    no_sidekicks = ops & {"affiliation", "type", "title", "keyword"} or ~Where("sidekick") in iter_conjuncts(what)
    return f" (dice of one card count once{'' if no_sidekicks else ', each Sidekick counts'})"
