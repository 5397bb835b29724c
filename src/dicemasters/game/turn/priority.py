"""Priority: who may act, and when both sides have passed (rules 3.3f)."""

from __future__ import annotations

from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.decision_requests import note_forced_choice, request_decision
from dicemasters.game.queries import die_identity
from dicemasters.game.state.constants import (
    ACTIVE_PRIORITY,
    DECLINED,
    DONE,
    FINAL_PRIORITY,
    MAIN,
    OPPONENT_PRIORITY,
    PASSED,
    PRIORITY_RETURNED,
    WINDOW,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_OPTION
from dicemasters.game.turn.actions import start_action
from dicemasters.game.turn.legal_actions import legal_actions


def run_priority_window(s: State, first: int) -> None:
    """Run a window of priority whose first stage is `first` (rules 3.3f1, 3.3f2, 3.3f4, 3.3f6).

    The active player acts until they pass, then the other does one thing, and so on. The window ends when the other has
    declined and the active player does nothing more. Players whose only option is to pass are skipped; if the other
    player is skipped, there is no last word for the active one (rules 3.3f5).
    """
    if s.spec.n_seats > 2:
        _partners_priority(s, first)
        return
    stage = s.substep - first
    other = s.active ^ 1
    answer = s.answer[0]
    if answer and answer != "pass":
        # a player who has acted passes afterwards, so that the other can respond (rules 3.3f3)
        s.substep = first + (PRIORITY_RETURNED if stage == OPPONENT_PRIORITY else ACTIVE_PRIORITY)
        start_action(s, other if stage == OPPONENT_PRIORITY else s.active, s.answer)
        return
    if answer:
        _drop_virtual_energy(s, other if stage == OPPONENT_PRIORITY else s.active)
        stage = _after_pass(stage)
    elif stage == PRIORITY_RETURNED:
        stage = _stage_after_response(s, other)
    if stage == OPPONENT_PRIORITY:
        options = legal_actions(s, other)
        if len(options) > 1:
            s.substep = first + OPPONENT_PRIORITY
            request_decision(s, other, "respond", options)
            return
        if s.journal is not None:
            note_forced_choice(s, other, options[0])
        _drop_virtual_energy(s, other)
        stage = DONE
    if stage < DONE:
        options = legal_actions(s, s.active)
        if stage == ACTIVE_PRIORITY or len(options) > 1:
            s.substep = first + stage
            request_decision(s, s.active, "main" if s.step == MAIN else "fight", options)
            return
    s.substep = first + DONE


def can_hold_priority(s: State) -> bool:
    """Return whether the active player would have a last word after passing now, because the other can respond."""
    if s.decision.kind not in ("main", "fight") or s.substep in (FINAL_PRIORITY, WINDOW + FINAL_PRIORITY):
        return False
    return any(len(legal_actions(s, seat)) > 1 for seat in s.spec.sides[die_identity.opponent_of(s.active)])


def _after_pass(stage: int) -> int:
    """Return the stage after a pass (rules 3.3f4)."""
    if stage == ACTIVE_PRIORITY:
        return OPPONENT_PRIORITY
    return FINAL_PRIORITY if stage == OPPONENT_PRIORITY else DONE


def _drop_virtual_energy(s: State, seat: int) -> None:
    """Drop a passing player's virtual energy; before ai, energy for missing dice outlasts it (rules 3.3a10, 3.1b3)."""
    if s.virtual_energy[seat]:
        s.virtual_energy[seat] = payment.lasting_energy(s, seat)


def _stage_after_response(s: State, seat: int) -> int:
    """Return the stage after an action of the inactive player (rules 3.3f2)."""
    partners = s.spec.sides[seat]
    if not s.spec.edition.one_answer and any(len(legal_actions(s, partner)) > 1 for partner in partners):
        return OPPONENT_PRIORITY
    for partner in partners:
        _drop_virtual_energy(s, partner)
    return ACTIVE_PRIORITY


def _partners_priority(s: State, first: int) -> None:
    """Run a window of priority in Doubles (rules 7.3f; docs/doubles.md).

    The active side acts until both partners have passed in a row, then the other side does one thing, and so on.
    Players whose only option is to pass are skipped.
    """
    while s.substep < first + DONE:
        stage = s.substep - first
        if stage == PRIORITY_RETURNED:
            s.substep = first + _stage_after_response(s, 1 - (s.active & 1))
            continue
        seat = s.active
        if stage == OPPONENT_PRIORITY:
            lead = 1 - (s.active & 1)
            seat = lead ^ 2 if (PASSED, lead) in s.turn_limits else lead
        answer = s.answer[0]
        if answer and answer != "pass":
            clear_passes(s)
            s.substep = first + (PRIORITY_RETURNED if stage == OPPONENT_PRIORITY else ACTIVE_PRIORITY)
            if stage == OPPONENT_PRIORITY:
                s.active &= 1
            start_action(s, seat, s.answer)
            return
        if not answer:
            options = legal_actions(s, seat)
            if len(options) > 1:
                request_decision(
                    s,
                    seat,
                    "respond" if stage == OPPONENT_PRIORITY else ("main" if s.step == MAIN else "fight"),
                    options,
                )
                return
        elif stage == OPPONENT_PRIORITY:
            s.turn_limits.append((DECLINED, seat))
        s.answer = NO_OPTION
        if (PASSED, seat ^ 2) not in s.turn_limits:
            s.turn_limits.append((PASSED, seat))
            if stage != OPPONENT_PRIORITY:
                s.active = seat ^ 2
            continue
        declined = any(kind == DECLINED for kind, _ in s.turn_limits)
        clear_passes(s)
        for partner in s.spec.sides[seat]:
            _drop_virtual_energy(s, partner)
        s.substep = first + (DONE if stage == OPPONENT_PRIORITY and not declined else _after_pass(stage))
        s.active &= 1


def clear_passes(s: State) -> None:
    """Forget which partners have passed or declined."""
    s.turn_limits = [entry for entry in s.turn_limits if entry[0] not in (PASSED, DECLINED)]
