"""Hostile or broken clients get an error, and nobody else is affected."""

import contextlib
import http.client
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.support.live_server import GENEROUS_LIMITS, TIMEOUT, LiveServer, OpenedGame, run_server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

PEOPLE = [{"kind": "person"}, {"kind": "person"}]


def start(server: LiveServer) -> OpenedGame:
    return server.open(seats=PEOPLE, seed=1, first="A")


def test_client_cannot_act_for_another_seat(server: LiveServer) -> None:
    opened = start(server)
    b = opened.join("B")
    before = opened.view
    b.send(type="play", version=b.view["version"], choice={"option": 0})
    assert b.receive("refused")["reason"] == "it is A's decision"
    b.send(type="concede", seat="A")
    assert b.receive("refused")["reason"] == "that is not your seat"
    b.send(type="name", seat="A", name="Not Kim")
    assert b.receive("refused")["reason"] == "that is not your seat"
    assert opened.view == before


def test_watcher_actions_are_refused(server: LiveServer) -> None:
    opened = start(server)
    watcher = opened.join()
    before = opened.view
    messages: list[dict[str, Any]] = [
        {"type": "play", "version": 0, "choice": {"option": 0}},
        {"type": "undo"},
        {"type": "answer", "yes": True},
        {"type": "concede", "seat": "A"},
        {"type": "rematch"},
        {"type": "name", "seat": "A", "name": "x"},
    ]
    for message in messages:
        watcher.send(**message)
        watcher.receive("refused")
    assert opened.view == before


def test_guessed_secret_opens_no_seat(server: LiveServer) -> None:
    opened = start(server)
    for guess in ("", "x", "a" * 32, opened.seats["A"][:-1], opened.seats["A"] + "x", opened.seats["A"].upper()):
        opened.seats["guess"] = guess
        assert opened.join("guess").seats == []


def test_secret_opens_only_its_own_game(server: LiveServer) -> None:
    mine, other = start(server), start(server)
    other.seats["mine"] = mine.seats["A"]
    assert other.join("mine").seats == []


def test_responses_contain_no_secret(server: LiveServer) -> None:
    opened = start(server)
    person = opened.join("A", "B")
    responses = json.dumps([person.welcome, server.get(f"/api/games/{opened.game}"), person.meta])
    assert opened.seats["A"] not in responses
    assert "hash" not in person.welcome["meta"]


def test_stale_choice_is_refused_and_changes_nothing(server: LiveServer) -> None:
    both = start(server).join("A", "B")
    version = both.view["version"]
    both.choose()
    both.send(type="play", version=version, choice={"option": 0})
    refused = both.receive("refused")
    assert refused["reason"] == "the table has changed meanwhile"
    assert refused["version"] == both.view["version"]


def test_choice_sent_twice_is_made_once(server: LiveServer) -> None:
    both = start(server).join("A", "B")
    message = {"type": "play", "version": both.view["version"], "choice": {"option": 0}}
    both.send(**message)
    both.send(**message)
    both.receive("refused")
    assert both.view["version"] == message["version"] + 1


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"option": 10**9},
        {"option": -1},
        {"option": "0"},
        {"option": None},
        {"option": 1.5},
        {"option": True},
        {"dice": [9999]},
        {"dice": "all"},
        {"dice": [[1]]},
        {"blocks": [[1, 2, 3]]},
        {"spend": [[-1, 10**30]]},
        {"split": [[0, -5]]},
        {"option": 0, "dice": []},
        {"__class__": 1},
    ],
)
def test_forged_choice_is_refused(server: LiveServer, choice: dict[str, Any]) -> None:
    opened = start(server)
    both = opened.join("A", "B")
    before = opened.view
    both.send(type="play", version=both.view["version"], choice=choice)
    assert both.receive("refused", "view")["type"] == "refused"
    assert opened.view == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[]",
        "null",
        "{}",
        '{"type":"fly"}',
        '{"type":"play"}',
        '{"type":"undo","more":1}',
        '{"type":"name","seat":"A","name":5}',
        '{"type":"play","version":1e400,"choice":{}}',
        "[" * 5000,
        '{"type":"ping"' * 100,
    ],
)
def test_malformed_message_is_refused_and_the_game_continues(server: LiveServer, text: str) -> None:
    both = start(server).join("A", "B")
    both.socket.send(text)
    assert "not understood" in both.receive("refused")["reason"]
    both.choose()


def test_binary_message_is_refused(server: LiveServer) -> None:
    both = start(server).join("A", "B")
    both.socket.send(b"\xff\x00")
    both.receive("refused")
    both.choose()


