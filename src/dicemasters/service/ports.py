"""Ports of the application layer: storage, workers and connections, which an adapter provides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from dicemasters.game import Game
from dicemasters.service.games.game_setup import Seat
from dicemasters.service.games.stored_events import StoredEvent, StoredGame
from dicemasters.service.protocol.codec import OutgoingMessage

T = TypeVar("T")


class BackgroundExecutor(Protocol):
    """Who does what takes longer, so that the other games do not wait for it."""

    async def run_for_client(self, work: Any, *args: Any, **kwargs: Any) -> Any: ...

    async def run_unmetered(self, work: Callable[..., T], *args: Any) -> T: ...

    def yield_cpu(self) -> None: ...


class JobRunner(Protocol):
    """Who reads what strangers send (`jobs`); what they send may be anything."""

    async def run(self, what: str, **job: Any) -> Any: ...


class BotRunner(Protocol):
    """Who thinks for players that take their time; gives an option of the decision the game waits for."""

    async def choose(self, player: str, game: Game) -> int: ...


class Services(Protocol):
    """Who works beside the games, and counts."""

    @property
    def executor(self) -> BackgroundExecutor: ...

    @property
    def job_runner(self) -> JobRunner: ...

    @property
    def bot_runner(self) -> BotRunner: ...

    def count(self, event: str, label: str = "") -> None: ...


class RoomClient(Protocol):
    """Somebody who looks at a game, with the seats they hold."""

    seats: tuple[Seat, ...]
    number: int  # in the order of coming

    def send(self, message: OutgoingMessage) -> None: ...

    def close(self, reason: str) -> None: ...


class GameStore(Protocol):
    """Where games are kept. Of two who append the same number one is told False, and reads on."""

    async def create(self, stored: StoredGame) -> bool: ...

    async def append(self, game: str, events: Sequence[StoredEvent]) -> bool: ...

    async def find(self, game: str) -> StoredGame | None: ...

    async def events(self, game: str, after: int = 0) -> list[StoredEvent]: ...

    async def expire(self, before: str) -> list[str]: ...
