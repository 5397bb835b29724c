"""Entry point of the browser's worker: JavaScript calls it (web/src/worker/worker.ts); a `LocalApi` does the work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from dicemasters.webworker.indexeddb_store import IndexedDbStore
from dicemasters.webworker.local_api import LocalApi, LocalClient

MessageCallback = Callable[[int, str], None]


class WorkerEntry:
    """A `LocalApi` and the page's clients by number. The storage backend and both callbacks come from JavaScript."""

    def __init__(self, backend: Any, on_message: MessageCallback, on_close: Callable[[int, int], None]) -> None:
        self._api = LocalApi(IndexedDbStore(backend))
        self._clients: dict[int, LocalClient] = {}
        self._early_messages: dict[int, list[str]] = {}  # messages of clients that are still joining
        self._join_tasks: set[asyncio.Task[None]] = set()
        self._on_message = on_message
        self._on_close = on_close

    async def ask(self, method: str, address: str, body: str) -> tuple[int, str, str]:
        """Handle a request; return its status, text and content type."""
        return await self._api.handle(method, address, body)

    def sit(self, number: int, game: str) -> None:
        """Join a game as a new client. Messages sent before the join has finished are queued."""
        self._early_messages[number] = []
        task = asyncio.ensure_future(self._join(number, game))
        self._join_tasks.add(task)
        task.add_done_callback(self._join_tasks.discard)

    async def _join(self, number: int, game: str) -> None:
        client = await self._api.join(
            game, lambda text: self._on_message(number, text), lambda code: self._on_close(number, code)
        )
        early_messages = self._early_messages.pop(number, None)
        if client is None:
            return
        if early_messages is None:  # it left while it was joining
            client.disconnect()
            return
        self._clients[number] = client
        for text in early_messages:
            client.receive(text)

    def say(self, number: int, text: str) -> None:
        """Deliver a message of a client."""
        if number in self._early_messages:
            self._early_messages[number].append(text)
        elif number in self._clients:
            self._clients[number].receive(text)

    def part(self, number: int) -> None:
        """Disconnect a client."""
        self._early_messages.pop(number, None)
        client = self._clients.pop(number, None)
        if client is not None:
            client.disconnect()
