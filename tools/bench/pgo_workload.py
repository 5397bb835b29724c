"""Workload for profile-guided compilation: random games, the same in every build (setup.py).

python -m tools.bench.pgo_workload
"""

from __future__ import annotations

from dicemasters.game.inspect.view import UNDECIDED
from dicemasters.game.turn import loop
from dicemasters.lab.benchmark.random_play import FastRng
from dicemasters.teams.tournament_table import random_tournament_spec

FIRST_SEED = 1000  # seed of the first teams; `dicemasters bench` uses others
TABLES = 48
GAMES_PER_TABLE = 3
COPY_INTERVAL = 8  # every Nth state on average is copied, as search bots do


def main() -> None:
    """Play the games."""
    pick = FastRng(FIRST_SEED).below
    for table in (random_tournament_spec(FIRST_SEED + seed) for seed in range(TABLES)):
        for seed in range(GAMES_PER_TABLE):
            s = loop.new_state(table, seed)
            loop.advance(s)
            while s.result == UNDECIDED:
                loop.apply(s, s.options[pick(len(s.options))])
                if not pick(COPY_INTERVAL):
                    s = s.copy()


if __name__ == "__main__":
    main()
