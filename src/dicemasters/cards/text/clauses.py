"""Rendering of effects as clauses: sequences of actions, grants, options and conditions."""

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
    Operand,
    Redirect,
    Reroll,
    Rule,
    Select,
    SetLife,
    Spin,
    Together,
    Unless,
    Where,
    if_done,
    intimidate,
)
from dicemasters.cards.text.amount_text import amount_text
from dicemasters.cards.text.condition_text import condition_text, event_subject_text
from dicemasters.cards.text.effect_text import (
    copy_text,
    damage_by_text,
    effect_text,
    energy_text,
    level_text,
    life_text,
)
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
    price_text,
    required_activity,
    rule_subject,
    rule_text,
    until_text,
)


def effect_clauses(effects: tuple[Effect, ...], context: RenderContext) -> list[str]:
    """Return the effects as clauses, one sentence each; consecutive actions share a clause."""
    if effects and isinstance(effects[0], Instead):
        return _instead_clauses(effects[1:], context)
    clauses: list[str] = []
    actions: list[str] = []
    grants: list[str] = []  # parts of the last clause, if it makes several grants
    for i, effect in enumerate(effects):
        previous = effects[i - 1] if i else None
        effect, naming = _opponent_choice(effect, context)
        actions += naming
        context.affected_noun = _affected_noun(previous, context)
        context.previous_effect = previous or context.previous_effect
        if isinstance(effect, Capture) and any(isinstance(later, Copy) for later in effects[i + 1 :]):
            context.duration_follows_copy = True  # the duration is stated with the copy
        if isinstance(effect, Copy) and isinstance(previous, Copy) and effect.part != "die":
            continue  # rendered with the previous copy
        if isinstance(effect, Copy) and effect.part != "die":
            actions.append(copy_text(tuple(e for e in effects[i : i + 2] if isinstance(e, Copy)), context))
            continue
        if isinstance(effect, CopyNamedCard) and actions:
            actions[-1] = actions[-1].partition(", in place")[0]  # the duration of the naming is stated here
        if isinstance(effect, Choose) and isinstance(previous, Choose) and actions[-1].startswith("choose "):
            actions[-1] += f" and {effect_text(effect, context).removeprefix('choose ')}"
            continue
        if isinstance(effect, Redirect) and isinstance(previous, Spin) and effect.to == Where("chosen", (0,)):
            clauses += _join_clauses(actions)  # damage is redirected only to the die that was spun
            actions, effect = [], Do(if_done, (effect,))
        if (
            isinstance(effect, Reroll)
            and effect.what == context.group
            and previous is not None
            and _has_target(previous)
        ):
            clauses.append(f"then {effect_text(effect, context)} once")
            continue
        if naming:
            clauses, actions = clauses + actions, []
        if _is_imperative(effect) and not isinstance(effect, Divide):
            actions.append(effect_text(effect, context))
            continue
        clauses += _join_clauses(actions)
        actions = []
        new_clauses = _effect_clause(effect, context)
        if isinstance(effect, Give) and isinstance(previous, Give) and grants and clauses:
            merged = _merged_grant_text(previous, effect, grants[-1], new_clauses[0], context)
            grants = (
                [*grants[:-1], grants[-1].removesuffix(until_text(effect.until, context)), merged]
                if merged
                else new_clauses
            )
            clauses = (
                [*clauses[:-1], _joined_grants_text(grants, effect.until, context)] if merged else clauses + new_clauses
            )
        else:
            grants = new_clauses if isinstance(effect, Give) else []
            clauses += (
                [f"then {new_clauses[0]}", *new_clauses[1:]] if clauses and isinstance(effect, May) else new_clauses
            )
        context.just_mentioned = None
    return clauses + _join_clauses(actions)


def used_clauses(effects: tuple[Effect, ...], context: RenderContext) -> list[str]:
    """Return the effects as clauses. An action die that only deals damage is rendered by recipient."""
    damage_text = _damage_taken_text(effects[0], context) if context.is_action_use and len(effects) == 1 else ""
    return [damage_text] if damage_text else effect_clauses(effects, context)


