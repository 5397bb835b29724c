"""Command-line arguments of the lab commands.

They are separate from the commands, so that help and argument errors do not load the engine.
"""

from __future__ import annotations

import argparse

from dicemasters.lab.defaults import ALL, MAX_WORKERS
from dicemasters.lab.training.training_config import TrainingConfig
from dicemasters.players.analysis_defaults import ROLLOUTS, ROLLOUTS_PER_GAME
from dicemasters.teams.argument_types import EDITION_HELP, edition_argument, number_argument, whole_argument

MIN_SECONDS, MAX_SECONDS = 0.01, 3600  # limits of `bench --seconds`

ANALYSE_EXAMPLES = """\
examples:
  dicemasters analyse game.txt                 a saved game: win chances and turning points
  dicemasters analyse game.txt --plot chance.svg
  dicemasters analyse game.txt --move 31       the best answer to its 31st choice
  dicemasters analyse position.txt --tries 2000"""

SIMULATE_EXAMPLES = """\
examples:
  dicemasters simulate green-rage stonewall --games 1000
  dicemasters simulate my.team random --player level4 --games 200 --report result.html
  dicemasters simulate my.team flame-on --edition all         compare the editions
  dicemasters simulate --matrix green-rage stonewall flame-on my.team --report matrix.html
  dicemasters simulate my.team flame-on --games 1000000 --keep run.jsonl
  dicemasters simulate my.team flame-on --games 1000000 --keep run.jsonl --on ray://head --parquet games.parquet

With --keep, results are saved as they arrive, and the same command resumes a stopped run."""

PUZZLES_EXAMPLES = """\
examples:
  dicemasters puzzles mine --games 500 --into found        search 500 games; one file per puzzle
  dicemasters puzzles mine --games 5000 --buys 500 --keep mine.jsonl --into found
  dicemasters puzzles check                                verify the collection
  dicemasters puzzles check found                          verify the puzzles in a folder

With --keep, puzzles are saved as they are found, and the same command resumes a stopped run."""


ARENA_EXAMPLES = """\
examples:
  dicemasters arena level2 level4
  dicemasters arena level3 level4 level5@200ms --games 400 --plot ratings.svg
  dicemasters arena level4 scripted:hard --edition avx --json -"""

TRAIN_EXAMPLES = """\
examples:
  dicemasters train                            as the network of the bots was trained
  dicemasters train --first 500 --games 500 --rounds 1 --write small.json"""

BENCH_EXAMPLES = """\
examples:
  dicemasters bench                            decisions per second, beside python-chess
  dicemasters bench --edition avx --seconds 1
  dicemasters bench --startup"""


