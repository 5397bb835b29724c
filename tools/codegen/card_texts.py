"""The reviewed texts of all cards, tests/unit/cards/texts.txt: `python -m tools.codegen.card_texts --write`.

The file shows in a diff how a change of a card, of the card language or of `cards/text` changes what players read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dicemasters.cards import catalogue
from dicemasters.cards.text import card_text
from tools.codegen import write_or_check

FILE = Path(__file__).parents[2] / "tests" / "unit" / "cards" / "texts.txt"


def render_texts() -> str:
    """Return the name and the generated text of every card."""
    return "\n".join(f"{card.key} {card.name}\n{card_text(card)}".rstrip() + "\n" for card in catalogue())


def main(argv: list[str] | None = None) -> int:
    """Write the texts with --write, otherwise check that the file is up to date. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.codegen.card_texts", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write tests/unit/cards/texts.txt")
    args = parser.parse_args(argv)
    return write_or_check(FILE, render_texts(), write=args.write)


if __name__ == "__main__":
    sys.exit(main())