def _damage_taken_text(effect: Effect, context: RenderContext) -> str:
    """Return the damage by recipient if all recipients are targets or groups, else ""."""
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
    phrases = [(object_text(hit.to, context), hit.amount) for hit in hits]
    return join_list(
        [
            f"{recipient} takes {amount} damage" if not i else f"{recipient} {amount}"
            for i, (recipient, amount) in enumerate(phrases)
        ]
    )


def _has_target(effect: Effect) -> bool:
    return any(isinstance(part, Select) and part.target for part in walk(effect))


def _opponent_choice(effect: Effect, context: RenderContext) -> tuple[Effect, list[str]]:
    """Return the effect on chosen dice, and the clause in which the opponent names targets among their own dice.

    Other effects are returned unchanged, with no clause.
    """
    match effect:
        case Give(Rule(who=Select(target=True, by="opponent") as choice) as rule, until) if context.actor == "you":
            result: Effect = Give(rule.replace(who=Where("chosen", (len(context.choices),))), until)
        case Damage(amount, Select(target=True, by="opponent") as choice, source) if context.actor == "you":
            result = Damage(amount, Where("chosen", (len(context.choices),)), source)
        case _:
            return effect, []
    if Where("opposing") not in iter_conjuncts(choice.where) or context.choices:
        return effect, []
    context.actor = "opponent"
    named = object_text(choice.replace(target=False), context)
    context.actor = "you"
    context.subject = _that_phrase(choice, context)
    targets = "as targets" if choice.most > 1 else "as the target"
    if context.event is not None and context.event.who == Where("opponent"):
        context.is_opponent_mentioned = True
    chooses = subject_text(Where("opponent"), context).verb("chooses", "choose")
    context.is_opponent_mentioned = False
    note = " (or the only one)"
    return result, [f"{chooses} {named.removesuffix(note)} {targets}{note if named.endswith(note) else ''}"]


def _affected_noun(previous: Effect | None, context: RenderContext) -> str:
    """Return the noun for each die affected by the previous effect."""
    match previous:
        case Ko(Where("and") as where):
            head = noun_phrase(where, context).head
            return f"{'character die' if head == 'character' else head} KO'd this way"  # each die counts
        case Reroll(otherwise=place) if place:
            return "die moved this way"
        case _:
            return "of those dice"


def _merged_grant_text(first: Give, second: Give, first_text: str, second_text: str, context: RenderContext) -> str:
    """Return the second grant so that it continues the sentence of the first, or "" if they cannot be merged."""
    recipient = second.rule.who
    if first.rule.who == THIS and isinstance(recipient, Where) and (activity := required_activity(recipient)):
        # a separate sentence would not depend on the condition of the first
        recipient, second = THIS, second.replace(rule=second.rule.replace(who=THIS))
        second_text = f"{rule_text(second.rule, context)} while {activity}{until_text(second.until, context)}"
    same_dice = recipient == first.rule.who
    one_die = isinstance(first.rule.who, Select) and first.rule.who.most == 1
    names_choice = (
        not same_dice
        and isinstance(first.rule.who, Select)
        and isinstance(recipient, Where)
        and recipient.op == "chosen"
    )
    context.just_mentioned = None
    subjects = [rule_subject(second.rule, context).text + " "] if same_dice and isinstance(recipient, Where) else []
    subjects += ["it ", "they "] if names_choice else []
    until = "" if first.until in (NEXT_ONE, NEXT_ATTACK) else until_text(first.until, context)
    subject = next((subject for subject in subjects if second_text.startswith(subject)), "")
    if not subject or not until or first.until != second.until or not second_text.endswith(until):
        return ""
    if not first_text.endswith((until, " if able")):
        return ""
    remainder = second_text.removeprefix(subject)
    return (
        third_person(remainder)
        if subject == "they " and one_die and not remainder.startswith(("cannot", "must"))
        else remainder
    )


def _joined_grants_text(grants: list[str], until: str, context: RenderContext) -> str:
    """Return several grants as one text, with the duration in front if the list is long."""
    if len(grants) < 3:
        return join_list(grants)
    duration = until_text(until, context)
    parts = [part.removesuffix(duration).replace(" this turn if able", " if able") for part in grants]
    return join_list(parts) + duration if "(" in duration else f"{duration.strip()}, {join_list(parts)}"


def _join_clauses(actions: list[str]) -> list[str]:
    return [join_list(actions)] if actions else []


