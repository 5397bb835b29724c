"""Puzzles: each has one proven solution, failed attempts are explained, and mining is reproducible."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from dicemasters.cli.main import main
from dicemasters.game import Game
from dicemasters.lab.io.checkpoint import Checkpoint
from dicemasters.lab.puzzles.best_buy import measure_buys
from dicemasters.lab.puzzles.miner import TURN, MiningTask, mine_game, number_puzzles
from dicemasters.lab.puzzles.mining_command import run_searches, verify_puzzle
from dicemasters.puzzles.generator import PUZZLE_DECISIONS, find_puzzle_in, prove
from dicemasters.puzzles.puzzle import Puzzle, PuzzleFileError, collection, find_puzzle, puzzle_of_day, read_puzzle
from dicemasters.puzzles.puzzle_data import (
    attempt_as_json,
    hint_as_json,
    puzzle_as_json,
    puzzles_as_json,
    solution_as_json,
)
from dicemasters.puzzles.solver import NO, UNKNOWN, YES, ProofSolver, PuzzleGoal
from dicemasters.terminal.puzzle_ui import TerminalPuzzle

ALL = list(collection().values())
SAMPLE = [
    puzzle for goal in PuzzleGoal for puzzle in [p for p in ALL if p.goal is goal][::20] if goal is not PuzzleGoal.BUY
]

HAND = """
edition: avx
team A: Hulk: Jade Giant; Storm: Wind-Rider
team B: Beast: Genetic Expert
basics: Power Bolt; Smash!
{}
turn: 9, A, main
"""


def position(lines: str) -> Game:
    return Game.from_text(HAND.format(lines.strip()))


# --- proofs ----------------------------------------------------------------------------------------------------------


def test_sufficient_unblocked_attack_is_a_proven_win() -> None:
    game = position("A field: 2 Sidekick\nA reserve: S, S\nB life: 2")
    s = game.state
    solver = ProofSolver.of(s, PuzzleGoal.WIN, 1000)
    assert solver.verdict(s) is YES
    assert prove(s, PuzzleGoal.WIN) == ()  # every main step choice still allows the attack: no single solution
    game.play("pass")
    assert prove(game.state, PuzzleGoal.WIN) == ("attack with Sidekick", "attack with Sidekick")


def test_win_is_proven_only_if_enough_attackers_stay_unblocked() -> None:
    s = position("A field: 2 Sidekick\nB field: Sidekick\nB life: 2").state
    assert ProofSolver.of(s, PuzzleGoal.WIN, 1000).verdict(s) is NO
    s = position("A field: 3 Sidekick\nB field: Sidekick\nB life: 2").state
    assert ProofSolver.of(s, PuzzleGoal.WIN, 1000).verdict(s) is YES


def test_two_solutions_are_no_puzzle_and_equivalent_choices_count_as_one() -> None:
    either = position("A field: 2 Storm@1\nB life: 1")
    either.play("pass")
    assert ProofSolver.of(either.state, PuzzleGoal.WIN, 1000).verdict(either.state) is YES
    both = prove(either.state, PuzzleGoal.WIN)
    assert both == ("attack with Storm@1",)  # equal dice count as one
    apart = position("A field: Storm@1, Hulk@1\nB life: 1")
    apart.play("pass")
    assert prove(apart.state, PuzzleGoal.WIN) == ()
    more = position("A field: Sidekick, Hulk@1\nB life: 2")
    more.play("pass")
    assert prove(more.state, PuzzleGoal.WIN) == ("attack with Hulk@1*",)  # the Sidekick may attack too


def test_different_payments_count_as_one_solution() -> None:
    s = position("A reserve: Hulk@1, F, B, M, S\nB life: 2").state
    assert prove(s, PuzzleGoal.WIN) == ("field Hulk@1*", "attack with Hulk@1*")


def test_verdict_is_unknown_when_the_search_limit_is_reached() -> None:
    s = position("A field: Sidekick\nB life: 1\nB field: Sidekick").state
    assert ProofSolver.of(s, PuzzleGoal.WIN, 1000).verdict(s) is NO
    assert ProofSolver.of(s, PuzzleGoal.WIN, 1).verdict(s) is UNKNOWN  # the search reached its limit


def test_only_blocking_the_lethal_attacker_survives() -> None:
    game = position("A field: Hulk@1, Sidekick\nB field: Sidekick\nB life: 2")
    game.play("pass")
    game.play("attack with Sidekick")
    game.play("attack with Hulk")
    s = game.state
    assert (s.decision.kind, s.decision.seat) == ("block", 1)
    assert prove(s, PuzzleGoal.SURVIVE) == ("block Hulk@1* with Sidekick",)
    assert find_puzzle_in(s, PuzzleGoal.SURVIVE) is None  # one step is too short for a puzzle


# --- the collection --------------------------------------------------------------------------------------------------


def test_collection_has_many_puzzles_of_every_goal_and_grade() -> None:
    assert [p.number for p in ALL] == list(range(1, len(ALL) + 1))
    assert len(ALL) >= 300
    assert {goal: sum(p.goal is goal for p in ALL) >= 10 for goal in PuzzleGoal} == dict.fromkeys(PuzzleGoal, True)
    assert set(Counter(p.grade for p in ALL)) == {1, 2, 3, 4, 5}


def test_every_puzzle_loads_and_round_trips() -> None:
    for puzzle in ALL:
        assert read_puzzle(puzzle.text(), "") == puzzle, puzzle.number
        decision = puzzle.game.decision
        assert decision is not None, puzzle.number
        assert decision.kind in PUZZLE_DECISIONS, puzzle.number
        assert len(decision.options) > 2, puzzle.number
        assert puzzle.steps >= (1 if puzzle.goal is PuzzleGoal.BUY else 2), puzzle.number
        if puzzle.goal is PuzzleGoal.BUY:
            assert puzzle.way[0] in [str(option) for option in decision.options], puzzle.number
            assert len(puzzle.line) == puzzle.wrong + 1, puzzle.number


@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda p: str(p.number))
def test_sampled_puzzle_is_still_proven(puzzle: Puzzle) -> None:
    assert verify_puzzle(puzzle) == ""


def test_verification_detects_an_incorrect_puzzle() -> None:
    puzzle = SAMPLE[0]
    assert "differs" in verify_puzzle(replace(puzzle, way=("pass",)))
    healthy = re.sub(r"^([AB]) life: \d+$", r"\1 life: 20", puzzle.position, flags=re.MULTILINE)
    assert "not exactly one" in verify_puzzle(replace(puzzle, position=healthy))


def test_each_puzzle_is_the_puzzle_of_the_day_once() -> None:
    days = [puzzle_of_day(day).number for day in range(len(ALL))]
    assert sorted(days) == [p.number for p in ALL]
    assert puzzle_of_day(5) == puzzle_of_day(5)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda text: "", "'puzzle: ...' is missing"),
        (lambda text: text.replace("goal: win", "goal: lose"), "the goal is one of"),
        (lambda text: text.replace("grade: ", "grade: 9"), "from 1 to 5"),
        (lambda text: text.replace("steps: ", "steps: x"), "'steps' is a number"),
        (lambda text: text.replace("way: ", "road: "), "'way: ...' is missing"),
    ],
)
def test_invalid_puzzle_file_is_refused(wrong: object, message: str) -> None:
    assert callable(wrong)
    win = next(p for p in ALL if p.goal is PuzzleGoal.WIN)
    with pytest.raises(PuzzleFileError, match=message):
        read_puzzle(wrong(win.text()), "my.puzzle")


# --- solving ---------------------------------------------------------------------------------------------------------


def own_choices(puzzle: Puzzle) -> list[str]:
    """Return the solver's choices along the line, without forced ones."""
    game = puzzle.game
    assert game.decision is not None
    me, mine = game.decision.player, []
    for text in puzzle.line:
        assert game.decision is not None
        if game.decision.player == me and len(game.decision.options) > 1:
            mine.append(text)
        game.play(text)
    return mine


