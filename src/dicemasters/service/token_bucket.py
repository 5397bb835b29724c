"""Token bucket for rate limits."""

from __future__ import annotations

import time
from collections.abc import Callable


class RateLimitedError(Exception):
    """Somebody asks for more than their share; the text is the sentence that says so."""


class TokenBucket:
    """Lets `burst` things through at once and `rate` a second on average."""

    __slots__ = ("_tokens", "_updated_at", "burst", "clock", "rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self._tokens = float(burst)
        self._updated_at = clock()

    def acquire(self) -> bool:
        """Take one; False if there is none left yet."""
        if not self.has_tokens(1):
            return False
        self._tokens -= 1
        return True

    def has_tokens(self, amount: float) -> bool:
        """Tell whether so much is left by now."""
        now = self.clock()
        self._tokens = min(self.burst, self._tokens + (now - self._updated_at) * self.rate)
        self._updated_at = now
        return self._tokens >= amount

    def charge(self, amount: float) -> None:
        """Take so much, even if it is more than is left: then nothing is left for a while."""
        self._tokens -= amount

    @property
    def seconds_until_ready(self) -> float:
        """Give how long it takes until something is left."""
        return 0.0 if self.has_tokens(0.0) else -self._tokens / self.rate if self.rate else 3600.0
