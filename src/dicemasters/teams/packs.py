"""Booster packs: two cards with a die each, by rarity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dicemasters.cards.catalogue import Card
from dicemasters.players.rng import SplitMix64

Pack = tuple[Card, Card]

# Of a hundred cards in packs. Starter cards and basic actions come in no pack; where a set lacks a rarity, the others
# share its part in proportion.
ODDS = {"common": 60, "uncommon": 28, "rare": 11, "super-rare": 1}


def open_packs(cards: Iterable[Card], number: int, chance: SplitMix64) -> list[Pack]:
    """Open packs; each is of one of the sets of these cards, each set as likely as another."""
    sets: dict[str, dict[str, list[Card]]] = {}
    for card in cards:
        if card.kind != "basic" and card.rarity in ODDS:
            sets.setdefault(card.set, {}).setdefault(card.rarity, []).append(card)
    boosters = [by_rarity for by_rarity in sets.values() if len(_titles(by_rarity)) > 1]
    if not boosters:
        raise ValueError("These sets have no cards that come in packs.")
    return [_open(boosters[chance.below(len(boosters))], chance) for _ in range(number)]


def _open(by_rarity: Mapping[str, list[Card]], chance: SplitMix64) -> Pack:
    """Draw two cards of different titles."""
    one = _draw(by_rarity, chance)
    while True:
        two = _draw(by_rarity, chance)
        if two.title != one.title:
            return one, two


def _draw(by_rarity: Mapping[str, list[Card]], chance: SplitMix64) -> Card:
    at = chance.below(sum(ODDS[rarity] for rarity in by_rarity))
    for rarity, odds in ODDS.items():
        if rarity in by_rarity:
            if at < odds:
                return by_rarity[rarity][chance.below(len(by_rarity[rarity]))]
            at -= odds
    raise AssertionError("the odds do not add up")


def _titles(by_rarity: Mapping[str, list[Card]]) -> set[str]:
    return {card.title for cards in by_rarity.values() for card in cards}
