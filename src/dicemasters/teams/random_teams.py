"""Random teams, legal in their format and reproducible by seed."""

from __future__ import annotations

from collections.abc import Iterable

from dicemasters.cards import Card, Catalogue, catalogue
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.formats import Format
from dicemasters.teams.starter_teams import starter_teams
from dicemasters.teams.team import Team


def random_team(format: Format, seed: int, cards: Catalogue | None = None, *, partners: Iterable[Team] = ()) -> Team:
    """Return a legal team with as many dice as possible, two cards for every five dice, and no title of a partner.

    >>> from dicemasters.teams.formats import FORMATS
    >>> team = random_team(FORMATS["tournament"], 7)
    >>> len(team.cards), team.dice, len(team.basics)
    (8, 20, 2)
    """
    rng = SplitMix64(seed)
    if format.cast:
        return starter_teams(format.cast)[rng.below(2)]
    pool = list(cards or catalogue())
    partner_cards = [card for team in partners for card in (*(c for c, _ in team.cards), *team.basics)]
    card_count = min(format.cards, -(-format.dice * 2 // 5))
    chosen = draw_cards([c for c in pool if c.kind != "basic"], card_count, rng, partner_cards)
    basics = draw_cards([c for c in pool if c.kind == "basic"], format.basics, rng, partner_cards)
    dice = _deal_dice(chosen, format.dice, rng)
    return Team(tuple(zip(chosen, dice, strict=True)), tuple(basics), f"Random {seed}", format.key)


def draw_cards(cards: list[Card], n: int, rng: SplitMix64, taken: Iterable[Card] = ()) -> list[Card]:
    """Return n random cards with different titles, none of them taken; fewer if there are not enough."""
    titles = {card.title.casefold() for card in taken}
    remaining = [card for card in cards if card.title.casefold() not in titles]
    drawn: list[Card] = []
    while remaining and len(drawn) < n:
        card = remaining[rng.below(len(remaining))]
        drawn.append(card)
        remaining = [other for other in remaining if other.title.casefold() != card.title.casefold()]
    return drawn


def _deal_dice(cards: list[Card], total: int, rng: SplitMix64) -> list[int]:
    """Return a number of dice per card: one each, then more at random up to the limits of the cards and the team."""
    dice = [1] * len(cards)
    while sum(dice) < total and (below_limit := [i for i, card in enumerate(cards) if dice[i] < card.max]):
        dice[below_limit[rng.below(len(below_limit))]] += 1
    return dice
