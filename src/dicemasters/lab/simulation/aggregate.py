"""Statistics of many simulated games: win rates with intervals, lengths, ways to win, life over time, and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import takewhile
from math import sqrt
from statistics import fmean, median
from typing import Any

from dicemasters.lab.simulation.game_stats import BOUGHT, CARD_STATS, Data

Z = 1.959964  # normal quantile of a 95 % interval
MIN_GAMES = 10  # smallest number of games for which a share is reported


@dataclass(frozen=True, slots=True)
class WinRate:
    """A share of games with its 95 % interval (Wilson's, which also holds near 0 and 1)."""

    share: float
    low: float
    high: float
    games: int

    def __str__(self) -> str:
        return f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%})"


def win_rate(points: float, games: int) -> WinRate:
    """Return the share of points in this many games; a tie is half a point.

    >>> str(win_rate(70, 100))
    '70.0% (60.4% to 78.1%)'
    """
    if not games:
        return WinRate(0.0, 0.0, 1.0, 0)
    p = points / games
    centre = (p + Z * Z / (2 * games)) / (1 + Z * Z / games)
    margin = Z * sqrt(p * (1 - p) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return WinRate(p, max(0.0, min(p, centre - margin)), min(1.0, max(p, centre + margin)), games)


@dataclass(frozen=True, slots=True)
class CardSummary:
    """Mean statistics of a card per game, and how often its team won with and without buying it."""

    key: str
    deeds: tuple[float, ...]  # per game, in the order of `CARD_STATS`
    bought_in: int  # number of games in which it was bought
    won_when_bought: WinRate
    won_otherwise: WinRate


@dataclass(frozen=True, slots=True)
class PairingSummary:
    """Statistics of the games of one pairing."""

    games: int
    ties: int
    won: WinRate  # share of games won by A
    first_won: WinRate
    turns: tuple[float, float, int]  # mean, median, maximum
    how: dict[str, int]
    life: list[tuple[float, float]]  # mean of each side at the beginning of each turn that half of the games reached
    cards: dict[str, list[CardSummary]]  # by seat, most bought first

    def data(self) -> dict[str, Any]:
        """Return the summary as plain data, for JSON."""
        return asdict(self)


def points_of(row: Data, seat: str) -> float:
    """Return the points of a seat in a game: 1 for a win, 0.5 for a tie."""
    return 1.0 if row["winner"] == seat else 0.0 if row["winner"] else 0.5


@dataclass
class _CardTally:
    """Totals of a card over the games so far."""

    deeds: list[int]
    bought_in: int = 0
    points: float = 0.0  # points of its team, in the games in which it was bought


def summarize(rows: Iterable[Data]) -> PairingSummary:
    """Return the statistics of games of one pairing, in a single pass; at least one game is needed."""
    turns: list[int] = []
    how: Counter[str] = Counter()
    won = {"A": 0.0, "B": 0.0}
    first_won = 0.0
    life: list[list[int]] = []  # for each turn, the number of games that reached it and the sums of both sides' life
    cards: dict[str, dict[str, _CardTally]] = {"A": {}, "B": {}}
    for row in rows:
        turns.append(row["turns"])
        how[row["how"]] += 1
        first_won += points_of(row, row["first"])
        for turn, (a, b) in enumerate(row["life"]):
            if turn == len(life):
                life.append([0, 0, 0])
            sums = life[turn]
            sums[0] += 1
            sums[1] += a
            sums[2] += b
        for seat, tallies in cards.items():
            points = points_of(row, seat)
            won[seat] += points
            for key, deeds in row["cards"][seat].items():
                card = tallies.get(key) or tallies.setdefault(key, _CardTally([0] * len(CARD_STATS)))
                for i, n in enumerate(deeds):
                    card.deeds[i] += n
                if deeds[BOUGHT]:
                    card.bought_in += 1
                    card.points += points
    n = len(turns)
    return PairingSummary(
        games=n,
        ties=how["tie"],
        won=win_rate(won["A"], n),
        first_won=win_rate(first_won, n),
        turns=(fmean(turns), median(turns), max(turns)),
        how=dict(how.most_common()),
        life=[(a / games, b / games) for games, a, b in takewhile(lambda sums: 2 * sums[0] >= n, life)],
        cards={seat: _cards(tallies, n, won[seat]) for seat, tallies in cards.items()},
    )


def _cards(tallies: dict[str, _CardTally], games: int, won: float) -> list[CardSummary]:
    summaries = [
        CardSummary(
            key,
            tuple(n / games for n in tally.deeds),
            tally.bought_in,
            win_rate(tally.points, tally.bought_in),
            win_rate(won - tally.points, games - tally.bought_in),
        )
        for key, tally in tallies.items()
    ]
    return sorted(summaries, key=lambda summary: (-summary.deeds[BOUGHT], summary.key))
