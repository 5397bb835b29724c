"""Feasibility: legal targets, whether effects can do anything, and whether costs can be paid (rules 5.3)."""

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


def legal_targets(s: State, frame: AbilityFrame, choice: SelectionSpec) -> list[int]:
    """Return the legal candidates: matching, targetable, and not spent on this use (rules 2.1c3, 5.3b)."""
    with static_rules.UnchangedState(s):
        return _legal_targets(s, frame, choice)


def _legal_targets(s: State, frame: AbilityFrame, choice: SelectionSpec) -> list[int]:
    candidates = select(s, choice.group, frame)
    spec = s.spec
    if candidates and USED in choice.group.places and (excluded := unavailable_used_dice(s, frame)):
        candidates = [d for d in candidates if d not in excluded]
    if candidates and is_target(s, choice) and spec.has_targeting_protection:
        candidates = [x for x in candidates if targetable(s, frame, x)]
    if choice.uses:
        candidates = [x for x in candidates if can_use_or_keep(s, frame.you, x, 0)]
    if choice.symbol:
        candidates = [x for x in candidates if faces.energy_face(s, x, choice.symbol) >= 0]
    if choice.redirects:
        candidates = [x for x in candidates if replacement.can_redirect(s, x)]
    if choice.retargets:
        chooser = next(g for g, above in zip(s.stack, s.stack[1:], strict=False) if isinstance(above, RetargetFrame))
        assert isinstance(chooser, AbilityFrame)
        candidates = [x for x in candidates if targetable(s, chooser, x)]  # it becomes the target of that effect
    if choice.fields:
        candidates = [x for x in candidates if can_field(s, frame.you, x)]
    if choice.assigns_blocker:
        candidates = [x for x in candidates if combat_status.could_block(s, x, frame.this)]
    if choice.spin_level is not None and spec.edition.first_effect_is_cost:
        level = choice.spin_level.evaluate(s, frame)
        candidates = [
            x for x in candidates if die_identity.shown_level(s, x) != min(level, die_identity.top_level(s, x))
        ]
    if frame.hold and candidates:
        candidates = _without_consumed(s, frame, choice, candidates)
    return candidates


def unavailable_used_dice(s: State, frame: AbilityFrame) -> tuple[int, ...]:
    """Return the Used Pile dice an ability cannot take: its payment, and later arrivals (rules 2.1a2, 2.1a3, 2.1c3)."""
    spec = s.spec
    if frame.event.word == "fielded" and spec.edition.fielding_takes_older_dice:
        older_dice = frame.event.last_known[frame.event.amount :]
        return tuple([d for d in s.iter_zone_all_seats(USED) if d not in older_dice])
    if spec.abilities[frame.ability].kind == "global" and not spec.edition.global_fetches_payment:
        return frame.paid
    return ()


def _without_consumed(s: State, frame: AbilityFrame, choice: SelectionSpec, candidates: list[int]) -> list[int]:
    """Return the candidates that earlier uses paid in the same batch do not use up (rules 3.3e6)."""
    spec = s.spec
    own_changes = {
        change for taken, change in spec.abilities[frame.ability].programs[frame.burst].consumed if taken is choice
    }
    consumed: set[int] = set()
    spun: dict[int, int] = {}
    for other in s.stack:
        if isinstance(other, AbilityFrame) and other is not frame:
            for taken, change in spec.abilities[other.ability].programs[other.burst].consumed:
                for x in other.chosen[taken.register] if taken.register < len(other.chosen) else ():
                    if change in ("up", "down"):
                        spun[x] = spun.get(x, 0) + (1 if change == "up" else -1)
                    elif change == "away" or change in own_changes:
                        consumed.add(x & (SPIN_DOWN - 1))
    for x, levels in spun.items():
        level = die_identity.shown_level(s, x) + levels
        if ("up" in own_changes and level >= die_identity.top_level(s, x)) or ("down" in own_changes and level <= 1):
            consumed.add(x)
    return [x for x in candidates if x not in consumed]


