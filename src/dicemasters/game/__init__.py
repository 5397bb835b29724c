"""The rules engine: state, editions, turn structure, energy, combat, effects and notation."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dicemasters.game.decision import Choice, Decision, IllegalChoiceError, Result
    from dicemasters.game.game import Game
    from dicemasters.game.position import Position

__all__ = ["Choice", "Decision", "Game", "IllegalChoiceError", "Position", "Result"]

_WHERE = {"Game": "game", "Position": "position"}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that importing the editions does not load the whole engine."""
    if name not in __all__:
        raise AttributeError(f"module 'dicemasters.game' has no attribute '{name}'")
    value = getattr(import_module(f"dicemasters.game.{_WHERE.get(name, 'decision')}"), name)
    globals()[name] = value
    return value
