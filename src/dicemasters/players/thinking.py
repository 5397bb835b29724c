"""Players that think: what may be chosen is tried on blind copies, the turn is played out, and a judge likes its end or not.

A blind copy has dice of its own, so looking ahead is not looking at the dice to come. All that is compared is tried with
the same dice, and whatever is behind for sure drops out: tries go where the choice is close. What stays close is looked at
once more, with a rest of the turn in which both sides think and, where there is time, with the next turn as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter
from typing import Final, Protocol

from dicemasters.game import Game, turn
from dicemasters.game.view import TIE, UNDECIDED, State, side_of
from dicemasters.players.chance import Chance
from dicemasters.players.cores import LEAST_SECONDS, Cores, Rounds, Way
from dicemasters.players.scripted import explain
from dicemasters.players.simple import SimplePlayer
from dicemasters.players.value import load_value

# of this thread; Python in a browser has only the clock
processor_time: Final[Callable[[], float]] = getattr(time, "thread_time", perf_counter)

MOST_CHOICES: Final = 400  # in one try; a turn that is longer is judged where it stands

# how the side that thinks goes on in its turn: as the simple player does, and who attacks
AS_SIMPLE: Final = 0
EVERYBODY: Final = 1
NOBODY_MORE: Final = 2

LEAST: Final = 4  # tries with luck in them before anything drops out
SURE: Final = 2.5  # standard errors by which it is behind then
CLOSE: Final = 0.03  # of the chance: what is not further behind is looked at once more
FINALISTS: Final = 3  # options that are
WAYS: Final = 2  # to go on with each of them
BROAD: Final = 0.6  # of the time for the first look, if there is to be another
BROAD_SECONDS: Final = 0.12  # at most, of the time for the first look then
TRUST: Final = 0.02  # by how much a judge is wrong about what two options differ by (docs/players.md)
LUCK: Final = 0.05  # by how much one round of dice is, at least, while few were thrown
FEW: Final = 4  # rounds of dice
BY_THUMB: Final = frozenset(("pay", "order", "split"))  # decisions that are not thought about within a try


class Judge(Protocol):
    """Whoever gives the chance that the side wins whose turn is next, in a position between two turns."""

    def judge(self, s: State) -> float: ...


@dataclass(frozen=True)
class Effort:
    """How hard to think."""

    tries: int = 1  # of everything, in each round
    rounds: int = 1  # 0 is as many as it takes
    most: int = 0  # tries in all; 0 is no bound
    plans: int = 1  # ways to go on that are tried for each option
    deep: bool = False  # whether what stays close is looked at once more
    turns: int = 1  # that are played out then: the rest of this one, or the next as well
    closing: bool = True  # whether to stop when the choice is clear
    hasty: int = 0  # choices of a hundred that are made by rules of thumb


def play_out(state: State, option: int, plan: int, dice: int) -> Iterator[tuple[State, int]]:
    """Try an option with these dice: give each choice before it is made; the last is the end, with no choice (-1)."""
    side = side_of(state.ask.seat)
    s = turn.blind(state, dice)
    last = s.turn
    rest = SimplePlayer(dice)
    i = option
    for _ in range(MOST_CHOICES):
        yield s, i
        turn.play(s, s.options[i], last)
        if s.result != UNDECIDED or not s.ask.kind:
            break
        if _is_script(s):
            i = explain(s).option
        elif plan != AS_SIMPLE and s.ask.kind == "attack" and side_of(s.ask.seat) == side:
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


def outcome(state: State, option: int, plan: int, dice: int, judge: Judge) -> float:
    """Try an option with these dice; give the chance of the side that decides."""
    end = state
    for s, _ in play_out(state, option, plan, dice):
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
    chances: list[float] = field(default_factory=list)
    total: float = 0.0

    def note(self, chance: float) -> None:
        """Take in what another try gave."""
        self.chances.append(chance)
        self.total += chance

    @property
    def tries(self) -> int:
        return len(self.chances)

    @property
    def mean(self) -> float:
        return self.total / len(self.chances) if self.chances else 0.5

    @property
    def margin(self) -> float:
        """Give half of the mean's 95 % interval over the dice."""
        return 1.96 * _error(self.chances) if len(self.chances) > 1 else 0.5

    @property
    def has_luck(self) -> bool:
        """Whether other dice may give something else: they did, or the game was over, as it will not always be."""
        first = self.chances[0]
        return first in (0.0, 1.0) or any(chance != first for chance in self.chances)


