"""Card texts: says the sentences of the card language in English.

Energy stands in brackets for a front end to draw: [F] fist, [B] bolt, [M] mask, [S] shield, [1] one of any sort.
A word this module cannot say raises NoEnglishError, so that no text is ever silently incomplete.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import NoReturn

from dicemasters.cards.catalogue import Card
from dicemasters.cards.nouns import (
    IT,
    OPPONENT,
    THEY,
    NoEnglishError,
    Phrase,
    Speech,
    belonging,
    counted,
    describe,
    figure,
    indefinite,
    is_one,
    is_text,
    listed,
    number_word,
    object_,
    parts_of,
    place_name,
    place_names,
    reference,
    someone,
    subject,
    those,
    value,
    whose,
    with_article,
)
from dicemasters.cards.words import (
    ALL,
    END_OF_THEIR_TURN,
    END_OF_TURN,
    HAND,
    KEYWORDS,
    NEXT_ATTACK,
    NEXT_ONE,
    NEXT_TURN,
    PREP,
    RESERVE,
    THIS_ATTACK,
    USED,
    WHILE_THERE,
    YOUR_HIT,
    Ability,
    Amount,
    Attach,
    Burst,
    Buy,
    Capture,
    Choose,
    ClearDamage,
    Condition,
    Copy,
    CopyNamedCard,
    Cost,
    Damage,
    Divide,
    Do,
    Draw,
    EachPlayer,
    Effect,
    EndEffect,
    Event,
    Field,
    Give,
    Increase,
    Instead,
    JoinAttack,
    Ko,
    Later,
    LeaveCombat,
    Life,
    MakeToken,
    May,
    Move,
    NameAffiliation,
    NameCard,
    NameType,
    NewTarget,
    Number,
    OneOf,
    PairUp,
    PlaceOnCard,
    Prevent,
    PutCounter,
    Redirect,
    RemoveCounters,
    Reroll,
    ReturnToField,
    Roll,
    RollUntil,
    Rule,
    Select,
    SendHome,
    SetAside,
    SetLife,
    Spin,
    SpinTo,
    SpinToEnergy,
    Swap,
    SwapAttack,
    SwapControl,
    TakeControl,
    Together,
    Unless,
    Use,
    UseCopy,
    What,
    Where,
    fielded_last_turn,
    fielded_this_turn,
    in_your_main_step,
    intimidate,
)

__all__ = ["NoEnglishError", "ability_text", "card_text"]


def card_text(card: Card) -> str:
    """Say all abilities of a card, one line each.

    >>> from dicemasters.cards import catalogue
    >>> card_text(catalogue().find("Kitty Pryde: Sprite"))
    'Kitty Pryde cannot be blocked by Sidekicks.'
    """
    return "\n".join(ability_text(ability, card) for ability in card.abilities)


def ability_text(ability: Ability, card: Card) -> str:
    """Say one ability of a card."""
    _check(ability)
    if ability.bursts and not ability.effects and not ability.rules:  # it has no text without a burst
        return "\n".join(
            f"{_stars(burst)} {ability_text(_burst_alone(ability, burst), card)}" for burst in ability.bursts
        )
    named = card.kind == "character" and ability.scope != "pair"
    speech = Speech(card.title, card.title if named else "this die", ability.event)
    said = _limited(_body(ability, speech), ability, speech)
    if ability.scope == "pair":
        said = f"While {card.title} is paired up, both partners have: “{said}”"
    bursts = [_burst(_after_naming(burst, ability), speech) for burst in ability.bursts]
    label = [f"{ability.keyword}."] if ability.keyword else []
    return " ".join([*label, said, *bursts])


# --- abilities -----------------------------------------------------------------------------------------------------


def _check(ability: Ability) -> None:
    """Refuse what no kind of sentence has a place for."""
    if ability.keyword and ability.keyword not in KEYWORDS:
        raise NoEnglishError(f"no English for the keyword {ability.keyword!r}")
    if ability.own_turn and ability.kind != "global":
        raise NoEnglishError(f"no English for abilities of the kind {ability.kind!r} on one's own turn only")
    if ability.lifted_by and ability.kind != "always":
        raise NoEnglishError(f"no English for abilities of the kind {ability.kind!r} that can be lifted")
    if ability.cost and ability.kind not in ("global", "pay"):
        raise NoEnglishError(f"no English for abilities of the kind {ability.kind!r} at a cost")


def _body(ability: Ability, speech: Speech) -> str:
    match ability.kind:
        case "would" if said := _first_damage(ability, speech):
            return _after(_lead(_scope(ability, speech)), [said])
        case "when" | "would":
            return _after(_when(ability, speech), _clauses(ability.effects, speech))
        case "always" if _is_reminder(ability):
            return _capital(_REMINDERS[ability.keyword].format(this=speech.this)) + "."
        case "always":
            lead = _while(ability, speech)
            clauses = [listed(_rules(ability.rules, speech))]
            if ability.lifted_by:
                before, speech.actor = speech.actor, "opponent"
                clauses.append(f"your opponent may {_cost(ability.lifted_by, speech)} to end this for the turn")
                speech.actor = before
            return _after(lead, clauses)
        case "use":
            lead = f"use this die only {_moment(ability.event)}: " if ability.event else _while(ability, speech)
            return _after(lead, _clauses(ability.effects, speech))
        case "global":
            return _global(ability, speech)
        case "pay":
            lead = _while(ability, speech)
            if in_your_main_step not in _each_condition(ability.condition):
                lead += "whenever you could use a Global, "
            speech.just_said = None
            return _after(lead, _may(May(ability.effects, ability.cost if ability.cost != Cost() else None), speech))
        case _:
            raise NoEnglishError(f"no English for abilities of the kind {ability.kind!r}")


def _first_damage(ability: Ability, speech: Speech) -> str:
    """Say what is done about the first damage of each turn; nothing if the ability is about something else."""
    if any(condition.op != "by source" for condition in _each_condition(ability.condition)):
        return ""
    match ability.event, ability.effects:
        case Event("would be damaged"), ((Prevent(Number("first", (n,))) | Redirect(Number("first", (n,))) as effect),):
            may = ""
        case Event("would be damaged"), (May((Redirect(Number("first", (n,))) as effect,), None, "you"),):
            may = "you may "
        case _:
            return ""
    event = _when(replace(ability, scope="die"), speech).removeprefix("when ").removesuffix(", ")
    taken = event.replace(" would take damage", " would take", 1).replace(" an action die", " action dice")
    deed = "prevent" if isinstance(effect, Prevent) else "redirect"
    to = f" to {object_(effect.to, speech)}" if isinstance(effect, Redirect) else ""
    return f"{may}{deed} the first {n} damage {taken} each turn{to}"


def _global(ability: Ability, speech: Speech) -> str:
    cost = ability.cost or Cost()
    head = [f"Global {_energy(cost.energy)}".strip()]
    head += [listed([_deed(effect, speech) for effect in cost.effects])] if cost.effects else []
    head += ["once per turn"] if ability.limit == "turn" else []
    head += ["only on your turn"] if ability.own_turn else []
    scope = _lead(_scope(ability, speech))
    lead = _when(ability, speech) if ability.event else scope + _if(ability.condition, speech)
    return f"{', '.join(head)}: {_after(lead, _clauses(ability.effects, speech))}"


def _limited(said: str, ability: Ability, speech: Speech) -> str:
    match ability.limit:
        case "":
            return said
        case "turn":
            return said if ability.kind == "global" else f"{said} (Once per turn.)"
        case "die":
            return f"{said} (Once per turn for each {speech.title} die.)"
        case "first" if _says_first(ability) and " each turn" in said:
            return said
        case "first":
            return f"{said} (Only the first time each turn.)"
        case "moment" if ability.scope == "pair":
            return f"{said} (Once, even if both do so together.)"
        case "moment" if ability.event and ability.event.word.endswith("damaged"):
            return f"{said} (Once for all damage taken together.)"
        case "moment":
            return f"{said} (Once for all that happens together.)"
        case "together":
            return f"{said} (Once, however many {speech.title} dice do so together.)"
        case _:
            raise NoEnglishError(f"no English for the limit {ability.limit!r}")


def _stars(burst: Burst) -> str:
    return "/".join("★" * n for n in burst.on)


def _burst_alone(ability: Ability, burst: Burst) -> Ability:
    return replace(ability, effects=burst.effects, rules=burst.rules, bursts=())


def _after_naming(burst: Burst, ability: Ability) -> Burst:
    """Leave out of a burst the naming that the text has told of already."""
    named = burst.instead and len(burst.effects) > 1 and burst.effects[:1] == ability.effects[:1]
    return replace(burst, effects=burst.effects[1:]) if named and isinstance(burst.effects[0], NameCard) else burst


def _burst(burst: Burst, speech: Speech) -> str:
    speech.just_said = None
    speech.group, speech.other_said, speech.lasting = None, False, False
    if burst.instead:
        speech.choices, speech.sorting, speech.drew_many = [], False, False
    clauses = _clauses(burst.effects, speech)
    if burst.rules:
        clauses.append(listed([_rule(rule, speech) for rule in burst.rules]))
    return f"{_stars(burst)} {_after('instead, ' if burst.instead else 'also, ', clauses)}"


_REMINDERS = {  # keywords that are rules of their own
    "Ally": "in the field, {this} counts as a Sidekick too",
    "Continuous": "once used, this die goes to the field and stays there",
    "Deadly": "at the end of the turn, KO each character that was engaged with {this}",
    "Fast": "{this} deals its combat damage before characters without Fast",
    "Iron Will": "{this} cannot be KO'd unless it was damaged earlier this turn",
    "Overcrush": "when {this} attacks and all its blockers are KO'd or gone, the damage it has left goes to your opponent",
}


def _is_reminder(ability: Ability) -> bool:
    """Whether the ability only says that this die has the keyword it is labelled with."""
    plain = Rule("has keyword", Where("this"), text=ability.keyword)
    return ability.keyword in _REMINDERS and ability.rules == (plain,) and ability.condition is None


def _after(lead: str, clauses: list[str]) -> str:
    """Make sentences of clauses, the first of them after what leads up to it."""
    if not clauses:
        raise NoEnglishError(f"nothing follows {lead!r}")
    return " ".join(f"{_capital(clause)}." for clause in [lead + clauses[0], *clauses[1:]])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _energy(symbols: str) -> str:
    """Say a price: BB is [B][B], 1 is one energy of any sort."""
    if not set(symbols) <= set("FBMS123456789"):
        raise NoEnglishError(f"no English for the energy {symbols!r}")
    return "".join(f"[{symbol}]" for symbol in symbols)


# --- when and while ------------------------------------------------------------------------------------------------


def _scope(ability: Ability, speech: Speech) -> str:
    """Say when the text is in force at all."""
    match ability.scope:
        case "die" | "pair":
            return ""
        case "active":
            return f"while {speech.title} is active"
        case "field":
            return "while this die is in the field"
        case "card" if ability.event and ability.event.word == "bought" and ability.event.who.op.startswith("this"):
            return ""
        case "card" if ability.rules and all(_is_price(rule) for rule in ability.rules):
            return ""
        case "card":
            return f"even while {speech.title} is not active"
        case _:
            raise NoEnglishError(f"no English for the scope {ability.scope!r}")


def _is_price(rule: Rule) -> bool:
    """Whether the rule is about buying, or about fielding dice of this card, which no die in the field is needed for."""
    own = rule.who in (Where("this"), Where("this card"))
    return rule.word == "costs to buy" or (rule.word in ("costs to field", "fields free") and own)


def _while(ability: Ability, speech: Speech) -> str:
    scope = _scope(ability, speech)
    if ability.condition is None:
        return _lead(scope)
    condition = _condition(ability.condition, speech)
    if _is_past(ability.condition):
        return f"{_lead(scope)}if {condition}, "
    return f"{scope} and {condition}, " if scope.startswith("while ") else f"{_lead(scope)}while {condition}, "


def _is_past(condition: Condition) -> bool:
    """Whether it is about what has happened, of which one does not say "while"."""
    parts = [part for part in condition.args if isinstance(part, Condition)]
    if condition.op == "is":
        past = (fielded_this_turn, fielded_last_turn)
        return condition.args[1] in (*past, *(~word for word in past))
    return all(_is_past(part) for part in parts) if parts else condition.op in _PAST


_PAST = (
    "own KO this turn",
    "opposing KO this turn",
    "action used this turn",
    "first fielding",
    "has damaged",
    "own Sidekick KO this turn",
)


def _lead(text: str) -> str:
    return f"{text}, " if text else ""


def _if(condition: Condition | None, speech: Speech) -> str:
    return f"if {_condition(condition, speech)}, " if condition else ""


def _when(ability: Ability, speech: Speech) -> str:
    """Say the event and the conditions; some conditions are a part of the event."""
    assert ability.event is not None
    event, rest = _event(ability.event, speech), []
    damaged: list[Condition] = []
    for condition in _each_condition(ability.condition):
        if condition.op == "first fielding" and event.startswith("when you field"):
            event = event.replace("when you field", "the first time you field", 1) + " each turn"
        elif condition.op in _IN_EVENT:
            event += _IN_EVENT[condition.op]
        elif condition.op == "was" and ability.event.word in ("KO'd", "would be KO'd"):
            event += f" while {condition.args[0]}"
        elif condition.op == "by source" and condition.args == ("combat",):
            event += " in combat"
        elif condition.op == "by source" and ability.event.word == "deals damage":
            event += f" with {_sources(condition)}"
        elif condition.op == "by source" and ability.event.word in ("would be targeted", "targeted"):
            event += f" of {_sources(condition)}"
        elif condition.op == "by source" and ability.event.word.endswith("damaged") and not ability.event.other:
            event += f" from {_sources(condition)}"
        elif condition.op == "by source" and ability.event.word.endswith("damaged") and _are_classes(condition):
            event += f"'s {listed([_ability_class(str(kind)) for kind in condition.args], 'or')} ability"
        elif condition.op == "dealt by you" and ability.event.word == "would be damaged" and " would take " in event:
            whom, _, rest_of_event = event.removeprefix("when ").partition(" would take damage")
            event = f"when you would deal damage to {whom}{rest_of_event.replace(' from ', ' with ', 1)}"
        elif condition.op == "has damaged" and len(condition.args) == 2:
            damaged.append(condition)
        else:
            rest.append(_condition(condition, speech))
    if len(damaged) == 2 and damaged[0].args[1] == damaged[1].args[1]:
        first, second = [_condition(condition, speech).removesuffix(" this turn") for condition in damaged]
        rest.append(f"{first} and {second.partition(' damage ')[2]} this turn")
    else:
        rest += [_condition(condition, speech) for condition in damaged]
    conditions = f", if {listed(rest)}" if rest else ""
    if _says_first(ability) and event.startswith("when "):
        event = f"the first time {event.removeprefix('when ')} each turn"
    speech.just_said = None
    return f"{_lead(_scope(ability, speech))}{event}{conditions}, "


def _are_classes(condition: Condition) -> bool:
    """Whether the source is a class of abilities: “when fielded”, or a keyword."""
    return all(kind in ("when fielded", "when attacks") or kind in KEYWORDS for kind in condition.args)


def _says_first(ability: Ability) -> bool:
    """Whether the limit is a part of the event: the first time you take damage each turn."""
    return ability.limit == "first" and ability.event is not None and ability.event.word not in _MOMENTS


_IN_EVENT = {"in attack step": " in the attack step", "by combat": " in combat", "attacks alone": " alone"}
_IN_EVENT["by damage"] = " by damage"


def _each_condition(condition: Condition | None) -> list[Condition]:
    if condition is None:
        return []
    if condition.op != "and" or _one_of_them(condition):
        return [condition]
    return [single for part in condition.args if isinstance(part, Condition) for single in _each_condition(part)]


def _one_of_them(condition: Condition) -> Where | None:
    """Give what makes one of several dice special, if that is what the condition is about: two attackers, one a Villain."""
    match condition.args:
        case Condition("count", (_, int(n), Where() as them)), Condition("count", (">=", 1, Where() as one)) if n > 1:
            common, special = set(parts_of(them)), list(parts_of(one))
            if common < set(special):
                words = [part for part in special if part not in common or part == Where("character")]
                return reduce(Where.__and__, words)
    return None


THEIR_ROLL = "your opponent's roll and before their"


def _event(event: Event, speech: Speech) -> str:
    match event.word:
        case word if word in _MOMENTS:
            return _moment(event)
        case "rolled" if event.who.op in ("you", "opponent"):
            return f"after {'your roll and before your' if event.who.op == 'you' else THEIR_ROLL} reroll"
        case "drawn":
            return _players_deed(event, "draws one or more dice")
        case word if word.startswith("uses "):
            return _players_deed(event, f"uses {with_article(_ability_class(word.removeprefix('uses ')))} ability")
        case "fielded":
            return _done_to(event, "fields", "is fielded", speech)
        case "bought":
            return _done_to(event, "buys", "is bought", speech)
        case "KOs own":
            return _players_deed(event, f"KOs one of {'your' if event.who.op == 'you' else 'their'} own characters")
        case "attackers declared":
            return _players_deed(event, "declares attackers")
        case "blockers declared":
            return "when blockers are declared"
        case "action used":
            return _players_deed(event, "uses an action die")
        case "Global used":
            return _players_deed(event, "uses a Global")
        case "would be affected":
            who = someone(event.who, speech).as_object
            return f"when anything would affect {who}, except damage from a character engaged with it"
        case word if word in _VERBS:
            singular, plural, to = _VERBS[word]
            whom = Where("character") if word == "KOs" and event.other is None else event.other
            other = f" {to} {someone(whom, speech).as_object}".replace("  ", " ") if whom else ""
            return f"when {someone(event.who, speech).verb(singular, plural)}{other}"
        case _:
            raise NoEnglishError(f"no English for the event {event.word!r}")


_VERBS = {  # event: the verb, its plural, what stands before the other die
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


_MOMENTS = {  # a part of the turn, and its edge
    f"{part} {edge}": ("roll and reroll step" if part == "roll" else part, edge)
    for part in ("turn", "roll", "main step", "attack step")
    for edge in ("starts", "ends")
}


def _moment(event: Event) -> str:
    what, edge = _MOMENTS[event.word]
    at = "at the start of" if edge == "starts" else "at the end of"
    match event.who.op:
        case "you":
            return f"{at} your {what}"
        case "opponent":
            return f"{at} your opponent's {what}"
        case "each player":
            return f"{at} each {what}"
        case _:
            raise NoEnglishError(f"no English for the {what} of {event.who}")


def _players_deed(event: Event, deed: str) -> str:
    match event.who.op:
        case "you":
            return f"when you {_base(deed)}"
        case "opponent":
            return f"when your opponent {deed}"
        case "each player":
            return f"when a player {deed}"
        case _:
            raise NoEnglishError(f"no English for {event.who} as a player")


def _done_to(event: Event, active: str, passive: str, speech: Speech) -> str:
    """Say fielding and buying, which players do with their own dice."""
    if event.word == "bought" and event.who.op == "this":
        return "when you buy this die"
    if event.who.op == "this card":
        return f"when you {_base(active)} {with_article(speech.title)} die"
    ops = {part.op for part in parts_of(event.who)}
    if event.who.op in ("and", "own", "opposing") and ops & {"own", "opposing"}:
        noun = describe(event.who, speech)
        noun.owner_said = True
        who = f"you {_base(active)}" if "own" in ops else f"your opponent {active}"
        return f"when {who} {indefinite(noun)}"
    return f"when {someone(event.who, speech).text} {passive}"


def _base(deed: str) -> str:
    """Make "uses a Global" "use a Global"."""
    verb, space, rest = deed.partition(" ")
    return verb.removesuffix("s") + space + rest


def _third(deed: str) -> str:
    """Make "use a Global" "uses a Global"."""
    verb, space, rest = deed.partition(" ")
    if rest.startswith("and roll "):
        rest = rest.replace("roll", "rolls", 1)
    return f"{'has' if verb == 'have' else f'{verb}s'}{space}{rest}"


# --- conditions ----------------------------------------------------------------------------------------------------


def _condition(condition: Condition, speech: Speech) -> str:
    match condition.op, condition.args:
        case "and", (Condition() as first, _) if one := _one_of_them(condition):
            return f"{_condition(first, speech)}, one of them {indefinite(describe(one, speech))}"
        case "and", (Condition() as first, Condition() as second):
            return f"{_condition(first, speech)} and {_condition(second, speech)}"
        case "not", (Condition() as inner,):
            return _not(inner, speech)
        case "or", _:
            return f"either {listed([_condition(part, speech) for part in _alternatives(condition)], 'or')}"
        case "compare", (int() | Number() as a, str() as how, int() | Number() as b):
            return _compare(a, how, b, speech)
        case "has damaged", (str() as whom, bool() as combat):
            hurt = "your opponent" if whom == "opponent" else "a character"
            dealt = f"{{this}} has dealt {'combat ' if combat else ''}damage to {hurt} this turn"
            return _about_this(dealt, speech)
        case "was", (str() as word,):
            return f"it was {word}"
        case "by source", _:
            return f"the damage comes from {_sources(condition)}"
        case "count", (str() as how, int() as n, Where() as what):
            return _there_are(how, n, what, speech)
        case "is", (Where() as which, Where() as what):
            known = reference(which, speech) or subject(which, speech)
            return f"{known.text} {is_text(what, speech)}"
        case op, () if op in _CONDITIONS:
            return _about_this(_CONDITIONS[op][0], speech)
        case _:
            raise NoEnglishError(f"no English for the condition {condition.op!r}")


def _not(condition: Condition, speech: Speech) -> str:
    match condition.op, condition.args:
        case "not", (Condition() as inner,):
            return _condition(inner, speech)
        case "and", (Condition() as first, Condition() as second):
            return _condition(Condition("or", (~first, ~second)), speech)
        case "or", (Condition() as first, Condition() as second):
            return f"{_not(first, speech)} and {_not(second, speech)}"
        case "compare", (int() | Number() as a, str() as how, int() | Number() as b):
            return _compare(a, {">=": "<", "<=": ">", "=": "!=", "<": ">=", ">": "<="}.get(how, ""), b, speech)
        case "was", (str() as word,):
            return f"it was not {word}"
        case "by source", _:
            return f"the damage does not come from {_sources(condition)}"
        case "count", (str() as how, int() as n, Where() as what):
            opposite, limit = {">=": ("<=", n - 1), "<=": (">=", n + 1), "=": ("!=", n)}.get(how, ("", n))
            return _there_are(opposite, limit, what, speech)
        case "is", (Where() as which, Where() as what):
            return _condition(Condition("is", (which, ~what)), speech)
        case op, () if op in _CONDITIONS:
            return _about_this(_CONDITIONS[op][1], speech)
        case _:
            return f"it is not so that {_condition(condition, speech)}"


_CONDITIONS = {  # what it says, and its opposite
    "first fielding": (
        "it is the first character you fielded this turn",
        "it is not the first character you fielded this turn",
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
        "{this} would be KO'd by damage at the same moment",
        "{this} would not be KO'd by damage at the same moment",
    ),
    "dealt by you": ("you deal it", "your opponent deals it"),
    "by damage": ("damage does it", "damage does not do it"),
    "own Sidekick KO this turn": (
        "one of your Sidekicks was KO'd this turn",
        "none of your Sidekicks was KO'd this turn",
    ),
    "by combat": ("it happens in combat", "it does not happen in combat"),
    "attacks alone": ("{this} attacks alone", "{this} does not attack alone"),
    "paired": ("{this} is paired up", "{this} is not paired up"),
}


def _about_this(said: str, speech: Speech) -> str:
    """Put this die, or "it", where a sentence speaks of it."""
    this = reference(Where("this"), speech) if "{this}" in said else None
    return said.format(this=this.text) if this else said


def _alternatives(condition: Condition) -> list[Condition]:
    if condition.op != "or":
        return [condition]
    return [single for part in condition.args if isinstance(part, Condition) for single in _alternatives(part)]


def _compare(a: Amount, how: str, b: Amount, speech: Speech) -> str:
    """Say a comparison: your opponent has more life than you, your life is 5 or less."""
    match a, b:
        case Number("count", (Where() as what, False)), int():
            return _there_are(how, b, what, speech)
        case Number("KOs"), 0 if how == "=":
            return "no character is KO'd this way"
        case Number("life", (Where() as one,)), Number("life", (Where() as other,)) if how in _THAN:
            return _has_more(one, _THAN[how].format(less="less", much="much", what="life"), other, speech)
        case Number("count", (Where() as one, dice)), Number("count", (Where() as other, _)) if how in _THAN:
            (holder, mine), (rival, theirs) = _holder(one), _holder(other)
            if a.args[1:] == b.args[1:] and mine == theirs and {holder, rival} == {"own", "opposing"}:
                noun = counted(one, speech, dice is True)
                noun.owner_said, noun.owner = True, noun.owner.replace("opposing", "their")
                things = noun.many() if noun.places else f"{noun.many()} in the field"
                than = _THAN[how].format(less="fewer", much="many", what=things)
                players = {"own": Where("you"), "opposing": Where("opponent")}
                return _has_more(players[holder], than, players[rival], speech)
    if isinstance(b, int) and how in ("<=", ">="):
        return f"{value(a, speech)} is {b} or {'less' if how == '<=' else 'more'}"
    than = _COMPARED[how] if how in _COMPARED else _no_comparison(how)
    return f"{value(a, speech)} is {than}{value(b, speech)}"


_COMPARED = {"=": "", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least ", "!=": "not "}
_THAN = {
    "=": "as {much} {what} as",
    "<": "{less} {what} than",
    "<=": "no more {what} than",
    ">": "more {what} than",
    ">=": "at least as {much} {what} as",
}


def _has_more(one: Where, than: str, other: Where, speech: Speech) -> str:
    return f"{subject(one, speech).verb('has', 'have')} {than} {subject(other, speech).as_object}"


def _holder(what: Where) -> tuple[str, set[Where]]:
    """Give whose dice they are, and the rest of the description."""
    parts = set(parts_of(what))
    owners = {part for part in parts if part.op in ("own", "opposing")}
    return "".join(part.op for part in owners), parts - owners


def _sources(condition: Condition) -> str:
    """Say where damage comes from: an action die or a Global."""
    kinds = {"action": "an action die", "global": "a Global", "ability": "a character's ability", "combat": "combat"}
    sources = [kinds.get(str(kind)) or f"{with_article(_ability_class(str(kind)))} ability" for kind in condition.args]
    return listed(sources, "or")


def _ability_class(name: str) -> str:
    """Say, before "ability", a class of abilities: “when fielded”, or a keyword."""
    if name in KEYWORDS:
        return name
    if name not in ("when fielded", "when attacks"):
        raise NoEnglishError(f"no English for the abilities {name!r}")
    return f"“{name}”"


def _there_are(how: str, n: int, what: Where, speech: Speech) -> str:
    """Say a count: your opponent has no Villains in the field, a character is blocking Hulk."""
    if any(part.op == "opposing" for part in parts_of(what)):
        speech.just_said = None  # the opponent comes between
    noun = describe(what, speech)
    noun.owner_said = True
    near = [text for text in noun.after if text.startswith(("engaged with", "blocking "))]
    fighting = any(text in ("attacking", "blocking") for _, text in noun.before)
    if not noun.places and not near and not fighting:
        near_noun = ("with ", "of the ", "other than ")
        noun.after.insert(sum(text.startswith(near_noun) for text in noun.after), "in the field")
    speech.group = what if what.op == "and" else speech.group
    if near and not noun.owner and how == ">=":
        noun.after.remove(near[0])
        who = with_article(noun.one()) if n == 1 else f"at least {number_word(n)} {noun.many()}"
        return f"{who} {'is' if n == 1 else 'are'} {near[0]}"
    there = "there is" if n == 1 else "there are"
    who = {"your": "you have", "opposing": "your opponent has", "their": "they have"}.get(noun.owner, there)
    other = "other " if noun.other else ""
    match how, n:
        case (("=" | "<="), 0):
            return f"{who} no {other}{noun.many()}"
        case (">=", 1) | ("!=", 0):
            return f"{who} {'another ' + noun.one() if other else with_article(noun.one())}"
        case _:
            counted = f"{other}{noun.one() if n == 1 else noun.many()}"
            return f"{who} {_HOW[how]}{number_word(n)} {counted}" if how in _HOW else _no_comparison(how)


_HOW = {
    "=": "exactly ",
    ">=": "at least ",
    "<=": "at most ",
    "<": "fewer than ",
    ">": "more than ",
    "!=": "not exactly ",
}


def _no_comparison(how: str) -> str:
    raise NoEnglishError(f"no English for the comparison {how!r}")


# --- standing rules ------------------------------------------------------------------------------------------------


def _rules(rules: tuple[Rule, ...], speech: Speech) -> list[str]:
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
            said[-1] += f" and {_price(rule.a, speech)} to {rule.word.removeprefix('costs to ')}"
        else:
            said.append(_rule(rule, speech))
    return said


def _rule(rule: Rule, speech: Speech, until: str = "") -> str:
    """Say a standing rule, with how long it lasts where it was given."""
    who = subject(rule.who, speech, "" if rule.word.startswith("cannot") else "all")
    match rule.word:
        case "gets":
            bonus, tail = _bonus(rule.a, rule.d, speech)
            return f"{who.verb('gets', 'get')} {bonus}{until}{tail}"
        case "multiplies":
            return f"{who.as_possessive} {_multiplied(rule)}{until}"
        case "becomes":
            return f"{who.as_possessive} A is {value(rule.a, speech)} and D is {value(rule.d, speech)}{until}"
        case "sets A":
            return f"{who.as_possessive} A becomes {value(rule.a, speech)}{until}"
        case "counts as level":
            level = f"{who.verb('counts', 'count')} as level {value(rule.a, speech)}{until}"
            return f"{level} (with the A, D, fielding cost and bursts of that level)"
        case "costs to buy" if rule.text == "once":
            return f"{_predicate(rule, who, speech)}{until} (several {speech.title} dice do not add up)"
        case "exchanges" if who.text.endswith("s") and not who.plural:  # one of your characters
            return f"the A and D of {who.as_object} are exchanged{until}"
        case "halves":
            return f"{who.as_possessive} A is halved{until} (rounded down)"
        case "exchanges":
            return f"{who.as_possessive} A and D are exchanged{until}"
        case "cannot attack" | "cannot block" if rule.a:
            return f"{who.text} {rule.word}{until} unless its controller pays {value(rule.a, speech)} life to let it"
        case "must attack":
            return f"{who.text} must attack{_forced(until, who)}"
        case "must block":
            return f"{who.text} must block{_forced(until, who)}"
        case "must block this":
            return f"{who.text} must block {speech.this}{_forced(until, who)}"
        case "must be blocked":
            return f"{who.text} must be blocked{_forced(until, who)}"
        case "takes half":
            return f"{who.verb('takes', 'take')} half damage{_source(rule, speech)}{until} (rounded down)"
        case "excess goes through":
            blockers = "their" if who.plural else "its"
            lead = f"{until.strip()}, " if until else ""
            attack = f"while {who.verb('is', 'are')} attacking, damage {(THEY if who.plural else IT).text}"
            return f"{lead}{attack} {'deal' if who.plural else 'deals'} beyond {blockers} blockers' total D goes to your opponent"
        case _:
            return f"{_predicate(rule, who, speech)}{until}"


def _all_but(by: Where) -> list[Where]:
    """Give whom a description of everybody else leaves out: all that is not a Villain and not a Sidekick."""
    parts = [part for part in parts_of(by) if part != Where("character")]
    left_out = [part.args[0] for part in parts if part.op == "not"]
    return [part for part in left_out if isinstance(part, Where)] if len(left_out) == len(parts) else []


def _predicate(rule: Rule, who: Phrase, speech: Speech) -> str:
    by = f" by {those(rule.by, speech)}" if rule.by else ""
    source = _source(rule, speech)
    to = f" to {those(rule.by, speech)}" if rule.by else ""
    its = "their" if who.plural else "its"
    match rule.word:
        case "cannot attack" | "cannot block" | "cannot be KO'd":
            return f"{who.text} {rule.word}"
        case "goes instead":
            first, *rest = rule.text.split()
            owner = whose(rule.who, speech)
            to, places = place_name(first, owner), place_names(tuple(rest), owner)
            leaving = "they leave" if who.plural else "it leaves"
            return f"{who.verb('goes', 'go')} to {to} instead of {places} when {leaving} the field"
        case "cannot reroll":
            return f"{who.text} cannot reroll dice in the roll and reroll step"
        case "cannot declare blockers":
            return f"{who.text} cannot declare blockers"
        case "cannot be blocked" if rule.by and (only := _all_but(rule.by)):
            return f"{who.text} can be blocked only by {listed([those(where, speech) for where in only], 'or')}"
        case "cannot be blocked":
            return f"{who.text} cannot be blocked{by}"
        case "blocked last":
            others = those(rule.by, speech) if rule.by else "others"
            return f"{who.text} cannot be blocked unless all {others} are blocked too"
        case "rerolls more":
            times = "one more time" if rule.a == 1 else f"{value(rule.a, speech)} more times"
            dice = "your dice" if rule.who == Where("you") else "their dice"
            return f"{who.text} may reroll {dice} {times} in the roll and reroll step"
        case "cannot field" if isinstance(rule.who, Where) and any(
            part.op == "opposing" for part in parts_of(rule.who)
        ):
            noun = describe(rule.who, speech)
            noun.owner_said = True
            return f"{OPPONENT.text} cannot field {noun.many()}"
        case "cannot field":
            return f"{who.text} cannot be fielded"
        case "cannot use":
            return f"{who.text} cannot use {listed([_kind(kind) for kind in rule.text.split()], 'or')}"
        case "draws more" if isinstance(rule.a, int):
            dice = f"{abs(rule.a)} {'more' if rule.a > 0 else 'fewer'} {'die' if abs(rule.a) == 1 else 'dice'}"
            step = f"{'your' if rule.who == Where('you') else 'their'} clear and draw step"
            return f"{who.verb('draws', 'draw')} {dice} in {step}"
        case "may attack":
            return f"{who.text} may attack all the same"
        case "attacks again":
            return f"{who.text} may have a second attack step after the first"
        case "ability costs life":
            uses = f"must pay {value(rule.a, speech)} life for each {_ability_class(rule.text)} ability to use it"
            return f"{who.text} {uses}; otherwise it does nothing"
        case "stays unblocked":
            return f"{who.verb('stays', 'stay')} in the field after attacking unblocked"
        case "Globals cost":
            return f"Globals cost {subject(rule.who, speech).as_object} {_price(rule.a, speech, ' to use')}"
        case "text ignored":
            return "the text of all cards of the named affiliation is ignored, Globals included"
        case "assigns no damage":
            whom = object_(rule.by, speech) if rule.by else "anybody"
            return f"{who.verb('assigns', 'assign')} no combat damage to {whom}"
        case "deals twice":
            return f"{who.verb('deals', 'deal')} {its} combat damage to your opponent twice"
        case "blocked by at least":
            return f"{who.text} cannot be blocked by fewer than {value(rule.a, speech)} characters"
        case "blocks more":
            whom = those(rule.by, speech) if rule.by else "characters"
            most = rule.a if isinstance(rule.a, int) else _no_factor(rule.a)
            return f"{who.text} can block {'any number of' if most == ALL else f'up to {number_word(most + 1)}'} {whom}"
        case "has keyword":
            return f"{who.verb('has', 'have')} {rule.text}"
        case "has keywords of" if rule.by:
            return f"{who.verb('has', 'have')} the keyword abilities of {those(rule.by, speech)}"
        case "loses keyword":
            return f"{who.verb('loses', 'lose')} {rule.text} and cannot gain it"
        case "has affiliation":
            return f"{who.verb('has', 'have')} the {rule.text} affiliation"
        case "deals no damage":
            return f"{who.verb('deals', 'deal')} no damage"
        case "deals no combat damage":
            return f"{who.verb('deals', 'deal')} no combat damage"
        case "takes less" if rule.a == ALL:
            return f"{who.verb('takes', 'take')} no damage{source}"
        case "takes less":
            return f"{who.verb('takes', 'take')} {_difference('less', rule.a, speech, source)}"
        case "deals more":
            return f"{who.verb('deals', 'deal')} {_difference('more', rule.a, speech, to)}"
        case "deals times":
            n = rule.a if isinstance(rule.a, int) else _no_factor(rule.a)
            return f"{who.verb('deals', 'deal')} {_FACTORS.get(n, f'{n} times the')} damage{to}"
        case "full damage to each":
            them = THEY if who.plural else IT
            return f"{who.verb('deals', 'deal')} {its} full damage to each character blocking {them.as_object}"
        case "damages player instead":
            return f"{who.verb('deals', 'deal')} {its} damage to your opponent instead of to {its} blockers"
        case "fields free":
            return f"{who.verb('costs', 'cost')} nothing to field"
        case "takes more":
            return f"{who.verb('takes', 'take')} {_difference('more', rule.a, speech, source)}"
        case "cannot be targeted":
            kinds = listed([_kind(kind) for kind in rule.text.split()], "or") if rule.text else ""
            if rule.by is not None:
                kinds = f"{subject(rule.by, speech).as_possessive} {kinds or 'effects'}"
            return f"{who.text} cannot be targeted{f' by {kinds}' if kinds else ''}"
        case "costs to buy":
            return f"{who.verb('costs', 'cost')} {_price(rule.a, speech, ' to buy')}"
        case "costs to field":
            return f"{who.verb('costs', 'cost')} {_price(rule.a, speech, ' to field')}"
        case "costs at least to field":
            return f"{who.verb('costs', 'cost')} at least {value(rule.a, speech)} energy to field"
        case _:
            raise NoEnglishError(f"no English for the rule {rule.word!r}")


_FACTORS = {2: "double", 3: "triple"}


def _source(rule: Rule, speech: Speech) -> str:
    """Say what the damage comes from that a rule is about."""
    dice = those(rule.by, speech) if rule.by else ""
    if not rule.text or not rule.word.startswith("takes"):
        return f" from {dice}" if dice else ""
    if rule.text == "combat":
        return f" from {dice} in combat" if dice else " in combat"
    owner = f"{Phrase(dice, True).as_possessive} " if dice else ""
    return f" from {owner}{listed([_kind(kind) for kind in rule.text.split(', ')], 'or')}"


def _kind(kind: str) -> str:
    kinds = {"action": "action dice", "global": "Globals", "ability": "abilities", "combat": "combat"}
    return kinds.get(kind) or f"{_ability_class(kind)} abilities"


def _forced(until: str, who: Phrase) -> str:
    if until == " until end of turn":
        return " this turn if able"
    if until == " at its next chance" and who.plural:
        return " at their next chance if able"
    return f"{until} if able"


def _bonus(a: Amount, d: Amount, speech: Speech) -> tuple[str, str]:
    """Say a change of A and D, and what it is counted by."""
    parts: list[str] = []
    tails: list[str] = []
    for amount, stat in ((a, "A"), (d, "D")):
        if amount != 0 or a == d:
            said = figure(amount, speech)
            sign = "" if said.figure.startswith("-") else "+"
            parts.append(f"a bonus to {stat} equal to {said.equal}" if said.equal else f"{sign}{said.figure}{stat}")
            tails += [said.tail] if said.tail and said.tail not in tails else []
    return listed(parts), "".join(tails)


def _multiplied(rule: Rule) -> str:
    def times(n: Amount) -> str:
        return {2: "doubled", 3: "tripled"}.get(n, f"multiplied by {n}") if isinstance(n, int) else _no_factor(n)

    if rule.a == rule.d:
        return f"A and D are {times(rule.a)}"
    stats = [f"{stat} is {times(n)}" for n, stat in ((rule.a, "A"), (rule.d, "D")) if n != 1]
    return listed(stats)


def _no_factor(n: Number) -> NoReturn:
    raise NoEnglishError(f"no English for the factor {n}")


def _difference(how: str, amount: Amount, speech: Speech, source: str) -> str:
    said = figure(amount, speech)
    if said.equal:
        return f"{how} damage{source}, by {said.equal}"
    return f"{said.figure} {how} damage{source}{said.tail}"


def _price(n: Amount, speech: Speech, to: str = "") -> str:
    if not isinstance(n, int):
        said = figure(n, speech)
        if said.equal or not said.figure.lstrip("-").isdigit():
            raise NoEnglishError(f"no English for the price {n}")
        return _price(int(said.figure), speech, to) + said.tail
    return (f"{n} more" if n > 0 else f"{-n} less") + to


def _until(until: str) -> str:
    match until:
        case _ if until == END_OF_TURN:
            return " until end of turn"
        case _ if until == NEXT_TURN:
            return " until your next turn"
        case _ if until == YOUR_HIT:
            return " until you damage your opponent"
        case _ if until == END_OF_THEIR_TURN:
            return " until the end of your opponent's next turn"
        case _ if until == NEXT_ATTACK:
            return " at its next chance"
        case _ if until == THIS_ATTACK:
            return " in this attack"
        case _:
            raise NoEnglishError(f"no English for the duration {until!r}")


# --- effects -------------------------------------------------------------------------------------------------------


def _clauses(effects: tuple[Effect, ...], speech: Speech) -> list[str]:
    """Say effects as clauses, one sentence each; deeds that follow each other share one."""
    if effects and isinstance(effects[0], Instead):
        return _instead(effects[1:], speech)
    clauses: list[str] = []
    deeds: list[str] = []
    given: list[str] = []  # the parts of the last clause, where it gives dice several things
    for i, effect in enumerate(effects):
        before = effects[i - 1] if i else None
        speech.affected = _affected(before, speech)
        if isinstance(effect, Copy) and isinstance(before, Copy) and effect.part != "die":
            continue  # said with the one before
        if isinstance(effect, Copy) and effect.part != "die":
            deeds.append(_copy(tuple(e for e in effects[i : i + 2] if isinstance(e, Copy)), speech))
            continue
        if isinstance(effect, CopyNamedCard) and deeds:
            deeds[-1] = deeds[-1].partition(" (")[0]  # how long the naming counts is said now
        if isinstance(effect, Choose) and isinstance(before, Choose) and deeds[-1].startswith("choose "):
            deeds[-1] += f" and {_deed(effect, speech).removeprefix('choose ')}"
            continue
        if _is_deed(effect) and not isinstance(effect, Divide):
            deeds.append(_deed(effect, speech))
            continue
        clauses += _together(deeds)
        deeds = []
        said = _clause(effect, speech)
        if isinstance(effect, Give) and isinstance(before, Give) and given and clauses:
            more = _given_too(before, effect, given[-1], said[0], speech)
            given = [*given[:-1], given[-1].removesuffix(_until(effect.until)), more] if more else said
            clauses = [*clauses[:-1], _given_all(given, effect.until)] if more else clauses + said
        else:
            given = said if isinstance(effect, Give) else []
            clauses += [f"then {said[0]}", *said[1:]] if clauses and isinstance(effect, May) else said
        speech.just_said = None
    return clauses + _together(deeds)


def _affected(before: Effect | None, speech: Speech) -> str:
    """Say what each die is called that the effect before has reached."""
    match before:
        case Ko(Where("and") as what):
            return f"{describe(what, speech).head} KO'd this way"
        case _:
            return "of those dice"


def _given_too(first: Give, second: Give, one: str, other: str, speech: Speech) -> str:
    """Say what the same dice are given for the same time so that it can follow in one sentence; nothing if it cannot."""
    who = second.rule.who
    same = who == first.rule.who
    again = not same and isinstance(first.rule.who, Select) and isinstance(who, Where) and who.op == "chosen"
    speech.just_said = None
    names = [subject(who, speech).text + " "] if same and isinstance(who, Where) else ["it ", "they "] if again else []
    until = "" if first.until in (NEXT_ONE, NEXT_ATTACK) else _until(first.until)
    name = next((name for name in names if other.startswith(name)), "")
    if not name or not until or first.until != second.until or not other.endswith(until):
        return ""
    return other.removeprefix(name) if one.endswith((until, " if able")) else ""


def _given_all(given: list[str], until: str) -> str:
    """Say how long first, where what is given is too long a list for it to follow."""
    if len(given) < 3:
        return listed(given)
    parts = [part.removesuffix(_until(until)).replace(" this turn if able", " if able") for part in given]
    return f"{_until(until).strip()}, {listed(parts)}"


def _together(deeds: list[str]) -> list[str]:
    return [listed(deeds)] if deeds else []


def _instead(rest: tuple[Effect, ...], speech: Speech) -> list[str]:
    if rest:
        first, *more = _clauses(rest, speech)
        return [f"instead {first}", *more]
    if speech.event is not None and speech.event.word == "would be affected":
        return [f"{subject(speech.event.who, speech).text} is not affected"]
    passive = speech.event is not None and speech.event.word == "would be KO'd"
    return ["it is not" if passive else "it does not"]


def _inner(effects: tuple[Effect, ...], speech: Speech) -> str:
    """Say effects inside a longer sentence."""
    return "; ".join(_clauses(effects, speech))


def _is_deed(effect: Effect) -> bool:
    """Whether it is said as something to do: "draw a die"; else as a whole sentence: "it gets +1A"."""
    match effect:
        case Give() | May() | Unless() | Do() | Instead() | EachPlayer() | OneOf() | Later() | SetLife():
            return False
        case CopyNamedCard() | JoinAttack():
            return False
        case Ko(Select(by="opponent", target=False)) | Spin(Select(by="opponent", target=False)):
            return False
        case Life(who=who):
            return who.op in ("you", "payer")
        case Reroll(otherwise=otherwise):
            return not otherwise
        case _:
            return True


def _clause(effect: Effect, speech: Speech) -> list[str]:
    match effect:
        case Give(rule, until) if until == NEXT_ONE:
            return [_next_one(rule, speech)]
        case Give(rule, until):
            given = _rule(rule, speech, "" if speech.lasting and until == END_OF_TURN else _until(until))
            if rule == Rule("has keyword", rule.who, text="Intimidate") and isinstance(rule.who, Where):
                return [f"{given} ({_for_each_fielded(intimidate(), speech)})"]
            return [_gained(given) if rule.word.startswith("has ") else given]
        case Ko(Select() as what) | Spin(Select() as what) if speech.actor == "you" and _of_opponent(what):
            speech.actor = "opponent"
            said = [f"{OPPONENT.text} {_third(_deed(effect, speech))}"]
            speech.actor = "you"
            return said
        case JoinAttack(what):
            return [f"{subject(what, speech).text} must attack too if able"]
        case May():
            return _may(effect, speech)
        case Unless():
            return _unless(effect, speech)
        case Do(Condition("is", (Where("that"), Where("you"))), (Ko(Select() as mine),), (Ko(Select() as theirs),)) if (
            theirs == replace(mine, where=_across(mine.where), by="opponent")
        ):
            before, speech.actor = speech.actor, "each"
            said = [f"that player {_third(_deed(Ko(mine), speech))}"]
            speech.actor = before
            return said
        case Do(condition, effects, otherwise):
            drew = speech.drew_one
            said = [f"if {_condition(condition, speech)}, {_inner(effects, speech)}"]
            said += [f"otherwise, {_inner(otherwise, speech)}"] if otherwise else []
            if drew:
                speech.drawn_name = "the drawn die"  # "it" would be somebody else by now
            return said
        case Life(amount, who):
            loses = isinstance(amount, int) and amount < 0
            verb = subject(who, speech).verb(*(("loses", "lose") if loses else ("gains", "gain")))
            return [f"{verb} {_life(amount, speech)}"]
        case Reroll(what, otherwise):
            return _reroll(what, otherwise, speech)
        case SetLife(amount, who):
            return [f"{subject(who, speech).as_possessive} life becomes {amount}"]
        case CopyNamedCard(faces):
            parts = ["name", "energy types", "affiliations", "abilities"] + ["die faces"] * faces
            dice = f"your {speech.title} dice have the named card's {listed(parts)}{', level for level' * faces}"
            return [f"until you field another {speech.title} die, {dice}"]
        case EachPlayer(effects):
            return _each_player(effects, speech)
        case OneOf():
            return [_one_of(effect, speech)]
        case Later():
            return _later(effect, speech)
        case Instead():
            return _instead((), speech)
        case _:
            return [_deed(effect, speech)]


def _of_opponent(what: Select) -> bool:
    """Whether the opponent chooses it among their own dice."""
    return what.by == "opponent" and not what.target and any(part.op == "opposing" for part in parts_of(what.where))


def _across(where: Where) -> Where:
    """Give the description of the opponent's dice where this is one of yours."""
    if where.op == "own":
        return Where("opposing")
    return replace(where, args=tuple(_across(arg) if isinstance(arg, Where) else arg for arg in where.args))


