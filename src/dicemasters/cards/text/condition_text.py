"""Rendering of conditions: "if you have a Villain in the field", "while your life is 5 or less"."""

from __future__ import annotations

from functools import reduce

from dicemasters.cards.language.vocabulary import KEYWORDS, Amount, Condition, Copy, Ko, Number, Spin, Where
from dicemasters.cards.text.noun_phrases import (
    comparison_text,
    count_once_note,
    counted_phrase,
    in_the_field,
    indefinite,
    is_one,
    is_text,
    iter_conjuncts,
    noun_phrase,
    reference_text,
    subject_text,
    with_predicate,
)
from dicemasters.cards.text.render_context import RenderContext, UnrenderableError, join_list, with_article


def each_condition(condition: Condition | None) -> list[Condition]:
    """Return the conditions that must all hold, as a list."""
    if condition is None:
        return []
    if condition.op != "and" or distinguished_member(condition):
        return [condition]
    return [single for part in condition.args if isinstance(part, Condition) for single in each_condition(part)]


def distinguished_member(condition: Condition) -> Where | None:
    """Return what distinguishes one of several dice: "two attackers, one of them a Villain". None if not applicable."""
    match condition.args:
        case Condition("count", (_, int(n), Where() as group)), Condition("count", (">=", 1, Where() as member)) if (
            n > 1
        ):
            common, special = set(iter_conjuncts(group)), list(iter_conjuncts(member))
            if common < set(special):
                distinguishing = [part for part in special if part not in common or part == Where("character")]
                return reduce(Where.__and__, distinguishing)
    return None


def condition_text(condition: Condition, context: RenderContext) -> str:
    """Return the text of a condition, to follow "if" or "while"."""
    match condition.op, condition.args:
        case "and", (Condition() as first, _) if member := distinguished_member(condition):
            return f"{condition_text(first, context)}, one of them {indefinite(noun_phrase(member, context))}"
        case "and", (Condition() as first, Condition() as second):
            return f"{condition_text(first, context)} and {condition_text(second, context)}"
        case "not", (Condition() as inner,):
            return _negated_text(inner, context)
        case "or", _:
            return f"either {join_list([condition_text(part, context) for part in _alternatives(condition)], 'or')}"
        case "compare", (int() | Number() as a, str() as comparison, int() | Number() as b):
            return _compared_amounts_text(a, comparison, b, context)
        case "has damaged", (str() as victim_kind, bool() as combat):
            victim = "your opponent" if victim_kind == "opponent" else "an opposing character"
            sentence = f"{{this}} has dealt {'combat ' if combat else ''}damage to {victim} this turn"
            return _fill_in_this(sentence, context)
        case "was", (str() as word,):
            return f"{event_subject_text(context)} was {word}"
        case "by source", _:
            return f"the damage comes from {sources_text(condition)}"
        case "count", (str() as comparison, int() as n, Where() as where):
            context.are_blockers_mentioned = Where("blocking this") in iter_conjuncts(where)
            return _count_text(comparison, n, where, context)
        case "is", (Where("this"), Where("blocked")) if context.event and context.event.word == "attack step ends":
            return _fill_in_this("{this} is attacking, has been blocked and is not KO'd", context)
        case "is", (Where() as die, Where() as where):
            subject = reference_text(die, context) or subject_text(die, context)
            return with_predicate(subject, is_text(where, context))
        case "done", ():
            return _effect_applied_text(context)
        case op, () if op in _CONDITION_TEXTS:
            return _fill_in_this(_CONDITION_TEXTS[op][0], context)
        case _:
            raise UnrenderableError(f"no English for the condition {condition.op!r}")


def event_subject_text(context: RenderContext) -> str:
    """Return the subject of the event."""
    reference = reference_text(Where("that"), context) if context.event else None
    return reference.text if reference else "it"


def _effect_applied_text(context: RenderContext) -> str:
    """Return the condition that the previous effect succeeded: "they were spun up", "he is KO'd this way"."""
    match context.previous_effect:
        case Ko(Where("that" | "the other" | "chosen") as where) if (
            reference := reference_text(where, context)
        ) is not None:
            return f"{reference.verb('is', 'are')} KO'd this way"
        case Copy():
            return "there is such a character"
        case Spin(operand, levels) if levels:
            direction = "up" if levels > 0 else "down"
            return (
                f"it was spun {direction}" if is_one(operand, context) else f"at least 1 of them was spun {direction}"
            )
        case _:
            return "that happens"


