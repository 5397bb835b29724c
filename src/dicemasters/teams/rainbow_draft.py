"""Rainbow Draft: players open packs, pick a card, pass the rest on, and build a team from their picks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from dicemasters.cards.catalogue import Card
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.draft_picks import SEATS, Pick, PickRequest, TeamDice, card_order, card_picks, dice_picks
from dicemasters.teams.formats import FORMATS
from dicemasters.teams.packs import Pack, open_packs
from dicemasters.teams.team import Team

_FORMAT = FORMATS["rainbow"]
MIN_PLAYERS, MAX_PLAYERS = _FORMAT.players[0], _FORMAT.players[-1]
TEAM_CARDS, TEAM_DICE, BASICS, LIFE = _FORMAT.cards, _FORMAT.dice, _FORMAT.basics, _FORMAT.life
PACKS_PER_PLAYER = 12

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RainbowDraftState:
    """A Rainbow Draft at one moment. Tuples by seat have one entry per player."""

    hands: tuple[tuple[Card, ...], ...]  # by seat: the cards to pick from
    piles: tuple[tuple[Card, ...], ...]  # by seat: the second pile, face down; empty once it is in hand
    middle: tuple[tuple[str, int], ...]  # all dice of the packs by title, visible to all players
    known_basics: tuple[Card, ...]  # the basic actions that players may choose
    drafted: tuple[tuple[Card, ...], ...]  # by seat, in the order of picking
    built: tuple[TeamDice, ...]  # by seat: the team built so far
    basics: tuple[tuple[Card, ...], ...]  # by seat
    stage: str = "draft"  # draft; then for each player team, dice (of the card being added) and basics; then over
    seat: int = 0  # seat that picks next
    card: Card | None = None  # the card being added to the team

    @property
    def pick_request(self) -> PickRequest | None:
        """Return the pending pick, or None when the draft is over."""
        seat = self.seat
        if self.stage == "draft":
            return PickRequest(seat, "draft", "Which card do you draft?", card_picks("card", self.hands[seat]))
        if self.stage == "team":
            picks = card_picks("card", self._addable_cards())
            if self.built[seat]:
                picks = (*picks, Pick("done", "done, the team is complete"))
            return PickRequest(seat, "team", "Which card goes into your team?", picks)
        if self.stage == "dice":
            assert self.card is not None
            question = f"How many dice of {self.card.name}?"
            return PickRequest(seat, "dice", question, dice_picks(self.card, 1, self.max_dice(self.card)))
        if self.stage == "basics":
            titles = {card.title for card in self.basics[seat]}
            others = [card for card in self.known_basics if card.title not in titles]  # all differ (rules 7.1b)
            question = f"Which basic action do you bring? ({len(titles) + 1} of {BASICS})"
            return PickRequest(seat, "basics", question, card_picks("basic", others))
        return None

    def with_pick(self, pick: Pick) -> RainbowDraftState:
        """Return the draft after this pick."""
        if self.stage == "draft":
            return self._draft(pick.cards[0])
        if pick.what == "basic":
            chosen = (*self.basics[self.seat], pick.cards[0])
            return replace(self, basics=_replace_at(self.basics, self.seat, chosen))._after_basics()
        if pick.what == "card":
            card = pick.cards[0]
            max_dice = self.max_dice(card)
            return replace(self, stage="dice", card=card) if max_dice > 1 else self._add(card, max_dice)
        if pick.what == "dice":
            return self._add(pick.cards[0], pick.number)
        return replace(self, stage="basics")

    # --- drafting --------------------------------------------------------------------------------------------------

    def _draft(self, card: Card) -> RainbowDraftState:
        """Return the draft after this card is drafted. When all players have drafted one, the hands are passed on."""
        hand = list(self.hands[self.seat])
        hand.remove(card)
        after = replace(
            self,
            hands=_replace_at(self.hands, self.seat, tuple(hand)),
            drafted=_replace_at(self.drafted, self.seat, (*self.drafted[self.seat], card)),
            seat=(self.seat + 1) % len(self.hands),
        )
        if after.seat:
            return after
        if any(after.hands):
            return replace(after, hands=_pass_hands(after.hands, right=any(self.piles)))
        if any(self.piles):
            return replace(after, hands=self.piles, piles=tuple(() for _ in self.piles))
        return replace(after, stage="team")

    # --- building --------------------------------------------------------------------------------------------------

    def max_dice(self, card: Card) -> int:
        """Return the maximum dice of a card: one per drafted card of its title, within its maximum and the limit."""
        drafted = sum(c.title == card.title for c in self.drafted[self.seat])
        return min(drafted, card.max, TEAM_DICE - sum(n for _, n in self.built[self.seat]))

    def _addable_cards(self) -> list[Card]:
        """Return the drafted cards that can still join the team: no title twice (rules 1.3b)."""
        built = self.built[self.seat]
        if len(built) == TEAM_CARDS:
            return []
        titles = {card.title for card, _ in built}
        return [c for c in self.drafted[self.seat] if c.title not in titles and self.max_dice(c)]

    def _add(self, card: Card, number: int) -> RainbowDraftState:
        built = (*self.built[self.seat], (card, number))
        after = replace(self, built=_replace_at(self.built, self.seat, built), stage="team", card=None)
        return after if after._addable_cards() else replace(after, stage="basics")

    def _after_basics(self) -> RainbowDraftState:
        if len(self.basics[self.seat]) < BASICS:
            return self
        if self.seat + 1 < len(self.hands):
            return replace(self, stage="team", seat=self.seat + 1)
        return replace(self, stage="over")

    # --- looking ---------------------------------------------------------------------------------------------------

    def view(self, seat: int) -> RainbowDraftState:
        """Return what a seat may see: its own hand, cards and team, and the dice in the middle; later all teams."""
        if self.stage == "over":
            return replace(self, drafted=_hide_other_seats(self.drafted, seat))
        is_picking = self.seat == seat
        return replace(
            self,
            hands=_hide_other_seats(self.hands, seat),
            piles=tuple(() for _ in self.piles),
            drafted=_hide_other_seats(self.drafted, seat),
            built=_hide_other_seats(self.built, seat),
            basics=_hide_other_seats(self.basics, seat),
            stage=self.stage if is_picking or self.stage == "draft" else "team",
            card=self.card if is_picking else None,
        )

    def teams(self) -> tuple[Team, ...]:
        """Return the teams so far."""
        return tuple(
            Team(self.built[seat], self.basics[seat], f"Rainbow team {SEATS[seat]}", "rainbow")
            for seat in range(len(self.hands))
        )


def check_players(players: int) -> None:
    """Raise `ValueError` if this number of players cannot draft."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"A Rainbow Draft has from {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}.")


