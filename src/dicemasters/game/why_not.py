"""Why something cannot be done now, in one sentence for the player who would like to do it."""

from __future__ import annotations

from dicemasters.cards.words import ALL
from dicemasters.game import combat, effects, energy, look, say, triggers, turn, why
from dicemasters.game.energy import Price
from dicemasters.game.look import ACTION, CHARACTER, ENERGY, Running
from dicemasters.game.parts import Part, shape
from dicemasters.game.state import (
    ATTACKING,
    CARD,
    FIELD,
    MAIN,
    NOBODY,
    PLAYER,
    PREP,
    RESERVE,
    ROLL,
    ROLLED,
    UNDECIDED,
    State,
)

_TYPES = ("fist", "bolt", "mask", "shield")
_ACTING = ("main", "respond", "fight")
_WHERE = {
    1: "It is in the bag, to be drawn.",
    2: "It is in the Prep Area and is rolled in the next roll and reroll step.",
    5: "It is in the Used Pile until the bag is refilled.",
    6: "It is Out of Play until the turn ends.",
    7: "It has been drawn and not yet placed.",
    8: "It is out of the game until it comes back.",
    9: "It is not on the table.",
}


def why_not(s: State, seat: int, *, die: int = -1, card: int = -1, ability: int = -1, want: str = "") -> str:
    """Say why a player cannot do something with a die, a card or a Global now; "" if they can.

    `want` is what they would like to do: buy, field, use, attack, block, reroll, pay, choose, global or ability. Left
    out it is what one does with such a thing.
    """
    if s.result != UNDECIDED:
        return "The game is over."
    if s.ask.seat != seat:
        return f"It is {say.SEATS[s.ask.seat]}'s decision now."
    if any(_is_about(s, part, die, card, ability, want) for part in shape(s).parts):
        return ""
    if ability >= 0:
        return _why_no_ability(s, seat, ability, die)
    if card >= 0:
        if want in ("", "buy"):
            return _why_no_buy(s, seat, card)
        return "There is nothing to do with this card now."
    if not 0 <= die < s.table.n_dice:
        return "There is no such die."
    match want or _usual(s, die):
        case "buy":
            return _why_no_buy(s, seat, s.table.card_of[die])
        case "field":
            return _why_no_field(s, seat, die)
        case "use":
            return _why_no_use(s, seat, die)
        case "attack":
            return _why_no_attack(s, seat, die)
        case "block":
            return _why_no_block(s, seat, die)
        case "reroll":
            return _why_no_reroll(s, seat, die)
        case "pay":
            return _why_no_pay(s, seat, die)
        case "choose":
            return _why_no_choice(s, die)
        case "ability":
            return _why_no_paid_ability(s, seat, die)
    return _WHERE.get(s.place[die] >> 2, "There is nothing to do with it now.")


def _is_about(s: State, part: Part, die: int, card: int, ability: int, want: str) -> bool:
    """Tell whether a part of the question is what the player would like to do."""
    what, x, _ = part.option
    if want and what != want and not (want == "choose" and what in ("up", "down", "end", "amount", "resolve")):
        return False
    if ability >= 0:
        return what in ("global", "ability", "lift") and x == ability and (die < 0 or die in part.dice)
    if card >= 0:
        if what in ("buy", "card"):
            return x == card
        return what in ("global", "ability", "lift") and s.table.sentences[x].card == card and want != "buy"
    return die in part.dice or (not want and die in part.to)


def _usual(s: State, d: int) -> str:
    """Give what a player usually does with a die where it lies and in the question they are asked."""
    place = s.place[d] >> 2
    if s.ask.kind in ("choose", "split", "divide"):
        return "choose"
    if place == CARD:
        return "buy"
    if s.ask.kind == "pay":
        return "pay"
    if (place in (PREP, RESERVE) or s.flags[d] & ROLLED) and s.ask.kind == "reroll":
        return "reroll"
    if place == RESERVE:
        return {CHARACTER: "field", ACTION: "use", ENERGY: "pay"}[_shows(s, d)]
    if place == FIELD:
        if s.ask.kind in ("attack", "block"):
            return s.ask.kind
        return "ability"
    return ""


def _shows(s: State, d: int) -> int:
    return s.table.kinds[s.table.m6[d] + s.face[d]]


def _other_question(s: State) -> str:
    return f"First comes the question: {say.question(s)}"


def _forbids(s: State, word: str, d: int) -> str:
    """Name the cards whose rule of this word is about the die or player."""
    names = [_source(s, ctx) for _, ctx, _, _ in look.rules_about(s, word, d)]
    return " and ".join(dict.fromkeys(names)) or "An effect"


def _source(s: State, ctx: Running) -> str:
    return s.table.names[s.table.sentences[ctx.ability].card] if ctx.ability >= 0 else "An effect"


