"""Ready teams: legal tournament teams to start with, stored as team files beside this module."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from dicemasters.teams.team import Team
from dicemasters.teams.team_file import ENDING, read_team, require_legal


@cache
def ready_teams() -> dict[str, Team]:
    """Return the ready teams by the name that selects them, such as `green-rage`."""
    folder = files("dicemasters.teams") / "ready"
    paths = sorted((file for file in folder.iterdir() if file.name.endswith(ENDING)), key=lambda file: file.name)
    return {
        file.name.removesuffix(ENDING): require_legal(read_team(file.read_text(encoding="utf-8"))) for file in paths
    }
