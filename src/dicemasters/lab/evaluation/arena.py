"""Matches between bots, and their ratings with confidence intervals.

A pair is two games with the same teams, dice and first seat, in which the bots swap sides, so that neither benefits
from the luck of teams and seats. Intervals are computed over pairs. Against the Scripted Opponent the teams change
sides instead, as the other player always begins.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import log, sqrt

from rich.console import Console
from rich.table import Table as Grid

from dicemasters.extras import require_package
from dicemasters.game.game_spec import make_spec
from dicemasters.game.inspect.view import TIE, GameSpec
from dicemasters.game.rulesets.solitaire import DIFFICULTIES, NORMAL, difficulty
from dicemasters.lab.evaluation.bot_game import play_bot_game
from dicemasters.lab.io.output_path import check_output_path, naming_file
from dicemasters.lab.parallel.process_pool import map_ordered
from dicemasters.lab.simulation.aggregate import MIN_GAMES, Z
from dicemasters.lab.studies.plots import NamedInterval, check_plot, plot_ratings
from dicemasters.players.external_bots import make_any_player
from dicemasters.players.player import Player
from dicemasters.teams.tournament_table import random_tournament_spec

SCRIPTED = "scripted"
ELO_SCALE = 400 / log(10)  # Elo points per unit of Bradley-Terry strength
BASE_RATING = 1000.0  # the rating of the first player named
BOOTSTRAP_SAMPLES = 400  # resamples of the pairs for the intervals of ratings
PRIOR = 0.1  # regularisation, so that a player who never lost has a finite rating
MAX_GAMES = 1_000_000  # per run
LONG_GAME_TURNS = 100  # games of strong players should be shorter


@dataclass(frozen=True)
class GamePair:
    """Two games to play, with the sides swapped."""

    names: tuple[str, str]
    seed: int
    edition: str | None


@dataclass(frozen=True)
class PairResult:
    """The first player's points in the two games of a pair, and the lengths of the games in turns."""

    points: tuple[float, float]
    turns: tuple[int, int]


@dataclass(frozen=True)
class Match:
    """All pairs of games between two players."""

    names: tuple[str, str]
    played: tuple[PairResult, ...]

    @property
    def games(self) -> int:
        """The number of games, two per pair."""
        return 2 * len(self.played)

    @property
    def share(self) -> float:
        """Return the first player's share of the points."""
        return sum(sum(pair.points) for pair in self.played) / self.games

    @property
    def margin(self) -> float:
        """Return half the width of the share's 95 % interval over pairs.

        Where all pairs are alike, their variance says nothing; the Wilson interval of a share of 0 or 1 takes its place.
        """
        n, mean = len(self.played), self.share
        if n < 2:
            return 0.5
        variance = sum((sum(pair.points) / 2 - mean) ** 2 for pair in self.played) / (n - 1)
        return Z * sqrt(variance / n) if variance else Z**2 / (n + Z**2)

    @property
    def turns(self) -> list[int]:
        """Return the length of each game in turns."""
        return [turns for pair in self.played for turns in pair.turns]


def play_pair(pair: GamePair) -> PairResult:
    """Play both games of a pair."""
    points: list[float] = []
    turns: list[int] = []
    for swapped in (0, 1):
        spec = random_tournament_spec(pair.seed, edition=pair.edition)
        seats = pair.names if not swapped else pair.names[::-1]
        first = pair.seed // 4 % 2  # independent of the edition, which depends on the seed modulo 4
        if any(_is_script(name) for name in seats):
            seats = pair.names if _is_script(pair.names[1]) else pair.names[::-1]
            spec, first = _solitaire_spec(spec, seats[1], swapped), 0
        players = [_make_player(name, 4 * pair.seed + 2 * swapped + seat) for seat, name in enumerate(seats)]
        final_state = play_bot_game(spec, pair.seed, players, first=first)
        points.append(0.5 if final_state.result == TIE else float(seats[final_state.result] == pair.names[0]))
        turns.append(final_state.turn)
    return PairResult((points[0], points[1]), (turns[0], turns[1]))


def _is_script(name: str) -> bool:
    return name.partition(":")[0] == SCRIPTED


def _make_player(name: str, seed: int) -> Player:
    return make_any_player(SCRIPTED if _is_script(name) else name, seed)


def _solitaire_spec(spec: GameSpec, script: str, swapped: int) -> GameSpec:
    """Return the game as a solitaire game with the script in the second seat, with the teams swapped if requested."""
    setup = spec.setup
    teams = setup.teams[::-1] if swapped else setup.teams
    level = difficulty(script.partition(":")[2] or NORMAL)
    return make_spec(setup.edition, teams, setup.basics, setup.life, level)


