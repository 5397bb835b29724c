"""Choices, one pick after another, and effects that change a target (rules 5.3)."""

from __future__ import annotations

from dicemasters.game.abilities.program import Instruction, SelectionSpec
from dicemasters.game.effects.feasibility import is_target, legal_targets
from dicemasters.game.effects.operands import operand, source_kind
from dicemasters.game.mechanics import replacement
from dicemasters.game.mechanics.decision_requests import note_forced_choice, request_decision
from dicemasters.game.mechanics.triggers import emit
from dicemasters.game.queries import characteristics, die_identity
from dicemasters.game.queries.equivalence import canonical_order, one_per_class
from dicemasters.game.queries.static_rules import UnchangedState
from dicemasters.game.state.constants import PLAYER
from dicemasters.game.state.frames import AbilityFrame, RetargetFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NOBODY, SPIN_DOWN, GameEvent, Option


def choosing_seat(s: State, frame: AbilityFrame, choice: SelectionSpec) -> int:
    """Return the seat that makes a choice."""
    if choice.by == "payer" or choice.by_controller:
        return frame.payer
    if choice.by_turn >= 0:
        return die_identity.player_by_turn(s, choice.by_turn)
    return die_identity.opponent_of(frame.you) if choice.by == "opponent" else frame.you


def run_choose(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Ask for the next pick of a choice, or finish it."""
    choice = op.choice
    assert choice is not None
    picked = frame.picked
    if frame.waiting:
        kind, x, _ = s.answer
        if kind == "done":
            _finish_selection(s, frame, choice, picked)
            return
        picked = (*picked, x | SPIN_DOWN if kind == "down" else x)
        frame.waiting = 0
    with UnchangedState(s):
        candidates = canonical_order(s, legal_targets(s, frame, choice), frame.paid)
        representatives = one_per_class(s, _remaining_picks(s, choice, candidates, picked))
    frame.picked = picked
    # as many as there are (rules 5.1e); an effect without a target does nothing (rules 5.3c4)
    if choice.least == choice.most and len(candidates) <= choice.least and not choice.spins:
        for x in candidates if s.journal is not None else ():
            note_forced_choice(s, choosing_seat(s, frame, choice), ("choose", x, 0), frame.ability, frame.pc)
        _finish_selection(s, frame, choice, tuple(candidates))
        return
    remaining = _remaining_picks(s, choice, candidates, picked)
    if len(picked) >= choice.most or not remaining:
        _finish_selection(s, frame, choice, picked)
        return
    has_minimum = len(picked) >= choice.least
    if not has_minimum and choice.least > 1:
        # picks follow the canonical order: leave enough dice for the remaining picks
        spare = len(remaining) - (choice.least - len(picked))
        pickable = set(remaining[: spare + 1])
        options: list[Option] = [("choose", x, 0) for x in representatives if x in pickable]
    elif choice.spins:
        options = []
        for x in representatives:
            if characteristics.can_spin(s, x, 1):
                options.append(("up", x, 0))
            if characteristics.can_spin(s, x, -1):
                options.append(("down", x, 0))
    else:
        options = [("choose", x, 0) for x in representatives]
    if has_minimum:
        options.append(("done", len(picked), 0))
    if len(options) == 1:
        kind, x, _ = options[0]
        if s.journal is not None:
            note_forced_choice(s, choosing_seat(s, frame, choice), options[0], frame.ability, frame.pc)
        frame.picked = (*picked, x | SPIN_DOWN if kind == "down" else x)
        if len(frame.picked) >= choice.most:
            _finish_selection(s, frame, choice, frame.picked)
        return
    frame.waiting = 1
    request_decision(s, choosing_seat(s, frame, choice), "choose", options, about=frame.ability)


def _remaining_picks(s: State, choice: SelectionSpec, candidates: list[int], picked: tuple[int, ...]) -> list[int]:
    """Return the candidates that may follow these picks: later in the order and within the total allowed."""
    last = picked[-1] & (SPIN_DOWN - 1) if picked else NOBODY
    remaining = candidates[candidates.index(last) + 1 :] if last in candidates else candidates
    if choice.within:
        budget = choice.within - sum(characteristics.printed_numbers(s, x)[0] for x in picked)  # as printed, or copied
        remaining = [x for x in remaining if characteristics.printed_numbers(s, x)[0] <= budget]
    return remaining


def pending_selection(s: State) -> tuple[SelectionSpec, list[int]] | None:
    """Return the pending choice with its remaining candidates, or None if the game waits for something else."""
    frame = s.stack[-1] if s.stack else None
    if not isinstance(frame, AbilityFrame) or s.decision.kind != "choose":
        return None
    choice = s.spec.abilities[frame.ability].programs[frame.burst].ops[frame.pc].choice
    if choice is None:
        return None
    candidates = canonical_order(s, legal_targets(s, frame, choice), frame.paid)
    return choice, _remaining_picks(s, choice, candidates, frame.picked)


def _finish_selection(s: State, frame: AbilityFrame, choice: SelectionSpec, picked: tuple[int, ...]) -> None:
    registers = list(frame.chosen)
    while len(registers) <= choice.register:
        registers.append(())
    registers[choice.register] = picked
    frame.jump_to(frame.pc + 1)
    frame.chosen = tuple(registers)
    frame.picked = ()
    _record_controller(s, frame, choice)
    if "would be targeted" in s.spec.replacements:
        _offer_retargeting(s, frame, -1)
    elif picked and is_target(s, choice):
        _emit_targeted(s, frame, picked)


def _offer_retargeting(s: State, frame: AbilityFrame, last_register: int) -> None:
    """When all targets of a text are chosen, offer to change each of them in turn (uxm 58)."""
    ops = s.spec.abilities[frame.ability].programs[frame.burst].ops
    if frame.pc < len(ops) and ops[frame.pc].name == "choose":
        return
    registers: list[int] = []
    for op in reversed(ops[: frame.pc]):
        if op.choice is None:
            break
        if op.choice.register > last_register and frame.chosen[op.choice.register] and is_target(s, op.choice):
            registers.append(op.choice.register)
    if registers:
        s.stack.append(RetargetFrame(min(registers)))


def _record_controller(s: State, frame: AbilityFrame, choice: SelectionSpec) -> None:
    """Record the controller of a chosen die who decides later, as the die may have left by then (cw 24)."""
    if choice.records_controller:
        for d in frame.chosen[choice.register]:
            frame.payer = s.place[d] & 3


def _emit_targeted(s: State, frame: AbilityFrame, picked: tuple[int, ...]) -> None:
    for x in picked:
        if x < PLAYER or x >= SPIN_DOWN:
            emit(s, "targeted", x & (SPIN_DOWN - 1), frame.this, kind=source_kind(s, frame))


def run_retarget(s: State, frame: RetargetFrame) -> None:
    """Offer the next ability that may change a target; if there is none, announce the targets."""
    chooser = s.stack[-2]
    assert isinstance(chooser, AbilityFrame)
    for side in (s.active & 1, 1 - (s.active & 1)):
        for i, x in enumerate(chooser.chosen[frame.register]):
            d = x & (SPIN_DOWN - 1)
            if d >= PLAYER:
                continue
            event = GameEvent("would be targeted", d, chooser.this, i, source_kind(s, chooser))
            for ability in s.spec.replacements["would be targeted"]:
                for ctx in replacement.applicable_contexts(s, ability, event):
                    key = (ability.index, ctx.you, i)
                    if ctx.you & 1 == side and key not in frame.asked:
                        frame.asked = (*frame.asked, key)
                        s.stack.append(ctx)
                        return
    s.stack.pop()
    _emit_targeted(s, chooser, chooser.chosen[frame.register])
    _offer_retargeting(s, chooser, frame.register)


def replace_target(s: State, frame: AbilityFrame, op: Instruction) -> None:
    """Replace the target in question; players who declined are asked again about the new one."""
    frame.pc += 1
    retarget, chooser = s.stack[-2], s.stack[-3]
    assert isinstance(retarget, RetargetFrame)
    assert isinstance(chooser, AbilityFrame)
    for d in operand(s, frame, op)[:1]:
        i = frame.event.amount
        used = (*retarget.used, (frame.ability, frame.you, i))
        retarget.asked = tuple(key for key in retarget.asked if key[2] != i or key in used)
        retarget.used = used
        targets = list(chooser.chosen[retarget.register])
        targets[i] = d | (targets[i] & SPIN_DOWN)
        chosen = list(chooser.chosen)
        chosen[retarget.register] = tuple(targets)
        chooser.chosen = tuple(chosen)
        for op in s.spec.abilities[chooser.ability].programs[chooser.burst].ops:
            if op.choice is not None and op.choice.register == retarget.register:
                _record_controller(s, chooser, op.choice)