def _error(numbers: list[float]) -> float:
    """Give the standard error of their mean."""
    n = len(numbers)
    mean = sum(numbers) / n
    return sqrt(sum((x - mean) ** 2 for x in numbers) / (n - 1) / n)


class _Thought:
    """What may still be spent on one choice: tries, processor time, time on the clock; and whether somebody says stop."""

    def __init__(self, effort: Effort, seconds: float, within: float, stop: Callable[[], bool] | None) -> None:
        self.tries = 0
        self._most = effort.most
        self._seconds = seconds
        self._within = within
        self._stop = stop
        self._began = processor_time() if seconds else 0.0
        self._began_by_clock = perf_counter() if within else 0.0
        self.is_over = False

    def try_(self) -> bool:
        """Note a try; whether there may be another at once."""
        self.tries += 1
        if self._seconds and processor_time() - self._began > self._seconds:
            self.is_over = True
        if self._within and perf_counter() - self._began_by_clock > self._within:
            self.is_over = True
        if self._stop is not None and self._stop():
            self.is_over = True
        return not self.is_over

    @property
    def share(self) -> float:
        """Give the share that is spent, from 0 to 1 and beyond."""
        shares = [0.0]
        if self._most:
            shares.append(self.tries / self._most)
        if self._seconds:
            shares.append((processor_time() - self._began) / self._seconds)
        if self._within:
            shares.append((perf_counter() - self._began_by_clock) / self._within)
        return max(shares)


