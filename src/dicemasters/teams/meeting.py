"""A game between two teams."""

from __future__ import annotations

from collections.abc import Sequence

from dicemasters.cards import Card, Catalogue, catalogue
from dicemasters.game import Game
from dicemasters.game.editions import DEFAULT_EDITION
from dicemasters.game.solitaire import Solitaire
from dicemasters.players.random import Chance
from dicemasters.teams.casts import CASTS
from dicemasters.teams.formats import USUAL, Format, check_meeting
from dicemasters.teams.problem import TeamError
from dicemasters.teams.random import draw_cards
from dicemasters.teams.team import Team


def start_game(
    teams: Sequence[Team],
    format: Format = USUAL,
    edition: str = DEFAULT_EDITION,
    *,
    seed: int = 0,
    life: int | None = None,
    first: str | None = None,
    shared_basics: Sequence[Card] = (),
    cards: Catalogue | None = None,
    solitaire: Solitaire | None = None,
) -> Game:
    """Start a game between two legal teams; a TeamError lists everything that is wrong with them.

    Where a format shares its basic actions and none are given, the seed draws them.

    >>> from dicemasters.teams.ready import ready_teams
    >>> game = start_game([ready_teams()["green-rage"], ready_teams()["flame-on"]], seed=7, first="A")
    >>> game.state.life
    [20, 20]
    """
    problems = check_meeting(teams, format)
    if problems:
        raise TeamError(problems)
    basics = shared_basics or [card for team in teams for card in team.basics]
    if format.cast:
        basics = [(cards or catalogue()).find(key) for key in CASTS[format.cast].basics]
    elif format.shared_basics and not shared_basics:
        basics = draw_basics(format, seed, cards)
    return Game.new(
        edition,
        teams=[team.cards for team in teams],
        basics=basics,
        life=life or format.life,
        seed=seed,
        first=first,
        solitaire=solitaire,
    )


def draw_basics(format: Format, seed: int, cards: Catalogue | None = None) -> list[Card]:
    """Draw the basic actions that everybody shares: three or four, as the seed decides (rules 7.2)."""
    chance = Chance(seed)
    number = format.shared_basics[chance.below(len(format.shared_basics))]
    return draw_cards([card for card in cards or catalogue() if card.kind == "basic"], number, chance)