@pytest.mark.parametrize("puzzle", SAMPLE[:8], ids=lambda p: str(p.number))
def test_stored_line_solves_the_puzzle(puzzle: Puzzle) -> None:
    found = attempt_as_json(puzzle.number, own_choices(puzzle))
    assert found["outcome"] == "solved"
    assert found["said"]


@pytest.mark.parametrize("puzzle", SAMPLE[:8], ids=lambda p: str(p.number))
def test_every_first_choice_continues_or_fails_with_a_reason(puzzle: Puzzle) -> None:
    outcomes: Counter[str] = Counter()
    for text in attempt_as_json(puzzle.number, [])["options"]:
        found = attempt_as_json(puzzle.number, [text])
        outcomes[found["outcome"]] += 1
        if found["outcome"] == "failed":
            assert re.search("he turn is over|ou have lost|obody wins", found["said"][-1])
            with pytest.raises(ValueError, match="this try is over"):
                attempt_as_json(puzzle.number, [text, "pass"])
    assert outcomes["failed"]
    assert outcomes["open"] + outcomes["solved"]


def test_puzzle_data_for_the_page_hides_the_solution() -> None:
    number = SAMPLE[0].number
    data = puzzle_as_json(number)
    assert set(data) == {"number", "goal", "grade", "task", "player", "position"}
    assert len(puzzles_as_json()) == len(ALL)
    assert "have to be done" in hint_as_json(number, 1)
    assert SAMPLE[0].way[0] in hint_as_json(number, 2)
    assert SAMPLE[0].way[-1] in hint_as_json(number, 99)
    assert solution_as_json(number)["way"] == list(SAMPLE[0].way)


