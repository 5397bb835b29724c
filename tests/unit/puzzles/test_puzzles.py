"""Puzzles: each has exactly one way, which is proved; a wrong try is told why; mining finds the same whoever works."""

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


# --- what is proved --------------------------------------------------------------------------------------------------


def test_an_unblocked_attack_that_is_enough_wins_and_what_wastes_it_does_not() -> None:
    game = position("A field: 2 Sidekick\nA reserve: S, S\nB life: 2")
    s = game.state
    solver = ProofSolver.of(s, PuzzleGoal.WIN, 1000)
    assert solver.verdict(s) is YES
    assert prove(s, PuzzleGoal.WIN) == ()  # whatever one does in the main step one can still attack, so it is no puzzle
    game.play("pass")
    assert prove(game.state, PuzzleGoal.WIN) == ("attack with Sidekick", "attack with Sidekick")


def test_an_opponent_who_can_block_prevents_it() -> None:
    s = position("A field: 2 Sidekick\nB field: Sidekick\nB life: 2").state
    assert ProofSolver.of(s, PuzzleGoal.WIN, 1000).verdict(s) is NO
    s = position("A field: 3 Sidekick\nB field: Sidekick\nB life: 2").state
    assert ProofSolver.of(s, PuzzleGoal.WIN, 1000).verdict(s) is YES


def test_two_ways_are_no_puzzle_and_what_does_no_harm_is_no_other_way() -> None:
    either = position("A field: 2 Storm@1\nB life: 1")
    either.play("pass")
    assert ProofSolver.of(either.state, PuzzleGoal.WIN, 1000).verdict(either.state) is YES
    both = prove(either.state, PuzzleGoal.WIN)
    assert both == ("attack with Storm@1",)  # like dice are one
    apart = position("A field: Storm@1, Hulk@1\nB life: 1")
    apart.play("pass")
    assert prove(apart.state, PuzzleGoal.WIN) == ()
    more = position("A field: Sidekick, Hulk@1\nB life: 2")
    more.play("pass")
    assert prove(more.state, PuzzleGoal.WIN) == ("attack with Hulk@1*",)  # the Sidekick may come along


def test_a_price_can_be_paid_in_several_ways_without_making_several_puzzles() -> None:
    s = position("A reserve: Hulk@1, F, B, M, S\nB life: 2").state
    assert prove(s, PuzzleGoal.WIN) == ("field Hulk@1*", "attack with Hulk@1*")


def test_what_depends_on_dice_is_not_sure() -> None:
    s = position("A field: Sidekick\nB life: 1\nB field: Sidekick").state
    assert ProofSolver.of(s, PuzzleGoal.WIN, 1000).verdict(s) is NO
    assert ProofSolver.of(s, PuzzleGoal.WIN, 1).verdict(s) is UNKNOWN  # there was more to look at than allowed


def test_one_way_to_survive_is_to_block_the_one_that_kills() -> None:
    game = position("A field: Hulk@1, Sidekick\nB field: Sidekick\nB life: 2")
    game.play("pass")
    game.play("attack with Sidekick")
    game.play("attack with Hulk")
    s = game.state
    assert (s.decision.kind, s.decision.seat) == ("block", 1)
    assert prove(s, PuzzleGoal.SURVIVE) == ("block Hulk@1* with Sidekick",)
    assert find_puzzle_in(s, PuzzleGoal.SURVIVE) is None  # one step is too little for a puzzle


# --- the collection --------------------------------------------------------------------------------------------------


def test_there_are_many_of_all_kinds_and_grades() -> None:
    assert [p.number for p in ALL] == list(range(1, len(ALL) + 1))
    assert len(ALL) >= 300
    assert {goal: sum(p.goal is goal for p in ALL) >= 10 for goal in PuzzleGoal} == dict.fromkeys(PuzzleGoal, True)
    assert set(Counter(p.grade for p in ALL)) == {1, 2, 3, 4, 5}


def test_every_puzzle_loads_and_is_written_as_it_is_read() -> None:
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
def test_a_puzzle_is_still_proved(puzzle: Puzzle) -> None:
    assert verify_puzzle(puzzle) == ""


