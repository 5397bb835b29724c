"""Random choices of a guest."""

from __future__ import annotations

import secrets
from typing import Any

from dicemasters.client.game_client import View
from dicemasters.players.rng import SplitMix64


def random_choice(view: View, chance: SplitMix64) -> dict[str, Any]:
    """Give a message that makes any of the legal choices."""
    options = [option["number"] for option in view["decision"]["options"] if option["number"] is not None]
    options = options or [0]  # parts of a split have no number of their own, but the first way to split has
    choice = {"option": options[chance.below(len(options))]}
    return {"type": "play", "version": view["version"], "choice": choice, "word": secrets.token_hex(16)}
