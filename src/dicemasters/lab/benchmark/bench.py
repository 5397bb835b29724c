"""Benchmark of the engine, with python-chess measured in the same run: only ratios are comparable between runs."""

from __future__ import annotations

import argparse
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from dicemasters._compiled import build_kind
from dicemasters.game.game import make_game_spec
from dicemasters.game.inspect.view import GameSpec
from dicemasters.game.rulesets.editions import EDITIONS, parse_edition
from dicemasters.lab.benchmark import scaling, startup_time
from dicemasters.lab.benchmark.random_play import Throughput, combined_throughput, play_random
from dicemasters.lab.benchmark.yardstick import YARDSTICK, OtherEngine, run_engine
from dicemasters.teams.starter_teams import STARTER_GAMES
from dicemasters.teams.tournament_table import random_tournament_spec

ROUNDS = 4  # rows are interleaved, so that a slow phase of the machine affects all of them


def other_engines() -> tuple[OtherEngine, ...]:
    """Return the engines of tools/bench/other_engines.py, which only a checkout of the project has."""
    path = Path(__file__).parents[4] / "tools" / "bench" / "other_engines.py"
    spec = spec_from_file_location("other_engines", path) if path.exists() else None
    if spec is None or spec.loader is None:
        print(f"other engines: not installed: {path} is part of a checkout of the project")
        return ()
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    engines: tuple[OtherEngine, ...] = module.PEERS
    return engines


def main(args: argparse.Namespace) -> int:
    """Run the benchmark and print the table."""
    if args.startup:
        startup_time.report()
        return 0
    round_seconds: float = args.seconds / ROUNDS
    edition: str | None = args.edition
    editions = [edition] if edition else list(EDITIONS)
    specs: dict[str, list[GameSpec]] = {
        f"first game {parse_edition(e).key}": [make_game_spec(e, cast=parse_edition(e).key)] for e in editions
    }
    casts_name = "all casts" if edition else "all casts, all editions"
    specs[casts_name] = [make_game_spec(e, cast=c) for e in editions for c in STARTER_GAMES]
    specs["random teams"] = [random_tournament_spec(seed, edition=edition) for seed in range(24)]
    if edition:
        print(f"rules: {edition}")
    peers: dict[str, OtherEngine] = {peer.name: peer for peer in (YARDSTICK, *(other_engines() if args.peers else ()))}
    rows: dict[str, list[Throughput]] = {name: [] for name in (*specs, *peers)}
    for _ in range(ROUNDS):
        for name, row_specs in specs.items():
            rows[name].append(play_random(row_specs, round_seconds))
        for name, peer in peers.items():
            speed = run_engine(peer, round_seconds)
            if speed is not None:
                rows[name].append(speed)
    yardstick = combined_throughput(rows[YARDSTICK.name])
    print(f"engine: {build_kind()}")
    print(f"{'random play':26}{'decisions/s':>12}{'+ forced':>10}{'games/s':>9}{'copy us':>9}{'x chess':>9}")
    for name, parts in rows.items():
        total = combined_throughput(parts)
        if total is None:
            print(f"{name:26}not installed: pip install {peers[name].package}")
        else:
            print(_row(name, total, yardstick))
    print("decisions/s counts decisions with at least two options; '+ forced' adds those with one.")
    print("Time is processor time of this process; compare the ratios, not figures of different days.")
    if args.growth:
        scaling.report(args.seconds, edition)
    return 0


def _row(name: str, speed: Throughput, yardstick: Throughput | None) -> str:
    all_per_second = (speed.decisions + speed.forced) / speed.seconds
    ratio = f"{speed.per_second / yardstick.per_second:9.2f}" if yardstick else f"{'-':>9}"
    copy = f"{speed.copy_us:9.2f}" if speed.copy_us else f"{'-':>9}"
    games = speed.games / speed.seconds
    return f"{name:26}{speed.per_second:12,.0f}{all_per_second:10,.0f}{games:9.1f}{copy}{ratio}"
