"""What happens by a text, in clauses: deeds side by side, what dice are given, offers and ifs."""

from __future__ import annotations

from dicemasters.cards.language.semantics import walk
from dicemasters.cards.language.vocabulary import (
    ALL,
    END_OF_TURN,
    NEXT_ATTACK,
    NEXT_ONE,
    Ability,
    Capture,
    Choose,
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
    Field,
    Give,
    Instead,
    JoinAttack,
    Ko,
    Later,
    Life,
    May,
    Move,
    Number,
    OneOf,
    Redirect,
    Reroll,
    Rule,
    Select,
    SetLife,
    Spin,
    Together,
    Unless,
    What,
    Where,
    if_done,
    intimidate,
)
from dicemasters.cards.text.amount_text import amount_text
from dicemasters.cards.text.condition_text import condition_text, who_was
from dicemasters.cards.text.effect_text import at_level, copy_text, damage_by_text, effect_text, energy_text, life_text
from dicemasters.cards.text.event_text import STEP_EDGES, event_text, third_person
from dicemasters.cards.text.noun_phrases import (
    is_one,
    is_text,
    iter_conjuncts,
    noun_phrase,
    object_text,
    owner_text,
    subject_text,
)
from dicemasters.cards.text.render_context import (
    IT,
    OPPONENT,
    THEY,
    PersonPhrase,
    RenderContext,
    UnrenderableError,
    join_list,
    zone_text,
)
from dicemasters.cards.text.rule_text import (
    THIS,
    bonus_text,
    forced_text,
    minimum_cost_text,
    only_while,
    price_text,
    rule_subject,
    rule_text,
    until_text,
)


def effect_clauses(effects: tuple[Effect, ...], speech: RenderContext) -> list[str]:
    """Say effects as clauses, one sentence each; deeds that follow each other share one."""
    if effects and isinstance(effects[0], Instead):
        return _instead(effects[1:], speech)
    clauses: list[str] = []
    deeds: list[str] = []
    given: list[str] = []  # the parts of the last clause, where it gives dice several things
    for i, effect in enumerate(effects):
        before = effects[i - 1] if i else None
        effect, named = _named_by_opponent(effect, speech)
        deeds += named
        speech.affected = _affected(before, speech)
        speech.before = before or speech.before
        if isinstance(effect, Capture) and any(isinstance(later, Copy) for later in effects[i + 1 :]):
            speech.captured = True  # how long is said with the copy
        if isinstance(effect, Copy) and isinstance(before, Copy) and effect.part != "die":
            continue  # said with the one before
        if isinstance(effect, Copy) and effect.part != "die":
            deeds.append(copy_text(tuple(e for e in effects[i : i + 2] if isinstance(e, Copy)), speech))
            continue
        if isinstance(effect, CopyNamedCard) and deeds:
            deeds[-1] = deeds[-1].partition(", in place")[0]  # how long the naming counts is said now
        if isinstance(effect, Choose) and isinstance(before, Choose) and deeds[-1].startswith("choose "):
            deeds[-1] += f" and {effect_text(effect, speech).removeprefix('choose ')}"
            continue
        if isinstance(effect, Redirect) and isinstance(before, Spin) and effect.to == Where("chosen", (0,)):
            clauses += _join_clauses(deeds)  # it goes to the die that was spun, and to no other
            deeds, effect = [], Do(if_done, (effect,))
        if isinstance(effect, Reroll) and effect.what == speech.group and before is not None and _targets(before):
            clauses.append(f"then {effect_text(effect, speech)} once")
            continue
        if named:
            clauses, deeds = clauses + deeds, []
        if _is_imperative(effect) and not isinstance(effect, Divide):
            deeds.append(effect_text(effect, speech))
            continue
        clauses += _join_clauses(deeds)
        deeds = []
        said = _clause(effect, speech)
        if isinstance(effect, Give) and isinstance(before, Give) and given and clauses:
            more = _merged_grant_text(before, effect, given[-1], said[0], speech)
            given = [*given[:-1], given[-1].removesuffix(until_text(effect.until, speech)), more] if more else said
            clauses = [*clauses[:-1], _joined_grants_text(given, effect.until, speech)] if more else clauses + said
        else:
            given = said if isinstance(effect, Give) else []
            clauses += [f"then {said[0]}", *said[1:]] if clauses and isinstance(effect, May) else said
        speech.just_mentioned = None
    return clauses + _join_clauses(deeds)


