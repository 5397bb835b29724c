"""The attack step, stage by stage (rules 3.4)."""

from __future__ import annotations

from typing import Final

from dicemasters.cards.language.vocabulary import THIS_ATTACK, TakeControl
from dicemasters.game.abilities.program import CompiledAbility
from dicemasters.game.mechanics import holding, knockout
from dicemasters.game.mechanics.combat import damage_assignment, declarations
from dicemasters.game.mechanics.decision_requests import note_forced_choice, request_decision
from dicemasters.game.mechanics.triggers import advance_timestamp, emit
from dicemasters.game.queries import combat_status, static_rules
from dicemasters.game.queries.die_identity import ACTION
from dicemasters.game.state.constants import (
    ATTACK,
    ATTACK_AGAIN,
    ATTACK_END,
    ATTACK_OVER,
    ATTACKING,
    BLOCKING,
    CLEANUP,
    COMMITTED,
    FAST,
    FAST_KO,
    FIELD,
    PASSED,
    PLAYER,
    REGULAR,
    REGULAR_KO,
    RESERVE,
    RETURN,
    TO_ATTACK,
    UNDECIDED,
    WINDOW,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import Option
from dicemasters.game.turn.actions import start_action
from dicemasters.game.turn.legal_actions import can_use
from dicemasters.game.turn.priority import clear_passes, run_priority_window
from dicemasters.game.turn.steps import enter_step


def run_attack_step(s: State) -> None:
    """Run the current stage of the attack step."""
    stage = s.substep
    if stage <= COMMITTED or stage == ATTACK_AGAIN:
        _declare_attackers(s)
    elif stage == BLOCKING:
        _declare_blockers(s)
    elif stage < FAST:
        run_priority_window(s, WINDOW)  # rules 3.4c1
    elif stage == FAST and "Fast" in s.spec.keywords_at_table:  # rules 3.4d6, 6.7a
        s.substep = FAST_KO
        advance_timestamp(s)
        damage_assignment.start_assignment(s, 1)
    elif stage in (FAST, REGULAR):
        s.substep = REGULAR_KO
        advance_timestamp(s)
        damage_assignment.start_assignment(s, 0)
    elif stage in (FAST_KO, REGULAR_KO):
        s.substep += 1
        knockout.ko_lethally_damaged(s)
    elif stage == ATTACK_END:
        s.substep = RETURN
        advance_timestamp(s)
        # emitted before the dice leave the attack zone (rules 3.4e3)
        emit(s, "attack step ends", PLAYER + (s.active & 1))
    elif stage == RETURN:
        s.substep = ATTACK_OVER
        declarations.end_attack(s)
    elif _attacks_again(s):
        declarations.return_to_field(s)
        for hold in s.holdings[:]:
            if hold.until == THIS_ATTACK:
                holding.release(s, hold)
        enter_step(s, ATTACK)
        s.substep = ATTACK_AGAIN
    else:
        enter_step(s, CLEANUP)


def _attacks_again(s: State) -> bool:
    """Return whether a rule gives the active player another attack step, and use it up (rules 3.4g4, cw 108).

    Declaring no attackers declines it.
    """
    if not s.active_effects and "attacks again" not in s.spec.static_by_rule:
        return False
    for seat in s.spec.sides[s.active]:
        for _, ctx, _, _ in static_rules.rules_affecting(s, "attacks again", s.spec.person + seat):
            if (ctx.ability, ctx.you) not in s.turn_limits:
                s.turn_limits.append((ctx.ability, ctx.you))
                return True
    return False


def _declare_attackers(s: State) -> None:
    """Declare attackers one at a time.

    Without attackers there is no attack step, so effects of its start wait for the first one (rules 3.4g2).
    """
    if s.answer[0] == "done":
        if s.substep == ATTACK_AGAIN and not s.active & 2 and NO_MORE_ATTACKERS not in declarations.attack_options(s):
            _finish_attackers(s)  # a lead who must attack but declines the second step declines for the partner too
        else:
            _finish_seat_attacks(s)
        return
    begins_step = s.substep in (TO_ATTACK, ATTACK_AGAIN)
    if s.answer[0]:
        s.substep = COMMITTED
        if s.answer[0] == "use":
            start_action(s, s.active, s.answer)
        else:
            declarations.declare_attack(s, s.answer[1], begins_step)
        if begins_step:
            emit(s, "attack step starts", PLAYER + (s.active & 1))
        if s.stack or s.queue:
            return
    declarations.pay_first_attacker(s)
    if s.result != UNDECIDED:
        return
    options = declarations.attack_options(s)
    if s.spec.has_attack_start_uses and not any(s.flags[d] & ATTACKING for d in s.iter_zone(FIELD, s.active)):
        has_attackers = combat_status.has_attackers(s)
        options = _start_of_step_uses(s, len(options) > 1 or has_attackers or _can_partner_attack(s)) + options
        is_begun = s.substep == COMMITTED and not has_attackers
        if is_begun and len(options) > 1 and not _can_partner_attack(s):
            # an action die for its start has begun the step, so there must be an attacker (rules 3.4g2)
            options = [option for option in options if option != NO_MORE_ATTACKERS]
    if s.substep == ATTACK_AGAIN and NO_MORE_ATTACKERS not in options:
        options.append(NO_MORE_ATTACKERS)  # a second attack step is optional (rules 3.4g4, cw 108)
    if len(options) == 1 and options[0][0] == "done":
        if s.journal is not None:
            note_forced_choice(s, s.active, ("attack" if combat_status.has_attackers(s) else "no attack", 0, 0))
        _finish_seat_attacks(s)
    else:
        request_decision(s, s.active, "attack", options)


NO_MORE_ATTACKERS: Final[Option] = ("done", 0, 0)


def _can_partner_attack(s: State) -> bool:
    """Return whether a partner who declares after this player could still attack."""
    return s.spec.n_seats > 2 and not s.active & 2 and declarations.may_attack(s, s.active ^ 2)


def _finish_seat_attacks(s: State) -> None:
    """Finish a seat's declaration of attackers; a lead's partner declares next (rules 7.3g)."""
    if s.spec.n_seats > 2:
        s.active ^= 2
        if s.active & 2:
            return
    _finish_attackers(s)


def _start_of_step_uses(s: State, can_attack: bool) -> list[Option]:
    """Return the action dice that can be used only now, at the start of the attack step (avx 64, uxm 29).

    If no die can attack, there is no such step, unless the action itself brings an attacker.
    """
    spec = s.spec
    faces: dict[int, int] = {}
    for d in s.iter_zone(RESERVE, s.active):
        if spec.kinds[spec.face_base[d] + s.face[d]] == ACTION:
            if any(
                ability.event and (can_attack or _brings_attacker(ability)) for ability in spec.uses[spec.card_of[d]]
            ):
                faces.setdefault(spec.card_of[d] * 8 + s.face[d], d)
    return [("use", faces[key], 0) for key in sorted(faces) if can_use(s, s.active, faces[key], "attack step starts")]


def _brings_attacker(ability: CompiledAbility) -> bool:
    return any(isinstance(effect, TakeControl) for effect in ability.ability.effects)


def _finish_attackers(s: State) -> None:
    if not combat_status.has_attackers(s):
        enter_step(s, CLEANUP)  # without attackers the whole step is skipped (rules 3.4g1)
        return
    s.substep = BLOCKING  # runs after the effects of attacking, which wait in the queue
    # from here on the step runs to its end (rules 3.4g3)
    s.state_check_due = True
    advance_timestamp(s)
    declarations.emit_attack_events(s)


def _declare_blockers(s: State) -> None:
    if s.answer[0] == "block":
        declarations.declare_block(s, s.answer[1], s.answer[2])
        if s.result != UNDECIDED:
            return
    elif s.answer[0] == "done":
        _finish_blockers(s)
        return
    options = declarations.block_options(s)
    if len(options) == 1 and options[0][0] == "done":
        if s.journal is not None:
            note_forced_choice(s, declarations.defender(s), ("done blocking" if s.blocks else "no block", 0, 0))
        _finish_blockers(s)
    else:
        request_decision(s, declarations.defender(s), "block", options)


def _finish_blockers(s: State) -> None:
    """Finish a seat's declaration of blockers: a lead's partner declares next, else the declaration ends."""
    if s.spec.n_seats > 2:
        seat = declarations.defender(s)
        if not seat & 2:
            s.turn_limits.append((PASSED, seat))
            return
        clear_passes(s)
    s.substep = WINDOW
    s.state_check_due = True
    advance_timestamp(s)
    declarations.emit_block_events(s)
