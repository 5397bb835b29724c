"""A team: cards with their dice, and basic actions."""

from __future__ import annotations

from dataclasses import dataclass

from dicemasters.cards import Card


@dataclass(frozen=True, slots=True)
class Team:
    """Cards with their numbers of dice, and basic actions. Whether the team is legal depends on the format."""

    cards: tuple[tuple[Card, int], ...]
    basics: tuple[Card, ...] = ()
    name: str = ""
    format: str = "tournament"
    about: str = ""  # plan of the team, in one line

    @property
    def dice(self) -> int:
        """The number of dice of all cards."""
        return sum(n for _, n in self.cards)
