"""Names of games and drafts, secrets of seats, and the time as it is stored."""

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
ID_LENGTH = 20  # of 31 letters: 99 bits
SECRET_BYTES = 24
SeatName = TypeVar("SeatName", bound=str)


def new_id() -> str:
    """Give a name that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Tell whether that could be such a name."""
    return len(text) == ID_LENGTH and set(text) <= set(ALPHABET)


def new_secret() -> str:
    """Give the secret of a seat."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """Give what is stored of a seat's secret; it has bits enough for a plain hash."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def seats_for_secrets(secrets_: Iterable[str], hashes: Mapping[SeatName, str]) -> tuple[SeatName, ...]:
    """List the seats these secrets open, by the hashes that are stored of each."""
    hashed = [hash_secret(secret) for secret in secrets_]
    return tuple(
        seat for seat, stored in hashes.items() if stored and any(compare_digest(stored, given) for given in hashed)
    )


def utc_now() -> str:
    """Give the time, in UTC, as stored."""
    seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_format_second(seconds)}.{milliseconds:03d}+00:00"


@lru_cache(2)
def _format_second(number: int) -> str:
    return datetime.fromtimestamp(number, UTC).isoformat()[:19]
