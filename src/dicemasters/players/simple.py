"""A quick player that goes by rules of thumb: it looks at the options and the table, never ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache

from dicemasters.cards import words as w
from dicemasters.game import look
from dicemasters.game.look import CHARACTER, ENERGY
from dicemasters.game.setup import WILD
from dicemasters.game.state import CARD, HAND, NOBODY, PLAYER, PREP, Option, State
from dicemasters.players.random import Chance

LOW_LIFE = 0.4  # of the starting life: from here on it blocks whatever it can
ENOUGH_BASICS = 2  # more of them crowd the characters out of the bag


class SimplePlayer:
    """Buys the dearest card, fields everybody, attacks where it loses nothing, blocks where it wins something."""

    name = "simple"

    def __init__(self, seed: int = 0) -> None:
        self._chance = Chance(seed)

    def choose(self, state: State) -> int:
        options = state.options
        if len(options) == 1:
            return 0
        if state.ask.kind == "block":
            return _choose_block(state)
        worth = _WORTH.get(state.ask.kind, _worth_of_any)
        worths = [worth(state, option) for option in options]
        best = max(worths)
        ties = [i for i, value in enumerate(worths) if value == best]
        return ties[0] if len(ties) == 1 else ties[self._chance.below(len(ties))]


# --- the roll ------------------------------------------------------------------------------------------------------


def _worth_of_reroll(s: State, option: Option) -> float:
    """Dice come in a fixed order, so the first unwanted one is put back first."""
    what, d, _ = option
    if what != "reroll":
        return 0 if what == "done" else -1
    return 1000 - s.options.index(option) if _is_unwanted(s, d) else -1


def _is_unwanted(s: State, d: int) -> bool:
    """While a card is within reach of these dice but not yet paid for, energy stays; else characters and actions do."""
    t = s.table
    kind = t.kinds[t.m6[d] + s.face[d]]
    if t.card_of[d] < t.n_seats:
        return kind == CHARACTER and _is_short(s, s.ask.seat)
    return kind == ENERGY and not _is_short(s, s.ask.seat)


def _is_short(s: State, seat: int) -> bool:
    """Whether what was rolled cannot pay for the dearest of its own cards that these dice could pay for at all."""
    t = s.table
    dice = s.dice_in(PREP, seat) + s.dice_in(HAND, seat)
    have = sum(t.pips[t.m6[d] + s.face[d]] for d in dice)
    most = sum(max(t.pips[t.m6[d] : t.m6[d] + 6]) for d in dice)
    within_reach = [n for n in (look.purchase_cost(s, c, seat) for c in _on_offer(s, seat)) if n <= most]
    return have < max(within_reach, default=0)


def _on_offer(s: State, seat: int) -> list[int]:
    """List the seat's own cards with dice left to buy."""
    t = s.table
    return [
        c for c in t.buyable[seat] if t.owner_of_card[c] == seat and any(s.place[d] >> 2 == CARD for d in t.dice_of[c])
    ]


# --- acting --------------------------------------------------------------------------------------------------------


def _worth_of_act(s: State, option: Option) -> float:
    """Free characters first, then actions, the other characters, then the dearest card; a basic action comes last."""
    what, x, _ = option
    t = s.table
    match what:
        case "field":
            a, d = look.stats(s, x)
            return (1000 if look.fielding_cost(s, x) == 0 else 600) + a + d
        case "use":
            return 800 + (t.cards[t.card_of[x]].cost if _helps_now(s, t.card_of[x]) else -1000)
        case "buy":
            if t.owner_of_card[x] == s.ask.seat:
                return 400 + t.cards[x].cost
            return 200 + t.cards[x].cost if _basics_bought(s, s.ask.seat) < ENOUGH_BASICS else -1
        case "pass":
            return 0
    return -1


def _basics_bought(s: State, seat: int) -> int:
    t = s.table
    return sum(s.owner[d] == seat and t.owner_of_card[t.card_of[d]] < 0 and not t.is_token[d] for d in range(t.n_dice))


