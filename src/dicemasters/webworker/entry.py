"""What a browser's worker calls: JavaScript on one side, a desk on the other (web/src/worker/worker.ts)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from dicemasters.webworker.indexeddb_store import IndexedDbStore
from dicemasters.webworker.local_api import LocalApi, LocalClient

MessageCallback = Callable[[int, str], None]


class WorkerEntry:
    """A desk with the page's chairs by number; `shelf`, `tell` and `gone` are the worker's own."""

    def __init__(self, backend: Any, on_message: MessageCallback, on_close: Callable[[int, int], None]) -> None:
        self._api = LocalApi(IndexedDbStore(backend))
        self._clients: dict[int, LocalClient] = {}
        self._early_messages: dict[int, list[str]] = {}  # what was said at chairs that are being brought
        self._join_tasks: set[asyncio.Task[None]] = set()
        self._on_message = on_message
        self._on_close = on_close

    async def ask(self, method: str, address: str, body: str) -> tuple[int, str, str]:
        """Answer a request: status, text, kind of text."""
        return await self._api.handle(method, address, body)

    def sit(self, number: int, game: str) -> None:
        """Bring a chair to a game; what is said at it from now on is heard when it is there."""
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
        if early_messages is None:  # it is gone already
            client.disconnect()
            return
        self._clients[number] = client
        for text in early_messages:
            client.receive(text)

    def say(self, number: int, text: str) -> None:
        """Hear what is said at a chair."""
        if number in self._early_messages:
            self._early_messages[number].append(text)
        elif number in self._clients:
            self._clients[number].receive(text)

    def part(self, number: int) -> None:
        """Take a chair away."""
        self._early_messages.pop(number, None)
        client = self._clients.pop(number, None)
        if client is not None:
            client.disconnect()
