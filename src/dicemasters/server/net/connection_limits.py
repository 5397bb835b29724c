"""Limits on connections per client address and on the time a request may take to arrive."""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.frames import Frame

from dicemasters.server.config import ServerSettings
from dicemasters.server.net.broadcast_protocol import BroadcastProtocol
from dicemasters.server.observability.metrics import count_refusal
from dicemasters.server.rate_limiter import NO_NETWORKS, CpuBudget, CpuBudgets, NetworkSet, RateLimiter, client_network
from dicemasters.service.limits import Limits

BACKLOG = 256  # connections the kernel queues until they are accepted
ACCEPT_BATCH_SIZE = 8  # connections accepted per event loop iteration
RESERVED_FILES = 150 + BACKLOG  # file descriptors for database, program and log; the rest is for connections
MAX_FILES = 65_536
READ_BYTES = 1024  # bytes per read; parsing a larger block could delay all clients
HEAVY_READ_SECONDS = 0.001  # CPU seconds for one read; above this the sender has to queue
MAX_UNSENT_BYTES = 65_536  # bytes buffered for a client that sends pings without reading
MAX_FRAMES = 50  # frames per message
BROWSER_ALLOWANCE = 300  # connections of 50 browsers behind one address, which open six each to load the page
LINGER_SECONDS = 5.0  # time for the client to read the last messages


class ConnectionLimiter:
    """Counts connections per client network; those of trusted proxies count only towards the total."""

    def __init__(self, limits: Limits, trusted: NetworkSet = NO_NETWORKS, files: int = MAX_FILES) -> None:
        self.max_connections = min(limits.connections or limits.sockets + 1000, max(10, files - RESERVED_FILES))
        self.max_per_address = limits.connections_per_address or 2 * limits.sockets_per_address + BROWSER_ALLOWANCE
        self.trusted = trusted
        self.arrivals = RateLimiter(2 * limits.requests_per_second, 4 * limits.request_burst)
        self.cpu_budgets = CpuBudgets(limits.effort_per_second, limits.effort_burst)
        self.total = 0
        self._count_by_network: dict[str, int] = {}

    def budget_for(self, address: str) -> CpuBudget:
        """Return the CPU budget for reading a connection: the address's own, or a new one behind a trusted proxy."""
        return self.cpu_budgets.new(0.1) if address in self.trusted else self.cpu_budgets.of(address)

    def has_capacity(self, address: str) -> bool:
        """Return True if a connection from this address can be accepted."""
        if self.total >= self.max_connections:
            return False
        network = client_network(address)
        return address in self.trusted or (
            self._count_by_network.get(network, 0) < self.max_per_address and self.arrivals.has_token(network)
        )

    def acquire(self, address: str) -> bool:
        """Count a new connection. Return False if it exceeds a limit."""
        if not self.has_capacity(address):
            return False
        network = client_network(address)
        if address not in self.trusted:
            self.arrivals.acquire(network)
        self.total += 1
        self._count_by_network[network] = self._count_by_network.get(network, 0) + 1
        return True

    def release(self, address: str) -> None:
        """Count a closed connection."""
        network = client_network(address)
        self.total -= 1
        self._count_by_network[network] -= 1
        if not self._count_by_network[network]:
            del self._count_by_network[network]


class LimitedListener(socket.socket):
    """Listening socket that closes excess connections in `accept`, before the server allocates anything for them."""

    limiter: ConnectionLimiter | None = None  # set after binding; None: no limits

    def accept(self) -> tuple[socket.socket, Any]:
        for _ in range(ACCEPT_BATCH_SIZE):
            connection, address = super().accept()
            if self.limiter is None or self.limiter.has_capacity(address[0]):
                return connection, address
            connection.close()
            count_refusal("too many connections", address=client_network(address[0]))
        raise BlockingIOError("those who are here have their turn")


def _charge_read(budget: CpuBudget, seconds: float) -> bool:
    """Charge CPU time spent on reading. Return True if the sender has to queue."""
    budget.charge(seconds)
    return seconds > HEAVY_READ_SECONDS or budget.is_exhausted


