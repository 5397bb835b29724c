"""Rendering of static rules, bonuses and restrictions: "Hulk gets +2A until end of turn"."""

from __future__ import annotations

from typing import NoReturn

from dicemasters.cards.language.metadata import DURATIONS, PLACES
from dicemasters.cards.language.vocabulary import ALL, USED, Amount, Number, Operand, Rule, Select, Where
from dicemasters.cards.text.amount_text import amount_text
from dicemasters.cards.text.condition_text import ability_class
from dicemasters.cards.text.noun_phrases import (
    as_dice,
    comparison_text,
    fielded_group_text,
    iter_conjuncts,
    noun_phrase,
    object_text,
    owner_text,
    plural_subject,
    plural_text,
    subject_text,
)
from dicemasters.cards.text.render_context import (
    OPPONENT,
    THEY,
    PersonPhrase,
    RenderContext,
    UnrenderableError,
    join_list,
    zone_text,
    zones_text,
)


def rule_texts(rules: tuple[Rule, ...], context: RenderContext) -> list[str]:
    """Return the texts of static rules, merging those about the same dice."""
    texts: list[str] = []
    for i, rule in enumerate(rules):
        if i and rule.word == "cannot block" and rules[i - 1].word == "cannot attack" and rule.who == rules[i - 1].who:
            texts[-1] += " or block"
        elif (
            i
            and rule.word.startswith("costs to ")
            and rules[i - 1].word.startswith("costs to ")
            and rule.who == rules[i - 1].who
        ):
            texts[-1] += f" and {price_text(rule.a, context)} to {rule.word.removeprefix('costs to ')}"
        else:
            texts.append(rule_text(rule, context))
    return texts


def rule_text(rule: Rule, context: RenderContext, duration: str = "") -> str:
    """Return the text of a static rule, with its duration if it is granted."""
    if isinstance(rule.who, Where) and (activity := required_activity(rule.who)):
        text = rule_text(rule.replace(who=THIS), context, duration)
        return f"while {context.this} is {activity}, {text}"
    subject = rule_subject(rule, context)
    match rule.word:
        case "gets":
            if context.is_action_use and isinstance(rule.who, Where) and subject.text.startswith("your "):
                subject = PersonPhrase(object_text(rule.who, context))  # "each of your characters"
            bonus, tail = bonus_text(rule.a, rule.d, context)
            return f"{subject.verb('gets', 'get')} {bonus}{duration}{tail}"
        case "multiplies":
            return f"{subject.as_possessive} {_multiplied_text(rule)}{duration}"
        case "becomes":
            return f"{subject.as_possessive} A is {comparison_text(rule.a, context)} and D is {comparison_text(rule.d, context)}{duration}"
        case "sets A":
            equal = "equal to " if isinstance(rule.a, Number) else ""
            return f"{subject.as_possessive} A becomes {equal}{comparison_text(rule.a, context)}{duration}"
        case "counts as level":
            phrase = f"{subject.verb('counts', 'count')} as level {comparison_text(rule.a, context)}{duration}"
            return f"{phrase}, with the A, D, fielding cost and bursts of that level"
        case "costs to buy" if rule.text == "once":
            return f"{_predicate_text(rule, subject, context)}{duration}; several {context.title} dice do not add up"
        case "exchanges" if subject.text.endswith("s") and not subject.plural:  # "one of your characters"
            return f"exchange the A and D of {subject.as_object}{duration}"
        case "halves":
            down = f", rounded down{duration}" if "(" in duration else f"{duration}, rounded down"
            return f"{subject.as_possessive} A is halved{down}"
        case "exchanges":
            return f"{subject.as_possessive} A and D are exchanged{duration}"
        case "cannot attack" | "cannot block" if rule.a:
            whose_life, declared = (
                f"{subject.pronoun.as_possessive} controller",
                f"{rule.word.removeprefix('cannot ')}ers",
            )
            timing = f"when {declared} are declared"
            timing = f"({timing})" if "when" in context.unprinted else timing
            return f"{subject.text} {rule.word}{duration} unless {whose_life} pays {comparison_text(rule.a, context)} life {timing}"
        case "must attack":
            return f"{subject.text} must attack{forced_text(duration, subject)}"
        case "must block":
            return f"{subject.text} must block{forced_text(duration, subject)}"
        case "must block this":
            return f"{subject.text} must block {context.this}{forced_text(duration, subject)}"
        case "must be blocked":
            return f"{subject.text} must be blocked{forced_text(duration, subject)}"
        case "takes half":
            return f"{subject.verb('takes', 'take')} half {_damage_from_text(rule, context)}{duration}, rounded down"
        case "excess goes through":
            lead, suffix = ("", duration) if "(" in duration else (f"{duration.strip()}, " if duration else "", "")
            attacker, dealer = (subject.text, subject.text) if not subject.plural else ("one of them", "that character")
            clause = f"while {attacker} is attacking, combat damage {dealer} deals beyond the total D of the characters blocking"
            return f"{lead}{clause} {THEY.as_object if subject.plural else dealer} goes to your opponent{suffix}"
        case _:
            return f"{_predicate_text(rule, subject, context)}{duration}"


