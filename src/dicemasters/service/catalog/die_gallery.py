"""The gallery of all dice."""

from __future__ import annotations

from typing import cast

from dicemasters.cards import catalogue
from dicemasters.cards.dice import BASIC_COLORS, DICE
from dicemasters.service.games.view_builder import build_die
from dicemasters.service.protocol import game_schema, http_schema


def build_die_gallery() -> http_schema.DieGallery:
    """Return all dice, sorted by title, with their faces and the affiliations of their emblems."""
    dice: dict[str, http_schema.DieKindData] = {}
    basics: list[str] = []
    for card in catalogue():
        if card.kind == "basic":
            basics.append(card.title)
        elif card.affiliations or card.die.key not in dice:
            dice[card.die.key] = {
                "key": card.die.key,
                "title": card.title,
                "kind": cast(game_schema.CardKind, card.kind),
                "affiliations": list(card.affiliations),
                "die": build_die(card.die, card.die.color, card.die.ink),
            }
    for (color, ink), title in zip(BASIC_COLORS, dict.fromkeys(basics), strict=False):
        shape = build_die(DICE["basic"], color, ink)
        dice[f"basic {color}"] = {
            "key": f"basic {color}", "title": title, "kind": "basic", "affiliations": [], "die": shape,
        }  # fmt: skip
    sidekick = DICE["sidekick"]
    shape = build_die(sidekick, sidekick.color, sidekick.ink)
    dice["sidekick"] = {
        "key": "sidekick", "title": "Sidekick", "kind": "sidekick", "affiliations": [], "die": shape,
    }  # fmt: skip
    return {"dice": sorted(dice.values(), key=lambda entry: (entry["title"], entry["key"]))}
