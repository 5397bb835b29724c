"""Base classes of compiled expressions: predicates, references, quantities and conditions.

Expressions are stateless objects made once per game specification. `predicates.py`, `amounts.py` and `conditions.py`
define one class per word of the card language and register it under that word. A test finds rows of
`cards/language/metadata.py` without a class.
"""

from __future__ import annotations

from typing import Final, final

from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State


class Predicate:
    """Compiled description: a test of one die or player in the context of an ability."""

    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        raise NotImplementedError


class Reference:
    """Compiled description that names dice directly, without a search."""

    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        raise NotImplementedError


class Quantity:
    """Compiled amount."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        raise NotImplementedError


class ConditionExpr:
    """Compiled condition."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        raise NotImplementedError


# --- defaults ------------------------------------------------------------------------------------------------------


@final
class AnythingPredicate(Predicate):
    """Predicate that matches every die and player."""

    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return True


@final
class ZeroQuantity(Quantity):
    """The amount 0."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return 0


@final
class AlwaysTrue(ConditionExpr):
    """Condition that always holds."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return True


ANYTHING: Final = AnythingPredicate()
ZERO: Final = ZeroQuantity()
ALWAYS: Final = AlwaysTrue()
