"""Every ability of every card happens in a scenario; a card added without one fails here."""

from pathlib import Path

from tests.homemade import CATALOGUE

from dicemasters.cards import catalogue
from dicemasters.lab.coverage import happened_in, report, scenario_files, untested

SCENARIOS = Path(__file__).parent / "scenarios"


def test_every_ability_of_every_card_happens_in_a_scenario() -> None:
    happened = happened_in(scenario_files(SCENARIOS), CATALOGUE)
    missing = untested(catalogue(), happened)
    assert not missing, "\n".join(report(catalogue(), happened))


def test_the_catalogue_is_whole() -> None:
    numbers = {set_: sorted(c.number for c in catalogue() if c.set == set_) for set_ in ("avx", "uxm", "cw", "ai")}
    sizes = {"avx": 132, "uxm": 126, "cw": 142, "ai": 58}
    assert numbers == {set_: list(range(1, n + 1)) for set_, n in sizes.items()}


def test_a_card_without_a_test_is_noticed() -> None:
    happened = happened_in([SCENARIOS / "cards" / "hulk.scenario"], CATALOGUE)
    assert ("avx9", 0) in happened
    assert any(card.key == "avx3" for card, _ in untested(catalogue(), happened))
