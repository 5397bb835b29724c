"""Semantic checks of abilities, whose words can be valid individually and still be meaningless together.

All checks read the metadata of the words. A mistake raises a `WordError` that names the word and the valid
alternatives.
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

_CONNECTIVES = ("and", "or", "not")
_SUBJECT_TEXTS = {DICE: "dice", PLAYERS: "players", BOTH: "dice or players"}
_KINDS = {"action": "an action", "basic": "a basic action", "character": "a character"}
_EVENT_FEATURES = {  # details that an event can provide, as named in messages
    "paid": "dice that paid",
    "amount": "an amount",
    "total": "an amount",
    "source": "a source",
    "combat": "damage or a KO",
}


def check_ability(ability: Ability, kind: str, die: Die, on_card: tuple[Ability, ...] = ()) -> None:
    """Raise `WordError` if the ability makes no sense on a card of this kind with this die."""
    _Checker(ability, kind, die, on_card or (ability,)).check()


def walk(node: object) -> Iterator[object]:
    """Yield a node and, recursively, everything inside it."""
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif isinstance(node, Node):
        for name in node.__match_args__:
            yield from walk(getattr(node, name))


def _row(where: Where) -> metadata.DescriptionMetadata:
    if where.op in _CONNECTIVES:
        return _JOINED
    if where.op not in metadata.DESCRIPTIONS:
        raise WordError(f"the card language has no description '{where.op}'")
    return metadata.DESCRIPTIONS[where.op]


def _is_back_reference(where: Where) -> bool:
    """Return whether the description refers to known dice instead of searching for some."""
    return _row(where).is_reference or _row(where).needs_previous_effect


_JOINED = metadata.DescriptionMetadata("joined", BOTH)


def _required_parts(where: Where) -> Iterator[Where]:
    """Yield the words of a description that are not inside a negation."""
    yield where
    for arg in where.args:
        if isinstance(arg, Where) and where.op != "not":
            yield from _required_parts(arg)


def _scope_word(scope: str) -> str:
    return word_of(metadata.SCOPES[scope]) if scope in metadata.SCOPES else ""


def _named_zones(where: Where) -> set[str]:
    parts = list(_required_parts(where))
    zones = {str(place) for part in parts if part.op == "in" for place in part.args}
    return zones | {_row(part).place for part in parts if part.op not in _CONNECTIVES} - {""}


@dataclass(slots=True)
class _Checker:
    """Checker of one ability. It visits the parts in the order in which they are executed."""

    ability: Ability
    kind: str
    die: Die
    on_card: tuple[Ability, ...]
    event: Event | None = None
    choices: tuple[SubjectKind, ...] = ()  # kinds of the choices made so far
    effects_so_far: tuple[str, ...] = ()  # names of the effects visited so far
    has_paid_cost: bool = False
    inside: str = ""  # name of the effect being visited

    def check(self) -> None:
        ability = self.ability
        if ability.kind not in metadata.ABILITY_KINDS:
            raise WordError(f"the card language has no ability '{ability.kind}'")
        self.event = ability.event
        self.check_scope()
        self.check_keyword()
        self.check_limit()
        if not ability.effects and not ability.rules and not ability.bursts:
            raise WordError(f"'{self.ability_word}' is empty; write what it does: {self.ability_word}(..., Life(1))")
        if ability.event is not None:
            self.check_event(ability.event, metadata.ABILITY_KINDS[ability.kind].event)
        if ability.condition is not None:
            self.check_condition(ability.condition)
        if ability.lifted_by is not None:
            self.check_cost(ability.lifted_by)
        if ability.cost is not None:
            if ability.cost == Cost() and ability.kind == "global":
                raise WordError(
                    "'global_ability' costs nothing; name energy, or a cost: global_ability(\"\", ..., cost=Ko(...))"
                )
            self.check_cost(ability.cost)
        for rule in ability.rules:
            self.check_rule(rule, standing=True)
        self.check_effects(ability.effects)
        for burst in ability.bursts:
            self.check_burst(burst)

    @property
    def ability_word(self) -> str:
        return word_of(metadata.ABILITY_KINDS[self.ability.kind])

    # --- scope and limits --------------------------------------------------------------------------------------------

    def check_scope(self) -> None:
        scope, allowed = self.ability.scope, metadata.ABILITY_KINDS[self.ability.kind].scopes.get(self.kind, ())
        if scope in allowed:
            return
        if not allowed:
            raise WordError(
                f"'{self.ability_word}' is for an action die, not for {_KINDS[self.kind]}; write when(fielded(), ...)"
            )
        wrapper = _scope_word(scope)
        if self.kind in ACTIONS and allowed != ("die",):
            wrappers = " or ".join(f"{_scope_word(x)}(...)" for x in allowed)
            raise WordError(
                f"'{wrapper or self.ability_word}' cannot be the text of {_KINDS[self.kind]} die; "
                f"write use(...) for its effect when used, and {wrappers} for its abilities in the field"
            )
        remedy = " or ".join([*(f"{_scope_word(x)}(...)" for x in allowed if x in metadata.SCOPES)]) or "it alone"
        raise WordError(f"'{wrapper}' cannot wrap '{self.ability_word}' on {_KINDS[self.kind]} card; write {remedy}")

    def check_keyword(self) -> None:
        if not self.ability.keyword:
            return
        row = metadata.KEYWORDS[self.ability.keyword]
        if self.kind not in row.card_kinds:
            raise WordError(f"'{word_of(row)}' is not a keyword for {_KINDS[self.kind]} card")

    def check_limit(self) -> None:
        limit, unprinted = self.ability.limit, self.ability.unprinted
        allowed = metadata.ABILITY_KINDS[self.ability.kind].limits
        if limit and limit not in allowed:
            raise WordError(f"'{self.ability_word}' has no limit '{limit}'; it has {' or '.join(allowed) or 'none'}")
        if limit in ("die", "together") and self.ability.scope in ("active", "card"):
            raise WordError(
                f"limit '{limit}' counts per die, but '{_scope_word(self.ability.scope)}' belongs to no die; write 'turn'"
            )
        if not unprinted:
            return
        parts = list(walk(self.ability))
        if "duration" in unprinted and not any(part in (END_OF_TURN, THIS_ATTACK) for part in parts):
            if not any(type(part).__name__ in _UNTIL_END_OF_TURN for part in parts):
                raise WordError(
                    "'unprinted' names a duration, but nothing in the ability lasts until end of turn; remove it"
                )
        has_first = any(isinstance(part, Number) and part.op == "first" for part in parts)
        if "limit" in unprinted and not limit and not has_first:
            raise WordError("'unprinted' names a limit, but the ability has none; write limit=\"turn\"")
        if "per die" in unprinted and limit != "die":
            raise WordError("'unprinted' names a limit per die, but the ability has none; write limit=\"die\"")
        if "level" in unprinted and not any(isinstance(part, Field | ReturnToField) for part in parts):
            raise WordError("'unprinted' names a level, but the ability brings no die to the field; remove it")
        if "source" in unprinted and not any(isinstance(part, Number) and part.op == "up to" for part in parts):
            raise WordError("'unprinted' names the source of damage, but no amount uses up_to_that(...); remove it")
        if "moment" in unprinted and not any(isinstance(part, Unless) for part in parts):
            raise WordError("'unprinted' names the moment to stop it, but nothing can be stopped; remove it")
        if "burst" in unprinted and not any(part == END_OF_TURN for part in walk(self.ability.bursts)):
            raise WordError("'unprinted' names a burst, but none lasts until end of turn; remove it")
        if "copy" in unprinted and not any(isinstance(part, Copy) for part in parts):
            raise WordError("'unprinted' names a copy, but the ability makes none; remove it")
        has_toll = any(
            isinstance(part, Rule) and part.word in ("cannot attack", "cannot block") and part.a for part in parts
        )
        if "when" in unprinted and not (self.ability.kind == "pay" or self.ability.event or has_toll):
            raise WordError("'unprinted' names when it works, but the ability has no such moment; remove it")
        if "keyword" in unprinted and not self.ability.keyword:
            raise WordError("'unprinted' names a keyword, but the ability has none; remove it")

    @property
    def has_die(self) -> bool:
        """Whether the ability belongs to one particular die."""
        own_event = self.ability.event is not None and self.ability.event.who == this
        return self.ability.scope in ("die", "field", "pair") or own_event

    def require_die(self, word: str) -> None:
        if not self.has_die:
            wrapper = _scope_word(self.ability.scope) or self.ability_word
            raise WordError(f"'{word}' needs a die, but '{wrapper}' belongs to the card; write this_card, or remove it")

    # --- events ----------------------------------------------------------------------------------------------------

    def check_event(self, event: Event, role: str) -> None:
        """Check an event by its role: "when" (trigger), "would" (replacement), "either" or "use"."""
        row = event_metadata(event.word)
        if row is None:
            raise WordError(f"the card language has no event '{event.word}'")
        name = word_of(row)
        if role == "use" and event != attack_step_starts(you):
            raise WordError(f"a die is not used at '{name}'; the only moment is attack_step_starts(you)")
        if role == "when" and row.is_replaceable:
            raise WordError(f"'{name}' has not happened yet; write would({name}(...), ...)")
        if role == "would" and not row.is_replaceable:
            replaceable = [word_of(x) for x in metadata.EVENTS.values() if x.is_replaceable]
            raise WordError(
                f"'{name}' cannot be replaced; write when({name}(...), ...), or one of {', '.join(replaceable)}"
            )
        self.check_description(event.who, row.about, name)
        if event.other is not None:
            self.check_description(event.other, row.other, name)
        actions = [part for part in _required_parts(event.who) if part.op == "action die"]
        if row.characters_only and (actions or (event.who in (this, this_card) and self.kind in ACTIONS)):
            raise WordError(f"'{name}' happens to characters, never to an action die; write character & own")

    def require_event(self, name: str, feature: str) -> None:
        """Raise `WordError` if the event does not provide the detail that a word refers to."""
        row = None if self.event is None else event_metadata(self.event.word)
        if feature in ("die", "other"):
            is_provided = row is not None and (feature == "die" or bool(row.other))
            providers = [x for x in metadata.EVENTS.values() if x.other] if feature == "other" else []
        elif feature in _EVENT_FEATURES:
            is_provided = row is not None and feature in row.provides
            providers = [x for x in metadata.EVENTS.values() if feature in x.provides]
        else:
            is_provided = row is not None and row.word == feature
            providers = [metadata.EVENTS[feature]]
        if not is_provided:
            examples = f", such as {', '.join(word_of(x) for x in providers[:4])}" if providers else ""
            raise WordError(
                f"'{name}' refers to {_EVENT_FEATURES.get(feature, 'an event')}, so it needs an event that provides it{examples}"
            )

    # --- descriptions ----------------------------------------------------------------------------------------------

    def check_description(
        self, operand: Where | Select, allowed: SubjectKind, word: str, places: tuple[str, ...] = ()
    ) -> None:
        """Check that a description or choice can mean dice or players of the kind that `word` accepts."""
        where = operand.where if isinstance(operand, Select) else operand
        self.check_words(where)
        kind = self.subject_kind(where)
        if not any(_row(part).about & PLAYERS for part in _required_parts(where) if part.op not in _CONNECTIVES):
            kind &= DICE  # a description means players only if it mentions them
        if not kind:
            raise WordError(
                f"a description in '{word}' matches nothing: it joins words for dice and for players with &"
            )
        if kind & ~allowed:
            examples = {DICE: "character & opposing", PLAYERS: "you, opponent or each_player"}.get(allowed, "")
            raise WordError(
                f"'{word}' is about {_SUBJECT_TEXTS[allowed]}, not about {_SUBJECT_TEXTS[kind]}; write {examples}"
            )
        zones = _named_zones(where) if places else set()
        if zones and not zones & set(places):
            raise WordError(
                f"'{word}' reaches dice in the {' or the '.join(places)}, not in the {' or the '.join(sorted(zones))}"
            )
        if isinstance(operand, Select):
            if where.op not in _CONNECTIVES and (_row(where).is_single or _row(where).is_reference):
                raise WordError(
                    f"'{word_of(_row(where))}' is already known, so there is no choice; remove one(...) or target(...)"
                )
            if operand.least > operand.most:
                raise WordError(f"a choice in '{word}' asks for at least {operand.least} and at most {operand.most}")
            self.choices = (*self.choices, kind)

    def subject_kind(self, where: Where) -> SubjectKind:
        """Return whether a description can mean dice, players or both."""
        argument_kinds = [self.subject_kind(arg) for arg in where.args if isinstance(arg, Where)]
        match where.op:
            case "and":
                return argument_kinds[0] & argument_kinds[1]
            case "or":
                return argument_kinds[0] | argument_kinds[1]
            case "not":
                return BOTH
            case "that" if self.event is not None and (row := event_metadata(self.event.word)) is not None:
                return row.about if self.event.who.op == "that" else self.subject_kind(self.event.who) & row.about
            case "the other" if self.event is not None and (row := event_metadata(self.event.word)) is not None:
                other = self.event.other
                return row.other if other is None or other.op == "the other" else self.subject_kind(other) & row.other
            case "chosen" if isinstance(n := where.args[0], int) and n < len(self.choices):
                return self.choices[n]
            case _:
                return _row(where).about

    def check_words(self, where: Where) -> None:
        if where.op not in _CONNECTIVES:
            self.check_word(_row(where), where)
        for arg in where.args:
            if isinstance(arg, Where):
                self.check_words(arg)
            elif isinstance(arg, Number):
                self.check_number(arg, "")

    def check_word(self, row: metadata.DescriptionMetadata, part: Where) -> None:
        name = word_of(row)
        if row.needs_die:
            self.require_die(name)
        if row.needs_event:
            self.require_event(name, row.needs_event)
        if row.needs_previous_effect and not self.effects_so_far:
            raise WordError(f"'{name}' refers to a previous effect; write that effect before it")
        if part.op == "drawn" and not {"Draw", "Roll"} & set(self.effects_so_far):
            raise WordError("'drawn' refers to dice in hand; write Draw(...) or Roll(...) before it")
        if part.op == "just rolled" and (self.event is None or self.event.word != "rolled"):
            raise WordError("'just_rolled' refers to the roll; write when(dice_rolled(), ...)")
        if part.op == "chosen" and isinstance(part.args[0], int) and part.args[0] >= len(self.choices):
            number = {0: "no choice", 1: "only one choice"}.get(len(self.choices), f"{len(self.choices)} choices")
            raise WordError(
                f"'chosen({part.args[0]})' has nothing to refer to; {number} before it, and the first is chosen(0)"
            )
        self.require_on_card(name, row.needs_on_card)
        if row.only_in and self.inside not in row.only_in:
            raise WordError(f"'{name}' is allowed only in {' or '.join(row.only_in)}(...)")

    def require_on_card(self, name: str, needed: tuple[str, ...]) -> None:
        if needed and not any(type(part).__name__ in needed for part in walk(self.on_card)):
            raise WordError(f"'{name}' needs {' or '.join(needed)}(...) on the same card; add one")

    # --- numbers and conditions ------------------------------------------------------------------------------------

    def check_number(self, number: Number, word: str) -> None:
        if number.op not in metadata.NUMBERS:
            raise WordError(f"the card language has no number '{number.op}'")
        row = metadata.NUMBERS[number.op]
        name = word_of(row)
        if row.needs_event:
            self.require_event(name, row.needs_event)
        if row.needs_previous_effect and not self.effects_so_far:
            raise WordError(f"'{name}' refers to a previous effect; write that effect before it")
        if number.op == "KOs" and not {"Damage", "Together", "Divide"} & set(self.effects_so_far):
            raise WordError(f"'{name}' counts the KOs of the preceding damage; write Damage(...) before it")
        if row.needs_cost and not self.has_paid_cost:
            raise WordError(f"'{name}' refers to a cost; write may(..., cost=pays_up_to(...)) around it")
        if row.only_in and word not in row.only_in:
            raise WordError(f"'{name}' is allowed only in {' or '.join(row.only_in)}(...)")
        self.require_on_card(name, row.needs_on_card)
        if number.op == "counters":
            self.check_counter_name(str(number.args[0]))
        for arg in number.args:
            if isinstance(arg, Where):
                if number.op in _AGGREGATES and _row(arg).is_reference:
                    raise WordError(
                        f"'{name}' is about many dice, but '{word_of(_row(arg))}' refers to one; write a description"
                    )
                self.check_description(arg, PLAYERS if number.op == "life" else DICE, name)
            elif isinstance(arg, Number):
                self.check_number(arg, "")

    def check_amount(self, amount: object, word: str) -> None:
        if isinstance(amount, Number):
            self.check_number(amount, word)

    def check_condition(self, condition: Condition) -> None:
        if condition.op not in metadata.CONDITIONS:
            raise WordError(f"the card language has no condition '{condition.op}'")
        row = metadata.CONDITIONS[condition.op]
        name = word_of(row)
        if row.needs_event:
            self.require_event(name, row.needs_event)
        if row.needs_previous_effect and not self.effects_so_far:
            raise WordError(f"'{name}' refers to a previous effect; write Ko(...), Do({name}, ...)")
        if row.needs_die:
            self.require_die(name)
        if condition.op == "is" and not (isinstance(which := condition.args[0], Where) and _is_back_reference(which)):
            allowed = [
                word_of(x)
                for x in metadata.DESCRIPTIONS.values()
                if (x.is_reference or x.needs_previous_effect) and not x.only_in
            ]
            raise WordError(f"'{name}' takes a known die first: one of {', '.join(allowed)}")
        for arg in condition.args:
            if isinstance(arg, Condition):
                self.check_condition(arg)
            elif isinstance(arg, Where):
                self.check_description(arg, BOTH, name)
            elif isinstance(arg, Number):
                self.check_number(arg, "")

    # --- rules -----------------------------------------------------------------------------------------------------

    def check_rule(self, rule: Rule, standing: bool, duration: str = "") -> None:
        if rule.word not in metadata.RULES:
            raise WordError(f"the card language has no static rule '{rule.word}'")
        row = metadata.RULES[rule.word]
        name = word_of(row)
        if standing and not row.can_be_static:
            raise WordError(f"'{name}' holds for a time, not always; write when(..., Give({name}(...)))")
        if not standing and not row.can_be_granted:
            raise WordError(f"'{name}' can only hold always, not for a time; write while_active(always({name}(...)))")
        if standing and isinstance(rule.who, Select):
            raise WordError(
                f"'{name}' is permanent, so it takes no choice; write a description, or when(..., Give(...))"
            )
        if row.needs_die:
            self.require_die(name)
        if standing and row.affects_off_field and self.ability.scope == "die":
            is_own = rule.who in (this, this_card)
            remedy = f"of_card(always({name}(this_card, ...)))" if is_own else f"while_active(always({name}(...)))"
            raise WordError(f"'{name}' applies to dice outside the field, so it must say when it works; write {remedy}")
        if row.affects_off_field and rule.who == this:
            raise WordError(f"'{name}' cannot be about 'this', a die in the field; write this_card")
        if duration == NEXT_ONE and not row.allows_next_one:
            allowed = [word_of(x) for x in metadata.RULES.values() if x.allows_next_one]
            raise WordError(f"'{name}' cannot be for the NEXT_ONE alone; {', '.join(allowed)} can")
        if duration == NEXT_ONE and isinstance(rule.who, Select):
            raise WordError(f"'{name}' for the NEXT_ONE is about future dice, so it takes no choice; remove one(...)")
        if duration == NEXT_ATTACK and rule.word != "must attack":
            raise WordError(f"'{name}' cannot last until NEXT_ATTACK; must_attack can")
        if rule.word == "has keyword":
            self.check_granted_keyword(rule, standing)
        places = (
            ()
            if standing or not isinstance(rule.who, Select)
            else ("field", "reserve")
            if row.affects_reserve
            else ("field",)
        )
        self.check_description(rule.who, row.about, name, () if row.affects_off_field else places)
        if rule.by is not None:
            self.check_description(rule.by, BOTH, name)
        if rule.word == "gets" and rule.a == 0 == rule.d:
            raise WordError("'gets' changes nothing; name a change of A or D: gets(this, 1), gets(this, d=1)")
        if rule.word == "multiplies" and rule.a == 1 == rule.d:
            raise WordError("'multiplies' changes nothing; name a factor: multiplies(this, 2)")
        self.check_amount(rule.a, name)
        self.check_amount(rule.d, name)

    def check_granted_keyword(self, rule: Rule, standing: bool) -> None:
        row = metadata.KEYWORDS[rule.text]
        if standing and self.ability.keyword == rule.text:
            return
        if not (row.can_be_static if standing else row.can_be_granted):
            allowed = [
                x.name for x in metadata.KEYWORDS.values() if (x.can_be_static if standing else x.can_be_granted)
            ]
            alternative = "" if row.is_label else f", or {word_of(row)}(...) as an ability"
            raise WordError(f"'has_keyword' cannot grant {row.name}; it can grant {', '.join(allowed)}{alternative}")

    # --- effects ---------------------------------------------------------------------------------------------------

    def check_effects(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            self.check_effect(effect)
            self.effects_so_far = (*self.effects_so_far, type(effect).__name__)

    def check_effect(self, effect: Effect) -> None:
        name = type(effect).__name__
        row = metadata.EFFECTS[name]
        if row.in_events and (self.event is None or self.event.word not in row.in_events):
            events = [
                f"would({word_of(metadata.EVENTS[x])}(...), ...)"
                for x in row.in_events
                if metadata.EVENTS[x].is_replaceable
            ]
            events = events or [f"when({word_of(metadata.EVENTS[x])}(...), ...)" for x in row.in_events]
            raise WordError(f"'{name}' is allowed only in {' or '.join(events)}")
        if self.kind not in row.card_kinds:
            raise WordError(
                f"'{name}' is not allowed on {_KINDS[self.kind]} card; it is for {_KINDS[row.card_kinds[0]]} card"
            )
        self.require_on_card(name, row.needs_on_card)
        outer_effect, self.inside = self.inside, name
        match effect:
            case Give(rule, until):
                self.check_rule(rule, False, until)
            case May(inner, cost, who):
                self.require_effects(inner, "may")
                self.check_decider(who, "may")
                if cost is not None:
                    self.check_cost(cost)
                self.check_effects(inner)
            case Unless(cost, inner, otherwise):
                self.require_effects(inner, "unless")
                self.check_effects(inner)
                self.check_cost(cost)
                self.check_effects(otherwise)
            case Do(condition, inner, otherwise):
                self.require_effects(inner, "Do")
                self.check_condition(condition)
                self.check_effects(inner)
                self.check_effects(otherwise)
            case OneOf(choices, by):
                if len(choices) < 2:
                    raise WordError("'OneOf' needs two things to choose from: OneOf((Life(1), Draw(1, PREP)))")
                self.check_decider(by, "OneOf")
                for inner in choices:
                    self.check_effects(inner)
            case EachPlayer(inner):
                self.require_effects(inner, "EachPlayer")
                outer_choices, self.choices = self.choices, ()
                self.check_effects(inner)
                self.choices = outer_choices
            case Later():
                self.check_later(effect)
            case _:
                self.check_effect_fields(effect, row)
        self.inside = outer_effect

    def check_decider(self, decider: str, word: str) -> None:
        if (
            decider == "its controller"
            and not (self.choices and self.choices[0] is DICE)
            and not self.is_about_opposing()
        ):
            raise WordError(
                f"in '{word}' there is no die whose controller could decide; choose an opposing die first, "
                "or write when(is_kod(character & opposing), ...)"
            )

    def is_about_opposing(self) -> bool:
        """Return whether the event is about an opposing die."""
        return self.event is not None and any(part.op == "opposing" for part in _required_parts(self.event.who))

    def require_effects(self, effects: tuple[Effect, ...], word: str) -> None:
        if not effects:
            raise WordError(f"'{word}' is empty; write an effect into it: {word}(..., Life(1))")

    def check_later(self, effect: Later) -> None:
        self.require_effects(effect.effects, "Later")
        choices: tuple[SubjectKind, ...] = ()
        if effect.about is not None:
            self.check_description(effect.about, BOTH, "Later")
            choices = (self.subject_kind(effect.about.where if isinstance(effect.about, Select) else effect.about),)
        outer = (self.event, self.choices)
        self.event, self.choices = effect.event, choices
        self.check_event(effect.event, "when")
        self.check_effects(effect.effects)
        self.event, self.choices = outer

    def check_effect_fields(self, effect: Effect, row: metadata.EffectMetadata) -> None:
        name = type(effect).__name__
        for field in effect.__match_args__:
            value = getattr(effect, field)
            if isinstance(value, Where | Select):
                allowed = DICE if field in ("source", "who") and row.about is not PLAYERS else row.about
                self.check_description(value, allowed, name, row.places if field in ("what", "to", "among") else ())
            elif isinstance(value, Number):
                self.check_number(value, name)
            elif isinstance(value, tuple):
                for part in value:
                    self.check_effect_fields(part, metadata.EFFECTS[type(part).__name__])
        if isinstance(effect, Damage) and isinstance(effect.amount, Number) and effect.amount.op == "own attack":
            if effect.source is None:
                raise WordError(
                    "'OWN_ATTACK' is the A of the dice that deal the damage; name them: Damage(..., source=...)"
                )
        if isinstance(effect, Copy) and isinstance(effect.of, Where) and not _is_back_reference(effect.of):
            raise WordError("'Copy' copies one die; write one(...) or target(...) around the description")
        if isinstance(effect, Redirect) and effect.whole_source and effect.amount != ALL:
            raise WordError(
                "'Redirect' of a whole source takes all damage; write Redirect(ALL, ..., whole_source=True)"
            )
        if isinstance(effect, PutCounter | RemoveCounters):
            self.check_counter_name(effect.name)
        if isinstance(effect, Draw | Roll) and effect.to == "hand":
            self.effects_so_far = (*self.effects_so_far, name)

    def check_cost(self, cost: Cost) -> None:
        for effect in cost.effects:
            row = metadata.EFFECTS[type(effect).__name__]
            if not row.can_be_cost:
                allowed = [name for name, x in metadata.EFFECTS.items() if x.can_be_cost]
                raise WordError(f"'{type(effect).__name__}' cannot be a cost; {', '.join(allowed)} can")
            self.check_effect(effect)
        self.has_paid_cost = True

    def check_burst(self, burst: Burst) -> None:
        word = "burst_instead" if burst.instead else "burst_also"
        if not burst.effects and not burst.rules:
            raise WordError(f"'{word}' is empty; write what the burst does: {word}(Life(1))")
        if burst.rules and self.ability.kind != "always":
            raise WordError(f"'{word}' in '{self.ability_word}' takes effects; write Give(...) around the rule")
        if burst.effects and self.ability.kind == "always":
            raise WordError(f"'{word}' in 'always' takes static rules, such as gets(this, 1)")
        burst_counts = {face.burst for face in self.die.faces} - {0}
        if not burst_counts & set(burst.on):
            stars = " or ".join("*" * n for n in burst.on)
            raise WordError(
                f"'{word}' needs a face with {stars}, and the die shows {' and '.join('*' * n for n in sorted(burst_counts)) or 'no burst'}"
            )
        outer = (self.choices, self.effects_so_far)
        if burst.instead:
            self.choices, self.effects_so_far = (), ()
        for rule in burst.rules:
            self.check_rule(rule, standing=True)
        self.check_effects(burst.effects)
        self.choices, self.effects_so_far = outer

    def check_counter_name(self, name: str) -> None:
        """Raise `WordError` if the card uses another counter name: all counters of a card are counted together."""
        names = {part.name for part in walk(self.on_card) if isinstance(part, PutCounter | RemoveCounters)}
        if names - {name}:
            raise WordError(f"a card holds counters of one name, not of {' and '.join(sorted({*names, name}))}")


_AGGREGATES = ("count", "types", "highest level", "lowest defence")
_UNTIL_END_OF_TURN = ("SetAside", "TakeControl", "SwapAttack")  # effects that last until end of turn implicitly
