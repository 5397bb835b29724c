"""Rendering of triggers and scopes: "when Hulk attacks", "at the start of your turn" and "while Hulk is active"."""

from __future__ import annotations

from dicemasters.cards.language.metadata import CONDITIONS
from dicemasters.cards.language.semantics import walk
from dicemasters.cards.language.vocabulary import (
    KEYWORDS,
    Ability,
    Condition,
    Event,
    Rule,
    Where,
    blocked_by_this,
    fielded_last_turn,
    fielded_this_turn,
)
from dicemasters.cards.text.condition_text import ability_class, condition_text, each_condition, sources_text
from dicemasters.cards.text.noun_phrases import indefinite, indefinite_phrase, iter_conjuncts, noun_phrase
from dicemasters.cards.text.render_context import RenderContext, UnrenderableError, join_list, with_article


def scope_text(ability: Ability, context: RenderContext) -> str:
    """Return the clause that states when the ability is in force."""
    match ability.scope:
        case "die" | "pair":
            return ""
        case "active":
            return f"while {context.title} is active"
        case "field":
            return "while this die is in the field"
        case "card" if ability.event and ability.event.word == "bought" and ability.event.who.op.startswith("this"):
            return ""
        case "card" if ability.rules and all(_is_price_rule(rule) for rule in ability.rules):
            return ""
        case "card":
            return f"even while {context.title} is not active"
        case _:
            raise UnrenderableError(f"no English for the scope {ability.scope!r}")


def _is_price_rule(rule: Rule) -> bool:
    """Return whether the rule is about buying, or about fielding dice of this card.

    Such a rule works without a die in the field.
    """
    own = rule.who in (Where("this"), Where("this card"))
    return rule.word == "costs to buy" or (rule.word in ("costs to field", "fields free") and own)


def while_text(ability: Ability, context: RenderContext) -> str:
    """Return the introduction of a static rule or a use: its scope and condition."""
    scope = scope_text(ability, context)
    if ability.condition is None:
        return lead_in(scope)
    condition = condition_text(ability.condition, context)
    if _is_past(ability.condition):
        return f"{lead_in(scope)}if {condition}, "
    return f"{scope} and {condition}, " if scope.startswith("while ") else f"{lead_in(scope)}while {condition}, "


def _is_past(condition: Condition) -> bool:
    """Return whether the condition is about the past, so that "if" is needed instead of "while"."""
    parts = [part for part in condition.args if isinstance(part, Condition)]
    if condition.op == "is":
        past = (fielded_this_turn, fielded_last_turn)
        return condition.args[1] in (*past, *(~word for word in past))
    return all(_is_past(part) for part in parts) if parts else CONDITIONS[condition.op].is_past


def lead_in(text: str) -> str:
    """Return the text with a comma, or "" if it is empty."""
    return f"{text}, " if text else ""


def if_text(condition: Condition | None, context: RenderContext) -> str:
    """Return the condition as an introductory clause."""
    return f"if {condition_text(condition, context)}, " if condition else ""


