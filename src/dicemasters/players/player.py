"""What a player is, and the players one can name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from dicemasters.game import Choice, Game
from dicemasters.game.inspect.view import State
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.random_player import RandomPlayer
from dicemasters.players.scripted import ScriptedPlayer


class Player(Protocol):
    """Whoever decides for a seat: looks at a position and gives the index of one of its options."""

    name: str

    def choose(self, state: State) -> int: ...


class Bot(Protocol):
    """A player by anybody: a class with one method, which makes no moves and only says what it would do (docs/bots.md).

    The game it is given is a copy of its own, with other dice to come, so that it may try things out.
    """

    def choose(self, game: Game) -> Choice | int | str: ...


def _lazy_factory(factory_name: str) -> Callable[[int], Player]:
    """Give a maker of players who think, and load what they think with only when one is made."""

    def make(seed: int) -> Player:
        from dicemasters.players import levels

        player: Player = getattr(levels, factory_name)(seed)
        return player

    return make


def _level2(seed: int) -> Player:
    """Give the simple player by the name it was asked for."""
    player = HeuristicPlayer(seed)
    player.name = "level2"
    return player


PLAYERS: dict[str, Callable[[int], Player]] = {
    "random": RandomPlayer,
    "level1": _lazy_factory("BlunderingPlayer"),
    "simple": HeuristicPlayer,
    "level2": _level2,
    "level3": _lazy_factory("level3"),
    "level4": _lazy_factory("level4"),
    "level5": _lazy_factory("level5"),
    "scripted": ScriptedPlayer,
}
TIMED = "level5"  # thinks for a given time where one is given
MAX_SECONDS = 600.0
_TIME = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(ms|s)")


def make_player(
    name: str, seed: int, *, within: float = 0.0, stop: Callable[[], bool] | None = None, cores: int = 1
) -> Player:
    """Make a player by name; the seed makes its choices repeatable.

    With a time, as in `level5@200ms` or `level5@2s`, level 5 thinks at most that long about each choice, in time of the
    processor; then its choices depend on the machine too. It never thinks longer than `within` seconds by the clock, if
    they are given, and stops at once when `stop` says so. With more cores other processes think along where it has time.
    """
    base, separator, time = name.partition("@")
    if base not in PLAYERS:
        raise ValueError(f"there is no player '{base}'; there are {', '.join(PLAYERS)}")
    if base != TIMED and not separator:
        return PLAYERS[base](seed)
    seconds = _parse_seconds(name, base, time) if separator else 0.0
    from dicemasters.players.levels import TIMED_SEARCH, level5

    if separator:
        return level5(seed, TIMED_SEARCH, seconds=seconds, within=within, stop=stop, cores=cores)
    return level5(seed, within=within, stop=stop)


def _parse_seconds(name: str, base: str, time: str) -> float:
    if base != TIMED:
        raise ValueError(f"'{name}': only {TIMED} can be given a time")
    match = _TIME.fullmatch(time)
    seconds = float(match[1]) / (1000 if match[2] == "ms" else 1) if match else 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"'{name}': a time is written like {TIMED}@200ms or {TIMED}@2s, up to {MAX_SECONDS:.0f}s")
    return seconds