def can_repeat(s: State, ctx: AbilityFrame, uses: int) -> bool:
    """Return whether an ability can be paid for and used once more after this many uses in one batch (rules 5.3c1)."""
    cost = s.spec.abilities[ctx.ability].need
    if cost.affectable or cost.life * (uses + 1) > s.life[ctx.you & 1]:
        return False
    for choice in cost.choices:
        if len(legal_targets(s, ctx.with_payer(ctx.you), choice)) < max(1, choice.least) * (uses + 1):
            return False
    if not s.spec.edition.starts_need_effect:
        return True
    for choice, change in s.spec.abilities[ctx.ability].programs[ctx.burst].consumed:
        candidates = legal_targets(s, ctx, choice)
        capacity = len(candidates) + len(_payments_for(s, ctx, choice.group))
        if change == "up":
            capacity = sum(die_identity.top_level(s, x) - die_identity.shown_level(s, x) for x in candidates)
        elif change == "down":
            capacity = sum(die_identity.shown_level(s, x) - 1 for x in candidates)
        if capacity <= uses:
            return False
    return True


def is_target(s: State, choice: SelectionSpec) -> bool:
    """Return whether a choice targets; before ai only the word "target" does (rules 5.3b).

    Without that word costs, ties, any number of dice, and dice that are only read or copied are never targeted.
    """
    if choice.by == "payer" or choice.breaks_tie or choice.is_reference_only or choice.most >= w.ALL:
        return choice.target
    return choice.target or s.spec.edition.bare_choice_targets


def can_activate(s: State, ctx: AbilityFrame) -> bool:
    """Return whether a player may start an ability: it has legal targets or something to affect (rules 5.3c1).

    An effect that comes too late to matter does not bar it (rules 5.3c2).
    """
    if not s.spec.edition.starts_need_effect:
        return True
    program = s.spec.abilities[ctx.ability].programs[ctx.burst]
    if program.is_single_choice:
        return _has_candidates(s, ctx, program.required_choices[0])
    if is_vacuous(s, ctx) or (program.is_discount_only and (ctx.you ^ s.active) & 1):
        return False
    if not _can_choose(s, ctx, program.required_choices):
        return False
    for op in program.ops:
        if op.name == "name affiliation" and not affiliations(s, ctx, op):
            return False
    if not program.effect_instructions:
        return True
    for op in program.effect_instructions:
        if can_affect(s, ctx, op):
            return True
    return False


def could_affect(s: State, frame: AbilityFrame) -> bool:
    """Return whether a triggered ability could do anything (rules 5.3c4)."""
    if is_vacuous(s, frame):
        return False
    ops = s.spec.abilities[frame.ability].programs[frame.burst].ops
    pc = 0
    while pc < len(ops):
        op = ops[pc]
        pc += 1
        if op.name == "may":
            if is_offerable(s, frame, op):
                return True
            pc = op.jump
        elif not op.is_cost and (op.choice is None or not op.choice.least):
            effects = effect_instructions([op])
            if (
                op.name not in BOOKKEEPING_OPS
                and not op.depends_on_previous
                and (not effects or can_affect(s, frame, op))
            ):
                return True
    naming_ops = [op for op in ops if op.name == "name affiliation"]
    # naming an affiliation may be its only effect (ai 32)
    if naming_ops and all(op.name in BOOKKEEPING_OPS or op.is_cost for op in ops):
        return bool(affiliations(s, frame, naming_ops[0]))
    return False


def can_affect(s: State, frame: AbilityFrame, op: Instruction) -> bool:
    """Return whether an instruction could affect anything now."""
    if op.name == "draw":
        return op.amount.evaluate(s, frame) > 0 and _can_draw(s, frame)
    if op.name == "send home":
        return any(h.kind == "control" for h in s.holdings)
    if op.name == "place on card":
        return bool(cards_for_action_die(s, frame, op))
    if op.choice is not None:
        return _has_candidates(s, frame, op.choice)
    if op.player_choices:
        return any(_has_candidates(s, frame, choice) for choice in op.player_choices)
    for selector in op.affectable:
        if selector.depends:
            return True
        if selector.registers and any(n >= len(frame.chosen) for n in selector.registers):
            program = s.spec.abilities[frame.ability].programs[frame.burst]
            choices = [
                x.choice for x in program.ops if x.choice is not None and x.choice.register in selector.registers
            ]
            if all(_has_candidates(s, frame, choice) for choice in choices):
                return True
        elif any(_can_affect_one(s, frame, op, x) for x in select(s, selector, frame)) or _has_payment_for(
            s, frame, selector
        ):
            return True
    return False