def _helps_now(s: State, card: int) -> bool:
    """Whether an action has somebody to be used on: the opponent's characters for what hurts, else one's own."""
    seat = s.ask.seat
    hurtful = any(_is_hurtful(sentence.ability) for sentence in s.table.uses[card])
    whom = look.fielded_by_side(s, look.opponent_of(seat)) if hurtful else look.fielded(s, seat)
    return bool(whom) or not _asks(s, card)


def _asks(s: State, card: int) -> bool:
    return any(isinstance(part, w.Select) for sentence in s.table.uses[card] for part in _parts(sentence.ability))


def _worth_of_payment(s: State, option: Option) -> float:
    """Spend what is needed least: no wild energy, and none of the types its own cards still ask for."""
    _, x, n = option
    if x == NOBODY:
        return 9
    t = s.table
    i = t.m6[x] + s.face[x]
    if t.energy[i] == WILD:
        return -9
    asked = sum(t.prices[c][t.energy[i]] for c in _on_offer(s, s.ask.seat)) if t.energy[i] < WILD else -1
    return n / 10 - asked


# --- attacking and blocking ----------------------------------------------------------------------------------------


def _worth_of_attack(s: State, option: Option) -> float:
    what, d, _ = option
    if what == "done":
        return 0
    if what == "use":
        return 2000
    return 1000 - s.options.index(option) if _should_attack(s, d) else -1


def _should_attack(s: State, d: int) -> bool:
    """All out when that wins or nobody can block; else those whom no single blocker kills for nothing."""
    seat = s.active
    mine = look.fielded_by_side(s, seat)
    theirs = look.fielded_by_side(s, look.opponent_of(seat))
    strengths = sorted(look.stats(s, x)[0] for x in mine)
    through = sum(strengths[: max(0, len(strengths) - len(theirs))])
    if through >= s.life[1 - (seat & 1)]:
        return True
    if _is_in_danger(s, mine, theirs):
        return False
    a, de = look.stats(s, d)
    for foe in theirs:
        foe_a, foe_d = look.stats(s, foe)
        if foe_a >= de and (a < foe_d or _price(s, d) > _price(s, foe)):
            return False
    return a > 0


def _is_in_danger(s: State, mine: list[int], theirs: list[int]) -> bool:
    """Whether the other side could win by attacking with everybody while one's own are away."""
    return len(mine) > 0 and sum(look.stats(s, x)[0] for x in theirs) >= s.life[s.active & 1]


def _price(s: State, d: int) -> int:
    return look.printed_cost(s, d)


def _choose_block(s: State) -> int:
    """Take the blockers in the order they are offered; the first with a good block makes its best one."""
    blocks = [(i, option) for i, option in enumerate(s.options) if option[0] == "block"]
    finish = next((i for i, option in enumerate(s.options) if option[0] == "done"), -1)
    seen: list[int] = []
    for _, (_, blocker, _) in blocks:
        if blocker not in seen:
            seen.append(blocker)
    for blocker in seen:
        worth, best = max((_worth_of_block(s, o), -i) for i, o in blocks if o[1] == blocker)
        if worth > 0:
            return -best
    if finish >= 0:
        return finish
    return max(blocks, key=lambda block: _worth_of_block(s, block[1]))[0]


def _worth_of_block(s: State, option: Option) -> float:
    """What the block wins: the attacker's price less the blocker's, and the damage kept away when life is short."""
    _, blocker, attacker = option
    a, d = look.stats(s, blocker)
    foe_a, foe_d = look.stats(s, attacker)
    life = s.life[s.ask.seat & 1]
    coming = sum(look.stats(s, x)[0] for x in look.attackers(s) if not look.blockers_of(s, x))
    others = look.blockers_of(s, attacker)
    a += sum(look.stats(s, x)[0] for x in others)
    worth = 0.0
    if a >= foe_d - s.damage[attacker]:
        worth += 1 + _price(s, attacker)
    if foe_a >= d - s.damage[blocker] and not others:
        worth -= 1 + _price(s, blocker)
    elif not others:
        worth += foe_a / 2
    if not others:
        if coming >= life:
            worth += 100 + foe_a
        elif life - coming < LOW_LIFE * s.table.start_life:
            worth += foe_a
    return worth


