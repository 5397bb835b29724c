"""Rendering of effects as actions: "deal 2 damage to your opponent", "draw a die"."""

from __future__ import annotations

from dataclasses import replace

from dicemasters.cards.language.semantics import walk
from dicemasters.cards.language.vocabulary import (
    ALL,
    BAG,
    END_OF_TURN,
    END_OF_YOUR_TURN,
    HAND,
    PAID,
    PREP,
    RESERVE,
    THIS_ATTACK,
    USED,
    WHILE_THERE,
    YOUR_HIT,
    Amount,
    Attach,
    Buy,
    Capture,
    Choose,
    ClearDamage,
    Copy,
    Damage,
    Divide,
    Draw,
    Effect,
    EndEffect,
    Field,
    Increase,
    Ko,
    LeaveCombat,
    Life,
    MakeToken,
    Move,
    NameAffiliation,
    NameCard,
    NameType,
    NewTarget,
    Number,
    Operand,
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
    Select,
    SendHome,
    SetAside,
    Spin,
    SpinTo,
    SpinToEnergy,
    Swap,
    SwapAttack,
    SwapControl,
    TakeControl,
    Together,
    Use,
    UseCopy,
    Where,
    blocking_this,
)
from dicemasters.cards.text.amount_text import AmountPhrase, amount_text
from dicemasters.cards.text.noun_phrases import (
    comparison_text,
    counted_phrase,
    indefinite,
    indefinite_phrase,
    is_one,
    iter_conjuncts,
    noun_phrase,
    object_text,
    owner_text,
    plural_text,
    possessive_text,
    reference_text,
    subject_text,
)
from dicemasters.cards.text.render_context import (
    PersonPhrase,
    RenderContext,
    UnrenderableError,
    join_list,
    with_article,
    zone_text,
)
from dicemasters.cards.text.rule_text import more_text, until_text


def energy_text(symbols: str) -> str:
    """Return an energy cost as text: BB is [B][B], and 1 is one energy of any type."""
    if not set(symbols) <= set("FBMS123456789"):
        raise UnrenderableError(f"no English for the energy {symbols!r}")
    return "".join(f"[{symbol}]" for symbol in symbols)


def life_text(amount: Amount, context: RenderContext) -> str:
    """Return the amount of life gained or lost."""
    phrase = amount_text(-amount if isinstance(amount, int) and amount < 0 else amount, context)
    return phrase.of("life") + phrase.tail


