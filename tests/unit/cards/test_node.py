"""`Node`, the immutable base class of the words of the card language."""

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
    """A node without fields."""


def test_node_takes_its_fields_by_position_or_by_name() -> None:
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
def test_wrong_constructor_arguments_are_refused(given: tuple[int, ...], named: dict[str, int], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Spot(*given, **named)


def test_nodes_are_equal_if_class_and_fields_are_equal() -> None:
    assert Spot(1) == Spot(1)
    assert len({Spot(1), Spot(1), Spot(2), Nothing(), Nothing()}) == 3
    assert Spot(1) != Where("1", (2,))
    assert Spot(1) != (1, 2)


def test_node_is_immutable() -> None:
    spot = Spot(1)
    with pytest.raises(AttributeError, match=r"is immutable; replace\(x=...\) returns a changed copy"):
        spot.x = 5  # type: ignore[misc]
    with pytest.raises(AttributeError, match="is immutable"):
        del spot.x
    assert spot.replace(x=5) == Spot(5)
    with pytest.raises(TypeError, match="takes only x, y"):
        spot.replace(z=1)
    assert spot == Spot(1)


def test_node_can_be_pickled_copied_and_matched() -> None:
    hit = Damage(2, target(character & opposing))
    assert pickle.loads(pickle.dumps(hit)) == copy.deepcopy(hit) == hit
    match hit:
        case Damage(amount, to):
            assert (amount, to) == (2, target(character & opposing))


def test_signature_lists_the_fields() -> None:
    assert str(inspect.signature(Spot)) == "(x: 'int', y: 'int' = 2)"
    assert list(inspect.signature(Damage).parameters) == ["amount", "to", "source"]
