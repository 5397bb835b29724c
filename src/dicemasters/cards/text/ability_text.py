"""Rendering of abilities in English.

Energy is written in square brackets for front ends to draw: [F] fist, [B] bolt, [M] mask, [S] shield, [1] one of any
type. Round brackets hold what the card does not print and the rules or we add, except for keywords, which are always
explained. Anything without English raises `UnrenderableError`, so no text is ever silently incomplete.
"""

from __future__ import annotations

import re
from typing import get_args

from dicemasters.cards.catalogue import Card
from dicemasters.cards.language.metadata import KEYWORDS
from dicemasters.cards.language.semantics import walk
from dicemasters.cards.language.vocabulary import (
    Ability,
    Burst,
    Condition,
    Cost,
    Do,
    Effect,
    Event,
    Give,
    Ko,
    Life,
    May,
    NameCard,
    Number,
    Operand,
    Prevent,
    Redirect,
    Rule,
    Select,
    Unprinted,
    Where,
    if_done,
    in_your_main_step,
    own_ko_this_turn,
)
from dicemasters.cards.text.clauses import cost_text, effect_clauses, may_clauses, used_clauses
from dicemasters.cards.text.condition_text import condition_text, each_condition
from dicemasters.cards.text.event_text import (
    VERBS,
    has_first_time_limit,
    if_text,
    lead_in,
    scope_text,
    step_edge_text,
    when_text,
    while_text,
)
from dicemasters.cards.text.noun_phrases import iter_conjuncts, object_text
from dicemasters.cards.text.render_context import RenderContext, UnrenderableError, join_list
from dicemasters.cards.text.rule_text import rule_text, rule_texts


def card_text(card: Card) -> str:
    """Return the text of all abilities of a card, one line each.

    >>> from dicemasters.cards import catalogue
    >>> card_text(catalogue().find("Kitty Pryde: Sprite"))
    'Sidekicks cannot block Kitty Pryde.'
    """
    return "\n".join(ability_text(ability, card) for ability in card.abilities)


def ability_text(ability: Ability, card: Card) -> str:
    """Return the text of one ability of a card."""
    _check_renderable(ability)
    if ability.bursts and not ability.effects and not ability.rules:  # the ability has no text without a burst
        return "\n".join(
            f"{_burst_label(burst, ability, card.title)} {_standalone_burst_text(ability, burst, card)}"
            for burst in ability.bursts
        )
    uses_title = card.kind == "character" and ability.scope != "pair"
    context = RenderContext(
        card.title, card.title if uses_title else "this die", ability.event, unprinted=ability.unprinted
    )
    text = _body_text(ability, context)
    if ability.scope == "pair":
        text = f"While {card.title} is paired up, both partners have: “{text}”"
    text = _with_limit(text, ability, context)
    bursts = [_burst_text(burst, ability, text, context) for burst in ability.bursts]
    label = [f"{ability.keyword}{_label_note(ability)}."] if ability.keyword else []
    if "keyword" in ability.unprinted:
        label = [f"({label[0]})"]
    return " ".join([*label, text, *bursts])


def _label_note(ability: Ability) -> str:
    """Return a note if Resistance is printed on an ability without its condition."""
    asks = own_ko_this_turn in walk(ability) or (ability.event is not None and ability.event.word == "KO'd")
    return "" if asks or ability.keyword != "Resistance" else " (here only a label, no character has to be KO'd)"


def _check_renderable(ability: Ability) -> None:
    """Raise `UnrenderableError` if a field has no place in the text of this kind of ability."""
    if ability.keyword and ability.keyword not in KEYWORDS:
        raise UnrenderableError(f"no English for the keyword {ability.keyword!r}")
    if strange := set(ability.unprinted) - set(get_args(Unprinted)):
        raise UnrenderableError(f"no English for {join_list(sorted(strange))} that is not printed")
    if ability.own_turn and ability.kind != "global":
        raise UnrenderableError(f"no English for abilities of the kind {ability.kind!r} on one's own turn only")
    if ability.lifted_by and ability.kind != "always":
        raise UnrenderableError(f"no English for abilities of the kind {ability.kind!r} that can be lifted")
    if ability.cost and ability.kind not in ("global", "pay"):
        raise UnrenderableError(f"no English for abilities of the kind {ability.kind!r} at a cost")


