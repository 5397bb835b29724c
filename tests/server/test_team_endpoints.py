"""Team endpoints: ready teams, checks and trials, with valid and hostile requests."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.support.live_server import LiveServer

from dicemasters.rules.document import rules_document
from dicemasters.service.catalog import team_builder
from dicemasters.service.catalog.team_builder import (
    MAX_GAMES,
    TeamCheckRequest,
    TrialRequest,
    build_team_catalog,
    check_team_text,
    run_trial,
)
from dicemasters.service.games.game_setup import TEAM_LENGTH
from dicemasters.service.protocol import card_schema
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_file import write_team
from dicemasters.teams.team_problems import TeamError

CHECKED: TypeAdapter[card_schema.TeamReport] = TypeAdapter(card_schema.TeamReport)


def check(text: str) -> card_schema.TeamReport:
    return CHECKED.validate_python(check_team_text(TeamCheckRequest(text=text)))


def test_ready_teams_are_listed_and_legal() -> None:
    catalogue = TypeAdapter(card_schema.TeamCatalog).validate_python(build_team_catalog())
    assert [team["key"] for team in catalogue["teams"]] == list(ready_teams())
    assert "tournament" in [one["key"] for one in catalogue["formats"]]
    for team in catalogue["teams"]:
        assert check(team["key"])["problems"] == []
        assert check(team["code"])["team"]["cards"] == team["cards"]


def test_team_text_and_code_round_trip() -> None:
    first = check("name: Two\nformat: basic\n2x avx9\n4x uxm3\nbasic: avx27\nbasic: avx28\n")
    assert first["problems"] == []
    assert first["team"]["format"] == "basic"
    again = check(first["text"])
    assert again["team"] == first["team"]
    assert check(first["team"]["code"])["team"]["cards"] == first["team"]["cards"]
    assert [one["key"] for one in first["first_turns"]] == ["avx9", "uxm3", "avx27", "avx28"]


def test_every_team_problem_cites_its_rule_and_line() -> None:
    problems = check("5x avx9\n2x avx8\nbasic: avx27\nNobody\n")["problems"]
    assert {one["rule"] for one in problems if one["rule"]} <= rules_document().numbers
    texts = " ".join(one["text"] for one in problems)
    assert "may have 4" in texts
    assert "on the team twice" in texts
    assert "no card is called 'Nobody'" in texts
    assert [one["line"] for one in problems] == [1, 2, 4]


def test_trial_can_be_run_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_builder, "TRIAL_SECONDS", 600.0)  # enough for all games on any machine

    def games(start: int, number: int) -> list[card_schema.TrialGame]:
        request = TrialRequest(teams=["green-rage", "flame-on"], seed=7, start=start, games=number)
        return TypeAdapter(card_schema.TrialResult).validate_python(run_trial(request))["games"]

    whole = games(0, 3)
    assert len(whole) == 3
    assert {game["winner"] for game in whole} <= {"A", "B", ""}
    assert whole[:1] == games(0, 1)
    assert games(1, 1) == whole[1:2]


def test_trial_accepts_random_teams_and_refuses_illegal_ones() -> None:
    assert run_trial(TrialRequest(teams=["green-rage", "random"], player="random", games=1))["games"]
    with pytest.raises(TeamError, match=r"team A: .*basic actions"):
        run_trial(TrialRequest(teams=["4x avx9", "random"]))
    with pytest.raises(TeamError, match="team B"):
        run_trial(TrialRequest(teams=["green-rage", "Nobody"]))


# --- over HTTP ---------------------------------------------------------------------------------------------------------


def test_check_and_trial_endpoints_answer(server: LiveServer) -> None:
    assert len(server.get("/api/teams")["teams"]) == len(ready_teams())
    answer = server.http.post("/api/teams/check", json={"text": "green rage"})
    assert answer.status_code == 200
    assert CHECKED.validate_python(answer.json())["problems"] == []
    trial = server.http.post("/api/teams/try", json={"teams": ["green-rage", "flame-on"], "games": 2})
    assert trial.status_code == 200
    assert 1 <= len(trial.json()["games"]) <= 2
    cards = write_team(ready_teams()["green-rage"]).split("\n", 2)[2]
    clash = {"teams": [f"format: tournament, {rules}\n{cards}" for rules in ("avx", "cw")], "games": 1}
    refused = server.http.post("/api/teams/try", json=clash)
    assert refused.status_code == 400
    assert "the teams name different rules, 'avx' and 'cw'" in refused.json()["error"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("check", {}),
        ("check", {"text": 7}),
        ("check", {"text": "x" * (TEAM_LENGTH + 1)}),
        ("check", {"text": "hulk", "more": 1}),
        ("check", []),
        ("try", {"teams": ["green-rage"]}),
        ("try", {"teams": ["green-rage", "flame-on", "random"]}),
        ("try", {"teams": ["green-rage", "flame-on"], "player": "level5"}),
        ("try", {"teams": ["green-rage", "flame-on"], "games": MAX_GAMES + 1}),
        ("try", {"teams": ["green-rage", "flame-on"], "games": 0}),
        ("try", {"teams": ["green-rage", "flame-on"], "seed": -1}),
        ("try", {"teams": ["green-rage", "flame-on"], "start": 10**9}),
    ],
)
def test_invalid_team_request_is_refused(server: LiveServer, path: str, body: Any) -> None:
    answer = server.http.post(f"/api/teams/{path}", json=body)
    assert answer.status_code == 422
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "text",
    ["", "\0" * 100, "dm1" + "z" * 90, "dm10ggka8r", "/etc/passwd", "../../games.sqlite", "x\n" * 1900, "format: " + "draft," * 500,
     "\ud83d" + "Hulk", "4x " * 1300, "name: " + "<script>" * 100 + "\n4x avx9", "-" * 4000],
)  # fmt: skip
def test_any_team_text_is_answered_with_problems(server: LiveServer, text: str) -> None:
    answer = server.http.post("/api/teams/check", content=json.dumps({"text": text}))
    assert answer.status_code in (200, 400, 422)
    report = answer.json()
    assert report.get("error") or report["problems"]
    assert "root:" not in answer.text
