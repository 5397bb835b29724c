"""The game loop: the frame on top of the stack continues, then the queue, then the step of the turn (rules 3)."""

from __future__ import annotations

from typing import Final

from dicemasters.game.effects import interpreter, targeting
from dicemasters.game.game_spec import GameSpec
from dicemasters.game.mechanics import damage, knockout, overcrush, payment, triggers
from dicemasters.game.mechanics.combat import damage_assignment
from dicemasters.game.state.constants import (
    ATTACK,
    BAG,
    CARD,
    CLEANUP,
    DRAW,
    GONE,
    MAIN,
    ROLL,
    START,
    TIE,
    TURN_LIMIT,
    UNDECIDED,
    VOID_REASON,
)
from dicemasters.game.state.frames import (
    AbilityFrame,
    ActionDieFrame,
    ActionFrame,
    BatchPaymentFrame,
    DamageAssignmentFrame,
    DamageFrame,
    EventBatchFrame,
    Frame,
    KnockoutFrame,
    LethalCheckFrame,
    OvercrushFrame,
    PaymentFrame,
    RetargetFrame,
    SolitairePurchaseFrame,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_DECISION, NO_OPTION, NOBODY, Option
from dicemasters.game.state.work import WorkLimitError, charge
from dicemasters.game.turn import actions
from dicemasters.game.turn.actions import finish_action_die, resolve_action
from dicemasters.game.turn.attack_step import run_attack_step
from dicemasters.game.turn.batch_payment import run_batch
from dicemasters.game.turn.steps import begin_game, clean_up, draw, main, roll, start


def new_state(spec: GameSpec, seed: int = 0, first: int = -1) -> State:
    """Return the state at the start of a game: all Sidekicks in their bags, all other dice on their cards."""
    s = State(spec, seed)
    for d in range(spec.n_dice):
        if spec.is_token[d]:
            s.place[d] = GONE * 4
        elif spec.card_of[d] < spec.n_seats:
            s.place[d] = BAG * 4 + s.owner[d]
        else:
            owner = s.owner[d]
            s.place[d] = CARD * 4 + (0 if owner == NOBODY else owner)
    if first >= 0:
        s.first = s.active = first
        s.step = START
    return s


def determinize(s: State, seed: int) -> State:
    """Return a copy with another random seed and no script, for a search that must not know future dice."""
    clone = s.copy()
    clone.rng = seed
    clone.script = []
    return clone


NEVER: Final = TURN_LIMIT + 1  # a turn number that is never reached


def advance(s: State, last_turn: int = NEVER) -> None:
    """Advance the game until a decision is pending, it is over, or the turn with number `last_turn` has ended.

    At the end of that turn no decision is requested: the next turn has not begun, and none of its dice are drawn.
    """
    s.work = 0
    s.crowding = -1
    try:
        _advance(s, last_turn)
    except WorkLimitError:
        _void(s)


def _advance(s: State, last_turn: int) -> None:
    stack = s.stack
    while s.decision is NO_DECISION and s.result == UNDECIDED:
        charge(s, 1)
        if s.state_check_due:
            knockout.check_state_based_kos(s)
        if stack:
            _dispatch_frame(s, stack[-1])
            continue
        if s.last_affected or s.last_payment:
            s.last_affected = s.last_payment = ()  # meaningful only within an action
        if s.queue:
            triggers.resolve_next(s)
        elif s.turn >= last_turn and s.step == START and not s.substep:
            break
        else:
            _step(s)
    if not stack:
        s.last_affected = s.last_payment = ()
    if s.result != UNDECIDED:
        s.decision = NO_DECISION
        s.options = []


def apply(s: State, option: Option, last_turn: int = NEVER) -> None:
    """Apply an option and advance; the frame, queue or step that requested the decision gets the answer first.

    A game moves forward only through this function.
    """
    s.answer = option
    s.decision = NO_DECISION
    s.work = 0
    s.crowding = -1
    try:
        if s.stack:
            _dispatch_frame(s, s.stack[-1])
        elif s.queue:
            triggers.resolve_next(s)
        else:
            _step(s)
        s.answer = NO_OPTION
        _advance(s, last_turn)
    except WorkLimitError:
        _void(s)


def _void(s: State) -> None:
    """End the game without a winner, because an answer exceeds the work limit."""
    s.result, s.result_reason = TIE, VOID_REASON
    s.answer = NO_OPTION
    s.decision = NO_DECISION
    s.options = []


def _step(s: State) -> None:
    """Run the step of the turn (rules 3.0b)."""
    step = s.step
    if step == MAIN:
        main(s)
    elif step == ROLL:
        roll(s)
    elif step == ATTACK:
        run_attack_step(s)
    elif step == CLEANUP:
        clean_up(s)
    elif step == DRAW:
        draw(s)
    elif step == START:
        start(s)
    else:
        begin_game(s)


def _dispatch_frame(s: State, frame: Frame) -> None:
    """Continue the frame on top of the stack."""
    if isinstance(frame, AbilityFrame):
        interpreter.run_program(s, frame)
    elif isinstance(frame, PaymentFrame):
        payment.run_payment(s, frame)
    elif isinstance(frame, ActionFrame):
        resolve_action(s, frame)
    elif isinstance(frame, DamageFrame):
        damage.run_damage(s, frame)
    elif isinstance(frame, KnockoutFrame):
        knockout.run_ko(s, frame)
    elif isinstance(frame, EventBatchFrame):
        damage.run_event_batch(s, frame)
    elif isinstance(frame, DamageAssignmentFrame):
        damage_assignment.run_assignment(s, frame)
    elif isinstance(frame, ActionDieFrame):
        finish_action_die(s, frame)
    elif isinstance(frame, BatchPaymentFrame):
        run_batch(s, frame)
    elif isinstance(frame, OvercrushFrame):
        overcrush.run_overcrush(s, frame)
    elif isinstance(frame, LethalCheckFrame):
        knockout.run_lethal_check(s)
    elif isinstance(frame, RetargetFrame):
        targeting.run_retarget(s, frame)
    elif isinstance(frame, SolitairePurchaseFrame):
        actions.run_solitaire_purchase(s, frame)
