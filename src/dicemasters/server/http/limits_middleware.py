"""Middleware for host checks, request size, rate limits, CPU budgets and response headers."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic_core import to_json
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dicemasters.server.config import ServerSettings
from dicemasters.server.http.host_policy import HostPolicy
from dicemasters.server.http.static_files import HEADERS
from dicemasters.server.observability.metrics import ANSWERS, REFUSALS, count_refusal
from dicemasters.server.rate_limiter import CpuBudgets, RateLimiter, client_network, run_metered
from dicemasters.server.workers.sandbox import CLIENT
from dicemasters.service.structured_log import set_request_id

CHUNK_BYTES = 65_536  # bytes per send; the next chunk is sent when the client has read this one
FILE_EFFORT = 2.0  # CPU seconds of static files per address before it has to queue
MAX_QUEUE_WAIT = 2.0  # seconds a request may wait in the queue of its CPU budget


class RequestLimitsMiddleware:
    """Refuses requests over the limits and adds the security headers to every response."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, cpu_budgets: CpuBudgets) -> None:
        self.app = app
        self.limits = settings.limits
        self.host_policy = HostPolicy(settings)
        self.cpu_budgets = cpu_budgets
        limits = settings.limits
        self.requests = RateLimiter(limits.requests_per_second, limits.request_burst)
        self.files = RateLimiter(limits.files_per_second, limits.file_burst)
        self.file_cpu_budgets = CpuBudgets(limits.effort_per_second, FILE_EFFORT)
        self._unsent_bytes: Counter[str] = Counter()  # unsent response bytes by client network

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = set_request_id()
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        address = scope["client"][0] if scope.get("client") else ""
        network = client_network(address)
        CLIENT.set(network)
        budget = self.cpu_budgets.of(address)
        if scope["type"] == "websocket":
            if (problem := self.host_policy.problem(Headers(scope=scope))) or not self.requests.acquire(address):
                count_refusal(problem.label if problem else "too many requests", address=address)
                await receive()
                await send({"type": "websocket.close", "code": 1008})
                return
            await run_metered(self.app(scope, receive, send), budget)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["X-Request-Id"] = request_id
                ANSWERS.labels(f"{message['status'] // 100}xx").inc()
                if scope["path"].startswith("/api/"):
                    headers["Cache-Control"] = "no-store"
                length = headers.get("content-length", "")
                # sending the head may block until the previous response is read
                with self._track_unsent_bytes(network, int(length) if length.isdigit() else 0):
                    await send(message)
            else:
                await self._send_in_chunks(message, send, network)

        is_file = _is_file(scope)
        if not (self.files if is_file else self.requests).acquire(address):
            count_refusal("too many requests", address=address)
            await _refuse(send_with_headers, 429, "too many requests; wait a moment")
            return
        if self._unsent_bytes[network] > self.limits.unread_answers:
            count_refusal("reads too slowly", address=address)
            await _refuse(send_with_headers, 429, "there are answers that you have not read; wait a moment")
            return
        try:
            body = await asyncio.wait_for(self._read_body(scope, receive), self.limits.body_seconds)
        except TimeoutError:
            count_refusal("too slow", address=address)
            await _refuse(send_with_headers, 408, "the request took too long to come")
            return
        if body is None:
            count_refusal("too large", address=address, path=scope["path"][:80])
            await _refuse(send_with_headers, 413, "the request is too large")
            return
        # checked after reading the body: closing a connection with unread data would cut off the response
        problem = self.host_policy.problem(Headers(scope=scope))
        if problem:
            REFUSALS.labels(problem.label).inc()
            await _refuse(send_with_headers, problem.status, problem.message)
            return

        sent = False

        async def receive_buffered() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        if is_file:
            budget = self.file_cpu_budgets.of(address)
        try:
            await asyncio.wait_for(budget.wait_in_queue(), MAX_QUEUE_WAIT)
        except TimeoutError:
            count_refusal("much work", address=address)
            await _refuse(send_with_headers, 429, "you have asked for much work; wait a moment")
            return
        await run_metered(self.app(scope, receive_buffered, send_with_headers), budget)

    async def _send_in_chunks(self, message: Message, send: Send, network: str) -> None:
        """Send a body in chunks and count its unsent bytes, so that clients that do not read cannot fill the memory."""
        body: bytes = message.get("body", b"")
        with self._track_unsent_bytes(network, len(body)):
            for start in range(0, max(1, len(body)), CHUNK_BYTES):
                more_body = message.get("more_body", False) or start + CHUNK_BYTES < len(body)
                await send({**message, "body": body[start : start + CHUNK_BYTES], "more_body": more_body})

    @contextmanager
    def _track_unsent_bytes(self, network: str, size: int) -> Iterator[None]:
        """Add `size` to the network's unsent bytes while the block runs."""
        self._unsent_bytes[network] += size
        try:
            yield
        finally:
            self._unsent_bytes[network] -= size
            if not self._unsent_bytes[network]:
                del self._unsent_bytes[network]

    async def _read_body(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the request body, or None if it is too large."""
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdigit() or len(length) > 12 or int(length) > self.limits.body_bytes:
            return None
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > self.limits.body_bytes:
                return None
            if not message.get("more_body"):
                return bytes(body)


def _is_file(scope: Scope) -> bool:
    """Return True for a request for the page or one of its files, which are served from memory."""
    path: str = scope["path"]
    return scope["method"] in ("GET", "HEAD") and path not in ("/api", "/metrics") and not path.startswith("/api/")


async def _refuse(send: Send, status: int, error: str) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": to_json({"error": error})})