def used_clauses(effects: tuple[Effect, ...], speech: RenderContext) -> list[str]:
    """Say effects; where an action die does nothing but damage, who takes it."""
    taken = _damage_taken_text(effects[0], speech) if speech.used and len(effects) == 1 else ""
    return [taken] if taken else effect_clauses(effects, speech)


def _damage_taken_text(effect: Effect, speech: RenderContext) -> str:
    """Say damage by who takes it, where that is a target or a group; else nothing."""
    match effect:
        case Together(hits):
            pass
        case Damage():
            hits = (effect,)
        case _:
            return ""
    groups = ("character", "sidekick", "each player", "and")
    if not all(
        isinstance(hit.amount, int) and hit.source is None
        and (hit.to.target if isinstance(hit.to, Select) else hit.to.op in groups)
        for hit in hits
    ):  # fmt: skip
        return ""
    said = [(object_text(hit.to, speech), hit.amount) for hit in hits]
    return join_list([f"{who} takes {n} damage" if not i else f"{who} {n}" for i, (who, n) in enumerate(said)])


def _targets(effect: Effect) -> bool:
    return any(isinstance(part, Select) and part.target for part in walk(effect))


def _named_by_opponent(effect: Effect, speech: RenderContext) -> tuple[Effect, list[str]]:
    """Say first that the opponent names targets among their own dice; what is done to them follows."""
    match effect:
        case Give(Rule(who=Select(target=True, by="opponent") as what) as rule, until) if speech.actor == "you":
            done: Effect = Give(rule.replace(who=Where("chosen", (len(speech.choices),))), until)
        case Damage(amount, Select(target=True, by="opponent") as what, source) if speech.actor == "you":
            done = Damage(amount, Where("chosen", (len(speech.choices),)), source)
        case _:
            return effect, []
    if Where("opposing") not in iter_conjuncts(what.where) or speech.choices:
        return effect, []
    speech.actor = "opponent"
    whom = object_text(what.replace(target=False), speech)
    speech.actor = "you"
    speech.about = _that_one(what, speech)
    targets = "as targets" if what.most > 1 else "as the target"
    if speech.event is not None and speech.event.who == Where("opponent"):
        speech.is_opponent_mentioned = True
    chooses = subject_text(Where("opponent"), speech).verb("chooses", "choose")
    speech.is_opponent_mentioned = False
    only = " (or the only one)"
    return done, [f"{chooses} {whom.removesuffix(only)} {targets}{only if whom.endswith(only) else ''}"]


def _affected(before: Effect | None, speech: RenderContext) -> str:
    """Say what each die is called that the effect before has reached."""
    match before:
        case Ko(Where("and") as what):
            head = noun_phrase(what, speech).head
            return f"{'character die' if head == 'character' else head} KO'd this way"  # they are counted by dice
        case Reroll(otherwise=place) if place:
            return "die moved this way"
        case _:
            return "of those dice"


def _merged_grant_text(first: Give, second: Give, one: str, other: str, speech: RenderContext) -> str:
    """Say what the same dice are given for the same time so that it can follow in one sentence; nothing if it cannot."""
    who = second.rule.who
    if first.rule.who == THIS and isinstance(who, Where) and (doing := only_while(who)):
        # a sentence of its own would stand outside what the first one asks for
        who, second = THIS, second.replace(rule=second.rule.replace(who=THIS))
        other = f"{rule_text(second.rule, speech)} while {doing}{until_text(second.until, speech)}"
    same = who == first.rule.who
    one_die = isinstance(first.rule.who, Select) and first.rule.who.most == 1
    again = not same and isinstance(first.rule.who, Select) and isinstance(who, Where) and who.op == "chosen"
    speech.just_mentioned = None
    names = [rule_subject(second.rule, speech).text + " "] if same and isinstance(who, Where) else []
    names += ["it ", "they "] if again else []
    until = "" if first.until in (NEXT_ONE, NEXT_ATTACK) else until_text(first.until, speech)
    name = next((name for name in names if other.startswith(name)), "")
    if not name or not until or first.until != second.until or not other.endswith(until):
        return ""
    if not one.endswith((until, " if able")):
        return ""
    more = other.removeprefix(name)
    return third_person(more) if name == "they " and one_die and not more.startswith(("cannot", "must")) else more


