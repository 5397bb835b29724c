"""What a player may do, one thing at a time, and what it costs (rules 3.3)."""

from __future__ import annotations

from dicemasters.game.effects import feasibility
from dicemasters.game.mechanics import payment, triggers
from dicemasters.game.mechanics.payment import NO_PRICE, EnergyPool
from dicemasters.game.queries import costs, die_identity, static_rules
from dicemasters.game.queries.die_identity import CHARACTER, ENERGY
from dicemasters.game.queries.equivalence import canonical_order, equivalence_key
from dicemasters.game.state.constants import CARD, MAIN, RESERVE
from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State, effect_signature
from dicemasters.game.state.values import NOBODY, Option, Price


def without_energy(s: State, reserve: list[int]) -> list[int]:
    """List the characters and actions in a reserve in a fixed order, one of each sort."""
    t = s.spec
    kinds, m6, face, card_of = t.kinds, t.face_base, s.face, t.card_of
    if len(reserve) < 2:
        return reserve if reserve and kinds[m6[reserve[0]] + face[reserve[0]]] != ENERGY else []
    if not (s.active_effects or s.pairs or s.holdings):
        keys: list[int] = []
        plain: list[int] = []
        for d in reserve:
            if kinds[m6[d] + face[d]] != ENERGY:
                key = card_of[d] * 8 + face[d]
                at = len(keys)
                while at and keys[at - 1] > key:
                    at -= 1
                if not at or keys[at - 1] != key:
                    keys.insert(at, key)
                    plain.insert(at, d)
        return plain
    faces: dict[tuple[int, tuple[int, ...]], int] = {}
    for d in reserve:
        if kinds[m6[d] + face[d]] != ENERGY:
            faces.setdefault(
                (card_of[d] * 8 + face[d], effect_signature(s, d)), d
            )  # some may have been given something
    return [faces[key] for key in sorted(faces)]


def add_purchases(s: State, seat: int, have: EnergyPool, options: list[Option]) -> None:
    t = s.spec
    place = s.place
    if not costs.has_cost_modifiers(s):
        total = have.total
        if total:
            for offer in t.offers[seat]:
                if offer.cost <= total and (
                    have.has(offer.only) if offer.only >= 0 else payment.can_pay(have, offer.price)
                ):
                    for d in offer.dice:
                        if place[d] >> 2 == CARD:
                            options.append(("buy", offer.card, 0))
                            break
        return
    changes = static_rules.static_rules(s, "costs to buy")
    for offer in t.offers[seat]:
        for d in offer.dice:
            if place[d] >> 2 == CARD:
                cost = costs.purchase_cost(s, offer.card, seat, changes)
                fist, bolt, mask, shield, _ = offer.price
                if payment.can_pay(have, (fist, bolt, mask, shield, cost) if cost else NO_PRICE):
                    options.append(("buy", offer.card, 0))
                break


def purchase_price(s: State, c: int, seat: int) -> Price:
    """Give the price of a die: its cost, with one energy of each of the card's types (rules 3.3b)."""
    if not costs.has_cost_modifiers(s):
        return s.spec.prices[c]
    cost = costs.purchase_cost(s, c, seat)
    if not cost:
        return NO_PRICE
    f, b, m, sh, _ = s.spec.prices[c]
    return (f, b, m, sh, cost)


def can_use(s: State, seat: int, d: int, at: str = "") -> bool:
    """Tell whether an action die in the reserve can be used now; a Continuous one can always move to the field."""
    return feasibility.can_use_or_keep(s, seat, d, static_rules.burst(s, d), at)


def add_abilities(s: State, seat: int, have: EnergyPool, options: list[Option]) -> None:
    """Add the Globals and paid abilities the player can pay for, with something to do."""
    t = s.spec
    total = have.total
    if not static_rules.is_banned(s, seat, "global"):
        for offer in t.global_offers[seat]:
            if offer.cost > total:
                continue
            if not (have.has(offer.only) if offer.only >= 0 else payment.can_pay(have, offer.price)):
                continue
            sentence = offer.sentence
            if (sentence.own_turn and seat != s.active) or die_identity.is_blanked(s, sentence.card):
                continue
            if t.dearer_globals and not payment.can_pay(have, costs.global_cost(s, seat, offer.price)):
                continue
            if _is_open(s, offer.context, have):
                options.append(("global", sentence.index, 0))
    for sentence in t.paid_abilities:
        if not payment.can_pay(have, sentence.need.price):
            continue
        if not die_identity.may_be_active(s, sentence):
            continue
        seen: set[tuple[int, ...]] = set()
        for ctx in static_rules.active_contexts(s, sentence):
            if ctx.you == seat and _is_open(s, ctx, have):
                key = equivalence_key(s, ctx.this) if ctx.this != NOBODY else ()
                if key not in seen:
                    seen.add(key)
                    options.append(("ability", sentence.index, ctx.this))


