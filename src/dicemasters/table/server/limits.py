"""How often somebody may do something."""

from __future__ import annotations

import ipaddress
import time
import types
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


def network_of(address: str) -> str:
    """Give whom an address stands for: an IPv6 network of 64 bits is one visitor's, who can use any address in it.

    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7"), network_of("192.0.2.7")
    ('2001:db8:1:2::', '192.0.2.7', '192.0.2.7')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:100]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(found) >> 64 << 64))


class Bucket:
    """Lets `burst` things through at once and `rate` a second on average."""

    __slots__ = ("_at", "_left", "burst", "clock", "rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self._left = float(burst)
        self._at = clock()

    def take(self) -> bool:
        """Take one; False if there is none left yet."""
        if not self.has(1):
            return False
        self._left -= 1
        return True

    def has(self, amount: float) -> bool:
        """Tell whether so much is left by now."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        return self._left >= amount

    def spend(self, amount: float) -> None:
        """Take so much, even if it is more than is left: then nothing is left for a while."""
        self._left -= amount

    @property
    def seconds(self) -> float:
        """Give how long it takes until something is left."""
        return 0.0 if self.has(0.0) else -self._left / self.rate if self.rate else 3600.0


class Buckets:
    """A bucket for each address; the longest unused are forgotten, so that memory stays bounded."""

    def __init__(self, rate: float, burst: float, *, most: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.most = most
        self._of: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take one from the address's bucket; False if it is empty."""
        return self.of(address).take()

    def of(self, address: str) -> Bucket:
        """Give the address's bucket."""
        address = network_of(address)
        bucket = self._of.get(address)
        if bucket is None:
            bucket = self._of[address] = Bucket(self.rate, self.burst)
            if len(self._of) > self.most:
                self._of.popitem(last=False)
        else:
            self._of.move_to_end(address)
        return bucket


async def metered(doing: Awaitable[T], bucket: Bucket) -> T:
    """Do something on the account of whoever it is done for: the processor time of each of its steps."""
    return await _metered(doing.__await__(), bucket)


@types.coroutine
def _metered(doing: Generator[Any, Any, T], bucket: Bucket) -> Generator[Any, Any, T]:
    step: Callable[[], Any] = partial(next, doing)
    while True:
        started = time.thread_time()
        try:
            wanted = step()
        except StopIteration as done:
            found: T = done.value
            return found
        finally:
            bucket.spend(time.thread_time() - started)
        try:
            step = partial(doing.send, (yield wanted))
        except BaseException as error:
            step = partial(doing.throw, error)
