"""Token bucket for rate limiting."""

from __future__ import annotations

import time
from collections.abc import Callable


class RateLimitedError(Exception):
    """A client has exceeded a rate limit; the text is the message for the user."""


class TokenBucket:
    """Token bucket that allows `burst` events at once and `rate` per second on average."""

    __slots__ = ("_tokens", "_updated_at", "burst", "clock", "rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self._tokens = float(burst)
        self._updated_at = clock()

    def acquire(self) -> bool:
        """Take a token; return False if none is available."""
        if not self.has_tokens(1):
            return False
        self._tokens -= 1
        return True

    def has_tokens(self, amount: float) -> bool:
        """Return whether at least `amount` tokens are available."""
        now = self.clock()
        self._tokens = min(self.burst, self._tokens + (now - self._updated_at) * self.rate)
        self._updated_at = now
        return self._tokens >= amount

    def charge(self, amount: float) -> None:
        """Take `amount` tokens, even if fewer are available; the balance can become negative."""
        self._tokens -= amount

    @property
    def seconds_until_ready(self) -> float:
        """Seconds until the balance is no longer negative."""
        return 0.0 if self.has_tokens(0.0) else -self._tokens / self.rate if self.rate else 3600.0
