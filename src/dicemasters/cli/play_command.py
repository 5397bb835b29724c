"""`dicemasters play`: play a new or saved game at the terminal."""

from __future__ import annotations

import argparse
import json
import secrets
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from dicemasters.cards import Catalogue
from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.cli.game_arguments import life_argument, new_game
from dicemasters.game import Game
from dicemasters.game.inspect import view
from dicemasters.game.rulesets.editions import DEFAULT_EDITION
from dicemasters.game.rulesets.solitaire import SolitaireRules
from dicemasters.players.player import Player, make_player
from dicemasters.players.player_argument import SEAT_HELP, seat_argument
from dicemasters.players.worker_pool import extra_cores
from dicemasters.teams.argument_types import (
    EDITION_HELP,
    edition_argument,
    format_argument,
    format_names,
    number_argument,
)
from dicemasters.teams.starter_teams import STARTER_GAMES
from dicemasters.terminal.game_ui import LEGEND, TerminalGame
from dicemasters.terminal.prompt import enable_line_editing
from dicemasters.terminal.savegames import autosave_file, latest_autosave, read_game

EXAMPLES = """\
examples:
  dicemasters play                                  the starter game of Avengers Infinity
  dicemasters play --b level4                       against a stronger bot
  dicemasters play --team-a green-rage --team-b stonewall
  dicemasters play --team-a my.team --edition cw    against a random team, by the rules of Civil War
  dicemasters play --format basic --seed 7          two random teams with six cards each
  dicemasters play --team-a my.team --load my.toml  with home-made cards
  dicemasters play --format doubles                 two against two, with a partner
  dicemasters play --format doubles --b human --c human --d human
  dicemasters play last                             resume the game you left"""
