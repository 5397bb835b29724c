"""Measure the CPU time of games: `python -m dicemasters.lab.evaluation.game_cost level2:200 level4:60`.

The same bot plays both sides, with random tournament teams; the Scripted Opponent (`scripted:20`) plays against level
2. The time to set up the teams of a new table is not included.
"""

from __future__ import annotations

import argparse
import sys
import time
from math import sqrt
from statistics import fmean, stdev

from dicemasters._compiled import build_kind
from dicemasters.game.game_spec import make_spec
from dicemasters.game.inspect.view import GameSpec
from dicemasters.game.rulesets.solitaire import NORMAL, difficulty
from dicemasters.lab.evaluation.bot_game import play_bot_game
from dicemasters.players.player import make_player
from dicemasters.teams.tournament_table import random_tournament_spec

SEED_OFFSET = 700_000  # keeps these tables apart from those of other uses
SCRIPTED, SOLITAIRE_PLAYER = "scripted", "level2"
MILLION_HOURS = 1_000_000 / 3600


def measure_game(player: str, number: int) -> float:
    """Return the CPU seconds of one game."""
    spec, names = random_tournament_spec(SEED_OFFSET + number), [player, player]
    if player == SCRIPTED:
        spec, names = _solitaire_spec(spec), [SOLITAIRE_PLAYER, SCRIPTED]
    players = [make_player(name, 2 * number + seat) for seat, name in enumerate(names)]
    start = time.process_time()
    play_bot_game(spec, SEED_OFFSET + number, players, first=number % 2 if player != SCRIPTED else 0)
    return time.process_time() - start


def _solitaire_spec(spec: GameSpec) -> GameSpec:
    setup = spec.setup
    return make_spec(setup.edition, setup.teams, setup.basics, setup.life, difficulty(NORMAL))


def format_row(player: str, costs: list[float]) -> str:
    """Return the cost of games as a row of a table.

    >>> format_row("level2", [0.002, 0.004])
    '| level2 | 3.0 ± 2.0 ms | 0.8 hours | 2 |'
    """
    mean, margin = fmean(costs), 1.96 * stdev(costs) / sqrt(len(costs))
    unit, name = (1000, "ms") if mean < 1 else (1, "s")
    hours = mean * MILLION_HOURS
    return (
        f"| {player} | {unit * mean:.1f} ± {unit * margin:.1f} {name} | {hours:.{hours < 10:d}f} hours | {len(costs)} |"
    )


def main(argv: list[str] | None = None) -> int:
    """Play the games and print a row for each player."""
    parser = argparse.ArgumentParser(prog="python -m dicemasters.lab.evaluation.game_cost", description=__doc__)
    parser.add_argument("what", nargs="+", metavar="PLAYER:GAMES", help="a player and a number of games, at least two")
    jobs: list[tuple[str, int]] = []
    for job in parser.parse_args(argv).what:
        player, _, games = job.rpartition(":")
        if not games.isdecimal() or not 2 <= int(games) <= 100_000:
            parser.error(f"{job}: expected a player and a number of games, as in level4:60")
        try:
            make_player(player, 0)
        except ValueError as error:
            parser.error(str(error))
        jobs.append((player, int(games)))
    print(f"engine: {build_kind()}\n| player | a game | a million games | measured over games |\n|---|---|---|---|")
    for player, games in jobs:
        print(format_row(player, [measure_game(player, number) for number in range(games)]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
