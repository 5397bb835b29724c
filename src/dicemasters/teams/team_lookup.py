"""Team lookup by a file, a ready team's name, a code, or `random`."""

from __future__ import annotations

import difflib
from pathlib import Path

from dicemasters.cards import Catalogue
from dicemasters.teams.formats import DEFAULT_FORMAT, Format
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team_code import decode_team, is_team_code
from dicemasters.teams.team_file import ENDING, ParsedTeam, load_team, read_team

RANDOM = "random"


def find_team(
    reference: str, cards: Catalogue | None = None, *, format: Format | None = None, seed: int = 0
) -> ParsedTeam:
    """Return the team that a reference names; `format` and `seed` are those of a random team.

    Raise `ValueError` or `OSError` if there is none.

    >>> find_team("Green Rage").team.name
    'Green Rage'
    """
    name = "-".join(reference.casefold().split())
    if name == RANDOM:
        return ParsedTeam(random_team(format or DEFAULT_FORMAT, seed, cards))
    if name in ready_teams():
        return ParsedTeam(ready_teams()[name])
    path = Path(reference)
    if (reference and path.exists()) or reference.endswith(ENDING) or len(path.parts) > 1:
        return load_team(path, cards)
    if is_team_code(reference):
        return ParsedTeam(decode_team(reference, cards))
    close_matches = difflib.get_close_matches(name[:80], ready_teams(), 1, 0.6)
    hint = f"; did you mean '{close_matches[0]}'?" if close_matches else ""
    raise ValueError(f"'{reference[:80]}' is not a file, a ready team or a team code{hint}")


def parse_team_reference(reference: str, cards: Catalogue | None = None) -> ParsedTeam:
    """Return the team that untrusted text names: a ready team, a code, or a team written out, but never a file.

    Raise `TeamError` if a code is invalid.

    >>> parse_team_reference("green rage").team.name, parse_team_reference("4x Hulk: Jade Giant").team.dice
    ('Green Rage', 4)
    """
    reference = reference.strip()
    name = "-".join(reference.casefold().split())
    if name in ready_teams():
        return ParsedTeam(ready_teams()[name])
    return ParsedTeam(decode_team(reference, cards)) if is_team_code(reference) else read_team(reference, cards)