THIS = Where("this")


def required_activity(where: Where) -> str:
    """Return "attacking" or "blocking" if the rule applies to this die only while it does that, else ""."""
    parts = list(iter_conjuncts(where))
    activities = [part.op for part in parts if part.op in ("attacking", "blocking")]
    return activities[0] if THIS in parts and len(parts) == 2 and activities else ""


def _excluded_descriptions(where: Where) -> list[Where]:
    """Return what a purely negative description excludes: "everything that is neither a Villain nor a Sidekick"."""
    parts = [part for part in iter_conjuncts(where) if part != Where("character")]
    excluded = [part.args[0] for part in parts if part.op == "not"]
    return [part for part in excluded if isinstance(part, Where)] if len(excluded) == len(parts) else []


def _predicate_text(rule: Rule, subject: PersonPhrase, context: RenderContext) -> str:
    to = f" to {plural_text(rule.by, context)}" if rule.by else ""
    possessive_pronoun = subject.pronoun.as_possessive
    match rule.word:
        case "cannot attack" | "cannot block" if rule.who == THIS:
            return f"{subject.verb('is', 'are')} unable to {rule.word.removeprefix('cannot ')}"
        case "cannot attack" | "cannot block" | "cannot be KO'd":
            return f"{subject.text} {rule.word}"
        case "goes instead":
            destination, *origins = rule.text.split()
            owner = owner_text(rule.who, context)
            to, places = zone_text(destination, owner), zones_text(tuple(origins), owner)
            used_pile = PLACES[USED].name
            places = places.replace(
                used_pile, f"{used_pile} (or Out of Play)"
            )  # on the way to the used pile (rules 2.1b2)
            lead = f"when {subject.text} would leave the field for {places}"
            return f"{lead}, {subject.verb('goes', 'go')} to {to} instead"
        case "cannot reroll":
            return f"{subject.text} cannot reroll dice in the roll and reroll step"
        case "cannot declare blockers":
            return f"{subject.text} cannot declare blockers"
        case "cannot be blocked" if rule.by and (exceptions := _excluded_descriptions(rule.by)):
            return f"{subject.text} can be blocked only by {join_list([plural_text(where, context) for where in exceptions], 'or')}"
        case "cannot be blocked" if rule.by:
            context.just_mentioned = None
            return f"{subject_text(rule.by, context, '').text} cannot block {subject.as_object}"
        case "cannot be blocked":
            return f"{subject.text} cannot be blocked"
        case "blocked last":
            others = plural_text(rule.by, context) if rule.by else "others"
            return f"{subject.text} cannot be blocked unless all {others} are blocked too"
        case "rerolls more":
            times = "1 more time" if rule.a == 1 else f"{comparison_text(rule.a, context)} more times"
            possessive = "your" if rule.who == Where("you") else "their"
            step = f"in {possessive} roll and reroll step, after the first reroll"
            return f"{subject.text} may reroll any of {possessive} dice {times} {step}"
        case "cannot field" if isinstance(rule.who, Where) and any(
            part.op == "opposing" for part in iter_conjuncts(rule.who)
        ):
            noun = noun_phrase(rule.who, context)
            noun.is_owner_mentioned = True
            return f"{OPPONENT.text} cannot field {noun.many()}"
        case "cannot field":
            return f"{subject.text} cannot be fielded"
        case "cannot use":
            return (
                f"{subject.text} cannot use {join_list([_source_kind_text(kind) for kind in rule.text.split()], 'or')}"
            )
        case "draws more" if isinstance(rule.a, int):
            dice = f"{abs(rule.a)} {'more' if rule.a > 0 else 'fewer'} {'die' if abs(rule.a) == 1 else 'dice'}"
            step = f"{'your' if rule.who == Where('you') else 'their'} clear and draw step"
            return f"{subject.verb('draws', 'draw')} {dice} in {step}"
        case "may attack":
            return f"{subject.text} can attack after all"
        case "attacks again":
            condition = (
                f"if {context.title} is still active at the end of the first and at least 1 character attacks in each"
            )
            return f"{subject.text} may have a second attack step immediately after the first, {condition}"
        case "ability costs life":
            uses = f"each {ability_class(rule.text)} ability of {subject.as_object}"
            return f"{uses} does nothing unless {subject.pronoun.text} pay {comparison_text(rule.a, context)} life"
        case "stays unblocked":
            return f"{subject.verb('stays', 'stay')} in the field after attacking unblocked"
        case "Globals cost":
            return f"Globals cost {subject_text(rule.who, context).as_object} {price_text(rule.a, context, ' to use')}"
        case "text ignored":
            return "the text of all cards of the named affiliation is ignored, Globals included"
        case "assigns no damage":
            context.just_mentioned = None
            recipient = object_text(rule.by, context) if rule.by else "anybody"
            return f"{subject.verb('assigns', 'assign')} no combat damage to {recipient}"
        case "deals twice":
            return f"{subject.verb('deals', 'deal')} {possessive_pronoun} combat damage to your opponent twice"
        case "blocked by at least":
            return f"{subject.text} cannot be blocked by fewer than {comparison_text(rule.a, context)} characters"
        case "blocks more":
            recipient = plural_text(rule.by, context) if rule.by else "characters"
            limit = rule.a if isinstance(rule.a, int) else _raise_unknown_factor(rule.a)
            return f"{subject.text} can block {'any number of' if limit == ALL else f'up to {limit + 1}'} {recipient}"
        case "blocks also":
            extra = rule.a if isinstance(rule.a, int) else _raise_unknown_factor(rule.a)
            return f"{subject.text} can block {extra} more character{'s' if extra > 1 else ''}"
        case "has keyword":
            return f"{subject.verb('has', 'have')} {rule.text}"
        case "has keywords of" if rule.by:
            return f"{subject.verb('has', 'have')} the keyword abilities of {fielded_group_text(rule.by, context)}"
        case "loses keyword":
            return f"{subject.verb('loses', 'lose')} {rule.text} and cannot gain it"
        case "has affiliation":
            return f"{subject.verb('has', 'have')} the {rule.text} affiliation"
        case "deals no damage" if isinstance(rule.who, Select):
            return f"no damage is dealt by {subject.as_object}"
        case "deals no damage":
            return f"{subject.verb('deals', 'deal')} no damage"
        case "deals no combat damage":
            return f"{subject.verb('deals', 'deal')} no combat damage"
        case "takes less" if rule.a == ALL and rule.by and not rule.text:
            return f"{subject_text(rule.by, context, '').text} deal no damage to {subject.as_object}"
        case "takes less" if rule.a == ALL:
            return f"{subject.verb('takes', 'take')} no {_damage_from_text(rule, context)}"
        case "takes less" if isinstance(rule.a, int):
            phrase = f"{subject.verb('takes', 'take')} {rule.a} less"
            if rule.by and not rule.text:
                return f"{phrase} damage from {object_text(rule.by, context)}"
            return f"{phrase} {_damage_from_text(rule, context)} (from each source)"
        case "takes less":
            return f"{subject.verb('takes', 'take')} {_difference_text('less', rule.a, context, _damage_from_text(rule, context))}"
        case "deals more":
            each = to or f" to each character or player {subject.pronoun.text} damage"
            return f"{subject.verb('deals', 'deal')} {more_text(rule.a, context)} more damage{each}"
        case "deals times":
            n = rule.a if isinstance(rule.a, int) else _raise_unknown_factor(rule.a)
            return f"{subject.verb('deals', 'deal')} {_FACTORS.get(n, f'{n} times the')} damage{to}"
        case "full damage to each":
            recipient = (
                THEY.as_object if subject.plural else context.this if rule.who == Where("this") else subject.as_object
            )
            each = "of them" if context.are_blockers_mentioned else f"character blocking {recipient}"
            full = f"{possessive_pronoun if subject.plural else PersonPhrase(recipient).as_possessive} full A"
            return f"{subject.verb('deals', 'deal')} combat damage equal to {full} to each {each}"
        case "damages player instead":
            return f"all of {subject.as_possessive} combat damage goes to your opponent instead of to the blockers"
        case "fields free":
            return f"{subject.verb('costs', 'cost')} nothing to field"
        case "takes more":
            return f"{subject.verb('takes', 'take')} {_difference_text('more', rule.a, context, _damage_from_text(rule, context))}"
        case "cannot be targeted":
            kinds = join_list([_source_kind_text(kind) for kind in rule.text.split()], "or") if rule.text else ""
            if rule.by is not None:
                kinds = f"{subject_text(rule.by, context).as_possessive} {kinds or 'effects'}"
            return f"{subject.text} cannot be targeted{f' by {kinds}' if kinds else ''}"
        case "costs to buy":
            return f"{subject.verb('costs', 'cost')} {price_text(rule.a, context, ' to buy')}{minimum_cost_text(rule)}"
        case "costs to field":
            return f"{subject.verb('costs', 'cost')} {price_text(rule.a, context, ' to field')}"
        case "costs at least to field":
            price = f"at least {comparison_text(rule.a, context)} energy to field"
            return f"{subject.verb('costs', 'cost')} {price}, even where a text makes them cheaper or free"
        case _:
            raise UnrenderableError(f"no English for the rule {rule.word!r}")


