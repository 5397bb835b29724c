"""Which abilities the scenarios make happen: the report behind `dicemasters cards --coverage`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dicemasters.cards.catalogue import Card, Catalogue
from dicemasters.cards.english import ability_text
from dicemasters.game.scenario import read_scenarios, run_scenario
from dicemasters.game.view import COVERAGE


def scenario_files(folder: str | Path) -> list[Path]:
    """List the scenario files below a folder."""
    return sorted(Path(folder).rglob("*.scenario"))


def happened_in(files: Iterable[Path], cards: Catalogue | None = None) -> set[tuple[str, int]]:
    """Run scenarios and give the abilities they make happen, by card key and position on the card."""
    found: set[tuple[str, int]] = set()
    COVERAGE.happened = found
    try:
        for path in files:
            for scenario in read_scenarios(path.read_text(encoding="utf-8")):
                run_scenario(scenario, cards)
    finally:
        COVERAGE.happened = None
    return found


def untested(cards: Iterable[Card], happened: set[tuple[str, int]]) -> list[tuple[Card, int]]:
    """List the abilities that no scenario makes happen."""
    return [(card, i) for card in cards for i in range(len(card.abilities)) if (card.key, i) not in happened]


def report(cards: Iterable[Card], happened: set[tuple[str, int]]) -> list[str]:
    """Say how many cards are tested whole, and which abilities are not."""
    mine = list(cards)
    missing = untested(mine, happened)
    whole = len(mine) - len({card.key for card, _ in missing})
    abilities = sum(len(card.abilities) for card in mine)
    lines = [f"{card.key} {card.name}: {ability_text(card.abilities[i], card)}" for card, i in missing]
    lines.append(
        f"{whole} of {len(mine)} cards, {abilities - len(missing)} of {abilities} abilities happen in a scenario"
    )
    return lines