def effect_text(effect: Effect, context: RenderContext) -> str:
    """Return an effect as an action."""
    match effect:
        case Choose(Select(by="opponent") as what):
            return f"your opponent chooses {object_text(what.replace(by='you'), context)}"
        case Choose(what):
            return f"choose {object_text(what, context)}"
        case Damage():
            return _damage_text(effect, context)
        case Together(hits):
            return _joint_damage_text(hits, context)
        case Life(amount, who):
            verb = "gain" if isinstance(amount, Number) or amount >= 0 else "pay" if who.op == "payer" else "lose"
            return f"{verb} {life_text(amount, context)}"
        case Ko(what):
            return f"KO {object_text(what, context)}"
        case Spin() | SpinTo() | SpinToEnergy():
            return _spin_text(effect, context)
        case Draw(amount, to):
            return _draw_text(amount, to, context)
        case Roll() | Reroll() | Move() | Field() | ReturnToField():
            return _move_text(effect, context)
        case Buy(what):
            return f"buy {object_text(what, context)} for free"
        case RollUntil(what, symbol):
            context.rolled_until = True
            return f"roll {_rolled_die_text(what, context)} until it shows {energy_text(symbol)}"
        case EndEffect():
            action = "end all that still lasts of one action die's effect"
            return f"{action}; if that die is in the field, it goes to its owner's Used Pile"
        case LeaveCombat(what):
            stays = f"; {context.this} stays blocked" if blocking_this in walk(what) else ""
            if what == Where("this") and context.event and context.event.word == "blocks":
                stays = f" (the character {context.this} blocked stays blocked)"
            return f"move {object_text(what, context)} from the Attack Zone to the field{stays}"
        case ClearDamage(what):
            return f"clear all damage from {object_text(what, context)}"
        case SwapControl(first, second):
            return f"swap control of {object_text(first, context)} and {object_text(second, context)}{until_text(END_OF_YOUR_TURN, context)}"
        case SendHome():
            first_part = "send every die controlled by a player who does not own it back to its owner's field"
            return f"{first_part}, and every die that is in the field only for a time back where it came from"
        case UseCopy():
            return "use a copy of that die's effect, with choices of your own"
        case SwapAttack(first, second):
            exchange = f"{possessive_text('A', first, context)} with {possessive_text('A', second, context)}"
            return f"exchange {exchange}{until_text(END_OF_TURN, context)}"
        case Capture() | SetAside() | TakeControl() | Swap() | Copy() | PairUp():
            return _capture_text(effect, context)
        case Attach(what, until):
            duration = (
                "" if until == WHILE_THERE else f"{until_text(until, context)}; then it goes to {zone_text(USED)}"
            )
            return f"put this die on {object_text(what, context)}{duration}"
        case Use(what):
            return f"use {object_text(what, context)} as if it showed no burst"
        case MakeToken(name, a, d):
            return f"put a {name} token with {a}A and {d}D into the field"
        case PutCounter(name):
            return f"put {with_article(name)} counter on this card"
        case RemoveCounters(name):
            return f"remove all {name} counters from this card"
        case NameCard():
            return "name one of your opponent's character cards, in place of any named before"
        case NameType():
            return "name an energy type"
        case NameAffiliation(None, other_than=other):
            return f"name an affiliation{f' other than {other}' if other else ''}, in place of any named before"
        case NameAffiliation(Where() as among, at_least) if at_least > 1:
            return f"name an affiliation that at least {at_least} {counted_phrase(among, context, True).many()} have"
        case NameAffiliation(Where() as among):
            return f"name an affiliation of {indefinite_phrase(among, context).as_object}"
        case Divide(amount, among, target):
            phrase = amount_text(amount, context)
            whom = subject_text(among, context, "").as_object
            if among.op != "or" and not noun_phrase(among, context).of_owner:
                whom = f"any number of {'target ' * target}{whom}"
            chooser = subject_text(Where("you"), context).text
            damage = phrase.of("damage").replace(" rounded down", ", rounded down")
            return f"deal {damage}{phrase.tail}, divided as {chooser} choose among {whom}"
        case Increase(Number("event")):
            return "double that damage"
        case Increase(amount) if context.event and Where("each player") in context.event.who.args:
            return f"increase the damage to that one character or player by {more_text(amount, context)}"
        case Increase(amount):
            return f"increase that damage by {more_text(amount, context)}"
        case Prevent(Number() as amount) if PAID in walk(amount) and context.event is not None:
            phrase = amount_text(amount, context)
            whom = indefinite_phrase(context.event.who, context).as_object
            return (
                f"prevent {phrase.number_text} damage to {whom}{phrase.tail} (from all sources of that moment together)"
            )
        case Prevent(amount):
            return f"prevent {_damage_share_text(amount, context)}"
        case Redirect(amount, to, True) if amount == ALL:
            return f"redirect that damage and all other damage from the same source to {object_text(to, context)}"
        case Redirect(amount, to):
            return f"redirect {_damage_share_text(amount, context)} to {object_text(to, context)}"
        case NewTarget(what):
            return f"make {object_text(what, context)} the target instead"
        case PlaceOnCard(Where("not", (Where("action die"),))):
            return "put this die on a character card, where it counts as being in the field"
        case PlaceOnCard(Where("any")):
            return f"put {context.this} on a card, where it counts as being in the field"
        case PlaceOnCard(among):
            return f"put {context.this} on the card of {indefinite(noun_phrase(among, context))}, where it counts as being in the field"
        case _:
            raise UnrenderableError(f"no English for the effect {effect!r}")


def _damage_text(effect: Damage, context: RenderContext) -> str:
    phrase = amount_text(effect.amount, context)
    if effect.to == Where("you"):
        return f"take {phrase.of('damage')}{phrase.tail}"
    if isinstance(effect.to, Where) and effect.to.op in ("that", "the other", "chosen"):
        match effect.amount:
            case Number(("level" | "attack") as stat, (Where() as where,)) if where == effect.to:
                recipient = subject_text(where, context)
                stat_name = "A" if stat == "attack" else "level"
                return f"deal {recipient.as_object} damage equal to {recipient.pronoun.as_possessive} {stat_name}"
    return f"deal {_damage_to_text(effect, phrase, context)}"