def _too_dear(have: list[int], price: Price, cost: str) -> str:
    """Say what a pool lacks for a price; "" if it is enough."""
    if energy.can_pay(have, price):
        return ""
    if have[6] < price[4]:
        return f"{cost} {price[4]}, and you have {have[6] or 'no'} energy."
    lacks = [_several(n, name) for name, n, mine in zip(_TYPES, price, have, strict=False) if n > mine]
    wild = f", and {have[4]} wild is not enough" if have[4] else ""
    return f"It needs {' and '.join(lacks)}{wild}."


def _several(n: int, name: str) -> str:
    return f"one {name}" if n == 1 else f"{n} {name}s"


# --- buying, fielding, using ---------------------------------------------------------------------------------------


def _why_no_buy(s: State, seat: int, c: int) -> str:
    t = s.table
    owner = t.owner_of_card[c]
    if c < t.n_seats:
        return "Sidekicks are not bought."
    if c >= t.n_real_cards:
        return "Tokens are not bought."
    if owner >= 0 and owner != seat:
        return f"It is {say.SEATS[owner]}'s card, and only {say.SEATS[owner]} buys its dice."
    if not any(s.place[d] >> 2 == CARD for d in t.dice_of[c]):
        return "No dice are left on the card."
    if s.active != seat or s.step != MAIN:
        return "Dice are bought in your own main step."
    if s.ask.kind not in ("main", "together"):
        return _other_question(s)
    dear = _too_dear(energy.pool(s, seat), turn.purchase_price(s, c, seat), "It costs")
    return dear or "Together with the rest it cannot be paid."


def _why_no_field(s: State, seat: int, d: int) -> str:
    if s.place[d] != RESERVE * 4 + seat:
        return "Only dice in your reserve are fielded."
    if _shows(s, d) != CHARACTER:
        return "It does not show a character."
    if s.active != seat or s.step != MAIN:
        return "Characters are fielded in your own main step."
    if s.ask.kind not in ("main", "together"):
        return _other_question(s)
    if look.is_ruled(s, "cannot field", d):
        return f"It cannot be fielded: {_forbids(s, 'cannot field', d)} forbids it."
    cost = look.fielding_cost(s, d)
    dear = _too_dear(energy.pool(s, seat), (0, 0, 0, 0, cost), "Fielding it costs")
    return dear or "Together with the rest it cannot be paid."


def _why_no_use(s: State, seat: int, d: int) -> str:
    t = s.table
    if s.place[d] != RESERVE * 4 + seat:
        return "Only action dice in your reserve are used."
    if _shows(s, d) != ACTION:
        return "It does not show an action."
    if s.active != seat:
        return "Action dice are used on your own turn."
    if s.ask.kind not in ("main", "fight", "attack"):
        return _other_question(s)
    if look.is_banned(s, seat, "action"):
        return f"Action dice cannot be used: {_forbids(s, 'cannot use', PLAYER + (seat & 1))} forbids it."
    at_start = any(x.event for x in t.uses[t.card_of[d]])
    if s.ask.kind == "attack" and not at_start:
        return "Actions are used in the main step, or after blockers are declared."
    if s.ask.kind == "attack" and look.attackers(s):
        return "It is used at the start of the attack step, before attackers are declared."
    if at_start and s.ask.kind != "attack":
        return "It is used at the start of the attack step."
    return "It would do nothing now."


def _why_no_ability(s: State, seat: int, index: int, die: int) -> str:
    if not 0 <= index < len(s.table.sentences):
        return "There is no such ability."
    sentence = s.table.sentences[index]
    if sentence.kind == "global":
        if sentence.event:
            return "It is asked for when its moment comes."
        if s.ask.kind not in (*_ACTING, "together"):
            return _other_question(s)
        if look.is_banned(s, seat, "global"):
            return f"Globals cannot be used: {_forbids(s, 'cannot use', PLAYER + (seat & 1))} forbids it."
        if sentence.own_turn and seat != s.active:
            return "It is used only on your own turn."
        if "text ignored" in s.table.standing and look.is_silent(s, sentence.card):
            return "The card's text is ignored now."
        price = look.global_price(s, seat, sentence.need.price)
        return _why_not_ready(s, look.context(index, seat, NOBODY), price)
    if sentence.kind == "pay":
        if s.ask.kind not in (*_ACTING, "together"):
            return _other_question(s)
        mine = [c for c in look.contexts(s, sentence) if c.you == seat and (die < 0 or c.this == die)]
        if not mine:
            return "You have no die in the field with this ability."
        return _why_not_ready(s, mine[0], sentence.need.price)
    return "It works by itself."


