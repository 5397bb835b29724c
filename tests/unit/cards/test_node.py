"""Small values: what the words of the card language are made by."""

from __future__ import annotations

import copy
import inspect
import pickle

import pytest

from dicemasters.cards.language.node import Node
from dicemasters.cards.language.vocabulary import Damage, Where, character, opposing, target


class Spot(Node):
    x: int
    y: int = 2


class Nothing(Node):
    """It has no fields at all."""


def test_a_value_is_made_of_its_fields_in_order_or_by_name() -> None:
    assert (Spot(1).x, Spot(1).y) == (1, 2)
    assert Spot(1, 3) == Spot(y=3, x=1)
    assert repr(Spot(1)) == "Spot(x=1, y=2)"
    assert repr(Nothing()) == "Nothing()"


@pytest.mark.parametrize(
    ("given", "named", "message"),
    [
        ((), {}, "Spot lacks its 'x'"),
        ((), {"y": 1}, "Spot lacks its 'x'"),
        ((1, 2, 3), {}, "Spot takes only x, y"),
        ((1,), {"x": 1}, "Spot takes only x, y"),
        ((1,), {"z": 1}, "Spot takes only x, y"),
    ],
)
def test_nothing_else_makes_one(given: tuple[int, ...], named: dict[str, int], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Spot(*given, **named)


def test_values_are_equal_if_their_fields_are_and_they_are_of_one_class() -> None:
    assert Spot(1) == Spot(1)
    assert len({Spot(1), Spot(1), Spot(2), Nothing(), Nothing()}) == 3
    assert Spot(1) != Where("1", (2,))
    assert Spot(1) != (1, 2)


def test_a_value_never_changes() -> None:
    spot = Spot(1)
    with pytest.raises(AttributeError, match=r"is immutable; replace\(x=...\) returns a changed copy"):
        spot.x = 5  # type: ignore[misc]
    with pytest.raises(AttributeError, match="is immutable"):
        del spot.x
    assert spot.replace(x=5) == Spot(5)
    with pytest.raises(TypeError, match="takes only x, y"):
        spot.replace(z=1)
    assert spot == Spot(1)


def test_a_value_can_be_copied_sent_and_taken_apart() -> None:
    hit = Damage(2, target(character & opposing))
    assert pickle.loads(pickle.dumps(hit)) == copy.deepcopy(hit) == hit
    match hit:
        case Damage(amount, to):
            assert (amount, to) == (2, target(character & opposing))


def test_help_says_what_a_value_is_made_of() -> None:
    assert str(inspect.signature(Spot)) == "(x: 'int', y: 'int' = 2)"
    assert list(inspect.signature(Damage).parameters) == ["amount", "to", "source"]