def _for_each_fielded(keyword: Ability, speech: Speech) -> str:
    """Say what a keyword does for each die that will be fielded with it."""
    return f"when you field one of them, {_inner(keyword.effects, speech)}"


def _gained(said: str) -> str:
    """Make "it has Fast" "it gains Fast", which is what happens to dice that are given it."""
    if " has " in said:
        return said.replace(" has ", " gains ", 1)
    return said.replace(" have ", " gain ", 1)


def _next_one(rule: Rule, speech: Speech) -> str:
    """Say a rule about the next die one fields or buys."""
    if rule.word not in ("fields free", "costs to field", "costs to buy") or not isinstance(rule.who, Where):
        raise NoEnglishError(f"no English for the rule {rule.word!r} about the next one")
    noun = describe(rule.who, speech)
    noun.owner_said = True
    deed = "buy" if rule.word == "costs to buy" else "field"
    if deed == "buy":
        return f"you pay {_price(rule.a, speech)} for the next {noun.one()} you buy this turn"
    price = f"nothing to {deed}" if rule.word == "fields free" else _price(rule.a, speech)
    return f"the next {noun.one()} you {deed} this turn costs {price}"


def _each_player(effects: tuple[Effect, ...], speech: Speech) -> list[str]:
    """Say what all players do for themselves, each with their own dice."""
    before, speech.actor, speech.choices = (speech.actor, speech.choices), "each", []
    match effects:
        case (May() | OneOf() as only,):
            said = _clause(only, speech)
        case (Draw(1, "hand") as draw, (Field() | Move() as first), Move(Where("drawn")) as second) if isinstance(
            first.what, Where
        ) and Where("drawn") in parts_of(first.what):
            said = [f"each player {_third(_deed(draw, speech))}, {_sorted_one(first, second, speech)}"]
        case _ if all(_is_deed(effect) for effect in effects):
            said = [f"each player {listed([_third(_deed(effect, speech)) for effect in effects])}"]
        case _:
            said = [f"each player does this: {_inner(effects, speech)}"]
    speech.actor, speech.choices = before
    return said


