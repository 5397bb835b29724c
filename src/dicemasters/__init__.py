"""Marvel Dice Masters as software."""

from dicemasters import form as form  # first: it sees to it that the right form of the engine is imported
from dicemasters.cards import Card, Catalogue, UnknownCardError, catalogue
from dicemasters.game import Choice, Decision, Game, IllegalChoiceError, Position, Result

__version__ = "0.1.0"
__all__ = [
    "Card",
    "Catalogue",
    "Choice",
    "Decision",
    "Game",
    "IllegalChoiceError",
    "Position",
    "Result",
    "UnknownCardError",
    "catalogue",
]
