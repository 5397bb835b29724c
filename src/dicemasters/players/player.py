"""What a player is, and the players one can name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dicemasters.game import Choice, Game
from dicemasters.game.view import State
from dicemasters.players.random import RandomPlayer
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.players.simple import SimplePlayer


class Player(Protocol):
    """Whoever decides for a seat: looks at a position and gives the index of one of its options."""

    name: str

    def choose(self, state: State) -> int: ...


class Bot(Protocol):
    """A player by anybody: a class with one method, which makes no moves and only says what it would do (docs/bots.md).

    The game it is given is a copy of its own, with other dice to come, so that it may try things out.
    """

    def choose(self, game: Game) -> Choice | int | str: ...


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