def damage_by_text(effect: Damage, context: RenderContext) -> str:
    """Return damage with a named source: "each of those characters deals 2 damage to your opponent"."""
    assert effect.source is not None
    is_reference = reference_text(effect.source, replace(context)) is not None
    context.counts_each_die = isinstance(effect.amount, int)  # each die deals it, even several of one card
    dealer = subject_text(effect.source, context) if is_reference else PersonPhrase(object_text(effect.source, context))
    context.counts_each_die = False
    context.dealer_possessive = dealer.pronoun.as_possessive
    phrase = amount_text(effect.amount, context)
    match effect.amount:
        case Number("attack", (where,)) if where == effect.source:
            phrase = replace(phrase, equal_to=f"{context.dealer_possessive} A")
    return f"{dealer.verb('deals', 'deal')} {_damage_to_text(effect, phrase, context)}"


def _damage_to_text(effect: Damage, phrase: AmountPhrase, context: RenderContext) -> str:
    if isinstance(effect.amount, Number) and effect.amount.args == (effect.to,) and " among " in phrase.equal_to:
        return f"{object_text(effect.to, context)} damage equal to {phrase.equal_to.partition(' among ')[0]} among them"
    if phrase.equal_to.startswith("the "):
        return f"damage to {object_text(effect.to, context)} equal to {phrase.equal_to}"
    return f"{phrase.of('damage')} to {object_text(effect.to, context)}{phrase.tail}"


def _rolled_die_text(operand: Operand, context: RenderContext) -> str:
    """Return the die to roll. If it belongs to a character called by name, later mentions are "it"."""
    if operand == Where("this") and context.this != "this die":
        context.is_this_rolled = True
        return f"{PersonPhrase(context.this).as_possessive} die"
    return object_text(operand, context, "from")


def _joint_damage_text(parts: tuple[Damage, ...], context: RenderContext) -> str:
    first, *rest = [_damage_text(part, context) for part in parts]
    return join_list([first, *(action.removeprefix("deal ") for action in rest)])


def _spin_text(effect: Spin | SpinTo | SpinToEnergy, context: RenderContext) -> str:
    target = object_text(effect.what, context)
    match effect:
        case Spin(levels=0):
            return f"spin {target} up or down 1 level"
        case Spin(levels=n):
            direction = "up" if n > 0 else "down"
            replaces_ko = context.event is not None and context.event.word == "would be KO'd" and n > 0
            note = " (if possible)" if replaces_ko and Where("this") == effect.what else ""
            return f"spin {target} {direction} {abs(n)} level{'s' if abs(n) > 1 else ''}{note}"
        case SpinTo(level=level):
            destination = f"level {level}" if isinstance(level, int) else comparison_text(level, context)
            replaces_ko = context.event is not None and context.event.word == "would be KO'd" and level == 3
            return f"spin {target} to {destination}{' (only from a lower level; damage stays on them)' if replaces_ko else ''}"
        case SpinToEnergy(what, symbol):
            is_single = is_one(what, context)
            action = f"spin {target} to {'its' if is_single else 'their'} {energy_text(symbol)} face"
            if what == Where("this") and context.this == "this die":
                return action  # an action die in use is already in the reserve pool
            owner = "its owner's" if owner_text(what, context) == "their owner's" else owner_text(what, context)
            movement = f"{'it moves' if is_single else 'those in the field move'} to {zone_text(RESERVE, owner)}"
            return f"{action}; {movement}" if _may_be_in_field(what) else action


def level_text(operand: Operand, level: int) -> str:
    """Return the level at which dice are fielded; Sidekicks have only one."""
    where = operand.where if isinstance(operand, Select) else operand
    if level == 0:
        return " at the level it shows"
    return "" if Where("sidekick") in iter_conjuncts(where) else f" at level {level}"


def _unprinted_text(text: str, kind: str, context: RenderContext) -> str:
    """Return the text, in round brackets if the card does not print this detail."""
    return f" ({text.strip()})" if text and kind in context.unprinted else text


def _may_be_in_field(operand: Operand) -> bool:
    where = operand.where if isinstance(operand, Select) else operand
    places = [part.args for part in iter_conjuncts(where) if part.op == "in"]
    return not places or any("field" in args for args in places)