def _worth_of_split(s: State, option: Option) -> float:
    """Just enough to KO the die, else as much as there is."""
    _, x, n = option
    if x >= PLAYER:
        return n
    need = look.stats(s, x)[1] - s.damage[x]
    return 100 - n if n >= need else -100 if n == 0 else n - 50


# --- abilities -----------------------------------------------------------------------------------------------------


def _worth_of_choice(s: State, option: Option) -> float:
    """What hurts goes to the other side's best, what helps to one's own best."""
    what, x, _ = option
    if what == "done":
        return 0
    hurtful = what == "down" or (what != "up" and _is_hurtful(s.table.sentences[s.ask.about].ability))
    seat = x - PLAYER if x >= PLAYER else s.place[x] & 3
    mine = seat & 1 == s.ask.seat & 1
    size = 5.0 if x >= PLAYER else 1.0 + sum(look.stats(s, x)) + _price(s, x)
    return size if mine != hurtful else -size


def _worth_of_offer(s: State, option: Option) -> float:
    """Yes, unless what the ability hurts is all one's own; never give anything to stop another's."""
    yes = option[0] in ("yes", "spend")
    if s.ask.kind == "unless":
        return 0 if yes else 1
    hurtful = _is_hurtful(s.table.sentences[s.ask.about].ability)
    wanted = not hurtful or bool(look.fielded_by_side(s, look.opponent_of(s.ask.seat)))
    return 1 if yes == wanted else 0


def _worth_of_order(s: State, option: Option) -> float:
    return 1 if option[0] == "first" else 0


def _worth_of_any(s: State, option: Option) -> float:
    return 1 if option[0] in ("resolve", "would", "pay now") else 0


_HURTFUL_EFFECTS = (w.Damage, w.Ko, w.Capture, w.SetAside, w.TakeControl, w.SpinToEnergy, w.LeaveCombat)
_HURTFUL_RULES = frozenset(
    (
        "cannot attack",
        "cannot block",
        "must attack",
        "must block",
        "loses keyword",
        "deals no damage",
        "deals no combat damage",
        "takes more",
    )
)


@lru_cache(maxsize=4096)
def _is_hurtful(ability: w.Ability) -> bool:
    """Whether an ability is meant for the other side, by the first word in it that says so."""
    for part in _parts(ability):
        if isinstance(part, _HURTFUL_EFFECTS):
            return True
        if isinstance(part, w.Spin):
            return part.levels < 0
        if isinstance(part, w.Give):
            rule = part.rule
            less = any(isinstance(n, int) and n < 0 for n in (rule.a, rule.d))
            return rule.word in _HURTFUL_RULES or (rule.word == "gets" and less)
    return False


def _parts(node: object) -> Iterator[object]:
    if isinstance(node, w.Cost):
        return  # what is given for it is not what it is for
    if isinstance(node, tuple):
        for item in node:
            yield from _parts(item)
    elif is_dataclass(node):
        yield node
        for field in fields(node):
            yield from _parts(getattr(node, field.name))


_WORTH: dict[str, Callable[[State, Option], float]] = {
    "order": _worth_of_order,
    "reroll": _worth_of_reroll,
    "main": _worth_of_act,
    "respond": _worth_of_act,
    "fight": _worth_of_act,
    "pay": _worth_of_payment,
    "attack": _worth_of_attack,
    "split": _worth_of_split,
    "choose": _worth_of_choice,
    "may": _worth_of_offer,
    "unless": _worth_of_offer,
}