def _instead_clauses(effects: tuple[Effect, ...], context: RenderContext) -> list[str]:
    if effects:
        first, *others = effect_clauses(effects, context)
        return [f"instead {first}", *others]
    if context.event is not None and context.event.word == "would be affected":
        return [f"that effect does nothing to {subject_text(context.event.who, context).as_object}"]
    passive = context.event is not None and context.event.word == "would be KO'd"
    return [f"{event_subject_text(context)} is not KO'd" if passive else "that does not happen"]


def _inline_text(effects: tuple[Effect, ...], context: RenderContext) -> str:
    """Return effects as part of a longer sentence."""
    first, *others = effect_clauses(effects, context)
    return "; ".join(
        [first, *(clause if clause.startswith(("if ", "then ")) else f"then {clause}" for clause in others)]
    )


def _is_imperative(effect: Effect) -> bool:
    """Return whether the effect is rendered as an action ("draw a die") rather than a sentence ("it gets +1A")."""
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


def _effect_clause(effect: Effect, context: RenderContext) -> list[str]:
    match effect:
        case Give(rule, until) if until == NEXT_ONE:
            return [_next_one_text(rule, context)]
        case Give(rule, until):
            text = rule_text(
                rule,
                context,
                "" if context.is_duration_mentioned and until == END_OF_TURN else until_text(until, context),
            )
            if rule == Rule("has keyword", rule.who, text="Intimidate") and isinstance(rule.who, Where):
                return _fielded_keyword_clauses(rule.who, intimidate(), context)
            return [_as_gain(text) if rule.word.startswith("has ") else text]
        case Ko(Select() as what) | Spin(Select() as what) if context.actor == "you" and _is_opponents_choice(what):
            context.actor = "opponent"
            clauses = [f"{OPPONENT.text} {third_person(effect_text(effect, context))}"]
            context.actor = "you"
            return clauses
        case Damage(source=source) if source is not None:
            return [damage_by_text(effect, context)]
        case Together((Damage(Number("attack", (a,)), b, c), Damage(Number("attack", (d,)), e, f))) if (
            a == c == e and b == d == f
        ):
            return ["then both deal damage equal to their A to each other"]
        case JoinAttack(what):
            return [f"{subject_text(what, context).text} must attack too if able (and brings nobody along)"]
        case May():
            return may_clauses(effect, context)
        case Unless():
            return _unless_clauses(effect, context)
        case Do(
            Condition("is", (Where("that"), Where("you"))),
            (Ko(Select() as own_choice),),
            (Ko(Select() as opposing_choice),),
        ) if opposing_choice == own_choice.replace(where=_mirrored(own_choice.where), by="opponent"):
            outer_actor, context.actor = context.actor, "each"
            clauses = [f"that player {third_person(effect_text(Ko(own_choice), context))}"]
            context.actor = outer_actor
            return clauses
        case Do(
            Condition("is", (Where("that"), Where("in", (str(place),)))),
            (May((Move(Where("that"), to),), None, "you"),),
            (),
        ):
            die_text = object_text(Where("that"), context)
            return [f"you may move {die_text} from {zone_text(place)} to {zone_text(to)}"]
        case Do(condition, (Field(otherwise=place) as field, *others), (Move(to=to),) as otherwise) if (
            place and place == to
        ):
            # the destination is stated in the last clause
            return _effect_clause(Do(condition, (field.replace(otherwise=""), *others), otherwise), context)
        case Do(condition, effects, otherwise):
            drew_one = context.drew_one
            clauses = [f"if {condition_text(condition, context)}, {_inline_text(effects, context)}"]
            clauses += [f"otherwise, {_inline_text(otherwise, context)}"] if otherwise else []
            if drew_one:
                context.drawn_name = "the drawn die"  # "it" would refer to something else
            return clauses
        case Life(amount, who):
            is_loss = isinstance(amount, int) and amount < 0
            verb = subject_text(who, context).verb(*(("loses", "lose") if is_loss else ("gains", "gain")))
            return [f"{verb} {life_text(amount, context)}"]
        case Reroll(what, otherwise):
            return _reroll_clauses(what, otherwise, context)
        case SetLife(amount, who):
            return [f"{subject_text(who, context).as_possessive} life becomes {amount}"]
        case CopyNamedCard(faces):
            parts = ["name", "energy types", "affiliations", "abilities"] + ["die faces"] * faces
            dice = f"your {context.title} dice have, besides their own text, the named card's {join_list(parts)}{', level for level' * faces}"
            return [f"until you field another {context.title} die, {dice}"]
        case EachPlayer(effects):
            return _each_player_clauses(effects, context)
        case OneOf():
            return [_one_of_text(effect, context)]
        case Later():
            return _later_clauses(effect, context)
        case Instead():
            return _instead_clauses((), context)
        case _:
            return [effect_text(effect, context)]


