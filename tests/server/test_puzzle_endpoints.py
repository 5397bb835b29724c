"""Puzzle endpoints: attempts, hints, solutions, and invalid requests."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.support.live_server import LiveServer

from dicemasters.puzzles.attempt import PuzzleAttempt
from dicemasters.puzzles.puzzle import collection, puzzle_of_day
from dicemasters.puzzles.solver import YES, PuzzleGoal
from dicemasters.service.protocol import puzzle_schema

PUZZLE_DETAILS: TypeAdapter[Any] = TypeAdapter(puzzle_schema.PuzzleDetails)
PROGRESS: TypeAdapter[Any] = TypeAdapter(puzzle_schema.PuzzleProgress)
SOLUTION: TypeAdapter[Any] = TypeAdapter(puzzle_schema.PuzzleSolution)
FIRST = {goal: next(p for p in collection().values() if p.goal is goal) for goal in PuzzleGoal}
WIN, BUY = FIRST[PuzzleGoal.WIN].number, FIRST[PuzzleGoal.BUY].number


def post_attempt(server: LiveServer, number: int, choices: list[Any]) -> Any:
    answer = server.http.post(f"/api/puzzles/{number}", json={"choices": choices})
    assert answer.status_code == 200, answer.text
    PROGRESS.validate_python(answer.json())
    return answer.json()


def solution_choices(number: int) -> list[dict[str, int]]:
    """Return a solution as option numbers."""
    attempt = PuzzleAttempt(collection()[number])
    attempt.play_forced_moves()
    made: list[dict[str, int]] = []
    while not attempt.is_over:
        for n in range(len(attempt.game.state.options)):
            attempt.game.play(n)
            if attempt.verdict is YES:
                made.append({"option": n})
                break
            attempt.game.undo()
        attempt.play_forced_moves()
    return made


def test_puzzles_are_listed_and_every_day_has_one(server: LiveServer) -> None:
    listed = server.get("/api/puzzles")["puzzles"]
    assert [one["number"] for one in listed] == list(collection())
    assert {one["goal"] for one in listed} == {"win", "survive", "buy"}
    days = [server.get(f"/api/puzzles/days/{day}")["number"] for day in range(739_000, 739_005)]
    assert days == [puzzle_of_day(day).number for day in range(739_000, 739_005)]
    assert len(set(days)) > 1


@pytest.mark.parametrize("goal", list(PuzzleGoal), ids=lambda goal: goal.value)
def test_puzzle_is_solved_choice_by_choice(server: LiveServer, goal: PuzzleGoal) -> None:
    number = FIRST[goal].number
    puzzle = server.get(f"/api/puzzles/{number}")
    PUZZLE_DETAILS.validate_python(puzzle)
    assert puzzle["view"]["decision"]["seat"] == puzzle["seat"]
    if goal is PuzzleGoal.BUY:
        assert {option["what"] for option in puzzle["view"]["decision"]["options"]} == {"buy"}
    choices = solution_choices(number)
    for n in range(1, len(choices)):
        answer = post_attempt(server, number, choices[:n])
        assert answer["outcome"] == "open", (n, answer["said"])
        assert answer["views"][-1]["decision"]["seat"] == puzzle["seat"]
        assert all(view["decision"] is None for view in answer["views"][:-1])
    answer = post_attempt(server, number, choices)
    assert answer["outcome"] == "solved"
    assert answer["views"][-1]["decision"] is None
    assert bool(answer["said"]) is (goal is not PuzzleGoal.BUY)
    assert bool(answer["measured"]) is (goal is PuzzleGoal.BUY)
    late = server.http.post(f"/api/puzzles/{number}", json={"choices": [*choices, {"option": 0}]})
    assert (late.status_code, late.json()["error"]) == (400, "this try is over")


def test_failed_attempt_is_explained(server: LiveServer) -> None:
    passing = next(o for o in server.get(f"/api/puzzles/{WIN}")["view"]["decision"]["options"] if o["what"] == "pass")
    answer = post_attempt(server, WIN, [{"option": passing["number"]}])
    assert answer["outcome"] == "failed"
    assert "your opponent" in " ".join(answer["said"])
    assert answer["views"][-1]["turn"] == server.get(f"/api/puzzles/{WIN}")["view"]["turn"]  # later turns are not shown
    assert not [line for line in answer["views"][-1]["news"] if line["kind"] == "turn"]
    buys = server.get(f"/api/puzzles/{BUY}")["view"]["decision"]["options"]
    worst = next(option for option in buys if option["text"] not in FIRST[PuzzleGoal.BUY].way)
    answer = post_attempt(server, BUY, [{"option": worst["number"]}])
    assert answer["outcome"] == "failed"
    assert [answer["measured"][0]["text"]] == list(FIRST[PuzzleGoal.BUY].way)
    assert {one["text"] for one in answer["measured"]} == {option["text"] for option in buys}


def test_illegal_action_in_a_puzzle_is_explained_with_its_rule(server: LiveServer) -> None:
    puzzle = server.get(f"/api/puzzles/{WIN}")
    buyable = {option["card"] for option in puzzle["view"]["decision"]["options"] if option["what"] == "buy"}
    mine = [card for card in puzzle["table"]["cards"] if card["owner"] == puzzle["seat"] and card["id"] not in buyable]
    explanations = [
        server.http.post(f"/api/puzzles/{WIN}/why", json={"choices": [], "thing": {"card": card["id"]}}).json()
        for card in mine
    ]
    assert all(answer["text"] and answer["rule"] for answer in explanations), explanations
    (first, *_) = solution_choices(WIN)
    later = server.http.post(f"/api/puzzles/{WIN}/why", json={"choices": [first], "thing": {"card": mine[0]["id"]}})
    assert later.json()["text"]


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"choices": []}, 422, "thing"),
        ({"choices": [], "thing": 5}, 422, "thing"),
        ({"choices": [], "thing": {"die": -1}}, 422, "thing.die: should be between 0 and 1000"),
        ({"choices": [{"option": 0}] * 101, "thing": {"die": 1}}, 422, "choices: should have at most 100 entries"),
        ({"choices": [], "thing": {"card": 999}}, 400, "there is no such thing at this table"),
        ({"choices": [{"option": 9999}], "thing": {"die": 1}}, 400, "There is no such option."),
    ],
)
def test_invalid_why_request_is_refused_with_a_reason(server: LiveServer, body: Any, status: int, error: str) -> None:
    answer = server.http.post(f"/api/puzzles/{WIN}/why", json=body)
    assert (answer.status_code, error in answer.json()["error"]) == (status, True), answer.text


def test_hints_reveal_more_and_more_and_the_solution_is_shown(server: LiveServer) -> None:
    puzzle = server.get(f"/api/puzzles/{WIN}")
    hints = [server.get(f"/api/puzzles/{WIN}/hints/{n}")["text"] for n in range(1, puzzle["hints"] + 1)]
    assert len(set(hints)) == puzzle["hints"]
    assert all(step in hints[-1] for step in FIRST[PuzzleGoal.WIN].way)
    assert FIRST[PuzzleGoal.BUY].way[0] not in server.get(f"/api/puzzles/{BUY}/hints/1")["text"]
    for number in (WIN, BUY, FIRST[PuzzleGoal.SURVIVE].number):
        shown = server.get(f"/api/puzzles/{number}/solution")
        SOLUTION.validate_python(shown)
        assert tuple(shown["way"]) == collection()[number].way
        moves = [step["view"]["move"] for step in shown["steps"]]
        assert moves == list(range(1, len(moves) + 1))
    assert server.get(f"/api/puzzles/{WIN}/solution")["steps"][-1]["view"]["result"] is not None


@pytest.mark.parametrize(
    ("choices", "status", "error"),
    [
        (5, 422, "choices: should be a list"),
        ([{"option": 0}] * 101, 422, "choices: should have at most 100 entries"),
        ([{"option": "x"}], 422, "choices.0"),
        ([{"option": 0, "dice": []}], 422, "choices.0"),
        ([{}], 422, "choices.0"),
        ([[]], 422, "choices.0"),
        ([{"option": 9999}], 400, "There is no such option."),
        ([{"option": -1}], 400, "There is no such option."),
        ([{"option": 10**30}], 422, "choices.0"),
        ([{"dice": [1] * 301}], 422, "choices.0"),
        ([{"dice": [9000]}], 400, "That does not answer this question."),
        ([{"split": [[1, 2]]}], 400, "That does not answer this question."),
    ],
)
def test_invalid_attempt_is_refused_with_an_error(server: LiveServer, choices: object, status: int, error: str) -> None:
    answer = server.http.post(f"/api/puzzles/{WIN}", json={"choices": choices})
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].startswith(error)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("100000", 404),
        ("0", 422),
        ("-1", 422),
        ("x", 422),
        ("1e3", 422),
        ("9" * 40, 422),
        ("days/0", 422),
        ("days/9999999", 422),
        ("days/today", 422),
        ("1/hints/0", 422),
        ("1/hints/101", 422),
        ("99999/hints/1", 404),
        ("99999/solution", 404),
    ],
)
def test_invalid_puzzle_path_is_refused_with_an_error(server: LiveServer, path: str, status: int) -> None:
    answer = server.http.get(f"/api/puzzles/{path}")
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]


def test_attempt_at_an_unknown_puzzle_returns_404(server: LiveServer) -> None:
    answer = server.http.post("/api/puzzles/99999", json={"choices": []})
    assert answer.status_code == 404
    assert "there is no puzzle 99999" in answer.json()["error"]
