"""Colours, headings, line layout and die faces. This module knows cards but no games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from dicemasters.cards.catalogue import Card

LABEL = "dim"
ACCENT = "bold yellow"
INDENT = 9  # column after the label of a row


def die_style(card: Card) -> str:
    """Return the style for a die: its colour as background, and black or white text for contrast."""
    if card.kind == "sidekick":
        return "bold black on #e8e6df"
    red, green, blue = (int(card.die.color[i : i + 2], 16) for i in (1, 3, 5))
    dark = red * 0.299 + green * 0.587 + blue * 0.114 < 140
    return f"bold {'white' if dark else 'black'} on {card.die.color}"


def shorten(text: Text, width: int) -> Text:
    """Return the text truncated to the width with an ellipsis."""
    if text.cell_len <= width:
        return text
    short = text.copy()
    short.truncate(max(width, 1), overflow="ellipsis")
    return short


MARGIN = 6  # columns of a heading taken by its lines


def heading(title: str, width: int, style: str = LABEL) -> Text:
    """Return a horizontal rule with a title in it."""
    if not title:
        return Text("─" * width, LABEL)
    line = Text.assemble(("── ", LABEL))
    line.append_text(shorten(Text(title, style), max(1, width - MARGIN)))
    line.append(" " + "─" * max(0, width - line.cell_len - 1), LABEL)
    return line


def flow(label: str, items: Sequence[Text], width: int, gap: int = 1) -> list[Text]:
    """Lay out items side by side after a label. Lines wrap between items; items longer than a line are cut."""
    lines: list[Text] = []
    line = Text.assemble((f" {label:<{INDENT - 1}}", LABEL))
    start = True
    for item in items:
        room = width - line.cell_len - (0 if start else gap)
        if item.cell_len > room and not start:
            lines.append(line)
            line, start = Text(" " * INDENT), True
        if not start:
            line.append(" " * gap)
        line.append_text(item if item.cell_len <= width - INDENT else shorten(item, width - INDENT))
        start = False
    lines.append(line)
    return lines


def draw_faces(card: Card, width: int) -> list[Text]:
    """Draw the faces of a die: fielding cost top left, A top right, D bottom right; level and bursts between."""
    style = die_style(card)
    faces: list[list[str]] = []
    for face in card.die.faces:
        if face.level:
            rows = [f"{face.field:<2} {face.a:>2}", f" L{face.level}  ", f"{'*' * face.burst:<2} {face.d:>2}"]
        elif face.action:
            rows = ["     ", "  !  ", f"{'*' * face.burst:^5}"]
        else:
            rows = ["     ", f"{face.energy or face.generic:^5}", "     "]
        faces.append(rows)
    per_row = max(1, min(6, (width - 1) // 8))
    lines: list[Text] = []
    for start in range(0, 6, per_row):
        row = faces[start : start + per_row]
        for i in range(3):
            line = Text(" ")
            for n, face_rows in enumerate(row):
                line.append("" if n == 0 else " ")
                line.append(f"|{face_rows[i]}|", style)
            lines.append(line)
        if start + per_row < 6:
            lines.append(Text(""))
    return lines