def _why_not_ready(s: State, ctx: Running, price: Price) -> str:
    sentence = s.table.sentences[ctx.ability]
    have = energy.pool(s, ctx.you)
    if triggers.is_spent(s, ctx):
        return "It has been used this turn."
    if price[4]:
        dear = _too_dear(have, price, "It costs")
        if dear:
            return dear
    if sentence.need.life and s.life[ctx.you & 1] < sentence.need.life:
        return f"It costs {sentence.need.life} life."
    if not effects.can_afford(s, ctx.you, sentence.need, ctx, have, price):
        return "There is nothing to pay its cost with."
    if sentence.condition is not None and not sentence.condition(s, ctx):
        return "Its condition does not hold now."
    if not effects.can_start(s, ctx):
        return "There is nothing it could affect now."
    return "Together with the rest it cannot be paid."


def _why_no_paid_ability(s: State, seat: int, d: int) -> str:
    if s.place[d] & 3 != seat:
        return f"{say.SEATS[s.place[d] & 3]} controls it."
    if s.ask.kind not in (*_ACTING, "together"):
        return _other_question(s)
    for sentence in s.table.paid:
        if any(ctx.this == d and ctx.you == seat for ctx in look.contexts(s, sentence)):
            return _why_no_ability(s, seat, sentence.index, d)
    if s.ask.kind == "main" and _shows(s, d) == CHARACTER:
        return "It attacks in the attack step, after you pass."
    return "There is nothing to do with it now."


# --- the attack step -----------------------------------------------------------------------------------------------


def _why_no_attack(s: State, seat: int, d: int) -> str:
    if s.place[d] >> 2 != FIELD or _shows(s, d) != CHARACTER:
        return "Only characters in the field attack."
    if s.place[d] & 3 != s.active or seat != s.active:
        return "Only the active player's characters attack."
    if s.flags[d] & ATTACKING:
        return "It attacks already."
    if s.ask.kind != "attack":
        return "Attackers are declared at the start of the attack step."
    if s.table.edition.controller_cannot_attack and any(h.kind == "control" and h.holder == d for h in s.holdings):
        return "It controls another die and so cannot attack."
    return _why_banned(s, "cannot attack", d) or "Attackers are named in order, and its turn has gone by."


def _why_banned(s: State, word: str, d: int) -> str:
    if combat.is_allowed(s, word, d):
        return ""
    life = combat.toll(s, word, d)
    if life < ALL:
        return f"It {word} without paying {life} life, because of {_forbids(s, word, d)}."
    return f"It {word}: {_forbids(s, word, d)} forbids it."


def _why_no_block(s: State, seat: int, d: int) -> str:
    if s.place[d] >> 2 != FIELD or _shows(s, d) != CHARACTER:
        return "Only characters in the field block."
    if s.place[d] & 3 != seat:
        return "Only your own characters block."
    if s.ask.kind != "block":
        return "Blockers are declared after the attackers."
    banned = _why_banned(s, "cannot block", d)
    if banned:
        return banned
    if look.blocked_by(s, d):
        return "It blocks already."
    attackers = look.attackers(s)
    if not any(combat.may_block(s, d, a) for a in attackers):
        names = dict.fromkeys(_forbids(s, "cannot be blocked", a) for a in attackers)
        return f"It can block none of the attackers, because of {' and '.join(names)}."
    return "As things are it can block none of the attackers."


# --- rolling, paying, choosing -------------------------------------------------------------------------------------


def _why_no_reroll(s: State, seat: int, d: int) -> str:
    if s.step != ROLL or s.active != seat:
        return "Dice are rerolled in your own roll and reroll step."
    if s.place[d] & 3 != seat or not s.flags[d] & ROLLED:
        return "Only dice that were just rolled can be rerolled."
    if look.is_ruled(s, "cannot reroll", PLAYER + (seat & 1)):
        return f"You cannot reroll: {_forbids(s, 'cannot reroll', PLAYER + (seat & 1))} forbids it."
    if s.ask.kind != "reroll":
        return _other_question(s)
    return "It is already among the dice to be rerolled, or its turn has gone by."


def _why_no_pay(s: State, seat: int, d: int) -> str:
    if s.place[d] != RESERVE * 4 + seat:
        return "Only energy in your reserve pays."
    if _shows(s, d) != ENERGY:
        return "It does not show energy."
    if s.ask.kind != "pay":
        return "Energy is spent when something is to be paid: choose that first."
    return "This energy does not help to pay the rest."


def _why_no_choice(s: State, d: int) -> str:
    if s.ask.kind != "choose":
        return _other_question(s)
    under_way = effects.choice_under_way(s)
    frame = s.stack[-1]
    if under_way is not None and isinstance(frame, Running):
        if d in frame.picked:
            return "It has been chosen already."
        name = s.table.names[s.table.sentences[frame.ability].card]
        if look.is_ruled(s, "cannot be targeted", d):
            return f"It does not fit what {name} says, or {_forbids(s, 'cannot be targeted', d)} protects it."
        return f"It is none of the dice {name} can choose from: {why.sentence_text(s.table, frame.ability)}"
    return "It is not among what can be chosen."