def test_a_puzzle_that_is_none_is_found_out() -> None:
    puzzle = SAMPLE[0]
    assert "differs" in verify_puzzle(replace(puzzle, way=("pass",)))
    healthy = re.sub(r"^([AB]) life: \d+$", r"\1 life: 20", puzzle.position, flags=re.MULTILINE)
    assert "not exactly one" in verify_puzzle(replace(puzzle, position=healthy))


def test_the_day_has_a_puzzle_and_each_comes_once() -> None:
    days = [puzzle_of_day(day).number for day in range(len(ALL))]
    assert sorted(days) == [p.number for p in ALL]
    assert puzzle_of_day(5) == puzzle_of_day(5)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda text: "", "'puzzle: ...' is missing"),
        (lambda text: text.replace("goal: win", "goal: lose"), "the goal is one of"),
        (lambda text: text.replace("grade: ", "grade: 9"), "from 1 to 5"),
        (lambda text: text.replace("steps: ", "steps: x"), "'steps' is a number"),
        (lambda text: text.replace("way: ", "road: "), "'way: ...' is missing"),
    ],
)
def test_a_file_that_is_no_puzzle_is_refused(wrong: object, says: str) -> None:
    assert callable(wrong)
    win = next(p for p in ALL if p.goal is PuzzleGoal.WIN)
    with pytest.raises(PuzzleFileError, match=says):
        read_puzzle(wrong(win.text()), "my.puzzle")


# --- solving ---------------------------------------------------------------------------------------------------------


def own_choices(puzzle: Puzzle) -> list[str]:
    """Give the solver's choices along the line, without those that are none."""
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
def test_the_line_solves_it(puzzle: Puzzle) -> None:
    found = attempt_as_json(puzzle.number, own_choices(puzzle))
    assert found["outcome"] == "solved"
    assert found["said"]


@pytest.mark.parametrize("puzzle", SAMPLE[:8], ids=lambda p: str(p.number))
def test_every_first_step_goes_on_or_is_told_why_not(puzzle: Puzzle) -> None:
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


def test_what_a_page_is_told_does_not_give_the_answer_away() -> None:
    number = SAMPLE[0].number
    told = puzzle_as_json(number)
    assert set(told) == {"number", "goal", "grade", "task", "player", "position"}
    assert len(puzzles_as_json()) == len(ALL)
    assert "have to be done" in hint_as_json(number, 1)
    assert SAMPLE[0].way[0] in hint_as_json(number, 2)
    assert SAMPLE[0].way[-1] in hint_as_json(number, 99)
    assert solution_as_json(number)["way"] == list(SAMPLE[0].way)


@pytest.mark.parametrize("choices", [["fly away"], ["x" * 501], ["pass"] * 101, [""], ["pass", "\x00"]])
def test_what_cannot_be_chosen_is_refused(choices: list[str]) -> None:
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
def test_a_puzzle_is_solved_at_the_terminal(goal: PuzzleGoal) -> None:
    puzzle = next(p for p in ALL if p.goal is goal)
    lines = own_choices(puzzle) if goal is not PuzzleGoal.BUY else [puzzle.way[0]]
    if goal is PuzzleGoal.SURVIVE:  # blocks are picked, then played together
        lines = [*puzzle.way, "done blocking", *(text for text in lines if not text.startswith(("block", "done")))]
    said = solve(puzzle, *lines)
    assert "Solved at once." in said
    assert f"Puzzle {puzzle.number}, grade {puzzle.grade} of 5." in said


def test_a_wrong_try_is_answered_and_the_puzzle_begins_anew() -> None:
    puzzle = next(p for p in ALL if p.goal is PuzzleGoal.WIN and p.game.decision and p.game.decision.kind == "main")
    said = solve(puzzle, "pass", "hint", "hint", "again", "undo", "solution")
    assert "This fails: pass" in said
    assert "have to be done" in said
    assert "is neither an answer nor a command" in said  # nothing is taken back at a puzzle
    assert f"What has to be done: {'; '.join(puzzle.way)}." in said


