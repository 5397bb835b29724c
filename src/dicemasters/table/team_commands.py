"""What `dicemasters team` does: check, show, new, list."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console

from dicemasters.cards import Catalogue
from dicemasters.cards.files import with_files
from dicemasters.table.files import reason
from dicemasters.table.team import print_list, print_team, size_of
from dicemasters.teams.arguments import format_argument, format_names
from dicemasters.teams.files import Reading, write_team
from dicemasters.teams.find import find_team
from dicemasters.teams.formats import USUAL, Format, check_partners, find_format
from dicemasters.teams.problem import Problem, TeamError, of_team
from dicemasters.teams.random import random_team
from dicemasters.teams.ready import ready_teams

TEAM_EXAMPLES = """\
examples:
  dicemasters team list                             the ready teams
  dicemasters team show green-rage                  one of them, with its code
  dicemasters team new > my.team                    a file to fill in with any editor
  dicemasters team new --random --seed 7            a random legal team
  dicemasters team check my.team                    everything that is wrong with it
  dicemasters team check mine.team yours.team --format doubles --partners
  dicemasters play --team-a my.team --team-b random"""

TEMPLATE = """\
# A team for '{name}': {size}.
# {about}
# Lines like this one are comments. Find cards with: dicemasters cards energy:fist "cost<=3"
# When you are done: dicemasters team check my.team

name: My team
format: {key}
about: how it wants to win, in a line

# Cards, with how many dice of each (take the # away):
# 4x Hulk: Jade Giant
# 2x Thor: Lord of Asgard
"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `team` with its own commands."""
    team = commands.add_parser(
        "team",
        help="check, show and make teams",
        description="Check, show and make teams. A TEAM is a file, a ready team's name, or a code; docs/formats.md says more.",
        epilog=TEAM_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = team.add_subparsers(dest="part", metavar="what", required=True)
    check = parts.add_parser("check", help="say everything that is wrong with teams")
    check.add_argument("teams", nargs="+", metavar="TEAM")
    check.add_argument("--format", type=format_argument, metavar="F", help="to check them in; by default their own")
    check.add_argument("--partners", action="store_true", help="two teams that are to be partners in Doubles")
    show = parts.add_parser("show", help="show a team")
    show.add_argument("team", metavar="TEAM")
    show.add_argument("--cards", action="store_true", help="with every card in full")
    new = parts.add_parser("new", help="print a team file: a template, or a random team")
    new.add_argument(
        "--format", type=format_argument, default=USUAL, metavar="F", help=f"{format_names()} ({USUAL.key})"
    )
    new.add_argument("--random", action="store_true", help="a random legal team")
    new.add_argument("--seed", type=int, default=0, help="of the random team (%(default)s)")
    parts.add_parser("list", help="list the ready teams")
    for command in (check, show, new):
        command.add_argument(
            "--load", action="append", default=[], metavar="FILE", help="know the home-made cards of a file too"
        )


def main(args: argparse.Namespace) -> int:
    """Carry out a team command; give its exit code."""
    cards = with_files(args.load if "load" in args else ())
    console = Console(highlight=False)
    match args.part:
        case "check":
            return _check(args.teams, args.format, args.partners, cards)
        case "show":
            reading = find_team(args.team, cards)
            print_team(console, reading.team, in_full=args.cards)
            for problem in of_team(reading.check(), args.team):
                print(f"dicemasters: {problem}", file=sys.stderr)
            return 2 if reading.check() else 0
        case "new":
            print(
                write_team(random_team(args.format, args.seed, cards)) if args.random else template(args.format), end=""
            )
        case "list":
            print_list(console, ready_teams())
    return 0


def _check(names: Sequence[str], format: Format | None, partners: bool, cards: Catalogue) -> int:
    """Check each team for itself, and on demand two as partners; a team that cannot be read does not stop the others."""
    problems: list[Problem] = []
    readings: list[Reading] = []
    for name in names:
        try:
            reading = find_team(name, cards)
        except TeamError as error:
            problems += of_team(error.problems, name)
            continue
        except (ValueError, OSError) as error:
            problems.append(Problem(reason(error)))
            continue
        readings.append(reading)
        wrong = of_team(reading.check(format), name)
        problems += wrong
        if not wrong:
            legal_in = (format or find_format(reading.team.format)).name
            print(f"{name}: legal ({legal_in}, {size_of(reading.team)})")
    if partners:
        if len(names) != 2:
            raise ValueError(f"partners are two teams, not {len(names)}")
        if len(readings) == 2:
            problems += of_team(check_partners(readings[0].team, readings[1].team), f"{names[0]} and {names[1]}")
    for problem in problems:
        print(f"dicemasters: {problem}", file=sys.stderr)
    return 2 if problems else 0


def template(format: Format) -> str:
    """Write a file to fill in: headings, and comments that teach the rest."""
    if format.cast:
        raise ValueError(
            f"the teams of '{format.name}' are fixed; print one with: dicemasters team new --format {format.key} --random"
        )
    size = f"up to {format.cards} cards, up to {format.dice} dice"
    text = TEMPLATE.format(name=format.name, size=size, about=format.about, key=format.key)
    if not format.basics:
        return text
    number = "One basic action" if format.basics == 1 else f"{format.basics} basic actions"
    return (
        text + f"\n# {number}:\n" + "".join(f"# basic: {name}\n" for name in ("Force Beam", "Smash!")[: format.basics])
    )
