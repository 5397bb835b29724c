"""`dicemasters team`: check, show, create, list, print and compare teams."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from dicemasters.cards import Catalogue
from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.errors import error_line
from dicemasters.teams.argument_types import format_argument, format_names
from dicemasters.teams.formats import DEFAULT_FORMAT, Format, check_partners, find_format
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_file import ENDING, ParsedTeam, read_bytes, write_team
from dicemasters.teams.team_lookup import find_team
from dicemasters.teams.team_problems import TeamError, TeamProblem, with_team
from dicemasters.terminal.team_sheet import comparison_as_json, print_comparison, render_sheet, team_as_json
from dicemasters.terminal.team_view import print_list, print_team, size_of

TEAM_EXAMPLES = """\
examples:
  dicemasters team list                             list the ready teams
  dicemasters team show green-rage                  show a ready team, with its code
  dicemasters team new > my.team                    a template to fill in with any editor
  dicemasters team new --random --seed 7            a random legal team
  dicemasters team check my.team                    report every problem of a team
  dicemasters team check mine.team yours.team --format doubles --partners
  dicemasters team check teams/                     check every *.team file in a folder
  dicemasters team check - < my.team                check a team from standard input
  dicemasters team sheet my.team > my.html          a page to print
  dicemasters team compare green-rage flame-on      two teams side by side
  dicemasters play --team-a my.team --team-b random"""

TEAM_HELP = "a file, a ready team's name, or a team code"

TEMPLATE = """\
# A team for '{name}': {size}.
# {about}
# Lines like this one are comments. Find cards with: dicemasters cards energy:fist "cost<=3"
# When you are done: dicemasters team check my.team

name: My team
format: {key}
about: how it plans to win, in one line

# Cards, each with its number of dice (remove the #):
# 4x Hulk: Jade Giant
# 2x Thor: Lord of Asgard
"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `team` command with its subcommands."""
    team = commands.add_parser(
        "team",
        help="check, show, compare and print teams",
        description="Check, show, compare, print and create teams. A TEAM is a file, a ready team's name, or a team code (docs/formats.md).",
        epilog=TEAM_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = team.add_subparsers(dest="part", metavar="COMMAND", title="commands", required=True)
    check = _add_part(parts, "check", "check teams and report all problems")
    check.add_argument(
        "teams", nargs="+", metavar="TEAM", help="a team, a folder with *.team files, or - for standard input"
    )
    check.add_argument("--json", action="store_true", help="print the teams and their problems as JSON")
    check.add_argument(
        "--format", type=format_argument, metavar="F", help="format to check against (default: each team's own)"
    )
    check.add_argument("--partners", action="store_true", help="check two teams as partners in Doubles")
    show = _add_part(parts, "show", "show a team, with its problems and its code")
    show.add_argument("team", metavar="TEAM", help=TEAM_HELP)
    show.add_argument("--json", action="store_true", help="print as JSON")
    show.add_argument("--cards", action="store_true", help="show every card in full")
    new = _add_part(parts, "new", "print a team file: a template, or a random team")
    new.add_argument(
        "--format",
        type=format_argument,
        default=DEFAULT_FORMAT,
        metavar="F",
        help=f"format of the team: {format_names()} (default: {DEFAULT_FORMAT.key})",
    )
    new.add_argument("--random", action="store_true", help="print a random legal team")
    new.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random team (default: %(default)s)")
    ready = _add_part(parts, "list", "list the ready teams")
    ready.add_argument("--json", action="store_true", help="print as JSON")
    page = _add_part(parts, "sheet", "print a team as an HTML page")
    page.add_argument("team", metavar="TEAM", help=TEAM_HELP)
    two = _add_part(parts, "compare", "show two teams side by side")
    two.add_argument("team", metavar="TEAM", help=TEAM_HELP)
    two.add_argument("other", metavar="TEAM", help="the other team")
    two.add_argument("--json", action="store_true", help="print as JSON")
    for command in (check, show, new, page, two):
        command.add_argument(
            "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
        )


def _add_part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str
) -> argparse.ArgumentParser:
    """Add a subcommand whose description is its summary."""
    return parts.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")


