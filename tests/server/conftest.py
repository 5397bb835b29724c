"""One server for all tests of a process that need nothing special, databases of both kinds, the same lots every time."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.lots import same_lots
from tests.server.postgres import find_programs, postgres
from tests.server.running import Running, everybody_leaves, running


@pytest.fixture(autouse=True)
def _same_lots() -> Iterator[None]:
    with same_lots():
        yield
        everybody_leaves()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('games') / 'games.sqlite'}") as started:
        yield started


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    with postgres(programs) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.sqlite'}"
    return new_database(request.getfixturevalue("cluster"), tmp_path)


def new_database(cluster: str, tmp_path: Path) -> str:
    """Make a database of a test's own; give its URL."""
    name = f"t{abs(hash(str(tmp_path)))}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    return cluster.removesuffix("postgres") + name
