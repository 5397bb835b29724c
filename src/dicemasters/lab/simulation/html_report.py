"""The report of a simulation: prose, tables and plots in one HTML file that opens offline (needs matplotlib)."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from dicemasters.lab.simulation.aggregate import MIN_GAMES, CardSummary, PairingSummary, WinRate
from dicemasters.lab.simulation.game_stats import CARD_STATS
from dicemasters.lab.studies.plots import draw_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dicemasters.lab.simulation.simulate import Pairing

A_INK, B_INK, INK, SOFT = "#b3411e", "#1e6fb3", "#22303c", "#9aa7b2"

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #22303c; background: #fdfcfa; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.2 } table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #d8d2c8; vertical-align: top }
td.n, th.n { text-align: right } figure { margin: 1.5rem 0 } figure svg { max-width: 100%; height: auto }
figcaption, small { color: #5b6873 }
@media (prefers-color-scheme: dark) { body { color: #e8e4dc; background: #17161c } figure { background: #fdfcfa; border-radius: 8px; padding: .5rem } }
"""


def render_page(pairings: Sequence[Pairing], players: tuple[str, str], summaries: Sequence[PairingSummary]) -> str:
    """Return the page as HTML."""
    teams = list(dict.fromkeys(name for pairing in pairings for name in pairing.names))
    editions = list(dict.fromkeys(pairing.edition for pairing in pairings))
    games = sum(summary.games for summary in summaries)
    players_text = f"by {players[0]}" if players[0] == players[1] else f"by {players[0]} (first team) and {players[1]}"
    parts = [
        f"<h1>{escape(' · '.join(teams))}</h1>",
        f"<p>{games:,} simulated games, played {escape(players_text)}. Two games have the same dice, and each team begins once. "
        "A tie counts half. Intervals hold 95 of 100 times, and speak of chance in these games only: other players "
        "would play otherwise.</p>",
        _results(pairings, summaries),
    ]
    if len(teams) > 2:
        parts += [_heat_map(teams, pairings, summaries, edition) for edition in editions]
    elif len(pairings) > 1:
        parts.append(
            _svg_figure(
                lambda axes: _plot_by_edition(axes, pairings, summaries),
                f"Share of games {teams[0]} won, by edition",
                6,
                3,
            )
        )
    if len(pairings) == 1:
        parts += _pairing_sections(pairings[0], summaries[0])
    body = "\n".join(parts)
    title = escape(" - ".join(teams))
    return f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>\n{body}\n</html>\n'


def _results(pairings: Sequence[Pairing], summaries: Sequence[PairingSummary]) -> str:
    rows = []
    for pairing, summary in zip(pairings, summaries, strict=True):
        mean, median, maximum = summary.turns
        how = ", ".join(f"{word} {n / summary.games:.0%}" for word, n in summary.how.items())
        cells = [pairing.title(), pairing.edition, f"{summary.games:,}", str(summary.won), str(summary.first_won)]
        rows.append([*cells, f"{mean:.1f} (median {median:g}, most {maximum})", how])
    return _html_table(
        ["teams", "edition", "games", "won by the first team", "won by the first player", "turns", "how"], rows
    )


def _pairing_sections(pairing: Pairing, summary: PairingSummary) -> list[str]:
    """Return the sections on a single pairing: life over time, and the cards of both teams."""
    from dicemasters.lab.simulation.simulate import card_names

    names = card_names(pairing)
    parts = [
        _svg_figure(lambda axes: _plot_life(axes, pairing, summary), "Mean life at the beginning of each turn", 7, 3.2)
    ]
    for seat, name in zip("AB", pairing.names, strict=True):
        cards = summary.cards[seat]
        parts.append(f"<h2>Cards of {escape(name)}</h2>")
        plotted = [card for card in cards if min(card.bought_in, summary.games - card.bought_in) >= MIN_GAMES]
        if plotted:
            caption = "Games won when the card was bought (dot) and when it was not (bar), with 95 % intervals"
            height = 1.2 + 0.45 * len(plotted)
            parts.append(_svg_figure(partial(_plot_cards, cards=plotted, names=names), caption, 7, height))
        rows = [
            [
                names[card.key],
                *(f"{n:.2f}" for n in card.deeds),
                _format_win_rate(card.won_when_bought),
                _format_win_rate(card.won_otherwise),
            ]
            for card in cards
        ]
        parts.append(
            _html_table(["card", *(f"{deed} a game" for deed in CARD_STATS), "won when bought", "won otherwise"], rows)
        )
        parts.append("<p><small>Who is ahead buys more: won when bought is not yet won because of it.</small></p>")
    return parts