def _sorted_one(first: Field | Move, second: Move, speech: Speech) -> str:
    """Say what each player does with the one die drawn, which depends on what it is."""
    assert isinstance(first.what, Where)
    what = [part for part in parts_of(first.what) if part != Where("drawn")]
    if_so = f"if it {listed([is_text(part, speech) for part in what])}"
    if isinstance(first, Field):
        deed = f"fields it for free{_at_level(first.what, first.level)}"
    else:
        deed = _third(_deed(replace(first, what=Where("drawn")), speech))
    return f"{deed} {if_so} and otherwise {_third(_deed(second, speech))}"


def _one_of(effect: OneOf, speech: Speech) -> str:
    """Say a choice between effects; when the opponent has it, the effects are still yours."""
    if effect.by not in ("you", "opponent"):
        raise NoEnglishError(f"no English for {effect.by!r} who chooses")
    theirs = effect.by == "opponent"
    who = (
        f"{subject(Where('opponent'), speech).text} chooses"
        if theirs
        else "each player chooses"
        if speech.actor == "each"
        else "choose"
    )
    before, speech.opponent_said = speech.opponent_said, theirs
    options = []
    for choice in effect.choices:
        you = "you " if theirs and all(_is_deed(part) for part in choice) else ""
        options.append(you + _inner(choice, speech))
        speech.just_said = None
    speech.opponent_said = before
    return f"{who} one: {'; '.join(options[:-1])}; or {options[-1]}"


