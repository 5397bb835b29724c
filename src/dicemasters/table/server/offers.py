"""What the start page offers: editions, formats, casts, ready teams, opponents."""

from __future__ import annotations

from typing import Any

from dicemasters.game.editions import DEFAULT_EDITION, EDITIONS
from dicemasters.players.player import PLAYERS
from dicemasters.teams.casts import CASTS

ABOUT = {
    "simple": "Goes by rules of thumb and never looks ahead: an easy opponent.",
    "random": "Takes any option: for trying things out.",
    "scripted": "Follows a published script: the solitaire game's opponent.",
}


def start_data() -> dict[str, Any]:
    """Give everything somebody may choose from, as JSON data."""
    return {
        "editions": [{"key": e.key, "name": f"{e.name} ({e.year})"} for e in EDITIONS.values()],
        "formats": [{"key": "first", "name": "First game", "life": 10, "about": "The rulebook's first game."}],
        "casts": [{"key": key, "name": cast.name, "edition": key.partition("-")[0]} for key, cast in CASTS.items()],
        "teams": [],
        "players": [{"key": key, "name": key.capitalize(), "about": ABOUT.get(key, "")} for key in PLAYERS],
        "default_edition": DEFAULT_EDITION,
    }
