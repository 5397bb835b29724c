"""Lots that fall the same each time a test runs, in place of those that nobody can foresee."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest
from tools.load import random_guest

from dicemasters.game import fair_dice
from dicemasters.server.workers import bot_pool
from dicemasters.service.drafts import draft_room, draft_session
from dicemasters.service.games import game_setup, registry, room

# Who draws: for chains and words of fair dice, for teams, packs and players; not for names of games and keys of their seats.
# A generator is seeded by its label and shared by the modules beside it. Labels stay when modules move: tests know the lots.
DRAWING: dict[str, tuple[ModuleType, ...]] = {
    "dicemasters.game.fair": (fair_dice,),
    "dicemasters.lab.guests": (random_guest,),
    "dicemasters.table.server.rooms": (room, registry),
    "dicemasters.table.server.setups": (game_setup,),
    "dicemasters.table.server.drafting": (draft_session,),
    "dicemasters.table.server.thinkers": (bot_pool,),
}
DEALING = "dicemasters.table.server.drafts"


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
        for label, modules in DRAWING.items():
            lots = Lots(label)
            for module in modules:
                patch.setattr(module, "secrets", lots)
        draw = Lots(DEALING)
        patch.setattr(draft_room, "new_secret", lambda: draw.token_hex(16))  # what is dealt comes from one
        yield
