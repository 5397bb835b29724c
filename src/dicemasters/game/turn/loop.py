"""The way through a game: whatever is half done goes on, then what waits, then the step of the turn (rules 3)."""

from __future__ import annotations

from typing import Final

from dicemasters.game.effects import interpreter, targeting
from dicemasters.game.game_spec import Table
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
    TURN_LIMIT,
    UNDECIDED,
)
from dicemasters.game.state.frames import (
    Act,
    Announcing,
    Assigning,
    Crushing,
    Damaging,
    Dooming,
    Frame,
    Going,
    Koing,
    Mirroring,
    Pay,
    Running,
    Targeting,
    Using,
)
from dicemasters.game.state.state import State
from dicemasters.game.state.values import NO_ASK, NO_OPTION, NOBODY, Option
from dicemasters.game.turn import actions
from dicemasters.game.turn.actions import run_act, run_using
from dicemasters.game.turn.attack_step import attack
from dicemasters.game.turn.batch_payment import run_going
from dicemasters.game.turn.steps import begin_game, clean_up, draw, main, roll, start


def new_state(table: Table, seed: int = 0, first: int = -1) -> State:
    """Set up a game: all Sidekicks in their bags, everything else on the cards."""
    s = State(table, seed)
    for d in range(table.n_dice):
        if table.is_token[d]:
            s.place[d] = GONE * 4
        elif table.card_of[d] < table.n_seats:
            s.place[d] = BAG * 4 + s.owner[d]
        else:
            owner = s.owner[d]
            s.place[d] = CARD * 4 + (0 if owner == NOBODY else owner)
    if first >= 0:
        s.first = s.active = first
        s.step = START
    return s


def blind(s: State, seed: int) -> State:
    """Give a copy with dice of its own, for whoever looks ahead: nothing in it depends on the dice to come."""
    c = s.copy()
    c.rng = seed
    c.script = []
    return c


NEVER: Final = TURN_LIMIT + 1  # a turn that does not come
MOST_STEPS: int = 20_000  # between two decisions; games of the rules' making take fewer than 200; a test sets it


class EndlessError(Exception):
    """A position that somebody forged goes on for ever without a decision."""


def advance(s: State, last: int = NEVER) -> None:
    """Go on until somebody has to decide or the game is over, or the turn of that number has ended.

    There nothing is asked: the next turn has not begun, and none of its dice are drawn.
    """
    stack = s.stack
    for _round in range(MOST_STEPS):  # a plain _ may be anything, which would cost when compiled
        if s.ask is not NO_ASK or s.result != UNDECIDED:
            break
        if s.dirty:
            knockout.settle(s)
        if stack:
            _run(s, stack[-1])
            continue
        if s.done or s.paid:
            s.done = s.paid = ()  # mean something only within an act
        if s.queue:
            triggers.run_next(s)
        elif s.turn >= last and s.step == START and not s.stage:
            break
        else:
            _step(s)
    else:
        raise EndlessError
    if not stack:
        s.done = s.paid = ()
    if s.result != UNDECIDED:
        s.ask = NO_ASK
        s.options = []


def play(s: State, option: Option, last: int = NEVER) -> None:
    """Choose one of the options; the only way forward. Whoever asked gets the answer first."""
    s.answer = option
    s.ask = NO_ASK
    if s.stack:
        _run(s, s.stack[-1])
    elif s.queue:
        triggers.run_next(s)
    else:
        _step(s)
    s.answer = NO_OPTION
    advance(s, last)


def _step(s: State) -> None:
    """Go on with the step of the turn."""
    step = s.step
    if step == MAIN:
        main(s)
    elif step == ROLL:
        roll(s)
    elif step == ATTACK:
        attack(s)
    elif step == CLEANUP:
        clean_up(s)
    elif step == DRAW:
        draw(s)
    elif step == START:
        start(s)
    else:
        begin_game(s)


def _run(s: State, f: Frame) -> None:
    """Go on with what lies on top of the stack."""
    if isinstance(f, Running):
        interpreter.run(s, f)
    elif isinstance(f, Pay):
        payment.run_pay(s, f)
    elif isinstance(f, Act):
        run_act(s, f)
    elif isinstance(f, Damaging):
        damage.run_damage(s, f)
    elif isinstance(f, Koing):
        knockout.run_ko(s, f)
    elif isinstance(f, Announcing):
        damage.run_announcing(s, f)
    elif isinstance(f, Assigning):
        damage_assignment.run_assign(s, f)
    elif isinstance(f, Using):
        run_using(s, f)
    elif isinstance(f, Going):
        run_going(s, f)
    elif isinstance(f, Crushing):
        overcrush.run_crushing(s, f)
    elif isinstance(f, Dooming):
        knockout.run_dooming(s)
    elif isinstance(f, Targeting):
        targeting.run_targeting(s, f)
    elif isinstance(f, Mirroring):
        actions.run_mirroring(s, f)
