"""Measure how much one attacking address slows down everyone else: `python -m tools.chaos.abuse_test`.

Two people play each of several games on a server with its default limits, first undisturbed, then during an attack. The
report has the latency of their moves and the CPU time of the server. All traffic stays on this machine. Linux only, because
it needs several loopback addresses.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from tools.load import load_test
from tools.load.server_process import ServerProcess

ATTACKER_ADDRESS = "127.0.7.1"  # source address of the attack
GAMES = 16
CHOICE_INTERVAL = 0.25  # seconds between the choices in a game; a 99th percentile needs a thousand of them
FOREVER = 1e9
WARMUP_SECONDS = 3.0  # seconds before measuring begins
NEGLIGIBLE_MS = 10.0  # latencies below this never count as harm

POSITION = (
    "edition: uxm\nlife: 17\nteam A: 1x Maria Hill: Tough Decisions [cw]\nteam B: 1x Storm: Weather Witch [uxm]\n"
    "A bag: %s\nB bag: 3 Sidekick\nturn: 17, A, main\n"
)
FORGED = POSITION % "3 Sidekick" + 'also: {"turn": -9, "life": [1000000000, 1000000000]}\n'
TEAM = "\n".join(f"{n % 4 + 1}x Wrong{n:03d} Name: No Such Card {n:03d}" for n in range(90))[:3990]
BOTS = [{"kind": "player"}, {"kind": "player"}]
PEOPLE = [{"kind": "person"}, {"kind": "person"}]


@dataclass
class AttackTarget:
    """The attacked server, a game of other players on it, and the counted outcomes of the attack."""

    address: str
    game: str = ""
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def host(self) -> tuple[str, int]:
        host, port = self.address.split(":")
        return host, int(port)

    # --- connections -----------------------------------------------------------------------------------------------

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect from the attacker's address."""
        return await asyncio.open_connection(*self.host, local_addr=(ATTACKER_ADDRESS, 0))

    async def request(self, method: str, path: str, data: object = None) -> Any:
        """Send a request and count its status. Return the response body if the status is 2xx, otherwise None."""
        try:
            reader, writer = await self.connect()
            try:
                body = json.dumps(data).encode() if data is not None else b""
                head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                answer = await asyncio.wait_for(reader.read(), 60)
            finally:
                writer.close()
        except (OSError, TimeoutError) as error:
            self.outcomes[type(error).__name__] += 1
            await asyncio.sleep(0.05)
            return None
        status = answer[9:12].decode("latin-1")
        self.outcomes[status or "cut"] += 1
        if not status.startswith("2"):
            await asyncio.sleep(0.02)
            return None
        with contextlib.suppress(ValueError):
            return json.loads(answer.partition(b"\r\n\r\n")[2])
        return None

    async def upgrade(self, game: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Open a live socket at the protocol level. Return None if it is refused."""
        try:
            reader, writer = await self.connect()
            key = base64.b64encode(os.urandom(16)).decode()
            head = f"GET /api/games/{game}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            writer.write(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            self.outcomes[type(error).__name__] += 1
            await asyncio.sleep(0.05)
            return None
        self.outcomes[answer[9:12].decode("latin-1")] += 1
        if b" 101 " not in answer[:15]:
            writer.close()
            await asyncio.sleep(0.05)
            return None
        return reader, writer

    async def hello(
        self, game: str, secrets: tuple[str, ...] = ()
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Open a live socket and say hello."""
        opened = await self.upgrade(game)
        if opened is not None:
            opened[1].write(frame(json.dumps({"type": "hello", "secrets": secrets}).encode()))
        return opened

    async def flood(self, game: str, data: bytes, *, hello: bool = True, reads: bool = True) -> None:
        """Send the same bytes over one live socket as fast as possible, and reconnect when it is closed."""
        while True:
            opened = await (self.hello(game) if hello else self.upgrade(game))
            if opened is None:
                continue
            reader, writer = opened
            reading = asyncio.create_task(_read_all(reader)) if reads else None
            try:
                while True:
                    writer.write(data)
                    await writer.drain()
                    await asyncio.sleep(0)
                    self.outcomes["sent"] += 1
            except OSError:
                self.outcomes["cut"] += 1
            finally:
                if reading is not None:
                    reading.cancel()
                writer.close()


async def _read_all(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(1 << 16):
            pass


def frame(payload: bytes, opcode: int = 1, *, last: bool = True) -> bytes:
    """Return a masked WebSocket frame, as a browser sends it; the mask is zero."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 1 << 16:
        length = bytes([0x80 | 126, *size.to_bytes(2, "big")])
    else:
        length = bytes([0x80 | 127, *size.to_bytes(8, "big")])
    return bytes([(0x80 if last else 0) | opcode]) + length + b"\0\0\0\0" + payload


async def _repeat(doing: Callable[[], Awaitable[Any]], times: int) -> None:
    """Run something in endless loops, `times` of them in parallel."""

    async def one() -> None:
        while True:
            await doing()

    await asyncio.gather(*(one() for _ in range(times)))


# --- attacks -------------------------------------------------------------------------------------------------------


async def positions(t: AttackTarget) -> None:
    """Send positions with hundreds of unknown dice, and forged ones."""
    texts = (POSITION % ", ".join(["x"] * 700), FORGED)
    turns = count()
    await _repeat(lambda: t.request("POST", "/api/positions", {"text": texts[next(turns) % 2]}), 8)


async def teams(t: AttackTarget) -> None:
    """Open games with nonsense teams."""
    await _repeat(lambda: t.request("POST", "/api/games", {"teams": [TEAM, TEAM], "format": "tournament"}), 8)


async def bots(t: AttackTarget) -> None:
    """Open games between two bots, and watch each."""
    games = [await t.request("POST", "/api/games", {"seats": BOTS, "format": "tournament"}) for _ in range(29)]
    await asyncio.gather(*(t.flood(game["game"], frame(b'{"type":"ping"}') * 3) for game in games if game))


async def replays(t: AttackTarget) -> None:
    """Request a hundred views of a long game, again and again."""
    made = await t.request("POST", "/api/games", {"seats": BOTS, "format": "tournament"})
    watching = asyncio.create_task(t.flood(made["game"], frame(b'{"type":"ping"}', 9)))
    await asyncio.sleep(4)
    watching.cancel()
    await _repeat(lambda: t.request("GET", f"/api/games/{made['game']}/views?start=0&count=100"), 20)


async def records(t: AttackTarget) -> None:
    """Upload the record of a long game again and again, and view all uploads in turn."""
    made = await t.request("POST", "/api/games", {"seats": BOTS, "format": "tournament", "seed": 5})
    watching = asyncio.create_task(t.flood(made["game"], frame(b'{"type":"ping"}', 9)))
    await asyncio.sleep(4)
    watching.cancel()
    reader, writer = await t.connect()
    writer.write(f"GET /api/games/{made['game']}/record HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
    text = (await reader.read()).partition(b"\r\n\r\n")[2].decode()
    writer.close()
    kept = [made["game"]]
    turns = count()

    async def one() -> None:
        game = await t.request("POST", "/api/records", {"text": text})
        kept.extend([game["game"]] if game else [])
        await t.request("GET", f"/api/games/{kept[next(turns) % len(kept)]}")

    await _repeat(one, 8)


async def half_requests(t: AttackTarget) -> None:
    """Keep a thousand unfinished requests open, replacing those that the server closes."""

    async def one() -> None:
        try:
            reader, writer = await t.connect()
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-a: ")
            was_cut = not await reader.read(1)
            t.outcomes["cut"] += was_cut
            writer.close()
        except OSError:
            t.outcomes["cut"] += 1
        await asyncio.sleep(0.2)

    await _repeat(one, 1060)


async def dripping_bodies(t: AttackTarget) -> None:
    """Send request bodies in chunks of one byte."""

    async def one() -> None:
        try:
            reader, writer = await t.connect()
            writer.write(b"POST /api/positions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            reading = asyncio.create_task(_read_all(reader))
            try:
                for _ in range(40):
                    writer.write(b"1\r\nx\r\n" * 10_000)
                    await writer.drain()
                    t.outcomes["sent"] += 1
            finally:
                reading.cancel()
                writer.close()
        except OSError:
            t.outcomes["cut"] += 1
            await asyncio.sleep(0.02)

    await _repeat(one, 40)


async def pipelines(t: AttackTarget) -> None:
    """Pipeline requests on one connection without waiting for responses."""

    async def one() -> None:
        try:
            reader, writer = await t.connect()
            writer.write(b"GET /api/rules HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2000)
            await asyncio.wait_for(_read_all(reader), 10)
            t.outcomes["read"] += 1
            writer.close()
        except (OSError, TimeoutError):
            t.outcomes["cut"] += 1

    await _repeat(one, 20)


async def rules(t: AttackTarget) -> None:
    """Request the longest responses as often as possible."""
    paths = ("/api/rules", "/api/start", "/api/terms", "/api/dice", "/api/lessons", "/", f"/api/games/{t.game}")
    turns = count()
    await _repeat(lambda: t.request("GET", paths[next(turns) % len(paths)]), 30)


async def watchers(t: AttackTarget) -> None:
    """Join another player's game with as many watchers as possible, which ask about every die."""
    message = b"".join(frame(json.dumps({"type": "look", "die": die}).encode()) for die in range(40))
    await asyncio.gather(*(t.flood(t.game, message) for _ in range(120)))


async def deaf_watchers(t: AttackTarget) -> None:
    """Watch busy games without ever reading."""
    games = [await t.request("POST", "/api/games", {"seats": BOTS, "format": "tournament"}) for _ in range(5)]
    names = [game["game"] for game in games if game] + [t.game]
    message = frame(b'{"type":"ping"}')
    await asyncio.gather(*(t.flood(names[n % len(names)], message, reads=False) for n in range(120)))


async def names(t: AttackTarget) -> None:
    """Send names, offers and illegal choices in the attacker's own game, over many sockets."""
    made = await t.request("POST", "/api/games", {"seats": PEOPLE, "seed": 1})
    secrets = tuple(made["seats"].values())

    async def one(n: int) -> None:
        while True:
            opened = await t.hello(made["game"], secrets)
            if opened is None:
                continue
            reader, writer = opened
            reading = asyncio.create_task(_read_all(reader))
            try:
                for i in count():
                    said: list[dict[str, object]] = [
                        {"type": "name", "seat": "A", "name": f"{n} {i}"},
                        {"type": "undo"},
                        {"type": "play", "version": i, "choice": {"option": 0}},
                        {"type": "why not", "thing": {"die": i % 30}, "want": "field"},
                        {"type": "play", "version": 0, "choice": {"blocks": [[i % 30, 3], [4, 5], [6, 7]]}},
                    ]
                    writer.write(b"".join(frame(json.dumps(one).encode()) for one in said))
                    await writer.drain()
                    await asyncio.sleep(0)
                    t.outcomes["sent"] += len(said)
            except OSError:
                t.outcomes["cut"] += 1
            finally:
                reading.cancel()
                writer.close()

    await asyncio.gather(*(one(n) for n in range(40)))


async def big_frames(t: AttackTarget) -> None:
    """Send messages of the maximum size, larger ones, and deeply nested ones."""
    large = frame(json.dumps({"type": "name", "seat": "A", "name": "x" * 15_000}).encode())
    deep = frame(b"[" * 16_000)
    giant = frame(b"x" * 100_000)
    await asyncio.gather(*(t.flood(t.game, (large, deep, giant)[n % 3]) for n in range(60)))


async def tiny_frames(t: AttackTarget) -> None:
    """Send thousands of one-letter messages at once."""
    await asyncio.gather(*(t.flood(t.game, frame(b"x") * 20_000) for _ in range(60)))


async def pings(t: AttackTarget) -> None:
    """Send endless pings, half of them without reading the pongs."""
    data = frame(b"", 9) * 20_000
    await asyncio.gather(*(t.flood(t.game, data, reads=n % 2 == 0) for n in range(60)))


async def fragments(t: AttackTarget) -> None:
    """Send an endless message of empty frames."""
    data = frame(b"x", 1, last=False) + frame(b"", 0, last=False) * 20_000
    await asyncio.gather(*(t.flood(t.game, data) for _ in range(60)))


async def nonsense(t: AttackTarget) -> None:
    """Send almost valid messages, positions, teams and games, with mutated words, numbers and letters."""
    chance = random.Random(7)
    messages = [
        {"type": "hello", "secrets": ["x" * 32]},
        {"type": "play", "version": 3, "choice": {"blocks": [[1, 2], [3, 4]]}, "word": "0" * 32},
        {"type": "part", "number": 1, "chain": "A", "link": "0" * 64},
        {"type": "why not", "thing": {"die": 3}, "want": "field"},
    ]
    said = [json.dumps(message) for message in messages]
    texts = [POSITION % "3 Sidekick", FORGED, "edition: avx\nA field: Hulk@1\nturn: 5, A, main\n"]

    async def one() -> None:
        kind = chance.randrange(4)
        if kind == 0:
            await t.request("POST", "/api/positions", {"text": mutate_text(chance.choice(texts), chance)})
        elif kind == 1:
            await t.request(
                "POST", "/api/games", {"position": mutate_text(chance.choice(texts), chance), "seats": PEOPLE}
            )
        elif kind == 2:
            await t.request(
                "POST", "/api/games", {"teams": [mutate_text(TEAM[:400], chance), "random"], "clock": chance.random()}
            )
        else:
            opened = await t.hello(t.game)
            if opened is not None:
                opened[1].write(b"".join(frame(mutate_text(chance.choice(said), chance).encode()) for _ in range(30)))
                with contextlib.suppress(OSError, TimeoutError):
                    await asyncio.wait_for(opened[0].read(4000), 2)
                opened[1].close()

    await _repeat(one, 8)


def mutate_text(text: str, chance: random.Random) -> str:
    """Return the text with random mutations."""
    for _ in range(chance.randrange(1, 5)):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        put = chance.choice(("", "-1", "99999999999", "\n", '"', "[", "\u00b2", text[at:to] * 2))
        text = text[:at] + put + text[min(to, at + 8) :]
    return text[:4000]


async def reconnects(t: AttackTarget) -> None:
    """Connect and disconnect as fast as possible."""

    async def one() -> None:
        opened = await t.hello(t.game)
        if opened is not None:
            with contextlib.suppress(OSError, TimeoutError):
                await asyncio.wait_for(opened[0].read(1000), 5)
            opened[1].close()

    await _repeat(one, 40)


async def drafts(t: AttackTarget) -> None:
    """Play drafts with seven bots as fast as possible, with invalid picks and secrets, and a thousand polls."""
    opened = [await t.request("POST", "/api/drafts", {"players": 8}) for _ in range(8)]
    made = [(one["draft"], one["chairs"]["A"]) for one in opened if one]
    if not made:
        raise ConnectionRefusedError("no draft could be opened")
    versions = dict.fromkeys((draft for draft, _ in made), 0)
    turns = count()

    async def pick() -> None:
        draft, secret = made[next(turns) % len(made)]
        view = await t.request("POST", f"/api/drafts/{draft}/look", {"secret": secret})
        while view and view["ask"]:
            versions[draft] = view["version"]
            said = {"number": view["ask"]["number"], "pick": view["ask"]["picks"][0]["text"]}
            for wrong in ({"secret": "x" * 32}, {"number": 999}, {"pick": "Hulk"}):
                await t.request("POST", f"/api/drafts/{draft}/pick", {"secret": secret, **said, **wrong})
            view = await t.request("POST", f"/api/drafts/{draft}/pick", {"secret": secret, **said})
        again = await t.request("POST", "/api/drafts", {"players": 8})
        if again:
            made[made.index((draft, secret))] = again["draft"], again["chairs"]["A"]
            versions[again["draft"]] = 0

    async def poll() -> None:
        draft, _ = made[next(turns) % len(made)]
        await t.request("POST", f"/api/drafts/{draft}/look", {"secret": "x" * 32, "since": versions[draft]})

    await asyncio.gather(_repeat(pick, 8), _repeat(poll, 1000))


async def thoughts(t: AttackTarget) -> None:
    """Request analyses, reviews, positions of any step and statistics of another player's game and of a long one."""
    made = await t.request("POST", "/api/games", {"seats": BOTS, "format": "tournament", "seed": 5})
    watching = asyncio.create_task(t.flood(made["game"], frame(b'{"type":"ping"}', 9)))
    await asyncio.sleep(4)
    watching.cancel()
    paths = ("thought", "looked-back", "position?step=37", "summary", "thought?step=9", "looked-back?start=20", "fair")
    games = (made["game"], t.game)
    turns = count()

    async def one() -> None:
        n = next(turns)
        await t.request("GET", f"/api/games/{games[n % 2]}/{paths[n % len(paths)]}")

    await _repeat(one, 20)


async def trials(t: AttackTarget) -> None:
    """Request trial games and checks of teams, and card searches with slow patterns."""
    turns = count()

    async def one() -> None:
        n = next(turns)
        if n % 3 == 0:
            trial = {"teams": ["random" if n % 2 else TEAM, "random"], "seed": n, "games": 25}
            await t.request("POST", "/api/teams/try", trial)
        elif n % 3 == 1:
            await t.request("POST", "/api/teams/check", {"text": TEAM})
        else:
            await t.request("GET", "/api/cards/found?q=text:/(a*)*(b|a)*(.*a)*$/")

    await _repeat(one, 20)


async def joins(t: AttackTarget) -> None:
    """Open many games and view them in turn."""
    kept: list[str] = []
    turns = count()

    async def one() -> None:
        made = await t.request("POST", "/api/games", {"seats": BOTS, "format": "tournament"})
        kept.extend([made["game"]] if made else [])
        if kept:
            await t.request("GET", f"/api/games/{kept[next(turns) % len(kept)]}/record")

    await _repeat(one, 20)


ATTACKS: dict[str, Callable[[AttackTarget], Awaitable[None]]] = {
    attack.__name__.replace("_", " "): attack
    for attack in (
        *(positions, teams, bots, replays, records, half_requests, dripping_bodies, pipelines, rules, watchers),
        *(deaf_watchers, names, big_frames, tiny_frames, pings, fragments, nonsense, reconnects, joins),
        *(drafts, thoughts, trials),
    )
}


# --- measuring -----------------------------------------------------------------------------------------------------


@dataclass
class PhaseLatencies(load_test.Latencies):
    """Latencies that are added to those of the current phase."""

    current: load_test.Latencies = field(default_factory=load_test.Latencies)

    def add(self, took: list[float]) -> None:
        self.current.add(took)


@dataclass(frozen=True)
class AttackResult:
    """Effect of an attack: latencies of the other players' moves, and load of the server."""

    quiet: load_test.Latencies
    attacked: load_test.Latencies
    cpu: float  # share of a core used by the server, without the attack
    cpu_attacked: float
    megabytes: float  # growth during the attack
    outcomes: dict[str, int]

    @property
    def is_harmless(self) -> bool:
        return (
            self.attacked.quantile(0.99) <= max(NEGLIGIBLE_MS, 2 * self.quiet.quantile(0.99))
            and self.attacked.choices > 0
        )


async def measure(server: ServerProcess, attack: str, seconds: float) -> AttackResult:
    """Measure the games without and with an attack."""
    sittings = [await load_test.open_game(server.address, number) for number in range(GAMES)]
    phases = PhaseLatencies()
    playing = asyncio.gather(
        *(
            load_test.play(server.address, i, sitting, CHOICE_INTERVAL, FOREVER, phases)
            for i, sitting in enumerate(sittings)
        )
    )
    quiet, attacked = load_test.Latencies(), load_test.Latencies()
    await asyncio.sleep(WARMUP_SECONDS)
    megabytes = _megabytes(server)
    with _phase(phases, quiet):
        cpu = await _cpu_share(server, seconds)
    game = sittings[0][0][0].game
    command = [
        sys.executable,
        "-m",
        "tools.chaos.abuse_test",
        "--only",
        attack,
        "--against",
        server.address,
        "--game",
        game,
    ]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # keeps its CPU time separate from the server's
    )
    try:
        assert process.stdout is not None
        await process.stdout.readline()  # "ready"
        await asyncio.sleep(2 * WARMUP_SECONDS)
        with _phase(phases, attacked):
            cpu_attacked = await _cpu_share(server, seconds)
        megabytes = _megabytes(server) - megabytes
        told, _ = await asyncio.wait_for(process.communicate(b"\n"), 60)  # any line on its standard input ends it
    finally:
        if process.returncode is None:
            process.kill()
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    return AttackResult(quiet, attacked, cpu, cpu_attacked, megabytes, json.loads(told))


@contextlib.contextmanager
def _phase(phases: PhaseLatencies, measured: load_test.Latencies) -> Iterator[None]:
    phases.current = measured
    yield
    phases.current = load_test.Latencies()


async def _cpu_share(server: ServerProcess, seconds: float) -> float:
    """Return the share of a core that the server uses during the next `seconds`."""
    before, started = _cpu_seconds(server), time.monotonic()
    await asyncio.sleep(seconds)
    return (_cpu_seconds(server) - before) / (time.monotonic() - started)


def _cpu_seconds(server: ServerProcess) -> float:
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(server: ServerProcess) -> float:
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _attack(name: str, target: AttackTarget) -> None:
    """Attack until a line arrives on standard input."""
    os.nice(19)  # a real attacker has its own processor; here it only gets the time the players leave
    print("ready", flush=True)
    attacking = asyncio.ensure_future(ATTACKS[name](target))
    told = asyncio.ensure_future(asyncio.to_thread(sys.stdin.readline))
    done, _ = await asyncio.wait((attacking, told), return_when=asyncio.FIRST_COMPLETED)
    if attacking in done:
        target.outcomes[f"failed: {attacking.exception()!r}"] += 1
        await told
    attacking.cancel()
    print(json.dumps(target.outcomes), flush=True)
    os._exit(0)  # without closing a thousand connections


def main(argv: list[str] | None = None) -> int:
    """Measure the attacks and print a line for each. Return 1 if one did harm."""
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.abuse_test", description=__doc__)
    parser.add_argument("--only", choices=tuple(ATTACKS), action="append", help="only this attack (repeatable)")
    parser.add_argument(
        "--seconds", type=float, default=15.0, help="length of each of the two measurements (%(default)s)"
    )
    parser.add_argument("--db", help="database URL of the server (default: a new SQLite file)")
    parser.add_argument("--against", help=argparse.SUPPRESS)  # makes this process the attacker
    parser.add_argument("--game", default="", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.against:
        asyncio.run(_attack(args.only[0], AttackTarget(args.against, args.game)))
    harm = 0
    print(
        "attack            quiet p50    p99   attacked p50    p99 ms   server's core      MB  outcomes",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        for n, name in enumerate(args.only or ATTACKS):
            server = ServerProcess(args.db or f"sqlite:///{Path(folder) / f'{n}.sqlite'}", limits=True)
            try:
                seen = asyncio.run(measure(server, name, args.seconds))
            finally:
                server.stop()
            times = [f"{m.quantile(share):6.1f}" for m in (seen.quiet, seen.attacked) for share in (0.5, 0.99)]
            told = ", ".join(f"{n:,} {what}" for what, n in sorted(seen.outcomes.items(), key=lambda x: -x[1])[:5])
            shares = f"{seen.cpu:5.0%} to {seen.cpu_attacked:4.0%}"
            verdict = "" if seen.is_harmless else "  HARM"
            print(
                f"{name:16} {times[0]:>10} {times[1]} {times[2]:>14} {times[3]}   {shares:>14} {seen.megabytes:+7.0f}  {told}{verdict}",
                flush=True,
            )
            harm += not seen.is_harmless
    print(f"{harm} did harm" if harm else "none did harm")
    return 1 if harm else 0


if __name__ == "__main__":
    sys.exit(main())
