"""Scenario coverage of abilities: the totals of `ScenarioTotals`, and `dicemasters coverage`."""

from tests.support.homemade_cards import CATALOGUE
from tests.support.scenario_observers import FILES, SCENARIOS, ScenarioTotals

from dicemasters.cards import catalogue
from dicemasters.lab.studies.ability_coverage import abilities_exercised, untested
from dicemasters.players.scripted import SCRIPT


def test_totals_report_abilities_and_decision_kinds_without_a_scenario() -> None:
    totals = ScenarioTotals()
    assert totals.find_problems() == []  # nothing is reported until all files have run
    totals.files = len(FILES)
    totals.abilities = {(card.key, i) for card in catalogue() for i in range(len(card.abilities))}
    totals.decisions = set(SCRIPT)
    assert totals.find_problems() == []
    totals.abilities.remove(("avx9", 0))
    totals.decisions.remove("reroll")
    problems = totals.find_problems()
    assert any(line.startswith("avx9 Hulk: Jade Giant: ") for line in problems)
    assert problems[-1] == "No scenario asks for these kinds of decision: reroll"


def test_catalogue_is_complete() -> None:
    numbers = {set_: sorted(c.number for c in catalogue() if c.set == set_) for set_ in ("avx", "uxm", "cw", "ai")}
    sizes = {"avx": 132, "uxm": 126, "cw": 142, "ai": 58}
    assert numbers == {set_: list(range(1, n + 1)) for set_, n in sizes.items()}


def test_card_without_a_scenario_is_reported() -> None:
    exercised = abilities_exercised([SCENARIOS / "cards" / "hulk.scenario"], CATALOGUE)
    assert ("avx9", 0) in exercised
    assert any(card.key == "avx3" for card, _ in untested(catalogue(), exercised))