def _negated_text(condition: Condition, context: RenderContext) -> str:
    match condition.op, condition.args:
        case "not", (Condition() as inner,):
            return condition_text(inner, context)
        case "and", (Condition() as first, Condition() as second):
            return condition_text(Condition("or", (~first, ~second)), context)
        case "or", (Condition() as first, Condition() as second):
            return f"{_negated_text(first, context)} and {_negated_text(second, context)}"
        case "compare", (int() | Number() as a, str() as comparison, int() | Number() as b):
            return _compared_amounts_text(
                a, {">=": "<", "<=": ">", "=": "!=", "<": ">=", ">": "<="}.get(comparison, ""), b, context
            )
        case "was", (str() as word,):
            return f"{event_subject_text(context)} was not {word}"
        case "by source", _:
            return f"the damage does not come from {sources_text(condition)}"
        case "count", (str() as comparison, int() as n, Where() as where):
            opposite, limit = {">=": ("<=", n - 1), "<=": (">=", n + 1), "=": ("!=", n)}.get(comparison, ("", n))
            return _count_text(opposite, limit, where, context)
        case "is", (Where() as die, Where() as where):
            return condition_text(Condition("is", (die, ~where)), context)
        case op, () if op in _CONDITION_TEXTS:
            return _fill_in_this(_CONDITION_TEXTS[op][1], context)
        case _:
            return f"it is not so that {condition_text(condition, context)}"


_CONDITION_TEXTS = {  # text of the condition, and of its negation
    "first fielding": (
        "this is the first character you fielded this turn",
        "this is not the first character you fielded this turn",
    ),
    "own KO this turn": (
        "one of your characters was KO'd this turn",
        "none of your characters was KO'd this turn",
    ),
    "opposing KO this turn": (
        "an opposing character was KO'd this turn",
        "no opposing character was KO'd this turn",
    ),
    "action used this turn": ("you used an action die this turn", "you used no action die this turn"),
    "in attack step": ("it is the attack step", "it is not the attack step"),
    "in your main step": ("it is your main step", "it is not your main step"),
    "done": ("that happens", "that does not happen"),
    "would be KO'd too": (
        "{this} would be KO'd (by damage at the same moment)",
        "{this} would not be KO'd (by damage at the same moment)",
    ),
    "dealt by you": ("you deal it", "your opponent deals it"),
    "by damage": ("damage does it", "damage does not do it"),
    "own Sidekick KO this turn": (
        "one of your Sidekicks was KO'd this turn",
        "none of your Sidekicks was KO'd this turn",
    ),
    "by combat": ("combat damage does it", "combat damage does not do it"),
    "survives": ("the damage does not KO {this}", "the damage KOs {this}"),
    "attacks alone": ("{this} attacks alone", "{this} does not attack alone"),
    "alone": ("{this} is your only character die in the field", "{this} is not your only character die in the field"),
    "paired": ("{this} is paired up", "{this} is not paired up"),
}


def _fill_in_this(template: str, context: RenderContext) -> str:
    """Return the template with this die, or "it", filled in."""
    this = reference_text(Where("this"), context) if "{this}" in template else None
    return template.format(this=this.text) if this else template


def _alternatives(condition: Condition) -> list[Condition]:
    if condition.op != "or":
        return [condition]
    return [single for part in condition.args if isinstance(part, Condition) for single in _alternatives(part)]


def _compared_amounts_text(a: Amount, comparison: str, b: Amount, context: RenderContext) -> str:
    """Return the text of a comparison: "your opponent has more life than you", "your life is 5 or less"."""
    match a, b:
        case Number("count", (Where() as where, False)), int():
            return _count_text(comparison, b, where, context) + (count_once_note(where, False) if b > 1 else "")
        case Number("KOs"), 0 if comparison == "=":
            return "no character is KO'd this way"
        case Number("life", (Where() as first_where,)), Number("life", (Where() as second_where,)) if (
            comparison in _COMPARATIVES
        ):
            return _has_more_text(
                first_where,
                _COMPARATIVES[comparison].format(less="less", much="much", what="life"),
                second_where,
                context,
            )
        case Number("count", (Where() as first_where, dice)), Number("count", (Where() as second_where, _)) if (
            comparison in _COMPARATIVES
        ):
            (holder, own_description), (rival, rival_description) = (
                _split_owner(first_where),
                _split_owner(second_where),
            )
            if (
                a.args[1:] == b.args[1:]
                and own_description == rival_description
                and {holder, rival} == {"own", "opposing"}
            ):
                noun = counted_phrase(first_where, context, dice is True)
                noun.is_owner_mentioned, noun.owner = True, noun.owner.replace("opposing", "their")
                than = _COMPARATIVES[comparison].format(less="fewer", much="many", what=noun.many())
                players = {"own": Where("you"), "opposing": Where("opponent")}
                text = _has_more_text(players[holder], than, players[rival], context)
                return text + count_once_note(first_where, dice is True)
    if isinstance(b, int) and comparison in ("<=", ">="):
        return f"{comparison_text(a, context)} is {b} or {'less' if comparison == '<=' else 'more'}"
    than = _COMPARED_WORDS[comparison] if comparison in _COMPARED_WORDS else _raise_unknown_comparison(comparison)
    return f"{comparison_text(a, context)} is {than}{comparison_text(b, context)}"


