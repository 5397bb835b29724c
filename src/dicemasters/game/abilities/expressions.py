"""What the words of the card language mean in a game: the sorts of meanings.

A meaning is a small object, made once for a table. `descriptions.py`, `amounts.py` and `conditions.py` hold them, each in a table by
the word it is registered for; a test finds a row of `cards/language/metadata.py` without one.
"""

from __future__ import annotations

from typing import Final, final

from dicemasters.game.state.frames import AbilityFrame
from dicemasters.game.state.state import State


class Predicate:
    """The meaning of a description: whether a die or player fits it, in the context of a sentence."""

    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        raise NotImplementedError


class Reference:
    """The meaning of a description that points at dice: which they are."""

    __slots__ = ()

    def resolve(self, s: State, ctx: AbilityFrame) -> list[int]:
        raise NotImplementedError


class Quantity:
    """The meaning of an amount: how much it is now."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        raise NotImplementedError


class ConditionExpr:
    """The meaning of a condition: whether it holds now."""

    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        raise NotImplementedError


# --- where nothing is said -----------------------------------------------------------------------------------------


@final
class AnythingPredicate(Predicate):
    __slots__ = ()

    def matches(self, s: State, x: int, ctx: AbilityFrame) -> bool:
        return True


@final
class ZeroQuantity(Quantity):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> int:
        return 0


@final
class AlwaysTrue(ConditionExpr):
    __slots__ = ()

    def evaluate(self, s: State, ctx: AbilityFrame) -> bool:
        return True


ANYTHING: Final = AnythingPredicate()
ZERO: Final = ZeroQuantity()
ALWAYS: Final = AlwaysTrue()