def main(args: argparse.Namespace) -> int:
    """Run a team command. Return the exit code."""
    cards = catalogue_with_files(args.load if "load" in args else ())
    console = Console(highlight=False)
    match args.part:
        case "check":
            return _check(_expand_folders(args.teams), args.format, args.partners, cards, as_json=args.json)
        case "sheet":
            parsed = _find(args.team, cards)
            print(render_sheet(parsed.team, [str(problem) for problem in parsed.check()]), end="")
            return _print_problems(with_team(parsed.check(), args.team))
        case "compare":
            names = (args.team, args.other)
            parsed_teams = [_find(name, cards) for name in names]
            pair = (parsed_teams[0].team, parsed_teams[1].team)
            if args.json:
                _print_json(comparison_as_json(pair))
            else:
                print_comparison(console, (pair[0].name or names[0], pair[1].name or names[1]), pair)
            unread = [with_team(parsed.problems, name) for parsed, name in zip(parsed_teams, names, strict=True)]
            return _print_problems([problem for some in unread for problem in some])
        case "show":
            parsed = _find(args.team, cards)
            if args.json:
                _print_json(team_as_json(parsed.team, [str(problem) for problem in parsed.check()]))
                return 2 if parsed.check() else 0
            print_team(console, parsed.team, in_full=args.cards)
            return _print_problems(with_team(parsed.check(), args.team))
        case "new":
            print(
                write_team(random_team(args.format, args.seed, cards)) if args.random else template(args.format), end=""
            )
        case "list" if args.json:
            _print_json([{"key": key, **team_as_json(team, [])} for key, team in ready_teams().items()])
        case "list" if not console.is_terminal:
            print("key\tname\tformat\tabout")
            for key, team in ready_teams().items():
                print("\t".join((key, team.name, team.format, team.about)))
        case "list":
            print_list(console, ready_teams())
    return 0


def _print_problems(problems: Sequence[TeamProblem]) -> int:
    """Print the problems to standard error, one per line. Return the exit code."""
    for problem in problems:
        print(f"dicemasters: {problem}", file=sys.stderr)
    return 2 if problems else 0


def _find(name: str, cards: Catalogue) -> ParsedTeam:
    """Return a team by name, file or code; `-` reads a team file from standard input."""
    return read_bytes(sys.stdin.buffer.read(), name, cards) if name == "-" else find_team(name, cards)


def _expand_folders(names: Sequence[str]) -> list[str]:
    """Return the names with each folder replaced by the team files in it."""
    teams: list[str] = []
    for name in names:
        if Path(name).is_dir():
            files = sorted(str(path) for path in Path(name).rglob(f"*{ENDING}"))
            if not files:
                raise ValueError(f"{name}: there is no *{ENDING} file in this folder")
            teams += files
        else:
            teams.append(name)
    return teams


def _print_json(data: object) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=1))


def _check(
    names: Sequence[str], format: Format | None, partners: bool, cards: Catalogue, *, as_json: bool = False
) -> int:
    """Check each team and, if requested, two as partners. Unreadable teams are reported with the others."""
    reports: list[dict[str, object]] = []
    problems: list[TeamProblem] = []
    parsed_teams: list[ParsedTeam] = []
    for name in names:
        try:
            parsed = _find(name, cards)
        except TeamError as error:
            problems += with_team(error.problems, name)
            reports.append({"file": name, "legal": False, "problems": [str(problem) for problem in error.problems]})
            continue
        except (ValueError, OSError) as error:
            problems.append(TeamProblem(error_line(error)))
            reports.append({"file": name, "legal": False, "problems": [error_line(error)]})
            continue
        parsed_teams.append(parsed)
        team_problems = with_team(parsed.check(format), name)
        problems += team_problems
        reports.append({"file": name, **team_as_json(parsed.team, [str(problem) for problem in team_problems])})
        if not team_problems and not as_json:
            legal_in = (format or find_format(parsed.team.format)).name
            print(f"{name}: legal ({legal_in}, {size_of(parsed.team)})")
    if partners:
        if len(names) != 2:
            raise ValueError(f"--partners needs two teams, not {len(names)}")
        if len(parsed_teams) == 2:
            problems += with_team(
                check_partners(parsed_teams[0].team, parsed_teams[1].team), f"{names[0]} and {names[1]}"
            )
    if as_json:
        _print_json(reports)
    return (2 if problems else 0) if as_json else _print_problems(problems)


def template(format: Format) -> str:
    """Return a blank team file with headings, and comments that explain the rest."""
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
