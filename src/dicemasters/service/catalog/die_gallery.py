"""Every kind of die there is, for the page that shows them all."""

from __future__ import annotations

from typing import cast

from dicemasters.cards import catalogue
from dicemasters.cards.dice import BASIC_COLORS, DICE
from dicemasters.service.games.view_builder import build_die
from dicemasters.service.protocol import game_schema, http_schema


def build_die_gallery() -> http_schema.DieGallery:
    """Give all dice by their titles: what is printed on them, and what their emblems are made of."""
    shown: dict[str, http_schema.DieKindData] = {}
    basics: list[str] = []
    for card in catalogue():
        if card.kind == "basic":
            basics.append(card.title)
        elif card.affiliations or card.die.key not in shown:
            shown[card.die.key] = {
                "key": card.die.key,
                "title": card.title,
                "kind": cast(game_schema.CardKind, card.kind),
                "affiliations": list(card.affiliations),
                "die": build_die(card.die, card.die.color, card.die.ink),
            }
    for (color, ink), title in zip(BASIC_COLORS, dict.fromkeys(basics), strict=False):
        plain = build_die(DICE["basic"], color, ink)
        shown[f"basic {color}"] = {
            "key": f"basic {color}", "title": title, "kind": "basic", "affiliations": [], "die": plain,
        }  # fmt: skip
    sidekick = DICE["sidekick"]
    plain = build_die(sidekick, sidekick.color, sidekick.ink)
    shown["sidekick"] = {
        "key": "sidekick", "title": "Sidekick", "kind": "sidekick", "affiliations": [], "die": plain,
    }  # fmt: skip
    return {"dice": sorted(shown.values(), key=lambda one: (one["title"], one["key"]))}
