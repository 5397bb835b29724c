"""Fair dice: throws that anyone can verify, and that nobody can choose or foresee unless all participants collude.

The table and the browser of each person commit to a hash chain by publishing its end, the anchor, before the first
throw. The acting player sends a fresh random word with the choice. Only then do the other players reveal the next
link of their chains, and the table reveals its own. All of these together seed the throw. docs/fair-dice.md specifies
the protocol and its guarantees.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple

SECRET_BYTES = 32
LINKS = 2048  # links per chain
_STORED_EVERY = 64  # only every 64th link is stored; a block of links is recomputed when one of them is needed
ANCHOR = re.compile(r"[0-9a-f]{64}")
WORD = re.compile(r"[0-9a-f]{32}")


class FairDiceError(ValueError):
    """Raised if fair dice are used or recorded incorrectly; the message says what is wrong."""


class HashChain:
    """A secret hash chain, whose owner reveals its links from 1 on; the hash of each link is the link before it."""

    def __init__(self, secret: bytes | None = None, length: int = LINKS) -> None:
        link = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        self.length = length
        self._stored_links = {length: link}
        for at in range(length - 1, -1, -1):
            link = sha256(link).digest()
            if at % _STORED_EVERY == 0:
                self._stored_links[at] = link
        self.anchor = link.hex()
        self._cached_block: dict[int, bytes] = {}

    def link(self, at: int) -> str:
        """Return a link in hexadecimal digits; link 0 is the anchor."""
        if not 0 <= at <= self.length:
            raise FairDiceError("the chain is used up")
        if at not in self._cached_block:
            top = min(-(-at // _STORED_EVERY) * _STORED_EVERY, self.length)
            self._cached_block = {top: self._stored_links[top]}
            for n in range(top - 1, max(top - _STORED_EVERY, -1), -1):
                self._cached_block[n] = sha256(self._cached_block[n + 1]).digest()
        return self._cached_block[at].hex()


class ActorWord(NamedTuple):
    """The random word that the acting player sent with the choice."""

    seat: str
    text: str


class ChainLink(NamedTuple):
    """A link revealed for a throw: its chain, its position in the chain, and its value."""

    chain: str
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class FairThrow:
    """The fair dice of one choice: the contributions, the seats without one, and the resulting key."""

    number: int
    word: ActorWord | None
    links: tuple[ChainLink, ...]
    without: str
    key: bytes

    def generator(self, move: int) -> int:
        """Return the generator's initial state for a move: 0 is the opening, 1 the first move of the game."""
        return int.from_bytes(hmac.digest(self.key, str(move).encode(), "sha256")[:8], "big")

    def __str__(self) -> str:
        parts = [str(self.number)]
        parts += [f"{self.word.seat} {self.word.text}"] if self.word else []
        parts += [f"{link.chain}.{link.at}" for link in self.links]
        parts += [f"without {seat}" for seat in self.without]
        return ", ".join(parts)


def make_throw(
    number: int, table_link: str, word: ActorWord | None, links: Sequence[ChainLink], without: str = ""
) -> FairThrow:
    """Return the throw made from the table's link and the contributions of the players."""
    parts = [f"{word.seat} {word.text}"] if word else []
    parts += [f"{link.chain}.{link.at} {link.text}" for link in links]
    key = hmac.digest(bytes.fromhex(table_link), "\n".join(parts).encode(), "sha256")
    return FairThrow(number, word, tuple(links), without, key)


class RevealedChain(NamedTuple):
    """The revealed part of a person's chain: its name, its seats, the first throw it applies to, and its last link."""

    name: str
    seats: str
    since: int
    anchor: str
    at: int = 0
    link: str = ""


@dataclass(frozen=True, slots=True)
class FairDice:
    """The public part of the fair dice of a game: commitments, links revealed so far, and the seats of bots."""

    commitment: str  # anchor of the table's chain
    at: int = 0  # number of throws made
    link: str = ""  # link of the table's chain revealed with the last throw
    chains: tuple[RevealedChain, ...] = ()
    bots: tuple[tuple[str, str], ...] = ()  # (seat, name) of each bot, which the table runs

    def with_chain(self, seats: str, anchor: str, since: int) -> FairDice:
        """Return the dice with a new chain for these seats, which applies from throw `since` on."""
        if not ANCHOR.fullmatch(anchor):
            raise FairDiceError("an anchor is 64 hexadecimal digits")
        n_earlier = sum(chain.seats == seats for chain in self.chains)
        name = f"{seats}{n_earlier + 1}" if n_earlier else seats
        return replace(self, chains=(*self.chains, RevealedChain(name, seats, since, anchor, 0, anchor)))

    def chain_of(self, seat: str, number: int | None = None) -> RevealedChain | None:
        """Return the chain that applies to a seat, now or at a given throw."""
        chains = [x for x in self.chains if seat in x.seats and (number is None or x.since <= number)]
        return chains[-1] if chains else None

    def required_chains(self, seat: str, number: int | None = None) -> list[RevealedChain]:
        """Return the chains needed for a throw if this seat acts ("" for nobody), sorted by name."""
        seats = sorted({s for chain in self.chains for s in chain.seats})
        own = self.chain_of(seat, number) if seat else None
        required = {chain.name: chain for chain in (self.chain_of(s, number) for s in seats) if chain and chain != own}
        return [required[name] for name in sorted(required)]

    def after_throw(self, throw: FairThrow, table_link: str) -> FairDice:
        """Return the dice after a throw."""
        links = {link.chain: link for link in throw.links}
        chains = tuple(
            x._replace(at=links[x.name].at, link=links[x.name].text) if x.name in links else x for x in self.chains
        )
        return replace(self, at=throw.number, link=table_link, chains=chains)


