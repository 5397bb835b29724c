"""A stored game: its set-up and its events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class StoredEvent(NamedTuple):
    """Something that happened in a game: its number from 1, what it was, when (ISO, UTC), and the details as JSON."""

    number: int
    kind: str
    at: str
    data: str


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it was created: its set-up as JSON, the secret of its dice, when and by which version."""

    game: str
    created: str
    program: str
    setup: str
    secret: str


class StorageError(Exception):
    """Something could not be read or kept; the text says why, and `public_message` says it to anybody."""

    def __init__(self, reason: str, public_message: str = "") -> None:
        super().__init__(reason)
        self.public_message = public_message or "the database cannot be used"
