"""The table's side of a game's fair dice: its own chain, the persons' chains, and the throw that waits for their parts."""

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
    """A throw that somebody's part is awaited for: who acts, what was chosen, who has given what.

    It is stored before anybody is asked, so that the choice stands whatever the others' parts are.
    """

    seat: Seat | None  # None: the opening
    word: ActorWord | None
    at: datetime
    texts: tuple[str, ...] = ()  # what was chosen, up to where the dice fall
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
        self.away: set[Seat] = set()  # whose part the other has gone on without; until they sit down anew

    @property
    def has_links(self) -> bool:
        """Whether the table can make another throw."""
        return self.fair.at < self._chain.length

    # --- looking ---------------------------------------------------------------------------------------------------

    def chain_of(self, seat: Seat) -> RevealedChain | None:
        """Give the chain that counts for a seat from now on."""
        return self.fair.chain_of(seat)

    def required_chains(self, seat: Seat | None) -> list[RevealedChain]:
        """List the chains a throw needs now when that seat acts, but for those who are away."""
        word_of = seat if seat in self.people else ""
        return [x for x in self.fair.required_chains(word_of or "", self.fair.at + 1) if not set(x.seats) <= self.away]

    @property
    def missing_chains(self) -> list[RevealedChain]:
        """List the chains whose links the throw that waits still needs."""
        pending = self.pending
        if pending is None:
            return []
        received = {link.chain for link in pending.links}
        actor = pending.word.seat if pending.word else ""
        needed = self.fair.required_chains(actor, self.fair.at + 1)
        return [x for x in needed if x.name not in received and not set(x.seats) <= set(pending.without)]

    def data(self) -> messages.FairDiceData:
        """Give what everybody sees of it: whose chain is which, who is away, what is waited for."""
        chains = {seat: self.chain_of(seat) for seat in self.people}
        return {
            "chains": {x: {"name": c.name, "anchor": c.anchor, "at": c.at} for x, c in chains.items() if c is not None},
            "away": sorted(self.away),
            "throw": self.throw_request(),
        }

    def throw_request(self) -> messages.ThrowRequest | None:
        """Give what the owners of chains are told when their parts are asked for."""
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
        """Take note of a browser's chain; a throw that waits goes by the chains that were there when it was asked for."""
        self.fair = self.fair.with_chain(seats, anchor, self.fair.at + (2 if self.pending else 1))
        self.away -= set(LETTERS) & set(seats)

    def begin_throw(self, pending: PendingThrow) -> None:
        """Let a throw wait for the parts of those who are not away."""
        word = pending.word.seat if pending.word else ""
        absent = (x.seats for x in self.fair.required_chains(word, self.fair.at + 1) if set(x.seats) <= self.away)
        self.pending = replace(pending, without="".join(absent) if pending.seat is not None else "")

    def add_link(self, name: str, at: int, link: str) -> None:
        """Take a link for the throw that waits; a FairDiceError if it is not the one that is needed."""
        chain = next((x for x in self.missing_chains if x.name == name), None)
        if self.pending is None or chain is None:
            raise FairDiceError("that part is not asked for")
        if not is_next_link(chain, at, link):
            raise FairDiceError("that is not the next link of the chain")
        links = sorted((*self.pending.links, ChainLink(name, at, link)))
        self.pending = replace(self.pending, links=tuple(links))

    def skip_seats(self, seats: str) -> None:
        """Let the throw that waits do without these seats' parts."""
        assert self.pending is not None
        without = "".join(sorted(self.pending.without + seats))
        self.pending = replace(self.pending, without=without)

    def ready_throw(self) -> FairThrow | None:
        """Give the throw that waits if nobody's part is missing any more."""
        pending = self.pending
        return (
            None
            if pending is None or self.missing_chains
            else self._make_throw(pending.word, pending.links, pending.without)
        )

    def immediate_throw(self, seat: Seat, word: str) -> FairThrow | None:
        """Give a throw that needs nobody else's part, if that is so."""
        if self.required_chains(seat) or not self.has_links:
            return None
        actor_word = ActorWord(seat, word) if seat in self.people else None
        absent = "".join(x.seats for x in self.fair.required_chains(seat if actor_word else "", self.fair.at + 1))
        return self._make_throw(actor_word, (), absent)

    def _make_throw(self, word: ActorWord | None, links: tuple[ChainLink, ...], without: str) -> FairThrow:
        number = self.fair.at + 1
        return make_throw(number, self._chain.link(number), word, links, without)

    def complete(self, throw: FairThrow) -> None:
        """Take note that a throw has been made."""
        self.fair = self.fair.after_throw(throw, self._chain.link(throw.number))
        self.pending = None
