"""Random play with python-chess, the benchmark's reference."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from dicemasters.lab.benchmark.random_play import FastRng, Throughput, play_for


class OtherEngine(NamedTuple):
    """An engine: its name, its package, the module to import, and the function that plays for some seconds."""

    name: str
    package: str
    module: str
    play: Callable[[Any, float], Throughput]


def _chess(chess: Any, seconds: float) -> Throughput:
    """Play with `legal_moves` and `push`; the end of a game is detected by an abridged `is_game_over`."""
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
    """Return the throughput of an engine, or None if it is not installed."""
    try:
        module = import_module(peer.module)
    except ImportError:
        return None
    return peer.play(module, seconds)
