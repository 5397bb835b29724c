"""Metrics, health checks and structured logs."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.support.live_server import GENEROUS_LIMITS, LiveServer, run_server

from dicemasters.cli.main import main
from dicemasters.server.observability.logging_setup import configure_logging
from dicemasters.server.observability.metrics import MetricsAccess, count_refusal
from dicemasters.server.storage import sql_store as sql_store_module
from dicemasters.service.structured_log import log_event

PEOPLE = [{"kind": "person"}, {"kind": "person"}]


def read_metrics(server: LiveServer) -> dict[str, float]:
    """Return the metrics as Prometheus reads them, keyed by name and labels."""
    answer = server.http.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = [value for name, value in sample.labels.items() if name != "le"]
            if "le" not in sample.labels or sample.labels["le"] == "+Inf":
                found[" ".join([sample.name, *labels])] = sample.value
    return found


def test_metrics_follow_events(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:  # a server with no other traffic
        _check_metrics(server)


def _check_metrics(server: LiveServer) -> None:
    before = read_metrics(server)
    opened = server.open(seats=PEOPLE, seed=1)
    a, b, _ = opened.join("A"), opened.join("B"), opened.join()
    mover = a if a.view["decision"]["seat"] == "A" else b
    mover.choose()
    mover.send(type="play", version=0, choice={"option": 0})
    mover.receive("refused")
    now = read_metrics(server)

    def increase(name: str) -> float:
        return now[name] - before.get(name, 0.0)

    assert increase("dicemasters_games_opened_total") == 1
    assert increase("dicemasters_choices_total person") == 1
    assert increase("dicemasters_choice_seconds_count") == 1
    assert increase("dicemasters_refusals_total against the rules") == 1
    assert increase("dicemasters_live_games going on") == 1
    assert increase("dicemasters_sockets players") == 2
    assert increase("dicemasters_sockets watchers") == 1
    assert increase("dicemasters_storage_seconds_count write") >= 2
    assert now["dicemasters_storage well"] == 1
    assert now["dicemasters_connections"] >= 3
    assert now["process_resident_memory_bytes"] > 1e6
    a.send(type="concede", seat="A")
    while b.view["result"] is None:
        b.receive("view")
    now = read_metrics(server)
    assert increase("dicemasters_games_finished_total concede") == 1


def test_metrics_contain_no_identifiers(server: LiveServer) -> None:
    opened = server.open(seats=PEOPLE, seed=1)
    opened.join("A").send(type="name", seat="A", name="Rumpelstiltskin")
    server.http.get(f"/api/games/{opened.game}/nonsense-address")
    text = server.http.get("/metrics").text
    for secret in (opened.game, *opened.seats.values(), "Rumpelstiltskin", "127.0.0.1", "nonsense-address"):
        assert secret not in text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_metrics_are_hidden_from_proxied_requests(server: LiveServer, header: str) -> None:
    answer = server.http.get("/metrics", headers={header: "127.0.0.1"})
    assert (answer.status_code, answer.text) == (404, "There is no such page.")


@pytest.mark.parametrize(
    ("setting", "address", "allowed"),
    [
        ("loopback", "127.0.0.1", True),
        ("loopback", "::1", True),
        ("loopback", "::ffff:127.0.0.1", True),
        ("loopback", "10.0.0.1", False),
        ("loopback", "", False),
        ("loopback", "testclient", False),
        ("none", "127.0.0.1", False),
        ("", "127.0.0.1", False),
        ("10.0.0.0/8, loopback", "10.1.2.3", True),
        ("10.0.0.0/8", "127.0.0.1", False),
        ("192.0.2.7", "192.0.2.7", True),
    ],
)
def test_metrics_access_follows_the_setting(setting: str, address: str, allowed: bool) -> None:
    assert MetricsAccess(setting).has(address, {}) is allowed


@pytest.mark.parametrize(
    "wrong",
    [
        ["--metrics", "everybody"],
        ["--metrics", "10.0.0.1/8"],
        ["--log", "xml"],
        ["--trusted-proxies", "zzz"],
        ["--trusted-proxies", "*"],
    ],
)
def test_invalid_observability_setting_is_reported_without_a_traceback(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-browser", "--port", "0", *wrong]) == 2
    error = capsys.readouterr().err
    assert "Traceback" not in error
    assert wrong[1] in error


# --- health --------------------------------------------------------------------------------------------------------


def test_health_check_writes_to_storage_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with run_server(f"sqlite:///{path}") as server:
        assert server.get("/api/health")["status"] == "ok"
        assert server.get("/api/alive")["status"] == "ok"
        with sqlite3.connect(path) as connection:
            assert connection.execute("select count(*) from games").fetchone() == (0,)


def test_health_reports_the_storage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite"
    monkeypatch.setattr(sql_store_module, "SQLITE_SECONDS", 0.3)
    monkeypatch.setattr(sql_store_module, "CHECK_SECONDS", 60.0)
    with run_server(f"sqlite:///{path}") as server:
        with sqlite3.connect(path) as spoiler:
            spoiler.execute("create trigger full before insert on games begin select raise(abort, 'disk full'); end")
        answer = server.http.get("/api/health")
        assert answer.status_code == 503
        assert answer.json()["error"] == "the server cannot reach its storage: the database says: disk full"
        assert read_metrics(server)["dicemasters_storage well"] == 0
        assert server.get("/api/alive")["status"] == "ok"  # the process is still alive
        os.rename(path, tmp_path / "elsewhere")
        answer = server.http.get("/api/health")
        assert answer.json()["error"] == "the server cannot reach its storage: the database file is missing"
        assert str(tmp_path) not in answer.text


def test_health_answers_in_time_when_storage_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite"
    monkeypatch.setattr(sql_store_module, "SQLITE_SECONDS", 120)
    monkeypatch.setattr(sql_store_module, "CHECK_SECONDS", 0.2)
    with run_server(f"sqlite:///{path}") as server:
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("begin exclusive")
        answer = server.http.get("/api/health")
        blocker.close()
        assert answer.status_code == 503
        assert answer.json()["error"] == "the server cannot reach its storage: the database does not answer"


def test_frequent_health_checks_write_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(sql_store_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        before = read_metrics(server)["dicemasters_storage_seconds_count write"]
        for _ in range(3):
            now[0] += 1.1
            for _ in range(20):
                assert server.http.get("/api/health").status_code == 200
        assert read_metrics(server)["dicemasters_storage_seconds_count write"] - before == 3


# --- the log -------------------------------------------------------------------------------------------------------


@contextmanager
def log_as_json() -> Iterator[io.StringIO]:
    out = io.StringIO()
    configure_logging(as_json=True, stream=out)
    try:
        yield out
    finally:
        for name in ("dicemasters", "asyncio", "uvicorn.error"):
            logging.getLogger(name).handlers.clear()
            logging.getLogger(name).propagate = True


def test_log_line_has_its_request_id(tmp_path: Path) -> None:
    with (
        log_as_json() as out,
        run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, body_bytes=100)) as server,
    ):
        answer = server.http.post("/api/games", content=b"x" * 200)
        assert answer.status_code == 413
        line = next(line for line in map(json.loads, out.getvalue().splitlines()) if line["what"] == "too large")
        assert line["request"] == answer.headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{12}", line["request"])
        assert line["level"] == "warning"


def test_log_line_of_a_live_socket_has_request_and_game_ids(tmp_path: Path) -> None:
    with log_as_json() as out, run_server(f"sqlite:///{tmp_path / 'games.sqlite'}") as server:
        opened = server.open(seats=PEOPLE, seed=1)
        person = opened.join("A")
        person.socket.send("nonsense")
        person.receive("refused")
        line = next(line for line in map(json.loads, out.getvalue().splitlines()) if line["what"] == "bad message")
        assert line["game"] == opened.game
        assert line["request"]
        assert opened.seats["A"] not in out.getvalue()


def test_every_log_line_is_one_json_object() -> None:
    with log_as_json() as out:
        log_event("a\nb", text="c\r\nd\u2028e\x1b[2J", number=3, none=None)
        count_refusal("too slow", address="x" * 5)
        lines = [json.loads(line) for line in out.getvalue().split("\n") if line]
    assert [line["what"] for line in lines] == ["a\nb", "too slow"]
    assert lines[0]["number"] == 3
