"""Legal actions of a player with priority, one at a time or paid for together, and their prices (rules 3.3)."""

from __future__ import annotations

from dicemasters.game.effects import feasibility
from dicemasters.game.mechanics import payment, procedures, triggers
from dicemasters.game.mechanics.payment import NO_PRICE, EnergyPool
from dicemasters.game.queries import costs, die_identity, static_rules
from dicemasters.game.queries.die_identity import ACTION, CHARACTER, ENERGY
from dicemasters.game.queries.equivalence import canonical_order, equivalence_key
from dicemasters.game.state.constants import CARD, MAIN, RESERVE
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State, effect_signature
from dicemasters.game.state.values import NOBODY, Option, Price


def legal_actions(s: State, seat: int) -> list[Option]:
    """Return all legal actions of a player with priority, `pass` included (rules 3.3f2)."""
    pool, other_dice = payment.energy_pool_and_dice(s, seat)
    if not pool.total and not other_dice and not s.spec.has_free_abilities:
        return [("pass", 0, 0)]
    with static_rules.UnchangedState(s):
        return _legal_actions(s, seat, pool, other_dice)


def _legal_actions(s: State, seat: int, pool: EnergyPool, other_dice: list[int]) -> list[Option]:
    spec = s.spec
    options: list[Option] = []
    if seat == s.active:
        # dice are bought and fielded only in the main step (rules 3.3b1, 3.3c1, 3.4c1, 5.11e)
        if s.step == MAIN:
            add_purchases(s, seat, pool, options)
        for d in _distinct_non_energy(s, other_dice):
            if spec.kinds[spec.face_base[d] + s.face[d]] == ACTION:
                if can_use(s, seat, d):
                    options.append(("use", d, 0))
            elif s.step == MAIN and costs.fielding_cost(s, d) <= pool.total and static_rules.can_field(s, d):
                options.append(("field", d, s.face[d]))
    add_abilities(s, seat, pool, options)
    add_ban_removals(s, seat, pool, options)
    if spec.edition.batch_is_one_effect and can_batch(s, seat, pool, options):
        options.append(("together", 0, 0))  # rules 3.3f8
    options.append(("pass", 0, 0))
    return options


def _distinct_non_energy(s: State, reserve: list[int]) -> list[int]:
    """Return the characters and actions in a reserve in a fixed order, one of each kind."""
    spec = s.spec
    kinds, face_base, face, card_of = spec.kinds, spec.face_base, s.face, spec.card_of
    if len(reserve) < 2:
        return reserve if reserve and kinds[face_base[reserve[0]] + face[reserve[0]]] != ENERGY else []
    if not (s.active_effects or s.pairs or s.holdings):
        keys: list[int] = []
        distinct: list[int] = []
        for d in reserve:
            if kinds[face_base[d] + face[d]] != ENERGY:
                key = card_of[d] * 8 + face[d]
                at = len(keys)
                while at and keys[at - 1] > key:
                    at -= 1
                if not at or keys[at - 1] != key:
                    keys.insert(at, key)
                    distinct.insert(at, d)
        return distinct
    faces: dict[tuple[int, tuple[int, ...]], int] = {}
    for d in reserve:
        if kinds[face_base[d] + face[d]] != ENERGY:
            # dice on the same face differ if one has been given something
            faces.setdefault((card_of[d] * 8 + face[d], effect_signature(s, d)), d)
    return [faces[key] for key in sorted(faces)]


def add_purchases(s: State, seat: int, pool: EnergyPool, options: list[Option]) -> None:
    """Add the purchases that the player can pay for (rules 3.3b1)."""
    spec = s.spec
    place = s.place
    if not costs.has_cost_modifiers(s):
        total = pool.total
        if total:
            for offer in spec.offers[seat]:
                if offer.cost <= total and (
                    pool.has(offer.only) if offer.only >= 0 else payment.can_pay(pool, offer.price)
                ):
                    for d in offer.dice:
                        if place[d] >> 2 == CARD:
                            options.append(("buy", offer.card, 0))
                            break
        return
    cost_rules = static_rules.static_rules(s, "costs to buy")
    for offer in spec.offers[seat]:
        for d in offer.dice:
            if place[d] >> 2 == CARD:
                cost = costs.purchase_cost(s, offer.card, seat, cost_rules)
                fist, bolt, mask, shield, _ = offer.price
                if payment.can_pay(pool, (fist, bolt, mask, shield, cost) if cost else NO_PRICE):
                    options.append(("buy", offer.card, 0))
                break


def purchase_price(s: State, card: int, seat: int) -> Price:
    """Return the price of a die: its cost, with one energy of each of the card's types (rules 3.3b2)."""
    if not costs.has_cost_modifiers(s):
        return s.spec.prices[card]
    cost = costs.purchase_cost(s, card, seat)
    if not cost:
        return NO_PRICE
    fist, bolt, mask, shield, _ = s.spec.prices[card]
    return (fist, bolt, mask, shield, cost)


def can_use(s: State, seat: int, d: int, at: str = "") -> bool:
    """Return whether an action die in the reserve can be used now, a Continuous one even without effect (rules 3.3d4)."""
    return feasibility.can_use_or_keep(s, seat, d, static_rules.burst(s, d), at)


