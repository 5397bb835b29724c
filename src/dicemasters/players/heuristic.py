"""A fast bot that plays by rules of thumb, without looking ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from dicemasters.cards.language import vocabulary as w
from dicemasters.cards.language.metadata import EFFECTS, RULES, Valence
from dicemasters.cards.language.node import Node
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import CHARACTER, ENERGY, HAND, NOBODY, PREP, WILD, Option, State
from dicemasters.players.rng import SplitMix64

LOW_LIFE = 0.4  # fraction of the starting life; if less would remain, blocking counts for more
ENOUGH_BASICS = 2  # basic action dice to buy; more would crowd the characters out of the bag


class HeuristicPlayer:
    """Bot that buys its most expensive card, fields every character, and attacks and blocks where it pays."""

    name = "simple"

    def __init__(self, seed: int = 0) -> None:
        self._rng = SplitMix64(seed)

    def choose(self, state: State) -> int:
        """Return the index of the option that the bot chooses."""
        options = state.options
        if len(options) == 1:
            return 0
        if state.decision.kind == "block":
            return _choose_block(state)
        if state.decision.kind == "reroll":
            return _choose_reroll(state)
        evaluate = _EVALUATORS.get(state.decision.kind, _evaluate_default)
        scores = [evaluate(state, option) for option in options]
        best = max(scores)
        ties = [i for i, score in enumerate(scores) if score == best]
        return ties[0] if len(ties) == 1 else ties[self._rng.below(len(ties))]


# --- the roll ------------------------------------------------------------------------------------------------------


def _choose_reroll(s: State) -> int:
    """Return the index of the first unwanted die, or of "done" if there is none."""
    needs_energy = _lacks_energy(s, s.decision.seat)
    for i, (kind, d, _) in enumerate(s.options):
        if kind == "reroll" and _is_unwanted(s, d, needs_energy):
            return i
    return next(i for i, option in enumerate(s.options) if option[0] == "done")


def _is_unwanted(s: State, d: int, needs_energy: bool) -> bool:
    """Return True if the die should be rerolled.

    While energy is needed, Sidekick characters are rerolled; otherwise the energy of all other dice is.
    """
    kind = view.kind(s, d)
    if view.is_sidekick_die(s, d):
        return kind == CHARACTER and needs_energy
    return kind == ENERGY and not needs_energy


def _lacks_energy(s: State, seat: int) -> bool:
    """Return True if the rolled energy cannot pay for the seat's most expensive card within reach.

    A card is within reach if these dice could pay for it at their best.
    """
    dice = s.dice_in(PREP, seat) + s.dice_in(HAND, seat)
    available = sum(view.energy_shown(s, d) for d in dice)
    maximum = sum(view.maximum_energy(s, d) for d in dice)
    reachable_costs = [
        cost for cost in (view.purchase_cost(s, c, seat) for c in _own_cards_on_sale(s, seat)) if cost <= maximum
    ]
    return available < max(reachable_costs, default=0)


def _own_cards_on_sale(s: State, seat: int) -> list[int]:
    """Return the seat's own cards with dice left to buy."""
    spec = s.spec
    return [c for c in spec.buyable[seat] if view.card_owner(spec, c) == seat and view.is_buyable(s, c)]


# --- acting --------------------------------------------------------------------------------------------------------


def _evaluate_action(s: State, option: Option) -> float:
    """Score an action: free characters, action dice, other characters, its team's cards by cost; basic actions last."""
    kind, x, _ = option
    spec = s.spec
    match kind:
        case "field":
            attack, defence = view.current_stats(s, x)
            return (1000 if view.fielding_cost(s, x) == 0 else 600) + attack + defence
        case "use":
            card = view.card_of(s, x)
            return 800 + (spec.cards[card].cost if _helps_now(s, card) else -1000)
        case "buy":
            if view.card_owner(spec, x) == s.decision.seat:
                return 400 + spec.cards[x].cost
            return 200 + spec.cards[x].cost if _basics_bought(s, s.decision.seat) < ENOUGH_BASICS else -1
        case "pass":
            return 0
    return -1


