"""A choice of the script with the rule that made it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dicemasters.game.inspect.view import State
from dicemasters.game.rulesets.solitaire import SolitaireRules


class ExplainedChoice(NamedTuple):
    """The index of the option that is taken, the number of the rule (docs/scripted-opponent.md), and why, in a sentence."""

    option: int
    rule: str
    why: str


Rule = Callable[[State], ExplainedChoice]


def script_rules(s: State) -> SolitaireRules:
    """Give how the open points are read at this table."""
    return s.spec.solitaire or SolitaireRules(s.decision.seat)


def find_option(s: State, *kinds: str) -> int:
    """Give the index of the first option with one of these words, or -1."""
    return next((i for i, option in enumerate(s.options) if option[0] in kinds), -1)
