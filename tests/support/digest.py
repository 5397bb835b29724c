"""Digests of games that depend on behaviour, not on the names of modules, classes and fields.

A digest covers field values in order, decisions with their options' texts, the choices, the log, the record and positions
as text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from tools.verify.compiled_parity import field_values

from dicemasters.game import Game
from dicemasters.game.inspect.view import State

POSITION_INTERVAL = 20  # decisions


class Digest:
    """An incremental checksum over values."""

    def __init__(self) -> None:
        self._sum = hashlib.sha256()

    def add(self, *values: object) -> None:
        """Add numbers, strings, state values, and lists and tuples of these."""
        self._sum.update(repr(field_values(values)).encode())

    def __str__(self) -> str:
        return self._sum.hexdigest()[:16]


def play_digest(game: Game, choose: Callable[[State], int]) -> str:
    """Play a game to its end and return the digest of everything observable on the way."""
    digest = Digest()
    made = 0
    while (decision := game.decision) is not None:
        if made % POSITION_INTERVAL == 0:
            digest.add(game.to_text(), game.state.key())
        index = choose(game.state)
        digest.add(decision.player, decision.kind, decision.question, [x.text for x in decision.options], index)
        game.play(index)
        made += 1
    assert game.result is not None
    record = without_version(game.record)
    digest.add(made, game.result.winner, game.result.why, game.log, record, game.to_text(), game.state.key())
    return str(digest)


def without_version(record: str) -> str:
    """Return a record without the line that states the version, which changes with every release."""
    heading, _, rest = record.partition("\n")
    version, _, moves = rest.partition("\n")
    assert version.startswith("version: ")
    return f"{heading}\n{moves}"
