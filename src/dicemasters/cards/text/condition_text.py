"""What a text asks for: "if you have a Villain in the field", "while your life is 5 or less"."""

from __future__ import annotations

from functools import reduce

from dicemasters.cards.language.vocabulary import KEYWORDS, Amount, Condition, Copy, Ko, Number, Spin, Where
from dicemasters.cards.text.noun_phrases import (
    agreeing,
    comparison_text,
    counted_phrase,
    in_the_field,
    indefinite,
    is_one,
    is_text,
    iter_conjuncts,
    noun_phrase,
    once_a_card,
    reference_text,
    subject_text,
)
from dicemasters.cards.text.render_context import RenderContext, UnrenderableError, join_list, with_article


def each_condition(condition: Condition | None) -> list[Condition]:
    """Give the conditions that must all hold, one by one."""
    if condition is None:
        return []
    if condition.op != "and" or one_of_them(condition):
        return [condition]
    return [single for part in condition.args if isinstance(part, Condition) for single in each_condition(part)]


def one_of_them(condition: Condition) -> Where | None:
    """Give what makes one of several dice special, if that is what the condition is about: two attackers, one a Villain."""
    match condition.args:
        case Condition("count", (_, int(n), Where() as them)), Condition("count", (">=", 1, Where() as one)) if n > 1:
            common, special = set(iter_conjuncts(them)), list(iter_conjuncts(one))
            if common < set(special):
                words = [part for part in special if part not in common or part == Where("character")]
                return reduce(Where.__and__, words)
    return None


def condition_text(condition: Condition, speech: RenderContext) -> str:
    """Say a condition, after "if" or "while"."""
    match condition.op, condition.args:
        case "and", (Condition() as first, _) if one := one_of_them(condition):
            return f"{condition_text(first, speech)}, one of them {indefinite(noun_phrase(one, speech))}"
        case "and", (Condition() as first, Condition() as second):
            return f"{condition_text(first, speech)} and {condition_text(second, speech)}"
        case "not", (Condition() as inner,):
            return _not(inner, speech)
        case "or", _:
            return f"either {join_list([condition_text(part, speech) for part in _alternatives(condition)], 'or')}"
        case "compare", (int() | Number() as a, str() as how, int() | Number() as b):
            return _compared_amounts_text(a, how, b, speech)
        case "has damaged", (str() as whom, bool() as combat):
            hurt = "your opponent" if whom == "opponent" else "an opposing character"
            dealt = f"{{this}} has dealt {'combat ' if combat else ''}damage to {hurt} this turn"
            return _about_this(dealt, speech)
        case "was", (str() as word,):
            return f"{who_was(speech)} was {word}"
        case "by source", _:
            return f"the damage comes from {sources_text(condition)}"
        case "count", (str() as how, int() as n, Where() as what):
            speech.are_blockers_mentioned = Where("blocking this") in iter_conjuncts(what)
            return _there_are(how, n, what, speech)
        case "is", (Where("this"), Where("blocked")) if speech.event and speech.event.word == "attack step ends":
            return _about_this("{this} is attacking, has been blocked and is not KO'd", speech)
        case "is", (Where() as which, Where() as what):
            known = reference_text(which, speech) or subject_text(which, speech)
            return agreeing(known, is_text(what, speech))
        case "done", ():
            return _effect_applied_text(speech)
        case op, () if op in _CONDITIONS:
            return _about_this(_CONDITIONS[op][0], speech)
        case _:
            raise UnrenderableError(f"no English for the condition {condition.op!r}")


def who_was(speech: RenderContext) -> str:
    """Say whom the event was about."""
    known = reference_text(Where("that"), speech) if speech.event else None
    return known.text if known else "it"


