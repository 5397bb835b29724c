"""python-chess in random play, the yardstick of the benchmark."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from dicemasters.lab.benchmark.random_play import FastRng, Throughput, play_for


class OtherEngine(NamedTuple):
    """An engine, the package it comes in, the module to import, and how it plays for some seconds."""

    name: str
    package: str
    module: str
    play: Callable[[Any, float], Throughput]


def _chess(chess: Any, seconds: float) -> Throughput:
    """python-chess: `legal_moves` and `push`; the end of a game is looked for as its own `is_game_over` does, in short."""
    pick = FastRng(1).below

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


YARDSTICK = OtherEngine("python-chess", "chess", "chess", _chess)


def run_engine(peer: OtherEngine, seconds: float) -> Throughput | None:
    """Let a peer play, if it is installed."""
    try:
        module = import_module(peer.module)
    except ImportError:
        return None
    return peer.play(module, seconds)
