"""Command-line arguments of the lab commands.

They are separate from the commands, so that help and argument errors do not load the engine.
"""

from __future__ import annotations

import argparse

from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.lab.defaults import ALL, MAX_WORKERS
from dicemasters.lab.training.training_config import TrainingConfig
from dicemasters.players.analysis_defaults import ROLLOUTS, ROLLOUTS_PER_GAME
from dicemasters.teams.argument_types import EDITION_HELP, edition_argument, number_argument, whole_argument

MIN_SECONDS, MAX_SECONDS = 0.01, 3600  # limits of `bench --seconds`
_workers = whole_argument("workers", 0, MAX_WORKERS)  # 0: one per core

ANALYSE_EXAMPLES = """\
examples:
  dicemasters analyse game.txt                 a saved game: the win chance and its turning points
  dicemasters analyse game.txt --plot chance.svg
  dicemasters analyse game.txt --move 31       what to do at its 31st choice
  dicemasters analyse position.txt --tries 2000"""

SIMULATE_EXAMPLES = """\
examples:
  dicemasters simulate green-rage stonewall --games 1000
  dicemasters simulate my.team random --player level4 --games 200 --report result.html
  dicemasters simulate my.team flame-on --edition all         once in each edition
  dicemasters simulate --matrix green-rage stonewall flame-on my.team --report matrix.html
  dicemasters simulate my.team flame-on --games 1000000 --keep run.jsonl
  dicemasters simulate my.team flame-on --games 1000000 --keep run.jsonl --on ray://head --parquet games.parquet

Results are kept as they come where --keep says; the same command goes on where it was stopped."""

PUZZLES_EXAMPLES = """\
examples:
  dicemasters puzzles mine --games 500 --into found        puzzles of 500 games, a file each
  dicemasters puzzles mine --games 5000 --buys 500 --keep mine.jsonl --into found
  dicemasters puzzles check                                prove the collection once more
  dicemasters puzzles check found                          prove the files of a folder

With --keep what was found is written down as it comes, and the same command goes on where it was stopped."""


