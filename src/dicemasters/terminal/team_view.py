"""Full view of a team for the terminal."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.text import Text

from dicemasters.cards.catalogue import Card, type_name
from dicemasters.teams.formats import find_format
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import encode_team
from dicemasters.teams.team_problems import TeamError
from dicemasters.terminal.card_view import print_card
from dicemasters.terminal.theme import LABEL, die_style, flow, heading, shorten

_TYPES = "FBMS"


def print_team(console: Console, team: Team, *, in_full: bool = False) -> None:
    """Print a team: plan, cards with dice, cost table, affiliations and code; `in_full` adds every card."""
    for line in draw_team(team, console.width):
        console.print(line, no_wrap=True, crop=True)
    if in_full:
        for card in (*(card for card, _ in team.cards), *team.basics):
            console.print(heading("", console.width))
            print_card(console, card)


def draw_team(team: Team, width: int) -> list[Text]:
    """Return a team as lines of the given width."""
    lines = [heading(team.name or "A team without a name", width, "bold")]
    format = find_format(team.format)
    rules = f" · by {format.edition}" if format.edition else ""
    lines.append(shorten(Text(f" {format.name} · {size_of(team)}{rules}", LABEL), width))
    lines += Text(team.about).wrap(Console(), max(20, width - 2)) if team.about else []
    lines[2:] = [Text(" ").append_text(line) for line in lines[2:]]
    lines.append(Text())
    max_dice = max((dice for _, dice in team.cards), default=0)
    name_width = max((len(card.name) for card, _ in team.cards), default=0)
    lines += [_card_line(card, dice, max_dice, name_width, width) for card, dice in sorted(team.cards, key=_by_cost)]
    lines.append(Text())
    basics = [Text(f"{card.name} [{card.set}] {card.cost}") for card in team.basics]
    lines += flow("basics", basics or [Text("none of its own", LABEL)], width, 3)
    lines.append(Text())
    lines += [shorten(line, width) for line in _cost_table(team)]
    affiliations = Counter(name for card, dice in team.cards for name in card.affiliations for _ in range(dice))
    if affiliations:
        lines += flow("sides", [Text(f"{name} {n}") for name, n in affiliations.most_common()], width, 3)
    try:
        lines += flow("code", [Text(encode_team(team))], width)
    except TeamError:
        lines += flow("code", [Text("none, because codes cannot contain home-made cards", LABEL)], width)
    return lines


def size_of(team: Team) -> str:
    """Return the number of cards and dice of a team as text."""
    number = len(team.cards)
    return f"{number} card{'' if number == 1 else 's'}, {team.dice} {'die' if team.dice == 1 else 'dice'}"


def _by_cost(entry: tuple[Card, int]) -> tuple[int, str]:
    return entry[0].cost, entry[0].title


def _card_line(card: Card, dice: int, max_dice: int, name_width: int, width: int) -> Text:
    """Return a card as a line: a square per die, cost, type, name, key and affiliations."""
    line = Text(" ")
    line.append("■" * dice, die_style(card))
    line.append(" " * (max_dice - dice + 1) + f"{dice} of {card.max}  ", LABEL)
    line.append(f"{card.cost}{card.energy:<2} ", "bold")
    line.append(f"{card.name:<{name_width}}  {card.key:<7}")
    line.append(", ".join(card.affiliations), LABEL)
    return shorten(line, width)


def _cost_table(team: Team) -> list[Text]:
    """Return a table of dice by cost and energy type."""
    costs = sorted({card.cost for card, _ in team.cards})
    count = Counter((energy, card.cost) for card, dice in team.cards for energy in card.energy for _ in range(dice))
    lines = [_row("cost", [str(cost) for cost in costs], "all")]
    for energy in _TYPES:
        numbers = [count[energy, cost] for cost in costs]
        if any(numbers):
            lines.append(_row(type_name(energy), [str(n or "·") for n in numbers], str(sum(numbers))))
    return lines


def _row(label: str, cells: list[str], total: str) -> Text:
    line = Text.assemble((f" {label:<8}", LABEL))
    for cell in cells:
        line.append(f"{cell:>4}", LABEL if cell == "·" else "")
    line.append(f"{total:>6}", "bold")
    return line


def print_list(console: Console, teams: dict[str, Team]) -> None:
    """Print the ready teams: key and plan."""
    for name, team in teams.items():
        console.print(Text(f" {name}", "bold"))
        for line in Text(team.about).wrap(console, max(20, min(console.width, 100) - 4)):
            console.print(Text("   ").append_text(line))
