"""What `dicemasters cards` and `dicemasters show` do: find cards, and print them."""

from __future__ import annotations

import argparse
import json

from rich.console import Console

from dicemasters.cards.files import with_files
from dicemasters.cards.search import FIELDS, card_data, search
from dicemasters.table.card import print_card, print_table
from dicemasters.table.looking import find_cards

EXAMPLES = """\
examples:
  dicemasters cards                            all of them
  dicemasters cards hulk                       the word in name or text
  dicemasters cards energy:bolt "cost<=3" keyword:fast
  dicemasters cards set:cw affiliation:villains rarity:rare
  dicemasters cards "hulk: jade giant"         one card is shown in full
  dicemasters cards --load my.toml name:nurse  with home-made cards"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `cards` and `show`."""
    show = commands.add_parser("show", help="show cards in full", description="Show a card in full, or several.")
    show.add_argument("card", nargs="+", help="its name or key: hulk: jade giant; several with ; or , between them")
    cards = commands.add_parser(
        "cards",
        help="find cards",
        description="Find cards by their words: a plain word is looked for in name and text.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    cards.add_argument("query", nargs="*", help=f"words, or field:value with {', '.join(FIELDS)}")
    cards.add_argument("--json", action="store_true", help="print the cards found as JSON (docs/card-language.md)")
    for command in (show, cards):
        command.add_argument(
            "--load", action="append", default=[], metavar="FILE", help="know the home-made cards of a file too"
        )


def main(args: argparse.Namespace) -> int:
    """Find cards or show them; give the exit code."""
    known, console = with_files(args.load), Console(highlight=False)
    if args.command == "show":
        for card in find_cards(" ".join(args.card), cards=known):
            print_card(console, card)
        return 0
    found = search(known, " ".join(args.query))
    if args.json:
        print(json.dumps([card_data(card) for card in found], ensure_ascii=False, indent=1))
    elif len(found) == 1:
        print_card(console, found[0])
    else:
        print_table(console, found)
    return 0
