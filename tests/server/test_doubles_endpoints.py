"""Games of four over HTTP: chairs without anybody, written positions, what is refused."""

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
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CONTRIBUTION_TIMEOUT", timedelta(0))


# --- over real sockets ---------------------------------------------------------------------------------------------


def test_chairs_without_anybody_are_players(server: LiveServer) -> None:
    opened = server.open(format="doubles", seats=[PERSON, BOT, PERSON])
    assert set(opened.seats) == {"A", "C"}
    meta = server.get(f"/api/games/{opened.game}")["meta"]
    assert meta["kinds"] == {"A": "person", "B": "random", "C": "person", "D": "simple"}
    a, c = opened.join("A"), opened.join("C")
    assert (a.seats, c.seats) == (["A"], ["C"])
    assert c.welcome["table"]["seats"] == ["A", "B", "C", "D"]
    a.leave()
    c.leave()


def test_a_written_position_of_four_can_be_played(server: LiveServer) -> None:
    position = "edition: cw\nteam A: Hulk: Jade Giant\nteam C: Beast: Big Boy Blue\nA life: 9\nturn: 2, A, main\n"
    opened = server.open(position=position, seats=[PERSON, PERSON, PERSON, PERSON])
    assert set(opened.seats) == set("ABCD")
    assert opened.view["life"] == {"A": 9, "B": 30, "C": 9, "D": 30}
    record = Game.from_text(position)
    kept = server.http.post("/api/records", json={"text": write_record(record)})
    assert kept.status_code == 201, kept.text
    assert set(server.get(f"/api/games/{kept.json()['game']}")["meta"]["names"]) == set("ABCD")


@pytest.mark.parametrize(
    ("wanted", "said"),
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
def test_what_is_no_game_of_four_is_refused(server: LiveServer, wanted: dict[str, Any], said: str) -> None:
    answer = server.http.post("/api/games", json=wanted)
    assert answer.status_code in (400, 422)
    assert said in answer.json()["error"]