def add_abilities(s: State, seat: int, pool: EnergyPool, options: list[Option]) -> None:
    """Add the Globals and paid abilities that the player can pay for and that can do something (rules 3.3e1, 3.3f7)."""
    spec = s.spec
    total = pool.total
    if not static_rules.is_banned(s, seat, "global"):
        for offer in spec.global_offers[seat]:
            if offer.cost > total:
                continue
            if not (pool.has(offer.only) if offer.only >= 0 else payment.can_pay(pool, offer.price)):
                continue
            ability = offer.ability
            if (ability.own_turn and seat != s.active) or die_identity.is_blanked(s, ability.card):
                continue
            if spec.has_global_surcharges and not payment.can_pay(pool, costs.global_cost(s, seat, offer.price)):
                continue
            if _can_use_ability(s, offer.context, pool):
                options.append(("global", ability.index, 0))
    for ability in spec.paid_abilities:
        if not payment.can_pay(pool, ability.need.price):
            continue
        if not die_identity.may_be_active(s, ability):
            continue
        seen: set[tuple[int, ...]] = set()
        for ctx in static_rules.active_contexts(s, ability):
            if ctx.you == seat and _can_use_ability(s, ctx, pool):
                key = equivalence_key(s, ctx.this) if ctx.this != NOBODY else ()
                if key not in seen:
                    seen.add(key)
                    options.append(("ability", ability.index, ctx.this))


def add_ban_removals(s: State, seat: int, pool: EnergyPool, options: list[Option], rolling: bool = False) -> None:
    """Add the payments that lift a static rule of the opponent for the turn, where that rule concerns the player."""
    for ability in s.spec.liftable_abilities:
        if (seat != s.active or s.step != MAIN) and all(
            rule.word in ("cannot field", "costs to field") for rule in ability.rules[0]
        ):
            continue
        if rolling != any(rule.word == "cannot reroll" for rule in ability.rules[0]):
            continue
        for ctx in static_rules.active_contexts(s, ability):
            if ctx.you & 1 == seat & 1 or (ability.index, static_rules.limit_owner(s, ctx)) in s.turn_limits:
                continue
            # the same rule on another character is lifted later, one at a time
            if ("lift", ability.index, ctx.you) in options:
                continue
            if ability.condition is not None and not ability.condition.evaluate(s, ctx):
                continue
            if ability.lift is not None and feasibility.can_afford(s, seat, ability.lift, ctx, pool):
                options.append(("lift", ability.index, ctx.you))


def can_pay_and_use(s: State, ctx: AbilityFrame, pool: EnergyPool) -> bool:
    """Return whether a Global or paid ability can be paid for and used now."""
    ability = s.spec.abilities[ctx.ability]
    price = ability.need.price
    if ability.kind == "global":
        price = costs.global_cost(s, ctx.you, price)
    return payment.can_pay(pool, price) and _can_use_ability(s, ctx, pool)


def _can_use_ability(s: State, ctx: AbilityFrame, pool: EnergyPool) -> bool:
    """Return whether an ability is usable, ignoring its energy cost: other costs, condition, something to affect."""
    ability = s.spec.abilities[ctx.ability]
    if ability.limit and triggers.is_used_up(s, ctx):  # rules 3.3e2
        return False
    need = ability.need
    if need.life or need.affectable or need.choices:
        price = costs.global_cost(s, ctx.you, need.price) if ability.kind == "global" else need.price
        # energy and the other costs together (rules 3.3e5)
        if not feasibility.can_afford(s, ctx.you, need, ctx, pool, price):
            return False
    if ability.condition is not None and not ability.condition.evaluate(s, ctx):
        return False
    return feasibility.can_activate(s, ctx)


def price_of(s: State, seat: int, option: Option) -> Price:
    """Return the energy that an action costs."""
    kind, subject, _ = option
    if kind == "buy":
        return purchase_price(s, subject, seat)
    if kind == "field":
        return (0, 0, 0, 0, costs.fielding_cost(s, subject))
    if kind == "global":
        return costs.global_cost(s, seat, s.spec.abilities[subject].need.price)
    if kind == "ability":
        return s.spec.abilities[subject].need.price
    lift = s.spec.abilities[subject].lift if kind == "lift" else None
    return NO_PRICE if lift is None else lift.price


def all_single_actions(s: State, seat: int, pool: EnergyPool) -> list[Option]:
    """Return all single actions with every die listed separately, so that a batch can take several identical dice."""
    options: list[Option] = []
    if seat == s.active and s.step == MAIN:
        add_purchases(s, seat, pool, options)
        for d in canonical_order(s, s.dice_in(RESERVE, seat)):
            if s.spec.kinds[s.spec.face_base[d] + s.face[d]] == CHARACTER and static_rules.can_field(s, d):
                options.append(("field", d, s.face[d]))
    for ability in s.spec.globals if not static_rules.is_banned(s, seat, "global") else ():
        if die_identity.is_blanked(s, ability.card):
            continue
        if not (ability.own_turn and seat != s.active):
            ctx = static_rules.ability_context(ability.index, seat, NOBODY)
            if can_pay_and_use(s, ctx, pool):
                options.append(("global", ability.index, 0))
    for ability in s.spec.paid_abilities:
        for ctx in static_rules.active_contexts(s, ability):
            if ctx.you == seat and can_pay_and_use(s, ctx, pool):
                options.append(("ability", ability.index, ctx.this))
    return options