@pytest.mark.parametrize("choices", [["fly away"], ["x" * 501], ["pass"] * 101, [""], ["pass", "\x00"]])
def test_invalid_choices_and_puzzle_numbers_are_refused(choices: list[str]) -> None:
    with pytest.raises(ValueError, match=r"."):
        attempt_as_json(SAMPLE[0].number, choices)
    for number in (0, -1, 10**9):
        with pytest.raises(ValueError, match="there is no puzzle"):
            puzzle_as_json(number)


def solve(puzzle: Puzzle, *lines: str) -> str:
    out = io.StringIO()
    answers = iter(lines)

    def read(prompt: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    console = Console(file=out, width=120, height=60, highlight=False, color_system=None)
    assert TerminalPuzzle(puzzle, console, read).run() == 0
    return out.getvalue()


@pytest.mark.parametrize("goal", list(PuzzleGoal))
def test_puzzle_can_be_solved_in_the_terminal(goal: PuzzleGoal) -> None:
    puzzle = next(p for p in ALL if p.goal is goal)
    lines = own_choices(puzzle) if goal is not PuzzleGoal.BUY else [puzzle.way[0]]
    if goal is PuzzleGoal.SURVIVE:  # blocks are picked, then played together
        lines = [*puzzle.way, "done blocking", *(text for text in lines if not text.startswith(("block", "done")))]
    elif goal is PuzzleGoal.WIN:
        lines.append("attack")
    out = solve(puzzle, *lines)
    assert "Solved at once." in out
    assert f"Puzzle {puzzle.number}, grade {puzzle.grade} of 5." in out


def test_failed_attempt_is_explained_and_the_puzzle_restarts() -> None:
    puzzle = next(p for p in ALL if p.goal is PuzzleGoal.WIN and p.game.decision and p.game.decision.kind == "main")
    out = solve(puzzle, "pass", "hint", "hint", "again", "undo", "solution")
    assert "This fails: pass" in out
    assert "have to be done" in out
    assert "is neither an answer nor a command" in out  # puzzles have no undo
    assert f"What has to be done: {'; '.join(puzzle.way)}." in out


def test_wrong_purchase_shows_the_figures() -> None:
    puzzle = next(p for p in ALL if p.goal is PuzzleGoal.BUY)
    decision = puzzle.game.decision
    assert decision is not None
    wrong = next(str(o) for o in decision.options if str(o).startswith("buy ") and str(o) not in puzzle.way)
    assert puzzle.line[0] in solve(puzzle, wrong, "quit")


def test_puzzle_command_lists_puzzles_and_refuses_unknown_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzle", "--list", "--grade", "1"]) == 0
    head, *listed = capsys.readouterr().out.splitlines()
    assert head == "number\tgrade\tgoal"
    assert len(listed) == sum(p.grade == 1 for p in ALL)
    for wrong, message in ((["99999"], "there is no puzzle 99999"), (["tomorrow"], "'tomorrow' is not a puzzle")):
        assert main(["puzzle", *wrong]) == 2
        assert message in capsys.readouterr().err


# --- mining ----------------------------------------------------------------------------------------------------------

GAMES = [
    MiningTask(450, TURN),
    MiningTask(180, TURN),
    MiningTask(540, TURN),
]  # between level 2 bots, which do not learn


def test_mining_does_not_depend_on_workers_and_resumes_where_it_stopped(tmp_path: Path) -> None:
    alone = run_searches(GAMES, workers=1)
    assert [len(row["puzzles"]) for row in alone] == [1, 1, 1]
    path, about = tmp_path / "mine.jsonl", {"seed": 0}
    run_searches(GAMES[:2], workers=2, checkpoint=Checkpoint(path, about))
    again = Checkpoint(path, about)
    assert len(again.results) == 2
    resumed = run_searches(GAMES, workers=2, checkpoint=again)
    assert number_puzzles(resumed) == number_puzzles(alone)


def test_purchase_is_best_if_its_interval_is_above_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicemasters.lab.puzzles.best_buy.ROUNDS", (15, 60))
    clearest = max(
        (p for p in ALL if p.goal is PuzzleGoal.BUY), key=lambda p: _win_intervals(p)[0][0] - _win_intervals(p)[1][0]
    )
    found = measure_buys(clearest.game.state, ())
    assert found is not None
    assert found.answer == clearest.way[0]
    (_, best), *others = found.win_rates
    assert best.low > max(share.high for _, share in others)
    few = replace(clearest, line=tuple(f"{text} {share}" for text, share in found.win_rates))
    assert verify_puzzle(few) == ""
    assert "best by the stated margin" in verify_puzzle(clearest)  # its margin was measured with more games
    monkeypatch.setattr("dicemasters.lab.puzzles.best_buy.MIN_WIN_LEAD", 0.9)
    assert measure_buys(clearest.game.state, ()) is None


def _win_intervals(puzzle: Puzzle) -> list[list[float]]:
    """Return the figures of each option: win share, lower bound, upper bound."""
    return [[float(x) for x in re.findall(r"([0-9.]+)%", line)] for line in puzzle.line]


def test_intervals_of_purchase_puzzles_do_not_overlap() -> None:
    for puzzle in (p for p in ALL if p.goal is PuzzleGoal.BUY):
        assert puzzle.line[0].startswith(f"{puzzle.way[0]} "), puzzle.number
        shares = _win_intervals(puzzle)
        assert shares[0][1] >= max(high for _, _, high in shares[1:]), puzzle.number  # rounded to a tenth


def test_near_duplicates_are_dropped_and_puzzles_are_ordered_by_game() -> None:
    row = mine_game(GAMES[0])
    later = {**row, "game": 700}
    other = {**row, "game": 5, "puzzles": [{**row["puzzles"][0], "way": ["attack with Hulk@2"]}]}
    found = number_puzzles([later, row, other])
    assert [(p.number, p.source.split(",")[0]) for p in found] == [(1, "game 5"), (2, "game 450")]


def test_puzzles_commands_mine_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "found"
    argv = ["puzzles", "mine", "--seed", "450", "--games", "1", "--workers", "1", "--into", str(folder)]
    assert main(argv) == 0
    assert "1 puzzle (win 1)" in capsys.readouterr().out
    assert main(["puzzles", "check", str(folder), "--workers", "1"]) == 0
    assert "1 of 1 puzzles are correct" in capsys.readouterr().out
    file = folder / "0001.puzzle"
    file.write_text(file.read_text().replace("way: field Storm@3 | ", "way: "))
    assert main(["puzzles", "check", str(folder), "--workers", "1"]) == 1
    assert "puzzle 1: the solution differs" in capsys.readouterr().out
    assert main(["puzzles", "check", str(tmp_path)]) == 2
    assert main(["puzzles", "mine", "--games", "0"]) == 2
    assert "there must be at least one" in capsys.readouterr().err


def test_puzzle_is_found_by_number() -> None:
    assert find_puzzle(1) is ALL[0]
