"""One command for all of it."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import shlex
import sys
from collections.abc import Sequence

from rich.console import Console

from dicemasters import __version__
from dicemasters.cards import Catalogue, catalogue
from dicemasters.cards.files import load_cards
from dicemasters.cards.search import FIELDS, card_data, search
from dicemasters.form import form
from dicemasters.game import Game, scenario
from dicemasters.game.chances import parts_told
from dicemasters.game.editions import DEFAULT_EDITION, edition_of
from dicemasters.game.solitaire import Solitaire
from dicemasters.lab import analyse_command, arena, bench, coverage, train
from dicemasters.players.player import make_player, player_argument
from dicemasters.table import (
    draft_command,
    edition_command,
    lesson_command,
    rules_command,
    solitaire_command,
    team_commands,
)
from dicemasters.table.card import print_card, print_table
from dicemasters.table.files import read_record, reason
from dicemasters.table.replay import Replay
from dicemasters.table.server import backup_command
from dicemasters.table.server import command as table_server
from dicemasters.table.terminal import Sitting, find_cards
from dicemasters.teams.arguments import EDITION_HELP, edition_argument, format_argument, format_names
from dicemasters.teams.casts import CASTS
from dicemasters.teams.files import Reading
from dicemasters.teams.find import RANDOM, find_team
from dicemasters.teams.formats import USUAL, Format, find_format
from dicemasters.teams.meeting import rules_of, start_game
from dicemasters.teams.problem import TeamError, of_team
from dicemasters.teams.random import random_team

OK, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 2, 130, 141

EXAMPLES = """\
examples:
  dicemasters serve                           play in the browser
  dicemasters lesson first-game               learn it in five minutes
  dicemasters play                            you (A) against the simple player (B)
  dicemasters play --edition avx --seed 7     the first game of an older rulebook, with given dice
  dicemasters play --edition "avx, ties"      with a house rule; dicemasters editions lists them
  dicemasters play --a human --b human        two people at one keyboard
  dicemasters play --b level4                 a stronger opponent: level1 to level5, level5@2s
  dicemasters play --a simple --b random      watch two players
  dicemasters play --team-a green-rage --team-b my.team
  dicemasters solitaire                       you against the Scripted Opponent, which says why
  dicemasters team list                       ready teams; team --help for your own
  dicemasters show "hulk: jade giant"         one card in full
  dicemasters replay game.txt                 step through a game you saved with: save game.txt
  dicemasters scenario tests/scenarios/*      check what-happens-if files
  dicemasters draft rainbow --players 6       draft a team with five bots

  dicemasters cards energy:bolt "cost<=3"     find cards
  dicemasters rules overcrush                 what the rules say on a word; rules 3.4 for a section

At the table type help. Without colours: set NO_COLOR=1."""


PLAY_EXAMPLES = """\
examples:
  dicemasters play                                  the demo game of Avengers Infinity
  dicemasters play --team-a green-rage --team-b stonewall
  dicemasters play --team-a my.team --edition cw    against a random team, by the rules of Civil War
  dicemasters play --format basic --seed 7          two random teams with six cards each
  dicemasters play --team-a my.team --load my.toml  with home-made cards
  dicemasters play --format doubles                 two against two: you (A) and a partner (C) against B and D
  dicemasters play --format doubles --b human --c human --d human"""

CARD_EXAMPLES = """\
examples:
  dicemasters cards                            all of them
  dicemasters cards hulk                       the word in name or text
  dicemasters cards energy:bolt "cost<=3" keyword:fast
  dicemasters cards set:cw affiliation:villains rarity:rare
  dicemasters cards "hulk: jade giant"         one card is shown in full
  dicemasters cards --load my.toml name:nurse  with home-made cards"""


def main(argv: list[str] | None = None) -> int:
    """Run the command; give its exit code: 0 done, 2 something wrong with what was given, 130 interrupted."""
    _never_fail_to_print()
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except BrokenPipeError:
        _close_quietly()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except TeamError as error:
        for problem in error.problems:
            print(f"dicemasters: {problem}", file=sys.stderr)
        return BAD_INPUT
    except (ValueError, OSError) as error:
        print(f"dicemasters: {reason(error)}", file=sys.stderr)
        return BAD_INPUT


def _run(argv: list[str]) -> int:
    parser = _parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as leaving:
        sys.stdout.flush()
        return leaving.code if isinstance(leaving.code, int) else BAD_INPUT
    match args.command:
        case "play":
            code = _play(args)
        case "lesson":
            code = lesson_command.main(args)
        case "serve":
            code = table_server.main(args)
        case "backup" | "restore":
            code = backup_command.main(args)
        case "solitaire":
            code = solitaire_command.score() if args.score else _solitaire(args)
        case "replay":
            game = read_record(args.file, _known(args))
            code = _check_dice(game, args) if args.check else Replay(game, Console(highlight=False)).run()
        case "scenario":
            run = scenario.watch_files if args.watch else scenario.run_files
            code = run(args.files, _known(args), verbose=args.verbose)
        case "team":
            code = team_commands.run(args, _known(args) if "load" in args else catalogue())
        case "editions":
            code = edition_command.main(args)
        case "bench":
            code = bench.main(args)
        case "train":
            code = train.main(args)
        case "arena":
            code = arena.main(args)
        case "analyse":
            code = analyse_command.main(args, _known(args))
        case "show":
            for card in find_cards(" ".join(args.card), cards=_known(args)):
                print_card(Console(highlight=False), card)
            code = OK
        case "cards":
            code = _cards(args)
        case "rules":
            rules_command.print_rules(Console(highlight=False), " ".join(args.about))
            code = OK
        case "draft":
            code = draft_command.main(args, _known(args))
        case _:
            parser.print_help()
            code = OK
    sys.stdout.flush()
    return code


def _check_dice(game: Game, args: argparse.Namespace) -> int:
    """Say what the dice of a record follow from; that they do was checked when it was read."""
    fair, number = game.fair, sum(len(move.chance) for move in game.moves) + len(game.opening)
    if args.commitment and (fair is None or fair.commitment != args.commitment.strip().lower()):
        raise ValueError(f"{args.file}: its dice were not rolled under the commitment {args.commitment.strip()}")
    if not number:
        raise ValueError(f"{args.file}: there is no draw and no roll in it, so there is nothing to check")
    if fair is None:
        print(f"All {number} draws and rolls follow from the seed {game.seed}, or were set. They are not fair dice.")
    else:
        print(
            f"All {number} draws and rolls follow from the {fair.at} throws, and the table's links fit {fair.commitment}."
        )
        for line in parts_told(game):
            print(line)
    return OK


def _known(args: argparse.Namespace) -> Catalogue:
    """Give all cards, with those of the files to be loaded."""
    known = catalogue()
    for path in args.load:
        known = known.with_cards(load_cards(path))
    return known


def _cards(args: argparse.Namespace) -> int:
    if args.coverage is not None:
        known = _known(args)
        lines = coverage.report(known, coverage.happened_in(coverage.scenario_files(args.coverage), known))
        print("\n".join(lines))
        return OK
    found = search(_known(args), " ".join(args.query))
    if args.json:
        print(json.dumps([card_data(card) for card in found], ensure_ascii=False, indent=1))
    elif len(found) == 1:
        print_card(Console(highlight=False), found[0])
    else:
        print_table(Console(highlight=False), found)
    return OK


def _play(args: argparse.Namespace) -> int:
    seed: int = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    known = _known(args)
    who: list[str] = [args.a, args.b]
    if who.count("scripted") == 2:
        raise ValueError("only one of the players can be scripted, as it buys when the other does")
    scripted = Solitaire(who.index("scripted")) if "scripted" in who else None
    game, teams = _new_game(args, seed, known, scripted)
    if game.table.n_seats > 2:
        who += [args.c or "simple", args.d or "simple"]
    elif args.c or args.d:
        raise ValueError("--c and --d play only in Doubles: --format doubles")
    if game.table.n_seats > 2 and "scripted" in who:
        raise ValueError("the scripted player plays only a game of two")
    seeds = [len(who) * seed + seat for seat in range(len(who))]
    players = [None if name == "human" else make_player(name, s) for name, s in zip(who, seeds, strict=True)]
    console = Console(highlight=False)
    sitting = Sitting(game, players, console, interactive=sys.stdin.isatty() and None in players, cards=known)
    code = sitting.run()
    life = f" --life {args.life}" if args.life else ""
    life += f" --first {args.first}" if args.first else ""
    loaded = "".join(f" --load {shlex.quote(path)}" for path in args.load)
    seats = " ".join(f"--{seat} {name}" for seat, name in zip("abcd", who, strict=False))
    edition = shlex.quote(game.table.edition.text)
    again = f"dicemasters play --edition {edition} {teams} --seed {seed}{life} {seats}{loaded}"
    console.print(f"The same dice again: {again}", style="dim", markup=False, soft_wrap=True)
    return code


def _solitaire(args: argparse.Namespace) -> int:
    seed: int = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    known = _known(args)
    if not args.cast and not (args.format and args.format.cast):  # these have their own teams
        args.team_a, args.team_b = args.team_a or RANDOM, args.team_b or RANDOM
    game, teams = _new_game(args, seed, known, solitaire_command.readings(args))
    code = solitaire_command.play(game, args.difficulty, known)
    options = f"--edition {shlex.quote(game.table.edition.text)} {teams} --seed {seed}{solitaire_command.again(args)}"
    teams_given = options.replace("--team-a", "--team").replace("--team-b", "--opponent")
    print(f"The same dice again: dicemasters solitaire {teams_given}")
    return code


def _new_game(
    args: argparse.Namespace, seed: int, known: Catalogue, solitaire: Solitaire | None = None
) -> tuple[Game, str]:
    """Start the game that was asked for; give the arguments that ask for its teams too."""
    format: Format | None = args.format
    given: list[str | None] = [getattr(args, f"team_{seat}", None) for seat in "abcd"]
    if not any(given) and (format is None or format.cast):
        edition = rules_of(format or USUAL, (), args.edition, alone=solitaire is not None)
        cast: str = args.cast or (format.cast if format else edition_of(edition).key)
        if format and cast != format.cast:
            raise ValueError(f"--format {format.key} and --cast {cast} name different teams")
        game = Game.new(edition, cast=cast, life=args.life, seed=seed, first=args.first, solitaire=solitaire)
        return game, f"--cast {cast}"
    if args.cast:
        raise ValueError("--cast names both teams; leave it out where you choose them yourself")
    names: Sequence[str] = [name or RANDOM for name in given]
    chosen = [None if name.casefold() == RANDOM else find_team(name, known) for name in names]
    format = format or next((find_format(one.team.format) for one in chosen if one), USUAL)
    if not format.sides:
        if any(given[2:]):
            raise ValueError("--team-c and --team-d play only in Doubles: --format doubles")
        names, chosen = names[:2], chosen[:2]
    readings: list[Reading] = []
    for seat, one in enumerate(chosen):
        partner = (readings[seat - 2] if seat > 1 else chosen[seat + 2]) if format.sides else None
        partners = [partner.team] if partner else []
        readings.append(one or Reading(random_team(format, len(names) * seed + seat, known, partners=partners)))
    problems = [p for name, reading in zip(names, readings, strict=True) for p in of_team(reading.check(format), name)]
    if problems:
        raise TeamError(list(dict.fromkeys(problems)))
    teams = [reading.team for reading in readings]
    game = start_game(
        teams, format, args.edition, seed=seed, life=args.life, first=args.first, cards=known, solitaire=solitaire
    )
    for letter, name, team in zip("ABCD", names, teams, strict=False):
        print(": ".join(part for part in (letter, team.name or name, team.about) if part))
    asked = " ".join(f"--team-{seat} {shlex.quote(name)}" for seat, name in zip("abcd", names, strict=False))
    return game, f"{asked} --format {shlex.quote(format.key)}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dicemasters",
        description="Marvel Dice Masters as software: play it, look at its cards, replay games.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dicemasters {__version__} ({form()})")
    commands = parser.add_subparsers(dest="command", metavar="command", title="commands")

    play = commands.add_parser(
        "play",
        help="play a game at the terminal",
        description="Play a game at the terminal.",
        epilog=PLAY_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.add_argument("--edition", type=edition_argument, metavar="E", help=f"{EDITION_HELP} ({DEFAULT_EDITION})")
    play.add_argument("--cast", choices=list(CASTS), help="the two teams; by default the edition's first game")
    play.add_argument("--team-a", metavar="TEAM", help="a file, a ready team's name, a code, or random")
    play.add_argument("--team-b", metavar="TEAM", help="likewise; where only one is given, the other is random")
    play.add_argument("--team-c", metavar="TEAM", help="of A's partner in Doubles")
    play.add_argument("--team-d", metavar="TEAM", help="of B's partner in Doubles")
    formats = f"of the teams: {format_names()}"
    play.add_argument("--format", type=format_argument, metavar="F", help=formats)
    play.add_argument("--seed", type=int, help="of the dice; the same seed gives the same rolls")
    play.add_argument("--a", type=_who, metavar="WHO", default="human", help="who plays A (%(default)s)")
    play.add_argument("--b", type=_who, metavar="WHO", default="simple", help="who plays B (%(default)s)")
    play.add_argument("--c", type=_who, metavar="WHO", help="who plays C, the partner of A in Doubles (simple)")
    play.add_argument("--d", type=_who, metavar="WHO", help="who plays D, the partner of B in Doubles (simple)")
    play.add_argument("--first", choices=("A", "B"), help="who goes first; by default as the edition says")
    play.add_argument("--life", type=_life, help="of both players; by default the format's")

    lesson_command.add_arguments(commands)
    table_server.add_arguments(commands)
    backup_command.add_arguments(commands)

    replay = commands.add_parser("replay", help="step through a saved game", description="Step through a saved game.")
    replay.add_argument("file", help="a game record, as `save` at the table writes it")
    replay.add_argument("--check", action="store_true", help="say whether every draw and roll follows from the secret")
    replay.add_argument("--commitment", help="with --check: the one that was published before the first roll")

    check = commands.add_parser(
        "scenario", help="check scenario files", description="Carry out scenario files and check what they expect."
    )
    check.add_argument("files", nargs="+", metavar="file", help="a file, or a folder: all *.scenario files below it")
    check.add_argument("-v", "--verbose", action="store_true", help="name every scenario that passed")
    check.add_argument("--watch", action="store_true", help="run a file anew when it is saved, until Ctrl-C")

    show = commands.add_parser("show", help="show cards in full", description="Show a card in full, or several.")
    show.add_argument("card", nargs="+", help="its name or key: hulk: jade giant; several with ; or , between them")

    cards = commands.add_parser(
        "cards",
        help="find cards",
        description="Find cards by their words: a plain word is looked for in name and text.",
        epilog=CARD_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    cards.add_argument("query", nargs="*", help=f"words, or field:value with {', '.join(FIELDS)}")
    cards.add_argument("--json", action="store_true", help="print the cards found as JSON (docs/card-language.md)")
    cards.add_argument(
        "--coverage", metavar="FOLDER", help="list the abilities that no scenario below the folder makes happen"
    )
    rules_command.add_arguments(commands)
    makers = team_commands.add_arguments(commands)
    alone = solitaire_command.add_arguments(commands)
    alone.add_argument("--life", type=_life, help="of both players; by default the format's")
    for command in (play, alone, replay, check, show, cards, *makers):
        command.add_argument(
            "--load", action="append", default=[], metavar="FILE", help="know the home-made cards of a file too"
        )

    draft = commands.add_parser(
        "draft",
        help="draft teams with friends and bots",
        description="Draft teams: a Draft team for two, or a Rainbow Draft for two to eight.",
        epilog=draft_command.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    draft_command.add_arguments(draft)

    edition_command.add_arguments(commands)

    speed = "measure the engine's speed"
    bench.add_arguments(commands.add_parser("bench", help=speed, description=f"{speed.capitalize()}."))

    strength = "let players play matches, and rate them"
    arena.add_arguments(commands.add_parser("arena", help=strength, description=f"{strength.capitalize()}."))

    analysis = "say what to do in a position, or where a saved game turned"
    study = commands.add_parser(
        "analyse",
        help=analysis,
        description=f"{analysis.capitalize()}.",
        epilog=analyse_command.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    analyse_command.add_arguments(study)
    study.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="know the home-made cards of a file too"
    )

    learning = "learn the value of positions from nothing"
    train.add_arguments(commands.add_parser("train", help=learning, description=f"{learning.capitalize()}."))
    return parser


def _who(text: str) -> str:
    return text if text == "human" else player_argument(text)


def _life(text: str) -> int:
    try:
        life = int(text)
    except ValueError:
        life = 0
    if not 1 <= life <= 200:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 200")
    return life


def _never_fail_to_print() -> None:
    """Where the terminal's encoding lacks a symbol, print a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _close_quietly() -> None:
    """Point the output somewhere harmless, so that Python does not complain when it closes it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
