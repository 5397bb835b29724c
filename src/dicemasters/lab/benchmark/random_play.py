"""Random play for benchmarks: the throughput, and the generator that picks the options for this engine and others."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from dicemasters.game.inspect.view import UNDECIDED, GameSpec, State
from dicemasters.game.turn import loop


@dataclass(frozen=True, slots=True)
class Throughput:
    """Result of a period of random play."""

    games: int
    decisions: int  # decisions with at least two options
    forced: int  # decisions with only one option
    seconds: float
    copy_us: float  # microseconds per copy; 0: not measured

    @property
    def per_second(self) -> float:
        return self.decisions / self.seconds


class FastRng:
    """A fast generator for picking options, independent of the games' own generator."""

    __slots__ = ("x",)

    def __init__(self, seed: int) -> None:
        self.x = seed * 2654435761 + 12345

    def below(self, n: int) -> int:
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self.x >> 33) % n


def play_random(specs: list[GameSpec], seconds: float) -> Throughput:
    """Play uniformly random games for about this long."""
    pick = FastRng(1).below
    games = decisions = forced = 0
    sample: State | None = None
    start = time.process_time()
    while time.process_time() - start < seconds:
        s = loop.new_state(specs[games % len(specs)], games)
        loop.advance(s)
        while s.result == UNDECIDED:
            options = s.options
            n = len(options)
            if n > 1:
                decisions += 1
                loop.apply(s, options[pick(n)])
            else:
                forced += 1
                loop.apply(s, options[0])
            if decisions == 300:
                sample = s.copy()
        games += 1
    spent = time.process_time() - start
    return Throughput(games, decisions, forced, spent, copy_time(sample.copy) if sample else 0.0)


def play_for(
    seconds: float, play_one: Callable[[int], tuple[int, int]], copy: Callable[[], object] | None
) -> Throughput:
    """Play one game after another for about this long.

    `play_one` receives the number of a game and returns the numbers of its decisions with several options and with one.
    """
    games = decisions = forced = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        more, more_forced = play_one(games)
        games += 1
        decisions += more
        forced += more_forced
    return Throughput(games, decisions, forced, time.process_time() - start, copy_time(copy) if copy else 0.0)


def copy_time(copy: Callable[[], object]) -> float:
    """Return the microseconds per copy, the best of several periods."""
    best = 1.0
    for _ in range(5):
        n = 0
        start = time.process_time()
        while (spent := time.process_time() - start) < 0.002 or not n:
            for _ in range(50):
                copy()
            n += 50
        best = min(best, spent / n)
    return best * 1e6


def combined_throughput(parts: list[Throughput]) -> Throughput | None:
    """Return the sum of several periods, or None if there are none."""
    if not parts:
        return None
    return Throughput(
        sum(p.games for p in parts),
        sum(p.decisions for p in parts),
        sum(p.forced for p in parts),
        sum(p.seconds for p in parts),
        min(p.copy_us for p in parts),
    )
