"""`dicemasters draft`: start or resume a draft and export the teams at the end."""

from __future__ import annotations

import argparse
import secrets
import shlex
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from dicemasters.cards.catalogue import SETS, Catalogue
from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.teams.argument_types import EDITION_HELP, edition_argument
from dicemasters.teams.draft import Draft, of_sets, seat_of
from dicemasters.teams.draft_picks import SEATS
from dicemasters.teams.formats import DEFAULT_DRAFT_SIZE, find_format, with_edition
from dicemasters.teams.rainbow_draft import check_players
from dicemasters.teams.team import Team
from dicemasters.teams.team_draft import TeamDraftState, stacks_of
from dicemasters.teams.team_file import ENDING, write_team
from dicemasters.terminal.draft_ui import TerminalDraft
from dicemasters.terminal.prompt import enable_line_editing
from dicemasters.terminal.savegames import read_draft, write_draft

EXAMPLES = """\
examples:
  dicemasters draft team                               against a bot, for a short game, cards of avx
  dicemasters draft team --life 20 --sets avx,uxm      a longer game from two sets
  dicemasters draft team --people 2 --stacks all       two people, all stacks of the set
  dicemasters draft rainbow --players 6                you and five bots
  dicemasters draft rainbow --sets cw --save my.draft  save every pick
  dicemasters draft resume my.draft --out teams        resume it, and write the team files

Type help during a draft for its commands. Rules of both drafts: docs/drafts.md"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `draft` command."""
    parser = commands.add_parser(
        "draft",
        help="draft teams with friends and bots",
        description="Draft teams: a team draft for two players, or a rainbow draft for two to eight.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(dest="kind", metavar="COMMAND", title="commands", required=True)
    about = "Two players take turns choosing cards from stacks, one stack per character or action."
    team = kinds.add_parser("team", help="two players choose from stacks of cards", description=about)
    team.add_argument(
        "--life",
        type=int,
        default=DEFAULT_DRAFT_SIZE,
        metavar="N",
        help="life and dice per player, 8 to 20 (default: %(default)s)",
    )
    team.add_argument(
        "--stacks", type=_stacks, metavar="N", help="number of stacks, or all (default: as many as the life)"
    )
    team.add_argument(
        "--basics", type=int, default=4, metavar="N", help="shared basic actions, 3 or 4 (default: %(default)s)"
    )
    team.add_argument(
        "--first", choices=("A", "B"), help="who goes first in the game, and so picks second (default: random)"
    )
    about = "Every player opens twelve packs in turn, picks a card from each and passes the rest on."
    rainbow = kinds.add_parser("rainbow", help="two to eight players pass packs around", description=about)
    rainbow.add_argument(
        "--players", type=int, default=4, metavar="N", help="number of players, 2 to 8 (default: %(default)s)"
    )
    for kind in (team, rainbow):
        kind.add_argument(
            "--people",
            type=int,
            default=1,
            metavar="N",
            help="number of people; bots take the other seats (default: %(default)s)",
        )
        kind.add_argument(
            "--sets",
            default="avx",
            metavar="SETS",
            help="sets to draft from, such as avx,uxm, or all (default: %(default)s)",
        )
        kind.add_argument("--seed", type=int, metavar="N", help="seed of the deal and the bots")
        kind.add_argument("--save", metavar="FILE", help="save the draft to this file after each pick")
    resume = kinds.add_parser("resume", help="resume a saved draft", description="Resume a saved draft.")
    resume.add_argument("file", help="a draft saved with --save, or with `save` during the draft")
    for kind in (team, rainbow, resume):
        kind.add_argument(
            "--out", metavar="FOLDER", help="write the team files to this folder instead of printing them"
        )
        rules = f"{EDITION_HELP}; it is written into the team files"
        kind.add_argument("--edition", type=edition_argument, metavar="E", help=rules)
        kind.add_argument(
            "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
        )


def main(args: argparse.Namespace) -> int:
    """Run the command. Return the exit code."""
    cards = catalogue_with_files(args.load)
    console = Console(highlight=False)
    draft = read_draft(args.file, cards) if args.kind == "resume" else _new_draft(args, cards)
    save: str | None = args.file if args.kind == "resume" else args.save
    _check_output_paths(draft, save, args.out)
    loaded = [word for path in args.load for word in ("--load", path)]
    ui = TerminalDraft(draft, cards, console, save=save, loaded=loaded)
    enable_line_editing(ui)
    code = ui.run()
    if ui.draft.decision is None:
        _export_teams(ui.draft, args.out, args.edition, loaded, console)
    return code


def _new_draft(args: argparse.Namespace, cards: Catalogue) -> Draft:
    if args.save is not None and Path(args.save).exists():
        file = shlex.quote(args.save)
        raise ValueError(f"{args.save}: the file exists; to resume its draft: dicemasters draft resume {file}")
    seed: int = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    players = 2 if args.kind == "team" else args.players
    if args.kind == "rainbow":
        check_players(players)
    if not 0 <= args.people <= players:
        raise ValueError(f"--people {args.people}: a draft for {players} players has 0 to {players} people")
    sets = [*dict.fromkeys(card.set for card in cards)] if args.sets == "all" else args.sets.split(",")
    people = range(args.people)
    if args.kind == "rainbow":
        return Draft.rainbow(sets=sets, players=players, people=people, seed=seed, cards=cards)
    stacks = len(stacks_of(of_sets(cards, sets))) if args.stacks == "all" else args.stacks
    first = None if args.first is None else seat_of(args.first, 2)
    return Draft.team(
        sets=sets, life=args.life, stacks=stacks, basics=args.basics, first=first, people=people, seed=seed, cards=cards
    )


def _check_output_paths(draft: Draft, save: str | None, folder: str | None) -> None:
    """Raise an error before the first pick if the draft or the teams cannot be written."""
    if save is not None:
        write_draft(save, draft)
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path in _paths(folder, draft):
            if path.exists():
                raise ValueError(f"{path}: the file exists and was not overwritten; choose another folder")


def _stacks(text: str) -> int | str:
    if text == "all" or (text.isascii() and text.isdigit() and len(text) < 5):
        return text if text == "all" else int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is neither a number nor 'all'")


def _export_teams(draft: Draft, folder: str | None, edition: str | None, loaded: list[str], console: Console) -> None:
    """Print the teams or write their files, and print the command that plays them."""
    teams = [_with_rules(team, edition) for team in draft.teams]
    paths = _paths(folder or "", draft)
    console.print(Text("The draft is over. These are the teams:"))
    for path, team in zip(paths, teams, strict=True):
        text = write_team(team)
        if folder is None:
            console.print(Text(f"\n# {path}\n{text}"), end="", soft_wrap=True)
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            console.print(Text(f"{path}: {team.name}"), soft_wrap=True)
    if folder is None:
        console.print(Text("\nEach of these is a team file. With --out FOLDER, the files are written for you."))
    console.print(
        Text(f"\nPlay with them: {shlex.join(_play_command(draft, edition, paths) + loaded)}"), soft_wrap=True
    )


def _with_rules(team: Team, edition: str | None) -> Team:
    """Return the team with the edition added to its format, if one is given."""
    return replace(team, format=with_edition(find_format(team.format), edition).key) if edition else team


def _play_command(draft: Draft, edition: str | None, paths: list[Path]) -> list[str]:
    """Return the command that plays the first two teams. The edition defaults to that of the newest set."""
    cards = [card for team in draft.teams for card, _ in team.cards]
    newest = max((card.set for card in cards if card.set in SETS), key=[*SETS].index, default="ai")
    words = ["dicemasters", "play", "--edition", edition or newest, "--format", draft.teams[0].format]
    words += ["--team-a", str(paths[0]), "--team-b", str(paths[1])]
    if isinstance(draft.state, TeamDraftState):
        words += ["--first", SEATS[draft.state.first]]
    return words


def _paths(folder: str, draft: Draft) -> list[Path]:
    return [Path(folder) / f"draft-{draft.seed}-{SEATS[seat].lower()}{ENDING}" for seat in range(draft.seats)]