def when_text(ability: Ability, context: RenderContext) -> str:
    """Return the event and the conditions as an introduction; some conditions become part of the event."""
    assert ability.event is not None
    event, remaining = event_text(ability.event, context), []
    damage_conditions: list[Condition] = []
    for condition in each_condition(ability.condition):
        if condition.op == "first fielding" and event.startswith("when you field"):
            event = event.replace("when you field", f"{FIRST_TIME} you field", 1)
        elif condition.op in ("by combat", "by damage") or condition == Condition("by source", ("combat",)):
            event = _with_damage_kind(event, ability.event.word, "" if condition.op == "by damage" else "combat ")
        elif condition.op in _IN_EVENT:
            event += _IN_EVENT[condition.op]
        elif condition.op == "was" and ability.event.word in ("KO'd", "would be KO'd"):
            event += f" while {condition.args[0]}"
        elif condition.op == "by source" and ability.event.word == "deals damage":
            event += f" with {sources_text(condition)}"
        elif condition.op == "by source" and ability.event.word in ("would be targeted", "targeted"):
            event += f" of {sources_text(condition)}"
        elif condition.op == "by source" and ability.event.word.endswith("damaged") and not ability.event.other:
            event += f" from {sources_text(condition)}"
        elif condition.op == "by source" and ability.event.word.endswith("damaged") and _are_ability_classes(condition):
            event += f"'s {join_list([ability_class(str(kind)) for kind in condition.args], 'or')} ability"
        elif condition.op == "dealt by you" and ability.event.word == "would be damaged" and " would take " in event:
            victim, _, rest_of_event = event.removeprefix("when ").partition(" would take damage")
            event = f"when you would deal damage to {victim}{rest_of_event.replace(' from ', ' with ', 1)}"
        elif condition.op == "has damaged" and len(condition.args) == 2:
            damage_conditions.append(condition)
        else:
            remaining.append(condition_text(condition, context))
    has_both = len(damage_conditions) == 2 and damage_conditions[0].args[1] == damage_conditions[1].args[1]
    if (
        has_both
        and ability.event.word == "deals damage"
        and (ability.event.other is None or ability.event.other.op == "or")
    ):
        combat = "combat " if damage_conditions[0].args[1] else ""
        event = f"when {context.this} has dealt {combat}damage to both an opposing character and your opponent in the same turn"
    else:
        remaining += [condition_text(condition, context) for condition in damage_conditions]
    if ability.event == Event("would be damaged", Where("this")) and blocked_by_this in walk(ability.effects):
        event += " while blocking"
    conditions = f", if {join_list(remaining)}" if remaining else ""
    if remaining and ability.asked_by_keyword:
        conditions = f" (if {join_list(remaining)})"
    if has_first_time_limit(ability) and event.startswith("when "):
        event = f"{FIRST_TIME} {event.removeprefix('when ')}"
    context.just_mentioned = None
    context.limit = ability.limit
    if "when" in ability.unprinted:
        return f"{lead_in(scope_text(ability, context))}({event},) {lead_in(conditions.removeprefix(', '))}"
    return f"{lead_in(scope_text(ability, context))}{event}{conditions}, "


FIRST_TIME = "the first time each turn that"


def _are_ability_classes(condition: Condition) -> bool:
    """Return whether all sources are classes of abilities: “when fielded”, or a keyword."""
    return all(kind in ("when fielded", "when attacks") or kind in KEYWORDS for kind in condition.args)


def has_first_time_limit(ability: Ability) -> bool:
    """Return whether the limit is part of the event: "the first time you take damage each turn"."""
    return ability.limit == "first" and ability.event is not None and ability.event.word not in STEP_EDGES


_IN_EVENT = {
    "in attack step": " during an attack step",
    "survives": " and is not KO'd",
    "attacks alone": " alone",
}


def _with_damage_kind(event: str, word: str, combat: str) -> str:
    """Return the event with its kind of damage: "takes combat damage", "is KO'd by damage"."""
    if " damage" in event:
        return event.replace(" damage", f" {combat}damage", 1)
    return f"{event} {'with' if word == 'KOs' else 'by'} {combat}damage"


THEIR_ROLL = "your opponent's roll and before their"


def event_text(event: Event, context: RenderContext) -> str:
    """Return the text of an event: "when Hulk attacks"."""
    match event.word:
        case word if word in STEP_EDGES:
            return step_edge_text(event)
        case "rolled" if event.who.op in ("you", "opponent"):
            return f"after {'your roll and before your' if event.who.op == 'you' else THEIR_ROLL} reroll"
        case "drawn":
            return _player_action_text(event, "draws at least 1 die")
        case word if word.startswith("uses "):
            return _player_action_text(event, f"uses {with_article(ability_class(word.removeprefix('uses ')))} ability")
        case "fielded":
            return _fielding_or_buying_text(event, "fields", "is fielded", context)
        case "bought":
            return _fielding_or_buying_text(event, "buys", "is bought", context)
        case "KOs own":
            return _player_action_text(
                event, f"KOs one of {'your' if event.who.op == 'you' else 'their'} own characters"
            )
        case "attackers declared":
            return _player_action_text(event, "declares attackers")
        case "blockers declared":
            return "when blockers are declared"
        case "action used":
            return _player_action_text(event, "uses an action die")
        case "Global used":
            return _player_action_text(event, "uses a Global")
        case "would be affected":
            affected = indefinite_phrase(event.who, context).as_object
            effect = f"when an effect would do something to {affected} (not a text that merely holds, as “while active” does)"
            return f"{effect}, other than damage from a character engaged with {affected}"
        case word if word in VERBS:
            singular, plural, preposition = VERBS[word]
            other_where = Where("character") if word == "KOs" and event.other is None else event.other
            other_phrase = (
                f" {preposition} {indefinite_phrase(other_where, context).as_object}".replace("  ", " ")
                if other_where
                else ""
            )
            return f"when {indefinite_phrase(event.who, context).verb(singular, plural)}{other_phrase}"
        case _:
            raise UnrenderableError(f"no English for the event {event.word!r}")