def _joined_grants_text(given: list[str], until: str, speech: RenderContext) -> str:
    """Say how long first, where what is given is too long a list for it to follow."""
    if len(given) < 3:
        return join_list(given)
    lasts = until_text(until, speech)
    parts = [part.removesuffix(lasts).replace(" this turn if able", " if able") for part in given]
    return join_list(parts) + lasts if "(" in lasts else f"{lasts.strip()}, {join_list(parts)}"


def _join_clauses(deeds: list[str]) -> list[str]:
    return [join_list(deeds)] if deeds else []


def _instead(rest: tuple[Effect, ...], speech: RenderContext) -> list[str]:
    if rest:
        first, *more = effect_clauses(rest, speech)
        return [f"instead {first}", *more]
    if speech.event is not None and speech.event.word == "would be affected":
        return [f"that effect does nothing to {subject_text(speech.event.who, speech).as_object}"]
    passive = speech.event is not None and speech.event.word == "would be KO'd"
    return [f"{who_was(speech)} is not KO'd" if passive else "that does not happen"]


def _inner(effects: tuple[Effect, ...], speech: RenderContext) -> str:
    """Say effects inside a longer sentence."""
    first, *more = effect_clauses(effects, speech)
    return "; ".join([first, *(clause if clause.startswith(("if ", "then ")) else f"then {clause}" for clause in more)])


def _is_imperative(effect: Effect) -> bool:
    """Whether it is said as something to do: "draw a die"; else as a whole sentence: "it gets +1A"."""
    match effect:
        case Give() | May() | Unless() | Do() | Instead() | EachPlayer() | OneOf() | Later() | SetLife():
            return False
        case CopyNamedCard() | JoinAttack():
            return False
        case Damage(source=source):
            return source is None
        case Together((Damage(source=source), *_)):
            return source is None
        case Ko(Select(by="opponent", target=False)) | Spin(Select(by="opponent", target=False)):
            return False
        case Life(who=who):
            return who.op in ("you", "payer")
        case Reroll(otherwise=otherwise):
            return not otherwise
        case _:
            return True


def _clause(effect: Effect, speech: RenderContext) -> list[str]:
    match effect:
        case Give(rule, until) if until == NEXT_ONE:
            return [_next_one(rule, speech)]
        case Give(rule, until):
            given = rule_text(
                rule, speech, "" if speech.is_duration_mentioned and until == END_OF_TURN else until_text(until, speech)
            )
            if rule == Rule("has keyword", rule.who, text="Intimidate") and isinstance(rule.who, Where):
                return _for_each_fielded(rule.who, intimidate(), speech)
            return [_gained(given) if rule.word.startswith("has ") else given]
        case Ko(Select() as what) | Spin(Select() as what) if speech.actor == "you" and _of_opponent(what):
            speech.actor = "opponent"
            said = [f"{OPPONENT.text} {third_person(effect_text(effect, speech))}"]
            speech.actor = "you"
            return said
        case Damage(source=source) if source is not None:
            return [damage_by_text(effect, speech)]
        case Together((Damage(Number("attack", (a,)), b, c), Damage(Number("attack", (d,)), e, f))) if (
            a == c == e and b == d == f
        ):
            return ["then both deal damage equal to their A to each other"]
        case JoinAttack(what):
            return [f"{subject_text(what, speech).text} must attack too if able (and brings nobody along)"]
        case May():
            return may_clauses(effect, speech)
        case Unless():
            return _unless_clauses(effect, speech)
        case Do(Condition("is", (Where("that"), Where("you"))), (Ko(Select() as mine),), (Ko(Select() as theirs),)) if (
            theirs == mine.replace(where=_across(mine.where), by="opponent")
        ):
            before, speech.actor = speech.actor, "each"
            said = [f"that player {third_person(effect_text(Ko(mine), speech))}"]
            speech.actor = before
            return said
        case Do(
            Condition("is", (Where("that"), Where("in", (str(place),)))),
            (May((Move(Where("that"), to),), None, "you"),),
            (),
        ):
            it = object_text(Where("that"), speech)
            return [f"you may move {it} from {zone_text(place)} to {zone_text(to)}"]
        case Do(condition, (Field(otherwise=place) as field, *rest), (Move(to=to),) as otherwise) if (
            place and place == to
        ):
            return _clause(Do(condition, (field.replace(otherwise=""), *rest), otherwise), speech)  # said at the end
        case Do(condition, effects, otherwise):
            drew = speech.drew_one
            said = [f"if {condition_text(condition, speech)}, {_inner(effects, speech)}"]
            said += [f"otherwise, {_inner(otherwise, speech)}"] if otherwise else []
            if drew:
                speech.drawn_name = "the drawn die"  # "it" would be somebody else by now
            return said
        case Life(amount, who):
            loses = isinstance(amount, int) and amount < 0
            verb = subject_text(who, speech).verb(*(("loses", "lose") if loses else ("gains", "gain")))
            return [f"{verb} {life_text(amount, speech)}"]
        case Reroll(what, otherwise):
            return _reroll(what, otherwise, speech)
        case SetLife(amount, who):
            return [f"{subject_text(who, speech).as_possessive} life becomes {amount}"]
        case CopyNamedCard(faces):
            parts = ["name", "energy types", "affiliations", "abilities"] + ["die faces"] * faces
            dice = f"your {speech.title} dice have, besides their own text, the named card's {join_list(parts)}{', level for level' * faces}"
            return [f"until you field another {speech.title} die, {dice}"]
        case EachPlayer(effects):
            return _each_player_clauses(effects, speech)
        case OneOf():
            return [_one_of_text(effect, speech)]
        case Later():
            return _later_clauses(effect, speech)
        case Instead():
            return _instead((), speech)
        case _:
            return [effect_text(effect, speech)]