def _basics_bought(s: State, seat: int) -> int:
    basics = [c for c in s.spec.buyable[seat] if view.card_owner(s.spec, c) < 0]
    return sum(view.owner(s, d) == seat for c in basics for d in view.dice_of(s.spec, c))


def _helps_now(s: State, card: int) -> bool:
    """Return True if an action die has something to act on.

    A harmful die needs an opposing character, any other a friendly one; a die without a target always helps.
    """
    seat = s.decision.seat
    harmful = any(is_harmful(ability) for ability in _use_abilities(s, card))
    targets = view.fielded_by_side(s, view.opponent_of(seat)) if harmful else view.fielded_characters(s, seat)
    return bool(targets) or not _has_selection(s, card)


def _has_selection(s: State, card: int) -> bool:
    return any(isinstance(node, w.Select) for ability in _use_abilities(s, card) for node in _nodes(ability))


def _use_abilities(s: State, card: int) -> list[w.Ability]:
    return [view.ability(s.spec, n) for n in view.uses_of(s.spec, card)]


def _evaluate_payment(s: State, option: Option) -> float:
    """Score a payment: generic energy first, then the types that its cards need least, wild energy last."""
    _, d, n = option
    if d == NOBODY:
        return 9
    energy = view.energy_type(s, d)
    if energy == WILD:
        return -9
    demand = (
        sum(view.printed_price(s.spec, c)[energy] for c in _own_cards_on_sale(s, s.decision.seat))
        if energy < WILD
        else -1
    )
    return n / 10 - demand


# --- attacking and blocking ----------------------------------------------------------------------------------------


def _evaluate_attack(s: State, option: Option) -> float:
    kind, d, _ = option
    if kind == "done":
        return 0
    if kind == "use":
        return 2000
    return 1000 - s.options.index(option) if _should_attack(s, d) else -1


def _should_attack(s: State, d: int) -> bool:
    """Return True if the die should attack.

    It attacks if the attackers that the opponents cannot block win already, or if no single blocker could kill it at a
    profit. Otherwise nobody attacks while the opponents could win by a counterattack.
    """
    seat = s.active
    own = view.fielded_by_side(s, seat)
    opposing = view.fielded_by_side(s, view.opponent_of(seat))
    strengths = sorted(view.current_stats(s, x)[0] for x in own)
    unblocked_damage = sum(strengths[: max(0, len(strengths) - len(opposing))])
    if unblocked_damage >= view.life(s, view.opponent_of(seat)):
        return True
    if _is_in_danger(s, own, opposing):
        return False
    attack, defence = view.current_stats(s, d)
    for foe in opposing:
        foe_attack, foe_defence = view.current_stats(s, foe)
        if foe_attack >= defence and (attack < foe_defence or _printed_cost(s, d) > _printed_cost(s, foe)):
            return False
    return attack > 0


def _is_in_danger(s: State, own: list[int], opposing: list[int]) -> bool:
    """Return True if all opposing characters together could deal lethal damage to the active player."""
    return len(own) > 0 and sum(view.current_stats(s, x)[0] for x in opposing) >= view.life(s, s.active)


def _printed_cost(s: State, d: int) -> int:
    return view.printed_cost(s, d)


def _choose_block(s: State) -> int:
    """Return the best block of the first blocker that has a profitable one, else "done".

    If blocking is compulsory, return the best block of all.
    """
    blocks = [(i, option) for i, option in enumerate(s.options) if option[0] == "block"]
    done = next((i for i, option in enumerate(s.options) if option[0] == "done"), -1)
    blockers: list[int] = []
    for _, (_, blocker, _) in blocks:
        if blocker not in blockers:
            blockers.append(blocker)
    for blocker in blockers:
        value, best = max((_evaluate_block(s, o), -i) for i, o in blocks if o[1] == blocker)
        if value > 0:
            return -best
    if done >= 0:
        return done
    return max(blocks, key=lambda block: _evaluate_block(s, block[1]))[0]


