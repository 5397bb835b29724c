"""Whether somebody can make sure of something this turn, whatever the opponent answers and however dice fall.

Every line of play to the end of the turn is looked at: of one's own options one must do, of the opponent's each must. A line
on which dice fall proves nothing good, as it is seen with some falls of the dice only; but one bad fall proves that nothing is
sure. So an answer is yes, no, or unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Protocol

from dicemasters.game.inspect import view
from dicemasters.game.inspect.hypotheticals import search_key
from dicemasters.game.inspect.view import UNDECIDED, Option, State
from dicemasters.game.turn import loop

DICE_SAMPLES = 3  # of the dice, that are looked at where dice fall
MAX_DEPTH = 150  # choices in a row; where something can be done again and again there would be no end
_RNG_STEP = 0x9E3779B97F4A7C15
_ALL_BITS = 0xFFFFFFFFFFFFFFFF


class ProofStatus(Enum):
    """What is known about a goal."""

    YES = "yes"  # it can be made sure of
    NO = "no"  # the opponent or the dice can prevent it
    UNKNOWN = "unknown"  # dice fall on the way, or there is too much to look at


YES, NO, UNKNOWN = ProofStatus.YES, ProofStatus.NO, ProofStatus.UNKNOWN


class PuzzleGoal(Enum):
    """What somebody wants to make sure of before the turn is over; what to buy is never sure, and measured instead."""

    WIN = "win"
    SURVIVE = "survive"
    BUY = "buy"


class OpponentModel(Protocol):
    """Whoever answers for the opponent."""

    def choose(self, state: State) -> int: ...


class ProofSolver:
    """Goes through all that can happen before the turn is over; what it knows of a position it remembers.

    With `answers` the opponent answers only so: then a yes means that this opponent would let it happen.
    """

    def __init__(self, side: int, goal: PuzzleGoal, max_positions: int, opponent: OpponentModel | None = None) -> None:
        """Take a side; look at no more than that many positions."""
        self.goal = goal
        self.side = side
        self.positions_searched = 0
        self.has_exceeded_limit = False  # there was more to look at than allowed: then an unknown may be anything
        self._max_positions = max_positions
        self._depth = 0
        self._opponent = opponent
        self._transpositions: dict[tuple[object, ...], ProofStatus] = {}

    @classmethod
    def of(cls, s: State, goal: PuzzleGoal, max_positions: int) -> ProofSolver:
        """Give one for whoever decides in a position."""
        return cls(view.side_of(s.decision.seat), goal, max_positions)

    def against(self, opponent: OpponentModel, max_positions: int) -> ProofSolver:
        """Give one for the same side and goal, against an opponent who answers so."""
        return ProofSolver(self.side, self.goal, max_positions, opponent)

    def is_own_decision(self, s: State) -> bool:
        """Tell whether it is a decision of the side that has the goal."""
        return view.side_of(s.decision.seat) == self.side

    def verdicts(self, s: State) -> list[ProofStatus]:
        """Judge each option of a position of this turn."""
        return [UNKNOWN if self.has_exceeded_limit else self._verdict_after(s, option) for option in s.options]

    def losing_successors(self, s: State) -> list[State]:
        """Give what the options lead to with which nothing is sure any more."""
        return [successor(s, o) for o, verdict in zip(s.options, self.verdicts(s), strict=True) if verdict is NO]

    def verdict(self, s: State) -> ProofStatus:
        """Judge a position of this turn."""
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
        """Tell whether the goal was reached, where the turn has ended."""
        return s.result == self.side or (self.goal is PuzzleGoal.SURVIVE and s.result == UNDECIDED)

    def _prove(self, s: State) -> ProofStatus:
        """Of one's own options one that does is enough; of the opponent's one that prevents it."""
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
        """Give what a choice leads to; if dice fall, with the worst fall that was looked at."""
        outcomes = list(_outcomes(s, option))
        return next((after for after in outcomes if self.verdict(after) is NO), outcomes[0])

    def _verdict_after(self, s: State, option: Option) -> ProofStatus:
        """Judge what a choice leads to, with some falls of the dice if any fall."""
        outcomes = _outcomes(s, option)
        after = next(outcomes)
        verdict = self.verdict(after)
        if after.rng == s.rng:
            return verdict
        return NO if verdict is NO or any(self.verdict(other) is NO for other in outcomes) else UNKNOWN


def is_turn_over(s: State) -> bool:
    """Tell whether the turn, or the game, has ended."""
    return s.result != UNDECIDED or not s.decision.kind


def successor(s: State, option: Option) -> State:
    """Give the position after a choice; where the turn ends nothing more happens."""
    after = s.copy()
    loop.apply(after, option, s.turn)
    return after


def _outcomes(s: State, option: Option) -> Iterator[State]:
    """Give the position after a choice, and if dice fall, also after other falls of them."""
    after = successor(s, option)
    yield after
    if after.rng == s.rng:
        return
    for sample in range(1, DICE_SAMPLES):
        other = s.copy()
        other.rng = s.rng ^ sample * _RNG_STEP & _ALL_BITS
        yield successor(other, option)