def _is_opponents_choice(choice: Select) -> bool:
    """Return whether the opponent chooses among their own dice."""
    return (
        choice.by == "opponent"
        and not choice.target
        and any(part.op == "opposing" for part in iter_conjuncts(choice.where))
    )


def _mirrored(where: Where) -> Where:
    """Return the description with "own" replaced by "opposing"."""
    if where.op == "own":
        return Where("opposing")
    return where.replace(args=tuple(_mirrored(arg) if isinstance(arg, Where) else arg for arg in where.args))


def _fielded_keyword_clauses(who: Where, keyword: Ability, context: RenderContext) -> list[str]:
    """Return a keyword granted to dice fielded later this turn, and what it does for each of them."""
    noun = noun_phrase(who, context)
    noun.is_owner_mentioned = True
    to_come = f"{'other ' if noun.is_other else ''}{noun.many()} you field from now on this turn"
    return [
        f"{to_come} have {keyword.keyword}",
        f"when you field one of them, {_inline_text(keyword.effects, context)}",
    ]


def _as_gain(text: str) -> str:
    """Return "it gains Fast" for "it has Fast", for a grant."""
    if " has " in text:
        return text.replace(" has ", " gains ", 1)
    return text.replace(" have ", " gain ", 1)


def _next_one_text(rule: Rule, context: RenderContext) -> str:
    """Return a rule about the next die fielded or bought."""
    if rule.word not in ("fields free", "costs to field", "costs to buy") or not isinstance(rule.who, Where):
        raise UnrenderableError(f"no English for the rule {rule.word!r} about the next one")
    noun = noun_phrase(rule.who, context)
    noun.is_owner_mentioned = True
    verb = "buy" if rule.word == "costs to buy" else "field"
    if verb == "buy":
        return f"you pay {price_text(rule.a, context)} for the next {noun.one()} you buy this turn{minimum_cost_text(rule)}"
    price = f"nothing to {verb}" if rule.word == "fields free" else price_text(rule.a, context)
    return f"the next {noun.one()} you {verb} this turn costs {price}"


def _each_player_clauses(effects: tuple[Effect, ...], context: RenderContext) -> list[str]:
    """Return the effects that all players apply to themselves, each with their own dice."""
    outer, context.actor, context.choices = (context.actor, context.choices), "each", []
    match effects:
        case (May() | OneOf() as only,):
            clauses = _effect_clause(only, context)
        case (Damage(amount, Select() as choice, None),):
            phrase = amount_text(amount, context)
            clauses = [f"each player chooses {object_text(choice, context)} to take {phrase.of('damage')}{phrase.tail}"]
        case (Draw(1, "hand") as draw, (Field() | Move() as first), Move(Where("drawn")) as second) if isinstance(
            first.what, Where
        ) and Where("drawn") in iter_conjuncts(first.what):
            clauses = [
                f"each player {third_person(effect_text(draw, context))}, {_drawn_die_text(first, second, context)}"
            ]
        case _ if all(_is_imperative(effect) for effect in effects):
            context.counts_each_die = isinstance(effects[0], Choose)  # one of two dice of a card can be chosen
            clauses = [f"each player {join_list([third_person(effect_text(effect, context)) for effect in effects])}"]
        case _:
            clauses = [f"each player does this: {_inline_text(effects, context)}"]
    context.actor, context.choices = outer
    context.counts_each_die = False
    return clauses


def _drawn_die_text(first: Field | Move, second: Move, context: RenderContext) -> str:
    """Return what each player does with the one die drawn, depending on what it is."""
    assert isinstance(first.what, Where)
    description = [part for part in iter_conjuncts(first.what) if part != Where("drawn")]
    condition = f"if it {join_list([is_text(part, context) for part in description])}"
    if isinstance(first, Field):
        action = f"fields it for free{level_text(first.what, first.level)}"
    else:
        action = third_person(effect_text(first.replace(what=Where("drawn")), context))
    return f"{action} {condition} and otherwise {third_person(effect_text(second, context))}"


