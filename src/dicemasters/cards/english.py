"""Card texts: says the sentences of the card language in English.

Energy stands in brackets for a front end to draw: [F] fist, [B] bolt, [M] mask, [S] shield, [1] one of any sort.
A word this module cannot say raises NoEnglishError, so that no text is ever silently incomplete.
"""

from __future__ import annotations

from dicemasters.cards.catalogue import Card
from dicemasters.cards.nouns import (
    IT,
    OPPONENT,
    THEY,
    NoEnglishError,
    Phrase,
    Speech,
    belonging,
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
    END_OF_TURN,
    HAND,
    KEYWORDS,
    NEXT_ATTACK,
    NEXT_TURN,
    PREP,
    RESERVE,
    Ability,
    Amount,
    Burst,
    Capture,
    Choose,
    ClearDamage,
    Condition,
    Copy,
    Cost,
    Damage,
    Do,
    Draw,
    Effect,
    Event,
    Field,
    Give,
    Instead,
    Ko,
    LeaveCombat,
    Life,
    MakeToken,
    May,
    Move,
    NameType,
    Number,
    PairUp,
    Prevent,
    PutCounter,
    Redirect,
    Reroll,
    ReturnToField,
    Roll,
    Rule,
    Select,
    SetAside,
    Spin,
    SpinTo,
    SpinToEnergy,
    Swap,
    TakeControl,
    Together,
    Unless,
    What,
    Where,
    first_fielding,
    opposing_ko_this_turn,
    own_ko_this_turn,
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
    named = card.kind == "character" and ability.scope != "pair"
    speech = Speech(card.title, card.title if named else "this die", ability.event)
    said = _limited(_body(ability, speech), ability, speech)
    if ability.scope == "pair":
        said = f"While {card.title} is paired up, both partners have: “{said}”"
    bursts = [_burst(burst, speech) for burst in ability.bursts]
    label = [f"{ability.keyword}."] if ability.keyword else []
    return " ".join([*label, said, *bursts])


# --- abilities -----------------------------------------------------------------------------------------------------


def _check(ability: Ability) -> None:
    """Refuse what no kind of sentence has a place for."""
    if ability.keyword and ability.keyword not in KEYWORDS:
        raise NoEnglishError(f"no English for the keyword {ability.keyword!r}")
    if ability.own_turn and ability.kind != "global":
        raise NoEnglishError(f"no English for abilities of the kind {ability.kind!r} on one's own turn only")
    if ability.cost and ability.kind not in ("global", "pay"):
        raise NoEnglishError(f"no English for abilities of the kind {ability.kind!r} at a cost")


def _body(ability: Ability, speech: Speech) -> str:
    match ability.kind:
        case "when" | "would":
            return _after(_when(ability, speech), _clauses(ability.effects, speech))
        case "always" if _is_reminder(ability):
            return _capital(_REMINDERS[ability.keyword].format(this=speech.this)) + "."
        case "always":
            return _after(_while(ability, speech), [listed([_rule(rule, speech) for rule in ability.rules])])
        case "use":
            return _after(_while(ability, speech), _clauses(ability.effects, speech))
        case "global":
            return _global(ability, speech)
        case "pay":
            lead = _while(ability, speech) + "whenever you could use a Global, "
            return _after(lead, _may(May(ability.effects, ability.cost), speech))
        case _:
            raise NoEnglishError(f"no English for abilities of the kind {ability.kind!r}")


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
        case "together":
            return f"{said} (Once, however many {speech.title} dice do so together.)"
        case _:
            raise NoEnglishError(f"no English for the limit {ability.limit!r}")


def _burst(burst: Burst, speech: Speech) -> str:
    speech.just_said = None
    if burst.instead:
        speech.choices, speech.sorting = [], False
    stars = "/".join("★" * n for n in burst.on)
    clauses = _clauses(burst.effects, speech)
    if burst.rules:
        clauses.append(listed([_rule(rule, speech) for rule in burst.rules]))
    return f"{stars} {_after('instead, ' if burst.instead else 'also, ', clauses)}"


_REMINDERS = {  # keywords that are rules of their own
    "Ally": "in the field, {this} counts as a Sidekick too",
    "Continuous": "this die stays in the field once used, and may be used from there whenever you could use a Global",
    "Deadly": "at the end of the turn, KO each character that was engaged with {this}",
    "Fast": "{this} deals its combat damage before characters without Fast",
    "Iron Will": "{this} cannot be KO'd unless it was damaged earlier this turn",
    "Overcrush": "when {this} attacks and all its blockers are KO'd or gone, its damage left over goes to your opponent",
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
        case "card" if ability.event and ability.event.word == "bought" and ability.event.who == Where("this"):
            return ""
        case "card" if ability.rules and all(rule.word == "costs to buy" for rule in ability.rules):
            return ""
        case "card":
            return f"even while {speech.title} is not active"
        case _:
            raise NoEnglishError(f"no English for the scope {ability.scope!r}")


def _while(ability: Ability, speech: Speech) -> str:
    scope = _scope(ability, speech)
    if ability.condition is None:
        return _lead(scope)
    condition = _condition(ability.condition, speech)
    if all(single in _PAST for single in _each_condition(ability.condition)):
        return f"{_lead(scope)}if {condition}, "
    return f"{scope} and {condition}, " if scope.startswith("while ") else f"{_lead(scope)}while {condition}, "


_PAST = {  # what "while" would not be said of
    fact for done in (own_ko_this_turn, opposing_ko_this_turn, first_fielding) for fact in (done, ~done)
}


def _lead(text: str) -> str:
    return f"{text}, " if text else ""


def _if(condition: Condition | None, speech: Speech) -> str:
    return f"if {_condition(condition, speech)}, " if condition else ""


def _when(ability: Ability, speech: Speech) -> str:
    """Say the event and the conditions; some conditions are a part of the event."""
    assert ability.event is not None
    event, rest = _event(ability.event, speech), []
    for condition in _each_condition(ability.condition):
        if condition.op == "first fielding" and event.startswith("when you field"):
            event = event.replace("when you field", "the first time you field", 1) + " each turn"
        elif condition.op in _IN_EVENT:
            event += _IN_EVENT[condition.op]
        else:
            rest.append(_condition(condition, speech))
    conditions = f", if {listed(rest)}" if rest else ""
    speech.just_said = None
    return f"{_lead(_scope(ability, speech))}{event}{conditions}, "


_IN_EVENT = {"in attack step": " in the attack step", "by combat": " in combat", "attacks alone": " alone"}


def _each_condition(condition: Condition | None) -> list[Condition]:
    if condition is None:
        return []
    if condition.op != "and":
        return [condition]
    return [single for part in condition.args if isinstance(part, Condition) for single in _each_condition(part)]


def _event(event: Event, speech: Speech) -> str:
    match event.word:
        case "turn starts" | "turn ends" | "attack step starts" | "attack step ends":
            return _moment(event)
        case "fielded":
            return _done_to(event, "fields", "is fielded", speech)
        case "bought":
            return _done_to(event, "buys", "is bought", speech)
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
            other = f" {to} {someone(event.other, speech).as_object}".replace("  ", " ") if event.other else ""
            return f"when {someone(event.who, speech).verb(singular, plural)}{other}"
        case _:
            raise NoEnglishError(f"no English for the event {event.word!r}")


_VERBS = {  # event: the verb, its plural, what stands before the other die
    "attacks": ("attacks", "attack", ""),
    "blocks": ("blocks", "block", ""),
    "is blocked": ("is blocked", "are blocked", "by"),
    "engaged": ("becomes engaged", "become engaged", "with"),
    "KO'd": ("is KO'd", "are KO'd", ""),
    "damaged": ("takes damage", "take damage", "from"),
    "deals damage": ("deals damage", "deal damage", "to"),
    "would be damaged": ("would take damage", "would take damage", "from"),
    "would be KO'd": ("would be KO'd", "would be KO'd", ""),
    "would leave": ("would leave the field", "would leave the field", ""),
}


def _moment(event: Event) -> str:
    what, _, edge = event.word.rpartition(" ")
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
    return f"{verb}s{space}{rest}"


# --- conditions ----------------------------------------------------------------------------------------------------


def _condition(condition: Condition, speech: Speech) -> str:
    match condition.op, condition.args:
        case "and", (Condition() as first, Condition() as second):
            return f"{_condition(first, speech)} and {_condition(second, speech)}"
        case "not", (Condition() as inner,):
            return _not(inner, speech)
        case "count", (str() as how, int() as n, Where() as what):
            return _there_are(how, n, what, speech)
        case "is", (Where() as which, Where() as what):
            known = reference(which, speech) or subject(which, speech)
            return f"{known.text} {is_text(what, speech)}"
        case op, () if op in _CONDITIONS:
            return _CONDITIONS[op][0].format(this=speech.this)
        case _:
            raise NoEnglishError(f"no English for the condition {condition.op!r}")


def _not(condition: Condition, speech: Speech) -> str:
    match condition.op, condition.args:
        case "not", (Condition() as inner,):
            return _condition(inner, speech)
        case "count", (str() as how, int() as n, Where() as what):
            opposite, limit = {">=": ("<=", n - 1), "<=": (">=", n + 1), "=": ("!=", n)}.get(how, ("", n))
            return _there_are(opposite, limit, what, speech)
        case "is", (Where() as which, Where() as what):
            return _condition(Condition("is", (which, ~what)), speech)
        case op, () if op in _CONDITIONS:
            return _CONDITIONS[op][1].format(this=speech.this)
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
    "in attack step": ("it is the attack step", "it is not the attack step"),
    "by combat": ("it happens in combat", "it does not happen in combat"),
    "attacks alone": ("{this} attacks alone", "{this} does not attack alone"),
    "paired": ("{this} is paired up", "{this} is not paired up"),
}


def _there_are(how: str, n: int, what: Where, speech: Speech) -> str:
    """Say a count: your opponent has no Villain characters in the field."""
    noun = describe(what, speech)
    noun.owner_said = True
    if not noun.places:
        noun.after.append("in the field")
    there = "there is" if n == 1 else "there are"
    who = {"your": "you have", "opposing": "your opponent has"}.get(noun.owner, there)
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
        case "exchanges":
            return f"{who.as_possessive} A and D are exchanged{until}"
        case "must attack":
            return f"{who.text} must attack{_forced(until, who)}"
        case "must block":
            return f"{who.text} must block{_forced(until, who)}"
        case "excess goes through":
            blockers = "their" if who.plural else "its"
            lead = f"{until.strip()}, " if until else ""
            attack = f"while {who.verb('is', 'are')} attacking, damage {(THEY if who.plural else IT).text}"
            return f"{lead}{attack} {'deal' if who.plural else 'deals'} beyond {blockers} blockers' total D goes to your opponent"
        case _:
            return f"{_predicate(rule, who, speech)}{until}"


def _predicate(rule: Rule, who: Phrase, speech: Speech) -> str:
    by = f" by {those(rule.by, speech)}" if rule.by else ""
    source = f" from {those(rule.by, speech)}" if rule.by else ""
    match rule.word:
        case "cannot attack" | "cannot block" | "cannot be KO'd":
            return f"{who.text} {rule.word}"
        case "cannot be blocked":
            return f"{who.text} cannot be blocked{by}"
        case "blocked by at least":
            return f"{who.text} cannot be blocked by fewer than {value(rule.a, speech)} characters"
        case "blocks more":
            more = "one more character" if rule.a == 1 else f"{value(rule.a, speech)} more characters"
            return f"{who.text} can block {more}"
        case "has keyword":
            return f"{who.verb('has', 'have')} {rule.text}"
        case "loses keyword":
            return f"{who.verb('loses', 'lose')} {rule.text}"
        case "has affiliation":
            return f"{who.verb('has', 'have')} the {rule.text} affiliation"
        case "deals no damage":
            return f"{who.verb('deals', 'deal')} no damage"
        case "takes less" if rule.a == ALL:
            return f"{who.verb('takes', 'take')} no damage{source}"
        case "takes less":
            return f"{who.verb('takes', 'take')} {_difference('less', rule.a, speech, source)}"
        case "takes more":
            return f"{who.verb('takes', 'take')} {_difference('more', rule.a, speech, source)}"
        case "cannot be targeted":
            kinds = listed([_kind(kind) for kind in rule.text.split()], "or") if rule.text else ""
            return f"{who.text} cannot be targeted{f' by {kinds}' if kinds else ''}"
        case "costs to buy":
            return f"{who.verb('costs', 'cost')} {_price(rule.a)} to buy"
        case "costs to field":
            return f"{who.verb('costs', 'cost')} {_price(rule.a)} to field"
        case _:
            raise NoEnglishError(f"no English for the rule {rule.word!r}")


def _kind(kind: str) -> str:
    kinds = {"action": "action dice", "global": "Globals", "ability": "abilities"}
    if kind not in kinds:
        raise NoEnglishError(f"no English for the source {kind!r}")
    return kinds[kind]


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


def _no_factor(n: Number) -> str:
    raise NoEnglishError(f"no English for the factor {n}")


def _difference(how: str, amount: Amount, speech: Speech, source: str) -> str:
    said = figure(amount, speech)
    if said.equal:
        return f"{how} damage{source}, by {said.equal}"
    return f"{said.figure} {how} damage{source}{said.tail}"


def _price(n: Amount) -> str:
    if not isinstance(n, int):
        raise NoEnglishError(f"no English for the price {n}")
    return f"{n} more" if n > 0 else f"{-n} less"


def _until(until: str) -> str:
    match until:
        case _ if until == END_OF_TURN:
            return " until end of turn"
        case _ if until == NEXT_TURN:
            return " until your next turn"
        case _ if until == NEXT_ATTACK:
            return " at its next chance"
        case _:
            raise NoEnglishError(f"no English for the duration {until!r}")


# --- effects -------------------------------------------------------------------------------------------------------


def _clauses(effects: tuple[Effect, ...], speech: Speech) -> list[str]:
    """Say effects as clauses, one sentence each; deeds that follow each other share one."""
    if effects and isinstance(effects[0], Instead):
        return _instead(effects[1:], speech)
    clauses: list[str] = []
    deeds: list[str] = []
    for effect in effects:
        if _is_deed(effect):
            deeds.append(_deed(effect, speech))
            continue
        clauses += _together(deeds)
        deeds = []
        said = _clause(effect, speech)
        clauses += [f"then {said[0]}", *said[1:]] if clauses and isinstance(effect, May) else said
        speech.just_said = None
    return clauses + _together(deeds)


def _together(deeds: list[str]) -> list[str]:
    return [listed(deeds)] if deeds else []


def _instead(rest: tuple[Effect, ...], speech: Speech) -> list[str]:
    if rest:
        first, *more = _clauses(rest, speech)
        return [f"instead {first}", *more]
    passive = speech.event is not None and speech.event.word == "would be KO'd"
    return ["it is not" if passive else "it does not"]


def _inner(effects: tuple[Effect, ...], speech: Speech) -> str:
    """Say effects inside a longer sentence."""
    return "; ".join(_clauses(effects, speech))


def _is_deed(effect: Effect) -> bool:
    """Whether it is said as something to do: "draw a die"; else as a whole sentence: "it gets +1A"."""
    match effect:
        case Give() | May() | Unless() | Do() | Instead():
            return False
        case Life(who=who):
            return who.op in ("you", "payer")
        case Reroll(otherwise=otherwise):
            return not otherwise
        case _:
            return True


def _clause(effect: Effect, speech: Speech) -> list[str]:
    match effect:
        case Give(rule, until):
            return [_rule(rule, speech, _until(until))]
        case May():
            return _may(effect, speech)
        case Unless():
            return _unless(effect, speech)
        case Do(condition, effects, otherwise):
            said = [f"if {_condition(condition, speech)}, {_inner(effects, speech)}"]
            return said + ([f"otherwise, {_inner(otherwise, speech)}"] if otherwise else [])
        case Life(amount, who):
            loses = isinstance(amount, int) and amount < 0
            verb = subject(who, speech).verb(*(("loses", "lose") if loses else ("gains", "gain")))
            return [f"{verb} {_life(amount, speech)}"]
        case Reroll(what, otherwise):
            return _reroll(what, otherwise, speech)
        case Instead():
            return _instead((), speech)
        case _:
            return [_deed(effect, speech)]


def _may(effect: May, speech: Speech) -> list[str]:
    if effect.who not in ("you", "opponent"):
        raise NoEnglishError(f"no English for {effect.who!r} who may")
    who, they = ("you", "you") if effect.who == "you" else (OPPONENT.text, "they")
    before, speech.actor = speech.actor, effect.who
    if effect.cost is not None:
        paid = _cost(effect.cost, speech)
        said = [f"{who} may {paid}", f"if {they} do, {_inner(effect.effects, speech)}"]
    elif len(effect.effects) == 1 and isinstance(only := effect.effects[0], Do) and not only.otherwise:
        condition = f"if {_condition(only.condition, speech)}"
        said = [f"{condition}, {clause}" for clause in _may(May(only.effects, who=effect.who), speech)]
    elif all(_is_deed(part) for part in effect.effects):
        said = [f"{who} may {_inner(effect.effects, speech)}"]
    else:
        said = [f"{who} may {_wish(effect.effects, speech)}"]
    speech.actor = before
    return said


def _wish(effects: tuple[Effect, ...], speech: Speech) -> str:
    """Say what one may do when it is no plain deed."""
    match effects:
        case (Instead(),):
            return "prevent that"
        case (Give(Rule(word="gets", who=who, a=a, d=d), until),):
            bonus, tail = _bonus(a, d, speech)
            return f"give {object_(who, speech)} {bonus}{_until(until)}{tail}"
        case _:
            return f"decide that {_inner(effects, speech)}"


def _unless(effect: Unless, speech: Speech) -> list[str]:
    normal = _inner(effect.effects, speech)
    before, speech.actor = speech.actor, "opponent"
    said = [f"{normal} unless your opponent {_cost(effect.cost, speech, third=True)}"]
    speech.actor = before
    if effect.otherwise:
        said.append(f"if they do, {_inner(effect.otherwise, speech)} instead")
    return said


def _cost(cost: Cost, speech: Speech, third: bool = False) -> str:
    deeds = [f"pay {_energy(cost.energy)}"] if cost.energy else []
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
        case Choose(what):
            return f"choose {object_(what, speech)}"
        case Damage():
            return _damage(effect, speech)
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
        case LeaveCombat(what):
            return f"take {object_(what, speech)} out of the attack"
        case ClearDamage(what):
            return f"clear all damage from {object_(what, speech)}"
        case Capture() | SetAside() | TakeControl() | Swap() | Copy() | PairUp():
            return _take(effect, speech)
        case MakeToken(name, a, d):
            return f"put a {name} token with {a}A and {d}D into the field"
        case PutCounter(name):
            return f"put {with_article(name)} counter on this card"
        case NameType():
            return "name an energy type"
        case Prevent(amount):
            return f"prevent {_share(amount, speech)}"
        case Redirect(amount, to):
            return f"redirect {_share(amount, speech)} to {object_(to, speech)}"
        case _:
            raise NoEnglishError(f"no English for the effect {effect!r}")


def _damage(effect: Damage, speech: Speech) -> str:
    said = figure(effect.amount, speech)
    if effect.source is None and effect.to == Where("you"):
        return f"take {said.of('damage')}{said.tail}"
    source = f"have {object_(effect.source, speech)} deal" if effect.source else "deal"
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
            moves = f"{'it moves' if one else 'those in the field move'} to {place_name(RESERVE, whose(what, speech))}"
            return f"{face} ({moves})" if _may_be_in_field(what) else face


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
            return f"draw {dice}{said.tail}"
        case _ if to == PREP:
            return f"draw {dice} into your Prep Area{said.tail}"
        case _ if to == RESERVE:
            return f"draw and roll {dice}{said.tail}"
        case _:
            return f"draw {dice} into {place_name(to)}{said.tail}"


def _put(effect: Roll | Reroll | Move | Field | ReturnToField, speech: Speech) -> str:
    who = object_(effect.what, speech, "in" if isinstance(effect, Reroll) else "from")
    match effect:
        case Roll(to=to) if to == HAND:
            return f"roll {who}"
        case Roll(what, to):
            return f"roll {who} into {place_name(to, whose(what, speech))}"
        case Reroll():
            return f"reroll {who}"
        case Move(what, to):
            return f"move {who} to {place_name(to, whose(what, speech))}"
        case Field(level=level):
            at = {0: " at the level it shows", 1: ""}.get(level, f" at level {level}")
            return f"field {who} for free{at}"
        case ReturnToField(level=level):
            at = " at the level it shows" if level == 0 else f" at level {level}"
            new = speech.event is not None and speech.event.word == "bought"
            return f"put {who} into the field{at}" if new else f"return {who} to the field{at}"


def _take(effect: Capture | SetAside | TakeControl | Swap | Copy | PairUp, speech: Speech) -> str:
    match effect:
        case Capture(what):
            return f"capture {object_(what, speech)} until end of turn"
        case SetAside(what):
            return f"remove {object_(what, speech, 'from')} from the field until end of turn"
        case TakeControl(what):
            return f"take control of {object_(what, speech)} until end of turn"
        case Swap(first, second):
            return f"swap {object_(first, speech)} with {object_(second, speech)}"
        case Copy("stats", of):
            return f"give {speech.this} {belonging('A and D', of, speech)}"
        case Copy("abilities", of):
            return f"give {speech.this} {belonging('abilities', of, speech)}"
        case Copy("die", of):
            return f"make {speech.this} a copy of {object_(of, speech)}"
        case PairUp(what):
            return f"pair {speech.this} up with {object_(what, speech)} until your next turn"
        case _:
            raise NoEnglishError(f"no English for the effect {effect!r}")


def _share(amount: Amount, speech: Speech) -> str:
    if amount == ALL:
        return "that damage"
    said = figure(amount, speech)
    part = f"as much of that damage as {said.equal}" if said.equal else f"{said.figure} of that damage"
    return part + said.tail
