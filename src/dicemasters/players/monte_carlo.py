"""Monte Carlo bots: options are compared by rollouts to the end of the turn, which an evaluator scores.

A rollout is played on a determinised copy with its own dice, so looking ahead does not reveal future dice. All arms are
tried with the same dice, and arms that are clearly worse are pruned, so that rollouts go where the decision is close.
The finalists can be searched once more, with rollouts in which both sides look one ply ahead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter
from typing import Final, Protocol

from dicemasters.game import Game
from dicemasters.game.inspect.view import FIELD, TIE, UNDECIDED, State, side_of
from dicemasters.game.turn import loop
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.players.scripted import explain
from dicemasters.players.value_weights import load_weights
from dicemasters.players.worker_pool import MIN_SECONDS, Rounds, WorkerPool

# CPU time of this thread; Python in a browser only has the wall clock
processor_time: Final[Callable[[], float]] = getattr(time, "thread_time", perf_counter)

MAX_ROLLOUT_EFFORT: Final = 400  # decisions per rollout; a longer turn is evaluated where it was cut off
# a decision between more options, or with more dice in the field, counts as several
OPTIONS_PER_DECISION: Final = 32
DICE_PER_DECISION: Final = 20

# how the searching side plays the rest of its turn: like the heuristic bot, or with a fixed choice of attackers
HEURISTIC_PLAN: Final = 0
ATTACK_WITH_ALL: Final = 1
STOP_ATTACKING: Final = 2

MIN_ROLLOUTS: Final = 4  # rollouts per arm before random results are used for pruning
PRUNING_Z: Final = 2.5  # standard errors behind the best arm at which an arm is pruned
FINALIST_MARGIN: Final = 0.03  # win chance: without randomness, an option this far behind the best is pruned
MANY_ARMS: Final = 40  # more may exceed the effort of a search
MAX_FINALISTS: Final = 3  # options in the second search
FIRST_PASS_SHARE: Final = 0.6  # share of the budget for the first search, if there is a second one
HEURISTIC_DECISIONS: Final = frozenset(("pay", "order", "split"))  # kinds that deep rollouts leave to the heuristic bot


class Evaluator(Protocol):
    """Estimator of the win chance of the side to move, in a position between two turns."""

    def evaluate(self, s: State) -> float:
        """Return the win chance, from 0 to 1."""
        ...


@dataclass(frozen=True)
class SearchSettings:
    """Effort, plans and stopping rule of a search."""

    rollouts_per_round: int = 1  # per arm
    rounds: int = 1  # 0: unlimited
    max_rollouts: int = 0  # in total; 0: unlimited
    max_effort: int = 0  # decisions in all rollouts; 0: unlimited
    plans: int = 1  # 1: heuristic plan only; 2: also fixed attacks
    refine_finalists: bool = False  # search the best options a second time
    stop_when_clear: bool = True  # stop as soon as the best option is clear
    heuristic_percent: int = 0  # percentage of choices left to the heuristic bot


def rollout(state: State, option: int, plan: int, dice_seed: int) -> Iterator[tuple[State, int]]:
    """Play `option` on a determinised copy until the turn ends.

    Yield (state, choice) before each choice and (state, -1) at the end.
    """
    side = side_of(state.decision.seat)
    s = loop.determinize(state, dice_seed)
    scripted_seat = -1 if s.spec.solitaire is None else s.spec.solitaire.seat
    last_turn = s.turn
    heuristic = HeuristicPlayer(dice_seed)
    i = option
    effort = 0
    while effort < MAX_ROLLOUT_EFFORT:
        yield s, i
        effort += decision_effort(s)
        loop.apply(s, s.options[i], last_turn)
        if s.result != UNDECIDED or not s.decision.kind:
            break
        seat = s.decision.seat
        if seat == scripted_seat:
            i = explain(s).option
        elif plan != HEURISTIC_PLAN and s.decision.kind == "attack" and side_of(seat) == side:
            i = _next_attack_option(s, plan)
        else:
            i = heuristic.choose(s)
    yield s, -1


def win_chance(s: State, side: int, evaluator: Evaluator) -> float:
    """Return the win chance of a side where a turn, or the game, has ended."""
    if s.result == TIE:
        return 0.5
    if s.result != UNDECIDED:
        return 1.0 if s.result == side else 0.0
    chance = evaluator.evaluate(s)
    return chance if side_of(s.active) == side else 1.0 - chance


def rollout_value(state: State, option: int, plan: int, dice_seed: int, evaluator: Evaluator) -> tuple[float, int]:
    """Return the win chance of the deciding side after one rollout, and the effort of the rollout."""
    end = state
    effort = 0
    for s, choice in rollout(state, option, plan, dice_seed):
        end = s
        if choice >= 0:
            effort += decision_effort(s)
    return win_chance(end, side_of(state.decision.seat), evaluator), effort


def decision_effort(s: State) -> int:
    """Return the effort of a decision: 1, or more with many options, which take time to find, or a crowded field."""
    fielded = sum([len(s.dice_in(FIELD, seat)) for seat in range(s.spec.n_seats)])
    crowding = fielded // DICE_PER_DECISION  # most questions concern all dice, and for each of them all others
    return max(1, crowding * crowding) + len(s.options) // OPTIONS_PER_DECISION


def _next_attack_option(s: State, plan: int) -> int:
    """Return the option that declares the next attacker, or that declares no more, as the plan demands."""
    kind = "done" if plan == STOP_ATTACKING else "attack"
    for i, option in enumerate(s.options):
        if option[0] == kind:
            return i
    return 0 if plan == STOP_ATTACKING else len(s.options) - 1


@dataclass(eq=False)
class SearchArm:
    """An option combined with a plan, and the results of its rollouts."""

    option: int
    plan: int
    win_chances: list[float] = field(default_factory=list)
    total: float = 0.0

    def add_result(self, chance: float) -> None:
        """Add the win chance after another rollout."""
        self.win_chances.append(chance)
        self.total += chance

    @property
    def rollouts(self) -> int:
        """The number of rollouts."""
        return len(self.win_chances)

    @property
    def mean(self) -> float:
        """The mean win chance of the rollouts; 0.5 without any."""
        return self.total / len(self.win_chances) if self.win_chances else 0.5

    @property
    def margin(self) -> float:
        """Return half the width of the mean's 95 % confidence interval over the dice."""
        return 1.96 * _standard_error(self.win_chances) if len(self.win_chances) > 1 else 0.5

    @property
    def is_random(self) -> bool:
        """Return True if other dice may give another result.

        This is the case if results differed, or if the game ended, since it will not end with all dice.
        """
        first = self.win_chances[0]
        return first in (0.0, 1.0) or any(chance != first for chance in self.win_chances)


