"""The options for a new game: editions, house rules, formats, starter games, ready teams and opponents."""

from __future__ import annotations

from dicemasters.game.rulesets.editions import DEFAULT_EDITION, EDITIONS, SUBJECTS, SWITCHES
from dicemasters.game.rulesets.solitaire import SCRIPT_VARIANTS, SOLITAIRE_EDITION
from dicemasters.players.player import PLAYERS
from dicemasters.service.games.game_setup import FIRST_GAME, PLAYER_NAMES
from dicemasters.service.protocol import game_schema, http_schema
from dicemasters.teams.formats import FORMATS
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.starter_teams import STARTER_GAMES

DRAFT_FORMATS = ("draft", "rainbow")  # formats whose teams come from a draft, which has its own page
PLAYER_DESCRIPTIONS = {
    "level1": "Goes by rules of thumb, and now and then does not look at all: for a first game.",
    "simple": "Goes by rules of thumb and never looks ahead: an easy opponent.",
    "level3": "Looks to the end of the turn as level 4 does, but not at every choice.",
    "level4": "Looks to the end of the turn, and has learned from games what is good.",
    "level5": "Tries every choice with many dice: the strongest.",
    "random": "Takes any option: for trying things out.",
    "scripted": "The solitaire game: it buys when you buy, follows a script and says why.",
}


def build_game_options() -> http_schema.GameOptions:
    """Return all options for a new game."""
    return {
        "editions": [{"key": e.key, "name": f"{e.name} ({e.year})"} for e in EDITIONS.values()],
        "formats": [
            {
                "key": FIRST_GAME,
                "name": "First game",
                "life": 10,
                "about": "The teams of the edition's own rulebook.",
                "seats": 2,
            },
            *[
                http_schema.FormatOption(key=f.key, name=f.name, life=f.life, about=f.about, seats=4 if f.sides else 2)
                for f in FORMATS.values()
                if (f.sides or 2 in f.players) and not f.cast and f.key not in DRAFT_FORMATS
            ],
        ],
        "casts": [
            {"key": key, "name": starter.name, "edition": key.partition("-")[0]}
            for key, starter in STARTER_GAMES.items()
        ],
        "teams": [
            {"key": key, "name": team.name, "about": team.about, "format": team.format}
            for key, team in ready_teams().items()
        ],
        "players": [
            {"key": key, "name": PLAYER_NAMES.get(key, key.capitalize()), "about": PLAYER_DESCRIPTIONS.get(key, "")}
            for key in PLAYERS
            if key != "level2"  # alias of the simple player
        ],
        "solitaire": {
            "difficulties": list(game_schema.DIFFICULTIES),
            "readings": [
                {"words": variant.text, "rule": variant.rule, "point": variant.point, "about": variant.about}
                for variant in SCRIPT_VARIANTS
            ],
            "edition": SOLITAIRE_EDITION,
        },
        "house_rules": build_house_rules(),
        "default_edition": DEFAULT_EDITION,
    }


def build_house_rules() -> list[http_schema.HouseRuleGroup]:
    """Return the rule switches by subject: the name and description of both settings, and each edition's value."""
    return [
        {
            "subject": subject,
            "switches": [
                {
                    "name": switch.name,
                    "rule": switch.rule,
                    "on": {"words": switch.yes, "about": switch.on},
                    "off": {"words": switch.no, "about": switch.off},
                    "editions": dict(zip(EDITIONS, switch.values, strict=True)),
                }
                for switch in SWITCHES.values()
                if switch.subject == subject
            ],
        }
        for subject in SUBJECTS
        if any(switch.subject == subject for switch in SWITCHES.values())
    ]