def has_outcome(s: State, frame: AbilityFrame, op: Instruction, otherwise: list[Instruction]) -> bool:
    """Return whether an instruction whose choices are made would do anything now (rules 5.3c3).

    The outcome must differ from that of `otherwise`.
    """
    if not can_affect(s, frame, op):
        return False
    if op.name == "draw" and otherwise:
        available = len(s.dice_in(BAG, frame.you)) + len(s.dice_in(USED, frame.you))
        return {min(x.amount.evaluate(s, frame), available) for x in otherwise} != {
            min(op.amount.evaluate(s, frame), available)
        }
    if op.name == "damage":
        source_text = damage_source_text(s, frame)
        return any(modified_damage(s, p, source_text).amount for p in planned_damage(s, frame, op))
    if op.name == "KO":
        return any(characteristics.can_be_kod(s, d) for d in operand(s, frame, op))
    if op.name == "give" and (ban := cast(w.Give, op.node).rule.word).startswith("cannot"):
        banned = [effect.subject for effect in s.active_effects if effect.word == ban and effect.rule == op.rule]
        return any(x not in banned for x in die_identity.seats_affected(s, ban, operand(s, frame, op), frame.you))
    return True


_FIELD_ONLY_OPS: Final = frozenset(row.op for row in EFFECTS.values() if row.requires_field)


def _can_affect_one(s: State, frame: AbilityFrame, op: Instruction, x: int) -> bool:
    """Return whether an instruction could affect this die or player: a die may have left or need no change."""
    if x >= PLAYER:
        if op.name == "life":
            return op.amount.evaluate(s, frame) <= 0 or s.life[x - PLAYER] < die_identity.starting_life(s, x - PLAYER)
        if op.name != "set life":
            return True
        return s.life[x - PLAYER] != min(cast(w.SetLife, op.node).amount, die_identity.starting_life(s, x - PLAYER))
    place = s.place[x] >> 2
    if op.name in _FIELD_ONLY_OPS:
        if op.name == "leave combat":
            return place == FIELD and (s.flags[x] & ATTACKING != 0 or combat_status.is_blocking(s, x))
        return place == FIELD
    if op.name == "give":
        node = cast(w.Give, op.node)
        return place in grantable_zones(node) and (
            node.rule.word != "must block this" or combat_status.could_block(s, x, frame.this)
        )
    if op.name == "move":
        return place not in (HELD, GONE, PLACES[cast(w.Move, op.node).to])
    if op.name == "reroll":
        return can_reroll_here(s, frame, x)
    if op.name == "field":
        return place != FIELD and can_field(s, frame.you, x)
    return place != GONE


def _can_draw(s: State, frame: AbilityFrame) -> bool:
    """Return whether the player has a die to draw, even if only the one that pays for it (rules 2.1a3, 3.1a4)."""
    spec = s.spec
    if BAG * 4 + frame.you in s.place:
        return True
    if USED * 4 + frame.you in s.place:
        excluded = unavailable_used_dice(s, frame)
        if not excluded or any(d not in excluded for d in s.dice_in(USED, frame.you)):
            return True
    if not _pays_into_used_pile(s, frame):
        return False
    price = costs.global_cost(s, frame.you, spec.abilities[frame.ability].need.price)
    return any(payment.could_pay_exactly(s, d, price) for d in s.dice_in(RESERVE, frame.you))


def _can_choose(s: State, ctx: AbilityFrame, choices: list[SelectionSpec]) -> bool:
    """Return whether every choice has a candidate, including choices that refer to earlier ones."""
    for choice in choices:
        if choice.group.registers:
            break
    else:
        for choice in choices:
            if not _has_candidates(s, ctx, choice):
                return False
        return True
    first, remaining = choices[0], choices[1:]
    if not _has_candidates(s, ctx, first):
        return False
    if not remaining or first.group.depends or first.most != 1:
        return _can_choose(s, ctx, remaining) if remaining else True
    for x in legal_targets(s, ctx, first):
        chosen = (*ctx.chosen, *((),) * (first.register - len(ctx.chosen)), (x,))
        if _can_choose(s, ctx.with_chosen(chosen), remaining):
            return True
    return False