def _body_text(ability: Ability, context: RenderContext) -> str:
    match ability.kind:
        case "would" if text := _first_damage_text(ability, context):
            return _to_sentences(lead_in(scope_text(ability, context)), [text])
        case "when" | "would":
            return _to_sentences(when_text(ability, context), effect_clauses(ability.effects, context))
        case "always" if _is_reminder(ability):
            return _capitalise(KEYWORDS[ability.keyword].reminder.format(this=context.this)) + "."
        case "always":
            lead = while_text(ability, context)
            clauses = [join_list(rule_texts(ability.rules, context))]
            if ability.lifted_by:
                outer_actor, context.actor = context.actor, "opponent"
                clauses.append(f"your opponent may {cost_text(ability.lifted_by, context)} to end this for the turn")
                context.actor = outer_actor
            return _to_sentences(lead, clauses)
        case "use":
            lead = "" if ability.event else while_text(ability, context)
            timing = f"Use this die only {step_edge_text(ability.event)}. " if ability.event else ""
            context.is_action_use = context.this == "this die"
            return timing + _to_sentences(lead, used_clauses(ability.effects, context))
        case "global":
            return _global_text(ability, context)
        case "pay":
            lead = while_text(ability, context)
            any_time = "whenever you could use a Global"
            if in_your_main_step in each_condition(ability.condition):
                lead = lead_in(scope_text(ability, context)) + "in your main step, "
            elif "when" not in ability.unprinted:
                lead += f"{any_time}, "
            context.just_mentioned = None
            offer, *follow_ups = may_clauses(
                May(ability.effects, ability.cost if ability.cost != Cost() else None), context
            )
            return _to_sentences(lead, [f"{offer} ({any_time})" if "when" in ability.unprinted else offer, *follow_ups])
        case _:
            raise UnrenderableError(f"no English for abilities of the kind {ability.kind!r}")


def _first_damage_text(ability: Ability, context: RenderContext) -> str:
    """Return the text of an ability about the first damage of each turn, or "" for any other ability."""
    if any(condition.op != "by source" for condition in each_condition(ability.condition)):
        return ""
    match ability.event, ability.effects:
        case Event("would be damaged"), ((Prevent(Number("first", (n,))) | Redirect(Number("first", (n,))) as effect),):
            may = ""
        case Event("would be damaged"), (May((Redirect(Number("first", (n,))) as effect,), None, "you"),):
            may = "you may "
        case _:
            return ""
    event = when_text(ability.replace(scope="die"), context).removeprefix("when ").removesuffix(", ")
    event_phrase = event.replace(" would take damage", " would take", 1).replace(" an action die", " action dice")
    verb = "prevent" if isinstance(effect, Prevent) else "redirect"
    destination = f" to {object_text(effect.to, context)}" if isinstance(effect, Redirect) else ""
    text = f"{may}{verb}{destination} the first {n} damage {event_phrase}"
    if destination and ability.scope == "die" and "limit" not in context.unprinted:
        return f"each turn, {text}"
    return f"{text} {'(each turn)' if 'limit' in context.unprinted else 'each turn'}"


def _global_text(ability: Ability, context: RenderContext) -> str:
    price = cost_text(ability.cost or Cost(), context)
    scope = lead_in(scope_text(ability, context))
    lead = when_text(ability, context) if ability.event else scope + if_text(ability.condition, context)
    timing = f" {lead.removesuffix(', ')}" if lead else ""
    text = f"Global: {_capitalise(price)}{timing}. {_to_sentences('', effect_clauses(ability.effects, context))}"
    restrictions = ["once per turn"] * (ability.limit == "turn") + ["on your turn"] * ability.own_turn
    return f"{text} Use this only {' and only '.join(restrictions)}." if restrictions else text


def _with_limit(text: str, ability: Ability, context: RenderContext) -> str:
    limit = _limit_text(text, ability, context)
    if not limit:
        return text
    return f"{text} ({limit})" if "limit" in ability.unprinted else f"{text} {limit}"


def _limit_text(text: str, ability: Ability, context: RenderContext) -> str:
    """Return the limit as a sentence, or "" if the text states it already."""
    event = ability.event.word if ability.event else ""
    match ability.limit:
        case "":
            return ""
        case "turn":
            return "" if ability.kind == "global" else "This works only once per turn."
        case "die":
            each = f"for each {context.title} die"
            return f"This works only once per turn {f'({each})' if 'per die' in ability.unprinted else each}."
        case "first" if has_first_time_limit(ability) and " each turn " in text:
            everybody = ability.event is not None and ability.event.who == Where("each player")
            return "This happens only once per turn, not once for each player." if everybody else ""
        case "first":
            return "This works only the first time each turn."
        case "moment" if ability.scope == "pair" and event == "attacks":
            return "If both partners attack, this happens only once in each attack."
        case "moment" if ability.scope == "pair":
            verb = VERBS[event][1] if event in VERBS else "do so"
            return f"If both partners {verb} at the same moment, this happens only once."
        case "moment" if event.endswith("damaged"):
            return "All such damage of one moment counts together."
        case "moment":
            return "This happens only once for everything at the same moment."
        case "together" if event == "attacks":
            return f"However many {context.title} dice attack, this happens only once in each attack."
        case "together":
            verb = VERBS[event][1] if event in VERBS else "do so"
            return f"However many {context.title} dice {verb} at the same moment, this happens only once."
        case _:
            raise UnrenderableError(f"no English for the limit {ability.limit!r}")


def price_prompt(cost: Cost, card: Card) -> str:
    """Return a cost as a prompt for the paying player: "pay 2 life", "KO one of your characters"."""
    return cost_text(cost, RenderContext(card.title, card.title)).replace(" of their ", " of your ")


