"""Lots that fall the same each time a test runs, in place of those that nobody can foresee."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dicemasters.game import fair
from dicemasters.lab import guests
from dicemasters.table.server import drafting, drafts, rooms, setups, thinkers

# who draws: for chains and words of fair dice, for teams, packs and players; not for names of games and keys of their seats
DRAWING = (fair, guests, rooms, setups, drafting, thinkers)


class Lots:
    """What is asked of the module `secrets` there, from a seed."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)

    def token_bytes(self, number: int) -> bytes:
        return self._chance.randbytes(number)

    def token_hex(self, number: int) -> str:
        return self.token_bytes(number).hex()

    def randbits(self, number: int) -> int:
        return self._chance.getrandbits(number)


@contextmanager
def same_lots() -> Iterator[None]:
    """Let everybody in this process draw the same as the last time, each from a generator of their own."""
    with pytest.MonkeyPatch.context() as patch:
        for module in DRAWING:
            patch.setattr(module, "secrets", Lots(module.__name__))
        draw = Lots(drafts.__name__)
        patch.setattr(drafts, "new_secret", lambda: draw.token_hex(16))  # what is dealt comes from one
        yield
