"""`dicemasters cards` and `dicemasters show`: find and print cards."""

from __future__ import annotations

import argparse
import json
import sys

from rich.console import Console

from dicemasters.cards.query import (
    COLUMNS,
    FIELDS,
    IS_VALUES,
    NUMBER_FIELDS,
    SORT_FIELDS,
    card_as_json,
    parse_query,
    table_cells,
)
from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.terminal.card_lookup import find_cards
from dicemasters.terminal.card_table import USUAL_COLUMNS, print_table
from dicemasters.terminal.card_view import print_card

EXAMPLES = f"""\
examples:
  dicemasters cards                            all cards
  dicemasters cards hulk                       cards with this word in their name or text
  dicemasters cards energy:bolt "cost<=3" keyword:fast
  dicemasters cards set:cw affiliation:villains rarity:rare
  dicemasters cards "energy:bolt or energy:fist" -is:global "a>=5" sort:-a
  dicemasters cards "(cost=2 or cost=3) d>=4" columns:name,cost,text
  dicemasters cards 'text:"cannot be blocked"' -set:avx
  dicemasters cards '/draws? (two|2)/'         a pattern, in name or text
  dicemasters cards jade giant                 a single result is shown in full
  dicemasters cards --load my.toml name:nurse  with home-made cards

All words must match. Use or, brackets, and a minus for "not".
  fields     {", ".join(FIELDS)}
  compared   {", ".join(NUMBER_FIELDS)}, with = != < <= > >=; any face of a die counts
  is:        {", ".join(IS_VALUES)}
  sort:      {", ".join(SORT_FIELDS)}; sort:-cost is descending
  columns:   {", ".join(COLUMNS)}
  patterns   between slashes: . [a-z] ( | ) * + ? ^ $ \\b \\d \\w
In a pipe, the table is tab-separated with a header line."""


SHOW_EXAMPLES = """\
examples:
  dicemasters show "hulk: jade giant"
  dicemasters show avx9 uxm20                  two cards, by set and number
  dicemasters show "hulk: jade giant" --json"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `cards` and `show` commands."""
    show = commands.add_parser(
        "show",
        description="Show cards in full.",
        epilog=SHOW_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    show.add_argument("card", nargs="+", help="name or key of a card; separate several with ; or ,")
    cards = commands.add_parser(
        "cards",
        description="Search the cards. Plain words are searched for in names and texts.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    cards.add_argument("query", nargs=argparse.REMAINDER, help="words, or field:value")
    for command in (show, cards):
        command.add_argument("--json", action="store_true", help="print the cards as JSON (docs/card-language.md)")
        command.add_argument(
            "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards in this file"
        )


def protect_negations(words: list[str]) -> list[str]:
    """Return the words of a search with negations such as `-is:global` escaped, so that argparse sees no options."""
    return [
        f" {word}" if word.startswith("-") and word != "-h" and not word.startswith("--") else word for word in words
    ]


def main(args: argparse.Namespace) -> int:
    """Find or show cards. Return the exit code."""
    if args.command == "cards":
        _take_options(args)
    cards, console = catalogue_with_files(args.load), Console(highlight=False)
    if args.command == "show":
        matches = find_cards(" ".join(args.card), cards=cards)
        if args.json:
            print(json.dumps([card_as_json(card) for card in matches], ensure_ascii=False, indent=1))
        else:
            for card in matches:
                print_card(console, card)
        return 0
    query = parse_query(" ".join(args.query))
    results = query.of(cards)
    if args.json:
        print(json.dumps([card_as_json(card) for card in results], ensure_ascii=False, indent=1))
    elif not console.is_terminal:
        columns = query.columns or USUAL_COLUMNS
        print("\t".join(columns))
        for card in results:
            print("\t".join(table_cells(card, columns)))
    elif len(results) == 1 and not query.columns:
        print_card(console, results[0])
    else:
        print_table(console, results, query.columns)
    return 0


def _take_options(args: argparse.Namespace) -> None:
    """Move options out of the search words, where a minus means negation: `cards -is:global --json`."""
    words: list[str] = []
    remaining = iter(args.query)
    for word in remaining:
        if word == "--":  # everything after it is a word
            words += remaining
        elif word == "--json":
            args.json = True
        elif word == "--load":
            file = next(remaining, None)
            if file is None:
                raise ValueError("--load needs a file")
            args.load = [*args.load, file]
        elif word.startswith("--load="):
            args.load = [*args.load, word.removeprefix("--load=")]
        elif word in ("-h", "--help"):
            print(EXAMPLES, file=sys.stdout)
            raise SystemExit(0)
        elif word.startswith("--"):
            raise ValueError(f"unknown option {word}; the options are --json and --load FILE")
        else:
            words.append(word)
    args.query = words
