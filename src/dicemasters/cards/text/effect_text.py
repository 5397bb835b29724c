"""What a text tells somebody to do: "deal 2 damage to your opponent", "draw a die"."""

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
    What,
    Where,
    blocking_this,
)
from dicemasters.cards.text.amount_text import AmountPhrase, amount_text
from dicemasters.cards.text.noun_phrases import (
    comparison_text,
    counted_phrase,
    indefinite,
    is_one,
    iter_conjuncts,
    noun_phrase,
    object_text,
    owner_text,
    plural_text,
    possessive_text,
    reference_text,
    someone,
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
    """Say a price: BB is [B][B], 1 is one energy of any sort."""
    if not set(symbols) <= set("FBMS123456789"):
        raise UnrenderableError(f"no English for the energy {symbols!r}")
    return "".join(f"[{symbol}]" for symbol in symbols)


def life_text(amount: Amount, speech: RenderContext) -> str:
    """Say how much life is gained or lost."""
    said = amount_text(-amount if isinstance(amount, int) and amount < 0 else amount, speech)
    return said.of("life") + said.tail


def effect_text(effect: Effect, speech: RenderContext) -> str:
    """Say an effect as something to do."""
    match effect:
        case Choose(Select(by="opponent") as what):
            return f"your opponent chooses {object_text(what.replace(by='you'), speech)}"
        case Choose(what):
            return f"choose {object_text(what, speech)}"
        case Damage():
            return _damage(effect, speech)
        case Together(hits):
            return _joint_damage_text(hits, speech)
        case Life(amount, who):
            verb = "gain" if isinstance(amount, Number) or amount >= 0 else "pay" if who.op == "payer" else "lose"
            return f"{verb} {life_text(amount, speech)}"
        case Ko(what):
            return f"KO {object_text(what, speech)}"
        case Spin() | SpinTo() | SpinToEnergy():
            return _spin(effect, speech)
        case Draw(amount, to):
            return _draw(amount, to, speech)
        case Roll() | Reroll() | Move() | Field() | ReturnToField():
            return _move_text(effect, speech)
        case Buy(what):
            return f"buy {object_text(what, speech)} for free"
        case RollUntil(what, symbol):
            speech.rolled_until = True
            return f"roll {_die_of(what, speech)} until it shows {energy_text(symbol)}"
        case EndEffect():
            lasting = "end all that still lasts of one action die's effect"
            return f"{lasting}; if that die is in the field, it goes to its owner's Used Pile"
        case LeaveCombat(what):
            stays = f"; {speech.this} stays blocked" if blocking_this in walk(what) else ""
            if what == Where("this") and speech.event and speech.event.word == "blocks":
                stays = f" (the character {speech.this} blocked stays blocked)"
            return f"move {object_text(what, speech)} from the Attack Zone to the field{stays}"
        case ClearDamage(what):
            return f"clear all damage from {object_text(what, speech)}"
        case SwapControl(first, second):
            return f"swap control of {object_text(first, speech)} and {object_text(second, speech)}{until_text(END_OF_YOUR_TURN, speech)}"
        case SendHome():
            lent = "send every die controlled by a player who does not own it back to its owner's field"
            return f"{lent}, and every die that is in the field only for a time back where it came from"
        case UseCopy():
            return "use a copy of that die's effect, with choices of your own"
        case SwapAttack(first, second):
            both = f"{possessive_text('A', first, speech)} with {possessive_text('A', second, speech)}"
            return f"exchange {both}{until_text(END_OF_TURN, speech)}"
        case Capture() | SetAside() | TakeControl() | Swap() | Copy() | PairUp():
            return _capture_text(effect, speech)
        case Attach(what, until):
            lasts = "" if until == WHILE_THERE else f"{until_text(until, speech)}; then it goes to {zone_text(USED)}"
            return f"put this die on {object_text(what, speech)}{lasts}"
        case Use(what):
            return f"use {object_text(what, speech)} as if it showed no burst"
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
            return f"name an affiliation that at least {at_least} {counted_phrase(among, speech, True).many()} have"
        case NameAffiliation(Where() as among):
            return f"name an affiliation of {someone(among, speech).as_object}"
        case Divide(amount, among, target):
            said = amount_text(amount, speech)
            whom = subject_text(among, speech, "").as_object
            if among.op != "or" and not noun_phrase(among, speech).of_owner:
                whom = f"any number of {'target ' * target}{whom}"
            you = subject_text(Where("you"), speech).text
            damage = said.of("damage").replace(" rounded down", ", rounded down")
            return f"deal {damage}{said.tail}, divided as {you} choose among {whom}"
        case Increase(Number("event")):
            return "double that damage"
        case Increase(amount) if speech.event and Where("each player") in speech.event.who.args:
            return f"increase the damage to that one character or player by {more_text(amount, speech)}"
        case Increase(amount):
            return f"increase that damage by {more_text(amount, speech)}"
        case Prevent(Number() as amount) if PAID in walk(amount) and speech.event is not None:
            said = amount_text(amount, speech)
            whom = someone(speech.event.who, speech).as_object
            return f"prevent {said.number_text} damage to {whom}{said.tail} (from all sources of that moment together)"
        case Prevent(amount):
            return f"prevent {_share(amount, speech)}"
        case Redirect(amount, to, True) if amount == ALL:
            return f"redirect that damage and all other damage from the same source to {object_text(to, speech)}"
        case Redirect(amount, to):
            return f"redirect {_share(amount, speech)} to {object_text(to, speech)}"
        case NewTarget(what):
            return f"make {object_text(what, speech)} the target instead"
        case PlaceOnCard(Where("not", (Where("action die"),))):
            return "put this die on a character card, where it counts as being in the field"
        case PlaceOnCard(Where("any")):
            return f"put {speech.this} on a card, where it counts as being in the field"
        case PlaceOnCard(among):
            return f"put {speech.this} on the card of {indefinite(noun_phrase(among, speech))}, where it counts as being in the field"
        case _:
            raise UnrenderableError(f"no English for the effect {effect!r}")


def _damage(effect: Damage, speech: RenderContext) -> str:
    said = amount_text(effect.amount, speech)
    if effect.to == Where("you"):
        return f"take {said.of('damage')}{said.tail}"
    if isinstance(effect.to, Where) and effect.to.op in ("that", "the other", "chosen"):
        match effect.amount:
            case Number(("level" | "attack") as stat, (Where() as of,)) if of == effect.to:
                whom = subject_text(of, speech)
                what = "A" if stat == "attack" else "level"
                return f"deal {whom.as_object} damage equal to {whom.pronoun.as_possessive} {what}"
    return f"deal {_damage_to(effect, said, speech)}"


def damage_by_text(effect: Damage, speech: RenderContext) -> str:
    """Say damage whose source is named: each of those characters deals 2 damage to your opponent."""
    assert effect.source is not None
    single = reference_text(effect.source, replace(speech)) is not None
    speech.dice = isinstance(effect.amount, int)  # each die deals it, also several of one card
    who = subject_text(effect.source, speech) if single else PersonPhrase(object_text(effect.source, speech))
    speech.dice = False
    speech.dealer = who.pronoun.as_possessive
    said = amount_text(effect.amount, speech)
    match effect.amount:
        case Number("attack", (of,)) if of == effect.source:
            said = replace(said, equal=f"{speech.dealer} A")
    return f"{who.verb('deals', 'deal')} {_damage_to(effect, said, speech)}"


def _damage_to(effect: Damage, said: AmountPhrase, speech: RenderContext) -> str:
    if isinstance(effect.amount, Number) and effect.amount.args == (effect.to,) and " among " in said.equal:
        return f"{object_text(effect.to, speech)} damage equal to {said.equal.partition(' among ')[0]} among them"
    if said.equal.startswith("the "):
        return f"damage to {object_text(effect.to, speech)} equal to {said.equal}"
    return f"{said.of('damage')} to {object_text(effect.to, speech)}{said.tail}"


def _die_of(what: What, speech: RenderContext) -> str:
    """Say a die that is rolled; of a character by name, the die is from now on "it"."""
    if what == Where("this") and speech.this != "this die":
        speech.as_die = True
        return f"{PersonPhrase(speech.this).as_possessive} die"
    return object_text(what, speech, "from")


def _joint_damage_text(parts: tuple[Damage, ...], speech: RenderContext) -> str:
    first, *rest = [_damage(part, speech) for part in parts]
    return join_list([first, *(deed.removeprefix("deal ") for deed in rest)])


def _spin(effect: Spin | SpinTo | SpinToEnergy, speech: RenderContext) -> str:
    who = object_text(effect.what, speech)
    match effect:
        case Spin(levels=0):
            return f"spin {who} up or down 1 level"
        case Spin(levels=n):
            how = "up" if n > 0 else "down"
            saved = speech.event is not None and speech.event.word == "would be KO'd" and n > 0
            can = " (if possible)" if saved and Where("this") == effect.what else ""
            return f"spin {who} {how} {abs(n)} level{'s' if abs(n) > 1 else ''}{can}"
        case SpinTo(level=level):
            to = f"level {level}" if isinstance(level, int) else comparison_text(level, speech)
            saved = speech.event is not None and speech.event.word == "would be KO'd" and level == 3
            return f"spin {who} to {to}{' (only from a lower level; damage stays on them)' if saved else ''}"
        case SpinToEnergy(what, symbol):
            one = is_one(what, speech)
            face = f"spin {who} to {'its' if one else 'their'} {energy_text(symbol)} face"
            if what == Where("this") and speech.this == "this die":
                return face  # an action die being used is in the reserve
            owner = "its owner's" if owner_text(what, speech) == "their owner's" else owner_text(what, speech)
            moves = f"{'it moves' if one else 'those in the field move'} to {zone_text(RESERVE, owner)}"
            return f"{face}; {moves}" if _may_be_in_field(what) else face


def at_level(what: What, level: int) -> str:
    """Say at which level dice are fielded; Sidekicks have but one."""
    where = what.where if isinstance(what, Select) else what
    if level == 0:
        return " at the level it shows"
    return "" if Where("sidekick") in iter_conjuncts(where) else f" at level {level}"


def _unprinted_text(said: str, what: str, speech: RenderContext) -> str:
    """Put words in round brackets that the card does not say."""
    return f" ({said.strip()})" if said and what in speech.unprinted else said


def _may_be_in_field(what: What) -> bool:
    where = what.where if isinstance(what, Select) else what
    places = [part.args for part in iter_conjuncts(where) if part.op == "in"]
    return not places or any("field" in args for args in places)


def _is_in_field(what: What) -> bool:
    """Whether it is a description that names no place, and so means the field."""
    where = what.where if isinstance(what, Select) else what
    ops = {part.op for part in iter_conjuncts(where)}
    return bool(ops & {"character", "sidekick"}) and not ops & {"in", "drawn", "just rolled"}


def _draw(amount: Amount, to: str, speech: RenderContext) -> str:
    said = amount_text(amount, speech)
    if said.equal:
        dice = f"a number of dice equal to {said.equal}"
    elif said.number_text == "that much":
        dice = "that many dice"
    else:
        dice = "a die" if said.number_text == "1" else f"{said.number_text} dice"
    match to:
        case _ if to == HAND:
            speech.left = amount if isinstance(amount, int) else 0
            speech.drew_one, speech.drew_many = amount == 1, amount != 1 and speech.actor != "each"
            return f"draw {dice}{said.tail}"
        case _ if to == PREP:
            return f"draw {dice} into {zone_text(to, owner_text(Where('drawn'), speech))}{said.tail}"
        case _ if to == RESERVE:
            them = "it" if dice == "a die" and not said.tail else "them"
            return f"draw {dice}{said.tail} and roll {them} into {zone_text(to, owner_text(Where('drawn'), speech))}"
        case _:
            return f"draw {dice} into {zone_text(to, owner_text(Where('drawn'), speech))}{said.tail}"


def _move_text(effect: Roll | Reroll | Move | Field | ReturnToField, speech: RenderContext) -> str:
    who = object_text(effect.what, speech, "in" if isinstance(effect, Reroll) else "from")
    match effect:
        case Roll(what, to) if to == HAND:
            if isinstance(what, Where) and not speech.drew_one and what.op != "drawn":
                speech.drawn_name = "the rolled dice"
                speech.rolled_from = next((str(part.args[0]) for part in iter_conjuncts(what) if part.op == "in"), "")
            if speech.rolled_from:
                return f"roll all {plural_text(what, speech) if isinstance(what, Where) else who}"
            return f"roll {_die_of(what, speech) if what == Where('this') else who}"
        case Roll(what, to):
            return f"roll {who} into {zone_text(to, owner_text(what, speech))}"
        case Reroll():
            return f"reroll {who}"
        case Move(Where("drawn"), to) if to == speech.rolled_from:
            return "put the dice back"
        case Move(Where("drawn" | "and") as what, to) if to == BAG and Where("drawn") in iter_conjuncts(what):
            return f"return {who} to {zone_text(to, owner_text(what, speech))}"
        case Move(Select(most=1) as what, to) if " of your choice of " in who:
            found = who.replace(" of your choice", "").removesuffix(f" from {zone_text(BAG)}")
            return f"search {zone_text(BAG)} for {found} and move it to {zone_text(to, owner_text(what, speech))}"
        case Move(what, to):
            field = " from the field" if _is_in_field(what) else ""
            return f"move {who}{field} to {zone_text(to, owner_text(what, speech))}"
        case Field(level=level):
            free = f"for free{_unprinted_text(at_level(effect.what, level), 'level', speech)}"
            said = f"field {free} {who}" if who.endswith(")") else f"field {who} {free}"
            if not effect.otherwise:
                return said
            return (
                f"{said}; what cannot be fielded goes to {zone_text(effect.otherwise, owner_text(effect.what, speech))}"
            )
        case ReturnToField(level=level):
            at = " at the level it shows" if level == 0 else f" at level {level}"
            if not isinstance(level, int):
                at = f" at {'the same level' if level.op == 'level' else comparison_text(level, speech)}"
            at = _unprinted_text(at, "level", speech)
            new = speech.event is not None and speech.event.word == "bought"
            new = new or not _may_be_in_field(effect.what) or " from " in who
            return f"put {who} into the field{at}" if new else f"return {who} to the field{at}"


def _capture_text(effect: Capture | SetAside | TakeControl | Swap | Copy | PairUp, speech: RenderContext) -> str:
    match effect:
        case Capture(what):
            after = effect.until == THIS_ATTACK
            both = speech.captured and "copy" not in speech.unprinted
            lasts = "" if both else _UNTIL_AFTER if after else until_text(effect.until, speech)
            whom = object_text(what, speech, "from")
            if " whose " in whom and "(" not in lasts:  # at the end it would be said of what follows "whose"
                if effect.until == YOUR_HIT:
                    return f"capture {whom}. They stay captured (and this die in the field with them){lasts}"
                return f"{lasts.strip()}, capture {whom}"
            said = f"capture {whom}{lasts}"
            return (
                f"{said}; then it goes to {zone_text(effect.home, owner_text(what, speech))}" if effect.home else said
            )
        case SetAside(what):
            return f"remove {object_text(what, speech, 'from')} from the field{until_text(END_OF_TURN, speech)}"
        case TakeControl(what):
            return f"take control of {object_text(what, speech)}{until_text(END_OF_TURN, speech)}"
        case Swap(first, second):
            return f"swap {object_text(first, speech)} with {object_text(second, speech)}"
        case Copy("die", of, until=until):
            return f"make {speech.this} a copy of {object_text(of, speech)}{_as_long(until, speech)}"
        case Copy():
            return copy_text((effect,), speech)
        case PairUp(what):
            return f"pair {speech.this} up with {object_text(what, speech)} until the start of your next turn"
        case _:
            raise UnrenderableError(f"no English for the effect {effect!r}")


_UNTIL_AFTER = " until after the attack step (at the latest until end of turn)"


def copy_text(copies: tuple[Copy, ...], speech: RenderContext) -> str:
    """Say what is copied from one die, all of it together: the fielding cost, A, D and abilities of a character."""
    first = copies[0]
    copier = speech.this if first.who == Where("this") else object_text(first.who, speech)
    parts: list[str] = []
    for copy in copies:
        if copy.part not in _COPIED:
            raise UnrenderableError(f"no English for copying {copy.part!r}")
        parts += _COPIED[copy.part]
    if len(parts) > 1 and " " in parts[-1]:  # too long for one breath
        *parts, last = parts
        said = f"{possessive_text(join_list(parts), first.of, speech)} and their {last}"
        lasts = _as_long(first.until, speech)
        but = "without keyword abilities and those that work while active)"
        if "(" in lasts:
            return f"give {copier} {said}{lasts.removesuffix(')')}; {but}"
        return f"{lasts.strip()}, give {copier} {said} ({but}"
    if first.who == Where("this card") and isinstance(first.of, Select):
        whom = object_text(first.of, speech)
        lasts = _as_long(first.until, speech)
        dice = f"all your {speech.title} dice (wherever they are)"
        return f"choose {whom} and give {dice} that character's {join_list(parts)}{lasts}"
    if first.level:
        return f"give {copier} the {join_list(parts)} of its level {first.level} face{_as_long(first.until, speech)}"
    return f"give {copier} {possessive_text(join_list(parts), first.of, speech)}{_as_long(first.until, speech)}"


_COPIED = {
    "stats": ["fielding cost", "A", "D"],
    "A and D": ["A", "D"],
    "attack": ["A"],
    "abilities": ["abilities"],
    "combat abilities": ["abilities for attacking, blocking and being blocked"],
}


def _as_long(until: str, speech: RenderContext) -> str:
    """Say how long, for the capture before it too."""
    lasts = until_text(until, speech)
    if until != END_OF_TURN or not speech.captured:
        return lasts
    speech.captured = False
    return " (for the same time)" if "copy" in speech.unprinted else f", both{lasts}"


def _share(amount: Amount, speech: RenderContext) -> str:
    several = speech.event is None or speech.event.other is None
    if amount == ALL:
        if several and speech.limit == "first":
            return "that damage (from one source)"
        return "all of that damage that comes from one source" if several and speech.limit == "turn" else "that damage"
    said = amount_text(amount, speech)
    each = " from each source" if isinstance(amount, Number) and amount.op == "up to" and several else ""
    part = f"as much of that damage as {said.equal}" if said.equal else f"{said.number_text} of that damage"
    return part + _unprinted_text(each, "source", speech) + said.tail
