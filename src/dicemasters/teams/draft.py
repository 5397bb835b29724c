"""The public interface of drafts: a draft, its pending pick, and its history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dicemasters.cards.catalogue import SETS, Card, Catalogue, catalogue
from dicemasters.teams import rainbow_draft, team_draft
from dicemasters.teams.draft_picks import SEATS, Pick, PickRequest
from dicemasters.teams.formats import DEFAULT_DRAFT_SIZE
from dicemasters.teams.rainbow_draft import RainbowDraftState
from dicemasters.teams.team import Team
from dicemasters.teams.team_draft import TeamDraftState

DraftState = TeamDraftState | RainbowDraftState


class IllegalPickError(ValueError):
    """The pick is not among those on offer."""


class PlayedPick(NamedTuple):
    """A pick that was made."""

    player: str
    text: str


class Draft:
    """A draft that waits for one decision at a time.

    >>> draft = Draft.team(sets=["avx"], first=1, seed=7)
    >>> draft.decision.player, draft.decision.question
    ('A', 'Which stack do you take?')
    >>> draft.pick("Storm")
    >>> [pick.text for pick in draft.decision]
    ["Storm: 'Ro", 'Storm: African Priestess', 'Storm: Goddess of the Plains', 'Storm: Wind-Rider']
    """

    def __init__(self, state: DraftState, *, seed: int = 0, people: Iterable[int] = ()) -> None:
        self.start = state
        self.state = state
        self.seed = seed  # determines the deal and the bots' taste
        self.people = tuple(sorted(people))  # the seats of people
        self.moves: list[PlayedPick] = []
        self._past: list[DraftState] = []

    @classmethod
    def team(
        cls,
        *,
        sets: Iterable[str] = ("avx",),
        life: int = DEFAULT_DRAFT_SIZE,
        stacks: int | None = None,
        basics: int = 4,
        first: int | None = None,
        people: Iterable[int] = (),
        seed: int = 0,
        cards: Catalogue | None = None,
    ) -> Draft:
        """Start a Draft team (rules 7.0e), by default with as many stacks as life and a random first player."""
        pool = of_sets(cards or catalogue(), sets)
        titles = len(team_draft.stacks_of(pool))
        stack_count = min(life, titles) if stacks is None else stacks
        state = team_draft.start(pool, life=life, stacks=stack_count, basics=basics, first=first, seed=seed)
        return cls(state, seed=seed, people=people)

    @classmethod
    def rainbow(
        cls,
        *,
        sets: Iterable[str] = ("avx",),
        players: int = 4,
        people: Iterable[int] = (),
        seed: int = 0,
        cards: Catalogue | None = None,
    ) -> Draft:
        """Start a Rainbow Draft with packs of these sets; basic actions may be of any set."""
        all_cards = cards or catalogue()
        basics = [card for card in all_cards if card.kind == "basic"]
        state = rainbow_draft.start(of_sets(all_cards, sets), basics, players=players, seed=seed)
        return cls(state, seed=seed, people=people)

    # --- deciding --------------------------------------------------------------------------------------------------

    @property
    def decision(self) -> PickRequest | None:
        """Return the pending pick, or None when the draft is over."""
        return self.state.pick_request

    def pick(self, choice: Pick | int | str) -> None:
        """Make a pick: one of those on offer, its index, or its text."""
        request = self.state.pick_request
        if request is None:
            raise IllegalPickError("the draft is over")
        pick = request.picks[self.find(choice)]
        self._past.append(self.state)
        self.moves.append(PlayedPick(request.player, pick.text))
        self.state = self.state.with_pick(pick)

    def find(self, choice: Pick | int | str) -> int:
        """Return the index of a pick, found by its index, its text, or a unique beginning or part of the text."""
        request = self.state.pick_request
        if request is None:
            raise IllegalPickError("the draft is over")
        if isinstance(choice, int):
            if 0 <= choice < len(request):
                return choice
            raise IllegalPickError(f"there is no pick {choice}; there are {len(request)}, numbered from 0")
        query, shown = str(choice).casefold().strip(), shorten(str(choice))
        texts = [pick.text.casefold() for pick in request]
        for matches in (str.__eq__, str.startswith, str.__contains__):
            indices = [i for i, text in enumerate(texts) if query and matches(text, query)]
            if len(indices) == 1:
                return indices[0]
            if indices:
                raise IllegalPickError(f"'{shown}' could be: {'; '.join(request.picks[i].text for i in indices)}")
        raise IllegalPickError(f"'{shown}' cannot be taken now")

    def undo(self, steps: int = 1) -> bool:
        """Take back the last picks. Return False if there are none."""
        undone = min(steps, len(self._past))
        if undone:
            self.state = self._past[-undone]
            del self._past[-undone:], self.moves[-undone:]
        return undone > 0

    # --- looking ---------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """The number of players."""
        return 2 if isinstance(self.state, TeamDraftState) else len(self.state.hands)

    @property
    def life(self) -> int:
        """Return the life with which the drafted teams start a game."""
        return self.state.limit if isinstance(self.state, TeamDraftState) else rainbow_draft.LIFE

    def view(self, seat: int) -> DraftState:
        """Return the draft as a seat may see it, without the other seats' secrets."""
        return self.state.view(seat)

    @property
    def teams(self) -> tuple[Team, ...]:
        """Return the teams as far as they are drafted and built."""
        return self.state.teams()

    def copy(self) -> Draft:
        """Return an independent draft in the same state, with the same history."""
        other = Draft(self.start, seed=self.seed, people=self.people)
        other.state = self.state
        other.moves = self.moves[:]
        other._past = self._past[:]
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Draft):
            return NotImplemented
        own_key, other_key = ((d.start, d.seed, d.people, [m.text for m in d.moves], d.state) for d in (self, other))
        return own_key == other_key

    def __hash__(self) -> int:
        return hash((self.seed, self.people, len(self.moves)))

    # --- text ------------------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """Return the draft as text, with all picks (docs/drafts.md)."""
        from dicemasters.teams.draft_notation import write_draft

        return write_draft(self)

    @classmethod
    def from_text(cls, text: str, cards: Catalogue | None = None) -> Draft:
        """Read a draft that `to_text` wrote. Raise `NotationError` with the line and the problem if it is invalid."""
        from dicemasters.teams.draft_notation import read_draft

        return read_draft(text, cards or catalogue())


def of_sets(cards: Iterable[Card], sets: Iterable[str]) -> list[Card]:
    """Return the cards of these sets. Raise `ValueError` for a set without cards."""
    cards = list(cards)
    known_sets = {card.set for card in cards}
    set_names = [name.strip().lower() for name in sets]
    for name in set_names:
        if name not in known_sets:
            available = [name for name in (*SETS, *sorted(known_sets - set(SETS))) if name in known_sets]
            raise ValueError(f"There is no set '{name}'; there are {', '.join(available)}.")
    return [card for card in cards if card.set in set_names]


def shorten(text: str) -> str:
    """Return the text, cut to a length suitable for messages."""
    return text if len(text) <= 60 else f"{text[:59]}…"


def seat_of(letter: str, seats: int) -> int:
    """Return the number of a seat by its letter, or -1 if there is no such seat."""
    return SEATS[:seats].find(letter) if len(letter) == 1 else -1
