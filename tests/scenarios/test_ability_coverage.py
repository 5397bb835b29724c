"""Every ability of every card has a scenario: the sums of `ScenarioTotals`, and `dicemasters coverage`."""

from tests.support.homemade_cards import CATALOGUE
from tests.support.scenario_observers import FILES, SCENARIOS, ScenarioTotals

from dicemasters.cards import catalogue
from dicemasters.lab.studies.ability_coverage import abilities_exercised, untested
from dicemasters.players.scripted import SCRIPT


def test_an_ability_or_a_kind_of_decision_without_a_scenario_is_reported() -> None:
    totals = ScenarioTotals()
    assert totals.find_problems() == []  # some files have not run
    totals.files = len(FILES)
    totals.abilities = {(card.key, i) for card in catalogue() for i in range(len(card.abilities))}
    totals.decisions = set(SCRIPT)
    assert totals.find_problems() == []
    totals.abilities.remove(("avx9", 0))
    totals.decisions.remove("reroll")
    problems = totals.find_problems()
    assert any(line.startswith("avx9 Hulk: Jade Giant: ") for line in problems)
    assert problems[-1] == "No scenario asks for these kinds of decision: reroll"


def test_the_catalogue_is_whole() -> None:
    numbers = {set_: sorted(c.number for c in catalogue() if c.set == set_) for set_ in ("avx", "uxm", "cw", "ai")}
    sizes = {"avx": 132, "uxm": 126, "cw": 142, "ai": 58}
    assert numbers == {set_: list(range(1, n + 1)) for set_, n in sizes.items()}


def test_a_card_without_a_test_is_noticed() -> None:
    happened = abilities_exercised([SCENARIOS / "cards" / "hulk.scenario"], CATALOGUE)
    assert ("avx9", 0) in happened
    assert any(card.key == "avx3" for card, _ in untested(catalogue(), happened))
