"""The same lots every time."""

from collections.abc import Iterator

import pytest
from tests.support.seeded_secrets import same_lots


@pytest.fixture(autouse=True)
def _same_lots() -> Iterator[None]:
    with same_lots():
        yield
