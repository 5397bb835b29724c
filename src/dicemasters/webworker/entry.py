"""What a browser's worker calls: JavaScript on one side, a desk on the other (web/src/worker/worker.ts)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from dicemasters.webworker.indexeddb_store import IndexedDbStore
from dicemasters.webworker.local_api import LocalApi, LocalClient

Tell = Callable[[int, str], None]


class WorkerEntry:
    """A desk with the page's chairs by number; `shelf`, `tell` and `gone` are the worker's own."""

    def __init__(self, shelf: Any, tell: Tell, gone: Callable[[int, int], None]) -> None:
        self._desk = LocalApi(IndexedDbStore(shelf))
        self._chairs: dict[int, LocalClient] = {}
        self._early: dict[int, list[str]] = {}  # what was said at chairs that are being brought
        self._bringing: set[asyncio.Task[None]] = set()
        self._tell = tell
        self._gone = gone

    async def ask(self, method: str, address: str, body: str) -> tuple[int, str, str]:
        """Answer a request: status, text, kind of text."""
        return await self._desk.handle(method, address, body)

    def sit(self, number: int, game: str) -> None:
        """Bring a chair to a game; what is said at it from now on is heard when it is there."""
        self._early[number] = []
        bringing = asyncio.ensure_future(self._bring(number, game))
        self._bringing.add(bringing)
        bringing.add_done_callback(self._bringing.discard)

    async def _bring(self, number: int, game: str) -> None:
        chair = await self._desk.join(
            game, lambda text: self._tell(number, text), lambda code: self._gone(number, code)
        )
        said = self._early.pop(number, None)
        if chair is None:
            return
        if said is None:  # it is gone already
            chair.disconnected()
            return
        self._chairs[number] = chair
        for text in said:
            chair.receive(text)

    def say(self, number: int, text: str) -> None:
        """Hear what is said at a chair."""
        if number in self._early:
            self._early[number].append(text)
        elif number in self._chairs:
            self._chairs[number].receive(text)

    def part(self, number: int) -> None:
        """Take a chair away."""
        self._early.pop(number, None)
        chair = self._chairs.pop(number, None)
        if chair is not None:
            chair.disconnected()