LAST = "last"  # names the newest unfinished autosave
MAX_MOVE_DELAY = 3600  # seconds per choice in a game of bots


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `play` command."""
    play = commands.add_parser(
        "play",
        help="play a game at the terminal",
        description="Play a new or saved game at the terminal, against a bot or a friend.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.add_argument(
        "file",
        nargs="?",
        help="game to resume: a record written by `save`, a position file, or last for your latest unfinished game",
    )
    play.add_argument(
        "--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} (default: {DEFAULT_EDITION})"
    )
    play.add_argument(
        "--cast",
        choices=list(STARTER_GAMES),
        help="starter game, which sets both teams (default: the edition's own)",
    )
    play.add_argument("--team-a", metavar="TEAM", help="team of A: a file, a ready team's name, a team code, or random")
    play.add_argument("--team-b", metavar="TEAM", help="team of B; if only one team is given, the other is random")
    play.add_argument("--team-c", metavar="TEAM", help="team of A's partner in Doubles")
    play.add_argument("--team-d", metavar="TEAM", help="team of B's partner in Doubles")
    formats = f"format of the teams: {format_names()}"
    play.add_argument("--format", type=format_argument, metavar="F", help=formats)
    play.add_argument("--seed", type=int, metavar="N", help="seed of the dice; the same seed gives the same rolls")
    play.add_argument(
        "--a",
        type=seat_argument,
        metavar="WHO",
        default="human",
        help=f"who plays A: {SEAT_HELP} (default: %(default)s)",
    )
    play.add_argument(
        "--b", type=seat_argument, metavar="WHO", default="simple", help="who plays B (default: %(default)s)"
    )
    play.add_argument(
        "--c", type=seat_argument, metavar="WHO", help="who plays C, A's partner in Doubles (default: simple)"
    )
    play.add_argument(
        "--d", type=seat_argument, metavar="WHO", help="who plays D, B's partner in Doubles (default: simple)"
    )
    play.add_argument("--first", choices=("A", "B"), help="who goes first (default: as the edition's rules decide)")
    play.add_argument(
        "--life", type=life_argument, metavar="N", help="starting life of both players (default: as in the format)"
    )
    play.add_argument("--json", action="store_true", help="if only bots play: print just the result, as JSON")
    play.add_argument(
        "--pace",
        type=number_argument("seconds", 0, MAX_MOVE_DELAY),
        metavar="S",
        help="if only bots play: seconds between their choices (default: 0.7)",
    )
    play.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
    )


def main(args: argparse.Namespace) -> int:
    """Play a game. Return the exit code."""
    cards = catalogue_with_files(args.load)
    if args.file is not None:
        game, rerun_command = _load_game(args, cards), ""
    else:
        game, rerun_command = _start_game(args, cards)
    player_names = _player_names(args, game)
    seed = game.seed
    seeds = [len(player_names) * seed + seat for seat in range(len(player_names))]
    cores = 1 + extra_cores()  # only one player searches at a time
    players = [
        None if name == "human" else make_player(name, s, cores=cores)
        for name, s in zip(player_names, seeds, strict=True)
    ]
    if args.json:
        if None in players:
            raise ValueError("--json needs bots in all seats, for example --a simple")
        print(json.dumps(_result(game, player_names, players)))
        return 0
    console = Console(highlight=False)
    interactive = sys.stdin.isatty() and None in players
    autosave = autosave_file() if interactive else None
    pace = (0.7 if console.is_terminal else 0) if args.pace is None else args.pace
    ui = TerminalGame(
        game, players, console, interactive=interactive, cards=cards, autosave_path=autosave, move_delay=pace
    )
    if interactive:
        enable_line_editing(ui)
    if None in players:
        ui.legend = LEGEND
    code = ui.run()
    seats = " ".join(f"--{seat} {name}" for seat, name in zip("abcd", player_names, strict=False))
    loaded = "".join(f" --load {shlex.quote(path)}" for path in args.load)
    if rerun_command and not ui.loaded:
        console.print(
            f"Play the same dice again: {rerun_command} {seats}{loaded}", style="dim", markup=False, soft_wrap=True
        )
    ui.print_resume_hint(f" {seats}{loaded}")
    return code


def _result(game: Game, player_names: list[str], players: Sequence[Player | None]) -> dict[str, object]:
    """Play a game of bots to its end and return the result."""
    while game.result is None:
        player = players[game.state.decision.seat]
        assert player is not None
        game.play(player.choose(game.state))
    return {
        "winner": game.result.winner,
        "why": game.result.why,
        "turns": game.state.turn,
        "life": [view.life(game.state, seat) for seat in (0, 1)],
        "players": player_names,
        "edition": game.table.edition.text,
        "seed": game.seed,
        "record": game.record,
    }


def _start_game(args: argparse.Namespace, cards: Catalogue) -> tuple[Game, str]:
    """Return a new game and the command that starts it again, without the players of the seats."""
    seed: int = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    player_names: list[str] = [args.a, args.b]
    if player_names.count("scripted") == 2:
        raise ValueError("only one player can be scripted, because it buys when the other does")
    scripted = SolitaireRules(player_names.index("scripted")) if "scripted" in player_names else None
    game, teams = new_game(args, seed, cards, scripted)
    options = f" --life {args.life}" if args.life else ""
    options += f" --first {args.first}" if args.first else ""
    return game, f"dicemasters play --edition {shlex.quote(game.table.edition.text)} {teams} --seed {seed}{options}"


def _load_game(args: argparse.Namespace, cards: Catalogue) -> Game:
    """Return the saved game to continue. Raise `ValueError` if an argument would change its teams or rules."""
    fixed = ("edition", "cast", "team_a", "team_b", "team_c", "team_d", "format", "seed", "first", "life")
    conflicting = [f"--{name.replace('_', '-')}" for name in fixed if getattr(args, name) is not None]
    if conflicting:
        raise ValueError(f"{args.file} is a saved game, so {conflicting[0]} cannot be changed")
    if args.file == LAST and not Path(LAST).exists():
        args.file = str(latest_autosave())
    game = read_game(args.file, cards)
    script = game.table.solitaire
    if script is not None and (args.a, args.b)[script.seat] != "scripted":
        setattr(args, "ab"[script.seat], "scripted")
    elif script is None and "scripted" in (args.a, args.b):
        raise ValueError(f"{args.file} was started without the script, so no player can be scripted")
    return game


def _player_names(args: argparse.Namespace, game: Game) -> list[str]:
    """Return the player of each seat. Raise `ValueError` if they do not fit the game."""
    player_names: list[str] = [args.a, args.b]
    if game.table.n_seats > 2:
        player_names += [args.c or "simple", args.d or "simple"]
        if "scripted" in player_names:
            raise ValueError("the scripted player plays only two-player games")
    elif args.c or args.d:
        raise ValueError("--c and --d need --format doubles")
    return player_names
