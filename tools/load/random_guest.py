"""A client that makes random choices."""

from __future__ import annotations

import secrets
from typing import Any

from dicemasters.client.game_client import View
from dicemasters.players.rng import SplitMix64


def random_choice(view: View, chance: SplitMix64) -> dict[str, Any]:
    """Return a message that makes a random legal choice."""
    options = [option["number"] for option in view["decision"]["options"] if option["number"] is not None]
    options = options or [0]  # the parts of a damage split have no numbers, but option 0 exists
    choice = {"option": options[chance.below(len(options))]}
    return {"type": "play", "version": view["version"], "choice": choice, "word": secrets.token_hex(16)}
