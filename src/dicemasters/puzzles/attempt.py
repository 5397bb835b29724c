"""An attempt at a puzzle: its result, the opponent's replies, and explanations of failure."""

from __future__ import annotations

from typing import Final

from dicemasters.game import Game
from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import UNDECIDED, State
from dicemasters.game.text import describe
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.puzzles.generator import hardest_reply
from dicemasters.puzzles.puzzle import Puzzle
from dicemasters.puzzles.solver import NO, YES, ProofSolver, ProofStatus, PuzzleGoal, is_turn_over

MAX_POSITIONS: Final = 20_000  # more than the proof of any puzzle has needed

TASKS: Final = {
    PuzzleGoal.WIN: "Win this turn, whatever your opponent answers.",
    PuzzleGoal.SURVIVE: "Survive this turn, whatever your opponent does.",
    PuzzleGoal.BUY: "What do you buy?",
}


class PuzzleAttempt:
    """A puzzle being solved. Every choice is judged, and the opponent gives the hardest replies."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.game: Game = puzzle.game
        self.seat = self.game.state.decision.seat
        self._turn = self.game.state.turn
        self._solver = ProofSolver.of(self.game.state, puzzle.goal, MAX_POSITIONS)

    @property
    def seat_letter(self) -> str:
        """The letter of the solver's seat."""
        return describe.SEATS[self.seat]

    @property
    def is_over(self) -> bool:
        """Whether the turn or game has ended; in a puzzle about buying, whether a choice was made."""
        if self.puzzle.goal is PuzzleGoal.BUY:
            return bool(self.game.moves)
        return self.game.state.result != UNDECIDED or self.game.state.turn != self._turn

    @property
    def verdict(self) -> ProofStatus:
        """The proof status: whether the goal has been reached or can still be forced."""
        if self.puzzle.goal is PuzzleGoal.BUY:
            return YES if not self.is_over or self.game.moves[0].text in self.puzzle.way else NO
        if self.is_over:
            return YES if self._solver.is_goal_reached(self.game.state) else NO
        return self._solver.verdict(self.game.state)

    def play_forced_moves(self) -> None:
        """Play the opponent's replies and forced moves until the solver has a choice or the attempt is over."""
        while not self.is_over:
            if not self._solver.is_own_decision(self.game.state):
                self.game.play(hardest_reply(self._solver, self.game.state))
            elif len(self.game.state.options) == 1:
                self.game.play(0)
            else:
                break

    def restart(self) -> None:
        """Return to the start of the puzzle."""
        self.game.undo(len(self.game.moves))

    # --- explanations ------------------------------------------------------------------------------------------------

    def explain_failure(self) -> list[str]:
        """Return why the goal is no longer certain: the opponent's replies and the result."""
        if self.puzzle.goal is PuzzleGoal.BUY:
            return [f"Played on 600 times after each buy, by level 2 on both sides: {'; '.join(self.puzzle.line)}."]
        if not self.is_over and self.verdict is not NO:
            return ["That leaves it to the dice, or to chance: it is not sure any more."]
        s = self.game.state
        moves: list[str] = []
        player = HeuristicPlayer(0)
        while not (self.is_over or is_turn_over(s)):
            if self._solver.is_own_decision(s):
                i = player.choose(s)
            else:
                i = next(
                    n for n, o in enumerate(s.options) if self._solver.verdict(self._solver.worst_successor(s, o)) is NO
                )
            if len(s.options) > 1:
                moves.append(f"{self._side_label(s)} {describe.option_texts(s)[i]}")
            s = self._solver.worst_successor(s, s.options[i])
        if not moves:
            return [self._describe_end(s).removeprefix("Then ").capitalize()]
        return [f"It can go on: {'; '.join(moves)}.", self._describe_end(s)]

    def hint(self, n: int) -> str:
        """Return the n-th hint, counted from 1: the number of steps, then the steps one by one."""
        way = self.puzzle.way
        if n <= 1 and self.puzzle.goal is PuzzleGoal.BUY:
            return f"The worst buy, with its share of games won: {self.puzzle.line[-1]}."
        if n <= 1:
            return f"{len(way)} things have to be done." if len(way) > 1 else "One thing has to be done."
        steps = way[: min(n - 1, len(way))]
        return f"{len(steps)} of {len(way)}, in an order that works: {'; '.join(steps)}."

    def solution(self) -> list[str]:
        """Return the required steps, and a line against the hardest replies."""
        if self.puzzle.goal is PuzzleGoal.BUY:
            return [f"{self.puzzle.way[0]}.", *self.explain_failure()]
        sentences = [f"What has to be done: {'; '.join(self.puzzle.way)}."]
        return [*sentences, f"Against the hardest answers: {'; '.join(self.puzzle.line)}."]

    def _side_label(self, s: State) -> str:
        return "you:" if self._solver.is_own_decision(s) else "your opponent:"

    def _describe_end(self, s: State) -> str:
        if self.puzzle.goal is PuzzleGoal.SURVIVE:
            return "Then you have lost."
        life_left = view.life(s, view.opponent_of(self.seat))
        if s.result != UNDECIDED:
            return "Then you have lost." if life_left > 0 else "Then nobody wins."
        return f"Then the turn is over, and your opponent has {life_left} life left."

    def success_message(self) -> str:
        """Return the sentence for a goal that was reached."""
        if self.puzzle.goal is PuzzleGoal.BUY:
            return " ".join(self.explain_failure())
        return "You win this turn." if self.puzzle.goal is PuzzleGoal.WIN else "You survive this turn."
