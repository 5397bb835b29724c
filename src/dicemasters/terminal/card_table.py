"""Table of cards for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dicemasters.cards.catalogue import Card
from dicemasters.cards.query import table_cells

USUAL_COLUMNS = ("key", "name", "cost", "affiliations", "max", "gist")
NARROW_COLUMNS = ("key", "name", "cost", "gist")  # leave room for the summary on narrow screens
WIDE = 110


def print_table(console: Console, cards: list[Card], columns: Sequence[str] = ()) -> None:
    """Print cards as a table, and their number. Without `columns`, the console's width decides."""
    columns = columns or (USUAL_COLUMNS if console.width >= WIDE else NARROW_COLUMNS)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in columns:
        long = heading in ("gist", "text")
        table.add_column(heading, no_wrap=not long, overflow="ellipsis", max_width=34 if heading == "name" else None)
    for card in cards:
        row = [
            Text(cell, overflow="ellipsis", no_wrap=column != "text")
            for column, cell in zip(columns, table_cells(card, columns), strict=True)
        ]
        table.add_row(*row)
    if cards:
        console.print(table)
    console.print(f"{len(cards)} card{'' if len(cards) == 1 else 's'}", style="dim")
