"""Compound decisions: everything that can be a part of the answer, and how many parts it may have.

The engine asks for attackers, blocks, rerolls, payments and the like part by part, in a fixed order, and does not
distinguish equivalent dice. This module assembles the whole question for callers that answer it at once.
"""

from __future__ import annotations

from typing import NamedTuple

from dicemasters.game.effects import damage_effects, operands, targeting
from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.combat import damage_assignment, declarations, restrictions
from dicemasters.game.queries import characteristics, die_identity, static_rules
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.constants import ATTACKING, CARD, PLAYER
from dicemasters.game.state.decision_kinds import DECISION_KINDS
from dicemasters.game.state.frames import DamageAssignmentFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, Option


class CompoundOption(NamedTuple):
    """Possible part of an answer: an option and the dice that are equivalent for it."""

    number: int  # index of the engine's option, -1 if it is offered only after other parts
    option: Option
    dice: tuple[int, ...] = ()
    to: tuple[int, ...] = ()  # for a block: the equivalent attackers


class CompoundDecision(NamedTuple):
    """Form of an answer: one option, a number of parts between two limits, or parts that add up to a total."""

    mode: str
    minimum: int
    maximum: int
    total: int
    options: list[CompoundOption]


def compound_decision(s: State) -> CompoundDecision:
    """Return the pending decision with everything that can be a part of its answer."""
    with static_rules.UnchangedState(s):
        return _compound_decision(s)


def _compound_decision(s: State) -> CompoundDecision:
    mode = DECISION_KINDS[s.decision.kind].mode
    if mode == "blocks":
        parts = block_options_of(s)
        maximum = sum(len(part.dice) * len(part.to) for part in parts)
        return CompoundDecision(mode, 0 if _can_stop(s) else 1, maximum, 0, parts)
    if mode == "spend":
        frame = payment.pending_payment(s)
        remaining = frame.left()
        return CompoundDecision(mode, 1, remaining, remaining, _parts(s, payment.payment_parts(s, frame)))
    if mode == "split":
        total, shares = damage_split_of(s)
        return CompoundDecision(
            mode,
            0,
            len(shares),
            total,
            [CompoundOption(-1, ("amount", d, n), (d,) if d < PLAYER else ()) for d, n in shares],
        )
    if s.decision.kind == "choose":
        return _selection_decision(s)
    if s.decision.kind == "attack":
        options = s.options
        if not _can_stop(s):  # other dice may attack after those that must
            listed = {equivalence_key(s, x) for kind, x, _ in options if kind == "attack"}
            for d in die_identity.fielded_characters(s, s.decision.seat):
                if not s.flags[d] & ATTACKING and restrictions.can_attack(s, d) and equivalence_key(s, d) not in listed:
                    listed.add(equivalence_key(s, d))
                    options = [*options, ("attack", d, 0)]
        return _multiple_choice(s, options, "attack")
    if s.decision.kind == "reroll":
        return _multiple_choice(s, s.options, "reroll")
    return CompoundDecision("one", 1, 1, 0, _parts(s, s.options))


def _multiple_choice(s: State, options: list[Option], kind: str) -> CompoundDecision:
    parts = _parts(s, options)
    maximum = sum(len(part.dice) for part in parts if part.option[0] == kind)
    return CompoundDecision("many", 0 if _can_stop(s) else 1, maximum, 0, parts)


def _selection_decision(s: State) -> CompoundDecision:
    selection = targeting.pending_selection(s)
    if selection is None or selection[0].spins:
        return CompoundDecision("one", 1, 1, 0, _parts(s, s.options))
    choice, remaining = selection
    picked = len(operands.current_instruction(s)[0].picked)
    maximum = min(choice.most - picked, len(remaining))
    classes: dict[tuple[int, ...], list[int]] = {}
    for d in remaining:
        classes.setdefault(equivalence_key(s, d), []).append(d)
    options: list[Option] = [("choose", dice[0], 0) for dice in classes.values()]
    options += [o for o in s.options if o[0] == "done"]
    index = {o: i for i, o in enumerate(s.options)}
    parts = [
        CompoundOption(
            index.get(o, -1),
            o,
            tuple(d for d in classes[equivalence_key(s, o[1])] if d < PLAYER) if o[0] == "choose" else (),
        )
        for o in options
    ]
    if maximum <= 1:
        return CompoundDecision("one", 1, 1, 0, parts)
    return CompoundDecision("many", max(0, choice.least - picked), maximum, 0, parts)


