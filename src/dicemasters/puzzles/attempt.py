"""Somebody at a puzzle: what a try comes to, how the opponent answers, and why it fails."""

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

MAX_POSITIONS: Final = 20_000  # more than any puzzle was proved with

TASKS: Final = {
    PuzzleGoal.WIN: "Win this turn, whatever your opponent answers.",
    PuzzleGoal.SURVIVE: "Survive this turn, whatever your opponent does.",
    PuzzleGoal.BUY: "What do you buy?",
}


class PuzzleAttempt:
    """A puzzle being solved: every choice is judged, and the opponent answers by what leaves fewest ways."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.game: Game = puzzle.game
        self.seat = self.game.state.decision.seat
        self._turn = self.game.state.turn
        self._solver = ProofSolver.of(self.game.state, puzzle.goal, MAX_POSITIONS)

    @property
    def seat_letter(self) -> str:
        """Give the letter of the solver's seat."""
        return describe.SEATS[self.seat]

    @property
    def is_over(self) -> bool:
        """Tell whether the turn, or the game, has ended; of what to buy, whether anything was chosen."""
        if self.puzzle.goal is PuzzleGoal.BUY:
            return bool(self.game.moves)
        return self.game.state.result != UNDECIDED or self.game.state.turn != self._turn

    @property
    def verdict(self) -> ProofStatus:
        """Tell whether the goal was reached, or can still be made sure of."""
        if self.puzzle.goal is PuzzleGoal.BUY:
            return YES if not self.is_over or self.game.moves[0].text in self.puzzle.way else NO
        if self.is_over:
            return YES if self._solver.is_goal_reached(self.game.state) else NO
        return self._solver.verdict(self.game.state)

    def play_forced_moves(self) -> None:
        """Let the opponent answer, and play what is no choice, until the solver has one or it is over."""
        while not self.is_over:
            if not self._solver.is_own_decision(self.game.state):
                self.game.play(hardest_reply(self._solver, self.game.state))
            elif len(self.game.state.options) == 1:
                self.game.play(0)
            else:
                break

    def restart(self) -> None:
        """Begin anew."""
        self.game.undo(len(self.game.moves))

    # --- why a try fails ---------------------------------------------------------------------------------------------

    def explain_failure(self) -> list[str]:
        """Say how a try that is not sure fails: what the opponent does, and what it comes to."""
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
        """Give the n-th hint, from 1: how much there is to do, then one step after the other."""
        way = self.puzzle.way
        if n <= 1 and self.puzzle.goal is PuzzleGoal.BUY:
            return f"The worst of them, won as often as said: {self.puzzle.line[-1]}."
        if n <= 1:
            return f"{len(way)} things have to be done." if len(way) > 1 else "One thing has to be done."
        steps = way[: min(n - 1, len(way))]
        return f"{len(steps)} of {len(way)}, in an order that does: {'; '.join(steps)}."

    def solution(self) -> list[str]:
        """Say the way, and how it goes against the hardest answers."""
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
        """Give the sentence for a goal that was reached."""
        if self.puzzle.goal is PuzzleGoal.BUY:
            return " ".join(self.explain_failure())
        return "You win this turn." if self.puzzle.goal is PuzzleGoal.WIN else "You survive this turn."
