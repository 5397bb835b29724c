"""A choice of the script with the rule that determines it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dicemasters.game.inspect.view import State
from dicemasters.game.rulesets.solitaire import SolitaireRules


class ExplainedChoice(NamedTuple):
    """The index of the chosen option, the number of its rule (docs/scripted-opponent.md), and the reason."""

    option: int
    rule: str
    why: str


Rule = Callable[[State], ExplainedChoice]


def script_rules(s: State) -> SolitaireRules:
    """Return the readings of the script that apply in this game."""
    return s.spec.solitaire or SolitaireRules(s.decision.seat)


def find_option(s: State, *kinds: str) -> int:
    """Return the index of the first option of one of these kinds, or -1."""
    return next((i for i, option in enumerate(s.options) if option[0] in kinds), -1)
