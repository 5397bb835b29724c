"""Report of the abilities that scenarios exercise (`dicemasters coverage`)."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from dicemasters.cards.catalogue import Card, Catalogue
from dicemasters.cards.text.ability_text import ability_text
from dicemasters.cards.textio import read_text
from dicemasters.cards.toml_loader import catalogue_with_files
from dicemasters.game.inspect.view import COVERAGE
from dicemasters.game.scenarios.scenario import read_scenarios, run_scenario

EXAMPLES = """\
examples:
  dicemasters coverage tests/scenarios
  dicemasters coverage my-scenarios --load my.toml"""


def add_arguments(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `coverage` command."""
    parser = commands.add_parser(
        "coverage",
        description="Run the scenarios of a folder and list the abilities that none of them exercises.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", help="folder with scenario files, at any depth")
    parser.add_argument(
        "--load", action="append", default=[], metavar="FILE", help="also load the home-made cards of this file"
    )


def main(args: argparse.Namespace) -> int:
    """Print the report and return the exit code."""
    cards = catalogue_with_files(args.load)
    print("\n".join(coverage_report(cards, abilities_exercised(scenario_files(args.folder), cards))))
    return 0


def scenario_files(folder: str | Path) -> list[Path]:
    """Return the scenario files below a folder. Raise `ValueError` if there are none."""
    if not Path(folder).is_dir():
        raise ValueError(f"{folder}: there is no such folder")
    paths = sorted(Path(folder).rglob("*.scenario"))
    if not paths:
        raise ValueError(f"{folder}: there are no scenario files below this folder")
    return paths


def abilities_exercised(files: Iterable[Path], cards: Catalogue | None = None) -> set[tuple[str, int]]:
    """Run scenarios and return the abilities that they exercise, by card key and position on the card."""
    exercised: set[tuple[str, int]] = set()
    COVERAGE.recorded = exercised
    try:
        for path in files:
            text = read_text(path)
            try:
                for scenario in read_scenarios(text):
                    run_scenario(scenario, cards)
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None
    finally:
        COVERAGE.recorded = None
    return exercised


def untested(cards: Iterable[Card], exercised: set[tuple[str, int]]) -> list[tuple[Card, int]]:
    """Return the abilities that no scenario exercises."""
    return [(card, i) for card in cards for i in range(len(card.abilities)) if (card.key, i) not in exercised]


def coverage_report(cards: Iterable[Card], exercised: set[tuple[str, int]]) -> list[str]:
    """Return the report: a line per ability that is not exercised, and the totals."""
    all_cards = list(cards)
    missing = untested(all_cards, exercised)
    covered_cards = len(all_cards) - len({card.key for card, _ in missing})
    abilities = sum(len(card.abilities) for card in all_cards)
    lines = [f"{card.key} {card.name}: {ability_text(card.abilities[i], card)}" for card, i in missing]
    lines.append(
        f"{covered_cards} of {len(all_cards)} cards, {abilities - len(missing)} of {abilities} abilities are exercised by a scenario"
    )
    return lines
