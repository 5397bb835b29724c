"""Game store in the browser's worker, on top of a key-value store that JavaScript keeps in IndexedDB."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from dicemasters.service.games.stored_events import StorageError, StoredEvent, StoredGame


class KeyValueBackend(Protocol):
    """Texts by game, and by game and number. Existing entries are never overwritten: a write to one returns False."""

    async def create(self, game: str, text: str) -> bool: ...

    async def find(self, game: str) -> str | None: ...

    async def append(self, game: str, number: int, texts: str) -> bool: ...

    async def events(self, game: str, after: int) -> str: ...


class IndexedDbStore:
    """Game store on a key-value backend."""

    def __init__(self, backend: KeyValueBackend) -> None:
        self._backend = backend

    async def create(self, stored: StoredGame) -> bool:
        return bool(await self._call_backend(self._backend.create(stored.game, json.dumps(asdict(stored)))))

    async def append(self, game: str, events: Sequence[StoredEvent]) -> bool:
        return bool(await self._call_backend(self._backend.append(game, events[0].number, json.dumps(events))))

    async def find(self, game: str) -> StoredGame | None:
        text = await self._call_backend(self._backend.find(game))
        return StoredGame(**json.loads(text)) if text else None

    async def events(self, game: str, after: int = 0) -> list[StoredEvent]:
        return [
            StoredEvent(*fields) for fields in json.loads(await self._call_backend(self._backend.events(game, after)))
        ]

    async def expire(self, before: str) -> list[str]:
        return []  # only the user of the browser deletes games

    @staticmethod
    async def _call_backend(call: Any) -> Any:
        try:
            return await call
        except Exception as error:  # any browser error, such as storage that is full or disabled
            raise StorageError(str(error)[:200]) from None
