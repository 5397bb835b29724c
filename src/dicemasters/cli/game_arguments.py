"""Creation of a game from command-line arguments: edition, teams, format, life and seed."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence

from dicemasters.cards import Catalogue
from dicemasters.game import Game
from dicemasters.game.rulesets.editions import parse_edition
from dicemasters.game.rulesets.solitaire import SolitaireRules
from dicemasters.teams.formats import DEFAULT_FORMAT, Format, find_format
from dicemasters.teams.matchup import resolve_edition, start_team_game
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.team_file import ParsedTeam
from dicemasters.teams.team_lookup import RANDOM, find_team
from dicemasters.teams.team_problems import TeamError, with_team


def new_game(
    args: argparse.Namespace, seed: int, cards: Catalogue, solitaire: SolitaireRules | None = None
) -> tuple[Game, str]:
    """Return a new game and the arguments that select the same teams again."""
    format: Format | None = args.format
    team_names: list[str | None] = [getattr(args, f"team_{seat}", None) for seat in "abcd"]
    if not any(team_names) and (format is None or format.cast):
        edition = resolve_edition(format or DEFAULT_FORMAT, (), args.edition, is_solitaire=solitaire is not None)
        cast: str = args.cast or (format.cast if format else parse_edition(edition).key)
        if format and cast != format.cast:
            raise ValueError(f"--format {format.key} and --cast {cast} name different teams")
        game = Game.new(edition, cast=cast, life=args.life, seed=seed, first=args.first, solitaire=solitaire)
        return game, f"--cast {cast}"
    if args.cast:
        raise ValueError("--cast sets both teams and cannot be combined with other teams or formats")
    names: Sequence[str] = [name or RANDOM for name in team_names]
    chosen = [None if name.casefold() == RANDOM else find_team(name, cards) for name in names]
    format = format or next((find_format(parsed.team.format) for parsed in chosen if parsed), DEFAULT_FORMAT)
    if not format.sides:
        if any(team_names[2:]):
            raise ValueError("--team-c and --team-d need --format doubles")
        names, chosen = names[:2], chosen[:2]
    parsed_teams: list[ParsedTeam] = []
    for seat, parsed in enumerate(chosen):
        partner = (parsed_teams[seat - 2] if seat > 1 else chosen[seat + 2]) if format.sides else None
        partners = [partner.team] if partner else []
        parsed_teams.append(
            parsed or ParsedTeam(random_team(format, len(names) * seed + seat, cards, partners=partners))
        )
    problems = [
        p for name, reading in zip(names, parsed_teams, strict=True) for p in with_team(reading.check(format), name)
    ]
    if problems:
        raise TeamError(list(dict.fromkeys(problems)))
    teams = [reading.team for reading in parsed_teams]
    edition = resolve_edition(args.format or DEFAULT_FORMAT, teams, args.edition, is_solitaire=solitaire is not None)
    game = start_team_game(
        teams, format, edition, seed=seed, life=args.life, first=args.first, cards=cards, solitaire=solitaire
    )
    for letter, name, team in zip("ABCD", names, () if getattr(args, "json", False) else teams, strict=False):
        print(": ".join(part for part in (letter, team.name or name, team.about) if part))
    team_arguments = " ".join(f"--team-{seat} {shlex.quote(name)}" for seat, name in zip("abcd", names, strict=False))
    return game, f"{team_arguments} --format {shlex.quote(format.key)}"


def life_argument(text: str) -> int:
    """Return the life total given on the command line (argparse type)."""
    try:
        life = int(text)
    except ValueError:
        life = 0
    if not 1 <= life <= 200:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 200")
    return life