class ThinkingPlayer:
    """Takes the option after which the judge likes the end of the turn best.

    `seconds` are of processor time, so that on a busy machine nobody thinks worse; `within` are by the clock.
    """

    def __init__(
        self,
        name: str,
        judge: Judge,
        effort: Effort,
        seed: int = 0,
        *,
        seconds: float = 0.0,
        within: float = 0.0,
        stop: Callable[[], bool] | None = None,
        others: Cores | None = None,
    ) -> None:
        self.name = name
        self._judge = judge
        self._effort = effort
        self._chance = Chance(seed ^ 0x7415)
        self._seconds = seconds
        self._within = within
        self._stop = stop
        self._others = others
        self._thumb = SimplePlayer(seed)

    @property
    def _broad(self) -> float:
        """Give the first look's share of what may be spent."""
        if not self._effort.deep:
            return 1.0
        return min(BROAD, BROAD_SECONDS / self._seconds) if self._effort.turns > 1 and self._seconds else BROAD

    def choose(self, state: State) -> int:
        if len(state.options) == 1:
            return 0
        if self._effort.hasty and self._chance.below(100) < self._effort.hasty:
            return self._thumb.choose(state)
        return self.think(state)[0].option

    def think(self, state: State) -> list[Arm]:
        """Give what was tried, the best first."""
        thought = _Thought(self._effort, self._seconds, self._within, self._stop)
        left, dropped = self._compare(state, thought)
        finalists = _finalists(left)
        if self._effort.deep and finalists[0].option != finalists[-1].option and not thought.is_over:
            best = self._look_deeper(state, finalists, thought)
            left.sort(key=lambda arm: arm.option != best)
        return left + dropped

    def _compare(self, state: State, thought: _Thought) -> tuple[list[Arm], list[Arm]]:
        """Try everything with the same dice until it is clear what is best; give what stayed close, and the rest."""
        effort = self._effort
        plans = self._plans(state)
        living = [Arm(option, plan) for option in range(len(state.options)) for plan in plans]
        dropped: list[Arm] = []
        enough = self._broad
        halvings = max(1, (len(living) - 1).bit_length())
        rounds = halved = 0
        while True:
            for _ in range(effort.tries):
                dice = self._chance.below(1 << 62)
                for arm in living:
                    arm.note(outcome(state, arm.option, arm.plan, dice, self._judge))
                    if not thought.try_():
                        return _ranked(living), dropped
            ranked = _ranked(living)
            rounds += 1
            share = thought.share / enough
            if (effort.rounds and rounds >= effort.rounds) or share >= 1:
                return ranked, dropped
            trust = CLOSE if effort.deep else 0.0
            living, is_clear = _still_close(ranked, trust) if effort.closing else _without_twins(ranked)
            if share * halvings >= halved + 1:
                halved += 1
                living = living[: max(2, (len(living) + 1) // 2)]
            dropped = [arm for arm in ranked if arm not in living] + dropped
            if is_clear or len(living) < 2:
                return living, dropped

    def _look_deeper(self, state: State, arms: list[Arm], thought: _Thought) -> int:
        """Give the option that is best if both sides think in the rest of the turn, and in the next if there is time."""
        near = [Arm(arm.option, arm.plan) for arm in arms]
        far = [Arm(arm.option, arm.plan) for arm in arms]
        others = self._others if self._seconds >= LEAST_SECONDS else None
        ways = [(arm.option, arm.plan) for arm in arms]
        if others is not None:
            text, left = Game(state).to_text(), (1 - self._broad) * self._seconds
            others.ask(look_along, text, ways, lambda: self._chance.below(1 << 62), left)
        while True:
            found = self._throw(state, ways, thought)
            if thought.is_over:
                break
            _note(near + far, found)
            if far[0].tries > 1 and (_still_close(_ranked(far))[1] or thought.share >= 1):
                break
        if others is not None:
            for found in others.found(stopped=self._stop is not None and self._stop()):
                _note(near + far, found)
        return ways[_best(near, far)][0] if far[0].tries else ways[0][0]

    def look_at(self, state: State, ways: list[Way]) -> Rounds:
        """Look at these options alone, as the second look does, until the time is over or somebody says stop."""
        thought = _Thought(self._effort, self._seconds, self._within, self._stop)
        rounds: Rounds = []
        while True:
            found = self._throw(state, ways, thought)
            if thought.is_over:
                return rounds
            rounds.append(found)

    def _throw(self, state: State, ways: list[Way], thought: _Thought) -> list[float]:
        """Try each option with the same new dice; give the chances at the end of this turn, then those at the last's."""
        dice = self._chance.below(1 << 62)
        ends = [self._thoughtful_ends(state, way, dice, thought) for way in ways]
        return [near for near, _ in ends] + [far for _, far in ends]

    def _thoughtful_ends(self, state: State, way: Way, dice: int, thought: _Thought) -> tuple[float, float]:
        """Try an option with these dice, both sides thinking a little; give the chances of the side that decides."""
        s, side = turn.blind(state, dice), side_of(state.ask.seat)
        rest, chance = SimplePlayer(dice), Chance(dice)
        i, plan = way
        for _ in range(MOST_CHOICES):
            turn.play(s, s.options[i], state.turn)
            if s.result != UNDECIDED or not s.ask.kind or thought.is_over:
                break
            if _is_script(s):
                i = explain(s).option
            elif len(s.options) == 1 or s.ask.kind in BY_THUMB:
                i = rest.choose(s)
            elif plan != AS_SIMPLE and s.ask.kind == "attack" and side_of(s.ask.seat) == side:
                i = _attack(s, plan)
            else:
                i = self._glance(s, chance.below(1 << 62), thought)
        near = chance_of(s, side, self._judge)
        if self._effort.turns < 2 or s.result != UNDECIDED or s.ask.kind or thought.is_over:
            return near, near
        self._play_next_turn(s, rest, chance, thought)
        return near, chance_of(s, side, self._judge)

    def _play_next_turn(self, s: State, rest: SimplePlayer, chance: Chance, thought: _Thought) -> None:
        """Play a turn: the best of three plans says who attacks, a try of each who blocks, rules of thumb all else."""
        turn.advance(s)
        last, plan = s.turn, -1
        for _ in range(MOST_CHOICES):
            if s.result != UNDECIDED or not s.ask.kind or thought.is_over:
                break
            if _is_script(s):
                i = explain(s).option
            elif s.ask.kind == "attack" and len(s.options) > 1:
                plan = plan if plan >= 0 else self._best_plan(s, chance.below(1 << 62), thought)
                i = rest.choose(s) if plan == AS_SIMPLE else _attack(s, plan)
            elif s.ask.kind == "block" and len(s.options) > 1:
                i = self._glance(s, chance.below(1 << 62), thought)
            else:
                i = rest.choose(s)
            turn.play(s, s.options[i], last)

    def _best_plan(self, s: State, dice: int, thought: _Thought) -> int:
        """Give the way to attack that is best with these dice, each tried once."""
        best, best_chance = AS_SIMPLE, -1.0
        for plan in (AS_SIMPLE, EVERYBODY, NOBODY_MORE):
            first = SimplePlayer(dice).choose(s) if plan == AS_SIMPLE else _attack(s, plan)
            chance = outcome(s, first, plan, dice, self._judge)
            if chance > best_chance + 1e-9:
                best, best_chance = plan, chance
            if not thought.try_():
                break
        return best

    def _glance(self, s: State, dice: int, thought: _Thought) -> int:
        """Give the option that is best with these dice, each tried once."""
        best, best_chance = 0, -1.0
        for option in range(len(s.options)):
            chance = outcome(s, option, AS_SIMPLE, dice, self._judge)
            if chance > best_chance + 1e-9:
                best, best_chance = option, chance
            if not thought.try_():
                break
        return best

    def _plans(self, state: State) -> tuple[int, ...]:
        if self._effort.plans < 2 or side_of(state.ask.seat) != side_of(state.active):
            return (AS_SIMPLE,)
        if state.ask.kind == "attack":
            return (AS_SIMPLE, EVERYBODY, NOBODY_MORE)
        return (AS_SIMPLE, EVERYBODY)


def look_along(text: str, ways: list[Way], seed: int, seconds: float, stop: Callable[[], bool]) -> Rounds:
    """Do another core's part of a second look, in a process of its own."""
    player = ThinkingPlayer("along", load_value().network, Effort(turns=2), seed, seconds=seconds, stop=stop)
    return player.look_at(Game.from_text(text).state, ways)


def _is_script(s: State) -> bool:
    """Tell whether the Scripted Opponent decides."""
    return s.table.solitaire is not None and s.ask.seat == s.table.solitaire.seat


def _best(near: list[Arm], far: list[Arm]) -> int:
    """Give the option that is best, by what the judge says of both ends: the further the more dice were thrown."""
    ahead = [0.0]
    for i in range(1, len(far)):
        lags = [x - y for x, y in zip(far[i].chances, far[0].chances, strict=True)]
        rounds = len(lags)
        luck = _error(lags) ** 2 if rounds > 1 else 0.0
        if rounds < FEW:
            luck = max(luck, LUCK**2 / rounds)
        share = TRUST**2 / (TRUST**2 + luck)
        ahead.append((1 - share) * (near[i].mean - near[0].mean) + share * (far[i].mean - far[0].mean))
    return max(range(len(ahead)), key=lambda i: (ahead[i], -far[i].option))


def _note(arms: list[Arm], chances: list[float]) -> None:
    for arm, chance in zip(arms, chances, strict=True):
        arm.note(chance)


def _ranked(arms: list[Arm]) -> list[Arm]:
    return sorted(arms, key=lambda arm: (-arm.mean, arm.option, arm.plan))


def _finalists(arms: list[Arm]) -> list[Arm]:
    """Give the first options, each with its best ways to go on."""
    found: dict[int, list[Arm]] = {}
    for arm in arms:
        found.setdefault(arm.option, []).append(arm)
    return [arm for option in list(found)[:FINALISTS] for arm in found[option][:WAYS]]


def _without_twins(arms: list[Arm]) -> tuple[list[Arm], bool]:
    """Leave out ways to go on that came to the very same as another with the same option; whether luck is in none left."""
    found = list({(arm.option, arm.total): arm for arm in reversed(arms)}.values())[::-1]
    return found, found[0].tries > 1 and not any(arm.has_luck for arm in found)


def _still_close(ranked: list[Arm], trust: float = 0.0) -> tuple[list[Arm], bool]:
    """Leave out what is behind the best for sure, or came to the very same; whether more tries would tell nothing.

    What is behind by less than the judge can be trusted stays, however many tries say so.
    """
    best = ranked[0]
    if best.tries < 2 or (best.tries < LEAST and any(arm.has_luck for arm in ranked)):
        return ranked, False
    close, is_clear = [best], True
    for arm in ranked[1:]:
        lags = [x - y for x, y in zip(best.chances, arm.chances, strict=True)]
        lag, error = (best.total - arm.total) / len(lags), _error(lags)
        if error < 1e-12:
            if arm.option != best.option and 1e-12 < lag < CLOSE:
                close.append(arm)
        elif lag <= max(SURE * error, trust):
            close.append(arm)
            is_clear = is_clear and (arm.option == best.option or SURE * error < trust)
    return close, is_clear