def _evaluate_block(s: State, option: Option) -> float:
    """Score a block: cost of a killed attacker minus that of a killed blocker, plus prevented damage if life is low."""
    _, blocker, attacker = option
    attack, defence = view.current_stats(s, blocker)
    foe_attack, foe_defence = view.current_stats(s, attacker)
    life = view.life(s, s.decision.seat)
    incoming = sum(view.current_stats(s, x)[0] for x in view.attackers(s) if not view.blockers_of(s, x))
    other_blockers = view.blockers_of(s, attacker)
    attack += sum(view.current_stats(s, x)[0] for x in other_blockers)
    value = 0.0
    if attack >= foe_defence - view.damage(s, attacker):
        value += 1 + _printed_cost(s, attacker)
    if foe_attack >= defence - view.damage(s, blocker) and not other_blockers:
        value -= 1 + _printed_cost(s, blocker)
    elif not other_blockers:
        value += foe_attack / 2
    if not other_blockers:
        if incoming >= life:
            value += 100 + foe_attack
        elif life - incoming < LOW_LIFE * s.spec.start_life:
            value += foe_attack
    return value


def _evaluate_split(s: State, option: Option) -> float:
    """Score assigned damage: ideally just enough to KO the die, otherwise as much as possible."""
    _, x, n = option
    if view.is_player(x):
        return n
    lethal = view.current_stats(s, x)[1] - view.damage(s, x)
    return 100 - n if n >= lethal else -100 if n == 0 else n - 50


# --- abilities -----------------------------------------------------------------------------------------------------


def _evaluate_choice(s: State, option: Option) -> float:
    """Score a target: the strongest opposing one for harmful effects, the strongest friendly one for helpful ones."""
    kind, x, _ = option
    if kind == "done":
        return 0
    harmful = kind == "down" or (kind != "up" and is_harmful(view.ability(s.spec, s.decision.about)))
    is_own = view.side_of_target(s, x) == view.side_of(s.decision.seat)
    value = 5.0 if view.is_player(x) else 1.0 + sum(view.current_stats(s, x)) + _printed_cost(s, x)
    return value if is_own != harmful else -value


def _evaluate_offer(s: State, option: Option) -> float:
    """Score an optional effect: accept it, unless it is harmful and no opposing character is in the field.

    Never pay to stop an effect.
    """
    accepts = option[0] in ("yes", "spend")
    if s.decision.kind == "unless":
        return 0 if accepts else 1
    harmful = is_harmful(view.ability(s.spec, s.decision.about))
    should_accept = not harmful or bool(view.fielded_by_side(s, view.opponent_of(s.decision.seat)))
    return 1 if accepts == should_accept else 0


def _evaluate_order(s: State, option: Option) -> float:
    return 1 if option[0] == "first" else 0


def _evaluate_default(s: State, option: Option) -> float:
    return 1 if option[0] in ("resolve", "would", "pay now") else 0


@lru_cache(maxsize=4096)
def is_harmful(ability: w.Ability) -> bool:
    """Return True if an ability is aimed at the other side, judging by its first word with a clear effect."""
    for node in _nodes(ability):
        if isinstance(node, w.Spin):
            return node.levels < 0
        if isinstance(node, w.Give):
            rule = node.rule
            reduces = any(isinstance(n, int) and n < 0 for n in (rule.a, rule.d))
            return RULES[rule.word].valence == Valence.BAD or (rule.word == "gets" and reduces)
        metadata = EFFECTS.get(type(node).__name__)
        if isinstance(node, w.SpinToEnergy) or (metadata is not None and metadata.valence == Valence.BAD):
            return True
    return False


def _nodes(node: object) -> Iterator[object]:
    if isinstance(node, w.Cost):
        return  # a cost says nothing about the purpose of an ability
    if isinstance(node, tuple):
        for item in node:
            yield from _nodes(item)
    elif isinstance(node, Node):
        yield node
        for field in node.__match_args__:
            yield from _nodes(getattr(node, field))


_EVALUATORS: dict[str, Callable[[State, Option], float]] = {
    "order": _evaluate_order,
    "main": _evaluate_action,
    "respond": _evaluate_action,
    "fight": _evaluate_action,
    "pay": _evaluate_payment,
    "attack": _evaluate_attack,
    "split": _evaluate_split,
    "choose": _evaluate_choice,
    "may": _evaluate_offer,
    "unless": _evaluate_offer,
}