def _of_opponent(what: Select) -> bool:
    """Whether the opponent chooses it among their own dice."""
    return (
        what.by == "opponent" and not what.target and any(part.op == "opposing" for part in iter_conjuncts(what.where))
    )


def _across(where: Where) -> Where:
    """Give the description of the opponent's dice where this is one of yours."""
    if where.op == "own":
        return Where("opposing")
    return where.replace(args=tuple(_across(arg) if isinstance(arg, Where) else arg for arg in where.args))


def _for_each_fielded(who: Where, keyword: Ability, speech: RenderContext) -> list[str]:
    """Say a keyword that dice have which are fielded from now on, and what it does for each of them."""
    noun = noun_phrase(who, speech)
    noun.is_owner_mentioned = True
    to_come = f"{'other ' if noun.other else ''}{noun.many()} you field from now on this turn"
    return [f"{to_come} have {keyword.keyword}", f"when you field one of them, {_inner(keyword.effects, speech)}"]


def _gained(said: str) -> str:
    """Make "it has Fast" "it gains Fast", which is what happens to dice that are given it."""
    if " has " in said:
        return said.replace(" has ", " gains ", 1)
    return said.replace(" have ", " gain ", 1)


def _next_one(rule: Rule, speech: RenderContext) -> str:
    """Say a rule about the next die one fields or buys."""
    if rule.word not in ("fields free", "costs to field", "costs to buy") or not isinstance(rule.who, Where):
        raise UnrenderableError(f"no English for the rule {rule.word!r} about the next one")
    noun = noun_phrase(rule.who, speech)
    noun.is_owner_mentioned = True
    deed = "buy" if rule.word == "costs to buy" else "field"
    if deed == "buy":
        return (
            f"you pay {price_text(rule.a, speech)} for the next {noun.one()} you buy this turn{minimum_cost_text(rule)}"
        )
    price = f"nothing to {deed}" if rule.word == "fields free" else price_text(rule.a, speech)
    return f"the next {noun.one()} you {deed} this turn costs {price}"


def _each_player_clauses(effects: tuple[Effect, ...], speech: RenderContext) -> list[str]:
    """Say what all players do for themselves, each with their own dice."""
    before, speech.actor, speech.choices = (speech.actor, speech.choices), "each", []
    match effects:
        case (May() | OneOf() as only,):
            said = _clause(only, speech)
        case (Damage(amount, Select() as whom, None),):
            takes = amount_text(amount, speech)
            said = [f"each player chooses {object_text(whom, speech)} to take {takes.of('damage')}{takes.tail}"]
        case (Draw(1, "hand") as draw, (Field() | Move() as first), Move(Where("drawn")) as second) if isinstance(
            first.what, Where
        ) and Where("drawn") in iter_conjuncts(first.what):
            said = [f"each player {third_person(effect_text(draw, speech))}, {_sorted_one(first, second, speech)}"]
        case _ if all(_is_imperative(effect) for effect in effects):
            speech.dice = isinstance(effects[0], Choose)  # of two dice of one card one can be chosen
            said = [f"each player {join_list([third_person(effect_text(effect, speech)) for effect in effects])}"]
        case _:
            said = [f"each player does this: {_inner(effects, speech)}"]
    speech.actor, speech.choices = before
    speech.dice = False
    return said


