"""Choosing: one thing after the other, and who may change a target (rules 5.3)."""

from __future__ import annotations

from dicemasters.game.abilities.program import Instruction, SelectionSpec
from dicemasters.game.effects.feasibility import is_target, legal_targets
from dicemasters.game.effects.operands import operand, source_kind
from dicemasters.game.mechanics import replacement
from dicemasters.game.mechanics.decision_requests import note_forced_choice, request_decision
from dicemasters.game.mechanics.triggers import emit
from dicemasters.game.queries import characteristics, die_identity
from dicemasters.game.queries.equivalence import canonical_order, one_per_class
from dicemasters.game.state.constants import PLAYER
from dicemasters.game.state.frames import AbilityFrame, RetargetFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, SPIN_DOWN, GameEvent, Option


def choosing_seat(s: State, f: AbilityFrame, choice: SelectionSpec) -> int:
    if choice.by == "payer" or choice.by_controller:
        return f.payer
    if choice.by_turn >= 0:
        return die_identity.player_by_turn(s, choice.by_turn)
    return die_identity.opponent_of(f.you) if choice.by == "opponent" else f.you


def run_choose(s: State, f: AbilityFrame, op: Instruction) -> None:
    choice = op.choice
    assert choice is not None
    picked = f.picked
    if f.waiting:
        what, x, _ = s.answer
        if what == "done":
            _chosen(s, f, choice, picked)
            return
        picked = (*picked, x | SPIN_DOWN if what == "down" else x)
        f.waiting = 0
    found = canonical_order(s, legal_targets(s, f, choice), f.paid)
    f.picked = picked
    if choice.least == choice.most and len(found) <= choice.least and not choice.spins:
        for x in found if s.journal is not None else ():
            note_forced_choice(s, choosing_seat(s, f, choice), ("choose", x, 0), f.ability, f.pc)
        _chosen(s, f, choice, tuple(found))
        return
    left = _left_to_pick(s, choice, found, picked)
    if len(picked) >= choice.most or not left:
        _chosen(s, f, choice, picked)
        return
    enough = len(picked) >= choice.least
    if not enough and choice.least > 1:
        # dice are picked in their order: keep enough of them for the rest
        room = len(left) - (choice.least - len(picked))
        first = set(left[: room + 1])
        options: list[Option] = [("choose", x, 0) for x in one_per_class(s, left) if x in first]
    elif choice.spins:
        options = []
        for x in one_per_class(s, left):
            if characteristics.can_spin(s, x, 1):
                options.append(("up", x, 0))
            if characteristics.can_spin(s, x, -1):
                options.append(("down", x, 0))
    else:
        options = [("choose", x, 0) for x in one_per_class(s, left)]
    if enough:
        options.append(("done", len(picked), 0))
    if len(options) == 1:
        what, x, _ = options[0]
        if s.journal is not None:
            note_forced_choice(s, choosing_seat(s, f, choice), options[0], f.ability, f.pc)
        f.picked = (*picked, x | SPIN_DOWN if what == "down" else x)
        if len(f.picked) >= choice.most:
            _chosen(s, f, choice, f.picked)
        return
    f.waiting = 1
    request_decision(s, choosing_seat(s, f, choice), "choose", options, about=f.ability)


def _left_to_pick(s: State, choice: SelectionSpec, found: list[int], picked: tuple[int, ...]) -> list[int]:
    """List what may be picked after these: what comes later in the order, and is not too dear."""
    last = picked[-1] & (SPIN_DOWN - 1) if picked else NOBODY
    left = found[found.index(last) + 1 :] if last in found else found
    if choice.within:
        rest = choice.within - sum(characteristics.printed_numbers(s, x)[0] for x in picked)  # as printed, or copied
        left = [x for x in left if characteristics.printed_numbers(s, x)[0] <= rest]
    return left