def _has_candidates(s: State, ctx: AbilityFrame, choice: SelectionSpec) -> bool:
    selector = choice.group
    if selector.depends or (selector.registers and any(n >= len(ctx.chosen) for n in selector.registers)):
        return True  # depends on earlier choices or effects
    if not choice.has_extra_requirements and not s.spec.has_targeting_protection:
        return any_match(s, selector, ctx)
    return bool(legal_targets(s, ctx, choice)) or _has_payment_for(s, ctx, choice.group)


def _has_payment_for(s: State, ctx: AbilityFrame, selector: Selector) -> bool:
    return bool(_payments_for(s, ctx, selector))


def _pays_into_used_pile(s: State, ctx: AbilityFrame) -> bool:
    """Return whether dice that pay for the ability can be taken from the Used Pile when it resolves."""
    edition = s.spec.edition
    if not edition.global_fetches_payment or (edition.out_of_play and (ctx.you ^ s.active) & 1 == 0):
        return False
    return s.spec.abilities[ctx.ability].need.energy > 0


def _payments_for(s: State, ctx: AbilityFrame, selector: Selector) -> list[int]:
    """Return the dice that could pay for the Global and then be taken from the Used Pile by it (rules 2.1a3)."""
    spec = s.spec
    ability = spec.abilities[ctx.ability]
    if not (ability.kind == "global" and USED in selector.places and _pays_into_used_pile(s, ctx)):
        return []
    dice: list[int] = []
    price = costs.global_cost(s, ctx.you, ability.need.price)
    query_cache, s.query_cache = s.query_cache, None
    for d in s.dice_in(RESERVE, ctx.you):
        if payment.could_pay_exactly(s, d, price):
            s.place[d] = USED * 4 + ctx.you
            if selector.predicate.matches(s, d, ctx):
                dice.append(d)
            s.place[d] = RESERVE * 4 + ctx.you
    s.query_cache = query_cache
    return dice


def can_afford(
    s: State,
    seat: int,
    cost: CompiledCost,
    ctx: AbilityFrame,
    pool: EnergyPool | None = None,
    price: Price | None = None,
) -> bool:
    """Return whether a player can pay a cost: energy, life, and a candidate for each choice (rules 3.3e5)."""
    price = cost.price if price is None else price
    if price[4]:
        if not payment.can_pay(pool if pool is not None else payment.energy_pool(s, seat), price):
            return False
    if cost.life and s.life[seat & 1] < cost.life:
        return False
    if not cost.affectable and not cost.choices:
        return True
    paying_ctx = ctx.with_payer(seat)
    if not all(select(s, selector, paying_ctx) for selector in cost.affectable):
        return False
    if not all(_has_candidates(s, paying_ctx, choice) for choice in cost.choices):
        return False
    if "costs at least to field" in s.spec.static_by_rule:
        for choice in cost.choices:
            if choice.fields and not _can_field_besides(s, paying_ctx, choice, price):
                return False
    return True


def _can_field_besides(s: State, ctx: AbilityFrame, choice: SelectionSpec, price: Price) -> bool:
    """Return whether a candidate's minimum fielding cost could be paid together with this price."""
    pool = payment.energy_pool(s, ctx.you)
    minimum_costs = {costs.minimum_fielding_cost(s, d) for d in legal_targets(s, ctx, choice)}
    return any(payment.can_pay(pool, payment.add_energy(price, (0, 0, 0, 0, n))) for n in minimum_costs)


def offer_cost(s: State, frame: AbilityFrame, op: Instruction) -> tuple[int, Price]:
    """Return the seat that gets the offer, and its price."""
    seat = deciding_seat(s, frame, cast(w.May, op.node).who)
    ability = s.spec.abilities[frame.ability]
    if ability.kind == "global" and ability.event:
        return seat, costs.global_cost(s, seat, op.need.price)
    return seat, op.need.price


def is_offerable(s: State, frame: AbilityFrame, op: Instruction) -> bool:
    """Return whether an offer can be paid for and could do anything (rules 5.3c1)."""
    seat, price = offer_cost(s, frame, op)
    if not can_afford(s, seat, op.need, frame, price=price) or (op.need.copies_action and not can_copy(s, frame)):
        return False
    with static_rules.UnchangedState(s):
        return not op.need.effect_instructions or any(
            can_affect(s, frame, effect) for effect in op.need.effect_instructions
        )