_FACTORS = {2: "double", 3: "triple"}


_ONE_SIDE = {
    "own",
    "opposing",
    "this",
    "that",
    "the other",
    "partner",
    "chosen",
    "touched",
    "payer's",
    "active player's",
}
_ONE_SIDE |= {"attacking", "blocking", "blocked", "unblocked", "engaged", "blocked by this", "blocking this"}
_ONE_SIDE |= {"engaged with this", "of named card", "just moved", "drawn"}


def rule_subject(rule: Rule, context: RenderContext) -> PersonPhrase:
    """Return the subject of a rule."""
    if rule.word in ("costs to buy", "costs to field", "fields free", "costs at least to field"):
        return _dice_subject(rule.who, context)
    subject = subject_text(rule.who, context, "" if rule.word.startswith("cannot") else "all")
    if not isinstance(rule.who, Where) or rule.who.op not in ("and", "character", "sidekick"):
        return subject
    parts = {part.op for part in iter_conjuncts(rule.who)}
    if parts & _ONE_SIDE or subject.text.startswith("your "):
        return subject
    quantifier = "" if rule.word.startswith("cannot") or subject.text.startswith("all ") else "all "
    return PersonPhrase(f"{quantifier}{subject.text} (of both players)", True)


def _dice_subject(operand: Operand, context: RenderContext) -> PersonPhrase:
    """Return the subject of a rule about buying or fielding dice, which says dice instead of characters."""
    if not isinstance(operand, Where) or operand.op in ("this", "this card", "or"):
        return subject_text(operand, context)
    noun = noun_phrase(operand, context)
    noun.nouns = as_dice(noun.nouns)
    title = next((text for rank, text in noun.adjectives if rank == "title"), "")
    if title and noun.nouns == ("character die",):
        noun.nouns = ("die",)
    return PersonPhrase(plural_subject(noun), True)


