"""Doubles games over HTTP: seats without a person, positions, refusals."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.support.live_server import LiveServer

from dicemasters import Game
from dicemasters.game.notation.record import write_record
from dicemasters.service.games import room

PERSON = {"kind": "person"}
BOT = {"kind": "player", "player": "random"}


@pytest.fixture(autouse=True)
def _no_contribution_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CONTRIBUTION_TIMEOUT", timedelta(0))


# --- over real sockets ---------------------------------------------------------------------------------------------


def test_seats_without_a_person_are_filled_with_bots(server: LiveServer) -> None:
    opened = server.open(format="doubles", seats=[PERSON, BOT, PERSON])
    assert set(opened.seats) == {"A", "C"}
    meta = server.get(f"/api/games/{opened.game}")["meta"]
    assert meta["kinds"] == {"A": "person", "B": "random", "C": "person", "D": "simple"}
    a, c = opened.join("A"), opened.join("C")
    assert (a.seats, c.seats) == (["A"], ["C"])
    assert c.welcome["table"]["seats"] == ["A", "B", "C", "D"]
    a.leave()
    c.leave()


def test_doubles_position_can_be_played(server: LiveServer) -> None:
    position = "edition: cw\nteam A: Hulk: Jade Giant\nteam C: Beast: Big Boy Blue\nA life: 9\nturn: 2, A, main\n"
    opened = server.open(position=position, seats=[PERSON, PERSON, PERSON, PERSON])
    assert set(opened.seats) == set("ABCD")
    assert opened.view["life"] == {"A": 9, "B": 30, "C": 9, "D": 30}
    record = Game.from_text(position)
    uploaded = server.http.post("/api/records", json={"text": write_record(record)})
    assert uploaded.status_code == 201, uploaded.text
    assert set(server.get(f"/api/games/{uploaded.json()['game']}")["meta"]["names"]) == set("ABCD")


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"seats": [PERSON] * 3}, "this is a game of two, and there are 3 seats"),
        ({"format": "doubles", "teams": ["random"] * 5}, "at most 4 entries"),
        ({"format": "tournament", "teams": ["random"] * 4}, "game of two, and there are 4 teams"),
        ({"format": "doubles", "seats": [PERSON] * 5}, "at most 4 entries"),
        ({"format": "doubles", "first": "C"}, "'A' or 'B'"),
        ({"format": "doubles", "solitaire": True}, "not in a game of four"),
        ({"format": "doubles", "seats": [PERSON, {"kind": "player", "player": "scripted"}]}, "not in a game of four"),
        ({"format": "doubles", "teams": ["green-rage", "random"]}, "team A"),
    ],
)
def test_invalid_doubles_request_is_refused(server: LiveServer, payload: dict[str, Any], message: str) -> None:
    answer = server.http.post("/api/games", json=payload)
    assert answer.status_code in (400, 422)
    assert message in answer.json()["error"]
