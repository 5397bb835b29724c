"""Seeded replacements for the module `secrets`, so that tests are reproducible."""

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

# Modules that draw secrets for fair dice, teams, packs and players; game ids and seat secrets are not seeded. A generator is
# seeded with its label and shared by its modules. Labels stay when modules move: some tests depend on the drawn values.
SEEDED_MODULES: dict[str, tuple[ModuleType, ...]] = {
    "dicemasters.game.fair": (fair_dice,),
    "dicemasters.lab.guests": (random_guest,),
    "dicemasters.table.server.rooms": (room, registry),
    "dicemasters.table.server.setups": (game_setup,),
    "dicemasters.table.server.drafting": (draft_session,),
    "dicemasters.table.server.thinkers": (bot_pool,),
}
DRAFT_LABEL = "dicemasters.table.server.drafts"


class SeededSecrets:
    """The functions of the module `secrets` that the package uses, from a seed."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)

    def token_bytes(self, number: int) -> bytes:
        return self._chance.randbytes(number)

    def token_hex(self, number: int) -> str:
        return self.token_bytes(number).hex()

    def randbits(self, number: int) -> int:
        return self._chance.getrandbits(number)


@contextmanager
def seeded_secrets() -> Iterator[None]:
    """Replace `secrets` in every drawing module by a seeded generator per label."""
    with pytest.MonkeyPatch.context() as patch:
        for label, modules in SEEDED_MODULES.items():
            generator = SeededSecrets(label)
            for module in modules:
                patch.setattr(module, "secrets", generator)
        draw = SeededSecrets(DRAFT_LABEL)
        patch.setattr(draft_room, "new_secret", lambda: draw.token_hex(16))  # packs are dealt from this secret
        yield
