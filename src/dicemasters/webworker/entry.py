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

    def __init__(self, shelf: Any, tell: MessageCallback, gone: Callable[[int, int], None]) -> None:
        self._api = LocalApi(IndexedDbStore(shelf))
        self._clients: dict[int, LocalClient] = {}
        self._early_messages: dict[int, list[str]] = {}  # what was said at chairs that are being brought
        self._join_tasks: set[asyncio.Task[None]] = set()
        self._on_message = tell
        self._on_close = gone

    async def ask(self, method: str, address: str, body: str) -> tuple[int, str, str]:
        """Answer a request: status, text, kind of text."""
        return await self._api.handle(method, address, body)

    def sit(self, number: int, game: str) -> None:
        """Bring a chair to a game; what is said at it from now on is heard when it is there."""
        self._early_messages[number] = []
        bringing = asyncio.ensure_future(self._join(number, game))
        self._join_tasks.add(bringing)
        bringing.add_done_callback(self._join_tasks.discard)

    async def _join(self, number: int, game: str) -> None:
        chair = await self._api.join(
            game, lambda text: self._on_message(number, text), lambda code: self._on_close(number, code)
        )
        said = self._early_messages.pop(number, None)
        if chair is None:
            return
        if said is None:  # it is gone already
            chair.disconnected()
            return
        self._clients[number] = chair
        for text in said:
            chair.receive(text)

    def say(self, number: int, text: str) -> None:
        """Hear what is said at a chair."""
        if number in self._early_messages:
            self._early_messages[number].append(text)
        elif number in self._clients:
            self._clients[number].receive(text)

    def part(self, number: int) -> None:
        """Take a chair away."""
        self._early_messages.pop(number, None)
        chair = self._clients.pop(number, None)
        if chair is not None:
            chair.disconnected()
