"""How a game goes: state, editions, turn, energy, combat, effects, notation."""

from dicemasters.game.decision import Choice, Decision, IllegalChoiceError, Result
from dicemasters.game.game import Game
from dicemasters.game.position import Position

__all__ = ["Choice", "Decision", "Game", "IllegalChoiceError", "Position", "Result"]
