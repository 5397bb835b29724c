"""Printable team sheets, and comparison of two teams."""

from __future__ import annotations

from html import escape

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dicemasters.cards.catalogue import Card, type_name
from dicemasters.cards.dice import Face
from dicemasters.teams.formats import check_team, find_format
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import encode_team
from dicemasters.teams.team_problems import TeamError
from dicemasters.terminal.team_view import size_of

STYLE = """
@page { size: A4; margin: 14mm }
body { font: 10pt/1.35 system-ui, sans-serif; color: #111; max-width: 182mm; margin: 0 auto }
h1 { font-size: 16pt; margin: 0 } h2 { font-size: 11pt; margin: 0 }
section { break-inside: avoid; border-top: .5pt solid #888; padding: 2.5mm 0 }
section h2 span { font-weight: 400 } .facts, header p { color: #444; margin: 0 }
.text { margin: 1mm 0 } .faces { font: 9pt ui-monospace, monospace; margin: 0 }
.lines { display: flex; gap: 8mm; margin: 4mm 0 } .lines div { flex: 1; border-bottom: .5pt solid #111; padding-bottom: 6mm }
.dice { float: right; font-size: 12pt }
"""


def render_sheet(team: Team, problems: list[str]) -> str:
    """Return a printable HTML page: cards in full, dice, legality, and lines for player, event and judge."""
    format = find_format(team.format)
    try:
        code = encode_team(team)
    except TeamError:
        code = "no code: it has home-made cards"
    legal = "legal" if not problems else "; ".join(problems)
    cards = [
        *sorted(team.cards, key=lambda entry: (entry[0].cost, entry[0].title)),
        *((card, 0) for card in team.basics),
    ]
    name = team.name or "A team without a name"
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title><style>{STYLE}</style></head><body>
<header><h1>{escape(name)}</h1>
<p>{escape(format.name)} · {escape(size_of(team))} · {escape(legal)}</p>
<p>{escape(team.about)}</p><p>code: {escape(code)}</p></header>
<div class="lines"><div>Player</div><div>Event and date</div><div>Judge</div></div>
{"".join(_card(card, dice) for card, dice in cards)}
</body></html>
"""


def _card(card: Card, dice: int) -> str:
    energy = " and ".join(type_name(symbol) for symbol in card.energy)
    facts = [f"cost {card.cost} {energy}".strip(), ", ".join(card.affiliations), card.key, card.rarity]
    squares = "□" * dice if dice else "basic action"
    faces = "  ".join(_face(face) for face in card.die.faces)
    text = "".join(f'<p class="text">{escape(line)}</p>' for line in card.text.splitlines())
    return (
        f'<section><span class="dice">{squares}</span><h2>{escape(card.title)}'
        f"{f' <span>{escape(card.subtitle)}</span>' if dice else ''}</h2>"
        f'<p class="facts">{escape(" · ".join(fact for fact in facts if fact))}</p>{text}<p class="faces">{escape(faces)}</p></section>\n'
    )


def _face(face: Face) -> str:
    if face.level:
        return f"L{face.level}{'*' * face.burst} {face.field}/{face.a}/{face.d}"
    if face.action:
        return f"action{'*' * face.burst}"
    return face.energy or str(face.generic)


def team_as_json(team: Team, problems: list[str]) -> dict[str, object]:
    """Return a team as JSON-serialisable data."""
    try:
        code: str | None = encode_team(team)
    except TeamError:
        code = None
    return {
        "name": team.name,
        "about": team.about,
        "format": team.format,
        "cards": [{"key": card.key, "name": card.name, "cost": card.cost, "dice": dice} for card, dice in team.cards],
        "basics": [{"key": card.key, "name": card.name, "cost": card.cost} for card in team.basics],
        "dice": team.dice,
        "code": code,
        "legal": not problems,
        "problems": problems,
    }


def comparison_as_json(teams: tuple[Team, Team]) -> dict[str, object]:
    """Return two teams, their common cards and their figures as JSON-serialisable data."""
    keys = [{card.key for card, _ in team.cards} | {card.key for card in team.basics} for team in teams]
    return {
        "teams": [team_as_json(team, [str(problem) for problem in check_team(team)]) for team in teams],
        "in_both": sorted(keys[0] & keys[1]),
        "figures": dict(_totals(teams)),
    }


def print_comparison(console: Console, names: tuple[str, str], teams: tuple[Team, Team]) -> None:
    """Print the cards and dice of two teams side by side, with cost and strength figures."""
    dice_counts = [dict(team.cards) | dict.fromkeys(team.basics, 0) for team in teams]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("card", no_wrap=True, overflow="ellipsis")
    for name in names:
        table.add_column(Text(name), justify="right")
    for card in sorted({*dice_counts[0], *dice_counts[1]}, key=lambda c: (c.kind == "basic", c.cost, c.name)):
        cells = [
            "basic" if card.kind == "basic" and card in counts else str(counts.get(card) or "–")
            for counts in dice_counts
        ]
        table.add_row(Text(f"{card.name}  {card.cost}{card.energy}"), *cells)
    for label, values in _totals(teams):
        table.add_row(Text(label, "dim"), *values)
    console.print(table)


def _totals(teams: tuple[Team, Team]) -> list[tuple[str, list[str]]]:
    rows: list[tuple[str, list[str]]] = [("dice", [str(team.dice) for team in teams])]
    rows.append(("mean cost", [_mean([card.cost for card, dice in team.cards for _ in range(dice)]) for team in teams]))
    for symbol in "FBMS":
        numbers = [sum(dice for card, dice in team.cards if symbol in card.energy) for team in teams]
        rows.append((f"{type_name(symbol)} dice", [str(n) for n in numbers]))
    for label, stat in (("mean A on level 3", "a"), ("mean D on level 3", "d")):
        means = []
        for team in teams:
            tops = [
                getattr(face, stat)
                for card, dice in team.cards
                for face in card.die.faces
                if face.level == 3
                for _ in range(dice)
            ]
            means.append(_mean(tops))
        rows.append((label, means))
    rows.append(("with a Global", [str(sum(any(a.kind == "global" for a in c.abilities) for c in (*(c for c, _ in team.cards), *team.basics))) for team in teams]))  # fmt: skip
    return rows


def _mean(numbers: list[int]) -> str:
    return f"{sum(numbers) / len(numbers):.1f}" if numbers else "–"