def _sorted_one(first: Field | Move, second: Move, speech: RenderContext) -> str:
    """Say what each player does with the one die drawn, which depends on what it is."""
    assert isinstance(first.what, Where)
    what = [part for part in iter_conjuncts(first.what) if part != Where("drawn")]
    if_so = f"if it {join_list([is_text(part, speech) for part in what])}"
    if isinstance(first, Field):
        deed = f"fields it for free{at_level(first.what, first.level)}"
    else:
        deed = third_person(effect_text(first.replace(what=Where("drawn")), speech))
    return f"{deed} {if_so} and otherwise {third_person(effect_text(second, speech))}"


def _one_of_text(effect: OneOf, speech: RenderContext) -> str:
    """Say a choice between effects; when the opponent has it, the effects are still yours."""
    theirs = effect.by != "you"
    if effect.by == "its controller":
        who = "that character's controller chooses"
    elif theirs:
        who = f"{subject_text(Where('opponent'), speech).text} chooses"
    else:
        who = "each player chooses" if speech.actor == "each" else "choose"
    if same := _same_dice(effect, speech):
        return same
    before, speech.is_opponent_mentioned = speech.is_opponent_mentioned, theirs
    options = []
    deeds = not theirs and all(_is_imperative(part) for choice in effect.choices for part in choice)
    for choice in effect.choices:
        you = "you " if not deeds and all(_is_imperative(part) for part in choice) else ""
        options.append(("to " if deeds else you) + _inner(choice, speech))
        speech.just_mentioned = None
    speech.is_opponent_mentioned = before
    return f"{who}{'' if deeds else ' whether'} {join_list(options, 'or')}"


def _same_dice(effect: OneOf, speech: RenderContext) -> str:
    """Say a choice between bonuses of the same dice in one; nothing if it is a choice between other things."""
    match effect.choices:
        case ((Give(Rule("gets", who=who) as first, until),), (Give(Rule("gets") as second, later),)) if (
            effect.by == "you" and who == second.who and until == later
        ):
            bonuses = [bonus_text(rule.a, rule.d, speech) for rule in (first, second)]
            gets = f"{subject_text(who, speech).verb('gets', 'get')} {' or '.join(bonus + tail for bonus, tail in bonuses)}"
            return f"choose whether {gets}{until_text(until, speech)}"
    return ""


def _later_clauses(effect: Later, speech: RenderContext) -> list[str]:
    """Say what is to happen whenever an event comes, or at a moment of this turn."""
    said: list[str] = []
    inner = RenderContext(speech.title, speech.this, effect.event, actor=speech.actor, unprinted=speech.unprinted)
    inner.is_duration_mentioned = effect.until == END_OF_TURN and effect.event.word not in STEP_EDGES
    if isinstance(effect.about, Select):
        said = [f"choose {object_text(effect.about, speech)}"]
        inner.about = _that_one(effect.about, speech)
        inner.choices = [effect.about]
    elif effect.about is not None:
        inner.about = subject_text(effect.about, speech)
        if inner.about in (IT, THEY):  # a whole clause lies between
            inner.about = _that_one(speech.choices[0], speech)
        inner.choices = [Select(effect.about)]
    event = event_text(effect.event, inner)
    if effect.event.word in STEP_EDGES and effect.until == END_OF_TURN:
        lead = event.replace(" each ", " the ")
    elif effect.event.word in ("KOs", "KO'd", "blocks") and effect.about is not None and effect.until == END_OF_TURN:
        lead = f"{event.replace('when ', 'if ', 1) if effect.event.word == 'blocks' else event} this turn"
        inner.is_duration_mentioned = False
    else:
        lasts, whenever = until_text(effect.until, speech), event.replace("when ", "whenever ", 1)
        lead = whenever + lasts if "(" in lasts else f"{lasts.strip()}, {whenever}"
    inner.just_mentioned = None
    does = _inner(effect.effects, inner)
    first = not said and speech.before is None and speech.event is not None
    if lead.startswith("at ") and first and "; " not in does and not does.endswith(" blocks"):
        return [f"{does} {lead}"]  # after what sets it off, which comes first
    return [*said, f"{lead}, {does}"]


