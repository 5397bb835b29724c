"""Measure how often a bot beats the Scripted Opponent at each difficulty.

python -m dicemasters.lab.evaluation.scripted_difficulty --games 400
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from dicemasters.game.game_spec import make_spec
from dicemasters.game.inspect.view import TIE, UNDECIDED
from dicemasters.game.rulesets.solitaire import DIFFICULTIES, difficulty
from dicemasters.game.turn import loop
from dicemasters.players.player import PLAYERS, make_player
from dicemasters.players.scripted import explain
from dicemasters.teams.argument_types import EDITION_HELP, edition_argument
from dicemasters.teams.tournament_table import random_tournament_spec

SCRIPT = 1  # the seat of the script


def play(name: str, player: str, seed: int, edition: str | None = None) -> int:
    """Play one game between random tournament teams and return the winner."""
    setup = random_tournament_spec(seed, edition=edition).setup
    spec = make_spec(setup.edition, setup.teams, setup.basics, setup.life, difficulty(name))
    s = loop.new_state(spec, seed, 1 - SCRIPT)
    loop.advance(s)
    opponent = make_player(player, seed)
    while s.result == UNDECIDED:
        choice = explain(s).option if s.decision.seat == SCRIPT else opponent.choose(s)
        loop.apply(s, s.options[choice])
    return s.result


def main(argv: list[str] | None = None) -> int:
    """Play the games and print the number that the player won."""
    parser = argparse.ArgumentParser(
        prog="python -m dicemasters.lab.evaluation.scripted_difficulty", description=__doc__
    )
    parser.add_argument("--games", type=int, default=100, help="number of games at each difficulty (%(default)s)")
    parser.add_argument(
        "--player",
        choices=[p for p in PLAYERS if p != "scripted"],
        default="simple",
        help="the bot that plays against the script (%(default)s)",
    )
    parser.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (each in turn)")
    args = parser.parse_args(argv)
    for name in DIFFICULTIES:
        results = Counter(play(name, args.player, seed, args.edition) for seed in range(args.games))
        won = results[1 - SCRIPT]
        print(
            f"{name:6}  {args.player} won {won} of {args.games} ({won / args.games:.0%}), {results[TIE]} tied",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
