"""What a card is: the language, its English, the catalogue, one file a set."""

from dicemasters.cards.catalogue import Card, Catalogue, UnknownCardError, catalogue

__all__ = ["Card", "Catalogue", "UnknownCardError", "catalogue"]
