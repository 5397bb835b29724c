"""Running a server: settings, port, rate limiter, static page, shutdown."""

import asyncio
import json
import signal
import socket
from pathlib import Path

import pytest
from starlette.requests import Request
from tests.support.live_server import TIMEOUT, LiveServer, OpenedGame
from tools.load.server_process import ServerProcess

from dicemasters.cli.main import main
from dicemasters.client.rest import post
from dicemasters.server.config import ServerSettings, settings_from_environment
from dicemasters.server.http.static_files import StaticSite
from dicemasters.server.rate_limiter import RateLimiter
from dicemasters.server.run import bind_socket
from dicemasters.service.limits import Limits
from dicemasters.service.sanitize import sanitize
from dicemasters.service.token_bucket import TokenBucket


def test_settings_come_from_the_environment() -> None:
    found = settings_from_environment(
        {"DICEMASTERS_DB": "sqlite:///x", "DICEMASTERS_SOCKETS": "7", "DICEMASTERS_DURABLE": "yes"}
    )
    assert found == ServerSettings(db="sqlite:///x", durable=True, limits=Limits(sockets=7))
    assert settings_from_environment({}) == ServerSettings()


@pytest.mark.parametrize(("key", "value"), [("PORT", "x"), ("SOCKETS", "1.5"), ("DURABLE", "maybe")])
def test_invalid_setting_is_named(key: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"DICEMASTERS_{key} is '{value}'"):
        settings_from_environment({f"DICEMASTERS_{key}": value})


@pytest.mark.parametrize(
    "arguments", [["--port", "70000"], ["--port", "x"], ["--db", "nonsense"], ["--host", "no.such.host.invalid"]]
)
def test_invalid_serve_arguments_are_reported_without_a_traceback(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-browser", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_taken_port_is_replaced_unless_it_was_requested() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with bind_socket("127.0.0.1", port, strict=False) as other:
            assert other.getsockname()[1] != port
        with pytest.raises(OSError, match=f"port {port}"):
            bind_socket("127.0.0.1", port, strict=True)


def test_accepted_sockets_send_small_messages_without_delay() -> None:
    """With Nagle's algorithm the system would hold back the second part of an answer for 40 ms."""

    async def accept_connection() -> int:
        listener, found = bind_socket("127.0.0.1", 0, strict=True), asyncio.get_running_loop().create_future()

        def on_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            at = writer.get_extra_info("socket")
            found.set_result(at.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(on_connection, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            no_delay: int = await found
            writer.close()
            return no_delay

    assert asyncio.run(accept_connection())


def test_token_bucket_allows_a_burst_and_then_its_rate() -> None:
    now = [0.0]
    bucket = TokenBucket(2.0, 3, lambda: now[0])
    assert [bucket.acquire() for _ in range(5)] == [True, True, True, False, False]
    now[0] = 1.0
    assert [bucket.acquire() for _ in range(3)] == [True, True, False]


def test_rate_limiter_bounds_the_number_of_buckets() -> None:
    buckets = RateLimiter(1, 1, max_buckets=10)
    for i in range(1000):
        assert buckets.acquire(str(i))
    assert len(buckets._buckets) == 10
    assert not buckets.acquire("999")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  Kim  ", "Kim"),
        ("a\r\nb", "a b"),
        ("\x00\x1b[2J", "[2J"),
        ("\u202eabc\u200d", "abc"),
        ("x" * 99, "x" * 60),
        ("é", "é"),
    ],
)
def test_untrusted_text_is_sanitised(text: str, shown: str) -> None:
    assert sanitize(text) == shown


# --- the page ------------------------------------------------------------------------------------------------------


def get(pages: StaticSite, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    answer = pages.answer(Request({"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": raw}))
    return answer.status_code, dict(answer.headers), bytes(answer.body)


@pytest.fixture
def built(tmp_path: Path) -> StaticSite:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>table</title>")
    (tmp_path / "assets" / "app-1a2b.js").write_text("let x = 1;\n" * 1000)
    return StaticSite(tmp_path)


def test_routes_of_the_page_serve_the_same_document(built: StaticSite) -> None:
    for path in ("/", "/g/abc", "/r/abc", "/p", "/rules"):
        status, headers, body = get(built, path)
        assert (status, headers["cache-control"]) == (200, "no-cache")
        assert b"<title>table" in body


def test_files_with_a_hash_are_cached_for_ever_and_compressed(built: StaticSite) -> None:
    status, headers, body = get(built, "/assets/app-1a2b.js", accept_encoding="gzip, br")
    assert status == 200
    assert "immutable" in headers["cache-control"]
    assert headers["content-encoding"] == "gzip"
    assert len(body) < 1000
    assert get(built, "/assets/app-1a2b.js", if_none_match=headers["etag"])[0] == 304
    assert "content-encoding" not in get(built, "/assets/app-1a2b.js")[1]


def test_other_paths_return_404(built: StaticSite) -> None:
    for path in ("/assets/", "/assets/../index.html", "/index.htm", "/x"):
        assert get(built, path)[0] == 404


def test_unknown_path_returns_404_with_the_page_for_browsers(built: StaticSite) -> None:
    status, headers, body = get(built, "/nonsense", accept="text/html,*/*;q=0.8", if_none_match="x")
    assert (status, headers["cache-control"]) == (404, "no-cache")
    assert b"<title>table" in body
    assert get(built, "/assets/gone.js", accept="*/*")[2] == b"There is no such page."


def test_unbuilt_page_says_how_to_build_it(tmp_path: Path) -> None:
    status, _, body = get(StaticSite(tmp_path / "none"), "/")
    assert status == 503
    assert b"make play" in body


# --- shutdown ------------------------------------------------------------------------------------------------------


def test_terminated_server_says_goodbye(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'games.sqlite'}", environment={"DICEMASTERS_LOG": "json"})
    made = post(server.address, "/api/games", {"seed": 1})
    person = OpenedGame(LiveServer(server.address), made["game"], made["seats"]).join("A")
    server.process.terminate()
    assert person.receive("bye")["reason"] == "the server stops"
    server.process.wait(timeout=TIMEOUT)
    log = server.log
    assert server.process.returncode == -signal.SIGTERM  # after a clean shutdown
    assert json.loads(log.splitlines()[-1])["what"] == "stopped"
