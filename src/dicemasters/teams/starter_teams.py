"""The teams of the rulebooks' casts."""

from __future__ import annotations

from dicemasters.cards import Catalogue, catalogue
from dicemasters.game.rulesets.starter_games import STARTER_GAMES as STARTER_GAMES
from dicemasters.game.rulesets.starter_games import StarterGame as StarterGame
from dicemasters.teams.team import Team


def starter_teams(key: str, cards: Catalogue | None = None) -> tuple[Team, Team]:
    """Return the two teams of a cast; its basic actions belong to the table, not to a team."""
    all_cards, cast = cards or catalogue(), STARTER_GAMES[key]
    first, second = (
        Team(
            tuple((all_cards.find(name), n) for name, n in team),
            name=f"{cast.name}, {letter}",
            format=starter_format(key),
        )
        for team, letter in zip(cast.teams, "AB", strict=True)
    )
    return first, second


def starter_format(key: str) -> str:
    """Return the key of the format in which a cast is played, such as `first-avx` for the first game of a rulebook."""
    return key if "-" in key else f"first-{key}"