def analyse(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `analyse` command."""
    about = "say what to do in a position, or where a saved game turned"
    parser = commands.add_parser(
        "analyse",
        help=about,
        description=f"{about.capitalize()}.",
        epilog=ANALYSE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", help="a position, or a record of a game, as `save` at the table writes it")
    parser.add_argument("--move", type=int, metavar="N", help="of a record: the position before its N-th choice")
    parser.add_argument("--tries", type=int, help=f"for each choice ({ROLLOUTS}; in a whole game {ROLLOUTS_PER_GAME})")
    parser.add_argument("--top", type=int, default=5, metavar="N", help="options that are shown (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the dice of the tries (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="know the home-made cards of a file too"
    )
    parser.add_argument("--plot", metavar="FILE", help="of a record: draw the win chance, as .svg or .png")


def arena(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `arena` command."""
    about = "let players play matches, and rate them"
    parser = commands.add_parser(
        "arena",
        help=about,
        description=f"{about.capitalize()}.",
    )
    parser.add_argument(
        "players", nargs="+", metavar="PLAYER", help="level1 to level5, level5@200ms, scripted:hard, ..."
    )
    parser.add_argument("--games", type=int, default=100, help="of each two players (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first teams and dice (%(default)s)")
    parser.add_argument(
        "--workers", type=_workers, default=0, help="processes side by side; by default one for each core"
    )
    parser.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (each in turn)")
    parser.add_argument("--plot", metavar="FILE", help="draw the ratings there, as .svg or .png")
    parser.add_argument("--json", metavar="FILE", help="write all results there; - for the screen")


def simulate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `simulate` command."""
    parser = commands.add_parser(
        "simulate",
        description="Let teams play many games; say how often each wins, how, and what each card did.",
        epilog=SIMULATE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("teams", nargs="+", metavar="TEAM", help="a file, a ready team, a code, or random")
    parser.add_argument("--games", type=int, default=100, help="of each pairing (%(default)s)")
    parser.add_argument("--player", default="simple", metavar="WHO", help="who plays both (%(default)s)")
    parser.add_argument("--against", metavar="WHO", help="who plays the second team instead")
    parser.add_argument("--edition", metavar="E", help=f"{', '.join(EDITIONS)} with house rules, or {ALL} to compare")
    parser.add_argument("--matrix", action="store_true", help="more than two teams: every two of them meet")
    parser.add_argument("--seed", type=int, default=0, help="of the first dice (%(default)s)")
    parser.add_argument(
        "--workers", type=_workers, default=0, help="processes side by side; by default one for each core"
    )
    parser.add_argument("--on", default="", metavar="WHERE", help="ray, or ray://HOST: on a Ray cluster (needs ray)")
    parser.add_argument("--keep", metavar="FILE", help="keep results there as they come, and go on with them")
    parser.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="know the home-made cards of a file too"
    )
    parser.add_argument("--json", metavar="FILE", help="write what it comes to there; - for the screen")
    parser.add_argument("--parquet", metavar="FILE", help="write a row for each game there (needs pyarrow)")
    parser.add_argument("--report", metavar="FILE", help="write a page with plots there, as .html (needs matplotlib)")


def puzzles(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `puzzles` command."""
    about = "Look for puzzles in played games, or prove those there are once more."
    parser = commands.add_parser(
        "puzzles", description=about, epilog=PUZZLES_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", metavar="mine|check", required=True)
    mine = verbs.add_parser("mine", help="look for puzzles in played games")
    mine.add_argument("--games", type=int, default=100, help="looked through for turns to win or survive")
    mine.add_argument("--buys", type=int, default=0, metavar="GAMES", help="looked through for what to buy")
    mine.add_argument("--seed", type=int, default=0, help="number of the first game (%(default)s)")
    mine.add_argument(
        "--workers", type=_workers, default=0, help="processes side by side; by default one for each core"
    )
    mine.add_argument("--keep", metavar="FILE", help="keep what was found there as it comes, and go on with it")
    mine.add_argument("--into", metavar="FOLDER", help="write the puzzles there, a file each")
    check = verbs.add_parser("check", help="prove puzzles once more")
    check.add_argument("folder", nargs="?", help="with files of puzzles; without it, the collection")
    check.add_argument(
        "--workers", type=_workers, default=0, help="processes side by side; by default one for each core"
    )


def train(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `train` command."""
    about = "learn the value of positions from nothing"
    parser = commands.add_parser(
        "train",
        help=about,
        description=f"{about.capitalize()}.",
    )
    defaults = TrainingConfig()
    parser.add_argument("--seed", type=int, default=defaults.seed, help="of all games and of the network (%(default)s)")
    parser.add_argument("--first", type=int, default=defaults.first, help="games of the simple player (%(default)s)")
    parser.add_argument("--games", type=int, default=defaults.games, help="of each later round (%(default)s)")
    parser.add_argument(
        "--rounds", type=int, default=defaults.rounds, help="with what was learned so far (%(default)s)"
    )
    parser.add_argument("--hidden", type=int, default=defaults.hidden, help="units of the network (%(default)s)")
    parser.add_argument("--epochs", type=int, default=defaults.epochs, help="times through all positions (%(default)s)")
    parser.add_argument(
        "--workers", type=_workers, default=0, help="processes side by side; by default one for each core"
    )
    parser.add_argument("--write", metavar="FILE", default="value.json", help="where the value goes (%(default)s)")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw there how well its chances fit unseen games, as .svg or .png"
    )


def bench(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `bench` command."""
    about = "measure the engine's speed"
    parser = commands.add_parser("bench", help=about, description=f"{about.capitalize()}.")
    parser.add_argument(
        "--seconds",
        type=number_argument("seconds", MIN_SECONDS, MAX_SECONDS),
        default=4.0,
        help="how long to measure each row (default 4)",
    )
    parser.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (all)")
    parser.add_argument(
        "--peers", action="store_true", help="beside other engines too (pip install dicemasters[peers])"
    )
    parser.add_argument("--startup", action="store_true", help="only how long commands take to start")
    parser.add_argument(
        "--growth", action="store_true", help="also two processes, memory, and cost by cards, dice and length of game"
    )
