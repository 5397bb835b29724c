"""Players that think: what may be chosen is tried on blind copies, the turn is played out, and a judge likes its end or not.

A blind copy has dice of its own, so looking ahead is not looking at the dice to come. All that is compared is tried with
the same dice, and after each round the worse half drops out: tries go where the choice is close.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from time import perf_counter
from typing import Final, Protocol

from dicemasters.game import turn
from dicemasters.game.view import TIE, UNDECIDED, State, side_of
from dicemasters.players.chance import Chance
from dicemasters.players.scripted import explain
from dicemasters.players.simple import SimplePlayer

MOST_CHOICES: Final = 400  # in one try; a turn that is longer is judged where it stands

# how the side that thinks goes on in its turn: as the simple player does, and who attacks
AS_SIMPLE: Final = 0
EVERYBODY: Final = 1
NOBODY_MORE: Final = 2


class Judge(Protocol):
    """Whoever gives the chance that the side wins whose turn is next, in a position between two turns."""

    def judge(self, s: State) -> float: ...


@dataclass(frozen=True)
class Effort:
    """How hard to think."""

    tries: int = 1  # of everything, in the first round
    rounds: int = 1  # each with the better half of what is left
    most: int = 0  # tries in all; 0 is no bound
    plans: int = 1  # ways to go on that are tried for each option
    turns: int = 1  # to be played out


def play_out(state: State, option: int, plan: int, dice: int, turns: int = 1) -> Iterator[tuple[State, int]]:
    """Try an option with these dice: give each choice before it is made; the last is the end, with no choice (-1)."""
    side = side_of(state.ask.seat)
    s = turn.blind(state, dice)
    script = -1 if s.table.solitaire is None else s.table.solitaire.seat
    last = s.turn + turns - 1
    rest = SimplePlayer(dice)
    i = option
    for _ in range(MOST_CHOICES):
        yield s, i
        turn.play(s, s.options[i], last)
        if s.result != UNDECIDED or not s.ask.kind:
            break
        seat = s.ask.seat
        if seat == script:
            i = explain(s).option
        elif plan != AS_SIMPLE and s.ask.kind == "attack" and side_of(seat) == side:
            i = _attack(s, plan)
        else:
            i = rest.choose(s)
    yield s, -1


def chance_of(s: State, side: int, judge: Judge) -> float:
    """Give a side's chance where the turn, or the game, has ended."""
    if s.result == TIE:
        return 0.5
    if s.result != UNDECIDED:
        return 1.0 if s.result == side else 0.0
    chance = judge.judge(s)
    return chance if side_of(s.active) == side else 1.0 - chance


def outcome(state: State, option: int, plan: int, dice: int, judge: Judge, turns: int = 1) -> float:
    """Try an option with these dice; give the chance of the side that decides."""
    end = state
    for s, _ in play_out(state, option, plan, dice, turns):
        end = s
    return chance_of(end, side_of(state.ask.seat), judge)


def _attack(s: State, plan: int) -> int:
    """Declare the next attacker, or none more."""
    wanted = "done" if plan == NOBODY_MORE else "attack"
    for i, option in enumerate(s.options):
        if option[0] == wanted:
            return i
    return 0 if plan == NOBODY_MORE else len(s.options) - 1


@dataclass(eq=False)
class Arm:
    """An option with a way to go on, and what its tries gave."""

    option: int
    plan: int
    total: float = 0.0
    squares: float = 0.0
    tries: int = 0

    def note(self, chance: float) -> None:
        """Take in what another try gave."""
        self.total += chance
        self.squares += chance * chance
        self.tries += 1

    @property
    def mean(self) -> float:
        return self.total / self.tries if self.tries else 0.5

    @property
    def margin(self) -> float:
        """Give half of the mean's 95 % interval over the dice."""
        if self.tries < 2:
            return 0.5
        spread = max(0.0, self.squares - self.total * self.total / self.tries) / (self.tries - 1)
        return 1.96 * sqrt(spread / self.tries)


class ThinkingPlayer:
    """Takes the option after which the judge likes the end of the turn best."""

    def __init__(
        self,
        name: str,
        judge: Judge,
        effort: Effort,
        seed: int = 0,
        *,
        seconds: float = 0.0,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.name = name
        self._judge = judge
        self._effort = effort
        self._chance = Chance(seed ^ 0x7415)
        self._seconds = seconds
        self._stop = stop

    def choose(self, state: State) -> int:
        if len(state.options) == 1:
            return 0
        return self.think(state)[0].option

    def think(self, state: State) -> list[Arm]:
        """Give what was tried, the best first."""
        effort = self._effort
        until = perf_counter() + self._seconds if self._seconds else 0.0
        plans = self._plans(state)
        living = [Arm(option, plan) for option in range(len(state.options)) for plan in plans]
        dropped: list[Arm] = []
        done = round_ = 0
        while True:
            for _ in range(effort.tries):
                dice = self._chance.below(1 << 62)
                for arm in living:
                    arm.note(outcome(state, arm.option, arm.plan, dice, self._judge, effort.turns))
                    if (until and perf_counter() > until) or (self._stop is not None and self._stop()):
                        return _ranked(living) + dropped
                done += len(living)
            ranked = _ranked(living)
            round_ += 1
            if (effort.rounds and round_ >= effort.rounds) or (effort.most and done >= effort.most):
                return ranked + dropped
            apart = _without_twins(ranked)
            living = apart[: max(2, (len(apart) + 1) // 2)]
            dropped = [arm for arm in ranked if arm not in living] + dropped
            if len(living) < 2:
                return living + dropped

    def _plans(self, state: State) -> tuple[int, ...]:
        if self._effort.plans < 2 or side_of(state.ask.seat) != side_of(state.active):
            return (AS_SIMPLE,)
        if state.ask.kind == "attack":
            return (AS_SIMPLE, EVERYBODY, NOBODY_MORE)
        return (AS_SIMPLE, EVERYBODY)


def _ranked(arms: list[Arm]) -> list[Arm]:
    return sorted(arms, key=lambda arm: (-arm.mean, arm.option, arm.plan))


def _without_twins(arms: list[Arm]) -> list[Arm]:
    """Leave out ways to go on that came to the very same as another with the same option."""
    seen: set[tuple[int, float]] = set()
    out: list[Arm] = []
    for arm in arms:
        key = (arm.option, arm.total)
        if key not in seen:
            seen.add(key)
            out.append(arm)
    return out
