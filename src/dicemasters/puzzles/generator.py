"""Finding puzzles: positions with exactly one way to the goal (docs/puzzles.md), and how hard it is to see."""

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

MAX_POSITIONS: Final = 3_000  # that are looked at for one puzzle
MAX_PREVIEW_POSITIONS: Final = 400  # that are looked at to see whether there is hope
ABILITY_DAMAGE_MARGIN: Final = 8  # damage that abilities may add to what the dice show
PUZZLE_DECISIONS: Final = (
    "main",
    "attack",
    "fight",
    "block",
    "respond",
)  # kinds of decisions with which a puzzle may begin
MAX_FIELDED: Final = 12  # dice on both sides together: more take long, and are hard to see through
MIN_OPTIONS: Final = 3  # at the first step
MIN_STEPS: Final = 2  # own choices on the way that matter
SEEDS_PER_LEVEL: Final = 4  # of each level, as some break ties by chance
LEVELS: Final = ("level1", "level2", "level3", "level4")


@dataclass(frozen=True, slots=True)
class PuzzleCandidate:
    """A position with one way to its goal."""

    goal: PuzzleGoal
    way: tuple[str, ...]  # what has to be done, up to order, as long as the opponent lets it happen
    line: tuple[str, ...]  # all choices, one's own and the opponent's, where they resist most
    steps: int  # own choices on the line that matter
    wrong: int  # options there that lose it
    tempting: int  # those of them after which level 2 would still let it happen
    missed_by: tuple[str, ...]  # levels that did not find it every time
    positions_searched: int  # positions, for the proof


def candidate_goal(s: State) -> PuzzleGoal | None:
    """Give what is worth looking for in a position, if anything is."""
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
    """Tell whether level 2 reaches the goal every time, against level 2."""
    return all(_reaches_goal(s, goal, HeuristicPlayer(seed)) for seed in range(SEEDS_PER_LEVEL))


def _reaches_goal(s: State, goal: PuzzleGoal, player: HeuristicPlayer) -> bool:
    solver = ProofSolver.of(s, goal, 1)
    while not is_turn_over(s):
        s = successor(s, s.options[player.choose(s)])
    return solver.is_goal_reached(s)


def is_reachable(s: State, goal: PuzzleGoal) -> bool:
    """Tell whether the goal can be reached if the opponent answers like level 2; if not, it is not sure either."""
    return ProofSolver.of(s, goal, 0).against(HeuristicPlayer(0), MAX_PREVIEW_POSITIONS).verdict(s) is YES


def find_puzzle_in(s: State, goal: PuzzleGoal, max_positions: int = MAX_POSITIONS) -> PuzzleCandidate | None:
    """Give the puzzle in a position, if there is exactly one way to the goal, and this is proved."""
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
    """Give the one way to the goal; nothing if there are none or several, or it is not proved."""
    try:
        return SolutionAnalyzer(ProofSolver.of(s, goal, max_positions), s).texts(s)
    except UnprovenError:
        return ()


# --- how hard it is --------------------------------------------------------------------------------------------------


def _line(analyzer: SolutionAnalyzer, s: State) -> Iterator[tuple[State, str]]:
    """Go along the way against the hardest answers: each position with the text of what is chosen there."""
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
    """Give the opponent's option that prevents the goal, or else leaves fewest ways to it."""
    return min(range(len(s.options)), key=lambda i: _winning_share(solver, successor(s, s.options[i])))


def _winning_share(solver: ProofSolver, s: State) -> float:
    """Give the share of one's own options that still do, 1 where nothing is left to decide; below 0 if none is sure to."""
    if solver.verdict(s) is not YES:
        return -1
    if is_turn_over(s) or not solver.is_own_decision(s):
        return 1
    return solver.verdicts(s).count(YES) / len(s.options)


def _solves(solver: ProofSolver, s: State, name: str, seed: int) -> bool:
    """Tell whether a player keeps to ways that do, against an opponent who resists."""
    player = make_player(name, seed)
    while not is_turn_over(s):
        choice = player.choose(s) if solver.is_own_decision(s) else hardest_reply(solver, s)
        s = successor(s, s.options[choice])
        if solver.verdict(s) is not YES:
            return False
    return True


def _is_tempting(after: State, solver: ProofSolver) -> bool:
    """Tell whether the goal could still be reached after a wrong choice, if the opponent answered like level 2."""
    return solver.against(HeuristicPlayer(0), MAX_PREVIEW_POSITIONS).verdict(after) is YES
