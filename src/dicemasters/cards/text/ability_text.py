"""Card texts: says the sentences of the card language in English.

Energy stands in square brackets for a front end to draw: [F] fist, [B] bolt, [M] mask, [S] shield, [1] one of any sort.
What the card itself does not say, and the rules or we add, stands in round brackets; only what a keyword does is always told.
A word this module cannot say raises UnrenderableError, so that no text is ever silently incomplete.
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
    Prevent,
    Redirect,
    Rule,
    Select,
    Unprinted,
    What,
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
    """Say all abilities of a card, one line each.

    >>> from dicemasters.cards import catalogue
    >>> card_text(catalogue().find("Kitty Pryde: Sprite"))
    'Sidekicks cannot block Kitty Pryde.'
    """
    return "\n".join(ability_text(ability, card) for ability in card.abilities)


def ability_text(ability: Ability, card: Card) -> str:
    """Say one ability of a card."""
    _check(ability)
    if ability.bursts and not ability.effects and not ability.rules:  # it has no text without a burst
        return "\n".join(
            f"{_stars(burst, ability, card.title)} {_alone(ability, burst, card)}" for burst in ability.bursts
        )
    named = card.kind == "character" and ability.scope != "pair"
    speech = RenderContext(card.title, card.title if named else "this die", ability.event, unprinted=ability.unprinted)
    said = _body(ability, speech)
    if ability.scope == "pair":
        said = f"While {card.title} is paired up, both partners have: “{said}”"
    said = _limited(said, ability, speech)
    bursts = [_burst(burst, ability, said, speech) for burst in ability.bursts]
    label = [f"{ability.keyword}{_mere_label(ability)}."] if ability.keyword else []
    if "keyword" in ability.unprinted:
        label = [f"({label[0]})"]
    return " ".join([*label, said, *bursts])


def _mere_label(ability: Ability) -> str:
    """Warn where Resistance is printed on a text that asks for no KO."""
    asks = own_ko_this_turn in walk(ability) or (ability.event is not None and ability.event.word == "KO'd")
    return "" if asks or ability.keyword != "Resistance" else " (here only a label, no character has to be KO'd)"


def _check(ability: Ability) -> None:
    """Refuse what no kind of sentence has a place for."""
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


def _body(ability: Ability, speech: RenderContext) -> str:
    match ability.kind:
        case "would" if said := _first_damage(ability, speech):
            return _after(lead_in(scope_text(ability, speech)), [said])
        case "when" | "would":
            return _after(when_text(ability, speech), effect_clauses(ability.effects, speech))
        case "always" if _is_reminder(ability):
            return _capital(KEYWORDS[ability.keyword].reminder.format(this=speech.this)) + "."
        case "always":
            lead = while_text(ability, speech)
            clauses = [join_list(rule_texts(ability.rules, speech))]
            if ability.lifted_by:
                before, speech.actor = speech.actor, "opponent"
                clauses.append(f"your opponent may {cost_text(ability.lifted_by, speech)} to end this for the turn")
                speech.actor = before
            return _after(lead, clauses)
        case "use":
            lead = "" if ability.event else while_text(ability, speech)
            only = f"Use this die only {step_edge_text(ability.event)}. " if ability.event else ""
            speech.used = speech.this == "this die"
            return only + _after(lead, used_clauses(ability.effects, speech))
        case "global":
            return _global(ability, speech)
        case "pay":
            lead = while_text(ability, speech)
            any_time = "whenever you could use a Global"
            if in_your_main_step in each_condition(ability.condition):
                lead = lead_in(scope_text(ability, speech)) + "in your main step, "
            elif "when" not in ability.unprinted:
                lead += f"{any_time}, "
            speech.just_mentioned = None
            offer, *more = may_clauses(May(ability.effects, ability.cost if ability.cost != Cost() else None), speech)
            return _after(lead, [f"{offer} ({any_time})" if "when" in ability.unprinted else offer, *more])
        case _:
            raise UnrenderableError(f"no English for abilities of the kind {ability.kind!r}")


def _first_damage(ability: Ability, speech: RenderContext) -> str:
    """Say what is done about the first damage of each turn; nothing if the ability is about something else."""
    if any(condition.op != "by source" for condition in each_condition(ability.condition)):
        return ""
    match ability.event, ability.effects:
        case Event("would be damaged"), ((Prevent(Number("first", (n,))) | Redirect(Number("first", (n,))) as effect),):
            may = ""
        case Event("would be damaged"), (May((Redirect(Number("first", (n,))) as effect,), None, "you"),):
            may = "you may "
        case _:
            return ""
    event = when_text(ability.replace(scope="die"), speech).removeprefix("when ").removesuffix(", ")
    taken = event.replace(" would take damage", " would take", 1).replace(" an action die", " action dice")
    deed = "prevent" if isinstance(effect, Prevent) else "redirect"
    to = f" to {object_text(effect.to, speech)}" if isinstance(effect, Redirect) else ""
    said = f"{may}{deed}{to} the first {n} damage {taken}"
    if to and ability.scope == "die" and "limit" not in speech.unprinted:
        return f"each turn, {said}"
    return f"{said} {'(each turn)' if 'limit' in speech.unprinted else 'each turn'}"


def _global(ability: Ability, speech: RenderContext) -> str:
    price = cost_text(ability.cost or Cost(), speech)
    scope = lead_in(scope_text(ability, speech))
    lead = when_text(ability, speech) if ability.event else scope + if_text(ability.condition, speech)
    when = f" {lead.removesuffix(', ')}" if lead else ""
    said = f"Global: {_capital(price)}{when}. {_after('', effect_clauses(ability.effects, speech))}"
    only = ["once per turn"] * (ability.limit == "turn") + ["on your turn"] * ability.own_turn
    return f"{said} Use this only {' and only '.join(only)}." if only else said


def _limited(said: str, ability: Ability, speech: RenderContext) -> str:
    limit = _limit(said, ability, speech)
    if not limit:
        return said
    return f"{said} ({limit})" if "limit" in ability.unprinted else f"{said} {limit}"


def _limit(said: str, ability: Ability, speech: RenderContext) -> str:
    """Say how often it works, as a sentence of its own; nothing if the text has said it."""
    event = ability.event.word if ability.event else ""
    match ability.limit:
        case "":
            return ""
        case "turn":
            return "" if ability.kind == "global" else "This works only once per turn."
        case "die":
            each = f"for each {speech.title} die"
            return f"This works only once per turn {f'({each})' if 'per die' in ability.unprinted else each}."
        case "first" if has_first_time_limit(ability) and " each turn " in said:
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
            return f"However many {speech.title} dice attack, this happens only once in each attack."
        case "together":
            verb = VERBS[event][1] if event in VERBS else "do so"
            return f"However many {speech.title} dice {verb} at the same moment, this happens only once."
        case _:
            raise UnrenderableError(f"no English for the limit {ability.limit!r}")


def price_prompt(cost: Cost, card: Card) -> str:
    """Say a price to whoever is asked to pay it: pay 2 life, KO one of your characters."""
    return cost_text(cost, RenderContext(card.title, card.title)).replace(" of their ", " of your ")


def _stars(burst: Burst, ability: Ability, title: str) -> str:
    """Say on which faces a burst counts; of a text that works while active any die may show it (rules 5.5b)."""
    any_die = f" (on any of your {title} dice)" if ability.scope == "active" else ""
    return "/".join("★" * n for n in burst.on) + any_die


def _alone(ability: Ability, burst: Burst, card: Card) -> str:
    """Say a burst that has an event of its own; after another text of the card it comes on top of that."""
    said = ability_text(ability.replace(effects=burst.effects, rules=burst.rules, bursts=()), card)
    before = card.abilities[: card.abilities.index(ability)] if ability in card.abilities else ()
    if not before or burst.instead:
        return said
    takes_life = any(isinstance(effect, Life) for other in before for effect in other.effects)
    more = re.sub(r"\bloses (\d+) life", r"loses \1 more life", said) if takes_life else said
    return f"Also, {more[0].lower()}{more[1:]}"


def _burst(burst: Burst, ability: Ability, said: str, speech: RenderContext) -> str:
    if added := _added(burst, ability):
        condition, speech.before, more = added
        first = condition_text(condition, speech).replace(" is ", " was ", 1)
        done = condition_text(if_done, speech).partition(" is ")[2]
        return f"{_stars(burst, ability, speech.title)} {_after(f'also, if {first} and is {done}, ', effect_clauses(more, speech))}"
    speech.just_mentioned = None
    speech.group, speech.is_other_mentioned, speech.is_duration_mentioned = None, False, False
    if "burst" in ability.unprinted:
        speech.unprinted = (*speech.unprinted, "duration")
    if burst.instead:
        speech.choices, speech.sorting, speech.drew_many = [], False, False
    effects = burst.effects
    if burst.instead and len(effects) > 1 and effects[0] == ability.effects[0] == NameCard():
        effects = effects[1:]  # the naming has been told already
    clauses = used_clauses(effects, speech)
    if not burst.instead and (given := _stat_change_recipient(ability.effects)):
        clauses = [_further(clause, given, _stat_change_recipient(burst.effects)) for clause in clauses]
    if burst.rules:
        clauses.append(join_list([rule_text(rule, speech) for rule in burst.rules]))
    return f"{_stars(burst, ability, speech.title)} {_after('instead, ' if burst.instead else 'also, ', clauses)}"


def _stat_change_recipient(effects: tuple[Effect, ...]) -> What | None:
    """Tell whose A or D a text changes, so that a burst may give more of it."""
    return next((e.rule.who for e in effects if isinstance(e, Give) and e.rule.word == "gets"), None)


def _further(clause: str, first: What, second: What | None) -> str:
    """Say that a bonus comes on top of another, or that others may get it."""
    where = second.where if isinstance(second, Select) else second
    if where is None:
        return clause
    if where.op == "chosen" or (isinstance(first, Where) and set(iter_conjuncts(first)) <= set(iter_conjuncts(where))):
        return re.sub(r"\b(gets?) (?=\+)", r"\1 a further ", clause, count=1)
    whose = {part.op for part in iter_conjuncts(where)} & {"own", "opposing"}
    return clause if whose else clause.replace("character ", "character (of either player) ", 1)


def _added(burst: Burst, ability: Ability) -> tuple[Condition, Ko, tuple[Effect, ...]] | None:
    """Give the condition, the KO and what a burst puts after it, where the burst changes nothing else."""
    match ability.effects, burst.effects:
        case (Do(a, (Ko() as ko,), b),), (Do(c, (same, Do(done, more, ())), d),) if (a, ko, b) == (c, same, d):
            return (a, ko, more) if burst.instead and done == if_done else None
    return None


def _is_reminder(ability: Ability) -> bool:
    """Whether the ability only says that this die has the keyword it is labelled with."""
    plain = Rule("has keyword", Where("this"), text=ability.keyword)
    return (
        bool(ability.keyword and KEYWORDS[ability.keyword].reminder)
        and ability.rules == (plain,)
        and ability.condition is None
    )


def _after(lead: str, clauses: list[str]) -> str:
    """Make sentences of clauses, the first of them after what leads up to it."""
    if not clauses:
        raise UnrenderableError(f"nothing follows {lead!r}")
    return " ".join(f"{_capital(clause)}." for clause in [lead + clauses[0], *clauses[1:]])


def _capital(text: str) -> str:
    first = 1 if text.startswith("(") else 0
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :]
