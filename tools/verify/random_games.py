"""Random games under random rules."""

from __future__ import annotations

from dicemasters.cards.catalogue import Catalogue, catalogue
from dicemasters.game.game import Game
from dicemasters.game.inspect.view import State
from dicemasters.game.rulesets.editions import EDITIONS, SWITCHES, parse_edition, with_house_rules
from dicemasters.players.heuristic import HeuristicPlayer
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.formats import FORMATS
from dicemasters.teams.matchup import start_team_game
from dicemasters.teams.random_teams import draw_cards, random_team
from dicemasters.teams.starter_teams import STARTER_GAMES
from dicemasters.teams.team import Team

MAX_DECISIONS = 50_000  # decisions per game; a longer one is a failure


# --- games ---------------------------------------------------------------------------------------------------------


def random_rules(seed: int, edition: str | None = None) -> str:
    """Return the edition for a seed (by default each in turn) with random house rules: one, some or half of all."""
    chance = SplitMix64(seed ^ 0x4005E)
    plain = parse_edition(edition or list(EDITIONS)[seed % len(EDITIONS)])
    one_in = (2, 8, len(SWITCHES))[chance.below(3)]
    flipped = [switch for switch in SWITCHES.values() if chance.below(one_in) == 0]
    flipped = flipped or [list(SWITCHES.values())[chance.below(len(SWITCHES))]]
    return with_house_rules(plain, [switch.setting_text(not getattr(plain, switch.name)) for switch in flipped]).text


def random_game(seed: int, cards: Catalogue | None = None, edition: str | None = None) -> Game:
    """Start the game of a seed: editions in turn, with a starter game's cast or a mix of all cards."""
    chance = SplitMix64(seed)
    edition = edition or list(EDITIONS)[seed % len(EDITIONS)]
    if cards is None and chance.below(4) == 0:
        return Game.new(edition, cast=list(STARTER_GAMES)[chance.below(len(STARTER_GAMES))], seed=seed)
    known = list(cards or catalogue())
    teams = [draw_cards([c for c in known if c.kind != "basic"], chance.below(9), chance) for _ in range(2)]
    basics = draw_cards([c for c in known if c.kind == "basic"], chance.below(5), chance)
    return Game.new(
        edition,
        teams=[[(c, 1 + chance.below(c.max)) for c in team] for team in teams],
        basics=basics,
        life=(10, 15, 20)[chance.below(3)],
        seed=seed,
        first=(None, "A", "B")[chance.below(3)],
        cards=cards,
    )


def random_doubles(seed: int, cards: Catalogue | None = None, edition: str | None = None) -> Game:
    """Start a game of four with legal random teams."""
    chance, doubles = SplitMix64(seed), FORMATS["doubles"]
    teams: list[Team] = []
    for seat in range(4):
        partners = teams[seat - 2 : seat - 1] if seat > 1 else ()
        teams.append(random_team(doubles, 4 * seed + seat, cards, partners=partners))
    edition = edition or list(EDITIONS)[seed % len(EDITIONS)]
    first = (None, "A", "B")[chance.below(3)]
    return start_team_game(
        teams, doubles, edition, seed=seed, life=(10, 20, 30)[chance.below(3)], first=first, cards=cards
    )


# --- a game --------------------------------------------------------------------------------------------------------


class MixedPlayer:
    """Chooses mostly at random, sometimes like the heuristic bot, so that games have combat and come to an end."""

    def __init__(self, seed: int, most_sense: int = 2) -> None:
        self._chance = SplitMix64(~seed)
        self._simple = HeuristicPlayer(seed)
        self._sense = self._chance.below(most_sense + 1)  # how many of four choices are sensible

    def choose(self, s: State) -> int:
        if self._chance.below(4) < self._sense:
            return self._simple.choose(s)
        return self._chance.below(len(s.options))