def _is_in_field(operand: Operand) -> bool:
    """Return whether a description names no zone, and so means the field."""
    where = operand.where if isinstance(operand, Select) else operand
    ops = {part.op for part in iter_conjuncts(where)}
    return bool(ops & {"character", "sidekick"}) and not ops & {"in", "drawn", "just rolled"}


def _draw_text(amount: Amount, to: str, context: RenderContext) -> str:
    phrase = amount_text(amount, context)
    if phrase.equal_to:
        dice = f"a number of dice equal to {phrase.equal_to}"
    elif phrase.number_text == "that much":
        dice = "that many dice"
    else:
        dice = "a die" if phrase.number_text == "1" else f"{phrase.number_text} dice"
    match to:
        case _ if to == HAND:
            context.unpicked_count = amount if isinstance(amount, int) else 0
            context.drew_one, context.drew_many = amount == 1, amount != 1 and context.actor != "each"
            return f"draw {dice}{phrase.tail}"
        case _ if to == PREP:
            return f"draw {dice} into {zone_text(to, owner_text(Where('drawn'), context))}{phrase.tail}"
        case _ if to == RESERVE:
            pronoun = "it" if dice == "a die" and not phrase.tail else "them"
            return (
                f"draw {dice}{phrase.tail} and roll {pronoun} into {zone_text(to, owner_text(Where('drawn'), context))}"
            )
        case _:
            return f"draw {dice} into {zone_text(to, owner_text(Where('drawn'), context))}{phrase.tail}"


def _move_text(effect: Roll | Reroll | Move | Field | ReturnToField, context: RenderContext) -> str:
    target = object_text(effect.what, context, "in" if isinstance(effect, Reroll) else "from")
    match effect:
        case Roll(what, to) if to == HAND:
            if isinstance(what, Where) and not context.drew_one and what.op != "drawn":
                context.drawn_name = "the rolled dice"
                context.rolled_from = next((str(part.args[0]) for part in iter_conjuncts(what) if part.op == "in"), "")
            if context.rolled_from:
                return f"roll all {plural_text(what, context) if isinstance(what, Where) else target}"
            return f"roll {_rolled_die_text(what, context) if what == Where('this') else target}"
        case Roll(what, to):
            return f"roll {target} into {zone_text(to, owner_text(what, context))}"
        case Reroll():
            return f"reroll {target}"
        case Move(Where("drawn"), to) if to == context.rolled_from:
            return "put the dice back"
        case Move(Where("drawn" | "and") as what, to) if to == BAG and Where("drawn") in iter_conjuncts(what):
            return f"return {target} to {zone_text(to, owner_text(what, context))}"
        case Move(Select(most=1) as what, to) if " of your choice of " in target:
            sought = target.replace(" of your choice", "").removesuffix(f" from {zone_text(BAG)}")
            return f"search {zone_text(BAG)} for {sought} and move it to {zone_text(to, owner_text(what, context))}"
        case Move(what, to):
            origin = " from the field" if _is_in_field(what) else ""
            return f"move {target}{origin} to {zone_text(to, owner_text(what, context))}"
        case Field(level=level):
            manner = f"for free{_unprinted_text(level_text(effect.what, level), 'level', context)}"
            text = f"field {manner} {target}" if target.endswith(")") else f"field {target} {manner}"
            if not effect.otherwise:
                return text
            return f"{text}; what cannot be fielded goes to {zone_text(effect.otherwise, owner_text(effect.what, context))}"
        case ReturnToField(level=level):
            level_phrase = " at the level it shows" if level == 0 else f" at level {level}"
            if not isinstance(level, int):
                level_phrase = f" at {'the same level' if level.op == 'level' else comparison_text(level, context)}"
            level_phrase = _unprinted_text(level_phrase, "level", context)
            is_new_to_field = context.event is not None and context.event.word == "bought"
            is_new_to_field = is_new_to_field or not _may_be_in_field(effect.what) or " from " in target
            return (
                f"put {target} into the field{level_phrase}"
                if is_new_to_field
                else f"return {target} to the field{level_phrase}"
            )