def _later(effect: Later, speech: Speech) -> list[str]:
    """Say what is to happen whenever an event comes, or at a moment of this turn."""
    said: list[str] = []
    inner = Speech(speech.title, speech.this, effect.event, actor=speech.actor)
    inner.lasting = effect.until == END_OF_TURN and effect.event.word not in _MOMENTS
    if isinstance(effect.about, Select):
        said = [f"choose {object_(effect.about, speech)}"]
        inner.about = _that_one(effect.about, speech)
        inner.choices = [effect.about]
    elif effect.about is not None:
        inner.about = subject(effect.about, speech)
        if inner.about == IT:  # a whole clause lies between
            inner.about = _that_one(speech.choices[0], speech)
        inner.choices = [Select(effect.about)]
    event = _event(effect.event, inner)
    if effect.event.word in _MOMENTS and effect.until == END_OF_TURN:
        lead = event.replace(" each ", " the ")
    elif effect.event.word in ("KOs", "KO'd") and effect.about is not None and effect.until == END_OF_TURN:
        lead = f"{event} this turn"
    else:
        lead = f"{_until(effect.until).strip()}, {event.replace('when ', 'whenever ', 1)}"
    inner.just_said = None
    return [*said, f"{lead}, {_inner(effect.effects, inner)}"]


