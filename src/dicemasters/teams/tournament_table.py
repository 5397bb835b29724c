"""Games between random tournament teams."""

from __future__ import annotations

from functools import lru_cache

from dicemasters.cards.catalogue import Catalogue, catalogue
from dicemasters.game.game import make_game_spec
from dicemasters.game.inspect.view import GameSpec
from dicemasters.game.rulesets.editions import EDITIONS
from dicemasters.teams.formats import DEFAULT_FORMAT
from dicemasters.teams.random_teams import random_team


def random_tournament_spec(seed: int, of_one_set: bool = False, edition: str | None = None) -> GameSpec:
    """Return a game between two random tournament teams; without an edition, the seed selects one in turn.

    With `of_one_set` each team only has cards of one set, so that cards of a set meet more often.
    """
    edition = edition or list(EDITIONS)[seed % len(EDITIONS)]
    teams = []
    for seat in range(2):
        set_key = list(EDITIONS)[(seed // len(EDITIONS) + seat) % len(EDITIONS)]
        teams.append(random_team(DEFAULT_FORMAT, 2 * seed + seat, _of_set(set_key) if of_one_set else None))
    basics = [card for team in teams for card in team.basics]
    return make_game_spec(edition, teams=[team.cards for team in teams], basics=basics, life=DEFAULT_FORMAT.life)


@lru_cache(maxsize=len(EDITIONS))
def _of_set(key: str) -> Catalogue:
    return Catalogue(card for card in catalogue() if card.set == key)
