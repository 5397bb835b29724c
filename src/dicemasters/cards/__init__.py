"""Card definitions: the card language, its English rendering, the catalogue and one module per set."""

from dicemasters.cards.catalogue import Card, Catalogue, UnknownCardError, catalogue

__all__ = ["Card", "Catalogue", "UnknownCardError", "catalogue"]