def _can_stop(s: State) -> bool:
    return any(kind == "done" for kind, _, _ in s.options)


def _parts(s: State, options: list[Option]) -> list[CompoundOption]:
    index = {o: i for i, o in enumerate(s.options)}
    return [CompoundOption(index.get(o, -1), o, dice_of(s, o)) for o in options]


def dice_of(s: State, option: Option) -> tuple[int, ...]:
    """Return the dice an option stands for, any of which could replace the one it names."""
    kind, x, y = option
    spec = s.spec
    match kind:
        case "buy":
            return tuple(d for d in spec.dice_of[x] if s.place[d] >> 2 == CARD)
        case "field" | "use":
            return tuple(
                d for d in spec.dice_of[spec.card_of[x]] if s.place[d] == s.place[x] and s.face[d] == s.face[x]
            )
        case "pay":
            return () if x == NOBODY else _equivalent_payment_dice(s, x)
        case "reroll" | "attack" | "choose" | "up" | "down" | "end":
            return _equivalent_dice(s, x)
        case "ability":
            return _equivalent_dice(s, y)
        case "block":
            return _equivalent_dice(s, x)
        case "amount":
            return (x,) if x < PLAYER else ()
        case "resolve":
            this = s.queue[y].this
            return (this,) if this < PLAYER else ()
    return ()


def _equivalent_dice(s: State, x: int) -> tuple[int, ...]:
    if x >= PLAYER:
        return ()
    place, die_class = s.place, equivalence_key(s, x)
    card_dice = s.spec.dice_of[s.spec.card_of[x]]
    return tuple(d for d in card_dice if d == x or (place[d] == place[x] and equivalence_key(s, d) == die_class))


def _equivalent_payment_dice(s: State, x: int) -> tuple[int, ...]:
    die_class = payment.payment_class(s, x)
    card_dice = s.spec.dice_of[s.spec.card_of[x]]
    return tuple(d for d in card_dice if s.place[d] == s.place[x] and payment.payment_class(s, d) == die_class)


def damage_split_of(s: State) -> tuple[int, list[tuple[int, int]]]:
    """Return the damage to split and its possible recipients, each with the damage that KOs it (0 for a player)."""
    frame = s.stack[-1]
    if isinstance(frame, DamageAssignmentFrame):
        return damage_assignment.remaining_split(s, frame)
    total, dice = damage_effects.pending_division(s)
    return total, [(d, max(0, characteristics.current_stats(s, d)[1] - s.damage[d]) if d < PLAYER else 0) for d in dice]


# --- blocks --------------------------------------------------------------------------------------------------------


def block_options_of(s: State) -> list[CompoundOption]:
    """Return the blocks that can be parts of the answer."""
    blocks = [o for o in s.options if o[0] == "block"]
    offered = len(blocks)
    blocks += declarations.BlockDeclaration(s).later_options(blocks)
    classes = _EquivalenceClasses(s)
    parts = [
        CompoundOption(i if i < offered else -1, o, classes.of(o[1]), classes.of(o[2])) for i, o in enumerate(blocks)
    ]
    return [*parts, *(CompoundOption(i, o) for i, o in enumerate(s.options) if o[0] != "block")]


class _EquivalenceClasses:
    """The equivalent dice of each die, found once for many questions."""

    def __init__(self, s: State) -> None:
        self.s = s
        self._of: dict[int, tuple[int, ...]] = {}

    def of(self, d: int) -> tuple[int, ...]:
        """Return the dice that are equivalent to this one, itself included."""
        if d not in self._of:
            dice = _equivalent_dice(self.s, d)
            self._of |= dict.fromkeys(dice, dice)
        return self._of[d]