def _that_one(choice: Select, speech: RenderContext) -> PersonPhrase:
    noun = noun_phrase(choice.where, speech)
    return PersonPhrase(f"that {noun.head}") if choice.most == 1 else PersonPhrase(f"those {noun.heads}", True)


def may_clauses(effect: May, speech: RenderContext) -> list[str]:
    """Say what somebody may do, and what follows if they do."""
    who, they = {"you": ("you", "you"), "opponent": (OPPONENT.text, "they")}.get(
        effect.who, ("that character's controller", "they")
    )
    before, speech.actor = speech.actor, "you" if effect.who == "you" else "opponent"
    if before == "each":
        who, they, speech.actor = "each player", "they", "each"
    if effect.cost is not None:
        paid = cost_text(effect.cost, speech)
        speech.is_this_die_paid = any(
            isinstance(part, Move) and part.what == Where("this") for part in effect.cost.effects
        )
        speech.paid_noun = f"[{effect.cost.energy[:1]}] paid" if effect.cost.up_to else "of them"
        doer = "they " if before == "each" and all(_is_imperative(part) for part in effect.effects) else ""
        *first, last_of_all = effect.effects
        if first and isinstance(last_of_all, May) and last_of_all.cost:
            then = _inner(tuple(first), speech)
            again, *then_too = may_clauses(last_of_all, speech)
            said = [f"{who} may {paid}", f"if {they} do, {doer}{then}, and {again} once more"]
            said += [clause.replace(" do, ", " do that too, ", 1) for clause in then_too]
        else:
            said = [f"{who} may {paid}", f"if {they} do, {doer}{_inner(effect.effects, speech)}"]
    elif len(effect.effects) > 1 and isinstance(last := effect.effects[-1], Do) and _is_if_done(last):
        said = may_clauses(May(effect.effects[:-1], who=effect.who), speech)
        said.append(f"if {they} do, {_inner(last.effects, speech)}")
    elif len(effect.effects) == 1 and isinstance(only := effect.effects[0], Do) and not only.otherwise:
        condition = f"if {condition_text(only.condition, speech)}"
        said = [f"{condition}, {clause}" for clause in may_clauses(May(only.effects, who=effect.who), speech)]
    elif effect.effects[1:] and effect.effects[0] == Give(Rule("takes less", Where("touched"), ALL)):
        price = join_list([effect_text(part, speech) for part in effect.effects[1:]])
        lasts = until_text(END_OF_TURN, speech)
        said = [f"{who} may {price}", f"if {they} do, the character it lay on takes no damage{lasts}"]
    elif all(_is_imperative(part) for part in effect.effects):
        said = [f"{who} may {_inner(effect.effects, speech)}{_both_or_neither_text(effect.effects)}"]
    elif _is_imperative(effect.effects[0]):
        deed, *more = effect_clauses(effect.effects, speech)
        said = [f"{who} may {deed}", *more]
    else:
        said = [f"{who} may {_optional_text(effect.effects, speech)}"]
    speech.actor = before
    return said


def _both_or_neither_text(effects: tuple[Effect, ...]) -> str:
    """Remind that of two things one may do the second is not done alone, where the first needs somebody."""
    picks = [part for effect in effects for part in walk(effect) if isinstance(part, Select)]
    again = any(isinstance(part, Where) and part.op == "chosen" for effect in effects for part in walk(effect))
    needs = any(Where("this card") not in iter_conjuncts(pick.where) for pick in picks)
    deeds = [effect for effect in effects if not isinstance(effect, Instead)]
    return " (both or neither)" if len(deeds) == 2 and needs and not again else ""


def _and_then(wish: str, rest: list[Effect], speech: RenderContext) -> str:
    """Say what follows if one does what one may."""
    they = "you" if speech.actor == "you" else "they"
    return f"{wish}. If {they} do, {_inner(tuple(rest), speech)}" if rest else wish


def _is_if_done(effect: Do) -> bool:
    """Whether it only says what follows from the deed before it."""
    return effect.condition.op == "done" and not effect.otherwise


