"""Gzip compression of responses, off the event loop if it takes a long time."""

from __future__ import annotations

import asyncio
import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MIN_COMPRESS_BYTES = 1000  # bytes; a smaller body is not worth compressing
MIN_THREADED_BYTES = 20_000  # a larger body is compressed in another thread, so that games do not wait
LEVEL = 4


class GZipMiddleware:
    """Compresses every response that is sent in one piece and is long enough."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            await self.app(scope, receive, send)
            return
        held_start: Message | None = None

        async def send_compressed(message: Message) -> None:
            nonlocal held_start
            if message["type"] == "http.response.start":
                held_start = message
                return
            if held_start is not None:
                start, held_start = held_start, None
                body: bytes = message.get("body", b"")
                headers = MutableHeaders(scope=start)
                if (
                    len(body) >= MIN_COMPRESS_BYTES
                    and not message.get("more_body")
                    and "content-encoding" not in headers
                ):
                    body = (
                        await asyncio.to_thread(gzip.compress, body, LEVEL)
                        if len(body) > MIN_THREADED_BYTES
                        else gzip.compress(body, LEVEL)
                    )
                    headers["Content-Encoding"] = "gzip"
                    headers["Content-Length"] = str(len(body))
                    headers.add_vary_header("Accept-Encoding")
                    message = {**message, "body": body}
                await send(start)
            await send(message)

        await self.app(scope, receive, send_compressed)
