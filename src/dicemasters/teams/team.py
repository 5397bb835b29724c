"""A team: the cards somebody brings, with their dice."""

from __future__ import annotations

from dataclasses import dataclass

from dicemasters.cards import Card


@dataclass(frozen=True, slots=True)
class Team:
    """Cards with how many dice of each, and basic actions; legal or not (that is the format's question)."""

    cards: tuple[tuple[Card, int], ...]
    basics: tuple[Card, ...] = ()
    name: str = ""
    format: str = "tournament"
    about: str = ""  # how it wants to win, in a line

    @property
    def dice(self) -> int:
        return sum(n for _, n in self.cards)
