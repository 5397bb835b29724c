"""Standing rules, and the bonuses and bans that are given for a time: "Hulk gets +2A until end of turn"."""

from __future__ import annotations

from typing import NoReturn

from dicemasters.cards.language.metadata import DURATIONS, PLACES
from dicemasters.cards.language.vocabulary import ALL, USED, Amount, Number, Rule, Select, What, Where
from dicemasters.cards.text.amount_text import amount_text
from dicemasters.cards.text.condition_text import ability_class
from dicemasters.cards.text.noun_phrases import (
    all_of,
    as_dice,
    comparison_text,
    fielded_group_text,
    iter_conjuncts,
    noun_phrase,
    object_text,
    owner_text,
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


def rule_texts(rules: tuple[Rule, ...], speech: RenderContext) -> list[str]:
    """Say standing rules; what the same dice can neither do is said in one."""
    said: list[str] = []
    for i, rule in enumerate(rules):
        if i and rule.word == "cannot block" and rules[i - 1].word == "cannot attack" and rule.who == rules[i - 1].who:
            said[-1] += " or block"
        elif (
            i
            and rule.word.startswith("costs to ")
            and rules[i - 1].word.startswith("costs to ")
            and rule.who == rules[i - 1].who
        ):
            said[-1] += f" and {price_text(rule.a, speech)} to {rule.word.removeprefix('costs to ')}"
        else:
            said.append(rule_text(rule, speech))
    return said


def rule_text(rule: Rule, speech: RenderContext, until: str = "") -> str:
    """Say a standing rule, with how long it lasts where it was given."""
    if isinstance(rule.who, Where) and (doing := only_while(rule.who)):
        said = rule_text(rule.replace(who=THIS), speech, until)
        return f"while {speech.this} is {doing}, {said}"
    who = rule_subject(rule, speech)
    match rule.word:
        case "gets":
            if speech.used and isinstance(rule.who, Where) and who.text.startswith("your "):
                who = PersonPhrase(object_text(rule.who, speech))  # each of your characters
            bonus, tail = bonus_text(rule.a, rule.d, speech)
            return f"{who.verb('gets', 'get')} {bonus}{until}{tail}"
        case "multiplies":
            return f"{who.as_possessive} {_multiplied(rule)}{until}"
        case "becomes":
            return f"{who.as_possessive} A is {comparison_text(rule.a, speech)} and D is {comparison_text(rule.d, speech)}{until}"
        case "sets A":
            equal = "equal to " if isinstance(rule.a, Number) else ""
            return f"{who.as_possessive} A becomes {equal}{comparison_text(rule.a, speech)}{until}"
        case "counts as level":
            level = f"{who.verb('counts', 'count')} as level {comparison_text(rule.a, speech)}{until}"
            return f"{level}, with the A, D, fielding cost and bursts of that level"
        case "costs to buy" if rule.text == "once":
            return f"{_predicate(rule, who, speech)}{until}; several {speech.title} dice do not add up"
        case "exchanges" if who.text.endswith("s") and not who.plural:  # one of your characters
            return f"exchange the A and D of {who.as_object}{until}"
        case "halves":
            down = f", rounded down{until}" if "(" in until else f"{until}, rounded down"
            return f"{who.as_possessive} A is halved{down}"
        case "exchanges":
            return f"{who.as_possessive} A and D are exchanged{until}"
        case "cannot attack" | "cannot block" if rule.a:
            whose_life, declared = f"{who.pronoun.as_possessive} controller", f"{rule.word.removeprefix('cannot ')}ers"
            now = f"when {declared} are declared"
            now = f"({now})" if "when" in speech.unprinted else now
            return (
                f"{who.text} {rule.word}{until} unless {whose_life} pays {comparison_text(rule.a, speech)} life {now}"
            )
        case "must attack":
            return f"{who.text} must attack{forced_text(until, who)}"
        case "must block":
            return f"{who.text} must block{forced_text(until, who)}"
        case "must block this":
            return f"{who.text} must block {speech.this}{forced_text(until, who)}"
        case "must be blocked":
            return f"{who.text} must be blocked{forced_text(until, who)}"
        case "takes half":
            return f"{who.verb('takes', 'take')} half {_damage_from(rule, speech)}{until}, rounded down"
        case "excess goes through":
            lead, end = ("", until) if "(" in until else (f"{until.strip()}, " if until else "", "")
            one, whom = (who.text, who.text) if not who.plural else ("one of them", "that character")
            attack = (
                f"while {one} is attacking, combat damage {whom} deals beyond the total D of the characters blocking"
            )
            return f"{lead}{attack} {THEY.as_object if who.plural else whom} goes to your opponent{end}"
        case _:
            return f"{_predicate(rule, who, speech)}{until}"


THIS = Where("this")


def only_while(who: Where) -> str:
    """Say what this die must be doing for a rule about it to hold: attacking, blocking."""
    parts = list(iter_conjuncts(who))
    doing = [part.op for part in parts if part.op in ("attacking", "blocking")]
    return doing[0] if THIS in parts and len(parts) == 2 and doing else ""


def _all_but(by: Where) -> list[Where]:
    """Give whom a description of everybody else leaves out: all that is not a Villain and not a Sidekick."""
    parts = [part for part in iter_conjuncts(by) if part != Where("character")]
    left_out = [part.args[0] for part in parts if part.op == "not"]
    return [part for part in left_out if isinstance(part, Where)] if len(left_out) == len(parts) else []


def _predicate(rule: Rule, who: PersonPhrase, speech: RenderContext) -> str:
    to = f" to {plural_text(rule.by, speech)}" if rule.by else ""
    its = who.pronoun.as_possessive
    match rule.word:
        case "cannot attack" | "cannot block" if rule.who == THIS:
            return f"{who.verb('is', 'are')} unable to {rule.word.removeprefix('cannot ')}"
        case "cannot attack" | "cannot block" | "cannot be KO'd":
            return f"{who.text} {rule.word}"
        case "goes instead":
            first, *rest = rule.text.split()
            owner = owner_text(rule.who, speech)
            to, places = zone_text(first, owner), zones_text(tuple(rest), owner)
            used = PLACES[USED].name
            places = places.replace(used, f"{used} (or Out of Play)")  # which is on the way there (rules 2.1)
            leaves = f"when {who.text} would leave the field for {places}"
            return f"{leaves}, {who.verb('goes', 'go')} to {to} instead"
        case "cannot reroll":
            return f"{who.text} cannot reroll dice in the roll and reroll step"
        case "cannot declare blockers":
            return f"{who.text} cannot declare blockers"
        case "cannot be blocked" if rule.by and (only := _all_but(rule.by)):
            return (
                f"{who.text} can be blocked only by {join_list([plural_text(where, speech) for where in only], 'or')}"
            )
        case "cannot be blocked" if rule.by:
            speech.just_mentioned = None
            return f"{subject_text(rule.by, speech, '').text} cannot block {who.as_object}"
        case "cannot be blocked":
            return f"{who.text} cannot be blocked"
        case "blocked last":
            others = plural_text(rule.by, speech) if rule.by else "others"
            return f"{who.text} cannot be blocked unless all {others} are blocked too"
        case "rerolls more":
            times = "1 more time" if rule.a == 1 else f"{comparison_text(rule.a, speech)} more times"
            whose_ = "your" if rule.who == Where("you") else "their"
            step = f"in {whose_} roll and reroll step, after the first reroll"
            return f"{who.text} may reroll any of {whose_} dice {times} {step}"
        case "cannot field" if isinstance(rule.who, Where) and any(
            part.op == "opposing" for part in iter_conjuncts(rule.who)
        ):
            noun = noun_phrase(rule.who, speech)
            noun.is_owner_mentioned = True
            return f"{OPPONENT.text} cannot field {noun.many()}"
        case "cannot field":
            return f"{who.text} cannot be fielded"
        case "cannot use":
            return f"{who.text} cannot use {join_list([_kind(kind) for kind in rule.text.split()], 'or')}"
        case "draws more" if isinstance(rule.a, int):
            dice = f"{abs(rule.a)} {'more' if rule.a > 0 else 'fewer'} {'die' if abs(rule.a) == 1 else 'dice'}"
            step = f"{'your' if rule.who == Where('you') else 'their'} clear and draw step"
            return f"{who.verb('draws', 'draw')} {dice} in {step}"
        case "may attack":
            return f"{who.text} can attack after all"
        case "attacks again":
            still = (
                f"if {speech.title} is still active at the end of the first and at least 1 character attacks in each"
            )
            return f"{who.text} may have a second attack step immediately after the first, {still}"
        case "ability costs life":
            used = f"each {ability_class(rule.text)} ability of {who.as_object}"
            return f"{used} does nothing unless {who.pronoun.text} pay {comparison_text(rule.a, speech)} life"
        case "stays unblocked":
            return f"{who.verb('stays', 'stay')} in the field after attacking unblocked"
        case "Globals cost":
            return f"Globals cost {subject_text(rule.who, speech).as_object} {price_text(rule.a, speech, ' to use')}"
        case "text ignored":
            return "the text of all cards of the named affiliation is ignored, Globals included"
        case "assigns no damage":
            speech.just_mentioned = None
            whom = object_text(rule.by, speech) if rule.by else "anybody"
            return f"{who.verb('assigns', 'assign')} no combat damage to {whom}"
        case "deals twice":
            return f"{who.verb('deals', 'deal')} {its} combat damage to your opponent twice"
        case "blocked by at least":
            return f"{who.text} cannot be blocked by fewer than {comparison_text(rule.a, speech)} characters"
        case "blocks more":
            whom = plural_text(rule.by, speech) if rule.by else "characters"
            most = rule.a if isinstance(rule.a, int) else _no_factor(rule.a)
            return f"{who.text} can block {'any number of' if most == ALL else f'up to {most + 1}'} {whom}"
        case "blocks also":
            more = rule.a if isinstance(rule.a, int) else _no_factor(rule.a)
            return f"{who.text} can block {more} more character{'s' if more > 1 else ''}"
        case "has keyword":
            return f"{who.verb('has', 'have')} {rule.text}"
        case "has keywords of" if rule.by:
            return f"{who.verb('has', 'have')} the keyword abilities of {fielded_group_text(rule.by, speech)}"
        case "loses keyword":
            return f"{who.verb('loses', 'lose')} {rule.text} and cannot gain it"
        case "has affiliation":
            return f"{who.verb('has', 'have')} the {rule.text} affiliation"
        case "deals no damage" if isinstance(rule.who, Select):
            return f"no damage is dealt by {who.as_object}"
        case "deals no damage":
            return f"{who.verb('deals', 'deal')} no damage"
        case "deals no combat damage":
            return f"{who.verb('deals', 'deal')} no combat damage"
        case "takes less" if rule.a == ALL and rule.by and not rule.text:
            return f"{subject_text(rule.by, speech, '').text} deal no damage to {who.as_object}"
        case "takes less" if rule.a == ALL:
            return f"{who.verb('takes', 'take')} no {_damage_from(rule, speech)}"
        case "takes less" if isinstance(rule.a, int):
            less = f"{who.verb('takes', 'take')} {rule.a} less"
            if rule.by and not rule.text:
                return f"{less} damage from {object_text(rule.by, speech)}"
            return f"{less} {_damage_from(rule, speech)} (from each source)"
        case "takes less":
            return f"{who.verb('takes', 'take')} {_difference('less', rule.a, speech, _damage_from(rule, speech))}"
        case "deals more":
            each = to or f" to each character or player {who.pronoun.text} damage"
            return f"{who.verb('deals', 'deal')} {more_text(rule.a, speech)} more damage{each}"
        case "deals times":
            n = rule.a if isinstance(rule.a, int) else _no_factor(rule.a)
            return f"{who.verb('deals', 'deal')} {_FACTORS.get(n, f'{n} times the')} damage{to}"
        case "full damage to each":
            whom = THEY.as_object if who.plural else speech.this if rule.who == Where("this") else who.as_object
            each = "of them" if speech.are_blockers_mentioned else f"character blocking {whom}"
            full = f"{its if who.plural else PersonPhrase(whom).as_possessive} full A"
            return f"{who.verb('deals', 'deal')} combat damage equal to {full} to each {each}"
        case "damages player instead":
            return f"all of {who.as_possessive} combat damage goes to your opponent instead of to the blockers"
        case "fields free":
            return f"{who.verb('costs', 'cost')} nothing to field"
        case "takes more":
            return f"{who.verb('takes', 'take')} {_difference('more', rule.a, speech, _damage_from(rule, speech))}"
        case "cannot be targeted":
            kinds = join_list([_kind(kind) for kind in rule.text.split()], "or") if rule.text else ""
            if rule.by is not None:
                kinds = f"{subject_text(rule.by, speech).as_possessive} {kinds or 'effects'}"
            return f"{who.text} cannot be targeted{f' by {kinds}' if kinds else ''}"
        case "costs to buy":
            return f"{who.verb('costs', 'cost')} {price_text(rule.a, speech, ' to buy')}{minimum_cost_text(rule)}"
        case "costs to field":
            return f"{who.verb('costs', 'cost')} {price_text(rule.a, speech, ' to field')}"
        case "costs at least to field":
            price = f"at least {comparison_text(rule.a, speech)} energy to field"
            return f"{who.verb('costs', 'cost')} {price}, even where a text makes them cheaper or free"
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


def rule_subject(rule: Rule, speech: RenderContext) -> PersonPhrase:
    """Say whom a rule is about."""
    if rule.word in ("costs to buy", "costs to field", "fields free", "costs at least to field"):
        return _as_dice(rule.who, speech)
    said = subject_text(rule.who, speech, "" if rule.word.startswith("cannot") else "all")
    if not isinstance(rule.who, Where) or rule.who.op not in ("and", "character", "sidekick"):
        return said
    parts = {part.op for part in iter_conjuncts(rule.who)}
    if parts & _ONE_SIDE or said.text.startswith("your "):
        return said
    every = "" if rule.word.startswith("cannot") or said.text.startswith("all ") else "all "
    return PersonPhrase(f"{every}{said.text} (of both players)", True)


def _as_dice(what: What, speech: RenderContext) -> PersonPhrase:
    """Say as the subject those who are bought or fielded: dice, not characters."""
    if not isinstance(what, Where) or what.op in ("this", "this card", "or"):
        return subject_text(what, speech)
    noun = noun_phrase(what, speech)
    noun.names = as_dice(noun.names)
    title = next((text for rank, text in noun.before if rank == "title"), "")
    if title and noun.names == ("character die",):
        noun.names = ("die",)
    return PersonPhrase(all_of(noun), True)


def _damage_from(rule: Rule, speech: RenderContext) -> str:
    """Say which damage a rule is about: damage from Villains, combat damage, damage from action dice."""
    dice = plural_text(rule.by, speech) if rule.by else ""
    kinds = rule.text.split(", ") if rule.text and rule.word.startswith("takes") else []
    if not kinds or kinds == ["combat"] or set(kinds) == {"ability", "action", "global"}:
        sort = "" if not kinds else "combat " if kinds == ["combat"] else "non-combat "
        return f"{sort}damage{f' from {dice}' if dice else ''}"
    owner = f"{PersonPhrase(dice, True).as_possessive} " if dice else ""
    return f"damage from {owner}{join_list([_kind(kind) for kind in kinds], 'or')}"


def _kind(kind: str) -> str:
    kinds = {"action": "action dice", "global": "Globals", "ability": "abilities", "combat": "combat"}
    return kinds.get(kind) or f"{ability_class(kind)} abilities"


def forced_text(until: str, who: PersonPhrase) -> str:
    """Say until when somebody must do something, if able."""
    if until == " until end of turn":
        return " this turn if able"
    if until == " (until end of turn)":
        return " if able (this turn)"
    if "(" in until:
        return f" if able{until}"
    if until == " the next time it is able to":
        return until if who.is_die else " the next time they are able to"
    return f"{until} if able"


def bonus_text(a: Amount, d: Amount, speech: RenderContext) -> tuple[str, str]:
    """Say a change of A and D, and what it is counted by."""
    parts: list[str] = []
    tails: list[str] = []
    for amount, stat in ((a, "A"), (d, "D")):
        if amount != 0 or a == d:
            said = amount_text(amount, speech)
            sign = "" if said.number_text.startswith("-") else "+"
            parts.append(
                f"a bonus to {stat} equal to {said.equal}" if said.equal else f"{sign}{said.number_text}{stat}"
            )
            tails.append(said.tail)
    if len(set(tails)) < 2:
        return join_list(parts), "".join(tails[:1])
    counted = sorted(
        (part + tail for part, tail in zip(parts, tails, strict=True)), key=lambda part: " for each " not in part
    )
    return ", and ".join(counted), ""


def _multiplied(rule: Rule) -> str:
    def times(n: Amount) -> str:
        return {2: "doubled", 3: "tripled"}.get(n, f"multiplied by {n}") if isinstance(n, int) else _no_factor(n)

    if rule.a == rule.d:
        return f"A and D are {times(rule.a)}"
    stats = [f"{stat} is {times(n)}" for n, stat in ((rule.a, "A"), (rule.d, "D")) if n != 1]
    return join_list(stats)


def _no_factor(n: Number) -> NoReturn:
    raise UnrenderableError(f"no English for the factor {n}")


def _difference(how: str, amount: Amount, speech: RenderContext, damage: str) -> str:
    said = amount_text(amount, speech)
    if said.equal:
        return f"{how} {damage} each time, by {said.equal}"
    return f"{said.number_text} {how} {damage} each time{said.tail}"


def price_text(n: Amount, speech: RenderContext, to: str = "") -> str:
    """Say a change of a price: 1 less to buy."""
    if not isinstance(n, int):
        said = amount_text(n, speech)
        if said.equal or not said.number_text.lstrip("-").isdigit():
            raise UnrenderableError(f"no English for the price {n}")
        return price_text(int(said.number_text), speech, to) + said.tail
    return (f"{n} more" if n > 0 else f"{-n} less") + to


def minimum_cost_text(rule: Rule) -> str:
    """Remind that discounts on other cards' dice stop at 1 (rules 3.3b)."""
    if rule.who in (Where("this"), Where("this card")):
        return "" if isinstance(rule.a, int) else " (down to 0)"  # counted, it can come to more than the price
    less = rule.a < 0 if isinstance(rule.a, int) else False
    return " (but at least 1)" if less else ""


def until_text(until: str, speech: RenderContext) -> str:
    """Say how long something given lasts."""
    row = DURATIONS.get(until)
    if row is None or not row.text:
        raise UnrenderableError(f"no English for the duration {until!r}")
    return row.added if row.added and "duration" in speech.unprinted else row.text


def more_text(amount: Amount, speech: RenderContext) -> str:
    """Say by how much something grows."""
    said = amount_text(amount, speech)
    return said.equal or said.number_text + said.tail
