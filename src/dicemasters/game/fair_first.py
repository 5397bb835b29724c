"""The first way of fair dice, for games and records of 0.1.0: one secret of the table, and a number of each player.

Players cannot foresee such dice, but whoever has the secret can (docs/fair-dice.md). No new game is begun this way.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, replace
from typing import NamedTuple

SECRET_BYTES = 32
_NONCE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Nonce(NamedTuple):
    """A number a player's browser has added, and the choice from which on it counts; 0 is the opening."""

    seat: str
    move: int
    text: str


@dataclass(frozen=True, slots=True)
class FirstFair:
    """The dice of one game: the hash of the secret, what the players added, and the secret if it is known."""

    commitment: str
    nonces: tuple[Nonce, ...] = ()
    secret: bytes | None = None

    @classmethod
    def new(cls, secret: bytes | None = None) -> FirstFair:
        """Take a secret, by default a new one, and commit to it."""
        taken = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        return cls(hash_of(taken), (), taken)

    def joined(self, seat: str, text: str, move: int = 0) -> FirstFair:
        """Give the dice with a player's own number added, which counts from that choice on."""
        if not _NONCE.fullmatch(text):
            raise ValueError("A player's number for the dice is 1 to 64 letters, digits, - or _.")
        return replace(self, nonces=(*self.nonces, Nonce(seat, move, text)))

    def key(self, number: int) -> bytes:
        """Give the key that the stream of that choice is made with."""
        if self.secret is None:
            raise ValueError("The secret of these dice is not known yet.")
        message = "\n".join(f"{n.seat}:{n.text}" for n in self.nonces if n.move <= number)
        return hmac.digest(self.secret, message.encode(), "sha256")

    def generator(self, number: int) -> int:
        """Give where the generator starts for that choice: 0 the opening, 1 the first choice."""
        return int.from_bytes(hmac.digest(self.key(number), str(number).encode(), "sha256")[:8], "big")

    def is_kept(self) -> bool:
        """Tell whether the secret is the one that was committed to."""
        return self.secret is not None and hash_of(self.secret) == self.commitment


def hash_of(secret: bytes) -> str:
    """Give what is published of a secret."""
    return hashlib.sha256(secret).hexdigest()
