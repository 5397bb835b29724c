"""Win rates of cards, measured in many games between random teams (docs/studies/cards.md)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

FILE: Final = "card_stats.txt"
HALF: Final = 50.0


@dataclass(frozen=True, slots=True)
class CardStats:
    """Results of teams with a card, in per cent: games won with the 95 % interval, and games in which they bought it.

    `place` is the card's rank among all cards, 1 for the card that won the most.
    """

    key: str
    won: float
    low: float
    high: float
    tables: int
    bought: int
    place: int
    of: int

    @property
    def verdict(self) -> Literal["above", "below", "even"]:
        """Return `above` or `below` if the whole interval is on that side of 50 %, `even` if it includes 50 %."""
        return "above" if self.low > HALF else "below" if self.high < HALF else "even"


@cache
def card_stats() -> dict[str, CardStats]:
    """Return the figures by card key; cards that were not in the study are missing."""
    text = (files(__package__) / FILE).read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {
        key: CardStats(key, float(won), float(low), float(high), int(tables), int(bought), n, len(rows))
        for n, (key, won, low, high, tables, bought) in enumerate(rows, 1)
    }


def write_card_stats(rows: list[tuple[str, float, float, float, int, float]], description: str) -> str:
    """Return the file's text: key, share of games won with interval, tables, share of games in which it was bought."""
    lines = [
        f"{key} {100 * won:.1f} {100 * low:.1f} {100 * high:.1f} {tables} {100 * bought:.0f}"
        for key, won, low, high, tables, bought in rows
    ]
    return "\n".join([f"# {description}", "# card, won, low, high, tables, bought in", *lines, ""])
