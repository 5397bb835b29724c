"""Opening odds of a card: the exact chances equal exhaustive enumeration and follow from the rules."""

from __future__ import annotations

from itertools import product

import pytest

from dicemasters.cards import catalogue
from dicemasters.cards.dice import DICE
from dicemasters.cards.toml_loader import read_cards
from dicemasters.teams.opening_odds import chance_to_buy, chance_to_buy_in_two, chance_to_field

SIDEKICK = [face.energy for face in DICE["sidekick"].faces]


def enumerated_chance_to_buy(cost: int, energy: str) -> float:
    """Return the chance to buy by enumerating every roll of four dice, every choice of rerolls and every reroll."""

    def pays(roll: tuple[str, ...]) -> bool:
        shown = [face for face in roll if face]
        return len(shown) >= cost and (not energy or energy in shown or "?" in shown)

    rolls = list(product(SIDEKICK, repeat=4))
    known: dict[tuple[str, ...], float] = {}

    def chance_with_kept(kept: tuple[str, ...]) -> float:
        if kept not in known:
            again = list(product(SIDEKICK, repeat=4 - len(kept)))
            known[kept] = sum(pays((*kept, *new)) for new in again) / len(again)
        return known[kept]

    total = 0.0
    for roll in rolls:
        ways = (
            tuple(sorted(f for f, keeps in zip(roll, mask, strict=True) if keeps)) for mask in product((0, 1), repeat=4)
        )
        total += max(map(chance_with_kept, set(ways)))
    return total / len(rolls)


@pytest.mark.parametrize("key", ["avx1", "avx11", "avx13", "avx27", "avx28"])
def test_chance_to_buy_equals_exhaustive_enumeration(key: str) -> None:
    card = catalogue().find(key)
    assert chance_to_buy(card) == pytest.approx(enumerated_chance_to_buy(card.cost, card.energy))
    assert chance_to_buy_in_two(card) == pytest.approx(1 - (1 - chance_to_buy(card)) ** 2)


def test_chance_to_buy_falls_with_cost_and_is_zero_above_four() -> None:
    cards = [card for card in catalogue() if card.energy]
    by_cost = {cost: {round(chance_to_buy(card), 9) for card in cards if card.cost == cost} for cost in range(1, 9)}
    assert all(len(chances) <= 1 for chances in by_cost.values())
    for cost in (2, 3):
        assert min(by_cost[cost]) > max(by_cost[cost + 1])
    assert {chance for cost, chances in by_cost.items() if cost > 4 for chance in chances} == {0.0}


def test_card_of_two_energy_types_needs_both() -> None:
    both, one = read_cards(
        '[[card]]\ntitle = "A"\nsubtitle = "x"\ncost = 3\nenergy = ["fist", "bolt"]\ndie = "hulk"\n'
        '[[card]]\ntitle = "B"\nsubtitle = "y"\ncost = 3\nenergy = "fist"\ndie = "hulk"\n'
    )
    assert 0 < chance_to_buy(both) < chance_to_buy(one)


def test_chance_to_field_is_at_most_the_chance_to_draw() -> None:
    for card in catalogue():
        assert 0 < chance_to_field(card) <= 4 / 9


def test_die_with_expensive_faces_is_fielded_less_often() -> None:
    cheap, expensive = read_cards(
        '[[card]]\ntitle = "A"\nsubtitle = "x"\ncost = 3\nenergy = "fist"\n'
        'die = { energy = "F FF FF", faces = "0/1/1 0/2/2 0/3/3" }\n'
        '[[card]]\ntitle = "B"\nsubtitle = "y"\ncost = 3\nenergy = "fist"\n'
        'die = { energy = "F FF FF", faces = "3/1/1 3/2/2 3/3/3" }\n'
    )
    assert chance_to_field(cheap) == pytest.approx(4 / 9 * (1 - 1 / 4))  # three of six faces, two rolls
    assert chance_to_field(expensive) < chance_to_field(cheap)