def _that_one(choice: Select, speech: Speech) -> Phrase:
    noun = describe(choice.where, speech)
    return Phrase(f"that {noun.head}") if choice.most == 1 else Phrase(f"those {noun.heads}", True)


def _may(effect: May, speech: Speech) -> list[str]:
    if effect.who not in ("you", "opponent"):
        raise NoEnglishError(f"no English for {effect.who!r} who may")
    who, they = ("you", "you") if effect.who == "you" else (OPPONENT.text, "they")
    before, speech.actor = speech.actor, effect.who
    if before == "each":
        who, they, speech.actor = "each player", "they", "each"
    if effect.cost is not None:
        paid = _cost(effect.cost, speech)
        speech.paid = f"[{effect.cost.energy[:1]}] paid" if effect.cost.up_to else "of them"
        doer = "they " if before == "each" and all(_is_deed(part) for part in effect.effects) else ""
        said = [f"{who} may {paid}", f"if {they} do, {doer}{_inner(effect.effects, speech)}"]
    elif len(effect.effects) > 1 and isinstance(last := effect.effects[-1], Do) and _is_if_done(last):
        said = _may(May(effect.effects[:-1], who=effect.who), speech)
        said.append(f"if {they} do, {_inner(last.effects, speech)}")
    elif len(effect.effects) == 1 and isinstance(only := effect.effects[0], Do) and not only.otherwise:
        condition = f"if {_condition(only.condition, speech)}"
        said = [f"{condition}, {clause}" for clause in _may(May(only.effects, who=effect.who), speech)]
    elif all(_is_deed(part) for part in effect.effects):
        said = [f"{who} may {_inner(effect.effects, speech)}"]
    elif _is_deed(effect.effects[0]):
        first, *more = _clauses(effect.effects, speech)
        said = [f"{who} may {first}", *more]
    else:
        said = [f"{who} may {_wish(effect.effects, speech)}"]
    speech.actor = before
    return said


