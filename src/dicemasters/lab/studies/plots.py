"""Plots as SVG or PNG files, depending on the file name's extension (needs matplotlib)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dicemasters.extras import require_package
from dicemasters.lab.io.output_path import check_output_path
from dicemasters.players.analysis import GameReview

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".png")
INK, MUTED, SOFT, ACCENT, PAPER = "#22303c", "#5b6873", "#9aa7b2", "#b3411e", "#fdfcfa"  # SOFT is too light for text
ROW_HEIGHT = 0.28  # inches per name in a long list
NamedInterval = tuple[str, float, float, float]  # name, value, and both ends of its interval


def check_plot(path: str) -> Path:
    """Return the path of a plot. Raise `ValueError` if it cannot be drawn there, before anything is computed."""
    plot_path = Path(path)
    if plot_path.suffix not in ENDINGS:
        raise ValueError(f"{path}: a plot's name must end with {' or '.join(ENDINGS)}")
    require_package("matplotlib")
    return check_output_path(plot_path)


def plot_ratings(ratings: Sequence[NamedInterval], path: Path, title: str) -> None:
    """Plot each player's rating with its interval, strongest on top."""
    figure, axes = _new_figure(6.4, 1.2 + 0.42 * len(ratings))
    ranked = sorted(ratings, key=lambda r: r[1])
    for row, (_, rating, low, high) in enumerate(ranked):
        axes.plot([low, high], [row, row], color=ACCENT, linewidth=2, solid_capstyle="butt")
        axes.plot([rating], [row], "o", color=ACCENT)
        axes.annotate(f"{rating:.0f}", (rating, row), (0, 7), textcoords="offset points", ha="center", color=INK)
    axes.set_yticks(range(len(ratings)), [name for name, *_ in ranked])
    axes.set_ylim(-0.6, len(ratings) - 0.2)
    axes.set_xlabel("rating (Elo points; bars are 95 % intervals)")
    _save(figure, axes, path, title)


def plot_calibration(tenths: Sequence[tuple[int, float, float]], path: Path, title: str) -> None:
    """Plot the share of positions won against the predicted win chance."""
    figure, axes = _new_figure(5.2, 5.0)
    axes.plot([0, 1], [0, 1], color=SOFT, linestyle="--", label="perfect calibration")
    axes.plot([mean for _, mean, _ in tenths], [won for *_, won in tenths], "o-", color=ACCENT, label="measured")
    for n, mean, won in tenths:
        axes.annotate(f"{n:,}", (mean, won), (7, -12), textcoords="offset points", fontsize=9, color=MUTED)
    axes.set_xlim(0, 1.08)  # room for the last number
    axes.set_ylim(0, 1.02)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("predicted win chance (labels: number of positions)")
    axes.set_ylabel("share of positions won")
    axes.legend(frameon=False, loc="upper left")
    _save(figure, axes, path, title)


def plot_shares(shares: Sequence[NamedInterval], path: Path, title: str) -> None:
    """Plot shares of games with their intervals, one below the other."""
    figure, axes = _new_figure(6.4, 1.1 + 0.36 * len(shares))
    _plot_intervals(axes, list(reversed(shares)))
    axes.axvline(0.5, color=SOFT, linewidth=0.8)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("share of games won (bars are 95 % intervals)")
    _save(figure, axes, path, title)


