"""A stored game: its set-up and its events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class StoredEvent(NamedTuple):
    """An event of a game: its number, counted from 1, its kind, its time (ISO, UTC) and its data as JSON."""

    number: int
    kind: str
    at: str
    data: str


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game: its set-up as JSON, the secret of its dice, the time of its creation and the program's version."""

    game: str
    created: str
    program: str
    setup: str
    secret: str


class StorageError(Exception):
    """The storage has failed. The text is the internal reason, `public_message` the one for clients."""

    def __init__(self, reason: str, public_message: str = "") -> None:
        super().__init__(reason)
        self.public_message = public_message or "the database cannot be used"