def _add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the option for the number of processes; 0 stands for one per core."""
    parser.add_argument(
        "--workers",
        type=whole_argument("workers", 1, MAX_WORKERS),
        default=0,
        metavar="N",
        help="parallel processes (default: one per core)",
    )


def analyse(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `analyse` command."""
    parser = commands.add_parser(
        "analyse",
        description="Rate the choices in a position, or find where a saved game turned and what was better.",
        epilog=ANALYSE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", help="a position file, or a game record written by `save`")
    parser.add_argument("--move", type=int, metavar="N", help="analyse the position before choice N of a record")
    parser.add_argument(
        "--tries",
        type=int,
        metavar="N",
        help=f"rollouts per choice (default: {ROLLOUTS}, or {ROLLOUTS_PER_GAME} for a whole game)",
    )
    parser.add_argument(
        "--top", type=int, default=5, metavar="N", help="number of options to show (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the rollouts' dice (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
    )
    parser.add_argument("--plot", metavar="FILE", help="plot the win chance of a record, as .svg or .png")


def arena(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `arena` command."""
    parser = commands.add_parser(
        "arena",
        description="Play matches between bots and rate them. Every deal is played twice, with the bots swapped.",
        epilog=ARENA_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "players", nargs="+", metavar="PLAYER", help="bot, such as level4, level5@200ms or scripted:hard"
    )
    parser.add_argument(
        "--games", type=int, default=100, metavar="N", help="games per pair of bots (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the first teams and dice (default: %(default)s)"
    )
    _add_workers(parser)
    parser.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (default: each in turn)")
    parser.add_argument("--plot", metavar="FILE", help="plot the ratings, as .svg or .png")
    parser.add_argument("--json", metavar="FILE", help="write all results as JSON; - for standard output")


def simulate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `simulate` command."""
    parser = commands.add_parser(
        "simulate",
        description="Play many games between teams. The report says how often and how each wins, and what each card did.",
        epilog=SIMULATE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("teams", nargs="+", metavar="TEAM", help="a file, a ready team's name, a team code, or random")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games per pairing (default: %(default)s)")
    parser.add_argument(
        "--player", default="simple", metavar="WHO", help="bot that plays the teams (default: %(default)s)"
    )
    parser.add_argument("--against", metavar="WHO", help="bot of the second team (default: the same)")
    parser.add_argument("--edition", metavar="E", help=f"{EDITION_HELP}; {ALL} compares the editions")
    parser.add_argument("--matrix", action="store_true", help="play all pairings of more than two teams")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the first dice (default: %(default)s)"
    )
    _add_workers(parser)
    parser.add_argument("--on", default="", metavar="WHERE", help="ray or ray://HOST: run on a Ray cluster")
    parser.add_argument("--keep", metavar="FILE", help="save results to this file as they arrive, and resume from it")
    parser.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
    )
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON; - for standard output")
    parser.add_argument("--parquet", metavar="FILE", help="write one row per game, as Parquet")
    parser.add_argument("--report", metavar="FILE", help="write a page with plots, as .html")


def puzzles(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `puzzles` command."""
    about = "Search played games for puzzles, or verify existing ones."
    parser = commands.add_parser(
        "puzzles", description=about, epilog=PUZZLES_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", metavar="COMMAND", title="commands", required=True)
    mine = verbs.add_parser(
        "mine", help="search played games for puzzles", description="Search played games for puzzles."
    )
    mine.add_argument(
        "--games",
        type=int,
        default=100,
        metavar="N",
        help="games to search for turns to win or survive (default: %(default)s)",
    )
    mine.add_argument(
        "--buys", type=int, default=0, metavar="N", help="games to search for purchases (default: %(default)s)"
    )
    mine.add_argument(
        "--seed", type=int, default=0, metavar="N", help="number of the first game (default: %(default)s)"
    )
    _add_workers(mine)
    mine.add_argument("--keep", metavar="FILE", help="save puzzles to this file as they are found, and resume from it")
    mine.add_argument("--into", metavar="FOLDER", help="write the puzzles to this folder, one file each")
    check = verbs.add_parser(
        "check", help="verify puzzles", description="Solve puzzles again and report any that are wrong."
    )
    check.add_argument("folder", nargs="?", help="folder with puzzle files (default: the built-in collection)")
    _add_workers(check)


def train(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `train` command."""
    parser = commands.add_parser(
        "train",
        description="Train the value network of levels 3 to 5 from self-play.",
        epilog=TRAIN_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    defaults = TrainingConfig()
    parser.add_argument(
        "--seed",
        type=int,
        default=defaults.seed,
        metavar="N",
        help="seed of all games and the network (default: %(default)s)",
    )
    parser.add_argument(
        "--first",
        type=int,
        default=defaults.first,
        metavar="N",
        help="games of the simple player in the first round (default: %(default)s)",
    )
    parser.add_argument(
        "--games", type=int, default=defaults.games, metavar="N", help="games per later round (default: %(default)s)"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=defaults.rounds,
        metavar="N",
        help="number of later rounds, each with the latest network (default: %(default)s)",
    )
    parser.add_argument(
        "--hidden",
        type=int,
        default=defaults.hidden,
        metavar="N",
        help="hidden units of the network (default: %(default)s)",
    )
    parser.add_argument(
        "--epochs",
        type=int,
        default=defaults.epochs,
        metavar="N",
        help="passes over all positions (default: %(default)s)",
    )
    _add_workers(parser)
    parser.add_argument(
        "--write", metavar="FILE", default="value.json", help="file to write the network to (default: %(default)s)"
    )
    parser.add_argument("--plot", metavar="FILE", help="plot the calibration on holdout games, as .svg or .png")


def bench(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `bench` command."""
    parser = commands.add_parser(
        "bench",
        description="Measure the speed of the engine, and of python-chess in the same run as a yardstick.",
        epilog=BENCH_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=number_argument("seconds", MIN_SECONDS, MAX_SECONDS),
        default=4.0,
        help="seconds to measure each row (default: 4)",
    )
    parser.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (default: all)")
    parser.add_argument(
        "--peers",
        action="store_true",
        help="also measure other engines; in a checkout, install them with: pip install --group peers",
    )
    parser.add_argument("--startup", action="store_true", help="measure only the start-up time of commands")
    parser.add_argument(
        "--growth",
        action="store_true",
        help="also measure two processes, memory, and how cost grows with cards, dice and game length",
    )
