"""Measure the latency of a server with many games at once: `python -m tools.load.load_test --games 500`.

Each game has two players on two sockets. The deciding player pauses, then makes a random legal choice. The latency is the
time until each of the two players has received the result.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from dicemasters.client.game_client import GameClient, View
from dicemasters.client.rest import post
from dicemasters.players.rng import SplitMix64
from tools.load.random_guest import random_choice
from tools.load.server_process import ServerProcess

NEXT_GAME_SEED_STEP = 100_000  # distance between the seed of a game and that of the next one


@dataclass(slots=True)
class Latencies:
    """Number of choices, and their latencies in milliseconds, one for each client."""

    latencies: list[float] = field(default_factory=list)
    choices: int = 0

    def add(self, took: list[float]) -> None:
        """Add a choice, with the seconds until each client received it."""
        self.choices += 1
        self.latencies += [seconds * 1000 for seconds in took]

    def quantile(self, share: float) -> float:
        """Return the latency below which this share of the messages is."""
        found = sorted(self.latencies)
        return found[min(len(found) - 1, int(share * len(found)))] if found else 0.0


async def open_game(address: str, number: int) -> tuple[list[GameClient], View]:
    """Open a tournament game and seat two players."""
    setup = {"format": "tournament", "seed": number, "seats": [{"kind": "person"}, {"kind": "person"}]}
    made = await asyncio.get_running_loop().run_in_executor(None, post, address, "/api/games", setup)
    guests = [GameClient(address, made["game"], [made["seats"][seat]]) for seat in "AB"]
    return guests, [await guest.connect() for guest in guests][-1]


async def play(
    address: str,
    number: int,
    sitting: tuple[list[GameClient], View],
    every: float,
    end: float,
    measured: Latencies,
    longest: float = math.inf,
) -> None:
    """Play one game after another until `end`. A game with `longest` choices is abandoned."""
    chance = SplitMix64(number)
    guests, view = sitting
    choices = 0
    await asyncio.sleep(every * chance.below(1000) / 1000)  # so that not all games move at once
    while time.monotonic() < end:
        mover = guests["AB".index(view["decision"]["seat"])]
        sent = time.perf_counter()
        await mover.send(random_choice(view, chance))
        answers = await asyncio.gather(*(_await_view(guest, sent) for guest in guests))
        measured.add([took for took, _ in answers])
        view |= answers[0][1]
        choices += 1
        if view["result"] is not None or choices >= longest:
            choices = 0
            for guest in guests:
                await guest.close()
            number += NEXT_GAME_SEED_STEP
            guests, view = await open_game(address, number)
        await asyncio.sleep(max(0.0, every * (500 + chance.below(1000)) / 1000 - (time.perf_counter() - sent)))
    for guest in guests:
        await guest.close()


async def _await_view(guest: GameClient, sent: float) -> tuple[float, View]:
    message = await guest.receive("change")
    return time.perf_counter() - sent, message["view"]


async def _measure(address: str, games: int, every: float, seconds: float) -> Latencies:
    sittings = [await open_game(address, number) for number in range(games)]
    gc.disable()  # so that pauses of this process do not count as latency
    measured = Latencies()
    end = time.monotonic() + seconds
    await asyncio.gather(*(play(address, i, sitting, every, end, measured) for i, sitting in enumerate(sittings)))
    gc.enable()
    return measured


def main(argv: list[str] | None = None) -> int:
    """Measure and print a line for each number of games. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.load.load_test", description=__doc__)
    parser.add_argument(
        "--games", type=int, nargs="+", default=[500], help="number of games at once; several numbers make a curve"
    )
    parser.add_argument("--every", type=float, default=2.0, help="seconds between the choices in a game (%(default)s)")
    parser.add_argument("--seconds", type=float, default=30.0, help="length of a measurement (%(default)s)")
    parser.add_argument("--under", type=float, help="fail if the 99th percentile reaches this many milliseconds")
    parser.add_argument("--db", help="database URL of the server (default: a new SQLite file)")
    parser.add_argument("--address", help="measure this running server instead, as in 127.0.0.1:8420")
    args = parser.parse_args(argv)
    print("games  choices/s   p50 ms   p90 ms   p99 ms   max ms", flush=True)
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for games in args.games:
            server = None if args.address else ServerProcess(args.db or f"sqlite:///{Path(folder) / f'{games}.sqlite'}")
            address = server.address if server else args.address
            try:
                m = asyncio.run(_measure(address, games, args.every, args.seconds))
            finally:
                if server:
                    server.stop()
            figures = " ".join(
                f"{x:8.1f}" for x in (m.quantile(0.5), m.quantile(0.9), m.quantile(0.99), max(m.latencies, default=0.0))
            )
            print(f"{games:5}  {m.choices / args.seconds:9.1f} {figures}", flush=True)
            worst = max(worst, m.quantile(0.99))
    if args.under is None:
        return 0
    held = 0 < worst < args.under
    print(f"{'passed' if held else 'failed'}: 99th percentile {worst:.0f} ms, limit {args.under:.0f} ms")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
