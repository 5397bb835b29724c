"""A draft restored from its set-up and events, and each seat's view of it.

The draft itself asks one seat after another (teams/draft.py). With many players that would take a long time, so all
players who are able to pick may do so at once: an early pick is queued, face down, until the draft asks for it.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import field, replace
from datetime import datetime, timedelta
from itertools import combinations
from typing import Annotated, Any, Literal

from dicemasters.cards.catalogue import SETS, Card, catalogue
from dicemasters.players.rng import SplitMix64
from dicemasters.service.games.game_setup import NAME_LENGTH, StoredSeat, StoredSetup
from dicemasters.service.games.stored_events import StoredEvent
from dicemasters.service.protocol.draft_schema import (
    CHAIRS,
    Chair,
    DraftDecision,
    DraftedTeam,
    DraftMatch,
    DraftOptions,
    DraftSeatData,
    DraftView,
)
from dicemasters.service.protocol.validation import Length, Range, RequestModel
from dicemasters.service.sanitize import sanitize
from dicemasters.teams import rainbow_draft
from dicemasters.teams.draft import Draft, DraftState, IllegalPickError, of_sets
from dicemasters.teams.draft_bot import DraftBot
from dicemasters.teams.draft_picks import Pick, PickRequest
from dicemasters.teams.formats import DEFAULT_DRAFT_SIZE, find_format
from dicemasters.teams.matchup import resolve_edition
from dicemasters.teams.packs import open_packs
from dicemasters.teams.rainbow_draft import MAX_PLAYERS, RainbowDraftState
from dicemasters.teams.team import Team
from dicemasters.teams.team_code import encode_team
from dicemasters.teams.team_draft import MAX_LIFE, MIN_LIFE, TeamDraftState

MIN_CLOCK, MAX_CLOCK = 10, 7 * 86400  # seconds per pick


class NewDraftRequest(RequestModel):
    """Request for a new draft. The first `people` of its `players` are human, beginning with the requester."""

    kind: Literal["team", "rainbow"] = "rainbow"
    sets: Annotated[list[Annotated[str, Length(20)]], Length(len(SETS), 1)] = field(default_factory=lambda: ["avx"])
    players: Annotated[int, Range(2, MAX_PLAYERS)] = 2
    people: Annotated[int, Range(1, MAX_PLAYERS)] = 1
    life: Annotated[int, Range(MIN_LIFE, MAX_LIFE)] = DEFAULT_DRAFT_SIZE
    clock: Annotated[float, Range(MIN_CLOCK, MAX_CLOCK)] | None = None
    name: Annotated[str, Length(200)] = ""


class StoredDraftSetup(RequestModel):
    """The initial state of a draft. Packs are stored in full, so every version of the program deals the same cards."""

    draft: str  # in draft notation (docs/drafts.md)
    hashes: list[str]  # by seat; "" for a bot
    name: str = ""  # name of the requester
    clock: float | None = None


class DraftReplayError(Exception):
    """The stored events do not fit the draft."""


def build_draft_options() -> DraftOptions:
    """Return the options for a new draft."""
    return {
        "sets": [{"key": key, "name": name} for key, name in SETS.items()],
        "most": MAX_PLAYERS,
        "life": [MIN_LIFE, MAX_LIFE, DEFAULT_DRAFT_SIZE],
    }


def deal_draft(new: NewDraftRequest, seed: int, hashes: Sequence[str]) -> StoredDraftSetup:
    """Deal a new draft; raise ValueError if the request is invalid."""
    players = 2 if new.kind == "team" else new.players
    if new.people > players:
        raise ValueError(f"people: a draft of {players} has no place for {new.people}")
    sets = list(dict.fromkeys(sanitize(name) for name in new.sets))
    people = range(new.people)
    if new.kind == "team":
        draft = Draft.team(sets=sets, life=new.life, people=people, seed=seed)
    else:
        draft = Draft(_open_player_packs(of_sets(catalogue(), sets), players), seed=seed, people=people)
    seat_hashes = [secret_hash if n < new.people else "" for n, secret_hash in enumerate(hashes[:players])]
    return StoredDraftSetup(
        draft=draft.to_text(), hashes=seat_hashes, name=sanitize(new.name, NAME_LENGTH), clock=new.clock
    )


def _open_player_packs(cards: list[Card], players: int) -> RainbowDraftState:
    """Open the packs of all players, each with its own seed, so known packs reveal nothing about the others."""
    packs = [
        [open_packs(cards, 1, SplitMix64(secrets.randbits(60)))[0] for _ in range(rainbow_draft.PACKS_PER_PLAYER)]
        for _ in range(players)
    ]
    return rainbow_draft.deal(packs, [card for card in catalogue() if card.kind == "basic"])


class DraftSession:
    """A draft after some events. It begins once all players have arrived, or without the absent ones."""

    def __init__(self, setup: StoredDraftSetup) -> None:
        self.setup = setup
        self.version = 0
        self.draft = Draft.from_text(setup.draft)
        self.chairs: tuple[Chair, ...] = CHAIRS[: self.draft.seats]
        self.people: list[Chair] = [
            chair for chair, secret_hash in zip(self.chairs, setup.hashes, strict=True) if secret_hash
        ]
        self.names: dict[Chair, str] = dict.fromkeys(self.chairs, "")
        self.names["A"] = setup.name
        self.arrived: set[Chair] = set()
        self.has_begun = False
        self.queued_picks: dict[Chair, list[str]] = {chair: [] for chair in self.chairs}  # made before the draft asks
        self.pick_counts: Counter[Chair] = Counter()
        self.clock_starts: dict[Chair, tuple[int, datetime]] = {}  # running clocks: number of the pick and start time
        self.games: dict[str, str] = {}  # ids of opened games, by the letters of both seats
        self.event_counts: Counter[str] = Counter()  # by kind, to limit events a client could repeat without end
        self._bot = DraftBot(self.draft.seed)

    # --- queries ---------------------------------------------------------------------------------------------------

    @property
    def hashes(self) -> dict[Chair, str]:
        return dict(zip(self.chairs, self.setup.hashes, strict=True))

    @property
    def is_over(self) -> bool:
        return self.draft.decision is None

    @property
    def stage(self) -> Literal["waiting", "draft", "build", "over"]:
        if not self.has_begun:
            return "waiting"
        if self.is_over:
            return "over"
        return "draft" if isinstance(self.draft.state, TeamDraftState) or self.draft.state.stage == "draft" else "build"

    def state_for(self, chair: Chair) -> tuple[DraftState, bool]:
        """Return the draft as this seat sees it, with its queued picks applied, and whether the seat may pick now."""
        seat, state = self.chairs.index(chair), self.draft.state
        if not self.has_begun or state.pick_request is None or state.seat == seat:
            return state, self.has_begun and state.pick_request is not None
        if isinstance(state, TeamDraftState) or seat < state.seat:
            return state, False  # not this seat's turn, or its pick or team is already in
        if state.stage == "draft":
            queued = self.queued_picks[chair]
            return (_apply_early_pick(state, seat, queued[0]), False) if queued else (replace(state, seat=seat), True)
        own_state = replace(state, seat=seat, stage="team", card=None)  # teams are built simultaneously
        for text in self.queued_picks[chair]:
            after = _apply_pick(own_state, text)
            assert isinstance(after, RainbowDraftState)
            own_state = after
            if own_state.stage == "over" or own_state.seat != seat:
                return replace(own_state, stage="team", seat=state.seat), False  # the draft itself is not over
        return own_state, True

    def pending_pick(self, chair: Chair) -> PickRequest | None:
        """Return the decision a seat has to make now, or None."""
        state, may_pick = self.state_for(chair)
        return state.pick_request if may_pick else None

    def overdue_seats(self, now: datetime) -> list[Chair]:
        """Return the human seats whose time for a pick has run out."""
        clock = self.setup.clock
        if clock is None:
            return []
        return [chair for chair, (_, since) in self.clock_starts.items() if since + timedelta(seconds=clock) <= now]

    def deadline(self, chair: Chair) -> datetime | None:
        """Return when a seat's time for its pick ends; None without a clock or a pending pick."""
        if self.setup.clock is None or chair not in self.clock_starts:
            return None
        return self.clock_starts[chair][1] + timedelta(seconds=self.setup.clock)

    def suggest_pick(self, chair: Chair) -> str:
        """Return the pick a bot would make from what this seat can see; used for bots and for overdue players."""
        state, may_pick = self.state_for(chair)
        assert may_pick
        assert state.pick_request is not None
        view = state.view(self.chairs.index(chair))
        return state.pick_request.picks[self._bot.choose(view)].text

    def copy(self) -> DraftSession:
        """Return an independent copy of the draft."""
        clone = copy(self)
        clone.draft = self.draft.copy()
        clone.people, clone.names, clone.arrived = list(self.people), dict(self.names), set(self.arrived)
        clone.queued_picks = {chair: list(picks) for chair, picks in self.queued_picks.items()}
        clone.pick_counts, clone.event_counts = Counter(self.pick_counts), Counter(self.event_counts)
        clone.clock_starts, clone.games = dict(self.clock_starts), dict(self.games)
        return clone

    # --- events ----------------------------------------------------------------------------------------------------

    def apply(self, event: StoredEvent) -> None:
        """Apply the next event."""
        if event.number != self.version + 1:
            raise DraftReplayError(f"event {event.number} comes after event {self.version}")
        data: dict[str, Any] = json.loads(event.data)
        try:
            match event.kind:
                case "come":
                    self.arrived.add(data["chair"])
                case "begin":
                    self.has_begun = True
                    self.people = [chair for chair in self.people if chair not in data["bots"]]
                case "pick":
                    self._queue_pick(data["chair"], data["text"])
                case "name":
                    self.names[data["chair"]] = data["name"]
                case "match":
                    self.games[data["chairs"]] = data["game"]
                case _:
                    raise DraftReplayError(f"there is no event '{event.kind}'")
        except (IllegalPickError, KeyError) as error:
            raise DraftReplayError(str(error)) from error
        self.event_counts[event.kind] += 1
        self.version = event.number
        self._update_clocks(datetime.fromisoformat(event.at))

    def _queue_pick(self, chair: Chair, text: str) -> None:
        if self.pending_pick(chair) is None:
            raise DraftReplayError(f"nothing is asked of {chair}")
        self.queued_picks[chair].append(text)
        self.pick_counts[chair] += 1
        while (pending := self.draft.decision) is not None and self.queued_picks[self.chairs[pending.seat]]:
            self.draft.pick(self.queued_picks[self.chairs[pending.seat]].pop(0))

    def bot_picks(self) -> Iterator[tuple[Chair, str]]:
        """Yield the picks of bots that are due. The caller must apply each one before requesting the next."""
        while self.has_begun and (pending := self.draft.decision) is not None:
            chair = self.chairs[pending.seat]
            if chair in self.people:
                return
            yield chair, self.suggest_pick(chair)

    def _update_clocks(self, at: datetime) -> None:
        """Start the clocks of seats with a new decision, and stop those of seats without one."""
        for chair in self.people:
            number = self.pick_counts[chair]
            if self.pending_pick(chair) is None:
                self.clock_starts.pop(chair, None)
            elif self.clock_starts.get(chair, (-1, at))[0] != number:
                self.clock_starts[chair] = number, at

    # --- matches ---------------------------------------------------------------------------------------------------

    def match_setup(self, chairs: str) -> StoredSetup:
        """Return the set-up of the game between two seats.

        Their draft secrets open the game's seats; bots play as `simple`.
        """
        one, other = (self.chairs.index(chair) for chair in _parse_pair(chairs))
        teams = [self.draft.teams[one], self.draft.teams[other]]
        format = find_format(teams[0].format)
        state = self.draft.state
        shared = isinstance(state, TeamDraftState)
        basics = teams[0].basics if shared else [card for team in teams for card in team.basics]
        first: Literal["A", "B"] | None = None
        if isinstance(state, TeamDraftState):
            first = "B" if state.first else "A"
        return StoredSetup(
            edition=resolve_edition(format, teams),
            format=format.name,
            teams=[[(card.key, dice) for card, dice in team.cards] for team in teams],
            basics=[card.key for card in basics],
            life=self.draft.life,
            first=first,
            seats=[self._stored_seat(chair) for chair in _parse_pair(chairs)],
            dice="chains",
        )

    def _stored_seat(self, chair: Chair) -> StoredSeat:
        if chair in self.people:
            return StoredSeat(name=self.names[chair] or chair, hash=self.hashes[chair])
        return StoredSeat(player="simple", name=self.names[chair] or f"Bot {chair}")

    # --- views -----------------------------------------------------------------------------------------------------

    def view(self, you: Chair | None, now: datetime) -> DraftView:
        """Return the draft as a seat sees it; without a seat, only what is public."""
        seat = self.chairs.index(you) if you is not None else -1
        state = self.state_for(you)[0] if you is not None else self.draft.state
        visible = state.view(seat)
        has_begun, is_over = self.has_begun, self.is_over
        view: DraftView = {
            "version": self.version,
            "kind": "team" if isinstance(visible, TeamDraftState) else "rainbow",
            "stage": self.stage,
            "you": you,
            "drafters": [self._seat_data(chair) for chair in self.chairs],
            "clock": self.setup.clock,
            "ask": self._decision_data(you, now) if you is not None else None,
            "hand": [],
            "left": 0,
            "pile": 0,
            "drafted": [],
            "middle": [],
            "stacks": [],
            "basics": [],
            "life": self.draft.life,
            "teams": [],
            "matches": [self._match_data(*pair) for pair in combinations(self.chairs, 2)] if is_over else [],
        }
        if isinstance(visible, TeamDraftState):
            if has_begun:
                view["stacks"] = [_card_keys(stack) for stack in visible.stacks]
                view["basics"] = _card_keys(visible.basics)
                teams = zip(self.chairs, visible.teams(), strict=True)
                view["teams"] = [self._team_data(chair, team) for chair, team in teams]
        elif has_begun:
            view["middle"] = [{"title": title, "dice": n} for title, n in visible.middle]
            view["pile"] = 1 if any(self.draft.state.piles) else 2  # type: ignore[union-attr]
            if you is not None:
                view["hand"] = _card_keys(visible.hands[seat])
                view["drafted"] = _card_keys(visible.drafted[seat])
            view["left"] = max(len(hand) for hand in self.draft.state.hands)  # type: ignore[union-attr]
            shown_chairs = self.chairs if is_over else (you,) if you is not None else ()
            built = dict(zip(self.chairs, visible.teams(), strict=True))
            view["teams"] = [self._team_data(chair, built[chair]) for chair in shown_chairs if built[chair].cards]
        return view

    def _seat_data(self, chair: Chair) -> DraftSeatData:
        is_bot = chair not in self.people
        return {
            "chair": chair,
            "name": self.names[chair],
            "bot": is_bot,
            "here": is_bot or chair in self.arrived,
            "awaited": not is_bot
            and (self.pending_pick(chair) is not None if self.has_begun else chair not in self.arrived),
        }

    def _decision_data(self, you: Chair, now: datetime) -> DraftDecision | None:
        pending, deadline = self.pending_pick(you), self.deadline(you)
        if pending is None:
            return None
        return {
            "kind": pending.kind,
            "question": pending.question,
            "number": self.pick_counts[you],
            "picks": [
                {"what": pick.what, "text": pick.text, "cards": _card_keys(pick.cards), "number": pick.number}
                for pick in pending.picks
            ],
            "seconds": None if deadline is None else max(0.0, round((deadline - now).total_seconds(), 1)),
        }

    def _team_data(self, chair: Chair, team: Team) -> DraftedTeam:
        is_complete = self.is_over
        return {
            "chair": chair,
            "cards": [{"card": card.key, "dice": dice} for card, dice in team.cards],
            "basics": _card_keys(team.basics),
            "code": encode_team(team) if is_complete else "",
        }

    def _match_data(self, one: Chair, other: Chair) -> DraftMatch:
        return {"chairs": f"{one}{other}", "game": self.games.get(f"{one}{other}")}


def _card_keys(cards: Sequence[Card]) -> list[str]:
    return [card.key for card in cards]


def _parse_pair(chairs: str) -> tuple[Chair, Chair]:
    one, other = (next(chair for chair in CHAIRS if chair == letter) for letter in chairs)
    return one, other


def _apply_early_pick(state: RainbowDraftState, seat: int, text: str) -> RainbowDraftState:
    """Return the draft after a drafter's early pick of a card; the hands are not passed on."""
    card = _find_pick(replace(state, seat=seat), text).cards[0]
    hand, drafted = list(state.hands[seat]), [*state.drafted[seat], card]
    hand.remove(card)
    return replace(
        state,
        hands=(*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :]),
        drafted=(*state.drafted[:seat], tuple(drafted), *state.drafted[seat + 1 :]),
    )


def _find_pick(state: DraftState, text: str) -> Pick:
    pick = next((pick for pick in state.pick_request or () if pick.text == text), None)
    if pick is None:
        raise DraftReplayError(f"'{text}' cannot be taken")
    return pick


def _apply_pick(state: DraftState, text: str) -> DraftState:
    """Return the draft after the pick with this text."""
    return state.with_pick(_find_pick(state, text))