def plot_cards(shares: Sequence[NamedInterval], shown: int, path: Path, title: str) -> None:
    """Plot all shares in order, and those at both ends with names."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.4, 2.6 + ROW_HEIGHT * 2 * shown), layout="constrained")
    heights = [2.2, ROW_HEIGHT * shown, ROW_HEIGHT * shown]
    overview, upper, lower = figure.subplots(3, 1, height_ratios=heights)
    places = range(len(shares))
    overview.fill_between(
        places, [low for _, _, low, _ in shares], [high for *_, high in shares], color=SOFT, alpha=0.4
    )
    overview.plot(places, [share for _, share, *_ in shares], color=ACCENT, linewidth=1.4)
    overview.axhline(0.5, color=SOFT, linewidth=0.8)
    overview.yaxis.set_major_formatter("{x:.0%}")
    overview.set_xlabel("all cards, best first (grey: 95 % intervals)")
    overview.set_ylabel("games won")
    ends = [low for _, _, low, _ in shares] + [high for *_, high in shares]
    for axes, group, which in ((upper, shares[:shown], "best"), (lower, shares[-shown:], "worst")):
        _plot_intervals(axes, list(reversed(group)))
        axes.axvline(0.5, color=SOFT, linewidth=0.8)
        axes.set_xlim(min(ends) - 0.01, max(ends) + 0.01)
        axes.xaxis.set_major_formatter("{x:.0%}")
        axes.set_xlabel(f"games won with the {len(group)} {which} cards (bars are 95 % intervals)")
        _style(axes)
    _save(figure, overview, path, title)


def plot_matrix(names: Sequence[str], shares: Sequence[Sequence[float]], path: Path, title: str) -> None:
    """Plot the shares of games that the teams on the left won against those below."""
    figure, axes = _new_figure(1.8 + 0.55 * len(names), 1.6 + 0.46 * len(names))
    draw_matrix(axes, names, shares)
    axes.set_xlabel("against")
    axes.set_ylabel("team")
    _save(figure, axes, path, title, grid=False)


def draw_matrix(axes: Axes, names: Sequence[str], shares: Sequence[Sequence[float]]) -> None:
    """Draw shares as a heat map with their numbers."""
    axes.imshow(shares, cmap="RdYlBu", vmin=0, vmax=1, aspect="auto")
    for a in range(len(names)):
        for b in range(len(names)):
            if a != b:
                strong = abs(shares[a][b] - 0.5) > 0.35
                text = f"{shares[a][b]:.0%}"
                axes.text(b, a, text, ha="center", va="center", color="white" if strong else INK, fontsize=9)
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right")
    axes.set_yticks(range(len(names)), names)


def _plot_intervals(axes: Axes, rows: Sequence[NamedInterval]) -> None:
    for row, (_, share, low, high) in enumerate(rows):
        axes.plot([low, high], [row, row], color=ACCENT, linewidth=1.6, solid_capstyle="butt")
        axes.plot([share], [row], "o", color=ACCENT, markersize=4)
    axes.set_yticks(range(len(rows)), [name for name, *_ in rows], fontsize=9)
    axes.set_ylim(-0.7, len(rows) - 0.3)


def plot_win_chances(review: GameReview, path: Path, title: str) -> None:
    """Plot A's win chance over a game, with the choices that cost the most."""
    figure, axes = _new_figure(8.0, 4.0)
    axes.axhline(0.5, color=SOFT, linewidth=0.8)
    axes.plot([p.move for p in review.points], [p.chance for p in review.points], color=INK, linewidth=1.6)
    mistakes = sorted(review.mistakes, key=lambda point: point.move)
    for point, row in zip(mistakes, label_rows([p.move for p in mistakes], review.points[-1].move), strict=True):
        axes.annotate(
            "", (point.move, point.chosen), (point.move, point.chance), arrowprops={"arrowstyle": "->", "color": ACCENT}
        )
        axes.axvline(point.move, color=ACCENT, linewidth=0.6, linestyle=":")
        axes.annotate(f"{point.player} {point.move}", (point.move, 1.04 + 0.07 * row), ha="center", color=ACCENT)
    axes.set_ylim(-0.02, 1.04 + 0.07 * len(mistakes))
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("number of the choice (arrows: win chance lost; labels: player and choice)")
    axes.set_ylabel("A's win chance")
    _save(figure, axes, path, title)


def label_rows(moves: Sequence[int], last: int) -> list[int]:
    """Return the row of each label above a plot, so that labels do not overlap.

    >>> label_rows([8, 13, 14, 15, 60], 100)
    [0, 1, 2, 3, 0]
    """
    width = 0.09 * max(1, last)
    ends: list[float] = []  # end of the last label in each row
    rows: list[int] = []
    for move in moves:
        row = next((n for n, end in enumerate(ends) if move - end >= width), len(ends))
        ends[row : row + 1] = [move]
        rows.append(row)
    return rows


def _new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _save(figure: Figure, axes: Axes, path: Path, title: str, *, grid: bool = True) -> None:
    """Write the plot with text as text and without a date, so that the file is small and reproducible."""
    import matplotlib as mpl

    axes.set_title(title, loc="left", fontsize=10, color=INK)
    _style(axes, grid=grid)
    with mpl.rc_context({"svg.hashsalt": "dicemasters", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(path, dpi=150, facecolor=PAPER, metadata={"Date": None} if path.suffix == ".svg" else None)


def _style(axes: Axes, *, grid: bool = True) -> None:
    """Set the colours of the axes: light paper, so that the plot is also readable on a dark page."""
    axes.set_facecolor(PAPER)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["bottom", "left"]].set_color(MUTED)
    axes.tick_params(color=MUTED, labelcolor=INK)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    if grid:
        axes.grid(alpha=0.25)
