"""What many simulated games come to: win rates with intervals, lengths, ways to win, life over time, and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import fmean, median
from typing import Any

from dicemasters.lab.counting import BOUGHT, DEEDS, Data

Z = 1.959964  # of a 95 % interval
FEW = 10  # games: from here on a share is told


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games with its 95 % interval (Wilson's, which is right near 0 and 1 too)."""

    share: float
    low: float
    high: float
    games: int

    def __str__(self) -> str:
        return f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%})"


def share_of(points: float, games: int) -> Share:
    """Give the share of points in so many games; a tie is half a point.

    >>> str(share_of(70, 100))
    '70.0% (60.4% to 78.1%)'
    """
    if not games:
        return Share(0.0, 0.0, 1.0, 0)
    p = points / games
    middle = (p + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z * sqrt(p * (1 - p) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return Share(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)), games)


@dataclass(frozen=True, slots=True)
class CardSum:
    """What a card did for a team: on average in a game, and how often the team won when it had bought it."""

    key: str
    deeds: tuple[float, ...]  # a game, in the order of DEEDS
    bought_in: int  # games
    won_when_bought: Share
    won_otherwise: Share


@dataclass(frozen=True, slots=True)
class Summary:
    """What the games of one pairing come to."""

    games: int
    ties: int
    won: Share  # by A
    first_won: Share
    turns: tuple[float, float, int]  # mean, median, most
    how: dict[str, int]
    life: list[tuple[float, float]]  # mean at the beginning of each turn that half of the games had
    cards: dict[str, list[CardSum]]  # by seat, the most bought first

    def data(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        return asdict(self)


def points(rows: Iterable[Data], seat: str) -> float:
    """Give the points of a seat: a win is one, a tie half."""
    return sum(1.0 if row["winner"] == seat else 0.0 if row["winner"] else 0.5 for row in rows)


def summary(rows: Sequence[Data]) -> Summary:
    """Add up games of one pairing; there must be at least one."""
    n = len(rows)
    turns = [row["turns"] for row in rows]
    return Summary(
        games=n,
        ties=sum(not row["winner"] for row in rows),
        won=share_of(points(rows, "A"), n),
        first_won=share_of(sum(points([row], row["first"]) for row in rows), n),
        turns=(fmean(turns), median(turns), max(turns)),
        how=dict(Counter(row["how"] for row in rows).most_common()),
        life=_life(rows),
        cards={seat: _cards(rows, seat) for seat in "AB"},
    )


def _life(rows: Sequence[Data]) -> list[tuple[float, float]]:
    """Give the mean life at the beginning of each turn, as long as half of the games go on."""
    out: list[tuple[float, float]] = []
    for turn in range(max(len(row["life"]) for row in rows)):
        there = [row["life"][turn] for row in rows if turn < len(row["life"])]
        if 2 * len(there) < len(rows):
            break
        out.append((fmean(a for a, _ in there), fmean(b for _, b in there)))
    return out


def _cards(rows: Sequence[Data], seat: str) -> list[CardSum]:
    keys = sorted({key for row in rows for key in row["cards"][seat]})
    return sorted((_card(rows, seat, key) for key in keys), key=lambda card: (-card.deeds[BOUGHT], card.key))


def _card(rows: Sequence[Data], seat: str, key: str) -> CardSum:
    none = [0] * len(DEEDS)
    deeds = [row["cards"][seat].get(key, none) for row in rows]
    bought = [row for row, done in zip(rows, deeds, strict=True) if done[BOUGHT]]
    others = [row for row, done in zip(rows, deeds, strict=True) if not done[BOUGHT]]
    return CardSum(
        key,
        tuple(fmean(done[i] for done in deeds) for i in range(len(DEEDS))),
        len(bought),
        share_of(points(bought, seat), len(bought)),
        share_of(points(others, seat), len(others)),
    )
