"""Current costs of purchases, fieldings and Globals (rules 3.3b, 3.3c, 3.3e)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import CARD
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import StaticRule


def purchase_cost(s: State, card: int, buyer: int, changes: list[tuple[StaticRule, AbilityFrame]] | None = None) -> int:
    """Return the buyer's current cost for a die of the card; discounts stop at 1 or the number of types (rules 3.3b3).

    `changes` are the static rules about purchase costs; callers that ask about several cards pass them in.
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
        query_cache = s.query_cache
        if spec.owner_of_card[card] < 0 and place >> 2 == CARD:
            # basic actions have no owner; for cost rules the die counts as the buyer's
            s.place[d] = CARD * 4 + buyer
            s.query_cache = None
        change = _granted_cost_change(s, d, buyer) if s.active_effects else 0
        own_change = 0
        if changes is None:
            changes = static_rules.static_rules(s, "costs to buy")
        for rule, ctx in changes:
            ctx.payer = buyer  # some predicates refer to the paying player
            if rule.who.matches(s, d, ctx):
                die_identity.COVERAGE.record(s, ctx.ability)
                more = rule.a.evaluate(s, ctx)
                change += more
                if die_identity.has_ability_of(s, d, spec.abilities[ctx.ability].card):
                    own_change += more
        s.place[d] = place
        s.query_cache = query_cache
        if change:
            free = cost + own_change <= 0  # its own text reduces the cost to 0 (rules 3.3b4)
            cost = max(cost + change, 0 if free else min(cost, len(spec.cards[card].energy) or 1))
    return cost


def _granted_cost_change(s: State, d: int, buyer: int) -> int:
    """Return the change that active effects make to the buyer's cost of the die."""
    spec = s.spec
    change = 0
    titles: list[str] = []
    for effect in s.active_effects:
        if effect.word == "costs to buy" and (effect.you ^ buyer) & 1 == 0 and static_rules.applies_to(s, effect, d):
            if effect.until == "next one" and effect.you != buyer:
                continue  # it applies to the next die that its own player buys, not their partner's
            if effect.rule >= 0 and spec.rules[effect.rule].text == "once":  # several dice of one title do not add up
                name = spec.cards[spec.abilities[effect.ability].card].title
                if name in titles:
                    continue
                titles.append(name)
            change += effect.a
    return change


def has_cost_modifiers(s: State) -> bool:
    """Return whether anything in force may change purchase costs."""
    if not s.spec.has_purchase_cost_rules:
        return False
    if s.spec.has_static_cost_rules:
        return True
    for effect in s.active_effects:
        if effect.word == "costs to buy":
            return True
    return False


def fielding_cost(s: State, d: int) -> int:
    """Return the current cost of fielding the die on the face it shows (rules 3.3c1)."""
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
    """Return the cost of fielding the die that remains even if an effect fields it for free (rules 3.3c1)."""
    if "costs at least to field" not in s.spec.static_by_rule:
        return 0
    return max((floor for _, _, floor, _ in static_rules.rules_affecting(s, "costs at least to field", d)), default=0)


def global_cost(s: State, seat: int, price: tuple[int, int, int, int, int]) -> tuple[int, int, int, int, int]:
    """Return the player's current price for a Global with this printed price (ai 20)."""
    if not s.spec.has_global_surcharges:
        return price
    surcharge = sum(n for _, _, n, _ in static_rules.rules_affecting(s, "Globals cost", s.spec.person + seat))
    return (*price[:4], price[4] + surcharge)
