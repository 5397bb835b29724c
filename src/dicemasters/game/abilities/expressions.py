"""What the words of the card language mean in a game: the sorts of meanings.

A meaning is a small object, made once for a table. `descriptions.py`, `amounts.py` and `conditions.py` hold them, each in a table by
the word it is registered for; a test finds a row of `cards/language/metadata.py` without one.
"""

from __future__ import annotations

from typing import Final, final

from dicemasters.game.state.frames import Running
from dicemasters.game.state.state import State


class Predicate:
    """The meaning of a description: whether a die or player fits it, in the context of a sentence."""

    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        raise NotImplementedError


class Reference:
    """The meaning of a description that points at dice: which they are."""

    __slots__ = ()

    def find(self, s: State, c: Running) -> list[int]:
        raise NotImplementedError


class Quantity:
    """The meaning of an amount: how much it is now."""

    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        raise NotImplementedError


class Question:
    """The meaning of a condition: whether it holds now."""

    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        raise NotImplementedError


# --- where nothing is said -----------------------------------------------------------------------------------------


@final
class Anybody(Predicate):
    __slots__ = ()

    def holds(self, s: State, x: int, c: Running) -> bool:
        return True


@final
class Nothing(Quantity):
    __slots__ = ()

    def worth(self, s: State, c: Running) -> int:
        return 0


@final
class Always(Question):
    __slots__ = ()

    def asked(self, s: State, c: Running) -> bool:
        return True


ANYBODY: Final = Anybody()
NOTHING: Final = Nothing()
ALWAYS: Final = Always()