def _effect_applied_text(speech: RenderContext) -> str:
    """Say that the effect before has had its effect: they were spun up, that character is KO'd this way."""
    match speech.before:
        case Ko(Where("that" | "the other" | "chosen") as whom) if (known := reference_text(whom, speech)) is not None:
            return f"{known.verb('is', 'are')} KO'd this way"
        case Copy():
            return "there is such a character"
        case Spin(what, levels) if levels:
            how = "up" if levels > 0 else "down"
            return f"it was spun {how}" if is_one(what, speech) else f"at least 1 of them was spun {how}"
        case _:
            return "that happens"


def _not(condition: Condition, speech: RenderContext) -> str:
    match condition.op, condition.args:
        case "not", (Condition() as inner,):
            return condition_text(inner, speech)
        case "and", (Condition() as first, Condition() as second):
            return condition_text(Condition("or", (~first, ~second)), speech)
        case "or", (Condition() as first, Condition() as second):
            return f"{_not(first, speech)} and {_not(second, speech)}"
        case "compare", (int() | Number() as a, str() as how, int() | Number() as b):
            return _compared_amounts_text(
                a, {">=": "<", "<=": ">", "=": "!=", "<": ">=", ">": "<="}.get(how, ""), b, speech
            )
        case "was", (str() as word,):
            return f"{who_was(speech)} was not {word}"
        case "by source", _:
            return f"the damage does not come from {sources_text(condition)}"
        case "count", (str() as how, int() as n, Where() as what):
            opposite, limit = {">=": ("<=", n - 1), "<=": (">=", n + 1), "=": ("!=", n)}.get(how, ("", n))
            return _there_are(opposite, limit, what, speech)
        case "is", (Where() as which, Where() as what):
            return condition_text(Condition("is", (which, ~what)), speech)
        case op, () if op in _CONDITIONS:
            return _about_this(_CONDITIONS[op][1], speech)
        case _:
            return f"it is not so that {condition_text(condition, speech)}"