def test_a_wrong_buy_is_told_the_figures() -> None:
    puzzle = next(p for p in ALL if p.goal is PuzzleGoal.BUY)
    decision = puzzle.game.decision
    assert decision is not None
    wrong = next(str(o) for o in decision.options if str(o).startswith("buy ") and str(o) not in puzzle.way)
    assert puzzle.line[0] in solve(puzzle, wrong, "quit")


def test_puzzles_are_listed_and_what_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzle", "--list", "--grade", "1"]) == 0
    head, *listed = capsys.readouterr().out.splitlines()
    assert head == "number\tgrade\tgoal"
    assert len(listed) == sum(p.grade == 1 for p in ALL)
    for wrong, says in ((["99999"], "there is no puzzle 99999"), (["tomorrow"], "'tomorrow' is not a puzzle")):
        assert main(["puzzle", *wrong]) == 2
        assert says in capsys.readouterr().err


# --- mining ----------------------------------------------------------------------------------------------------------

GAMES = [
    MiningTask(450, TURN),
    MiningTask(180, TURN),
    MiningTask(540, TURN),
]  # between players of level 2, who learn nothing


def test_mining_is_the_same_for_any_number_of_workers_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    alone = run_searches(GAMES, workers=1)
    assert [len(row["puzzles"]) for row in alone] == [1, 1, 1]
    path, about = tmp_path / "mine.jsonl", {"seed": 0}
    run_searches(GAMES[:2], workers=2, checkpoint=Checkpoint(path, about))
    again = Checkpoint(path, about)
    assert len(again.results) == 2
    resumed = run_searches(GAMES, workers=2, checkpoint=again)
    assert number_puzzles(resumed) == number_puzzles(alone)


def test_a_buy_is_best_if_its_interval_lies_above_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicemasters.lab.puzzles.best_buy.ROUNDS", (15, 60))
    clearest = max((p for p in ALL if p.goal is PuzzleGoal.BUY), key=lambda p: _shares(p)[0][0] - _shares(p)[1][0])
    found = measure_buys(clearest.game.state, ())
    assert found is not None
    assert found.answer == clearest.way[0]
    (_, best), *others = found.win_rates
    assert best.low > max(share.high for _, share in others)
    few = replace(clearest, line=tuple(f"{text} {share}" for text, share in found.win_rates))
    assert verify_puzzle(few) == ""
    assert "best by the stated margin" in verify_puzzle(clearest)  # that was measured over more games
    monkeypatch.setattr("dicemasters.lab.puzzles.best_buy.MIN_WIN_LEAD", 0.9)
    assert measure_buys(clearest.game.state, ()) is None


def _shares(puzzle: Puzzle) -> list[list[float]]:
    """Give the figures of a buy: the share, and from where to where."""
    return [[float(x) for x in re.findall(r"([0-9.]+)%", line)] for line in puzzle.line]


def test_the_figures_of_a_buy_do_not_overlap() -> None:
    for puzzle in (p for p in ALL if p.goal is PuzzleGoal.BUY):
        assert puzzle.line[0].startswith(f"{puzzle.way[0]} "), puzzle.number
        shares = _shares(puzzle)
        assert shares[0][1] >= max(high for _, _, high in shares[1:]), puzzle.number  # written to a tenth


def test_what_is_nearly_the_same_comes_once_and_games_give_the_order() -> None:
    row = mine_game(GAMES[0])
    later = {**row, "game": 700}
    other = {**row, "game": 5, "puzzles": [{**row["puzzles"][0], "way": ["attack with Hulk@2"]}]}
    found = number_puzzles([later, row, other])
    assert [(p.number, p.source.split(",")[0]) for p in found] == [(1, "game 5"), (2, "game 450")]


def test_the_commands_mine_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "found"
    asked = ["puzzles", "mine", "--seed", "450", "--games", "1", "--workers", "1", "--into", str(folder)]
    assert main(asked) == 0
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


def test_a_puzzle_by_number() -> None:
    assert find_puzzle(1) is ALL[0]
