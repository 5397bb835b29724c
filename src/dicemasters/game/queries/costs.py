"""What buying, fielding and Globals cost now (rules 3.3b, 3.3c, 3.3e)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import CARD
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import StaticRule


def purchase_cost(s: State, card: int, buyer: int, changes: list[tuple[StaticRule, AbilityFrame]] | None = None) -> int:
    """Give what a die of the card costs the buyer now; discounts stop at 1 or the number of types (rules 3.3b).

    `changes` are the standing rules about prices, where somebody asks for several cards.
    """
    spec = s.spec
    cost = spec.prices[card][4]
    if changes is not None or has_cost_modifiers(s):
        d = spec.dice_of[card][0]
        for x in spec.dice_of[card]:
            if s.place[x] >> 2 == CARD:
                d = x
                break
        place = s.place[d]
        if spec.owner_of_card[card] < 0 and place >> 2 == CARD:
            s.place[d] = CARD * 4 + buyer  # a basic action is everybody's: here it is the buyer's
        change = _granted_cost_change(s, d, buyer) if s.active_effects else 0
        own_change = 0
        if changes is None:
            changes = static_rules.static_rules(s, "costs to buy")
        for rule, ctx in changes:
            ctx.payer = buyer  # some descriptions speak of whoever pays
            if rule.who.matches(s, d, ctx):
                die_identity.COVERAGE.record(s, ctx.ability)
                more = rule.a.evaluate(s, ctx)
                change += more
                if die_identity.has_ability_of(s, d, spec.abilities[ctx.ability].card):
                    own_change += more
        s.place[d] = place
        if change:
            free = cost + own_change <= 0  # its own text brings it to 0 (rules 3.3b)
            cost = max(cost + change, 0 if free else min(cost, len(spec.cards[card].energy) or 1))
    return cost


def _granted_cost_change(s: State, d: int, buyer: int) -> int:
    """Give by how much effects in force change what the die costs the buyer."""
    spec = s.spec
    change = 0
    titles: list[str] = []
    for effect in s.active_effects:
        if effect.word == "costs to buy" and (effect.you ^ buyer) & 1 == 0 and static_rules.applies_to(s, effect, d):
            if effect.until == "next one" and effect.you != buyer:
                continue  # it speaks of the next die its player buys, not their partner
            if effect.rule >= 0 and spec.rules[effect.rule].text == "once":  # several dice of one title do not add up
                name = spec.cards[spec.abilities[effect.ability].card].title
                if name in titles:
                    continue
                titles.append(name)
            change += effect.a
    return change


def has_cost_modifiers(s: State) -> bool:
    """Tell whether anything in force may change what dice cost."""
    if not s.spec.has_purchase_cost_rules:
        return False
    if s.spec.has_static_cost_rules:
        return True
    for effect in s.active_effects:
        if effect.word == "costs to buy":
            return True
    return False


def fielding_cost(s: State, d: int) -> int:
    """Give what fielding the die as it shows costs now."""
    spec = s.spec
    cost = characteristics.printed_numbers(s, d)[0] if s.active_effects else spec.costs[spec.face_base[d] + s.face[d]]
    if not spec.has_fielding_rules:
        return cost
    least = minimum_fielding_cost(s, d)
    if static_rules.is_affected_by(s, "fields free", d):
        return least
    if s.active_effects or "costs to field" in spec.static_by_rule:
        for _, _, more, _ in static_rules.rules_affecting(s, "costs to field", d):
            cost += more
    return cost if cost > least else least


def minimum_fielding_cost(s: State, d: int) -> int:
    """Give what fielding the die costs even where it is free."""
    if "costs at least to field" not in s.spec.static_by_rule:
        return 0
    return max((floor for _, _, floor, _ in static_rules.rules_affecting(s, "costs at least to field", d)), default=0)


def global_cost(s: State, seat: int, price: tuple[int, int, int, int, int]) -> tuple[int, int, int, int, int]:
    """Give what a Global of this price costs the player now (ai 20)."""
    if not s.spec.has_global_surcharges:
        return price
    surcharge = sum(n for _, _, n, _ in static_rules.rules_affecting(s, "Globals cost", s.spec.person + seat))
    return (*price[:4], price[4] + surcharge)