def test_client_that_sends_only_nonsense_is_disconnected(server: LiveServer) -> None:
    opened = start(server)
    person = opened.join()
    try:
        for _ in range(30):
            person.socket.send("nonsense")
        reason = person.receive("bye")["reason"]
    except ConnectionClosed as closed:  # disconnected before all messages were sent
        reason = closed.rcvd.reason if closed.rcvd else ""
    assert reason == "too many messages that are not understood"
    opened.join("A", "B").choose()


def test_oversized_message_closes_only_its_own_socket(server: LiveServer) -> None:
    opened = start(server)
    other = opened.join("A", "B")
    oversized = opened.join()
    oversized.socket.send(json.dumps({"type": "name", "seat": "A", "name": "x" * 200_000}))
    with pytest.raises(ConnectionClosed):
        oversized.receive("never")
    other.choose()


def test_oversized_request_is_refused_before_it_is_read(server: LiveServer) -> None:
    connection = http.client.HTTPConnection(server.address, timeout=TIMEOUT)
    connection.putrequest("POST", "/api/positions")
    connection.putheader("Content-Length", "3000000000")
    connection.endheaders(b"{")
    assert connection.getresponse().status == 413
    assert server.http.post("/api/positions", json={"text": "x" * 200_000}).status_code == 422


def test_endless_request_body_is_refused(server: LiveServer) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while True:
            sent += 65536
            yield b"x" * 65536

    with contextlib.suppress(
        httpx.TransportError
    ):  # the server answers or closes the connection while the body is still being sent
        assert server.http.post("/api/positions", content=endless()).status_code == 413
    assert sent < 50_000_000
    assert server.http.get("/api/health").status_code == 200


def test_socket_must_say_hello_first(server: LiveServer) -> None:
    opened = start(server)
    with connect(f"ws://{server.address}/api/games/{opened.game}/live", proxy=None) as socket:
        socket.send('{"type":"undo"}')
        assert json.loads(socket.recv())["reason"] == "say hello first"


def test_socket_to_an_unknown_game_receives_a_bye(server: LiveServer) -> None:
    for game in ("nope", "a" * 20, "%2e%2e", "x" * 300):
        with connect(f"ws://{server.address}/api/games/{game}/live", proxy=None) as socket:
            assert json.loads(socket.recv()) == {"type": "bye", "reason": "there is no such game"}


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../../app.py",
        "/assets/..%2f..%2fapp.py",
        "/..\\..\\app.py",
        "/g/../../app.py",
        "//etc/passwd",
        "/static/index.html%00.js",
    ],
)
def test_path_traversal_is_blocked(server: LiveServer, path: str) -> None:
    answer = server.http.get(path)
    assert answer.status_code in (404, 503, 200)
    assert "root:" not in answer.text
    assert "import" not in answer.text[:500]


@pytest.mark.parametrize("game", ["nope", "..", "%00", "a" * 20, "A" * 20, "' or 1=1 --"])
def test_unknown_game_is_not_found(server: LiveServer, game: str) -> None:
    for what in ("", "/views", "/record", "/position", "/fair"):
        answer = server.http.get(f"/api/games/{game}{what}")
        assert answer.status_code in (404, 200)
        assert "view" not in answer.text
        if answer.headers["content-type"] == "application/json":
            assert set(answer.json()) == {"error"}


def test_player_names_are_sanitised_to_one_line(server: LiveServer) -> None:
    both = start(server).join("A", "B")
    both.send(type="name", seat="A", name="  <script>alert(1)</script>\n\x00\x1b[31m\u202eevil\u200b" + "x" * 100)
    both.receive("meta")
    name = both.meta["names"]["A"]
    assert name.startswith("<script>alert(1)</script> [31mevil")
    assert len(name) <= 40
    assert name.isprintable()


