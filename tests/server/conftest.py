"""One server for all tests of a process that need nothing special."""

from collections.abc import Iterator

import pytest
from tests.server.running import Running, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('games') / 'games.sqlite'}") as started:
        yield started