def _damage_from_text(rule: Rule, context: RenderContext) -> str:
    """Return the damage that a rule is about: "damage from Villains", "combat damage", "damage from action dice"."""
    dice = plural_text(rule.by, context) if rule.by else ""
    kinds = rule.text.split(", ") if rule.text and rule.word.startswith("takes") else []
    if not kinds or kinds == ["combat"] or set(kinds) == {"ability", "action", "global"}:
        adjective = "" if not kinds else "combat " if kinds == ["combat"] else "non-combat "
        return f"{adjective}damage{f' from {dice}' if dice else ''}"
    owner = f"{PersonPhrase(dice, True).as_possessive} " if dice else ""
    return f"damage from {owner}{join_list([_source_kind_text(kind) for kind in kinds], 'or')}"


def _source_kind_text(kind: str) -> str:
    kinds = {"action": "action dice", "global": "Globals", "ability": "abilities", "combat": "combat"}
    return kinds.get(kind) or f"{ability_class(kind)} abilities"


def forced_text(duration: str, subject: PersonPhrase) -> str:
    """Return the ending of an obligation: its duration and "if able"."""
    if duration == " until end of turn":
        return " this turn if able"
    if duration == " (until end of turn)":
        return " if able (this turn)"
    if "(" in duration:
        return f" if able{duration}"
    if duration == " the next time it is able to":
        return duration if subject.is_die else " the next time they are able to"
    return f"{duration} if able"


