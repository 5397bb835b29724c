"""Reconnecting: after the server was killed, and from another device."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from tests.e2e.support.page_driver import TIMEOUT, Visitor, expect
from tests.support.live_server import LiveServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    Visit = Callable[..., Visitor]

SEATS = [{"kind": "person"}, {"kind": "player", "player": "simple"}]


def free_port() -> int:
    """Return a free port below the ephemeral range, so that it stays free while no server runs."""
    while True:
        port = random.SystemRandom().randrange(12_000, 30_000)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


@contextmanager
def server_process(port: int, file: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the server as a separate process, and kill it on exit."""
    command = ["-m", "dicemasters", "serve", "--no-browser", "--port", str(port), "--db", f"sqlite:///{file}"]
    server = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 2 * TIMEOUT
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=TIMEOUT, trust_env=False).raise_for_status()
                break
            except httpx.HTTPError:
                assert server.poll() is None, "the server has ended"
                assert time.monotonic() < end, "the server does not answer"
                time.sleep(0.1)
        yield server
    finally:
        if server.poll() is None:
            os.kill(server.pid, signal.SIGKILL)
        server.wait()


def test_page_reconnects_after_the_server_is_killed(browser: Browser, tmp_path: Path) -> None:
    port, file = free_port(), tmp_path / "games.sqlite"
    address = f"127.0.0.1:{port}"
    with server_process(port, file):
        opened = LiveServer(address).open(seats=SEATS, seed=3, first="A")
        you = Visitor(browser.new_context(viewport={"width": 1280, "height": 800}), f"http://{address}")
        you.join(opened.game, opened.seats["A"])
        you.wait()
        you.decide_and_wait()
        question, version = you.question, you.version
    you.page.get_by_text("reconnecting…").wait_for()
    with server_process(port, file):
        you.page.get_by_text("reconnecting…").wait_for(state="detached")
        you.wait()
        assert (you.question, you.version) == (question, version)
        you.decide_and_wait()
        assert you.version > version
    you.context.close()
    assert you.problems == []
    assert you.foreign_requests == []


def test_seat_link_resumes_the_seat_on_another_device(visit: Visit, server: LiveServer) -> None:
    game = server.open(seats=SEATS, seed=3, first="A")
    desk, phone = visit(), visit(390, 844, touch=True)
    desk.join(game.game, game.seats["A"])
    desk.wait()
    desk.decide_and_wait()
    phone.page.goto(desk.page.url)
    phone.wait()
    expect(phone.page.locator(".question")).to_have_text(desk.question)
    phone.decide_and_wait()
    desk.page.wait_for_selector(f".table[data-version='{phone.version}']")
    expect(desk.page.locator(".question")).to_have_text(phone.question)
