"""Seeded secrets for every test of this folder."""

from collections.abc import Iterator

import pytest
from tests.support.seeded_secrets import seeded_secrets


@pytest.fixture(autouse=True)
def _seeded_secrets() -> Iterator[None]:
    with seeded_secrets():
        yield