def _and_then(wish: str, rest: list[Effect], speech: Speech) -> str:
    """Say what follows if one does what one may."""
    they = "you" if speech.actor == "you" else "they"
    return f"{wish}. If {they} do, {_inner(tuple(rest), speech)}" if rest else wish


def _is_if_done(effect: Do) -> bool:
    """Whether it only says what follows from the deed before it."""
    return effect.condition.op == "done" and not effect.otherwise


def _wish(effects: tuple[Effect, ...], speech: Speech) -> str:
    """Say what one may do when it is no plain deed."""
    match effects:
        case (Instead(),):
            return "prevent that"
        case (Instead(), first, *_) if _is_deed(first):
            return _inner(effects, speech)
        case (OneOf(by="you") as only,) if speech.actor == "you":
            return _one_of(only, speech)
        case (Give(Rule(word="must attack" | "must block" | "must block this" as word, who=what), until), *rest):
            made = subject(what, speech)
            deed = word.removeprefix("must ").replace(" this", f" {speech.this}")
            wish = f"make {made.as_object} {deed}{_forced(_until(until), made)}"
            return _and_then(wish, rest, speech)
        case (Give(Rule(word="damages player instead", who=what), until), *rest):
            made = subject(what, speech)
            its = "their" if made.plural else "its"
            wish = (
                f"have {made.as_object} deal {its} damage to your opponent instead of to {its} blockers{_until(until)}"
            )
            speech.just_said = None
            return _and_then(wish, rest, speech)
        case (Give(Rule(word="cannot block" | "cannot attack" as word, who=what, a=0), until), *rest):
            deed = {"cannot block": "blocking", "cannot attack": "attacking"}[word]
            wish = f"keep {subject(what, speech).as_object} from {deed}{_until(until)}"
            return _and_then(wish, rest, speech)
        case (Give(Rule(word="takes less", who=what, a=a, by=None, text=""), until), *rest) if a == ALL:
            wish = f"prevent all damage to {subject(what, speech).as_object}{_until(until)}"
            return f"{wish} and {_inner(tuple(rest), speech)}" if rest else wish
        case (SetLife(amount, who),):
            return f"set {subject(who, speech).as_possessive} life to {amount}"
        case (Give(Rule(word="gets", who=who, a=a, d=d), until),):
            bonus, tail = _bonus(a, d, speech)
            return f"give {object_(who, speech)} {bonus}{_until(until)}{tail}"
        case _:
            return f"decide that {_inner(effects, speech)}"