def round_robin(
    names: Sequence[str], games: int, *, seed: int = 0, edition: str | None = None, workers: int = 0, label: str = ""
) -> list[Match]:
    """Play a match between each pair of players. The result does not depend on the number of workers."""
    _check(names, games)
    matchups = list(combinations(names, 2))
    pairs = [GamePair(rivals, seed + n, edition) for rivals in matchups for n in range((games + 1) // 2)]
    played = map_ordered(pairs, play_pair, workers=workers, chunk=1, label=label)
    pairs_per_match = (games + 1) // 2
    return [
        Match(rivals, tuple(played[i * pairs_per_match : (i + 1) * pairs_per_match]))
        for i, rivals in enumerate(matchups)
    ]


def _check(names: Sequence[str], games: int) -> None:
    if len(names) < 2:
        raise ValueError("an arena needs at least two players")
    if len(set(names)) < len(names):
        raise ValueError("every player can be named only once; to see the effect of luck, name level5 with two times")
    for name in names:
        script, _, level = name.partition(":")
        if script == SCRIPTED and level and level not in DIFFICULTIES:
            raise ValueError(f"'{name}': the Scripted Opponent can be {', '.join(DIFFICULTIES)}")
        _make_player(name, 0)
    if sum(_is_script(name) for name in names) > 1:
        raise ValueError("the Scripted Opponent cannot play against itself: name it once")
    if games < 1:
        raise ValueError(f"{games} games: there must be at least one")
    if games * len(names) * (len(names) - 1) // 2 > MAX_GAMES:
        raise ValueError(f"these are too many games; there can be at most {MAX_GAMES:,} in one run")


def compute_ratings(names: Sequence[str], matches: Sequence[Match]) -> list[NamedInterval]:
    """Return each player's Elo rating, a Bradley-Terry fit by `choix`, with its 95 % bootstrap interval over pairs."""
    import numpy as np

    ratings = _fit_ratings(names, matches, [range(len(match.played)) for match in matches])
    rng = np.random.default_rng(0)
    resampled = [
        _fit_ratings(names, matches, [rng.integers(0, len(m.played), len(m.played)).tolist() for m in matches])
        for _ in range(BOOTSTRAP_SAMPLES)
    ]
    low, high = np.percentile(np.array(resampled), [2.5, 97.5], axis=0)
    return [(name, float(ratings[i]), float(low[i]), float(high[i])) for i, name in enumerate(names)]


def _fit_ratings(names: Sequence[str], matches: Sequence[Match], chosen_pairs: Sequence[Sequence[int]]) -> list[float]:
    import choix
    import numpy as np

    wins = np.zeros((len(names), len(names)))
    for match, chosen in zip(matches, chosen_pairs, strict=True):
        a, b = (names.index(name) for name in match.names)
        for n in chosen:
            points = sum(match.played[n].points)
            wins[a, b] += points
            wins[b, a] += 2 - points
    strengths = choix.ilsr_pairwise_dense(wins, alpha=PRIOR)
    return [BASE_RATING + ELO_SCALE * float(x - strengths[0]) for x in strengths]


def print_matches(console: Console, matches: Sequence[Match]) -> None:
    """Print a row for each match."""
    grid = Grid("match", "games", "won by the first (95 %)", "turns", f"turn {LONG_GAME_TURNS} on", box=None)
    for match in matches:
        low, high = max(0.0, match.share - match.margin), min(1.0, match.share + match.margin)
        turns = match.turns
        grid.add_row(
            " - ".join(match.names),
            str(match.games),
            f"{match.share:.1%} ({low:.1%} to {high:.1%})",
            f"{sum(turns) / len(turns):.1f}, at most {max(turns)}",
            f"{sum(n >= LONG_GAME_TURNS for n in turns)} of {len(turns)}",
        )
    console.print(grid)


def print_ratings(console: Console, ratings: Sequence[NamedInterval], games: int) -> None:
    """Print a row for each player, strongest first; a few games are not enough for an interval."""
    grid = Grid("player", "rating", "95 % interval", box=None)
    for name, rating, low, high in sorted(ratings, key=lambda r: -r[1]):
        grid.add_row(
            name, f"{rating:.0f}", f"{low:.0f} to {high:.0f}" if games >= MIN_GAMES else "too few games to say"
        )
    console.print(grid)


def main(args: argparse.Namespace) -> int:
    """Play the matches and output the results."""
    names: list[str] = args.players
    plot = check_plot(args.plot) if args.plot else None
    target = check_output_path(args.json) if args.json and args.json != "-" else None
    _check(names, args.games)
    require_package("choix")
    matches = round_robin(
        names, args.games, seed=args.seed, edition=args.edition, workers=args.workers, label="pairs of games"
    )
    ratings = compute_ratings(names, matches)
    data = json.dumps({"matches": [asdict(match) for match in matches], "ratings": ratings}) + "\n"
    if args.json == "-":
        print(data, end="")
    else:
        console = Console(highlight=False)
        print_matches(console, matches)
        print_ratings(console, ratings, args.games)
    if target:
        with naming_file(target):
            target.write_text(data, encoding="utf-8")
    if plot:
        plot_ratings(ratings, plot, f"{args.games} games per pair, on random tournament teams")
    return 0