def _one_of_text(effect: OneOf, context: RenderContext) -> str:
    """Return a choice between effects. The effects belong to the ability's controller even if the opponent chooses."""
    is_opponents = effect.by != "you"
    if effect.by == "its controller":
        chooser = "that character's controller chooses"
    elif is_opponents:
        chooser = f"{subject_text(Where('opponent'), context).text} chooses"
    else:
        chooser = "each player chooses" if context.actor == "each" else "choose"
    if merged := _bonus_choice_text(effect, context):
        return merged
    was_opponent_mentioned, context.is_opponent_mentioned = context.is_opponent_mentioned, is_opponents
    options = []
    is_imperative = not is_opponents and all(_is_imperative(part) for choice in effect.choices for part in choice)
    for choice in effect.choices:
        you = "you " if not is_imperative and all(_is_imperative(part) for part in choice) else ""
        options.append(("to " if is_imperative else you) + _inline_text(choice, context))
        context.just_mentioned = None
    context.is_opponent_mentioned = was_opponent_mentioned
    return f"{chooser}{'' if is_imperative else ' whether'} {join_list(options, 'or')}"


def _bonus_choice_text(effect: OneOf, context: RenderContext) -> str:
    """Return a choice between bonuses for the same dice as one text, or "" if it is another choice."""
    match effect.choices:
        case ((Give(Rule("gets", who=recipient) as first, until),), (Give(Rule("gets") as second, later),)) if (
            effect.by == "you" and recipient == second.who and until == later
        ):
            bonuses = [bonus_text(rule.a, rule.d, context) for rule in (first, second)]
            gets = f"{subject_text(recipient, context).verb('gets', 'get')} {' or '.join(bonus + tail for bonus, tail in bonuses)}"
            return f"choose whether {gets}{until_text(until, context)}"
    return ""


def _later_clauses(effect: Later, context: RenderContext) -> list[str]:
    """Return the effects of a delayed ability, with its event."""
    clauses: list[str] = []
    inner = RenderContext(context.title, context.this, effect.event, actor=context.actor, unprinted=context.unprinted)
    inner.is_duration_mentioned = effect.until == END_OF_TURN and effect.event.word not in STEP_EDGES
    if isinstance(effect.about, Select):
        clauses = [f"choose {object_text(effect.about, context)}"]
        inner.subject = _that_phrase(effect.about, context)
        inner.choices = [effect.about]
    elif effect.about is not None:
        inner.subject = subject_text(effect.about, context)
        if inner.subject in (IT, THEY):  # the pronoun would be too far away
            inner.subject = _that_phrase(context.choices[0], context)
        inner.choices = [Select(effect.about)]
    event = event_text(effect.event, inner)
    if effect.event.word in STEP_EDGES and effect.until == END_OF_TURN:
        lead = event.replace(" each ", " the ")
    elif effect.event.word in ("KOs", "KO'd", "blocks") and effect.about is not None and effect.until == END_OF_TURN:
        lead = f"{event.replace('when ', 'if ', 1) if effect.event.word == 'blocks' else event} this turn"
        inner.is_duration_mentioned = False
    else:
        duration, whenever = until_text(effect.until, context), event.replace("when ", "whenever ", 1)
        lead = whenever + duration if "(" in duration else f"{duration.strip()}, {whenever}"
    inner.just_mentioned = None
    consequence = _inline_text(effect.effects, inner)
    is_first = not clauses and context.previous_effect is None and context.event is not None
    if lead.startswith("at ") and is_first and "; " not in consequence and not consequence.endswith(" blocks"):
        return [f"{consequence} {lead}"]  # the trigger comes first
    return [*clauses, f"{lead}, {consequence}"]


def _that_phrase(choice: Select, context: RenderContext) -> PersonPhrase:
    noun = noun_phrase(choice.where, context)
    return PersonPhrase(f"that {noun.head}") if choice.most == 1 else PersonPhrase(f"those {noun.heads}", True)


