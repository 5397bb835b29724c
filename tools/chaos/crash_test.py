"""Kill the server repeatedly while games are played, and check that nothing a client was shown is lost.

`python -m tools.chaos.crash_test --times 100`
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from dicemasters.client.game_client import GameClient, View
from dicemasters.client.rest import get, post
from dicemasters.game.fair_dice import HashChain
from dicemasters.players.rng import SplitMix64
from tools.load.random_guest import random_choice
from tools.load.server_process import ServerProcess

PROGRESS_INTERVAL = 20  # kills between two progress lines
PAGE_SIZE = 20  # views per request
SEATS = ([{"kind": "person"}, {"kind": "player", "player": "simple"}], [{"kind": "person"}, {"kind": "person"}])


@dataclass(slots=True)
class TrackedGame:
    """A game and the last view its client received."""

    game: str
    secrets: list[str]
    chance: SplitMix64
    last_view: View = field(default_factory=dict)
    views_seen: int = 0
    chain: HashChain = field(default_factory=HashChain)


def _open(address: str, number: int) -> TrackedGame:
    made = post(address, "/api/games", {"seats": SEATS[number % 2]})
    return TrackedGame(made["game"], list(made["seats"].values()), SplitMix64(number))


async def _play(address: str, sitting: TrackedGame) -> None:
    """Play as fast as possible until the game or the server ends."""
    guest = GameClient(address, sitting.game, sitting.secrets, sitting.chain)
    try:
        view = await guest.connect()
        while True:
            sitting.last_view = view
            sitting.views_seen += 1
            if view["result"] is not None:
                return
            if view["decision"] is not None and view["decision"]["seat"] in guest.seats:
                await guest.send(random_choice(view, sitting.chance))
            view = await guest.next_view()
    except (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError):
        return
    finally:
        await guest.close()


async def _play_until_killed(server: ServerProcess, sittings: list[TrackedGame], seconds: float) -> None:
    before = [sitting.views_seen for sitting in sittings]
    playing = [asyncio.create_task(_play(server.address, sitting)) for sitting in sittings]
    while any(sitting.views_seen == n for sitting, n in zip(sittings, before, strict=True)) and not _all_done(playing):
        await asyncio.sleep(0.01)  # until every client has received a view, even on a busy machine
    await asyncio.sleep(seconds)
    server.kill()
    await asyncio.gather(*playing)


def _all_done(playing: list[asyncio.Task[None]]) -> bool:
    return all(task.done() for task in playing)


def describe_loss(address: str, sitting: TrackedGame) -> str:
    """Return what the server has lost of what a client was shown, or "" if nothing is lost."""
    if not sitting.last_view:
        return ""
    now: View = get(address, f"/api/games/{sitting.game}")["view"]
    if now["version"] < sitting.last_view["version"]:
        return f"game {sitting.game} is at {now['version']}, but {sitting.last_view['version']} was shown"
    total = get(address, f"/api/games/{sitting.game}/views?start=0&count=1")["total"]
    for start in range(
        max(0, total - PAGE_SIZE), -PAGE_SIZE, -PAGE_SIZE
    ):  # newest first: the view is usually among the last
        page = f"start={max(0, start)}&count={PAGE_SIZE + min(0, start)}"
        views: list[View] = get(address, f"/api/games/{sitting.game}/views?{page}")["views"]
        for view in views:
            if view["move"] == sitting.last_view["move"]:
                keys = ["dice", "life", "result"]
                if (
                    view["decision"] and sitting.last_view["decision"]
                ):  # there is none while dice wait for a contribution
                    keys.append("decision")
                same = all(view[key] == sitting.last_view[key] for key in keys)
                return "" if same else f"game {sitting.game} was different at move {view['move']}"
    return f"game {sitting.game} has no move {sitting.last_view['move']}, which was shown"


def run(db: str, times: int, games: int, seed: int = 1) -> tuple[list[str], int]:
    """Kill a server `times` times under load. Return the losses and the number of views shown."""
    chance = SplitMix64(seed)
    server = ServerProcess(db)
    problems: list[str] = []
    shown = 0
    try:
        sittings = [_open(server.address, number) for number in range(games)]
        for n in range(1, times + 1):
            asyncio.run(_play_until_killed(server, sittings, 0.1 + chance.below(600) / 1000))
            server.restart()
            for i, sitting in enumerate(sittings):
                problem = describe_loss(server.address, sitting)
                if problem:
                    problems.append(problem)
                if sitting.last_view and sitting.last_view["result"] is not None:
                    shown += sitting.views_seen
                    sittings[i] = _open(server.address, games + i)
            if n % PROGRESS_INTERVAL == 0:
                print(f"{n} kills, {len(problems)} lost", file=sys.stderr, flush=True)
        shown += sum(sitting.views_seen for sitting in sittings)
    finally:
        server.kill()
    return problems, shown


def main(argv: list[str] | None = None) -> int:
    """Run the test. Return 1 if anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.crash_test", description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="number of kills (%(default)s)")
    parser.add_argument("--games", type=int, default=20, help="games played at a time (%(default)s)")
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the choices and of the times of the kills (%(default)s)"
    )
    parser.add_argument("--db", help="database URL of the server (default: a new SQLite file)")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        problems, shown = run(
            args.db or f"sqlite:///{Path(folder) / 'games.sqlite'}", args.times, args.games, args.seed
        )
    for problem in problems:
        print(problem)
    print(f"{args.times} kills, {args.games} games at a time, {shown} views shown, {len(problems)} lost")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
