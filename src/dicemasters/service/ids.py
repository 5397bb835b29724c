"""Identifiers of games and drafts, secrets of seats, and timestamps as they are stored."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from typing import TypeVar

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 20  # characters out of 31: 99 bits
SECRET_BYTES = 24
SeatName = TypeVar("SeatName", bound=str)


def new_id() -> str:
    """Return a new identifier that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Return whether a text has the form of an identifier."""
    return len(text) == ID_LENGTH and set(text) <= set(ALPHABET)


def new_secret() -> str:
    """Return a new secret for a seat."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """Return the hash of a seat's secret, for storage. The secret has enough entropy for an unsalted hash."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def seats_for_secrets(secrets_: Iterable[str], hashes: Mapping[SeatName, str]) -> tuple[SeatName, ...]:
    """Authenticate a client: return the seats whose stored hashes match one of these secrets."""
    hashed = [hash_secret(secret) for secret in secrets_]
    return tuple(
        seat for seat, stored in hashes.items() if stored and any(compare_digest(stored, given) for given in hashed)
    )


def utc_now() -> str:
    """Return the current UTC time as it is stored."""
    seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_format_second(seconds)}.{milliseconds:03d}+00:00"


@lru_cache(2)
def _format_second(number: int) -> str:
    return datetime.fromtimestamp(number, UTC).isoformat()[:19]
