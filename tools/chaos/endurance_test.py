"""Run a server under attack for a long time: `python -m tools.chaos.endurance_test --minutes 60 --csv siege.csv`.

Clients play and watch on a server with its default limits, while one address makes each attack of tools.chaos.abuse_test in
turn, with pauses between them. Memory, open files, event loop lag and move latencies are sampled every few seconds. The test
passes if memory and open files do not grow, the server has no internal error, and it is healthy at the end. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import itertools
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TextIO

from dicemasters.client.game_client import GameClient
from dicemasters.client.rest import get, get_text
from tools.chaos.abuse_test import ATTACKS, FOREVER, PhaseLatencies
from tools.load import load_test
from tools.load.server_process import ServerProcess

QUIET = "quiet"
SERVER_ENVIRONMENT = {"DICEMASTERS_KEPT_GAMES": "30"}  # reached soon, so that memory can become flat
MAX_CHOICES = 100  # per game: each takes memory, and random games hardly ever end
WARMUP_SHARE = 0.3  # share of the run during which memory may grow
MAX_HOURLY_GROWTH = 0.05  # tolerated growth per hour, as a share of the total
Z = 1.96  # standard errors to either side


class ServerSample(NamedTuple):
    """State of the server at one moment, and the moves since the previous sample."""

    seconds: float
    attack: str
    megabytes: float
    files: int
    late_ms: float  # mean event loop lag
    moves: int
    p50_ms: float
    p99_ms: float


class TrendSlope(NamedTuple):
    """Growth per hour, with its 95 % interval."""

    value: float
    low: float
    high: float

    def is_flat(self, level: float) -> bool:
        """Return True if the growth is within the noise or within the tolerance."""
        return self.low <= 0 or self.high <= MAX_HOURLY_GROWTH * level


def fit_slope(points: Sequence[tuple[float, float]]) -> TrendSlope:
    """Fit a line through points of seconds and values. The interval allows for autocorrelated residuals.

    >>> growing = fit_slope([(n * 60.0, 100.0 + n % 2 + n) for n in range(60)])
    >>> round(growing.value), growing.low > 0
    (60, True)
    """
    n = len(points)
    if n < 4:
        return TrendSlope(0.0, -math.inf, math.inf)
    mean_x, mean_y = (sum(values) / n for values in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    rest = [y - mean_y - slope * (x - mean_x) for x, y in points]
    total = sum(e * e for e in rest)
    alike = sum(a * b for a, b in itertools.pairwise(rest)) / total if total else 0.0
    alike = min(max(alike, 0.0), 0.99)
    really = max(3.0, n * (1 - alike) / (1 + alike))  # effective number of independent points
    error = math.sqrt(total / (really - 2) / (spread * really / n))
    return TrendSlope(*(3600 * x for x in (slope, slope - Z * error, slope + Z * error)))


@dataclass
class EnduranceTest:
    """A server, its clients, and the samples so far."""

    server: ServerProcess
    games: int
    every: float
    attack: str = QUIET
    phases: PhaseLatencies = field(default_factory=PhaseLatencies)
    samples: list[ServerSample] = field(default_factory=list)

    async def run(self, seconds: float, each: float, sample: float, out: TextIO | None) -> None:
        """Run for `seconds`, with `each` seconds for every attack and for the pause after it."""
        sittings = [await load_test.open_game(self.server.address, number) for number in range(self.games)]
        names = [guests[0].game for guests, _ in sittings]
        tasks = [
            asyncio.create_task(
                load_test.play(self.server.address, i, sitting, self.every, FOREVER, self.phases, MAX_CHOICES)
            )
            for i, sitting in enumerate(sittings)
        ]
        tasks += [asyncio.create_task(_watch(self.server.address, name)) for name in names]
        tasks += [
            asyncio.create_task(self._run_attacks(names[0], each)),
            asyncio.create_task(self._sample(sample, out)),
        ]
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()  # raises if a client was disconnected

    async def _run_attacks(self, game: str, each: float) -> None:
        for name in itertools.cycle(ATTACKS):
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tools.chaos.abuse_test", "--only", name),
                *("--against", self.server.address, "--game", game),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                self.attack = name
                await asyncio.sleep(each)
            finally:
                process.kill()
                await process.wait()
            self.attack = QUIET
            await asyncio.sleep(each)

    async def _sample(self, every: float, out: TextIO | None) -> None:
        rows = csv.writer(out) if out is not None else None
        if rows is not None:
            rows.writerow(ServerSample._fields)
        started = time.monotonic()
        late = await asyncio.to_thread(_loop_lag, self.server.address)
        while True:
            attack, self.phases.current = self.attack, load_test.Latencies()
            await asyncio.sleep(every)
            seen, now = self.phases.current, await asyncio.to_thread(_loop_lag, self.server.address)
            mean = 1000 * (now[0] - late[0]) / max(1, now[1] - late[1])
            late = now
            files = len(os.listdir(f"/proc/{self.server.process.pid}/fd"))
            sample = ServerSample(
                seconds=round(time.monotonic() - started, 1),
                attack=attack,
                megabytes=round(self.server.megabytes, 1),
                files=files,
                late_ms=round(mean, 1),
                moves=seen.choices,
                p50_ms=round(seen.quantile(0.5), 1),
                p99_ms=round(seen.quantile(0.99), 1),
            )
            self.samples.append(sample)
            if rows is not None and out is not None:
                rows.writerow(sample)
                out.flush()

    @property
    def memory(self) -> TrendSlope:
        """Growth of memory after the warm-up."""
        return fit_slope([(x.seconds, x.megabytes) for x in self._samples_after_warmup])

    @property
    def files(self) -> TrendSlope:
        """Growth of open files after the warm-up, outside attacks."""
        return fit_slope([(x.seconds, x.files) for x in self._samples_after_warmup if x.attack == QUIET])

    @property
    def _samples_after_warmup(self) -> list[ServerSample]:
        return [x for x in self.samples if x.seconds > WARMUP_SHARE * self.samples[-1].seconds]


async def _watch(address: str, game: str) -> None:
    """Watch a game, disconnect and come back, endlessly."""
    while True:
        guest = GameClient(address, game, [])
        with contextlib.suppress(OSError, EOFError, TimeoutError):
            await guest.connect()
            async with asyncio.timeout(20):
                while True:
                    await guest.next_view()
        await guest.close()
        await asyncio.sleep(1)


def _loop_lag(address: str) -> tuple[float, float]:
    """Return the sum of the event loop lags, and the number of measurements."""
    found = _metrics(address)
    return found["dicemasters_loop_late_seconds_sum"], found["dicemasters_loop_late_seconds_count"]


def _metrics(address: str) -> dict[str, float]:
    lines = (line.rpartition(" ") for line in get_text(address, "/metrics").splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def main(argv: list[str] | None = None) -> int:
    """Run the test. Return 1 if the server failed it."""
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.endurance_test", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="length of the run (%(default)s)")
    parser.add_argument("--games", type=int, default=10, help="number of games, with two players each (%(default)s)")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between the choices in a game (%(default)s)")
    parser.add_argument(
        "--attack-seconds", type=float, default=8.0, help="length of an attack, and of the pause after it (%(default)s)"
    )
    parser.add_argument("--sample-seconds", type=float, default=4.0, help="between two samples (%(default)s)")
    parser.add_argument("--csv", type=Path, help="file for the samples")
    parser.add_argument("--db", help="database URL of the server (default: a new SQLite file)")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        out = stack.enter_context(args.csv.open("w", newline="")) if args.csv else None
        server = ServerProcess(
            args.db or f"sqlite:///{Path(folder) / 'siege.sqlite'}", limits=True, environment=SERVER_ENVIRONMENT
        )
        try:
            siege = EnduranceTest(server, args.games, args.every)
            asyncio.run(siege.run(args.minutes * 60, args.attack_seconds, args.sample_seconds, out))
            mistakes = _metrics(server.address)["dicemasters_mistakes_total"]
            health = get(server.address, "/api/health")["status"]
        finally:
            server.stop()
    return _report(siege, mistakes, health)


def _report(siege: EnduranceTest, mistakes: float, health: str) -> int:
    last = siege.samples[-1]
    memory, files = siege.memory, siege.files
    for name in (QUIET, *ATTACKS):
        there = [x for x in siege.samples if x.attack == name]
        if there:
            worst = max(x.p99_ms for x in there)
            middle = sorted(x.p99_ms for x in there)[len(there) // 2]
            print(f"{name:16} {sum(x.moves for x in there):6} moves, p99 {middle:7.1f} ms, at worst {worst:7.1f}")
    print(f"{sum(x.moves for x in siege.samples)} moves in {last.seconds / 60:.0f} minutes")
    print(f"memory {last.megabytes:.0f} MB, {memory.value:+.1f} MB an hour ({memory.low:+.1f} to {memory.high:+.1f})")
    print(f"open files {last.files}, {files.value:+.1f} an hour ({files.low:+.1f} to {files.high:+.1f})")
    print(f"{mistakes:.0f} internal errors; health: {health}")
    held = memory.is_flat(last.megabytes) and files.is_flat(last.files) and not mistakes and health == "ok"
    print("passed" if held else "failed")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
