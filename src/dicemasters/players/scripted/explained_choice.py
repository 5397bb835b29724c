"""A choice of the script with the rule that made it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dicemasters.game.inspect.view import State
from dicemasters.game.rulesets.solitaire import Solitaire


class Reason(NamedTuple):
    """The index of the option that is taken, the number of the rule (docs/scripted-opponent.md), and why, in a sentence."""

    option: int
    rule: str
    why: str


Rule = Callable[[State], Reason]


def reading(s: State) -> Solitaire:
    """Give how the open points are read at this table."""
    return s.table.solitaire or Solitaire(s.ask.seat)


def find(s: State, *words: str) -> int:
    """Give the index of the first option with one of these words, or -1."""
    return next((i for i, option in enumerate(s.options) if option[0] in words), -1)
