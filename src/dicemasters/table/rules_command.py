"""What `dicemasters rules` does: the rules as a document, a part of them, or what they say on a word."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from dicemasters.rules.document import Item, the_rules
from dicemasters.rules.inline import pieces, plain
from dicemasters.table.styles import ACCENT, LABEL

EXAMPLES = """\
examples:
  dicemasters rules                all of them
  dicemasters rules 3.4            a section: the attack step
  dicemasters rules 3.4d1          a rule
  dicemasters rules S18            a rule of the Scripted Opponent
  dicemasters rules "#7"           a ruling
  dicemasters rules overcrush      what they say on a word, its explanation first
  dicemasters rules lose life      where they speak of both

Into a file or a pipe each rule is one line: dicemasters rules | grep -i overcrush"""

WIDEST = 100
_STYLES = {"plain": "", "bold": "bold", "italic": "italic", "code": "bold"}


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `rules`."""
    rules = commands.add_parser(
        "rules",
        help="read the rules: all, a part, or on a word",
        description="Read the rules: all of them, what stands under a number, or what they say on a word.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    rules.add_argument("about", nargs="*", metavar="NUMBER or WORD", help="3.4, 3.4d1, S18, overcrush; left out: all")
    rules.add_argument(
        "--json", action="store_true", help="print them as JSON: number, title, text, editions, shown_by"
    )


def main(args: argparse.Namespace) -> int:
    """Print the rules; give the exit code."""
    if args.json:
        found = [asdict(item) for item in the_rules().look_up(" ".join(args.about))]
        print(json.dumps(found, ensure_ascii=False, indent=1))
        return 0
    print_rules(Console(highlight=False), " ".join(args.about))
    return 0


def print_rules(console: Console, wanted: str = "") -> None:
    """Print the rules on a number or a word, or all; a ValueError says that there is nothing, and what is near."""
    items = the_rules().look_up(wanted)
    by_number = items == the_rules().by_number(wanted) or not wanted.strip()
    if not console.is_terminal:
        for line in _lines(items, scenarios=by_number):
            console.file.write(f"{line}\n")
        return
    for item in items:
        _draw(console, item, scenarios=by_number)


def _lines(items: Iterable[Item], *, scenarios: bool) -> Iterator[str]:
    """Give the items as plain text, a line for each paragraph."""
    for number, item in enumerate(items):
        head = f"{item.number} {item.title}".strip()
        if item.level:
            yield from ("", head) if number else (head,)
        first, *more = item.text.split("\n\n")
        if first:
            yield plain(first) if item.level else f"{head} {plain(first)}"
        yield from (plain(paragraph) for paragraph in more)
        yield from (f"    editions: {plain(line)}" for line in item.editions)
        if scenarios:
            yield from (f"    shown by: {plain(line)}" for line in item.shown_by)


def _draw(console: Console, item: Item, *, scenarios: bool) -> None:
    """Print an item with its number in front and what belongs to it below, set in."""
    width = min(console.width, WIDEST)
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
    for kind, said in pieces(text):
        line.append(said, f"{style} {_STYLES[kind]}".strip())
    return line