_COMPARED_WORDS = {"=": "", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least ", "!=": "not "}


_COMPARATIVES = {
    "=": "as {much} {what} as",
    "<": "{less} {what} than",
    "<=": "no more {what} than",
    ">": "more {what} than",
    ">=": "at least as {much} {what} as",
}


def _has_more_text(holder: Where, than: str, rival: Where, context: RenderContext) -> str:
    return f"{subject_text(holder, context).verb('has', 'have')} {than} {subject_text(rival, context).as_object}"


def _split_owner(where: Where) -> tuple[str, set[Where]]:
    """Return the owner of the described dice, and the rest of the description."""
    parts = set(iter_conjuncts(where))
    owners = {part for part in parts if part.op in ("own", "opposing")}
    return "".join(part.op for part in owners), parts - owners


def sources_text(condition: Condition) -> str:
    """Return the sources of damage: "an action die or a Global"."""
    fixed_texts = {
        "action": "an action die",
        "global": "a Global",
        "ability": "a character's ability",
        "combat": "combat",
    }
    sources = [
        fixed_texts.get(str(kind)) or f"{with_article(ability_class(str(kind)))} ability" for kind in condition.args
    ]
    return join_list(sources, "or")


def ability_class(name: str) -> str:
    """Return the name of a class of abilities, to precede "ability": “when fielded”, or a keyword."""
    if name in KEYWORDS:
        return name
    if name not in ("when fielded", "when attacks"):
        raise UnrenderableError(f"no English for the abilities {name!r}")
    return f"“{name}”"


def _count_text(comparison: str, n: int, where: Where, context: RenderContext) -> str:
    """Return a count: "your opponent has no Villains in the field", "a character is blocking Hulk"."""
    if any(part.op == "opposing" for part in iter_conjuncts(where)):
        context.just_mentioned = None  # the opponent is mentioned in between
    noun = noun_phrase(where, context)
    noun.is_owner_mentioned = True
    positions = [text for text in noun.postmodifiers if text.startswith(("engaged with", "blocking "))]
    names_field_early = any(
        text.startswith(("whose ", "of ")) and not text.startswith("of the ") for text in noun.postmodifiers
    )
    if not any(part.op == "in" for part in iter_conjuncts(where)) and not names_field_early:
        in_the_field(noun)
    context.group = where if where.op == "and" else context.group
    if positions and not noun.owner and comparison == ">=":
        noun.postmodifiers.remove(positions[0])
        subject = with_article(noun.one()) if n == 1 else f"at least {n} {noun.many()}"
        return f"{subject} {'is' if n == 1 else 'are'} {positions[0]}"
    if (
        noun.is_other
        and Where("this card") in iter_conjuncts(where)
        and Where("blocking") in iter_conjuncts(where)
        and (comparison, n) == (">=", 1)
    ):
        return f"another of your {context.title} dice is blocking too"
    default_subject = "there is" if n == 1 else "there are"
    subject = {"your": "you have", "opposing": "your opponent has", "their": "they have"}.get(
        noun.owner, default_subject
    )
    # after the noun it would seem to belong to the postmodifiers
    subject += " in the field" if names_field_early else ""
    other = "other " if noun.is_other else ""
    match comparison, n:
        case (("=" | "<="), 0):
            if other and noun.nouns == ("character",):
                noun.nouns = ("character die",)  # another die of the same card counts
            return f"{subject} no {other}{noun.many()}"
        case (">=", 1) | ("!=", 0):
            return f"{subject} {'another ' + noun.one() if other else with_article(noun.one())}"
        case _:
            if comparison == "=" and noun.nouns == ("character",):
                noun.nouns = ("character die",)
            counted = f"{other}{noun.one() if n == 1 else noun.many()}"
            return (
                f"{subject} {_COUNT_WORDS[comparison]}{n} {counted}"
                if comparison in _COUNT_WORDS
                else _raise_unknown_comparison(comparison)
            )


_COUNT_WORDS = {
    "=": "exactly ",
    ">=": "at least ",
    "<=": "at most ",
    "<": "fewer than ",
    ">": "more than ",
    "!=": "not exactly ",
}


def _raise_unknown_comparison(comparison: str) -> str:
    raise UnrenderableError(f"no English for the comparison {comparison!r}")
