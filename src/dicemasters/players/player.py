"""The interface of bots, and the bots that can be named."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from dicemasters.game import Choice, Game
from dicemasters.game.inspect.view import State
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.random_player import RandomPlayer
from dicemasters.players.scripted import ScriptedPlayer


class Player(Protocol):
    """Bot for a seat: chooses one of the options of a position, by index."""

    name: str  #: the name under which results list the bot

    def choose(self, state: State) -> int:
        """Return the index of the option that the bot chooses."""
        ...


#: What a bot chooses: an option, its index or its text, or a list of them that answers the decision as a whole.
BotAnswer = Choice | int | str | Sequence[Choice | int | str]


class Bot(Protocol):
    """External bot: a class with one method, which chooses an option without playing it (docs/bots.md).

    The game passed to `choose` is a separate copy with different future dice, so that the bot can try options on it.
    """

    def choose(self, game: Game) -> BotAnswer:
        """Return an option of `game.decision`, its index or its text, or all parts of an answer like `Game.play_all`."""
        ...


def _lazy_factory(factory_name: str) -> Callable[[int], Player]:
    """Return a factory that imports the search bots only when one is made."""

    def make(seed: int) -> Player:
        from dicemasters.players import levels

        player: Player = getattr(levels, factory_name)(seed)
        return player

    return make


def _level2(seed: int) -> Player:
    """Return the heuristic bot under the name that was requested."""
    player = HeuristicPlayer(seed)
    player.name = "level2"
    return player


#: The bots by name: functions that make a bot from a seed.
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
TIMED = "level5"  # the only bot that accepts a time per choice
MAX_SECONDS = 600.0
_TIME = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(ms|s)")


def make_player(
    name: str, seed: int, *, within: float = 0.0, stop: Callable[[], bool] | None = None, cores: int = 1
) -> Player:
    """Return a bot by name; the seed makes its choices reproducible.

    With a time, as in `level5@200ms` or `level5@2s`, level 5 spends at most that much CPU time on each choice, and its
    choices depend on the machine too. `within` limits the wall time per choice in seconds, 0 meaning no limit, and
    `stop` ends a search as soon as it returns True. With more than one core, a search limited by CPU time also uses
    other processes. Raise `ValueError` if the name is unknown.
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
        raise ValueError(f"'{name}': only {TIMED} accepts a time")
    match = _TIME.fullmatch(time)
    seconds = float(match[1]) / (1000 if match[2] == "ms" else 1) if match else 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"'{name}': write a time as in {TIMED}@200ms or {TIMED}@2s, at most {MAX_SECONDS:.0f}s")
    return seconds