def _optional_text(effects: tuple[Effect, ...], speech: RenderContext) -> str:
    """Say what one may do when it is no plain deed."""
    match effects:
        case (Instead(),):
            return "prevent that"
        case (Instead(), first, *_) if _is_imperative(first):
            return _inner(effects, speech) + _both_or_neither_text(effects)
        case (OneOf(by="you") as only,) if speech.actor == "you":
            return _one_of_text(only, speech)
        case (
            Give(Rule(word="must attack" | "must block" | "must block this" as word, who=Select() as what), until),
            Later() as later,
        ):
            they = "you" if speech.actor == "you" else "they"
            said, made = f"choose {object_text(what, speech)}. If {they} do", _that_one(what, speech)
            must = word.replace(" this", f" {speech.this}")
            forced = f"{made.text} {must}{forced_text(until_text(until, speech), made)}"
            comes_to_it = "" if later.event.word not in STEP_EDGES else f" (whether they {must.split()[1]}ed or not)"
            return f"{said}, {forced}; {_inner((later,), speech)}{comes_to_it}"
        case (Give(Rule(word="must attack" | "must block" | "must block this" as word, who=what), until), *rest):
            made = subject_text(what, speech)
            deed = word.removeprefix("must ").replace(" this", f" {speech.this}")
            wish = f"make {made.as_object} {deed}{forced_text(until_text(until, speech), made)}"
            return _and_then(wish, rest, speech)
        case (Give(Rule(word="damages player instead", who=what), until), *rest):
            made = subject_text(what, speech)
            instead = f"to your opponent instead of to the blockers{until_text(until, speech)}"
            wish = f"deal all of {made.as_possessive} combat damage {instead}"
            speech.just_mentioned = None
            return _and_then(wish, rest, speech)
        case (Give(Rule(word="cannot block" | "cannot attack" as word, who=what, a=0), until), *rest):
            deed = {"cannot block": "blocking", "cannot attack": "attacking"}[word]
            wish = f"keep {subject_text(what, speech).as_object} from {deed}{until_text(until, speech)}"
            return _and_then(wish, rest, speech)
        case (Give(Rule(word="takes less", who=what, a=a, by=None, text=""), until), *rest) if a == ALL:
            wish = f"prevent all damage to {subject_text(what, speech).as_object}{until_text(until, speech)}"
            return f"{wish} and {_inner(tuple(rest), speech)}" if rest else wish
        case (SetLife(amount, who),):
            return f"set {subject_text(who, speech).as_possessive} life to {amount}"
        case (Give(Rule(word="gets", who=who, a=a, d=d), until),):
            bonus, tail = bonus_text(a, d, speech)
            return f"give {object_text(who, speech)} {bonus}{until_text(until, speech)}{tail}"
        case _:
            return f"decide that {_inner(effects, speech)}"


def _unless_clauses(effect: Unless, speech: RenderContext) -> list[str]:
    normal = _inner(effect.effects, speech)
    before, speech.actor = speech.actor, "opponent"
    now = ""
    if any(isinstance(part, Give) for part in effect.effects):  # it lasts, and yet cannot be stopped later
        now = "(immediately) " if "moment" in speech.unprinted else "immediately "
    if normal.startswith("your opponent ") or normal.endswith(" your opponent"):
        price = f"unless they {now}{cost_text(effect.cost, speech)}"
    else:
        price = f"unless your opponent {now}{cost_text(effect.cost, speech, third=True)}"
    comma = "," if ", in place" in normal else ""
    said = [f"{price}, {normal}" if "; " in normal else f"{normal}{comma} {price}"]
    speech.actor = before
    if effect.otherwise:
        said.append(f"if they do, {_inner(effect.otherwise, speech)} instead")
    return said


def cost_text(cost: Cost, speech: RenderContext, third: bool = False) -> str:
    """Say a price as something to do: pay [F] and KO one of your Sidekicks."""
    deeds = [f"pay {'up to ' if cost.up_to else ''}{energy_text(cost.energy)}"] if cost.energy else []
    deeds += [effect_text(effect, speech) for effect in cost.effects]
    if not deeds:
        raise UnrenderableError("a cost of nothing")
    return join_list([third_person(deed) for deed in deeds] if third else deeds)


def _reroll(what: What, otherwise: str, speech: RenderContext) -> list[str]:
    owner = owner_text(what, speech)
    said = f"reroll {object_text(what, speech)}"
    place = zone_text(otherwise, "its owner's" if owner == "their owner's" else owner)
    if is_one(what, speech):
        return [said, f"if the die shows no character, it goes to {place}"]
    return [said, f"dice that show no character go to {place}"]
