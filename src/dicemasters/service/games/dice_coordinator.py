"""The table's side of fair dice: its hash chain, the players' chains, and the throw that waits for contributions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from dicemasters.game.fair_dice import (
    ActorWord,
    ChainLink,
    FairDice,
    FairDiceError,
    FairThrow,
    HashChain,
    RevealedChain,
    is_next_link,
    make_throw,
)
from dicemasters.service.games.game_setup import LETTERS, Seat, StoredSetup
from dicemasters.service.protocol import game_schema, messages


@dataclass(frozen=True, slots=True)
class PendingThrow:
    """A throw that waits for contributions: the acting seat, its choice, and the links received so far.

    It is stored before the contributions are requested, so that the choice cannot depend on them.
    """

    seat: Seat | None  # None for the opening
    word: ActorWord | None
    at: datetime
    texts: tuple[str, ...] = ()  # moves of the choice up to the roll
    choice: Mapping[str, Any] | None = None
    hold: bool = False
    why: game_schema.Explanation | None = None
    links: tuple[ChainLink, ...] = ()
    without: str = ""


class FairDiceCoordinator:
    """The fair dice of one game."""

    def __init__(self, setup: StoredSetup, secret: str) -> None:
        self.people = setup.people
        self._chain = HashChain(bytes.fromhex(secret))
        bots = tuple((x, s.player) for x, s in setup.by_letter.items() if s.player)
        self.fair = FairDice(self._chain.anchor, bots=bots)
        self.pending: PendingThrow | None = None
        self.away: set[Seat] = set()  # seats whose contributions are skipped until they register a new chain

    @property
    def has_links(self) -> bool:
        """Whether the table's chain has a link left for another throw."""
        return self.fair.at < self._chain.length

    # --- queries ---------------------------------------------------------------------------------------------------

    def chain_of(self, seat: Seat) -> RevealedChain | None:
        """Return the current chain of a seat."""
        return self.fair.chain_of(seat)

    def required_chains(self, seat: Seat | None) -> list[RevealedChain]:
        """Return the chains that contribute to a throw when this seat acts, without those of absent players."""
        word_of = seat if seat in self.people else ""
        return [x for x in self.fair.required_chains(word_of or "", self.fair.at + 1) if not set(x.seats) <= self.away]

    @property
    def missing_chains(self) -> list[RevealedChain]:
        """The chains whose links the pending throw still needs."""
        pending = self.pending
        if pending is None:
            return []
        received = {link.chain for link in pending.links}
        actor = pending.word.seat if pending.word else ""
        needed = self.fair.required_chains(actor, self.fair.at + 1)
        return [x for x in needed if x.name not in received and not set(x.seats) <= set(pending.without)]

    def data(self) -> messages.FairDiceData:
        """Return the public state of the dice: the seats' chains, the absent seats and the pending throw."""
        chains = {seat: self.chain_of(seat) for seat in self.people}
        return {
            "chains": {x: {"name": c.name, "anchor": c.anchor, "at": c.at} for x, c in chains.items() if c is not None},
            "away": sorted(self.away),
            "throw": self.throw_request(),
        }

    def throw_request(self) -> messages.ThrowRequest | None:
        """Return the request for contributions to the pending throw, or None."""
        pending = self.pending
        if pending is None:
            return None
        return {
            "number": self.fair.at + 1,
            "by": pending.seat,
            "word": pending.word.text if pending.word else "",
            "texts": list(pending.texts),
            "links": {x.name: {"anchor": x.anchor, "at": x.at + 1} for x in self.missing_chains},
            "without": pending.without,
        }

    # --- events ----------------------------------------------------------------------------------------------------

    def register_chain(self, seats: str, anchor: str) -> None:
        """Register a browser's chain. A pending throw keeps the chains it was requested with."""
        self.fair = self.fair.with_chain(seats, anchor, self.fair.at + (2 if self.pending else 1))
        self.away -= set(LETTERS) & set(seats)

    def begin_throw(self, pending: PendingThrow) -> None:
        """Make a throw wait for the contributions of all players who are not absent."""
        word = pending.word.seat if pending.word else ""
        absent = (x.seats for x in self.fair.required_chains(word, self.fair.at + 1) if set(x.seats) <= self.away)
        self.pending = replace(pending, without="".join(absent) if pending.seat is not None else "")

    def add_link(self, name: str, at: int, link: str) -> None:
        """Add a link to the pending throw; raise FairDiceError if it is not the required one."""
        chain = next((x for x in self.missing_chains if x.name == name), None)
        if self.pending is None or chain is None:
            raise FairDiceError("that contribution was not requested")
        if not is_next_link(chain, at, link):
            raise FairDiceError("that is not the next link of the chain")
        links = sorted((*self.pending.links, ChainLink(name, at, link)))
        self.pending = replace(self.pending, links=tuple(links))

    def skip_seats(self, seats: str) -> None:
        """Continue the pending throw without the contributions of these seats."""
        assert self.pending is not None
        without = "".join(sorted(self.pending.without + seats))
        self.pending = replace(self.pending, without=without)

    def ready_throw(self) -> FairThrow | None:
        """Return the pending throw if all contributions have arrived, otherwise None."""
        pending = self.pending
        return (
            None
            if pending is None or self.missing_chains
            else self._make_throw(pending.word, pending.links, pending.without)
        )

    def immediate_throw(self, seat: Seat, word: str) -> FairThrow | None:
        """Return a throw that needs no other contributions, or None if one is needed or the chain is used up."""
        if self.required_chains(seat) or not self.has_links:
            return None
        actor_word = ActorWord(seat, word) if seat in self.people else None
        absent = "".join(x.seats for x in self.fair.required_chains(seat if actor_word else "", self.fair.at + 1))
        return self._make_throw(actor_word, (), absent)

    def _make_throw(self, word: ActorWord | None, links: tuple[ChainLink, ...], without: str) -> FairThrow:
        number = self.fair.at + 1
        return make_throw(number, self._chain.link(number), word, links, without)

    def complete(self, throw: FairThrow) -> None:
        """Record a completed throw."""
        self.fair = self.fair.after_throw(throw, self._chain.link(throw.number))
        self.pending = None
