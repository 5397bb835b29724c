"""How a game goes: state, editions, turn, energy, combat, effects, notation."""

from dicemasters.game.game import Choice, Decision, Game, IllegalChoiceError, Result

__all__ = ["Choice", "Decision", "Game", "IllegalChoiceError", "Result"]
