"""Fixtures: a shared server per process, databases of both kinds, seeded secrets."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import sqlalchemy as sa
from tests.support.live_server import TIMEOUT, LiveServer, close_all_clients, run_server
from tests.support.postgres import find_programs, postgres
from tests.support.seeded_secrets import seeded_secrets

from dicemasters.server import websocket
from dicemasters.server.storage import sql_store
from dicemasters.server.workers import bot_pool, sandbox
from dicemasters.service.drafts import draft_room

LONG = 600.0  # seconds

# Timeouts of the server. Honest clients, processes and databases may need longer on a busy machine.
RELAXED_TIMEOUTS = [
    (sandbox, "START_SECONDS", LONG),
    (sandbox, "KILL_SECONDS", LONG),
    (draft_room, "POLL_TIMEOUT", 0.8 * TIMEOUT),
    (websocket, "HANDSHAKE_TIMEOUT", LONG),
    (sql_store, "CHECK_SECONDS", LONG),
    (sql_store, "WRITE_TIMEOUT", LONG),
    (sql_store, "SQLITE_SECONDS", LONG),
    (bot_pool, "TIMEOUT_MARGIN", LONG),
]


@pytest.fixture(autouse=True)
def _relaxed_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a stalling machine from failing tests; a test of one of these timeouts sets it itself."""
    for module, name, seconds in RELAXED_TIMEOUTS:
        monkeypatch.setattr(module, name, seconds)
    options = re.sub(r"\d+", str(int(1000 * LONG)), str(sql_store.POSTGRES["options"]))
    monkeypatch.setattr(sql_store, "POSTGRES", sql_store.POSTGRES | {"connect_timeout": int(LONG), "options": options})


@pytest.fixture(autouse=True)
def _seeded_secrets() -> Iterator[None]:
    with seeded_secrets():
        yield
        close_all_clients()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with run_server(f"sqlite:///{tmp_path_factory.mktemp('games') / 'games.sqlite'}") as started:
        yield started


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    if running_server := os.environ.get("DICEMASTERS_TEST_POSTGRES"):  # the service container of hosted CI
        yield running_server
        return
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    with postgres(programs) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.sqlite'}"
    return new_database(request.getfixturevalue("cluster"))


def new_database(cluster: str) -> str:
    """Create a database for one test; return its URL."""
    name = f"t{uuid4().hex}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    return sa.make_url(cluster).set(database=name).render_as_string(hide_password=False)