def may_clauses(effect: May, context: RenderContext) -> list[str]:
    """Return what a player may do, and the consequences."""
    subject, pronoun = {"you": ("you", "you"), "opponent": (OPPONENT.text, "they")}.get(
        effect.who, ("that character's controller", "they")
    )
    outer_actor, context.actor = context.actor, "you" if effect.who == "you" else "opponent"
    if outer_actor == "each":
        subject, pronoun, context.actor = "each player", "they", "each"
    if effect.cost is not None:
        payment = cost_text(effect.cost, context)
        context.is_this_die_paid = any(
            isinstance(part, Move) and part.what == Where("this") for part in effect.cost.effects
        )
        context.paid_noun = f"[{effect.cost.energy[:1]}] paid" if effect.cost.up_to else "of them"
        actor_prefix = "they " if outer_actor == "each" and all(_is_imperative(part) for part in effect.effects) else ""
        *leading, final = effect.effects
        if leading and isinstance(final, May) and final.cost:
            consequence = _inline_text(tuple(leading), context)
            second_offer, *second_consequences = may_clauses(final, context)
            clauses = [
                f"{subject} may {payment}",
                f"if {pronoun} do, {actor_prefix}{consequence}, and {second_offer} once more",
            ]
            clauses += [clause.replace(" do, ", " do that too, ", 1) for clause in second_consequences]
        else:
            clauses = [
                f"{subject} may {payment}",
                f"if {pronoun} do, {actor_prefix}{_inline_text(effect.effects, context)}",
            ]
    elif len(effect.effects) > 1 and isinstance(last := effect.effects[-1], Do) and _is_if_done(last):
        clauses = may_clauses(May(effect.effects[:-1], who=effect.who), context)
        clauses.append(f"if {pronoun} do, {_inline_text(last.effects, context)}")
    elif len(effect.effects) == 1 and isinstance(only := effect.effects[0], Do) and not only.otherwise:
        condition = f"if {condition_text(only.condition, context)}"
        clauses = [f"{condition}, {clause}" for clause in may_clauses(May(only.effects, who=effect.who), context)]
    elif effect.effects[1:] and effect.effects[0] == Give(Rule("takes less", Where("touched"), ALL)):
        price = join_list([effect_text(part, context) for part in effect.effects[1:]])
        duration = until_text(END_OF_TURN, context)
        clauses = [f"{subject} may {price}", f"if {pronoun} do, the character it lay on takes no damage{duration}"]
    elif all(_is_imperative(part) for part in effect.effects):
        clauses = [f"{subject} may {_inline_text(effect.effects, context)}{_both_or_neither_text(effect.effects)}"]
    elif _is_imperative(effect.effects[0]):
        action, *others = effect_clauses(effect.effects, context)
        clauses = [f"{subject} may {action}", *others]
    else:
        clauses = [f"{subject} may {_optional_text(effect.effects, context)}"]
    context.actor = outer_actor
    return clauses


def _both_or_neither_text(effects: tuple[Effect, ...]) -> str:
    """Return a note that the second of two optional actions cannot be taken alone if the first needs a choice."""
    picks = [part for effect in effects for part in walk(effect) if isinstance(part, Select)]
    refers_back = any(isinstance(part, Where) and part.op == "chosen" for effect in effects for part in walk(effect))
    needs_choice = any(Where("this card") not in iter_conjuncts(pick.where) for pick in picks)
    actions = [effect for effect in effects if not isinstance(effect, Instead)]
    return " (both or neither)" if len(actions) == 2 and needs_choice and not refers_back else ""


def _with_consequences(action: str, consequences: list[Effect], context: RenderContext) -> str:
    """Return an optional action with its consequences."""
    pronoun = "you" if context.actor == "you" else "they"
    return f"{action}. If {pronoun} do, {_inline_text(tuple(consequences), context)}" if consequences else action


def _is_if_done(effect: Do) -> bool:
    """Return whether the effect only follows from the success of the previous one."""
    return effect.condition.op == "done" and not effect.otherwise


