"""Games from which the C compiler learns which ways a game takes: random, and the same at every build (setup.py).

python -m dicemasters.lab.practice
"""

from __future__ import annotations

from dicemasters.game import turn
from dicemasters.game.view import UNDECIDED
from dicemasters.lab.census import tournament_table
from dicemasters.lab.speed import Dice

FIRST = 1000  # of the teams: not those that `dicemasters bench` measures with
TABLES = 48
GAMES = 3  # at each
COPYING = 8  # one state in so many is copied, as players do who look ahead


def main() -> None:
    """Play."""
    pick = Dice(FIRST).below
    for table in (tournament_table(FIRST + seed) for seed in range(TABLES)):
        for seed in range(GAMES):
            s = turn.new_state(table, seed)
            turn.advance(s)
            while s.result == UNDECIDED:
                turn.play(s, s.options[pick(len(s.options))])
                if not pick(COPYING):
                    s = s.copy()


if __name__ == "__main__":
    main()
