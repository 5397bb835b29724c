"""Marvel Dice Masters as software."""

from dicemasters.cards import Card, Catalogue, UnknownCardError, catalogue
from dicemasters.game import Choice, Decision, Game, IllegalChoiceError, Result

__version__ = "0.1.0"
__all__ = [
    "Card",
    "Catalogue",
    "Choice",
    "Decision",
    "Game",
    "IllegalChoiceError",
    "Result",
    "UnknownCardError",
    "catalogue",
]
