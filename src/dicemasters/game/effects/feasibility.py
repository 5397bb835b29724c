"""What can be done at all: what may be chosen, what could be affected, what can be paid for (rules 5.3)."""

from __future__ import annotations

from typing import Final, cast

from dicemasters.cards.language import vocabulary as w
from dicemasters.cards.language.metadata import EFFECTS, RULES
from dicemasters.game.abilities.compiler import BOOKKEEPING_OPS, effect_instructions
from dicemasters.game.abilities.predicates import PLACES
from dicemasters.game.abilities.program import CompiledCost, Instruction, SelectionSpec
from dicemasters.game.abilities.selectors import Selector, any_match, select
from dicemasters.game.effects.operands import damage_source_text, deciding_seat, operand, planned_damage, targetable
from dicemasters.game.mechanics import faces, payment, replacement
from dicemasters.game.mechanics.payment import EnergyPool
from dicemasters.game.mechanics.triggers import is_vacuous
from dicemasters.game.queries import characteristics, combat_status, costs, die_identity, static_rules
from dicemasters.game.queries.damage_modifiers import modified_damage
from dicemasters.game.state.constants import ATTACKING, BAG, FIELD, GONE, HELD, OUT_OF_PLAY, PLAYER, RESERVE, USED
from dicemasters.game.state.frames import AbilityFrame, RetargetFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, SPIN_DOWN, Price


def legal_targets(s: State, f: AbilityFrame, choice: SelectionSpec) -> list[int]:
    """List what may be chosen: it fits, can be targeted, and did not pay for this very use (rules 2.1, 5.3)."""
    found = select(s, choice.group, f)
    t = s.spec
    if found and USED in choice.group.places and (barred := left_in_used_pile(s, f)):
        found = [d for d in found if d not in barred]
    if found and is_target(s, choice) and t.protects:
        found = [x for x in found if targetable(s, f, x)]
    if choice.uses:
        found = [x for x in found if can_use_or_keep(s, f.you, x, 0)]
    if choice.symbol:
        found = [x for x in found if faces.energy_face(s, x, choice.symbol) >= 0]
    if choice.redirects:
        found = [x for x in found if replacement.can_redirect(s, x)]
    if choice.retargets:
        chooser = next(g for g, above in zip(s.stack, s.stack[1:], strict=False) if isinstance(above, RetargetFrame))
        assert isinstance(chooser, AbilityFrame)
        found = [x for x in found if targetable(s, chooser, x)]  # it becomes the target of that effect
    if choice.fields:
        found = [x for x in found if can_field(s, f.you, x)]
    if choice.assigns:
        found = [x for x in found if combat_status.could_block(s, x, f.this)]
    if choice.turns_to is not None and t.edition.first_effect_is_cost:
        level = choice.turns_to.evaluate(s, f)
        found = [x for x in found if die_identity.shown_level(s, x) != min(level, die_identity.top_level(s, x))]
    if f.hold and found:
        found = _without_consumed(s, f, choice, found)
    return found


def left_in_used_pile(s: State, f: AbilityFrame) -> tuple[int, ...]:
    """List the dice in the Used Pile that a text cannot take, nor draw by way of a refill: what paid for it (rules 2.1a)."""
    t = s.spec
    if f.event.word == "fielded" and t.edition.fielding_takes_older_dice:
        older = f.event.last_known[f.event.amount :]
        return tuple([d for d in s.iter_zone_all_seats(USED) if d not in older])
    if t.abilities[f.ability].kind == "global" and not t.edition.global_fetches_payment:
        return f.paid
    return ()


def _without_consumed(s: State, f: AbilityFrame, choice: SelectionSpec, found: list[int]) -> list[int]:
    """Leave out what an earlier use of the same go takes, so that nothing is left of it for this one (rules 3.3e)."""
    t = s.spec
    mine = {way for taken, way in t.abilities[f.ability].programs[f.burst].consumed if taken is choice}
    gone: set[int] = set()
    spun: dict[int, int] = {}
    for g in s.stack:
        if isinstance(g, AbilityFrame) and g is not f:
            for taken, way in t.abilities[g.ability].programs[g.burst].consumed:
                for x in g.chosen[taken.register] if taken.register < len(g.chosen) else ():
                    if way in ("up", "down"):
                        spun[x] = spun.get(x, 0) + (1 if way == "up" else -1)
                    elif way == "away" or way in mine:
                        gone.add(x & (SPIN_DOWN - 1))
    for x, levels in spun.items():
        at = die_identity.shown_level(s, x) + levels
        if ("up" in mine and at >= die_identity.top_level(s, x)) or ("down" in mine and at <= 1):
            gone.add(x)
    return [x for x in found if x not in gone]