def _promising_first(state: State, arms: list[SearchArm]) -> list[SearchArm]:
    """Return the arms in the order of their rollouts: if not all may be tried, the heuristic bot's choice comes first."""
    if len(arms) <= MANY_ARMS:
        return arms
    first = HeuristicPlayer(0).choose(state)
    return sorted(arms, key=lambda arm: arm.option != first)


def _standard_error(numbers: list[float]) -> float:
    """Return the standard error of the mean."""
    n = len(numbers)
    mean = sum(numbers) / n
    return sqrt(sum((x - mean) ** 2 for x in numbers) / (n - 1) / n)


class _RolloutBudget:
    """Remaining rollouts, CPU time and wall time for one decision, plus an external stop signal."""

    def __init__(
        self, settings: SearchSettings, cpu_seconds: float, wall_seconds: float, stop: Callable[[], bool] | None
    ) -> None:
        self.rollouts = 0
        self.effort = 0
        self._max_effort = settings.max_effort
        self._max_rollouts = settings.max_rollouts
        self._cpu_seconds = cpu_seconds
        self._wall_seconds = wall_seconds
        self._stop = stop
        self._cpu_start = processor_time() if cpu_seconds else 0.0
        self._wall_start = perf_counter() if wall_seconds else 0.0
        self.is_exhausted = False

    def count_rollout(self, effort: int) -> bool:
        """Count a rollout with its effort. Return False if the budget is spent or the stop signal is set."""
        self.rollouts += 1
        self.effort += effort
        if self._max_effort and self.effort > self._max_effort:
            self.is_exhausted = True
        if self._cpu_seconds and processor_time() - self._cpu_start > self._cpu_seconds:
            self.is_exhausted = True
        if self._wall_seconds and perf_counter() - self._wall_start > self._wall_seconds:
            self.is_exhausted = True
        if self._stop is not None and self._stop():
            self.is_exhausted = True
        return not self.is_exhausted

    @property
    def share_spent(self) -> float:
        """Return the largest used share of any limit, which may exceed 1."""
        shares = [0.0]
        if self._max_rollouts:
            shares.append(self.rollouts / self._max_rollouts)
        if self._cpu_seconds:
            shares.append((processor_time() - self._cpu_start) / self._cpu_seconds)
        if self._wall_seconds:
            shares.append((perf_counter() - self._wall_start) / self._wall_seconds)
        return max(shares)