VERBS = {  # event: verb, plural, preposition before the other die
    "attacks": ("attacks", "attack", ""),
    "commits": ("is declared as an attacker", "are declared as attackers", ""),
    "blocks": ("blocks", "block", ""),
    "is blocked": ("is blocked", "are blocked", "by"),
    "engaged": ("becomes engaged", "become engaged", "with"),
    "not blocked": ("attacks and is not blocked", "attack and are not blocked", ""),
    "KO'd": ("is KO'd", "are KO'd", ""),
    "KOs": ("KOs", "KO", ""),
    "damaged": ("takes damage", "take damage", "from"),
    "deals damage": ("deals damage", "deal damage", "to"),
    "would be damaged": ("would take damage", "would take damage", "from"),
    "would be KO'd": ("would be KO'd", "would be KO'd", ""),
    "would be targeted": ("has become a target", "have become targets", ""),
    "targeted": ("becomes a target", "become targets", ""),
}


STEP_EDGES = {  # name of a step, and which end of it
    f"{part} {edge}": ("roll and reroll step" if part == "roll" else part, edge)
    for part in ("turn", "roll", "main step", "attack step")
    for edge in ("starts", "ends")
}


def step_edge_text(event: Event) -> str:
    """Return the text of the start or end of a step: "at the start of your main step"."""
    step_name, edge = STEP_EDGES[event.word]
    position = "at the start of" if edge == "starts" else "at the end of"
    match event.who.op:
        case "you":
            return f"{position} your {step_name}"
        case "opponent":
            return f"{position} your opponent's {step_name}"
        case "each player":
            return f"{position} each {step_name}"
        case _:
            raise UnrenderableError(f"no English for the {step_name} of {event.who}")


def _player_action_text(event: Event, action: str) -> str:
    match event.who.op:
        case "you":
            return f"when you {_base_form(action)}"
        case "opponent":
            return f"when your opponent {action}"
        case "each player":
            return f"when a player {action}"
        case _:
            raise UnrenderableError(f"no English for {event.who} as a player")


def _fielding_or_buying_text(event: Event, active: str, passive: str, context: RenderContext) -> str:
    """Return the text of an event of fielding or buying; players field and buy their own dice."""
    if event.word == "bought" and event.who.op == "this":
        return "when you buy this die"
    if event.who.op == "this card":
        return f"when you {_base_form(active)} {with_article(context.title)} die"
    ops = {part.op for part in iter_conjuncts(event.who)}
    if event.who.op in ("and", "own", "opposing") and ops & {"own", "opposing"}:
        noun = noun_phrase(event.who, context)
        noun.is_owner_mentioned = True
        subject = f"you {_base_form(active)}" if "own" in ops else f"your opponent {active}"
        return f"when {subject} {indefinite(noun)}"
    return f"when {indefinite_phrase(event.who, context).text} {passive}"


def _base_form(action: str) -> str:
    """Return "use a Global" for "uses a Global"."""
    verb, space, remainder = action.partition(" ")
    return verb.removesuffix("s") + space + remainder


def third_person(action: str) -> str:
    """Return "uses a Global" for "use a Global"."""
    verb, space, remainder = action.partition(" ")
    remainder = remainder.replace(" and roll it into", " and rolls it into").replace(
        " and roll them into", " and rolls them into"
    )
    return f"{'has' if verb == 'have' else f'{verb}s'}{space}{remainder}"
