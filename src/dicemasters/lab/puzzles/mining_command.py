"""The command `dicemasters puzzles`: mine puzzles from played games, or prove existing ones again."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from dicemasters import __version__
from dicemasters.cards.textio import read_text
from dicemasters.lab.io.checkpoint import Checkpoint
from dicemasters.lab.parallel.process_pool import imap_unordered, progress
from dicemasters.lab.puzzles.best_buy import measure_buys
from dicemasters.lab.puzzles.miner import BUY, TURN, Data, MiningTask, is_mining_row, mine_game, number_puzzles
from dicemasters.puzzles.generator import prove
from dicemasters.puzzles.puzzle import FILE_SUFFIX, Puzzle, collection, read_puzzle
from dicemasters.puzzles.solver import PuzzleGoal

MAX_GAMES = 10_000_000  # per run


def main(args: argparse.Namespace) -> int:
    """Mine puzzles, or check them."""
    return _mine(args) if args.verb == "mine" else _check(args)


def _mine(args: argparse.Namespace) -> int:
    if args.games < 0 or args.buys < 0 or args.games + args.buys < 1:
        raise ValueError(f"{args.games} games and {args.buys} for buys: there must be at least one")
    if args.games + args.buys > MAX_GAMES:
        raise ValueError(f"these are too many games; there can be at most {MAX_GAMES:,} in one run")
    tasks = [MiningTask(args.seed + n, TURN) for n in range(args.games)]
    tasks += [MiningTask(args.seed + n, BUY) for n in range(args.buys)]
    run = {"what": "puzzles", "version": __version__, "seed": args.seed}
    checkpoint = Checkpoint(Path(args.keep), run, is_mining_row) if args.keep else None
    folder = Path(args.into) if args.into else None
    if folder is not None:  # check before the search, which takes a long time
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"{folder}: this is a file, not a folder; choose another name")
        folder.mkdir(parents=True, exist_ok=True)
    puzzles = number_puzzles(run_searches(tasks, workers=args.workers, checkpoint=checkpoint))
    if folder is not None:
        for puzzle in puzzles:
            (folder / f"{puzzle.number:04}{FILE_SUFFIX}").write_text(puzzle.text(), encoding="utf-8")
    print(_summarize(puzzles))
    return 0


def run_searches(tasks: Sequence[MiningTask], *, workers: int = 0, checkpoint: Checkpoint | None = None) -> list[Data]:
    """Run the tasks that are not in the checkpoint. Return all results in the order of the tasks."""
    rows = {(row["game"], row["what"]): row for row in (checkpoint.results if checkpoint else ())}
    pending = [mining_task for mining_task in tasks if (mining_task.game, mining_task.what) not in rows]
    with progress() as bar:
        task = bar.add_task("games", total=len(tasks), completed=len(tasks) - len(pending))
        for _, row in imap_unordered(pending, mine_game, workers=workers, chunk=1):
            rows[row["game"], row["what"]] = row
            if checkpoint is not None:
                checkpoint.write([row])
            bar.advance(task)
    return [rows[mining_task.game, mining_task.what] for mining_task in tasks]


def _summarize(puzzles: Sequence[Puzzle]) -> str:
    if not puzzles:
        return "no puzzles"
    goals = Counter(puzzle.goal.value for puzzle in puzzles)
    grades = Counter(puzzle.grade for puzzle in puzzles)
    by_goal = ", ".join(f"{goal} {n}" for goal, n in sorted(goals.items()))
    return f"{len(puzzles)} puzzle{'s' * (len(puzzles) != 1)} ({by_goal}); by grade: {', '.join(f'{g}: {n}' for g, n in sorted(grades.items()))}"


def _check(args: argparse.Namespace) -> int:
    if args.folder:
        if not Path(args.folder).is_dir():
            raise ValueError(f"{args.folder}: there is no such folder")
        paths = sorted(Path(args.folder).glob(f"*{FILE_SUFFIX}"))
        puzzles = [read_puzzle(read_text(path), str(path)) for path in paths]
    else:
        puzzles = list(collection().values())
    if not puzzles:
        raise ValueError(f"{args.folder}: there are no puzzles, which are files that end with {FILE_SUFFIX}")
    problems: dict[int, str] = {}
    with progress() as bar:
        task = bar.add_task("puzzles", total=len(puzzles))
        for number, problem in imap_unordered(puzzles, verify_puzzle, workers=args.workers):
            if problem:
                problems[number] = problem
            bar.advance(task)
    for number in sorted(problems):
        print(f"puzzle {puzzles[number].number}: {problems[number]}")
    print(f"{len(puzzles) - len(problems)} of {len(puzzles)} puzzles are correct")
    return 1 if problems else 0


def verify_puzzle(puzzle: Puzzle) -> str:
    """Prove or measure a puzzle again. Return the problem, or "" if there is none."""
    state = puzzle.game.state
    if puzzle.goal is PuzzleGoal.BUY:
        best = measure_buys(state, ())
        measured = () if best is None else tuple(f"{text} {share}" for text, share in best.win_rates)
        return "" if best is not None and measured == puzzle.line else "no buy is best by the stated margin"
    way = prove(state, puzzle.goal)
    if not way:
        return "there is not exactly one solution"
    return "" if sorted(way) == sorted(puzzle.way) else f"the solution differs: {'; '.join(way)}"