def _capture_text(effect: Capture | SetAside | TakeControl | Swap | Copy | PairUp, context: RenderContext) -> str:
    match effect:
        case Capture(what):
            ends_after_attack = effect.until == THIS_ATTACK
            shares_copy_duration = context.duration_follows_copy and "copy" not in context.unprinted
            duration = (
                "" if shares_copy_duration else _UNTIL_AFTER if ends_after_attack else until_text(effect.until, context)
            )
            captive = object_text(what, context, "from")
            if (
                " whose " in captive and "(" not in duration
            ):  # at the end, the duration would seem to belong to the "whose" clause
                if effect.until == YOUR_HIT:
                    return f"capture {captive}. They stay captured (and this die in the field with them){duration}"
                return f"{duration.strip()}, capture {captive}"
            text = f"capture {captive}{duration}"
            return (
                f"{text}; then it goes to {zone_text(effect.home, owner_text(what, context))}" if effect.home else text
            )
        case SetAside(what):
            return f"remove {object_text(what, context, 'from')} from the field{until_text(END_OF_TURN, context)}"
        case TakeControl(what):
            return f"take control of {object_text(what, context)}{until_text(END_OF_TURN, context)}"
        case Swap(first, second):
            return f"swap {object_text(first, context)} with {object_text(second, context)}"
        case Copy("die", of, until=until):
            return f"make {context.this} a copy of {object_text(of, context)}{_copy_duration_text(until, context)}"
        case Copy():
            return copy_text((effect,), context)
        case PairUp(what):
            return f"pair {context.this} up with {object_text(what, context)} until the start of your next turn"
        case _:
            raise UnrenderableError(f"no English for the effect {effect!r}")


_UNTIL_AFTER = " until after the attack step (at the latest until end of turn)"


def copy_text(copies: tuple[Copy, ...], context: RenderContext) -> str:
    """Return the parts copied from one die as one text: "the fielding cost, A, D and abilities of a character"."""
    first = copies[0]
    copier = context.this if first.who == Where("this") else object_text(first.who, context)
    parts: list[str] = []
    for copy in copies:
        if copy.part not in _COPIED_PARTS:
            raise UnrenderableError(f"no English for copying {copy.part!r}")
        parts += _COPIED_PARTS[copy.part]
    if len(parts) > 1 and " " in parts[-1]:  # too long for one clause
        *parts, last = parts
        copied = f"{possessive_text(join_list(parts), first.of, context)} and their {last}"
        duration = _copy_duration_text(first.until, context)
        exclusions = "without keyword abilities and those that work while active)"
        if "(" in duration:
            return f"give {copier} {copied}{duration.removesuffix(')')}; {exclusions}"
        return f"{duration.strip()}, give {copier} {copied} ({exclusions}"
    if first.who == Where("this card") and isinstance(first.of, Select):
        source = object_text(first.of, context)
        duration = _copy_duration_text(first.until, context)
        dice = f"all your {context.title} dice (wherever they are)"
        return f"choose {source} and give {dice} that character's {join_list(parts)}{duration}"
    if first.level:
        return f"give {copier} the {join_list(parts)} of its level {first.level} face{_copy_duration_text(first.until, context)}"
    return f"give {copier} {possessive_text(join_list(parts), first.of, context)}{_copy_duration_text(first.until, context)}"


_COPIED_PARTS = {
    "stats": ["fielding cost", "A", "D"],
    "A and D": ["A", "D"],
    "attack": ["A"],
    "abilities": ["abilities"],
    "combat abilities": ["abilities for attacking, blocking and being blocked"],
}


def _copy_duration_text(until: str, context: RenderContext) -> str:
    """Return the duration of a copy, and of the capture before it."""
    duration = until_text(until, context)
    if until != END_OF_TURN or not context.duration_follows_copy:
        return duration
    context.duration_follows_copy = False
    return " (for the same time)" if "copy" in context.unprinted else f", both{duration}"


def _damage_share_text(amount: Amount, context: RenderContext) -> str:
    any_source = context.event is None or context.event.other is None
    if amount == ALL:
        if any_source and context.limit == "first":
            return "that damage (from one source)"
        return (
            "all of that damage that comes from one source" if any_source and context.limit == "turn" else "that damage"
        )
    phrase = amount_text(amount, context)
    per_source = " from each source" if isinstance(amount, Number) and amount.op == "up to" and any_source else ""
    part = f"as much of that damage as {phrase.equal_to}" if phrase.equal_to else f"{phrase.number_text} of that damage"
    return part + _unprinted_text(per_source, "source", context) + phrase.tail
