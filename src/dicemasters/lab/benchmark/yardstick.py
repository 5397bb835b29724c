"""python-chess in random play, the yardstick of the benchmark."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from dicemasters.lab.benchmark.random_play import Dice, Speed, play_for


class Peer(NamedTuple):
    """An engine, the package it comes in, the module to import, and how it plays for some seconds."""

    name: str
    package: str
    module: str
    play: Callable[[Any, float], Speed]


def _chess(chess: Any, seconds: float) -> Speed:
    """python-chess: `legal_moves` and `push`; the end of a game is looked for as its own `is_game_over` does, in short."""
    pick = Dice(1).below

    def play_one(_: int) -> tuple[int, int]:
        board = chess.Board()
        decisions = forced = 0
        while True:
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material() or board.halfmove_clock >= 100:
                return decisions, forced
            decisions += len(moves) > 1
            forced += len(moves) == 1
            board.push(moves[pick(len(moves))])

    board = chess.Board()
    return play_for(seconds, play_one, lambda: board.copy(stack=False))


YARDSTICK = Peer("python-chess", "chess", "chess", _chess)


def play_peer(peer: Peer, seconds: float) -> Speed | None:
    """Let a peer play, if it is installed."""
    try:
        module = import_module(peer.module)
    except ImportError:
        return None
    return peer.play(module, seconds)
