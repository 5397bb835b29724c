"""Fair dice: rolls nobody can choose or foresee, and that anybody can check when the game is over.

Whoever holds the dice (the server) takes a secret and publishes its hash before the first roll. The players' browsers
add numbers of their own. Each choice of the game has its own start of the generator, made from the secret, those
numbers and the number of the choice. docs/fair-dice.md says it so that it can be done again in another language.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from dicemasters.game import say, turn

if TYPE_CHECKING:
    from dicemasters.game.game import Game
    from dicemasters.game.state import State

SECRET_BYTES = 32
_NONCE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Nonce(NamedTuple):
    """A number a player's browser has added, and the choice from which on it counts; 0 is the opening."""

    seat: str
    move: int
    text: str


@dataclass(frozen=True, slots=True)
class Fair:
    """The fair dice of one game: the hash of the secret, what the players added, and the secret if it is known."""

    commitment: str
    nonces: tuple[Nonce, ...] = ()
    secret: bytes | None = None

    @classmethod
    def new(cls, secret: bytes | None = None) -> Fair:
        """Take a secret, by default a new one, and commit to it."""
        taken = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        return cls(hash_of(taken), (), taken)

    def joined(self, seat: str, text: str, move: int = 0) -> Fair:
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


class Roll(NamedTuple):
    """A number taken from the generator, and what it decided."""

    of: int  # the number was one of 0 to of - 1; 1 if there was nothing to decide
    value: int
    what: str  # toss, draw, roll
    seat: int  # whose toss or draw; -1 for a roll
    card: int  # of the die; -1 for a toss
    face: int  # shown; -1 for a draw or a toss
    bag: tuple[int, ...]  # of a draw: the cards of the dice in the bag, in the order that counts


def chances(game: Game) -> list[list[Roll]]:
    """Play the game again and list every toss, draw and roll: of the opening first, then of each choice."""
    s = game.start.copy()
    out: list[list[Roll]] = []
    for number in range(len(game.moves) + 1):
        s.journal = []
        if game.fair is not None and game.fair.secret is not None:
            s.rng = game.fair.generator(number)
        if number:
            turn.play(s, s.options[say.option_texts(s).index(game.moves[number - 1].text)])
        else:
            turn.advance(s)
        out.append(_rolls(s))
    return out


def _rolls(s: State) -> list[Roll]:
    """Read the journal: a number, and behind it what it decided."""
    card_of = s.table.card_of
    out: list[Roll] = []
    of, value = 1, 0
    for entry in s.journal or ():
        n = [x if isinstance(x, int) else 0 for x in entry]
        match entry[0]:
            case "chance":
                of, value = n[1], n[2]
                continue
            case "wins the toss":
                out.append(Roll(of, value, "toss", n[1], -1, -1, ()))
            case "draws":
                bag = entry[4]
                assert isinstance(bag, tuple)
                out.append(Roll(of, value, "draw", n[1], card_of[n[2]], -1, tuple(card_of[d] for d in bag)))
            case "rolls":
                out.append(Roll(of, value, "roll", -1, card_of[n[1]], n[2], ()))
        of, value = 1, 0
    return out
