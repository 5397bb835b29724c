"""Answers to questions that are asked again and again while a state does not change."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from dicemasters.game.abilities.program import StaticRule
    from dicemasters.game.state.frames import AbilityFrame
    from dicemasters.game.state.values import ActiveEffect


@final
class QueryCache:
    """The cache of a state that does not change for now; `queries.static_rules.UnchangedState` sets and removes it."""

    def __init__(self) -> None:
        self.rules: dict[str, list[tuple[StaticRule, AbilityFrame]]] = {}  # static rules in force by word
        self.signatures: dict[int, tuple[int, ...]] = {}  # `effect_signature` by die
        self.granted: dict[int, list[int]] = {}  # `granted_signature` by die
        self.effective_cards: dict[int, int] = {}  # by die
        self.effect_ranks: dict[int, int] = {}  # by position of the effect
        self.effects: dict[frozenset[str], list[ActiveEffect]] = {}  # active effects by their words
