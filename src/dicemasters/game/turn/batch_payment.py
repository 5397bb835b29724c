"""Batches: several actions paid for together, all targets chosen before any is carried out (rules 3.3a11, 3.3e6)."""

from __future__ import annotations

from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.decision_requests import request_decision
from dicemasters.game.queries.equivalence import equivalence_key
from dicemasters.game.state.frames import ActionFrame, BatchPaymentFrame, EventBatchFrame
from dicemasters.game.state.state import State
from dicemasters.game.state.values import WAIT_MORE, WAIT_START, WAIT_TARGETS, Option
from dicemasters.game.turn.legal_actions import all_single_actions, batch_price, can_join_batch


def _batch_options(s: State, frame: BatchPaymentFrame) -> list[Option]:
    """Return the actions that can join the batch, one fielding for each class of equivalent dice, and `pay now`."""
    pool = payment.energy_pool(s, frame.seat)
    options: list[Option] = []
    seen: set[tuple[int, ...]] = set()
    for option in all_single_actions(s, frame.seat, pool):
        if not can_join_batch(s, frame.seat, frame.acts, option) or not payment.can_pay(
            pool, batch_price(s, frame.seat, frame.acts, option)
        ):
            continue
        if option[0] == "field":
            key = equivalence_key(s, option[1])
            if key in seen:
                continue
            seen.add(key)
        options.append(option)
    if frame.acts:
        options.append(("pay now", 0, 0))
    return options


def run_batch(s: State, frame: BatchPaymentFrame) -> None:
    """Run a batch: collect its actions, pay for all of them, and carry them out."""
    if frame.waiting == WAIT_START:
        if frame.begun == len(frame.acts):
            s.stack.pop()
            return
        action = frame.acts[frame.begun]
        frame.begun += 1
        frame.paid = frame.paid or s.last_payment
        if action[0] in ("buy", "field"):
            s.stack.insert(1, ActionFrame(frame.seat, action, frame.paid))
        else:
            s.stack.append(ActionFrame(frame.seat, action, frame.paid, WAIT_TARGETS))
        return
    if frame.waiting:
        if s.answer[0] == "pay now":
            frame.waiting = WAIT_START
            s.stack.insert(0, EventBatchFrame((), go=1))
            payment.start_payment(s, frame.seat, batch_price(s, frame.seat, frame.acts))
            return
        frame.acts = (*frame.acts, s.answer)
    options = _batch_options(s, frame)
    frame.waiting = WAIT_MORE
    request_decision(s, frame.seat, "together", options, number=len(frame.acts))
