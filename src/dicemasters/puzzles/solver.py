"""Proof search: whether a side can force a goal this turn, whatever the opponent chooses and however the dice fall.

The search visits every line of play to the end of the turn. One winning option is enough for the side that has the
goal; all of the opponent's options must win. A line with dice rolls never proves a win, because only a few outcomes are
sampled, but one bad outcome disproves it. So the result is yes, no or unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Protocol

from dicemasters.game.inspect import view
from dicemasters.game.inspect.hypotheticals import search_key
from dicemasters.game.inspect.view import UNDECIDED, Option, State
from dicemasters.game.turn import loop

DICE_SAMPLES = 3  # outcomes sampled per dice roll
MAX_DEPTH = 150  # consecutive choices; repeatable actions would recurse forever
_RNG_STEP = 0x9E3779B97F4A7C15
_ALL_BITS = 0xFFFFFFFFFFFFFFFF


class ProofStatus(Enum):
    """The proof status of a goal."""

    YES = "yes"  # the goal can be forced
    NO = "no"  # the opponent or the dice can prevent it
    UNKNOWN = "unknown"  # dice are rolled on the way, or the search limit is exceeded


YES, NO, UNKNOWN = ProofStatus.YES, ProofStatus.NO, ProofStatus.UNKNOWN


class PuzzleGoal(Enum):
    """The goal of a side before the turn ends. What to buy is never certain, so it is measured instead of proved."""

    WIN = "win"
    SURVIVE = "survive"
    BUY = "buy"


class OpponentModel(Protocol):
    """A player that answers for the opponent."""

    def choose(self, state: State) -> int:
        """Return the index of the option that the opponent chooses."""
        ...


class ProofSolver:
    """Depth-first proof search up to the end of the turn, with a transposition table.

    With `opponent` only its answers are searched: then a yes means that this opponent would let it happen.
    """

    def __init__(self, side: int, goal: PuzzleGoal, max_positions: int, opponent: OpponentModel | None = None) -> None:
        """Search for `side`, visiting at most `max_positions` positions."""
        self.goal = goal
        self.side = side
        self.positions_searched = 0
        self.has_exceeded_limit = False  # the search was cut off, so UNKNOWN is inconclusive
        self._max_positions = max_positions
        self._depth = 0
        self._opponent = opponent
        self._transpositions: dict[tuple[object, ...], ProofStatus] = {}

    @classmethod
    def of(cls, s: State, goal: PuzzleGoal, max_positions: int) -> ProofSolver:
        """Return a solver for the side that decides in a position."""
        return cls(view.side_of(s.decision.seat), goal, max_positions)

    def against(self, opponent: OpponentModel, max_positions: int) -> ProofSolver:
        """Return a solver for the same side and goal against a fixed opponent."""
        return ProofSolver(self.side, self.goal, max_positions, opponent)

    def is_own_decision(self, s: State) -> bool:
        """Return whether the side with the goal decides."""
        return view.side_of(s.decision.seat) == self.side

    def verdicts(self, s: State) -> list[ProofStatus]:
        """Return the proof status after each option of a position of this turn."""
        return [UNKNOWN if self.has_exceeded_limit else self._verdict_after(s, option) for option in s.options]

    def losing_successors(self, s: State) -> list[State]:
        """Return the positions after the options with which the goal can no longer be forced."""
        return [successor(s, o) for o, verdict in zip(s.options, self.verdicts(s), strict=True) if verdict is NO]

    def verdict(self, s: State) -> ProofStatus:
        """Return the proof status of a position of this turn."""
        if is_turn_over(s):
            return YES if self.is_goal_reached(s) else NO
        key = search_key(s)
        status = self._transpositions.get(key)
        if status is None:
            self.positions_searched += 1
            self._depth += 1
            self.has_exceeded_limit = (
                self.has_exceeded_limit or self.positions_searched > self._max_positions or self._depth > MAX_DEPTH
            )
            status = UNKNOWN if self.has_exceeded_limit else self._prove(s)
            self._depth -= 1
            if not self.has_exceeded_limit:
                self._transpositions[key] = status
        return status

    def is_goal_reached(self, s: State) -> bool:
        """Return whether the goal is reached at the end of the turn."""
        return s.result == self.side or (self.goal is PuzzleGoal.SURVIVE and s.result == UNDECIDED)

    def _prove(self, s: State) -> ProofStatus:
        """Search the options: one YES is enough at the solver's decisions, one NO at the opponent's."""
        options = s.options
        decisive, result = (YES, NO) if self.is_own_decision(s) else (NO, YES)
        if decisive is NO and self._opponent is not None:
            options = [options[self._opponent.choose(s)]]
        for option in options:
            verdict = UNKNOWN if self.has_exceeded_limit else self._verdict_after(s, option)
            if verdict is decisive:
                return decisive
            if verdict is UNKNOWN:
                result = UNKNOWN
        return result

    def worst_successor(self, s: State, option: Option) -> State:
        """Return the position after an option; if dice are rolled, the worst of the sampled outcomes."""
        outcomes = list(_outcomes(s, option))
        return next((after for after in outcomes if self.verdict(after) is NO), outcomes[0])

    def _verdict_after(self, s: State, option: Option) -> ProofStatus:
        """Return the proof status after an option, sampling outcomes if dice are rolled."""
        outcomes = _outcomes(s, option)
        after = next(outcomes)
        verdict = self.verdict(after)
        if after.rng == s.rng:
            return verdict
        return NO if verdict is NO or any(self.verdict(other) is NO for other in outcomes) else UNKNOWN


def is_turn_over(s: State) -> bool:
    """Return whether the turn or the game has ended."""
    return s.result != UNDECIDED or not s.decision.kind


def successor(s: State, option: Option) -> State:
    """Return the position after an option. Play stops at the end of the turn."""
    after = s.copy()
    loop.apply(after, option, s.turn)
    return after


def _outcomes(s: State, option: Option) -> Iterator[State]:
    """Yield the position after an option and, if dice are rolled, other sampled outcomes."""
    after = successor(s, option)
    yield after
    if after.rng == s.rng:
        return
    for sample in range(1, DICE_SAMPLES):
        other = s.copy()
        other.rng = s.rng ^ sample * _RNG_STEP & _ALL_BITS
        yield successor(other, option)