def add_ban_removals(s: State, seat: int, have: EnergyPool, options: list[Option], rolling: bool = False) -> None:
    """Add the opponent's standing rules that the player may pay to be rid of for the turn, where they bear on them."""
    for sentence in s.spec.lifted:
        if (seat != s.active or s.step != MAIN) and all(
            rule.word in ("cannot field", "costs to field") for rule in sentence.rules[0]
        ):
            continue
        if rolling != any(rule.word == "cannot reroll" for rule in sentence.rules[0]):
            continue
        for ctx in static_rules.active_contexts(s, sentence):
            if ctx.you & 1 == seat & 1 or (sentence.index, static_rules.limit_owner(s, ctx)) in s.turn_limits:
                continue
            if ("lift", sentence.index, ctx.you) in options:  # another character's: one is lifted after the other
                continue
            if sentence.condition is not None and not sentence.condition.evaluate(s, ctx):
                continue
            if sentence.lift is not None and feasibility.can_afford(s, seat, sentence.lift, ctx, have):
                options.append(("lift", sentence.index, ctx.you))


def is_ready(s: State, ctx: AbilityFrame, have: EnergyPool) -> bool:
    """Tell whether a Global or paid ability can be used now."""
    sentence = s.spec.abilities[ctx.ability]
    price = sentence.need.price
    if sentence.kind == "global":
        price = costs.global_cost(s, ctx.you, price)
    return payment.can_pay(have, price) and _is_open(s, ctx, have)


def _is_open(s: State, ctx: AbilityFrame, have: EnergyPool) -> bool:
    """Tell whether an ability whose energy is there can be used: what else it costs, its "if", something to do."""
    sentence = s.spec.abilities[ctx.ability]
    if sentence.limit and triggers.is_used_up(s, ctx):
        return False
    need = sentence.need
    if need.life or need.affectable or need.choices:
        price = costs.global_cost(s, ctx.you, need.price) if sentence.kind == "global" else need.price
        if not feasibility.can_afford(s, ctx.you, need, ctx, have, price):
            return False
    if sentence.condition is not None and not sentence.condition.evaluate(s, ctx):
        return False
    return feasibility.can_activate(s, ctx)


def price_of(s: State, seat: int, option: Option) -> Price:
    """Give the energy an act costs."""
    what, x, _ = option
    if what == "buy":
        return purchase_price(s, x, seat)
    if what == "field":
        return (0, 0, 0, 0, costs.fielding_cost(s, x))
    if what == "global":
        return costs.global_cost(s, seat, s.spec.abilities[x].need.price)
    if what == "ability":
        return s.spec.abilities[x].need.price
    lift = s.spec.abilities[x].lift if what == "lift" else None
    return NO_PRICE if lift is None else lift.price


def all_single_actions(s: State, seat: int, have: EnergyPool) -> list[Option]:
    """List single acts with every die for itself, so that two like dice can be taken in one go."""
    options: list[Option] = []
    if seat == s.active and s.step == MAIN:
        add_purchases(s, seat, have, options)
        for d in canonical_order(s, s.dice_in(RESERVE, seat)):
            if s.spec.kinds[s.spec.face_base[d] + s.face[d]] == CHARACTER and static_rules.can_field(s, d):
                options.append(("field", d, s.face[d]))
    for sentence in s.spec.globals if not static_rules.is_banned(s, seat, "global") else ():
        if die_identity.is_blanked(s, sentence.card):
            continue
        if not (sentence.own_turn and seat != s.active):
            ctx = static_rules.ability_context(sentence.index, seat, NOBODY)
            if is_ready(s, ctx, have):
                options.append(("global", sentence.index, 0))
    for sentence in s.spec.paid_abilities:
        for ctx in static_rules.active_contexts(s, sentence):
            if ctx.you == seat and is_ready(s, ctx, have):
                options.append(("ability", sentence.index, ctx.this))
    return options
