"""Whether a sentence can mean what it says: what the words allow one by one may still mean nothing together.

Everything here is read from the rows of the words. A mistake is a WordError that names the word and what would be allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dicemasters.cards.dice import Die
from dicemasters.cards.language import metadata
from dicemasters.cards.language.metadata import ACTIONS, BOTH, DICE, PLAYERS, SubjectKind, event_metadata, word_of
from dicemasters.cards.language.node import Node
from dicemasters.cards.language.signatures import WordError
from dicemasters.cards.language.vocabulary import (
    ALL,
    END_OF_TURN,
    NEXT_ATTACK,
    NEXT_ONE,
    THIS_ATTACK,
    Ability,
    Burst,
    Condition,
    Copy,
    Cost,
    Damage,
    Do,
    Draw,
    EachPlayer,
    Effect,
    Event,
    Field,
    Give,
    Later,
    May,
    Number,
    OneOf,
    PutCounter,
    Redirect,
    RemoveCounters,
    ReturnToField,
    Roll,
    Rule,
    Select,
    Unless,
    Where,
    attack_step_starts,
    this,
    this_card,
    you,
)

_JOINTS = ("and", "or", "not")
_SUBJECT_TEXTS = {DICE: "dice", PLAYERS: "players", BOTH: "dice or players"}
_KINDS = {"action": "an action", "basic": "a basic action", "character": "a character"}
_HAVE = {  # what an event tells, and which events do
    "paid": "dice that paid",
    "amount": "an amount",
    "total": "an amount",
    "source": "a source",
    "combat": "damage or a KO",
}


def check_ability(ability: Ability, kind: str, die: Die, on_card: tuple[Ability, ...] = ()) -> None:
    """Refuse with a WordError a sentence that a card of this kind, with this die, cannot mean."""
    _Checker(ability, kind, die, on_card or (ability,)).sentence()


def walk(node: object) -> Iterator[object]:
    """Give a part of a sentence and all that is in it."""
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif isinstance(node, Node):
        for name in node.__match_args__:
            yield from walk(getattr(node, name))


def _row(where: Where) -> metadata.DescriptionMetadata:
    if where.op in _JOINTS:
        return _JOINED
    if where.op not in metadata.DESCRIPTIONS:
        raise WordError(f"the card language has no description '{where.op}'")
    return metadata.DESCRIPTIONS[where.op]


def _is_back_reference(where: Where) -> bool:
    """Whether it speaks of dice already spoken of, and does not look for some."""
    return _row(where).points or _row(where).needs_before


_JOINED = metadata.DescriptionMetadata("joined", BOTH)


def _required_parts(where: Where) -> Iterator[Where]:
    """Give the words of a description of which none is denied."""
    yield where
    for arg in where.args:
        if isinstance(arg, Where) and where.op != "not":
            yield from _required_parts(arg)


def _scope_word(scope: str) -> str:
    return word_of(metadata.SCOPES[scope]) if scope in metadata.SCOPES else ""


def _named_zones(where: Where) -> set[str]:
    held = list(_required_parts(where))
    named = {str(place) for part in held if part.op == "in" for place in part.args}
    return named | {_row(part).place for part in held if part.op not in _JOINTS} - {""}


@dataclass(slots=True)
class _Checker:
    """Reads a sentence in the order in which it is carried out."""

    ability: Ability
    kind: str
    die: Die
    on_card: tuple[Ability, ...]
    event: Event | None = None
    choices: tuple[SubjectKind, ...] = ()  # made so far, and whom each can be
    effects_so_far: tuple[str, ...] = ()  # the effects so far
    has_paid_cost: bool = False  # a cost has been paid
    inside: str = ""  # the effect being read

    def sentence(self) -> None:
        ability = self.ability
        if ability.kind not in metadata.SENTENCES:
            raise WordError(f"the card language has no sentence '{ability.kind}'")
        self.event = ability.event
        self.scope()
        self.keyword()
        self.limit()
        if not ability.effects and not ability.rules and not ability.bursts:
            raise WordError(
                f"'{self.sentence_word}' says nothing; write what it does: {self.sentence_word}(..., Life(1))"
            )
        if ability.event is not None:
            self.check_event(ability.event, metadata.SENTENCES[ability.kind].event)
        if ability.condition is not None:
            self.condition(ability.condition)
        if ability.lifted_by is not None:
            self.cost(ability.lifted_by)
        if ability.cost is not None:
            if ability.cost == Cost() and ability.kind == "global":
                raise WordError(
                    "'global_ability' costs nothing; name energy, or a cost: global_ability(\"\", ..., cost=Ko(...))"
                )
            self.cost(ability.cost)
        for rule in ability.rules:
            self.rule(rule, standing=True)
        self.effects(ability.effects)
        for burst in ability.bursts:
            self.burst(burst)

    @property
    def sentence_word(self) -> str:
        return word_of(metadata.SENTENCES[self.ability.kind])

    # --- whose text it is ------------------------------------------------------------------------------------------

    def scope(self) -> None:
        scope, allowed = self.ability.scope, metadata.SENTENCES[self.ability.kind].scopes.get(self.kind, ())
        if scope in allowed:
            return
        if not allowed:
            raise WordError(
                f"'{self.sentence_word}' is for an action die, not for {_KINDS[self.kind]}; write when(fielded(), ...)"
            )
        wrapper = _scope_word(scope)
        if self.kind in ACTIONS and allowed != ("die",):
            only = " or ".join(f"{_scope_word(x)}(...)" for x in allowed)
            lies = f"what {_KINDS[self.kind]} die does when it is used is said by use(...), and what it does in the field by"
            raise WordError(
                f"'{wrapper or self.sentence_word}' cannot be the text of {_KINDS[self.kind]} die; {lies} {only}"
            )
        write = " or ".join([*(f"{_scope_word(x)}(...)" for x in allowed if x in metadata.SCOPES)]) or "it alone"
        raise WordError(
            f"'{wrapper}' cannot stand around '{self.sentence_word}' on {_KINDS[self.kind]} card; write {write}"
        )

    def keyword(self) -> None:
        if not self.ability.keyword:
            return
        row = metadata.KEYWORDS[self.ability.keyword]
        if self.kind not in row.on_cards:
            raise WordError(f"'{word_of(row)}' is no keyword for {_KINDS[self.kind]} card")

    def limit(self) -> None:
        limit, unprinted = self.ability.limit, self.ability.unprinted
        allowed = metadata.SENTENCES[self.ability.kind].limits
        if limit and limit not in allowed:
            raise WordError(f"'{self.sentence_word}' has no limit '{limit}'; it has {' or '.join(allowed) or 'none'}")
        if limit in ("die", "together") and self.ability.scope in ("active", "card"):
            raise WordError(
                f"limit '{limit}' counts by dice, and '{_scope_word(self.ability.scope)}' speaks of none; write 'turn'"
            )
        if not unprinted:
            return
        every = list(walk(self.ability))
        if "duration" in unprinted and not any(part in (END_OF_TURN, THIS_ATTACK) for part in every):
            if not any(type(part).__name__ in _LASTING for part in every):
                raise WordError(
                    "'unprinted' speaks of a duration, and nothing in the sentence lasts until end of turn; leave it out"
                )
        first = any(isinstance(part, Number) and part.op == "first" for part in every)
        if "limit" in unprinted and not limit and not first:
            raise WordError("'unprinted' speaks of a limit, and the sentence has none; write limit=\"turn\"")
        if "per die" in unprinted and limit != "die":
            raise WordError("'unprinted' speaks of a limit per die, and the sentence has none; write limit=\"die\"")
        if "level" in unprinted and not any(isinstance(part, Field | ReturnToField) for part in every):
            raise WordError("'unprinted' speaks of a level, and the sentence brings no die to the field; leave it out")
        if "source" in unprinted and not any(isinstance(part, Number) and part.op == "up to" for part in every):
            raise WordError("'unprinted' speaks of the source of damage, and no amount is up to anybody; leave it out")
        if "moment" in unprinted and not any(isinstance(part, Unless) for part in every):
            raise WordError("'unprinted' speaks of the moment to stop it, and nobody may; leave it out")
        if "burst" in unprinted and not any(part == END_OF_TURN for part in walk(self.ability.bursts)):
            raise WordError("'unprinted' speaks of a burst, and none lasts until end of turn; leave it out")
        if "copy" in unprinted and not any(isinstance(part, Copy) for part in every):
            raise WordError("'unprinted' speaks of a copy, and the sentence makes none; leave it out")
        tolls = any(
            isinstance(part, Rule) and part.word in ("cannot attack", "cannot block") and part.a for part in every
        )
        if "when" in unprinted and not (self.ability.kind == "pay" or self.ability.event or tolls):
            raise WordError("'unprinted' speaks of when it works, and the sentence does not; leave it out")
        if "keyword" in unprinted and not self.ability.keyword:
            raise WordError("'unprinted' speaks of a keyword, and the sentence has none; leave it out")

    @property
    def has_die(self) -> bool:
        """Whether there is one die whose text it is."""
        own_event = self.ability.event is not None and self.ability.event.who == this
        return self.ability.scope in ("die", "field", "pair") or own_event

    def need_die(self, word: str) -> None:
        if not self.has_die:
            wrapper = _scope_word(self.ability.scope) or self.sentence_word
            raise WordError(
                f"'{word}' needs a die, and '{wrapper}' speaks of the card; write this_card, or leave it out"
            )

    # --- events ----------------------------------------------------------------------------------------------------

    def check_event(self, event: Event, sort: str) -> None:
        """Read an event, of a reaction, an interruption, either, or of a use."""
        row = event_metadata(event.word)
        if row is None:
            raise WordError(f"the card language has no event '{event.word}'")
        name = word_of(row)
        if sort == "use" and event != attack_step_starts(you):
            raise WordError(f"a die is not used at '{name}'; the only moment is attack_step_starts(you)")
        if sort == "when" and row.is_replaceable:
            raise WordError(f"'{name}' has not happened yet; write would({name}(...), ...)")
        if sort == "would" and not row.is_replaceable:
            likely = [word_of(x) for x in metadata.EVENTS.values() if x.is_replaceable]
            raise WordError(
                f"'{name}' cannot be interrupted; write when({name}(...), ...), or one of {', '.join(likely)}"
            )
        self.check_description(event.who, row.about, name)
        if event.other is not None:
            self.check_description(event.other, row.other, name)
        actions = [part for part in _required_parts(event.who) if part.op == "action die"]
        if row.characters and (actions or (event.who in (this, this_card) and self.kind in ACTIONS)):
            raise WordError(f"'{name}' happens to characters, never to an action die; write character & own")

    def need_event(self, name: str, what: str) -> None:
        """Refuse a word that speaks of the event where that does not tell it."""
        row = None if self.event is None else event_metadata(self.event.word)
        if what in ("die", "other"):
            fine = row is not None and (what == "die" or bool(row.other))
            does = [x for x in metadata.EVENTS.values() if x.other] if what == "other" else []
        elif what in _HAVE:
            fine = row is not None and what in row.has
            does = [x for x in metadata.EVENTS.values() if what in x.has]
        else:
            fine = row is not None and row.word == what
            does = [metadata.EVENTS[what]]
        if not fine:
            such = f", such as {', '.join(word_of(x) for x in does[:4])}" if does else ""
            raise WordError(f"'{name}' speaks of {_HAVE.get(what, 'an event')}, so it needs an event that has it{such}")

    # --- descriptions ----------------------------------------------------------------------------------------------

    def check_description(
        self, what: Where | Select, whom: SubjectKind, word: str, places: tuple[str, ...] = ()
    ) -> None:
        """Read a description or a choice: it must be able to mean somebody of whom `word` can speak."""
        where = what.where if isinstance(what, Select) else what
        self.described(where)
        meant = self.about(where)
        if not any(_row(part).about & PLAYERS for part in _required_parts(where) if part.op not in _JOINTS):
            meant &= DICE  # only who speaks of players means them
        if not meant:
            raise WordError(
                f"a description in '{word}' can mean nobody: it joins words for dice and for players with &"
            )
        if meant & ~whom:
            such = {DICE: "character & opposing", PLAYERS: "you, opponent or each_player"}.get(whom, "")
            raise WordError(
                f"'{word}' is about {_SUBJECT_TEXTS[whom]}, not about {_SUBJECT_TEXTS[meant]}; write {such}"
            )
        named = _named_zones(where) if places else set()
        if named and not named & set(places):
            raise WordError(
                f"'{word}' reaches dice in the {' or the '.join(places)}, not in the {' or the '.join(sorted(named))}"
            )
        if isinstance(what, Select):
            if where.op not in _JOINTS and (_row(where).single or _row(where).points):
                raise WordError(
                    f"'{word_of(_row(where))}' is known already, so nobody chooses; leave out one(...) or target(...)"
                )
            if what.least > what.most:
                raise WordError(f"a choice in '{word}' asks for at least {what.least} and at most {what.most}")
            self.choices = (*self.choices, meant)

    def about(self, where: Where) -> SubjectKind:
        """Tell whether a description can mean dice, players or both."""
        inner = [self.about(arg) for arg in where.args if isinstance(arg, Where)]
        match where.op:
            case "and":
                return inner[0] & inner[1]
            case "or":
                return inner[0] | inner[1]
            case "not":
                return BOTH
            case "that" if self.event is not None and (row := event_metadata(self.event.word)) is not None:
                return row.about if self.event.who.op == "that" else self.about(self.event.who) & row.about
            case "the other" if self.event is not None and (row := event_metadata(self.event.word)) is not None:
                other = self.event.other
                return row.other if other is None or other.op == "the other" else self.about(other) & row.other
            case "chosen" if isinstance(n := where.args[0], int) and n < len(self.choices):
                return self.choices[n]
            case _:
                return _row(where).about

    def described(self, where: Where) -> None:
        if where.op not in _JOINTS:
            self.describing(_row(where), where)
        for arg in where.args:
            if isinstance(arg, Where):
                self.described(arg)
            elif isinstance(arg, Number):
                self.number(arg, "")

    def describing(self, row: metadata.DescriptionMetadata, part: Where) -> None:
        name = word_of(row)
        if row.of_die:
            self.need_die(name)
        if row.needs_event:
            self.need_event(name, row.needs_event)
        if row.needs_before and not self.effects_so_far:
            raise WordError(
                f"'{name}' speaks of what an effect before it has reached; write that effect in front of it"
            )
        if part.op == "drawn" and not {"Draw", "Roll"} & set(self.effects_so_far):
            raise WordError("'drawn' speaks of dice in hand; write Draw(...) or Roll(...) before it")
        if part.op == "just rolled" and (self.event is None or self.event.word != "rolled"):
            raise WordError("'just_rolled' speaks of the roll; write when(dice_rolled(), ...)")
        if part.op == "chosen" and isinstance(part.args[0], int) and part.args[0] >= len(self.choices):
            number = {0: "no choice", 1: "only one choice"}.get(len(self.choices), f"{len(self.choices)} choices")
            raise WordError(
                f"'chosen({part.args[0]})' has nothing to point at; {number} before it, and the first is chosen(0)"
            )
        self.need_on_card(name, row.needs_on_card)
        if row.only_in and self.inside not in row.only_in:
            raise WordError(f"'{name}' belongs into {' or '.join(row.only_in)}(...)")

    def need_on_card(self, name: str, needed: tuple[str, ...]) -> None:
        if needed and not any(type(part).__name__ in needed for part in walk(self.on_card)):
            raise WordError(
                f"'{name}' means nothing on a card without {' or '.join(needed)}(...); write one into a sentence"
            )

    # --- numbers and conditions ------------------------------------------------------------------------------------

    def number(self, number: Number, word: str) -> None:
        if number.op not in metadata.NUMBERS:
            raise WordError(f"the card language has no number '{number.op}'")
        row = metadata.NUMBERS[number.op]
        name = word_of(row)
        if row.needs_event:
            self.need_event(name, row.needs_event)
        if row.needs_before and not self.effects_so_far:
            raise WordError(
                f"'{name}' speaks of what an effect before it has reached; write that effect in front of it"
            )
        if number.op == "KOs" and not {"Damage", "Together", "Divide"} & set(self.effects_so_far):
            raise WordError(f"'{name}' counts whom the damage before it has KO'd; write Damage(...) before it")
        if row.needs_paid and not self.has_paid_cost:
            raise WordError(f"'{name}' speaks of a cost; write may(..., cost=pays_up_to(...)) around it")
        if row.only_in and word not in row.only_in:
            raise WordError(f"'{name}' belongs into {' or '.join(row.only_in)}(...)")
        self.need_on_card(name, row.needs_on_card)
        if number.op == "counters":
            self.counters(str(number.args[0]))
        for arg in number.args:
            if isinstance(arg, Where):
                if number.op in _OF_MANY and _row(arg).points:
                    raise WordError(
                        f"'{name}' is of many dice, and '{word_of(_row(arg))}' points at one; write a description"
                    )
                self.check_description(arg, PLAYERS if number.op == "life" else DICE, name)
            elif isinstance(arg, Number):
                self.number(arg, "")

    def amount(self, amount: object, word: str) -> None:
        if isinstance(amount, Number):
            self.number(amount, word)

    def condition(self, condition: Condition) -> None:
        if condition.op not in metadata.CONDITIONS:
            raise WordError(f"the card language has no condition '{condition.op}'")
        row = metadata.CONDITIONS[condition.op]
        name = word_of(row)
        if row.needs_event:
            self.need_event(name, row.needs_event)
        if row.needs_before and not self.effects_so_far:
            raise WordError(f"'{name}' speaks of what an effect before it has done; write Ko(...), Do({name}, ...)")
        if row.of_die:
            self.need_die(name)
        if condition.op == "is" and not (isinstance(which := condition.args[0], Where) and _is_back_reference(which)):
            able = [
                word_of(x) for x in metadata.DESCRIPTIONS.values() if (x.points or x.needs_before) and not x.only_in
            ]
            raise WordError(f"'{name}' takes first the die that is meant: one of {', '.join(able)}")
        for arg in condition.args:
            if isinstance(arg, Condition):
                self.condition(arg)
            elif isinstance(arg, Where):
                self.check_description(arg, BOTH, name)
            elif isinstance(arg, Number):
                self.number(arg, "")

    # --- rules -----------------------------------------------------------------------------------------------------

    def rule(self, rule: Rule, standing: bool, until: str = "") -> None:
        if rule.word not in metadata.RULES:
            raise WordError(f"the card language has no standing rule '{rule.word}'")
        row = metadata.RULES[rule.word]
        name = word_of(row)
        if standing and not row.can_be_static:
            raise WordError(f"'{name}' holds for a time, not always; write when(..., Give({name}(...)))")
        if not standing and not row.can_be_granted:
            raise WordError(f"'{name}' can only hold always, not for a time; write while_active(always({name}(...)))")
        if standing and isinstance(rule.who, Select):
            raise WordError(
                f"'{name}' always holds, so nobody is chosen for it; write a description, or when(..., Give(...))"
            )
        if row.of_die:
            self.need_die(name)
        if standing and row.away and self.ability.scope == "die":
            own = rule.who in (this, this_card)
            write = f"of_card(always({name}(this_card, ...)))" if own else f"while_active(always({name}(...)))"
            raise WordError(
                f"'{name}' bears on dice that are not in the field, so it must say when it works; write {write}"
            )
        if row.away and rule.who == this:
            raise WordError(f"'{name}' cannot be about 'this', a die in the field; write this_card")
        if until == NEXT_ONE and not row.next_one:
            able = [word_of(x) for x in metadata.RULES.values() if x.next_one]
            raise WordError(f"'{name}' cannot be for the NEXT_ONE alone; {', '.join(able)} can")
        if until == NEXT_ONE and isinstance(rule.who, Select):
            raise WordError(f"'{name}' for the NEXT_ONE is about dice to come, so nobody chooses; leave out one(...)")
        if until == NEXT_ATTACK and rule.word != "must attack":
            raise WordError(f"'{name}' cannot last until NEXT_ATTACK; must_attack can")
        if rule.word == "has keyword":
            self.check_granted_keyword(rule, standing)
        places = (
            () if standing or not isinstance(rule.who, Select) else ("field", "reserve") if row.reserve else ("field",)
        )
        self.check_description(rule.who, row.about, name, () if row.away else places)
        if rule.by is not None:
            self.check_description(rule.by, BOTH, name)
        if rule.word == "gets" and rule.a == 0 == rule.d:
            raise WordError("'gets' gives nothing; name a change of A or D: gets(this, 1), gets(this, d=1)")
        if rule.word == "multiplies" and rule.a == 1 == rule.d:
            raise WordError("'multiplies' changes nothing; name a factor: multiplies(this, 2)")
        self.amount(rule.a, name)
        self.amount(rule.d, name)

    def check_granted_keyword(self, rule: Rule, standing: bool) -> None:
        row = metadata.KEYWORDS[rule.text]
        if standing and self.ability.keyword == rule.text:
            return
        if not (row.can_be_static if standing else row.can_be_granted):
            able = [x.name for x in metadata.KEYWORDS.values() if (x.can_be_static if standing else x.can_be_granted)]
            own = "" if row.label else f", or {word_of(row)}(...) as a sentence"
            raise WordError(f"'has_keyword' cannot give {row.name}; it can give {', '.join(able)}{own}")

    # --- effects ---------------------------------------------------------------------------------------------------

    def effects(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            self.effect(effect)
            self.effects_so_far = (*self.effects_so_far, type(effect).__name__)

    def effect(self, effect: Effect) -> None:
        name = type(effect).__name__
        row = metadata.EFFECTS[name]
        if row.in_events and (self.event is None or self.event.word not in row.in_events):
            where = [
                f"would({word_of(metadata.EVENTS[x])}(...), ...)"
                for x in row.in_events
                if metadata.EVENTS[x].is_replaceable
            ]
            where = where or [f"when({word_of(metadata.EVENTS[x])}(...), ...)" for x in row.in_events]
            raise WordError(f"'{name}' belongs into {' or '.join(where)}")
        if self.kind not in row.on_cards:
            raise WordError(
                f"'{name}' means nothing on {_KINDS[self.kind]} card; it is for {_KINDS[row.on_cards[0]]} card"
            )
        self.need_on_card(name, row.needs_on_card)
        before, self.inside = self.inside, name
        match effect:
            case Give(rule, until):
                self.rule(rule, False, until)
            case May(inner, cost, who):
                self.some(inner, "may")
                self.decider(who, "may")
                if cost is not None:
                    self.cost(cost)
                self.effects(inner)
            case Unless(cost, inner, otherwise):
                self.some(inner, "unless")
                self.effects(inner)
                self.cost(cost)
                self.effects(otherwise)
            case Do(condition, inner, otherwise):
                self.some(inner, "Do")
                self.condition(condition)
                self.effects(inner)
                self.effects(otherwise)
            case OneOf(choices, by):
                if len(choices) < 2:
                    raise WordError("'OneOf' needs two things to choose from: OneOf((Life(1), Draw(1, PREP)))")
                self.decider(by, "OneOf")
                for inner in choices:
                    self.effects(inner)
            case EachPlayer(inner):
                self.some(inner, "EachPlayer")
                outer, self.choices = self.choices, ()
                self.effects(inner)
                self.choices = outer
            case Later():
                self.later(effect)
            case _:
                self.check_effect_fields(effect, row)
        self.inside = before

    def decider(self, who: str, word: str) -> None:
        if who == "its controller" and not (self.choices and self.choices[0] is DICE) and not self.is_about_opposing():
            raise WordError(
                f"in '{word}' nothing is there whose controller could decide; choose an opposing die first, "
                "or write when(is_kod(character & opposing), ...)"
            )

    def is_about_opposing(self) -> bool:
        """Tell whether the event is about a die of the opponent's."""
        return self.event is not None and any(part.op == "opposing" for part in _required_parts(self.event.who))

    def some(self, effects: tuple[Effect, ...], word: str) -> None:
        if not effects:
            raise WordError(f"'{word}' says nothing to do; write an effect into it: {word}(..., Life(1))")

    def later(self, effect: Later) -> None:
        self.some(effect.effects, "Later")
        meant: tuple[SubjectKind, ...] = ()
        if effect.about is not None:
            self.check_description(effect.about, BOTH, "Later")
            meant = (self.about(effect.about.where if isinstance(effect.about, Select) else effect.about),)
        outer = (self.event, self.choices)
        self.event, self.choices = effect.event, meant
        self.check_event(effect.event, "when")
        self.effects(effect.effects)
        self.event, self.choices = outer

    def check_effect_fields(self, effect: Effect, row: metadata.EffectMetadata) -> None:
        name = type(effect).__name__
        for field in effect.__match_args__:
            value = getattr(effect, field)
            if isinstance(value, Where | Select):
                whom = DICE if field in ("source", "who") and row.about is not PLAYERS else row.about
                self.check_description(value, whom, name, row.places if field in ("what", "to", "among") else ())
            elif isinstance(value, Number):
                self.number(value, name)
            elif isinstance(value, tuple):
                for part in value:
                    self.check_effect_fields(part, metadata.EFFECTS[type(part).__name__])
        if isinstance(effect, Damage) and isinstance(effect.amount, Number) and effect.amount.op == "own attack":
            if effect.source is None:
                raise WordError(
                    "'OWN_ATTACK' is the A of those who deal the damage; name them: Damage(..., source=...)"
                )
        if isinstance(effect, Copy) and isinstance(effect.of, Where) and not _is_back_reference(effect.of):
            raise WordError("'Copy' copies one die; write one(...) or target(...) around the description")
        if isinstance(effect, Redirect) and effect.whole_source and effect.amount != ALL:
            raise WordError(
                "'Redirect' of a whole source is of all damage; write Redirect(ALL, ..., whole_source=True)"
            )
        if isinstance(effect, PutCounter | RemoveCounters):
            self.counters(effect.name)
        if isinstance(effect, Draw | Roll) and effect.to == "hand":
            self.effects_so_far = (*self.effects_so_far, name)

    def cost(self, cost: Cost) -> None:
        for effect in cost.effects:
            row = metadata.EFFECTS[type(effect).__name__]
            if not row.as_cost:
                able = [name for name, x in metadata.EFFECTS.items() if x.as_cost]
                raise WordError(f"'{type(effect).__name__}' cannot be a cost; {', '.join(able)} can")
            self.effect(effect)
        self.has_paid_cost = True

    def burst(self, burst: Burst) -> None:
        word = "burst_instead" if burst.instead else "burst_also"
        if not burst.effects and not burst.rules:
            raise WordError(f"'{word}' says nothing; write what the burst does: {word}(Life(1))")
        if burst.rules and self.ability.kind != "always":
            raise WordError(f"'{word}' in '{self.sentence_word}' takes effects; write Give(...) around the rule")
        if burst.effects and self.ability.kind == "always":
            raise WordError(f"'{word}' in 'always' takes standing rules, such as gets(this, 1)")
        shown = {face.burst for face in self.die.faces} - {0}
        if not shown & set(burst.on):
            stars = " or ".join("*" * n for n in burst.on)
            raise WordError(
                f"'{word}' needs a face with {stars}, and the die shows {' and '.join('*' * n for n in sorted(shown)) or 'no burst'}"
            )
        outer = (self.choices, self.effects_so_far)
        if burst.instead:
            self.choices, self.effects_so_far = (), ()
        for rule in burst.rules:
            self.rule(rule, standing=True)
        self.effects(burst.effects)
        self.choices, self.effects_so_far = outer

    def counters(self, name: str) -> None:
        """Refuse a second name: the counters of a card are counted together."""
        names = {part.name for part in walk(self.on_card) if isinstance(part, PutCounter | RemoveCounters)}
        if names - {name}:
            raise WordError(f"a card holds counters of one name, not of {' and '.join(sorted({*names, name}))}")


_OF_MANY = ("count", "types", "highest level", "lowest defence")
_LASTING = ("SetAside", "TakeControl", "SwapAttack")  # until end of turn, without a word for it