def _format_win_rate(share: WinRate) -> str:
    return str(share) if share.games >= MIN_GAMES else f"{share.games} game{'s' * (share.games != 1)}"


def _html_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# --- plots ---------------------------------------------------------------------------------------------------------


def _svg_figure(draw: Callable[[Axes], None], caption: str, width: float, height: float) -> str:
    """Return a plot as SVG, to embed in the page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "dicemasters", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots()
        draw(axes)
        axes.spines[["top", "right"]].set_visible(False)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    svg = buffer.getvalue()
    labelled = svg[svg.index("<svg") :].replace("<svg ", f'<svg role="img" aria-label="{escape(caption)}" ', 1)
    return f"<figure>{labelled}<figcaption>{escape(caption)}.</figcaption></figure>"


def _heat_map(
    teams: Sequence[str], pairings: Sequence[Pairing], summaries: Sequence[PairingSummary], edition: str
) -> str:
    caption = f"Share of games the team on the left won ({edition})"
    size = 2.4 + 0.6 * len(teams)
    return _svg_figure(
        lambda axes: _plot_matrix(axes, teams, pairings, summaries, edition), caption, max(6, size), max(4, size - 1)
    )


def _plot_life(axes: Axes, pairing: Pairing, summary: PairingSummary) -> None:
    from matplotlib.ticker import MaxNLocator

    turns = range(1, len(summary.life) + 1)
    for seat, (name, ink, style) in enumerate(zip(pairing.names, (A_INK, B_INK), ("-", "--"), strict=True)):
        axes.plot(turns, [life[seat] for life in summary.life], style, color=ink, label=name)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("turn, as long as half of the games go on")
    axes.set_ylabel("life")
    axes.legend(frameon=False)
    axes.grid(alpha=0.25)


def _plot_cards(axes: Axes, cards: Sequence[CardSummary], names: dict[str, str]) -> None:
    for row, card in enumerate(reversed(cards)):
        bought, otherwise = card.won_when_bought, card.won_otherwise
        axes.plot(
            [otherwise.low, otherwise.high], [row, row], color=SOFT, linewidth=7, alpha=0.5, solid_capstyle="butt"
        )
        axes.plot([bought.low, bought.high], [row, row], color=A_INK, linewidth=1.5)
        axes.plot([bought.share], [row], "o", color=A_INK)
    axes.set_yticks(range(len(cards)), [names[card.key] for card in reversed(cards)])
    axes.set_ylim(-0.7, len(cards) - 0.3)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("share of games won")
    axes.grid(alpha=0.25, axis="x")


def _plot_by_edition(axes: Axes, pairings: Sequence[Pairing], summaries: Sequence[PairingSummary]) -> None:
    for row, summary in enumerate(summaries):
        axes.plot([summary.won.low, summary.won.high], [row, row], color=A_INK, linewidth=1.5)
        axes.plot([summary.won.share], [row], "o", color=A_INK)
    axes.axvline(0.5, color=SOFT, linewidth=0.8)
    axes.set_yticks(range(len(pairings)), [pairing.edition for pairing in pairings])
    axes.set_ylim(-0.5, len(pairings) - 0.5)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("share of games won")
    axes.grid(alpha=0.25, axis="x")


def _plot_matrix(
    axes: Axes, teams: Sequence[str], pairings: Sequence[Pairing], summaries: Sequence[PairingSummary], edition: str
) -> None:
    shares = [[0.5 if a == b else float("nan") for b in teams] for a in teams]
    for pairing, summary in zip(pairings, summaries, strict=True):
        if pairing.edition == edition:
            a, b = (teams.index(name) for name in pairing.names)
            shares[a][b], shares[b][a] = summary.won.share, 1 - summary.won.share
    draw_matrix(axes, teams, shares)
