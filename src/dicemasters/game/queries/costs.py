"""What buying, fielding and Globals cost now (rules 3.3b, 3.3c, 3.3e)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.state.constants import CARD
from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import StandingRule


def purchase_cost(s: State, c: int, buyer: int, changes: list[tuple[StandingRule, Running]] | None = None) -> int:
    """Give what a die of the card costs the buyer now; discounts stop at 1 or the number of types (rules 3.3b).

    `changes` are the standing rules about prices, where somebody asks for several cards.
    """
    t = s.table
    n = t.prices[c][4]
    if changes is not None or prices_change(s):
        d = t.dice_of[c][0]
        for x in t.dice_of[c]:
            if s.place[x] >> 2 == CARD:
                d = x
                break
        lies = s.place[d]
        if t.owner_of_card[c] < 0 and lies >> 2 == CARD:
            s.place[d] = CARD * 4 + buyer  # a basic action is everybody's: here it is the buyer's
        change = _given_change_of_cost(s, d, buyer) if s.records else 0
        by_itself = 0
        if changes is None:
            changes = static_rules.standing(s, "costs to buy")
        for rule, ctx in changes:
            ctx.payer = buyer  # some descriptions speak of whoever pays
            if rule.who.holds(s, d, ctx):
                die_identity.COVERAGE.note(s, ctx.ability)
                more = rule.a.worth(s, ctx)
                change += more
                if die_identity.has_text(s, d, t.sentences[ctx.ability].card):
                    by_itself += more
        s.place[d] = lies
        if change:
            free = n + by_itself <= 0  # its own text brings it to 0 (rules 3.3b)
            n = max(n + change, 0 if free else min(n, len(t.cards[c].energy) or 1))
    return n


def _given_change_of_cost(s: State, d: int, buyer: int) -> int:
    """Give by how much effects in force change what the die costs the buyer."""
    t = s.table
    change = 0
    once: list[str] = []
    for r in s.records:
        if r.word == "costs to buy" and (r.you ^ buyer) & 1 == 0 and static_rules.covers(s, r, d):
            if r.until == "next one" and r.you != buyer:
                continue  # it speaks of the next die its player buys, not their partner
            if r.rule >= 0 and t.rules[r.rule].text == "once":  # several dice of one title do not add up
                name = t.cards[t.sentences[r.ability].card].title
                if name in once:
                    continue
                once.append(name)
            change += r.a
    return change


def prices_change(s: State) -> bool:
    """Tell whether anything in force may change what dice cost."""
    if not s.table.other_prices:
        return False
    if s.table.standing_prices:
        return True
    for r in s.records:
        if r.word == "costs to buy":
            return True
    return False


def fielding_cost(s: State, d: int) -> int:
    """Give what fielding the die as it shows costs now."""
    t = s.table
    n = characteristics.numbers(s, d)[0] if s.records else t.costs[t.m6[d] + s.face[d]]
    if not t.fielding_rules:
        return n
    least = least_fielding_cost(s, d)
    if static_rules.is_ruled(s, "fields free", d):
        return least
    if s.records or "costs to field" in t.standing:
        for _, _, more, _ in static_rules.rules_about(s, "costs to field", d):
            n += more
    return n if n > least else least


def least_fielding_cost(s: State, d: int) -> int:
    """Give what fielding the die costs even where it is free."""
    if "costs at least to field" not in s.table.standing:
        return 0
    return max((floor for _, _, floor, _ in static_rules.rules_about(s, "costs at least to field", d)), default=0)


def global_price(s: State, seat: int, price: tuple[int, int, int, int, int]) -> tuple[int, int, int, int, int]:
    """Give what a Global of this price costs the player now (ai 20)."""
    if not s.table.dearer_globals:
        return price
    more = sum(n for _, _, n, _ in static_rules.rules_about(s, "Globals cost", s.table.person + seat))
    return (*price[:4], price[4] + more)