def test_every_response_has_security_headers(server: LiveServer) -> None:
    for path in ("/", "/api/health", "/nothing", "/api/nothing"):
        headers = server.http.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_invalid_game_requests_get_one_short_error(server: LiveServer) -> None:
    wrong: list[dict[str, Any]] = [
        {"edition": "xx"},
        {"life": 0},
        {"life": "many"},
        {"seats": []},
        {"seats": [{"kind": "player", "player": "deep thought"}, {}]},
        {"format": "chess"},
        {"cast": "nobody"},
        {"position": "nonsense"},
        {"unknown": 1},
        {"seed": -1},
        {"teams": ["x"]},
        {"format": "doubles", "seats": [{}] * 5},
        {"edition": "\u202e" * 30},
        {"edition": ""},
        {"edition": "avx, unblocked stay forever"},
        {"edition": "avx, ties, no ties"},
        {"edition": "avx" + ", ties" * 2000},
        {"edition": "avx, <script>" + "x" * 3000},
        {"format": "basic, avx, no such rule"},
        {"solitaire": {"readings": ["kindly"]}},
        {"solitaire": {"readings": ["basics never"] * 21}},
    ]
    for wanted in wrong:
        answer = server.http.post("/api/games", json=wanted)
        assert answer.status_code in (400, 422), wanted
        assert set(answer.json()) == {"error"}
        assert "Traceback" not in answer.text
        assert len(answer.json()["error"]) < 400
    assert server.http.post("/api/games", content=b"{").status_code == 422
    assert server.http.post("/api/records", json={"text": "nonsense"}).status_code == 400
    assert server.http.delete("/api/games/x").status_code == 405


# --- limits --------------------------------------------------------------------------------------------------------


def test_games_per_minute_are_limited_per_address(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, games_per_minute=3)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        codes = [server.http.post("/api/games", json={}).status_code for _ in range(5)]
        assert codes[:3] == [201, 201, 201]
        assert codes[4] == 429


def test_requests_are_limited_per_address(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, requests_per_second=0.1, request_burst=5)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        codes = [server.http.get("/api/health").status_code for _ in range(8)]
        assert codes[:5] == [200] * 5
        assert codes[7] == 429


def test_sockets_are_limited_by_address_and_by_game(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, sockets_per_address=3, sockets_per_game=2)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        opened, other = start(server), start(server)
        people = [opened.join(), opened.join()]
        assert _refusal_reason(server, opened.game) == "too many people look at this game"
        people.append(other.join())
        assert _refusal_reason(server, other.game) == "too many connections from your address"
        for person in people:
            person.leave()


def test_full_server_turns_sockets_away(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, live_games=1)) as server:
        start(server).join()
        assert _refusal_reason(server, start(server).game) == "the server is full; try again later"


def test_idle_games_are_evicted_and_reloaded(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, kept_games=2)) as server:
        opened = start(server)
        both = opened.join("A", "B")
        both.choose()
        both.leave()
        for _ in range(5):
            assert start(server).view["version"] == 0
        assert opened.view == both.view


def test_events_and_chatter_per_game_are_limited(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, events_per_game=5, chatter_per_seat=5)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        opened = start(server)
        both, b = opened.join("A", "B"), opened.join("B")
        for i in range(6):
            b.send(type="name", seat="B", name=f"Kim {i}")
        assert b.receive("refused")["reason"] == "too many messages of this kind in this game"
        for _ in range(5):
            both.choose()
        both.send(type="play", version=both.view["version"], choice={"option": 0})
        assert both.receive("refused")["reason"] == "this game has gone on for too long"
        both.send(type="concede", seat="A")
        while both.view["result"] is None:
            both.receive("view")
        assert both.view["result"]["text"] == "B wins: A conceded"
        bots = [{"kind": "player"}, {"kind": "player"}]
        watcher = server.open(seats=bots).join()
        while watcher.view["version"] < 5:
            watcher.receive("view")
        watcher.send(type="ping")
        watcher.receive("pong")


def test_socket_waiting_for_hello_joins_the_same_room_as_others(tmp_path: Path) -> None:
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", replace(GENEROUS_LIMITS, kept_games=1)) as server:
        opened = start(server)
        with connect(f"ws://{server.address}/api/games/{opened.game}/live", proxy=None) as early:
            for _ in range(4):
                assert start(server).view["version"] == 0
            opened.join("A", "B").choose()
            early.send(json.dumps({"type": "hello"}))
            welcome = json.loads(early.recv(timeout=TIMEOUT))
            assert welcome["view"] == opened.view


def test_message_flood_is_throttled_while_others_are_served(tmp_path: Path) -> None:
    limits = replace(GENEROUS_LIMITS, messages_per_second=50, message_burst=5)
    with run_server(f"sqlite:///{tmp_path / 'games.sqlite'}", limits) as server:
        opened = start(server)
        both = opened.join("A", "B")
        flood = opened.join()
        for _ in range(30):
            flood.send(type="ping")
        both.choose()
        for _ in range(30):
            flood.receive("pong")


def _refusal_reason(server: LiveServer, game: str) -> str:
    with connect(f"ws://{server.address}/api/games/{game}/live", proxy=None) as socket:
        socket.send(json.dumps({"type": "hello"}))
        message = json.loads(socket.recv(timeout=TIMEOUT))
    assert message["type"] == "bye"
    reason: str = message["reason"]
    return reason
