"""Rate limiters and CPU budgets per client address."""

from __future__ import annotations

import asyncio
import ipaddress
import time
import types
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Generator
from contextvars import Context
from functools import lru_cache
from typing import Any, TypeVar

from dicemasters.service.token_bucket import TokenBucket

T = TypeVar("T")
UNSET = object()
LOOPBACK = ("127.0.0.0/8", "::1/128")
MIN_QUEUE_DELAY = 0.005  # seconds between queued calls of one address while its budget is low


@lru_cache(maxsize=4096)
def client_network(address: str) -> str:
    """Return the key that identifies the client behind an address.

    An IPv6 client can use any address of its /64 network, so the network identifies it. A string that is not an address
    is returned as it is, cut to 100 characters.

    >>> client_network("2001:db8:1:2:3:4:5:6"), client_network("::ffff:192.0.2.7"), client_network("192.0.2.7")
    ('2001:db8:1:2::', '192.0.2.7', '192.0.2.7')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:100]
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(ip) >> 64 << 64))


class NetworkSet:
    """Set of networks, parsed from a comma-separated list; "loopback" means this machine.

    >>> "10.0.0.9" in NetworkSet("10.0.0.0/24, loopback"), "::ffff:127.0.0.1" in NetworkSet("loopback"), "x" in NetworkSet("")
    (True, True, False)
    """

    def __init__(self, text: str) -> None:
        self._networks = []
        for part in filter(None, (part.strip() for part in text.split(","))):
            try:
                self._networks += [ipaddress.ip_network(cidr) for cidr in (LOOPBACK if part == "loopback" else (part,))]
            except ValueError:
                raise ValueError(f"'{part[:60]}' is neither a network, such as 10.0.0.0/8, nor an address") from None

    def __str__(self) -> str:
        return ",".join(map(str, self._networks))

    def __contains__(self, address: str) -> bool:
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return False
        if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return any(ip in network for network in self._networks)


NO_NETWORKS = NetworkSet("")


class RateLimiter:
    """One token bucket per client address, with least-recently-used eviction to bound memory."""

    def __init__(self, rate: float, burst: float, *, max_buckets: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.max_buckets = max_buckets
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def acquire(self, address: str) -> bool:
        """Take a token from the address's bucket. Return False if it is empty."""
        return self._bucket(address).acquire()

    def has_token(self, address: str) -> bool:
        """Return True if the address's bucket has a token. Nothing is taken."""
        return self._bucket(address).has_tokens(1)

    def _bucket(self, address: str) -> TokenBucket:
        address = client_network(address)
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self.rate, self.burst)
            if len(self._buckets) > self.max_buckets:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket


class CpuBudget:
    """CPU time budget of one client address, with a queue for work that exceeds it.

    One queued call runs per timer, so an address with a hundred requests never delays other clients. While at least
    half of the burst is available, the queue runs without delay: at a fixed pace it would never become empty for an
    address shared by many people.
    """

    __slots__ = ("_bucket", "_queue", "_timer")

    def __init__(self, rate: float, burst: float) -> None:
        self._bucket = TokenBucket(rate, burst)
        self._queue: deque[Callable[[], None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def charge(self, seconds: float) -> None:
        """Charge CPU time that has been used."""
        self._bucket.charge(seconds)

    @property
    def is_busy(self) -> bool:
        return bool(self._queue) or self.is_exhausted

    @property
    def is_exhausted(self) -> bool:
        return not self._bucket.has_tokens(0.0)

    @property
    def waiting(self) -> int:
        """Number of queued calls."""
        return len(self._queue)

    def enqueue(self, callback: Callable[[], None]) -> None:
        """Queue a callback."""
        self._queue.append(callback)
        self._schedule_next()

    async def wait_in_queue(self) -> None:
        """Wait in the queue. Return at once if the queue is empty and the budget is not exhausted."""
        if self.is_busy:
            ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.enqueue(lambda: None if ready.done() else ready.set_result(None))
            await ready

    def _schedule_next(self) -> None:
        if self._timer is None and self._queue:
            delay = (
                0.0
                if self._bucket.has_tokens(self._bucket.burst / 2)
                else max(MIN_QUEUE_DELAY, self._bucket.seconds_until_ready)
            )
            self._timer = asyncio.get_running_loop().call_later(delay, self._run_next)

    def _run_next(self) -> None:
        self._timer = None
        try:
            if not self.is_exhausted:
                self._queue.popleft()()
        finally:
            self._schedule_next()  # also after an exception: it must not block the queue


class CpuBudgets:
    """One CPU budget per client address, with least-recently-used eviction."""

    def __init__(self, rate: float, burst: float, *, max_budgets: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.max_budgets = max_budgets
        self._budgets: OrderedDict[str, CpuBudget] = OrderedDict()

    def of(self, address: str) -> CpuBudget:
        """Return the budget of an address."""
        address = client_network(address)
        budget = self._budgets.get(address)
        if budget is None:
            budget = self._budgets[address] = self.new()
            if len(self._budgets) > self.max_budgets:
                self._budgets.popitem(last=False)
        else:
            self._budgets.move_to_end(address)
        return budget

    @property
    def waiting(self) -> int:
        """Number of queued calls of all addresses."""
        return sum(budget.waiting for budget in self._budgets.values())

    def new(self, share: float = 1.0) -> CpuBudget:
        """Return a new budget that belongs to no address."""
        return CpuBudget(self.rate * share, self.burst * share)


async def run_metered(awaitable: Awaitable[T], budget: CpuBudget) -> T:
    """Await an awaitable and charge the CPU time of each of its steps to `budget`."""
    return await _run_steps(awaitable.__await__(), budget)


def start_metered(awaitable: Awaitable[None], budget: CpuBudget, context: Context) -> asyncio.Task[None] | None:
    """Run an awaitable up to its first suspension, charging `budget`.

    Return a task that runs the remaining steps, or None if it has finished.
    """
    steps = awaitable.__await__()
    started = time.thread_time()
    try:
        pending = context.run(next, steps)
    except StopIteration:
        return None
    finally:
        budget.charge(time.thread_time() - started)
    return asyncio.create_task(_run_remaining_steps(steps, budget, pending), context=context)


async def _run_remaining_steps(steps: Generator[Any, Any, None], budget: CpuBudget, pending: object) -> None:
    await _run_steps(steps, budget, pending)


@types.coroutine
def _run_steps(steps: Generator[Any, Any, T], budget: CpuBudget, pending: object = UNSET) -> Generator[Any, Any, T]:
    """Drive a coroutine and charge each step; `pending` is what an already executed first step awaits."""
    resume: Callable[[Any], Any] = steps.send
    value: Any = None
    while True:
        if pending is not UNSET:
            try:
                resume, value = steps.send, (yield pending)
            except BaseException as error:
                resume, value = steps.throw, error
        started = time.thread_time()
        try:
            pending = resume(value)
        except StopIteration as stop:
            result: T = stop.value
            return result
        finally:
            budget.charge(time.thread_time() - started)
