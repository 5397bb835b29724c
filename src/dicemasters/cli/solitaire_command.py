"""`dicemasters solitaire`: play against the Scripted Opponent, and keep the running score."""

from __future__ import annotations

import argparse
import secrets
import shlex
import sys

from rich.console import Console

from dicemasters.cards import Catalogue
from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.cli.game_arguments import life_argument, new_game
from dicemasters.errors import error_line
from dicemasters.game import Game
from dicemasters.game.rulesets.solitaire import (
    DIFFICULTIES,
    NORMAL,
    SCRIPT_VARIANTS,
    SOLITAIRE_EDITION,
    SolitaireRules,
    difficulty,
    parse_variants,
    variant_texts,
)
from dicemasters.game.text import describe
from dicemasters.players.scripted import ScriptedPlayer
from dicemasters.teams.argument_types import EDITION_HELP, edition_argument, format_argument, format_names
from dicemasters.teams.starter_teams import STARTER_GAMES
from dicemasters.teams.team_lookup import RANDOM
from dicemasters.terminal.game_ui import LEGEND, TerminalGame
from dicemasters.terminal.prompt import enable_line_editing
from dicemasters.terminal.savegames import autosave_file
from dicemasters.terminal.solitaire_score import LOST, TIED, WON, add_result, read_scores, score_lines

PERSON, SCRIPT = 0, 1  # seats; the person goes first (S11)

EXAMPLES = """\
examples:
  dicemasters solitaire                             two random teams
  dicemasters solitaire --team green-rage           against a random team
  dicemasters solitaire --team my.team --opponent stonewall --edition cw
  dicemasters solitaire --difficulty hard --seed 7
  dicemasters solitaire --reading "basics never"    it never buys basic actions
  dicemasters solitaire --score                     your results so far

During the game, type why for the rules behind its last choices, and row for its buying order.
The whole script: docs/scripted-opponent.md"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `solitaire` command."""
    parser = commands.add_parser(
        "solitaire",
        help="play against the Scripted Opponent",
        description="Play against the Scripted Opponent, which buys whenever you buy and follows a published script.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    team = "a file, a ready team's name, a team code, or random (default: random)"
    parser.add_argument("--team", dest="team_a", metavar="TEAM", help=f"your team: {team}")
    parser.add_argument("--opponent", dest="team_b", metavar="TEAM", help="the opponent's team, in the same ways")
    parser.add_argument("--cast", choices=list(STARTER_GAMES), help="starter game, which sets both teams")
    parser.add_argument(
        "--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (default: {SOLITAIRE_EDITION})"
    )
    parser.add_argument("--format", type=format_argument, metavar="F", help=f"format of the teams: {format_names()}")
    parser.add_argument(
        "--difficulty",
        choices=DIFFICULTIES,
        default=NORMAL,
        help="easy: it has half your life; hard: it buys one of each card in turn; normal: the script unchanged "
        "(default: %(default)s)",
    )
    variants = ", ".join(variant.text for variant in SCRIPT_VARIANTS)
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="R",
        help=f"settle an unclear rule of the script differently: {variants}; dicemasters editions explains them",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="seed of dice and random teams; the same seed gives the same rolls"
    )
    parser.add_argument("--score", action="store_true", help="print how many games you have won and lost")
    parser.add_argument(
        "--life", type=life_argument, metavar="N", help="starting life of both players (default: as in the format)"
    )
    parser.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
    )
    parser.set_defaults(cast=None, first=None)


def main(args: argparse.Namespace) -> int:
    """Play a game or print the score. Return the exit code."""
    if args.score:
        return score()
    seed: int = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    cards = catalogue_with_files(args.load)
    if not args.cast and not (args.format and args.format.cast):  # a cast determines both teams
        args.team_a, args.team_b = args.team_a or RANDOM, args.team_b or RANDOM
    game, teams = new_game(args, seed, cards, script_variants(args))
    code = play(game, args.difficulty, cards, "".join(f" --load {shlex.quote(path)}" for path in args.load))
    options = f"--edition {shlex.quote(game.table.edition.text)} {teams} --seed {seed}{rematch_arguments(args)}"
    teams_given = options.replace("--team-a", "--team").replace("--team-b", "--opponent")
    print(f"Play the same dice again: dicemasters solitaire {teams_given}")
    return code


def script_variants(args: argparse.Namespace) -> SolitaireRules:
    """Return the readings of the script: those of the difficulty and those given on the command line."""
    return difficulty(args.difficulty, parse_variants(SCRIPT, args.reading))


def rematch_arguments(args: argparse.Namespace) -> str:
    """Return the arguments that select the same difficulty, readings, life and card files again."""
    arguments = f" --difficulty {args.difficulty}" if args.difficulty != NORMAL else ""
    arguments += "".join(f" --reading {shlex.quote(reading)}" for reading in args.reading)
    arguments += f" --life {args.life}" if args.life else ""
    return arguments + "".join(f" --load {shlex.quote(path)}" for path in args.load)


def play(game: Game, name: str, cards: Catalogue, loaded: str = "") -> int:
    """Play against the script and record the result. An unfinished game does not count."""
    console = Console(highlight=False)
    table = game.table
    interactive = sys.stdin.isatty()
    autosave = autosave_file() if interactive else None
    ui = TerminalGame(
        game, [None, ScriptedPlayer()], console, interactive=interactive, cards=cards, autosave_path=autosave
    )
    assert table.solitaire is not None
    variants = variant_texts(table.solitaire)
    edition = table.edition
    ui.remarks.append(f"the rules are those of {edition.name} ({edition.year}); choose others with --edition")
    ui.remarks.append(f"{describe.SEATS[SCRIPT]} buys when you buy, along its row (type row); type why for its reasons")
    ui.remarks.append(
        f"readings of the script: {', '.join(variants)}" if variants else "the script has its default readings"
    )
    ui.legend = LEGEND
    enable_line_editing(ui)
    code = ui.run()
    ui.print_resume_hint(loaded)
    result = ui.game.result
    if result is not None and ui.game.table == table:
        outcome = TIED if not result.winner else WON if result.winner == describe.SEATS[PERSON] else LOST
        try:
            new_score = add_result(name, outcome)
        except (ValueError, OSError) as error:
            print(f"dicemasters: {error_line(error)}", file=sys.stderr)
        else:
            console.print(f"You have {outcome} this game. {score_lines({name: new_score})[0]}.", markup=False)
    return code


def score() -> int:
    """Print the running score."""
    for line in score_lines(read_scores()):
        print(line)
    return 0
