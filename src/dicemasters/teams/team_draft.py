"""Draft team: two players take turns picking title stacks from one collection (rules 7.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dicemasters.cards.catalogue import Card
from dicemasters.players.rng import SplitMix64
from dicemasters.teams.draft_picks import (
    SEATS,
    Pick,
    PickRequest,
    TeamDice,
    card_order,
    card_picks,
    dice_picks,
    draw_random,
)
from dicemasters.teams.formats import DRAFT_SIZES, FORMATS
from dicemasters.teams.random_teams import draw_cards
from dicemasters.teams.team import Team

MIN_LIFE, MAX_LIFE = DRAFT_SIZES[0], DRAFT_SIZES[-1]
MIN_BASICS, MAX_BASICS = FORMATS["draft"].shared_basics

Stack = tuple[Card, ...]  # all versions of one title


@dataclass(frozen=True, slots=True)
class TeamDraftState:
    """A Draft team at one moment. All information is open."""

    limit: int  # dice per player, and the life they start with
    basics: tuple[Card, ...]  # basic actions, shared by both players
    first: int  # seat that goes first in the game, and picks second
    stacks: tuple[Stack, ...]  # not picked yet
    seat: int  # seat that picks next
    taken: tuple[TeamDice, TeamDice] = ((), ())
    stack: Stack = ()  # stack just picked; its version is not chosen yet
    card: Card | None = None  # card just chosen; its number of dice is not chosen yet

    @property
    def pick_request(self) -> PickRequest | None:
        """Return the pending pick, or None when the draft is over."""
        if self.card is not None:
            minimum = 0 if self.dice_left(self.seat) < self.limit else 1  # the first card needs a die
            picks = dice_picks(self.card, minimum, min(self.card.max, self.dice_left(self.seat)))
            return PickRequest(self.seat, "dice", f"How many dice of {self.card.name} do you use?", picks)
        if self.stack:
            question = f"Which {self.stack[0].title} do you use?"
            return PickRequest(self.seat, "version", question, card_picks("card", self.stack))
        if not self.stacks or not any(self.dice_left(seat) for seat in range(2)):
            return None  # once no player has room for a die, the remaining stacks do not matter
        picks = tuple(Pick("stack", stack[0].title, stack) for stack in self.stacks)
        return PickRequest(self.seat, "stack", "Which stack do you take?", picks)

    def with_pick(self, pick: Pick) -> TeamDraftState:
        """Return the draft after this pick."""
        if pick.what == "stack":
            remaining = tuple(stack for stack in self.stacks if stack != pick.cards)
            after = replace(self, stacks=remaining)
            if not self.dice_left(self.seat):
                return after._add_dice(pick.cards[0], 0)  # picked only to deny it to the opponent
            if len(pick.cards) == 1:
                return replace(after, card=pick.cards[0])
            return replace(after, stack=pick.cards)
        if pick.what == "card":
            return replace(self, stack=(), card=pick.cards[0])
        return self._add_dice(pick.cards[0], pick.number)

    def _add_dice(self, card: Card, number: int) -> TeamDraftState:
        taken = list(self.taken)
        taken[self.seat] = (*taken[self.seat], (card, number))
        return replace(self, taken=(taken[0], taken[1]), seat=1 - self.seat, stack=(), card=None)

    def dice_left(self, seat: int) -> int:
        """Return the number of dice that the player may still take (rules 7.2b)."""
        return self.limit - sum(n for _, n in self.taken[seat])

    def view(self, seat: int) -> TeamDraftState:
        """Return what a seat may see, which is everything."""
        return self

    def teams(self) -> tuple[Team, ...]:
        """Return the teams so far, with the shared basic actions; a card without dice is not played (rules 7.2c)."""
        return tuple(
            Team(
                tuple((card, n) for card, n in dice if n),
                self.basics,
                f"Draft team {SEATS[seat]}",
                f"draft {self.limit}",
            )
            for seat, dice in enumerate(self.taken)
        )


def start(
    cards: Iterable[Card],
    *,
    life: int,
    stacks: int,
    basics: int,
    first: int | None,
    seed: int,
) -> TeamDraftState:
    """Return a new draft: random basic actions, and this many random title stacks of a collection."""
    if not MIN_LIFE <= life <= MAX_LIFE:
        raise ValueError(f"A Draft team has from {MIN_LIFE} to {MAX_LIFE} life, not {life}.")
    if not MIN_BASICS <= basics <= MAX_BASICS:
        raise ValueError(f"A Draft team has {MIN_BASICS} or {MAX_BASICS} basic actions, not {basics}.")
    rng = SplitMix64(seed)
    cards = list(cards)
    all_stacks = stacks_of(cards)
    if not 2 <= stacks <= len(all_stacks):
        raise ValueError(f"The sets have titles for 2 to {len(all_stacks)} stacks, not {stacks}.")
    first = rng.below(2) if first is None else first
    shared = sorted(draw_cards([card for card in cards if card.kind == "basic"], basics, rng), key=card_order)
    if len(shared) < basics:
        raise ValueError(f"The sets have {len(shared)} basic actions, but {basics} are needed.")
    middle = sorted(draw_random(all_stacks, stacks, rng), key=lambda stack: card_order(stack[0]))
    return TeamDraftState(life, tuple(shared), first, tuple(middle), 1 - first)  # rules 7.2a


def stacks_of(cards: Sequence[Card]) -> list[Stack]:
    """Return a stack of all versions of each title, across sets; basic actions are not drafted (rules 7.2a)."""
    stacks: dict[str, list[Card]] = {}
    for card in sorted(cards, key=card_order):
        if card.kind != "basic":
            stacks.setdefault(card.title, []).append(card)
    return [tuple(stack) for stack in stacks.values()]