_CONDITIONS = {  # what it says, and its opposite
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


def _about_this(said: str, speech: RenderContext) -> str:
    """Put this die, or "it", where a sentence speaks of it."""
    this = reference_text(Where("this"), speech) if "{this}" in said else None
    return said.format(this=this.text) if this else said


def _alternatives(condition: Condition) -> list[Condition]:
    if condition.op != "or":
        return [condition]
    return [single for part in condition.args if isinstance(part, Condition) for single in _alternatives(part)]


def _compared_amounts_text(a: Amount, how: str, b: Amount, speech: RenderContext) -> str:
    """Say a comparison: your opponent has more life than you, your life is 5 or less."""
    match a, b:
        case Number("count", (Where() as what, False)), int():
            return _there_are(how, b, what, speech) + (once_a_card(what, False) if b > 1 else "")
        case Number("KOs"), 0 if how == "=":
            return "no character is KO'd this way"
        case Number("life", (Where() as one,)), Number("life", (Where() as other,)) if how in _THAN:
            return _has_more(one, _THAN[how].format(less="less", much="much", what="life"), other, speech)
        case Number("count", (Where() as one, dice)), Number("count", (Where() as other, _)) if how in _THAN:
            (holder, mine), (rival, theirs) = _holder(one), _holder(other)
            if a.args[1:] == b.args[1:] and mine == theirs and {holder, rival} == {"own", "opposing"}:
                noun = counted_phrase(one, speech, dice is True)
                noun.is_owner_mentioned, noun.owner = True, noun.owner.replace("opposing", "their")
                than = _THAN[how].format(less="fewer", much="many", what=noun.many())
                players = {"own": Where("you"), "opposing": Where("opponent")}
                more = _has_more(players[holder], than, players[rival], speech)
                return more + once_a_card(one, dice is True)
    if isinstance(b, int) and how in ("<=", ">="):
        return f"{comparison_text(a, speech)} is {b} or {'less' if how == '<=' else 'more'}"
    than = _COMPARED[how] if how in _COMPARED else _no_comparison(how)
    return f"{comparison_text(a, speech)} is {than}{comparison_text(b, speech)}"


_COMPARED = {"=": "", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least ", "!=": "not "}


_THAN = {
    "=": "as {much} {what} as",
    "<": "{less} {what} than",
    "<=": "no more {what} than",
    ">": "more {what} than",
    ">=": "at least as {much} {what} as",
}


def _has_more(one: Where, than: str, other: Where, speech: RenderContext) -> str:
    return f"{subject_text(one, speech).verb('has', 'have')} {than} {subject_text(other, speech).as_object}"


def _holder(what: Where) -> tuple[str, set[Where]]:
    """Give whose dice they are, and the rest of the description."""
    parts = set(iter_conjuncts(what))
    owners = {part for part in parts if part.op in ("own", "opposing")}
    return "".join(part.op for part in owners), parts - owners


def sources_text(condition: Condition) -> str:
    """Say where damage comes from: an action die or a Global."""
    kinds = {"action": "an action die", "global": "a Global", "ability": "a character's ability", "combat": "combat"}
    sources = [kinds.get(str(kind)) or f"{with_article(ability_class(str(kind)))} ability" for kind in condition.args]
    return join_list(sources, "or")


def ability_class(name: str) -> str:
    """Say, before "ability", a class of abilities: “when fielded”, or a keyword."""
    if name in KEYWORDS:
        return name
    if name not in ("when fielded", "when attacks"):
        raise UnrenderableError(f"no English for the abilities {name!r}")
    return f"“{name}”"


def _there_are(how: str, n: int, what: Where, speech: RenderContext) -> str:
    """Say a count: your opponent has no Villains in the field, a character is blocking Hulk."""
    if any(part.op == "opposing" for part in iter_conjuncts(what)):
        speech.just_mentioned = None  # the opponent comes between
    noun = noun_phrase(what, speech)
    noun.is_owner_mentioned = True
    near = [text for text in noun.after if text.startswith(("engaged with", "blocking "))]
    field = any(text.startswith(("whose ", "of ")) and not text.startswith("of the ") for text in noun.after)
    if not any(part.op == "in" for part in iter_conjuncts(what)) and not field:
        in_the_field(noun)
    speech.group = what if what.op == "and" else speech.group
    if near and not noun.owner and how == ">=":
        noun.after.remove(near[0])
        who = with_article(noun.one()) if n == 1 else f"at least {n} {noun.many()}"
        return f"{who} {'is' if n == 1 else 'are'} {near[0]}"
    if (
        noun.other
        and Where("this card") in iter_conjuncts(what)
        and Where("blocking") in iter_conjuncts(what)
        and (how, n) == (">=", 1)
    ):
        return f"another of your {speech.title} dice is blocking too"
    there = "there is" if n == 1 else "there are"
    who = {"your": "you have", "opposing": "your opponent has", "their": "they have"}.get(noun.owner, there)
    who += " in the field" if field else ""  # behind the noun it would belong to what comes after that
    other = "other " if noun.other else ""
    match how, n:
        case (("=" | "<="), 0):
            if other and noun.names == ("character",):
                noun.names = ("character die",)  # a second die of the card is another
            return f"{who} no {other}{noun.many()}"
        case (">=", 1) | ("!=", 0):
            return f"{who} {'another ' + noun.one() if other else with_article(noun.one())}"
        case _:
            if how == "=" and noun.names == ("character",):
                noun.names = ("character die",)
            counted = f"{other}{noun.one() if n == 1 else noun.many()}"
            return f"{who} {_HOW[how]}{n} {counted}" if how in _HOW else _no_comparison(how)


_HOW = {
    "=": "exactly ",
    ">=": "at least ",
    "<=": "at most ",
    "<": "fewer than ",
    ">": "more than ",
    "!=": "not exactly ",
}


def _no_comparison(how: str) -> str:
    raise UnrenderableError(f"no English for the comparison {how!r}")
