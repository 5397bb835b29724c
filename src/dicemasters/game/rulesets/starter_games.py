"""The first games of the four rulebooks, and the line-ups of their combat examples."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StarterGame:
    """Two preset teams with their basic actions."""

    name: str
    teams: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
    basics: tuple[str, ...]
    life: int = 10


def _two_of_each(*names: str) -> tuple[tuple[str, int], ...]:
    return tuple((name, 2) for name in names)


#: The starter games by cast, as in `Game.new(cast="ai")`.
STARTER_GAMES: dict[str, StarterGame] = {
    "avx": StarterGame(
        "First game of Avengers vs. X-Men",
        (_two_of_each("avx3", "avx4"), _two_of_each("avx12", "avx17")),
        ("avx27", "avx29", "avx34"),
    ),
    "uxm": StarterGame(
        "First game of Uncanny X-Men",
        (_two_of_each("uxm14", "uxm4"), _two_of_each("uxm1", "uxm10")),
        ("uxm25", "uxm26", "uxm30"),
    ),
    "cw": StarterGame(
        "First game of Civil War",
        (_two_of_each("cw1", "cw6"), _two_of_each("cw11", "cw14")),
        ("cw24", "cw27", "cw31"),
    ),
    "ai": StarterGame(
        "Demo game of Avengers Infinity",
        (_two_of_each("ai11", "ai15"), _two_of_each("ai1", "ai34")),
        ("ai56", "ai52"),
    ),
    "avx-fight": StarterGame(
        "Combat example of Avengers vs. X-Men",
        (_two_of_each("avx23", "avx21", "avx9", "avx5"), _two_of_each("avx15", "avx16", "avx1")),
        ("avx26", "avx27", "avx32"),
    ),
    "uxm-fight": StarterGame(
        "Combat example of Uncanny X-Men",
        (_two_of_each("uxm2", "uxm10", "uxm21"), _two_of_each("uxm9", "uxm18")),
        ("uxm25", "uxm26", "uxm30"),
    ),
}
