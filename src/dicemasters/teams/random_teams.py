"""Random teams: legal in their format, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterable

from dicemasters.cards import Card, Catalogue, catalogue
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.formats import Format
from dicemasters.teams.starter_teams import starter_teams
from dicemasters.teams.team import Team


def random_team(format: Format, seed: int, cards: Catalogue | None = None, *, partners: Iterable[Team] = ()) -> Team:
    """Give a legal team: as many cards as two in five dice allow, as many dice as possible, no title of a partner.

    >>> from dicemasters.teams.formats import FORMATS
    >>> team = random_team(FORMATS["tournament"], 7)
    >>> len(team.cards), team.dice, len(team.basics)
    (8, 20, 2)
    """
    chance = SplitMix64(seed)
    if format.cast:
        return starter_teams(format.cast)[chance.below(2)]
    known = list(cards or catalogue())
    taken = [card for team in partners for card in (*(c for c, _ in team.cards), *team.basics)]
    wanted = min(format.cards, -(-format.dice * 2 // 5))
    chosen = draw_cards([c for c in known if c.kind != "basic"], wanted, chance, taken)
    basics = draw_cards([c for c in known if c.kind == "basic"], format.basics, chance, taken)
    dice = _deal_dice(chosen, format.dice, chance)
    return Team(tuple(zip(chosen, dice, strict=True)), tuple(basics), f"Random {seed}", format.key)


def draw_cards(cards: list[Card], n: int, chance: SplitMix64, taken: Iterable[Card] = ()) -> list[Card]:
    """Draw n cards at random, no title twice and none that is taken; fewer if there are no more."""
    titles = {card.title.casefold() for card in taken}
    left = [card for card in cards if card.title.casefold() not in titles]
    drawn: list[Card] = []
    while left and len(drawn) < n:
        card = left[chance.below(len(left))]
        drawn.append(card)
        left = [other for other in left if other.title.casefold() != card.title.casefold()]
    return drawn


def _deal_dice(cards: list[Card], most: int, chance: SplitMix64) -> list[int]:
    """One die for each card, then more at random up to their limits and the team's."""
    dice = [1] * len(cards)
    while sum(dice) < most and (open_ := [i for i, card in enumerate(cards) if dice[i] < card.max]):
        dice[open_[chance.below(len(open_))]] += 1
    return dice
