"""Lesson endpoints and the coach."""

from __future__ import annotations

import pytest
from tests.support.live_server import LiveServer

from dicemasters.lessons.lesson_file import lessons


def test_lessons_are_listed(server: LiveServer) -> None:
    listed = server.get("/api/lessons")["lessons"]
    assert [one["key"] for one in listed] == list(lessons())


@pytest.mark.parametrize("key", list(lessons()))
def test_lesson_can_be_completed_with_its_own_answers(server: LiveServer, key: str) -> None:
    place: dict[str, int] | None = {"step": 0, "done": 0}
    while place is not None:
        path = f"/api/lessons/{key}/{place['step']}/{place['done']}"
        moment = server.get(path)
        if moment["answer"] is None:
            step = place["step"] + 1
            place = {"step": step, "done": 0} if step < moment["steps"] else None
            continue
        answer = server.http.post(path, json={"choice": moment["answer"]}).json()
        assert answer["right"], (place, answer["reason"])
        place = answer["next"]


@pytest.mark.parametrize("choice", [{}, {"option": "x"}, {"dice": [[1]]}, {"blocks": 7}, {"option": 0, "dice": []}])
def test_invalid_lesson_choice_is_answered_with_a_reason(server: LiveServer, choice: dict[str, object]) -> None:
    answer = server.http.post("/api/lessons/first-game/0/0", json={"choice": choice})
    assert answer.status_code == 200
    assert not answer.json()["right"]
    assert answer.json()["reason"]


def test_unknown_lesson_or_step_returns_404(server: LiveServer) -> None:
    assert server.http.get("/api/lessons/nothing/0/0").status_code == 404
    assert server.http.get("/api/lessons/first-game/99/0").status_code == 404


def test_coach_answers_over_the_live_socket(server: LiveServer) -> None:
    game = server.open(seed=7)
    client = game.join("A")
    client.wait_for_own_decision()
    client.send(type="coach")
    reply = client.receive("coach")
    assert [one["kind"] for one in reply["remarks"]].count("step") == 1
    assert reply["version"] == client.view["version"]
