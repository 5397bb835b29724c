"""The rules document at the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from dicemasters.rules.document import RuleItem, rules_document
from dicemasters.rules.markdown import inline_tokens, strip_markup
from dicemasters.terminal.theme import ACCENT, LABEL

MAX_WIDTH = 100
_STYLES = {"plain": "", "bold": "bold", "italic": "italic", "code": "bold"}


def print_rules(console: Console, query: str = "") -> None:
    """Print the rules that match a number or words, or all. Raise `ValueError` if there are none."""
    items = rules_document().look_up(query)
    by_number = items == rules_document().by_number(query) or not query.strip()
    if not console.is_terminal:
        for line in _lines(items, scenarios=by_number):
            console.file.write(f"{line}\n")
        return
    for item in items:
        _draw(console, item, scenarios=by_number)


def _lines(items: Iterable[RuleItem], *, scenarios: bool) -> Iterator[str]:
    """Yield the items as plain text, one line per paragraph."""
    for number, item in enumerate(items):
        head = f"{item.number} {item.title}".strip()
        if item.level:
            yield from ("", head) if number else (head,)
        first, *more = item.text.split("\n\n")
        if first:
            yield strip_markup(first) if item.level else f"{head} {strip_markup(first)}"
        yield from (strip_markup(paragraph) for paragraph in more)
        yield from (f"    editions: {strip_markup(line)}" for line in item.editions)
        if scenarios:
            yield from (f"    shown by: {strip_markup(line)}" for line in item.shown_by)


def _draw(console: Console, item: RuleItem, *, scenarios: bool) -> None:
    """Print an item with its number, and its editions and scenarios indented below."""
    width = min(console.width, MAX_WIDTH)
    if item.level:
        console.print()
        console.print(Text(f"{item.number} {item.title}".strip(), ACCENT if item.level < 4 else "bold"))
    for paragraph in item.text.split("\n\n") if item.text else ():
        line = Text() if item.level else Text.assemble((f"{item.number}  ", "bold"))
        console.print(Padding(_styled(paragraph, line), (0, 0, 0, 0 if item.level else 2)), width=width)
    for label, lines in (("editions", item.editions), ("shown by", item.shown_by if scenarios else ())):
        for note in lines:
            console.print(
                Padding(_styled(note, Text.assemble((f"{label}: ", LABEL)), LABEL), (0, 0, 0, 6)), width=width
            )


def _styled(text: str, line: Text, style: str = "") -> Text:
    for kind, content in inline_tokens(text):
        line.append(content, f"{style} {_STYLES[kind]}".strip())
    return line