def grantable_zones(node: w.Give) -> tuple[int, ...]:
    """Return the zones in which dice can be given a rule."""
    return (FIELD, RESERVE) if RULES[node.rule.word].affects_reserve else (FIELD,)


def is_just_used(s: State, frame: AbilityFrame, d: int) -> bool:
    """Return whether the die is the action die just used and still where used dice go."""
    return frame.event.word == "action used" and d == frame.event.other and s.place[d] >> 2 in (OUT_OF_PLAY, USED)


def can_reroll_here(s: State, frame: AbilityFrame, d: int) -> bool:
    """Return whether the die can be rerolled; the action die just used can, although it was put away (ai 17)."""
    return is_just_used(s, frame, d) or characteristics.can_reroll(s, d)


def can_field(s: State, seat: int, d: int) -> bool:
    """Return whether a player's effect can field the die: it is allowed and its minimum cost is payable."""
    if not static_rules.can_field(s, d):
        return False
    price = costs.minimum_fielding_cost(s, d)
    return not price or payment.can_pay(payment.energy_pool(s, seat), (0, 0, 0, 0, price))


def can_use(s: State, seat: int, d: int, burst: int, event_word: str = "") -> bool:
    """Return whether a player may use an action die and it can do anything now (rules 5.3c1).

    `event_word` is the moment, for dice that can be used only at a particular moment.
    """
    for ability in s.spec.uses[s.spec.card_of[d]]:
        if ability.event != event_word:
            continue
        ctx = static_rules.ability_context(ability.index, seat, d, burst=burst)
        if (ability.condition is None or ability.condition.evaluate(s, ctx)) and can_activate(s, ctx):
            return not static_rules.is_banned(s, seat, "action")
    return False


def can_use_or_keep(s: State, seat: int, d: int, burst: int, event_word: str = "") -> bool:
    """Return whether a player may use an action die now; Continuous dice can always move to the field (rules 3.3d4)."""
    if can_use(s, seat, d, burst, event_word):
        return True
    return "Continuous" in s.spec.keywords[s.spec.card_of[d]] and not static_rules.is_banned(s, seat, "action")


def copied_action_abilities(s: State, frame: AbilityFrame) -> list[AbilityFrame]:
    """Return the abilities of a copy of the action just used, in order; a copy has no die (ai 18)."""
    spec = s.spec
    contexts: list[AbilityFrame] = []
    for ability in spec.uses[spec.card_of[frame.event.other]]:
        ctx = static_rules.ability_context(ability.index, frame.you, NOBODY, burst=frame.event.amount)
        if ability.condition is None or ability.condition.evaluate(s, ctx):
            contexts.append(ctx)
    return contexts


def can_copy(s: State, frame: AbilityFrame) -> bool:
    """Return whether a copy of the action just used could do anything (rules 5.3c1)."""
    return any(not _is_placement_only(s, ctx) and can_activate(s, ctx) for ctx in copied_action_abilities(s, frame))


def _is_placement_only(s: State, ctx: AbilityFrame) -> bool:
    """Return whether an ability does nothing but place its die, which a copy does not have."""
    op_names = {op.name for op in s.spec.abilities[ctx.ability].programs[ctx.burst].ops} - {"choose"}
    return op_names <= {"attach", "place on card"}


def cards_for_action_die(s: State, frame: AbilityFrame, op: Instruction) -> list[int]:
    """Return the cards on which an action die may be put (uxm 62)."""
    spec = s.spec
    assert op.group is not None
    return [
        c for c in range(spec.n_seats, spec.n_real_cards) if op.group.predicate.matches(s, spec.dice_of[c][0], frame)
    ]


def affiliations(s: State, frame: AbilityFrame, op: Instruction) -> list[int]:
    """Return the affiliations that an instruction may name, as indices."""
    node = cast(w.NameAffiliation, op.node)
    minimum = node.at_least
    names = [(i, name) for i, name in enumerate(s.spec.affiliations) if name != node.other_than]
    if op.group is None:
        return [i for i, _ in names]
    dice = select(s, op.group, frame)
    ops = s.spec.abilities[frame.ability].programs[frame.burst].ops
    if any(x.choice is not None and is_target(s, x.choice) for x in ops):  # only dice that can be targeted count
        dice = [d for d in dice if targetable(s, frame, d)]
    return [i for i, name in names if sum(characteristics.has_affiliation(s, d, name) for d in dice) >= minimum]