def start(cards: Iterable[Card], known_basics: Iterable[Card], *, players: int, seed: int) -> RainbowDraftState:
    """Return a new draft with twelve packs per player, opened from these cards (rules 7.0f)."""
    check_players(players)
    rng = SplitMix64(seed)
    cards = list(cards)
    return deal([open_packs(cards, PACKS_PER_PLAYER, rng) for _ in range(players)], known_basics)


def deal(packs: Sequence[Sequence[Pack]], known_basics: Iterable[Card]) -> RainbowDraftState:
    """Return a draft with each player's opened packs dealt into two piles; the packs opened last are the first hand."""
    half = PACKS_PER_PLAYER // 2
    piles = [[card for pack in seat_packs for card in pack] for seat_packs in packs]
    empty: tuple[tuple[()], ...] = tuple(() for _ in packs)
    return RainbowDraftState(
        hands=tuple(tuple(pile[2 * half :]) for pile in piles),
        piles=tuple(tuple(pile[: 2 * half]) for pile in piles),
        middle=tuple(sorted(Counter(card.title for pile in piles for card in pile).items())),
        known_basics=tuple(sorted(known_basics, key=card_order)),
        drafted=empty,
        built=empty,
        basics=empty,
    )


def _pass_hands(hands: tuple[T, ...], *, right: bool) -> tuple[T, ...]:
    """Return the hands after each is passed to a neighbour. Seats are numbered to the left."""
    return (*hands[1:], hands[0]) if right else (hands[-1], *hands[:-1])


def _replace_at(by_seat: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def _hide_other_seats(by_seat: tuple[tuple[T, ...], ...], seat: int) -> tuple[tuple[T, ...], ...]:
    return tuple(value if i == seat else () for i, value in enumerate(by_seat))