def can_repeat(s: State, ctx: AbilityFrame, uses: int) -> bool:
    """Tell whether a text has something left to pay with and to take after so many uses of one go (rules 5.3c)."""
    need = s.spec.abilities[ctx.ability].need
    if need.affectable or need.life * (uses + 1) > s.life[ctx.you & 1]:
        return False
    for choice in need.choices:
        if len(legal_targets(s, ctx.with_payer(ctx.you), choice)) < max(1, choice.least) * (uses + 1):
            return False
    if not s.spec.edition.starts_need_effect:
        return True
    for choice, way in s.spec.abilities[ctx.ability].programs[ctx.burst].consumed:
        found = legal_targets(s, ctx, choice)
        room = len(found) + len(_payments_for(s, ctx, choice.group))
        if way == "up":
            room = sum(die_identity.top_level(s, x) - die_identity.shown_level(s, x) for x in found)
        elif way == "down":
            room = sum(die_identity.shown_level(s, x) - 1 for x in found)
        if room <= uses:
            return False
    return True


def is_target(s: State, choice: SelectionSpec) -> bool:
    """Tell whether a choice targets: before ai only where the text says so (rules 5.3b).

    Any number of dice never are, nor is one to which nothing is done.
    """
    if choice.by == "payer" or choice.breaks_tie or choice.only_named or choice.most >= w.ALL:
        return choice.target
    return choice.target or s.spec.edition.bare_choice_targets


