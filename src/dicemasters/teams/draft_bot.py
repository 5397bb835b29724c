"""A bot that drafts by rules of thumb.

It uses only what its seat may see and keeps no state, so that a saved draft continues as if it had never stopped.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dicemasters.cards.catalogue import Card
from dicemasters.cards.text import card_text
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.draft import Draft, DraftState
from dicemasters.teams.draft_picks import Pick
from dicemasters.teams.rainbow_draft import TEAM_CARDS, RainbowDraftState
from dicemasters.teams.team_draft import TeamDraftState

CHEAP, DEAR = 3, 6  # highest cost of a cheap card, lowest cost of an expensive one
CURVE = {"cheap": 3, "middling": 3, "dear": 2}  # cards per bracket that a team wants
ENOUGH_ACTIONS = 2
ENOUGH_DICE = 4  # per title
PREFERENCE_WEIGHT = 0.6  # largest bonus from a bot's own taste


class DraftBot:
    """Picks for the seats without a person; the seed gives each seat its own taste."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, view: DraftState) -> int:
        """Return the index of the best pick for the seat to pick, given that seat's view."""
        request = view.pick_request
        assert request is not None
        scores = [self._evaluate(view, pick) for pick in request]
        return scores.index(max(scores))

    def _evaluate(self, view: DraftState, pick: Pick) -> float:
        if isinstance(view, TeamDraftState):
            return self._evaluate_team_pick(view, pick)
        return self._evaluate_rainbow_pick(view, pick)

    # --- Draft team ------------------------------------------------------------------------------------------------

    def _evaluate_team_pick(self, view: TeamDraftState, pick: Pick) -> float:
        own_cards, opposing_cards = ([card for card, n in view.taken[seat] if n] for seat in (view.seat, 1 - view.seat))
        if pick.what == "dice":
            return -abs(pick.number - _wanted_dice(view, pick.cards[0]))
        own_value = max(self._preference(view.seat, card) + card_value_in_team(card, own_cards) for card in pick.cards)
        if pick.what == "card":
            return own_value
        denied_value = (
            max(card_value_in_team(card, opposing_cards) for card in pick.cards)
            if view.dice_left(1 - view.seat)
            else 0.0
        )
        return (own_value if view.dice_left(view.seat) else 0.0) + denied_value / 4

    # --- Rainbow Draft ---------------------------------------------------------------------------------------------

    def _evaluate_rainbow_pick(self, view: RainbowDraftState, pick: Pick) -> float:
        if pick.what == "done":
            return -100
        card = pick.cards[0]
        built = [c for c, _ in view.built[view.seat]]
        if pick.what == "dice":
            return pick.number
        if pick.what == "basic":
            return self._preference(view.seat, card) + _basic_value(card, built)
        preference = self._preference(view.seat, card)
        if view.stage == "team":
            return preference + card_value_in_team(card, built) + view.max_dice(card)
        drafted = view.drafted[view.seat]
        copies = [c for c in drafted if c.title == card.title]
        if not copies:
            surplus = max(0, len({c.title for c in drafted}) - TEAM_CARDS + 1)
            return preference + card_value_in_team(card, drafted) - surplus / 2
        dice_limit = min(ENOUGH_DICE, max(c.max for c in (*copies, card)))
        improvement = max(0.0, card_value_in_team(card, []) - max(card_value_in_team(c, []) for c in copies))
        return (
            preference
            + improvement
            + (card_value_in_team(card, []) + 1 - len(copies) / 2 if len(copies) < dice_limit else -2)
        )

    def _preference(self, seat: int, card: Card) -> float:
        """Return this bot's own bonus for a card, which never changes."""
        rng = SplitMix64((self.seed * 8 + seat) ^ zlib.crc32(card.key.encode()) << 32)
        return rng.below(1000) * PREFERENCE_WEIGHT / 1000


