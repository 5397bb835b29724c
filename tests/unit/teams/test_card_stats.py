"""Card statistics: the packaged figures equal those on the page of the study."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dicemasters.cards import catalogue
from dicemasters.teams.card_stats import CardStats, card_stats, write_card_stats

PAGE = Path(__file__).parents[3] / "docs" / "studies" / "cards.md"
ROW = re.compile(r"\| (.+) \| \d+ \| (\d+) \| ([\d.]+)% \(([\d.]+)% to ([\d.]+)%\) \| (\d+)% \|")


def test_every_card_has_the_figures_of_the_study_page() -> None:
    rows = [ROW.fullmatch(line) for line in PAGE.read_text(encoding="utf-8").splitlines()]
    published = [(m[1], float(m[3]), float(m[4]), float(m[5]), int(m[2]), int(m[6])) for m in rows if m]
    cards = {card.key: card for card in catalogue()}
    names = {key: f"{c.title}: {c.subtitle}" if c.kind != "basic" else c.title for key, c in cards.items()}
    packaged = [
        (f"{names[f.key]} [{cards[f.key].set}]", f.won, f.low, f.high, f.tables, f.bought)
        for f in card_stats().values()
    ]
    assert packaged == published
    assert set(card_stats()) == set(cards)
    assert [f.place for f in card_stats().values()] == list(range(1, len(cards) + 1))


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(50.1, 60, "above"), (50, 60, "even"), (40, 50, "even"), (45, 55, "even"), (40, 49.9, "below")],
)
def test_verdict_needs_the_whole_interval_on_one_side_of_even(low: float, high: float, verdict: str) -> None:
    assert CardStats("avx1", 50, low, high, 1, 1, 1, 1).verdict == verdict


def test_card_stats_file_contains_shares_in_per_cent() -> None:
    assert write_card_stats([("avx1", 0.5, 0.4444, 0.61, 12, 0.875)], "games").splitlines() == [
        "# games",
        "# card, won, low, high, tables, bought in",
        "avx1 50.0 44.4 61.0 12 88",
    ]