class LimitedWebSocketProtocol(BroadcastProtocol):
    """WebSocket connection that is aborted if the client sends too many frames or does not read."""

    budget: CpuBudget | None = None
    on_connection_lost: Callable[[], None] | None = None  # called once when the connection ends

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        callback, self.on_connection_lost = self.on_connection_lost, None
        if callback is not None:
            callback()

    def data_received(self, data: bytes) -> None:
        started = time.thread_time()
        super().data_received(data)
        if self.budget is not None and _charge_read(self.budget, time.thread_time() - started) and not self.read_paused:
            self.transport.pause_reading()
            self.budget.enqueue(self._resume_reading)
        self.deliver()

    def _resume_reading(self) -> None:
        if not self.read_paused:
            self.transport.resume_reading()

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > MAX_UNSENT_BYTES:
            count_refusal("reads too slowly")
            self.transport.abort()
        super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MAX_FRAMES:
            count_refusal("too many frames")
            self.transport.abort()
            return
        super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        # buffered data would wait for a client that may never read it
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.loop.call_later(LINGER_SECONDS + self.close_timeout, self.transport.abort)


class LimitedHttpProtocol(H11Protocol):
    """HTTP connection that is aborted when the request head, or the whole request, takes too long."""

    limiter: ConnectionLimiter
    limits: Limits
    _address = ""
    _timer: asyncio.TimerHandle | None = None
    _in_request: bool | None = None  # whether the timer limits a request (True) or the wait for one (False)
    _is_websocket = False  # the connection was upgraded to a WebSocket
    _budget: CpuBudget

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if not self.limiter.acquire(address):
            count_refusal("too many connections", address=client_network(address))
            transport.abort()
            return
        self._address = address or "?"
        self._budget = self.limiter.budget_for(address)
        transport.max_size = READ_BYTES  # type: ignore[attr-defined]
        self._update_timer()
        if self._budget.is_busy:
            transport.pause_reading()
            self._budget.enqueue(self._resume_reading)

    def data_received(self, data: bytes) -> None:
        if self._address:
            started = time.thread_time()
            super().data_received(data)
            self._update_timer()
            if _charge_read(self._budget, time.thread_time() - started) and not self._is_websocket:
                self.transport.pause_reading()
                self._budget.enqueue(self._resume_reading)

    def _resume_reading(self) -> None:
        if not self._is_websocket and not self.flow.read_paused:
            self.transport.resume_reading()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._release_slot()

    def handle_websocket_upgrade(self, event: Any) -> None:
        super().handle_websocket_upgrade(event)
        self._cancel_timer()
        protocol: Any = self.transport.get_protocol()
        protocol.budget = self._budget
        protocol.on_connection_lost = self._release_slot  # the upgraded connection keeps its slot until it ends
        self._is_websocket = True

    def _update_timer(self) -> None:
        """Restart the timer when a request begins or ends."""
        cycle: Any = self.cycle  # None before the first request
        in_request = cycle is not None and not cycle.response_complete
        if in_request is not self._in_request and not self._is_websocket:
            self._cancel_timer()
            self._in_request = in_request
            seconds = self.limits.request_seconds if in_request else self.limits.header_seconds
            self._timer = self.loop.call_later(seconds, self._abort_slow_client)

    def _abort_slow_client(self) -> None:
        """Abort a connection that is too slow. An idle one is not counted as a refusal."""
        if self._in_request or self.conn.trailing_data[0]:
            count_refusal("too slow", address=self._address)
        self.transport.abort()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _release_slot(self) -> None:
        self._cancel_timer()
        if self._address:
            self.limiter.release("" if self._address == "?" else self._address)
            self._address = ""


def make_http_protocol(settings: ServerSettings) -> type[LimitedHttpProtocol]:
    """Return a protocol class bound to the limits of these settings."""
    try:
        trusted = NetworkSet(settings.trusted_proxies)
    except ValueError as error:
        raise ValueError(f"trusted proxies: {error}") from None
    limiter = ConnectionLimiter(settings.limits, trusted, raise_file_limit())
    return type("LimitedHttpProtocol", (LimitedHttpProtocol,), {"limiter": limiter, "limits": settings.limits})


def raise_file_limit() -> int:
    """Raise the limit on open files, up to MAX_FILES. Return the limit."""
    if sys.platform == "win32":
        return MAX_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < target:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
        except (ValueError, OSError):
            return soft
        return target
    return MAX_FILES if soft == resource.RLIM_INFINITY else soft