def bonus_text(a: Amount, d: Amount, context: RenderContext) -> tuple[str, str]:
    """Return a change of A and D, and its "for each ..." tail."""
    parts: list[str] = []
    tails: list[str] = []
    for amount, stat in ((a, "A"), (d, "D")):
        if amount != 0 or a == d:
            phrase = amount_text(amount, context)
            sign = "" if phrase.number_text.startswith("-") else "+"
            parts.append(
                f"a bonus to {stat} equal to {phrase.equal_to}"
                if phrase.equal_to
                else f"{sign}{phrase.number_text}{stat}"
            )
            tails.append(phrase.tail)
    if len(set(tails)) < 2:
        return join_list(parts), "".join(tails[:1])
    clauses = sorted(
        (part + tail for part, tail in zip(parts, tails, strict=True)), key=lambda part: " for each " not in part
    )
    return ", and ".join(clauses), ""


def _multiplied_text(rule: Rule) -> str:
    def times(n: Amount) -> str:
        return (
            {2: "doubled", 3: "tripled"}.get(n, f"multiplied by {n}")
            if isinstance(n, int)
            else _raise_unknown_factor(n)
        )

    if rule.a == rule.d:
        return f"A and D are {times(rule.a)}"
    stats = [f"{stat} is {times(n)}" for n, stat in ((rule.a, "A"), (rule.d, "D")) if n != 1]
    return join_list(stats)


def _raise_unknown_factor(n: Number) -> NoReturn:
    raise UnrenderableError(f"no English for the factor {n}")


def _difference_text(direction: str, amount: Amount, context: RenderContext, damage: str) -> str:
    phrase = amount_text(amount, context)
    if phrase.equal_to:
        return f"{direction} {damage} each time, by {phrase.equal_to}"
    return f"{phrase.number_text} {direction} {damage} each time{phrase.tail}"


def price_text(change: Amount, context: RenderContext, suffix: str = "") -> str:
    """Return a change of a cost: "1 less to buy"."""
    if not isinstance(change, int):
        phrase = amount_text(change, context)
        if phrase.equal_to or not phrase.number_text.lstrip("-").isdigit():
            raise UnrenderableError(f"no English for the price {change}")
        return price_text(int(phrase.number_text), context, suffix) + phrase.tail
    return (f"{change} more" if change > 0 else f"{-change} less") + suffix


def minimum_cost_text(rule: Rule) -> str:
    """Return a reminder that discounts on other cards' dice stop at 1 (rules 3.3b3)."""
    if rule.who in (Where("this"), Where("this card")):
        return "" if isinstance(rule.a, int) else " (down to 0)"  # a computed discount can exceed the cost
    less = rule.a < 0 if isinstance(rule.a, int) else False
    return " (but at least 1)" if less else ""


def until_text(until: str, context: RenderContext) -> str:
    """Return the text of a duration."""
    row = DURATIONS.get(until)
    if row is None or not row.text:
        raise UnrenderableError(f"no English for the duration {until!r}")
    return row.unprinted_text if row.unprinted_text and "duration" in context.unprinted else row.text


def more_text(amount: Amount, context: RenderContext) -> str:
    """Return the amount of an increase."""
    phrase = amount_text(amount, context)
    return phrase.equal_to or phrase.number_text + phrase.tail
