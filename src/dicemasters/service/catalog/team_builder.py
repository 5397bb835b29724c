"""The team builder: ready teams, legality checks, opening odds, and trial games between two bots."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from dicemasters.game.inspect.view import UNDECIDED
from dicemasters.game.turn import loop
from dicemasters.players.player import make_player
from dicemasters.service.games.game_setup import MAX_SEED, TEAM_LENGTH
from dicemasters.service.protocol import card_schema
from dicemasters.service.protocol.validation import Length, Range, RequestModel
from dicemasters.teams.formats import DEFAULT_FORMAT, FORMATS, find_format
from dicemasters.teams.matchup import resolve_edition, start_team_game
from dicemasters.teams.opening_odds import chance_to_buy, chance_to_buy_in_two, chance_to_field
from dicemasters.teams.random_teams import random_team
from dicemasters.teams.ready_teams import ready_teams
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import encode_team
from dicemasters.teams.team_file import require_legal, write_team
from dicemasters.teams.team_lookup import RANDOM, parse_team_reference
from dicemasters.teams.team_problems import TeamError, with_team

MAX_GAMES = 25  # per trial request
MAX_TRIAL_START = 10_000
TRIAL_SECONDS = 0.4  # CPU time per request; the client requests the remaining games again
SEATS = ("A", "B")


class TeamCheckRequest(RequestModel):
    """A team to check: the name of a ready team, a team code, or a written team."""

    text: Annotated[str, Length(TEAM_LENGTH)]


class TrialRequest(RequestModel):
    """Games of two bots, numbered from `start`, with two teams; a second team `random` is drawn for each game."""

    teams: Annotated[list[Annotated[str, Length(TEAM_LENGTH)]], Length(2, 2)]
    player: Literal["simple", "random"] = "simple"
    seed: Annotated[int, Range(0, MAX_SEED)] = 0
    start: Annotated[int, Range(0, MAX_TRIAL_START)] = 0
    games: Annotated[int, Range(1, MAX_GAMES)] = MAX_GAMES


def build_team_catalog() -> card_schema.TeamCatalog:
    """Return the ready teams, and the formats a team can be built for."""
    return {
        "teams": [{"key": key, **_team_data(team)} for key, team in ready_teams().items()],
        "formats": [
            {
                "key": team_format.key,
                "name": team_format.name,
                "about": team_format.about,
                "cards": team_format.cards,
                "dice": team_format.dice,
                "basics": team_format.basics,
                "life": team_format.life,
            }
            for team_format in FORMATS.values()
            if not team_format.cast
        ],
    }


def check_team_text(request: TeamCheckRequest) -> card_schema.TeamReport:
    """Return a team with all its problems; raise TeamError if it cannot be read at all."""
    reading = parse_team_reference(request.text)
    team = reading.team
    return {
        "team": _team_data(team),
        "problems": [{"text": problem.text, "rule": problem.rule, "line": problem.line} for problem in reading.check()],
        "text": write_team(team),
        "first_turns": [
            {
                "key": card.key,
                "buy": chance_to_buy(card),
                "by_two": chance_to_buy_in_two(card),
                "field": chance_to_field(card),
            }
            for card in (*(card for card, _ in team.cards), *team.basics)
        ],
    }


def run_trial(request: TrialRequest) -> card_schema.TrialResult:
    """Play the requested games between two bots, as many as fit into the time limit.

    The same request always yields the same games. The first team is A, and B begins every other game. The format is
    that of the first team.
    """
    team = _parse_legal_team(request.teams[0], "team A")
    format = find_format(team.format)
    is_random = request.teams[1].strip().casefold() == RANDOM
    opponent = None if is_random else _parse_legal_team(request.teams[1], "team B")
    games: list[card_schema.TrialGame] = []
    deadline = time.process_time() + TRIAL_SECONDS
    for number in range(request.start, request.start + request.games):
        seed = (request.seed + number) % MAX_SEED
        teams = [team, opponent or random_team(format, seed)]
        s = start_team_game(
            teams, format, resolve_edition(DEFAULT_FORMAT, teams), seed=seed, first=SEATS[number % 2]
        ).state
        players = [make_player(request.player, 2 * seed), make_player(request.player, 2 * seed + 1)]
        while s.result == UNDECIDED:
            if s.decision.kind:
                loop.apply(s, s.options[players[s.decision.seat].choose(s)], s.turn)
            else:
                loop.advance(s)
        games.append({"winner": SEATS[s.result] if s.result in (0, 1) else "", "turns": s.turn})
        if time.process_time() > deadline:
            break
    return {"games": games}


def _parse_legal_team(reference: str, label: str) -> Team:
    try:
        return require_legal(parse_team_reference(reference))
    except TeamError as error:
        raise TeamError(with_team(error.problems, label)) from None


def _team_data(team: Team) -> card_schema.TeamData:
    try:
        code = encode_team(team)
    except TeamError:  # home-made cards, or more cards than a code can hold
        code = ""
    return {
        "name": team.name,
        "about": team.about,
        "format": team.format,
        "cards": [{"key": card.key, "dice": dice} for card, dice in team.cards],
        "basics": [card.key for card in team.basics],
        "code": code,
    }