class MonteCarloPlayer:
    """Bot that takes the option whose rollouts end best, according to the evaluator.

    `seconds` limits CPU time, so that a busy machine does not weaken its play; `within` limits wall time.
    """

    def __init__(
        self,
        name: str,
        evaluator: Evaluator,
        settings: SearchSettings,
        seed: int = 0,
        *,
        seconds: float = 0.0,
        within: float = 0.0,
        stop: Callable[[], bool] | None = None,
        workers: WorkerPool | None = None,
    ) -> None:
        self.name = name
        self._evaluator = evaluator
        self._settings = settings
        self._rng = SplitMix64(seed ^ 0x7415)
        self._seconds = seconds
        self._within = within
        self._stop = stop
        self._workers = workers
        self._heuristic = HeuristicPlayer(seed)

    def choose(self, state: State) -> int:
        """Return the index of the option that the bot chooses."""
        if len(state.options) == 1:
            return 0
        if self._settings.heuristic_percent and self._rng.below(100) < self._settings.heuristic_percent:
            return self._heuristic.choose(state)
        return self.search(state)[0].option

    def search(self, state: State) -> list[SearchArm]:
        """Return all arms, best first."""
        budget = _RolloutBudget(self._settings, self._seconds, self._within, self._stop)
        contenders, dropped = self._race(state, budget)
        finalists = _best_arm_per_option(contenders)[:MAX_FINALISTS]
        if self._settings.refine_finalists and len(finalists) > 1 and not budget.is_exhausted:
            best = self._search_deeper(state, finalists, budget)
            contenders.sort(key=lambda arm: arm.option != best)
        return contenders + dropped

    def _race(self, state: State, budget: _RolloutBudget) -> tuple[list[SearchArm], list[SearchArm]]:
        """Run rollouts over common dice until the best option is clear or the budget is spent.

        This is best-arm identification for a multi-armed bandit: racing, with successive halving.
        Return the contenders, best first, and the dropped arms.
        """
        settings = self._settings
        plans = self._plans(state)
        contenders = [SearchArm(option, plan) for option in range(len(state.options)) for plan in plans]
        dropped: list[SearchArm] = []
        budget_share = FIRST_PASS_SHARE if settings.refine_finalists else 1.0
        halvings = max(1, (len(contenders) - 1).bit_length())
        rounds = halvings_done = 0
        while True:
            for _ in range(settings.rollouts_per_round):
                dice_seed = self._rng.below(1 << 62)
                for arm in _promising_first(state, contenders):
                    chance, effort = rollout_value(state, arm.option, arm.plan, dice_seed, self._evaluator)
                    arm.add_result(chance)
                    if not budget.count_rollout(effort):
                        return _rank([arm for arm in contenders if arm.rollouts]), dropped
            ranked = _rank(contenders)
            rounds += 1
            share_spent = budget.share_spent / budget_share
            if (settings.rounds and rounds >= settings.rounds) or share_spent >= 1:
                return ranked, dropped
            contenders, is_clear = _prune(ranked) if settings.stop_when_clear else _drop_duplicates(ranked)
            if share_spent * halvings >= halvings_done + 1:
                halvings_done += 1
                contenders = contenders[: max(2, (len(contenders) + 1) // 2)]
            dropped = [arm for arm in ranked if arm not in contenders] + dropped
            if is_clear or len(contenders) < 2:
                return contenders, dropped

    def _search_deeper(self, state: State, arms: list[SearchArm], budget: _RolloutBudget) -> int:
        """Return the option that is best when both sides look ahead in the rest of the turn."""
        deep_arms = [SearchArm(arm.option, arm.plan) for arm in arms]
        workers = self._workers if self._seconds >= MIN_SECONDS else None
        if workers is not None:
            text, options = Game(state).to_text(), [arm.option for arm in deep_arms]
            workers.submit(
                search_in_worker,
                text,
                options,
                lambda: self._rng.below(1 << 62),
                (1 - FIRST_PASS_SHARE) * self._seconds,
            )
        while True:
            dice_seed = self._rng.below(1 << 62)
            chances = [self._deep_rollout(state, arm.option, dice_seed, budget) for arm in deep_arms]
            if budget.is_exhausted:
                break
            _add_results(deep_arms, chances)
            if deep_arms[0].rollouts > 1 and (_prune(_rank(deep_arms))[1] or budget.share_spent >= 1):
                break
        if workers is not None:
            for chances in workers.collect(stopped=self._stop is not None and self._stop()):
                _add_results(deep_arms, chances)
        return _rank(deep_arms)[0].option if deep_arms[0].rollouts else arms[0].option

    def search_options(self, state: State, options: list[int]) -> Rounds:
        """Return rounds of deep rollouts of these options, until time is up or the search is stopped."""
        budget = _RolloutBudget(self._settings, self._seconds, self._within, self._stop)
        rounds: Rounds = []
        while True:
            dice_seed = self._rng.below(1 << 62)
            chances = [self._deep_rollout(state, option, dice_seed, budget) for option in options]
            if budget.is_exhausted:
                return rounds
            rounds.append(chances)

    def _deep_rollout(self, state: State, option: int, dice_seed: int, budget: _RolloutBudget) -> float:
        """Return the win chance of the deciding side after a rollout in which both sides look one ply ahead."""
        s = loop.determinize(state, dice_seed)
        scripted_seat = -1 if s.spec.solitaire is None else s.spec.solitaire.seat
        heuristic, rng = HeuristicPlayer(dice_seed), SplitMix64(dice_seed)
        i = option
        effort = 0
        while effort < MAX_ROLLOUT_EFFORT:
            effort += decision_effort(s)
            loop.apply(s, s.options[i], state.turn)
            if s.result != UNDECIDED or not s.decision.kind or budget.is_exhausted:
                break
            if s.decision.seat == scripted_seat:
                i = explain(s).option
            elif len(s.options) == 1 or s.decision.kind in HEURISTIC_DECISIONS:
                i = heuristic.choose(s)
            else:
                i = self._best_one_ply(s, rng.below(1 << 62), budget)
        return win_chance(s, side_of(state.decision.seat), self._evaluator)

    def _best_one_ply(self, s: State, dice_seed: int, budget: _RolloutBudget) -> int:
        """Return the option with the best single rollout over these dice."""
        best, best_chance = 0, -1.0
        for option in range(len(s.options)):
            chance, effort = rollout_value(s, option, HEURISTIC_PLAN, dice_seed, self._evaluator)
            if chance > best_chance + 1e-9:
                best, best_chance = option, chance
            if not budget.count_rollout(effort):
                break
        return best

    def _plans(self, state: State) -> tuple[int, ...]:
        if self._settings.plans < 2 or side_of(state.decision.seat) != side_of(state.active):
            return (HEURISTIC_PLAN,)
        if state.decision.kind == "attack":
            return (HEURISTIC_PLAN, ATTACK_WITH_ALL, STOP_ATTACKING)
        return (HEURISTIC_PLAN, ATTACK_WITH_ALL)


def search_in_worker(text: str, options: list[int], seed: int, seconds: float, stop: Callable[[], bool]) -> Rounds:
    """Run a worker process's part of a second search."""
    player = MonteCarloPlayer("along", load_weights().network, SearchSettings(), seed, seconds=seconds, stop=stop)
    return player.search_options(Game.from_text(text).state, options)


def _add_results(arms: list[SearchArm], chances: list[float]) -> None:
    for arm, chance in zip(arms, chances, strict=True):
        arm.add_result(chance)


def _rank(arms: list[SearchArm]) -> list[SearchArm]:
    return sorted(arms, key=lambda arm: (-arm.mean, arm.option, arm.plan))


def _best_arm_per_option(arms: list[SearchArm]) -> list[SearchArm]:
    """Return the first arm of each option."""
    best: dict[int, SearchArm] = {}
    for arm in arms:
        best.setdefault(arm.option, arm)
    return list(best.values())


def _drop_duplicates(arms: list[SearchArm]) -> tuple[list[SearchArm], bool]:
    """Return arms with distinct outcomes, and whether all of them are deterministic.

    Arms of one option with equal totals are duplicates.
    """
    distinct = list({(arm.option, arm.total): arm for arm in reversed(arms)}.values())[::-1]
    return distinct, distinct[0].rollouts > 1 and not any(arm.is_random for arm in distinct)


def _prune(ranked: list[SearchArm]) -> tuple[list[SearchArm], bool]:
    """Return the arms still in contention, best first, and whether further rollouts could not change the choice.

    Arms that are significantly worse than the best, or had the same results, are dropped.
    """
    best = ranked[0]
    if best.rollouts < 2 or (best.rollouts < MIN_ROLLOUTS and any(arm.is_random for arm in ranked)):
        return ranked, False
    close, is_clear = [best], True
    for arm in ranked[1:]:
        differences = [x - y for x, y in zip(best.win_chances, arm.win_chances, strict=True)]
        mean_difference, standard_error = (best.total - arm.total) / len(differences), _standard_error(differences)
        if standard_error < 1e-12:
            if arm.option != best.option and 1e-12 < mean_difference < FINALIST_MARGIN:
                close.append(arm)
        elif mean_difference <= PRUNING_Z * standard_error:
            close.append(arm)
            is_clear = is_clear and arm.option == best.option
    return close, is_clear
