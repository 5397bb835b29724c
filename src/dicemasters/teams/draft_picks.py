"""Types common to all drafts: pick requests, and the picks they offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from dicemasters.cards.catalogue import Card
from dicemasters.players.rng import SplitMix64

SEATS = "ABCDEFGH"

TeamDice = tuple[tuple[Card, int], ...]  # cards with a number of dice each
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pick:
    """One possible pick: its kind, a short text, the cards it concerns, and a number of dice."""

    what: str  # stack, card, dice, basic or done
    text: str
    cards: tuple[Card, ...] = ()
    number: int = 0

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class PickRequest:
    """A pending pick: the player, the kind of pick, and all options."""

    seat: int
    kind: str
    question: str
    picks: tuple[Pick, ...]

    @property
    def player(self) -> str:
        """The letter of the player who picks."""
        return SEATS[self.seat]

    def __iter__(self) -> Iterator[Pick]:
        return iter(self.picks)

    def __len__(self) -> int:
        return len(self.picks)


def card_picks(what: str, cards: Iterable[Card]) -> tuple[Pick, ...]:
    """Return a pick for each different card; cards with equal names are listed with their set."""
    cards = sorted(set(cards), key=card_order)
    names = Counter(card.name for card in cards)
    return tuple(Pick(what, full_name(c) if names[c.name] > 1 else c.name, (c,)) for c in cards)


def dice_picks(card: Card, minimum: int, maximum: int) -> tuple[Pick, ...]:
    """Return a pick for each number of dice, beginning with one die; "no dice" comes last."""
    picks = [Pick("dice", "1 die" if n == 1 else f"{n} dice", (card,), n) for n in range(1, maximum + 1)]
    return (*picks, Pick("dice", "no dice", (card,))) if minimum == 0 else tuple(picks)


def card_order(card: Card) -> tuple[str, int, str, str, int]:
    """Return a sort key: title, cost, subtitle, set and number."""
    return (card.title, card.cost, card.subtitle, card.set, card.number)


def full_name(card: Card) -> str:
    """Return the name with the set, which identifies the card."""
    return f"{card.name} [{card.set}]"


def draw_random(population: Iterable[T], n: int, rng: SplitMix64) -> list[T]:
    """Return n random items, drawn without replacement."""
    remaining = list(population)
    return [remaining.pop(rng.below(len(remaining))) for _ in range(n)]