def _unless(effect: Unless, speech: Speech) -> list[str]:
    normal = _inner(effect.effects, speech)
    before, speech.actor = speech.actor, "opponent"
    if normal.startswith("your opponent ") or normal.endswith(" your opponent"):
        price = f"unless they {_cost(effect.cost, speech)}"
    else:
        price = f"unless your opponent {_cost(effect.cost, speech, third=True)}"
    said = [f"{price}, {normal}" if len(effect.effects) > 1 and "; " in normal else f"{normal} {price}"]
    speech.actor = before
    if effect.otherwise:
        said.append(f"if they do, {_inner(effect.otherwise, speech)} instead")
    return said


def _cost(cost: Cost, speech: Speech, third: bool = False) -> str:
    deeds = [f"pay {'up to ' if cost.up_to else ''}{_energy(cost.energy)}"] if cost.energy else []
    deeds += [_deed(effect, speech) for effect in cost.effects]
    if not deeds:
        raise NoEnglishError("a cost of nothing")
    return listed([_third(deed) for deed in deeds] if third else deeds)


def _life(amount: Amount, speech: Speech) -> str:
    said = figure(-amount if isinstance(amount, int) and amount < 0 else amount, speech)
    return said.of("life") + said.tail


def _reroll(what: What, otherwise: str, speech: Speech) -> list[str]:
    place = place_name(otherwise, whose(what, speech))
    said = f"reroll {object_(what, speech)}"
    if is_one(what, speech):
        return [said, f"if it shows no character, it goes to {place}"]
    return [said, f"those that show no character go to {place}"]


def _deed(effect: Effect, speech: Speech) -> str:
    """Say an effect as something to do."""
    match effect:
        case Choose(Select(by="opponent") as what):
            return f"your opponent chooses {object_(replace(what, by='you'), speech)}"
        case Choose(what):
            return f"choose {object_(what, speech)}"
        case Damage():
            return _damage(effect, speech)
        case Together((Damage(Number("attack", (a,)), b, c), Damage(Number("attack", (d,)), e, f))) if (
            a == c == e and b == d == f
        ):
            return "have each of them deal damage equal to its A to the other"
        case Together(parts):
            return _damage_together(parts, speech)
        case Life(amount, who):
            verb = "gain" if isinstance(amount, Number) or amount >= 0 else "pay" if who.op == "payer" else "lose"
            return f"{verb} {_life(amount, speech)}"
        case Ko(what):
            return f"KO {object_(what, speech)}"
        case Spin() | SpinTo() | SpinToEnergy():
            return _spin(effect, speech)
        case Draw(amount, to):
            return _draw(amount, to, speech)
        case Roll() | Reroll() | Move() | Field() | ReturnToField():
            return _put(effect, speech)
        case Buy(what):
            return f"buy {object_(what, speech)} for free"
        case RollUntil(what, symbol):
            speech.rolled_until = True
            return f"roll {object_(what, speech)} until it shows {_energy(symbol)}"
        case EndEffect():
            return (
                "end a lasting effect of an action die (if the die is in the field, it goes to its owner's Used Pile)"
            )
        case LeaveCombat(what):
            return f"take {object_(what, speech)} out of the attack"
        case ClearDamage(what):
            return f"clear all damage from {object_(what, speech)}"
        case SwapControl(first, second):
            return f"swap control of {object_(first, speech)} and {object_(second, speech)} until end of turn"
        case SendHome():
            lent = "send every die under another player's control back to its owner's field"
            return f"{lent}, and every die that is in the field only for a time back where it came from"
        case UseCopy():
            return "use a copy of its effect, with choices of your own"
        case SwapAttack(first, second):
            both = f"{belonging('A', first, speech)} with {belonging('A', second, speech)}"
            return f"exchange {both}{_until(END_OF_TURN)}"
        case Capture() | SetAside() | TakeControl() | Swap() | Copy() | PairUp():
            return _take(effect, speech)
        case Attach(what, until):
            lasts = "" if until == WHILE_THERE else f"{_until(until)} (then it goes to {place_name(USED)})"
            return f"put this die on {object_(what, speech)}{lasts}"
        case Use(what):
            return f"use {object_(what, speech)} (without its bursts)"
        case MakeToken(name, a, d):
            return f"put a {name} token with {a}A and {d}D into the field"
        case PutCounter(name):
            return f"put {with_article(name)} counter on this card"
        case RemoveCounters(name):
            return f"remove all {name} counters from this card"
        case NameCard():
            return "name one of your opponent's character cards (only the last one named counts)"
        case NameType():
            return "name an energy type"
        case NameAffiliation(None, other_than=other):
            return f"name an affiliation{f' other than {other}' if other else ''}, in place of any named before,"
        case NameAffiliation(Where() as among, at_least) if at_least > 1:
            return f"name an affiliation that at least {number_word(at_least)} {those(among, speech)} share"
        case NameAffiliation(Where() as among):
            return f"name an affiliation of {someone(among, speech).as_object}"
        case Divide(amount, among):
            said = figure(amount, speech)
            whom = subject(among, speech, "").as_object
            you = subject(Where("you"), speech).text
            return f"deal {said.of('damage')}{said.tail}, divided as {you} choose among {whom}"
        case Increase(Number("event")):
            return "double that damage"
        case Increase(amount):
            return f"increase that damage by {_more(amount, speech)}"
        case Prevent(amount):
            return f"prevent {_share(amount, speech)}"
        case Redirect(amount, to, True) if amount == ALL:
            return f"redirect that damage and all other damage from the same source to {object_(to, speech)}"
        case Redirect(amount, to):
            return f"redirect {_share(amount, speech)} to {object_(to, speech)}"
        case NewTarget(what):
            return f"make {object_(what, speech)} the target instead"
        case PlaceOnCard(Where("not", (Where("action die"),))):
            return "put this die on a character card, where it counts as in the field"
        case PlaceOnCard(Where("any")):
            return f"put {speech.this} on a card, where it counts as in the field"
        case PlaceOnCard(among):
            return f"put {speech.this} on the card of {indefinite(describe(among, speech))}, where it counts as in the field"
        case _:
            raise NoEnglishError(f"no English for the effect {effect!r}")


