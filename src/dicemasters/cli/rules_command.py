"""`dicemasters rules`: print the rules, a part of them, or search results."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from rich.console import Console

from dicemasters.rules.document import rules_document
from dicemasters.terminal.rules_view import print_rules

EXAMPLES = """\
examples:
  dicemasters rules                all rules
  dicemasters rules 3.4            a section: the attack step
  dicemasters rules 3.4d1          a single rule
  dicemasters rules S18            a rule of the Scripted Opponent
  dicemasters rules "#7"           a ruling
  dicemasters rules overcrush      rules about a word, its definition first
  dicemasters rules lose life      rules that mention both words

In a file or pipe, each rule is one line: dicemasters rules | grep -i overcrush"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `rules` command."""
    rules = commands.add_parser(
        "rules",
        help="search or read the rules",
        description="Search the rules, or read them: all, a section or a single rule.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    rules.add_argument(
        "about",
        nargs="*",
        metavar="NUMBER or WORD",
        help="number of a rule or section, or words to search for (default: all rules)",
    )
    rules.add_argument("--json", action="store_true", help="print as JSON: number, title, text, editions, shown_by")


def main(args: argparse.Namespace) -> int:
    """Print the rules. Return the exit code."""
    if args.json:
        items = [asdict(item) for item in rules_document().look_up(" ".join(args.about))]
        print(json.dumps(items, ensure_ascii=False, indent=1))
        return 0
    print_rules(Console(highlight=False), " ".join(args.about))
    return 0