def pending_selection(s: State) -> tuple[SelectionSpec, list[int]] | None:
    """Give the selection the game waits for and all that may still be picked for it; None if it waits for no such."""
    f = s.stack[-1] if s.stack else None
    if not isinstance(f, AbilityFrame) or s.decision.kind != "choose":
        return None
    choice = s.spec.abilities[f.ability].programs[f.burst].ops[f.pc].choice
    if choice is None:
        return None
    found = canonical_order(s, legal_targets(s, f, choice), f.paid)
    return choice, _left_to_pick(s, choice, found, f.picked)


def _chosen(s: State, f: AbilityFrame, choice: SelectionSpec, picked: tuple[int, ...]) -> None:
    registers = list(f.chosen)
    while len(registers) <= choice.register:
        registers.append(())
    registers[choice.register] = picked
    f.jump_to(f.pc + 1)
    f.chosen = tuple(registers)
    f.picked = ()
    _note_controller(s, f, choice)
    if "would be targeted" in s.spec.replacements:
        _let_change(s, f, -1)
    elif picked and is_target(s, choice):
        _emit_targeted(s, f, picked)


def _let_change(s: State, f: AbilityFrame, after: int) -> None:
    """When all of a text's targets are chosen, each may be changed, one after the other (uxm 58)."""
    ops = s.spec.abilities[f.ability].programs[f.burst].ops
    if f.pc < len(ops) and ops[f.pc].name == "choose":
        return
    made: list[int] = []
    for op in reversed(ops[: f.pc]):
        if op.choice is None:
            break
        if op.choice.register > after and f.chosen[op.choice.register] and is_target(s, op.choice):
            made.append(op.choice.register)
    if made:
        s.stack.append(RetargetFrame(min(made)))


def _note_controller(s: State, f: AbilityFrame, choice: SelectionSpec) -> None:
    """Note whose the die is that was chosen, where that player is asked later: the die may be gone by then (cw 24)."""
    if choice.asks_controller:
        for d in f.chosen[choice.register]:
            f.payer = s.place[d] & 3


def _emit_targeted(s: State, f: AbilityFrame, picked: tuple[int, ...]) -> None:
    for x in picked:
        if x < PLAYER or x >= SPIN_DOWN:
            emit(s, "targeted", x & (SPIN_DOWN - 1), f.this, kind=source_kind(s, f))


def run_retarget(s: State, f: RetargetFrame) -> None:
    chooser = s.stack[-2]
    assert isinstance(chooser, AbilityFrame)
    for side in (s.active & 1, 1 - (s.active & 1)):
        for i, x in enumerate(chooser.chosen[f.register]):
            d = x & (SPIN_DOWN - 1)
            if d >= PLAYER:
                continue
            h = GameEvent("would be targeted", d, chooser.this, i, source_kind(s, chooser))
            for sentence in s.spec.replacements["would be targeted"]:
                for ctx in replacement.applicable_contexts(s, sentence, h):
                    key = (sentence.index, ctx.you, i)
                    if ctx.you & 1 == side and key not in f.asked:
                        f.asked = (*f.asked, key)
                        s.stack.append(ctx)
                        return
    s.stack.pop()
    _emit_targeted(s, chooser, chooser.chosen[f.register])
    _let_change(s, chooser, f.register)


def replace_target(s: State, f: AbilityFrame, op: Instruction) -> None:
    """Put another die in the place of the target that was asked about; who had declined is asked about that one."""
    f.pc += 1
    targeting, chooser = s.stack[-2], s.stack[-3]
    assert isinstance(targeting, RetargetFrame)
    assert isinstance(chooser, AbilityFrame)
    for d in operand(s, f, op)[:1]:
        i = f.event.amount
        used = (*targeting.used, (f.ability, f.you, i))
        targeting.asked = tuple(key for key in targeting.asked if key[2] != i or key in used)
        targeting.used = used
        targets = list(chooser.chosen[targeting.register])
        targets[i] = d | (targets[i] & SPIN_DOWN)
        chosen = list(chooser.chosen)
        chosen[targeting.register] = tuple(targets)
        chooser.chosen = tuple(chosen)
        for op in s.spec.abilities[chooser.ability].programs[chooser.burst].ops:
            if op.choice is not None and op.choice.register == targeting.register:
                _note_controller(s, chooser, op.choice)
