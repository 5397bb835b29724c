"""Puzzles as a browser asks for them: posed, tried, taken wrong, hinted at, shown; and asked for by strangers."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.support.live_server import LiveServer

from dicemasters.puzzles.attempt import PuzzleAttempt
from dicemasters.puzzles.puzzle import collection, puzzle_of_day
from dicemasters.puzzles.solver import YES, PuzzleGoal
from dicemasters.service.protocol import puzzle_schema

POSED: TypeAdapter[Any] = TypeAdapter(puzzle_schema.PuzzleDetails)
TRIED: TypeAdapter[Any] = TypeAdapter(puzzle_schema.PuzzleProgress)
SOLUTION: TypeAdapter[Any] = TypeAdapter(puzzle_schema.PuzzleSolution)
FIRST = {goal: next(p for p in collection().values() if p.goal is goal) for goal in PuzzleGoal}
WIN, BUY = FIRST[PuzzleGoal.WIN].number, FIRST[PuzzleGoal.BUY].number


def tried(server: LiveServer, number: int, choices: list[Any]) -> Any:
    answer = server.http.post(f"/api/puzzles/{number}", json={"choices": choices})
    assert answer.status_code == 200, answer.text
    TRIED.validate_python(answer.json())
    return answer.json()


def answers(number: int) -> list[dict[str, int]]:
    """Give the choices of a way that does, each an option by its number."""
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


def test_the_puzzles_are_listed_and_every_day_has_one(server: LiveServer) -> None:
    listed = server.get("/api/puzzles")["puzzles"]
    assert [one["number"] for one in listed] == list(collection())
    assert {one["goal"] for one in listed} == {"win", "survive", "buy"}
    days = [server.get(f"/api/puzzles/days/{day}")["number"] for day in range(739_000, 739_005)]
    assert days == [puzzle_of_day(day).number for day in range(739_000, 739_005)]
    assert len(set(days)) > 1


@pytest.mark.parametrize("goal", list(PuzzleGoal), ids=lambda goal: goal.value)
def test_a_puzzle_is_posed_and_solved_choice_by_choice(server: LiveServer, goal: PuzzleGoal) -> None:
    number = FIRST[goal].number
    posed = server.get(f"/api/puzzles/{number}")
    POSED.validate_python(posed)
    assert posed["view"]["decision"]["seat"] == posed["seat"]
    if goal is PuzzleGoal.BUY:
        assert {option["what"] for option in posed["view"]["decision"]["options"]} == {"buy"}
    choices = answers(number)
    for n in range(1, len(choices)):
        answer = tried(server, number, choices[:n])
        assert answer["outcome"] == "open", (n, answer["said"])
        assert answer["views"][-1]["decision"]["seat"] == posed["seat"]
        assert all(view["decision"] is None for view in answer["views"][:-1])
    answer = tried(server, number, choices)
    assert answer["outcome"] == "solved"
    assert answer["views"][-1]["decision"] is None
    assert bool(answer["said"]) is (goal is not PuzzleGoal.BUY)
    assert bool(answer["measured"]) is (goal is PuzzleGoal.BUY)
    late = server.http.post(f"/api/puzzles/{number}", json={"choices": [*choices, {"option": 0}]})
    assert (late.status_code, late.json()["error"]) == (400, "this try is over")


def test_a_wrong_try_is_told_why(server: LiveServer) -> None:
    passing = next(o for o in server.get(f"/api/puzzles/{WIN}")["view"]["decision"]["options"] if o["what"] == "pass")
    answer = tried(server, WIN, [{"option": passing["number"]}])
    assert answer["outcome"] == "failed"
    assert "your opponent" in " ".join(answer["said"])
    assert (
        answer["views"][-1]["turn"] == server.get(f"/api/puzzles/{WIN}")["view"]["turn"]
    )  # what comes then is not shown
    assert not [line for line in answer["views"][-1]["news"] if line["kind"] == "turn"]
    buys = server.get(f"/api/puzzles/{BUY}")["view"]["decision"]["options"]
    worst = next(option for option in buys if option["text"] not in FIRST[PuzzleGoal.BUY].way)
    answer = tried(server, BUY, [{"option": worst["number"]}])
    assert answer["outcome"] == "failed"
    assert [answer["measured"][0]["text"]] == list(FIRST[PuzzleGoal.BUY].way)
    assert {one["text"] for one in answer["measured"]} == {option["text"] for option in buys}


def test_what_cannot_be_done_is_told_with_its_rule(server: LiveServer) -> None:
    posed = server.get(f"/api/puzzles/{WIN}")
    lit = {option["card"] for option in posed["view"]["decision"]["options"] if option["what"] == "buy"}
    mine = [card for card in posed["table"]["cards"] if card["owner"] == posed["seat"] and card["id"] not in lit]
    asked = [
        server.http.post(f"/api/puzzles/{WIN}/why", json={"choices": [], "thing": {"card": card["id"]}}).json()
        for card in mine
    ]
    assert all(answer["text"] and answer["rule"] for answer in asked), asked
    (first, *_) = answers(WIN)
    later = server.http.post(f"/api/puzzles/{WIN}/why", json={"choices": [first], "thing": {"card": mine[0]["id"]}})
    assert later.json()["text"]


@pytest.mark.parametrize(
    ("asked", "status", "sentence"),
    [
        ({"choices": []}, 422, "thing"),
        ({"choices": [], "thing": 5}, 422, "thing"),
        ({"choices": [], "thing": {"die": -1}}, 422, "thing.die: should be between 0 and 1000"),
        ({"choices": [{"option": 0}] * 101, "thing": {"die": 1}}, 422, "choices: should have at most 100 entries"),
        ({"choices": [], "thing": {"card": 999}}, 400, "there is no such thing at this table"),
        ({"choices": [{"option": 9999}], "thing": {"die": 1}}, 400, "There is no such option."),
    ],
)
def test_strangers_who_ask_why_not_are_told_what_is_wrong(
    server: LiveServer, asked: Any, status: int, sentence: str
) -> None:
    answer = server.http.post(f"/api/puzzles/{WIN}/why", json=asked)
    assert (answer.status_code, sentence in answer.json()["error"]) == (status, True), answer.text


def test_hints_tell_more_and_more_and_the_solution_is_shown(server: LiveServer) -> None:
    posed = server.get(f"/api/puzzles/{WIN}")
    hints = [server.get(f"/api/puzzles/{WIN}/hints/{n}")["text"] for n in range(1, posed["hints"] + 1)]
    assert len(set(hints)) == posed["hints"]
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
    ("choices", "status", "sentence"),
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
def test_a_try_that_is_none_is_refused_with_a_sentence(
    server: LiveServer, choices: object, status: int, sentence: str
) -> None:
    answer = server.http.post(f"/api/puzzles/{WIN}", json={"choices": choices})
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].startswith(sentence)


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
def test_what_is_no_puzzle_is_refused_with_a_sentence(server: LiveServer, path: str, status: int) -> None:
    answer = server.http.get(f"/api/puzzles/{path}")
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]


def test_a_try_at_no_puzzle_is_refused_before_anybody_works_on_it(server: LiveServer) -> None:
    answer = server.http.post("/api/puzzles/99999", json={"choices": []})
    assert answer.status_code == 404
    assert "there is no puzzle 99999" in answer.json()["error"]
