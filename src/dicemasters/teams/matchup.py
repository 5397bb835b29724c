"""Starting a game between two teams, or four in Doubles."""

from __future__ import annotations

from collections.abc import Sequence

from dicemasters.cards import Card, Catalogue, catalogue
from dicemasters.game import Game
from dicemasters.game.rulesets.editions import DEFAULT_EDITION
from dicemasters.game.rulesets.solitaire import SOLITAIRE_EDITION, SolitaireRules
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.formats import DEFAULT_FORMAT, Format, check_matchup, find_format
from dicemasters.teams.random_teams import draw_cards
from dicemasters.teams.starter_teams import STARTER_GAMES
from dicemasters.teams.team import Team
from dicemasters.teams.team_problems import TeamError


def start_team_game(
    teams: Sequence[Team],
    format: Format = DEFAULT_FORMAT,
    edition: str | None = None,
    *,
    seed: int = 0,
    life: int | None = None,
    first: str | None = None,
    shared_basics: Sequence[Card] = (),
    cards: Catalogue | None = None,
    solitaire: SolitaireRules | None = None,
) -> Game:
    """Start a game between two legal teams, or four. Raise `TeamError` with all problems if they are not legal.

    Without an edition, the rules are those of the format or the teams (`resolve_edition`). Basic actions that a format
    shares are those given, those the teams were drafted with, or drawn with the seed.

    >>> from dicemasters.teams.ready_teams import ready_teams
    >>> game = start_team_game([ready_teams()["green-rage"], ready_teams()["flame-on"]], seed=7, first="A")
    >>> game.state.life
    [20, 20]
    """
    problems = check_matchup(teams, format)
    if problems:
        raise TeamError(problems)
    basics = shared_basics or [card for team in teams for card in team.basics]
    if format.cast:
        basics = [(cards or catalogue()).find(key) for key in STARTER_GAMES[format.cast].basics]
    elif format.shared_basics and not shared_basics:
        drafted_with = next((team.basics for team in teams if team.basics), ())
        basics = drafted_with or draw_basic_actions(format, seed, cards)
    return Game.new(
        resolve_edition(format, teams, edition, is_solitaire=solitaire is not None),
        teams=[team.cards for team in teams],
        basics=basics,
        life=life or format.life,
        seed=seed,
        first=first,
        solitaire=solitaire,
    )


def resolve_edition(
    format: Format, teams: Sequence[Team] = (), edition: str | None = None, *, is_solitaire: bool = False
) -> str:
    """Return the edition of a game: the requested one, else the format's, else the one the teams' formats name.

    If none is named it is the newest edition, or, against the script, the solitaire edition (rules 8.1a). Raise
    `ValueError` if the teams name different ones.
    """
    if edition or format.edition:
        return edition or format.edition
    named = list(dict.fromkeys(team_edition for team in teams if (team_edition := find_format(team.format).edition)))
    if len(named) > 1:
        raise ValueError(f"the teams name different rules, '{named[0]}' and '{named[1]}'; choose an edition")
    return named[0] if named else SOLITAIRE_EDITION if is_solitaire else DEFAULT_EDITION


def draw_basic_actions(format: Format, seed: int, cards: Catalogue | None = None) -> list[Card]:
    """Return the basic actions that all players share: three or four, drawn with the seed (rules 7.0e)."""
    rng = SplitMix64(seed)
    number = format.shared_basics[rng.below(len(format.shared_basics))]
    return draw_cards([card for card in cards or catalogue() if card.kind == "basic"], number, rng)
