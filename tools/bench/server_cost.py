"""Compare the cost of a choice with another version of the server: `python -m tools.bench.server_cost --against ../dicemasters-0.1.0`.

Both servers run at once and have the same clients: two players on two sockets in each game, and games with the same
seeds. Rounds of choices alternate between the servers. The report shows the CPU time of each server process and the
bytes its clients receive.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dicemasters.client.game_client import GameClient
from dicemasters.client.rest import post
from dicemasters.players.rng import SplitMix64
from tools.load.server_process import ServerProcess

NEXT_GAME_SEED_STEP = 100_000  # distance between the seed of a game and that of the next one


class BenchmarkGame:
    """Two players who play one game after the other, on any version of the program since 0.1.0."""

    def __init__(self, address: str, number: int) -> None:
        self.address = address
        self.number = number
        self.chance = SplitMix64(number)
        self.guests: list[GameClient] = []
        self.version = 0
        self.decision: dict[str, Any] | None = None

    async def open_game(self) -> None:
        """Open a tournament game and seat two players."""
        setup = {"format": "tournament", "seed": self.number, "seats": [{"kind": "person"}, {"kind": "person"}]}
        made = await asyncio.get_running_loop().run_in_executor(None, post, self.address, "/api/games", setup)
        self.guests = [GameClient(self.address, made["game"], [made["seats"][seat]]) for seat in "AB"]
        for guest in self.guests:
            self._update(await guest.connect())

    def _update(self, view: dict[str, Any]) -> None:
        self.version = view["version"]
        if "decision" in view:
            self.decision = view["decision"]

    async def choose(self) -> None:
        """Make a random legal choice, and wait until both players have received it."""
        assert self.decision is not None
        numbers = [option.get("number", option.get("i")) for option in self.decision["options"]]
        numbers = [number for number in numbers if number is not None] or [0]
        choice = {"option": numbers[self.chance.below(len(numbers))]}
        mover = self.guests["AB".index(self.decision["seat"])]
        await mover.send({"type": "play", "version": self.version, "choice": choice})
        for guest in self.guests:
            message = await guest.receive("view", "change")
        self._update(message["view"])

    async def renew(self) -> None:
        """Open a new game if this one is over."""
        if self.decision is None:
            for guest in self.guests:
                await guest.close()
            self.number += NEXT_GAME_SEED_STEP
            await self.open_game()


@dataclass(slots=True)
class MeasuredServer:
    """A server, with the milliseconds and the bytes per client that a choice took in each round."""

    name: str
    server: ServerProcess
    games: list[BenchmarkGame] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    bytes_sent: list[float] = field(default_factory=list)

    async def open_games(self, games: int) -> None:
        """Open the games and seat their players."""
        self.games = [BenchmarkGame(self.server.address, number) for number in range(games)]
        for sitting in self.games:
            await sitting.open_game()

    async def play(self, each: int, every: float) -> None:
        """Make `each` choices in every game, `every` seconds apart. Finished games are replaced first."""
        for sitting in self.games:
            await sitting.renew()
        await asyncio.sleep(0.2)
        before, bytes_before = self.server.seconds, self._received()
        made = sum(await asyncio.gather(*(_play_choices(sitting, each, every) for sitting in self.games)))
        self.ms.append((self.server.seconds - before) * 1000 / made)
        self.bytes_sent.append((self._received() - bytes_before) / made / 2)

    def _received(self) -> int:
        return sum(guest.received_bytes for sitting in self.games for guest in sitting.guests)


async def _play_choices(sitting: BenchmarkGame, most: int, every: float) -> int:
    await asyncio.sleep(every * sitting.chance.below(1000) / 1000)  # so that not all games move at once
    made = 0
    while made < most and sitting.decision is not None:
        began = time.monotonic()
        await sitting.choose()
        made += 1
        await asyncio.sleep(max(0.0, every - (time.monotonic() - began)))
    return made


async def measure(sides: list[MeasuredServer], games: int, rounds: int, each: int, every: float) -> None:
    """Play rounds on each server in turn."""
    for side in sides:
        await side.open_games(games)
        await side.play(3, every)  # warm-up
        side.ms.clear()
        side.bytes_sent.clear()
    for _ in range(rounds):
        for side in sides:
            await side.play(each, every)


def main(argv: list[str] | None = None) -> int:
    """Measure and print. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.server_cost", description=__doc__)
    parser.add_argument("--against", type=Path, help="folder of another version of the program")
    parser.add_argument("--games", type=int, default=40, help="games per server (%(default)s)")
    parser.add_argument("--rounds", type=int, default=8, help="rounds per server (%(default)s)")
    parser.add_argument("--choices", type=int, default=20, help="choices per game and round (%(default)s)")
    parser.add_argument("--every", type=float, default=0.3, help="seconds between the choices of a game (%(default)s)")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(__file__).parents[2] / "src"
        wanted = {"this version": here}
        if args.against is not None:
            wanted[str(args.against)] = args.against.absolute() / "src"
        sides: list[MeasuredServer] = []
        try:
            for n, (name, source) in enumerate(wanted.items()):
                sides.append(
                    MeasuredServer(name, ServerProcess(f"sqlite:///{Path(folder) / f'{n}.sqlite'}", source=source))
                )
            asyncio.run(measure(sides, args.games, args.rounds, args.choices, args.every))
        finally:
            for side in sides:
                side.server.stop()
    print("ms of CPU time per choice: median, minimum, maximum over rounds; bytes per client")
    for side in sides:
        middle = statistics.median(side.ms)
        print(
            f"{middle:6.3f} {min(side.ms):6.3f} {max(side.ms):6.3f}  {statistics.mean(side.bytes_sent):7.0f}  {side.name}"
        )
    if len(sides) == 2:
        ratios = [new / old for new, old in zip(sides[0].ms, sides[1].ms, strict=True)]
        print(f"{statistics.median(ratios):.2f} of the other's time; {min(ratios):.2f} to {max(ratios):.2f} by round")
    return 0


if __name__ == "__main__":
    sys.exit(main())
