"""Puzzle generation: positions with exactly one way to the goal (docs/puzzles.md), and their difficulty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dicemasters.game.inspect import view
from dicemasters.game.inspect.view import ATTACK, FIELD, RESERVE, State
from dicemasters.game.text import describe
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.player import make_player
from dicemasters.puzzles.solver import YES, ProofSolver, PuzzleGoal, is_turn_over, successor
from dicemasters.puzzles.uniqueness import SolutionAnalyzer, UnprovenError

MAX_POSITIONS: Final = 3_000  # positions searched per puzzle
MAX_PREVIEW_POSITIONS: Final = 400  # positions searched in a quick preview
ABILITY_DAMAGE_MARGIN: Final = 8  # damage that abilities may add to the A of the dice
# kinds of decisions with which a puzzle can begin
PUZZLE_DECISIONS: Final = (
    "main",
    "attack",
    "fight",
    "block",
    "respond",
)
MAX_FIELDED: Final = 12  # total of both sides; more dice would be slow and confusing
MIN_OPTIONS: Final = 3  # options at the first step
MIN_STEPS: Final = 2  # solver's choices that matter
SEEDS_PER_LEVEL: Final = 4  # runs per bot level, because some levels break ties at random
LEVELS: Final = ("level1", "level2", "level3", "level4")


@dataclass(frozen=True, slots=True)
class PuzzleCandidate:
    """A position with one way to its goal."""

    goal: PuzzleGoal
    way: tuple[str, ...]  # required steps, in any order, against a passive opponent
    line: tuple[str, ...]  # all choices of both sides, against the hardest replies
    steps: int  # solver's choices on the line that matter
    wrong: int  # losing options at these choices
    tempting: int  # losing options after which a level 2 opponent would still allow the goal
    missed_by: tuple[str, ...]  # bot levels that do not solve it every time
    positions_searched: int  # positions searched for the proof


def candidate_goal(s: State) -> PuzzleGoal | None:
    """Return the goal worth searching for in a position, or None."""
    seat = s.decision.seat
    if s.decision.kind not in PUZZLE_DECISIONS or len(s.options) < MIN_OPTIONS:
        return None
    if sum(len(view.fielded_characters(s, side)) for side in (0, 1)) > MAX_FIELDED:
        return None
    if seat == s.active:
        fighters = [d for zone in (FIELD, RESERVE) for d in s.dice_in(zone, seat) if view.kind(s, d) == view.CHARACTER]
        life = view.life(s, view.opponent_of(seat))
        goal = PuzzleGoal.WIN
    else:
        fighters = view.attackers(s) if s.step == ATTACK else []
        life = view.life(s, seat)
        goal = PuzzleGoal.SURVIVE
    strength = sum(view.current_stats(s, d)[0] for d in fighters)
    return goal if fighters and strength + ABILITY_DAMAGE_MARGIN >= life else None


def is_easy(s: State, goal: PuzzleGoal) -> bool:
    """Return whether level 2 always reaches the goal against level 2."""
    return all(_reaches_goal(s, goal, HeuristicPlayer(seed)) for seed in range(SEEDS_PER_LEVEL))


def _reaches_goal(s: State, goal: PuzzleGoal, player: HeuristicPlayer) -> bool:
    solver = ProofSolver.of(s, goal, 1)
    while not is_turn_over(s):
        s = successor(s, s.options[player.choose(s)])
    return solver.is_goal_reached(s)


def is_reachable(s: State, goal: PuzzleGoal) -> bool:
    """Return whether the goal can be reached against level 2. If not, it cannot be forced either."""
    return ProofSolver.of(s, goal, 0).against(HeuristicPlayer(0), MAX_PREVIEW_POSITIONS).verdict(s) is YES


def find_puzzle_in(s: State, goal: PuzzleGoal, max_positions: int = MAX_POSITIONS) -> PuzzleCandidate | None:
    """Return the puzzle in a position if exactly one way to the goal is proved, else None."""
    solver = ProofSolver.of(s, goal, max_positions)
    try:
        analyzer = SolutionAnalyzer(solver, s)
        way = analyzer.texts(s)
        line = list(_line(analyzer, s)) if way else []
    except UnprovenError:
        return None
    losing = [solver.losing_successors(position) for position, _ in line if solver.is_own_decision(position)]
    if sum(map(bool, losing)) < MIN_STEPS:
        return None
    candidate = PuzzleCandidate(
        goal=goal,
        way=way,
        line=tuple(text for _, text in line),
        steps=sum(map(bool, losing)),
        wrong=sum(map(len, losing)),
        tempting=sum(_is_tempting(after, solver) for successors in losing for after in successors),
        missed_by=tuple(
            name for name in LEVELS if not all(_solves(solver, s, name, seed) for seed in range(SEEDS_PER_LEVEL))
        ),
        positions_searched=solver.positions_searched,
    )
    return None if solver.has_exceeded_limit else candidate


def prove(s: State, goal: PuzzleGoal, max_positions: int = MAX_POSITIONS) -> tuple[str, ...]:
    """Return the only way to the goal, or () if there is no proof of exactly one."""
    try:
        return SolutionAnalyzer(ProofSolver.of(s, goal, max_positions), s).texts(s)
    except UnprovenError:
        return ()


# --- how hard it is --------------------------------------------------------------------------------------------------


def _line(analyzer: SolutionAnalyzer, s: State) -> Iterator[tuple[State, str]]:
    """Yield each position of the solution against the hardest replies, with the text of the choice made there."""
    solver, remaining = analyzer.solver, analyzer.common_steps(s)
    while not is_turn_over(s):
        if not solver.is_own_decision(s):
            option = s.options[hardest_reply(solver, s)]
        else:
            line = analyzer.line(s, remaining)
            option, step = line[0] if line else analyzer.steps(s)[0]
            remaining = remaining - Counter([step] if step else [])
        yield s, describe.option_texts(s)[s.options.index(option)]
        s = successor(s, option)


def hardest_reply(solver: ProofSolver, s: State) -> int:
    """Return the index of the opponent's option that prevents the goal, or else leaves the fewest ways to it."""
    return min(range(len(s.options)), key=lambda i: _winning_share(solver, successor(s, s.options[i])))


def _winning_share(solver: ProofSolver, s: State) -> float:
    """Return the share of the side's options that win.

    It is 1 if there is nothing to decide, and -1 if the goal cannot be forced.
    """
    if solver.verdict(s) is not YES:
        return -1
    if is_turn_over(s) or not solver.is_own_decision(s):
        return 1
    return solver.verdicts(s).count(YES) / len(s.options)


def _solves(solver: ProofSolver, s: State, name: str, seed: int) -> bool:
    """Return whether a bot stays on winning lines against the hardest replies."""
    player = make_player(name, seed)
    while not is_turn_over(s):
        choice = player.choose(s) if solver.is_own_decision(s) else hardest_reply(solver, s)
        s = successor(s, s.options[choice])
        if solver.verdict(s) is not YES:
            return False
    return True


def _is_tempting(after: State, solver: ProofSolver) -> bool:
    """Return whether the goal could still be reached after a wrong choice if the opponent answered like level 2."""
    return solver.against(HeuristicPlayer(0), MAX_PREVIEW_POSITIONS).verdict(after) is YES