def _damage(effect: Damage, speech: Speech) -> str:
    source = f"have {object_(effect.source, speech)} deal" if effect.source else "deal"
    said = figure(effect.amount, speech)
    if effect.source is None and effect.to == Where("you"):
        return f"take {said.of('damage')}{said.tail}"
    if effect.source is None and isinstance(effect.to, Where) and effect.to.op in ("that", "the other", "chosen"):
        match effect.amount:
            case Number(("level" | "attack") as stat, (Where() as of,)) if of == effect.to:
                return f"deal {object_(of, speech)} damage equal to its {'A' if stat == 'attack' else stat}"
    if isinstance(effect.amount, Number) and effect.amount.args == (effect.to,) and " among " in said.equal:
        return f"{source} {object_(effect.to, speech)} damage equal to {said.equal.partition(' among ')[0]} among them"
    if said.equal.startswith("the "):
        return f"{source} damage to {object_(effect.to, speech)} equal to {said.equal}"
    return f"{source} {said.of('damage')} to {object_(effect.to, speech)}{said.tail}"


def _damage_together(parts: tuple[Damage, ...], speech: Speech) -> str:
    first, *rest = [_damage(part, speech) for part in parts]
    return listed([first, *(deed.removeprefix("deal ") for deed in rest)])


def _spin(effect: Spin | SpinTo | SpinToEnergy, speech: Speech) -> str:
    who = object_(effect.what, speech)
    match effect:
        case Spin(levels=0):
            return f"spin {who} up or down 1 level"
        case Spin(levels=n):
            how = "up" if n > 0 else "down"
            return f"spin {who} {how} {abs(n)} level{'s' if abs(n) > 1 else ''}"
        case SpinTo(level=level):
            return f"spin {who} to {f'level {level}' if isinstance(level, int) else value(level, speech)}"
        case SpinToEnergy(what, symbol):
            one = is_one(what, speech)
            face = f"spin {who} to {'its' if one else 'their'} {_energy(symbol)} face"
            if what == Where("this") and speech.this == "this die":
                return face  # an action die being used is in the reserve
            moves = f"{'it moves' if one else 'those in the field move'} to {place_name(RESERVE, whose(what, speech))}"
            return f"{face} ({moves})" if _may_be_in_field(what) else face


def _at_level(what: What, level: int) -> str:
    """Say at which level dice are fielded; Sidekicks have but one."""
    where = what.where if isinstance(what, Select) else what
    if level == 0:
        return " at the level it shows"
    return "" if Where("sidekick") in parts_of(where) else f" at level {level}"


def _may_be_in_field(what: What) -> bool:
    where = what.where if isinstance(what, Select) else what
    places = [part.args for part in parts_of(where) if part.op == "in"]
    return not places or any("field" in args for args in places)


def _draw(amount: Amount, to: str, speech: Speech) -> str:
    said = figure(amount, speech)
    if said.equal:
        dice = f"a number of dice equal to {said.equal}"
    elif said.figure == "that much":
        dice = "that many dice"
    else:
        dice = "a die" if said.figure == "1" else f"{said.figure} dice"
    match to:
        case _ if to == HAND:
            speech.left = amount if isinstance(amount, int) else 0
            speech.drew_one, speech.drew_many = amount == 1, amount != 1 and speech.actor != "each"
            return f"draw {dice}{said.tail}"
        case _ if to == PREP:
            return f"draw {dice} into {place_name(to, whose(Where('drawn'), speech))}{said.tail}"
        case _ if to == RESERVE:
            return f"draw and roll {dice}{said.tail}"
        case _:
            return f"draw {dice} into {place_name(to, whose(Where('drawn'), speech))}{said.tail}"


def _put(effect: Roll | Reroll | Move | Field | ReturnToField, speech: Speech) -> str:
    who = object_(effect.what, speech, "in" if isinstance(effect, Reroll) else "from")
    match effect:
        case Roll(what, to) if to == HAND:
            if isinstance(what, Where) and not speech.drew_one and what.op != "drawn":
                speech.drawn_name = "the rolled dice"
            return f"roll {who}"
        case Roll(what, to):
            return f"roll {who} into {place_name(to, whose(what, speech))}"
        case Reroll():
            return f"reroll {who}"
        case Move(what, to):
            return f"move {who} to {place_name(to, whose(what, speech))}"
        case Field(level=level):
            return f"field {who} for free{_at_level(effect.what, level)}"
        case ReturnToField(level=level):
            at = " at the level it shows" if level == 0 else f" at level {level}"
            if not isinstance(level, int):
                at = f" at {'the same level' if level.op == 'level' else value(level, speech)}"
            new = speech.event is not None and speech.event.word == "bought"
            new = new or not _may_be_in_field(effect.what) or " from " in who
            return f"put {who} into the field{at}" if new else f"return {who} to the field{at}"


def _take(effect: Capture | SetAside | TakeControl | Swap | Copy | PairUp, speech: Speech) -> str:
    match effect:
        case Capture(what):
            said = f"capture {object_(what, speech, 'from')}{_until(effect.until)}"
            speech.captured = effect.until == END_OF_TURN
            return f"{said} (then it goes to {place_name(effect.home, whose(what, speech))})" if effect.home else said
        case SetAside(what):
            return f"remove {object_(what, speech, 'from')} from the field until end of turn"
        case TakeControl(what):
            return f"take control of {object_(what, speech)} until end of turn"
        case Swap(first, second):
            return f"swap {object_(first, speech)} with {object_(second, speech)}"
        case Copy("die", of, until=until):
            return f"make {speech.this} a copy of {object_(of, speech)}{_as_long(until, speech)}"
        case Copy():
            return _copy((effect,), speech)
        case PairUp(what):
            return f"pair {speech.this} up with {object_(what, speech)} until your next turn"
        case _:
            raise NoEnglishError(f"no English for the effect {effect!r}")


def _copy(copies: tuple[Copy, ...], speech: Speech) -> str:
    """Say what is copied from one die, all of it together: the A, D and abilities of a character."""
    first = copies[0]
    copier = speech.this if first.who == Where("this") else object_(first.who, speech)
    level = f"level {first.level} " if first.level else ""
    parts: list[str] = []
    for copy in copies:
        if copy.part not in _COPIED:
            raise NoEnglishError(f"no English for copying {copy.part!r}")
        parts += _COPIED[copy.part]
    if len(parts) > 1 and " " in parts[-1]:  # too long for one breath
        *parts, last = parts
        said = f"{belonging(listed(parts), first.of, speech)} and its {last}"
        return f"give {copier} {said}{_as_long(first.until, speech)}"
    return f"give {copier} {belonging(level + listed(parts), first.of, speech)}{_as_long(first.until, speech)}"


_COPIED = {
    "stats": ["A", "D"],
    "attack": ["A"],
    "abilities": ["abilities"],
    "combat abilities": ["abilities for attacking, blocking and being blocked"],
}


def _as_long(until: str, speech: Speech) -> str:
    """Say how long, unless the capture before it has."""
    return "" if until == END_OF_TURN and speech.captured else _until(until)


def _more(amount: Amount, speech: Speech) -> str:
    said = figure(amount, speech)
    return said.equal or said.figure + said.tail


def _share(amount: Amount, speech: Speech) -> str:
    if amount == ALL:
        return "that damage"
    said = figure(amount, speech)
    part = f"as much of that damage as {said.equal}" if said.equal else f"{said.figure} of that damage"
    return part + said.tail
