"""Booster packs: two cards with one die each, drawn by rarity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dicemasters.cards.catalogue import Card
from dicemasters.players.rng import SplitMix64

Pack = tuple[Card, Card]

# Per hundred cards in packs. Packs contain no starter cards or basic actions; if a set lacks a rarity, the others
# share its odds in proportion.
ODDS = {"common": 60, "uncommon": 28, "rare": 11, "super-rare": 1}


def open_packs(cards: Iterable[Card], number: int, rng: SplitMix64) -> list[Pack]:
    """Return opened packs; each belongs to one of these cards' sets, chosen with equal odds."""
    sets: dict[str, dict[str, list[Card]]] = {}
    for card in cards:
        if card.kind != "basic" and card.rarity in ODDS:
            sets.setdefault(card.set, {}).setdefault(card.rarity, []).append(card)
    boosters = [by_rarity for by_rarity in sets.values() if len(_titles(by_rarity)) > 1]
    if not boosters:
        raise ValueError("These sets have no cards for packs.")
    return [_open(boosters[rng.below(len(boosters))], rng) for _ in range(number)]


def _open(by_rarity: Mapping[str, list[Card]], rng: SplitMix64) -> Pack:
    """Return two random cards of different titles."""
    first = _draw(by_rarity, rng)
    while True:
        second = _draw(by_rarity, rng)
        if second.title != first.title:
            return first, second


def _draw(by_rarity: Mapping[str, list[Card]], rng: SplitMix64) -> Card:
    roll = rng.below(sum(ODDS[rarity] for rarity in by_rarity))
    for rarity, odds in ODDS.items():
        if rarity in by_rarity:
            if roll < odds:
                return by_rarity[rarity][rng.below(len(by_rarity[rarity]))]
            roll -= odds
    raise AssertionError("the odds do not add up")


def _titles(by_rarity: Mapping[str, list[Card]]) -> set[str]:
    return {card.title for cards in by_rarity.values() for card in cards}
