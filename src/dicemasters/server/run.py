"""Server start-up and orderly shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import Any

import uvicorn

from dicemasters.cards.toml_loader import register_files
from dicemasters.server.app import make_app
from dicemasters.server.config import LOG_FORMATS, ServerSettings
from dicemasters.server.net.connection_limits import (
    ACCEPT_BATCH_SIZE,
    BACKLOG,
    LimitedHttpProtocol,
    LimitedListener,
    LimitedWebSocketProtocol,
    make_http_protocol,
)
from dicemasters.server.observability.logging_setup import configure_logging
from dicemasters.server.observability.metrics import MetricsAccess
from dicemasters.server.storage.sql_store import SqlGameStore
from dicemasters.server.workers.sandbox import CARD_FILES_VARIABLE
from dicemasters.service.games.stored_events import StorageError

SOCKET_BUFFER_BYTES = 131_072  # kernel buffer per connection and direction
GC_INTERVAL = 300.0  # minimum seconds between full garbage collections
MAX_GC_SHARE = 0.001  # maximum fraction of time spent on them
TICK_SECONDS = 1.0  # seconds between two calls of `on_tick`
MAX_SHUTDOWN_POLLS = 50  # checks, 20 ms apart, that all sockets are closed


class GameServer(uvicorn.Server):
    """uvicorn server that polls once a second, notifies clients of a shutdown and rarely runs a full collection."""

    def __init__(self, config: uvicorn.Config) -> None:
        self._is_exiting = False
        self._wake: Callable[[], object] | None = None  # callable from any thread
        super().__init__(config)
        self._next_collection = time.monotonic() + GC_INTERVAL

    @property
    def should_exit(self) -> bool:
        """Stop flag. Setting it wakes the main loop, which therefore need not poll ten times a second."""
        return self._is_exiting

    @should_exit.setter
    def should_exit(self, should_exit: bool) -> None:
        self._is_exiting = should_exit
        if should_exit and self._wake is not None:
            self._wake()

    async def main_loop(self) -> None:
        loop, wake_event = asyncio.get_running_loop(), asyncio.Event()
        self._wake = partial(loop.call_soon_threadsafe, wake_event.set)
        try:
            while not await self.on_tick(0):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(wake_event.wait(), TICK_SECONDS)
        finally:
            self._wake = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening with a long kernel queue.

        asyncio uses its `backlog` argument also as the number of accepts per loop iteration, which has to be small.
        """
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)

    async def on_tick(self, counter: int) -> bool:
        """Run a full garbage collection when one is due, for the reference cycles of closed connections."""
        started = time.monotonic()
        if started >= self._next_collection:
            gc.collect()
            now = time.monotonic()
            self._next_collection = now + max(GC_INTERVAL, (now - started) / MAX_GC_SHARE)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app: Any = self.config.app
        app.state.rooms.close("the server stops")
        app.state.drafts.close()
        for _ in range(MAX_SHUTDOWN_POLLS):
            if not app.state.websocket_endpoint.sockets:
                break
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)


def serve(settings: ServerSettings, *, browser: bool = True, port_is_given: bool = False) -> int:
    """Serve until interrupted. Return the exit code."""
    if settings.log not in LOG_FORMATS:
        raise ValueError(f"the log format is {' or '.join(LOG_FORMATS)}, not '{settings.log}'")
    MetricsAccess(settings.metrics)  # raises early if invalid
    http_protocol = make_http_protocol(settings)
    register_files(settings.load)
    os.environ[CARD_FILES_VARIABLE] = settings.load  # for the sandboxed processes
    listener = bind_socket(settings.host, settings.port, strict=port_is_given)
    listener.limiter = http_protocol.limiter
    try:
        storage = SqlGameStore(settings.url, durable=settings.durable)
        storage.acquire_exclusive_lock()
    except StorageError as error:
        listener.close()
        raise ValueError(f"the database cannot be opened: {error}") from None
    configure_logging(as_json=settings.log == "json")
    port = listener.getsockname()[1]
    shown_host = "localhost" if settings.host in ("127.0.0.1", "::1", "0.0.0.0", "::", "") else settings.host
    address = f"http://{shown_host}:{port}/"
    if port != settings.port and settings.port:
        print(f"Port {settings.port} is in use; using another one.", file=sys.stderr)
    print(f"Listening on {address} (Ctrl-C stops the server)", flush=True)
    server = GameServer(uvicorn_config(settings, storage, http_protocol))
    _tune_gc()
    if browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    server.run(sockets=[listener])
    return 0


def _tune_gc() -> None:
    """Collect young objects often and old ones hardly ever, since a pass over all games would take seconds."""
    gc.collect()
    gc.freeze()  # cards and modules are never garbage
    gc.set_threshold(5_000, 5, 2_000)


def uvicorn_config(
    settings: ServerSettings, storage: SqlGameStore, http_protocol: type[LimitedHttpProtocol]
) -> uvicorn.Config:
    """Return the uvicorn configuration of a server."""
    return uvicorn.Config(
        make_app(settings, storage, http_protocol.limiter),
        log_config=None,
        access_log=False,
        server_header=False,
        http=http_protocol,
        backlog=ACCEPT_BATCH_SIZE,
        ws=LimitedWebSocketProtocol,
        ws_max_size=settings.limits.message_bytes,
        ws_max_queue=16,
        ws_per_message_deflate=False,  # `BroadcastProtocol` compresses
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=str(http_protocol.limiter.trusted),
        timeout_graceful_shutdown=5,
    )


def bind_socket(host: str, port: int, *, strict: bool) -> LimitedListener:
    """Return a listener on the port, or on a free one if the port is taken and not `strict`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in (port,) if strict or not port else (port, 0):
        # with an explicit protocol, asyncio sets TCP_NODELAY
        listener = LimitedListener(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":  # there, the option would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # the default would buffer megabytes for each client that does not read
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            listener.setsockopt(socket.SOL_SOCKET, option, SOCKET_BUFFER_BYTES)
        try:
            listener.bind((host, candidate))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            if error.errno != errno.EADDRINUSE or candidate == 0 or strict:
                raise OSError(error.errno, f"cannot listen on {host} port {candidate}: {error.strerror}") from None
            continue
        listener.setblocking(False)
        return listener
    raise AssertionError("the last port tried is any free one")