# --- several actions paid for together -----------------------------------------------------------------------------


def can_batch(s: State, seat: int, pool: EnergyPool, options: list[Option]) -> bool:
    """Return whether paying for several actions together could make a difference (rules 3.3a11).

    It can for Globals and paid abilities; for purchases and fieldings only with dice whose unspent energy is lost.
    """
    if pool.total < 2:
        return False
    generic_shared = pool.generic > 0 or (s.spec.has_unsplittable_energy and payment.wastes_half(s, seat))
    total = pool.total
    cheapest = total + 1
    costs: list[int] = []
    for option in options:
        cost = _batchable_cost(s, seat, option, generic_shared)
        costs.append(cost)
        if 0 < cost < cheapest:
            cheapest = cost
    if total < 2 * cheapest:
        return False
    for i, option in enumerate(options):
        cost = costs[i]
        if not cost or cost + cheapest > total:
            continue
        repeated = _repeat_of(s, seat, option)
        if repeated is not None and _can_pay_together(s, seat, pool, option, repeated):
            return True
        for j in range(i + 1, len(options)):
            if costs[j] and _can_pay_together(s, seat, pool, option, options[j]):
                return True
    return False


def _batchable_cost(s: State, seat: int, option: Option, generic_shared: bool) -> int:
    """Return the cost of an action for which paying together makes a difference; 0 for any other."""
    kind = option[0]
    if kind == "global" or kind == "ability" or (generic_shared and (kind == "buy" or kind == "field")):
        return price_of(s, seat, option)[4]
    return 0


def _can_pay_together(s: State, seat: int, pool: EnergyPool, option: Option, other: Option) -> bool:
    """Return whether two actions can be paid for together."""
    price = payment.add_energy(price_of(s, seat, option), price_of(s, seat, other))
    if not payment.can_pay(pool, price) or not can_join_batch(s, seat, (option,), other):
        return False
    # the second action may cost more than it does alone
    if any(s.counters) or any(effect.until == "next one" for effect in s.active_effects):
        return payment.can_pay(pool, batch_price(s, seat, (option, other)))
    return True


def _repeat_of(s: State, seat: int, option: Option) -> Option | None:
    """Return the same action once more, or None; for a fielding, with another die on the same face."""
    kind, d, face = option
    if kind != "field":
        return option
    for other in s.spec.dice_of[s.spec.card_of[d]]:
        if other != d and s.place[other] == RESERVE * 4 + seat and s.face[other] == face:
            return ("field", other, face)
    return None


def can_join_batch(s: State, seat: int, batch: tuple[Option, ...], option: Option) -> bool:
    """Return whether an action can be paid for together with these."""
    kind, subject, die = option
    spec = s.spec
    if kind == "buy":
        remaining = sum(1 for d in spec.dice_of[subject] if s.place[d] >> 2 == CARD)
        return batch.count(option) < remaining
    if kind == "field":
        return option not in batch
    ability = spec.abilities[subject]
    if option in batch and (ability.limit or not price_of(s, seat, option)[4]):
        return False  # a free action could be added without end
    abilities = [
        spec.abilities[other_subject].ability
        for other_kind, other_subject, _ in batch
        if other_kind in ("global", "ability")
    ]
    uses = sum(1 for other_ability in abilities if other_ability.effects == ability.ability.effects)
    return not uses or feasibility.can_repeat(
        s, static_rules.ability_context(subject, seat, die if kind == "ability" else NOBODY), uses
    )


def batch_price(s: State, seat: int, actions: tuple[Option, ...], *more: Option) -> Price:
    """Return the price of actions in this order; a discount on the next one applies only once (rules 3.3a11)."""
    total = NO_PRICE
    effects, counters = s.active_effects, s.counters
    for action in (*actions, *more):
        total = payment.add_energy(total, price_of(s, seat, action))
        if action[0] == "buy":
            d = s.spec.dice_of[action[1]][0]
            s.active_effects, s.counters = procedures.effects_after_purchase(s, d, seat), _counters_after(s, d)
        elif action[0] == "field" and s.active_effects:
            s.active_effects = procedures.effects_after_fielding(s, action[1], seat)
    s.active_effects, s.counters = effects, counters
    return total


def _counters_after(s: State, d: int) -> list[int]:
    """Return the counters on the cards after the die has been bought: a text can remove them (cw 110)."""
    if not any(s.counters):
        return s.counters
    counters = s.counters.copy()
    for ability in s.spec.triggers_by_event.get("bought", ()):
        if any(op.name == "remove counters" for op in ability.programs[0].ops):
            for ctx in static_rules.active_contexts(s, ability):
                if ability.who.matches(s, d, ctx):
                    counters[static_rules.own_card_of(s, ctx)] = 0
    return counters