def _optional_text(effects: tuple[Effect, ...], context: RenderContext) -> str:
    """Return optional effects that are not plain actions."""
    match effects:
        case (Instead(),):
            return "prevent that"
        case (Instead(), first, *_) if _is_imperative(first):
            return _inline_text(effects, context) + _both_or_neither_text(effects)
        case (OneOf(by="you") as only,) if context.actor == "you":
            return _one_of_text(only, context)
        case (
            Give(Rule(word="must attack" | "must block" | "must block this" as word, who=Select() as what), until),
            Later() as later,
        ):
            pronoun = "you" if context.actor == "you" else "they"
            offer, chosen = f"choose {object_text(what, context)}. If {pronoun} do", _that_phrase(what, context)
            verb = word.replace(" this", f" {context.this}")
            duty = f"{chosen.text} {verb}{forced_text(until_text(until, context), chosen)}"
            note = "" if later.event.word not in STEP_EDGES else f" (whether they {verb.split()[1]}ed or not)"
            return f"{offer}, {duty}; {_inline_text((later,), context)}{note}"
        case (Give(Rule(word="must attack" | "must block" | "must block this" as word, who=what), until), *others):
            chosen = subject_text(what, context)
            verb_phrase = word.removeprefix("must ").replace(" this", f" {context.this}")
            action = f"make {chosen.as_object} {verb_phrase}{forced_text(until_text(until, context), chosen)}"
            return _with_consequences(action, others, context)
        case (Give(Rule(word="damages player instead", who=what), until), *others):
            chosen = subject_text(what, context)
            instead = f"to your opponent instead of to the blockers{until_text(until, context)}"
            action = f"deal all of {chosen.as_possessive} combat damage {instead}"
            context.just_mentioned = None
            return _with_consequences(action, others, context)
        case (Give(Rule(word="cannot block" | "cannot attack" as word, who=what, a=0), until), *others):
            verb_phrase = {"cannot block": "blocking", "cannot attack": "attacking"}[word]
            action = f"keep {subject_text(what, context).as_object} from {verb_phrase}{until_text(until, context)}"
            return _with_consequences(action, others, context)
        case (Give(Rule(word="takes less", who=what, a=a, by=None, text=""), until), *others) if a == ALL:
            action = f"prevent all damage to {subject_text(what, context).as_object}{until_text(until, context)}"
            return f"{action} and {_inline_text(tuple(others), context)}" if others else action
        case (SetLife(amount, who),):
            return f"set {subject_text(who, context).as_possessive} life to {amount}"
        case (Give(Rule(word="gets", who=who, a=a, d=d), until),):
            bonus, tail = bonus_text(a, d, context)
            return f"give {object_text(who, context)} {bonus}{until_text(until, context)}{tail}"
        case _:
            return f"decide that {_inline_text(effects, context)}"


def _unless_clauses(effect: Unless, context: RenderContext) -> list[str]:
    consequence = _inline_text(effect.effects, context)
    outer_actor, context.actor = context.actor, "opponent"
    timing = ""
    if any(isinstance(part, Give) for part in effect.effects):  # the effect lasts, but can be stopped only now
        timing = "(immediately) " if "moment" in context.unprinted else "immediately "
    if consequence.startswith("your opponent ") or consequence.endswith(" your opponent"):
        price = f"unless they {timing}{cost_text(effect.cost, context)}"
    else:
        price = f"unless your opponent {timing}{cost_text(effect.cost, context, is_third_person=True)}"
    comma = "," if ", in place" in consequence else ""
    clauses = [f"{price}, {consequence}" if "; " in consequence else f"{consequence}{comma} {price}"]
    context.actor = outer_actor
    if effect.otherwise:
        clauses.append(f"if they do, {_inline_text(effect.otherwise, context)} instead")
    return clauses


def cost_text(cost: Cost, context: RenderContext, is_third_person: bool = False) -> str:
    """Return a cost as an action: "pay [F] and KO one of your Sidekicks"."""
    actions = [f"pay {'up to ' if cost.up_to else ''}{energy_text(cost.energy)}"] if cost.energy else []
    actions += [effect_text(effect, context) for effect in cost.effects]
    if not actions:
        raise UnrenderableError("the cost is empty")
    return join_list([third_person(action) for action in actions] if is_third_person else actions)


def _reroll_clauses(operand: Operand, otherwise: str, context: RenderContext) -> list[str]:
    owner = owner_text(operand, context)
    action = f"reroll {object_text(operand, context)}"
    place = zone_text(otherwise, "its owner's" if owner == "their owner's" else owner)
    if is_one(operand, context):
        return [action, f"if the die shows no character, it goes to {place}"]
    return [action, f"dice that show no character go to {place}"]