def _burst_label(burst: Burst, ability: Ability, title: str) -> str:
    """Return the stars of a burst. For an ability that works while active, any of the dice may show it (rules 5.5b)."""
    any_die = f" (on any of your {title} dice)" if ability.scope == "active" else ""
    return "/".join("★" * n for n in burst.on) + any_die


def _standalone_burst_text(ability: Ability, burst: Burst, card: Card) -> str:
    """Return the text of a burst with its own event. An addition to another ability of the card begins with "Also"."""
    text = ability_text(ability.replace(effects=burst.effects, rules=burst.rules, bursts=()), card)
    preceding = card.abilities[: card.abilities.index(ability)] if ability in card.abilities else ()
    if not preceding or burst.instead:
        return text
    takes_life = any(
        isinstance(effect, Life) for preceding_ability in preceding for effect in preceding_ability.effects
    )
    sentence = re.sub(r"\bloses (\d+) life", r"loses \1 more life", text) if takes_life else text
    return f"Also, {sentence[0].lower()}{sentence[1:]}"


def _burst_text(burst: Burst, ability: Ability, text: str, context: RenderContext) -> str:
    if added := _ko_follow_up(burst, ability):
        condition, context.previous_effect, added_effects = added
        condition_phrase = condition_text(condition, context).replace(" is ", " was ", 1)
        done_phrase = condition_text(if_done, context).partition(" is ")[2]
        return f"{_burst_label(burst, ability, context.title)} {_to_sentences(f'also, if {condition_phrase} and is {done_phrase}, ', effect_clauses(added_effects, context))}"
    context.just_mentioned = None
    context.group, context.is_other_mentioned, context.is_duration_mentioned = None, False, False
    if "burst" in ability.unprinted:
        context.unprinted = (*context.unprinted, "duration")
    if burst.instead:
        context.choices, context.has_picked_drawn, context.drew_many = [], False, False
    effects = burst.effects
    if burst.instead and len(effects) > 1 and effects[0] == ability.effects[0] == NameCard():
        effects = effects[1:]  # the naming has already been rendered
    clauses = used_clauses(effects, context)
    if not burst.instead and (recipient := _stat_change_recipient(ability.effects)):
        clauses = [
            _mark_additional_bonus(clause, recipient, _stat_change_recipient(burst.effects)) for clause in clauses
        ]
    if burst.rules:
        clauses.append(join_list([rule_text(rule, context) for rule in burst.rules]))
    return f"{_burst_label(burst, ability, context.title)} {_to_sentences('instead, ' if burst.instead else 'also, ', clauses)}"


def _stat_change_recipient(effects: tuple[Effect, ...]) -> Operand | None:
    """Return the recipient of a change of A or D, or None, so that a burst can add to it."""
    return next(
        (effect.rule.who for effect in effects if isinstance(effect, Give) and effect.rule.word == "gets"), None
    )


def _mark_additional_bonus(clause: str, base: Operand, added: Operand | None) -> str:
    """Mark a bonus as additional to another one, or as available to the characters of either player."""
    where = added.where if isinstance(added, Select) else added
    if where is None:
        return clause
    if where.op == "chosen" or (isinstance(base, Where) and set(iter_conjuncts(base)) <= set(iter_conjuncts(where))):
        return re.sub(r"\b(gets?) (?=\+)", r"\1 a further ", clause, count=1)
    owners = {part.op for part in iter_conjuncts(where)} & {"own", "opposing"}
    return clause if owners else clause.replace("character ", "character (of either player) ", 1)


def _ko_follow_up(burst: Burst, ability: Ability) -> tuple[Condition, Ko, tuple[Effect, ...]] | None:
    """Return the condition, the KO and the added effects if the burst only adds effects after the KO, else None."""
    match ability.effects, burst.effects:
        case (Do(a, (Ko() as ko,), b),), (Do(c, (same_ko, Do(done, added_effects, ())), d),) if (a, ko, b) == (
            c,
            same_ko,
            d,
        ):
            return (a, ko, added_effects) if burst.instead and done == if_done else None
    return None


def _is_reminder(ability: Ability) -> bool:
    """Return whether the ability only states that this die has the keyword of its label."""
    self_grant = Rule("has keyword", Where("this"), text=ability.keyword)
    return (
        bool(ability.keyword and KEYWORDS[ability.keyword].reminder)
        and ability.rules == (self_grant,)
        and ability.condition is None
    )


def _to_sentences(lead: str, clauses: list[str]) -> str:
    """Return the clauses as sentences, the first of them introduced by `lead`."""
    if not clauses:
        raise UnrenderableError(f"nothing follows {lead!r}")
    return " ".join(f"{_capitalise(clause)}." for clause in [lead + clauses[0], *clauses[1:]])


def _capitalise(text: str) -> str:
    first = 1 if text.startswith("(") else 0
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :]