def can_activate(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether a sentence may be started by choice: there is a target, or something to affect (rules 5.3c)."""
    if not s.spec.edition.starts_need_effect:
        return True
    program = s.spec.abilities[ctx.ability].programs[ctx.burst]
    if program.is_single_choice:
        return _has_candidates(s, ctx, program.needs[0])
    if is_vacuous(s, ctx) or (program.for_buying and (ctx.you ^ s.active) & 1):
        return False
    if not _can_choose(s, ctx, program.needs):
        return False
    for op in program.ops:
        if op.name == "name affiliation" and not affiliations(s, ctx, op):
            return False
    if not program.possible:
        return True
    for op in program.possible:
        if can_affect(s, ctx, op):
            return True
    return False


def could_affect(s: State, f: AbilityFrame) -> bool:
    """Tell whether a sentence that is set off could do anything at all (rules 5.3c)."""
    if is_vacuous(s, f):
        return False
    ops = s.spec.abilities[f.ability].programs[f.burst].ops
    at = 0
    while at < len(ops):
        op = ops[at]
        at += 1
        if op.name == "may":
            if is_offerable(s, f, op):
                return True
            at = op.jump
        elif not op.is_cost and (op.choice is None or not op.choice.least):
            deeds = effect_instructions([op])
            if op.name not in BOOKKEEPING_OPS and not op.follows and (not deeds or can_affect(s, f, op)):
                return True
    named = [op for op in ops if op.name == "name affiliation"]
    if named and all(op.name in BOOKKEEPING_OPS or op.is_cost for op in ops):  # to name one is all it does (ai 32)
        return bool(affiliations(s, f, named[0]))
    return False


def can_affect(s: State, f: AbilityFrame, op: Instruction) -> bool:
    """Tell whether an operation could do anything to anybody now."""
    if op.name == "draw":
        return op.amount.evaluate(s, f) > 0 and _can_draw(s, f)
    if op.name == "send home":
        return any(h.kind == "control" for h in s.holdings)
    if op.name == "place on card":
        return bool(cards_for_action_die(s, f, op))
    if op.choice is not None:
        return _has_candidates(s, f, op.choice)
    if op.by_each:
        return any(_has_candidates(s, f, choice) for choice in op.by_each)
    for group in op.aims:
        if group.depends:
            return True
        if group.registers and any(n >= len(f.chosen) for n in group.registers):
            program = s.spec.abilities[f.ability].programs[f.burst]
            made = [x.choice for x in program.ops if x.choice is not None and x.choice.register in group.registers]
            if all(_has_candidates(s, f, choice) for choice in made):
                return True
        elif any(_is_able(s, f, op, x) for x in select(s, group, f)) or _has_payment_for(s, f, group):
            return True
    return False


def has_outcome(s: State, f: AbilityFrame, op: Instruction, otherwise: list[Instruction]) -> bool:
    """Tell whether anything would come of an operation whose choices are made, by what holds now (rules 5.3c3).

    It must be something else than what comes otherwise.
    """
    if not can_affect(s, f, op):
        return False
    if op.name == "draw" and otherwise:
        there = len(s.dice_in(BAG, f.you)) + len(s.dice_in(USED, f.you))
        return {min(x.amount.evaluate(s, f), there) for x in otherwise} != {min(op.amount.evaluate(s, f), there)}
    if op.name == "damage":
        sort = damage_source_text(s, f)
        return any(modified_damage(s, p, sort).amount for p in planned_damage(s, f, op))
    if op.name == "KO":
        return any(characteristics.can_be_kod(s, d) for d in operand(s, f, op))
    if op.name == "give" and (ban := cast(w.Give, op.node).rule.word).startswith("cannot"):
        banned = [r.subject for r in s.active_effects if r.word == ban and r.rule == op.rule]
        return any(x not in banned for x in die_identity.seats_affected(s, ban, operand(s, f, op), f.you))
    return True


_IN_FIELD: Final = frozenset(row.op for row in EFFECTS.values() if row.in_field)


def _is_able(s: State, f: AbilityFrame, op: Instruction, x: int) -> bool:
    """Tell whether an operation could do anything to this one: it may have left, or be where it should go."""
    if x >= PLAYER:
        if op.name == "life":
            return op.amount.evaluate(s, f) <= 0 or s.life[x - PLAYER] < die_identity.starting_life(s, x - PLAYER)
        if op.name != "set life":
            return True
        return s.life[x - PLAYER] != min(cast(w.SetLife, op.node).amount, die_identity.starting_life(s, x - PLAYER))
    place = s.place[x] >> 2
    if op.name in _IN_FIELD:
        if op.name == "leave combat":
            return place == FIELD and (s.flags[x] & ATTACKING != 0 or combat_status.is_blocking(s, x))
        return place == FIELD
    if op.name == "give":
        node = cast(w.Give, op.node)
        return place in grantable_zones(node) and (
            node.rule.word != "must block this" or combat_status.could_block(s, x, f.this)
        )
    if op.name == "move":
        return place not in (HELD, GONE, PLACES[cast(w.Move, op.node).to])
    if op.name == "reroll":
        return can_reroll_here(s, f, x)
    if op.name == "field":
        return place != FIELD and can_field(s, f.you, x)
    return place != GONE


def _can_draw(s: State, f: AbilityFrame) -> bool:
    """Tell whether the player has a die to draw, if only the one that pays for it (rules 2.1, 3.1a)."""
    t = s.spec
    if BAG * 4 + f.you in s.place:
        return True
    if USED * 4 + f.you in s.place:
        barred = left_in_used_pile(s, f)
        if not barred or any(d not in barred for d in s.dice_in(USED, f.you)):
            return True
    if not _pays_into_used_pile(s, f):
        return False
    price = costs.global_cost(s, f.you, t.abilities[f.ability].need.price)
    return any(payment.could_pay_exactly(s, d, price) for d in s.dice_in(RESERVE, f.you))


def _can_choose(s: State, ctx: AbilityFrame, needs: list[SelectionSpec]) -> bool:
    """Tell whether there is something for each choice, also for those that refer to earlier ones."""
    for choice in needs:
        if choice.group.registers:
            break
    else:
        for choice in needs:
            if not _has_candidates(s, ctx, choice):
                return False
        return True
    first, rest = needs[0], needs[1:]
    if not _has_candidates(s, ctx, first):
        return False
    if not rest or first.group.depends or first.most != 1:
        return _can_choose(s, ctx, rest) if rest else True
    for x in legal_targets(s, ctx, first):
        chosen = (*ctx.chosen, *((),) * (first.register - len(ctx.chosen)), (x,))
        if _can_choose(s, ctx.with_chosen(chosen), rest):
            return True
    return False


def _has_candidates(s: State, ctx: AbilityFrame, choice: SelectionSpec) -> bool:
    group = choice.group
    if group.depends or (group.registers and any(n >= len(ctx.chosen) for n in group.registers)):
        return True  # on what is chosen or drawn before it
    if not choice.special and not s.spec.protects:
        return any_match(s, group, ctx)
    return bool(legal_targets(s, ctx, choice)) or _has_payment_for(s, ctx, choice.group)


def _has_payment_for(s: State, ctx: AbilityFrame, group: Selector) -> bool:
    return bool(_payments_for(s, ctx, group))


def _pays_into_used_pile(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether what pays for the text lies in the Used Pile when it is carried out, and may be fetched from there."""
    edition = s.spec.edition
    if not edition.global_fetches_payment or (edition.out_of_play and (ctx.you ^ s.active) & 1 == 0):
        return False
    return s.spec.abilities[ctx.ability].need.energy > 0


def _payments_for(s: State, ctx: AbilityFrame, group: Selector) -> list[int]:
    """List the dice that could pay for the Global and then be taken from the Used Pile by it (rules 2.1a)."""
    t = s.spec
    sentence = t.abilities[ctx.ability]
    if not (sentence.kind == "global" and USED in group.places and _pays_into_used_pile(s, ctx)):
        return []
    out: list[int] = []
    price = costs.global_cost(s, ctx.you, sentence.need.price)
    for d in s.dice_in(RESERVE, ctx.you):
        if payment.could_pay_exactly(s, d, price):
            s.place[d] = USED * 4 + ctx.you
            if group.test.matches(s, d, ctx):
                out.append(d)
            s.place[d] = RESERVE * 4 + ctx.you
    return out


def can_afford(
    s: State,
    seat: int,
    need: CompiledCost,
    ctx: AbilityFrame,
    have: EnergyPool | None = None,
    price: Price | None = None,
) -> bool:
    """Tell whether a player can pay a cost: its energy, its life, and something for each choice it asks for."""
    price = need.price if price is None else price
    if price[4]:
        if not payment.can_pay(have if have is not None else payment.energy_pool(s, seat), price):
            return False
    if need.life and s.life[seat & 1] < need.life:
        return False
    if not need.affectable and not need.choices:
        return True
    paying = ctx.with_payer(seat)
    if not all(select(s, group, paying) for group in need.affectable):
        return False
    if not all(_has_candidates(s, paying, choice) for choice in need.choices):
        return False
    if "costs at least to field" in s.spec.static_by_rule:
        for choice in need.choices:
            if choice.fields and not _can_field_besides(s, paying, choice, price):
                return False
    return True


def _can_field_besides(s: State, ctx: AbilityFrame, choice: SelectionSpec, price: Price) -> bool:
    """Tell whether there is a die that could be fielded and paid for together with this price."""
    have = payment.energy_pool(s, ctx.you)
    floors = {costs.minimum_fielding_cost(s, d) for d in legal_targets(s, ctx, choice)}
    return any(payment.can_pay(have, payment.add_energy(price, (0, 0, 0, 0, n))) for n in floors)


def offer_cost(s: State, f: AbilityFrame, op: Instruction) -> tuple[int, Price]:
    """Give who may, and what it costs them."""
    who = deciding_seat(s, f, cast(w.May, op.node).who)
    sentence = s.spec.abilities[f.ability]
    if sentence.kind == "global" and sentence.event:
        return who, costs.global_cost(s, who, op.need.price)
    return who, op.need.price


def is_offerable(s: State, f: AbilityFrame, op: Instruction) -> bool:
    """Tell whether it can be paid for and could do anything (rules 5.3c)."""
    who, price = offer_cost(s, f, op)
    if not can_afford(s, who, op.need, f, price=price) or (op.need.copies and not can_copy(s, f)):
        return False
    return not op.need.possible or any(can_affect(s, f, deed) for deed in op.need.possible)


def grantable_zones(node: w.Give) -> tuple[int, ...]:
    """List where a die can be given something."""
    return (FIELD, RESERVE) if RULES[node.rule.word].reserve else (FIELD,)


def is_just_used(s: State, f: AbilityFrame, d: int) -> bool:
    return f.event.word == "action used" and d == f.event.other and s.place[d] >> 2 in (OUT_OF_PLAY, USED)


def can_reroll_here(s: State, f: AbilityFrame, d: int) -> bool:
    """Tell whether the die can be rerolled; the sentence may speak of one that was just used and put away (ai 17)."""
    return is_just_used(s, f, d) or characteristics.can_reroll(s, d)


def can_field(s: State, seat: int, d: int) -> bool:
    """Tell whether an effect of the player could field the die: nothing forbids it, and what it costs at least is there."""
    if not static_rules.can_field(s, d):
        return False
    price = costs.minimum_fielding_cost(s, d)
    return not price or payment.can_pay(payment.energy_pool(s, seat), (0, 0, 0, 0, price))


def can_use(s: State, seat: int, d: int, shown: int, at: str = "") -> bool:
    """Tell whether a player may use an action die and it can do anything now (rules 5.3c).

    `at` is the moment, if it is one for some dice.
    """
    for sentence in s.spec.uses[s.spec.card_of[d]]:
        if sentence.event != at:
            continue
        ctx = static_rules.ability_context(sentence.index, seat, d, burst=shown)
        if (sentence.condition is None or sentence.condition.evaluate(s, ctx)) and can_activate(s, ctx):
            return not static_rules.is_banned(s, seat, "action")
    return False


def can_use_or_keep(s: State, seat: int, d: int, shown: int, at: str = "") -> bool:
    """Tell whether a player may use an action die now: a Continuous one can always be moved to the field."""
    if can_use(s, seat, d, shown, at):
        return True
    return "Continuous" in s.spec.keywords[s.spec.card_of[d]] and not static_rules.is_banned(s, seat, "action")


def copied_action_abilities(s: State, f: AbilityFrame) -> list[AbilityFrame]:
    """List what a copy of the action just used does, first to last; no die is used, so its text means none (ai 18)."""
    t = s.spec
    out: list[AbilityFrame] = []
    for sentence in t.uses[t.card_of[f.event.other]]:
        ctx = static_rules.ability_context(sentence.index, f.you, NOBODY, burst=f.event.amount)
        if sentence.condition is None or sentence.condition.evaluate(s, ctx):
            out.append(ctx)
    return out


def can_copy(s: State, f: AbilityFrame) -> bool:
    """Tell whether a copy of the action just used could do anything (rules 5.3c)."""
    return any(not _is_placement_only(s, ctx) and can_activate(s, ctx) for ctx in copied_action_abilities(s, f))


def _is_placement_only(s: State, ctx: AbilityFrame) -> bool:
    """Tell whether all a text does is to put its die somewhere, of which a copy has none."""
    deeds = {op.name for op in s.spec.abilities[ctx.ability].programs[ctx.burst].ops} - {"choose"}
    return deeds <= {"attach", "place on card"}


def cards_for_action_die(s: State, f: AbilityFrame, op: Instruction) -> list[int]:
    """List the cards on which an action die may be put (uxm 62)."""
    t = s.spec
    assert op.group is not None
    return [c for c in range(t.n_seats, t.n_real_cards) if op.group.test.matches(s, t.dice_of[c][0], f)]


def affiliations(s: State, f: AbilityFrame, op: Instruction) -> list[int]:
    node = cast(w.NameAffiliation, op.node)
    least = node.at_least
    names = [(i, name) for i, name in enumerate(s.spec.affiliations) if name != node.other_than]
    if op.group is None:
        return [i for i, _ in names]
    dice = select(s, op.group, f)
    ops = s.spec.abilities[f.ability].programs[f.burst].ops
    if any(x.choice is not None and is_target(s, x.choice) for x in ops):  # so many that can be targeted
        dice = [d for d in dice if targetable(s, f, d)]
    return [i for i, name in names if sum(characteristics.has_affiliation(s, d, name) for d in dice) >= least]
