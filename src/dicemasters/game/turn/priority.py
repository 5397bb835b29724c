"""Priority: whose turn it is to act, and what they may do then (rules 3.3f)."""

from __future__ import annotations

from dicemasters.game.mechanics import payment
from dicemasters.game.mechanics.decision_requests import ask, takes
from dicemasters.game.queries import costs, die_identity, static_rules
from dicemasters.game.queries.die_identity import ACTION
from dicemasters.game.state.constants import (
    ACTING,
    ANSWERING,
    DECLINED,
    DONE,
    HANDING_BACK,
    LAST_WORD,
    MAIN,
    PASSED,
    WINDOW,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_OPTION, Option
from dicemasters.game.turn.actions import begin
from dicemasters.game.turn.batch_payment import may_pay_together
from dicemasters.game.turn.legal_actions import abilities, can_use, lifts, purchases, without_energy


def give_priority(s: State, first: int) -> None:
    """Active player until they pass, then one act of the other, and so on (rules 3.3f).

    The window ends when the other has declined and the active player then adds nothing. Whoever has nothing to do but pass
    is not asked to answer or for a last word, and without a question there is no last word. `first` is the first stage.
    """
    if s.table.n_seats > 2:
        _partners_priority(s, first)
        return
    stage = s.stage - first
    other = s.active ^ 1
    what = s.answer[0]
    if what and what != "pass":
        s.stage = first + (HANDING_BACK if stage == ANSWERING else ACTING)
        begin(s, other if stage == ANSWERING else s.active, s.answer)
        return
    if what:
        _pass(s, other if stage == ANSWERING else s.active)
        stage = _after_pass(stage)
    elif stage == HANDING_BACK:
        stage = _hand_back(s, other)
    if stage == ANSWERING:
        options = act_options(s, other)
        if len(options) > 1:
            s.stage = first + ANSWERING
            ask(s, other, "respond", options)
            return
        if s.journal is not None:
            takes(s, other, options[0])
        _pass(s, other)
        stage = DONE
    if stage < DONE:
        options = act_options(s, s.active)
        if stage == ACTING or len(options) > 1:
            s.stage = first + stage
            ask(s, s.active, "main" if s.step == MAIN else "fight", options)
            return
    s.stage = first + DONE


def can_hold(s: State) -> bool:
    """Tell whether the active player, who may act, would have a last word after passing: the other can answer."""
    if s.ask.kind not in ("main", "fight") or s.stage in (LAST_WORD, WINDOW + LAST_WORD):
        return False
    return any(len(act_options(s, seat)) > 1 for seat in s.table.sides[die_identity.opponent_of(s.active)])


def _after_pass(stage: int) -> int:
    """Give the stage after somebody has passed."""
    if stage == ACTING:
        return ANSWERING
    return LAST_WORD if stage == ANSWERING else DONE


def _pass(s: State, seat: int) -> None:
    """Virtual energy goes with the priority (rules 3.3a); before ai the energy for missing dice lasts the turn (3.1b)."""
    if s.virtual[seat]:
        s.virtual[seat] = payment.lasting(s, seat)


def _hand_back(s: State, seat: int) -> int:
    """Give the stage after an act of a player who does not have the turn."""
    partners = s.table.sides[seat]
    if not s.table.edition.one_answer and any(len(act_options(s, x)) > 1 for x in partners):
        return ANSWERING
    for x in partners:
        _pass(s, x)
    return ACTING


def _partners_priority(s: State, first: int) -> None:
    """The active side until both have passed in a row, then one act of the other side, and so on (docs/doubles.md).

    Whoever has nothing to do but pass is not asked.
    """
    while s.stage < first + DONE:
        stage = s.stage - first
        if stage == HANDING_BACK:
            s.stage = first + _hand_back(s, 1 - (s.active & 1))
            continue
        seat = s.active
        if stage == ANSWERING:
            lead = 1 - (s.active & 1)
            seat = lead ^ 2 if (PASSED, lead) in s.spent else lead
        what = s.answer[0]
        if what and what != "pass":
            forget_passing(s)
            s.stage = first + (HANDING_BACK if stage == ANSWERING else ACTING)
            if stage == ANSWERING:
                s.active &= 1
            begin(s, seat, s.answer)
            return
        if not what:
            options = act_options(s, seat)
            if len(options) > 1:
                ask(s, seat, "respond" if stage == ANSWERING else ("main" if s.step == MAIN else "fight"), options)
                return
        elif stage == ANSWERING:
            s.spent.append((DECLINED, seat))
        s.answer = NO_OPTION
        if (PASSED, seat ^ 2) not in s.spent:
            s.spent.append((PASSED, seat))
            if stage != ANSWERING:
                s.active = seat ^ 2
            continue
        heard = any(x == DECLINED for x, _ in s.spent)
        forget_passing(s)
        for x in s.table.sides[seat]:
            _pass(s, x)
        s.stage = first + (DONE if stage == ANSWERING and not heard else _after_pass(stage))
        s.active &= 1


def forget_passing(s: State) -> None:
    s.spent = [x for x in s.spent if x[0] not in (PASSED, DECLINED)]


def act_options(s: State, seat: int) -> list[Option]:
    """List what a player with priority may do now, and pass."""
    t = s.table
    have, rest = payment.pool_and_rest(s, seat)
    if not have.total and not rest and not t.free_abilities:
        return [("pass", 0, 0)]
    options: list[Option] = []
    if seat == s.active:
        if s.step == MAIN:
            purchases(s, seat, have, options)
        for d in without_energy(s, rest):
            if t.kinds[t.m6[d] + s.face[d]] == ACTION:
                if can_use(s, seat, d):
                    options.append(("use", d, 0))
            elif s.step == MAIN and costs.fielding_cost(s, d) <= have.total and static_rules.can_field(s, d):
                options.append(("field", d, s.face[d]))
    abilities(s, seat, have, options)
    lifts(s, seat, have, options)
    if t.edition.batch_is_one_effect and may_pay_together(s, seat, have, options):
        options.append(("together", 0, 0))
    options.append(("pass", 0, 0))
    return options
