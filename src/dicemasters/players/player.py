"""What a player is, and the players one can name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dicemasters.game.view import State
from dicemasters.players.random import RandomPlayer
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.players.simple import SimplePlayer


class Player(Protocol):
    """Whoever decides for a seat: looks at a position and gives the index of one of its options."""

    name: str

    def choose(self, state: State) -> int: ...


PLAYERS: dict[str, Callable[[int], Player]] = {
    "random": RandomPlayer,
    "simple": SimplePlayer,
    "scripted": ScriptedPlayer,
}


def make_player(name: str, seed: int) -> Player:
    """Make a player by name; the seed makes its choices repeatable."""
    if name not in PLAYERS:
        raise ValueError(f"there is no player '{name}'; there are {', '.join(PLAYERS)}")
    return PLAYERS[name](seed)