def play_bot_picks(draft: Draft) -> None:
    """Make the bots' picks until a person has to pick or the draft is over."""
    bot = DraftBot(draft.seed)
    while (request := draft.decision) is not None and request.seat not in draft.people:
        draft.pick(bot.choose(draft.view(request.seat)))


# --- what a card is worth ------------------------------------------------------------------------------------------


def card_value_in_team(card: Card, team: Sequence[Card]) -> float:
    """Return the value of a card in this team: its own value, its place on the cost curve, and its synergies."""
    team = [c for c in team if c.title != card.title]
    return card_value(card) + _curve_score(card, team) + _synergy_score(card, team)


@lru_cache(maxsize=1024)
def card_value(card: Card) -> float:
    """Return the value of a card on its own: its size for its cost, its fielding cost, and its abilities.

    A counts twice as much as D: in drafts that differed only in this, the teams with the stronger attackers won three
    games of four.
    """
    text_value = min(2, len(card.abilities)) / 3
    if card.kind != "character":
        return 2.0 + text_value - card.cost / 5
    levels = [face for face in card.die.faces if face.level]
    size = sum(2 * face.a + face.d for face in levels) / len(levels)
    fielding = sum(face.field for face in levels) / len(levels)
    return 1.7 * size / (card.cost + 1.5) - fielding / 3 + text_value


def _curve_score(card: Card, team: Sequence[Card]) -> float:
    """Return a bonus for costs that the team lacks, and a penalty for costs it has enough of and for many actions."""
    actions = sum(c.kind == "action" for c in team)
    action_penalty = 1.5 if card.kind == "action" and actions >= ENOUGH_ACTIONS else 0.0
    present = Counter(_bracket(c) for c in team)[_bracket(card)]
    target = CURVE[_bracket(card)]
    return (1 - present / target if present < target else -0.6 * (present - target + 1)) - action_penalty


def _synergy_score(card: Card, team: Sequence[Card]) -> float:
    """Return a bonus for energy types and affiliations shared with the team, and for cards that mention each other."""
    shared_energy = 0.2 * min(2, sum(bool(set(c.energy) & set(card.energy)) for c in team))
    shared_affiliations = 0.15 * min(4, sum(bool(set(c.affiliations) & set(card.affiliations)) for c in team))
    mentions = 0.25 * min(3, sum(_mentions(c, card) or _mentions(card, c) for c in team))
    return shared_energy + shared_affiliations + mentions


def _mentions(card: Card, friend: Card) -> bool:
    return any(name in _rendered_text(card) for name in (*friend.affiliations, friend.title))


@lru_cache(maxsize=1024)
def _rendered_text(card: Card) -> str:
    return card_text(card)


def _bracket(card: Card) -> str:
    return "cheap" if card.cost <= CHEAP else "dear" if card.cost >= DEAR else "middling"


def _basic_value(card: Card, team: Sequence[Card]) -> float:
    """Return the value of a basic action: higher if cheap in an expensive team, or with a Global that it can use."""
    energy = "".join(c.energy for c in team)
    payable = max((energy.count(symbol) for symbol in _global_types(card)), default=0)
    mean_excess_cost = sum(c.cost for c in team) / max(1, len(team)) - 4
    return payable / 4 - (card.cost - 3) * (0.3 + mean_excess_cost / 4)


def _global_types(card: Card) -> Iterable[str]:
    """Yield the energy types in the costs of the card's Globals."""
    for ability in card.abilities:
        if ability.kind == "global" and ability.cost is not None:
            yield from set(ability.cost.energy)


def _wanted_dice(view: TeamDraftState, card: Card) -> int:
    """Return the dice to take: usually three, two for an expensive card or an action, more to use up the limit."""
    usual = 2 if card.cost >= DEAR or card.kind == "action" else 3
    picks_left = 1 + len(view.stacks) // 2
    room = view.dice_left(view.seat)
    return min(card.max, max(usual, -(-room // picks_left)), room)
