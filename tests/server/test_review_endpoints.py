"""Game reviews, and hints in games against bots."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.support.live_server import LiveServer, OpenedGame

from dicemasters.game import Game
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.service.games import review
from dicemasters.service.games.review import ReviewDecision, merge_by_step, rate_decisions
from dicemasters.service.protocol import http_schema

REVIEW: TypeAdapter[http_schema.GameReviewData] = TypeAdapter(http_schema.GameReviewData)
SUGGESTION: TypeAdapter[http_schema.MoveSuggestion] = TypeAdapter(http_schema.MoveSuggestion)
PEOPLE = [{"kind": "person"}, {"kind": "person"}]


@pytest.fixture(scope="module")
def record() -> str:
    game, players = Game.new("ai", seed=5), (HeuristicPlayer(1), HeuristicPlayer(2))
    while game.result is None:
        game.play(players[game.state.decision.seat].choose(game.state))
    return game.record


@pytest.fixture
def stored_game(server: LiveServer, record: str) -> OpenedGame:
    return OpenedGame(server, server.http.post("/api/records", json={"text": record}).json()["game"], {})


def _all_steps(stored_game: OpenedGame) -> list[http_schema.RatedStep]:
    steps: list[http_schema.RatedStep] = []
    start: int | None = 0
    while start is not None:
        part = REVIEW.validate_python(
            stored_game.server.get(f"/api/games/{stored_game.game}/looked-back?start={start}")
        )
        assert part["next"] is None or part["next"] > start
        steps += part["steps"]
        start = part["next"]
    return steps


def test_finished_game_is_rated_step_by_step(
    stored_game: OpenedGame, record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.from_record(record)
    steps = _all_steps(stored_game)
    numbers = [step["step"] for step in steps]
    assert numbers == sorted(set(numbers))
    views = stored_game.server.get(f"/api/games/{stored_game.game}/views?start=0&count=100")["views"]
    deciders = {n: view["decision"]["seat"] for n, view in enumerate(views) if view["decision"] is not None}
    assert all(step["seat"] == deciders[step["step"]] for step in steps if step["step"] in deciders)
    is_a = [step["seat"] == "A" for step in steps]
    assert all(
        (s["best"] >= s["chosen"]) if a else (s["best"] <= s["chosen"]) for s, a in zip(steps, is_a, strict=True)
    )
    assert game.result is not None
    last = steps[-1]["chosen"]
    assert (last > 0.8) if game.result.winner == "A" else (last < 0.2)


def test_move_suggestion_ranks_options_with_reasons(stored_game: OpenedGame) -> None:
    first = REVIEW.validate_python(stored_game.server.get(f"/api/games/{stored_game.game}/looked-back"))["steps"][0][
        "step"
    ]
    suggestion = SUGGESTION.validate_python(
        stored_game.server.get(f"/api/games/{stored_game.game}/thought?step={first}")
    )
    chances = [one["chance"] for one in suggestion["options"]]
    assert chances == sorted(chances, reverse=True)
    assert sum(one["was_taken"] for one in suggestion["options"]) == 1
    assert suggestion["why"]


@pytest.mark.parametrize(("path", "status"), [("thought?step=-1", 422), ("looked-back?start=x", 422)])
def test_invalid_step_is_refused(stored_game: OpenedGame, path: str, status: int) -> None:
    assert stored_game.server.http.get(f"/api/games/{stored_game.game}/{path}").status_code == status


def test_steps_beyond_the_end_are_refused(stored_game: OpenedGame) -> None:
    end = stored_game.server.get(f"/api/games/{stored_game.game}/views")["total"] - 1
    over = stored_game.server.http.get(f"/api/games/{stored_game.game}/thought?step={end}")
    assert (over.status_code, over.json()["error"]) == (409, "the game is over at this step")
    assert (
        "has no step"
        in stored_game.server.http.get(f"/api/games/{stored_game.game}/thought?step={end + 1}").json()["error"]
    )
    assert stored_game.server.get(f"/api/games/{stored_game.game}/looked-back?start=900000") == {
        "steps": [],
        "next": None,
    }
    assert stored_game.server.http.get(f"/api/games/{stored_game.game}/position?step={end + 1}").status_code == 409


def test_position_of_any_step_can_be_played_on(stored_game: OpenedGame, record: str) -> None:
    game = Game.from_record(record)
    text = stored_game.server.http.get(f"/api/games/{stored_game.game}/position?step=7").text
    game.undo(len(game.moves) - 7)
    assert text == game.to_text()
    played_on = stored_game.server.open(
        position=text, seats=[{"kind": "person"}, {"kind": "player", "player": "level4"}]
    )
    assert played_on.view["turn"] == game.state.turn


def test_hints_and_review_are_refused_in_a_game_between_people(server: LiveServer) -> None:
    opened = server.open(seed=4, seats=PEOPLE)
    hint = server.http.get(f"/api/games/{opened.game}/thought?step=0")
    assert (hint.status_code, hint.json()["error"][:45]) == (409, "hints are only for games against the program;")
    back = server.http.get(f"/api/games/{opened.game}/looked-back")
    assert (back.status_code, back.json()["error"]) == (409, "a game can only be reviewed when it is over")


def test_hint_is_available_against_a_bot(server: LiveServer) -> None:
    opened = server.open(seed=4)
    hint: dict[str, Any] = server.get(f"/api/games/{opened.game}/thought")
    decision = opened.view["decision"]
    assert hint["seat"] == decision["seat"]
    assert not any(one["was_taken"] for one in hint["options"])


def test_rating_stops_when_out_of_time(record: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.from_record(record)
    game.undo()
    while len(game.state.options) == 1:
        game.undo()
    assert game.decision is not None
    options = [str(option) for option in game.decision.options]
    decisions: list[ReviewDecision] = [{"step": n, "text": game.to_text(), "chosen": options[-1]} for n in (3, 3, 4)]
    monkeypatch.setattr(review, "RATING_SECONDS", -1.0)
    assert [one["step"] for one in rate_decisions(decisions)] == [3]
    monkeypatch.setattr(review, "RATING_SECONDS", 100.0)
    found = rate_decisions(decisions)
    assert [one["step"] for one in merge_by_step(found)] == [3, 4]
