"""How fast the engine is, beside python-chess in the same run: ratios mean something, single figures do not."""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from dicemasters.game import turn
from dicemasters.game.editions import EDITIONS, edition_of
from dicemasters.game.game import make_game_table
from dicemasters.game.setup import Table
from dicemasters.game.state import UNDECIDED, State
from dicemasters.lab.census import tournament_table
from dicemasters.teams.arguments import EDITION_HELP, edition_argument
from dicemasters.teams.casts import CASTS


@dataclass(frozen=True, slots=True)
class Speed:
    """What a stretch of random play came to."""

    games: int
    decisions: int  # with at least two options
    forced: int  # with one option only
    seconds: float
    copy_us: float

    @property
    def per_second(self) -> float:
        return self.decisions / self.seconds


class Dice:
    """A quick generator for picking options; no part of the games."""

    __slots__ = ("x",)

    def __init__(self, seed: int) -> None:
        self.x = seed * 2654435761 + 12345

    def below(self, n: int) -> int:
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self.x >> 33) % n


def play_random(tables: list[Table], seconds: float) -> Speed:
    """Play uniformly random games for about that long."""
    pick = Dice(1).below
    games = decisions = forced = 0
    sample: State | None = None
    start = time.process_time()
    while time.process_time() - start < seconds:
        s = turn.new_state(tables[games % len(tables)], games)
        turn.advance(s)
        while s.result == UNDECIDED:
            n = len(s.options)
            if n > 1:
                decisions += 1
                turn.play(s, s.options[pick(n)])
            else:
                forced += 1
                turn.play(s, s.options[0])
            if decisions == 300:
                sample = s.copy()
        games += 1
    spent = time.process_time() - start
    return Speed(games, decisions, forced, spent, _copy_time(sample) if sample else 0.0)


def _copy_time(s: State) -> float:
    n = 5000
    start = time.process_time()
    for _ in range(n):
        s.copy()
    return (time.process_time() - start) / n * 1e6


def play_chess(seconds: float) -> Speed | None:
    """Play uniformly random chess with python-chess, if it is installed."""
    try:
        import chess
    except ImportError:
        return None
    pick = Dice(1).below
    games = decisions = forced = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        board = chess.Board()
        while True:
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material() or board.halfmove_clock >= 100:
                break
            decisions += len(moves) > 1
            forced += len(moves) == 1
            board.push(moves[pick(len(moves))])
        games += 1
    spent = time.process_time() - start
    board = chess.Board()
    n = 5000
    begin = time.process_time()
    for _ in range(n):
        board.copy(stack=False)
    return Speed(games, decisions, forced, spent, (time.process_time() - begin) / n * 1e6)


ROUNDS = 4  # rows are measured in turn, so that a slow spell of the machine falls on all of them


def main(args: argparse.Namespace) -> int:
    """Run the benchmark and print the table."""
    spell: float = args.seconds / ROUNDS
    asked: str | None = args.edition
    editions = [asked] if asked else list(EDITIONS)
    tables: dict[str, list[Table]] = {
        f"first game {edition_of(e).key}": [make_game_table(e, cast=edition_of(e).key)] for e in editions
    }
    several = "all casts" if asked else "all casts, all editions"
    tables[several] = [make_game_table(e, cast=c) for e in editions for c in CASTS]
    tables["random teams"] = [tournament_table(seed, edition=asked) for seed in range(24)]
    if asked:
        print(f"rules: {asked}")
    rows: dict[str, list[Speed]] = {name: [] for name in (*tables, "python-chess")}
    for _ in range(ROUNDS):
        for name, mine in tables.items():
            rows[name].append(play_random(mine, spell))
        chess = play_chess(spell)
        if chess is not None:
            rows["python-chess"].append(chess)
    yardstick = _sum(rows["python-chess"])
    print(f"{'random play':26}{'decisions/s':>12}{'+ forced':>10}{'games/s':>9}{'copy us':>9}{'x chess':>9}")
    for name, parts in rows.items():
        speed = _sum(parts)
        if speed is None:
            print(f"{name:26}not installed; it comes with the development packages (make setup)")
            continue
        all_per_second = (speed.decisions + speed.forced) / speed.seconds
        ratio = f"{speed.per_second / yardstick.per_second:9.2f}" if yardstick else f"{'-':>9}"
        games = speed.games / speed.seconds
        print(f"{name:26}{speed.per_second:12,.0f}{all_per_second:10,.0f}{games:9.1f}{speed.copy_us:9.2f}{ratio}")
    print("decisions/s counts decisions with at least two options; '+ forced' adds those with one.")
    print("Time is processor time of this process; compare the ratios, not figures of different days.")
    return 0


def _sum(parts: list[Speed]) -> Speed | None:
    if not parts:
        return None
    return Speed(
        sum(p.games for p in parts),
        sum(p.decisions for p in parts),
        sum(p.forced for p in parts),
        sum(p.seconds for p in parts),
        min(p.copy_us for p in parts),
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=4.0, help="how long to measure each row (default 4)")
    parser.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (all)")
