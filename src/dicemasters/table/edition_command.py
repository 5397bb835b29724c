"""What `dicemasters editions` does: list every switch of the rules, what each edition has, and the words that change it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from dicemasters.game.editions import EDITIONS, SUBJECTS, SWITCHES, Switch
from dicemasters.table.drawing import LABEL, heading

EXAMPLES = """\
examples:
  dicemasters editions                        every switch, by subject
  dicemasters editions overcrush              those that speak of it
  dicemasters play --edition "cw, only KO'd blockers count, no ties"

A house rule is a setting your edition does not have. Give its words after the edition, with commas,
wherever an edition can be given: --edition, a team's format, the line edition: of a position, the browser's form."""

INDENT = 4


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `editions`."""
    about = "list the editions and all house rules"
    editions = commands.add_parser(
        "editions",
        help=about,
        description=f"{about.capitalize()}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    editions.add_argument("words", nargs="*", help="only what speaks of these words")


def main(args: argparse.Namespace) -> int:
    """Print the list; give the exit code."""
    console = Console(highlight=False)
    wanted = " ".join(args.words).casefold()
    found = [switch for switch in SWITCHES.values() if wanted in _everything(switch).casefold()]
    if not found:
        raise ValueError(f"no house rule speaks of '{wanted[:60]}'; dicemasters editions lists them all")
    for line in lines(found, console.width):
        console.print(line, soft_wrap=True)
    return 0


def _everything(switch: Switch) -> str:
    return " | ".join((switch.yes, switch.no, switch.on, switch.off, switch.rule, switch.subject))


def lines(switches: Iterable[Switch], width: int) -> list[Text]:
    """Write the editions and then each switch by subject: both settings, who has them, what they mean."""
    shown = list(switches)
    found = [Text(f"{key:<4} {e.name} ({e.year})") for key, e in EDITIONS.items()]
    for subject in SUBJECTS:
        group = [switch for switch in shown if switch.subject == subject]
        if group:
            found += [Text(), heading(subject, width, "bold")]
        for n, switch in enumerate(group):
            found += [Text()] if n else []
            for on in (True, False):
                found += _setting(switch, on, width)
    return found


def _setting(switch: Switch, on: bool, width: int) -> list[Text]:
    having = [key for key, value in zip(EDITIONS, switch.values, strict=True) if value == on]
    head = Text.assemble((switch.words(on), "bold"), (f"  {' '.join(having) or 'a house rule'} · {switch.rule}", LABEL))
    sentence = Text(switch.sentence(on)).wrap(Console(), max(20, width - INDENT))
    return [head, *(Text(" " * INDENT).append_text(line) for line in sentence)]