def is_next_link(chain: RevealedChain, at: int, link: str) -> bool:
    """Return whether this is the next link of a chain."""
    return (
        at == chain.at + 1
        and ANCHOR.fullmatch(link) is not None
        and sha256(bytes.fromhex(link)).hexdigest() == chain.link
    )


class FairDiceVerifier:
    """Verifier of the fair dice in a record, which recomputes the throws one by one."""

    def __init__(self, fair: FairDice) -> None:
        self.fair = fair
        self._table_chain = _unrolled_chain("the table", fair.commitment, fair.at, fair.link)
        self._links = {x.name: _unrolled_chain(x.name, x.anchor, x.at, x.link) for x in fair.chains}
        self._used = dict.fromkeys(self._links, 0)
        self.throws: list[FairThrow] = []

    def verify_throw(
        self, number: int, word: ActorWord | None, links: Iterable[tuple[str, int]], without: str, actors: str = ""
    ) -> FairThrow:
        """Return the throw with this number, verified against the commitments.

        A throw that was verified before must have the same contributions again; a new one needs a word of one of the
        `actors`. Raise FairDiceError if anything does not match.
        """
        links = list(links)
        if 1 <= number <= len(self.throws):
            earlier = self.throws[number - 1]
            if (earlier.word, [(x.chain, x.at) for x in earlier.links], earlier.without) != (word, links, without):
                raise FairDiceError(f"throw {number} differs from the throw with that number before")
            return earlier
        if number != len(self.throws) + 1:
            raise FairDiceError(f"throw {len(self.throws) + 1} comes next, not {number}")
        if number >= len(self._table_chain):
            raise FairDiceError(f"the table's link of throw {number} has not been revealed")
        if (word.seat if word else "") not in [x if self.fair.chain_of(x, number) else "" for x in actors or ("",)]:
            raise FairDiceError(f"throw {number} lacks the word of the acting player")
        needed = self.fair.required_chains(word.seat if word else "", number)
        present = [chain for chain in needed if not set(chain.seats) <= set(without)]
        if [name for name, _ in links] != [chain.name for chain in present]:
            raise FairDiceError(
                f"throw {number} needs links of these chains: {', '.join(x.name for x in needed) or 'none'}"
            )
        if set(without) != {seat for chain in needed if chain not in present for seat in chain.seats}:
            raise FairDiceError(f"throw {number} lists the wrong seats as missing")
        for name, at in links:
            if at != self._used[name] + 1 or at >= len(self._links[name]):
                raise FairDiceError(f"the next link of {name} is number {self._used[name] + 1}, not {at}")
            self._used[name] = at
        parts = [ChainLink(name, at, self._links[name][at]) for name, at in links]
        self.throws.append(make_throw(number, self._table_chain[number], word, parts, without))
        return self.throws[-1]

    def verify_complete(self) -> None:
        """Raise FairDiceError if a revealed link has not been used."""
        if len(self.throws) < self.fair.at:
            raise FairDiceError(f"the table revealed {self.fair.at} throws, but the record has {len(self.throws)}")
        for chain in self.fair.chains:
            if self._used[chain.name] < chain.at:
                raise FairDiceError(f"{chain.name} revealed {chain.at} links, but {self._used[chain.name]} were used")


def _unrolled_chain(name: str, anchor: str, at: int, link: str) -> list[str]:
    """Return all links up to the last one revealed, starting with the anchor."""
    digests = [bytes.fromhex(link)]
    for _ in range(at):
        digests.append(sha256(digests[-1]).digest())
    if digests[-1].hex() != anchor:
        raise FairDiceError(f"the links of {name} do not lead to its anchor")
    return [x.hex() for x in reversed(digests)]
